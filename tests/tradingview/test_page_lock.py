"""One at a time in one editor: processes wait for each other, and each gets the verdict on its own script."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.tradingview import browser
from pinebench.tradingview.errors import EditorBusy, PageGone
from pinebench.tradingview.page_lock import turn
from tests.studio.support import Driver, Tabs, studio_session
from tests.tradingview.support import LIMIT, Stage, until

PAGE = f"page of {os.getpid()}"
"""A page that no other process of the tests works on."""

GOOD = '//@version=6\nindicator("Good {0}")\nplot(close)\n'
BAD = '//@version=6\nindicator("Bad {0}")\nplot(unknown{0})\n'


def other(target: str, hold: str) -> subprocess.Popen[str]:
    """Another process that has the turn on `target`; it says so in one line, and then does `hold`."""
    program = f"""
import sys, time
from pinebench.tradingview.page_lock import turn
with turn("127.0.0.1", 9, {target!r}, print):
    print("mine", flush=True)
    {hold}
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "mine\n"
    return process


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[str]]:
    """A process that has the turn until it reads a line."""
    process = other(PAGE, "sys.stdin.readline()")
    yield process
    process.kill()
    process.wait()


def test_another_process_is_waited_for_and_named(busy: subprocess.Popen[str]) -> None:
    told: list[str] = []

    def tell(line: str) -> None:
        told.append(line)
        assert busy.stdin is not None
        busy.stdin.write("\n")
        busy.stdin.flush()

    with turn("localhost", 9, PAGE, tell):
        assert busy.wait(LIMIT) == 0
    assert told == [f"process {busy.pid} is working in this editor; waiting for it"]


def test_another_page_is_not_waited_for(busy: subprocess.Popen[str]) -> None:
    with turn("127.0.0.1", 9, f"another {PAGE}", print), turn("127.0.0.1", 10, PAGE, print):
        assert busy.poll() is None


def test_a_process_that_was_killed_holds_nobody_up(busy: subprocess.Popen[str]) -> None:
    busy.kill()
    busy.wait()
    with turn("127.0.0.1", 9, PAGE, print):
        pass


def test_the_wait_is_bounded_and_can_be_called_off(
    busy: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()
    until_told = Context(cancelled=stopped.is_set)
    with pytest.raises(CancelledError), turn("127.0.0.1", 9, PAGE, lambda _: stopped.set(), until_told):
        pass
    with pytest.raises(DeadlineError), turn("127.0.0.1", 9, PAGE, print, Context.within(0.2)):
        pass
    monkeypatch.setattr("pinebench.tradingview.page_lock.TURN_SECONDS", 0.2)
    with pytest.raises(EditorBusy, match=f"process {busy.pid}") as caught, turn("127.0.0.1", 9, PAGE, print):
        pass
    assert caught.value.exit_code == 3 and caught.value.hint


def test_in_a_piece_of_work_no_other_page_is_taken(stage: Stage) -> None:
    first, second = stage.open(), stage.open("https://www.tradingview.com/chart/second/")
    reached = stage.connect()
    reached.wanted = first.target.id
    with reached.exclusive():
        assert reached.evaluate("1") == 1
        reached.wanted = None
        first.request("Page.close", {}, LIMIT)
        until(lambda: all(page.id != first.target.id for page in stage.pages()))
        until(lambda: reached._tab is not None and reached._tab.lost)  # a call before that is one that was cut off
        with pytest.raises(PageGone):
            reached.evaluate("1")
    reached.wanted = second.target.id
    assert reached.evaluate("1") == 1


def run_pair(number: int, driver: Driver, folder: Path) -> list[tuple[int, dict[str, object], str]]:
    """Two processes that compile in one editor at once, one a good and one a bad script: exit code, report, stderr."""
    started: list[subprocess.Popen[str]] = []
    for name, source in (("good", GOOD), ("bad", BAD)):
        path = folder / f"{name}{number}.pine"
        path.write_text(source.format(number))
        environment = {**os.environ, "PINEBENCH_STATE_DIR": str(folder / "state")}
        command = [sys.executable, "-m", "pinebench", "compile", str(path), "--with", "chart", "--format", "json"]
        page = ["--cdp-port", str(driver.port), "--target", driver.tab]
        started.append(
            subprocess.Popen(
                [*command, *page], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        )
    ended: list[tuple[int, dict[str, object], str]] = []
    for process in started:
        out, err = process.communicate(timeout=5 * LIMIT)
        ended.append((process.returncode, json.loads(out) if out else {}, err))
    return ended


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [2, pytest.param(30, marks=pytest.mark.soak)])
def test_each_process_gets_the_verdict_on_its_own_script(
    chromium: browser.RunningBrowser, tmp_path: Path, pairs: int
) -> None:
    with studio_session() as session:
        tabs = Tabs(chromium.port, session)
        driver = tabs()
        try:
            for number in range(pairs):
                good, bad = run_pair(number, driver, tmp_path)
                assert good[0] == 0 and good[1]["diagnostics"] == [], good
                assert bad[0] == 1 and f"unknown{number}" in str(bad[1]["diagnostics"]), bad
        finally:
            tabs.close()


@pytest.mark.parametrize("when", ["during", "before"])
def test_a_tab_closed_during_a_compile_is_exit_3(stage: Stage, tmp_path: Path, when: str) -> None:
    """Whether another chart is open or not: the script is compiled in no other one."""
    tab, bystander = stage.open(silent=1), stage.open("https://www.tradingview.com/chart/second/")
    (tmp_path / "a.pine").write_text(GOOD.format(1))
    options = ["--target", tab.target.id, "--cdp-port", str(stage.port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", "compile", str(tmp_path / "a.pine"), "--with", "chart", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(
        lambda: stage.value(tab, "window.compiles.length" if when == "during" else "live.getValue().includes('Good')")
    )
    tab.request("Page.close", {}, LIMIT)
    out, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, out) == (3, ""), err
    assert "closed" in err or "lost" in err
    assert stage.value(bystander, "window.compiles") == []
