# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Shared by the static tests: SOURCE and BUILD come from CTest.
set -u
export LC_ALL=C
cd "${SOURCE:?}" || exit 1

fail() {
    echo "FAIL: $*"
    exit 1
}

skip() {
    echo "SKIP: $*"
    exit 77
}

need() {
    local tool
    for tool; do
        command -v "$tool" >/dev/null || skip "$tool is not here"
    done
}

# Files that belong to the project: tracked ones, or all when this is not a git checkout.
project_files() {
    if git -c safe.directory="$SOURCE" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git -c safe.directory="$SOURCE" ls-files -- "$@"
    else
        local pattern
        for pattern; do
            find . \( -name build -o -name .git \) -prune -o -type f -path "./$pattern" -print
        done
    fi
}

# equal_lists EXPECTED ACTUAL WHAT: two sorted files, read once, hold the same lines
equal_lists() {
    local both missing extra
    both=$(comm -3 "$1" "$2")
    missing=$(echo "$both" | grep -v "^$(printf '\t')" | tr '\n' ' ')
    extra=$(echo "$both" | sed -n "s/^$(printf '\t')//p" | tr '\n' ' ')
    [ -n "$both" ] || return 0
    echo "$3, missing: $missing"
    echo "$3, too many: $extra"
    fail "$3"
}
