"""Finds the properties of a symbol: from a TOML file next to its bars, the name of their file, and the bars."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from pinebench.calendars.timeframes import is_timeframe, of_seconds
from pinebench.errors import UsageError
from pinebench.files.toml import read_toml
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.near import near_names

_LARGEST_FILE = 100_000
_FIELDS = {field.name: type(field.default) for field in dataclasses.fields(SymbolInfo)}
_TYPES = (
    "stock fund dr right bond warrant structured index forex futures spread economic fundamental crypto swap commodity"
)
_NAMES = (
    re.compile(r"(?P<prefix>[A-Za-z0-9]+)_(?P<symbol>.+), ?(?P<timeframe>\d+[A-Za-z]?|[DWMdwm])(?:_\w+)?", re.ASCII),
    re.compile(r"(?P<prefix>[A-Za-z0-9]+)_(?P<symbol>.+)_(?P<timeframe>\d+[A-Za-z]?|[DWMdwm])", re.ASCII),
)
"""The names of files that TradingView or the studio exports."""
_DAY = 86_400_000


def symbol_info(path: Path, bars: Bars) -> SymbolInfo:
    """The properties of the symbol whose bars are in the file `path`.

    They come from the TOML file with the same name next to it, else from a file name such as `BINANCE_BTCUSDT_15.csv`
    (or TradingView's `BINANCE_BTCUSDT, 15.csv`), else from the bars. Raises UsageError if the TOML file is not valid.
    """
    known: dict[str, Any] = {"symbol": path.stem.upper() or "SAMPLE", "timeframe": timeframe_of(bars)}
    known["mintick"] = tick_of(bars)
    known.update(_from_name(path.stem))
    beside = path.with_suffix(".toml")
    if beside.is_file():
        known.update(_read(beside))
    return SymbolInfo(**known)


def read_symbol_info(path: Path) -> SymbolInfo:
    """The symbol that a TOML file describes; missing properties have the defaults of `SymbolInfo`. Raises UsageError if
    the file is not valid.
    """
    return SymbolInfo(**_read(path))


def timeframe_of(bars: Bars) -> str:
    """The timeframe of bars, from the most frequent time between two bars; a day if there are fewer than two bars."""
    steps = Counter(later - before for before, later in pairwise(bars.time))
    if not steps:
        return "1D"
    step = min(steps, key=lambda one: (-steps[one], one))
    if step % 60_000 and step < 60_000:
        return of_seconds(step / 1000)
    if step < _DAY:
        return str(max(step // 60_000, 1))
    if step >= 28 * _DAY:
        return f"{min(round(step / (30.4 * _DAY)), 12)}M"
    if step % (7 * _DAY) == 0:
        return f"{step // (7 * _DAY)}W"
    return f"{round(step / _DAY)}D"


def tick_of(bars: Bars) -> float:
    """The smallest decimal step of the last prices, with two to eight decimals."""
    prices = (price for column in (bars.open, bars.high, bars.low, bars.close) for price in column[-200:])
    decimals = max([2, *(len(f"{price:.8f}".rstrip("0").partition(".")[2]) for price in prices)])
    return float(f"1e-{decimals}")


def _from_name(stem: str) -> dict[str, str]:
    found = next(filter(None, (name.fullmatch(stem) for name in _NAMES)), None)
    if found is None:
        return {}
    known = {"prefix": found["prefix"].upper(), "symbol": found["symbol"].upper()}
    timeframe = found["timeframe"].upper()
    if timeframe.endswith("H"):
        timeframe = str(int(timeframe[:-1] or 1) * 60)
    if is_timeframe(timeframe):
        known["timeframe"] = timeframe
    return known


def _read(path: Path) -> dict[str, Any]:
    hint = "expected a TOML file with the properties of a symbol"
    return symbol_fields(path, read_toml(path, _LARGEST_FILE, hint))


def symbol_fields(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    """The fields of a `SymbolInfo` that a table sets. Raises UsageError for an unknown key or an invalid value."""
    for name, value in table.items():
        _check(path, name, value)
    return {name: float(value) if _FIELDS[name] is float else value for name, value in table.items()}


def _check(path: Path, name: str, value: Any) -> None:
    """Raise UsageError for an unknown key or an invalid value."""
    kind = _FIELDS.get(name)
    if kind is None:
        near = near_names(name, _FIELDS, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"it may say {', '.join(_FIELDS)}"
        raise UsageError(f"{path}: '{name}' is not a property of a symbol", hint)
    if kind is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e15:
            hint = f"expected for example {name} = 0.01"
            raise UsageError(f"{path}: {name} = {value!r} is not a positive number", hint)
        return
    if not isinstance(value, str):
        raise UsageError(f"{path}: {name} = {value!r} is not a text", f'expected for example {name} = "..."')
    _check_text(path, name, value)


def _check_text(path: Path, name: str, value: str) -> None:
    if name == "timeframe" and not is_timeframe(value):
        raise UsageError(f'{path}: "{value}" is not a valid timeframe', 'expected one such as "15", "240", "1D", "1W"')
    if name == "type" and value not in _TYPES.split():
        near = near_names(value, _TYPES.split(), 1)
        hint = f"did you mean '{near[0]}'?" if near else f"expected one of {', '.join(_TYPES.split())}"
        raise UsageError(f'{path}: "{value}" is not a type of symbol', hint)
    if name == "volumetype" and value not in ("base", "quote", "tick", "n/a"):
        raise UsageError(f'{path}: "{value}" is not a type of volume', 'expected "base", "quote", "tick" or "n/a"')
