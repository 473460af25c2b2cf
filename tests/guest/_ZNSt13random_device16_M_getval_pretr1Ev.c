/* SPDX-License-Identifier: MIT */
#include "guest_cxx.h"

extern unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void *device);
extern void
_ZNSt13random_device14_M_init_pretr1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
    void *device, const struct cxx_string *token);

int main(void)
{
    union cxx_device device;
    struct cxx_string token = {.size = strlen("mt19937")};
    token.data = strcpy(token.local, "mt19937");
    _ZNSt13random_device14_M_init_pretr1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
        &device, &token);
    check_values(_ZNSt13random_device16_M_getval_pretr1Ev, &device);
    return guest_end();
}
