/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

int main(void)
{
    CHECK(system(NULL) != 0);
    CHECK(system("echo shell $$ parent $PPID; date +%s.%N") == 0);
    int status = system("exit 7");
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    status = system("kill -TERM $$");
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    show("pid", getpid());
    return guest_end();
}
