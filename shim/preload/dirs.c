/* SPDX-License-Identifier: MIT */
#include "dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "poison.h"
#include "procfs.h"
#include "raw.h"
#include "reach.h"
#include "task.h"
#include "tracing.h"
#include "window.h"

#define SLOTS       8
#define FIRST       65536
#define MIDDLE      (1 << 19)
#define LARGEST     (1 << 22)
#define LEAST       2048
#define CLAIMS      64 /* by descriptor */
#define CLAIM_TRIES (1 << 17)
#define HELD_MOST   (2 * LARGEST) /* by all slots together */

/* A directory that is being read in parts. */
struct slot {
    _Atomic uint32_t state; /* enum slot_state */
    int fd;
    dev_t dev;
    ino_t ino;
    int given;            /* entries, when the last part was given */
    int base;             /* entries before the window's first one */
    struct window window; /* area NULL: none */
    char last[sizeof(((struct dirent *)0)->d_name)];
};

enum slot_state { SLOT_FREE, SLOT_IDLE, SLOT_BUSY };

static struct slot slots[SLOTS];
static _Atomic uint32_t held;
/* Of most directories one reading fits in here: no mapping, and the same pages again. */
static char first_area[FIRST] __attribute__((aligned(8)));
static _Atomic uint32_t first_taken;

/* One call. */
struct asked {
    int fd;
    int at; /* position: entries given so far */
    char *buf;
    size_t len;
    dev_t dev;
    ino_t ino;
};

bool dirs_are_on(void)
{
    return shim.on && !shim.sandboxed && task_self() && !task_leaves_real(DETRUN_DIRS);
}

static bool change(struct slot *s, uint32_t from, uint32_t to)
{
    return atomic_compare_exchange_strong_explicit(&s->state, &from, to, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static void put_back(struct slot *s, enum slot_state state)
{
    atomic_store_explicit(&s->state, (uint32_t)state, memory_order_release);
}

static char *map_area(uint32_t size)
{
    long page = raw6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page > 0 ? (char *)page : NULL;
}

static void unmap_area(struct window *w)
{
    if (w->area == first_area)
        atomic_store_explicit(&first_taken, 0, memory_order_release);
    else if (w->area && w->size >= FIRST)
        raw3(SYS_munmap, (long)w->area, (long)w->size, 0);
    w->area = NULL;
}

/* The slot's own memory, of which the others may take no more than is left. */
static void drop_window(struct slot *s)
{
    if (s->window.area)
        atomic_fetch_sub_explicit(&held, s->window.size, memory_order_relaxed);
    unmap_area(&s->window);
}

static struct slot *find_slot(const struct asked *a)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        if (atomic_load_explicit(&s->state, memory_order_relaxed) != SLOT_IDLE ||
            !change(s, SLOT_IDLE, SLOT_BUSY))
            continue;
        if (s->fd == a->fd && s->dev == a->dev && s->ino == a->ino)
            return s;
        put_back(s, SLOT_IDLE);
    }
    return NULL;
}

/* What tells the directory from others, for the slots. */
static bool identify(struct asked *a)
{
    struct stat st = {0};
    if (raw3(SYS_fstat, a->fd, (long)&st, 0) != 0)
        return false;
    a->dev = st.st_dev;
    a->ino = st.st_ino;
    return st.st_nlink > 0;
}

/* A free one, or whichever the descriptor's number falls to. */
static struct slot *take_slot(struct asked *a)
{
    struct slot *s = NULL;
    if (!identify(a))
        return NULL;
    for (size_t i = 0; i < SLOTS && !s; i++)
        s = change(&slots[i], SLOT_FREE, SLOT_BUSY) ? &slots[i] : NULL;
    for (size_t i = 0; i < SLOTS && !s; i++) {
        struct slot *other = &slots[((unsigned)a->fd + i) % SLOTS];
        s = change(other, SLOT_IDLE, SLOT_BUSY) ? other : NULL;
    }
    if (!s)
        return NULL;
    drop_window(s);
    s->fd = a->fd;
    s->dev = a->dev;
    s->ino = a->ino;
    s->given = 0;
    return s;
}

static void drop_slot(struct slot *s)
{
    drop_window(s);
    put_back(s, SLOT_FREE);
}

void dirs_forget(int fd)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++)
        if (atomic_load_explicit(&s->state, memory_order_relaxed) == SLOT_IDLE && s->fd == fd &&
            change(s, SLOT_IDLE, SLOT_BUSY))
            drop_slot(s);
}

static void go_to(const struct asked *a, int position)
{
    raw3(SYS_lseek, a->fd, position, SEEK_SET);
}

