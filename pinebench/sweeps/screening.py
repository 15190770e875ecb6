"""Screens many symbols: one script on the bars of each, a condition on its last values, and a ranked table."""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from pinebench.amounts import aligned
from pinebench.calendars.dates import day_text
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.checker import Program
from pinebench.compiled import TierChoice
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError, UsageError, fault
from pinebench.extras import MissingExtra
from pinebench.files import csv_text
from pinebench.market import MADE_UP, Data, SymbolInfo, bar_choice, samples
from pinebench.printable import json_text
from pinebench.runtime import refuse
from pinebench.sweeps import metrics
from pinebench.sweeps.combination_runs import tier_lines
from pinebench.sweeps.executors import LocalExecutor, Lookers
from pinebench.sweeps.expressions import Expression, FunctionCall
from pinebench.sweeps.symbol_values import LastValues
from pinebench.workers.jobs import request_of
from pinebench.workers.request import Request, Tier

FUNCTIONS = {
    "last": range(1, 2),
    "ago": range(2, 3),
    "change": range(2, 3),
    "highest": range(2, 3),
    "lowest": range(2, 3),
    "mean": range(2, 3),
}
"""The functions that conditions may call, with the number of their arguments: a plot or a column of the bars, and for
some a number of bars."""
_ENDINGS = (".csv", ".parquet")
_CCXT = "ccxt:"
_WEEK = 7 * 86_400_000


class ScreenTarget(NamedTuple):
    """A symbol to screen: its name in the table, its timeframe (None: the file's), and the name of its bars."""

    symbol: str
    timeframe: str | None
    bars: str


