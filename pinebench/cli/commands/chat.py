"""`pinebench chat`: talk with Claude about the chart and about scripts; Claude can use the tools."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import note, print_report
from pinebench.cli.exit_codes import FINE
from pinebench.cli.terminal_conversation import add_talk_arguments
from pinebench.errors import PinebenchError
from pinebench.printable import printable

if TYPE_CHECKING:
    from pinebench.agent.chat import Conversation
    from pinebench.agent.chat_history import MessageHistory
    from pinebench.agent.conversation_store import StoredConversation
    from pinebench.tools.chart_browser import ChartBrowser

_OWN = {"/quit": "end; --resume continues later"}
_QUITS = ("/quit", "/exit", "/q")

EPILOG = """\
examples:
  pinebench chat                        talk about the chart that is open, or about scripts
  pinebench chat "analyse my chart"     begin with this question
  pinebench chat --resume               resume the last conversation in this folder
  pinebench chat --folder scripts       Claude may list, read and save scripts there

In the conversation, /help lists its commands. Ctrl+C stops an answer, Ctrl+D ends the conversation. Calls that destroy
something or cost more money are asked about first.

It needs ANTHROPIC_API_KEY, in the environment or in the project's .env. What you say and the results of the tools, with
pictures of the chart, are sent to Anthropic; images = "off" in the section [agent] of the configuration keeps pictures
here. The conversation is kept in pinebench's state folder, where only you can read it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("prompt", nargs="?", metavar="PROMPT", help="the first thing that you say")
    parser.add_argument("--resume", action="store_true", help="resume the last conversation in this folder")
    add_talk_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Talk until the user ends the conversation, and return the exit code."""
    from pinebench.agent import conversation_store
    from pinebench.cli.terminal_conversation import chart_browser_of

    folder = os.getcwd()
    with (
        conversation_store.newest(folder) if args.resume else conversation_store.begin(folder) as kept,
        chart_browser_of(args) as browser,
    ):
        for each in kept.skipped:
            note(each)
        return _Talk(args, kept, browser).run(args.prompt)


class _Talk:
    """One conversation at the terminal, or with lines from a pipe."""

    def __init__(self, args: argparse.Namespace, stored: StoredConversation, chart_browser: ChartBrowser) -> None:
        self._args = args
        self._kept = stored
        self._chart_browser = chart_browser
        self._is_person = sys.stdin.isatty()
        earlier = stored.content
        self._it = self._conversation(args.model or (earlier.model if earlier else None))
        if earlier is not None:
            self._it.history, self._it.spent = earlier.history, earlier.spent

    def _conversation(self, model: str | None) -> Conversation:
        from pinebench.cli.terminal_conversation import conversation

        return conversation(self._args, self._chart_browser, model, kept=self._keep)

    def _keep(self, history: MessageHistory) -> None:
        self._kept.save(history, self._it.service.model, self._it.spent)

    def run(self, prompt: str | None) -> int:
        """Take lines until the end. Without a person, the first error ends the conversation with its exit code."""
        if self._is_person:
            begun = f", {len(self._it.history.messages)} messages so far" if self._it.history else ""
            note(f"{self._it.service.model}{begun}; /help lists commands, Ctrl+D ends")
        line = prompt
        while line is None or self._take(line):
            try:
                line = self._line()
            except EOFError:
                break
        return FINE

    def _line(self) -> str:
        if not self._is_person:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            return line
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (makes input() edit lines)
        return input("> ")

    def _take(self, line: str) -> bool:
        """Answer one line. Return whether the conversation continues. Raises PinebenchError if nobody can react to
        it."""
        words = line.strip()
        if words in _QUITS:
            return False
        try:
            if words.startswith("/"):
                self._command(words)
            elif words:
                self._say(line.rstrip("\n"))
        except PinebenchError as error:
            if not self._is_person:
                raise
            note(error.message, error.hint)
        return True

    def _say(self, text: str) -> None:
        """Say `text`, and show the answer. Ctrl+C stops the answer, and the conversation continues."""
        import asyncio

        from pinebench.cli.terminal_conversation import Teller

        teller = Teller()

        async def turn() -> None:
            async for event in self._it.say(text):
                teller.tell(event)

        try:
            asyncio.run(turn())
        except KeyboardInterrupt:
            teller.end()
            if not self._is_person:
                raise
            note("stopped")

    def _command(self, line: str) -> None:
        from pinebench.agent.commands import perform

        said = perform(line, self._it, _OWN)
        if said.report:
            print_report(printable(said.report, keep="\n"))
        if said.note:
            note(said.note, said.hint or None)
