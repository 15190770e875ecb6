"""Applies the fixes that findings carry, and takes back every one that does not make the script strictly better."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pinebench.lint.engine import program_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pinebench.check import Program
    from pinebench.diagnostics import Diagnostic, Edit, Fix, Span

ROUNDS = 20
"""How often fixes are applied to what earlier fixes left; each round betters the script, so few are ever needed."""

Score = tuple[int, int, int, int, int]
"""Syntax errors, errors, warnings, infos and hints; a smaller score is a better script."""


class Fixed(NamedTuple):
    """What fixing did: the new text, and the titles of the fixes applied, each with how often."""

    text: str
    applied: Counter[str]


def fix_text(text: str, wanted: Callable[[Diagnostic], bool] | None = None, *, unsafe: bool = False) -> Fixed:
    """Apply every safe fix (with `unsafe` every fix) whose diagnostic is `wanted`, until none is left that helps.

    After each step the script is checked again; a step that does not lower its score is taken back.
    """
    program = program_of(text)
    applied: Counter[str] = Counter()
    for _ in range(ROUNDS):
        fixes = [
            diagnostic.fix
            for diagnostic in program.diagnostics
            if diagnostic.fix is not None and (diagnostic.fix.safe or unsafe) and (wanted is None or wanted(diagnostic))
        ]
        step = _step(program, _without_overlaps(fixes))
        if step is None:
            break
        program, titles = step
        applied.update(titles)
    return Fixed(program.document.text, applied)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with `edits` made; they must not overlap, and their spans count in `text` as it is given."""
    parts: list[str] = []
    position = 0
    for (start, end), replacement in sorted(edits):
        parts += (text[position:start], replacement)
        position = end
    return "".join(parts) + text[position:]


def score(program: Program) -> Score:
    """How bad a checked script is, worst kind of finding first."""
    counts = Counter(diagnostic.severity for diagnostic in program.diagnostics)
    syntax = sum(1 for diagnostic in program.document.diagnostics if diagnostic.severity == 0)
    return (syntax, counts[0], counts[1], counts[2], counts[3])  # type: ignore[index]


def _step(program: Program, fixes: Sequence[Fix]) -> tuple[Program, list[str]] | None:
    """The program after as many of `fixes` as help, with their titles; None when none does."""
    if not fixes:
        return None
    together = _tried(program, fixes)
    if together is not None:
        return together, [fix.title for fix in fixes]
    if len(fixes) == 1:
        return None
    # Some of them do harm: keep the good ones by halves. The second half is looked for again in the next round,
    # because its spans no longer count in the new text.
    half = len(fixes) // 2
    return _step(program, fixes[:half]) or _step(program, fixes[half:])


def _tried(program: Program, fixes: Sequence[Fix]) -> Program | None:
    edits = [edit for fix in fixes for edit in fix.edits]
    after = program_of(apply_edits(program.document.text, edits))
    return after if _is_better(after, program) else None


def _is_better(after: Program, before: Program) -> bool:
    """Whether the score fell and nothing else got worse; a mended syntax error may uncover what it hid."""
    if score(after) >= score(before):
        return False
    return score(after)[0] < score(before)[0] or _by_code(after) <= _by_code(before)


def _by_code(program: Program) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in program.diagnostics)


def _without_overlaps(fixes: Iterable[Fix]) -> list[Fix]:
    """The fixes whose edits touch no edit of an earlier one; those left out come in the next round."""
    taken: list[Span] = []
    kept: list[Fix] = []
    for fix in fixes:
        spans = [edit.span for edit in fix.edits]
        if any(_touches(taken, span) for span in spans):
            continue
        kept.append(fix)
        for span in spans:
            insort(taken, span)
    return kept


def _touches(taken: list[Span], span: Span) -> bool:
    """Whether `span` overlaps or equals one of `taken`, which are sorted and apart from each other."""
    index = bisect_left(taken, span)
    if index > 0 and taken[index - 1].end > span.start:
        return True
    return index < len(taken) and (taken[index] == span or taken[index].start < span.end)
