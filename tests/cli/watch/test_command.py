"""`pinebench watch` as a program: lines of JSON, a view in place, and a quiet end."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.cli.commands import watch
from pinebench.cli.console import Style
from pinebench.cli.watch import ScriptCompiled
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from tests.cli.support import CHECKOUT
from tests.cli.watch.support import CLEAN, LIMIT, WRONG, until
from tests.studio.support import Driver

COMMAND = [sys.executable, "-m", "pinebench", "watch"]


class Program:
    """`pinebench watch` with its lines of JSON; a context manager, so that a failing test leaves nothing behind."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._seen: list[dict[str, Any]] = []
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def event(self, name: str, **fields: Any) -> dict[str, Any]:
        """The first event called `name` whose fields are as given; each event is given out once, in any order."""
        end = time.monotonic() + LIMIT
        while True:
            for event in self._seen:
                if event["event"] == name and all(event[key] == value for key, value in fields.items()):
                    self._seen.remove(event)
                    return event
            self._seen.append(json.loads(self._lines.get(timeout=max(0.1, end - time.monotonic()))))

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; the exit code and what was said on stderr."""
        self.process.send_signal(number)
        code = self.process.wait(LIMIT)
        assert self.process.stderr is not None
        return code, self.process.stderr.read()


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "a.pine"
    path.write_text(WRONG.format(0))
    yield path


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_every_event_is_a_line_of_json_and_a_signal_ends_it_quietly(script: Path, number: signal.Signals) -> None:
    with Program(str(script.parent), str(script)) as program:
        assert program.event("watching") == {"event": "watching", "scripts": 1}
        first = program.event("compiled", path=str(script))
        assert (first["ok"], first["origin"], first["pushed"]) == (False, "local", None)
        (finding,) = first["diagnostics"]
        assert (finding["line"], finding["column"], finding["code"]) == (3, 6, "CE10272")
        script.write_text(CLEAN.format(1))
        assert program.event("compiled", ok=True)["diagnostics"] == []
        script.rename(script.with_name("b.pine"))
        program.event("compiled", path=str(script.with_name("b.pine")))
        program.event("removed", path=str(script))
        assert program.end(number) == (0, "")


def test_a_verdict_names_the_libraries_that_were_not_read() -> None:
    source = '//@version=6\nindicator("x")\nimport me/Foo/1 as f\nplot(f.g(close))\n'
    event = ScriptCompiled("a.pine", source, LocalCompiler().compile(source, Context()))
    written = watch._as_object(event)
    assert (written["ok"], written["diagnostics"], written["not_checked"]) == (True, [], ["me/Foo/1"])
    board = watch.Board("local", Style(False))
    board.note(event, "12:00:00")
    assert "uses of me/Foo/1 were not checked" in "\n".join(board.news(event))


def test_the_folder_it_is_started_in_is_watched_by_default(script: Path) -> None:
    program = subprocess.Popen(
        COMMAND, cwd=script.parent, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}
    )
    assert program.stdout is not None
    assert json.loads(program.stdout.readline()) == {"event": "watching", "scripts": 1}
    program.terminate()
    assert program.wait(LIMIT) == 0


def test_a_missing_path_is_wrong_usage() -> None:
    ended = subprocess.run([*COMMAND, "none.pine"], capture_output=True, text=True, timeout=LIMIT, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "none.pine" in ended.stderr


def test_in_a_terminal_the_verdict_stays_in_place(script: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, str(script)], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm", "COLUMNS": "60"}
    )
    os.close(theirs)
    seen = bytearray()

    def shows(text: str) -> bool:
        with contextlib.suppress(OSError):  # the other end is closed
            while select.select([ours], [], [], 0)[0]:
                seen.extend(os.read(ours, 65536))
        return text in seen.decode("utf-8", "replace")

    try:
        until(lambda: shows("Undeclared identifier"), "the first verdict")
        script.write_text(CLEAN.format(1))
        until(lambda: shows("✓"), "the second verdict")
        # A picture that has begun is drawn to its end before the program notices the signal, but read only now.
        process.terminate()
        assert process.wait(LIMIT) == 0
        shows("")
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    text = seen.decode("utf-8", "replace")
    assert "1 error, 0 warnings" in text
    assert "{" not in text
    last = text[text.rindex("\x1b[J") :]
    assert "0 errors" in last
    assert "Undeclared" not in last
    assert "F\x1b[J" in text  # drawn over the lines before


def test_a_save_becomes_a_verdict_of_the_chart(script: Path, studio_page: Driver, tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    with Program(
        str(script), "--with", "chart", "--cdp-port", str(studio_page.port), PINEBENCH_STATE_DIR=state
    ) as program:
        first = program.event("compiled", path=str(script))
        assert (first["ok"], first["origin"]) == (False, "studio")
        assert first["diagnostics"][0]["code"] == "CE10272"
        script.write_text(CLEAN.format("Saved"))
        assert program.event("compiled", ok=True)["origin"] == "studio"
        kept = first["replaced"]
        assert Path(kept).parent == Path(state) / "replaced" and Path(kept).read_text()
        assert program.end() == (0, f"pinebench: a copy of the text that was in the editor is in {kept}\n")
    assert studio_page.editor.read() == CLEAN.format("Saved")
    studies = studio_page.js("TradingViewApi._activeChartWidgetWV.value().getAllStudies().map((study) => study.name)")
    assert studies == ["Saved"]


def test_what_compiles_is_pushed_and_what_does_not_is_not(script: Path, studio_page: Driver, tmp_path: Path) -> None:
    before = studio_page.editor.read()
    state = str(tmp_path / "state")
    with Program(str(script), "--push", "--cdp-port", str(studio_page.port), PINEBENCH_STATE_DIR=state) as program:
        assert program.event("compiled", ok=False)["pushed"] is None
        assert studio_page.editor.read() == before
        script.write_text(CLEAN.format("Pushed"))
        event = program.event("compiled", ok=True)
        assert (event["pushed"], event["origin"]) == (True, "local")
        assert program.end()[0] == 0
    assert studio_page.editor.read() == CLEAN.format("Pushed")


def test_a_push_holds_back_from_what_somebody_wrote(script: Path, studio_page: Driver, tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    with Program(str(script), "--push", "--cdp-port", str(studio_page.port), PINEBENCH_STATE_DIR=state) as program:
        script.write_text(CLEAN.format("One"))
        assert program.event("compiled", ok=True)["pushed"] is True
        studio_page.editor.write("// mine, not saved anywhere")
        script.write_text(CLEAN.format("Two"))
        event = program.event("compiled", ok=True, pushed=False)
        assert "is not the text that pinebench last wrote there" in event["push_problem"]
        assert studio_page.editor.read() == "// mine, not saved anywhere"
        studio_page.editor.write(CLEAN.format("Two"))  # as 'pinebench push' does
        script.write_text(CLEAN.format("Three"))
        assert program.event("compiled", ok=True, pushed=True)["push_problem"] is None
        assert program.end()[0] == 0
    assert studio_page.editor.read() == CLEAN.format("Three")
