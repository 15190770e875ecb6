"""Says how to install the packages of an extra, for this installation: pinebench is not in a package index."""

from __future__ import annotations

import os
import sys

from pinebench.errors import UnavailableError


class MissingExtra(UnavailableError):
    """Packages of an extra are not installed."""


def missing(what: str, extra: str, instead: str = "") -> MissingExtra:
    """Return the error for missing packages of `extra`. Its message begins with `what`, the feature that needs them.

    `instead` says what a person can do without the packages.
    """
    return MissingExtra(f"{what} needs the extra '{extra}'", instead + how_to_install(extra))


def how_to_install(extra: str) -> str:
    """Return a command line that installs the packages of `extra` for this pinebench, however it was installed.

    It names the packages themselves: they are in the index, while pinebench came from a checkout, a wheel or a
    repository that may be gone.
    """
    return f"run: {_joined([*_installer(), *requirements(extra)])}"


def requirements(extra: str) -> list[str]:
    """Return the requirements of `extra` for pip, or `pinebench[EXTRA]` if they are unknown."""
    return _from_checkout(extra) or _from_installation(extra) or [f"pinebench[{extra}]"]


def _from_checkout(extra: str) -> list[str]:
    import tomllib

    project = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pyproject.toml")
    try:
        with open(project, "rb") as file:
            return tomllib.load(file)["project"]["optional-dependencies"][extra]
    except (OSError, KeyError, ValueError):
        return []


def _from_installation(extra: str) -> list[str]:
    from importlib import metadata

    try:
        said = metadata.requires("pinebench") or []
    except metadata.PackageNotFoundError:
        return []
    marks = (f"extra == '{extra}'", f'extra == "{extra}"')
    return [line.partition(";")[0].strip() for line in said if any(mark in line for mark in marks)]


def _installer() -> list[str]:
    from importlib.util import find_spec

    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        return ["pipx", "inject", "pinebench"]
    if find_spec("pip") is None:  # the environment was made by uv
        return ["uv", "pip", "install", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install"]


def _joined(words: list[str]) -> str:
    if os.name == "nt":
        from subprocess import list2cmdline

        # without quotes, the shell would read < and > of a version as redirections
        return " ".join(f'"{word}"' if set(word) & set("<>=") else list2cmdline([word]) for word in words)
    from shlex import join

    return join(words)
