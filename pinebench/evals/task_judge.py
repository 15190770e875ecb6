"""The judge: decides by checking, running and comparing whether an answer solves a task. No model takes part."""

from __future__ import annotations

import contextlib
import json
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pinebench.authoring.reply import plain, script_in
from pinebench.checker import Program, open_program
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.diagnostics import Severity
from pinebench.errors import PinebenchError, UsageError
from pinebench.evals.script_behaviour import Placement, ScriptBehaviour, observe
from pinebench.evals.tasks import Task, TaskCase
from pinebench.linter.repainting import look_for_repainting
from pinebench.runtime import RunBudget, declared_arguments, inputs_of
from pinebench.syntax.document import find_version
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request

TOLERANCE = 1e-9
"""The largest relative difference between two numbers that count as the same."""
_BUDGET = RunBudget(memory=512 << 20)
_REPAINTING_SECONDS = 60.0
"""The seconds after which the search for repainting begins no further run."""
_BEHAVIOUR = (
    "initial_capital currency slippage commission_type commission_value margin_long margin_short calc_on_order_fills "
    "calc_on_every_tick calc_on_every_history_tick process_orders_on_close use_bar_magnifier close_entries_rule "
    "fill_orders_on_standard_ohlc backtest_fill_limits_assumption"
).split()
"""The arguments of `strategy()` that must equal ours: some change nothing on the hidden bars, but affect real
trading."""
_STRICT_KINDS = ("change", "migrate")
"""The kinds of tasks whose script must not fire more alerts than ours, because everything else must stay as it is."""
_NO_CODE = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//.*")
_REQUEST = re.compile(r"\brequest\.\w+\s*\(")
_OBJECT = re.compile(r"\{[^{}]*\}")
_NOT_COMPUTED = "not computed"
_USER = "eval"
"""The user's name in the path of a library that is judged."""


