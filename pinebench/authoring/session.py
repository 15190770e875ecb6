"""A run from end to end: chooses the first script, the journal and the output file, and protects files that it must not
overwrite."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from pinebench import config, files
from pinebench.authoring import catalogue, journal, loop
from pinebench.authoring.author import Author, AuthorBudget, AuthoringTask
from pinebench.authoring.events import Event, StartedEvent
from pinebench.authoring.goals import Trial
from pinebench.authoring.journal import Journal
from pinebench.authoring.older import Migrate
from pinebench.authoring.prompt import prompt
from pinebench.authoring.state import Attempt, AuthoringState
from pinebench.compilers import Compiler
from pinebench.context import Context
from pinebench.errors import UnavailableError, UsageError
from pinebench.files.locks import Lock, LockHeld
from pinebench.printable import printable

_log = logging.getLogger(__name__)

REPAIR = "Make this script compile. Do not change what it is meant to do."
"""The request of `fix`."""
NEAREST = "nearest"
"""The template name that stands for the template that fits the request best, if any does."""
FROM_NOTHING = "none"
_RUNS = "runs"
"""The name of the folder for journals in the state folder."""


def write(
    request: str,
    author: Author,
    compiler: Compiler,
    budget: AuthorBudget,
    context: Context,
    *,
    base: str | None = None,
    text: str | None = None,
    template: str = NEAREST,
    output: str | None = None,
    model: str | None = None,
    key_from: str | None = None,
    model_from: str | None = None,
    goals: tuple[str, ...] = (),
    data: str | None = None,
    others: tuple[str, ...] = (),
    trial: Trial | None = None,
    migrate: Migrate | None = None,
) -> Iterator[Event]:
    """Write a script for `request`. Keep a journal, and write the best script so far to `output`, if it is set.

    `base` is the path of a script to change, and `text` is a script from an editor. `template` is the name of a
    template, NEAREST or FROM_NOTHING, and is used only without `base` and `text`. `model`, `key_from` and `model_from`
    are only recorded. `trial` runs each script that compiles on the bars of `data` and `others`, to judge the `goals`.
    `migrate` converts drafts in earlier versions to v6.

    Raises UsageError for an empty request or an unknown template, or if `output` exists but was not written by
    pinebench. Raises LockHeld if another process is writing a script to `output`.
    """
    if not request.strip():
        raise UsageError("the request is empty", "say what the script should do")
    task = _converted(_task(request, base, template) if text is None else AuthoringTask(request, text), migrate)
    record = _new_journal(output)
    with _only_writer(record, output):
        saver = _Saver(output, base) if output else None
        started = StartedEvent(
            task,
            author.name,
            compiler.name,
            budget,
            output=output,
            model=model,
            output_hash=saver.held if saver else None,
            key_from=key_from,
            model_from=model_from,
            goals=goals,
            data=data,
            others=others,
            bars=trial.about if trial is not None else "",
        )
        folders = config.library_folders(output or base or ".")
        yield from loop.run(
            started, author, compiler, context, record, saver, libraries=folders, trial=trial, migrate=migrate
        )


def check_files(output: str | None, base: str | None) -> None:
    """Raise UsageError if `write` could not read the script `base`, or could not write to `output`."""
    if base is not None:
        files.read(base)
    if output:
        _Saver(output, base)


def resume(
    output: str | None,
    choose: Callable[[StartedEvent], tuple[StartedEvent, Author, Compiler]],
    context: Context,
    trial_of: Callable[[StartedEvent], Trial | None] = lambda _: None,
    *,
    migrate: Migrate | None = None,
) -> Iterator[Event]:
    """Continue the newest run for `output`, or the newest run in this folder if `output` is None.

    `choose` gets the recorded start, and returns the start, the author and the compiler to continue with. `trial_of`
    makes the trial for the run's goals. `migrate` is as for `write`. Raises UsageError if there is no such run, and
    LockHeld if another process is continuing it.
    """
    record = _newest(output)
    with _only_writer(record, output):
        # This must come after locking, because the process that held the lock may have added events.
        first = record.start
        assert first is not None
        started, author, compiler = choose(first)
        saver = _Saver(output, None, accepted=first.output_hash) if output else None
        folders = config.library_folders(output or ".")
        trial = trial_of(started)
        yield from loop.resume(
            record, author, compiler, context, saver, started, libraries=folders, trial=trial, migrate=migrate
        )


def holds_best(output: str) -> bool:
    """Return whether `output` holds the best script of its newest run. Raises UsageError if it has no run."""
    recorded = _newest(output).read()
    state = AuthoringState(cast("StartedEvent", recorded[0][0]))
    for event, _ in recorded[1:]:
        state.apply(event)
    data = _contents(output)
    return state.best is not None and data is not None and _text(data) == state.best.source


def fix(
    path: str,
    author: Author,
    compiler: Compiler,
    budget: AuthorBudget,
    context: Context,
    *,
    output: str | None = None,
    keep: bool = True,
    given: files.DecodedText | None = None,
    model: str | None = None,
    key_from: str | None = None,
    model_from: str | None = None,
) -> Iterator[Event]:
    """Repair the script at `path`. The result goes to `output`, or to `path` once it has fewer errors.

    `given` is the script itself if it does not come from a file. If `keep` is false, nothing is written. Raises
    UsageError if a file cannot be read, or was changed during the repair.
    """
    text = files.read(path) if given is None else given
    started = StartedEvent(
        AuthoringTask(REPAIR, text.text),
        author.name,
        compiler.name,
        budget,
        source=text.text,
        output=output or (path if given is None else None),
        model=model,
        key_from=key_from,
        model_from=model_from,
    )
    saver = None
    if keep and output:
        saver = _Saver(output, path)
    elif keep and given is None:
        saver = _Saver(path, path, in_place=True)
    return loop.run(started, author, compiler, context, None, saver, libraries=config.library_folders(path))


class _Saver:
    """Writes each new best script to a file, if pinebench may overwrite that file.

    It may overwrite a file that does not exist or is empty, the file that the run began with, a file whose SHA-256 is
    `accepted`, and a file with a script that an earlier run for the same output wrote or was allowed to overwrite.
    Before each later write the file must still hold the last written text. With `in_place`, a script is written only if
    it has fewer errors than the given script.
    """

    def __init__(self, path: str, base: str | None, *, in_place: bool = False, accepted: str | None = None) -> None:
        self.path = path
        self._in_place = in_place
        self._expected = _contents(path)
        if self._expected and not (base and _same_file(path, base)) and not self._ours(self._expected, accepted):
            raise UsageError(
                f"{path} exists, and pinebench did not write it", f"choose another -o, or change it with --from {path}"
            )
        self._encode = _encoder(self._expected)
        files.check_place(path)  # before anything is paid for

    @property
    def held(self) -> str | None:
        """The SHA-256 of the file's content as this object last saw it; None if the file was empty."""
        return _digest(self._expected) if self._expected else None

    def __call__(self, attempt: Attempt, state: AuthoringState) -> bool:
        """Write the script of `attempt`, and return whether the file holds it then."""
        baseline = state.baseline
        if self._in_place and (baseline is None or len(attempt.verdict.errors) >= len(baseline.verdict.errors)):
            return False
        data = self._encode(attempt.source)
        found = _contents(self.path)
        if found == data:
            self._expected = data
            return True
        if found != self._expected:
            raise UsageError(
                f"{self.path} was changed by someone else in the meantime, so it was left alone",
                "run again, or choose another -o",
            )
        said = files.replace(self.path, data, found, hint="run again, or choose another -o")
        if said:
            _log.warning(printable(said))
        self._expected = data
        return True

    def _ours(self, data: bytes, accepted: str | None) -> bool:
        digest, text = _digest(data), _text(data)
        if digest == accepted:
            return True
        for record in journal.journals(_folder(), _key(self.path)):
            started = record.start
            if started is not None and _is_change(started.task):
                # The author may have returned the user's own script as it was.
                if text != started.task.base and text in record.sources:
                    return True
            elif text in record.sources or (started and started.output_hash == digest):
                return True
        return False


