#!/bin/bash
# SPDX-License-Identifier: MIT
# generated.sh LIST_CALLS: docs/coverage.md is what the table says.
. "$(dirname "$0")/lib.sh"

"$1" markdown | diff -u docs/coverage.md - ||
    fail "docs/coverage.md is not the table's: scripts/coverage writes it anew"
