"""Corrections of errors and gaps in the collected reference data, each with its evidence. `update_reference.py` applies
them.

Sources: *compiler* is recorded output of TradingView's compiler, *manual* is the public v6 user manual, *reference* is
its reference part. *shape* is an error from merging overloads in the collected data, which the signatures themselves
show.
"""

from typing import Any

NAMES = {"array.new<type>": "array.new", "matrix.new<type>": "matrix.new", "map.new<type,type>": "map.new"}
"""The names of functions with a type template, without the template; the type arguments are T, or K and V."""

REQUIRED_IN_OVERLOAD: tuple[tuple[str, int, tuple[str, ...], str], ...] = (
    ("box.new", 1, ("left", "top", "right", "bottom"), "shape: coordinates have no default (manual: Boxes)"),
    ("fill", 1, ("plot1", "plot2"), "shape: the two plots have no default"),
    ("fill", 2, ("plot1", "plot2"), "published scripts leave out each of the values and the bottom color"),
    ("label.new", 1, ("x", "y"), "shape: coordinates have no default (manual: Labels)"),
    ("line.new", 1, ("x1", "y1", "x2", "y2"), "shape: coordinates have no default (manual: Lines)"),
    ("log.error", 1, ("formatString",), "shape: the format string leads the second form"),
    ("log.info", 1, ("formatString",), "shape: the format string leads the second form"),
    ("log.warning", 1, ("formatString",), "shape: the format string leads the second form"),
    ("math.round", 4, ("precision",), "shape: without it the first four overloads apply"),
    ("math.round", 5, ("precision",), "shape: without it the first four overloads apply"),
    ("math.round", 6, ("precision",), "shape: without it the first four overloads apply"),
    ("math.round", 7, ("precision",), "shape: without it the first four overloads apply"),
    ("ta.pivothigh", 1, ("source",), "shape: without it the first overload applies"),
    ("ta.pivotlow", 1, ("source",), "shape: without it the first overload applies"),
    ("ta.vwap", 1, ("anchor", "stdev_mult"), "manual: a tuple is returned only when stdev_mult is given"),
    ("ticker.kagi", 2, ("param", "style"), "shape: without them the first overload applies"),
    ("ticker.kagi", 3, ("param", "style"), "shape: without them the first overload applies"),
    ("timestamp", 2, ("year", "month", "day"), "manual: Time, timestamp(); hour, minute and second default to 0"),
    ("timestamp", 3, ("year", "month", "day"), "manual: Time, timestamp(); hour, minute and second default to 0"),
    ("timestamp", 4, ("timezone", "year", "month", "day"), "manual: Time, timestamp() with a time zone"),
    ("timestamp", 5, ("timezone", "year", "month", "day"), "manual: Time, timestamp() with a time zone"),
)
"""Function, overload, parameters that this overload needs, evidence."""

TYPES: tuple[tuple[str, int | None, str, str, str], ...] = (
    ("array.from", 0, "arg0", "T", "the element type of the new array; also user-defined types"),
    ("array.new", None, "initial_value", "T", "the type argument"),
    ("matrix.new", None, "initial_value", "T", "the type argument"),
    ("map.put", None, "value", "V", "the collected data do not tell key from value"),
    ("input", 0, "defval", "const color", "shape: one overload for each result"),
    ("input", 1, "defval", "const string", "shape: one overload for each result"),
    ("input", 2, "defval", "const int", "shape: one overload for each result"),
    ("input", 3, "defval", "const int|float", "shape: one overload for each result"),
    ("input", 4, "defval", "series int|float", "compiler: input(defval=syminfo.mintick) compiles"),
    ("input", 5, "defval", "const bool", "shape: one overload for each result"),
    ("fill", 2, "plot1", "hline", "reference: its example fills a gradient between two hlines"),
    ("fill", 2, "plot2", "hline", "reference: its example fills a gradient between two hlines"),
    ("input.source", None, "defval", "source", "manual: Inputs, source input"),
    (
        "na",
        1,
        "x",
        "series int|float|color|string|label|line|box|table|linefill|polyline|chart.point|footprint|volume_row"
        "|enum|udt|array<any>|matrix<any>|map<any,any>",
        "manual: Built-ins; every type has na but bool and constants",
    ),
    ("request.security", None, "expression", "any", "manual: Other timeframes; any type, also tuples"),
    ("request.security_lower_tf", None, "expression", "any", "manual: Other timeframes; any type, also tuples"),
    ("request.seed", None, "expression", "any", "manual: Other timeframes; any type, also tuples"),
    (
        "max_bars_back",
        None,
        "var",
        "series int|float|bool|color|string|label|line|box|linefill|table|polyline",
        "lenient: only the listed types are documented, refusal of the others is not recorded",
    ),
)
"""Function, overload (None: all), parameter, type text, evidence."""

