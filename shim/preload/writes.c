/* SPDX-License-Identifier: MIT */
#include "writes.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "clock.h"
#include "poison.h"
#include "raw.h"
#include "task.h"
#include "written.h"

uint64_t writes_table[WRITES_FDS];

/* NULL: nobody's. Without a supervisor nobody else would be told, and a sandbox may refuse. */
static struct detrun_task *answering(void)
{
    struct detrun_task *t = shim.on && !shim.sandboxed ? task_self() : NULL;
    bool real = t && (task_leaves_real(DETRUN_MTIMES) || task_leaves_real(DETRUN_WALL));
    return t && !shim.alone && !real ? t : NULL;
}

/* What comes later in the program is later, though no clock was read in between. */
static struct detrun_written *stamped(struct detrun_task *t, const struct stat *st)
{
    struct detrun_written *file =
        S_ISREG(st->st_mode) ? written_entry(shim.memory, st->st_dev, st->st_ino) : NULL;
    if (!file)
        return NULL;
    clock_tick(shim.memory, t, WRITTEN_TICK_NS);
    written_raise(file, clock_view(shim.memory, t, DETRUN_FAMILY_WALL));
    return file;
}

static void note(const struct detrun_task *t, int fd, uint32_t entry)
{
    if ((unsigned)fd < WRITES_FDS)
        __atomic_store_n(&writes_table[fd], (uint64_t)t->vpid << 32 | entry, __ATOMIC_RELAXED);
}

void writes_opened(int fd, int flags)
{
    struct stat st;
    if (fd < 0 || (flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH))
        return;
    struct detrun_task *t = answering();
    if (!t || raw3(SYS_fstat, fd, (long)&st, 0) != 0)
        return;
    const struct detrun_written *file = stamped(t, &st);
    if (file)
        note(t, fd, (uint32_t)(file - shim.memory->written) + 1);
}

void writes_touched(int dir, const char *path, int flags)
{
    struct stat st;
    struct detrun_task *t = answering();
    long found = !t     ? -1
                 : path ? raw4(SYS_newfstatat, dir, (long)path, (long)&st, flags)
                        : raw3(SYS_fstat, dir, (long)&st, 0);
    if (found == 0)
        stamped(t, &st);
}

void writes_renew(uint64_t noted)
{
    const struct detrun_task *t = answering();
    if (t && noted >> 32 == t->vpid)
        written_raise(&shim.memory->written[(uint32_t)noted - 1],
                      clock_view(shim.memory, t, DETRUN_FAMILY_WALL));
}

void writes_copied(int fd, uint64_t noted)
{
    const struct detrun_task *t = noted != 0 ? answering() : NULL;
    if (t && noted >> 32 == t->vpid)
        note(t, fd, (uint32_t)noted);
    else
        writes_forget(fd);
}
