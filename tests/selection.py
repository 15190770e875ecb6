"""Which tests `make quick` runs: of the rooms below the page, a few tests of each function that is not slow.

And of which functions `make test` runs a part only or none, because others try the same with less work.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

QUICK = tuple(
    f"tests/{room}"
    for room in (
        *("backtesting", "broker", "calendars", "checker", "codes", "files", "linter", "market", "portfolios"),
        *("reference", "repaint", "runtime", "syntax", "testing", "why", "workers"),
        *("test_config.py", "test_decoding.py", "test_diagnostics.py", "test_rooms.py"),
    )
)
"""The folders and files of `make quick`: the language, what runs scripts, and the linter."""
FEW = 5
"""Of a function with more tests than this, only so many are run, spread over all of them."""
SLOW_LIST = Path(__file__).parent / "slow_tests.txt"
"""The functions that `scripts/data/time_tests.py` measured and found too slow."""

FIRST = ("tests/workers/", "tests/tui/test_ways_in_a_terminal.py")
"""Where tests wait for other processes, and take seconds each."""

NIGHT_LIST = Path(__file__).parent / "night_tests.txt"
"""The functions of which `make test` runs a part only or none."""
_ROWS = [line.split() for line in NIGHT_LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
SAMPLED = {function: int(count) for count, function in _ROWS if count.isdigit()}
"""The functions of which `make test` runs only so many tests, spread over all of them."""
AT_NIGHT = {function: stays for function, stays in _ROWS if not function.isdigit()}
"""The functions that only `make soak` runs, each with the one of `make test` that shows the same kind of thing."""


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


def left_to_soak(nodes: Iterable[str]) -> set[str]:
    """The tests among `nodes` that `make test` does not run: of the functions in AT_NIGHT all, of SAMPLED most."""
    tests: dict[str, list[str]] = defaultdict(list)
    left: set[str] = set()
    for node in nodes:
        function = node.partition("[")[0]
        if function in AT_NIGHT:
            left.add(node)
        if function in SAMPLED:
            tests[function].append(node)
    for function, given in tests.items():
        few = SAMPLED[function]
        kept = {place * len(given) // few for place in range(few)}
        left |= {node for place, node in enumerate(given) if place not in kept}
    return left
