/* SPDX-License-Identifier: MIT */
/* Linked statically: its signal to its parent goes by way of the supervisor. */
#include <signal.h>
#include <unistd.h>

int main(void)
{
    return kill(getppid(), SIGUSR1) == 0 ? 0 : 1;
}
