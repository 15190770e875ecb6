"""Real runs of `pinebench write` killed at random moments: always resumable, and nothing paid twice but what was in
flight."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.authoring.fake_anthropic import FakeAnthropic, Reply, edits, script
from tests.cli.support import CLEAN, pinebench, surroundings

pytestmark = pytest.mark.soak

KILLS = 60
STEPS = 3
ANSWERS = 1 + 2 * STEPS
"""A draft, and two for each name: one that is sent back, and one that mends it."""
NAMES = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
MINE = CLEAN + "plot(open)\n"
OUTPUT = "r.pine"
STARTS = ("on nothing", "on an earlier run", "in place")


def stage(mended: int) -> str:
    return CLEAN + "".join(f"plot({'close' if n < mended else NAMES[n]})\n" for n in range(STEPS))


def reply(body: dict[str, Any]) -> Reply:
    """A draft, or the next name mended after an edit that does not apply: what a model says depends on what it is asked
    and on nothing else."""
    time.sleep(0.05)
    wanted = str(body["messages"])
    left = [name for name in NAMES if f"plot({name})" in wanted]
    if not left:
        return script(stage(0))
    if len(body["messages"]) == 1:
        return edits(("nowhere", "plot(close)"))
    return edits((f"plot({left[0]})", "plot(close)"))


class Counted(FakeAnthropic):
    """A service that answers every request."""

    def __init__(self) -> None:
        super().__init__([reply] * 10_000)


@pytest.fixture
def service() -> Iterator[Counted]:
    with Counted() as fake:
        yield fake


def command(start: str) -> tuple[str, ...]:
    base = ("--from", OUTPUT) if start == "in place" else ("--template", "none")
    return ("write", "three plots", *base, "-o", OUTPUT)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_run_that_was_killed_goes_on(tmp_path: Path, service: Counted, seed: int) -> None:
    generator = random.Random(seed)
    start = STARTS[seed % len(STARTS)]
    environment = {"ANTHROPIC_BASE_URL": service.url, "ANTHROPIC_API_KEY": "key", "NO_PROXY": "127.0.0.1"}
    if start == "on an earlier run":
        assert pinebench(*command(start), folder=tmp_path, environment=environment).code == 0
    if start == "in place":
        (tmp_path / OUTPUT).write_text(MINE)
    began = time.monotonic()
    outcome = pinebench("--version", folder=tmp_path, environment=environment)
    beginning = time.monotonic() - began
    paid = len(service.requests)

    kills = generator.choice((1, 2, 3))
    arguments = command(start)
    for number in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-m", "pinebench", *arguments],
            cwd=tmp_path,
            env=surroundings(tmp_path, **environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            process.wait(beginning * generator.uniform(0.5, 4.0))
        except subprocess.TimeoutExpired:
            process.kill()
        _, words = process.communicate()
        assert process.returncode in (-9, 0) or "no run to resume" in words, words
        held = (tmp_path / OUTPUT).read_text() if (tmp_path / OUTPUT).exists() else None
        assert held in (None, MINE, *map(stage, range(STEPS + 1)))
        # A second start, as somebody might who does not know of --resume.
        arguments = command(start) if number == 0 and generator.random() < 0.3 else ("write", "--resume", "-o", OUTPUT)
    outcome = pinebench("write", "--resume", "-o", OUTPUT, folder=tmp_path, environment=environment)
    starts = 1
    if outcome.code == 2 and "no run to resume" in outcome.err:
        outcome = pinebench(*command(start), folder=tmp_path, environment=environment)
        starts = 0
    assert outcome.code == 0, outcome.err
    assert (tmp_path / OUTPUT).read_text() == stage(STEPS)
    # Each start pays for its answers, each kill for one request in flight at most.
    begun = len({path.name for path in (tmp_path / ".state").rglob("*.jsonl")}) - (start == "on an earlier run")
    assert len(service.requests) - paid <= max(begun, starts) * ANSWERS + kills
