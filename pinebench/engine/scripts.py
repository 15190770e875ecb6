"""Runs the engine's scripts on new bars, in worker processes."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from pinebench.context import Context
from pinebench.engine import studies
from pinebench.engine.studies import BarReading, Row, Setup, StudyAnswer, StudyStep
from pinebench.errors import PinebenchError
from pinebench.workers.worker_pool import NICENESS, Nursery, Worker, WorkerEnded

_MEMORY = 1 << 30
_STEP_SECONDS, _BEGIN_SECONDS = 15.0, 60.0
"""The processor seconds after which a worker is ended: for a bar of a few scripts, and for their start."""
USER_SECONDS = 3.0
"""The processor time in seconds that all scripts of one user may take on a bar. If they take more, the costliest ones
are ended."""
BEGINNING_SECONDS = 60.0
"""The processor time in seconds for starting scripts of one user in one round, for example when the engine starts
again."""
_EXCESS = 3
"""If a user's scripts use this many times their time on a bar, those that have not run yet are ended too."""
_AT_ONCE = 5
"""The number of scripts in one request to a worker; the time is checked between requests."""
_USERS_AT_ONCE = 2
_OF_A_WORKER = 25
"""The largest number of scripts of one worker. A worker that grows too much is replaced, and its scripts begin
again."""


class ScriptStep(NamedTuple):
    """A script and its next bar. `setup` returns the data that the script needs to start, without that bar.

    `before` is the opening time of the bar before it (milliseconds UTC; -1 if there is none). `owner` is the user whose
    processor time the script uses, or "" for scripts of the catalogue.
    """

    key: str
    setup: Callable[[], Setup]
    bar: Row
    before: int
    owner: str = ""


class _Home:
    """A worker, and the keys of the scripts that are assigned to it."""

    def __init__(self, nursery: Nursery) -> None:
        self._nursery = nursery
        self._worker: Worker | None = None
        self.keys: set[str] = set()
        self._begun: set[str] = set()

    def advance(self, asked: Sequence[ScriptStep]) -> list[StudyAnswer]:
        found = self._ask(asked)
        if found is None:
            # One of them ended the worker. Alone, only that one is stopped.
            return [self._alone(each) for each in asked]
        lost = [number for number, answer in enumerate(found) if not answer.is_known]
        if lost:
            self._begun.difference_update(asked[number].key for number in lost)
            again = self._ask([asked[number] for number in lost])
            for number, answer in zip(lost, again or [_STOPPED] * len(lost), strict=True):
                found[number] = answer
        return found

    def forget(self, keys: set[str]) -> None:
        self.keys -= keys
        mine = self._begun & keys
        self._begun -= mine
        if mine and self._worker is not None:
            self._send(studies.forget, sorted(mine))

    def _alone(self, asked: ScriptStep) -> StudyAnswer:
        found = self._ask([asked])
        return found[0] if found is not None else _STOPPED

    def begins(self, steps: Sequence[ScriptStep]) -> bool:
        """Return whether at least one of the scripts does not run yet."""
        return any(each.key not in self._begun for each in steps)

    def _ask(self, asked: Sequence[ScriptStep]) -> list[StudyAnswer] | None:
        """Return the worker's answers; None if the worker had to be ended."""
        if self._worker is None or not self._worker.is_fit:
            self.end()
            self._worker = self._nursery.start()
        tasks = [
            StudyStep(each.key, None if each.key in self._begun else each.setup(), each.bar, each.before)
            for each in asked
        ]
        seconds = _STEP_SECONDS if all(each.setup is None for each in tasks) else _BEGIN_SECONDS
        found = self._send(studies.advance, tasks, seconds)
        if found is not None:
            self._begun.update(each.key for each in asked)
        return found

    def _send(
        self, job: Callable[..., object], request: object, seconds: float = _STEP_SECONDS
    ) -> list[StudyAnswer] | None:
        assert self._worker is not None
        message = pickle.dumps((job, request), pickle.HIGHEST_PROTOCOL)
        try:
            kind, parts = self._worker.ask(message, seconds, _MEMORY, Context())
        except WorkerEnded:
            self.end()
            return None
        if kind == "failed":
            raise PinebenchError(f"a worker failed: {parts[0][-500:]}")
        return parts if kind == "done" else None

    def end(self) -> None:
        worker, self._worker = self._worker, None
        self._begun.clear()
        if worker is not None:
            with contextlib.suppress(OSError):
                worker.end()


