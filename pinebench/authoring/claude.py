"""Claude as an author, through the Anthropic SDK: streamed, interruptible, paid for within a budget.

Every request stands on its own: the stable part (rules, templates) and the task come first and are cached by the
service, then the current script and what the compiler said. So a resumed run asks exactly what an uninterrupted one
would have asked.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from pinebench.authoring import catalogue
from pinebench.authoring.author import AuthorUnavailable, Budget, Proposal, Task, Usage
from pinebench.authoring.environment import API_KEY, MODEL, setting
from pinebench.authoring.feedback import feedback
from pinebench.authoring.reply import replace_once, script_in
from pinebench.errors import PinebenchError

if TYPE_CHECKING:
    from anthropic.lib.streaming import MessageStream
    from anthropic.types import Message

    from pinebench.compilers import Verdict
    from pinebench.context import Context

DEFAULT_MODEL = "claude-sonnet-5-5"
ANSWER_TOKENS = 16_000
"""Room for one answer; a cut answer is asked for once more with twice as much."""
SMALLEST_ANSWER_TOKENS = 1_000
"""With less left in the budget no useful answer fits."""
EXCHANGES = 3
"""So often edits that do not apply are sent back within one round."""
BACK_OFF_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Waits before trying again after 429, 529, another 5xx or a cut stream."""
LONGEST_BACK_OFF_SECONDS = 60.0
"""A longer `retry-after` ends the run instead of being waited for."""
SILENCE_SECONDS = 90.0
"""A stream that sends nothing for so long counts as cut; a working one sends a ping every few seconds."""

PROGRESS_SECONDS = 0.25
"""Shortest time between two reports of progress."""

# Dollars per million tokens, in and out, as far as known; a model that is not here is taken to cost as much as the
# dearest, so that a budget errs on the early side. Cache writes cost 1.25 times the input, cache reads a tenth of it.
_PRICES = {"haiku": (1.0, 5.0), "sonnet": (3.0, 15.0), "opus": (5.0, 25.0)}
_DEAREST = (25.0, 125.0)

_TOOLS = [
    {
        "name": "replace_text",
        "description": "Replace one piece of the current script. Several calls in one answer change several places.",
        "input_schema": {
            "type": "object",
            "properties": {
                "old_text": {
                    "type": "string",
                    "description": "The exact text to replace, blanks and line breaks included; must occur once.",
                },
                "new_text": {"type": "string", "description": "What stands there instead; may be empty."},
            },
            "required": ["old_text", "new_text"],
            "additionalProperties": False,
        },
    }
]


@dataclass(slots=True)
class _Answer:
    """One reply: its text, the edits it asks for, its raw content to send back, and why it ended."""

    text: str
    edits: list[tuple[str, str, str]]
    content: list[Any]
    stop: str | None
    usage: Usage


