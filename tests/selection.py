"""Which tests `make quick` runs: of the rooms below the page, a few tests of each function that is not slow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

QUICK = tuple(
    f"tests/{room}"
    for room in (
        *("broker", "calendars", "checker", "codes", "execution", "linter", "market", "reference", "runtime", "syntax"),
        *("test_config.py", "test_decoding.py", "test_diagnostics.py", "test_files.py", "test_rooms.py"),
    )
)
"""The folders and files of `make quick`: the language, what runs scripts, and the linter."""
FEW = 5
"""Of a function with more tests than this, only so many are run, spread over all of them."""
SLOW_LIST = Path(__file__).parent / "slow_tests.txt"
"""The functions that `scripts/time_tests.py` measured and found too slow."""


@cache
def slow_functions() -> frozenset[str]:
    """The functions that are too slow for `make quick`, such as `tests/x/test_y.py::test_z`."""
    lines = SLOW_LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[1] for line in lines if not line.startswith("#"))


def quick(nodes: Iterable[str]) -> set[str]:
    """The tests among `nodes` that `make quick` runs."""
    tests: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        function = node.partition("[")[0]
        if function.startswith(QUICK) and function not in slow_functions():
            tests[function].append(node)
    return {node for given in tests.values() for node in given[:: -(-len(given) // FEW)]}