@dataclass(frozen=True)
class TaskVerdict:
    """The judge's decision. `stage` is the stage at which an answer failed, and `reason` says why. Both are empty if it
    passed.

    The stages are `answer`, `check`, `declaration`, `inputs`, `limits`, `run`, `plots`, `alerts`, `trades`, `drawings`,
    `table`, `repainting`, `fault`, and `not computed` for a script that pinebench cannot run.
    """

    passed: bool
    stage: str = ""
    reason: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the script was judged. A script that pinebench cannot run may be right."""
        return self.stage != _NOT_COMPUTED


_PASSED = TaskVerdict(True)


class _StageFailure(Exception):
    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(reason)
        self.verdict = TaskVerdict(False, stage, reason)


class Judge:
    """Judges the answers to one task. The expected behaviour is computed once.

    `salt` chooses the hidden bars: a run of the benchmark has its own, so that the bars are not known in advance.
    """

    def __init__(self, task: Task, context: Context | None = None, salt: str = "") -> None:
        self.task = task
        self.cases = task.cases(salt)
        """The hidden cases that decide the verdict."""
        self._context = context or Context()
        self._expected: dict[str, ScriptBehaviour] = {}

    def judge(self, answer: str) -> TaskVerdict:
        """Decide whether the text of an answer, with its code block, solves the task.

        Raises the errors of `context.check`, and PinebenchError if our own solution cannot be run.
        """
        try:
            if self.task.instance.fault is not None:
                self._judge_fault(answer)
            else:
                source = script_in(answer)
                if source is None:
                    raise _StageFailure("answer", "the answer has no script")
                self._judge_script(source)
        except _StageFailure as failed:
            return failed.verdict
        return _PASSED

    def expected(self, case: TaskCase) -> ScriptBehaviour:
        """Return the required behaviour: our own solution's behaviour, with the oracle's values if there is an
        oracle. Raises PinebenchError if our own solution stops with an error."""
        if case.name not in self._expected:
            instance = self.task.instance
            seen = self._seen(instance.reference, case)
            if seen.error:
                raise PinebenchError(f"{self.task.id}: our own solution stops: {seen.error}")
            if instance.oracle is not None:
                for title, values in instance.oracle(case.bars, case.inputs).items():
                    if title in seen.signs:
                        seen.signs[title] = [bool(value) for value in values]
                    else:
                        seen.plots[title] = [float(value) for value in values]
            self._expected[case.name] = seen
        return self._expected[case.name]

    # the parts of a decision

    def _judge_fault(self, answer: str) -> None:
        wanted = self.task.instance.fault
        found: list[dict[str, Any]] = []
        for text in _OBJECT.findall(plain(answer)):
            try:
                read = json.loads(text)
            except ValueError:
                continue
            if isinstance(read, dict) and {"line", "code"} <= read.keys():
                found.append(read)
        if not found:
            raise _StageFailure("answer", 'the answer has no JSON object with "line" and "code"')
        if len({json.dumps(each, sort_keys=True) for each in found}) > 1:
            raise _StageFailure("answer", "the answer names several faults")
        assert wanted is not None
        line, code = found[0]["line"], found[0]["code"]
        if type(line) is not int or line != wanted.line:
            raise _StageFailure("fault", f"the fault is not on line {str(line)[:20]}")
        if code != wanted.code:
            raise _StageFailure("fault", f"the line is right, but the fault is not {str(code)[:40]}")

    def _judge_script(self, source: str) -> None:
        instance = self.task.instance
        program = _checked(source)
        self._declared(program)
        if instance.requests is not None:
            count = len(_REQUEST.findall(_NO_CODE.sub("", source)))
            if count > instance.requests:
                raise _StageFailure("limits", f"it has {count} request.*() calls; the limit is {instance.requests}")
        for case in self.cases:
            with _failing("run", f"{case.name}: "):
                seen = self._seen(source, case)
            if seen.error:
                raise _StageFailure("run", f"{case.name}: the script stops with an error: {seen.error}")
            _compare(self.expected(case), seen, case.name, self.task.kind in _STRICT_KINDS)
        if instance.steady:
            self._judge_repainting(source)

    def _declared(self, program: Program) -> None:
        sort = self.task.family.sort
        declaration = program.declaration
        found = declaration.name if declaration is not None else "no declaration"
        if found != sort:
            raise _StageFailure("declaration", f"the script is of the wrong kind: {found} instead of {sort}")
        given = declared_arguments(program)
        for name, value in self.task.instance.settings.items():
            if given.get(name) != value:
                raise _StageFailure("declaration", f"{name} is not {str(value).lower()} in the declaration")
        self._has_our_inputs(program)
        if sort == "strategy":
            for name in _BEHAVIOUR:
                if given.get(name) != self._declared_by_us.get(name):
                    wanted = _written(self._declared_by_us.get(name))
                    raise _StageFailure("declaration", f"{name} is {_written(given.get(name))} instead of {wanted}")

    def _has_our_inputs(self, program: Program) -> None:
        """Raise _StageFailure if an input of our solution is missing, or has another default."""
        given = {each.title: each.default for each in inputs_of(program)}
        for each in inputs_of(self._solution):
            if each.title not in given:
                raise _StageFailure("inputs", f'there is no input "{each.title}"')
            if given[each.title] != each.default:
                raise _StageFailure(
                    "inputs", f'the default of the input "{each.title}" is not {_written(each.default)}'
                )

    @cached_property
    def _solution(self) -> Program:
        return open_program(self.task.instance.reference, fresh=True)

    @cached_property
    def _declared_by_us(self) -> dict[str, Any]:
        """The arguments of our own solution's declaration."""
        return declared_arguments(self._solution)

    def _seen(self, source: str, case: TaskCase) -> ScriptBehaviour:
        if self.task.family.sort != "library":
            return execute(self._request(source, case), observe, self._context)
        name = _library_name(self.task.instance.caller)
        with tempfile.TemporaryDirectory(prefix="pinebench-eval-") as folder:
            path = Path(folder, _USER, name)
            path.mkdir(parents=True)
            (path / "1.pine").write_text(source, encoding="utf-8")
            return execute(self._request(self.task.instance.caller, case, (folder,)), observe, self._context)

    def _request(self, source: str, case: TaskCase, libraries: tuple[str, ...] = ()) -> Request:
        return Request(source, case.bars, case.symbol, inputs=case.inputs, libraries=libraries, budget=_BUDGET)

    def _judge_repainting(self, source: str) -> None:
        request = self._request(source, self.cases[0])
        with _failing("repainting"):
            found = look_for_repainting(request, self._context, _REPAINTING_SECONDS)
        if found.error is not None:
            raise _StageFailure("repainting", f"the script stops with an error: {found.error}")
        for each in found.repaints:
            raise _StageFailure("repainting", f"it repaints: {each.name} on line {each.line}")
        if not found.ok:
            raise _StageFailure("repainting", f"it is not proved that the script does not repaint: {found.missing[0]}")


