#!/bin/bash
# SPDX-License-Identifier: MIT
# imports.sh LIBRARY: what the shim needs of others is weak and listed; it needs no library, is
# initialized first, and never writes to its text.
. "$(dirname "$0")/lib.sh"

strong=$(nm -D --undefined-only "$1" | awk '$1 != "w" && $1 != "v" { print $2 }')
[ -z "$strong" ] || fail "undefined and not weak: $strong"
equal_lists <(grep -v '^#' tests/static/imports.allow | sort -u) \
    <(nm -D --undefined-only "$1" | awk '{ print $NF }' | sort -u) "imported symbols"

dynamic=$(readelf -dW "$1")
case $dynamic in *NEEDED*) fail "the shim needs a library" ;; esac
case $dynamic in *TEXTREL*) fail "the shim has text relocations" ;; esac
echo "$dynamic" | grep FLAGS_1 | grep -q INITFIRST || fail "DF_1_INITFIRST is not set"
readelf -lW "$1" | grep -q 'GNU_STACK.*RWE' && fail "the shim asks for an executable stack"
exit 0
