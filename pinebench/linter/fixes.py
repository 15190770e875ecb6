"""Applies the fixes of findings, and undoes each fix that does not make the script better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial

from pinebench.checker import Program, open_changed, open_program
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Diagnostic, Edit, Fix
from pinebench.linter.engine import diagnostics_of
from pinebench.linter.rules import opinions_on
from pinebench.linter.suggest import TrialBudget, was_cut_short
from pinebench.linter.suggest.candidate import ChangedSpans
from pinebench.linter.suppress import hider
from pinebench.records import NamedTuple
from pinebench.syntax.changes import document_after
from pinebench.syntax.edits import Shift

ROUNDS = 20
"""The largest number of rounds of fixes. Each round must improve the script, so few rounds are needed."""

CHARACTERS_TRIED = 2_000_000
"""The largest number of characters that are checked to find and try fixes, so that a script full of errors is fixed in
seconds."""

Score = tuple[int, int, int, int, int]
"""The number of syntax errors, errors, warnings, infos and hints; a smaller score is a better script."""


class Guess(NamedTuple):
    """An unsafe fix that was applied: its title, and the line where it was applied."""

    line: int
    title: str


class FixResult(NamedTuple):
    """The result of fixing: the new text, the number of times that each fix was applied, by its title, and the unsafe
    fixes.

    `ended` is true if the budget for trying fixes was used up before all fixes were tried.
    """

    text: str
    applied: Counter[str]
    guesses: tuple[Guess, ...] = ()
    ended: bool = False


def fix_text(
    text: str,
    should_fix: Callable[[Diagnostic], bool] | None = None,
    *,
    unsafe: bool = False,
    libraries: tuple[str, ...] = (),
    opinions: Collection[str] = (),
    heeds_comments: bool = False,
    diagnostics: Sequence[Diagnostic] | None = None,
) -> FixResult:
    """Fix the script `text` like `fix_program`, with the same arguments. The folders `libraries` hold its libraries."""
    program = open_program(text, libraries)
    return fix_program(
        program, should_fix, unsafe=unsafe, opinions=opinions, heeds_comments=heeds_comments, diagnostics=diagnostics
    )


def fix_program(
    program: Program,
    should_fix: Callable[[Diagnostic], bool] | None = None,
    *,
    unsafe: bool = False,
    opinions: Collection[str] = (),
    heeds_comments: bool = False,
    diagnostics: Sequence[Diagnostic] | None = None,
) -> FixResult:
    """Apply every safe fix (with `unsafe` every fix) whose diagnostic `should_fix` accepts, until none helps.

    The rules with the codes `opinions` run when the checker's findings offer no more fixes that help. With
    `heeds_comments`, findings that a comment in the script hides are left alone. `diagnostics` are the diagnostics with
    their fixes if the caller has them already.

    After each step the script is checked again. A step is undone if neither it nor a later step lowers the `score`. The
    fix of a rule is undone if it does not remove the rule's finding, or if the checker then reports something new.
    """
    budget = TrialBudget(CHARACTERS_TRIED)
    mending, tidying = _Trials(budget, _helped_checker), _Trials(budget, partial(_helped_rules, opinions))
    best = FixResult(program.document.text, Counter())
    least = score(program)
    applied: Counter[str] = Counter()
    guesses: list[Guess] = []
    seen = {best.text}
    hidden = _nothing
    # The caller's own search may have had too small a budget.
    diagnostics = None if diagnostics is None or was_cut_short(diagnostics) else sorted(diagnostics, key=_by_place)

    def offers(findings: Iterable[Diagnostic]) -> list[OfferedFix]:
        asked_for = (each for each in findings if (should_fix is None or should_fix(each)) and not hidden(each))
        return _offers(asked_for, unsafe=unsafe)

    for _ in range(ROUNDS):
        reported = diagnostics_of(program, budget) if diagnostics is None else diagnostics
        hidden = hider(program.document) if heeds_comments else _nothing
        # Syntax errors come first: they hide declarations, so other findings about names cannot be trusted yet.
        kept, after = _best(program, offers(_of_syntax(program, reported)), mending)
        if after is None:
            kept, after = _best(program, offers(reported), mending)
        tidied = after is None and bool(opinions)
        if tidied:
            kept, after = _best(program, offers(opinions_on(program, opinions)), tidying)
        if after is None or after.document.text in seen:
            break
        diagnostics = None
        seen.add(after.document.text)
        applied.update(offer.fix.title for offer in kept)
        guesses += _guesses(program, kept)
        program = after
        if tidied or score(program) < least:
            least = score(program)
            best = FixResult(program.document.text, applied.copy(), tuple(guesses))
    return best._replace(ended=budget.ended)


def changed(program: Program, edits: Iterable[Edit]) -> Program:
    """Return `program` with `edits`, at least one, applied to its script. Only the edited top-level statements are
    parsed again."""
    return open_changed(program, document_after(program.document, edits))


def _of_syntax(program: Program, found: Iterable[Diagnostic]) -> list[Diagnostic]:
    broken = {(diagnostic.code, diagnostic.span) for diagnostic in program.document.diagnostics}
    return [diagnostic for diagnostic in found if (diagnostic.code, diagnostic.span) in broken]


def _guesses(program: Program, applied: Iterable[OfferedFix]) -> list[Guess]:
    """The unsafe fixes among `applied`, with their lines in `program`, the script before them."""
    position = program.document.lines.position
    unsafe = [offer.fix for offer in applied if not offer.fix.safe]
    return [Guess(position(fix.edits[0].span.start).line, fix.title) for fix in unsafe]


def _by_place(finding: Diagnostic) -> tuple[int, int, str]:
    return finding.span.start, finding.severity, finding.code


def _nothing(_: Diagnostic) -> bool:
    return False


def score(program: Program) -> Score:
    """Return the numbers of syntax errors and of diagnostics of each severity, errors first. A smaller score is
    better."""
    counts = Counter(diagnostic.severity for diagnostic in program.diagnostics)
    syntax = sum(1 for diagnostic in program.document.diagnostics if diagnostic.severity == 0)
    return (syntax, counts[0], counts[1], counts[2], counts[3])  # type: ignore[index]


class OfferedFix(NamedTuple):
    """A fix, and the code and the position of the finding that offers it."""

    code: str
    start: int
    fix: Fix


def _offers(diagnostics: Iterable[Diagnostic], *, unsafe: bool) -> list[OfferedFix]:
    """The fixes that may be applied, without those that overlap an earlier one."""
    return _without_overlaps(
        OfferedFix(diagnostic.code, diagnostic.span.start, diagnostic.fix)
        for diagnostic in diagnostics
        if diagnostic.fix is not None and (diagnostic.fix.safe or unsafe)
    )


def helps(program: Program, finding: Diagnostic, fix: Fix) -> bool:
    """Return whether the checker reports nothing new after `fix`, and the rule that reported `finding`, if any, does
    not repeat it."""
    offer = OfferedFix(finding.code, finding.span.start, fix)
    opinions = (finding.code,) if finding.code in opinion_codes() else ()
    return _helped_rules(opinions, changed(program, fix.edits), program, [offer])


class _Trials:
    """Checks changed scripts until the budget is used up."""

    def __init__(self, budget: TrialBudget, helped: Callable[[Program, Program, Sequence[OfferedFix]], bool]) -> None:
        """`helped` says whether the fixes, which led from the second program to the first, help."""
        self._budget = budget
        self._helped = helped

    def after(self, program: Program, offers: Sequence[OfferedFix]) -> Program | None:
        """The program after `offers`; None if they do not help or the budget is used up."""
        if not offers or not self._budget.take(len(program.document.text)):
            return None
        after = changed(program, [edit for offer in offers for edit in offer.fix.edits])
        return after if self._helped(after, program, offers) else None


def _helped_checker(after: Program, before: Program, offers: Sequence[OfferedFix]) -> bool:
    """Whether fixes of the checker's findings help."""
    helped = _is_better(after, before) and (len(offers) == 1 or _all_helped(after, before, offers))
    return helped or _leads_on(after, before, offers)


