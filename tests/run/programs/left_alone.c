/* SPDX-License-Identifier: MIT */
/*
 * left_alone HOW PROGRAM WORD...: starts a program in one of the ways there are, and waits.
 * left_alone: what it was told, and what it is answered.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int told(void)
{
    for (char **entry = environ; *entry; entry++)
        if (strncmp(*entry, "E2E_", 4) == 0 || strncmp(*entry, "DETRUN_", 7) == 0 ||
            strstr(*entry, "libdetrun") || strncmp(*entry, "OPENSSL_ia32cap=", 16) == 0 ||
            strncmp(*entry, "EXPORTED=", 9) == 0)
            return printf("told: %s\n", *entry);
    return printf("told: nothing\n");
}

static int report(void)
{
    struct timespec symbol;
    struct timespec kernel;
    uint64_t bytes[2];
    told();
    clock_gettime(CLOCK_REALTIME, &symbol);
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &kernel);
    printf("time: %s\n",
           symbol.tv_sec < 1767225600 || kernel.tv_sec < 1767225600 ? "job's" : "real");
    printf("pid: %s\n", getpid() > 4194304 || syscall(SYS_gettid) > 4194304 ? "job's" : "real");
    printf("addresses: %s\n", personality(0xffffffff) & ADDR_NO_RANDOMIZE ? "fixed" : "random");
    syscall(SYS_getrandom, &bytes[0], 8, 0);
    memcpy(&bytes[1], (const void *)getauxval(AT_RANDOM), 8);
    printf("random: %016lx %016lx\n", (unsigned long)bytes[0], (unsigned long)bytes[1]);
    return 0;
}

static int reap(pid_t pid)
{
    int status;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void line_of(char *line, size_t room, char **words)
{
    *line = '\0';
    for (; *words; words++)
        snprintf(line + strlen(line), room - strlen(line), "'%s' ", *words);
}

static int by_libc(const char *how, char **words)
{
    char line[4096];
    line_of(line, sizeof(line), words);
    if (strcmp(how, "system") == 0)
        return WEXITSTATUS(system(line));
    FILE *stream = popen(line, "r");
    while (fgets(line, sizeof(line), stream))
        fputs(line, stdout);
    return WEXITSTATUS(pclose(stream));
}

static void execute(const char *how, char **words)
{
    int fd = open(words[0], O_RDONLY | O_CLOEXEC);
    int kept = open(words[0], O_RDONLY); /* an interpreter opens it again */
    char *none[] = {NULL};
    if (strcmp(how, "execve") == 0)
        execve(words[0], words, environ);
    else if (strcmp(how, "execvp") == 0)
        execvp(words[0], words);
    else if (strcmp(how, "raw") == 0)
        syscall(SYS_execve, words[0], words, environ);
    else if (strcmp(how, "empty") == 0)
        execve(words[0], words, none);
    else if (strcmp(how, "fexecve") == 0)
        fexecve(strstr(words[0], ".sh") ? kept : fd, words, environ);
    else if (strcmp(how, "execveat") == 0)
        syscall(SYS_execveat, AT_FDCWD, words[0], words, environ, 0);
    _exit(98);
}

/* Handed to another parent before it has asked the kernel for anything that detrun answers. */
static int leave_behind(char **words)
{
    int alone[2];
    int over[2];
    char byte;
    if (pipe(alone) != 0 || pipe(over) != 0)
        return 96;
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        close(alone[1]);
        if (read(alone[0], &byte, 1) == 0)
            execve(words[0], words, environ);
        _exit(98);
    }
    close(alone[1]);
    close(over[1]);
    return read(over[0], &byte, 1) != 0;
}

static int start(const char *how, char **words)
{
    pid_t pid;
    fflush(stdout);
    if (strcmp(how, "orphan") == 0)
        return leave_behind(words);
    if (strcmp(how, "system") == 0 || strcmp(how, "popen") == 0)
        return by_libc(how, words);
    if (strcmp(how, "spawn") == 0)
        return posix_spawn(&pid, words[0], NULL, NULL, words, environ) ? 97 : reap(pid);
    if (strcmp(how, "spawnp") == 0)
        return posix_spawnp(&pid, words[0], NULL, NULL, words, environ) ? 97 : reap(pid);
    if (strcmp(how, "vfork") == 0) {
        pid = vfork();
        if (pid == 0)
            execve(words[0], words, environ);
        return reap(pid);
    }
    pid = fork();
    if (pid == 0)
        execute(how, words);
    return reap(pid);
}

int main(int argc, char **argv)
{
    return argc > 2 ? start(argv[1], argv + 2) : report();
}
