"""The loop that watches scripts. It compiles changed scripts, always in their last state."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pinebench import config, files
from pinebench.cli.watch import file_snapshot
from pinebench.cli.watch.change_observer import FolderObserver
from pinebench.cli.watch.debounce import Debounce
from pinebench.cli.watch.watch_layout import WatchLayout, survey
from pinebench.compilers import Compiler, Verdict
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError, fault
from pinebench.files.libraries import candidates
from pinebench.projects.compiler import BundlingCompiler
from pinebench.projects.project import text_to_send

POLL_SECONDS = 1.0
"""The interval between checks of all scripts if the operating system does not report changes."""

SAFETY_SECONDS = 10.0
"""The interval between checks of all scripts if it reports changes: it loses events if there are very many at once."""

REFRESH_SECONDS = 1.0
"""The interval between checks of the watches of folders: a folder may have been deleted or replaced."""

COMPILE_SECONDS = 120.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WatchStart:
    """Watching has started. `scripts` is the number of watched scripts."""

    scripts: int


@dataclass(frozen=True, slots=True)
class ScriptCompiled:
    """A script was saved and compiled.

    `pushed` tells whether it was sent to the editor. It is None if no push is wanted, if the script has errors or if it
    was saved again meanwhile, and False if the push failed for the reason in `push_problem`. `replaced` is the path of
    the file with the editor's previous text; None if that text was ours.
    """

    path: str
    source: str
    verdict: Verdict
    pushed: bool | None = None
    push_problem: str | None = None
    replaced: str | None = None


@dataclass(frozen=True, slots=True)
class VerdictFailure:
    """A script was saved, but there is no verdict: the script cannot be read, or the compiler cannot be reached."""

    path: str
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class ScriptRemoval:
    """A script that was compiled before was deleted or renamed."""

    path: str


WatchEvent = WatchStart | ScriptCompiled | VerdictFailure | ScriptRemoval


class Watcher:
    """Watches files and folders, and compiles scripts that are saved there.

    A named file is compiled at the start. A folder's scripts are compiled when they are saved, and with `at_start` also
    at the start. Our own checker reads libraries from files, and other compilers receive scripts bundled with them;
    when a library changes, the scripts that import it are compiled again. `push` sends a script that compiles to the
    editor, bundled. It returns the path of the file with the replaced text, or None, and raises PinebenchError if it
    fails. With `poll`, the watcher checks all scripts every second and needs no notifications from the operating
    system, so it also works on network folders.
    """

    def __init__(
        self,
        paths: Sequence[str],
        compiler: Compiler,
        *,
        push: Callable[[str], str | None] | None = None,
        poll: bool = False,
        at_start: bool = False,
    ) -> None:
        """Prepare; the class explains the arguments. Raises UsageError if a path does not exist."""
        for path in paths:
            if not os.path.exists(path):
                raise UsageError(f"{path}: there is no such file or folder", "name a script or a folder that exists")
        self._paths = list(paths)
        self._compiler = compiler
        self._push = push
        self._poll = poll
        self._debounce = Debounce()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._look_wanted = False
        self._stopped = False
        self._at_start = at_start
        self._compiled: dict[str, str | None] = {}
        self._imports: dict[str, frozenset[str]] = {}
        """The absolute paths of the files where the libraries of each script are searched."""
        self._were_folders = frozenset(path for path in paths if os.path.isdir(path))
        self._layout = self._survey()

    def stop(self) -> None:
        """Make `run` end soon. Any thread may call this."""
        self._stopped = True
        self._woken.set()

    def run(self) -> Iterator[WatchEvent]:
        """Watch until `stop` is called, and yield the events.

        Raises UnavailableError if watchdog is missing or the operating system refuses to watch the files.
        """
        observer = None if self._poll else FolderObserver(self._touched, self._want_look)
        try:
            if observer is not None:
                observer.refresh(self._layout.folders)
            self._look_wanted = False  # the existing files are read below; later changes must be looked at
            self._layout = self._survey()
            known = file_snapshot.take(self._layout.scripts)
            for path in self._layout.scripts if self._at_start else self._paths:
                if os.path.isfile(path):
                    self._touched(path)
            yield WatchStart(len(known))
            yield from self._loop(observer, known)
        finally:
            if observer is not None:
                observer.close()

    def _loop(self, observer: FolderObserver | None, known: file_snapshot.Snapshot) -> Iterator[WatchEvent]:
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
        """Wait until there may be something to do, at most `longest` seconds."""
        with self._lock:
            wait = self._debounce.wait(time.monotonic())
        self._woken.wait(longest if wait is None else min(wait, longest))
        self._woken.clear()

    def _look(self, known: file_snapshot.Snapshot) -> file_snapshot.Snapshot:
        self._layout = self._survey()  # links may have other targets now
        now = file_snapshot.take(self._layout.scripts)
        for name in file_snapshot.changed(known, now):
            self._touch(name)
        return now

    def _survey(self) -> WatchLayout:
        """The layout of the paths and of the libraries that scripts import, wherever these are."""
        layout = survey(self._paths, self._were_folders)
        for path in sorted(set[str]().union(*self._imports.values())):
            if layout.name(path) is None and os.path.isfile(path):
                layout.add_file(path, os.path.relpath(path).replace(os.sep, "/"))
        return layout

    def _want_look(self) -> None:
        self._look_wanted = True
        self._woken.set()

    def _touched(self, path: str) -> None:
        name = self._layout.name(path)
        if name is None:
            if os.path.islink(path) or path in self._layout.links:
                self._want_look()  # the target of the link may be a script
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
                    self._imports.pop(path, None)
                    yield ScriptRemoval(path)
                self._touch_importers(path)
                return
            self._compiled.pop(path, None)
            yield VerdictFailure(path, error.message, error.hint)
            return
        if self._compiled.get(path) == source:
            return
        self._compiled[path] = source
        self._touch_importers(path)
        try:
            verdict = self._compiler_for(path).compile(source, Context.within(COMPILE_SECONDS))
        except PinebenchError as error:
            # The next save may compile the same text: the page or the network may be available by then.
            self._compiled.pop(path, None)
            yield VerdictFailure(path, error.message, error.hint)
            return
        except Exception as error:  # a fault on one script must not end the watch on the others
            _log.debug("%s: internal error", path, exc_info=error)
            problem = fault(error)
            yield VerdictFailure(path, problem.message, problem.hint)
            return
        self._note_imports(path, verdict)
        yield self._pushed(ScriptCompiled(path, source, verdict, replaced=verdict.evidence.get("replaced")))

    def _note_imports(self, path: str, verdict: Verdict) -> None:
        """Remember where the libraries of a script are searched, and watch these places."""
        if verdict.program is None:
            return
        imported = verdict.program.imported_paths
        folders = config.library_folders(path) if imported else ()
        files_of = {os.path.abspath(file) for each in imported for file in candidates(folders, each)}
        if self._imports.get(path, frozenset()) != files_of:
            self._imports[path] = frozenset(files_of)
            self._want_look()

    def _touch_importers(self, path: str) -> None:
        """Compile the scripts again that import the library at `path`, although their own texts are the same."""
        changed = os.path.abspath(path)
        for script, places in list(self._imports.items()):
            if changed in places and script != path:
                self._compiled[script] = None
                self._touch(script)

    def _compiler_for(self, path: str) -> Compiler:
        if isinstance(self._compiler, LocalCompiler | BundlingCompiler):
            return self._compiler.beside(path)
        return self._compiler

    def _pushed(self, compiled: ScriptCompiled) -> ScriptCompiled:
        if self._push is None or not compiled.verdict.ok or self._is_outdated(compiled):
            return compiled
        try:
            kept = self._push(text_to_send(compiled.source, compiled.path))
        except PinebenchError as error:
            # The next save may push the same text: the page may be available by then, or its text may be ours again.
            self._compiled[compiled.path] = None
            return replace(compiled, pushed=False, push_problem=error.message)
        return replace(compiled, pushed=True, replaced=compiled.replaced or kept)

    def _is_outdated(self, compiled: ScriptCompiled) -> bool:
        """Whether the file was saved again in the meantime. Then its next state will be pushed."""
        try:
            return files.read(compiled.path).text != compiled.source
        except UsageError:
            return True