DISPLAY_TYPE = "simple int|plot_display"
"""compiler: input.*(display=int(syminfo.mintick)) compiles in every probe, so display values are numbers for it."""

RETURNS: tuple[tuple[str, int | None, str, str], ...] = (
    ("array.from", 0, "array<T>", "follows the arguments"),
    ("input.enum", None, "input typeof defval", "manual: Enums; an enum input has the type of its default"),
    ("map.keys", None, "array<K>", "manual: Maps"),
    ("map.values", None, "array<V>", "manual: Maps"),
    ("math.avg", None, "qualified float", "compiler: the result follows the qualifier of the arguments"),
    ("request.security", None, "series typeof expression", "manual: Other timeframes"),
    ("request.security_lower_tf", None, "array<typeof expression>", "manual: Other timeframes"),
    ("request.seed", None, "series typeof expression", "manual: Other timeframes"),
    ("ta.supertrend", None, "[series float, series int]", "published: its direction is assigned to an int variable"),
)
"""Function, overload (None: all), result, evidence."""

ORDER: tuple[tuple[str, int, tuple[str, ...], str], ...] = (
    ("input", 4, ("defval", "title", "inline", "group", "tooltip", "display", "active"), "reference: the source form"),
)
"""Function, overload, its parameters in their correct order, evidence."""

ALLOWED: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("strategy", "close_entries_rule", ('"FIFO"', '"ANY"'), "manual: Strategies, closing a market position"),
    (
        "strategy.entry",
        "oca_type",
        ("strategy.oca.none", "strategy.oca.cancel", "strategy.oca.reduce"),
        "manual: OCA groups",
    ),
    (
        "strategy.order",
        "oca_type",
        ("strategy.oca.none", "strategy.oca.cancel", "strategy.oca.reduce"),
        "manual: OCA groups",
    ),
    (
        "strategy.risk.allow_entry_in",
        "value",
        ("strategy.direction.all", "strategy.direction.long", "strategy.direction.short"),
        "manual: Risk management",
    ),
)
"""Function, parameter, documented values (the collected data have the text of a link instead), evidence."""

DEFAULTS: dict[str, str | None] = {
    "": '""',
    "#.##########": '"#.##########"',
    "ARG:start_column": "start_column",
    "ARG:start_row": "start_row",
    "ARG:title": "title",
    "CHART_BARS": None,
    "CHART_SYMBOL": None,
    "Close": '"Close"',
    "FIFO": '"FIFO"',
    "SCRIPT_FORMAT": None,
    "SCRIPT_PRECISION": None,
    "SOURCE_LENGTH": "str.length(source)",
    "matrix.columns": "matrix.columns(id)",
    "matrix.rows": "matrix.rows(id)",
    "yyyy-MM-dd'T'HH:mm:ssZ": '''"yyyy-MM-dd'T'HH:mm:ssZ"''',
}
"""Collected defaults that are not Pine text, each with its Pine text; None if the chart or the script decides."""

_GAPS = ("request.dividends", "request.earnings", "request.financial", "request.quandl", "request.splits")
_PLOTS = ("plot", "plotarrow", "plotbar", "plotcandle", "plotchar", "plotshape")
_EDITABLE = ("barcolor", "bgcolor", "fill", "hline", *_PLOTS)
_TEXTS = ("session", "source", "string", "symbol", "text_area", "timeframe")
_CONFIRM = ("bool", "color", "enum", "float", "int", *_TEXTS)

