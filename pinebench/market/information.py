"""Finds the properties of a symbol: in a TOML file next to its bars, in their file's name, and in the bars."""

from __future__ import annotations

import dataclasses
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pinebench.calendars.sessions import ranges
from pinebench.calendars.timeframes import is_timeframe, timeframe
from pinebench.calendars.zones import zone
from pinebench.errors import UsageError
from pinebench.files.toml import read_toml
from pinebench.market.bar_spacing import contradiction, spacing
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.ticks import off_the_grid, tick_of
from pinebench.near import near_names

_LARGEST_FILE = 100_000
_ZONE = "data_timezone"
"""The key of a TOML file that describes the file of the bars instead of the symbol."""
ASSUMED = (*("type", "currency", "basecurrency", "pointvalue", "mincontract", "timezone", "session", "volumetype"),)
"""The properties that neither the bars nor their file's name gives."""
_FIELDS = {field.name: type(field.default) for field in dataclasses.fields(SymbolInfo) if field.name != "assumed"}
_TYPES = (
    "stock fund dr right bond warrant structured index forex futures spread economic fundamental crypto swap commodity"
)
_NAMES = (
    re.compile(r"(?P<prefix>[A-Za-z0-9]+)_(?P<symbol>.+), ?(?P<timeframe>\d+[A-Za-z]?|[DWMdwm])(?:_\w+)?", re.ASCII),
    re.compile(r"(?P<prefix>[A-Za-z0-9]+)_(?P<symbol>.+)_(?P<timeframe>\d+[A-Za-z]?|[DWMdwm])", re.ASCII),
)
"""The names of files that TradingView or the studio exports."""


class KnownSymbol(NamedTuple):
    """The properties of a symbol, the origin of its tick in words, and remarks about contradictions with the bars."""

    symbol: SymbolInfo
    tick: str
    remarks: tuple[str, ...] = ()


class Description(NamedTuple):
    """The content of a TOML file about bars: the symbol's properties in `fields`, and `data_timezone`, the time zone of
    times without one; "" if the file does not set it."""

    path: Path
    fields: dict[str, Any]
    data_timezone: str = ""


def description(bars: Path, named: Path | None = None) -> Description:
    """Read the TOML file `named`, or the TOML file next to `bars` with the same name; empty if there is none.

    Raises UsageError if the file is not valid.
    """
    path = named or beside(bars)
    if named is None and not path.is_file():
        return Description(path, {})
    return read_description(path)


def read_description(path: Path) -> Description:
    """Read the properties in a TOML file. Raises UsageError if it is not valid."""
    table = read_toml(path, _LARGEST_FILE, "expected a TOML file with the properties of a symbol")
    given = table.pop(_ZONE, "")
    if not isinstance(given, str):
        raise UsageError(f"{path}: {_ZONE} = {given!r} is not a string", f'expected, for example, {_ZONE} = "UTC"')
    try:
        zone(given)
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}", error.hint) from None
    return Description(path, symbol_fields(path, table), given)


def beside(bars: Path) -> Path:
    """Return the path of the TOML file that describes the file `bars`: `bars.toml` for `bars.csv` or `bars.csv.gz`."""
    if not bars.name:  # a folder such as `.` or `/`, which is refused when it is read
        return bars
    return (bars.with_suffix("") if bars.suffix == ".gz" else bars).with_suffix(".toml")


def symbol_info(path: Path, bars: Bars, said: Description | None = None) -> KnownSymbol:
    """Return the symbol whose bars are in the file `path`. `said` is the content of a TOML file about it.

    Its properties come from the TOML file, else from a file name such as `BINANCE_BTCUSDT_15.csv` (or TradingView's
    `BINANCE_BTCUSDT, 15.csv`), else from the bars. Raises UsageError if the TOML file has a timeframe that the bars do
    not have.
    """
    stem = beside(path).stem
    found = spacing(bars.time).timeframe
    tick = tick_of(bars)
    start = SymbolInfo(symbol=stem.upper() or "SAMPLE", timeframe=found, mintick=tick.size, assumed=ASSUMED)
    named, remarks = _from_name(stem), list[str]()
    against = contradiction(bars.time, named["timeframe"]) if "timeframe" in named else None
    if against is not None:
        remarks.append(f"{path}: its name says {timeframe(named.pop('timeframe')).in_words()}, but {against}")
    known = KnownSymbol(replace(start, **named), tick.origin, tuple(remarks))
    return known if said is None else described(known, said, bars)


