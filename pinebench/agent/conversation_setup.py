"""Begins conversations from the configuration, in the same way for the command line, the studio and the workbench."""

from __future__ import annotations

import os
from collections.abc import Callable

from pinebench import config
from pinebench.agent.chat import Conversation, Settings, offered
from pinebench.agent.chat_history import MessageHistory
from pinebench.agent.consent import Approver, ask_nobody
from pinebench.agent.offer import known_skills
from pinebench.authoring.service import Service
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Tool


def begin(
    chart_browser: ChartBrowser,
    model: str | None = None,
    *,
    approve: Approver = ask_nobody,
    tools: list[Tool] | None = None,
    own: list[Tool] | None = None,
    about: str = "",
    dollars: float | None = None,
    kept: Callable[[MessageHistory], None] | None = None,
) -> Conversation:
    """Return a new conversation with pinebench's skills and the working folder's skills. Raises AuthorUnavailable
    without a key.

    `tools` are the registered tools that it offers (default: all that can work). `own` are the user interface's own
    tools, which the model sees from the start. `dollars` limits the cost. `about` describes the model's surroundings.
    `kept` is called after each change of the history. `approve` asks a person for consent.
    """
    images = config.resolved("agent", os.getcwd())["images"].value == "on"
    own = own or []
    return Conversation(
        chart_browser,
        Service(model),
        approve=approve,
        skills=known_skills(),
        tools=[*own, *(offered(chart_browser, None) if tools is None else tools)],
        first=frozenset(tool.name for tool in own),
        about=about,
        settings=Settings(images=images, dollars=dollars),
        kept=kept,
    )
