#!/bin/bash
# SPDX-License-Identifier: MIT
# Every source file says its licence in its first three lines.
. "$(dirname "$0")/lib.sh"

status=0
while read -r file; do
    [ -e "$file" ] || continue
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' && continue
    echo "no SPDX line: $file"
    status=1
done < <(project_files '*.c' '*.h' '*.S' '*.def' '*.sh' '*.cmake' 'CMakeLists.txt' '*CMakeLists.txt' \
    '*.py' '*.rb' '*.js' '*.java' '*.go' 'scripts/*' '.ci/*' 'docs/detrun.1')
exit $status
