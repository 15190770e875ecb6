"""Reduces a script about which two compilers disagree to a few lines that show the same difference.

It first removes statements, many at a time and then one by one. It starts at the end, where nothing depends on them.
Then it simplifies branches and parts of expressions, also from the end, and removes statements that are no longer
needed. Then it removes items of lists, such as arguments, and finally shortens names. Each smaller script must show the
same difference as the original, without any new error. Our checker judges first, which costs nothing, so the other
compiler sees only scripts that pass.
"""

from __future__ import annotations

from typing import NamedTuple

from pinebench.cli.compare import smaller
from pinebench.cli.compare.differences import THEIRS, VerdictComparison, compare, ours, theirs
from pinebench.compilers import Compiler, CompilerUnavailable
from pinebench.context import CancelledError, Context, DeadlineError

LIMIT = 200
"""The default limit of compilations by the other compiler for one script."""


INTERRUPTED = "interrupted"
"""The reason for the end after Ctrl-C."""


class ReducedScript(NamedTuple):
    """The smallest script found with the same difference. `compilations` counts the other compiler's compilations.

    `ended` is the reason for an early end; it is empty if every smaller script was tried.
    """

    text: str
    compilations: int
    ended: str = ""

    @property
    def lines(self) -> int:
        """The number of lines that are not blank."""
        return sum(1 for line in self.text.splitlines() if line.strip())


def reduce(
    text: str,
    found: VerdictComparison,
    compiler: Compiler,
    context: Context,
    libraries: tuple[str, ...] = (),
    limit: int = LIMIT,
) -> ReducedScript:
    """Find the smallest script with the first difference of `found`, which compares our checker and `compiler` on
    `text`.

    `libraries` are folders with the source of imports. After an early end, such as Ctrl-C, the smallest script so far
    is returned. The compiler receives only parts of `text`, with some words replaced by short names or plain values. At
    most `limit` scripts are compiled. Progress is reported to `context`.
    """
    question = _Reduction(text, found, compiler, context, libraries, limit)
    try:
        _shrink(text, found, question)
    except (_Enough, CancelledError, DeadlineError, CompilerUnavailable) as end:
        question.ended = str(end)
    except KeyboardInterrupt:
        question.ended = INTERRUPTED
    return ReducedScript(question.best, question.compilations, question.ended)


def _shrink(text: str, found: VerdictComparison, question: _Reduction) -> None:
    if found.differences:
        text = smaller.sliced(text, found.differences[0].finding.line, question.shows)
    text = smaller.without_comments(text, question.shows)
    before = ""
    while text != before:
        before = text
        for way in (smaller.fewer_statements, smaller.simpler, smaller.fewer, smaller.fewer_lines):
            text = way(text, question.shows)
    text = smaller.shorter_names(text, question.shows)
    smaller.neat(text, question.shows)


class _Enough(Exception):
    """Raised to stop the reduction. The message says why."""


class _Reduction:
    """Decides whether a text still shows the difference. `best` is the last text that did."""

    def __init__(
        self,
        text: str,
        comparison: VerdictComparison,
        compiler: Compiler,
        context: Context,
        libraries: tuple[str, ...],
        limit: int,
    ) -> None:
        self.best = text
        self.compilations = 0
        self.ended = ""
        self._found = comparison
        self._compiler = compiler
        self._context = context
        self._libraries = libraries
        self._limit = limit
        self._known: dict[str, bool] = {}

    def shows(self, text: str) -> bool:
        """Return whether `text` shows the difference. The answer is cached for each text."""
        if text not in self._known:
            self._context.check()
            self._tell()
            self._known[text] = self._ask(text)
        if self._known[text]:
            self.best = text
        return self._known[text]

    def _tell(self) -> None:
        lines, asked = len(self.best.splitlines()), self.compilations
        self._context.progress(f"{lines} lines left, {asked} of {self._limit} compilations", asked / self._limit)

    def _ask(self, text: str) -> bool:
        target = self._found.differences[0].name if self._found.differences else None
        left = ours(text, self._libraries)
        if left.ok != self._found.ours.ok or not left.errors <= self._found.ours.errors:
            return False
        if target is not None and left.says(target[2]) == (target[1] == THEIRS):
            return False
        if self.compilations >= self._limit:
            raise _Enough(f"the limit of {self._limit} compilations was reached")
        self.compilations += 1
        self._tell()
        right = theirs(self._compiler.compile(text, self._context), text)
        if right.ok != self._found.theirs.ok or not right.errors <= self._found.theirs.errors:
            return False
        return target is None or target in {each.name for each in compare(left, right).differences}
