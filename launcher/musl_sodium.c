/* SPDX-License-Identifier: MIT */
/*
 * Only where libsodium is linked with musl. Debian's libsodium.a was compiled against glibc's
 * headers, which make this of its explicit_bzero(); of all that the linked part needs, musl lacks
 * this name alone.
 */
#include <stdlib.h>
#include <string.h>

void __explicit_bzero_chk(void *memory, size_t length, size_t room);

void __explicit_bzero_chk(void *memory, size_t length, size_t room)
{
    if (length > room)
        abort();
    explicit_bzero(memory, length);
}
