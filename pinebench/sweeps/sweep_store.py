"""Stores the finished runs of a sweep on disk, so that a killed sweep can continue without repeating or double-counting
runs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

import pinebench
from pinebench import config, databases, decoding
from pinebench.errors import UnavailableError
from pinebench.files.locks import Lock, LockHeld
from pinebench.sweeps.combination_runs import RunOutcome
from pinebench.sweeps.outcome_json import SHAPE, packed, unpacked
from pinebench.workers.request import Request

_FOLDER = "sweeps"
_FILE = "runs.sqlite"
_LOCKED_SECONDS = 10
"""The seconds for which a run waits while another program has the file."""
_KEPT = 200
"""The number of sweeps whose runs are kept on disk."""


def key_of(inputs: Mapping[str, Any]) -> str:
    """Return the key of a combination. It does not depend on the order of the inputs."""
    return json.dumps(sorted(inputs.items()), ensure_ascii=False)


def digest_of(request: Request, *more: object) -> str:
    """Return a digest that is equal for requests whose runs have the same results in this version of pinebench."""
    found = hashlib.sha256(f"{pinebench.__version__}\0{request.source}\0{more!r}\0".encode())
    look = request.look
    others = sorted(request.others.items())
    for bars in (request.bars, request.lower, request.standard, look.standard, *(one.bars for _, one in others)):
        if bars is not None:
            found.update(repr([bars.time, bars.open, bars.high, bars.low, bars.close, bars.volume]).encode())
        found.update(b"\0")
    symbols = [(name, one.symbol) for name, one in others]
    settings = (request.symbol, sorted(request.inputs.items()), symbols, request.samples, request.libraries)
    trading = (sorted(request.properties.items()), request.first, request.last, request.as_of, request.rates)
    found.update(repr((settings, trading, look.dark, look.visible, request.clock, request.budget)).encode())
    return found.hexdigest()[:32]


class SweepStore:
    """The runs of a sweep in a private folder of the user. A lock makes sure that only one process writes it."""

    def __init__(self, name: str, *, resume: bool) -> None:
        """Open the store `name`. Without `resume`, earlier runs in it are deleted.

        Raises UnavailableError if another process uses it, or if its file is locked, full or damaged.
        """
        above = config.private_state_folder(_FOLDER)
        self.folder = os.path.join(above, name)
        self._lock = Lock(f"{self.folder}.lock")
        try:
            self._lock.acquire()
        except LockHeld as error:
            raise UnavailableError(
                f"the same sweep is running in process {error.pid}", "wait for it, or stop it and continue with resume"
            ) from None
        self._subject = f"the file with the runs of this sweep, {os.path.join(self.folder, _FILE)},"
        try:
            if not resume:
                shutil.rmtree(self.folder, ignore_errors=True)
            _forget_old(above, name)
            from pinebench import files

            files.private_folder(self.folder)
            with databases.explained(self._subject):
                self._base = self._opened(os.path.join(self.folder, _FILE))
                self._runs = self._read()
        except BaseException:
            self._lock.release()
            raise

    def _opened(self, path: str) -> sqlite3.Connection:
        base = sqlite3.connect(path, isolation_level=None, timeout=_LOCKED_SECONDS)
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("CREATE TABLE IF NOT EXISTS batches (number INTEGER PRIMARY KEY, outcomes TEXT NOT NULL)")
        return base

    def _read(self) -> dict[str, RunOutcome]:
        found: dict[str, RunOutcome] = {}
        for (text,) in self._base.execute("SELECT outcomes FROM batches ORDER BY number"):
            # The runs of a batch that cannot be read are computed again.
            with contextlib.suppress(ValueError):
                for outcome in unpacked(decoding.loads(text, SHAPE)):
                    found.setdefault(key_of(outcome.inputs), outcome)
        return found

    def __len__(self) -> int:
        return len(self._runs)

    def get(self, key: str) -> RunOutcome | None:
        """Return the run of the combination with this key; None if there is none."""
        return self._runs.get(key)

    def add(self, outcomes: Iterable[RunOutcome]) -> dict[str, RunOutcome]:
        """Store runs, all or none, and return them by key. Runs that are already stored are skipped. Raises
        DatabaseProblem if the file cannot be written."""
        found = {key_of(each.inputs): each for each in outcomes}
        new = {key: each for key, each in found.items() if key not in self._runs}
        if new:
            text = json.dumps(packed(new.values()), allow_nan=False)
            with databases.explained(self._subject):
                self._base.execute("INSERT INTO batches (outcomes) VALUES (?)", (text,))
            self._runs |= new
        return found

    def close(self) -> None:
        """Close the store, so that another process can use it."""
        self._base.close()
        self._lock.release()

    def __enter__(self) -> SweepStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _forget_old(above: str, name: str) -> None:
    """Delete the sweeps that have not been used for the longest time."""
    folders = [entry for entry in os.scandir(above) if entry.is_dir() and entry.name != name]
    folders.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in folders[_KEPT:]:
        if not os.path.exists(f"{entry.path}.lock"):
            shutil.rmtree(entry.path, ignore_errors=True)
