#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds a release and starts the recorder: the window where there is a display, otherwise a
# ten-second recording of this machine's processors.
#
#   sh app/run.sh                 build if needed, start
#   sh app/run.sh --build-only    stop after the build
#   sh app/run.sh record …        a command of tracedeck-cli
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
build=$top/build/release
stamp=$build/.built

build_only=no
if [ "${1:-}" = "--build-only" ]; then
    build_only=yes
    shift
fi

is_built() {
    [ -f "$stamp" ] && [ -x "$build/bin/tracedeck" ] && [ -x "$build/bin/tracedeck-cli" ] || return 1
    [ -z "$(find "$top/app" "$top/core" "$top/ui" "$top/resources" "$top/profiles" "$top/translations" \
        "$top/CMakeLists.txt" "$top/CMakePresets.json" -newer "$stamp" -print -quit)" ]
}

if ! is_built; then
    . "$top/app/install_packages.sh"
    # shellcheck disable=SC2086
    install_packages $build_packages
    mkdir -p "$build"
    touch "$stamp.new"
    # In a shell of its own: the program is to start in the caller's folder.
    (
        cd "$top"
        cmake --preset release >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
        cmake --build --preset release >&2
    )
    mv "$stamp.new" "$stamp"
fi
[ "$build_only" = no ] || exit 0

case "${1:-}" in
    "") ;;
    *) exec "$build/bin/tracedeck-cli" "$@" ;; # a command
esac
no_display=2 # the window's exit code for it
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    status=0
    "$build/bin/tracedeck" || status=$?
    [ "$status" -eq "$no_display" ] || exit "$status"
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/tracedeck.XXXXXX")
echo "No display that answers: recording this machine's processors for ten seconds." >&2
exec "$build/bin/tracedeck-cli" record -p CPU --file -t 10s -o "$folder/cpu.etl"