static long list_by_kernel(int fd, void *buf, unsigned len)
{
    return raw6(SYS_getdents64, fd, (long)buf, len, 0, 0, (long)DETRUN_PASS);
}

static char *take_area(uint32_t size)
{
    bool first =
        size == FIRST && atomic_exchange_explicit(&first_taken, 1, memory_order_acquire) == 0;
    return first ? first_area : map_area(size);
}

/* @return as window_read(), or -ENOMEM */
static long read_into(struct window *w, const struct asked *a, const char *after, uint32_t size,
                      bool may_drop)
{
    *w = (struct window){.size = size, .area = take_area(size)};
    if (!w->area)
        return -ENOMEM;
    if (a->at != 0 || size != FIRST || may_drop)
        go_to(a, 0);
    long result = window_read(w, list_by_kernel, a->fd, after, may_drop);
    if (result < 0)
        unmap_area(w);
    return result;
}

/* The next larger area, while there is one. What the last does not hold is read in parts, or what
 * the first does not where there is no memory.
 * @param small  of LEAST bytes, where there is not even that */
static long read_window(struct window *w, const struct asked *a, const char *after, char *small)
{
    long result = read_into(w, a, after, FIRST, false);
    if (result == -ENOBUFS)
        result = read_into(w, a, after, MIDDLE, false);
    if (result == -ENOBUFS)
        result = read_into(w, a, after, LARGEST, true);
    if (result == -ENOMEM)
        result = read_into(w, a, after, FIRST, true);
    if (result != -ENOMEM)
        return result;
    *w = (struct window){.size = LEAST, .area = small};
    go_to(a, 0);
    return window_read(w, list_by_kernel, a->fd, after, true);
}

/* @return bytes, or -errno as the kernel; *given: entries */
static long give(const struct window *w, int base, const struct asked *a, uint32_t *given)
{
    size_t used = 0;
    uint32_t first = (uint32_t)(a->at - base);
    uint32_t i = first;
    for (; i < w->count; i++) {
        const struct dirent *entry = window_entry(w, i);
        size_t length = entry->d_reclen;
        if (used + length > a->len)
            break;
        if (reach_writable(a->buf + used, length) < length)
            return used > 0 ? (long)used : -EFAULT;
        memcpy(a->buf + used, entry, length);
        ((struct dirent *)(void *)(a->buf + used))->d_off = window_position(w, base, i);
        used += length;
        *given = i + 1 - first;
    }
    return used > 0 || i == w->count ? (long)used : -EINVAL;
}

static bool has_next(const struct window *w, int base, int at)
{
    return w->area && at >= base && at - base < (int)w->count;
}

/* The window that the position lies in; *base: of its first entry. */
static long seek_window(struct window *w, const struct asked *a, struct slot *s, int *base,
                        char *small)
{
    char after[sizeof(s->last)] = "";
    *base = 0;
    if (s && s->given > 0 && s->given == a->at) {
        memcpy(after, s->last, strlen(s->last) + 1);
        *base = a->at;
    }
    for (;;) {
        long result = read_window(w, a, after[0] ? after : NULL, small);
        if (result < 0 || w->complete || has_next(w, *base, a->at))
            return result;
        const char *last = window_entry(w, w->count - 1)->d_name;
        memcpy(after, last, strlen(last) + 1);
        *base += (int)w->count;
        unmap_area(w);
    }
}

/* The slot takes over what was read: as it is, or moved out of what the next call needs. */
static void keep_window(struct slot *s, struct window *w, int base)
{
    drop_window(s);
    uint32_t before = atomic_fetch_add_explicit(&held, w->size, memory_order_relaxed);
    char *area = NULL;
    if (before + w->size <= HELD_MOST && w->size >= FIRST)
        area = w->area == first_area ? map_area(FIRST) : w->area;
    if (!area) {
        atomic_fetch_sub_explicit(&held, w->size, memory_order_relaxed);
        return;
    }
    s->window = *w;
    s->window.area = area;
    s->base = base;
    if (w->area != area)
        memcpy(area, w->area, w->size);
    else
        w->area = NULL;
}

static void remember(struct slot *s, const struct window *w, int base, int given)
{
    const char *last = window_entry(w, (uint32_t)(given - base) - 1)->d_name;
    memcpy(s->last, last, strlen(last) + 1);
    s->given = given;
}

