"""Runs the command line as a user would: another process, its own folder, no colours, no cache of the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]
SAMPLES = CHECKOUT / "samples"

CLEAN = '//@version=6\nindicator("Clean")\nplot(close)\n'
UNCLOSED = '//@version=6\nindicator("Unclosed")\nplot(close\n'


class Outcome(NamedTuple):
    """What a command left: its exit code, its results, and its words for people."""

    code: int
    out: str
    err: str


def pinebench(*arguments: str, folder: Path, stdin: bytes = b"", environment: dict[str, str] | None = None) -> Outcome:
    """Run `pinebench ARGUMENTS` in `folder` and wait for it, at most five minutes."""
    process = subprocess.run(
        [sys.executable, "-m", "pinebench", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        timeout=300,
        env=surroundings(folder, **(environment or {})),
        check=False,
    )
    return Outcome(process.returncode, process.stdout.decode(), process.stderr.decode())


def surroundings(folder: Path, **environment: str) -> dict[str, str]:
    """The environment of a command: what it keeps goes to `folder`, and nothing set here changes a report."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINEBENCH_")}
    ours = {
        "PYTHONPATH": str(CHECKOUT),
        "PYTHONIOENCODING": "utf-8",
        "PINEBENCH_CACHE_DIR": str(folder / ".cache"),
        "PINEBENCH_STATE_DIR": str(folder / ".state"),
        "COLUMNS": "80",
    }
    return {**kept, **ours, **environment}
