"""What ends a command that runs until it is told to stop."""

import signal
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


LATE = """
import signal, sys
from pinebench.cli.console import print_report

class Slow:
    def write(self, text):
        signal.raise_signal(signal.{name})
        {again}
        sys.stdout.write(text)
    def flush(self):
        sys.stdout.flush()

print_report('{{"whole": true}}\\n', Slow())
print("never said")
"""


@pytest.mark.parametrize(
    ("name", "again", "said"),
    [
        ("SIGINT", "pass", '{"whole": true}\n'),
        ("SIGTERM", "pass", '{"whole": true}\n'),
        ("SIGTERM", "signal.raise_signal(signal.SIGTERM)", ""),
    ],
)
def test_a_report_that_has_begun_is_finished_unless_it_is_asked_twice(name: str, again: str, said: str) -> None:
    program = LATE.format(name=name, again=again)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode in (-getattr(signal, name), 130)
    assert ended.stdout == said


LOST = """
import signal, time, weakref
from pinebench.cli.signals import heed_lost_signals

class Thing: pass

heed_lost_signals()
thing = Thing()
reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
begun = time.monotonic()
try:
    del thing
    time.sleep(60)
    print("lost")
except KeyboardInterrupt:
    # One that is noticed only when the wait is over anyway came too late.
    print("counted" if time.monotonic() - begun < 55 else "late")
"""


def test_an_interrupt_that_falls_into_a_callback_counts() -> None:
    ended = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("counted\n", "")


BUSY = """
import threading, time
start = threading.Thread.start

def slow_start(thread):
    start(thread)
    time.sleep(0.3)  # the new thread runs, and this one has no processor

threading.Thread.start = slow_start
"""
STOPPED = """
import signal, time, weakref
from pinebench.cli.signals import heed_lost_signals, until_stopped

class Thing: pass

signal.signal(signal.{name}, signal.SIG_DFL)  # whoever started the tests may have it ignored
heed_lost_signals()
thing = Thing()
reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.{name}))
begun = time.monotonic()
with until_stopped():
    try:
        del thing
        time.sleep(60)
        print("lost")
    finally:
        signal.raise_signal(signal.{name})
        print("cleaned up")
print("counted" if time.monotonic() - begun < 55 else "late")
"""


@pytest.mark.parametrize(("name", "before"), [("SIGINT", ""), ("SIGTERM", BUSY), ("SIGHUP", "")])
def test_what_ends_a_service_counts_in_a_callback_too_and_only_once(name: str, before: str) -> None:
    program = before + STOPPED.format(name=name)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("cleaned up\ncounted\n", "")


STARTING = """
import runpy, signal, sys, weakref

class Thing: pass

class Interrupting:
    # Presses Ctrl-C while a module is looked for: plainly, or within a callback, where an exception would be lost.
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            thing = Thing()
            reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
            {how}
        return None

sys.meta_path.insert(0, Interrupting())
sys.argv = ["pinebench", "lint", "--help"]
runpy.run_module("pinebench", run_name="__main__")
"""


@pytest.mark.parametrize("how", ["signal.raise_signal(signal.SIGINT)", "del thing"])
@pytest.mark.parametrize("module", ["pinebench.cli", "argparse", "pinebench.cli.commands.lint"])
def test_an_interrupt_while_the_command_starts_ends_it_in_silence(module: str, how: str) -> None:
    program = STARTING.format(module=module, how=how)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_a_process_that_ignores_interrupts_goes_on_ignoring_them() -> None:
    program = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + STARTING.format(
        module="argparse", how="signal.raise_signal(signal.SIGINT)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert ended.stdout.startswith("usage: pinebench lint")
