#!/usr/bin/env bash
# Tries what dist/ has where nothing is installed: fresh Debian roots of two releases, and an empty folder for the crate.
#
#   scripts/dist-test.sh                       everything; what a machine cannot do is skipped with a sentence
#   QUIP_ROOTS=bookworm scripts/dist-test.sh   other releases of Debian
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dist=${QUIP_DIST:-$root/dist}
work="$root/target/dist-test"
roots=${QUIP_ROOTS:-bookworm bullseye}

say() { printf 'dist-test: %s\n' "$*"; }
fail() {
    say "FAILED: $*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command in the root that is tried, without a network.
inside() { unshare --net chroot "$tree" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C.UTF-8 HOME=/root "$@"; }

# Every file but those that the system writes for itself.
listing() {
    (cd "$tree" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./tmp -o -path ./var/cache/man \
        -o -path ./var/log -o -path ./var/lib/dpkg \) -prune -o -print | sort)
}

expect() {
    local wanted=$1 said
    shift
    said=$(inside "$@" 2>&1) || true
    [[ "$said" == *"$wanted"* ]] || fail "\`$*\` did not say \`$wanted\` but: $said"
    say "  $(printf '%s' "$*" | cut -c1-90): $wanted"
}

check_sums() {
    [[ -f "$dist/SHA256SUMS" ]] || fail "$dist is not there or not whole; run \`make dist\`"
    (cd "$dist" && sha256sum --check --quiet SHA256SUMS) || fail "files are not what SHA256SUMS says"
    say "checksums: $(wc -l <"$dist/SHA256SUMS") files are what SHA256SUMS says"
}

make_root() {
    tree="$work/$1"
    rm -rf "$tree"
    say "$1: making a root"
    mmdebstrap --quiet --variant=minbase --include=man-db,python3,python3-venv "$1" "$tree" \
        >"$work/$1.log" 2>&1
}

try_tarball() {
    local before name
    name=$(basename "$dist"/quip-*-linux.tar.gz .tar.gz)
    before=$(listing)
    mkdir "$tree/opt/try"
    tar -xzf "$dist/$name.tar.gz" -C "$tree/opt/try"
    local at="/opt/try/$name"
    expect "$version" "$at/bin/quip" --version
    expect "Optimal: 16 can be guaranteed" "$at/bin/quip" "$at/share/doc/quip/models/or/lot-sizing.qip"
    expect "Exact solver" sh -c "MANPATH=$at/share/man man quip | cat"
    [[ -s "$tree$at/share/doc/quip/LICENSES.txt" ]] || fail "licences are missing"
    rm -rf "$tree/opt/try"
    [[ "$(listing)" == "$before" ]] || fail "the tarball left something behind"
    say "  tarball: nothing is left"
}

# An older version with a file that the present one does not have.
install_older() {
    local older="$work/older"
    rm -rf "$older"
    mkdir -p "$older/DEBIAN" "$older/usr/bin" "$older/usr/share/quip"
    printf 'Package: quip\nVersion: 0.0.7\nArchitecture: amd64\nMaintainer: nobody <nobody@example.org>\nDescription: older\n' \
        >"$older/DEBIAN/control"
    printf '#!/bin/sh\necho quip 0.0.7\n' >"$older/usr/bin/quip"
    chmod 755 "$older/usr/bin/quip"
    : >"$older/usr/share/quip/forgotten"
    dpkg-deb --build --root-owner-group "$older" "$tree/tmp/older.deb" >/dev/null
    inside dpkg --install /tmp/older.deb >/dev/null
    expect "quip 0.0.7" quip --version
}

try_deb() {
    local before
    before=$(listing)
    ! have dpkg-deb || install_older
    cp "$dist"/quip_*.deb "$tree/tmp/quip.deb"
    inside dpkg --install /tmp/quip.deb >/dev/null 2>&1 || fail "the package cannot be installed"
    [[ ! -e "$tree/usr/share/quip" ]] || fail "a file of the older version is left"
    expect "quip $version" quip --version
    expect "Optimal: 16 can be guaranteed" sh -c "cd /usr/share/doc/quip && quip models/or/lot-sizing.qip"
    expect "certificate checked" quip doctor
    expect "Exact solver" sh -c "man quip | cat"
    expect "prove the answer" sh -c "man quip-solve | cat"
    expect "-F _quip" bash -c ". /usr/share/bash-completion/completions/quip; complete -p quip"
    expect "OK" sh -c "dpkg --verify quip && echo OK"
    inside dpkg --purge quip >/dev/null
    [[ "$(listing)" == "$before" ]] || fail "removing left something: $(diff <(echo "$before") <(listing) | head -5)"
    say "  deb: replaced an older version; nothing is left after purge"
}

