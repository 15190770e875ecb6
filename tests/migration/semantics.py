"""Old scripts with what their own version computed, spelled out by hand in v6, after TradingView's migration guides.

Where the migrated script computes something else, `told` are words of the report that says so beforehand.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Meant(NamedTuple):
    """An old script without its first lines, the same in v6 with every rule that changed written out, and what the
    report says where the migrated script computes something else."""

    name: str
    version: int
    old: str
    spelled: str
    told: str = ""
    timeframe: str = "15"


def _read() -> list[Meant]:
    """The scripts of the file. `== NAME || VERSION || TIMEFRAME || TOLD` begins one; TOLD may be missing."""
    found: list[Meant] = []
    text = (Path(__file__).parent / "semantics.txt").read_text(encoding="utf-8")
    for part in text.removesuffix("\n").split("\n== ")[1:]:
        head, _, scripts = part.partition("\n")
        name, version, timeframe, *told = head.removesuffix(" ||").split(" || ")
        old, _, spelled = scripts.partition("\n-- in v6\n")
        found.append(Meant(name, int(version), old, spelled, "".join(told), timeframe))
    return found


MEANT = _read()
