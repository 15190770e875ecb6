"""The templates' index and search."""

import tomllib
from pathlib import Path

import pytest

from pinebench.authoring import catalogue
from pinebench.errors import UnavailableError, UsageError
from tests.tables import each


@each(
    ("request_text", "name"),
    [
        ("an RSI with divergence alerts", "rsi_divergence"),
        ("EMA ribbon coloured by trend", "ema_ribbon"),
        ("VWAP with deviation bands", "vwap_bands"),
        ("trade the breakout of the opening range", "opening_range_breakout"),
        ("a Supertrend strategy", "supertrend_strategy"),
        ("mean reversion by z-score", "zscore_mean_reversion"),
        ("highs and lows of the London session", "session_levels"),
        ("a grid trading strategy with rungs", "ladder_strategy"),
        ("a moon phase indicator", None),
        ("plot the close", None),
        (
            "A grid strategy: ten levels around the opening price, buy each level down, sell each level up, "
            "range of the grid from ATR, risk one percent",
            "ladder_strategy",
        ),
        (
            "A strategy on candle patterns: engulfing, hammer and morning star, filtered by an EMA, with an ATR stop, "
            "risk 1 % and a table of results",
            None,
        ),
        (
            "ZigZag indicator with pivots, labels for higher highs and lower lows, and RSI at each pivot as a small "
            "oscillator in the label",
            None,
        ),
        ("EMA cross strategy with two targets by halves, stop to breakeven, 1 % risk", "ema_cross_strategy"),
        ("an EMA cross indicator with alerts", None),
        ("a library with functions for opening ranges", "level_library"),
        ("", None),
    ],
)
def test_the_nearest_template(request_text: str, name: str | None) -> None:
    found = catalogue.best_match(request_text)
    assert (found.name if found else None) == name


def test_every_template_is_found_by_its_own_title() -> None:
    for item in catalogue.templates():
        assert catalogue.search(item.title)[0][1].name == item.name


def test_a_wrong_name_is_answered_with_near_ones() -> None:
    assert catalogue.template("EMA-Ribbon").name == "ema_ribbon"
    with pytest.raises(UsageError) as caught:
        catalogue.template("ema_ribon")
    assert caught.value.hint == "did you mean ema_ribbon?"


def test_spoilt_metadata_are_a_broken_installation(tmp_path: Path) -> None:
    (tmp_path / "x.pine").write_text("//@version=6\n")
    with pytest.raises(UnavailableError, match="x has invalid metadata"):
        catalogue.templates(tmp_path)


def test_a_template_that_ranks_first_with_a_margin_is_offered_for_a_long_request() -> None:
    request = (
        "session VWAP with bands at one, two and three standard deviations, each in a colour of its own, fill between "
        "the inner pair, alerts when price touches the outer pair, everything adjustable, text at the right edge, and "
        "a switch that hides old days, weekends, holidays, gaps, thin volume and whatever else clutters my screen"
    )
    found = catalogue.best_match(request)
    assert found is not None and found.name == "vwap_bands"


@each(
    ("transcript", "name"),
    [
        ("asia", "session_levels"),
        ("smc", "market_structure"),
        ("grid", "ladder_strategy"),
        ("pairs", "zscore_mean_reversion"),
    ]
    + [(each, None) for each in ("alertjson", "cvd", "dash", "halves", "journal", "markov", "mtf", "regime", "zigzag")],
)
def test_a_long_request_gets_the_template_that_is_far_ahead_of_the_others(transcript: str, name: str | None) -> None:
    path = Path(__file__).parent / "transcripts" / f"{transcript}.toml"
    found = catalogue.best_match(tomllib.loads(path.read_text(encoding="utf-8"))["request"])
    assert (found.name if found else None) == name


def test_no_template_is_offered_where_two_are_as_near() -> None:
    assert catalogue.best_match("order blocks and fair value gaps with sweeps painted on five timeframes") is None
