"""Seeds faults into clean scripts, checks the results, and says which were caught with the right code and line."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pinebench.checker import check
from pinebench.syntax import parse
from tests.checker.mutation.kinds import KINDS, Kind
from tests.checker.mutation.script import Edit, Script, errors, opened

SEED = 20261121
_SITES_OF_ONE_SCRIPT = 3
"""How many sites of a script are tried before the next script's turn, so that no script rules a kind."""


class Outcome(NamedTuple):
    """What the checker said of one mutant.

    `caught` means by code and line; `stray` lists the errors that the fault does not explain.
    """

    kind: str
    script: str
    edit: Edit
    caught: bool
    expected: str
    reported: tuple[str, ...]
    stray: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.kind} in {self.script} at {self.edit.start}: {self.edit.text!r}: expected {self.expected}, "
            f"came {', '.join(self.reported) or 'nothing'}"
        )


class Tally(NamedTuple):
    """The figures of one kind."""

    mutants: int
    caught: int
    stray: int
    discarded: int


class Report(NamedTuple):
    """Every outcome of a run, and per kind how many mutants were discarded because nobody can say what is right."""

    outcomes: list[Outcome]
    discarded: Counter[str]

    def tally(self, kind: str | None = None) -> Tally:
        """The figures of one kind, or of all."""
        chosen = [outcome for outcome in self.outcomes if kind is None or outcome.kind == kind]
        discarded = self.discarded[kind] if kind is not None else self.discarded.total()
        caught = sum(outcome.caught for outcome in chosen)
        return Tally(len(chosen), caught, sum(bool(outcome.stray) for outcome in chosen), discarded)

    def table(self) -> str:
        """The figures as text, one line a kind."""
        lines = [f"{'kind':<28}{'mutants':>8}{'caught':>9}{'unrelated':>11}{'discarded':>11}"]
        for name in [*(kind.name for kind in KINDS), None]:
            tally = self.tally(name)
            lines.append(
                f"{name or 'all':<28}{tally.mutants:>8}{_percent(tally.caught, tally.mutants):>9}"
                f"{_percent(tally.stray, tally.mutants):>11}{tally.discarded:>11}"
            )
        return "\n".join(lines)

    @property
    def misses(self) -> list[Outcome]:
        """The mutants that were not caught, and those with unrelated reports."""
        return [outcome for outcome in self.outcomes if not outcome.caught or outcome.stray]


def share(part: int, whole: int) -> float:
    """A share between 0 and 1; of nothing it is 1."""
    return part / whole if whole else 1.0


def _percent(part: int, whole: int) -> str:
    return f"{100 * share(part, whole):.1f} %"


def run(texts: Iterable[tuple[str, str]], mutants: int, kinds: Sequence[Kind] = KINDS, seed: int = SEED) -> Report:
    """Make up to `mutants` mutants of each kind from `texts` (pairs of name and script) and check each of them."""
    scripts = [script for name, text in texts if (script := opened(name, text)).is_clean]
    discarded: Counter[str] = Counter()
    outcomes: list[Outcome] = []
    for kind in kinds:
        outcomes += _run_kind(kind, scripts, mutants, discarded, random.Random(f"{seed} {kind.name}"))
    return Report(outcomes, discarded)


def _run_kind(
    kind: Kind, scripts: list[Script], mutants: int, discarded: Counter[str], chance: random.Random
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    waiting = chance.sample(scripts, len(scripts))
    sites = {script.name: list(kind.sites(script)) for script in waiting}
    for remaining in sites.values():
        chance.shuffle(remaining)
    while waiting and len(outcomes) < mutants:
        waiting = [script for script in waiting if sites[script.name]]
        for script in waiting:
            if len(outcomes) == mutants:
                break
            for _ in range(min(_SITES_OF_ONE_SCRIPT, len(sites[script.name]))):
                site = sites[script.name].pop()
                edit = kind.mutate(script, site, chance)
                if edit is not None:
                    outcomes.append(_judge(kind, script, site, edit))
                    break
                discarded[kind.name] += 1
    return outcomes


def _judge(kind: Kind, script: Script, site: object, edit: Edit) -> Outcome:
    text = script.text[: edit.start] + edit.text + script.text[edit.end :]
    document = parse(text)
    lines = {document.lines.position(offset).line for offset in kind.line(script, site, edit)}
    found = [(error.code, document.lines.position(error.span.start).line) for error in errors(check(document))]
    caught = any(code in kind.codes and line in lines for code, line in found)
    stray = tuple(
        f"{code} on line {line}"
        for code, line in found
        if code not in (*kind.codes, *kind.consequences) or line not in lines
    )
    expected = f"{' or '.join(kind.codes)} on line {', '.join(map(str, sorted(lines)))}"
    return Outcome(
        kind.name, script.name, edit, caught, expected, tuple(f"{code} on line {line}" for code, line in found), stray
    )
