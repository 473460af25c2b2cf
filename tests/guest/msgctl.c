/* SPDX-License-Identifier: MIT */
#include <sys/msg.h>

#include "guest_child.h"

static long by_symbol(int id, int command, struct msqid_ds *info)
{
    int result = msgctl(id, command, info);
    return result == -1 ? -errno : result;
}

static long by_number(int id, int command, struct msqid_ds *info)
{
    return by(BY_SYSCALL, SYS_msgctl, id, command, (long)info);
}

struct letter {
    long type;
    char byte;
};

static void check_msgctl(long (*call)(int, int, struct msqid_ds *))
{
    struct letter letter = {.type = 1, .byte = 'a'};
    struct msqid_ds *info = guarded(sizeof(*info));
    int id = msgget(IPC_PRIVATE, 0600);
    CHECK(id >= 0 && call(id, IPC_STAT, info) == 0);
    CHECK(info->msg_lspid == 0 && info->msg_lrpid == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(msgsnd(id, &letter, 1, 0) == 0 ? 0 : 1);
    check_exit(child, 0);
    CHECK(msgrcv(id, &letter, 1, 0, 0) == 1);
    CHECK(call(id, IPC_STAT, info) == 0 && guard_holds(info) && info->msg_qnum == 0);
    CHECK(info->msg_lspid == child && info->msg_lrpid == getpid());
    show("sender", info->msg_lspid);
    CHECK(call(id, IPC_STAT, bad_pointer()) == -EFAULT && call(id, 999, info) == -EINVAL);
    CHECK(call(id, IPC_RMID, NULL) == 0 && call(id, IPC_STAT, info) < 0);
}

int main(void)
{
    check_msgctl(by_symbol);
    check_msgctl(by_number);
    return guest_end();
}
