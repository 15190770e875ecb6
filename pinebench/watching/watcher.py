"""The loop between a save and a verdict: what changed is compiled, and the last state of every script wins."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pinebench import files
from pinebench.compilers import Compiler, Verdict
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.watching import snapshot
from pinebench.watching.debounce import Debounce
from pinebench.watching.layout import Layout, survey
from pinebench.watching.observer import FolderObserver

POLL_SECONDS = 1.0
"""How often all scripts are looked at where the operating system is not asked to tell."""

SAFETY_SECONDS = 10.0
"""How often they are looked at where it is: it loses events when very many come at once."""

REFRESH_SECONDS = 1.0
"""How often it is seen to that every watched folder is still the one that is watched."""

COMPILE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Watching:
    """Watching has begun; `scripts` is how many there are now."""

    scripts: int


@dataclass(frozen=True, slots=True)
class ScriptCompiled:
    """A script was saved and compiled.

    `pushed` says whether it went to the editor: None where nobody asked or the script is not clean, else True,
    or False with the reason in `push_problem`. `replaced` is the file that keeps the text which stood in the editor
    before, None where that was ours.
    """

    path: str
    source: str
    verdict: Verdict
    pushed: bool | None = None
    push_problem: str | None = None
    replaced: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """A script was saved, but there is no verdict: it cannot be read, or the compiler cannot be reached."""

    path: str
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """A script that was compiled before is gone, or has another name now."""

    path: str


WatchEvent = Watching | ScriptCompiled | Failed | Removed


class Watcher:
    """Watches files and folders and compiles what is saved there.

    A file that was named is compiled at once; a folder's scripts when they are saved. `push` gets the source of every
    script that compiles; it returns the file that keeps what it replaced, or None, and raises PinebenchError when it
    could not be pushed. With `poll` the operating system is not
    asked to tell about changes: all scripts are looked at every second, which also works on network folders.
    """

    def __init__(
        self,
        paths: Sequence[str],
        compiler: Compiler,
        *,
        push: Callable[[str], str | None] | None = None,
        poll: bool = False,
    ) -> None:
        """Get ready to watch `paths`; raises UsageError for a path that is not there."""
        for path in paths:
            if not os.path.exists(path):
                raise UsageError(f"{path}: there is no such file or folder")
        self._paths = list(paths)
        self._compiler = compiler
        self._push = push
        self._poll = poll
        self._debounce = Debounce()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._look_wanted = False
        self._stopped = False
        self._compiled: dict[str, str | None] = {}
        self._were_folders = frozenset(path for path in paths if os.path.isdir(path))
        self._layout = self._survey()

    def stop(self) -> None:
        """End `run` soon; may be called from any thread."""
        self._stopped = True
        self._woken.set()

    def run(self) -> Iterator[WatchEvent]:
        """Watch until stopped and yield what happens.

        Raises UnavailableError when watchdog is missing or the system refuses to watch.
        """
        observer = None if self._poll else FolderObserver(self._touched, self._want_look)
        try:
            if observer is not None:
                observer.refresh(self._layout.folders)
            self._look_wanted = False  # what is there now is known in a moment; what comes meanwhile is not
            self._layout = self._survey()
            known = snapshot.take(self._layout.scripts)
            for path in self._paths:
                if os.path.isfile(path):
                    self._touched(path)
            yield Watching(len(known))
            yield from self._loop(observer, known)
        finally:
            if observer is not None:
                observer.close()

    def _loop(self, observer: FolderObserver | None, known: snapshot.Snapshot) -> Iterator[WatchEvent]:
        interval = POLL_SECONDS if observer is None else SAFETY_SECONDS
        next_look = time.monotonic() + interval
        while not self._stopped:
            self._sleep(min(REFRESH_SECONDS, max(0.0, next_look - time.monotonic())))
            if observer is not None:
                observer.refresh(self._layout.folders)
            if self._look_wanted or time.monotonic() >= next_look:
                self._look_wanted = False
                known = self._look(known)
                next_look = time.monotonic() + interval
            with self._lock:
                due = self._debounce.take(time.monotonic())
            for path in due:
                if self._stopped:
                    return
                yield from self._compile(path)

    def _sleep(self, longest: float) -> None:
        """Wait until something may have to be done, at most `longest` seconds."""
        with self._lock:
            wait = self._debounce.wait(time.monotonic())
        self._woken.wait(longest if wait is None else min(wait, longest))
        self._woken.clear()

    def _look(self, known: snapshot.Snapshot) -> snapshot.Snapshot:
        self._layout = self._survey()  # links may lead elsewhere by now
        now = snapshot.take(self._layout.scripts)
        for name in snapshot.changed(known, now):
            self._touch(name)
        return now

    def _survey(self) -> Layout:
        return survey(self._paths, self._were_folders)

    def _want_look(self) -> None:
        self._look_wanted = True
        self._woken.set()

    def _touched(self, path: str) -> None:
        name = self._layout.name(path)
        if name is None:
            if os.path.islink(path) or path in self._layout.links:
                self._want_look()  # what it leads to may be of interest
            return
        self._touch(name)

    def _touch(self, name: str) -> None:
        with self._lock:
            idle = self._debounce.wait(0.0) is None
            self._debounce.touch(name, time.monotonic())
        if idle:
            self._woken.set()

    def _compile(self, path: str) -> Iterator[WatchEvent]:
        try:
            source = files.read_script(path).text
        except UsageError as error:
            if not os.path.exists(path):
                if path in self._compiled:
                    del self._compiled[path]
                    yield Removed(path)
                return
            self._compiled.pop(path, None)
            yield Failed(path, error.message, error.hint)
            return
        if self._compiled.get(path) == source:
            return
        self._compiled[path] = source
        try:
            verdict = self._compiler_for(path).compile(source, Context.within(COMPILE_SECONDS))
        except PinebenchError as error:
            # The same text may be compiled by the next save: the page or the network may be there by then.
            self._compiled.pop(path, None)
            yield Failed(path, error.message, error.hint)
            return
        yield self._pushed(ScriptCompiled(path, source, verdict, replaced=verdict.evidence.get("replaced")))

    def _compiler_for(self, path: str) -> Compiler:
        return self._compiler.beside(path) if isinstance(self._compiler, LocalCompiler) else self._compiler

    def _pushed(self, compiled: ScriptCompiled) -> ScriptCompiled:
        if self._push is None or not compiled.verdict.ok or self._is_outdated(compiled):
            return compiled
        try:
            kept = self._push(compiled.source)
        except PinebenchError as error:
            # The same text may be pushed by the next save: the page may be there by then, or its text be ours again.
            self._compiled[compiled.path] = None
            return replace(compiled, pushed=False, push_problem=error.message)
        return replace(compiled, pushed=True, replaced=compiled.replaced or kept)

    def _is_outdated(self, compiled: ScriptCompiled) -> bool:
        """Whether the file was saved again meanwhile; its next state is pushed then."""
        try:
            return files.read(compiled.path).text != compiled.source
        except UsageError:
            return True
