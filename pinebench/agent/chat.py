"""A conversation with Claude about a chart and scripts. Each turn is an async generator of events.

pinebench keeps the history valid at all times: it adds a tool call and its result together. So a conversation can
continue however a turn ended: the user stopped it, an error occurred, the stream broke off, or the process ended.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from pinebench.agent import model_request
from pinebench.agent.calls import INTERRUPTED, ModelCall, Round, Surroundings
from pinebench.agent.chat_history import MessageHistory
from pinebench.agent.consent import Approver, ask_nobody
from pinebench.agent.events import Error, Event, Text, TurnEnd
from pinebench.agent.fences import cleaned, fenced
from pinebench.agent.model_request import CountedRequest, NoRoom, RequestAttempt, TooLong, request_tokens
from pinebench.agent.offer import OfferedSkills, ToolOffer
from pinebench.agent.prompt import system
from pinebench.agent.repairs import WAIT_SECONDS
from pinebench.agent.threads import each_of
from pinebench.agent.tool_replies import failed
from pinebench.authoring.answer import PartialReply
from pinebench.authoring.author import Usage
from pinebench.authoring.service import BACK_OFF_SECONDS, Service
from pinebench.context import CancelledError, Context, SpendingAccount
from pinebench.errors import PinebenchError, UsageError, fault
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Tool

_log = logging.getLogger(__name__)

MOST_ROUNDS = 15
"""The largest number of rounds of tool calls in a turn."""
MOST_PAUSES = 5
"""The largest number of times that the service may pause within a turn."""
BUDGET_TOKENS = 150_000
"""The largest estimated number of tokens in a request. The rest of the model's window is for the answer and for errors
of the estimate."""
LONGEST_MESSAGE = 200_000
"""The largest number of characters of a message of the user."""

STOPPED = "(The user stopped the answer here.)"
"""The end of an answer that was not complete when its turn ended."""
_STOPS = {
    "end_turn": "",
    "max_tokens": f"the answer was cut at {model_request.ANSWER_TOKENS:,} tokens; 'go on' continues it",
    "stop_sequence": "the service ended the answer at a stop sequence",
    "refusal": "the model declined to answer; your message was removed from the conversation",
    "model_context_window_exceeded": "the conversation filled the model's context window, so the answer was "
    "cut; older parts are left out from now on",
    "pause_turn": f"the service paused the answer more than {MOST_PAUSES} times; 'go on' continues it",
    "tool_use": "the answer ended with a tool call, but the call is missing",
    "tool_rounds": f"stopped after {MOST_ROUNDS} rounds of tool calls; 'go on' continues",
    "budget": "the dollar limit of this conversation allows no new request; raise the limit, then 'go on' continues",
    "cancelled": "stopped by you",
}


@dataclass(frozen=True)
class Settings:
    """The limits and preferences of a conversation.

    `images` tells whether the model receives pictures. `budget` is the largest size of a request, in estimated tokens.
    `dollars` limits the cost of the conversation (None: no limit). `back_off` has the waits between attempts of a
    request, and `wait` is the longest time to wait for a chart; both are in seconds.
    """

    images: bool = True
    budget: int = BUDGET_TOKENS
    dollars: float | None = None
    back_off: tuple[float, ...] = BACK_OFF_SECONDS
    wait: float = WAIT_SECONDS


class Conversation:
    """A conversation with a model. Its turns run one at a time, in one event loop.

    The tools use the browser `chart_browser`, and `service` answers the requests. `history` continues an earlier
    conversation. `approve` asks a person about calls that need consent; without it they are refused. `tools` are the
    available tools (default: all). The model sees the core tools and those named in `first` from the start. `about`
    describes the model's surroundings, and `rules` replaces the standard beginning of the system prompt. `kept` is
    called after each change of the history. `engine` is the trading engine of this process.
    """

    def __init__(
        self,
        chart_browser: ChartBrowser,
        service: Service,
        *,
        history: MessageHistory | None = None,
        approve: Approver = ask_nobody,
        skills: OfferedSkills | None = None,
        tools: list[Tool] | None = None,
        first: frozenset[str] = frozenset(),
        about: str = "",
        rules: str = "",
        settings: Settings | None = None,
        kept: Callable[[MessageHistory], None] | None = None,
        engine: Any = None,
    ) -> None:
        self.history = history or MessageHistory()
        self.service = service
        self.settings = settings or Settings()
        self.spent = Usage()
        self._counted: CountedRequest | None = None
        offer = ToolOffer(offered(chart_browser, engine) if tools is None else tools, skills, first)
        self._at = Surroundings(
            chart_browser, offer, approve, service.foreign, self.settings.images, engine, self.settings.wait
        )
        self._system = system(skills, about, rules)
        self._schemas = offer.schemas()
        self._kept = kept
        self._paying = threading.Lock()
        self._cancelled = threading.Event()
        self._stopping: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def stop(self) -> None:
        """Stop the running turn, if there is one. Its last event is then `TurnEnd("cancelled")`. Any thread may call
        this."""
        self._cancelled.set()
        loop, stopping = self._loop, self._stopping
        if loop is not None and stopping is not None:
            with suppress(RuntimeError):  # the turn and its event loop ended meanwhile
                loop.call_soon_threadsafe(stopping.set)

    @property
    def chart_browser(self) -> ChartBrowser:
        """The browser that the tools use."""
        return self._at.chart_browser

    @property
    def is_answering(self) -> bool:
        """Whether a turn is running."""
        return self._stopping is not None

    def use(self, service: Service) -> None:
        """Switch to another service or model. Raises UsageError while a turn is running."""
        if self._stopping is not None:
            raise UsageError("an answer is being written", "stop it first")
        self.service = service
        self._at = self._at._replace(foreign=service.foreign)
        self._keep()

    def clear(self) -> None:
        """Forget the conversation so far. Raises UsageError while a turn is running."""
        if self._stopping is not None:
            raise UsageError("an answer is being written", "stop it first")
        self.history = MessageHistory()
        self._keep()

    async def say(self, text: str, data: dict[str, Any] | None = None) -> AsyncGenerator[Event]:
        """Send `text` to the model and yield the events of its turn. The last event is TurnEnd or Error.

        `data` holds JSON values that go with the text, such as a script; the model receives them marked as data, like a
        tool's result. To end the turn early, close the generator (`contextlib.aclosing`) or call `stop`. Raises
        UsageError if the text is empty or too long, or if another turn is running.
        """
        if not text.strip():
            raise UsageError("the message is empty", "say what you want to know, or what should be done")
        if len(text) > LONGEST_MESSAGE:
            raise UsageError(
                f"the message has {len(text):,} characters, more than {LONGEST_MESSAGE:,}",
                "shorten it, or send it in parts",
            )

        def add() -> None:
            foreign = self.service.foreign
            self.history.say(cleaned(text, foreign), fenced(cleaned(data, foreign)) if data is not None else "")

        async with aclosing(self._turned(_Turn(self), add)) as events:
            async for event in events:
                yield event

    async def go_on(self, rounds: int = 0) -> AsyncGenerator[Event]:
        """Continue an interrupted turn, for example after the process ended, and yield its events as `say` does.
        `rounds` is the number of rounds of tool calls that the turn has already had. Raises UsageError if no message is
        waiting for an answer, or if another turn is running."""
        if not self.history or self.history.messages[-1]["role"] != "user":
            raise UsageError("there is nothing to answer", "write a message first")
        async with aclosing(self._turned(_Turn(self, rounds), lambda: None)) as events:
            async for event in events:
                yield event

    async def _turned(self, turn: _Turn, add: Callable[[], None]) -> AsyncGenerator[Event]:
        """Yield the events of `turn`, which `add` begins by adding a message to the history."""
        if self._stopping is not None:
            raise UsageError("an answer is being written", "wait until it ends, or stop it")
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._cancelled = threading.Event()  # calls that were given up keep looking at the one before
        try:
            add()
            self._keep()
            async with aclosing(self._until_stopped(turn)) as events:
                async for event in events:
                    yield event
        finally:
            self._cancelled.set()
            turn.settle()
            self._stopping = None
            self._keep()

    async def _until_stopped(self, turn: _Turn) -> AsyncGenerator[Event]:
        """Yield the events of `turn`. A stop ends even its waits at once."""
        assert self._stopping is not None
        stopping = asyncio.create_task(self._stopping.wait())
        coming: asyncio.Future[Event] | None = None
        try:
            async with aclosing(turn.events()) as events:
                while not stopping.done():
                    coming = asyncio.ensure_future(anext(events))
                    await asyncio.wait({coming, stopping}, return_when=asyncio.FIRST_COMPLETED)
                    if not coming.done():
                        break
                    event = coming.result()
                    yield event
                    if isinstance(event, TurnEnd | Error):
                        return
                await _given_up(coming)
            yield turn.done("cancelled")
        except CancelledError:
            yield turn.done("cancelled")
        except PinebenchError as error:
            yield Error(error.message, error.hint or "", error.exit_code)
        except Exception as error:  # whatever goes wrong in one turn, the next one must be possible
            _log.debug("the turn failed", exc_info=error)
            yield Error(fault(error).message, fault(error).hint or "")
        finally:
            stopping.cancel()
            await _given_up(coming)

    def pay(self, usage: Usage) -> None:
        """Add `usage` to the cost of the conversation. Any thread may call this."""
        with self._paying:
            self.spent += usage

    def left(self) -> float:
        """Return how many more dollars the conversation may cost; infinite without a limit."""
        limit = self.settings.dollars
        return math.inf if limit is None else limit - self.spent.dollars

    def _keep(self) -> None:
        if self._kept is not None:
            self._kept(self.history)

    def _keep_before(self, content: list[dict[str, Any]], calls: list[ModelCall]) -> None:
        """Save an answer before its calls are performed, so that it is not lost if the process is killed."""
        if self._kept is not None:
            ahead = MessageHistory(list(self.history.messages))
            ahead.exchange(content, [failed(INTERRUPTED).block(call.id) for call in calls])
            self._kept(ahead)

    def _request(self) -> dict[str, Any]:
        self.history.fit(self.settings.budget)
        return {
            "system": [{"type": "text", "text": self._system, "cache_control": {"type": "ephemeral"}}],
            "tools": self._schemas,
            "messages": self.history.request(),
        }


class _Turn:
    """One turn: the requests to the service and the rounds of tools until the answer ends."""

    def __init__(self, conversation: Conversation, rounds: int = 0) -> None:
        self._conversation = conversation
        self._attempt: RequestAttempt | None = None
        self._round: Round | None = None
        self._content: list[dict[str, Any]] = []
        self._usage = Usage()
        self._rounds = rounds
        self._pauses = 0

    async def events(self) -> AsyncGenerator[Event]:
        """Yield the events of the turn. Raises PinebenchError if the service cannot be asked."""
        while True:
            if self._rounds >= MOST_ROUNDS:
                yield self.done("tool_rounds")
                return
            try:
                async with aclosing(self._answered()) as pieces:
                    async for piece in pieces:
                        yield piece
            except NoRoom:
                self._paid()
                yield self.done("budget")
                return
            assert self._attempt is not None
            is_short = self._attempt.room < model_request.ANSWER_TOKENS
            answer = self._paid()
            if answer.stop == "tool_use" and answer.calls:
                async with aclosing(self._used(answer)) as events:
                    async for event in events:
                        yield event
                continue
            stop = self._taken(answer)
            if stop is not None:
                yield self.done("budget" if stop == "max_tokens" and is_short else stop)
                return

    async def _answered(self) -> AsyncGenerator[Text]:
        """Ask the service, and yield the pieces of its answer. If the conversation is too long, shorten it and ask
        once more."""
        conversation = self._conversation
        for last in (False, True):
            request = conversation._request()
            most = request_tokens(request, conversation.service.model, conversation._counted)
            self._attempt = attempt = RequestAttempt(request, most)
            context = Context(cancelled=conversation._cancelled.is_set)

            def pieces(
                request: dict[str, Any] = request, attempt: RequestAttempt = attempt, context: Context = context
            ) -> Any:
                back_off = conversation.settings.back_off
                return model_request.pieces(
                    conversation.service, request, attempt, context, back_off, conversation.left()
                )

            try:
                async with aclosing(each_of(pieces)) as arriving:
                    async for piece in arriving:
                        yield Text(piece)
                return
            except TooLong:
                self._paid()
                if last or not conversation.history.fit(conversation.history.tokens // 2):
                    raise

    async def _used(self, answer: PartialReply) -> AsyncGenerator[Event]:
        """Perform the calls of `answer`, yield their events, and add calls and results to the history."""
        conversation = self._conversation
        calls, self._content = _called(answer, conversation.service)
        conversation._keep_before(self._content, calls)
        spending = SpendingAccount(conversation.left, lambda dollars: self._pay(Usage(dollars=dollars)))
        self._round = Round(calls, conversation._at, conversation._cancelled.is_set, spending)
        async with aclosing(self._round.run()) as events:
            async for event in events:
                yield event
        self.settle()

    def _taken(self, answer: PartialReply) -> str | None:
        """Add an answer without calls to the history. Return the reason why the turn ends, or None if it continues."""
        history = self._conversation.history
        if answer.stop == "refusal":
            history.take_back()
            return "refusal"
        history.answer(_words_of(answer, self._conversation.service))
        self._conversation._keep()
        if answer.stop == "model_context_window_exceeded":
            history.fit(history.tokens // 2)
        if answer.stop == "pause_turn" and self._pauses < MOST_PAUSES:
            self._pauses += 1
            return None
        return self._conversation.service.foreign.line(str(answer.stop))[:60]

    def _paid(self) -> PartialReply:
        """Count the cost of the request that has ended, and return its answer."""
        assert self._attempt is not None
        attempt, self._attempt = self._attempt, None
        model = self._conversation.service.model
        self._conversation._counted = attempt.counted(model) or self._conversation._counted
        self._pay(attempt.total(model))
        return attempt.answer

    def _pay(self, spent: Usage) -> None:
        self._usage += spent
        self._conversation.pay(spent)

    def settle(self) -> None:
        """Add everything that is known about the turn to the history, so that it is complete and valid. The results of
        unfinished calls say that they were not finished. An incomplete call is left out."""
        history = self._conversation.history
        if self._attempt is not None:
            answer = self._paid()
            words = _words_of(answer, self._conversation.service)
            history.answer([*words, {"type": "text", "text": STOPPED}] if words else [])
        if self._round is not None:
            history.exchange(self._content, self._round.blocks())
            self._round = None
            self._rounds += 1
            self._conversation._keep()

    def done(self, stop: str) -> TurnEnd:
        """Return the last event of the turn, which ended for the reason `stop`."""
        words = _STOPS.get(stop, f"the service ended the answer with the reason '{stop}'")
        return TurnEnd(stop, words, self._usage, self._rounds)


async def _given_up(coming: asyncio.Future[Event] | None) -> None:
    """Cancel the wait for an event, and wait until it has ended."""
    if coming is not None and not coming.done():
        coming.cancel()
        await asyncio.wait({coming})


def offered(chart_browser: ChartBrowser, engine: Any) -> list[Tool]:
    """Return the tools that work with this browser and trading engine (None: no engine). This leaves out the file tools
    if the browser has no folders, the trading tools if there is no engine, and `ui_evaluate` if raw JavaScript is not
    allowed."""
    absent = {name for name, there in (("files", chart_browser.folders), ("trading", engine)) if not there}
    return [
        tool
        for tool in registry.tools().values()
        if tool.group not in absent and (tool.name != "ui_evaluate" or chart_browser.allow_evaluate)
    ]


def _words_of(answer: PartialReply, service: Service) -> list[dict[str, Any]]:
    """Return the text of an answer as blocks, without its calls, which were not performed."""
    kept = [cleaned(block, service.foreign) for block in answer.content if block["type"] == "text"]
    return [block for block in kept if block["text"].strip()]


def _called(answer: PartialReply, service: Service) -> tuple[list[ModelCall], list[dict[str, Any]]]:
    """Return the calls of an answer, and its blocks for the history. Ids and names that the service would not accept
    again are replaced."""
    calls: list[ModelCall] = []
    for call in answer.calls:
        taken = {each.id for each in calls}
        usable = re.fullmatch(r"[\w-]{1,64}", call.identifier, re.ASCII) and call.identifier not in taken
        identifier = call.identifier if usable else f"toolu_pinebench_{len(calls)}"
        name = re.sub(r"[^\w-]", "_", call.name, flags=re.ASCII)[:64] or "_"
        given = None if call.arguments is None else cleaned(call.arguments, service.foreign)
        calls.append(ModelCall(identifier, name, given))
    rest = iter(calls)
    content: list[dict[str, Any]] = []
    for block in answer.content:
        if block["type"] == "tool_use":
            call = next(rest)
            content.append({"type": "tool_use", "id": call.id, "name": call.name, "input": call.input or {}})
        else:
            # The service signs what the model thought, so these blocks go back as they came.
            content.append(cleaned(block, service.foreign) if block["type"] == "text" else block)
    return calls, content
