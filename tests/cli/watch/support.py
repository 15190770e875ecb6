"""A watcher that runs in a thread, and conditions to wait for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from pinebench.cli.watch import ScriptCompiled, Watcher, WatchEvent, WatchStart
from pinebench.compilers import Verdict
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context

LIMIT = 120.0
"""Seconds a condition may take on a busy machine; only a failing test ever waits so long."""

CLEAN = '//@version=6\nindicator("{}")\nplot(close)\n'
WRONG = '//@version=6\nindicator("{}")\nplot(zzz)\n'


def until(condition: Callable[[], Any], what: str) -> Any:
    """Wait until `condition` is true and return its value."""
    end = time.monotonic() + LIMIT
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"still not true: {what}"
        time.sleep(0.01)


class Counting:
    """Our own checker, counting what it compiles; `gate` holds it up while it is clear."""

    name = "local"

    def __init__(self) -> None:
        self.sources: list[str] = []
        self.gate = threading.Event()
        self.gate.set()

    def reach(self, context: Context) -> None:
        """It is always here."""

    def compile(self, source: str, context: Context) -> Verdict:
        """The checker's verdict."""
        self.sources.append(source)
        assert self.gate.wait(LIMIT)
        return LocalCompiler().compile(source, context)


class Running:
    """A watcher in a thread, with the events it has yielded."""

    def __init__(self, paths: Sequence[str], compiler: Any = None, **options: Any) -> None:
        self.events: list[WatchEvent] = []
        self.failure: BaseException | None = None
        self.processor_seconds = 0.0
        self._watcher = Watcher(paths, compiler or Counting(), **options)
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Running:
        self._thread.start()
        until(lambda: self.failure or any(isinstance(event, WatchStart) for event in self.events), "watching")
        return self

    def __exit__(self, *_: object) -> None:
        self._watcher.stop()
        self._thread.join(LIMIT)
        assert not self._thread.is_alive(), "the watcher did not stop"
        if self.failure is not None:
            raise self.failure

    def _work(self) -> None:
        try:
            for event in self._watcher.run():
                self.events.append(event)
        except BaseException as error:
            self.failure = error
        finally:
            self.processor_seconds = time.thread_time()

    def last(self, name: str) -> WatchEvent | None:
        """The last event about the file called `name`."""
        about = [event for event in self.events if not isinstance(event, WatchStart) and event.path.endswith(name)]
        return about[-1] if about else None

    def wait_for(self, name: str, source: str | None = None, kind: type[WatchEvent] = ScriptCompiled) -> Any:  # type: ignore[valid-type]
        """Wait until the last event about `name` is a `kind`, of `source` if given."""

        def there() -> WatchEvent | None:
            event = self.last(name)
            fits = isinstance(event, kind) and (source is None or getattr(event, "source", None) == source)  # type: ignore[arg-type]
            return event if fits else None

        return until(there, f"{kind} for {name}; so far {self.events[-3:]}")
