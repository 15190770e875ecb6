"""Explains an order from the call that placed it to its fill or its end, or why there was no such order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pinebench.backtesting.backtest import NO_STRATEGY
from pinebench.broker import CLOSE_ALL_ID, observed
from pinebench.checker import Program, path_of
from pinebench.errors import UsageError
from pinebench.near import near_names
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from pinebench.why.blocking_conditions import BlockingConditions
from pinebench.why.order_recorder import OrdersSeen, OrderStep
from pinebench.why.why import ExpressionPart, ExpressionWatch, refuse_faulty, run_watched
from pinebench.workers.jobs import opened
from pinebench.workers.request import Request

_CLOSE_ALL = "strategy.close_all"
_PLACING = frozenset({"strategy.entry", "strategy.order", "strategy.exit", "strategy.close", _CLOSE_ALL})
_LAST = ("filled", "ended", "refused")
NOT_CALLED = "not-called"
WAITING = "waiting"


@dataclass
class OrderLife:
    """The answer about the orders with one id on one bar.

    `cause` is `filled`, `waiting` (until the last bar), `not-called`, `error` (the script stopped), a refusal of the
    broker (`broker.refusals`), or the reason why the order left the book (`broker.observed`). `reasons` are sentences,
    with the nearest cause last. `steps` are the steps of each order that was called, waited or was filled on the bar.
    `parts` are the conditions that kept the call from running.
    """

    bar: int
    time: int
    order: str
    cause: str
    reasons: list[str]
    steps: list[OrderStep]
    parts: list[ExpressionPart] = field(default_factory=list[ExpressionPart])
    error: str | None = None
    """The error that stopped the script before or on the bar."""

    def report(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        return {
            "bar": self.bar,
            "time": self.time,
            "order": self.order,
            "cause": self.cause,
            "reasons": self.reasons,
            "steps": [step.report() for step in self.steps],
            "parts": [part.report() for part in self.parts],
            "error": self.error,
        }


def order_life(request: Request, order: str, bar: int) -> OrderLife:
    """Run the strategy, and explain the orders with the id `order` on the bar `bar` (from 0).

    The id of `strategy.close` is the id of the entry that it closes. Call this function in a worker. Raises UsageError
    if the script is not a strategy, or if it has no call with this id, and the errors of a run.
    """
    program = opened(request.source, request.libraries)
    refuse_faulty(program, "the script does not compile")
    if not program.is_strategy:
        raise UsageError(*NO_STRATEGY)
    watch, seen = ExpressionWatch(bar), OrdersSeen(order, bar)
    sites = [(call, BlockingConditions(program, call, watch)) for call in _sites(program, order)]
    error, _ = run_watched(program, request, watch, seen)
    steps = _of_bar(seen.steps, bar)
    answer = OrderLife(bar, request.bars.time[bar], order, "", [], steps, error=error)
    if error is not None:
        answer.cause = "error"
        answer.reasons = ["the script stopped with an error, so its orders are not valid"]
    elif steps:
        _tell(answer, seen, bar, len(request.bars))
    else:
        _tell_absence(answer, program, seen, sites)
    return answer


def _of_bar(steps: list[OrderStep], bar: int) -> list[OrderStep]:
    """The life of each order that has a step on the bar, and the calls on the bar that placed none."""
    concerned = {step.order for step in steps if step.order and step.bar <= bar <= (step.until or step.bar)}
    chosen = [step for step in steps if step.order in concerned or (step.bar == bar and not step.order)]
    return sorted(chosen, key=lambda step: (step.bar, step.what != "waited"))


def _tell(answer: OrderLife, seen: OrdersSeen, bar: int, bars: int) -> None:
    """Set the cause and the reasons from the steps; calls on the bar itself come first."""
    numbers = dict.fromkeys(step.order for step in answer.steps if step.order)
    called = dict.fromkeys(step.order for step in answer.steps if step.bar == bar and step.what == "called")
    of_calls = [step for step in answer.steps if not step.order and step.what == "refused"]
    causes = [step.cause for step in of_calls]
    answer.reasons = [_at(step) for step in of_calls]
    for number in sorted(numbers, key=lambda one: one not in called):
        own = [step for step in answer.steps if step.order == number]
        last = _last(own)
        if last is not None:
            causes.append(last.cause)
            nearest = seen.nearest(number) if last.what == "ended" else None
            answer.reasons.append(_at(last) + (f"; {_nearest(nearest)}" if nearest is not None else ""))
            continue
        causes.append(WAITING)
        nearest = seen.nearest(number)
        waits = [step for step in own if step.what == "waited"]
        words = f"not filled until the last bar ({bars - 1})"
        if nearest is not None:
            words += f"; {_nearest(nearest)}"
        elif waits:
            words += f": {waits[-1].text}"
        elif bar == bars - 1:
            words += ": no bar follows"
        answer.reasons.append(words)
    answer.cause = causes[0] if causes else WAITING


def _last(steps: list[OrderStep]) -> OrderStep | None:
    """The step that tells what became of an order. An exit that was filled may stay, until nothing is left to close."""
    found = [step for step in steps if step.what in _LAST]
    filled = [step for step in found if step.what == "filled"]
    return filled[-1] if filled and found[-1].cause == observed.OVER else found[-1] if found else None


def _at(step: OrderStep) -> str:
    return f"bar {step.bar}: {step.text}"


def _nearest(step: OrderStep) -> str:
    return f"the nearest price was on bar {step.bar}: {step.text}"


def _tell_absence(
    answer: OrderLife, program: Program, seen: OrdersSeen, sites: list[tuple[nodes.Call, BlockingConditions]]
) -> None:
    """Say why no call with the id ran on the bar: the condition before each call that was not as needed."""
    answer.cause = NOT_CALLED
    if not sites and seen.steps:  # the id of an order that a close or a rule makes
        answer.reasons.append(_elsewhere([step.bar for step in seen.steps], answer.bar))
        return
    if not sites:
        known = sorted({id for ids in seen.ids.values() for id in ids} | set(_constant_ids(program)))
        near = near_names(answer.order, known, 1)
        hint = (
            f"did you mean '{near[0]}'?"
            if near
            else f"the ids are {', '.join(known)}"
            if known
            else "the script has no orders"
        )
        raise UsageError(f"the script has no order with the id '{answer.order}'", hint)
    for name, line in seen.idle_cancels:
        answer.reasons.append(f"strategy.{name} on line {line} ran, and no order with this id was waiting")
    for call, reaching in sites:
        line = program.document.lines.position(program.span(call).start).line
        callee = path_of(call.callee)
        if not reaching.ways:
            answer.reasons.append(f"{callee} on line {line} was not called: no code calls its function")
            continue
        barriers = reaching.barriers(answer.bar)
        if not barriers:
            answer.reasons.append(f"{callee} on line {line} did not run with this id on this bar")
        for barrier in barriers:
            first, *more = barrier.reasons
            answer.reasons += [f"{callee} on line {line} was not called: {first}", *more]
            if barrier.part is not None:
                answer.parts.append(barrier.part)


def _elsewhere(bars: list[int], bar: int) -> str:
    """That no order concerns a bar, with the nearest of the bars that orders concern."""
    before = max((each for each in bars if each < bar), default=None)
    after = min((each for each in bars if each > bar), default=None)
    places = [f"the previous one on bar {before}"] if before is not None else []
    places += [f"the next one on bar {after}"] if after is not None else []
    return f"no order with this id was placed, waited or was filled on this bar: {', '.join(places)}"


def _sites(program: Program, order: str) -> list[nodes.Call]:
    """The calls that may place an order with the id: with this constant, or with an id that is computed."""
    found = [(call, _id_of(program, call)) for call in _placing(program)]
    exact = [call for call, (is_constant, id) in found if is_constant and id == order]
    return exact or [call for call, (is_constant, _) in found if not is_constant]


def _constant_ids(program: Program) -> Iterator[str]:
    for call in _placing(program):
        is_constant, id = _id_of(program, call)
        if is_constant:
            yield str(id)


def _placing(program: Program) -> Iterator[nodes.Call]:
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Call) and path_of(node.callee) in _PLACING:
                yield node


def _id_of(program: Program, call: nodes.Call) -> tuple[bool, Any]:
    """Whether the id of a call is a constant, and the constant."""
    if path_of(call.callee) == _CLOSE_ALL:
        return True, CLOSE_ALL_ID
    for argument in call.arguments:
        if not isinstance(argument, nodes.NamedArgument):
            return program.value_of(argument)
        if argument.name == "id":
            return program.value_of(argument.value)
    return False, None
