"""Lets workers run the engine's scripts along with the bars."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pinebench.context import Context
from pinebench.engine import studies
from pinebench.engine.studies import Answer, Reading, Row, Setup, Task
from pinebench.errors import PinebenchError
from pinebench.execution.workers import Ended, Nursery, Worker

_MEMORY = 1 << 30
_SECONDS = 60
_OF_A_WORKER = 25
"""The largest number of scripts of one worker. If it grows too much, it is replaced, and its scripts begin again."""


class Asked(NamedTuple):
    """A script that gets its next bar. `setup` makes what it needs to begin, without that bar."""

    key: str
    setup: Callable[[], Setup]
    bar: Row


class _Home:
    """A worker, and the keys of the scripts that run in it."""

    def __init__(self, nursery: Nursery) -> None:
        self._nursery = nursery
        self._worker: Worker | None = None
        self.keys: set[str] = set()
        self._begun: set[str] = set()

    def advance(self, asked: Sequence[Asked]) -> list[Answer]:
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

    def _alone(self, asked: Asked) -> Answer:
        found = self._ask([asked])
        return found[0] if found is not None else _STOPPED

    def _ask(self, asked: Sequence[Asked]) -> list[Answer] | None:
        """The answers of the worker; None if it had to be ended."""
        if self._worker is None or not self._worker.is_fit:
            self.end()
            self._worker = self._nursery.start()
        tasks = [Task(each.key, None if each.key in self._begun else each.setup(), each.bar) for each in asked]
        found = self._send(studies.advance, tasks)
        if found is not None:
            self._begun.update(each.key for each in asked)
        return found

    def _send(self, job: Callable[..., object], request: object) -> list[Answer] | None:
        assert self._worker is not None
        message = pickle.dumps((job, request), pickle.HIGHEST_PROTOCOL)
        try:
            kind, parts = self._worker.ask(message, _SECONDS, _MEMORY, Context())
        except Ended:
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
    """The scripts of an engine, in workers of their own. Only one thread at a time may use it."""

    def __init__(self) -> None:
        self._nursery = Nursery()
        self._homes: list[_Home] = []

    def advance(self, asked: Sequence[Asked]) -> list[Answer]:
        """Give each script its next bar and return what they gave. A script that ends its worker gets an error."""
        by_home: dict[int, list[int]] = {}
        for number, each in enumerate(asked):
            by_home.setdefault(self._home_of(each.key), []).append(number)
        found: dict[int, Answer] = {}
        for home, numbers in by_home.items():
            answers = self._homes[home].advance([asked[number] for number in numbers])
            found.update(zip(numbers, answers, strict=True))
        return [found[number] for number in range(len(asked))]

    def keep(self, keys: set[str]) -> None:
        """End all scripts except those with these keys."""
        for home in self._homes:
            gone = home.keys - keys
            if gone:
                home.forget(gone)

    def _home_of(self, key: str) -> int:
        for number, home in enumerate(self._homes):
            if key in home.keys:
                return number
        for number, home in enumerate(self._homes):
            if len(home.keys) < _OF_A_WORKER:
                home.keys.add(key)
                return number
        self._homes.append(_Home(self._nursery))
        self._homes[-1].keys.add(key)
        return len(self._homes) - 1

    def close(self) -> None:
        """End the workers."""
        for home in self._homes:
            home.end()
        self._homes.clear()
        self._nursery.close()


_STOPPED = Answer(True, Reading(error="the script needs too much time or memory"))
