"""Finds the reasons why a plot is na: requests without bars, calls that are still warming up, divisions by zero, and
unset values.

The expressions that a plot depends on are plotted too, in an additional run, so that the reasons are observed facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import BOOL, FLOAT, INT, Program, open_changed, read_script
from pinebench.diagnostics import Severity
from pinebench.repaint.causes import Causes
from pinebench.runtime import MadeRequest, Output, Result
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node

MOST_REASONS = 3
_MOST_PROBES = 30
_LEAST_SHARE = 0.05
"""A reason is reported if it explains at least this share of the bars on which the plot is na."""
_SHORT = 60
"""The largest number of characters of an expression that are quoted."""

Run = Callable[[Program], Result]
"""Runs a changed script on the same bars."""


class _Probe(NamedTuple):
    node: Node
    text: str
    values: Sequence[float | None]


def is_empty(value: object) -> bool:
    """Return whether a value is na. Infinite values count as na, as in `na()`."""
    return value is None or value != value or (isinstance(value, float) and abs(value) == float("inf"))


def reasons(causes: Causes, result: Result, plot: Output, run: Run, never: Iterable[int] = ()) -> list[str]:
    """Return the reasons why `plot` is na on some bars; a reason that explains more bars comes first; empty if none is
    known.

    `never` has the first lines of blocks that never ran.
    """
    empty = {i for i, value in enumerate(plot.values) if is_empty(value)}
    roots = [node for call in causes.calls(plot.function, plot.line) if (node := causes.arguments(call).get("series"))]
    if not empty or not roots:
        return []
    reached = list(causes.reached(roots))
    missing = [unserved(each) for each in result.requests if not each.bars and _asked_by(causes, each, reached)]
    if missing:
        return [f"{words} (line {line})" for line, words in dict.fromkeys(missing)][:MOST_REASONS]
    probes = _probed(causes, reached, run)
    scored: list[tuple[int, str]] = []
    for node in probes:
        told = _told(causes, node, probes, empty)
        if told is not None and told[0] >= _LEAST_SHARE * len(empty):
            scored.append(told)
    scored.sort(key=lambda one: -one[0])
    found = list(dict.fromkeys(words for _, words in scored)) or _unset(causes, reached, set(never))
    return found[:MOST_REASONS]


def unserved(request: MadeRequest) -> tuple[int, str]:
    """Return the line of a request without bars, and a sentence about the request."""
    symbol = request.symbol or "the chart's symbol"
    return request.line, f"{symbol} in {timeframe(request.timeframe).in_words()} is not among the given bars"


def _asked_by(causes: Causes, asked: MadeRequest, reached: Sequence[Node]) -> bool:
    calls = (node for node in reached if isinstance(node, nodes.Call) and causes.called(node).startswith("request."))
    return any(causes.is_own(call) and causes.start(call) == asked.start for call in calls)


# probes


def _probed(causes: Causes, reached: Sequence[Node], run: Run) -> dict[Node, _Probe]:
    """Plot the expressions that can be plotted alone, and return their values. Empty if that fails."""
    chosen = [node for node in reached if _can_be_probed(causes, node)][:_MOST_PROBES]
    texts = {node: causes.text(node) for node in chosen}
    program, kept = _with_plots(causes.program, texts)
    if program is None:
        return {}
    result = run(program)
    if result.error is not None:
        return {}
    found: dict[Node, _Probe] = {}
    for number, node in enumerate(kept):
        found[node] = _Probe(node, " ".join(texts[node].split()), result.plot(f"~{number}"))
    return found


def _can_be_probed(causes: Causes, node: Node) -> bool:
    if not isinstance(node, nodes.Call | nodes.History | nodes.Binary | nodes.Ternary | nodes.Name | nodes.Member):
        return False
    if not causes.is_own(node) or not causes.runs_always(node) or causes.local_names(node):
        return False
    type_ = causes.program.type_of(node)
    return type_ is not None and type_.base in (INT, FLOAT, BOOL)


def _with_plots(program: Program, texts: dict[Node, str]) -> tuple[Program | None, list[Node]]:
    """Return the script with an additional plot of each expression at its end, and the expressions that could be
    plotted. Expressions whose plot does not compile are left out. If the script still does not compile, it is None."""
    kept = list(texts)
    for _ in range(2):
        rows = [_plot(program, node, texts[node], number) for number, node in enumerate(kept)]
        text = program.document.text.rstrip("\n")
        changed = open_changed(program, read_script("\n".join((text, *rows)) + "\n"))
        begins = [len(text) + 1 + sum(len(row) + 1 for row in rows[:number]) for number in range(len(rows))]
        faults = [each.span.start for each in changed.diagnostics if each.severity is Severity.ERROR]
        if not faults:
            return changed, kept
        kept = [
            node
            for node, begin, row in zip(kept, begins, rows, strict=True)
            if not any(begin <= fault <= begin + len(row) for fault in faults)
        ]
    return None, []


def _plot(program: Program, node: Node, text: str, number: int) -> str:
    type_ = program.type_of(node)
    value = f"(({text}) ? 1 : 0)" if type_ is not None and type_.base is BOOL else f"({text})"
    return f'plot({value}, "~{number}")'


# reasons


def _told(causes: Causes, node: Node, probes: dict[Node, _Probe], empty: set[int]) -> tuple[int, str] | None:
    """Return the number of na bars that an expression explains, and the reason in words; None if it explains none. An
    expression explains a bar if it is na there and no other expression inside it is na. `empty` are the na bars."""
    own = {i for i, value in enumerate(probes[node].values) if is_empty(value)}
    within = {each for each in causes.reached([node]) if each is not node and each in probes}
    below = {i for each in within for i, value in enumerate(probes[each].values) if is_empty(value)}
    explained = (own - below) & empty
    if isinstance(node, nodes.Call) and causes.called(node).startswith(("ta.", "math.sum")):
        # A call that warms up is na from the first bar on, even if its arguments are na as well.
        explained = own & empty if not _is_na_all_over(within, probes) else explained
    if not explained:
        return None
    words = _words(causes, node, probes, explained)
    return None if words is None else (len(explained), words)


def _is_na_all_over(within: set[Node], probes: dict[Node, _Probe]) -> bool:
    return any(all(map(is_empty, probes[each].values)) for each in within)


def _words(causes: Causes, node: Node, probes: dict[Node, _Probe], explained: set[int]) -> str | None:
    values, line = probes[node].values, causes.line(node)
    text, bars = _quoted(probes[node].text), len(values)
    if isinstance(node, nodes.Binary):
        zeros = _zeros(node, probes, explained)
        return None if not zeros else f"{text} on line {line} is na where it divides by 0, on {zeros} of {bars} bars"
    if isinstance(node, nodes.Ternary):
        return f"{text} on line {line} chooses na on {len(explained)} of {bars} bars"
    if isinstance(node, nodes.Call | nodes.History):
        first = next((i for i, value in enumerate(values) if not is_empty(value)), None)
        if first is None:
            needed = f": it needs {most}" if (most := _longest(causes, node)) > bars else ""
            return f"{text} on line {line} has no value on any of the {bars} bars{needed}"
        if all(is_empty(value) for value in values[:first]) and first > 0 and len(explained) <= first:
            return f"{text} on line {line} has its first value on bar {first} of {bars} bars"
        return f"{text} on line {line} is na on {len(explained)} of {bars} bars"
    return None


def _longest(causes: Causes, node: Node) -> int:
    """The number of bars that a call of `ta.*` needs for its first value, by its constant lengths; 0 if not known."""
    if not isinstance(node, nodes.Call) or not causes.called(node).startswith("ta."):
        return 0
    lengths = [each for name, each in causes.arguments(node).items() if "length" in name or name.endswith("len")]
    known = [causes.program.value_of(each) for each in lengths]
    return max((int(value) for is_known, value in known if is_known and isinstance(value, int)), default=0)


def _zeros(node: nodes.Binary, probes: dict[Node, _Probe], explained: set[int]) -> int:
    divisor: Node = node.right
    while isinstance(divisor, nodes.Parenthesized):
        divisor = divisor.expression
    if node.operator not in ("/", "%") or divisor not in probes:
        return 0
    return sum(probes[divisor].values[i] == 0 for i in explained)


def _unset(causes: Causes, reached: Sequence[Node], never: set[int]) -> list[str]:
    """A sentence for each variable that begins as na, if all its assignments are in blocks that never ran."""
    found: list[str] = []
    for symbol in dict.fromkeys(causes.variable(node) for node in reached):
        if symbol is None or not symbol.reassignments or not _begins_as_na(symbol.value):
            continue
        lines = [causes.line(write.value) for write in symbol.reassignments if causes.is_own(write.value)]
        if lines and all(line in never for line in lines):
            where = ", ".join(map(str, lines))
            found.append(f"{symbol.name} is never set: line {where} never ran")
    return found


def _begins_as_na(value: Node | None) -> bool:
    return isinstance(value, nodes.Name) and value.id == "na"


def _quoted(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 4]} ..."
