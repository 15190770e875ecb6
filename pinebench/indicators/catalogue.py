"""Finds indicators by name. The scripts are in `scripts/`, the libraries that they import in `libraries/`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pinebench.errors import UsageError
from pinebench.indicators.headers import record_of
from pinebench.indicators.records import Indicator
from pinebench.near import near_names

_WORD = re.compile(r"[a-z0-9]+")
_FOLDER = Path(__file__).parent
LIBRARIES = (str(_FOLDER / "libraries"),)
"""The folders of the libraries that scripts of the catalogue import."""

ALL: tuple[Indicator, ...] = tuple(record_of(path) for path in sorted((_FOLDER / "scripts").glob("*.pine")))
"""All indicators, by name."""


def _plain(name: str) -> str:
    """A name in small letters, with one underscore between words: `williams_r` for "Williams %R"."""
    return "_".join(_WORD.findall(name.lower().replace("'", "").replace("%b", "percent b")))


NAMES: dict[str, Indicator] = {
    **{_plain(one.title): one for one in ALL if one.title},
    **{name: one for one in ALL for name in (*one.aliases, one.name)},
}
"""All indicators by their names, other names and titles."""


def find(name: str) -> Indicator:
    """Return the indicator called `name`. Case, spaces and underscores do not matter. Raises UsageError if there is
    none."""
    found = NAMES.get(_plain(name))
    if found is None:
        raise _unknown([name])
    return found


def check(names: Sequence[str]) -> None:
    """Check that an indicator exists for each name. Raises one UsageError that lists all unknown names."""
    wrong = [name for name in names if _plain(name) not in NAMES]
    if wrong:
        raise _unknown(wrong)


def _unknown(names: list[str]) -> UsageError:
    near = [f"did you mean {each}?" for name in names for each in near_names(_plain(name), list(NAMES))]
    told = ", ".join(f"'{name}'" for name in names)
    hint = " ".join([*near, "list_indicators lists all of them."])
    return UsageError(f"unknown indicator{'s' if len(names) > 1 else ''} {told}", hint)
