"""The goals of a script: expectations about its run, and optionally the absence of repainting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.repaint import repaint_report
from pinebench.repaint.repaint import RepaintVerdict
from pinebench.repaint.run_summary import RunSummary
from pinebench.runtime import Result
from pinebench.testing.expectations import Expectation, ExpectationResult, figures_of, held, parse
from pinebench.why.near_misses import FIGURES


@dataclass(frozen=True)
class Goals:
    """Expectations about a run; `no_repaint` also forbids repainting."""

    expectations: tuple[Expectation, ...] = ()
    no_repaint: bool = False

    def __bool__(self) -> bool:
        return bool(self.expectations) or self.no_repaint

    def judge(
        self,
        result: Result,
        report: Mapping[str, Any] | None,
        check: Callable[[], RepaintVerdict],
        explain: Callable[[], RunSummary] | None = None,
        nearest: Callable[[str, str | None], list[str]] | None = None,
    ) -> GoalsResult:
        """Compare the goals with a run and the `report` of its strategy.

        `check` is called if repainting is forbidden, and `explain` if an expectation is not met. `nearest` is called
        for a figure that is too low, with the figure's name and its plot; it returns sentences about the bar on which
        the figure's condition was nearest to being true. If the script stopped with an error, no goal is met. Raises
        UsageError for an unknown figure or plot, and the errors of the three functions.
        """
        if result.error is not None:
            unknown = [ExpectationResult(each, None, False) for each in self.expectations]
            return GoalsResult(unknown, None, result.error.message, line=result.error.line or 0)
        figures = figures_of(result, report)
        found = [held(each, result, figures) for each in self.expectations]
        told = explain() if explain is not None and not all(each.holds for each in found) else RunSummary()
        explained = [_explained(each, told) for each in found]
        if nearest is not None:
            explained = [_with_nearest(each, nearest) for each in explained]
        return GoalsResult(explained, check() if self.no_repaint else None, places=told.places)


@dataclass(frozen=True)
class GoalsResult:
    """The result for all goals. `stopped` is the message of the error that stopped the script, or None."""

    held: list[ExpectationResult]
    repainting: RepaintVerdict | None = None
    stopped: str | None = None
    places: Mapping[str, int] = field(default_factory=dict[str, int])
    """The lines of plots by title; empty if `explain` was not called."""
    line: int = 0
    """The line on which the script stopped; 0 if it did not stop, or if the line is not known."""

    @property
    def ok(self) -> bool:
        """Whether all goals are met."""
        checked = self.repainting is None or self.repainting.ok
        return self.stopped is None and checked and all(each.holds for each in self.held)

    def report(self) -> dict[str, Any]:
        """Return the result as JSON values: `expectations`, and `repainting` if it was checked."""
        told: dict[str, Any] = {"expectations": [each.report() for each in self.held]}
        if self.repainting is not None:
            told["repainting"] = repaint_report.repainting(self.repainting)
        return told

    def failures(self) -> list[str]:
        """Return a line for each goal that is not met. Its reasons are in indented lines below it."""
        if self.stopped is not None:
            return [f"the script stopped: {self.stopped}"]
        lines = [each.words for each in self.held if not each.holds]
        if self.repainting is not None and not self.repainting.ok:
            lines += repaint_report.in_words(self.repainting)
        return lines

    def findings(self) -> list[tuple[int, str]]:
        """Return the line in the script and a message with reasons for each goal that is not met; the line is 0 if no
        line is known."""
        if self.stopped is not None:
            return [(self.line, f"the script stopped: {self.stopped}")]
        found = [(self.places.get(each.expectation.of or "", 0), each.words) for each in self.held if not each.holds]
        return found + (repaint_report.findings(self.repainting) if self.repainting is not None else [])

    def in_words(self) -> list[str]:
        """Return a line for each goal, met or not."""
        if self.stopped is not None:
            return self.failures()
        lines = [each.words for each in self.held]
        return lines + (repaint_report.in_words(self.repainting) if self.repainting is not None else [])


def _explained(each: ExpectationResult, told: RunSummary) -> ExpectationResult:
    """The same result, with the known reasons if the expectation is not met."""
    why = () if each.holds else tuple(told.because(each.expectation.name, each.expectation.of))
    return replace(each, why=why)


def _with_nearest(each: ExpectationResult, nearest: Callable[[str, str | None], list[str]]) -> ExpectationResult:
    """The same result, with the bar on which the condition of a figure that is too low was nearest to being true."""
    expected = each.expectation
    is_known = expected.name == "count" if expected.of is not None else expected.name in FIGURES
    is_low = each.value is not None and expected.operator in (">", ">=", "==", "=", "!=")
    if each.holds or not is_known or not is_low or (each.value or 0) > expected.number:
        return each
    return replace(each, why=(*each.why, *nearest(expected.name, expected.of)))


def goals(texts: Sequence[str], *, no_repaint: bool = False) -> Goals:
    """Read goals such as `trades>10`. Raises UsageError if a text is not an expectation. `no_repaint` also forbids
    repainting."""
    return Goals(tuple(map(parse, texts)), no_repaint)