class Scripts:
    """The scripts of an engine. Users never share a worker process. Only one thread may use this object."""

    def __init__(self) -> None:
        self._nursery = Nursery(NICENESS)  # prices come first
        self._homes: dict[str, list[_Home]] = {}

    def advance(self, steps: Sequence[ScriptStep]) -> list[StudyAnswer]:
        """Run each script on its next bar and return the answers, in the same order.

        A script that crashes its worker gets an error. So do the costliest scripts of a user whose scripts have used up
        their time.
        """
        by_owner: dict[str, list[int]] = {}
        for number, each in enumerate(steps):
            by_owner.setdefault(each.owner, []).append(number)
            self._home_of(each.owner, each.key)
        found: dict[int, StudyAnswer] = {}

        def run(numbers: list[int]) -> None:
            found.update(zip(numbers, self._of_user([steps[number] for number in numbers]), strict=True))

        if len(by_owner) < 2:
            for numbers in by_owner.values():
                run(numbers)
        else:
            with ThreadPoolExecutor(_USERS_AT_ONCE, "scripts") as threads:
                list(threads.map(run, by_owner.values()))
        return [found[number] for number in range(len(steps))]

    def _of_user(self, asked: Sequence[ScriptStep]) -> list[StudyAnswer]:
        """Return the answers of one user's scripts, within the user's time."""
        found: dict[int, StudyAnswer] = {}
        stepping = beginning = 0.0
        for home, numbers in self._parts(asked):
            if stepping > _EXCESS * USER_SECONDS or beginning > BEGINNING_SECONDS:
                found.update(dict.fromkeys(numbers, StudyAnswer(True, _TOO_MUCH)))
                continue
            begins = home.begins([asked[number] for number in numbers])
            answers = home.advance([asked[number] for number in numbers])
            spent = sum(answer.seconds for answer in answers)
            if begins:
                beginning += spent
            else:
                stepping += spent
            found.update(zip(numbers, answers, strict=True))
        for number in sorted(found, key=lambda number: -found[number].seconds) if stepping > USER_SECONDS else ():
            if stepping <= USER_SECONDS:
                break
            stepping -= found[number].seconds
            found[number] = found[number]._replace(reading=_TOO_MUCH)  # what was filled on the bar stays filled
        return [found[number] for number in range(len(asked))]

    def _parts(self, asked: Sequence[ScriptStep]) -> Iterator[tuple[_Home, list[int]]]:
        """Yield the scripts in small parts, each with the worker that runs it. The numbers are indices in `asked`."""
        by_home: dict[int, list[int]] = {}
        homes = self._homes[asked[0].owner]
        for number, each in enumerate(asked):
            by_home.setdefault(next(at for at, home in enumerate(homes) if each.key in home.keys), []).append(number)
        for at, numbers in by_home.items():
            for first in range(0, len(numbers), _AT_ONCE):
                yield homes[at], numbers[first : first + _AT_ONCE]

    def keep(self, keys: set[str]) -> None:
        """Stop all scripts except those with these keys."""
        for owner, homes in list(self._homes.items()):
            for home in homes:
                gone = home.keys - keys
                if gone:
                    home.forget(gone)
            for home in homes:
                if not home.keys:
                    home.end()
            homes[:] = [home for home in homes if home.keys]
            if not homes:
                del self._homes[owner]

    def _home_of(self, owner: str, key: str) -> None:
        homes = self._homes.setdefault(owner, [])
        if any(key in home.keys for home in homes):
            return
        free = next((home for home in homes if len(home.keys) < _OF_A_WORKER), None)
        if free is None:
            free = _Home(self._nursery)
            homes.append(free)
        free.keys.add(key)

    def end(self) -> None:
        """Stop the workers. All scripts start again when they are needed."""
        for home in (home for homes in self._homes.values() for home in homes):
            home.end()
        self._homes.clear()

    def close(self) -> None:
        """Stop the workers, and do not start new ones."""
        self.end()
        self._nursery.close()


_STOPPED = StudyAnswer(True, BarReading(error="the script needs too much time or memory"))
_TOO_MUCH = BarReading(error=f"your scripts together need more than {USER_SECONDS:g} s on a bar, which is the limit")
