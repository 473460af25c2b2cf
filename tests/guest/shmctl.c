/* SPDX-License-Identifier: MIT */
#include <sys/shm.h>

#include "guest_child.h"

static long by_symbol(int id, int command, struct shmid_ds *info)
{
    int result = shmctl(id, command, info);
    return result == -1 ? -errno : result;
}

static long by_number(int id, int command, struct shmid_ds *info)
{
    return by(BY_SYSCALL, SYS_shmctl, id, command, (long)info);
}

static void check_stat(struct shmid_ds *info, pid_t user)
{
    CHECK(guard_holds(info) && info->shm_segsz == 4096);
    CHECK(info->shm_cpid == getpid() && info->shm_lpid == user);
}

/* Slots of the kernel's table, in which ours is one. */
static void check_slots(long (*call)(int, int, struct shmid_ds *), int id, pid_t user)
{
    struct shmid_ds *info = guarded(sizeof(*info));
    long last = call(0, SHM_INFO, info);
    bool found = false;
    for (int i = 0; i <= last; i++)
        if (call(i, SHM_STAT, info) == id) {
            check_stat(info, user);
            found = true;
        }
    CHECK(found);
}

static void check_shmctl(long (*call)(int, int, struct shmid_ds *))
{
    struct shmid_ds *info = guarded(sizeof(*info));
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    CHECK(id >= 0 && call(id, IPC_STAT, info) == 0);
    check_stat(info, 0);
    pid_t child = fork();
    if (child == 0)
        _exit(shmat(id, NULL, 0) != (void *)-1 ? 0 : 1);
    check_exit(child, 0);
    CHECK(call(id, IPC_STAT, info) == 0);
    check_stat(info, child);
    show("last", info->shm_lpid);
    check_slots(call, id, child);
    CHECK(call(id, IPC_STAT, bad_pointer()) == -EFAULT && call(id, 999, info) == -EINVAL);
    CHECK(call(id, IPC_RMID, NULL) == 0 && call(id, IPC_STAT, info) < 0);
}

int main(void)
{
    check_shmctl(by_symbol);
    check_shmctl(by_number);
    return guest_end();
}
