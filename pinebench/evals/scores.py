"""Scores of models: pass@1 with its confidence interval, and the cost of the answers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.authoring.author import Usage
from pinebench.authoring.service import has_known_price
from pinebench.evals.records import RunRecord
from pinebench.evals.tasks import KINDS, LEVELS, Task

_Z = 1.959964
"""The two-sided 95 % point of the normal distribution."""
_SORTS = ("indicator", "strategy", "library")


@dataclass(frozen=True)
class Share:
    """The number of judged tasks, the number that passed, and the 95 % confidence interval of the share."""

    tasks: int
    passed: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        """pass@1: the share of the tasks that the first answer solved."""
        return self.passed / self.tasks if self.tasks else 0.0

    def as_json(self) -> dict[str, Any]:
        return {
            "tasks": self.tasks,
            "passed": self.passed,
            "pass@1": round(self.rate, 4),
            "interval": [round(self.low, 4), round(self.high, 4)],
        }


@dataclass(frozen=True)
class Score:
    """The score of one run. `parts` has the share of solved tasks for each kind of task, for each level, and for each
    sort of script (indicator, strategy or library). `stages` counts failures by stage. `not_computed` counts answers
    that pinebench cannot run, which are in no share."""

    record: RunRecord
    whole: Share
    parts: dict[str, dict[str, Share]]
    rounds: int
    usage: Usage
    seconds: float
    stages: dict[str, int]
    not_computed: int
    complete: bool

    @property
    def has_known_price(self) -> bool:
        """Whether the dollars are computed with a known price of the model, and not with an assumed one."""
        return has_known_price(self.record.head.model)

    def as_json(self) -> dict[str, Any]:
        """Return the run's entry in the leaderboard."""
        head = self.record.head
        return {
            "model": head.model,
            "mode": head.mode,
            "seed": head.seed,
            "bars_seed": head.bars,
            "tasks_digest": head.digest,
            "pinebench": head.version,
            "complete": self.complete,
            **self.whole.as_json(),
            "rounds": self.rounds,
            "tokens": self.usage.tokens,
            "dollars": round(self.usage.dollars, 4),
            "price_is_known": self.has_known_price,
            "seconds": round(self.seconds, 1),
            "by": {name: {key: each.as_json() for key, each in shares.items()} for name, shares in self.parts.items()},
            "failures": self.stages,
            "not_computed": self.not_computed,
        }


def score(record: RunRecord, all_tasks: Sequence[Task]) -> Score:
    """Compute the score of a record; only tasks with a verdict count, and only answers that pinebench can run."""
    done = [task for task in all_tasks if task.id in record.verdicts]
    judged = [(task, record.verdicts[task.id].passed) for task in done if record.verdicts[task.id].is_known]
    parts = {
        "kind": {kind: share([one for one in judged if one[0].kind == kind]) for kind in KINDS},
        "level": {level: share([one for one in judged if one[0].level == level]) for level in LEVELS},
        "script": {sort: share([one for one in judged if one[0].family.sort == sort]) for sort in _SORTS},
    }
    answers = [record.answers[task.id] for task in done if task.id in record.answers]
    stages = Counter(record.verdicts[task.id].stage for task, passed in judged if not passed)
    return Score(
        record,
        share(judged),
        parts,
        sum(answer.rounds for answer in answers),
        record.usage,
        math.fsum(answer.seconds for answer in answers),
        dict(stages.most_common()),
        len(done) - len(judged),
        len(done) == len(all_tasks),
    )


def share(judged: Iterable[tuple[Task, bool]]) -> Share:
    """Compute the share of passed tasks, with Wilson's interval.

    The tasks of a family are alike, so they say less than the same number of independent tasks. The interval is
    computed with the number of independent tasks that would have the same standard error: at least the number of
    families.
    """
    held = list(judged)
    count, passed = len(held), sum(ok for _, ok in held)
    if not count:
        return Share(0, 0, 0.0, 1.0)
    groups: dict[str, list[bool]] = defaultdict(list)
    for task, ok in held:
        groups[task.family.name].append(ok)
    low, high = _wilson(passed / count, _independent(passed / count, count, list(groups.values())))
    return Share(count, passed, low, high)


def _independent(rate: float, count: int, groups: list[list[bool]]) -> float:
    """The number of independent tasks with the same standard error, between the numbers of families and of tasks."""
    least = float(len(groups))
    if rate in (0.0, 1.0) or len(groups) < 2:
        return least
    squares = math.fsum(math.fsum(ok - rate for ok in group) ** 2 for group in groups)
    variance = squares / count**2 * len(groups) / (len(groups) - 1)
    return min(float(count), max(least, rate * (1 - rate) / variance)) if variance else float(count)


def _wilson(rate: float, count: float) -> tuple[float, float]:
    middle = (rate + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    reach = _Z / (1 + _Z**2 / count) * math.sqrt(rate * (1 - rate) / count + _Z**2 / (4 * count**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def leaderboard(scores: Sequence[Score]) -> dict[str, Any]:
    """Return the leaderboard as plain values: complete runs first, then by pass@1, then by dollars."""
    return {"benchmark": "pinebench eval", "format": 1, "entries": [one.as_json() for one in ranked(scores)]}


def ranked(scores: Sequence[Score]) -> list[Score]:
    """Return the scores in the order of the leaderboard."""
    return sorted(scores, key=lambda one: (not one.complete, -one.whole.rate, one.usage.dollars, one.record.head.name))