class Claude:
    """An Author that asks a Claude model.

    `model` defaults to `PINEBENCH_MODEL`, then to DEFAULT_MODEL; `key` to `ANTHROPIC_API_KEY` from the real
    environment or the project's `.env`; `back_off` are the waits in seconds between tries. Raises AuthorUnavailable
    without a key or the SDK.
    """

    name = "claude"

    def __init__(
        self, model: str | None = None, key: str | None = None, back_off: tuple[float, ...] = BACK_OFF_SECONDS
    ) -> None:
        try:
            import anthropic
        except ImportError:
            raise AuthorUnavailable("writing with Claude needs the 'ai' extra", "pip install 'pinebench[ai]'") from None
        key = key or setting(API_KEY)
        if not key:
            raise AuthorUnavailable(
                f"there is no {API_KEY}", "set it in the environment or in the project's .env; 'fix' works without one"
            )
        self.model = model or setting(MODEL) or DEFAULT_MODEL
        self._back_off = back_off
        self._sdk = anthropic
        self._cut = (_transport_error(),)
        # The address comes from the real environment alone. Retries are ours, because the SDK's waits can be neither
        # bounded nor called off.
        self._client = anthropic.Anthropic(
            api_key=key, base_url=os.environ.get("ANTHROPIC_BASE_URL") or None, max_retries=0
        )
        self._system = _prompt("system", index=catalogue.index() or "(none)")

    def draft(self, task: Task, note: str, left: Budget, context: Context) -> Proposal:
        """A first script, from the template or script that `task` brings along if it brings one."""
        base = task.base if task.template is None else None
        return self._propose(task, [_noted(note)], base, left, context)

    def revise(self, task: Task, source: str, verdict: Verdict, note: str, left: Budget, context: Context) -> Proposal:
        """`source` with edits for the errors of `verdict`."""
        asked = _prompt("revise", source=_ended(source), feedback=feedback(source, verdict))
        return self._propose(task, [asked, _noted(note)], source, left, context)

    def restart(self, task: Task, failed: tuple[str, ...], note: str, left: Budget, context: Context) -> Proposal:
        """A fresh script by an approach that avoids the errors in `failed`."""
        asked = _prompt("restart", failed="\n".join(f"- {line}" for line in failed))
        return self._propose(task, [asked, _noted(note)], None, left, context)

    def _propose(self, task: Task, parts: list[str], source: str | None, left: Budget, context: Context) -> Proposal:
        """Ask once, and again where edits fail to apply; `source` is the script that edits refer to."""
        windows = source is not None and "\r\n" in source
        if source is not None and windows:
            # Models write plain line feeds; edits would never match.
            source = source.replace("\r\n", "\n")
        messages: list[Any] = [{"role": "user", "content": _content(task, parts)}]
        spent, room, changes = Usage(), ANSWER_TOKENS, list[str]()
        current, reason = source, ""
        for _ in range(EXCHANGES):
            budget = left.left(0, 0.0, spent)
            allowed = self._room(room, budget)
            if allowed < SMALLEST_ANSWER_TOKENS:
                reason = reason or "the budget has no room for another answer"
                break
            answer = self._ask(messages, allowed, context)
            spent += answer.usage
            if answer.stop == "refusal":
                return Proposal(None, "the model declined to write this script", usage=spent, final=True)
            if answer.stop in ("max_tokens", "model_context_window_exceeded"):
                # Half a script must not be compiled, and half an edit must not be applied.
                reason, room = f"it was cut after {answer.usage.output_tokens} tokens; be briefer", ANSWER_TOKENS * 2
                continue
            if not answer.edits:
                written = script_in(answer.text)
                if written is not None:
                    return Proposal(written, changes=("rewrote the script",), usage=spent)
                reason = reason or _no_script(answer.text)
                break
            current, results, applied = _apply(current, answer.edits)
            changes += applied
            failed = [text for _, text, ok in results if not ok]
            if not failed:
                reason = ""
                break
            reason = f"an edit did not apply: {failed[0]}"
            messages += [
                {"role": "assistant", "content": answer.content},
                {"role": "user", "content": [_tool_result(*result) for result in results]},
            ]
        if changes and current != source:
            assert current is not None
            return Proposal(current.replace("\n", "\r\n") if windows else current, reason, tuple(changes), spent)
        return Proposal(None, reason or "the edits change nothing", usage=spent)

    def _room(self, wanted: int, left: Budget) -> int:
        """Tokens that an answer may have within what is `left`."""
        _, price = _price(self.model)
        return int(min(wanted, left.tokens, left.dollars * 1_000_000 / price))

    def _ask(self, messages: list[Any], room: int, context: Context) -> _Answer:
        """One complete reply, with patience for a busy service and a cut stream."""
        trouble: Exception | None = None
        lost = Usage()
        for wait in (0.0, *self._back_off):
            context.sleep(max(wait, self._asked_wait(trouble)))
            try:
                message, usage = self._stream(messages, room, context)
            except self._sdk.APIStatusError as error:
                if not _worth_another_try(error):
                    raise self._unavailable(error) from None
                trouble = error
            except self._sdk.APIConnectionError as error:
                context.check()
                trouble = error
            except _CutStream as error:
                context.check()
                lost += error.usage
                trouble = error
            else:
                return _answer(message, usage + lost)
            assert trouble is not None
            context.progress(f"Claude: {_brief(trouble)}; trying again", None)
        assert trouble is not None
        raise self._unavailable(trouble)

    def _stream(self, messages: list[Any], room: int, context: Context) -> tuple[Message, Usage]:
        seconds = min(SILENCE_SECONDS, max(context.remaining(), 0.1))
        arguments: dict[str, Any] = {
            "model": self.model,
            "max_tokens": room,
            "system": [{"type": "text", "text": self._system, "cache_control": {"type": "ephemeral"}}],
            "tools": _TOOLS,
            "messages": messages,
            "timeout": seconds,
        }
        written, told = 0, time.monotonic()
        with self._client.messages.stream(**arguments) as stream:
            try:
                for event in stream:
                    context.check()
                    written += len(getattr(event, "text", "") or getattr(event, "partial_json", ""))
                    if written and time.monotonic() - told > PROGRESS_SECONDS:
                        context.progress(f"Claude is writing: {written:,} characters", None)
                        told = time.monotonic()
            except (*self._cut, AssertionError) as error:
                # What was sent and received until the cut is charged all the same.
                raise _CutStream(str(error), self._usage(_snapshot(stream))) from None
            message = _snapshot(stream)
            if message is None or message.stop_reason is None:
                raise _CutStream("the stream ended before the answer did", self._usage(message))
            return message, self._usage(message)

    def _usage(self, message: Message | None) -> Usage:
        if message is None:
            return Usage()
        counted = message.usage
        usage = Usage(
            counted.input_tokens,
            counted.output_tokens,
            counted.cache_read_input_tokens or 0,
            counted.cache_creation_input_tokens or 0,
        )
        return usage + Usage(dollars=cost(self.model, usage))

    def _asked_wait(self, trouble: Exception | None) -> float:
        """Seconds that the service asked to wait; raises AuthorUnavailable when that is beyond patience."""
        headers = getattr(getattr(trouble, "response", None), "headers", None)
        if trouble is None or headers is None:
            return 0.0
        try:
            seconds = float(headers.get("retry-after-ms", "")) / 1000
        except ValueError:
            try:
                seconds = float(headers.get("retry-after", "0"))
            except ValueError:
                seconds = 0.0
        if seconds > LONGEST_BACK_OFF_SECONDS:
            raise self._unavailable(trouble)
        return seconds

    def _unavailable(self, error: Exception) -> PinebenchError:
        sdk = self._sdk
        if isinstance(error, sdk.AuthenticationError | sdk.PermissionDeniedError):
            return AuthorUnavailable(f"Claude refused the key: {_brief(error)}", f"check {API_KEY}")
        if isinstance(error, sdk.NotFoundError):
            return AuthorUnavailable(f"there is no model '{self.model}'", f"choose another with --model or {MODEL}")
        if isinstance(error, sdk.APITimeoutError):
            return AuthorUnavailable("Claude sent nothing for too long", "try again with --resume")
        return AuthorUnavailable(f"Claude cannot be asked: {_brief(error)}", "try again later with --resume")


