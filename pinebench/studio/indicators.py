"""The indicators that the page offers. They come from `indicators.catalogue`, and they run like any other script."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from pinebench.files import read
from pinebench.indicators.catalogue import find
from pinebench.studio.compile import compile_source, meta_info
from pinebench.studio.inputs import definitions

_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "moving_average_simple": ("Moving Average", "Simple Moving Average"),
    "moving_average_exponential": ("Exponential Moving Average",),
    "bbands": (),
    "rsi": (),
    "macd": ("Moving Average Convergence Divergence",),
    "moving_average_weighted": ("Weighted Moving Average",),
    "hull_moving_average": (),
    "vwap": ("Volume Weighted Average Price",),
    "donchian": (),
    "keltner": (),
    "supertrend": (),
    "sar": (),
    "ichimoku": (),
    "volume": (),
    "atr": (),
    "average_directional_index": (),
    "stoch": (),
    "stochastic_rsi": (),
    "cci": (),
    "williams_r": ("Williams Percent Range",),
    "momentum": (),
    "roc": (),
    "obv": (),
    "mfi": (),
    "compare": ("Overlay",),
}
"""The entries of the list in its order, each with other names that clients use for it."""


@cache
def indicators_json() -> bytes:
    """Return all indicators as JSON, `[{also, source, metaInfo, inputs}]`. `also` holds other names of the indicator.
    An input's id is its variable's name."""
    return json.dumps([_described(name, also) for name, also in _OTHER_NAMES.items()]).encode()


def source(name: str) -> str:
    """Return the script of an indicator. The studio has its own script for the indicator that compares symbols, because
    that indicator needs the bars of another symbol."""
    if name == "compare":
        return read(Path(__file__).with_name("compare.pine")).text
    return find(name).source


def _described(name: str, also: tuple[str, ...]) -> dict[str, object]:
    text = source(name)
    compiled = compile_source(text)
    return {
        "also": also,
        "source": text,
        "metaInfo": {**meta_info(compiled.declaration), "isTVScript": False},
        "inputs": definitions(compiled.program, by_variable=True),
    }
