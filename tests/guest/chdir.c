/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static int home;

/* There and back, so that the next look begins here. */
static int back(int result)
{
    int error = errno;
    CHECK(fchdir(home) == 0);
    errno = error;
    return result;
}

static int by_symbol(const char *path)
{
    return back(chdir(path));
}

static int by_number(const char *path)
{
    return back((int)syscall(SYS_chdir, path));
}

/* seed: same */
int main(void)
{
    home = open(".", O_PATH | O_DIRECTORY);
    CHECK(home >= 0);
    check_proc_elsewhere(by_symbol);
    check_proc_of_child(by_symbol);
    check_proc_of_thread(by_symbol);
    check_proc_of_vfork(by_symbol);
    check_proc_elsewhere(by_number);
    check_proc_of_child(by_number);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    FAILS(EFAULT, by_number(bad_pointer()));
    struct stat own;
    struct stat here;
    CHECK(chdir(text("/proc/%d", getpid())) == 0);
    CHECK(stat("/proc/self", &own) == 0 && stat(".", &here) == 0 && own.st_ino == here.st_ino);
    return guest_end();
}
