/* SPDX-License-Identifier: MIT */
#include <sys/sem.h>

#include "guest_child.h"

union semun {
    int value;
    struct semid_ds *info;
    unsigned short *values;
};

static long by_symbol(int id, int number, int command, union semun argument)
{
    int result = semctl(id, number, command, argument);
    return result == -1 ? -errno : result;
}

static long by_number(int id, int number, int command, union semun argument)
{
    return by(BY_SYSCALL, SYS_semctl, id, number, command, (long)argument.info);
}

static void check_semctl(long (*call)(int, int, int, union semun))
{
    struct sembuf raise_it = {.sem_num = 1, .sem_op = 3};
    struct semid_ds *info = guarded(sizeof(*info));
    unsigned short values[2];
    union semun none = {0};
    int id = semget(IPC_PRIVATE, 2, 0600);
    CHECK(id >= 0 && call(id, 1, GETPID, none) == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(semop(id, &raise_it, 1) == 0 ? 0 : 1);
    check_exit(child, 0);
    CHECK(call(id, 1, GETPID, none) == child && call(id, 0, GETPID, none) == 0);
    show("last", call(id, 1, GETPID, none));
    CHECK(call(id, 0, SETVAL, (union semun){.value = 5}) == 0);
    CHECK(call(id, 0, GETPID, none) == getpid());
    CHECK(call(id, 0, GETALL, (union semun){.values = values}) == 0);
    CHECK(values[0] == 5 && values[1] == 3 && call(id, 1, GETVAL, none) == 3);
    CHECK(call(id, 0, IPC_STAT, (union semun){.info = info}) == 0 && info->sem_nsems == 2);
    CHECK(guard_holds(info));
    CHECK(call(id, 0, IPC_STAT, (union semun){.info = bad_pointer()}) == -EFAULT);
    CHECK(call(id, 2, GETPID, none) == -EINVAL && call(id, 0, 999, none) == -EINVAL);
    CHECK(call(id, 0, IPC_RMID, none) == 0 && call(id, 0, GETPID, none) < 0);
}

int main(void)
{
    check_semctl(by_symbol);
    check_semctl(by_number);
    return guest_end();
}
