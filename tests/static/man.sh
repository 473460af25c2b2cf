#!/bin/bash
# SPDX-License-Identifier: MIT
# man.sh DETRUN: the manual is well formed and describes every option of the help text, and the
# help text every option of the manual.
. "$(dirname "$0")/lib.sh"
need mandoc

mandoc -Tlint -Wwarning docs/detrun.1 || fail "mandoc -Tlint"

# An alias stands in the manual only.
options_of() {
    sed 's/--job-seed//' | grep -oE -- '(^|[^-a-z])--[a-z][-a-z]*' | grep -oE -- '--[a-z][-a-z]*' | sort -u
}
# Without overstrikes (col is not everywhere).
manual() {
    mandoc -Tutf8 docs/detrun.1 | sed 's/.\x08//g'
}
equal_lists <("$1" --help | options_of) <(manual | options_of) "options in the manual"
manual | grep -qi 'predictable' || fail "the manual does not warn"
"$1" --help | grep -qi 'predictable' || fail "the help text does not warn"
exit 0
