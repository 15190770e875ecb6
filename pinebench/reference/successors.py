"""Names of earlier versions of Pine that changed or moved into a namespace, and names from other languages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pinebench.reference import constants, functions, variables

DOCUMENTED = {
    "study": "indicator",
    "security": "request.security",
    "financial": "request.financial",
    "quandl": "request.quandl",
    "splits": "request.splits",
    "dividends": "request.dividends",
    "earnings": "request.earnings",
    "tickerid": "ticker.new",
    "heikenashi": "ticker.heikinashi",
    "heikinashi": "ticker.heikinashi",
    "renko": "ticker.renko",
    "kagi": "ticker.kagi",
    "linebreak": "ticker.linebreak",
    "pointfigure": "ticker.pointfigure",
    "tostring": "str.tostring",
    "tonumber": "str.tonumber",
    "n": "bar_index",
    "period": "timeframe.period",
    "ticker": "syminfo.ticker",
    "interval": "timeframe.multiplier",
    "isintraday": "timeframe.isintraday",
    "isdaily": "timeframe.isdaily",
    "isdwm": "timeframe.isdwm",
    "isweekly": "timeframe.isweekly",
    "ismonthly": "timeframe.ismonthly",
    "integer": "input.int",
    "resolution": "input.timeframe",
    "dashed": "hline.style_dashed",
    "dotted": "hline.style_dotted",
    "solid": "hline.style_solid",
    "histogram": "plot.style_histogram",
    "columns": "plot.style_columns",
    "circles": "plot.style_circles",
    "cross_style": "plot.style_cross",
    "linebr": "plot.style_linebr",
    "areabr": "plot.style_areabr",
    "stepline": "plot.style_stepline",
    "input.resolution": "input.timeframe",
    "label.style_labelup": "label.style_label_up",
    "label.style_labeldown": "label.style_label_down",
    "label.style_labelleft": "label.style_label_left",
    "label.style_labelright": "label.style_label_right",
    "label.style_labelcenter": "label.style_label_center",
    "input.integer": "input.int",
    "max": "math.max",
    "min": "math.min",
    "log": "math.log",
}
"""Names of earlier versions that got another name, from TradingView's migration guides.

