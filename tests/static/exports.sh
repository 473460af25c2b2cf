#!/bin/bash
# SPDX-License-Identifier: MIT
# exports.sh LIST_CALLS LIBRARY: the shim exports the table's SYMBOL rows and aliases, nothing else.
. "$(dirname "$0")/lib.sh"

equal_lists <("$1" symbols | sort -u) \
    <(nm -D --defined-only "$2" | awk '{ print $NF }' | sort -u) "exported symbols"
