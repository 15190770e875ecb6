"""A model as an agent: it talks with our offline tools until it answers."""

from __future__ import annotations

import asyncio
import inspect
from contextlib import aclosing
from dataclasses import replace
from functools import wraps
from typing import Any

from pinebench.agent.asking import CUT
from pinebench.agent.chat import Conversation, Settings
from pinebench.agent.events import Done, Error, Text, ToolUse
from pinebench.authoring.author import AuthorUnavailable, Usage
from pinebench.authoring.service import Service
from pinebench.context import Context
from pinebench.errors import PinebenchError, UnavailableError
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Tool

TOOLS = (
    "pine_analyze pine_lint pine_explain pine_rules pine_parameters pine_format pine_fix pine_migrate pine_run "
    "pine_backtest pine_indicator_values pine_repaint_check"
).split()
"""The tools of an agent: offline, without a chart, without other models."""
_SOURCES = ("data", "symbol_info")
"""Arguments that name files or bars of the web. An agent has the sample market only."""
_CHECKED_EVERY = 0.2
"""The seconds between two looks at the context."""


def offered() -> list[Tool]:
    """The tools of an agent, without the arguments that read files or the web."""
    every = registry.tools()
    return [_closed(every[name]) for name in TOOLS]


def _closed(tool: Tool) -> Tool:
    whole = inspect.signature(tool.function)
    kept = [one for name, one in whole.parameters.items() if name not in _SOURCES]

    @wraps(tool.function)
    def function(*given: Any, **named: Any) -> Any:
        return tool.function(*given, **named)

    vars(function)["__signature__"] = whole.replace(parameters=kept)
    return replace(tool, function=function)


class Talk:
    """One conversation of an agent. `text` is its answer after the last tool, `spent` the cost so far.

    `stop` is the reason why it ended, as in `Done`, and `words` explain it. `rounds` is the number of requests.
    """

    def __init__(self, service: Service, folder: str, dollars: float, back_off: tuple[float, ...]) -> None:
        """The tools read files of `folder` only."""
        self._conversation = Conversation(
            ChartBrowser(folders=(folder,)),
            service,
            tools=offered(),
            settings=Settings(images=False, dollars=dollars, back_off=back_off),
        )
        self.text = ""
        self.stop = ""
        self.words = ""
        self.rounds = 0

    @property
    def spent(self) -> Usage:
        """The cost so far."""
        return self._conversation.spent

    def run(self, request: str, context: Context) -> None:
        """Say the request and wait for the answer.

        Raises AuthorUnavailable if the model cannot be asked, and the errors of `context.check`.
        """
        asyncio.run(self._run(request, context))
        context.check()

    async def _run(self, request: str, context: Context) -> None:
        watching = asyncio.create_task(self._watch(context))
        try:
            async with aclosing(self._conversation.say(request)) as events:
                async for event in events:
                    self._take(event)
        finally:
            watching.cancel()

    def _take(self, event: object) -> None:
        match event:
            case Text():
                self.text = (self.text + event.text).rpartition(CUT)[2]
            case ToolUse():
                self.text = ""
            case Done():
                self.stop, self.words, self.rounds = event.stop, event.words, event.rounds + 1
            case Error():
                raised = AuthorUnavailable if event.exit_code == UnavailableError.exit_code else PinebenchError
                raise raised(event.message, event.hint or None)
            case _:
                return

    async def _watch(self, context: Context) -> None:
        """End the conversation if the context is cancelled or its time is over."""
        while True:
            await asyncio.sleep(_CHECKED_EVERY)
            try:
                context.check()
            except PinebenchError:
                self._conversation.stop()
                return
