"""Describes a run for people and models: figures, exits, blocks that never ran, texts, and reasons why plots are na."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pinebench.broker import ClosedTrade
from pinebench.calendars.dates import minute_text
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import Program
from pinebench.errors import PinebenchError
from pinebench.market import Bars, SymbolInfo
from pinebench.near import hint_of_names
from pinebench.repaint import na_causes
from pinebench.repaint.causes import Causes
from pinebench.repaint.repaint_report import number
from pinebench.runtime import RequestSource, Result, Runtime, shown
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.totals import total

_FIGURES = (
    "trades",
    "net_profit",
    "net_profit_percent",
    "profit_factor",
    "percent_profitable",
    "max_drawdown_percent",
    "open_trades",
    "commission_paid",
)
_MOST_TEXTS = 12
_MOST_BLOCKS = 8
_LONGEST = 160
"""The largest number of characters that are shown of a text on the chart."""


@dataclass(frozen=True)
class RunSummary:
    """The description of a run.

    `lines` is the whole description. `why` has the reasons why plots are na, by title. `idle` has the blocks that never
    ran, each with the built-in functions that it calls. `places` has the lines of plots, by title. `exits` has a
    sentence for each exit that did not close a trade.
    """

    lines: list[str] = field(default_factory=list[str])
    why: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    idle: list[tuple[str, frozenset[str]]] = field(default_factory=list[tuple[str, frozenset[str]]])
    places: dict[str, int] = field(default_factory=dict[str, int])
    exits: list[str] = field(default_factory=list[str])

    def because(self, name: str, title: str | None) -> list[str]:
        """Return the reasons why a figure of a run, or of the plot `title`, may not be as expected; empty if none is
        known."""
        if title is not None:
            return self.why.get(title, [])
        calls = {"trades": "strategy.entry", "open_trades": "strategy.entry", "alerts": "alert"}.get(name)
        idle = [words for words, called in self.idle if calls in called or (calls and "strategy.order" in called)]
        return [*idle, *self.exits] if calls == "strategy.entry" else idle


Rerun = Callable[[Program, Callable[[Runtime], Result]], Result]
"""Runs a changed script as the described run was run. The function runs all bars and returns the result."""


def account(
    program: Program,
    symbol: SymbolInfo,
    result: Result,
    figures: Mapping[str, Any],
    trades: Sequence[ClosedTrade],
    rerun: Rerun,
) -> RunSummary:
    """Describe the run of `program` that had the result `result`.

    `figures` and `trades` are empty unless the script is a strategy. The script is run once more to find the blocks
    that never run, and at most once for each plot that is na on some bars. If the run stopped with an error, the
    description is empty.
    """
    if result.error is not None:
        return RunSummary()
    causes = Causes(program, symbol.timeframe, result.requests)
    never = _never(program, rerun)

    def run(changed: Program) -> Result:
        return rerun(changed, Runtime.run)

    why: dict[str, list[str]] = {}
    for title, plot in zip(shown.titles_of(result), result.plots, strict=True):
        if any(map(na_causes.is_empty, plot.values)) and plot.function == "plot":
            why[title] = _reasons(causes, result, plot, run, never)
    idle = list(_idle(causes, never))
    places = {title: plot.line for title, plot in zip(shown.titles_of(result), result.plots, strict=True)}
    exits = list(_idle_exits(causes, program, trades)) if figures else []
    lines = [
        *_of_strategy(figures),
        *_closed(trades),
        *exits,
        *(f"a request has no bars: {words} (line {line})" for line, words in _unserved(result)),
        *_of_plots(result, why),
        *_first([words for words, _ in idle], _MOST_BLOCKS, "blocks never ran"),
        *_texts(result),
        *([f"alerts: {len(result.alerts)}"] if result.alerts else []),
    ]
    return RunSummary(lines, why, idle, places, exits)


def bars_in_words(bars: Bars, symbol: SymbolInfo, others: Mapping[str, RequestSource] | None = None) -> list[str]:
    """Describe `bars` and `others` (bars of other symbols by ticker), and the requests that they can answer."""
    own = symbol.full_name
    length = timeframe(symbol.timeframe).in_words()
    given = ", ".join(
        f"{name} ({timeframe(each.symbol.timeframe).in_words()})" for name, each in (others or {}).items()
    )
    span = f", from {minute_text(bars.time[0])} UTC to {minute_text(bars.time[-1])} UTC" if len(bars) else ""
    return [
        f"{len(bars)} bars of {own} in {length}{span}",
        f"Requests get bars of {own} in {length} and longer timeframes"
        + (f", and of {given} in these and longer ones." if given else ".")
        + " A shorter timeframe gives na, another symbol stops the run.",
    ]


def _reasons(causes: Causes, result: Result, plot: Any, run: na_causes.Run, never: Iterable[int]) -> list[str]:
    try:
        return na_causes.reasons(causes, result, plot, run, never)
    except PinebenchError:
        return []  # The script with additional plots cannot be run, so that no reason is known.


def _unserved(result: Result) -> list[tuple[int, str]]:
    return list(dict.fromkeys(na_causes.unserved(each) for each in result.requests if not each.bars))


def _of_strategy(figures: Mapping[str, Any]) -> Iterator[str]:
    known = [(name, figures[name]) for name in _FIGURES if name in figures]
    known = [(name, value) for name, value in known if value or name != "commission_paid"]
    if known:
        yield "figures: " + ", ".join(f"{name} {number(value)}" for name, value in known)


def _closed(trades: Sequence[ClosedTrade]) -> Iterator[str]:
    """A line with the number and the profit of the closed trades of each exit."""
    groups: dict[str, list[ClosedTrade]] = defaultdict(list)
    for trade in trades:
        groups[trade.exit_signal or trade.exit_id].append(trade)
    if groups:
        told = (
            f"{name or 'without a name'} {len(held)} ({total(t.profit for t in held):+.2f})"
            for name, held in groups.items()
        )
        yield "trades by exit: " + ", ".join(told)


def _idle_exits(causes: Causes, program: Program, trades: Sequence[ClosedTrade]) -> Iterator[str]:
    """Yield a sentence for each exit that did not close a trade. It says if the exit waits for an unknown entry."""

    def known(call: Node, argument: str) -> str | None:
        given = causes.arguments(call).get(argument)
        is_known, value = program.value_of(given) if given is not None else (False, None)
        return str(value) if is_known else None

    closing = {trade.exit_id for trade in trades}
    entries = [known(call, "id") for name in ("strategy.entry", "strategy.order") for call in causes.calls_of(name)]
    for call in causes.calls_of("strategy.exit"):
        name, waits_for = known(call, "id"), known(call, "from_entry")
        if name is None or name in closing:
            continue
        because = ""
        if waits_for and None not in entries and waits_for not in entries:
            there = hint_of_names("entries", (f'"{each}"' for each in dict.fromkeys(entries)))
            because = f': no entry is called "{waits_for}" ({there})'
        yield f'strategy.exit "{name}" on line {causes.line(call)} closed no trade{because}'


def _of_plots(result: Result, why: Mapping[str, list[str]]) -> Iterator[str]:
    for title, plot in zip(shown.titles_of(result), result.plots, strict=True):
        if plot.function != "plot":
            count = sum(1 for value in plot.values if plot.is_drawn(value))
            yield f"{plot.function} {title}: shown on {count} of {len(plot.values)} bars"
            continue
        known = [float(value) for value in plot.values if not na_causes.is_empty(value)]
        empty = len(plot.values) - len(known)
        because = f": {'; '.join(why[title])}" if why.get(title) else ""
        if not known:
            yield f"plot {title}: na on all {empty} bars{because}"
            continue
        about = f", na on {empty}{because}" if empty else ""
        last = number(plot.values[-1])
        yield f"plot {title}: {number(min(known))} to {number(max(known))}, last {last}{about}"


def _texts(result: Result) -> Iterator[str]:
    """The texts in tables, labels and boxes, newest labels and boxes first."""
    told: list[str] = []
    for table in result.drawings.get("table", []):
        cells: dict[tuple[int, int], dict[str, Any]] = getattr(table, "cells", {})
        columns = range(max((column for column, _ in cells), default=-1) + 1)
        for row in sorted({row for _, row in cells}):
            texts = (str(cells.get((column, row), {}).get("text") or "").replace("\n", " ") for column in columns)
            told.append(f"table row {row}: {' | '.join(texts)}")
    for kind in ("label", "box"):
        texts = [text for each in result.drawings.get(kind, []) if (text := getattr(each, "text", None))]
        counted = {text: texts.count(text) for text in dict.fromkeys(reversed(texts))}
        told += [f"{kind} text: {text}{f' ({count} times)' if count > 1 else ''}" for text, count in counted.items()]
    lines = [" ".join(line.split())[:_LONGEST] for line in told]
    yield from _first(lines, _MOST_TEXTS, "texts on the chart")


def _first(lines: list[str], most: int, what: str) -> list[str]:
    left = len(lines) - most
    return [*lines[:most], *([f"and {left} more {what}"] if left > 0 else [])]


# what never ran


def _never(program: Program, rerun: Rerun) -> set[int]:
    """Return the first lines of blocks that never ran; empty if the script stops with an error."""
    never: set[int] = set()

    def run(runtime: Runtime) -> Result:
        blocks = runtime.execution.note_blocks()
        result = runtime.run()
        never.update(blocks.known - blocks.reached)
        return result

    return never if rerun(program, run).error is None else set()


def _idle(causes: Causes, never: set[int]) -> Iterator[tuple[str, frozenset[str]]]:
    """The outermost blocks that never ran: a description, and the built-in functions that they call."""
    inside: set[Node] = set()
    for node, body, condition in _bodies(causes):
        line = causes.line(body[0]) if body else 0
        if line not in never or node in inside:
            continue
        within = causes.within(body)
        inside.update(within)
        if line == causes.line(node) and not isinstance(node, nodes.Case):
            continue
        called = dict.fromkeys(name for each in within if (name := causes.called(each)))
        orders = [name for name in called if name.startswith(("strategy.", "alert"))]
        acts = f": it calls {', '.join(orders)}" if orders else ""
        yield f"line {line} never ran ({condition}){acts}", frozenset(called)


def _bodies(causes: Causes) -> Iterator[tuple[Node, Sequence[Node], str]]:
    """Yield every block of the script: the node to which it belongs, its statements, and its condition in words."""
    for node in causes.within(causes.statements):
        if isinstance(node, nodes.If):
            condition = _short(causes.text(node.condition))
            yield node, node.body, f"if {condition}"
            if node.otherwise and not isinstance(node.otherwise[0], nodes.If):
                yield node, node.otherwise, f"else of line {causes.line(node)}"
        elif isinstance(node, nodes.Case):
            yield node, node.body, f"case {_short(causes.text(node.condition))}" if node.condition else "default case"
        elif isinstance(node, nodes.While):
            yield node, node.body, f"while {_short(causes.text(node.condition))}"
        elif isinstance(node, nodes.ForTo | nodes.ForIn):
            yield node, node.body, "for"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:76]} ..."
