#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the fuzzers and runs each for so long, one after the other: tests/fuzz/run.sh SECONDS [profile|etl|remote]…
# What they learn stays in build/fuzz/corpus and is where the next run begins. An input that is not taken as it must be
# (crash, sanitizer, more than 5 s or 2 GiB) is kept in build/fuzz/found, named, and fails the run. The 5 s are by the
# clock on the wall: on a machine that is busy otherwise, set TRACEDECK_FUZZ_TIMEOUT to more.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! [[ ${1-} =~ ^[1-9][0-9]*$ ]]; then
    echo "usage: tests/fuzz/run.sh SECONDS [profile|etl|remote]…" >&2
    exit 2
fi
seconds=$1
shift
[ $# -gt 0 ] || set -- profile etl remote
top=$PWD
build=$top/build/fuzz
shared=${TRACEDECK_SHARED:-$top/../shared}

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

# The words of the schema and of the system's keywords, as the parser's own tables have them.
{
    cat tests/fuzz/profile.dict
    grep -oh '"[A-Za-z][A-Za-z0-9 /-]*"' core/profile/schema.cpp core/profile/system_keywords.cpp | sort -u
} >"$build/profile.dict"
TRACEDECK_SEEDS=$build/seeds/etl "$build/bin/etl_seeds" >/dev/null
TRACEDECK_SEEDS=$build/seeds/remote "$build/bin/remote_seeds"

status=0
for name in "$@"; do
    case $name in
    profile)
        seeds=(tests/fuzz/seeds/profile profiles tests/data/bad/wprp "$shared/corpus/wprp")
        options=(-max_len=65536 "-dict=$build/profile.dict")
        ;;
    etl)
        # Larger files would take the time that many small ones need.
        seeds=("$build/seeds/etl" "$shared/corpus/etl")
        options=(-max_len=65536)
        ;;
    remote)
        seeds=("$build/seeds/remote")
        options=(-max_len=16384)
        ;;
    *)
        echo "there is no fuzzer named $name" >&2
        exit 2
        ;;
    esac
    present=()
    for folder in "${seeds[@]}"; do
        [ ! -d "$folder" ] || present+=("$folder")
    done
    mkdir -p "$build/corpus/$name" "$build/found"
    echo "--- $name for $seconds s, from ${present[*]}"
    found=$build/found/$name-
    log=$build/$name.log
    if ! "$build/bin/${name}_fuzz" "-max_total_time=$seconds" "-timeout=${TRACEDECK_FUZZ_TIMEOUT:-5}" -rss_limit_mb=2048 "${options[@]}" \
        "-artifact_prefix=$found" -print_final_stats=1 -verbosity=1 "$build/corpus/$name" "${present[@]}" \
        >"$log" 2>&1; then
        status=1
        grep -v '^#' "$log" | tail -n 60
        echo "--- $name: to see it again: $build/bin/${name}_fuzz $(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)" >&2
    fi
    grep -E '^(stat::number_of_executed_units|stat::average_exec|stat::new_units)|DONE' "$log" || true
done
exit "$status"
