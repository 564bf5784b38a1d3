#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# clang-tidy over our sources: tests/tidy.sh BUILD-FOLDER [FILE…]. Without files: everything in core, app and ui that
# the build folder compiles.
set -euo pipefail
build=$1
shift
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
    mapfile -t files < <(git ls-files 'core/*.cpp' 'app/*.cpp' 'ui/*.cpp')
else
    files=("$@")
fi
known=()
for file in "${files[@]}"; do
    grep -qF "/$file\"" "$build/compile_commands.json" && known+=("$file")
done
printf '%s\n' "${known[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*' \
    2> >(grep -v ' warnings\? generated' >&2)
