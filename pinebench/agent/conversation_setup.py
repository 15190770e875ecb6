"""Begins conversations as the configuration says, in the same way for the command line, the studio and the
workbench."""

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
    """Return a new conversation with our skills and the skills of the working folder. Raises AuthorUnavailable without
    a key.

    `tools` are the registered tools that it has (default: all that can work), and `own` the tools of the user
    interface, which the model sees from the start. `dollars` is the limit for the conversation. `about` tells the model
    where it works. `kept` is called after each change of the history. `approve` asks a person for consent.
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
