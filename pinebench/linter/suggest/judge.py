"""Tries candidates on a script, and decides which of them help and which are safe.

A candidate helps if its finding is gone and nothing is worse. It is safe under three conditions: it claims that the
script itself proves the intention, no other candidate with the same claim helps as well, and the changed statement has
no errors afterwards. Errors that the finding had hidden may be left if they have safe fixes themselves.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from pinebench.diagnostics import Edit, Severity
from pinebench.linter.suggest.candidate import Candidate, ChangedSpans
from pinebench.linter.suggest.facts import Facts
from pinebench.records import NamedTuple
from pinebench.syntax.changes import document_after
from pinebench.syntax.document import form
from pinebench.syntax.edits import Shift, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pinebench.checker import Program
    from pinebench.diagnostics import Diagnostic
    from pinebench.syntax import Document, Snapshot

    Propose = Callable[[Facts, Diagnostic], Iterable[Candidate]]

CANDIDATES = 60
"""The largest number of candidates that are parsed for one finding; if there are more, none of them is safe unless it
is certain."""
CHECKED = 12
"""The largest number of parsed candidates that are checked; if there are more, none of them is safe."""
CHAINED = 3
"""The largest number of findings in one statement that are fixed one after another, each uncovered by the previous
fix."""
NAMES_COMPARED = 500
"""The cost of the search for candidates, in characters checked: some hundred names are compared with each unknown
name."""
EACH_NAME = 8
"""The cost that each name of the script adds to NAMES_COMPARED, in characters checked."""
EACH_FINDING = 100
"""The cost of reporting a finding, in characters checked."""


class TrialBudget:
    """The number of characters that may still be parsed and checked to find fixes. All users of one object share it."""

    def __init__(self, characters: int) -> None:
        self.left = characters
        self.ended = False
        """Whether something was left out because the budget was used up."""

    def take(self, characters: int) -> bool:
        """Subtract `characters` and return True, or return False if nothing is left."""
        if self.left <= 0:
            self.ended = True
            return False
        self.left -= characters
        return True


Score = tuple[int, int, int, int]
"""The numbers of syntax errors, of all errors, of warnings and of other findings; smaller is better."""
_Key = tuple[str, int]
"""A finding's code and its start in the text before any edit."""


class _TrialResult(NamedTuple):
    """The result of a check after some edits. `errors` are the errors of each logical line, by the start of the
    line."""

    score: Score
    findings: Counter[_Key]
    faults: frozenset[_Key]
    errors: dict[int, list[_Key]]
    lines: dict[int, int]
    """The start of the logical line, in the changed text, of each examined place."""
    beside: dict[int, bool]
    """Whether there is a syntax error in the top-level statement of each place, or in the statement before or after
    it."""


