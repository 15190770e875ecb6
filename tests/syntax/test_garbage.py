"""The garbage collector rests while a script is parsed or checked, and only then."""

from __future__ import annotations

import gc

import pytest

from pinebench.checker import check
from pinebench.syntax import parse
from pinebench.syntax.garbage import CollectionPaused


def test_it_rests_inside_and_goes_on_afterwards() -> None:
    with CollectionPaused():
        assert not gc.isenabled()
        with CollectionPaused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_exception() -> None:
    with pytest.raises(ValueError, match="inside"), CollectionPaused():
        raise ValueError("inside")
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        check(parse("//@version=6\nindicator('x')\nplot(close)\n"))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_checking_leaves_it_on() -> None:
    check(parse("//@version=6\nindicator('x')\nplot(close)\n"))
    assert gc.isenabled()
