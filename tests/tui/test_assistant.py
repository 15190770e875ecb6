"""The assistant: its rounds as they run, and a text that changes by what a person accepts and by nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Input, Label, OptionList, Static

from pinebench.authoring import session
from pinebench.authoring.claude import Claude
from pinebench.tui import assisting
from pinebench.tui.proposed import Proposed
from tests.authoring.fake_anthropic import Reply, busy, edits, script, slowly, text
from tests.authoring.support import NO_WAIT, service
from tests.tui.support import SCRIPT, Bench, bench, run, write

# What the assistant makes of SCRIPT: one change near the top, one at the end.
BETTER = SCRIPT.replace('"Length")', '"Length", minval = 1)').replace("length))", 'length), "Average")')
WORSE = BETTER.replace("average(close", "averag(close")
END = ("plot(average(close, length))", 'plot(averag(close, length), "Average")')


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claude without waits between tries, and without a key of the person's own."""

    def author(model: str | None, libraries: tuple[str, ...], heard: Callable[[str], None]) -> Claude:
        return Claude(model, back_off=NO_WAIT, libraries=libraries, heard=heard)

    monkeypatch.setattr(assisting, "author_of", author)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("PINEBENCH_MODEL", raising=False)


def rows(it: Bench) -> str:
    """All that the panel says."""
    options = it.app.query_one("#panel-assistant OptionList", OptionList)
    told = [str(options.get_option_at_index(number).prompt) for number in range(options.option_count)]
    return "\n".join([str(it.app.query_one("#assistant-count", Label).content), *told])


async def ask(it: Bench, request: str = "Name the plot, and take no length below 1.") -> None:
    """Show the panel and ask."""
    await it.press("alt+m")
    await it.until(lambda: it.app.focused is not None and it.app.focused.id == "assistant-request")
    it.app.query_one("#assistant-request", Input).value = request
    await it.press("enter")


async def proposed(it: Bench) -> Proposed:
    """Wait for the changes to be shown."""
    found = await it.asked()
    assert isinstance(found, Proposed)
    return found


def test_a_change_is_asked_for_compiled_looked_at_and_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "a.pine", SCRIPT.replace("\n", "\r\n"))
    go_on = threading.Event()
    first = slowly(go_on, f"Here it is.\n```pine\n{WORSE}\n```")

    async def story() -> None:
        async with bench(source, size=(120, 40)) as it:
            await it.checked()
            await ask(it)
            # What arrives is seen while it arrives, and typing goes on.
            await it.until(lambda: "Average" in str(it.app.query_one("#assistant-said", Static).content), "the stream")
            await it.until(lambda: "Claude is writing" in it.status)
            await it.press("alt+e", "ctrl+home", "enter", "up")
            await it.type("// mine")
            typed = it.text
            go_on.set()
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            assert it.text == typed
            told = rows(it)
            assert "our check: 1 error" in told and "our check: passes" in told and "Here it is." in told
            assert "2 rounds, about $0.0" in told and "2 changes: +2 −2 lines" in told
            assert "compiles" not in told
            # One of two is left out.
            await it.press("alt+d")
            await proposed(it)
            await it.press("down", "space", "enter")
            await it.calm()
            wanted = ("// mine\n" + BETTER.replace(', "Average"', "")).replace("\n", "\r\n")
            await it.until(lambda: it.text == wanted, f"accepted: {it.text!r}")
            assert "accepted 1 of 1" in rows(it)
            assert it.front.is_dirty and source.read_bytes() == SCRIPT.replace("\n", "\r\n").encode()
            # Looked at again, it says what is so already; the rest can still be had.
            await it.press("alt+d")
            found = await proposed(it)
            assert [place.done for place in found._places] == [True, False]
            await it.press("escape")
            await it.calm()
            await it.press("ctrl+z")
            assert it.text == typed

    with service(monkeypatch, first, edits(("averag(", "average("))) as fake:
        run(story())
    assert len(fake.requests) == 2 and fake.requests[0].body["messages"]
    assert "sum += source[i]" in fake.requests[0].text


