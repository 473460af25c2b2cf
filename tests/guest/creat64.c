/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static void check_written(int fd, const char *path, const char *expected)
{
    char name[32] = "";
    CHECK(fd >= 0 && write(fd, "named", 5) == 5 && close(fd) == 0);
    fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && read(fd, name, sizeof(name)) > 0 && close(fd) == 0);
    CHECK(strcmp(name, expected) == 0);
}

/* seed: same */
int main(void)
{
    struct stat st;
    const char *comm = text("/proc/%d/comm", getpid());
    check_written(creat64(comm, 0600), "/proc/self/comm", "named\n");
    umask(0);
    unlink("created");
    check_written(creat64("created", 0640), "created", "named");
    CHECK(stat("created", &st) == 0 && (st.st_mode & 0777) == 0640 && unlink("created") == 0);
    check_written((int)syscall(SYS_creat, "created", 0600), "created", "named");
    CHECK(unlink("created") == 0);
    FAILS(EISDIR, creat64("/", 0600));
    FAILS(ENOENT, creat64(text("/proc/%d/comm", NOBODY), 0600));
    FAILS(EFAULT, creat64(bad_pointer(), 0600));
    return guest_end();
}
