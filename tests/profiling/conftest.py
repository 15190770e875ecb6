"""What the tests of the profiler share."""

import gc

import pytest


@pytest.fixture(autouse=True)
def few_objects() -> None:
    """Leave the objects of other tests out of garbage collection, which comes before each measured run.

    They stay left out: to look through all that was collected takes a second.
    """
    gc.freeze()