def test_what_does_not_fit_any_more_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(source, size=(120, 40)) as it:
            await ask(it)
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            mine = SCRIPT.replace("plot(average(close, length))", "plot(average(open, length))")
            it.front.editor.put(mine)
            await it.press("alt+d")
            found = await proposed(it)
            assert [place.hunk is None for place in found._places] == [False, True]
            await it.press("down", "space", "enter")
            await it.calm()
            assert it.text == mine.replace('"Length")', '"Length", minval = 1)')
            # Even what was loaded while it was looked at is left alone.
            await it.press("ctrl+z", "alt+d")
            await proposed(it)
            other = mine.replace('length = input.int(9, "Length")', "length = 12")
            it.front.editor.put(other)
            await it.press("enter")
            await it.calm()
            assert it.text == other and "did not fit" in it.message
            # Nothing of it is lost: it can be had in a tab, and rejected.
            await it.press("alt+d")
            await proposed(it)
            await it.press("t")
            await it.calm()
            await it.until(lambda: len(it.app.opened) == 2)
            assert it.text == BETTER and it.app.opened[0].editor.text == other
            await it.press("alt+left", "alt+d")
            await proposed(it)
            await it.press("r")
            await it.calm()
            await it.until(lambda: "rejected" in rows(it))
            assert it.app.opened[0].editor.text == other

    with service(monkeypatch, script(BETTER)):
        run(story())


def test_a_new_script_comes_in_a_tab_or_into_a_blank_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blank = write(tmp_path / "blank.pine", "")
    # A request that no template suits.
    request = "Zzz qqq xxyyzz."

    async def story() -> None:
        async with bench() as it:
            await ask(it, request)
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            assert not it.app.opened
            await it.press("alt+d")
            await proposed(it)
            await it.press("enter")
            await it.until(lambda: len(it.app.opened) == 1)
            assert it.text == BETTER and it.front.is_dirty
            await it.press("ctrl+w")
            await it.asked()
            await it.press("w")
            await it.until(lambda: not it.app.opened)
        async with bench(blank) as it:
            await ask(it, request)
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            await it.press("alt+d")
            await proposed(it)
            await it.press("enter")
            await it.until(lambda: it.text == BETTER)
            await it.press("ctrl+z")
            assert it.text == ""

    with service(monkeypatch, script(BETTER), script(BETTER)) as fake:
        run(story())
    assert "sum += source[i]" not in fake.requests[0].text


@pytest.mark.parametrize(
    ("steps", "dollars", "told"),
    [
        ((), "2", "there is no ANTHROPIC_API_KEY"),
        ((busy(401),), "2", "Claude refused the key"),
        ((busy(529),) * 6, "2", "Claude cannot be asked"),
        ((Reply(stop_reason="refusal"),), "2", "declined to write"),
        ((text("I will not."),) * 3, "2", "no usable answer"),
        ((script(WORSE),), "0.004", "about $0.004 is spent"),
        ((script(SCRIPT),), "nothing", "not an amount of dollars"),
    ],
    ids=("no key", "wrong key", "busy", "refused", "words", "budget", "no budget"),
)
def test_what_goes_wrong_is_said_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: tuple[Reply, ...], dollars: str, told: str
) -> None:
    source = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(source) as it:
            await it.press("alt+m")
            await it.until(lambda: it.app.focused is not None and it.app.focused.id == "assistant-request")
            it.app.query_one("#assistant-dollars", Input).value = dollars
            await ask(it, "Another thing.")
            await it.until(lambda: told in it.message, told)
            assert "--" not in it.message + rows(it)
            assert it.text == SCRIPT and not it.front.is_dirty
            assert it.app.query_one("#assistant-request", Input).value == "Another thing."
            if dollars == "0.004":
                # What was paid for is there to be looked at, and more can be allowed.
                assert "about $0.006 of $0.004; r continues it" in rows(it)
                it.app.query_one("#assistant-dollars", Input).value = "1"
                await it.press("r")
                await it.until(lambda: "the script passes" in it.message)
                assert "2 rounds" in rows(it) and rows(it).count("Another thing.") == 1

    if not steps:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
        run(story())
        return
    with service(monkeypatch, *steps, edits(("averag(", "average("))):
        run(story())


def test_a_run_is_stopped_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(source) as it:
            await ask(it)
            await it.until(lambda: "Claude is writing" in it.status)
            # One at a time for a script.
            await ask(it, "Another.")
            await it.until(lambda: "an answer is being written" in it.message)
            await it.press("alt+q")
            await it.until(lambda: "stopped" in it.message)
            assert it.text == SCRIPT and "r continues it" in rows(it)
            await it.press("r")
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            assert "our check: 1 error" in rows(it) and rows(it).count("Name the plot") == 1

    answers = [script(WORSE), slowly(threading.Event(), "Now I"), edits(("averag(", "average("))]
    with service(monkeypatch, *answers):
        run(story())