@contextlib.contextmanager
def _failing(stage: str, place: str = "") -> Iterator[None]:
    """Make a _StageFailure of an error in the block: with `stage` if the script is at fault, or `not computed` if
    pinebench cannot run it. Cancelled work says nothing about the script."""
    try:
        yield
    except (CancelledError, DeadlineError):
        raise
    except UsageError as error:
        raise _StageFailure(stage, f"{place}{error.message}") from None
    except PinebenchError as error:
        raise _StageFailure(_NOT_COMPUTED, error.message) from None


def _checked(source: str) -> Program:
    version, _ = find_version(source)
    if version != 6:
        raise _StageFailure("check", f"it is Pine v{version or 1}, not v6")
    program = open_program(source, fresh=True)
    for each in program.diagnostics:
        if each.severity is Severity.ERROR:
            line = source.count("\n", 0, each.span.start) + 1
            raise _StageFailure("check", f"it does not compile: line {line}: {each.message}")
    return program


def _library_name(caller: str) -> str:
    found = re.search(rf"^import {_USER}/(\w+)/1 ", caller, re.MULTILINE)
    assert found is not None, "the caller of a library imports it"
    return found[1]


def _compare(expected: ScriptBehaviour, seen: ScriptBehaviour, where: str, is_strict: bool) -> None:
    """Raise _StageFailure at the first difference. Outputs of kinds that the task does not use are allowed.

    If `is_strict`, more alerts are not allowed. Alerts of `alertcondition()` fire only for people who choose them.
    """
    for title, values in expected.plots.items():
        if title not in seen.plots:
            raise _StageFailure("plots", f'there is no plot "{title}"')
        _series("plots", f'{where}: plot "{title}"', values, seen.plots[title])
    for title, shown in expected.signs.items():
        if title not in seen.signs:
            raise _StageFailure("plots", f'there is no shape, character or background "{title}"')
        _series("plots", f'{where}: "{title}"', shown, seen.signs[title])
    for title, placement in expected.placements.items():
        _place(f'{where}: "{title}"', placement, seen.placements[title])
    if expected.alerts or is_strict:
        _rows("alerts", f"{where}: alerts", expected.alerts, seen.alerts)
    if expected.conditions:
        _rows("alerts", f"{where}: alerts of alertcondition()", expected.conditions, seen.conditions)
    _rows("trades", f"{where}: closed trades", expected.trades, seen.trades)
    _rows("trades", f"{where}: open trades", expected.open, seen.open)
    for kind, rows in expected.drawings.items():
        _rows("drawings", f"{where}: drawings of the kind {kind}", rows, seen.drawings.get(kind, []))
    for place, text in expected.cells.items():
        if seen.cells.get(place, "") != text:
            raise _StageFailure("table", f"{where}: the cell in column, row {place} has another text")


def _place(what: str, expected: Placement, found: Placement) -> None:
    if expected.offset != found.offset:
        raise _StageFailure("plots", f"{what} has the offset {found.offset} instead of {expected.offset}")
    if expected.last != found.last:
        shown, wanted = ("all bars" if n is None else f"the last {n} bars" for n in (found.last, expected.last))
        raise _StageFailure("plots", f"{what} is shown on {shown} instead of {wanted}")
    if expected.is_hidden != found.is_hidden:
        raise _StageFailure("plots", f"{what} is {'hidden' if found.is_hidden else 'shown'} by its argument display")


def _series(stage: str, what: str, expected: Sequence[Any], found: Sequence[Any]) -> None:
    size = max((abs(value) for value in expected if value == value), default=1.0)
    for bar, (one, other) in enumerate(zip(expected, found, strict=True)):
        if not _same(one, other, size):
            raise _StageFailure(stage, f"{what} differs on bar {bar}")


def _rows(stage: str, what: str, expected: Sequence[tuple[Any, ...]], found: Sequence[tuple[Any, ...]]) -> None:
    if len(expected) != len(found):
        raise _StageFailure(stage, f"{what}: {len(found)} instead of {len(expected)}")
    for one, other in zip(sorted(expected, key=_key), sorted(found, key=_key), strict=True):
        for value, given in zip(one, other, strict=True):
            if not (_same(value, given, abs(value)) if isinstance(value, int | float) else value == given):
                raise _StageFailure(stage, f"{what}: one differs ({_told(other)})")


def _key(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_rank(value) for value in row)


def _rank(value: Any) -> tuple[str, float]:
    if not isinstance(value, int | float):
        return str(value), 0.0
    return "", -math.inf if math.isnan(value) else float(f"{value:.9g}")


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _told(row: tuple[Any, ...]) -> str:
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in row)[:120]


def _same(one: Any, other: Any, size: float) -> bool:
    if not isinstance(other, int | float):
        return False
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE * max(size, 1e-6))