FUNCTION_DEFAULTS: tuple[tuple[str, str, str | None, str], ...] = (
    ("array.new_linefill", "size", "0", "manual: Arrays, as for every array.new_*()"),
    ("array.new_linefill", "initial_value", "na", "manual: Arrays, as for every array.new_*()"),
    ("plot", "linewidth", "1", "manual: Plots"),
    ("plot", "style", "plot.style_line", "manual: Plots"),
    ("plot", "trackprice", "false", "manual: Plots"),
    ("plot", "histbase", "0", "manual: Plots"),
    ("plot", "join", "false", "manual: Plots"),
    ("hline", "linestyle", "hline.style_dashed", "manual: Levels"),
    ("hline", "linewidth", "1", "manual: Levels"),
    ("line.new", "xloc", "xloc.bar_index", "manual: Lines"),
    ("line.new", "extend", "extend.none", "manual: Lines"),
    ("line.new", "color", "color.blue", "manual: Lines"),
    ("line.new", "style", "line.style_solid", "manual: Lines"),
    ("line.new", "width", "1", "manual: Lines"),
    ("label.new", "text", '""', "manual: Labels"),
    ("label.new", "xloc", "xloc.bar_index", "manual: Labels"),
    ("label.new", "yloc", "yloc.price", "manual: Labels"),
    ("label.new", "style", "label.style_label_down", "manual: Labels"),
    ("label.new", "textalign", "text.align_center", "manual: Labels"),
    ("plotshape", "style", "shape.xcross", "manual: Shapes"),
    ("plotshape", "location", "location.abovebar", "manual: Shapes"),
    ("plotshape", "size", "size.auto", "manual: Shapes"),
    ("plotchar", "char", '"★"', "manual: Shapes"),
    ("plotchar", "location", "location.abovebar", "manual: Shapes"),
    ("plotchar", "size", "size.auto", "manual: Shapes"),
    ("plotarrow", "minheight", "5", "manual: Shapes"),
    ("plotarrow", "maxheight", "100", "manual: Shapes"),
    ("array.fill", "index_from", "0", "reference"),
    ("array.fill", "index_to", "na", "reference"),
    ("color.rgb", "transp", "0", "reference"),
    ("indicator", "max_bars_back", "0", "reference"),
    ("indicator", "timeframe", "timeframe.period", "reference"),
    ("plotarrow", "offset", "0", "reference"),
    ("request.dividends", "field", "dividends.gross", "reference"),
    ("request.earnings", "field", "earnings.actual", "reference"),
    ("str.replace", "occurrence", "0", "reference"),
    ("strategy", "default_qty_type", "strategy.percent_of_equity", "exports since September 2026"),
    ("strategy", "default_qty_value", "100", "exports since September 2026"),
    ("strategy", "initial_capital", "100000", "exports since September 2026"),
    ("ta.alma", "floor", "false", "reference"),
    ("ta.kc", "useTrueRange", "true", "reference"),
    ("ta.kcw", "useTrueRange", "true", "reference"),
    ("ta.vwap", "anchor", 'timeframe.change("1D")', "reference"),
    *((name, "offset", "0", "reference") for name in ("barcolor", "bgcolor", "plot", "plotchar", "plotshape")),
    *((name, "gaps", "barmerge.gaps_off", "reference") for name in _GAPS),
    *((name, "lookahead", "barmerge.lookahead_off", "reference") for name in _GAPS[:2] + _GAPS[-1:]),
    *((name, "editable", "true", "reference") for name in _EDITABLE),
    *((name, "display", "display.all", "reference") for name in ("barcolor", "bgcolor", "fill", "hline")),
    *((f"input.{name}", "confirm", "false", "reference") for name in _CONFIRM),
)
"""Function, parameter, default as Pine text, evidence."""

EXTRA_PARAMETERS: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("array.binary_search", ("sort_field", "const int|string", False, "0"), "release notes, August 2026"),
    ("array.binary_search_leftmost", ("sort_field", "const int|string", False, "0"), "release notes, August 2026"),
    ("array.binary_search_rightmost", ("sort_field", "const int|string", False, "0"), "release notes, August 2026"),
    ("strategy", ("calc_on_every_history_tick", "const bool", False, "false"), "release notes, July 2026"),
)
"""Function, parameter row to append to its last overload, evidence."""

SEARCHED = "series int|float|string"
"""reference, August 2026: a value that is searched in objects has the type of their field, a number or a text."""

