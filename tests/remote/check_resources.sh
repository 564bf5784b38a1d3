#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks what installs the session host, as it comes out of an installation into a folder of the test's own:
#   check_resources.sh BUILD_FOLDER CMAKE
# systemd's and polkit's own tools judge; what they are missing for is skipped, and said.
set -eu
build=$1
cmake=$2
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
status=0
complain() {
    echo "FAILED: $*" >&2
    status=1
}

"$cmake" --install "$build" --prefix "$stage/usr" >"$stage/log" 2>&1 || { cat "$stage/log" >&2; exit 1; }
units=$stage/usr/lib/systemd/system
policy=$stage/usr/share/polkit-1/actions/io.github.tracedeck.policy
for file in "$units/tracedeck-host.service" "$units/tracedeck-host.socket" "$stage/usr/lib/sysusers.d/tracedeck.conf" \
    "$stage/usr/lib/tmpfiles.d/tracedeck.conf" "$policy" "$stage/usr/bin/tracedeck-host"; do
    [ -s "$file" ] || complain "$file is not installed"
done

# The units name the place of the real installation; to be judged they need the program there.
sed -i "s|^ExecStart=.*|ExecStart=$stage/usr/bin/tracedeck-host|" "$units/tracedeck-host.service"
if command -v systemd-analyze >/dev/null 2>&1; then
    said=$(systemd-analyze verify --man=no "$units/tracedeck-host.service" "$units/tracedeck-host.socket" 2>&1) ||
        complain "systemd-analyze verify: $said"
    # Warnings of our own units count as well; those of other units of the machine do not.
    said=$(printf '%s\n' "$said" | grep -i 'tracedeck' || true)
    [ -z "$said" ] || complain "systemd-analyze verify: $said"
    # How exposed the service is, in tenths; what a recorder of the machine needs leaves some.
    exposed=$(systemd-analyze security --offline=yes "$units/tracedeck-host.service" 2>/dev/null |
        sed -n 's/.*Overall exposure level for.*: \([0-9]*\)\.\([0-9]\).*/\1\2/p')
    echo "exposure of the service: $exposed tenths"
    [ -n "$exposed" ] && [ "$exposed" -le 40 ] || complain "the service is exposed by $exposed tenths"
else
    echo "SKIPPED: units of the session host: no systemd-analyze" >&2
fi

if command -v xmllint >/dev/null 2>&1; then
    dtd=/usr/share/polkit-1/policyconfig-1.dtd
    xmllint --nonet --noout "$policy" || complain "the policy is no XML"
    if [ -f "$dtd" ]; then
        xmllint --nonet --noout --dtdvalid "$dtd" "$policy" || complain "the policy breaks polkit's DTD"
    else
        echo "SKIPPED: polkit's DTD on the policy: no $dtd" >&2
    fi
    # What the DTD cannot say: values that polkit knows, and every text in both languages.
    values=$(xmllint --nonet --xpath '//defaults/*/text()' "$policy" | sort -u)
    for value in $values; do
        case $value in
        no | yes | auth_self | auth_admin | auth_self_keep | auth_admin_keep) ;;
        *) complain "the policy's default $value is none" ;;
        esac
    done
    for element in description message; do
        in_english=$(xmllint --nonet --xpath "count(//action/$element[not(@*)])" "$policy")
        in_german=$(xmllint --nonet --xpath "count(//action/$element[@*[local-name()='lang']='de'])" "$policy")
        actions=$(xmllint --nonet --xpath 'count(//action)' "$policy")
        [ "$in_english" = "$actions" ] && [ "$in_german" = "$actions" ] ||
            complain "$element: $in_english English and $in_german German ones of $actions actions"
    done
    for action in io.github.tracedeck.record-system io.github.tracedeck.run-host; do
        [ "$(xmllint --nonet --xpath "count(//action[@id='$action'])" "$policy")" = 1 ] || complain "no action $action"
    done
else
    echo "SKIPPED: the policy of the session host: no xmllint" >&2
fi

# The program and what makes folders at boot mean the same one for rings.
grep -q '^d /dev/shm/tracedeck-host-0 0700 root root -$' "$stage/usr/lib/tmpfiles.d/tracedeck.conf" ||
    complain "tmpfiles.d does not make the folder for rings"
"$stage/usr/bin/tracedeck-host" --help | grep -q 'default: */dev/shm/tracedeck-host-0' ||
    complain "the program keeps rings in another folder than tmpfiles.d makes"

# The program and the policy mean the same action.
grep -q '"io.github.tracedeck.record-system"' "$(dirname "$0")/../../core/etw/remote/host_place.h" ||
    complain "the program asks polkit for another action"
if command -v systemd-sysusers >/dev/null 2>&1; then
    systemd-sysusers --dry-run "$stage/usr/lib/sysusers.d/tracedeck.conf" >/dev/null || complain "sysusers.d"
else
    echo "SKIPPED: sysusers.d of the session host: no systemd-sysusers" >&2
fi
exit "$status"
