/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <x86intrin.h>

#include "guest.h"

int main(void)
{
    void *library = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
    CHECK(library);
    double (*cosine)(double);
    *(void **)&cosine = dlsym(library, "cos");
    CHECK(cosine && cosine(0) == 1);
    CHECK(dlclose(library) == 0);
    CHECK(dlmopen(LM_ID_BASE, "libm.so.6", RTLD_NOW | RTLD_NOLOAD) == NULL);
    show("counter", (long long)__rdtsc());
    return guest_end();
}
