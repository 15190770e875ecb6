"""Says why something never happened in a run: the bar on which its condition was nearest to being true, and the part of
the condition that was false there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from pinebench.checker import BOOL, NamedCall, Program, VariableSymbol, path_of
from pinebench.errors import PinebenchError
from pinebench.execution.executing import execute
from pinebench.execution.order_life import order_life
from pinebench.execution.performing import opened
from pinebench.execution.reaching import Reaching
from pinebench.execution.request import Request
from pinebench.execution.why import Tree, Watching, fill, plain, reasons_of, run_watched, written
from pinebench.runtime import Execution
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_MOST_SITES = 20
_DEEPEST = 8
_CALLS = {
    "trades": ("strategy.entry", "strategy.order"),
    "open_trades": ("strategy.entry", "strategy.order"),
    "alerts": ("alert", "alertcondition"),
}
"""The calls that make what a figure counts."""
FIGURES = frozenset(_CALLS)
"""The figures whose conditions are known; the number of values of a plot, `count`, is another one."""


@dataclass
class _Site:
    """A call with the parts of its condition; `id` is the constant id of an order."""

    callee: str
    line: int
    parts: list[tuple[nodes.Node, bool]]
    """The parts that must all hold: each with the value that it must have."""
    id: str | None = None


@dataclass
class _History:
    """Notes the values of expressions on all bars: the last one of each bar."""

    numbers: dict[nodes.Node, int] = field(default_factory=dict[nodes.Node, int])
    values: dict[int, dict[int, Any]] = field(default_factory=dict[int, "dict[int, Any]"])

    def watch(self, node: nodes.Node) -> None:
        number = self.numbers.setdefault(node, len(self.numbers))
        self.values.setdefault(number, {})

    def of(self, node: nodes.Node, bar: int) -> Any:
        """The value of an expression on a bar; `...` if it was not evaluated."""
        return self.values[self.numbers[node]].get(bar, ...)

    def follow(self, execution: Execution) -> None:
        """Note values in `execution` from now on."""
        values = self.values

        def note(number: int, value: Any) -> Any:
            values[number][execution.index] = plain(value)
            return value

        execution.watch(note)


def nearest(request: Request, name: str, of: str | None) -> list[str]:
    """Sentences about why a figure of a run is lower than expected; empty if nothing is known.

    `name` is one of `FIGURES`, or `count` with the title `of` of a plot. It is called in a worker. Raises the errors of
    a run.
    """
    program = opened(request.source, request.libraries)
    sites = list(_sites(program, name, of))[:_MOST_SITES]
    history = _History()
    for site in sites:
        for node, _ in site.parts:
            for each in (node, *_sides(node)):
                history.watch(each)
    if not history.numbers:
        return []
    error, _ = run_watched(program, request, history)
    if error is not None:
        return []
    ranked = [(*_best(site, history, len(request.bars)), site) for site in sites if site.parts]
    if not ranked:
        return []
    share, _, bar, site = max(ranked, key=lambda one: (one[0], -one[1], one[2]))
    if share == 1:
        return _was_true(request, site, bar)
    return [_sentence(program, site, history, bar, request.bars.time[bar])]


def nearest_in_worker(request: Request, name: str, of: str | None) -> list[str]:
    """`nearest` in a worker. A script that needs too long for it, or something else that fails, has no reasons."""
    try:
        return execute(request, partial(nearest, name=name, of=of), seconds=request.budget.seconds)
    except PinebenchError:
        return []


def why_plotted(request: Request, plot: str, bar: int) -> list[str]:
    """Why the plot with the title `plot` is na, false or 0 on a bar: sentences, the nearest cause last.

    It is called in a worker. Empty if nothing is known. Raises the errors of a run.
    """
    program = opened(request.source, request.libraries)
    series = next((_argument(call, "series") for call in program.plots if _title(call) == plot), None)
    if series is None:
        return []
    watch = Watching(bar)
    part = Tree(program, watch).part(_shown_if(series))
    error, _ = run_watched(program, request, watch)
    fill(part, watch)
    return [] if error is not None else reasons_of(part, bar)


def _best(site: _Site, history: _History, bars: int) -> tuple[float, float, int]:
    """The share of the parts that held on the best bar, the gap of the first that did not, and the bar."""
    best = (-1.0, 0.0, 0)
    for bar in range(bars):
        values = [history.of(node, bar) for node, _ in site.parts]
        holds = [
            value is not ... and bool(value) == wanted for value, (_, wanted) in zip(values, site.parts, strict=True)
        ]
        share = sum([1 for one in holds if one]) / len(holds)
        if share < best[0]:
            continue
        gap = 0.0 if share == 1 else _gap(site.parts[holds.index(False)][0], history, bar)
        if (share, -gap) > (best[0], -best[1]):
            best = share, gap, bar
            if share == 1:
                break
    return best


def _gap(node: nodes.Node, history: _History, bar: int) -> float:
    """How far the sides of a comparison are apart, relative to their size; 1 for everything else."""
    sides = [history.of(side, bar) for side in _sides(node)]
    numbers = [side for side in sides if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(numbers) < 2:
        return 1.0
    size = abs(numbers[0]) + abs(numbers[1])
    return abs(numbers[0] - numbers[1]) / size if size else 0.0


def _sentence(program: Program, site: _Site, history: _History, bar: int, time: int) -> str:
    held = [history.of(node, bar) is not ... and bool(history.of(node, bar)) == wanted for node, wanted in site.parts]
    node, wanted = site.parts[held.index(False)]
    text = " ".join(program.text_of(node).split())
    values = ", ".join(
        f"{' '.join(program.text_of(side).split())} is {written(history.of(side, bar))}"
        for side in _sides(node)
        if history.of(side, bar) is not ... and not program.value_of(side)[0]
    )
    moment = datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    state = f"{text} is {'false' if wanted else 'true'}"
    others = f", {sum(held)} of {len(held)} parts hold" if len(held) > 1 else ""
    return (
        f"{site.callee} on line {site.line} was nearest on bar {bar} ({moment} UTC){others}: {state}"
        f"{f': {values}' if values else ''}"
    )


def _was_true(request: Request, site: _Site, bar: int) -> list[str]:
    """The condition was true on a bar: the life of the order says why there is still no trade."""
    said = f"{site.callee} on line {site.line} ran on bar {bar}"
    if site.id is None:
        return []
    life = order_life(request, site.id, bar)
    return [f"{said}: {life.reasons[0]}"] if life.reasons and life.cause != "filled" else []


def _sites(program: Program, name: str, of: str | None) -> Iterator[_Site]:
    if of is not None:
        for call in program.plots:
            series = _argument(call, "series")
            if _title(call) == of and series is not None:
                parts = list(_parts(program, _shown_if(series), True, 0))
                yield _Site(f"'{of}'", program.document.lines.position(program.span(call.node).start).line, parts)
        return
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Call) and path_of(node.callee) in _CALLS.get(name, ()):
                yield from _of_call(program, node)


def _of_call(program: Program, call: nodes.Call) -> Iterator[_Site]:
    callee, line = path_of(call.callee) or "", program.document.lines.position(program.span(call).start).line
    first = call.arguments[0] if call.arguments else None
    value = first.value if isinstance(first, nodes.NamedArgument) else first
    if callee == "alertcondition":
        if value is not None:
            yield _Site(callee, line, list(_parts(program, value, True, 0)))
        return
    is_constant, id = program.value_of(value) if value is not None else (False, None)
    for way in Reaching(program, call, Watching(-1)).ways:
        parts = [
            part
            for guard in way
            if guard.subject is None
            for part in _parts(program, guard.node, guard.wanted, 0)
        ]  # fmt: skip
        is_order = callee.startswith("strategy.")
        yield _Site(callee, line, parts, str(id) if is_order and is_constant else None)


def _parts(program: Program, node: nodes.Node, wanted: bool, depth: int) -> Iterator[tuple[nodes.Node, bool]]:
    """The parts that must hold together, so that a condition is as wanted; variables are replaced by their values."""
    if isinstance(node, nodes.Parenthesized):
        yield from _parts(program, node.expression, wanted, depth)
    elif isinstance(node, nodes.Binary) and node.operator == ("and" if wanted else "or"):
        yield from _parts(program, node.left, wanted, depth)
        yield from _parts(program, node.right, wanted, depth)
    elif isinstance(node, nodes.Unary) and node.operator == "not":
        yield from _parts(program, node.operand, not wanted, depth)
    else:
        value = _value(program, node) if depth < _DEEPEST else None
        if value is not None:
            yield from _parts(program, value, wanted, depth + 1)
        elif not program.value_of(node)[0]:
            yield node, wanted


def _value(program: Program, node: nodes.Node) -> nodes.Node | None:
    """The value of a global bool variable that is assigned once, or None."""
    symbol = program.symbol_of(node) if isinstance(node, nodes.Name) else None
    if not isinstance(symbol, VariableSymbol):
        return None
    found: list[nodes.Node] = []
    for chunk in program.document.chunks:
        for each in walk(chunk.body):
            if isinstance(each, nodes.VariableDeclaration) and program.symbol_of(each.name) is symbol:
                if each.mode is not None or each not in chunk.body:
                    return None
                found.append(each.value)
            elif isinstance(each, nodes.Reassignment) and program.symbol_of(each.target) is symbol:
                return None
    type_ = program.type_of(found[0]) if len(found) == 1 else None
    is_plain = type_ is not None and type_.base is BOOL and not isinstance(found[0], nodes.STRUCTURES)
    return found[0] if is_plain else None


def _shown_if(series: nodes.Node) -> nodes.Node:
    """The condition of a series that is na without it."""
    inner = series
    while isinstance(inner, nodes.Parenthesized):
        inner = inner.expression
    is_empty = (
        isinstance(inner, nodes.Ternary) and isinstance(inner.otherwise, nodes.Name) and inner.otherwise.id == "na"
    )
    return inner.condition if isinstance(inner, nodes.Ternary) and is_empty else inner


def _sides(node: nodes.Node) -> list[nodes.Node]:
    """The two sides of a comparison, or the arguments of a call; none of everything else."""
    if isinstance(node, nodes.Binary):
        return [node.left, node.right]
    if isinstance(node, nodes.Call):
        return [one.value if isinstance(one, nodes.NamedArgument) else one for one in node.arguments]
    return []


def _argument(call: NamedCall, parameter: str) -> nodes.Node | None:
    return next((one.node for one in call.call.arguments if one.parameter == parameter), None)


def _title(call: NamedCall) -> object:
    return next((one.value for one in call.call.arguments if one.parameter == "title" and one.is_constant), None)
