"""Explains why something never happened in a run: finds the bar on which its condition was nearest to being true, and
the part of the condition that was false on this bar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from pinebench.calendars.dates import minute_text
from pinebench.checker import BOOL, NamedCall, Program, VariableSymbol, path_of
from pinebench.errors import PinebenchError
from pinebench.runtime import Execution
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from pinebench.why.blocking_conditions import BlockingConditions, Guard, is_empty
from pinebench.why.order_life import NOT_CALLED, order_life
from pinebench.why.why import ExpressionWatch, Tree, fill, plain, reasons_of, run_watched, written
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import opened
from pinebench.workers.request import Request

_MOST_SITES = 20
_DEEPEST = 8
_CALLS = {
    "trades": ("strategy.entry", "strategy.order"),
    "open_trades": ("strategy.entry", "strategy.order"),
    "alerts": ("alert", "alertcondition"),
}
"""The calls that produce the things which each figure counts."""
FIGURES = frozenset(_CALLS)
"""The figures whose conditions are known, in addition to `count`, the number of values of a plot."""


class _ConditionPart(NamedTuple):
    """A part of a condition, and the value that it must have.

    `kind` is `bool`; `case` for a case of a switch, which must equal `subject` or differ from it; `loop` for a limit of
    a loop, or what it goes through; or `value` for a series that must not be na.
    """

    node: nodes.Node
    wanted: bool
    kind: str = "bool"
    subject: nodes.Node | None = None


@dataclass
class _Site:
    """A call with the parts of its condition, which must all hold; `id` is the constant id of an order."""

    callee: str
    line: int
    parts: list[_ConditionPart]
    id: str | None = None


@dataclass
class _ConditionHistory:
    """Notes the values of expressions on all bars: the last one of each bar. Of a condition that must be true or false,
    it is the one that was as wanted, if there is one, because a loop may come to the call in any round."""

    numbers: dict[nodes.Node, int] = field(default_factory=dict[nodes.Node, int])
    values: dict[int, dict[int, Any]] = field(default_factory=dict[int, "dict[int, Any]"])
    wanted: dict[int, bool] = field(default_factory=dict[int, bool])

    def watch(self, part: _ConditionPart) -> None:
        """Note the values of a part, and of its sides."""
        for node in (part.node, part.subject, *_sides(part.node)):
            if node is not None:
                self.values.setdefault(self.numbers.setdefault(node, len(self.numbers)), {})
        if part.kind == "bool":
            self.wanted[self.numbers[part.node]] = part.wanted

    def of(self, node: nodes.Node, bar: int) -> Any:
        """The value of an expression on a bar; `...` if it was not evaluated."""
        return self.values[self.numbers[node]].get(bar, ...)

    def follow(self, execution: Execution) -> None:
        """Note values in `execution` from now on."""
        values, wanted = self.values, self.wanted

        def note(number: int, value: Any) -> Any:
            of_bars, i = values[number], execution.index
            if number not in wanted or of_bars.get(i) is not wanted[number]:
                of_bars[i] = plain(value)
            return value

        execution.watch(note)


def nearest(request: Request, name: str, of: str | None) -> list[str]:
    """Return sentences about why a figure of a run is lower than expected; empty if the reason is unknown.

    `name` is one of `FIGURES`, or `count` for the number of values of the plot with the title `of`. Call this function
    in a worker. Raises the errors of a run.
    """
    program = opened(request.source, request.libraries)
    sites = list(_sites(program, name, of))[:_MOST_SITES]
    history = _ConditionHistory()
    for site in sites:
        for part in site.parts:
            history.watch(part)
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
    if of is not None and site.parts[0].kind == "value":
        return _has_no_value(request, of, site)
    return [_sentence(program, site, history, bar, request.bars.time[bar])]


def nearest_in_worker(request: Request, name: str, of: str | None) -> list[str]:
    """Call `nearest` in a worker: `of` is the plot's title for the figure `count`. Return no sentences if the script
    takes too long, or if anything else fails."""
    try:
        return execute(request, partial(nearest, name=name, of=of), seconds=request.budget.seconds)
    except PinebenchError:
        return []


def why_plotted(request: Request, plot: str, bar: int) -> list[str]:
    """Return sentences about why the plot with the title `plot` is na or false on a bar, with the nearest cause last.
    The list is empty for other values, and if the reason is unknown. Call this function in a worker. Raises the errors
    of a run."""
    program = opened(request.source, request.libraries)
    series = next((_argument(call, "series") for call in program.plots if _title(call) == plot), None)
    if series is None:
        return []
    watch = ExpressionWatch(bar)
    part = Tree(program, watch).part(_shown_if(series))
    error, _ = run_watched(program, request, watch)
    fill(part, watch)
    return [] if error is not None else reasons_of(part, bar)


def _best(site: _Site, history: _ConditionHistory, bars: int) -> tuple[float, float, int]:
    """The share of the parts that held on the best bar, the gap of the one that did not, and the bar."""
    best = (-1.0, 0.0, 0)
    for bar in range(bars):
        held = [_holds(part, history, bar) for part in site.parts]
        share = held.count(True) / len(held)
        if share < best[0]:
            continue
        gap = 0.0 if share == 1 else _gap(_missing(site, held).node, history, bar)
        if (share, -gap) > (best[0], -best[1]):
            best = share, gap, bar
            if share == 1:
                break
    return best


def _holds(part: _ConditionPart, history: _ConditionHistory, bar: int) -> bool | None:
    """Whether a part was as wanted on a bar; None if it was not evaluated."""
    value = history.of(part.node, bar)
    if value is ...:
        return None
    if part.kind == "loop":
        return value is not None and not is_empty(value)
    if part.kind == "value":
        return value is not None
    if part.subject is not None:
        return (value == history.of(part.subject, bar)) == part.wanted
    return bool(value) == part.wanted


def _missing(site: _Site, held: list[bool | None]) -> _ConditionPart:
    """The first part that was not as wanted, or else the first one that was not evaluated."""
    return site.parts[held.index(False) if False in held else held.index(None)]


def _gap(node: nodes.Node, history: _ConditionHistory, bar: int) -> float:
    """How far the sides of a comparison are apart, relative to their size; 1 for everything else."""
    sides = [history.of(side, bar) for side in _sides(node)]
    numbers = [side for side in sides if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(numbers) < 2:
        return 1.0
    size = abs(numbers[0]) + abs(numbers[1])
    return abs(numbers[0] - numbers[1]) / size if size else 0.0


def _sentence(program: Program, site: _Site, history: _ConditionHistory, bar: int, time: int) -> str:
    held = [_holds(part, history, bar) for part in site.parts]
    others = f", {held.count(True)} of {len(held)} parts are true" if len(held) > 1 else ""
    if others and False in held and None in held:
        others += f" ({held.count(None)} not evaluated)"
    state = _state(program, _missing(site, held), history, bar)
    return f"{site.callee} on line {site.line} was nearest on bar {bar} ({minute_text(time)} UTC){others}: {state}"


def _state(program: Program, part: _ConditionPart, history: _ConditionHistory, bar: int) -> str:
    """The words for the value of a part on a bar."""
    text, value = " ".join(program.text_of(part.node).split()), history.of(part.node, bar)
    if value is ...:
        return f"{text} was not evaluated"
    if part.kind == "loop":
        return f"the loop did not run, because {text} is {'na' if value is None else 'empty'}"
    if part.subject is not None:
        subject, is_ = " ".join(program.text_of(part.subject).split()), written(history.of(part.subject, bar))
        return f"{subject} is {is_}, and this case needs {'' if part.wanted else 'another value than '}{written(value)}"
    values = ", ".join(
        f"{' '.join(program.text_of(side).split())} is {written(history.of(side, bar))}"
        for side in _sides(part.node)
        if history.of(side, bar) is not ... and not program.value_of(side)[0]
    )
    return f"{text} is {'false' if part.wanted else 'true'}{f': {values}' if values else ''}"


def _has_no_value(request: Request, plot: str, site: _Site) -> list[str]:
    """The series of a plot is na on each bar: why it is on the last one."""
    told = why_plotted(request, plot, len(request.bars) - 1)
    return [f"{site.callee} on line {site.line} has no value on any bar: {told[-1]}"] if told else []


def _was_true(request: Request, site: _Site, bar: int) -> list[str]:
    """The condition was true on a bar: the life of the order says why there is still no trade."""
    said = f"{site.callee} on line {site.line} ran on bar {bar}"
    if site.id is None:
        return []
    life = order_life(request, site.id, bar)
    return [f"{said}: {life.reasons[0]}"] if life.reasons and life.cause not in ("filled", NOT_CALLED) else []


def _sites(program: Program, name: str, of: str | None) -> Iterator[_Site]:
    if of is not None:
        for call in program.plots:
            series = _argument(call, "series")
            if _title(call) == of and series is not None:
                shown = _shown_if(series)
                type_ = program.type_of(shown)
                is_bool = type_ is not None and type_.base is BOOL
                parts = list(_parts(program, shown, True, 0)) if is_bool else [_ConditionPart(shown, True, "value")]
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
    for way in BlockingConditions(program, call, ExpressionWatch(-1)).ways:
        parts = [part for guard in way for part in _of_guard(program, guard)]
        is_order = callee.startswith("strategy.")
        yield _Site(callee, line, parts, str(id) if is_order and is_constant else None)


def _of_guard(program: Program, guard: Guard) -> Iterator[_ConditionPart]:
    if guard.subject is not None:
        yield _ConditionPart(guard.node, guard.wanted, "case", guard.subject)
    elif guard.is_loop:
        is_known, value = program.value_of(guard.node)
        if not is_known or value is None or value != value:
            yield _ConditionPart(guard.node, True, "loop")
    else:
        yield from _parts(program, guard.node, guard.wanted, 0)


def _parts(program: Program, node: nodes.Node, wanted: bool, depth: int) -> Iterator[_ConditionPart]:
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
            yield _ConditionPart(node, wanted)


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
