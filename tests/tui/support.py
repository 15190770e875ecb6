"""Runs a workbench without a terminal, with a state of its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.events import Paste
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from pinebench.tui.app import Workbench
from pinebench.tui.bottom_lines import SplitLine
from pinebench.tui.dialogs import Dialog
from pinebench.tui.script_tab import ScriptTab

SCRIPT = """\
//@version=6
indicator("Example", overlay = true)
length = input.int(9, "Length")
average(float source, int bars) =>
    sum = 0.0
    for i = 0 to bars - 1
        sum += source[i]
    sum / bars
plot(average(close, length))
"""
_NAMES = {" ": "space", "\n": "enter", "\t": "tab", ".": "full_stop", "(": "left_parenthesis", ",": "comma"}
_MOST = 1.0
"""Seconds for which all that was begun is waited for where a test does not say what it waits for, as by a pilot. The
time in which this process waits for a processor of a busy machine does not count."""
_CALM = 4
"""Turns of the event loop in which nothing happens, after which nothing more comes by itself."""


@pytest.fixture(autouse=True)
def state(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own; no browser is looked for."""
    if not request.node.get_closest_marker("soak") and "painted" not in request.fixturenames:
        monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_rules_once)
        monkeypatch.setattr(Compositor, "render_update", _paint_if_whole)
    folder = tmp_path / "state"
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(folder))
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINEBENCH_CDP_PORT", "1")
    return folder


# The same number without a call of Python: a workbench looks for a hundred thousand rules.
type.__setattr__(RuleSet, "__hash__", object.__hash__)

_parse_rules = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}
"""The rules of each text of styles with its variables, for all workbenches of this process."""


