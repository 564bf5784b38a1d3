#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the benchmarks as users get the program (release, without assertions) and prints what they measure. Where LTTng
# is installed, a session of its own is made for the comparison and removed again. Arguments go to engine_bench.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/app/install_packages.sh"
# shellcheck disable=SC2086
install_packages $build_packages catch2 libbenchmark-dev
cd "$top"
build=build/bench
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTRACEDECK_BUILD_UI=OFF
cmake --build "$build" --target engine_bench profile_bench merge_bench read_bench tracedeck-cli workload
session=""
cleanup() { [ -z "$session" ] || lttng destroy --no-wait "$session" >/dev/null 2>&1 || true; }
trap cleanup EXIT
if command -v lttng >/dev/null 2>&1; then
    lttng list >/dev/null 2>&1 || lttng-sessiond --daemonize
    session="tracedeck-bench-$$"
    lttng create "$session" --snapshot >/dev/null
    lttng enable-channel --session "$session" --userspace --overwrite --subbuf-size 1M --num-subbuf 4 bench >/dev/null
    lttng enable-event --session "$session" --channel bench --userspace tracedeck_bench:event >/dev/null
    lttng start "$session" >/dev/null
else
    echo "LTTng is not installed (lttng-tools, liblttng-ust-dev): it is not compared with" >&2
fi
LTTNG_UST_REGISTER_TIMEOUT=-1 "$build/bin/engine_bench" --benchmark_counters_tabular=false "$@"
"$build/bin/profile_bench"
"$build/bin/read_bench" 1024
"$build/bin/merge_bench" "$build"
if command -v perf >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    python3 tests/bench/beside_perf.py "$build/bin"
else
    echo "perf is not installed (linux-perf), or this is not root: it is not compared with" >&2
fi
