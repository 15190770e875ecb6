"""Fixes for findings: candidates are proposed, and then judged by checking the changed script.

Each family of codes has a module that proposes candidates, and the judge tries them. A fix is certain, and marked as
safe, only if the script itself proves the intention: a form with only one possible reading, a name of an earlier
version with only one successor, or a typing error with only one similar name. Every other fix is a guess.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench.codes import find
from pinebench.linter.suggest import calls, names, scope, syntax, types
from pinebench.linter.suggest.judge import FixJudge, TrialBudget
from pinebench.patterns import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.checker import Program
    from pinebench.diagnostics import Diagnostic, Fix
    from pinebench.linter.suggest.candidate import Candidate
    from pinebench.linter.suggest.judge import Propose

__all__ = ["TrialBudget", "advice_budget", "fixes_for", "was_cut_short", "with_fixes"]

ADVICE = 400_000
"""The number of characters that may be checked to find fixes for one script; this takes at most a second."""
TIMES_CHECKED = 4
"""The number of times that a long script may be checked even if it exceeds `ADVICE`."""

BY_CODE: dict[str, Propose] = {**syntax.BY_CODE, **names.BY_CODE, **calls.BY_CODE, **types.BY_CODE, **scope.BY_CODE}
"""The function that proposes fixes for each code."""


def advice_budget(text: str) -> TrialBudget:
    """Return the budget for finding fixes for `text`."""
    return TrialBudget(max(ADVICE, TIMES_CHECKED * len(text)))


def with_fixes(program: Program, budget: TrialBudget | None = None) -> list[Diagnostic]:
    """Return the findings of `program`, each with its best fix, if any. A fix that a finding already has is a candidate
    too.

    The number of fixes depends on `budget`. If it was used up, the hint of the first finding without a fix says so.
    """
    budget = budget or advice_budget(program.document.text)
    chosen = FixJudge(program, BY_CODE, budget).choose()
    found = [_with_fix(finding, chosen.get(number)) for number, finding in enumerate(program.diagnostics)]
    if budget.ended:
        left = (n for n, finding in enumerate(found) if finding.fix is None and finding.code in BY_CODE)
        number = next(left, None)
        if number is not None:
            found[number] = found[number]._replace(hint=_and(found[number].hint, _ENDED))
    return found


def fixes_for(program: Program, diagnostic: Diagnostic, budget: TrialBudget | None = None) -> list[Fix]:
    """Return every fix for `diagnostic` that improves the script, best first, as far as `budget` allows."""
    judge = FixJudge(program, BY_CODE, budget or advice_budget(program.document.text))
    best = judge.choose([program.diagnostics.index(diagnostic)])
    first = list(best.values())
    others = [candidate for candidate in judge.all_for(diagnostic) if not first or candidate.edits != first[0].edits]
    return [*(candidate.fix() for candidate in first), *(candidate.fix(safe=False) for candidate in others)]


def was_cut_short(findings: Iterable[Diagnostic]) -> bool:
    """Return whether the hint of one of `findings` says that the budget for finding fixes was used up."""
    return any(finding.hint is not None and finding.hint.endswith(_ENDED) for finding in findings)


_ENDED = "The script has too many errors to look for a fix for each one: fix some of them, and check it again."


def _with_fix(finding: Diagnostic, candidate: Candidate | None) -> Diagnostic:
    if finding.code not in BY_CODE:
        return finding
    if candidate is None or _contradicts(candidate, finding.hint):
        # A fix that was not judged may not be safe.
        return finding._replace(fix=finding.fix._replace(safe=False) if finding.fix else None)
    known = find(finding.code)
    hint = None if known is not None and finding.hint == known.why else finding.hint
    return finding._replace(fix=candidate.fix(), hint=_agreeing(hint, candidate) or finding.hint)


_OF_FORM = ("convert with ", "write the number in ", "swap the ", "remove ", "indent as ")
"""The beginnings of titles of fixes that only correct the form, whatever the author meant."""
_WORD = lazy_pattern(r"[a-z.]{3,}")
_EVERYWHERE = frozenset(("with", "the", "two"))


def _contradicts(candidate: Candidate, hint: str | None) -> bool:
    """Whether `hint` says what the author probably meant, and `candidate` is a guess that only corrects the form."""
    if candidate.safe or hint is None or hint.startswith(("expected ", "Did you mean ", "Remove ")):
        return False
    if not candidate.title.startswith(_OF_FORM):
        return False
    words = set(_WORD.findall(candidate.title)) - _EVERYWHERE
    written = [edit.text.strip() for edit in candidate.edits]
    told = hint.lower()
    return not any(word in told for word in words) and not any(text and text in hint for text in written)


def _agreeing(hint: str | None, candidate: Candidate) -> str | None:
    """A hint that agrees with `candidate`.

    A hint that names something else was tried and does not fit, so it is replaced. If there is no hint, or it only says
    what is expected, the hint says what the candidate does.
    """
    if candidate.meant is not None:
        if hint is None:
            return f"Did you mean `{candidate.meant}`?" if candidate.safe or candidate.certain else None
        return hint if f"`{candidate.meant}`" in hint else f"Did you mean `{candidate.meant}`?"
    if hint is None:
        return _title_of(candidate)
    if hint.startswith("expected `"):
        return f"{_title_of(candidate)} Its parameters: {hint.removeprefix('expected ')}."
    if "` is not declared" in hint:
        return _title_of(candidate)
    if hint.startswith("expected "):
        alone = "," not in hint and " or " not in hint
        return f"{_title_of(candidate)} {hint[0].upper()}{hint[1:]}." if alone else _title_of(candidate)
    example = re.search(r"for example `([^`]*)`", hint)
    if example and not any(edit.text.strip() in example[1] for edit in candidate.edits):
        return _title_of(candidate)
    if not hint.startswith("Did you mean `"):
        return hint
    name = hint.split("`")[1].rpartition(".")[2]
    return hint if any(name in edit.text for edit in candidate.edits) else _title_of(candidate)


def _title_of(candidate: Candidate) -> str:
    title = re.sub(r"'([^']+)'", r"`\1`", candidate.title)
    return f"{title[0].upper()}{title[1:]}."


def _and(hint: str | None, more: str) -> str:
    return f"{hint} {more}" if hint else more
