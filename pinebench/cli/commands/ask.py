"""`pinebench ask`: ask Claude a question about the chart or about scripts; Claude can use the tools."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.cli.terminal_conversation import TurnFailed, add_talk_arguments
from pinebench.errors import UsageError
from pinebench.printable import json_text

if TYPE_CHECKING:
    from pinebench.agent.chat import Conversation
    from pinebench.agent.events import TurnEnd

EPILOG = """\
examples:
  pinebench ask "analyse my chart"
  pinebench ask "which template suits a breakout of the first half hour?"
  pinebench ask "does it repaint?" --folder . --read-only
  pinebench ask - < question.txt
  pinebench ask "what is on the chart?" --format json

It needs ANTHROPIC_API_KEY, in the environment or in the project's .env. The question and the results of the tools, with
pictures of the chart, are sent to Anthropic; images = "off" in the section [agent] of the configuration keeps pictures
here. Calls that destroy something or cost more money are asked about at a terminal, and refused elsewhere.
'pinebench chat' is the same with more than one question.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("question", nargs="?", metavar="QUESTION", help="your question; - reads standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the format of the answer")
    add_talk_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Ask the question, print the answer, and return the exit code."""
    import asyncio

    from pinebench.cli.terminal_conversation import chart_browser_of, conversation

    question = _question(args.question)
    with chart_browser_of(args) as chart_browser:
        it = conversation(args, chart_browser, args.model)
        done = asyncio.run(_as_json(it, question) if args.format == "json" else _as_text(it, question))
    return FINE if done.stop == "end_turn" else FINDINGS


def _question(given: str | None) -> str:
    from pinebench.cli.console import read_stdin

    question = read_stdin("<stdin>").text if given == "-" else given
    if question is None or not question.strip():
        raise UsageError("the QUESTION is missing", "say what you want to know")
    return question


async def _as_text(it: Conversation, question: str) -> TurnEnd:
    from pinebench.agent.events import TurnEnd
    from pinebench.cli.terminal_conversation import Teller

    teller = Teller()
    async for event in it.say(question):
        teller.tell(event)
        if isinstance(event, TurnEnd):
            return event
    raise AssertionError("a turn ends with TurnEnd or Error")


async def _as_json(it: Conversation, question: str) -> TurnEnd:
    from pinebench.agent.events import Error, Text, ToolError, ToolResult, ToolUse, TurnEnd
    from pinebench.cli.console import print_report

    words: list[str] = []
    tools: dict[str, dict[str, Any]] = {}
    async for event in it.say(question):
        match event:
            case Text():
                words.append(event.text)
            case ToolUse():
                tools[event.id] = {"name": event.name, "input": event.input}
                words.clear()  # what it says before it calls tools is not the answer
            case ToolResult():
                tools[event.id] |= {"success": True}
            case ToolError():
                tools[event.id] |= {"success": False, "error": event.error}
            case Error():
                raise TurnFailed(event.message, event.hint, event.exit_code)
            case TurnEnd():
                told = {key: value for key, value in event.as_json().items() if key != "type"}
                answer = {"answer": "".join(words), "tools": list(tools.values())}
                success = event.stop == "end_turn"
                why = {} if success else {"error": event.words, "hint": None}
                whole = {"success": success, **why, **answer, "model": it.service.model, **told}
                print_report(json_text(whole, indent=2) + "\n")
                return event
    raise AssertionError("a turn ends with TurnEnd or Error")
