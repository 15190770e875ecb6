"""Rewrites scripts for the dialect of the program chartgen, in which averages begin at the first bar."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pinebench.files import read
from pinebench.indicators.catalogue import LIBRARIES
from pinebench.indicators.records import Indicator

_IMPORT = "import pinebench/chartgen/1 as chartgen\n"
_EXPORT = re.compile(r"^export (\w+)\(", re.MULTILINE)
_CALL = re.compile(r"\bta\.(\w+)\b(\()?")
_DECLARATION = re.compile(r"^indicator\(.*\n", re.MULTILINE)


def in_dialect(indicator: Indicator) -> str:
    """Return the script of an indicator with calls to the library `chartgen` instead of TradingView's functions."""

    def call(found: re.Match[str]) -> str:
        name = indicator.calls.get(found[1], found[1])
        if name not in _exported():
            return found[0]
        return f"chartgen.{name}({'' if found[2] else ')'}"

    changed = _CALL.sub(call, indicator.source)
    if changed != indicator.source:
        changed = _DECLARATION.sub(lambda line: line[0] + _IMPORT, changed, count=1)
    return changed


@cache
def _exported() -> frozenset[str]:
    return frozenset(_EXPORT.findall(read(Path(LIBRARIES[0]) / "pinebench" / "chartgen.pine").text))
