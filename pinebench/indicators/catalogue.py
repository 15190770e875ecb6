"""Finds indicators by name. The scripts are in `scripts/`, the libraries that they import in `libraries/`."""

from __future__ import annotations

from pathlib import Path

from pinebench.errors import UsageError
from pinebench.indicators.headers import record_of
from pinebench.indicators.records import Indicator
from pinebench.near import near_names

_FOLDER = Path(__file__).parent
LIBRARIES = (str(_FOLDER / "libraries"),)
"""The folders of the libraries that scripts of the catalogue import."""

ALL: tuple[Indicator, ...] = tuple(record_of(path) for path in sorted((_FOLDER / "scripts").glob("*.pine")))
"""All indicators, by name."""

NAMES: dict[str, Indicator] = {name: one for one in ALL for name in (*one.aliases, one.name)}
"""All indicators by their names and other names."""


def find(name: str) -> Indicator:
    """The indicator called `name`, in upper or lower case, with spaces or underscores. Raises UsageError if there is
    none."""
    plain = "_".join(name.lower().replace("-", "_").split())
    found = NAMES.get(plain)
    if found is not None:
        return found
    near = [f"did you mean {each}?" for each in near_names(plain, list(NAMES))]
    hint = " ".join([*near, "list_indicators tells all of them."])
    raise UsageError(f"there is no indicator '{name}'", hint)
