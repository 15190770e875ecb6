"""Measures the CPU time of each test function on a few of its tests; `scripts/time_tests.py` loads this plugin.

The time is user plus system time of the test and of the processes that it waited for, so that it hardly depends on what
else the machine does.
"""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from collections.abc import Generator

import pytest

WHERE = "TEST_TIMES"
"""The environment variable with the path of the file to which the times are appended."""
MEASURED = 4
"""How many tests of a function are measured; the others are taken to be like them."""


def _spent() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a few tests of each function, and note how many it has."""
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    kept: list[pytest.Item] = []
    for of_function in tests.values():
        chosen = of_function[:: -(-len(of_function) // MEASURED)]
        for item in chosen:
            item.user_properties.append((WHERE, len(of_function) / len(chosen)))
        kept += chosen
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Append a line for the test: its CPU seconds, for how many tests it was measured, and its function."""
    before = _spent()
    try:
        return (yield)
    finally:
        weight = dict(item.user_properties)[WHERE]
        with open(os.environ[WHERE], "a", encoding="utf-8") as file:
            file.write(f"{_spent() - before:.4f} {weight:.3f} {item.nodeid.partition('[')[0]}\n")
