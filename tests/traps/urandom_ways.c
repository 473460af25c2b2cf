/* SPDX-License-Identifier: MIT */
/* Random devices in every way to open and read one: they stay the kernel's devices in all that can
 * be asked of them, and what is read comes once. */
#include <fcntl.h>
#include <linux/random.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include "trap.h"

#define MOST 256

static struct block *blocks;
static _Atomic unsigned *n;

static void keep(const struct block *b)
{
    CHECK(*n < MOST);
    blocks[(*n)++] = *b;
}

static void read_once(int fd)
{
    struct block b;
    CHECK(fd >= 0 && read(fd, &b, sizeof(b)) == sizeof(b));
    keep(&b);
}

static void by_parts(int fd)
{
    struct block b[2];
    struct iovec parts[] = {{&b[0], 7}, {b[0].bytes + 7, sizeof(*b) - 7}, {&b[1], sizeof(*b)}};
    CHECK(readv(fd, parts, 3) == 2 * sizeof(*b));
    keep(&b[0]);
    keep(&b[1]);
    CHECK(pread(fd, &b[0], sizeof(*b), 0) == sizeof(*b));
    CHECK(pread(fd, &b[1], sizeof(*b), 1000) == sizeof(*b));
    keep(&b[0]);
    keep(&b[1]);
    CHECK(preadv(fd, parts + 2, 1, 0) == sizeof(*b));
    keep(&b[1]);
}

static void through_a_pipe(int fd)
{
    struct block b;
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(splice(fd, NULL, ends[1], NULL, sizeof(b), 0) == sizeof(b));
    CHECK(read(ends[0], &b, sizeof(b)) == sizeof(b));
    keep(&b);
    CHECK(sendfile(ends[1], fd, NULL, sizeof(b)) == sizeof(b));
    CHECK(read(ends[0], &b, sizeof(b)) == sizeof(b));
    keep(&b);
    close(ends[0]);
    close(ends[1]);
}

static void by_stdio(const char *path)
{
    struct block b;
    FILE *file = fopen(path, "rb");
    CHECK(file && fread(&b, sizeof(b), 1, file) == 1);
    keep(&b);
    CHECK(fread(&b, 1, sizeof(b), file) == sizeof(b));
    keep(&b);
    fclose(file);
    file = fdopen(open(path, O_RDONLY), "r");
    CHECK(file && setvbuf(file, NULL, _IONBF, 0) == 0 && fread(&b, sizeof(b), 1, file) == 1);
    keep(&b);
    fclose(file);
}

static void duplicates(int fd)
{
    int other = dup(fd);
    read_once(other);
    read_once(fd);
    CHECK(dup2(fd, other) == other);
    read_once(other);
    int third = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    CHECK(third >= 100);
    close(other);
    read_once(third);
    close(third);
    pid_t pid = fork();
    if (pid == 0) {
        read_once(fd);
        _exit(0);
    }
    child_exits(pid, 0);
    read_once(fd);
}

static void as_a_device(int fd, unsigned minor_number)
{
    struct stat st;
    struct pollfd ready = {.fd = fd, .events = POLLIN | POLLOUT};
    int count = 0;
    char byte;
    CHECK(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, minor_number));
    CHECK(poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN));
    CHECK(ioctl(fd, RNDGETENTCNT, &count) == 0 && count > 0);
    FAILS(EINVAL, ioctl(fd, FIONREAD, &count));
    CHECK(lseek(fd, 0, SEEK_CUR) == 0 && lseek(fd, 5, SEEK_SET) >= 0);
    FAILS(EBADF, write(fd, "x", 1));
    FAILS(EFAULT, read(fd, bad_pointer(), 1));
    CHECK(read(fd, &byte, 0) == 0);
    CHECK((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
}

static void one_device(const char *path, unsigned minor_number)
{
    int dir = open("/dev", O_RDONLY | O_DIRECTORY);
    static const int flags[] = {0, O_NONBLOCK, O_CLOEXEC, O_NOFOLLOW};
    for (int i = 0; i < 4; i++) {
        int fd = open(path, O_RDONLY | flags[i]);
        read_once(fd);
        as_a_device(fd, minor_number);
        by_parts(fd);
        if (i == 0) {
            through_a_pipe(fd);
            duplicates(fd);
        }
        close(fd);
    }
    int fd = openat(dir, strrchr(path, '/') + 1, O_RDWR);
    read_once(fd);
    CHECK(write(fd, "salt", 4) == 4);
    close(fd);
    fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
    read_once(fd);
    close(fd);
    close(dir);
    by_stdio(path);
}

int main(void)
{
    n = shared_memory(sizeof(*n) + MOST * sizeof(*blocks));
    blocks = (struct block *)(void *)(n + 4);
    one_device("/dev/urandom", 9);
    one_device("/dev/random", 8);
    check_distinct(blocks, *n);
    return guest_end();
}
