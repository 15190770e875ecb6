"""What the tests of the profiler share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def few_objects() -> Iterator[None]:
    """Leave the objects of other tests out of garbage collection, which comes before each measured run."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
