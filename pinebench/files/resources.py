"""Finds packaged files in a checkout and in an installed wheel: grammars, templates, samples, language pages and built
pages."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path

from pinebench.errors import UnavailableError

Folder = Literal["grammars", "templates", "samples", "language"]
_PLACES = {
    "grammars": os.path.join("pinebench", "grammars"),
    "language": os.path.join("docs", "language"),
    "samples": os.path.join("pine", "samples"),
    "templates": os.path.join("pine", "templates"),
}
"""The folders of a checkout that are folders of the package in a wheel."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOW_TO_BUILD = "install a wheel, which contains the page, or run 'make page' in a checkout (it needs npm)"
_CHECKOUT = os.path.dirname(_PACKAGE)


def in_checkout() -> bool:
    """Return whether pinebench runs from a source checkout, where the scripts are next to the package."""
    return os.path.isfile(os.path.join(_CHECKOUT, "pyproject.toml")) and not os.path.isdir(
        os.path.join(_PACKAGE, "samples")
    )


def built(name: str) -> str:
    """Return the text of the built page's file `name`. Raises UnavailableError, with the build command, if missing."""
    path = os.path.join(_PACKAGE, "studio", "static", name)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        raise UnavailableError(
            f"the chart page is not built: {name} is missing from {os.path.dirname(path)}", HOW_TO_BUILD
        ) from None


def folder(name: Folder) -> Path:
    """Return the packaged folder called `name`.

    Raises UnavailableError if the installation lacks it.
    """
    from pathlib import Path  # imported here, because linting must start fast

    return Path(folder_path(name))


def folder_path(name: Folder) -> str:
    """Return the path of the packaged folder called `name`. Raises UnavailableError if the installation lacks it."""
    path = os.path.join(_CHECKOUT, _PLACES[name]) if in_checkout() else os.path.join(_PACKAGE, name)
    if not os.path.isdir(path):
        raise UnavailableError(f"the folder {name}/ is missing from this installation", "reinstall pinebench")
    return path
