"""Built-in variables and constants in the typed form: columns, fixed values, and values that change during a run."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import MATH, value_type
from pinebench.runtime import ir
from pinebench.runtime.builtins import KERNELS
from pinebench.runtime.lower.context import Lowering, LoweringPlace, kind_of
from pinebench.runtime.refusals import NotComputed

COLUMNS = frozenset(
    "open high low close volume hl2 hlc3 hlcc4 ohlc4 time time_close time_tradingday year month weekofyear dayofmonth "
    "dayofweek hour minute second session.ismarket session.ispremarket session.ispostmarket session.isfirstbar "
    "session.isfirstbar_regular session.islastbar session.islastbar_regular".split()
)
"""Built-in series that depend only on the bars."""
_NOW = frozenset(
    "bar_index last_bar_index last_bar_time timenow barstate.isconfirmed barstate.isfirst barstate.ishistory "
    "barstate.islast barstate.islastconfirmedhistory barstate.isnew barstate.isrealtime line.all label.all box.all "
    "linefill.all polyline.all table.all bid ask".split()
)
_UNKNOWN_DATA = ("dividends.", "earnings.")
COLORS = {
    "aqua": 0x00BCD4FF,
    "black": 0x363A45FF,
    "blue": 0x2962FFFF,
    "fuchsia": 0xE040FBFF,
    "gray": 0x787B86FF,
    "green": 0x4CAF50FF,
    "lime": 0x00E676FF,
    "maroon": 0x880E4FFF,
    "navy": 0x311B92FF,
    "olive": 0x808000FF,
    "orange": 0xFF9800FF,
    "purple": 0x9C27B0FF,
    "red": 0xF23645FF,
    "silver": 0xB2B5BEFF,
    "teal": 0x089981FF,
    "white": 0xFFFFFFFF,
    "yellow": 0xFDD835FF,
}
_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_DISPLAYS = {"none": 0, "data_window": 1, "pane": 2, "price_scale": 4, "status_line": 8, "pine_screener": 16, "all": 31}
_FORMATS = {"format_none": 0, "format_bold": 1, "format_italic": 2}
_PREFIXES = ("style_", "freq_", "align_", "wrap_", "family_", "linestyle_")


def constant_value(name: str) -> int | float | str:
    """Return the value of a built-in constant. A string value is the last part of the name without its prefix, such as
    `columns` for `plot.style_columns`."""
    namespace, _, short = name.rpartition(".")
    if namespace == "color":
        return COLORS[short]
    if namespace == "dayofweek":
        return _DAYS.index(short) + 1
    if namespace == "display":
        return _DISPLAYS[short]
    if name in MATH:
        return MATH[name]
    if namespace == "text" and short in _FORMATS:
        return _FORMATS[short]
    for prefix in _PREFIXES:
        short = short.removeprefix(prefix)
    return short


def builtin(lowering: Lowering, name: str, place: LoweringPlace) -> ir.Expression:
    """Return the built-in variable or constant with this name in the typed form (IR)."""
    kind = kind_of(value_type(name))
    if name == "na":
        return ir.Constant("float", float("nan"))
    if reference.constant(name) is not None:
        return ir.Constant(kind, constant_value(name))
    if name in COLUMNS:
        return ir.Column(kind, name)
    if name in _NOW or name.startswith("strategy."):
        return ir.Now(kind, name)
    if name.startswith("ta."):
        # A variable has one series for the chart, even if the script reads it on some bars only.
        key = f"{name}#variable" if reference.function(name) is not None else name
        if key not in KERNELS:
            raise NotComputed(name, place.line)
        return ir.Column(kind, key)
    if name.startswith(_UNKNOWN_DATA):
        return ir.FixedValue(kind, "missing", name)
    if name.startswith(("syminfo.", "timeframe.", "chart.")):
        return ir.FixedValue(kind, "fixed", name)
    raise NotComputed(name, place.line)
