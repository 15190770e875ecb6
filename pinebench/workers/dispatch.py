"""The only way to run a script: a worker runs a request and sends back the result that the caller asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, overload

from pinebench.context import Context
from pinebench.errors import DoesNotCompile, PinebenchError, UnavailableError, UsageError
from pinebench.files.regular_files import MissingFile
from pinebench.repaint.repaint import RepaintVerdict
from pinebench.repaint.run_summary import RunSummary
from pinebench.runtime import NotComputed, RunBudget
from pinebench.workers.jobs import RunResult, explained, perform, repainting
from pinebench.workers.request import Request, WorkerStop
from pinebench.workers.worker_pool import WorkerEnded, shared

AnswerT = TypeVar("AnswerT")
_CLASSES: dict[str, type[PinebenchError]] = {
    each.__name__: each for each in (UsageError, DoesNotCompile, UnavailableError, MissingFile)
}
_BY_CODE: dict[int, type[PinebenchError]] = {2: UsageError, 3: UnavailableError}
"""The exception for each exit code. An exception of another class in a worker is raised here as the class with the same
exit code."""
_SLACK = 256 << 20
"""The bytes that a worker may use in addition to three times its budget (the run, the answer, and its message)."""
_NEARLY = 0.8
_EXPLAINING = 60
"""The seconds of processor time that `explain` may take for additional runs."""
_TOO_LARGE = ("the script is too large to be prepared for a run", "remove parts, or split its longest lines")
_ENDED = (
    "the process that ran the script ended: it needed too much memory, or pinebench has a fault",
    "try fewer bars; if that does not help, please report it",
)


@overload
def execute(request: Request, *, context: Context | None = None) -> RunResult: ...
@overload
def execute(
    request: Request, wanted: Callable[[Request], AnswerT], context: Context | None = None, *, seconds: float = 0
) -> AnswerT: ...
def execute(
    request: Request, wanted: Callable[[Request], Any] = perform, context: Context | None = None, *, seconds: float = 0
) -> Any:
    """Run a script in a worker, and return the result of `wanted(request)`.

    `wanted` is called in the worker. It must be a module-level function, or a `functools.partial` of one. It calls
    `perform` or a similar function, and returns plain values, dataclasses or named tuples. It may use `seconds` of
    processor time in addition to the request's budget. If a worker had to be ended, `wanted` is called once more, with
    a request whose `stop` has the reason: `run-time-limit`, `bar-time-limit` or `memory-limit`. That run reports the
    reason as the error that stopped the script.

    Raises the errors of `wanted` and of `context.check`, and PinebenchError if a worker ended by itself.
    """
    limits = context or Context()
    try:
        return _asked(request, wanted, limits, seconds)
    except WorkerEnded as ended:
        if ended.stop is None:
            raise PinebenchError(*_ENDED) from None
        stopped = replace(request, stop=_stop(ended.stop, ended.spent, request))
    try:
        return _asked(stopped, wanted, limits, seconds)
    except WorkerEnded as again:
        raise PinebenchError(*(_ENDED if again.stop is None else _TOO_LARGE)) from None


def look_for_repainting(request: Request, context: Context | None = None, seconds: float = 60) -> RepaintVerdict:
    """Check in a worker whether the script repaints. No new comparison starts after `seconds`.

    Raises the errors of `repainting` and of `context.check`.
    """
    return execute(request, partial(repainting, seconds=seconds), context, seconds=seconds)


def explain(request: Request, context: Context | None = None) -> RunSummary:
    """Run a script in a worker and describe the run, with reasons. The description is empty if the script stopped with
    an error. Raises the errors of `execute`."""
    return execute(request, explained, context, seconds=_EXPLAINING)


def _stop(stop: WorkerStop, spent: float | None, request: Request) -> WorkerStop:
    """Return the reason why a run was ended: the time limit of one bar only if the limit of the whole run was not
    reached.

    `spent` (seconds) was measured shortly before the end. If it is close to the limit of the whole run, that limit
    counts.
    """
    is_bar = stop.code == "run-time-limit" and spent is not None and spent < _NEARLY * request.budget.seconds
    return stop._replace(code="bar-time-limit" if is_bar else stop.code, spent=spent)


def _asked(request: Request, wanted: Callable[[Request], Any], context: Context, seconds: float) -> Any:
    budget = request.budget
    told = shared.ask(wanted, request, budget.seconds + seconds, memory_of(budget), context)
    return result_of(*told)


def memory_of(budget: RunBudget) -> int:
    """Return the bytes that a worker may use in addition to its initial memory, for a run with this budget."""
    return 3 * budget.memory + _SLACK


def result_of(kind: str, parts: Any) -> Any:
    """Return the result in a worker's answer: `kind` names the outcome, `parts` is the result or the error's arguments.
    Raises the error that the worker sent."""
    match kind:
        case "done":
            return parts
        case "not computed":
            raise NotComputed(*parts)
        case "refused":
            name, code, message, hint = parts
            raise _CLASSES.get(name, _BY_CODE.get(code, PinebenchError))(message, hint)
        case "memory":
            raise WorkerEnded(WorkerStop("memory-limit"))
        case _:
            raise RuntimeError(f"a worker failed:\n{parts[0]}")
