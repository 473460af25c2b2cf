#!/bin/bash
# SPDX-License-Identifier: MIT
# Every shell script passes shellcheck.
. "$(dirname "$0")/lib.sh"
need shellcheck

project_files 'scripts/*' '.ci/*' '*.sh' | while read -r file; do
    [ -e "$file" ] || continue
    case $(head -n 1 "$file") in
    '#!'*sh | '# SPDX'*) echo "$file" ;;
    esac
done | xargs -r shellcheck -x
