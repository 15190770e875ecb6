"""Compiles scripts, transfers them to and from the editor on the chart's page, and restores replaced texts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pinebench import config, files
from pinebench.amounts import counted
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.tui.buffer import Buffer
from pinebench.tui.dialogs import Ask, Choice, DialogChoice, Pick
from pinebench.tui.script_tab import CompilerVerdict

if TYPE_CHECKING:
    from pinebench.compilers import Compiler, Verdict
    from pinebench.tradingview.editor import PageEditor
    from pinebench.tui.app import Workbench

Result = TypeVar("Result")

_REPLACED = "replaced"
_MOST_KEPT = 200


async def compile_with(bench: Workbench, who: str) -> None:
    """Compile the active script with the compiler `who`: local, online or chart."""
    opened = bench.front
    if opened is None:
        return
    if who == "online" and not await may_send(bench):
        return
    text = opened.editor.text

    def work(context: Context) -> Verdict:
        judge = compiler(bench, who, opened.buffer.place)
        try:
            return judge.compile(text, context)
        finally:
            close = getattr(judge, "close", None)
            if close is not None:
                close()

    verdict = await bench.lengthy(f"compiling ({NAMES[who]})", work)
    judged = CompilerVerdict.of(verdict, text)
    opened.judged = judged
    opened.editor.show_findings(opened.shown if opened.is_checked else [])
    bench.findings_changed(opened)
    kept = verdict.evidence.get(_REPLACED)
    more = f"; the previous text of the page is kept in {kept}" if kept else ""
    if verdict.elsewhere:
        from pinebench.projects.findings_elsewhere import first_elsewhere

        more = f"; {first_elsewhere(verdict)}{more}"
    words = judged.words if opened.verdict is not None else f"{judged.words} (the text has changed since)"
    name = "" if opened is bench.front else f"{opened.buffer.name}: "
    bench.say(f"{name}{words}{more}", "good" if verdict.ok else "error")


NAMES = {"local": "our check", "online": "TradingView, online", "chart": "on the chart"}
"""The compilers, in words."""


def compiler(bench: Workbench, who: str, place: str) -> Compiler:
    """Return the compiler `who`: local, online or chart.

    `place` is the path whose configuration is used. Raises UsageError if a copy of the text that the compiler replaces
    on the page cannot be saved.
    """
    from pinebench import compilers
    from pinebench.projects.compiler import BundlingCompiler

    if who == "local":
        from pinebench.compilers.local import LocalCompiler

        return LocalCompiler().beside(place)
    if who == "chart":
        require_keeping()
        return BundlingCompiler(compilers.get(who, wait=False, notify=bench.say_from_thread), place)
    return BundlingCompiler(compilers.get(who), place)


async def may_send(bench: Workbench) -> bool:
    """Return whether scripts may go to TradingView. Ask the person, unless they have agreed before."""
    if not bench.may_send:
        text = (
            "The script is sent to TradingView over the network, to be checked there. Nothing is saved on TradingView."
        )
        choices = [DialogChoice("no", "Do not send", "n"), DialogChoice("yes", "Send", "s")]
        bench.may_send = await bench.push_screen_wait(Ask("Ask TradingView?", text, choices)) == "yes"
    return bench.may_send


# the page


def require_keeping() -> None:
    """Check that a copy of a replaced text can be saved. Raises UsageError if it cannot; then no text on the page may
    be replaced."""
    try:
        probe = os.path.join(config.private_state_folder(_REPLACED), f".probe-{os.getpid()}")
        files.write_atomically(probe, b"pinebench", private=True, durable=False)
        os.unlink(probe)
    except (UsageError, OSError) as error:
        why = error.message if isinstance(error, UsageError) else str(error)
        raise UsageError(
            f"nothing was put on the page, because a copy of its text could not be stored: {why}",
            "check the free space of the state folder",
        ) from None


async def push(bench: Workbench) -> None:
    """Put the active script into the editor on the chart's page. A copy of the replaced text is saved."""
    if bench.front is not None:
        await _push(bench, bench.front.editor.text, bench.front.buffer.name, bench.front.buffer.place)


