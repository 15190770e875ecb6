"""Reads the strategies of a portfolio from arguments `FILE@BARS`, or from a TOML file that also has their inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinebench.errors import UsageError
from pinebench.near import near_names

_TABLES = ("inputs", "properties")
_TEXTS = ("script", "data", "name", "timeframe", "symbol-info", "data-timezone", "rates")
_PATHS = ("script", "symbol-info", "rates")


@dataclass(frozen=True)
class PortfolioEntry:
    """A strategy of a portfolio as the user wrote it. File paths are relative to the working folder."""

    script: str
    data: str
    name: str | None = None
    weight: float | None = None
    timeframe: str | None = None
    symbol_info: str | None = None
    data_timezone: str | None = None
    rates: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])


def entries(given: Sequence[str]) -> list[PortfolioEntry]:
    """Return the strategies in the arguments `given`, in order. Raises UsageError if one cannot be read."""
    found: list[PortfolioEntry] = []
    for one in given:
        if one.lower().endswith(".toml") and "@" not in one:
            found += _of_file(Path(one))
        else:
            found.append(_of_text(one))
    return found


def _of_text(text: str) -> PortfolioEntry:
    script, mark, data = text.partition(".pine@")
    script += ".pine" if mark else ""
    if not mark:
        script, _, data = text.partition("@")
    if not script or not data:
        raise UsageError(
            f"{text} is not a strategy with its bars",
            "expected FILE@BARS, for example cross.pine@bars.csv, or a .toml file with the strategies",
        )
    return PortfolioEntry(script, data)


def _of_file(path: Path) -> list[PortfolioEntry]:
    from pinebench.files.toml import read_toml

    told = read_toml(path)
    rest = [name for name in told if name != "strategy"]
    if rest:
        raise UsageError(f"{path}: '{rest[0]}' is not a key of a portfolio", "expected only tables [[strategy]]")
    given = told.get("strategy")
    if not isinstance(given, list) or not given or not all(isinstance(each, dict) for each in given):
        raise UsageError(f"{path}: there are no strategies", "expected a table [[strategy]] for each strategy")
    return [_entry(each, path, f"{path}, strategy {number}") for number, each in enumerate(given, 1)]


def _entry(given: Mapping[str, Any], path: Path, place: str) -> PortfolioEntry:
    from pinebench.market import bar_choice

    for name, value in given.items():
        if name not in (*_TEXTS, *_TABLES, "weight"):
            near = near_names(name, (*_TEXTS, *_TABLES, "weight"), 1)
            hint = f"did you mean '{near[0]}'?" if near else f"the keys are {', '.join((*_TEXTS, 'weight', *_TABLES))}"
            raise UsageError(f"{place}: '{name}' is not a key of a strategy", hint)
        kind = dict if name in _TABLES else (int, float) if name == "weight" else str
        if not isinstance(value, kind) or isinstance(value, bool):
            words = "a table" if name in _TABLES else "a number" if name == "weight" else "a text"
            raise UsageError(f"{place}: {name} is not {words}", f"expected {words}")
    known = dict(given)
    for name in ("script", "data"):
        if name not in known:
            raise UsageError(f"{place}: there is no {name}", 'for example, script = "cross.pine" and data = "bars.csv"')
    names = (*_PATHS, "data") if bar_choice.is_file(known["data"]) else _PATHS
    known |= {name: str(path.parent / known[name]) for name in names if name in known}
    if "weight" in known:
        known["weight"] = float(known["weight"])
    return PortfolioEntry(**{name.replace("-", "_"): value for name, value in known.items()})
