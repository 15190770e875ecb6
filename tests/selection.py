"""Which tests `make quick` runs: those of the rooms below the page that are neither slow nor live."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
QUICK = tuple(
    f"tests/{room}"
    for room in (
        *("broker", "calendars", "checker", "codes", "execution", "linter", "market", "reference", "runtime", "syntax"),
        *("test_config.py", "test_decoding.py", "test_diagnostics.py", "test_files.py", "test_rooms.py"),
    )
)
"""The folders and files of `make quick`: the language, what runs scripts, and the linter."""
SLOW_LIST = FOLDER / "slow_tests.txt"
"""The functions that `scripts/time_tests.py` measured and found too slow."""


@cache
def slow_functions() -> frozenset[str]:
    """The functions that are too slow for `make quick`, such as `tests/x/test_y.py::test_z`."""
    lines = SLOW_LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[1] for line in lines if not line.startswith("#"))


def is_quick(node: str) -> bool:
    """Whether the test `node` belongs to a room of `make quick`, and its function is not too slow."""
    function = node.partition("[")[0]
    return function.startswith(QUICK) and function not in slow_functions()
