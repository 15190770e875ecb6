"""Runs whose values are kept."""

import gc

import pytest

from pinebench.errors import UsageError
from pinebench.inspecting.recorded_run import record
from tests.inspecting.checked import request_of

LINKED = """//@version=6
indicator("")
type Node
    int at = 0
    Node next = na
first = Node.new(bar_index)
first.next := Node.new(-bar_index, first)
seen = 0
if bar_index == 3
    runtime.error("three")
plot(first.next.next.at)
"""


def test_the_search_for_garbage_is_as_it_was_after_a_run() -> None:
    before = gc.get_threshold()
    ran, recording = record(request_of(LINKED, 10))
    assert ran.result.error is not None and recording.bars
    with pytest.raises(UsageError):
        record(request_of("//@version=6\nindicator(", 10))
    assert gc.get_threshold() == before
    assert gc.isenabled()
