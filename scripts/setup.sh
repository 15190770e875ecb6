#!/bin/sh
# Makes .venv ready: `setup.sh run` for the tool, `setup.sh develop` for tests and checks as well.
# As root on a machine with apt it installs what is missing first; otherwise it uses what is there.
# A stamp keyed on pyproject.toml makes the second call quick. PYTHON names the interpreter for a new environment.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."

purpose=${1:-run}
venv=.venv
here=$(pwd -P)
# There while packages are being installed: an environment that still has it was left half-made.
unfinished=$venv/.unfinished

say() { printf 'pinebench: %s\n' "$1" >&2; }

has_browser() {
    [ -n "${PINEBENCH_BROWSER:-}" ] && return 0
    for name in chromium chromium-browser google-chrome google-chrome-stable microsoft-edge microsoft-edge-stable; do
        path=$(command -v "$name" 2>/dev/null) || continue
        # Ubuntu's chromium-browser without the snap is a script that only asks for the snap.
        if ! grep -qs 'snap install chromium' "$path"; then return 0; fi
    done
    return 1
}

# Every interpreter that may do, tested versions first.
pythons() {
    if [ -n "${PYTHON:-}" ]; then echo "$PYTHON"; return; fi
    for name in python3.13 python3.12 python3.11 python3 python python3.14 python3.15; do
        command -v "$name" 2>/dev/null || true
    done
}

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

can_make_venv() { is_new_enough "$1" && "$1" -c 'import ensurepip, venv' 2>/dev/null; }

# The first interpreter for which the test $1 holds.
first_python() {
    pythons | while IFS= read -r python; do
        if "$1" "$python"; then echo "$python"; break; fi
    done
}

missing_packages() {
    [ -n "$(first_python can_make_venv)" ] || venv_works || printf 'python3 python3-venv '
    command -v node >/dev/null 2>&1 || printf 'nodejs '
    command -v npm >/dev/null 2>&1 || printf 'npm '
    # Only Debian's apt has a real Chromium; Ubuntu's package stands for a snap.
    has_browser || ! grep -qs '^ID=debian' /etc/os-release || printf 'chromium '
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -yq --no-install-recommends "$@"
}

install_missing() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 0
    packages=$(missing_packages)
    [ -n "$packages" ] || return 0
    say "installing $packages"
    log=$(mktemp)
    {
        # One source that is down keeps apt from none of the others.
        apt-get update -q || true
        # shellcheck disable=SC2086
        if apt_install $packages; then
            rm -f "$log"
            return 0
        fi
        dpkg --configure -a || true  # where an earlier one was interrupted
        # apt installs all or nothing: what can be had is tried for by itself.
        for package in $packages; do apt_install "$package" || true; done
    } >"$log" 2>&1 9<&-
    packages=$(missing_packages)
    if [ -n "$packages" ]; then
        grep '^[EW]:' "$log" | tail -n 3 >&2 || true
        say "apt could not install $packages; going on with what is there"
    fi
    rm -f "$log"
}

stamp_text() {
    cat pyproject.toml hatch_build.py scripts/setup.sh | cksum
    echo "$here"
}

is_ready_for() {
    [ -x "$venv/bin/python" ] && [ ! -e "$unfinished" ] && [ "$(cat "$venv/.ready-for-$1" 2>/dev/null)" = "$(stamp_text)" ]
}

# What tests need holds all that the tool needs.
is_ready() { is_ready_for develop || { [ "$purpose" = run ] && is_ready_for run; }; }

# An environment that was moved, or whose making was interrupted, is made anew.
venv_works() {
    [ ! -e "$unfinished" ] && [ "$(cat "$venv/.made-in" 2>/dev/null)" = "$here" ] \
        && "$venv/bin/python" -m pip --version >/dev/null 2>&1
}

make_venv() {
    python=$(first_python can_make_venv)
    if [ -z "$python" ]; then
        python=$(first_python is_new_enough)
        if [ -z "$python" ]; then
            found=$(pythons | head -n 1)
            say "needs Python 3.11 or newer; found ${found:-none}${found:+ ($("$found" --version 2>&1 || true))}"
            say "install one (Debian 12, Ubuntu 24.04: apt install python3 python3-venv), or name one: PYTHON=/path/to/python3"
        else
            version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
            say "$python cannot make environments: its venv or ensurepip module is missing"
            say "install them (Debian, Ubuntu: apt install python$version-venv), or name another: PYTHON=/path/to/python3"
        fi
        exit 3
    fi
    if ! "$python" -m venv --clear "$venv"; then
        say "$python could not make an environment in $here/$venv"
        exit 3
    fi
    echo "$here" >"$venv/.made-in"
}

pip_install() {
    # What people prefer for pip elsewhere (--user, an environment to be active) does not fit here.
    PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 "$venv/bin/python" -m pip --disable-pip-version-check -qq install "$@" && return 0
    rm -f "$unfinished"
    say "the Python packages could not be installed; the first time this needs a network, later it does not"
    exit 3
}

install_python_packages() {
    venv_works || make_venv
    say "installing Python packages into $venv (once)"
    : >"$unfinished"
    # Dependency groups need a pip of 2025.
    pip_install --upgrade 'pip>=25.1'
    if [ "$purpose" = develop ]; then
        pip_install --editable '.[all]' --group dev
    else
        pip_install --editable '.[all]'
    fi
    rm -f "$unfinished"
}

# Starting up is quick only from bytecode, which some environments never write by themselves.
compile_modules() { ! [ -w pinebench ] || "$venv/bin/python" -m compileall -q pinebench || true; }

# Two that start at once (make demo beside make test) would undo each other's work.
wait_for_others() {
    command -v flock >/dev/null 2>&1 || return 0
    exec 9<scripts/setup.sh
    flock -n 9 && return 0
    say "another set-up is at work here; waiting for it"
    flock 9
}

case $purpose in
    run | develop) ;;
    *) say "usage: setup.sh run|develop"; exit 2 ;;
esac

if ! is_ready; then
    if ! [ -w . ]; then
        say "$here cannot be written to; run this once where it can"
        exit 3
    fi
    wait_for_others
    if ! is_ready; then
        install_missing
        install_python_packages
        stamp_text >"$venv/.ready-for-$purpose"
    fi
fi
compile_modules
