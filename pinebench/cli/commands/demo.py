"""`pinebench demo`: a short story that shows what pinebench does, on files of its own."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import style_for
from pinebench.extras import how_to_install
from pinebench.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Generator

    from pinebench.cli.table import Subparsers

SCRIPT = "crossing.pine"
"""The demo's script, in `samples/demo/`: it has three mistakes."""
BROKEN = "text_workshop.pine"
"""The script that is repaired round by round, in `samples/broken/`."""
STUDIO_SECONDS = 180
"""How long the studio may take to answer, and the chart act as a whole."""
CLOSING_SECONDS = 30
"""How long the studio may take to end."""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    subparsers.add_parser(
        "demo",
        usage="pinebench demo",
        description="See in a minute what pinebench does, on copies in a temporary folder and without a network.",
    )


def run(args: argparse.Namespace) -> int:  # noqa: ARG001  (it has no arguments)
    """Tell every act; the exit code is 1 when an act did not go as it should."""
    import shutil
    from tempfile import TemporaryDirectory

    from pinebench import resources

    with TemporaryDirectory(prefix="pinebench-demo-") as folder, contextlib.chdir(folder), _state_in(folder):
        shutil.copy(resources.folder("samples") / "demo" / SCRIPT, SCRIPT)
        went_well = [act() for act in ACTS]
    if not all(went_well):
        return 1
    _say("That is all. 'pinebench --help' lists every command.")
    return 0


@contextlib.contextmanager
def _state_in(folder: str) -> Generator[None]:
    """Keep what commands would keep for later (pictures, journals) in the demo's own folder, which goes with it."""
    import os

    before = os.environ.get("PINEBENCH_STATE_DIR")
    os.environ["PINEBENCH_STATE_DIR"] = os.path.join(folder, ".state")
    try:
        yield
    finally:
        del os.environ["PINEBENCH_STATE_DIR"]
        if before is not None:
            os.environ["PINEBENCH_STATE_DIR"] = before


def _a_faulty_script() -> bool:
    _title("A script with three mistakes, checked offline")
    return _command("lint", SCRIPT) == 1


def _an_explanation() -> bool:
    _title("Every code can be explained")
    return _command("explain", "CE10272") == 0


def _a_mended_script() -> bool:
    _title("It applies safe fixes on request")
    shown = _command("lint", SCRIPT, "--diff") == 1
    return shown and _command("lint", SCRIPT, "--fix") == 0


def _a_repair() -> bool:
    """The whole loop on a script of real size: compile, mend, compile again, until it compiles."""
    import shutil

    from pinebench import resources
    from pinebench.authoring import session
    from pinebench.authoring.author import Budget
    from pinebench.authoring.quickfix import QuickFix
    from pinebench.cli.story import follow
    from pinebench.compilers.local import LocalCompiler
    from pinebench.context import Context

    _title("A broken script of real size, repaired round by round, guesses allowed, without a key")
    shutil.copy(resources.folder("samples") / "broken" / BROKEN, BROKEN)
    _show_command("fix", BROKEN, "--unsafe-fixes")
    # Not through the command, whose story goes to stderr: the demo's goes where the rest of it goes.
    _, finished = follow(
        session.fix(BROKEN, QuickFix(unsafe=True), LocalCompiler(), Budget(), Context()), stream=sys.stdout
    )
    _say("")
    return finished.success and _command("compile", BROKEN) == 0


def _the_samples() -> bool:
    import time

    from pinebench import resources
    from pinebench.lint import project, running

    _title("And the samples that come with pinebench")
    folder = resources.folder("samples")
    paths = sorted(str(path) for path in folder.glob("*.pine"))
    started = time.perf_counter()
    results = running.lint_scripts(project.read_scripts(paths, []), jobs=1)
    seconds = time.perf_counter() - started
    lines = sum(result.script.text.count("\n") for result in results)
    errors = [finding for result in results for finding in result.findings if finding.severity == 0]
    _say(f"{len(paths)} scripts, {lines} lines: {len(errors)} errors, checked in {seconds:.2f} s\n")
    for error in errors:
        _say(f"{error.path}:{error.line}:{error.column}: {error.code}: {error.message}")
    return not errors


def _a_chart() -> bool:
    import os
    from importlib.util import find_spec

    _title("A chart page in a browser says the same")
    if find_spec("pychrome") is None:
        _say(f"left out: it needs an extra; {how_to_install('chart')}\n")
        return True
    with _studio() as port:
        if isinstance(port, str):
            _say(f"left out: {port}\n")
            return os.environ.get("CI") != "true"
        _say("A studio runs on this computer: a chart and an editor like TradingView's, driven in the same way.\n")
        with _environment(PINEBENCH_CDP_PORT=str(port), PINEBENCH_STATE_DIR=os.path.abspath("state")):
            return _command("compile", SCRIPT, "--with", "chart") == 0


@contextlib.contextmanager
def _environment(**values: str) -> Generator[None]:
    """The environment with `values` while the body runs."""
    import os

    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _studio() -> Generator[int | str]:
    """A studio with its browser while the body runs: its debug port, or why there is none."""
    import json
    import os
    import subprocess
    import threading

    import pinebench

    # The demo has left the folder it was started in, where a checkout may be.
    home = os.path.dirname(os.path.dirname(os.path.abspath(pinebench.__file__)))
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "pinebench", "studio", "--headless"]
    with open("studio.log", "w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, "PYTHONPATH": path}
        )
        limit = threading.Timer(STUDIO_SECONDS, process.terminate)
        limit.start()
        try:
            line = process.stdout.readline() if process.stdout else ""
            if line:
                yield json.loads(line)["debug_port"]
            else:
                log.seek(0)
                yield _last_line(log.read()) or f"the studio did not start within {STUDIO_SECONDS} s"
        finally:
            limit.cancel()
            process.terminate()
            try:
                process.wait(CLOSING_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].removeprefix("pinebench: ") if lines else ""


ACTS: tuple[Callable[[], bool], ...] = (
    _a_faulty_script,
    _an_explanation,
    _a_mended_script,
    _a_repair,
    _a_chart,
    _the_samples,
)
"""The acts in order; each runs in a folder that holds SCRIPT, prints, and answers whether it went as it should.

An act that needs what is not there (a browser, an extra) says so in one line and answers True.
"""


def _title(text: str) -> None:
    paint = style_for(sys.stdout)
    print(f"{paint('== ' + text, 'bold')}\n", flush=True)


def _say(text: str) -> None:
    print(printable(text, keep="\n"), flush=True)


def _command(*arguments: str) -> int:
    """Show a command line as a person would type it, run it, and return its exit code."""
    from pinebench.cli import main
    from pinebench.cli.exits import INTERRUPTED

    _show_command(*arguments)
    code = main(arguments)
    print(flush=True)
    if code == INTERRUPTED:  # the key was pressed for the demo, and not only for the command that ran just then
        raise KeyboardInterrupt
    return code


def _show_command(*arguments: str) -> None:
    paint = style_for(sys.stdout)
    print(paint(f"$ pinebench {' '.join(arguments)}", "dim"), flush=True)
