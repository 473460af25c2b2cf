/* SPDX-License-Identifier: MIT */
/* Prints whose privileges it has, and what the seed decides. */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void print_bytes(const unsigned char *bytes)
{
    printf("r ");
    for (int i = 0; i < 16; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

int main(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct capabilities[2];
    unsigned char bytes[16];
    struct timespec ts;

    if (syscall(SYS_capget, &header, capabilities) != 0)
        return 1;
    printf("user %d %d group %d %d capabilities %x%08x\n", (int)getuid(), (int)geteuid(),
           (int)getgid(), (int)getegid(), capabilities[1].effective, capabilities[0].effective);
    memcpy(bytes, (void *)getauxval(AT_RANDOM), sizeof bytes);
    print_bytes(bytes);
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes || clock_gettime(CLOCK_REALTIME, &ts))
        return 1;
    print_bytes(bytes);
    printf("r %ld\nt %ld.%09ld\n", (long)getpid(), (long)ts.tv_sec, ts.tv_nsec);
    return 0;
}
