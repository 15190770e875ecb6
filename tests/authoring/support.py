"""Scripts, a service and a runner that the tests of the authoring room share."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pinebench.authoring.claude import Claude
from pinebench.authoring.events import Event, FinishedEvent, name_of
from tests.authoring.fake_anthropic import FakeAnthropic, Step

CLEAN = '//@version=6\nindicator("Average")\nlength = input.int(14, "Length")\nplot(ta.sma(close, length))\n'
MISSPELLED = CLEAN.replace("ta.sma", "ta.smaa")
UNDECLARED = CLEAN.replace("close, length", "close, lenght")
TWO_ERRORS = MISSPELLED.replace("close", "clsoe")
REQUEST = "Draw the average of the close over an adjustable length."
OUTPUT = "average.pine"
NO_WAIT = (0.0,) * 5
"""Waits between tries, for a service that is only acting."""


@contextmanager
def service(monkeypatch: pytest.MonkeyPatch, *steps: Step) -> Iterator[FakeAnthropic]:
    """A scripted service that the SDK of this process speaks to."""
    with FakeAnthropic(steps) as fake:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-test")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
        yield fake


def claude(libraries: tuple[str, ...] = ()) -> Claude:
    """The real author, without waits."""
    return Claude(back_off=NO_WAIT, libraries=libraries)


def ending(events: Iterator[Event]) -> tuple[list[Event], FinishedEvent]:
    """All events, and the last one."""
    every = list(events)
    last = every[-1]
    assert isinstance(last, FinishedEvent)
    return every, last


def names(events: list[Event]) -> list[str]:
    """The names of events in a journal."""
    return [name_of(type(event)) for event in events]


def isolate(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Keep journals in `folder`, and work there."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(folder / ".state"))
    monkeypatch.delenv("PINEBENCH_MODEL", raising=False)
    monkeypatch.chdir(folder)


class AuthorRun:
    """What a run left behind."""

    def __init__(self, events: list[Event], finished: FinishedEvent, fake: FakeAnthropic, folder: Path) -> None:
        self.events = events
        self.finished = finished
        self.fake = fake
        self.disk = (folder / OUTPUT).read_text() if (folder / OUTPUT).exists() else None

    @property
    def names(self) -> list[str]:
        return names(self.events)