/* Give from a window; the slot, if there is any, is the caller's. */
static long deliver(struct window *w, int base, struct asked *a, struct slot **s, bool kept)
{
    uint32_t given = 0;
    long n = has_next(w, base, a->at) ? give(w, base, a, &given) : 0;
    int position = a->at;
    if (given > 0)
        position = window_position(w, base, (uint32_t)(a->at - base) + given - 1);
    else if (n == 0)
        position = WINDOW_END;
    go_to(a, position);
    if (position != WINDOW_END && given > 0 && !*s)
        *s = take_slot(a);
    if (position == WINDOW_END || !*s)
        return n;
    if (given > 0)
        remember(*s, w, base, position);
    if (!kept)
        keep_window(*s, w, base);
    return n;
}

static long list_part(struct asked *a, struct slot **s)
{
    char small[LEAST] __attribute__((aligned(8)));
    if (*s && has_next(&(*s)->window, (*s)->base, a->at))
        return deliver(&(*s)->window, (*s)->base, a, s, true);
    struct window w;
    int base;
    long result = seek_window(&w, a, *s, &base, small);
    if (result < 0) {
        go_to(a, a->at);
        return result;
    }
    long n = deliver(&w, base, a, s, false);
    unmap_area(&w);
    return n;
}

static long list_next(struct asked *a)
{
    struct slot *s = find_slot(a);
    long n = list_part(a, &s);
    if (s && (n == 0 || raw3(SYS_lseek, a->fd, 0, SEEK_CUR) == WINDOW_END))
        drop_slot(s);
    else if (s)
        put_back(s, SLOT_IDLE);
    return n;
}

/* Those of processes and threads are in order, by numbers that ascend; no others of /proc are
 * numbers, but for descriptors. */
static bool is_procfs(const struct window *w, int fd)
{
    const char *name = w->count > 2 ? window_entry(w, 2)->d_name : "";
    return name[0] >= '0' && name[0] <= '9' && procfs_holds(fd);
}

static long list_first(struct asked *a)
{
    char small[LEAST] __attribute__((aligned(8)));
    struct window w;
    struct slot *s = NULL;
    dirs_forget(a->fd);
    long n = read_window(&w, a, NULL, small);
    if (n < 0 || is_procfs(&w, a->fd)) {
        unmap_area(&w);
        go_to(a, 0);
        return n < 0 ? n : procfs_list(a->fd, a->buf, (unsigned)a->len);
    }
    n = deliver(&w, 0, a, &s, false);
    unmap_area(&w);
    if (s)
        put_back(s, SLOT_IDLE);
    return n;
}

/* One reader of a descriptor at a time, as the kernel has it for the position. Nobody waits for
 * long: who holds it may be what this handler interrupted, or have stayed behind in a fork.
 * @return is it to be given back? */
static bool claim(_Atomic int32_t *claimed, int32_t me)
{
    for (int i = 0; i < CLAIM_TRIES; i++) {
        int32_t holder = 0;
        if (atomic_compare_exchange_strong_explicit(claimed, &holder, me, memory_order_acquire,
                                                    memory_order_relaxed))
            return true;
        if (holder == me)
            return false;
        raw3(SYS_sched_yield, 0, 0, 0);
    }
    atomic_store_explicit(claimed, me, memory_order_relaxed);
    return true;
}

static void give_back(_Atomic int32_t *claimed, int32_t me)
{
    atomic_compare_exchange_strong_explicit(claimed, &me, 0, memory_order_release,
                                            memory_order_relaxed);
}

static long list_claimed(int fd, void *buf, unsigned len)
{
    long at = raw3(SYS_lseek, fd, 0, SEEK_CUR);
    struct asked a = {.fd = fd, .at = (int)at, .buf = buf, .len = len > INT_MAX ? INT_MAX : len};
    if (at == 0)
        return list_first(&a);
    if (at == WINDOW_END)
        return 0;
    bool ours = at > 0 && at < WINDOW_END && identify(&a) && !procfs_holds(fd);
    return ours ? list_next(&a) : procfs_list(fd, buf, len);
}

static long traced(long n, const void *buf, unsigned door)
{
    if (tracing_is_on() && n > 0)
        tracing_put_listing(door, buf, n);
    return n;
}

long dirs_list(int fd, void *buf, unsigned len)
{
    static _Atomic int32_t claims[CLAIMS];
    if (!dirs_are_on())
        return traced(procfs_list(fd, buf, len), buf, TRACING_REAL);
    _Atomic int32_t *claimed = &claims[(unsigned)fd % CLAIMS];
    int32_t me = (int32_t)task_current->vtid;
    bool ours = claim(claimed, me);
    long n = list_claimed(fd, buf, len);
    if (ours)
        give_back(claimed, me);
    return traced(n, buf, DETRUN_DOOR_SITE);
}