def _task(request: str, base: str | None, template: str) -> AuthoringTask:
    if base is not None:
        if template not in (NEAREST, FROM_NOTHING):
            raise UsageError("--from and --template cannot be combined", "leave one of them out")
        return AuthoringTask(request, files.read(base).text)
    chosen = _template(request, template)
    return AuthoringTask(request, chosen.source, chosen.name) if chosen else AuthoringTask(request)


def _converted(task: AuthoringTask, migrate: Migrate | None) -> AuthoringTask:
    """Return the task with the v6 text that our converter made from a script of an earlier version, and with its
    report."""
    if task.base is None or task.template is not None or migrate is None:
        return task
    brought = migrate(task.base)
    if brought.refused or brought.version is None or brought.text == task.base:
        return task
    report = "\n".join(f"- line {each.line}: {each.text}" for each in brought.remarks) or "- nothing to report"
    told = prompt("converted", version=str(brought.version), report=report)
    return replace(task, base=brought.text, converted=told)


def _template(request: str, name: str) -> catalogue.Template | None:
    if name == FROM_NOTHING:
        return None
    if name != NEAREST:
        return catalogue.template(name)
    try:
        return catalogue.best_match(request)
    except UnavailableError:
        # A script can still be written from nothing without templates.
        return None


def _is_change(task: AuthoringTask) -> bool:
    """Return whether `task` begins with the user's own script, which only that run may replace."""
    return task.base is not None and task.template is None