try_wheel() {
    local python venv=/opt/venv
    python=$(inside python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    rm -rf "$work/wheels-$python"
    python3 -m pip download --quiet --disable-pip-version-check --only-binary=:all: --python-version "$python" \
        --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 --dest "$work/wheels-$python" numpy ||
        { say "  wheel: skipped, since PyPI has no numpy to give"; return; }
    cp -r "$work/wheels-$python" "$tree/tmp/wheels"
    cp "$dist"/*.whl "$tree/tmp/wheels"
    inside python3 -m venv $venv
    inside $venv/bin/pip install --quiet --no-index --find-links /tmp/wheels quip 2>&1 | grep -v "^WARNING\|new release\|upgrade" || true
    cat >"$tree/tmp/try.py" <<'PYTHON'
import quip, quip_check, sys
m = quip.Model()
stock = m.decide("stock", ub=9, integer=True)
demand = m.reveal("demand", lb=2, ub=4, integer=True)
rush = m.decide("rush", ub=9, integer=True)
m.minimize(3 * stock + 3.5 * rush)
m.add(stock + rush >= demand, name="serve")
print("python", sys.version.split()[0], "quip", quip.__version__, "value", m.solve().value)
PYTHON
    expect "quip $version value 12" $venv/bin/python /tmp/try.py
    inside $venv/bin/pip uninstall --quiet --yes quip
    [[ -z $(find "$tree$venv" -iname '*quip*' -not -name '*.pyc') ]] || fail "uninstalling the wheel left something"
    rm -rf "$tree$venv" "$tree/tmp/wheels" "$tree/tmp/try.py"
    say "  wheel: nothing is left"
}

# The archives alone: the crate stands on its floors by patches, since no registry has them.
try_crate() {
    have cargo || { say "crate: skipped, since cargo is not there"; return; }
    local empty patches=() archive name
    # Not below the project, whose workspace cargo would find.
    empty=$(mktemp -d)
    trap 'rm -rf "$empty"' RETURN
    for archive in "$dist"/*.crate; do
        tar -xzf "$archive" -C "$empty"
        name=$(basename "$archive" "-$version.crate")
        [[ $name == quip ]] || patches+=(--config "patch.crates-io.$name.path=\"$empty/$name-$version\"")
    done
    say "crate: building it and its doc tests from its archives, in an empty folder"
    (
        cd "$empty/quip-$version" &&
            export CARGO_TARGET_DIR="${QUIP_TEST_TARGET:-$empty/target}" &&
            cargo build --quiet --release --bin quip "${patches[@]}" &&
            "$CARGO_TARGET_DIR/release/quip" --version --verbose &&
            "$CARGO_TARGET_DIR/release/quip" -q models/or/lot-sizing.qip &&
            cargo test --release --doc "${patches[@]}" 2>&1 | grep "^test result"
    ) || fail "the crate does not build or test from its archive"
    say "  crate: built, and its doc tests pass"
}

mkdir -p "$work"
check_sums
version=$(basename "$dist"/quip_*_amd64.deb _amd64.deb)
version=${version#quip_}
if ! have mmdebstrap; then
    say "roots: skipped, since mmdebstrap is not installed"
elif [[ $(id -u) -ne 0 ]]; then
    say "roots: skipped, since a root of Debian is made and entered by root only"
else
    for suite in $roots; do
        if make_root "$suite"; then
            say "$suite: glibc $(inside ldd --version | sed -n '1s/.* //p'), nothing of quip in it"
            try_tarball
            try_deb
            try_wheel
            rm -rf "$tree"
        else
            say "$suite: skipped, since no mirror gave its packages: $(tail -1 "$work/$suite.log")"
        fi
    done
fi
[[ ${1:-} == roots ]] || try_crate
say "done"