def test_a_run_outlives_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path / "a.pine", SCRIPT)
    program = f"""
import asyncio
from textual.widgets import Input
from pinebench.tui.app import Workbench
async def story():
    app = Workbench([{str(source)!r}])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.show_panel("assistant")
        app.query_one("#assistant-request", Input).value = "Name it."
        await pilot.press("enter")
        for _ in range(1500):
            if "Claude is writing" in app.query_one("#status").words:
                break
            await pilot.pause(0.02)
        else:
            raise SystemExit(app.query_one("#status").words)
        print("asked", flush=True)
        await asyncio.sleep(600)
asyncio.run(story())
"""

    async def story() -> None:
        async with bench(source) as it:
            await it.press("alt+m")
            await it.until(lambda: "was interrupted on" in rows(it), "the run that was left")
            assert "our check: 1 error" in rows(it) and "1 round, about $0.006 of $2" in rows(it)
            it.app.query_one("#panel-assistant OptionList", OptionList).focus()
            await it.press("r")
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            await it.press("alt+d")
            await proposed(it)
            await it.press("enter")
            await it.until(lambda: it.text == BETTER)

    answers = (script(WORSE), slowly(threading.Event(), "Now I"), edits(("averag(", "average(")))
    with service(monkeypatch, *answers) as fake:
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
        assert process.stdout is not None and process.stdout.readline() == "asked\n"
        # The words that it shows may still be those of the first round.
        assert any(len(fake.requests) == 2 or time.sleep(0.01) for _ in range(6000))
        process.send_signal(signal.SIGKILL)
        process.wait()
        run(story())


def test_goals_are_pursued_on_the_bars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = SCRIPT.replace("indicator(", "strategy(")
    trading = strategy + 'if bar_index == 2\n    strategy.entry("L", strategy.long)\n'
    source = write(tmp_path / "a.pine", strategy)

    async def story() -> None:
        async with bench(source) as it:
            await it.press("alt+m")
            await it.until(lambda: it.app.focused is not None and it.app.focused.id == "assistant-request")
            it.app.query_one("#assistant-goals", Input).value = "open_trades>=1, no-repaint"
            await ask(it)
            await it.until(lambda: "alt+d shows" in it.message or "the assistant" in it.message, "the end")
            assert "all goals are met on the bars" in rows(it), rows(it)

    with service(monkeypatch, script(strategy + "// so\n"), *[script(trading)] * 3) as fake:
        run(story())
    assert "open_trades" in fake.requests[0].text


def test_runs_of_the_editor_and_of_the_command_line_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(source) as it:
            await ask(it)
            await it.until(lambda: "alt+d shows" in it.message, "the end")

    with service(monkeypatch, script(BETTER)):
        run(story())
    assert session.last(str(source)) is not None and session.last(str(tmp_path / "b.pine")) is None
    with pytest.raises(Exception, match="there is no run to resume"):
        session._newest(None)


def test_a_run_stays_with_its_script_under_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def story() -> None:
        async with bench(folder=tmp_path) as it:
            await it.press("ctrl+n")
            await it.until(lambda: len(it.app.opened) == 1)
            it.front.editor.put(SCRIPT)
            await ask(it)
            await it.until(lambda: "Claude is writing" in it.status)
            await it.press("alt+q")
            await it.until(lambda: "the assistant: stopped" in it.message)
            await it.press("alt+s")
            await it.asked()
            it.app.screen.query_one(Input).value = str(tmp_path / "named.pine")
            await it.press("enter")
            await it.until(lambda: it.front.buffer.name == "named.pine")
            await it.press("alt+m")
            it.app.query_one("#panel-assistant OptionList", OptionList).focus()
            await it.press("r")
            await it.until(lambda: "alt+d shows" in it.message, "the end")
            await it.press("alt+d")
            await proposed(it)
            await it.press("enter")
            await it.until(lambda: it.text == BETTER)

    with service(monkeypatch, script(WORSE), slowly(threading.Event(), "Now I"), edits(("averag(", "average("))):
        run(story())
