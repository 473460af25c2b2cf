/* SPDX-License-Identifier: MIT */
#include "guest_child.h"

int main(void)
{
    char line[64];
    FILE *stream = popen("echo $$", "r");
    CHECK(stream && fgets(line, sizeof(line), stream));
    printf("shell %s", line);
    CHECK(pclose(stream) == 0);
    stream = popen("cat; exit 5", "we");
    CHECK(stream && fputs("written\n", stream) >= 0);
    int status = pclose(stream);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    errno = 0;
    CHECK(popen("true", "?") == NULL && errno == EINVAL);
    return guest_end();
}