async def _push(bench: Workbench, text: str, name: str, place: str | None = None) -> None:
    """Put a text on the page; a script that is at `place` is bundled with its local libraries."""

    def work(context: Context, page: PageEditor):
        from pinebench.projects.project import text_to_send

        require_keeping()
        return page.push(text if place is None else text_to_send(text, place), context)

    written = await _on_page(bench, "putting the script on the page", work)
    kept = f"; the previous text is kept in {written.kept}" if written.kept is not None else ""
    bench.say(
        f"{name}: {counted(written.lines, 'line')} are in the page's editor and were compared with the script{kept}",
        "good",
    )


async def pull(bench: Workbench) -> None:
    """Fetch the script that is in the editor on the chart's page."""
    from pinebench.tradingview.editor import normalise

    def work(context: Context, page: PageEditor) -> str:
        with page.page.connection.exclusive(context):
            return normalise(page.read(context))[0]

    text = await _on_page(bench, "fetching the script from the page", work)
    opened = bench.front
    if opened is not None and text == normalise(opened.editor.text)[0]:
        bench.say("the page has the same text", "good")
        return
    answer = "new"
    if opened is not None:
        lines = counted(text.count("\n") + 1, "line")
        choices = [
            DialogChoice("new", "Into a new tab", "n"),
            DialogChoice("here", "In place of this text", "p"),
            DialogChoice("no", "Leave it", "l"),
        ]
        told = f"{lines}. If it replaces the text of {opened.buffer.name}, ctrl+z undoes that in one step."
        answer = await bench.push_screen_wait(Ask("The script on the page", told, choices))
    if answer == "new":
        await bench.add(Buffer(name=bench.untitled()), text)
    elif answer == "here" and opened in bench.opened and opened is not None:
        opened.editor.put(text)
        bench.say("fetched from the page; ctrl+z brings the earlier text back", "good")


async def bring_back(bench: Workbench) -> None:
    """Let the person pick a text that was replaced on the page or in a file, and open it or put it back on the page."""
    folder = config.private_state_folder(_REPLACED)
    found = sorted((entry for entry in os.scandir(folder) if entry.is_file()), key=lambda entry: -entry.stat().st_mtime)
    rows: list[Choice] = []
    for entry in found[:_MOST_KEPT]:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.stat().st_mtime))
        rows.append(Choice(entry.path, f"{when}  {_title(entry.path)}", entry.name))
    if not rows:
        bench.say("nothing has been replaced so far")
        return
    title = "Replaced texts" if len(found) == len(rows) else f"The newest {len(rows)} of {len(found)} replaced texts"
    path = await bench.push_screen_wait(Pick(title, rows))
    if path is None:
        return
    text = files.read(path).text
    choices = [DialogChoice("tab", "Into a new tab", "n"), DialogChoice("page", "Put it back on the page", "p")]
    answer = await bench.push_screen_wait(Ask("Bring it back", _title(path), choices))
    if answer == "tab":
        await bench.add(Buffer(name=bench.untitled()), text)
    elif answer == "page":
        await _push(bench, text, "the kept text")


def _title(path: str) -> str:
    """The first line of a script that is not a comment; it usually says what the script is."""
    try:
        lines = files.read(path).text.splitlines()
    except UsageError:
        return "cannot be read"
    told = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("//")]
    return (told or [line for line in lines if line.strip()] or ["empty"])[0][:80]


async def _on_page(bench: Workbench, what: str, work: Callable[[Context, PageEditor], Result]) -> Result:
    """Run `work` with the editor on the chart's page, over a separate connection."""

    def connected(context: Context) -> Result:
        from pinebench.tradingview import endpoint
        from pinebench.tradingview.connection import Connection
        from pinebench.tradingview.editor import PageEditor
        from pinebench.tradingview.page import Page

        host, port, target = endpoint.resolve(notify=bench.say_from_thread)
        with Connection(host, port, target, wait=False, notify=bench.say_from_thread) as connection:
            return work(context, PageEditor(Page(connection)))

    return await bench.lengthy(what, connected)