def _helped_rules(opinions: Collection[str], after: Program, before: Program, offers: Sequence[OfferedFix]) -> bool:
    """Whether the checker reports nothing new and each of `offers`, which fix findings of rules, removed its finding.

    A finding counts as removed if the number of findings with its code fell by the number of offers with that code, or
    if no finding with its code is left at its place. Fixes may uncover findings elsewhere.
    """
    if not _by_code(after) <= _by_code(before):
        return False
    left = opinions_on(after, opinions)
    fewer = Counter(found.code for found in opinions_on(before, opinions))
    fewer.subtract(found.code for found in left)
    shift = Shift(edit for offer in offers for edit in offer.fix.edits)
    places = {(found.code, shift.edit_at(found.span.start) or shift.before(found.span.start)) for found in left}
    wanted = Counter(offer.code for offer in offers)
    return all(
        fewer[offer.code] >= wanted[offer.code]
        or not any((offer.code, place) in places for place in (offer.start, *offer.fix.edits))
        for offer in offers
    )


def _best(
    program: Program, offers: Sequence[OfferedFix], trials: _Trials
) -> tuple[Sequence[OfferedFix], Program | None]:
    """The largest group of `offers` that helps, and the program after it; `((), None)` if none helps."""
    groups = _helpful(program, offers, trials)
    if len(groups) > 1:
        together = [offer for group, _ in groups for offer in group]
        after = trials.after(program, together)
        if after is not None:
            return together, after
    return groups[0] if groups else ((), None)