def cost(model: str, usage: Usage) -> float:
    """Estimated dollars for `usage` of `model`."""
    price_in, price_out = _price(model)
    counted_in = usage.input_tokens + 1.25 * usage.cache_write_tokens + 0.1 * usage.cache_read_tokens
    return (counted_in * price_in + usage.output_tokens * price_out) / 1_000_000


def _price(model: str) -> tuple[float, float]:
    return next((price for family, price in _PRICES.items() if family in model), _DEAREST)


def _worth_another_try(error: Any) -> bool:
    if error.status_code < 400:
        return _is_passing(error)
    return error.status_code in (408, 409, 429) or error.status_code >= 500


def _is_passing(error: Any) -> bool:
    """Whether an error inside a stream, which carries the stream's own status 200, is one that passes."""
    return _inner(error).get("type") in ("overloaded_error", "api_error", "rate_limit_error", "timeout_error")


def _transport_error() -> type[Exception]:
    """What the SDK lets through when a connection ends in the middle of a stream; it comes from the SDK's own HTTP
    library."""
    from importlib import import_module
    from importlib.util import find_spec

    return import_module("httpx2" if find_spec("httpx2") else "httpx").TransportError


class _CutStream(Exception):
    """A stream that ended too early, and what it cost until then."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


def _snapshot(stream: MessageStream) -> Message | None:
    """What has arrived of the message, or None when not even its start has."""
    try:
        return stream.current_message_snapshot
    except AssertionError:
        return None


def _answer(message: Message, usage: Usage) -> _Answer:
    text = "\n".join(block.text for block in message.content if block.type == "text")
    edits = [_edit(block.id, block.input) for block in message.content if block.type == "tool_use"]
    content = [block.model_dump(mode="json", exclude_none=True) for block in message.content]
    return _Answer(text, edits, content, message.stop_reason, usage)


def _content(task: Task, parts: list[str]) -> list[Any]:
    if task.base is None:
        wanted = _prompt("draft", request=task.request)
    elif task.template is None:
        wanted = _prompt("change", request=task.request, base=_ended(task.base))
    else:
        wanted = _prompt("draft", request=task.request)
        wanted += "\n" + _prompt("template", template=task.template, base=_ended(task.base))
    first = {"type": "text", "text": wanted, "cache_control": {"type": "ephemeral"}}
    return [first, *({"type": "text", "text": part} for part in parts if part)]


def _prompt(name: str, **values: str) -> str:
    """The prompt file called `name` with `{key}` replaced by each value, once, so that braces in a value mean
    nothing."""
    import re

    text = (resources.files("pinebench.authoring") / "prompts" / f"{name}.md").read_text("utf-8")
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text)


def _noted(note: str) -> str:
    return _prompt("note", note=note) if note else ""


def _ended(source: str) -> str:
    return source if source.endswith("\n") else source + "\n"


def _edit(identifier: str, arguments: object) -> tuple[str, str, str]:
    values = arguments if isinstance(arguments, dict) else {}
    old, new = values.get("old_text"), values.get("new_text")
    return identifier, old if isinstance(old, str) else "", new if isinstance(new, str) else ""


def _apply(
    source: str | None, edits: list[tuple[str, str, str]]
) -> tuple[str | None, list[tuple[str, str, bool]], list[str]]:
    """`source` after `edits`, the result of each (its id, words for the model, whether it applied), and the changes
    in words."""
    results: list[tuple[str, str, bool]] = []
    changes: list[str] = []
    for identifier, old, new in edits:
        try:
            if source is None:
                raise PinebenchError("There is no script yet. Hand in a complete one.")
            source = replace_once(source, old, new)
        except PinebenchError as error:
            results.append((identifier, error.message, False))
        else:
            results.append((identifier, "Replaced.", True))
            changes.append(f"{_first_line(old)} -> {_first_line(new)}")
    return source, results, changes


def _tool_result(identifier: str, text: str, ok: bool) -> Any:
    return {"type": "tool_result", "tool_use_id": identifier, "content": text, "is_error": not ok}


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return "(nothing)"
    more = " ..." if len(lines) > 1 or len(lines[0]) > 60 else ""
    return lines[0][:60] + more


def _no_script(text: str) -> str:
    return "it held no complete script in a fenced block, and no edit" if text.strip() else "it was empty"


def _inner(error: Any) -> dict[str, Any]:
    """The service's own description of an error: its `type` and `message`."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    return inner if isinstance(inner, dict) else {}


def _brief(error: Exception) -> str:
    message = str(_inner(error).get("message") or getattr(error, "message", "") or error or type(error).__name__)
    status = getattr(error, "status_code", None)
    return f"{f'HTTP {status}: ' if status else ''}{message.splitlines()[0][:200]}"
