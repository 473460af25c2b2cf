/* SPDX-License-Identifier: MIT */
/* The least that a wrapper does: fork, exec, wait. */
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = 0;
    pid_t child = argc > 1 ? fork() : -1;
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
