"""The commands of a conversation, such as `/cost`. The command line and the workbench share them."""

from __future__ import annotations

from typing import NamedTuple

from pinebench.agent.chat import Conversation
from pinebench.authoring.service import MODELS, Service, price
from pinebench.printable import json_text
from pinebench.tools.chart_browser import Image
from pinebench.tools.tool_calls import answer

COMMANDS = {
    "/help": "show this list",
    "/state": "what the chart shows: symbol, timeframe, studies",
    "/screenshot": "take a picture of the page; /screenshot chart takes only the chart",
    "/cost": "what this conversation has cost so far",
    "/models": "the models; /models NAME continues with another one",
    "/clear": "forget the conversation so far",
}
"""Every command with its purpose. A user interface may have more."""


class CommandReply(NamedTuple):
    """The answer to a command: either a `report` of one or more lines, or a `note` with a `hint`. A screenshot is in
    `images`."""

    report: str = ""
    note: str = ""
    hint: str = ""
    images: tuple[Image, ...] = ()


def perform(line: str, conversation: Conversation, more: dict[str, str] | None = None) -> CommandReply:
    """Perform the command in `line`, and return its answer. The call may wait for the page. `more` maps the user
    interface's own commands, which it performs itself, to descriptions for `/help`. Raises PinebenchError."""
    name, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    match name:
        case "/help":
            rows = "".join(f"  {known:<12}{about}\n" for known, about in {**COMMANDS, **(more or {})}.items())
            return CommandReply(f"{rows}All other text is sent to Claude.\n")
        case "/state":
            return _called(conversation, "chart_get_state", {})
        case "/screenshot":
            return _called(conversation, "capture_screenshot", {"region": rest} if rest else {})
        case "/cost":
            spent = conversation.spent
            return CommandReply(
                f"about ${spent.dollars:.4f} for this conversation; {spent.tokens:,} tokens since the start of this "
                "program\n"
            )
        case "/models" if rest:
            conversation.use(Service(rest))
            return CommandReply(note=f"{rest} answers from now on")
        case "/models":
            return CommandReply(_models(conversation.service.model))
        case "/clear":
            conversation.clear()
            return CommandReply(note="the conversation is forgotten")
        case _:
            return CommandReply(note=f"there is no command {name}", hint="/help lists them")


def _called(conversation: Conversation, name: str, given: dict[str, object]) -> CommandReply:
    outcome = answer(conversation.chart_browser, name, given)
    if not outcome.result["success"]:
        return CommandReply(note=str(outcome.result["error"]), hint=str(outcome.result.get("hint") or ""))
    return CommandReply(json_text(outcome.result, indent=2) + "\n", images=outcome.images)


def _models(now: str) -> str:
    rows: list[str] = []
    for model, about in {now: "", **MODELS}.items():
        cost = "{:g} and {:g} dollars per million tokens in and out".format(*price(model))
        rows.append(f"{'*' if model == now else ' '} {model:<20} {about + '; ' if about else ''}{cost}\n")
    return "".join(rows)
