#!/bin/sh
# tests/apt.sh PACKAGE...: installs those Debian packages that are missing, as root or through sudo.
set -eu

run() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=
for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "installing$missing"
run apt-get update -qq
# shellcheck disable=SC2086 # a list of words
run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
