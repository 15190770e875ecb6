"""Shrinks a script that two compilers judge differently to a few lines that they still judge so.

Statements go first, many at once and then one by one, from the end, where nothing depends on them; then branches and
parts of expressions, from the end too, each time with what is needed no more; then what stands in lists, such as
arguments, and last the names. Each smaller script must show the very difference that the whole one showed, and no error
that it did not have: our checker is asked first, which costs nothing, and the other compiler only about what passes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pinebench.comparing import smaller
from pinebench.comparing.differences import THEIRS, Comparison, compare, ours, theirs
from pinebench.compilers import CompilerUnavailable
from pinebench.context import CancelledError, DeadlineError

if TYPE_CHECKING:
    from pinebench.compilers import Compiler
    from pinebench.context import Context

LIMIT = 200
"""How often another compiler is asked at most for one script."""


INTERRUPTED = "interrupted"
"""Why no more was tried after Ctrl-C."""


class Reduced(NamedTuple):
    """The smallest script that was found with the same difference, how often the other compiler was asked, and why no
    more was tried; empty where nothing smaller shows it."""

    text: str
    compilations: int
    ended: str = ""

    @property
    def lines(self) -> int:
        """Lines that are not blank."""
        return sum(1 for line in self.text.splitlines() if line.strip())


def reduce(
    text: str,
    found: Comparison,
    compiler: Compiler,
    context: Context,
    libraries: tuple[str, ...] = (),
    limit: int = LIMIT,
) -> Reduced:
    """The smallest script that was found with the first difference of `found`, which is what our checker and `compiler`
    say about `text`; `libraries` are the folders with the source of imports.

    What ends it early, Ctrl-C too, loses nothing of what was reached. Only parts of `text`, and a few words of Pine in
    the place of others, are given to the compiler. Progress is told to `context`.
    """
    question = _Question(text, found, compiler, context, libraries, limit)
    try:
        _shrink(text, found, question)
    except (_Enough, CancelledError, DeadlineError, CompilerUnavailable) as end:
        question.ended = str(end)
    except KeyboardInterrupt:
        question.ended = INTERRUPTED
    return Reduced(question.best, question.compilations, question.ended)


def _shrink(text: str, found: Comparison, question: _Question) -> None:
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
    """No more is tried; the words say why."""


class _Question:
    """Whether a text still shows the difference; `best` is the last that did."""

    def __init__(
        self,
        text: str,
        found: Comparison,
        compiler: Compiler,
        context: Context,
        libraries: tuple[str, ...],
        limit: int,
    ) -> None:
        self.best = text
        self.compilations = 0
        self.ended = ""
        self._found = found
        self._compiler = compiler
        self._context = context
        self._libraries = libraries
        self._limit = limit
        self._known: dict[str, bool] = {}

    def shows(self, text: str) -> bool:
        """Whether `text` shows the difference; each text is asked about once."""
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
