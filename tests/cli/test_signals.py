"""What ends a command that runs until it is told to stop."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import signal
from pinebench.cli.signals import until_stopped

signal.signal(signal.SIGHUP, signal.{handler})
with until_stopped():
    signal.raise_signal(signal.SIGHUP)
    print("went on")
    signal.raise_signal(signal.SIGTERM)
    print("never said")
print(signal.getsignal(signal.SIGHUP) is signal.{handler})
"""


@pytest.mark.parametrize(("handler", "said"), [("SIG_DFL", ["True"]), ("SIG_IGN", ["went on", "True"])])
def test_a_closed_terminal_ends_it_unless_it_was_started_to_stay(handler: str, said: list[str]) -> None:
    program = PROGRAM.format(handler=handler)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.split("\n")[:-1], ended.stderr) == (0, said, "")
