"""Bars are columns of one length."""

from __future__ import annotations

from pinebench.market.bars import Bars


def test_length_is_that_of_the_times() -> None:
    assert len(Bars()) == 0
    assert len(Bars([0, 60_000], [1, 2], [1, 2], [1, 2], [1, 2], [0, 0])) == 2