def _parse_rules_once(sheet: Stylesheet, *arguments: Any, **options: Any) -> list[RuleSet]:
    key = (arguments, *sorted(options.items()), *sorted(sheet._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(sheet, *arguments, **options)
    return _parsed[key]


@pytest.fixture
def painted() -> None:
    """Let Textual paint every change, and parse the texts of styles for each workbench."""


_paint = Compositor.render_update


def _paint_if_whole(
    compositor: Compositor, full: bool = False, screen_stack: list[Screen[Any]] | None = None, simplify: bool = False
) -> Any:
    """Paint a screen only where it is asked for as a whole: to paint each change takes two fifths of the time.

    `bench` paints the last screen of each test. Every change is painted in tests with `painted`, and in `make soak`.
    """
    if full:
        return _paint(compositor, full, screen_stack, simplify)
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()
    return None


class Bench:
    """A running workbench and what a person does with it."""

    def __init__(self, app: Workbench, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def front(self) -> ScriptTab:
        """The script in front."""
        assert self.app.front is not None
        return self.app.front

    @property
    def text(self) -> str:
        """The text in front."""
        return self.front.editor.text

    @property
    def message(self) -> str:
        """What is said below the editor."""
        return self.app.screen_stack[0].query_one("#message", SplitLine).words

    @property
    def status(self) -> str:
        """How things stand."""
        return self.app.screen_stack[0].query_one("#status", SplitLine).words

    @property
    def dialog(self) -> Dialog | None:
        """The question that is open."""
        return self.app.screen if isinstance(self.app.screen, Dialog) else None

    def is_kept(self, text: str) -> bool:
        """Whether this text is the draft of the script in front."""
        return self.app.drafts is not None and self.app.drafts.holds(self.front.key, text)

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until they have done what they do."""
        await self.pilot.press(*keys)
        await self.until(lambda: self.app._turns.is_over, "keys")

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.press(*(_NAMES.get(letter, letter) for letter in text))

    async def choose(self, title: str) -> None:
        """Choose a command by its title, which is pasted into the list of all commands."""
        await self.press("ctrl+p")
        await self.asked()
        self.app.post_message(Paste(title.removesuffix("…")))
        await self.press("enter")

    async def until(self, true: Callable[[], Any], what: str = "") -> None:
        """Wait for a condition, not for time."""
        for _ in range(6000):  # at least a minute, so that a busy machine fails no test
            if true():
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"never: {what or true}: {self.status} | {self.message} | {self.app.screen}")

    async def checked(self) -> None:
        """Wait until the findings are those of the text."""
        await self.until(lambda: self.front.is_checked, "checked")

    async def tabs(self, count: int) -> None:
        """Wait until so many scripts are open, and the last one is in front with its text.

        A new script counts as open before its editor is mounted. Only then it gets its text, and comes to the front.
        """
        await self.until(
            lambda: len(self.app.opened) == count and self.app.front is self.app.opened[-1], f"{count} scripts"
        )

    async def asked(self) -> Dialog:
        """Wait for a question."""
        await self.until(lambda: self.dialog is not None and self.dialog.is_mounted, "a dialog")
        await self.until(lambda: getattr(self.dialog, "is_ready", True), "a dialog that takes keys")
        await self.pilot.pause()
        assert self.dialog is not None
        return self.dialog

    async def calm(self) -> None:
        """Wait until no question is open."""
        await self.until(lambda: self.dialog is None, "no dialog")
        await self.pilot.pause()


@contextlib.contextmanager
def _waits_for_conditions(app: Workbench) -> Iterator[None]:
    """Let a pilot wait until all is heard and drawn, not until the processor has nothing to do for some time."""
    running: set[object] = set()
    """What is being done now: a thread, or the handling of a message."""

    def noted(work: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, Any]]:
        async def done(*arguments: Any, **options: Any) -> Any:
            mark = object()
            running.add(mark)
            try:
                return await work(*arguments, **options)
            finally:
                running.discard(mark)

        return done

    async def settled(*_: object) -> bool:
        now = asyncio.get_running_loop().time
        start, calm, delay = now(), 0, None
        end = start + _MOST
        while app._running and not app._exit:
            await asyncio.sleep(0.002 if running else 0)
            calm = 0 if running or not app._turns.is_over or _is_told(app) else calm + 1
            if calm == _CALM:
                return True
            if delay is None and now() > start + _MOST / 10:
                delay = _delay()
            if now() >= end:
                delay, before = _delay(), delay or 0
                if delay - before < _MOST / 20:
                    break
                end = now() + delay - before
        running.clear()  # what takes so long is waited for by name
        return True

    to_thread, dispatch, flush = asyncio.to_thread, MessagePump._dispatch_message, MessagePump._flush_next_callbacks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "to_thread", noted(to_thread))
        patch.setattr(MessagePump, "_dispatch_message", noted(dispatch))
        patch.setattr(MessagePump, "_flush_next_callbacks", noted(flush))
        patch.setattr("textual.app.wait_for_idle", settled)
        patch.setattr("textual.pilot.wait_for_idle", settled)
        patch.setattr(Pilot, "_wait_for_screen", settled)
        yield


def _delay() -> float:
    """The seconds that the threads of this process have waited for a processor (Linux; elsewhere 0)."""
    total = 0
    for path in Path("/proc/self/task").glob("*/schedstat"):
        with contextlib.suppress(OSError, IndexError):  # a thread that has just ended
            total += int(path.read_text().split()[1])
    return total / 1e9


def _is_told(app: Workbench) -> bool:
    """Whether any part was told something that it did not see to yet. What is to be drawn is drawn."""
    if any(map(_has_messages, (app, *app._registry))):
        return True
    app.screen._on_timer_update()
    return app.screen._layout_required or any(map(_has_messages, (app, *app._registry)))


def _has_messages(part: MessagePump) -> bool:
    return bool(part.message_queue_size or part._pending_message is not None or part._next_callbacks)


@contextlib.asynccontextmanager
async def bench(
    *paths: Path | str, size: tuple[int, int] = (100, 30), folder: Path | None = None
) -> AsyncIterator[Bench]:
    """A workbench with files."""
    app = Workbench([str(path) for path in paths], str(folder) if folder else None)
    async with app.run_test(size=size) as pilot:
        with _waits_for_conditions(app):
            found = Bench(app, pilot)
            await found.until(lambda: len(app.opened) >= len(paths), "opened")
            await pilot.pause()
            yield found
            if app._running:
                app.screen._compositor.render_strips()


def run(story: Coroutine[Any, Any, None]) -> None:
    """Run a story to its end."""
    asyncio.run(story)


def write(path: Path, text: str | bytes) -> Path:
    """Write a file as it is given; returns its path."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
