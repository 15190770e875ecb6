"""What earlier versions called otherwise leads to a name that exists."""

import pytest

from pinebench import reference
from pinebench.reference.successors import RENAMED, successor

NAMES = frozenset((*reference.functions(), *reference.variables(), *reference.constants()))


@pytest.mark.parametrize(
    ("old", "new"),
    [("sma", "ta.sma"), ("security", "request.security"), ("study", "indicator"), ("tostring", "str.tostring")],
)
def test_old_names_have_successors(old: str, new: str) -> None:
    assert successor(old) == new


@pytest.mark.parametrize("name", ["ta.sma", "nothing_like_it", "close"])
def test_other_names_have_none(name: str) -> None:
    assert successor(name) is None


def test_every_successor_exists() -> None:
    assert set(RENAMED.values()) <= NAMES