def described(known: KnownSymbol, description: Description, bars: Bars) -> KnownSymbol:
    """Return `known` with the properties in `description`, which come from a TOML file.

    Raises UsageError if it has a timeframe that the bars do not have, or another invalid property.
    """
    if not description.fields:
        return known
    symbol = checked_symbol(replace(known.symbol, **description.fields), description.path)
    assumed = tuple(name for name in known.symbol.assumed if name not in description.fields)
    symbol = replace(symbol, is_made_up=symbol.is_made_up or known.symbol.is_made_up, assumed=assumed)
    remarks, tick = known.remarks, known.tick
    if "timeframe" in description.fields and timeframe(symbol.timeframe) != timeframe(known.symbol.timeframe):
        against = contradiction(bars.time, symbol.timeframe)
        if against is not None:
            what = f'{description.path}: timeframe = "{symbol.timeframe}" does not fit the bars: {against}'
            raise UsageError(
                what,
                "remove it, so that pinebench measures the timeframe of the bars, or aggregate bars with --timeframe",
            )
    if "mintick" in description.fields:
        tick = f"from {description.path.name}"
        off = off_the_grid(bars, symbol.mintick)
        if off > 0:
            share = f"{100 * off:.0f} %" if off >= 0.01 else "some"
            remarks += (
                f"{description.path}: {share} of the last prices are not multiples of mintick = {symbol.mintick:g}",
            )
    return KnownSymbol(symbol, tick, remarks)


def checked_symbol(symbol: SymbolInfo, path: Path) -> SymbolInfo:
    """Return the symbol. Raises UsageError with `path` if its time zone, session or timeframe is not valid."""
    try:
        zone(symbol.timezone)
        timeframe(symbol.timeframe)
        known = ranges(symbol.session) is not None
    except UsageError as error:
        raise UsageError(f"{path}: {error.message}", error.hint) from None
    if not known:
        raise UsageError(
            f'{path}: "{symbol.session}" is not a valid session',
            'Sessions look like "0930-1600:23456", "1700-1700:23456" or "24x7".',
        )
    return symbol


def _from_name(stem: str) -> dict[str, str]:
    found = next(filter(None, (name.fullmatch(stem) for name in _NAMES)), None)
    if found is None:
        return {}
    known = {"prefix": found["prefix"].upper(), "symbol": found["symbol"].upper()}
    length = found["timeframe"].upper()
    if length.endswith("H"):
        length = str(int(length[:-1] or 1) * 60)
    with suppress(UsageError):  # a part of the name may only look like a timeframe
        known["timeframe"] = timeframe(length).text
    return known


def symbol_fields(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    """Return the `SymbolInfo` fields that a table sets. Raises UsageError for an unknown key or invalid value."""
    for name, value in table.items():
        _check(path, name, value)
    return {name: float(value) if _FIELDS[name] is float else value for name, value in table.items()}


def _check(path: Path, name: str, value: Any) -> None:
    kind = _FIELDS.get(name)
    if kind is None:
        near = near_names(name, [*_FIELDS, _ZONE], 1)
        hint = f"did you mean '{near[0]}'?" if near else f"the properties are {', '.join([*_FIELDS, _ZONE])}"
        raise UsageError(f"{path}: '{name}' is not a property of a symbol", hint)
    if kind is bool:
        if not isinstance(value, bool):
            raise UsageError(
                f"{path}: {name} = {value!r} is not true or false", f"expected, for example, {name} = true"
            )
        return
    if kind is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e15:
            hint = f"expected, for example, {name} = 0.01"
            raise UsageError(f"{path}: {name} = {value!r} is not a positive number", hint)
        return
    if not isinstance(value, str):
        raise UsageError(f"{path}: {name} = {value!r} is not a string", f'expected, for example, {name} = "..."')
    _check_text(path, name, value)


def _check_text(path: Path, name: str, value: str) -> None:
    if name == "timeframe" and not is_timeframe(value):
        raise UsageError(
            f'{path}: "{value}" is not a valid timeframe', 'expected a timeframe such as "15", "240", "1D" or "1W"'
        )
    if name == "type" and value not in _TYPES.split():
        near = near_names(value, _TYPES.split(), 1)
        hint = f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(_TYPES.split())}"
        raise UsageError(f'{path}: "{value}" is not a type of symbol', hint)
    if name == "volumetype" and value not in ("base", "quote", "tick", "n/a"):
        raise UsageError(f'{path}: "{value}" is not a type of volume', 'expected "base", "quote", "tick" or "n/a"')
