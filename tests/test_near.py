"""Names that somebody meant are found by their meaning before they are found by their letters."""

import dataclasses
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.market.information import symbol_fields
from pinebench.near import near_names
from pinebench.testing.expectations import parse

FACTS = [field.name for field in dataclasses.fields(SymbolInfo)]
FIGURES = ["bars", "trades", "net_profit", "net_profit_percent", "percent_profitable", "max_drawdown", "sharpe_ratio"]


@pytest.mark.parametrize(
    ("written", "known", "meant"),
    [
        ("ticker", FACTS, "symbol"),
        ("exchange", FACTS, "prefix"),
        ("tick_size", FACTS, "mintick"),
        ("interval", FACTS, "timeframe"),
        ("tz", FACTS, "timezone"),
        ("mintik", FACTS, "mintick"),
        ("Win-Rate", FIGURES, "percent_profitable"),
        ("pnl", FIGURES, "net_profit"),
        ("drawdown", FIGURES, "max_drawdown"),
        ("sharp_ratio", FIGURES, "sharpe_ratio"),
    ],
)
def test_the_name_that_is_meant_comes_first(written: str, known: list[str], meant: str) -> None:
    assert near_names(written, known) == [meant]


def test_nothing_is_guessed_for_what_resembles_nothing() -> None:
    assert near_names("xyzzy", FACTS) == []


def test_a_name_of_the_same_meaning_is_not_offered_where_it_is_unknown() -> None:
    assert near_names("pnl", ["bars", "plots"]) == []


def test_a_fact_of_a_symbol_under_another_name_is_told() -> None:
    with pytest.raises(UsageError) as caught:
        symbol_fields(Path("x.toml"), {"ticker": "AAPL"})
    assert caught.value.hint == "did you mean 'symbol'?"


def test_a_figure_of_a_plot_is_told() -> None:
    with pytest.raises(UsageError) as caught:
        parse("lats(Plot)>1")
    assert caught.value.hint == "did you mean 'last'?"
