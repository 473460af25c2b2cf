/* SPDX-License-Identifier: MIT */
/* seed: same */
/* The same under its other name. */
#include <fts.h>

#define FTS       FTS64
#define FTSENT    FTSENT64
#define fts_open  fts64_open
#define fts_read  fts64_read
#define fts_close fts64_close
#include "fts_open.c"