class FixJudge:
    """The findings of one checked script, and the fixes that help."""

    def __init__(self, program: Program, propose: Mapping[str, Propose], budget: TrialBudget, chained: int = 0) -> None:
        self._facts = Facts(program)
        self._program = program
        self._propose = propose
        self._budget = budget
        self._chained = chained
        self._text = program.document.text
        self._cost = len(self._text) + EACH_FINDING * len(program.diagnostics)
        self._faults = len(program.document.diagnostics)
        self._syntax = frozenset(program.document.diagnostics)
        self._before = score(program)
        self._known = Counter((finding.code, finding.span.start) for finding in program.diagnostics)
        self._errors = frozenset(_errors_of(program))

    def choose(self, wanted: Iterable[int] | None = None) -> dict[int, Candidate]:
        """Return the best fix of each finding that has one, by the finding's index in the program's list.

        `wanted` lists the indices of the findings to try; None means all of them. Findings that were not tried are not
        in the result.
        """
        numbers = range(len(self._program.diagnostics)) if wanted is None else list(wanted)
        findings = self._program.diagnostics
        syntax = [number for number in numbers if findings[number] in self._syntax]
        chosen: dict[int, Candidate] = {}
        for number in syntax:
            found = self._of_syntax(findings[number])
            if found:
                chosen[number] = found[0]
        self._confirm(chosen)
        settled = len(chosen) == self._faults and all(candidate.safe for candidate in chosen.values())
        others = [number for number in numbers if findings[number] not in self._syntax]
        meant = self._of_meaning(others)
        if not settled and self._syntax:
            # While there is still a syntax error, the meaning of names is uncertain.
            meant = {number: candidate._replace(safe=False) for number, candidate in meant.items()}
        self._confirm(meant)
        return {**chosen, **meant}

    def all_for(self, finding: Diagnostic) -> list[Candidate]:
        """Return every candidate for `finding` that helps, best first, without deciding which of them are safe."""
        if finding in self._syntax:
            return self._of_syntax(finding)
        helpful = [(self._tried((candidate,)), candidate) for candidate in self._candidates(finding)]
        found = [
            (trial.score, candidate) for trial, candidate in helpful if trial and self._helps(trial, candidate, finding)
        ]
        return [candidate for _, candidate in sorted(found, key=lambda pair: pair[0])]

    # proposing

    @cached_property
    def _names(self) -> int:
        """The number of names that the script declares; each unknown name is compared with all of them."""
        program = self._program
        kinds = (*program.types.values(), *program.enums.values())
        return len(program.variables) + len(program.functions) + len(kinds) + sum(len(kind.fields) for kind in kinds)

    def _candidates(self, finding: Diagnostic) -> list[Candidate]:
        """The candidates for `finding`, each set of edits once. If there are more than CANDIDATES, only those that are
        certain stay safe."""
        propose = self._propose.get(finding.code)
        if propose is None:
            return []
        chunk = self._program.document.chunk_at(finding.span.start)
        if not self._budget.take(NAMES_COMPARED + EACH_NAME * self._names + len(chunk.text) // 4):
            return []
        found: dict[tuple[Edit, ...], Candidate] = {}
        for candidate in propose(self._facts, finding):
            if candidate.edits:
                found.setdefault(candidate.edits, candidate)
        if finding.fix is not None:
            found.setdefault(finding.fix.edits, Candidate(*finding.fix))
        candidates = list(found.values())
        if len(candidates) > CANDIDATES:
            candidates = [
                candidate._replace(safe=candidate.safe and candidate.certain) for candidate in candidates[:CANDIDATES]
            ]
        return candidates

    # syntax errors, one at a time

    def _of_syntax(self, finding: Diagnostic) -> list[Candidate]:
        parsed = [candidate for candidate in self._candidates(finding) if self._parses_better(candidate, finding)]
        if len(parsed) < 2 or (parsed[0].safe and parsed[0].certain):
            return parsed[:1]
        if len(parsed) > CHECKED:
            return [candidate._replace(safe=False) for candidate in parsed]
        trials = [(self._tried((candidate,)), candidate) for candidate in parsed]
        if any(trial is None for trial, _ in trials):
            return [candidate._replace(safe=False) for candidate in parsed]
        scored = [(trial, candidate) for trial, candidate in trials if trial]
        scored.sort(key=lambda pair: pair[0].score)
        rivals = [c for trial, c in scored if c.safe and not self._unsound(trial, (c,), finding)]
        if len(rivals) > 1 and not (rivals[0].certain or self._same_tree(rivals)):
            return [candidate._replace(safe=False) for _, candidate in scored]
        return [*rivals[:1], *(candidate for _, candidate in scored if candidate not in rivals[:1])]

    def _parses_better(self, candidate: Candidate, finding: Diagnostic) -> bool:
        """Whether the changed script has fewer syntax errors, and `finding` is not one of them; only the changed chunks
        are parsed."""
        (start, end), _ = joined(self._text, candidate.edits)
        chunk = self._program.document.chunk_at(start)
        cost = len(chunk.text) + end - start + EACH_FINDING * self._faults
        if not self._budget.take(cost):
            return False
        scratch = self._changed(candidate.edits)
        faults = scratch.diagnostics
        shift = Shift(candidate.edits)
        gone = (finding.code, finding.span.start) not in {
            (fault.code, shift.before(fault.span.start)) for fault in faults
        }
        return gone and len(faults) < self._faults

    def _same_tree(self, candidates: Sequence[Candidate]) -> bool:
        """Whether all candidates lead to the same tree."""
        trees: set[tuple[object, ...]] = set()
        for candidate in candidates:
            if not self._budget.take(len(self._text)):
                return False
            trees.add(form(self._changed(candidate.edits)))
        return len(trees) == 1

    # other errors and warnings, many at once

    def _of_meaning(self, numbers: Sequence[int]) -> dict[int, Candidate]:
        """The first candidate that helps, for each finding.

        A safe candidate is preferred. If several safe candidates help, the chosen one is not safe any more, unless it
        is certain.
        """
        left = {number: self._candidates(self._program.diagnostics[number])[::-1] for number in numbers}
        found: dict[int, list[Candidate]] = {number: [] for number in numbers}
        while any(left.values()):
            group: list[tuple[int, Candidate]] = []
            taken = ChangedSpans(lines=True)
            for number in numbers:
                if left[number] and not taken.meets(left[number][-1].edits):
                    candidate = left[number].pop()
                    group.append((number, candidate))
                    taken.add(candidate.edits)
            for number, candidate in self._helpful(group):
                found[number].append(candidate)
                rivals = any(other.safe for other in left[number])
                if candidate.certain or not candidate.safe or not rivals:
                    left[number] = [other for other in left[number] if other.safe and not candidate.certain]
            if self._budget.left <= 0:
                break
        chosen: dict[int, Candidate] = {}
        for number, candidates in found.items():
            if not candidates:
                continue
            sure = [candidate for candidate in candidates if candidate.safe]
            tried = not any(candidate.safe for candidate in left[number])
            alone = tried and (len(sure) == 1 or (len(sure) > 1 and sure[0].certain))
            chosen[number] = sure[0] if alone else candidates[0]._replace(safe=False)
        return chosen

    def _helpful(self, group: Sequence[tuple[int, Candidate]]) -> list[tuple[int, Candidate]]:
        """The candidates of `group` that help. All are tried together; if that makes something worse, the halves are
        tried."""
        if not group:
            return []
        trial = self._tried([candidate for _, candidate in group])
        if trial is None:
            return []
        findings = self._program.diagnostics
        if len(group) == 1:
            (number, candidate), *_ = group
            return list(group) if self._helps(trial, candidate, findings[number]) else []
        if not self._worse(trial) or self._only_uncovers(trial, [candidate for _, candidate in group]):
            gone = self._known - trial.findings
            return [(number, c) for number, c in group if gone[findings[number].code, findings[number].span.start]]
        half = len(group) // 2
        return [*self._helpful(group[:half]), *self._helpful(group[half:])]

    def _worse(self, trial: _TrialResult) -> bool:
        """Whether there is a new error. If the script had no errors before, a new warning counts too."""
        new = trial.findings - self._known
        if not new:
            return False
        errors = {key for keys in trial.errors.values() for key in keys}
        return any(key in errors for key in new) or not self._errors

    def _helps(self, trial: _TrialResult, candidate: Candidate, finding: Diagnostic) -> bool:
        """Whether `candidate` removes `finding` and makes nothing worse; errors that the finding had hidden in its
        statement are accepted."""
        if not (self._known - trial.findings)[finding.code, finding.span.start]:
            return False
        if trial.score < self._before:
            return True
        if trial.score[:2] > self._before[:2] or not self._errors:
            return False
        return self._only_uncovers(trial, (candidate,), (finding,))

    def _only_uncovers(
        self, trial: _TrialResult, candidates: Sequence[Candidate], findings: Sequence[Diagnostic] = ()
    ) -> bool:
        """Whether every new error is in a statement that `candidates` change, and there are no more errors than
        before."""
        if trial.score[:2] > self._before[:2] or not self._errors:
            return False
        here = {trial.lines[place] for place in self._places(candidates, findings)}
        new = trial.findings - self._known
        return all(line in here for line, keys in trial.errors.items() if any(key in new for key in keys))

    def _places(self, candidates: Iterable[Candidate], findings: Iterable[Diagnostic]) -> list[int]:
        """The places whose statements must be free of errors: the places of the edits and of the findings. For the
        value in an arm of a `switch`, the subject is included, because an error about both may be reported there."""
        edited = [edit.span.start for candidate in candidates for edit in candidate.edits]
        places = [*edited, *(finding.span.start for finding in findings)]
        return [*places, *filter(None, map(self._facts.head_of, places))]

    # safe or not

    def _confirm(self, chosen: dict[int, Candidate]) -> None:
        """Mark as not safe the candidates in `chosen` whose statements have errors after all safe candidates are
        applied together."""
        taken = ChangedSpans()
        changes: set[tuple[Edit, ...]] = set()
        sure: dict[int, Candidate] = {}
        for number, candidate in chosen.items():
            if not candidate.safe:
                continue
            if candidate.edits in changes:
                sure[number] = candidate
            elif taken.meets(candidate.edits):
                chosen[number] = candidate._replace(safe=False)
            else:
                sure[number] = candidate
                changes.add(candidate.edits)
                taken.add(candidate.edits)
        if not sure:
            return
        findings = [self._program.diagnostics[number] for number in sure]
        together = list({candidate.edits: candidate for candidate in sure.values()}.values())
        trial = self._tried(together, findings)
        unsound = {
            number
            for number, candidate in sure.items()
            if trial is None or self._unsound(trial, (candidate,), self._program.diagnostics[number])
        }
        if trial is not None and unsound:
            unsound -= self._sound_later(trial, {number: sure[number] for number in unsound}, together)
        for number in unsound:
            chosen[number] = chosen[number]._replace(safe=False)

    def _unsound(self, trial: _TrialResult, candidates: Sequence[Candidate], finding: Diagnostic) -> bool:
        """Whether an error is left in the statements of the candidates and of `finding`. For a syntax error, the
        statements before and after them count too, because they may be parts of the same statement."""
        left = any(trial.lines.get(place) in trial.errors for place in self._places(candidates, (finding,)))
        return left or self._is_cut(trial, candidates, finding)

    def _is_cut(self, trial: _TrialResult, candidates: Sequence[Candidate], finding: Diagnostic) -> bool:
        """Whether the rest of a syntax error may now be in another statement."""
        places = self._places(candidates, (finding,))
        return finding in self._syntax and any(trial.beside.get(place, False) for place in places)

    def _sound_later(
        self, trial: _TrialResult, unsound: dict[int, Candidate], together: Sequence[Candidate]
    ) -> set[int]:
        """The candidates in `unsound` whose statements have no errors after the safe fixes of the errors that are
        left."""
        from pinebench.checker import open_changed

        if self._chained >= CHAINED or not self._budget.take(2 * len(self._text)):
            return set()
        edits = [edit for candidate in together for edit in candidate.edits]
        document = self._changed(edits)
        after = open_changed(self._program, document)
        unsound = {
            number: candidate
            for number, candidate in unsound.items()
            if not self._is_cut(trial, (candidate,), self._program.diagnostics[number])
        }
        lines = {
            number: {trial.lines[place] for place in self._places((candidate,), (self._program.diagnostics[number],))}
            for number, candidate in unsound.items()
        }
        wanted = set().union(*lines.values())
        left = {
            number: document.logical_line(finding.span.start).start
            for number, finding in enumerate(after.diagnostics)
            if finding.severity is Severity.ERROR
        }
        left = {number: line for number, line in left.items() if line in wanted}
        judge = FixJudge(after, self._propose, self._budget, self._chained + 1)
        later = judge.choose(left)
        after.release()
        bad = {line for number, line in left.items() if number not in later or not later[number].safe}
        return {number for number, its in lines.items() if not its & bad}

    # trying

    def _tried(
        self, candidates: Sequence[Candidate], findings: Sequence[Diagnostic] | None = None
    ) -> _TrialResult | None:
        """The result of a check after `candidates`; None if the budget is used up."""
        from pinebench.checker import findings_after

        if not self._budget.take(self._cost):
            return None
        edits = [edit for candidate in candidates for edit in candidate.edits]
        scratch = self._changed(edits)
        found = findings_after(self._program, scratch.snapshot)
        shift = Shift(edits)
        errors: dict[int, list[_Key]] = {}
        for finding in found:
            if finding.severity is Severity.ERROR:
                line = scratch.logical_line(finding.start).start
                errors.setdefault(line, []).append((finding.code, shift.before(finding.start)))
        places = self._places(candidates, findings or self._program.diagnostics)
        return _TrialResult(
            _score(len(scratch.diagnostics), [finding.severity for finding in found]),
            Counter((finding.code, shift.before(finding.start)) for finding in found),
            frozenset((fault.code, shift.before(fault.span.start)) for fault in scratch.diagnostics),
            errors,
            {place: scratch.logical_line(shift.after(place)).start for place in places},
            {place: _is_faulty_beside(scratch, shift.after(place)) for place in places} if scratch.diagnostics else {},
        )

    def _changed(self, edits: Iterable[Edit]) -> Document:
        return document_after(self._program.document, edits)


def _is_faulty_beside(document: Document | Snapshot, place: int) -> bool:
    chunk = document.chunk_at(place)
    beside = (document.chunk_at(chunk.start - 1), chunk, document.chunk_at(chunk.end))
    return any(fault.code.startswith("CE") for other in beside for fault in other.faults)


def score(program: Program) -> Score:
    """Return the numbers of syntax diagnostics, errors, warnings and other diagnostics. A smaller score is better."""
    return _score(len(program.document.diagnostics), [finding.severity for finding in program.diagnostics])


def _score(faults: int, severities: Sequence[Severity]) -> Score:
    errors, warnings = severities.count(Severity.ERROR), severities.count(Severity.WARNING)
    return faults, errors, warnings, len(severities) - errors - warnings


def _errors_of(program: Program) -> list[_Key]:
    return [(f.code, f.span.start) for f in program.diagnostics if f.severity is Severity.ERROR]