@dataclass(frozen=True)
class ScreenRow:
    """A row of the table, for one symbol.

    `values` maps the text of each call in the condition and the ranking to its value. `matches` is None if the
    condition cannot be decided, and `rank` is None if the ranking is unknown. `error` is the reason why a symbol has no
    values, or None.
    """

    symbol: str
    timeframe: str
    values: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    matches: bool | None = None
    rank: float | None = None
    bars: int = 0
    last_time: int | None = None
    error: str | None = None
    is_made_up: bool = False
    """Whether the prices of the symbol are made up."""
    read: str = ""
    """A line that says how the bars were read; empty if they could not be read."""
    choice: TierChoice = field(default=TierChoice("python", ""), compare=False)
    """The tier that ran the script, and why."""
    notes: Sequence[str] = ()
    """Remarks about the bars, and sentences about what the run assumed."""

    @property
    def name(self) -> str:
        """The name of the symbol, with a mark if its prices are made up."""
        return self.symbol + (MADE_UP if self.is_made_up else "")

    def plain(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return {
            "symbol": self.symbol,
            "made_up": self.is_made_up,
            "timeframe": self.timeframe,
            "matches": self.matches,
            "rank": self.rank,
            "values": dict(self.values),
            "bars": self.bars,
            "last_time": self.last_time,
            "read": self.read,
            "error": self.error,
            "tier": self.choice.tier,
            "tier_reason": self.choice.words(),
            "notes": list(self.notes),
        }


def condition_of(text: str) -> Expression:
    """Parse a condition or ranking over the last values of plots and the tester's figures. Raises UsageError."""
    return Expression(text, metrics.names(), FUNCTIONS, metrics.ALIASES)


def places(data: str, symbols: str | None, timeframes: Sequence[str]) -> list[ScreenTarget]:
    """Return the symbols to screen.

    `data` is a folder with CSV and Parquet files, `sample` or `ccxt:EXCHANGE`. `symbols` has names or patterns such as
    `BTC*`, separated by commas; None means all symbols of a folder or the sample market. Raises UsageError if there are
    none.
    """
    for each in timeframes if not data.startswith(_CCXT) else ():
        timeframe_of(each)
    frames: Sequence[str | None] = timeframes or [None]
    wanted = [name.strip() for name in (symbols or "").split(",") if name.strip()]
    if data.startswith(_CCXT):
        found = _of_exchange(data, wanted, timeframes)
    elif data == "sample":
        names = {one.full_name: one.ticker for one in samples.SAMPLES}
        chosen = _chosen(names, wanted, "sample")
        found = [
            ScreenTarget(name, frame, f"sample:{names[name]}@{frame or '1D'}") for name in chosen for frame in frames
        ]
    else:
        files = _files(Path(data))
        chosen = _chosen({name: name for name in files}, wanted, data)
        found = [ScreenTarget(name, frame, str(files[name])) for name in chosen for frame in frames]
    if not found:
        raise UsageError(f"--data {data}: there is no symbol to screen", "expected files .csv or .parquet")
    return found


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise UsageError(f"--data {folder} is not a folder", "expected a folder with bars, ccxt:EXCHANGE, or sample")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in _ENDINGS:
            found[path.name if path.stem in found else path.stem] = path
    return found


def _chosen(names: Mapping[str, str], wanted: Sequence[str], data: str) -> list[str]:
    """Return the names, in order, that match one of the patterns, or whose other name does."""
    if not wanted:
        return list(names)
    chosen: dict[str, None] = {}
    for pattern in wanted:
        hits = [name for name, other in names.items() if _fits(name, pattern) or _fits(other, pattern)]
        if not hits:
            raise UsageError(f"--symbols {pattern}: {data} has no symbol that matches", "* stands for any letters")
        chosen |= dict.fromkeys(hits)
    return list(chosen)


def _fits(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name.upper(), pattern.upper())


def _of_exchange(data: str, wanted: Sequence[str], timeframes: Sequence[str]) -> list[ScreenTarget]:
    if not wanted or any(set(name) & set("*?[") for name in wanted):
        raise UsageError(
            f"--data {data}: an exchange needs a list of symbols", "for example, --symbols BTC/USDT,ETH/USDT"
        )
    steps = timeframes or ["1d"]
    return [ScreenTarget(name, step, f"{data}:{name}:{step}") for name in wanted for step in steps]


def loaded(target: ScreenTarget, count: int) -> Data:
    """Load the last `count` bars of a symbol. Raises the errors of `market.bar_choice`."""
    wanted = None if target.bars.startswith((_CCXT, "sample:")) else target.timeframe
    data = bar_choice.bars_named(target.bars, None, wanted, count)
    if not bar_choice.is_file(target.bars):
        return data
    return data._replace(bars=data.bars.last(count), joined=None, found=tuple(data.remarks))  # remarks of all bars


def screen(
    program: Program,
    symbols: Iterable[ScreenTarget],
    where: Expression,
    rank: Expression | None = None,
    *,
    count: int = bar_choice.BARS,
    inputs: Mapping[str, Any] | None = None,
    context: Context | None = None,
    load: Callable[[ScreenTarget, int], Data] = loaded,
    hands: Lookers | None = None,
    tier: Tier = "auto",
) -> Iterator[ScreenRow]:
    """Run the script on the last `count` bars of each symbol, and yield a row for each, in order. `where` is the
    condition for a match, and `rank` is the value to sort by.

    `hands` is the executor (default: one worker of this process). Only the bars of symbols that are running are in
    memory. A symbol that fails gets a row with the reason. `load` returns the bars of a symbol, and `tier` chooses the
    tier that runs the script. Raises UsageError for a script that does not compile, or for figures of strategies if it
    is an indicator; UnavailableError if an exchange needs an extra; the errors of `hands` and of `context.check`.
    """
    refuse(program, 0, SymbolInfo())
    figures = where.names | (rank.names if rank is not None else set())
    if figures and not program.is_strategy:
        raise UsageError(
            f"{min(figures)} is a figure of strategies, and this script is an indicator",
            "last(TITLE) is the last value of a plot",
        )
    calls = sorted(where.calls | (rank.calls if rank is not None else set()), key=text_of)
    begun: dict[int, ScreenRow] = {}
    ready: dict[int, ScreenRow] = {}

    def asked() -> Iterator[tuple[int, Request]]:
        for number, place in enumerate(symbols):
            if context is not None:
                context.check()
            frame = place.timeframe or ""
            try:
                data = load(place, count)
                frame = timeframe_of(data.symbol.timeframe).text
                request = request_of(program, data.bars, data.symbol, inputs=dict(inputs or {}), tier=tier)
            except (CancelledError, DeadlineError):
                raise
            except PinebenchError as error:
                if isinstance(error, MissingExtra) and place.bars.startswith(_CCXT):
                    raise  # it is the same for all symbols of an exchange
                ready[number] = ScreenRow(place.symbol, frame, error=error.message)
            except Exception as error:  # whatever is wrong with one symbol, the others are screened
                ready[number] = ScreenRow(place.symbol, frame, error=fault(error).message)
            else:
                last = data.bars.time[-1] if len(data.bars) else None
                begun[number] = ScreenRow(
                    *(place.symbol, frame),
                    bars=len(data.bars),
                    last_time=last,
                    is_made_up=data.symbol.is_made_up,
                    read=data.summary,
                    notes=data.remarks,
                )
                yield number, request

    shown = 0
    for number, looked in (hands or LocalExecutor(context)).last_values(asked(), calls):
        ready[number] = _row(begun.pop(number), calls, looked, where, rank)
        while shown in ready:
            yield ready.pop(shown)
            shown += 1
    yield from (ready[number] for number in sorted(ready))


def _row(
    begun: ScreenRow, calls: Sequence[FunctionCall], looked: LastValues, where: Expression, rank: Expression | None
) -> ScreenRow:
    """Complete the row of a symbol with its values, its match and its rank."""
    if looked.error is not None:
        return replace(begun, bars=0, last_time=None, error=looked.error)
    values, figures = dict(zip(calls, looked.values, strict=True)), looked.figures
    told = where.value(figures, values.get)
    named = {text_of(call): value for call, value in values.items()}
    names = sorted(where.names | (rank.names if rank is not None else set()))
    return replace(
        begun,
        values=named | {name: figures.get(name) for name in names},
        matches=None if told is None else bool(told),
        rank=None if rank is None else rank.value(figures, values.get),
        choice=looked.choice,
        notes=(*begun.notes, *looked.notes),
    )


def text_of(call: FunctionCall) -> str:
    """Return a call as text, for example `highest(close, 20)`."""
    words = [each if not isinstance(each, str) or each.isidentifier() else f"'{each}'" for each in call.arguments]
    return f"{call.name}({', '.join(map(str, words))})"


# the table


def ranked(rows: Iterable[ScreenRow]) -> list[ScreenRow]:
    """Sort rows: matching rows by descending rank, then rows that do not match, rows without a decision, and rows with
    an error."""

    def order(row: ScreenRow) -> tuple[int, float]:
        group = 3 if row.error is not None else 2 if row.matches is None else 0 if row.matches else 1
        return group, -row.rank if row.rank is not None else math.inf

    return sorted(rows, key=order)


def report(rows: Sequence[ScreenRow], where: Expression, rank: Expression | None) -> dict[str, Any]:
    """Return the table as JSON values. `where` is the condition for a match, and `rank` is the value to sort by."""
    return {
        "where": where.text,
        "rank": None if rank is None else rank.text,
        "matches": sum(bool(row.matches) for row in rows),
        "failed": sum(row.error is not None for row in rows),
        "remarks": _older(rows),
        "rows": [row.plain() for row in rows],
    }


def as_json(rows: Sequence[ScreenRow], where: Expression, rank: Expression | None, remarks: Sequence[str] = ()) -> str:
    """Return the table as JSON text. `where` is the condition for a match, and `rank` is the value to sort by.
    `remarks` are added to those about the rows."""
    told = report(rows, where, rank)
    told["remarks"] += remarks
    return json_text(told, allow_nan=False) + "\n"


def table(rows: Sequence[ScreenRow]) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the table's columns, and the cells of each row."""
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    heads = ["symbol", "timeframe", "matches", "rank", *names, "bars", "last_time", "read", "error", "notes"]
    cells: list[list[Any]] = []
    for row in rows:
        values = [row.values.get(name) for name in names]
        known = (row.bars, row.last_time, row.read, row.error, "; ".join(row.notes))
        cells.append([row.name, row.timeframe, row.matches, row.rank, *values, *known])
    return heads, cells


def as_csv(rows: Sequence[ScreenRow]) -> str:
    """Return the table as CSV; an unknown value is empty."""
    heads, cells = table(rows)
    return csv_text.as_csv([heads, *(list(map(_cell, row)) for row in cells)])


def _cell(value: Any) -> str | int | float:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def lines(rows: Sequence[ScreenRow], safe: Callable[[str], str]) -> list[list[str]]:
    """Return the matching rows as lists of strings, below a header. `safe` makes names printable."""
    hits = [row for row in rows if row.matches]
    names = list(dict.fromkeys(name for row in hits for name in row.values))
    has_rank = any(row.rank is not None for row in hits)
    told = [["symbol", "timeframe", *(["rank"] if has_rank else []), *map(safe, names)]]
    for row in hits:
        cells = [_figure(row.rank)] if has_rank else []
        told.append([safe(row.name), row.timeframe, *cells, *(_figure(row.values.get(name)) for name in names)])
    return told


def summary(rows: Sequence[ScreenRow], safe: Callable[[str], str]) -> list[str]:
    """Return sentences with the number of matching symbols, and the reasons why symbols failed. `safe` makes foreign
    text safe to print."""
    told = [f"{sum(bool(row.matches) for row in rows):,} of {len(rows):,} match"]
    failed = [row for row in rows if row.error is not None]
    unknown = sum(row.matches is None and row.error is None for row in rows)
    if unknown:
        told.append(f"{unknown:,} cannot be decided, because a value is na")
    told += [safe(f"{row.symbol} {row.timeframe}".rstrip() + f": {row.error}") for row in failed[:20]]
    if len(failed) > 20:
        told.append(f"{len(failed) - 20:,} more failed")
    return [*told, *map(safe, _older(rows)), *map(safe, tier_lines(row.choice for row in rows))]


def _older(rows: Sequence[ScreenRow]) -> list[str]:
    """Return a sentence about symbols whose last bar ended more than a week before the newest one opened, because
    their values are from another time."""
    times = [(row, row.last_time) for row in rows if row.error is None and row.last_time is not None]
    newest = max((time for _, time in times), default=0)
    old = [
        f"{row.name} {row.timeframe} on {day_text(time)}"
        for row, time in times
        if newest - time > timeframe_of(row.timeframe).seconds * 1000 + _WEEK
    ]
    if not old:
        return []
    more = f" and {len(old) - 5:,} more" if len(old) > 5 else ""
    return [
        f"the last bars have different dates: the newest is from {day_text(newest)}, but {', '.join(old[:5])}{more}"
    ]


def as_text(rows: Sequence[ScreenRow], safe: Callable[[str], str]) -> str:
    """Return the matching rows as a text table, and the reasons why symbols failed. `safe` makes names printable."""
    if not any(row.matches for row in rows):
        return "\n".join(summary(rows, safe)) + "\n"
    words = lines(rows, safe)
    return "\n".join([*aligned(words, 2), "", *summary(rows, safe), "", *read_lines(rows, safe)]) + "\n"


def read_lines(rows: Sequence[ScreenRow], safe: Callable[[str], str]) -> list[str]:
    """Return a line about the source of the bars and the assumptions of the run for each of the first 20 matching
    symbols, and then the number of the others. `safe` makes foreign text safe to print."""
    hits = [row for row in rows if row.matches]
    told = [safe(f"{row.name} {row.timeframe}: {'; '.join((row.read, *row.notes))}") for row in hits[:20]]
    return [*told, f"{len(hits) - 20:,} more"] if len(hits) > 20 else told


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:,.6g}"
