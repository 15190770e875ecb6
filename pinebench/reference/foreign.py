"""Names from other languages and platforms, with their equivalents in Pine."""

from __future__ import annotations

ELSEWHERE = {
    "iff": "the ternary operator ?:",
    "offset": "the history-referencing operator []",
    "len": "`array.size()` and `str.length()`",
    "print": "`log.info()`",
    "console.log": "`log.info()`",
    "enumerate": "`for [index, value] in array`",
}
"""Functions of older versions and other languages, and their equivalents in v6."""
_ROUNDED = 'Pine rounds with `math.round(x, 2)`, and `str.tostring(x, "#.##")` writes a number with two places.'
_NOW = "The current time is `timenow`, the start of the bar is `time`; both are in milliseconds."
FOREIGN = {
    "range": "Pine counts with `for i = 0 to 4`, both ends included; highest minus lowest is `ta.range()`.",
    "return": "Pine has no `return`: the last line of a function is its result.",
    "default": "The last branch of a `switch` is `=> value`, without a condition.",
    "pass": "Pine has no `pass`: a block holds at least one line that does something, or is left out.",
    "self": "A method calls its object as its first parameter does: `method grow(Level this) =>` calls it `this`.",
    **{
        f"plot.style_{kind}": f"A plot's line is {kind} by another argument: `linestyle = plot.linestyle_{kind}`."
        for kind in ("solid", "dashed", "dotted")
    },
    **dict.fromkeys(("color.none", "color.transparent"), "An invisible colour is `na`."),
    **dict.fromkeys(("ta.adx", "adx"), "The average directional index is the third result of `ta.dmi(n, m)`."),
    "ta.ichimoku": "Each line is a mean of extremes: `math.avg(ta.highest(9), ta.lowest(9))`.",
    **dict.fromkeys(
        (
            "timeframe.day",
            "timeframe.daily",
            "timeframe.week",
            "timeframe.weekly",
            "timeframe.hour",
            "timeframe.minute",
        ),
        'A timeframe is a text: `"D"`, `"W"`, or minutes as in `"60"`.',
    ),
    **dict.fromkeys(("log.print", "log.debug", "log.write"), "Pine logs with `log.info()`."),
    **dict.fromkeys(
        ("America", "Europe", "Asia", "Australia", "Africa", "Pacific"), 'A time zone is a text: `"America/New_York"`.'
    ),
    **dict.fromkeys(("long", "short"), "The direction of an order is `strategy.long` or `strategy.short`."),
    **dict.fromkeys(("toFixed", "to_fixed", "number_format", "NormalizeDouble", "round_to"), _ROUNDED),
    **dict.fromkeys(("now", "Date.now", "time.now", "timestamp.now", "datetime.now"), _NOW),
    **dict.fromkeys(
        ("color.hsl", "color.hsv", "color.hex", "color.argb", "color.from_hex"),
        "A colour is `color.rgb(red, green, blue, transp)` or written out, as `#26A69A`.",
    ),
    **dict.fromkeys(
        ("json.parse", "json.stringify", "JSON.stringify", "json.dumps"),
        "A message in JSON is a text: `str.format('{{\"price\": {0}}}', close)`, or parts joined by `+`.",
    ),
    **dict.fromkeys(
        ("fetch", "http.get", "requests.get", "request.get", "request.url", "request.http", "request.csv"),
        "A script cannot read web pages: `request.security()` reads other symbols, `request.seed()` published data.",
    ),
    **dict.fromkeys(
        ("time.sleep", "sleep", "wait", "setTimeout", "setInterval"),
        "A script runs once a bar or tick and cannot wait: keep what it waits for in a `var` variable.",
    ),
    **dict.fromkeys(
        ("random", "rand", "random.random", "math.rand", "Math.random"),
        "Random numbers come from `math.random(min, max, seed)`.",
    ),
    **dict.fromkeys(
        ("type", "typeof", "isinstance"),
        "A variable's type never changes, so no test is needed; `na(x)` tests for `na`.",
    ),
    **dict.fromkeys(
        ("map", "filter", "reduce", "zip", "list", "dict", "set", "tuple", "sorted", "reversed"),
        "Pine walks through a collection with `for x in array`; `array.new<float>()` makes an array,"
        " `map.new<string, float>()` a map.",
    ),
    **dict.fromkeys(
        ("plot.arrow", "plot.char", "plot.shape", "plot.candle", "plot.bar", "plot_shape", "plot_char", "plot_arrow"),
        "Marks are drawn by `plotshape()`, `plotchar()` and `plotarrow()`, candles by `plotcandle()`.",
    ),
    **dict.fromkeys(
        ("plot.line", "plotline", "plot_line", "draw.line", "drawline", "draw_line"),
        "A line that follows values is drawn by `plot()`, one between two points by `line.new()`.",
    ),
    **dict.fromkeys(
        ("text.new", "plottext", "plot_text", "draw.text", "draw_text", "text"),
        'A text on the chart is a label: `label.new(bar_index, high, "text")`.',
    ),
    **dict.fromkeys(
        ("session", "in_session", "insession", "is_session", "session.is_in", "session.in"),
        '`not na(time(timeframe.period, "0930-1600"))` is true on the bars of a session.',
    ),
    **dict.fromkeys(("D", "W", "M"), 'A timeframe is a text: `"D"`, `"W"`, `"M"`, or minutes as in `"60"`.'),
    **dict.fromkeys(
        ("assert", "require", "raise", "throw"),
        "A script is stopped by `runtime.error(message)`, under an `if` with the condition.",
    ),
    **dict.fromkeys(
        ("math.mean", "math.average", "ta.mean", "ta.avg", "ta.average", "mean", "average"),
        "The mean of values is `math.avg(a, b)`, of bars `ta.sma(source, length)`, of an array `array.avg(id)`.",
    ),
    **dict.fromkeys(
        (f"{kind}.{name}" for kind in ("array", "map") for name in ("is_empty", "isEmpty", "empty", "isempty")),
        "An empty collection has no elements: ask for `size() == 0`.",
    ),
    **dict.fromkeys(
        ("map.items", "map.entries", "map.forEach", "map.each"),
        "A loop over a map takes pairs: `for [key, value] in map`; its parts are `keys()` and `values()`.",
    ),
    **dict.fromkeys(
        ("array.map", "array.filter", "array.forEach", "array.each", "array.reduce", "array.apply"),
        "Pine has no functions as arguments: `for value in array` walks through the elements.",
    ),
    **dict.fromkeys(
        ("str.concat", "str.join", "str.append"), "Texts are joined by `+`, the texts of an array by `array.join()`."
    ),
    "_": "`_` stands for a value of a tuple that is not needed; the last branch of a `switch` is `=> value`.",
    **dict.fromkeys(("end", "endif", "end_if"), "A block ends where its indentation ends: leave the word out."),
    **dict.fromkeys(
        ("strategy.buy", "strategy.long", "buy"), "A position is opened by `strategy.entry(id, strategy.long)`."
    ),
    **dict.fromkeys(
        ("strategy.sell", "strategy.short", "sell"),
        "A short position is opened by `strategy.entry(id, strategy.short)`; `strategy.close(id)` ends a long one.",
    ),
    **dict.fromkeys(
        ("strategy.stop_loss", "strategy.take_profit", "strategy.stop", "strategy.limit", "strategy.trailing_stop"),
        "Stops and targets are arguments of `strategy.exit(id, from_entry, stop = ..., limit = ...)`.",
    ),
}
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
