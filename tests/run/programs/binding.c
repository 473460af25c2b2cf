/* SPDX-License-Identifier: MIT */
/*
 * Four stages of a test: ids, records that they are bound to, the records sorted, a snapshot. Each
 * is recorded and written into the working folder.
 *
 *   binding as-they-come|sorted-first LABEL LABEL     labels in the order in which they came
 */
#include <detrun.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 2

struct record {
    const char *id;
    const char *label;
};

static void stage(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof(path), "%s.json", name);
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0 ||
        detrun_stage(name, text, strlen(text)) != 0)
        exit(1);
}

static int by_label(const void *a, const void *b)
{
    return strcmp(((const struct record *)a)->label, ((const struct record *)b)->label);
}

static void put(const char *name, const struct record *records)
{
    char text[512];
    int n = snprintf(text, sizeof(text), "[");
    for (int i = 0; i < RECORDS; i++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%s{\"id\":\"%s\",\"label\":\"%s\"}",
                      i ? "," : "", records[i].id, records[i].label);
    snprintf(text + n, sizeof(text) - (size_t)n, "]\n");
    stage(name, text);
}

int main(int argc, char **argv)
{
    static const char *const ids[RECORDS] = {"07f7f6ad-b06e-4aaa-8e69-15c2c6d1508c",
                                             "e524b401-0564-4a14-a2c7-5d7c2109b08c"};
    if (argc != 2 + RECORDS || detrun_test_begin("binding") != 0)
        return 2;
    char text[128];
    snprintf(text, sizeof(text), "[\"%s\",\"%s\"]\n", ids[0], ids[1]);
    stage("generator", text);
    struct record records[RECORDS] = {{NULL, argv[2]}, {NULL, argv[3]}};
    if (strcmp(argv[1], "sorted-first") == 0)
        qsort(records, RECORDS, sizeof(records[0]), by_label);
    for (int i = 0; i < RECORDS; i++)
        records[i].id = ids[i];
    put("binding", records);
    qsort(records, RECORDS, sizeof(records[0]), by_label);
    put("sorted", records);
    put("snapshot", records);
    return 0;
}
