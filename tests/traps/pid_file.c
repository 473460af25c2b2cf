/* SPDX-License-Identifier: MIT */
/* A pid written to a file is one that others can use: they find the process, signal it, and see its
 * folder in /proc; waits for a group find its members. */
#include <fcntl.h>
#include <sys/stat.h>

#include "trap.h"

static volatile sig_atomic_t asked;

static void take(int number)
{
    asked = number;
}

/* What a pid file of a daemon is for. */
static void use_pid_file(void)
{
    char path[64];
    FILE *file = fopen("pid", "r");
    int pid = 0;
    CHECK(file && fscanf(file, "%d", &pid) == 1 && pid > 1);
    fclose(file);
    CHECK(kill(pid, 0) == 0 && kill(pid, SIGUSR1) == 0);
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    CHECK(access(path, R_OK) == 0 || getenv("GUEST_STATIC"));
}

static void pid_file(void)
{
    FILE *file = fopen("pid", "w");
    CHECK(file && fprintf(file, "%d\n", getpid()) > 0 && fclose(file) == 0);
    handle(SIGUSR1, take, SA_RESTART);
    pid_t child = fork();
    if (child == 0) {
        use_pid_file();
        _exit(0);
    }
    child_exits(child, 0);
    CHECK(asked == SIGUSR1 && unlink("pid") == 0);
}

static void whole_group(void)
{
    siginfo_t info;
    pid_t leader = 0, second;
    for (int i = 0; i < 2; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(setpgid(0, leader) == 0 ? 5 : 6);
        CHECK(pid > 0 && (setpgid(pid, leader) == 0 || errno == EACCES || errno == ESRCH));
        if (i == 0)
            leader = pid;
        else
            second = pid;
    }
    pid_t other = fork();
    if (other == 0)
        _exit(7);
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        CHECK(waitid(P_PGID, (id_t)leader, &info, WEXITED) == 0);
        CHECK(info.si_pid == leader || info.si_pid == second);
        CHECK(info.si_code == CLD_EXITED);
        sum += info.si_status;
    }
    CHECK(sum == 10);
    FAILS(ECHILD, waitid(P_PGID, (id_t)leader, &info, WEXITED));
    child_exits(other, 7);
}

static void shells(void)
{
    CHECK(system("sleep 5 & kill $! && wait $!; test $? = 143") == 0);
    CHECK(system("(exit 3) & wait $!; test $? = 3") == 0);
    CHECK(
        system("kill -0 $$ && test -d /proc/$$ && trap 'exit 4' USR1 && kill -USR1 $$; sleep 1") ==
        4 << 8);
    CHECK(system("test \"$(sh -c 'echo $PPID')\" = $$") == 0);
}

int main(void)
{
    pid_file();
    if (!getenv("GUEST_STATIC"))
        whole_group();
    shells();
    return guest_end();
}
