/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Texts in an HTML page. They come from programs: nothing in them is markup, and what a reader
 * would not see, or a browser would act on, is made visible.
 */
#ifndef DETRUN_TOOLS_REPORT_HTML_H
#define DETRUN_TOOLS_REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** @param blanks  show blanks and tabs as well */
void html_put_bytes(FILE *out, const char *bytes, size_t length, bool blanks);

/** A text that ends in NUL. */
void html_put(FILE *out, const char *text);

/** "1 byte", "12 345 bytes" */
void html_put_count(FILE *out, size_t n, const char *one, const char *many);

#endif
