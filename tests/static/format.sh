#!/bin/bash
# SPDX-License-Identifier: MIT
# C files are as clang-format 14 writes them; calls.def is exempt.
. "$(dirname "$0")/lib.sh"
need clang-format

# Other versions disagree in details.
case $(clang-format --version) in
*'version 14.'*) ;;
*) skip "clang-format 14 is asked for, here is $(clang-format --version)" ;;
esac
project_files '*.c' '*.h' | xargs -r clang-format --dry-run --Werror 2>&1 | head -n 40
[ "${PIPESTATUS[1]}" = 0 ] || fail "clang-format -i puts it right"
