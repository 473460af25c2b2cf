#!/bin/bash
# SPDX-License-Identifier: MIT
# An installed detrun finds its library, also through a symbolic link.
. "$(dirname "$0")/lib.sh"
need cmake

build=${detrun%/bin/*}
cmake --install "$build" --prefix "$work/prefix" >log/install 2>&1 || fail "$(tail -n 5 log/install)"
detrun=$work/prefix/bin/detrun
[ -x "$detrun" ] || fail "bin/detrun is not installed"
native_differs uuidgen
same_output 2 uuidgen
ln -s "$detrun" "$work/link"
detrun=$work/link
same_output 2 uuidgen
detrun=link PATH=$work:$PATH
same_output 2 uuidgen
