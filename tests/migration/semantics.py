"""Old scripts with what their own version computed, spelled out by hand in v6, after TradingView's migration guides.

Where the migrated script computes something else, `told` are words of the report that says so beforehand.
"""

from pathlib import Path
from typing import NamedTuple

from tests.script_files import script_cases


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
    for case in script_cases(Path(__file__).parent / "semantics.txt"):
        name, version, timeframe, *told = case.fields
        found.append(Meant(name, int(version), case.script, case.below["in v6"], "".join(told), timeframe))
    return found


MEANT = _read()
