"""Conversations at the terminal: how they start, how their events are shown, and how a person consents to a call."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pinebench.cli.console import InputPath, amount, note, style_for
from pinebench.cli.page import add_page_arguments
from pinebench.errors import PinebenchError, UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.agent.chat import Conversation
    from pinebench.agent.chat_history import MessageHistory
    from pinebench.agent.consent import ConsentRequest
    from pinebench.agent.events import Event
    from pinebench.tools.chart_browser import ChartBrowser


class TurnFailed(PinebenchError):
    """Raised when a turn of the conversation ends with an error, which has its own exit code."""

    def __init__(self, message: str, hint: str, exit_code: int) -> None:
        super().__init__(message, hint or None)
        self.exit_code = exit_code


def add_talk_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that all conversations share."""
    add = parser.add_argument
    add("--model", metavar="M", help="Claude's model (default: PINEBENCH_MODEL)")
    add("--max-dollars", type=amount, metavar="D", help="stop at this estimated cost (default: no limit)")
    add("--read-only", action="store_true", help="leave out every tool that changes something or costs money")
    add(
        "--allow",
        action="append",
        default=[],
        metavar="TOOL",
        help="run this tool without asking; may be given several times",
    )
    add(
        "--folder",
        type=InputPath,
        action="append",
        default=[],
        metavar="DIR",
        help="let Claude list, read and save scripts in this folder; may be given several times",
    )
    add_page_arguments(parser)


def chart_browser_of(args: argparse.Namespace) -> ChartBrowser:
    """Return the browser that the tools control. If the page is missing, the tools' results report that immediately."""
    from pinebench.tools.chart_browser import ChartBrowser

    return ChartBrowser(
        args.cdp_host,
        args.cdp_port,
        args.target,
        allow_remote=args.allow_remote_cdp,
        folders=tuple(map(os.path.abspath, args.folder)),
    )


def conversation(
    args: argparse.Namespace,
    chart_browser: ChartBrowser,
    model: str | None,
    kept: Callable[[MessageHistory], None] | None = None,
) -> Conversation:
    """Return a conversation with the settings of the arguments and the configuration. `kept` is called to save its
    history. Raises AuthorUnavailable without a key."""
    from pinebench.agent.chat import offered
    from pinebench.agent.consent import allowing, ask_nobody
    from pinebench.agent.conversation_setup import begin

    allowed = _allowed(args)
    _ask_about_skills()
    asking = ask_at_terminal if sys.stdin.isatty() and sys.stderr.isatty() else ask_nobody
    begun = begin(
        chart_browser,
        model,
        approve=allowing(allowed, asking),
        tools=[tool for tool in offered(chart_browser, None) if not (args.read_only and tool.is_left_out)],
        dollars=args.max_dollars,
        kept=kept,
    )
    # A clone may bring a `.env`: then somebody else's account gets the conversation, or a costly model answers.
    for what, origin in (("key", begun.service.key_from), ("model", begun.service.model_from)):
        if os.path.isabs(origin):
            note(f"the {what} comes from {origin}")
    return begun


def _allowed(args: argparse.Namespace) -> frozenset[str]:
    """The names of the tools that --allow gives. Raises UsageError for an unknown or a left out one."""
    from pinebench.tools import registry

    found = [registry.find(name.strip()) for given in args.allow for name in given.split(",")]
    for tool in found:
        if args.read_only and tool.is_left_out:
            raise UsageError(f"--read-only leaves {tool.name} out, and --allow allows it", "leave one of them out")
    return frozenset(tool.name for tool in found)


