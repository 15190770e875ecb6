"""The browser dies or stands still at any moment of a compile: an error in bounded time, and work goes on after it."""

import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from pinebench.compilers import CompilerUnavailable, Verdict
from pinebench.compilers.chart import ChartCompiler
from pinebench.context import Context
from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from tests.studio.support import Tabs
from tests.tradingview.support import start_browser

pytestmark = [pytest.mark.soak, pytest.mark.live]

BAD = '//@version=6\nindicator("Bad")\nplot(unknown)\n'
LONGEST = 60.0
"""Seconds that one compile may take whatever happens, on a busy machine; what it waits for in all is about half."""


def compiled(chart: ChartCompiler) -> tuple[Verdict | CompilerUnavailable, float]:
    """What compiling comes to, and how long it takes."""
    started = time.monotonic()
    try:
        outcome: Verdict | CompilerUnavailable = chart.compile(BAD, Context())
    except CompilerUnavailable as error:
        outcome = error
    return outcome, time.monotonic() - started


def during(launched: browser.RunningBrowser, number: signal.Signals, after: float) -> threading.Timer:
    """Send a signal to the browser in a moment."""
    assert launched.pid is not None
    timer = threading.Timer(after, os.killpg, (launched.pid, number))
    timer.start()
    return timer


@pytest.mark.parametrize(("number", "times"), [(signal.SIGKILL, 20), (signal.SIGSTOP, 5)])
def test_a_browser_that_dies_or_stands_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, times: int
) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    source = random.Random(20)
    tally = {"verdict": 0, "error": 0}
    for turn in range(times):
        launched = start_browser(tmp_path / str(turn))
        with StudioSession() as session:
            driver = Tabs(launched.port, session)()
            chart = ChartCompiler(port=launched.port, target=driver.tab, notify=lambda _: None)
            timer = during(launched, number, source.uniform(0.0, 0.6))
            try:
                outcome, took = compiled(chart)
                assert took < LONGEST
                if isinstance(outcome, Verdict):
                    assert not outcome.ok and "unknown" in outcome.diagnostics[0].message
                else:
                    assert outcome.hint
                tally["verdict" if isinstance(outcome, Verdict) else "error"] += 1
                timer.join()
                if number == signal.SIGSTOP:
                    assert launched.pid is not None
                    os.killpg(launched.pid, signal.SIGCONT)
                    after, _ = compiled(ChartCompiler(port=launched.port, target=driver.tab, notify=lambda _: None))
                    assert isinstance(after, Verdict) and not after.ok
            finally:
                chart.close()
                driver.connection.close()
                if launched.pid is not None and number == signal.SIGSTOP:
                    os.killpg(launched.pid, signal.SIGCONT)
                launched.stop()
    print(tally)
