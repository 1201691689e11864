#!/usr/bin/env bash
# Builds the Python package, installs it into a virtual environment below target/ and runs its tests.
#
# Everything that the tests need comes from PyPI by name and stays in target/python. The native part is a
# member of the workspace and shares its build, so that after `cargo test` only a thin layer is compiled.
#
#   scripts/python.sh          build, install, test
#   scripts/python.sh build    build and install only
#
# QUIP_PROFILE names the profile of cargo, by default `release`.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
venv="$root/target/python"
wheels="$root/target/wheels"
python="$venv/bin/python"
needed="$root/python/requirements.txt"
profile="${QUIP_PROFILE:-release}"

say() { printf 'python: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

make_environment() {
    [[ -x "$python" ]] && "$python" -m pip --version >/dev/null 2>&1 && return
    rm -rf "$venv"
    if ! python3 -m venv "$venv" >/dev/null 2>&1; then
        # Debian keeps the module that makes environments in a package of its own.
        rm -rf "$venv"
        if have apt-get && [[ $(id -u) -eq 0 ]]; then
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2 || true
        fi
        python3 -m venv "$venv" >&2 ||
            fail "python3 cannot make a virtual environment; install python3-venv and run this again"
    fi
}

# The list is installed once; a list that has changed is installed again.
install_needed() {
    cmp -s "$needed" "$venv/installed.txt" && return
    say "installing what the tests need from PyPI into target/python"
    "$python" -m pip install --quiet --disable-pip-version-check --retries 2 --timeout 20 -r "$needed" >&2 ||
        fail "PyPI cannot be reached, so the Python package was neither built nor tested; run this again with a network"
    cp "$needed" "$venv/installed.txt"
}

build_and_install() {
    rm -rf "$wheels"
    "$venv/bin/maturin" build --quiet --profile "$profile" --locked --manifest-path python/Cargo.toml \
        --interpreter "$python" --out "$wheels" >&2
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheels"/*.whl >&2
}

have python3 || fail "python3 is missing; install it and run this again"
make_environment
install_needed
build_and_install
if [[ "${1:-test}" == test ]]; then
    cd python
    "$python" -m mypy
    "$python" -m pytest
fi
