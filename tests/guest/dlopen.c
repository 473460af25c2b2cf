/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <x86intrin.h>

#include "guest.h"

int main(void)
{
    CHECK(dlopen("./there-is-no-such-library.so", RTLD_NOW) == NULL && dlerror());
    for (int i = 0; i < 3; i++) {
        void *library = dlopen("libm.so.6", RTLD_LAZY);
        CHECK(library);
        double (*cosine)(double);
        *(void **)&cosine = dlsym(library, "cos");
        CHECK(cosine && cosine(0) == 1);
        CHECK(dlclose(library) == 0);
    }
    CHECK(dlopen(NULL, RTLD_NOW));
    show("counter", (long long)__rdtsc());
    return guest_end();
}