def _ask_about_skills() -> None:
    """Ask the person at the terminal once about the project's skills, and tell which of them the model has."""
    from pinebench import skills

    known = skills.known()
    for remark in known.remarks:
        note(remark)
    if known.unapproved and sys.stdin.isatty() and sys.stderr.isatty():
        for each in known.unapproved:
            told = ", in place of pinebench's own" if each.replaces else ""
            print(printable(f"  {each.name}{told}: {each.description}"), file=sys.stderr)
        print("Let Claude use these instructions from this folder? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            skills.approve(known.unapproved)
    own = [each.name for each in skills.known().by_name.values() if not each.is_ours]
    if own:
        note(f"Claude also has the skills of this folder: {', '.join(own)}")


class Teller:
    """Shows the events of a turn: the answer on standard output, tools and notes on standard error.

    On a terminal, the answer is shown as Markdown, block by block. Elsewhere it is shown as it arrives.
    """

    def __init__(self) -> None:
        self._style = style_for(sys.stderr)
        self._console = _console()
        self._waiting = ""
        self._line_open = False

    def tell(self, event: Event) -> None:
        """Show an event. Raises TurnFailed for an error."""
        from pinebench.agent.call_words import shown_call
        from pinebench.agent.events import Error, Text, ToolError, ToolResult, ToolUse, TurnEnd

        match event:
            case Text():
                self._say(event.text)
            case ToolUse():
                self.end()
                self._note(f"  > {shown_call(event)}", "dim")
            case ToolResult():
                path = event.result.get("file_path") if event.images else None
                self._note(f"  + {event.name}{f': {path}' if path else ''}", "dim")
            case ToolError():
                hint = f" ({event.hint})" if event.hint else ""
                self._note(f"  ! {event.name}: {event.error}{hint}", "warning")
            case TurnEnd():
                self.end()
                if event.words:
                    note(event.words)
            case Error():
                self.end()
                raise TurnFailed(event.message, event.hint, event.exit_code)

    def end(self) -> None:
        """Show the rest of the answer, and end its last line."""
        if self._waiting:
            self._print(self._waiting)
            self._waiting = ""
        if self._line_open:
            print(flush=True)
            self._line_open = False

    def _say(self, piece: str) -> None:
        if self._console is None:
            words = printable(piece, keep="\n\t")
            print(words, end="", flush=True)
            self._line_open = not words.endswith("\n") if words else self._line_open
            return
        self._waiting += piece
        complete, self._waiting = blocks(self._waiting)
        if complete:
            self._print(complete)

    def _print(self, text: str) -> None:
        from rich.markdown import Markdown

        assert self._console is not None
        self._console.print(Markdown(printable(text, keep="\n\t"), hyperlinks=False))

    def _note(self, line: str, style: str) -> None:
        from pinebench.cli.console import DISPLAY

        if not DISPLAY.quiet:
            print(self._style(line, style), file=sys.stderr, flush=True)


def blocks(text: str) -> tuple[str, str]:
    """Split `text` into its complete Markdown blocks and the rest. A code fence is never split."""
    place, fence = 0, ""
    for match in re.finditer(r"[^\n]*\n", text):
        line = match[0].strip()
        if fence:
            if line.startswith(fence) and not line.strip(fence[0]):
                fence, place = "", match.end()
            continue
        opened = re.match(r"`{3,}|~{3,}", line)
        if opened:
            fence = opened[0]
        elif not line:
            place = match.end()
    return text[:place], text[place:]


async def ask_at_terminal(request: ConsentRequest) -> bool:
    """Ask the person at the terminal for consent to a tool call. Return whether it was given; no answer means no."""
    from pinebench.agent.call_words import reason, wanted

    style = style_for(sys.stderr)
    print(style(wanted(request), "bold"), file=sys.stderr)
    print(style(f"{reason(request)} Allow it? [y/N] "), end="", file=sys.stderr, flush=True)
    answer = await _typed_line()
    return answer.strip().lower() in ("y", "yes")


async def _typed_line() -> str:
    """The line that a person types; the wait for it can be cancelled where the system allows that."""
    import asyncio

    loop = asyncio.get_running_loop()
    typed: asyncio.Future[None] = loop.create_future()
    try:
        loop.add_reader(sys.stdin, lambda: typed.done() or typed.set_result(None))
    except NotImplementedError:  # on Windows
        return sys.stdin.readline()
    try:
        await typed
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()


def _console() -> Any:
    """Rich's console for standard output; None where Markdown cannot be shown: in a pipe, or without the extra."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(no_color=not style_for(sys.stdout).enabled, highlight=False)
