"""Measures the CPU time of each test function; `scripts/data/time_tests.py` loads this plugin.

The time is user plus system time of the test and of the processes that it waited for, so that it hardly depends on what
else the machine does.
"""

import os
import resource
from collections.abc import Generator

import pytest

WHERE = "TEST_TIMES"
"""The environment variable with the path of the file to which the times are appended."""


def _spent() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Append a line for the test: its CPU seconds, and its function."""
    before = _spent()
    try:
        return (yield)
    finally:
        with open(os.environ[WHERE], "a", encoding="utf-8") as file:
            file.write(f"{_spent() - before:.4f} {item.nodeid.partition('[')[0]}\n")
