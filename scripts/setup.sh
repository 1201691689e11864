#!/usr/bin/env bash
# Finds or installs what the build needs beside cargo and a C++ compiler: cmake and libclang.
#
# Writes .tools/env, which the Makefile sources. The file stays empty when the system has both in
# the usual places, so that `make` and a plain `cargo build` share one build of HiGHS.
#
#   scripts/setup.sh                     system packages first, wheels from PyPI otherwise
#   QUIP_SETUP=wheels scripts/setup.sh   wheels only; nothing outside the project is touched
set -euo pipefail
shopt -s nullglob

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools="$root/.tools"
mode=${QUIP_SETUP:-auto}

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# The first argument is a folder; succeeds if bindgen would find libclang in it.
holds_libclang() {
    local candidates=("$1"/libclang.so* "$1"/libclang-[0-9]*.so* "$1"/libclang.dylib)
    ((${#candidates[@]} > 0))
}

# Succeeds if the build finds libclang without being told where it is.
system_has_libclang() {
    local folder
    if have llvm-config && holds_libclang "$(llvm-config --libdir)"; then
        return 0
    fi
    for folder in /usr/lib /usr/lib64 /usr/lib/*-linux-gnu* /usr/lib/llvm*/lib \
        /usr/lib64/llvm*/lib /usr/local/lib /usr/local/lib64 /usr/local/llvm*/lib \
        /Library/Developer/CommandLineTools/usr/lib \
        /Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib; do
        if holds_libclang "$folder"; then
            return 0
        fi
    done
    return 1
}

have_libclang() {
    if [[ -n "${LIBCLANG_PATH:-}" ]]; then
        [[ -f "$LIBCLANG_PATH" ]] || holds_libclang "$LIBCLANG_PATH"
    else
        system_has_libclang
    fi
}

check_compilers() {
    have cargo || fail "cargo is missing; install Rust from https://rustup.rs and run this again"
    have c++ || have g++ || have clang++ ||
        fail "a C++ compiler is missing; install g++ (package build-essential or gcc-c++)"
}

install_with_apt() {
    have apt-get || return 1
    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        have sudo && sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n)
    fi
    export DEBIAN_FRONTEND=noninteractive
    say "installing cmake and libclang with apt-get"
    "${as_root[@]}" apt-get update -qq >&2 || return 1
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends cmake libclang1 >&2 ||
        "${as_root[@]}" apt-get install -y -qq --no-install-recommends cmake libclang-dev >&2
}

install_wheels() {
    have python3 || return 1
    local wheels="$tools/wheels"
    if [[ ! -x "$wheels/cmake/data/bin/cmake" || ! -e "$wheels/clang/native/libclang.so" ]]; then
        say "installing the cmake and libclang wheels into .tools"
        mkdir -p "$tools"
        pip_install "$wheels" || return 1
    fi
    use_wheels "$wheels"
}

# Some systems ship python3 without pip; a virtual environment brings its own.
pip_install() {
    local options=(--quiet --disable-pip-version-check --no-warn-script-location --upgrade)
    if python3 -m pip --version >/dev/null 2>&1; then
        PIP_ROOT_USER_ACTION=ignore python3 -m pip install "${options[@]}" --target "$1" \
            cmake libclang >&2
    else
        python3 -m venv "$tools/venv" >&2 &&
            "$tools/venv/bin/python" -m pip install "${options[@]}" --target "$1" \
                cmake libclang >&2
    fi
}

# The wheel of libclang has no headers of its own; those of the C compiler do.
use_wheels() {
    cat >"$tools/env" <<ENV
export PATH="$1/cmake/data/bin:\$PATH"
export LIBCLANG_PATH="$1/clang/native"
export BINDGEN_EXTRA_CLANG_ARGS="-isystem $(compiler_headers)"
ENV
}

compiler_headers() {
    local compiler
    for compiler in gcc cc clang; do
        if have "$compiler"; then
            "$compiler" -print-file-name=include
            return
        fi
    done
}

use_system() {
    mkdir -p "$tools"
    : >"$tools/env"
}

give_up() {
    say "the build needs cmake and libclang, and neither apt-get nor PyPI could provide them."
    say "Install them yourself, for example:"
    say "  Debian, Ubuntu   sudo apt-get install cmake libclang1"
    say "  Fedora           sudo dnf install cmake clang-libs"
    say "  macOS            brew install cmake llvm"
    fail "If libclang is in an unusual folder, set LIBCLANG_PATH to it. Then run this again."
}

check_compilers
case "$mode" in
auto)
    if have cmake && have_libclang; then
        use_system
    elif [[ -z "${LIBCLANG_PATH:-}" ]] && install_with_apt && have cmake && have_libclang; then
        use_system
    else
        install_wheels || give_up
    fi
    ;;
wheels) install_wheels || give_up ;;
*) fail "QUIP_SETUP is \`$mode\`; use \`auto\` or \`wheels\`" ;;
esac
