"""Performs the tool calls of one answer. Read-only calls run in parallel; the others run one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

from pinebench.agent import repairs
from pinebench.agent.consent import Approver, ConsentRequest, reason_to_ask
from pinebench.agent.events import ToolError, ToolResult, ToolUse
from pinebench.agent.fences import cleaned
from pinebench.agent.offer import ToolOffer
from pinebench.agent.threads import in_thread
from pinebench.agent.tool_replies import ToolReply, failed, told
from pinebench.authoring.foreign import Foreign
from pinebench.context import CANCELLED, Context, SpendingAccount
from pinebench.errors import UsageError
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Tool

MOST_AT_ONCE = 8
"""The largest number of calls that run at the same time."""
CALL_SECONDS = 300.0
"""The time limit of one call."""
COSTLY_SECONDS = 900.0
"""The time limit of a call that costs money, such as the writing of a script."""

NOT_PERFORMED = "not performed: the user had stopped the answer before this call"
INTERRUPTED = "the program ended while it ran; it may have been performed in part, so look before you rely on it"
STOPPED = "the user stopped it while it ran; it may have been performed in part, so look before you rely on it"


_NOT_ALLOWED = ("the user did not allow this call", "do not try another way; say what you wanted to do")
_NOBODY = "this call needs the consent of the user, and nobody was there to give it, so it was not performed"
_ALLOWING = (
    "do not try another way; say that it was not performed. A person can allow it: `pinebench chat` asks, and"
    " `pinebench ask --allow {name}` allows it beforehand"
)
_AFTER_REFUSED = "not performed: {name}, which you sent before it, was not allowed, and this call may rely on it"


class ModelCall(NamedTuple):
    """A tool call by the model. `input` holds its arguments, or None if the model did not send a JSON object."""

    id: str
    name: str
    input: dict[str, Any] | None


class Surroundings(NamedTuple):
    """The objects and settings that tool calls need. `offer` has the tools, and `approve` asks a person for consent.
    `foreign` masks secrets. `images` tells whether the model receives pictures. `engine` is the trading engine. `wait`
    is the longest time to wait for a chart, in seconds."""

    chart_browser: ChartBrowser
    offer: ToolOffer
    approve: Approver
    foreign: Foreign
    images: bool = True
    engine: Any = None
    wait: float = repairs.WAIT_SECONDS


class Round:
    """The tool calls of one answer. `results` maps the id of each finished call to its result. `spending` keeps account
    of calls that cost money."""

    def __init__(
        self,
        calls: list[ModelCall],
        surroundings: Surroundings,
        cancelled: Callable[[], bool],
        spending: SpendingAccount | None = None,
    ) -> None:
        self.calls = calls
        self.results: dict[str, ToolReply] = {}
        self._begun: set[str] = set()
        self._at = surroundings
        self._cancelled = cancelled
        self._spending = spending
        self._refused: dict[str, str] = {}
        self._free = asyncio.Semaphore(MOST_AT_ONCE)

    def blocks(self) -> list[dict[str, Any]]:
        """Return one `tool_result` block for each call, in order. A call without a result is reported as stopped or as
        not performed."""
        return [self._told(call).block(call.id) for call in self.calls]

    def _told(self, call: ModelCall) -> ToolReply:
        known = self.results.get(call.id)
        return known or failed(STOPPED if call.id in self._begun else NOT_PERFORMED)

    async def run(self) -> AsyncGenerator[ToolUse | ToolResult | ToolError]:
        """Perform the calls and yield their events. Consecutive read-only calls run in parallel."""
        for batch in self._batches():
            for call in batch:
                yield ToolUse(call.id, call.name, cleaned(call.input or {}, self._at.foreign))
            async with aclosing(self._side_by_side(batch)) as events:
                async for event in events:
                    yield event

    async def _side_by_side(self, batch: list[ModelCall]) -> AsyncGenerator[ToolResult | ToolError]:
        tasks = [asyncio.create_task(self._performed(call)) for call in batch]
        try:
            for task in asyncio.as_completed(tasks):
                call = await task
                yield _event(call, self.results[call.id])
        finally:
            for task in tasks:
                task.cancel()

    def _batches(self) -> list[list[ModelCall]]:
        """Split the calls into batches, in order: neighbouring calls that only read together, every other call
        alone."""
        batches: list[list[ModelCall]] = []
        reading_before = False
        for call in self.calls:
            reads = self._reads(call)
            if reads and reading_before:
                batches[-1].append(call)
            else:
                batches.append([call])
            reading_before = reads
        return batches

    def _reads(self, call: ModelCall) -> bool:
        tool = self._at.offer.tools.get(registry.real_name(call.name))
        # A quote of another symbol shows that symbol for a moment, so it waits for its turn.
        switches = call.name == "quote_get" and any((call.input or {}).get(name) for name in ("symbol", "ticker"))
        return tool is None or not (tool.is_left_out or tool.destroys or switches)

    async def _performed(self, call: ModelCall) -> ModelCall:
        async with self._free:
            self.results[call.id] = await self._result(call)
        return call

    async def _result(self, call: ModelCall) -> ToolReply:
        if call.input is None:
            return failed("the arguments are not a JSON object, so nothing was performed", "send them again")
        own = self._at.offer.own(call.name, call.input)
        if own is not None:
            return own
        try:
            tool = self._tool(call.name)
        except UsageError as error:
            return failed(error.message, error.hint or "")
        reason = reason_to_ask(tool, call.input)
        if reason is not None:
            asked = ConsentRequest(call.id, call.name, cleaned(call.input, self._at.foreign), reason)
            allowed = await self._at.approve(asked)
            if not allowed:
                self._refused[tool.group] = call.name
                return failed(*(_NOT_ALLOWED if allowed is False else (_NOBODY, _ALLOWING.format(name=tool.name))))
        if tool.group in self._refused and not self._reads(call):
            return failed(
                _AFTER_REFUSED.format(name=self._refused[tool.group]), "send it again if it makes sense on its own"
            )
        self._begun.add(call.id)
        return await in_thread(lambda: self._call(tool, call.input or {}))

    def _tool(self, name: str) -> Tool:
        tool = self._at.offer.tools.get(registry.real_name(name))
        if tool is not None:
            return tool
        registry.find(name)  # names the nearest tools if there is none
        raise UsageError(f"the tool '{name[:80]}' is not available in this conversation")

    def _call(self, tool: Tool, arguments: dict[str, Any]) -> ToolReply:
        limit = COSTLY_SECONDS if tool.spends else CALL_SECONDS
        context = Context(cancelled=self._cancelled, engine=self._at.engine, spending=self._spending).narrowed(limit)
        outcome = repairs.performed(self._at.chart_browser, tool, arguments, context, self._at.wait)
        if outcome.result.get("error") == CANCELLED:
            return failed(STOPPED)
        return told(self._at.chart_browser, tool.name, outcome, self._at.foreign, images=self._at.images)


def _event(call: ModelCall, result: ToolReply) -> ToolResult | ToolError:
    if not result.failed:
        return ToolResult(call.id, call.name, result.result, result.images)
    return ToolError(call.id, call.name, str(result.result["error"]), str(result.result.get("hint", "")))
