#!/bin/sh
# Makes .venv ready: `setup.sh run` for the tool, `setup.sh develop` for tests and checks as well.
# As root on a machine with apt it installs what is missing first; otherwise it uses what is there.
# A stamp keyed on pyproject.toml makes the second call quick.
set -eu
cd "$(dirname "$0")/.."

purpose=${1:-run}
venv=.venv

say() { printf 'pinebench: %s\n' "$1" >&2; }

has_browser() {
    [ -n "${PINEBENCH_BROWSER:-}" ] && return 0
    for name in chromium chromium-browser google-chrome google-chrome-stable microsoft-edge; do
        path=$(command -v "$name" 2>/dev/null) || continue
        # Ubuntu's chromium-browser without the snap is a script that only asks for the snap.
        if ! grep -qs 'snap install chromium' "$path"; then return 0; fi
    done
    return 1
}

python_for_venv() {
    for name in python3.13 python3.12 python3.11 python3 python; do
        command -v "$name" >/dev/null 2>&1 || continue
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$name"; return 0; }
    done
    return 1
}

can_make_venv() {
    python=$(python_for_venv) && "$python" -c 'import ensurepip, venv' 2>/dev/null
}

missing_packages() {
    can_make_venv || venv_works || printf 'python3 python3-venv '
    command -v node >/dev/null 2>&1 || printf 'nodejs '
    command -v npm >/dev/null 2>&1 || printf 'npm '
    # Only Debian's apt has a real Chromium; Ubuntu's package stands for a snap.
    has_browser || ! grep -qs '^ID=debian' /etc/os-release || printf 'chromium '
}

install_missing() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 0
    packages=$(missing_packages)
    [ -n "$packages" ] || return 0
    say "installing $packages"
    log=$(mktemp)
    # shellcheck disable=SC2086
    if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends $packages; } \
        >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        say "apt could not install all of it; going on with what is there"
    fi
    rm -f "$log"
}

stamp_text() {
    cat pyproject.toml hatch_build.py scripts/setup.sh | cksum
    pwd
}

# An environment that was moved, or whose making was interrupted, is made anew.
venv_works() {
    [ "$(cat "$venv/.made-in" 2>/dev/null)" = "$(pwd)" ] && "$venv/bin/python" -m pip --version >/dev/null 2>&1
}

install_python_packages() {
    if ! venv_works; then
        python=$(python_for_venv) || { say "needs Python 3.11 or newer"; exit 3; }
        "$python" -m venv --clear "$venv" || { say "python3-venv is missing: apt install python3-venv"; exit 3; }
        pwd >"$venv/.made-in"
    fi
    say "installing Python packages into $venv (once)"
    pip="$venv/bin/python -m pip --disable-pip-version-check -qq"
    # Dependency groups need a pip of 2025.
    $pip install --upgrade 'pip>=25.1'
    if [ "$purpose" = develop ]; then
        $pip install --editable '.[all]' --group dev
    else
        $pip install --editable '.[all]'
    fi
}

case $purpose in
    run | develop) ;;
    *) say "usage: setup.sh run|develop"; exit 2 ;;
esac

stamp=$venv/.ready-for-$purpose
if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$(stamp_text)" ]; then
    install_missing
    install_python_packages
    stamp_text >"$stamp"
fi
# Starting up is quick only from bytecode, which some environments never write by themselves.
"$venv/bin/python" -m compileall -q pinebench || true
if [ "$purpose" = develop ]; then cp "$stamp" "$venv/.ready-for-run"; fi