def _helpful(
    program: Program, offers: Sequence[OfferedFix], trials: _Trials
) -> list[tuple[Sequence[OfferedFix], Program]]:
    """Return the offers that help, in groups, each with the program after it; groups are found by trying halves."""
    after = trials.after(program, offers)
    if after is not None:
        return [(offers, after)]
    if len(offers) < 2:
        return []
    half = len(offers) // 2
    return _helpful(program, offers[:half], trials) + _helpful(program, offers[half:], trials)


def _is_better(after: Program, before: Program) -> bool:
    """Whether the score fell and no other kind of finding got worse. If there are fewer syntax errors, new findings are
    accepted, because the syntax errors may have hidden them."""
    if score(after) >= score(before):
        return False
    if score(after)[0] < score(before)[0]:
        return True
    counted = _counter(before)
    return counted(after) <= counted(before)


def _leads_on(after: Program, before: Program, offers: Sequence[OfferedFix]) -> bool:
    """Whether safe fixes removed an error and uncovered another one, without a higher number of errors. Safe fixes can
    only uncover errors that other fixes can remove."""
    if not score(before)[1] or not all(offer.fix.safe for offer in offers) or score(after)[:2] > score(before)[:2]:
        return False
    gone = _errors_by_code(before) - _errors_by_code(after)
    return any(offer.code in gone for offer in offers)


def _all_helped(after: Program, before: Program, offers: Sequence[OfferedFix]) -> bool:
    """Whether each fix removed a finding with its code, so that a fix that fails is not hidden by others that work."""
    counted = _counter(before)
    return counted(after) <= counted(before) - Counter(offer.code for offer in offers)


def _counter(before: Program) -> Callable[[Program], Counter[str]]:
    """Return the function that counts findings by code for a comparison of a script before and after a fix.

    Errors hide warnings. If there were errors, warnings that appear after a fix were there before, so only errors are
    counted.
    """
    return _errors_by_code if score(before)[1] else _by_code


def _errors_by_code(program: Program) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in program.diagnostics if diagnostic.severity == 0)


def _by_code(program: Program) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in program.diagnostics)


def _without_overlaps(offers: Iterable[OfferedFix]) -> list[OfferedFix]:
    """The offers whose edits do not overlap an edit of an earlier offer; the others come again in the next round."""
    taken = ChangedSpans()
    kept: list[OfferedFix] = []
    for offer in offers:
        if taken.meets(offer.fix.edits):
            continue
        kept.append(offer)
        taken.add(offer.fix.edits)
    return kept
