#!/bin/sh
# The GitHub Action (action.yml) runs this script. It installs pinebench from this checkout into a new environment and
# lints with it. PINEBENCH_PATHS holds the paths to check and PINEBENCH_ARGUMENTS the arguments, one on each line;
# PINEBENCH_PYTHON names the interpreter. The exit code is the one from `pinebench lint`, or 3 if it cannot be installed.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")/../.." && pwd -P)
python=${PINEBENCH_PYTHON:-python3}
work=${RUNNER_TEMP:-${TMPDIR:-/tmp}}

fail() {
    printf '::error title=pinebench::%s\n' "$1"
    exit 3
}

# Isolated (-I): a file of the checked repository must not be imported instead of a Python module of the same name.
"$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    || fail "needs Python 3.11 or newer: set python-version"
environment=$(mktemp -d "$work/pinebench.XXXXXX") || fail "cannot write to $work"
trap 'rm -rf "$environment"' EXIT
"$python" -I -m venv "$environment" || fail "$python cannot make an environment"
# Checking does not need the studio's page, and building it takes a minute.
PINEBENCH_WITHOUT_PAGE=1 "$environment/bin/python" -I -m pip --disable-pip-version-check -q install "$here" >&2 \
    || fail "pinebench could not be installed"

set -f
IFS='
'
# shellcheck disable=SC2086
set -- ${PINEBENCH_ARGUMENTS:-} -- ${PINEBENCH_PATHS:-.}
unset PINEBENCH_ARGUMENTS PINEBENCH_PATHS PINEBENCH_PYTHON
code=0
PINEBENCH_CACHE_DIR=$environment/cache "$environment/bin/pinebench" lint --format github "$@" || code=$?
exit "$code"
