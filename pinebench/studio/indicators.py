"""The indicators that the page offers. They are Pine scripts of ours, and they run like any other script."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from pinebench.files import read
from pinebench.studio.compile import compile_source, meta_info
from pinebench.studio.inputs import definitions

_FOLDER = Path(__file__).parent / "indicators"
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "moving_average_simple": ("Moving Average", "Simple Moving Average"),
    "moving_average_exponential": ("Exponential Moving Average",),
    "bollinger_bands": (),
    "relative_strength_index": (),
    "macd": ("Moving Average Convergence Divergence",),
    "moving_average_weighted": ("Weighted Moving Average",),
    "hull_moving_average": (),
    "vwap": ("Volume Weighted Average Price",),
    "donchian_channels": (),
    "keltner_channels": (),
    "supertrend": (),
    "parabolic_sar": (),
    "ichimoku_cloud": (),
    "volume": (),
    "average_true_range": (),
    "average_directional_index": (),
    "stochastic": (),
    "stochastic_rsi": (),
    "commodity_channel_index": (),
    "williams_r": ("Williams Percent Range",),
    "momentum": (),
    "rate_of_change": (),
    "on_balance_volume": (),
    "money_flow_index": (),
    "compare": ("Overlay",),
}
"""The scripts in the order of the list, each with other names that clients use for it."""


@cache
def indicators_json() -> bytes:
    """All indicators as JSON: `[{also, source, metaInfo, inputs}]`; an input's id is the name of its variable."""
    return json.dumps([_described(name, also) for name, also in _OTHER_NAMES.items()]).encode()


def source(name: str) -> str:
    """The script of an indicator."""
    return read(_FOLDER / f"{name}.pine").text


def _described(name: str, also: tuple[str, ...]) -> dict[str, object]:
    text = source(name)
    compiled = compile_source(text)
    return {
        "also": also,
        "source": text,
        "metaInfo": {**meta_info(compiled.declaration), "isTVScript": False},
        "inputs": definitions(compiled.program, by_variable=True),
    }
