/* SPDX-License-Identifier: MIT */
#include "guest_cxx.h"

extern unsigned _ZNSt13random_device9_M_getvalEv(void *device);
extern void _ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
    void *device, const struct cxx_string *token);

int main(void)
{
    static const char *const tokens[] = {"default", "rdrand", "/dev/urandom"};
    for (int i = 0; i < 3; i++) {
        union cxx_device device;
        struct cxx_string token = {.size = strlen(tokens[i])};
        token.data = strcpy(token.local, tokens[i]);
        _ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(&device,
                                                                                            &token);
        check_values(_ZNSt13random_device9_M_getvalEv, &device);
    }
    return guest_end();
}
