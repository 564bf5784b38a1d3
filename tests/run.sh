#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs every test, headless. Arguments go to ctest (-R NAME, -L LABEL …).
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/app/install_packages.sh"
# shellcheck disable=SC2086
install_packages $build_packages catch2 libbenchmark-dev python3 xvfb xauth
cd "$top"
cmake --preset ci
cmake --build --preset ci
# Tests of the window need no display, but programs must not find the person's own one by accident.
unset DISPLAY WAYLAND_DISPLAY
status=0
QT_QPA_PLATFORM=offscreen ctest --preset ci "$@" || status=$?
# A test that this machine cannot run counts as passed; it must not be overlooked.
log=build/ci/Testing/Temporary/LastTest.log
if grep -q SKIPPED "$log"; then
    echo
    echo "Not tested on this machine:"
    grep -h SKIPPED "$log" | sort | uniq -c
fi
exit "$status"
