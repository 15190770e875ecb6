"""Environments of their own for what is installed by tests."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

LIMIT = 1800
"""Seconds for one installation at most."""
NEWER = "3.13"
"""The newest Python that pinebench names."""


def pip_environment(home: Path) -> dict[str, str]:
    """The environment variables of a home that is empty: only how packages are fetched is kept."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))}
    return {
        **kept,
        "HOME": str(home),
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NATIVE_TLS": "1",
    }


def installed(place: Path, interpreter: str, *packages: str) -> Path:
    """Make an environment of `interpreter` at `place` with these packages; return its Python."""
    if interpreter == sys.executable:
        venv.create(place, with_pip=True)
    else:
        subprocess.run([interpreter, "-m", "venv", str(place)], check=True, timeout=LIMIT)
    python = place / "bin/python"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True, timeout=LIMIT)
    return python


def newer_python() -> str:
    """Python 3.13: by PINEBENCH_PYTHON313, on the PATH, or from pyenv. A test that needs it fails without it.

    A Python that does not start is passed over: pyenv puts a name on the PATH for each version that is installed, and
    it starts only the ones that are selected.
    """
    pyenv = sorted(Path(os.environ.get("PYENV_ROOT", "")).glob(f"versions/{NEWER}.*/bin/python"), reverse=True)
    named = [os.environ.get("PINEBENCH_PYTHON313"), shutil.which(f"python{NEWER}"), *map(str, pyenv)]
    found = next((one for one in named if one and _version(one).startswith(NEWER)), None)
    assert found, f"Python {NEWER} is needed: install it, or name it by PINEBENCH_PYTHON313"
    return found


def _version(python: str) -> str:
    """The version of an interpreter; empty if it does not start."""
    return subprocess.run([python, "-c", "import sys; print(sys.version)"], capture_output=True, text=True).stdout
