# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run.sh and tests/run.sh: install_packages NAME… installs what is missing of Debian's packages.

build_packages="g++ cmake ninja-build ccache pkg-config qt6-base-dev qt6-base-dev-tools qt6-charts-dev libqt6opengl6-dev \
qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-translations-l10n qt6-svg-dev libgl-dev libxkbcommon-dev libpugixml-dev \
libspdlog-dev libfmt-dev libexpected-dev libcli11-dev libsystemd-dev fonts-dejavu-core"

install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is no Debian system: please install the counterparts of: $*" >&2
        return 0
    fi
    missing=""
    for package in "$@"; do
        case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
            installed) ;;
            *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "These packages are missing, and there is neither root nor sudo to install them:$missing" >&2
            return 1
        fi
        as_root="sudo"
    fi
    echo "Installing:$missing" >&2
    # A package list may be absent (fresh image) or old: fetch it first, and try the installation even if that fails.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || true
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}
