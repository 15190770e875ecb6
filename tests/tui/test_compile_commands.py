"""Verdicts name who gave them and about which text; what is replaced on a page is kept and can be brought back."""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench import compilers, files
from pinebench.compilers import CompilerUnavailable, Verdict
from pinebench.errors import UsageError
from pinebench.tradingview import browser
from pinebench.tui import chart_link, compile_commands
from pinebench.tui.dialogs import Ask, Pick
from tests.studio.support import Tabs, studio_session
from tests.tradingview.support import start_browser
from tests.tui.support import SCRIPT, bench, run, write


async def test_only_tradingview_says_that_a_script_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    answers: list[Verdict | CompilerUnavailable] = []

    class Online:
        name = "online"

        def compile(self, source: str, context: object) -> Verdict:
            answer = answers.pop()
            if isinstance(answer, CompilerUnavailable):
                raise answer
            return answer

    monkeypatch.setattr(compilers, "get", lambda name, **_: Online())
    async with bench(script) as it:
        await it.press("f5")
        await it.until(lambda: "our check: passes" in it.status)
        assert "compiles" not in it.status + it.message
        await it.press("f6")
        assert isinstance(await it.asked(), Ask)
        await it.press("n")
        await it.calm()
        assert "online" not in it.status
        answers.append(Verdict(True, (), "online", 0.1))
        await it.press("f6")
        await it.asked()
        await it.press("s")
        await it.calm()
        await it.until(lambda: "online: compiles" in it.status)
        # About another text it is said to be about an earlier one, and about this one again when it is back.
        await it.type("x")
        assert "online: compiles (an earlier text)" in it.status
        await it.press("ctrl+z")
        assert "online: compiles" in it.status and "earlier" not in it.status
        # One that cannot be reached has said nothing.
        it.front.judged = None
        answers.append(CompilerUnavailable("TradingView does not answer", "try again"))
        await it.press("f6")
        await it.until(lambda: "does not answer" in it.message)
        assert it.front.judged is None and "compiles" not in it.status


async def test_a_verdict_that_comes_late_names_its_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    class Slow:
        def compile(self, source: str, context: object) -> Verdict:
            go_on.wait(60)
            return Verdict(True, (), "online", 0.1)

    monkeypatch.setattr(compile_commands, "compiler", lambda *_: Slow())
    async with bench(write(tmp_path / "a.pine", SCRIPT), write(tmp_path / "b.pine", "nonsense(\n")) as it:
        await it.press("alt+left", "f5", "alt+right")
        await it.until(lambda: it.front.buffer.name == "b.pine" and it.app._busy)
        go_on.set()
        await it.until(lambda: "compiles" in it.message)
        assert "a.pine: online: compiles" in it.message


def test_the_chart_is_said_to_be_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chart_link.look().text == "no chart"
    monkeypatch.setenv("PINEBENCH_CDP_HOST", "10.1.2.3")
    assert "not checked" in chart_link.look().text
    monkeypatch.setenv("PINEBENCH_CDP_HOST", "127.0.0.1")
    monkeypatch.setenv("PINEBENCH_CDP_PORT", "many")
    assert chart_link.look().kind == "error"


@pytest.fixture
def page(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[browser.RunningBrowser]:
    """A studio's page in a browser, where the workbench finds it."""
    launched = start_browser(tmp_path_factory.mktemp("profile"))
    with studio_session() as session:
        tabs = Tabs(launched.port, session)
        tabs()
        monkeypatch.setenv("PINEBENCH_CDP_PORT", str(launched.port))
        yield launched
        with contextlib.suppress(OSError):  # a test may have ended the browser
            tabs.close()
    launched.stop()


@pytest.mark.live
def test_push_compile_pull_and_bring_back(
    tmp_path: Path, page: browser.RunningBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.replace("\n", "\r\n"))

    async def story() -> None:
        async with bench(script) as it:
            await it.until(lambda: "studio open" in it.status, "the studio is seen")
            # Where nothing can be kept, nothing is replaced.
            real = files.write_atomically

            def full(path: str, data: bytes, **options: bool) -> str | None:
                if "replaced" in os.fspath(path):
                    raise UsageError("no space left on device")
                return real(path, data, **options)

            monkeypatch.setattr(files, "write_atomically", full)
            for key in ("alt+p", "f7"):
                await it.press(key)
                await it.until(lambda: "could not be stored" in it.message)
                await it.press("right")
            monkeypatch.setattr(files, "write_atomically", real)
            await it.press("alt+g")
            await it.asked()
            await it.press("n")
            await it.calm()
            await it.tabs(2)
            theirs = it.text
            assert theirs.strip() and theirs != SCRIPT
            await it.press("alt+left", "alt+p")
            await it.until(lambda: "were compared with the script" in it.message)
            kept = [each.read_text() for each in (tmp_path / "state/replaced").iterdir()]
            assert kept == [theirs]
            await it.press("f7")
            await it.until(lambda: "studio: passes" in it.status)
            # Fetched into this text it is one step; the line ends stay those of the file.
            await it.press("ctrl+home")
            await it.type("// mine\n")
            await it.press("alt+g")
            await it.asked()
            await it.press("p")
            await it.calm()
            await it.until(lambda: it.text == SCRIPT.replace("\n", "\r\n"))
            await it.press("ctrl+z")
            assert it.text.startswith("// mine\r\n")
            # What was on the page is put back.
            it.app.do("bring-back")
            assert isinstance(await it.asked(), Pick)
            await it.press("enter")
            await it.until(lambda: isinstance(it.dialog, Ask))
            await it.asked()
            await it.press("p")
            await it.calm()
            await it.until(lambda: "the kept text" in it.message)
            it.app.bring(it.app.opened[1])
            await it.press("alt+g")
            await it.until(lambda: "the page has the same text" in it.message)
            page.stop()
            await it.until(lambda: "no chart" in it.status, "the chart is gone")
            await it.press("alt+p")
            await it.until(lambda: "no chart" not in it.message and it.message)
            assert it.app.is_running and it.text == theirs

    run(story())
