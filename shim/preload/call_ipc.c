/* SPDX-License-Identifier: MIT */
/*
 * System V objects remember who made and who last used them.
 */
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

#include "calls.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"

long call_semctl(int id, int number, int command, long argument)
{
    long result = raw4(SYS_semctl, id, number, command, argument);
    return command == GETPID && result > 0 ? pids_out((int)result) : result;
}

long call_shmctl(int id, int command, struct shmid_ds *info)
{
    long result = raw3(SYS_shmctl, id, command, (long)info);
    if (result >= 0 && (command == IPC_STAT || command == SHM_STAT || command == SHM_STAT_ANY)) {
        info->shm_cpid = pids_out(info->shm_cpid);
        info->shm_lpid = pids_out(info->shm_lpid);
    }
    return result;
}

long call_msgctl(int id, int command, struct msqid_ds *info)
{
    long result = raw3(SYS_msgctl, id, command, (long)info);
    if (result >= 0 && (command == IPC_STAT || command == MSG_STAT || command == MSG_STAT_ANY)) {
        info->msg_lspid = pids_out(info->msg_lspid);
        info->msg_lrpid = pids_out(info->msg_lrpid);
    }
    return result;
}
