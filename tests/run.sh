#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds everything and runs every test, headless. Arguments go to ctest (-R NAME, -L LABEL …).
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/app/install_packages.sh"
# shellcheck disable=SC2086
install_packages $build_packages catch2 python3 xvfb xauth
cd "$top"
cmake --preset ci
cmake --build --preset ci
# Tests of the window need no display, but programs must not find the person's own one by accident.
unset DISPLAY WAYLAND_DISPLAY
QT_QPA_PLATFORM=offscreen exec ctest --preset ci "$@"
