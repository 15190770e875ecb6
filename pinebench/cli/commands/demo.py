"""`pinebench demo`: see in a minute what pinebench does. No network or browser is needed; only a picture is saved."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Generator

from pinebench.cli.console import style_for
from pinebench.errors import UsageError
from pinebench.printable import printable

SOURCE = "averages.pine.v5"
"""The demo's script, in `pine/samples/demo/`: a v5 strategy with one mistake, which repaints."""
OLD = "old.pine"
NEW = "new.pine"
BARS = "sample:AAPL@15x1000"
"""The made-up bars that the script runs on."""
LAST_BARS = "2026-10-30T19:00"
"""`run` shows the values from here on: the last bars of BARS."""
LIVE = '"D", close)'
CLOSED = '"D", close[1], lookahead = barmerge.lookahead_on)'
"""The replacement for LIVE that follows the advice: the request asks for the last day that is closed."""

USAGE = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""


def run(args: argparse.Namespace) -> int:  # noqa: ARG001  (it has no arguments)
    """Run the acts of the demo in order, until one fails. The exit code is 1 if an act failed."""
    import shutil
    from tempfile import TemporaryDirectory

    from pinebench.files import resources

    with TemporaryDirectory(prefix="pinebench-demo-") as folder:
        with contextlib.chdir(folder), _state_in(folder):
            shutil.copy(resources.folder("samples") / "demo" / SOURCE, OLD)
            for act in ACTS:
                if not act():
                    _say("The demo stops here: this step did not give the expected result.")
                    return 1
        kept = _keep(folder, _picture())
    _say("That is all. 'pinebench --help' lists every command.")
    _say(f"The picture of the trades on made-up prices: {kept}")
    return 0


@contextlib.contextmanager
def _state_in(folder: str) -> Generator[None]:
    """Keep journals and other state of the commands in the demo's temporary folder."""
    before = os.environ.get("PINEBENCH_STATE_DIR")
    os.environ["PINEBENCH_STATE_DIR"] = os.path.join(folder, ".state")
    try:
        yield
    finally:
        del os.environ["PINEBENCH_STATE_DIR"]
        if before is not None:
            os.environ["PINEBENCH_STATE_DIR"] = before


def _keep(folder: str, name: str) -> str:
    """Copy the picture into the state folder, or into a temporary one if that cannot be written; return its path."""
    import shutil
    from tempfile import mkdtemp

    from pinebench.config.folders import private_state_folder

    picture = os.path.join(folder, name)
    try:
        return shutil.copy(picture, os.path.abspath(os.path.join(private_state_folder("demo"), name)))
    except (OSError, UsageError):
        return shutil.copy(picture, os.path.join(mkdtemp(prefix="pinebench-picture-"), name))


def _picture() -> str:
    """The picture's file name: a web page if Pillow is missing."""
    from importlib.util import find_spec

    return "made-up-trades.png" if find_spec("PIL") is not None else "made-up-trades.html"


def _migrated() -> bool:
    _title("1. An old v5 script is migrated to v6. One error of its own is left.")
    return _command("migrate", OLD, "-o", NEW) == 1


def _fixed() -> bool:
    _title("2. The error is found and fixed. The script passes pinebench's check. A warning is left.")
    found = _command("lint", NEW) == 1
    return found and _command("lint", NEW, "--fix") == 0 and _command("compile", NEW) == 0


def _caught() -> bool:
    _title("3. The script runs on made-up prices. It repaints: its past changes after a reload.")
    return _command("run", NEW, "--data", BARS, "--from", LAST_BARS, "--no-repaint") == 1


def _steady() -> bool:
    from pathlib import Path

    _title("4. We follow the advice and edit one line. The script no longer repaints.")
    script = Path(NEW)
    text = script.read_bytes().decode("utf-8")
    if text.count(LIVE) != 1:
        return False
    mended = text.replace(LIVE, CLOSED)
    script.write_bytes(mended.encode("utf-8"))
    line = text[: text.index(LIVE)].count("\n")
    _say(f"line {line + 1}, before: {text.splitlines()[line]}")
    _say(f"line {line + 1}, now:    {mended.splitlines()[line]}\n")
    clean = _command("lint", NEW) == 0
    return clean and _command("run", NEW, "--data", BARS, "--from", LAST_BARS, "--no-repaint") == 0


def _tested() -> bool:
    _title(
        "5. The strategy is back-tested and drawn. The prices are made up, so the figures say nothing about a market."
    )
    return _command("backtest", NEW, "--data", BARS, "--expect", "trades>0", "--plot", _picture()) == 0


ACTS: tuple[Callable[[], bool], ...] = (_migrated, _fixed, _caught, _steady, _tested)
"""The acts in order. Each runs in the demo's folder, prints, and returns whether it went as it should."""


def _title(text: str) -> None:
    paint = style_for(sys.stdout)
    print(f"{paint('== ' + text, 'bold')}\n", flush=True)


def _say(text: str) -> None:
    print(printable(text, keep="\n"), flush=True)


def _command(*arguments: str) -> int:
    """Show a command line as a person would type it, run it, and return its exit code."""
    import shlex

    from pinebench.cli import main
    from pinebench.cli.exit_codes import INTERRUPTED

    paint = style_for(sys.stdout)
    print(paint(f"$ pinebench {shlex.join(arguments)}", "dim"), flush=True)
    code = main(arguments)
    print(flush=True)
    if code == INTERRUPTED:  # Ctrl-C ends the demo, not only the command that runs.
        raise KeyboardInterrupt
    return code
