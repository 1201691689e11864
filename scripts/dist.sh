#!/usr/bin/env bash
# Packs the commit that is checked out: dist/ is what people install.
#
# Everything is made from a clone of the commit, so that what is not committed is not packed, and with compilers whose
# versions scripts/dist-tools.txt fixes: the same commit gives the same bytes. The compiler's C library is an old one
# (zig's headers), so that the programs start on older systems too. dist/ gets its name when it is whole.
#
#   scripts/dist.sh                   make dist/
#   QUIP_DIST=FOLDER scripts/dist.sh  make another folder of it
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work="$root/target/dist"
source="$work/source"
tools="$work/tools"
out=${QUIP_DIST:-$root/dist}
partial="$out.partial"
glibc=2.17

say() { printf 'dist: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}

check_machine() {
    [[ $(uname -sm) == "Linux x86_64" ]] ||
        fail "packages are made on Linux x86_64 only; build from source here"
    command -v python3 >/dev/null || fail "python3 is missing; install it and run this again"
    git -C "$root" rev-parse --verify -q HEAD >/dev/null ||
        fail "this is no git checkout, so nobody could say what was packed"
    [[ -z $(git -C "$root" status --porcelain) ]] ||
        say "note: there are changes that are not committed; they are not packed"
}

install_tools() {
    cmp -s "$root/scripts/dist-tools.txt" "$tools/installed.txt" && return
    say "installing compilers and packers from PyPI into target/dist/tools"
    rm -rf "$tools"
    python3 -m venv "$tools" || fail "python3 cannot make a virtual environment; install python3-venv"
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check --retries 2 --timeout 30 \
        -r "$root/scripts/dist-tools.txt" >&2 ||
        fail "PyPI cannot be reached, so nothing was packed; run this again with a network"
    cp "$root/scripts/dist-tools.txt" "$tools/installed.txt"
}

clone_commit() {
    rm -rf "$source"
    git -c init.defaultBranch=main clone --quiet --shared --no-checkout "$root" "$source"
    git -C "$source" checkout --quiet --detach "$commit"
}

# Paths of this machine would make other bytes on another one.
fix_what_varies() {
    local cargo=${CARGO_HOME:-$HOME/.cargo} sysroot
    sysroot=$(rustc --print sysroot)
    SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
    QUIP_COMMIT=${commit:0:12}
    CARGO_TARGET_DIR="$work/build"
    CARGO_INCREMENTAL=0
    CARGO_ENCODED_RUSTFLAGS=$(printf '%s\x1f' \
        "--remap-path-prefix=$cargo=/cargo" "--remap-path-prefix=$sysroot=/rust" \
        "--remap-path-prefix=$CARGO_TARGET_DIR=/build")--remap-path-prefix=$source=/quip
    CFLAGS="-ffile-prefix-map=$cargo=/cargo -ffile-prefix-map=$CARGO_TARGET_DIR=/build"
    CXXFLAGS=$CFLAGS
    PYTHONHASHSEED=0
    LC_ALL=C.UTF-8
    TZ=UTC
    export SOURCE_DATE_EPOCH QUIP_COMMIT CARGO_TARGET_DIR CARGO_INCREMENTAL CARGO_ENCODED_RUSTFLAGS
    export CFLAGS CXXFLAGS PYTHONHASHSEED LC_ALL TZ
    export PATH="$tools/bin:$PATH"
}

build_command() {
    say "building the command for glibc $glibc"
    cargo-zigbuild zigbuild --quiet --profile dist --locked --target "x86_64-unknown-linux-gnu.$glibc" --bin quip
}

build_wheel() {
    say "building the wheel"
    # What maturin takes along has to lie below the package.
    cp "$partial/quip-$version.cdx.json" python/
    maturin build --quiet --zig --profile dist --locked --manifest-path python/Cargo.toml --interpreter python3 \
        --target x86_64-unknown-linux-gnu --compatibility "manylinux_${glibc/./_}" --out "$partial" \
        --sbom-include "quip-$version.cdx.json"
    auditwheel show "$partial"/*.whl | tr '\n' ' ' | grep -q "manylinux_${glibc/./_}_x86_64" ||
        fail "auditwheel does not find the wheel fit for manylinux_${glibc/./_}"
}

pack_crates() {
    say "packing the crates"
    grep -q '^repository' Cargo.toml || say "note: no \`repository\` in Cargo.toml; docs/release.md says what to fill in"
    cargo package --quiet --workspace --exclude quip-python --no-verify --locked
    cp "$CARGO_TARGET_DIR"/package/quip*-"$version".crate "$partial"
}

# The folder gets its name last; what is in the way under that name goes only then.
finish() {
    (cd "$partial" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
    sync -f "$partial"
    rm -rf "$out.older"
    [[ ! -e "$out" ]] || mv "$out" "$out.older"
    mv "$partial" "$out"
    rm -rf "$out.older"
}

check_machine
commit=$(git -C "$root" rev-parse HEAD)
# One at a time, and no half of an earlier one.
mkdir -p "$work"
exec 9>"$work/lock"
flock -n 9 || fail "another \`make dist\` is at work"
rm -rf "$partial"
trap 'rm -rf "$partial"; say "nothing was made"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$partial"
install_tools
clone_commit
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/Cargo.toml" | head -1)
grep -q "^## \[$version\]" "$source/CHANGELOG.md" ||
    say "note: CHANGELOG.md has no section [$version]; a release needs one"
fix_what_varies
cd "$source"
build_command
python3 scripts/pack.py --version "$version" --command "$CARGO_TARGET_DIR/x86_64-unknown-linux-gnu/dist/quip" \
    --glibc "$glibc" --tools "$tools" --out "$partial"
build_wheel
pack_crates
finish
trap - EXIT
say "$out is whole:"
ls -l "$out" >&2
