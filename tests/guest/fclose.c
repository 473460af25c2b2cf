/* SPDX-License-Identifier: MIT */
#include "guest_stdio.h"

/* One descriptor number: a device, then a file of zeroes, then a device again. */
int main(void)
{
    int number = -1;
    for (int i = 0; i < 4; i++) {
        FILE *stream = fopen(i % 2 ? "/dev/zero" : "/dev/urandom", "r");
        CHECK(stream && (number < 0 || fileno(stream) == number));
        number = fileno(stream);
        if (i % 2)
            CHECK(fgetc(stream) == 0);
        else
            check_stream(stream);
        CHECK(fclose(stream) == 0);
        FAILS(EBADF, close(number));
    }
    char text[4] = "abc";
    FILE *memory = fmemopen(text, 3, "r");
    CHECK(memory && fgetc(memory) == 'a' && fclose(memory) == 0);
    return guest_end();
}
