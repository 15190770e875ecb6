"""Old code and what it becomes, by subject. A script's first lines are added to both."""

from pathlib import Path
from typing import NamedTuple

from tests.script_files import script_cases


class RewriteCase(NamedTuple):
    """Code of a version, and the same in v6."""

    version: int
    old: str
    new: str


def _read() -> dict[str, list[RewriteCase]]:
    """The code of the file. `== SUBJECT || VERSION || NOTE` begins one; NOTE and what stays as it is may be missing."""
    found: dict[str, list[RewriteCase]] = {}
    for case in script_cases(Path(__file__).parent / "rewrites.txt"):
        rewrite = RewriteCase(int(case.fields[1]), case.script, case.below.get("becomes", case.script))
        found.setdefault(case.fields[0], []).append(rewrite)
    return found


REWRITES = _read()
ORDERS = REWRITES.pop("orders")