def _new_journal(output: str | None) -> Journal:
    folder = Path(config.private_state_folder(_RUNS))
    with contextlib.suppress(OSError):
        journal.prune(folder)
    return Journal(folder / f"{_key(output)}-{time.time_ns():020}.jsonl")


def _newest(output: str | None) -> Journal:
    """Return the journal of the newest run for `output` that has a readable start."""
    found = journal.journals(_folder(), _key(output))
    chosen = next((record for record in found if record.start), None)
    if chosen is not None:
        return chosen
    spoilt = f": {found[0].path} does not begin with the start of a run" if found else ""
    raise UsageError(f"there is no run to resume for {output or 'this folder'}{spoilt}", "start one without --resume")


@contextlib.contextmanager
def _only_writer(record: Journal, output: str | None) -> Generator[None]:
    """Keep other processes away from this run, and from runs for the same output."""
    folder = Path(config.private_state_folder(_RUNS))
    lock = Lock(str(folder / f"{_key(output) if output else record.path.stem}.lock"))
    try:
        lock.acquire()
    except LockHeld as error:
        who = f"process {error.pid}" if error.pid else "another process"
        what = f"the run for {output}" if output else "the last run in this folder"
        raise LockHeld(
            f"{who} is already resuming {what}", error.pid, "wait until it ends, or stop it and use --resume"
        ) from None
    except OSError as error:
        raise UsageError(
            f"{lock.path} cannot be written: {(error.strerror or str(error)).lower()}",
            "choose another folder with PINEBENCH_STATE_DIR",
        ) from None
    try:
        yield
    finally:
        lock.release()


def _folder() -> Path:
    return Path(config.state_folder()) / _RUNS


def _key(output: str | None) -> str:
    """Return the key that related runs share: runs for the same output, or from the same folder."""
    place = f"file {Path(output).resolve()}" if output else f"folder {Path.cwd()}"
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _contents(path: str) -> bytes | None:
    try:
        return files.read_bytes(path)
    except files.MissingFile:
        return None


def _text(data: bytes) -> str | None:
    """Return the script in `data`; None if it is not text."""
    try:
        return files.decode(data, "").text
    except UsageError:
        return None


def _encoder(data: bytes | None) -> Callable[[str], bytes]:
    """Return a function that encodes a script in the encoding of `data`."""
    try:
        return files.decode(data or b"", "").encode
    except UsageError:
        return str.encode


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
