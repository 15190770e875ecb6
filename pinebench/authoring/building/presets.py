"""Presets: combinations of strategy modules that work well together."""

from __future__ import annotations

from typing import NamedTuple


class Preset(NamedTuple):
    """A named combination of strategy modules, with its description."""

    name: str
    title: str
    purpose: str
    entries: tuple[str, ...]
    filters: tuple[str, ...]
    exit: str
    sizing: str
    settings: dict[str, int | float | str | bool]


PRESETS: dict[str, Preset] = {
    each.name: each
    for each in (
        Preset(
            "trend_following",
            "Trend following",
            "Rides trends from an EMA cross on the right side of a long average, until a chandelier stop.",
            ("ema_cross",),
            ("trend_ema", "atr_regime"),
            "chandelier_exit",
            "fixed_risk",
            {},
        ),
        Preset(
            "mean_reversion",
            "Mean reversion",
            "Fades prices far from their mean while the market moves, and takes profit when they return.",
            ("zscore_mean_reversion",),
            ("volatility_regime",),
            "percent_stop",
            "fixed_risk",
            {"percent_stop.stop": 3.0, "percent_stop.target": 0.0},
        ),
        Preset(
            "momentum_breakout",
            "Momentum breakout",
            "Follows the move that ends a squeeze, if the volume is high, with a trailing stop.",
            ("bollinger_squeeze",),
            ("volume",),
            "trailing_stop",
            "volatility_adjusted",
            {"trailing_stop.percent": 4.0},
        ),
        Preset(
            "intraday_orb",
            "Opening range breakout",
            "Enters on a breakout of the opening range within the hours, and closes at the end of the day.",
            ("opening_range_breakout",),
            ("time_session", "volume"),
            "time_exit",
            "fixed_risk",
            {"time_exit.end_of_day": True, "time_exit.bars": 200},
        ),
        Preset(
            "ichimoku_trend",
            "Ichimoku trend",
            "Enters with the cross of conversion and base line beyond the cloud; stop and target depend on the ATR.",
            ("ichimoku",),
            ("trend_ema",),
            "atr_stop",
            "fixed_risk",
            {"atr_stop.target": 4.0},
        ),
    )
}
"""Every preset by name."""
