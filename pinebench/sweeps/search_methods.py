"""Chooses the combinations to try: all of them, random ones, or the proposals of an optuna sampler.

A search proposes combinations in generations. Their size does not depend on the number of workers, and a sampler learns
in an order that does not depend on which run finishes first. So the same seed gives the same combinations everywhere.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any, Protocol

from pinebench import extras
from pinebench.amounts import counted
from pinebench.errors import UsageError
from pinebench.sweeps.space import MOST_COMBINATIONS, Place, Space, range_text

SEARCHES = ("grid", "random", "tpe", "nsga2")
TRIALS = 200
"""The default number of trials of a search that does not try all combinations."""
_GENERATION = 16
_WORST = -1e308

Score = float | None
"""The value of the metric, more is better. None for a run that failed or that breaks a constraint."""


class TooManyCombinations(UsageError):
    """An error for a grid that is too large. `example` has ranges of inputs that are small enough, or is empty."""

    def __init__(self, space: Space, most: int, trials: int) -> None:
        """`most` is the largest allowed number of combinations, `trials` the number that a random search tries."""
        self.example = space.example(most)
        self._trials = trials
        counts = ", ".join(f'{len(axis.values):,} values of "{axis.name}"' for axis in space.axes)
        super().__init__(
            f"the grid has {space.size:,} combinations, and at most {most:,} may be tried: {counts}",
            self.advice(" and ".join(self.texts()), "the search random"),
        )

    def texts(self) -> list[str]:
        """Return the ranges of the example as texts that `space_of` can parse."""
        return [range_text(name, values) for name, values in self.example.items()]

    def advice(self, ranges: str, search: str) -> str:
        """Return a hint for the user. `ranges` and `search` name the example and a random search in the words of the
        user interface."""
        example = f", for example {ranges}" if self.example else ""
        return (
            f"vary fewer inputs, or in larger steps{example}; or try "
            f"{counted(self._trials, 'combination')} with {search}"
        )


class Search(Protocol):
    """A search method: it proposes combinations, and learns from their scores."""

    total: int
    """The number of trials. Several may be the same combination."""

    def next(self) -> list[Place]:
        """Return the next generation of combinations; empty if the search is finished."""
        ...

    def learn(self, scores: Mapping[Place, Score]) -> None:
        """Learn from the scores of the last generation."""
        ...


class GridSearch:
    """A search whose combinations are fixed from the beginning."""

    def __init__(self, places: list[Place]) -> None:
        self.total = len(places)
        self._left = places

    def next(self) -> list[Place]:
        """Return all combinations on the first call, then none."""
        found, self._left = self._left, []
        return found

    def learn(self, scores: Mapping[Place, Score]) -> None:
        """Do nothing: this method does not learn."""


class SamplerSearch:
    """A search with an optuna sampler, whose trials are stored in a file in `folder`."""

    def __init__(self, space: Space, kind: str, trials: int, seed: int, folder: str, name: str) -> None:
        """`name` distinguishes searches that share the folder. Raises UnavailableError without optuna."""
        self.total = trials
        self._space = space
        self._study = _study(kind, seed, folder, name)
        self._asked: list[tuple[Any, Place]] = []
        self._kept = [trial for trial in self._study.trials if not trial.state.is_finished()]

    def next(self) -> list[Place]:
        """Return the next combinations to try. Combinations that a killed process left unfinished come first."""
        trials = [self._again(frozen) for frozen in self._kept]
        self._kept = []
        count = min(_GENERATION, self.total - len(self._study.trials)) if not trials else 0
        trials += [self._study.ask() for _ in range(max(count, 0))]
        self._asked = [(trial.number, self._place(trial)) for trial in trials]
        return [place for _, place in self._asked]

    def _again(self, frozen: Any) -> Any:
        import optuna

        return optuna.Trial(self._study, frozen._trial_id)

    def _place(self, trial: Any) -> Place:
        found: list[int] = []
        for axis in self._space.axes:
            last = len(axis.values) - 1
            if axis.is_ordered:
                found.append(trial.suggest_int(axis.name, 0, last))
            else:
                found.append(trial.suggest_categorical(axis.name, list(range(last + 1))))
        return tuple(found)

    def learn(self, scores: Mapping[Place, Score]) -> None:
        """Pass the scores to the sampler, in the order of its proposals."""
        for number, place in self._asked:
            score = scores[place]
            self._study.tell(number, _WORST if score is None else max(min(score, -_WORST), _WORST))
        self._asked = []


class _NoLock:
    """A lock that does nothing, for the file of trials: the sweep's store is already locked, and a real lock left by
    a killed process would block for a while."""

    def acquire(self) -> bool:
        return True

    def release(self) -> None:
        pass


def _study(kind: str, seed: int, folder: str, name: str) -> Any:
    try:
        import optuna
    except ImportError:
        raise extras.missing(f"the search {kind}", "optimize", "use the search random, or ") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    path = os.path.join(folder, "trials.journal")
    try:
        return _opened(optuna, kind, seed, path, name)
    except (ValueError, KeyError):  # a kill while it was written: the runs are in the store, so none is repeated
        os.unlink(path)
        return _opened(optuna, kind, seed, path, name)


def _opened(optuna: Any, kind: str, seed: int, path: str, name: str) -> Any:
    from optuna.storages import JournalStorage
    from optuna.storages.journal import JournalFileBackend

    if not os.path.exists(path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    lock: Any = _NoLock()
    storage = JournalStorage(JournalFileBackend(path, lock_obj=lock))
    study = _known(optuna, storage, name)
    # A sampler that begins again after a kill must not propose its first random combinations again.
    number = seed + (0 if study is None else len(study.trials))
    if kind == "tpe":
        sampler = optuna.samplers.TPESampler(seed=number, n_startup_trials=2 * _GENERATION)
    else:
        sampler = optuna.samplers.NSGAIISampler(seed=number, population_size=_GENERATION)
    return optuna.create_study(
        storage=storage, sampler=sampler, study_name=name, direction="maximize", load_if_exists=True
    )


def _known(optuna: Any, storage: Any, name: str) -> Any:
    try:
        return optuna.load_study(study_name=name, storage=storage)
    except KeyError:
        return None


def search_of(space: Space, kind: str, trials: int | None, seed: int, folder: str, name: str) -> Search:
    """Return a search of `kind` (one of `SEARCHES`) with at most `trials` trials. The default is `TRIALS`, or all
    combinations up to `MOST_COMBINATIONS` for a grid.

    A sampler stores its trials in `folder` under `name`. Raises UsageError for an unknown kind, TooManyCombinations for
    a larger grid, and UnavailableError if a sampler needs optuna and it is not installed.
    """
    if kind not in SEARCHES:
        raise UsageError(f"there is no search '{kind}'", f"the searches are {', '.join(SEARCHES)}")
    if kind == "grid":
        most = trials if trials is not None else MOST_COMBINATIONS
        if space.size > most:
            raise TooManyCombinations(space, most, trials if trials is not None else TRIALS)
        return GridSearch(list(space.places()))
    count = trials if trials is not None else TRIALS
    if kind == "random" or space.size <= count:
        return GridSearch(space.drawn(count, seed))
    return SamplerSearch(space, kind, count, seed, folder, name)


def score(value: float | None, is_allowed: bool) -> Score:
    """Return the score of a run: the metric's value, or None if the run is not allowed or has no finite value."""
    return value if is_allowed and value is not None and math.isfinite(value) else None
