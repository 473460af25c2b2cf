/* SPDX-License-Identifier: MIT */
#include "inode_path.h"

#include <fcntl.h>
#include <string.h>

#include "poison.h"
#include "procfs.h"
#include "raw.h"

#define MAX_LINKS 40 /* as the kernel */

/* A walk: `text` is where it stands ("" for the root), `rest` what lies ahead, at the buffer's end.
 */
struct walk {
    char *text;
    size_t used;
    char *rest;
    int links;
};

size_t inode_path_folder(const char *text, size_t n)
{
    while (n > 1 && text[n - 1] != '/')
        n--;
    return n > 1 ? n - 1 : 1;
}

static size_t of_descriptor(int fd, char text[INODE_PATH])
{
    char link[PROCFS_LINK];
    procfs_link_of(fd, link);
    long n = raw3(SYS_readlink, (long)link, (long)text, INODE_PATH);
    if (n <= 0 || n == INODE_PATH || text[0] != '/')
        return 0;
    text[n] = '\0';
    return (size_t)n;
}

static size_t of_folder(int dir, char text[INODE_PATH])
{
    if (dir != AT_FDCWD)
        return of_descriptor(dir, text);
    long n = raw3(SYS_getcwd, (long)text, INODE_PATH, 0);
    return n > 1 && text[0] == '/' ? (size_t)n - 1 : 0;
}

/* One name ahead; *more: others follow, or a slash. @return its length, 0: there is none */
static size_t take_name(struct walk *w, const char **name, bool *more)
{
    while (*w->rest == '/')
        w->rest++;
    *name = w->rest;
    while (*w->rest != '/' && *w->rest != '\0')
        w->rest++;
    *more = *w->rest == '/';
    return (size_t)(w->rest - *name);
}

static bool is_dots(const char *name, size_t n)
{
    return name[0] == '.' && (n == 1 || (n == 2 && name[1] == '.'));
}

static void go_up(struct walk *w)
{
    while (w->used > 0 && w->text[--w->used] != '/')
        ;
}

static bool go_down(struct walk *w, const char *name, size_t n)
{
    if (w->used + n + 2 > INODE_PATH)
        return false;
    w->text[w->used++] = '/';
    memcpy(w->text + w->used, name, n);
    w->used += n;
    w->text[w->used] = '\0';
    return true;
}

/* Where the walk stands on a link, what that says lies ahead. @return false: too much of it */
static bool follow(struct walk *w, char *start)
{
    char *target = w->text + w->used + 1;
    size_t room = (size_t)(w->text + INODE_PATH - target);
    long n = raw3(SYS_readlink, (long)w->text, (long)target, (long)room);
    if (n <= 0)
        return true;
    if ((size_t)n >= room || w->rest - start < n || ++w->links > MAX_LINKS)
        return false;
    w->rest -= n;
    memcpy(w->rest, target, (size_t)n);
    go_up(w);
    if (*w->rest == '/')
        w->used = 0;
    return true;
}

static bool walk_on(struct walk *w, char *start, bool follows)
{
    const char *name;
    bool more;
    for (size_t n; (n = take_name(w, &name, &more)) > 0;) {
        if (is_dots(name, n)) {
            if (n == 2)
                go_up(w);
            continue;
        }
        if (!go_down(w, name, n) || ((more || follows) && !follow(w, start)))
            return false;
    }
    return true;
}

static size_t of_path(const struct file_name *name, char text[INODE_PATH])
{
    char rest[INODE_PATH];
    size_t n = strlen(name->path);
    size_t used = name->path[0] == '/' ? 1 : of_folder(name->dir, text);
    if (used == 0 || n + 2 > sizeof(rest))
        return 0;
    struct walk w = {.text = text, .used = used == 1 ? 0 : used};
    w.rest = rest + sizeof(rest) - 1 - n;
    memcpy(w.rest, name->path, n + 1);
    if (!walk_on(&w, rest, name->follows))
        return 0;
    if (w.used == 0)
        w.text[w.used++] = '/';
    text[w.used] = '\0';
    return w.used;
}

size_t inode_path(const struct file_name *name, char text[INODE_PATH])
{
    if (!name->path || name->path[0] == '\0')
        return of_folder(name->dir, text);
    return of_path(name, text);
}
