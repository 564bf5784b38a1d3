#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy over our sources: tests/tidy.sh [FILE…]. Without files: everything in core, app and ui.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/tidy
cmake --preset tidy >/dev/null
# What Qt's and our own generators make; nothing is compiled, as it would be if ninja made the former.
mapfile -t tables < <(ninja -C "$build" -t targets all | sed -n 's/^\(.*\.inc\): .*/\1/p' | sort -u)
ninja -C "$build" "${tables[@]}" >/dev/null
find "$build" -name AutogenInfo.json | while read -r info; do
    cmake -E cmake_autogen "$info" Release
done
if [ $# -eq 0 ]; then
    mapfile -t files < <(git ls-files 'core/*.cpp' 'app/*.cpp' 'ui/*.cpp')
else
    files=("$@")
fi
known=()
for file in "${files[@]}"; do
    grep -qF "/$file\"" "$build/compile_commands.json" && known+=("$file")
done
# GCC's warnings are not all known to Clang.
printf '%s\n' "${known[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option 2> >(grep -v ' warnings\? generated' >&2)
