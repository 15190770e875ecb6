"""Signals: each label is reached, and divergences are where the lines and the prices say."""

import itertools
from functools import cache
from typing import Any

import pytest

from pinebench.indicators import LABELS, find
from pinebench.indicators.channels import Channels
from tests.indicators.sample import line, sample, shown

DIVERGING = {"name": "cipher_b", "show_rsi_divergences": True, "show_stoch_divergences": True, "dot_mode": "classic"}
REACHED: dict[str, tuple[Any, set[str]]] = {
    "cipher_b": (DIVERGING, set(find("cipher_b").signals)),
    "wavetrend": ("wavetrend", {"cross_up", "cross_down", "cross_up_os", "cross_down_ob"}),
    "combo": ("combo", {"rsi_oversold", "rsi_overbought", "stoch_oversold", "stoch_overbought"}),
    "supertrend": ("supertrend", {"flip_up", "flip_down"}),
    "sar": ("sar", {"flip_up", "flip_down"}),
    "heikin_ashi": ("heikin_ashi", {"flip_up", "flip_down"}),
    "kalman_volume": ("kalman_volume", {"buy", "sell", "buy_oversold", "sell_overbought"}),
}
"""For each indicator with signals how it is asked for, and the labels that the sample of 1000 bars has."""


@cache
def found(name: str) -> Channels:
    return shown(REACHED[name][0], sample(1000))


@pytest.mark.parametrize("name", REACHED)
def test_every_label_is_reached(name: str) -> None:
    labels = {signal.label for signal in found(name).signals}
    assert labels == REACHED[name][1] == set(find(name).signals)


def test_no_label_is_left_out() -> None:
    assert set.union(*(labels for _, labels in REACHED.values())) == LABELS


def extremes(values: list[float | None], sign: int) -> list[int]:
    """The bars at which a line has a top (`sign` 1) or a bottom (-1): beyond two bars before and two after."""
    places: list[int] = []
    for x in range(2, len(values) - 2):
        around = [values[x + k] for k in (-2, -1, 1, 2)]
        center = values[x]
        if center is not None and all(each is not None and sign * center > sign * each for each in around):
            places.append(x)
    return places


@pytest.mark.parametrize(("plot", "label", "low", "high"), [("RSI", "rsi", 30, 60), ("Stoch K", "stoch", 100, 0)])
@pytest.mark.parametrize("sign", [1, -1])
def test_divergences_of_the_other_lines(plot: str, label: str, low: float, high: float, sign: int) -> None:
    given = sample(1000)
    values, prices = line(found("cipher_b"), plot), given.high if sign > 0 else given.low
    wanted: list[tuple[int, float]] = []
    places = extremes(values, sign)
    for before, x in itertools.pairwise(places):
        one, other = values[before], values[x]
        assert one is not None and other is not None
        diverges = sign * prices[x] > sign * prices[before] and sign * other < sign * one
        if diverges and (other >= high if sign > 0 else other <= low):
            wanted.append((x, other))
    kind = "bear" if sign > 0 else "bull"
    signals = [(each.x, each.y) for each in found("cipher_b").signals if each.label == f"{label}_{kind}_div"]
    assert signals == wanted and wanted
    anywhere = {each.x for each in found("cipher_b").signals if each.label == f"any_{kind}_div"}
    assert {x for x, _ in wanted} <= anywhere


def test_they_are_off_unless_they_are_asked_for() -> None:
    labels = {signal.label for signal in shown("cipher_b", sample(1000)).signals}
    assert not any(label.startswith(("rsi_b", "stoch_b")) for label in labels)
