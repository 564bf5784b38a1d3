#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy over our sources: tests/tidy.sh [FILE…]. Without files: everything in core, app and ui, what was changed last
# first. With TRACEDECK_TIDY_SECONDS nothing is begun after that time; what is left is named, and no failure.
set -euo pipefail
cd "$(dirname "$0")/.."
export TIDY_END=$(($(date +%s) + ${TRACEDECK_TIDY_SECONDS:-360000}))
build=build/tidy
cmake --preset tidy >/dev/null
# What Qt's and our own generators make; nothing is compiled, as it would be if ninja made the former.
mapfile -t tables < <(ninja -C "$build" -t targets all | sed -n 's/^\(.*\.inc\): .*/\1/p' | sort -u)
ninja -C "$build" "${tables[@]}" >/dev/null
find "$build" -name AutogenInfo.json | while read -r info; do
    cmake -E cmake_autogen "$info" Release
done
if [ $# -eq 0 ]; then
    mapfile -t files < <({
        git log --format= --name-only -- 'core/*.cpp' 'app/*.cpp' 'ui/*.cpp'
        git ls-files 'core/*.cpp' 'app/*.cpp' 'ui/*.cpp'
    } | awk '!seen[$0]++')
else
    files=("$@")
fi
known=()
for file in "${files[@]}"; do
    grep -qF "/$file\"" "$build/compile_commands.json" && known+=("$file")
done
# GCC's warnings are not all known to Clang.
tidy() {
    if [ "$(date +%s)" -ge "$TIDY_END" ]; then
        printf 'no time for clang-tidy: %s\n' "$*"
        return 0
    fi
    clang-tidy -p build/tidy --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option "$@"
}
export -f tidy
printf '%s\n' "${known[@]}" | xargs -P "$(nproc)" -n 4 bash -c 'tidy "$@"' tidy 2> >(grep -v ' warnings\? generated' >&2)