Names that only moved into a namespace (`sma` -> `ta.sma`) are found without this table.
"""

SAME = {
    "color.grey": "color.gray",
    "math.average": "math.avg",
    "array.length": "array.size",
    "array.len": "array.size",
    "array.append": "array.push",
    "array.add": "array.push",
    "array.extend": "array.concat",
    "array.concatenate": "array.concat",
    "map.length": "map.size",
    "str.len": "str.length",
    "str.to_string": "str.tostring",
    "ta.smma": "ta.rma",
    "ta.cross_above": "ta.crossover",
    "ta.crossabove": "ta.crossover",
    "ta.cross_below": "ta.crossunder",
    "ta.crossbelow": "ta.crossunder",
    "ta.momentum": "ta.mom",
    "math.ln": "math.log",
    "math.power": "math.pow",
    "array.mean": "array.avg",
    "array.average": "array.avg",
    "array.contains": "array.includes",
    "map.contains_key": "map.contains",
    "map.has": "map.contains",
    "map.set": "map.put",
    "map.delete": "map.remove",
    "str.to_number": "str.tonumber",
    "str.to_upper": "str.upper",
    "str.to_lower": "str.lower",
    "str.toupper": "str.upper",
    "str.tolower": "str.lower",
    "str.strip": "str.trim",
    "str.substr": "str.substring",
    "input.integer": "input.int",
    "input.number": "input.float",
    "input.boolean": "input.bool",
}
"""Names that mean exactly the same as a Pine name."""

LIKE = {
    "array.count": "array.size",
    "matrix.length": "matrix.elements_count",
    "ta.ma": "ta.sma",
    "ta.rolling_max": "ta.highest",
    "ta.rolling_min": "ta.lowest",
    "ta.mean": "ta.sma",
    "ta.average": "ta.sma",
    "ta.bollinger": "ta.bb",
    "ta.bbands": "ta.bb",
    "ta.keltner": "ta.kc",
    "ta.williams_r": "ta.wpr",
    "ta.sum": "math.sum",
    "str": "str.tostring",
    "isnan": "na",
    "is_na": "na",
    "isna": "na",
    "now": "timenow",
    "array.delete": "array.remove",
    "str.find": "str.pos",
    "str.indexof": "str.pos",
    "color.rgba": "color.rgb",
    "color.cyan": "color.aqua",
    "color.magenta": "color.fuchsia",
    "strategy.close_position": "strategy.close",
    "strategy.exit_all": "strategy.close_all",
    "strategy.entry_price": "strategy.position_avg_price",
    "strategy.avg_price": "strategy.position_avg_price",
    "strategy.profit": "strategy.netprofit",
    "ta.stdev_sample": "ta.stdev",
    "table.set_cell": "table.cell",
    "weekday": "dayofweek",
    "day_of_week": "dayofweek",
    "dayOfWeek": "dayofweek",
    "day": "dayofmonth",
    "day_of_month": "dayofmonth",
    "week": "weekofyear",
    "ta.percent_change": "ta.roc",
    "ta.hull": "ta.hma",
    "strategy.position": "strategy.position_size",
    "ta.hullma": "ta.hma",
    "syminfo.pip_size": "syminfo.mintick",
    "syminfo.pip": "syminfo.mintick",
    "syminfo.pipsize": "syminfo.mintick",
    "chart.type": "chart.is_standard",
    "ta.pct_change": "ta.roc",
    "syminfo.exchange": "syminfo.prefix",
    "syminfo.symbol": "syminfo.ticker",
    "syminfo.name": "syminfo.description",
    "syminfo.tick_size": "syminfo.mintick",
    "syminfo.ticksize": "syminfo.mintick",
    "syminfo.tick": "syminfo.mintick",
    **{
        f"{drawing}.{word}": f"{drawing}.delete"
        for drawing in ("line", "label", "box", "table", "polyline", "linefill")
        for word in ("remove", "destroy", "erase", "dispose")
    },
}
"""Names of other libraries whose nearest equivalent in Pine may have other arguments or compute something else."""

VALUES = {
    "line": "plot.style_line",
    "cross": "plot.style_cross",
    "area": "plot.style_area",
    "tickerid": "syminfo.tickerid",
    "last_bar": "last_bar_index",
    "sunday": "dayofweek.sunday",
    "monday": "dayofweek.monday",
    "tuesday": "dayofweek.tuesday",
    "wednesday": "dayofweek.wednesday",
    "thursday": "dayofweek.thursday",
    "friday": "dayofweek.friday",
    "saturday": "dayofweek.saturday",
}
"""The meaning of names that are used without a call, even if a function with that name became something else."""

INPUTS = {
    "bool": "bool",
    "color": "color",
    "float": "float",
    "integer": "int",
    "int": "int",
    "resolution": "timeframe",
    "session": "session",
    "source": "source",
    "string": "string",
    "symbol": "symbol",
    "time": "time",
    "price": "price",
}
"""The types of `input()` in v3 (plain) and v4 (after `input.`), with the functions that replaced them."""

PARAMETERS = {
    "resolution": "timeframe",
    "resolution_gaps": "timeframe_gaps",
    "long": "direction",
    "source_a": "source1",
    "source_b": "source2",
}
"""Parameters of built-in functions that got another name in every function."""
PLACES = {"x": 0, "y": 1}
"""Parameters that became the first and the second parameter of their functions, with different names."""

RENAMED = {**DOCUMENTED, **SAME, **LIKE}

COMPOSED = {
    "math.tanh": "(math.exp(2 * x) - 1) / (math.exp(2 * x) + 1)",
    "math.sinh": "(math.exp(x) - math.exp(-x)) / 2",
    "math.cosh": "(math.exp(x) + math.exp(-x)) / 2",
    "math.log2": "math.log(x) / math.log(2)",
    "math.cbrt": "math.pow(x, 1.0 / 3)",
    "math.hypot": "math.sqrt(x * x + y * y)",
    "ta.zscore": "(x - ta.sma(x, n)) / ta.stdev(x, n)",
    "ta.slope": "ta.linreg(x, n, 0) - ta.linreg(x, n, 1)",
    "ta.vwap_bands": '[vwap, upper, lower] = ta.vwap(hlc3, timeframe.change("1D"), 2)',
    "ta.dema": "2 * ta.ema(x, n) - ta.ema(ta.ema(x, n), n)",
    "ta.tema": "3 * (a - b) + c, with a = ta.ema(x, n), b = ta.ema(a, n) and c = ta.ema(b, n)",
    "ta.std": "ta.stdev(x, n)",
    "ta.psar": "ta.sar(start, increment, maximum)",
    "ta.stochrsi": "ta.stoch(r, r, r, n), with r = ta.rsi(x, m)",
    "ta.donchian": "ta.highest(n) and ta.lowest(n)",
    "math.clamp": "math.max(lowest, math.min(highest, x))",
    "math.mod": "x % y",
    "math.trunc": "int(x)",
    **dict.fromkeys(("input.select", "input.dropdown", "input.options"), "input.string(x, options = [x, y])"),
    "strategy.in_position": "strategy.position_size != 0",
}
"""Expressions for functions that Pine does not have, although their names look like its functions."""

# The namespaces that a name of v4 without a namespace may have moved to, in the order of TradingView's guide.
_MOVED_TO = ("ta", "math", "color", "str", "request", "ticker", "shape", "location", "size", "plot", "hline", "syminfo")


@cache
def successor(name: str) -> str | None:
    """Return the v6 name of a built-in that an earlier version called `name`, or None."""
    if name in RENAMED:
        return RENAMED[name]
    return None if "." in name else _moved().get(name)


@cache
def _moved() -> dict[str, str]:
    """The names in the namespaces of `_MOVED_TO`, by their names without the namespace."""
    found: dict[str, str] = {}
    for known in (*functions(), *variables(), *constants()):
        space, _, name = known.partition(".")
        if space in _MOVED_TO and "." not in name and name:
            best = found.get(name)
            if best is None or _MOVED_TO.index(space) < _MOVED_TO.index(best.partition(".")[0]):
                found[name] = known
    return found


def within_a_namespace(name: str, known: Iterable[str]) -> str | None:
    """Return the name in `known` that is `name` after a namespace, or that equals `name` without its dots. Return None
    if there is no such name or several, and for short names, which may mean anything."""
    if len(name) < _TELLING or "." in name:
        return None
    found = [each for each in known if each.rpartition(".")[2] == name or each.replace(".", "") == name]
    return found[0] if len(found) == 1 and found[0] != name else None


_TELLING = 5
"""The smallest number of letters that identify a name without its namespace."""
