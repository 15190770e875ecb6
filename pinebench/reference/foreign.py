"""Names from other languages and platforms, with their equivalents in Pine."""

from __future__ import annotations

import os
from collections.abc import Iterator

ELSEWHERE = {
    "iff": "the ternary operator ?:",
    "offset": "the history-referencing operator []",
    "len": "`array.size()` and `str.length()`",
    "print": "`log.info()`",
    "console.log": "`log.info()`",
    "enumerate": "`for [index, value] in array`",
}
"""Functions of older versions and other languages, and their equivalents in v6."""


def _read() -> Iterator[tuple[str, str]]:
    """The pairs of a word and its hint; each line of the file has the words with one hint."""
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "data", "foreign.list"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            names, _, hint = line.partition(": ")
            yield from ((name, hint) for name in names.split())


FOREIGN = dict(_read())
"""Words of other languages and platforms without a direct equivalent in Pine, and hints for them."""
_WIDTH = ("linewidth", "width", "border_width")
_SIZE = ("text_size", "size")
_GROUND = ("bgcolor", "color")
SYNONYMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("background", "background_color", "bg_color", "bg", "fill", "fill_color", "fillcolor"), _GROUND),
    **dict.fromkeys(("thickness", "stroke_width", "line_width", "width", "linewidth", "lw"), _WIDTH),
    **dict.fromkeys(("font_size", "fontsize", "textsize", "text_size", "size"), _SIZE),
    **dict.fromkeys(("font_color", "fontcolor", "text_color", "textcolor", "text_colour"), ("text_color", "textcolor")),
    **dict.fromkeys(
        ("line_color", "linecolor", "stroke", "outline", "border", "bordercolor"), ("border_color", "color")
    ),
    **dict.fromkeys(("align", "text_align", "halign", "alignment"), ("text_halign", "textalign")),
    **dict.fromkeys(("msg", "body", "content"), ("message", "text", "tooltip")),
    **dict.fromkeys(("label", "name", "caption", "header"), ("title", "text", "id")),
    **dict.fromkeys(("txt", "string", "str", "value"), ("text", "message", "source", "defval")),
    **dict.fromkeys(("default", "default_value", "defaultValue", "initial", "init"), ("defval", "initial_value")),
    **dict.fromkeys(("choices", "values", "option", "select"), ("options",)),
    **dict.fromkeys(("period", "periods", "bars", "len", "window", "lookback", "n", "span"), ("length", "len")),
    **dict.fromkeys(("src", "source", "series", "data", "price", "values"), ("source", "series", "expression")),
    **dict.fromkeys(("ticker", "tickerid", "pair", "asset"), ("symbol", "ticker")),
    **dict.fromkeys(("tf", "interval", "resolution", "res", "time_frame", "timeFrame"), ("timeframe",)),
    **dict.fromkeys(("expr", "expression", "source", "data"), ("expression", "source", "series")),
    **dict.fromkeys(("std", "stddev", "stdDev", "multiplier", "deviation", "num_std", "factor"), ("mult", "factor")),
    **dict.fromkeys(("minimum", "min", "min_value", "low", "from_value"), ("minval",)),
    **dict.fromkeys(("maximum", "max", "max_value", "high"), ("maxval",)),
    **dict.fromkeys(("tz", "time_zone", "zone"), ("timezone",)),
    **dict.fromkeys(("section", "category", "tab"), ("group",)),
    **dict.fromkeys(("hint", "help", "description", "desc"), ("tooltip",)),
    **dict.fromkeys(("quantity", "amount", "contracts", "volume"), ("qty",)),
    **dict.fromkeys(("frequency", "once"), ("freq",)),
}
"""Names of parameters elsewhere, with the possible names in Pine, the likeliest first."""
PANDAS = {
    **dict.fromkeys(
        ("rolling", "mean", "average"), "an average over bars is `ta.sma(source, length)`, of an array `array.avg()`"
    ),
    **dict.fromkeys(
        ("std", "stddev", "stdev"), "a deviation over bars is `ta.stdev(source, length)`, of an array `array.stdev()`"
    ),
    **dict.fromkeys(("ewm", "ema"), "an exponential average is `ta.ema(source, length)`"),
    **dict.fromkeys(("shift", "iloc", "lag"), "the value of the bar before is `close[1]`"),
    **dict.fromkeys(("diff",), "the change since the bar before is `ta.change(source)`"),
    **dict.fromkeys(("pct_change",), "the change in per cent is `ta.roc(source, length)`"),
    **dict.fromkeys(("cumsum",), "a sum over all bars is `ta.cum(source)`"),
    **dict.fromkeys(("where",), "a choice is `condition ? a : b`"),
    **dict.fromkeys(("isna", "isnull", "isnan"), "`na(x)` tests for emptiness"),
    **dict.fromkeys(("fillna",), "`nz(x, y)` gives `y` where `x` is `na`, `fixnan(x)` the last value"),
    **dict.fromkeys(
        ("max", "amax"), "the larger of two is `math.max(a, b)`, the highest of some bars `ta.highest(source, length)`"
    ),
    **dict.fromkeys(
        ("min", "amin"), "the smaller of two is `math.min(a, b)`, the lowest of some bars `ta.lowest(source, length)`"
    ),
    **dict.fromkeys(("sum",), "a sum over bars is `math.sum(source, length)`, of an array `array.sum()`"),
    **dict.fromkeys(("zeros", "ones", "empty", "full"), "an array of ten zeros is `array.new<float>(10, 0.0)`"),
    **dict.fromkeys(("arange", "linspace"), "Pine counts with `for i = 0 to 9`"),
    **dict.fromkeys(("rank",), "the rank among the last bars is `ta.percentrank(source, length)`"),
    **dict.fromkeys(("corr",), "`ta.correlation(source1, source2, length)` correlates two series"),
}
"""Names in Python libraries for things that Pine computes on bars, with hints."""
MODULES = frozenset(("np", "numpy", "pd", "pandas", "df", "talib", "scipy", "torch", "tf", "statistics", "Series"))
"""Usual names of Python libraries in scripts."""
_STOP = ("stop", "`stop` takes the price of the stop, `loss` its distance in ticks.")
_TARGET = ("limit", "`limit` takes the price of the target, `profit` its distance in ticks.")
_TRAIL = (
    "trail_offset",
    "`trail_price` or `trail_points` says where a trailing stop begins, `trail_offset` how many ticks behind it stays.",
)
_COSTS = ("commission_value", "`commission_value` is the amount, and `commission_type` its unit.")
_PRICES = (
    "stop",
    "`strategy.exit()` takes prices and ticks and no percentages: `strategy.position_avg_price * 0.98` is 2 % below.",
)
_SHARE = (
    "qty",
    "`qty` takes contracts or shares; a share of the equity is asked for by `strategy(default_qty_type ="
    " strategy.percent_of_equity, default_qty_value = 10)`.",
)
PARAMETERS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        ("type", "order_type", "price", "order"),
        ("limit", "`limit` makes a limit order and `stop` a stop order; without them it is a market order."),
    ),
    **dict.fromkeys(
        ("leverage", "margin"),
        ("margin_long", "A leverage of ten is a margin of ten per cent: `margin_long = 10, margin_short = 10`."),
    ),
    **dict.fromkeys(("qty_percent", "qty_type", "percent", "size_percent"), _SHARE),
    **dict.fromkeys(("stop_loss", "stoploss", "sl", "stop_price"), _STOP),
    **dict.fromkeys(("take_profit", "takeprofit", "tp", "target"), _TARGET),
    **dict.fromkeys(("trailing_stop", "trailing", "trail", "trail_stop"), _TRAIL),
    **dict.fromkeys(("commission", "fee", "fees"), _COSTS),
    **dict.fromkeys(
        (
            f"{what}{how}"
            for what in ("trail", "trailing", "stop", "stop_loss", "loss", "sl", "take_profit", "profit", "tp", "limit")
            for how in ("_percent", "_pct", "_perc", "percent", "pct")
        ),
        _PRICES,
    ),
}
"""Names of parameters on other platforms: a Pine parameter that the function must have, and the hint."""