_IN_OBJECTS = "reference, August 2026: the number is looked for in a field of the objects"
EXTRA_OVERLOADS: tuple[tuple[str, int, tuple[str, str], str], ...] = (
    ("array.binary_search", 0, ("array<T>", SEARCHED), _IN_OBJECTS),
    ("array.binary_search_leftmost", 0, ("array<T>", SEARCHED), _IN_OBJECTS),
    ("array.binary_search_rightmost", 0, ("array<T>", SEARCHED), _IN_OBJECTS),
    ("fill", 2, ("plot", "plot"), "manual: Fills, gradients"),
)
"""Function, overload to repeat with other types of its first two parameters before the extra parameter is added,
evidence."""

SHORTER_OVERLOADS: tuple[tuple[str, int, str, str], ...] = (
    ("time", 0, "session", "manual: Time, time() of an offset without a session; published scripts call it"),
    (
        "time_close",
        0,
        "session",
        "manual: Time, time_close() of an offset without a session; published scripts call it",
    ),
)
"""Function, overload that also exists without one parameter (this form comes first), that parameter, evidence."""

_FLOATS = "series float"
NOUNS: dict[str, dict[str, str]] = {
    **{name: {"number": "simple int"} for name in ("math.abs", "math.ceil", "math.floor", "math.round")},
    **{f"math.{name}": {"angle": "simple float"} for name in ("acos", "asin", "atan", "cos", "sin", "tan")},
    **{
        f"math.{name}": {"number": "simple float"}
        for name in ("exp", "log", "log10", "sqrt", "sign", "round_to_mintick")
    },
    "math.avg": {"number0, number1, ...": "simple float"},
    "math.max": {"number0, number1, ...": "const int"},
    "math.min": {"number0, number1, ...": "const int"},
    "math.pow": {"base": "const float", "exponent": "const float"},
    "math.random": {"min": _FLOATS, "max": _FLOATS},
    "math.sum": {"source": _FLOATS},
    "math.todegrees": {"radians": _FLOATS},
    "math.toradians": {"degrees": _FLOATS},
    "nz": {"source": "simple int"},
    "fixnan": {"source": _FLOATS},
    "na": {"x": "simple float"},
    "int": {"x": "simple int"},
    "float": {"x": "const float"},
    "bool": {"x": "const bool"},
    "color.new": {"transp": "const float"},
    "color.rgb": dict.fromkeys(("red", "green", "blue", "transp"), "const float"),
    "hline": {"price": "input float"},
    "input.float": {"defval": "const float"},
    "input.price": {"defval": "const float"},
    "plot": {"series": _FLOATS},
    "plotshape": {"series": "series bool"},
    "plotchar": {"series": "series bool"},
    "box.new": {"text_size": "series string", "top": _FLOATS, "bottom": _FLOATS},
    "box.set_text_size": {"text_size": "series string"},
    "label.new": {"size": "series string", "y": _FLOATS},
    "label.set_size": {"size": "series string"},
    "table.cell": {"text_size": "series string"},
    "table.cell_set_text_size": {"text_size": "series string"},
    "line.new": {"x1": "series int", "x2": "series int", "y1": _FLOATS, "y2": _FLOATS},
    "array.sort": {"sort_field": "const int"},
    "array.sort_indices": {"sort_field": "const int"},
    "matrix.sort": {"sort_field": "const int"},
    "array.binary_search": {"val": _FLOATS, "sort_field": "const int"},
    "array.binary_search_leftmost": {"val": _FLOATS, "sort_field": "const int"},
    "array.binary_search_rightmost": {"val": _FLOATS, "sort_field": "const int"},
    "array.join": {"id": "array<float>"},
    "str.tostring": {"value": "simple float"},
    "ta.highest": {"length": "simple int"},
    "ta.lowest": {"length": "simple int"},
    "ta.sma": {"length": "series int"},
    "strategy": {
        "default_qty_value": "const float",
        "initial_capital": "const float",
        "margin_short": "const float",
        "risk_free_rate": "const float",
    },
}
"""compiler: the text that CE10123 printed as the expected type in recordings, by function and parameter."""

OVERLOAD_NOUNS: tuple[tuple[str, int, str, str], ...] = (
    ("str.tostring", 3, "value", "series float"),
    ("str.tostring", 4, "value", "series float"),
)
"""compiler: function, overload, parameter, and the text that was recorded for this overload (without a format)."""
