/* SPDX-License-Identifier: MIT */
/* A library with instructions of its own, one of them in its constructor. */
#include <x86intrin.h>

static unsigned long long begun;

__attribute__((constructor)) static void begin(void)
{
    begun = __rdtsc();
}

unsigned long long draw(void);
unsigned long long draw(void)
{
    unsigned long long number;
    while (!_rdrand64_step(&number))
        ;
    return number ^ begun;
}
