"""Claude as an author, through the Anthropic SDK: streamed, interruptible, and paid for within a budget.

Every round is independent. The stable part (rules, templates) and the task come first and are cached by the service;
the current script and the compiler's findings follow. Within a round an answer may be sent back to the model; after
each paid answer the dialogue so far is handed out. So a resumed run asks exactly what an uninterrupted run would have
asked.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from pinebench.authoring.answer import Answer, ToolCall
from pinebench.authoring.author import LANGUAGE_VERSION, AuthorUnavailable, Budget, Proposal, Task, Usage
from pinebench.authoring.dialogue import ANSWER_TOKENS, Dialogue
from pinebench.authoring.environment import API_KEY, MODEL, foreign_file, setting
from pinebench.authoring.feedback import LIMIT_TOKENS, feedback
from pinebench.authoring.foreign import Foreign
from pinebench.authoring.goals import GOAL
from pinebench.authoring.prompt import prompt, system
from pinebench.authoring.reply import is_answer, plain, replace_once, script_in, words_in
from pinebench.authoring.stream import Broken, Connections, read
from pinebench.compilers.local import check_locally
from pinebench.context import DeadlineError
from pinebench.errors import PinebenchError
from pinebench.extras import how_to_install
from pinebench.syntax.document import find_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pinebench.compilers import Verdict
    from pinebench.context import Context

DEFAULT_MODEL = "claude-sonnet-5-5"
SMALLEST_ANSWER_TOKENS = 1_000
"""With fewer tokens left in the budget, no useful answer is possible."""
EXCHANGES = 3
"""The largest number of answers within one round in which edits that do not apply are sent back."""
BACK_OFF_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""The waits in seconds before trying again after 429, 529, another 5xx or a cut stream."""
LONGEST_BACK_OFF_SECONDS = 60.0
"""If `retry-after` is longer than this many seconds, the run ends instead of waiting."""
SILENCE_SECONDS = 90.0
"""A stream that sends nothing for this many seconds counts as cut; a working stream sends a ping every few seconds."""

PROGRESS_SECONDS = 0.25
"""The shortest time in seconds between two reports of progress."""

CHARACTERS_PER_TOKEN = 16
"""More characters than a token has on average: an answer with more than this is longer than requested."""
BYTES_PER_TOKEN = 400
"""More bytes than the events of a stream take for one token."""
SMALLEST_STREAM_BYTES = 1_000_000
"""Room for the events around an answer, and for a service's error message."""

_INCOMPLETE = {
    "refusal": "the model declined to answer",
    "max_tokens": "the answer was cut",
    "model_context_window_exceeded": "the answer was cut",
}
"""The fault of an answer that is missing or not complete, by the reason why it ended."""

_BILLING = "see the credit of the account that the key belongs to"
_TOO_LONG = "the script or the request is too long for one message"

# Dollars per million tokens, in and out, as far as known. A model that is not listed counts as the most expensive one,
# so that a budget ends too early rather than too late. Cache writes cost 1.25 times the input, cache reads a tenth of
# it.
_PRICES = {"haiku": (1.0, 5.0), "sonnet": (3.0, 15.0), "opus": (5.0, 25.0)}
_DEAREST = (25.0, 125.0)

_EDIT = "replace_text"
_TOOLS = [
    {
        "name": _EDIT,
        "description": "Replace one piece of the current script. Several calls in one answer change several places.",
        "input_schema": {
            "type": "object",
            "properties": {
                "old_text": {
                    "type": "string",
                    "description": "The exact text to replace, blanks and line breaks included; must occur once.",
                },
                "new_text": {"type": "string", "description": "The text to put in its place; may be empty."},
            },
            "required": ["old_text", "new_text"],
            "additionalProperties": False,
        },
    }
]


class _Purse:
    """The budget that is left for a proposal, and the cost so far, including lost streams."""

    def __init__(self, model: str, left: Budget, *, first: bool) -> None:
        self._model = model
        self._left = left
        self._first = first
        self.spent = Usage()

    def pay(self, usage: Usage) -> None:
        """Add the tokens of one request to the cost."""
        self.spent += usage + Usage(dollars=cost(self._model, usage))

    def room(self, wanted: int) -> int:
        """The number of tokens that one more answer may have, at most `wanted`; 0 if no useful answer is possible.

        A first draft gets one answer even with a very small budget.
        """
        left = self._left.left(0, 0.0, self.spent)
        _, price = _price(self._model)
        room = int(min(wanted, left.tokens, left.dollars * 1_000_000 / price))
        return room if room >= SMALLEST_ANSWER_TOKENS or (self._first and room > 0 and not self.spent.tokens) else 0


class Claude:
    """An Author that asks a Claude model.

    `model` defaults to `PINEBENCH_MODEL`, then to DEFAULT_MODEL. `key` defaults to `ANTHROPIC_API_KEY` from the real
    environment or the project's `.env`. `back_off` are the waits in seconds between tries. `libraries` are the folders
    that may hold the source of imported libraries. `heard` is called from the asking thread with the part of an answer
    that has arrived. `rules` replace the beginning of every request, which says how to answer. `key_from` and
    `model_from` say in words where key and model came from. Raises AuthorUnavailable without a key or the SDK.
    """

    name = "claude"

    def __init__(
        self,
        model: str | None = None,
        key: str | None = None,
        back_off: tuple[float, ...] = BACK_OFF_SECONDS,
        libraries: tuple[str, ...] = (),
        heard: Callable[[str], None] | None = None,
        rules: str | None = None,
    ) -> None:
        try:
            import anthropic
        except ImportError:
            raise AuthorUnavailable("writing with Claude needs the extra 'ai'", how_to_install("ai")) from None
        found, chosen = setting(API_KEY), setting(MODEL)
        self.key_from = "the caller" if key else found.origin if found else ""
        key = key or (found.value if found else "")
        if not key:
            raise _no_key()
        self.model_from = "the caller" if model else chosen.origin if chosen else "pinebench's default"
        self.model = model or (chosen.value if chosen else DEFAULT_MODEL)
        self._back_off = back_off
        self._libraries = libraries
        self._heard = heard
        self._sdk = anthropic
        self._foreign = Foreign(key, *_secrets())
        self._connections = Connections(_http())
        try:
            # The address comes from the real environment alone, and no answer can change it. We retry ourselves,
            # because the SDK's waits can be neither limited nor cancelled.
            self._client = anthropic.Anthropic(
                api_key=_sendable(key),
                base_url=os.environ.get("ANTHROPIC_BASE_URL") or None,
                max_retries=0,
                default_headers={"accept-encoding": "identity"},
                http_client=anthropic.DefaultHttpxClient(follow_redirects=False, event_hooks=self._connections.hooks),
            )
        except (ValueError, ImportError, _http().InvalidURL) as error:
            raise AuthorUnavailable(
                f"Claude cannot be asked: {self._brief(error)}",
                "check ANTHROPIC_BASE_URL and the proxies in the environment",
            ) from None
        self._foreign.watch("anthropic", _http().__name__, _http().__name__.replace("httpx", "httpcore"))
        self._system = system() if rules is None else rules

    def draft(self, task: Task, note: str, left: Budget, context: Context) -> Proposal:
        """Ask for a first script, based on the template or script of `task` if it has one."""
        return self._propose(
            task, [*_brought(task, self._libraries), _noted(note)], task.base, left, context, first=not note
        )

    def revise(self, task: Task, source: str, verdict: Verdict, note: str, left: Budget, context: Context) -> Proposal:
        """Ask for edits of `source` that remove the errors of `verdict`."""
        polished = "pursue" if any(finding.code == GOAL for finding in verdict.diagnostics) else "polish"
        name = "revise" if verdict.errors else polished
        told = feedback(source, verdict, LIMIT_TOKENS if name == "polish" else 2 * LIMIT_TOKENS, everything=True)
        asked = prompt(name, source=_ended(source), feedback=told)
        return self._propose(task, [asked, _noted(note)], source, left, context)

    def restart(self, task: Task, failed: tuple[str, ...], note: str, left: Budget, context: Context) -> Proposal:
        """Ask for a new script with an approach that avoids the errors in `failed`."""
        asked = prompt("restart", failed="\n".join(f"- {line}" for line in failed))
        return self._propose(task, [*_brought(task, self._libraries), asked, _noted(note)], task.base, left, context)

    def go_on(self, dialogue: Dialogue, left: Budget, context: Context) -> Proposal:
        """Ask for the next answer in a `dialogue` that a proposal left open."""
        return self._exchange(dialogue.copied, _Purse(self.model, left, first=False), context)

    def reply(self, text: str, left: Budget, context: Context) -> Proposal:
        """Ask one question, and return the whole answer as the `words` of a proposal without a script.

        An answer that is missing or not complete has a `reason`. Raises AuthorUnavailable if Claude cannot be asked.
        """
        dialogue = Dialogue.about([{"type": "text", "text": text}], None)
        purse = _Purse(self.model, left, first=True)
        try:
            while (answer := self._ask(dialogue, purse, context)) is not None:
                if answer.stop is not None:
                    words = self._foreign.script(answer.text)
                    return Proposal(None, _INCOMPLETE.get(answer.stop, ""), usage=purse.spent, words=words)
        except DeadlineError:
            return Proposal(None, "the time was over before the answer was complete", usage=purse.spent)
        except AuthorUnavailable as error:
            raise AuthorUnavailable(error.message, error.hint, purse.spent) from None
        return Proposal(None, "the budget has no room for an answer", usage=purse.spent, exhausted=True)

    def _propose(
        self, task: Task, parts: list[str], source: str | None, left: Budget, context: Context, *, first: bool = False
    ) -> Proposal:
        """Make the first request of a round; `source` is the script that edits refer to."""
        dialogue = Dialogue.about(_content(task, parts), source)
        return self._exchange(dialogue, _Purse(self.model, left, first=first), context)

    def _exchange(self, dialogue: Dialogue, purse: _Purse, context: Context) -> Proposal:
        """Ask for one more answer, and report its cost whatever happens."""
        try:
            answer = self._ask(dialogue, purse, context)
            if answer is None:
                no_room = "the budget has no room for another answer"
                return dialogue.kept(purse.spent) or Proposal(None, no_room, usage=purse.spent, exhausted=True)
            if answer.stop is None:
                return Proposal(None, dialogue.trouble, usage=purse.spent, dialogue=dialogue)
            return self._taken(answer, dialogue, purse.spent)
        except DeadlineError:
            # The loop sees itself that the time is over; the cost until then must not be lost.
            over = "the time was over before the answer was complete"
            return dialogue.kept(purse.spent) or Proposal(None, over, usage=purse.spent)
        except AuthorUnavailable as error:
            if kept := dialogue.kept(purse.spent):
                return kept
            raise AuthorUnavailable(error.message, error.hint, purse.spent) from None

    def _taken(self, answer: Answer, dialogue: Dialogue, spent: Usage) -> Proposal:
        """The proposal that follows from `answer`; it has a dialogue if the service must be asked again."""
        dialogue.exchanges += 1
        if answer.stop == "refusal":
            return Proposal(None, "the model declined to write this script", usage=spent, final=True)
        text = dialogue.paused + self._foreign.script(answer.text, dialogue.text or "")
        if answer.stop == "pause_turn":
            # The service wants a request to continue; the text goes on where the answer stopped.
            dialogue.paused = text
            self._say(dialogue, "assistant", answer.content)
            return _open(dialogue, "the answer pauses", spent)
        cut = answer.stop in ("max_tokens", "model_context_window_exceeded")
        written = script_in(text, dialogue.text, cut=cut)
        dialogue.words = words_in(text, written)
        if cut and written is None:
            # Half a script must not be compiled, and half an edit must not be applied.
            dialogue.reason = f"it was cut after {answer.usage.output_tokens} tokens; be briefer"
            dialogue.wanted = ANSWER_TOKENS * 2
            return _open(dialogue, dialogue.reason, spent)
        results = [] if cut else [self._perform(dialogue, call) for call in answer.calls]
        failed = [text for _, text, ok in results if not ok]
        if written is not None and len(failed) == len(results):
            dialogue.replaced(written)
            return dialogue.proposal(spent)
        if not failed:
            return _closed(dialogue, dialogue.reason or ("" if results else _no_script(text)), spent)
        dialogue.reason = f"an edit did not apply: {failed[0]}"
        self._say(dialogue, "assistant", answer.content)
        self._say(dialogue, "user", [_tool_result(*result) for result in results])
        return _open(dialogue, dialogue.reason, spent)

    def _say(self, dialogue: Dialogue, role: str, content: list[dict[str, Any]]) -> None:
        """Add a message to `dialogue`, without secrets and control characters, because the dialogue goes into the
        journal.
        """
        cleaned = [self._clean(block, dialogue.text or "") for block in content]
        kept = [block for block in cleaned if block["type"] != "text" or block["text"].strip()]
        dialogue.messages += [{"role": role, "content": kept}] if kept else []

    def _clean(self, values: dict[str, Any], known: str) -> dict[str, Any]:
        cleaned: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, dict):
                value = self._clean(cast("dict[str, Any]", value), known)
            cleaned[self._foreign.line(name)] = self._foreign.script(value, known) if isinstance(value, str) else value
        return cleaned

    def _ask(self, dialogue: Dialogue, purse: _Purse, context: Context) -> Answer | None:
        """Ask the service for the next answer of `dialogue`, and try again while the service is busy.

        Returns None if the budget has no room for an answer. Returns an answer without a `stop` if its stream was cut
        after it had cost tokens; `dialogue` then holds the number of tries, the reason and the wait. Raises
        AuthorUnavailable if all tries fail.
        """
        trouble: Exception | None = ConnectionError(dialogue.trouble) if dialogue.trouble else None
        tries, asked = (0.0, *self._back_off), dialogue.wait
        for number in range(dialogue.tries, len(tries)):
            pause = max(tries[number], asked)
            if trouble is not None and pause >= context.remaining():
                # The wait is longer than the time that is left for this run.
                break
            context.sleep(pause)
            room = purse.room(dialogue.wanted)
            if not room:
                return None
            answer = Answer()
            try:
                self._stream(dialogue, room, answer, context)
            except DeadlineError:
                if answer.characters or (answer.begun and trouble is None):
                    raise
                trouble = trouble or TimeoutError("the service sent nothing until the time was over")
                break
            except Broken as error:
                trouble = cast("Exception", error.__cause__)
                context.check()
                if isinstance(trouble, self._sdk.APIStatusError) and not _worth_another_try(trouble):
                    raise self._unavailable(trouble) from None
            else:
                trouble = EOFError("the stream ended before the answer did")
            finally:
                # Tokens that were sent and received before a cut are charged too.
                purse.pay(answer.usage)
            if answer.stop is not None:
                dialogue.failed(0, "", 0.0)
                return answer
            context.progress(f"Claude: {self._brief(trouble)}; trying again", None)
            asked = self._asked_wait(trouble)
            if answer.usage.tokens and number + 1 < len(tries):
                dialogue.failed(number + 1, self._brief(trouble), asked)
                return answer
        assert trouble is not None
        raise self._unavailable(trouble)

    def _stream(self, dialogue: Dialogue, room: int, answer: Answer, context: Context) -> None:
        """Fill `answer` from one request; an answer that is longer than `room` tokens is ended."""

        offered: dict[str, Any] = {"tools": _TOOLS} if dialogue.text is not None else {}

        def opened() -> Any:
            return self._client.messages.create(
                model=self.model,
                max_tokens=room,
                system=[{"type": "text", "text": self._system, "cache_control": {"type": "ephemeral"}}],
                **offered,
                messages=cast("Any", dialogue.messages),
                stream=True,
                timeout=SILENCE_SECONDS,
            )

        told = time.monotonic()
        self._connections.allowance = SMALLEST_STREAM_BYTES + room * BYTES_PER_TOKEN
        for event in read(opened, self._connections, context):
            answer.take(event)
            if answer.characters > room * CHARACTERS_PER_TOKEN:
                answer.end(room)
                return
            if answer.characters and time.monotonic() - told > PROGRESS_SECONDS:
                context.progress(f"Claude is writing: {answer.characters:,} characters", None)
                if self._heard is not None:
                    self._heard(self._foreign.script(answer.so_far))
                told = time.monotonic()

    def _asked_wait(self, trouble: Exception) -> float:
        """The seconds that the service asked to wait. Raises AuthorUnavailable if that is longer than
        LONGEST_BACK_OFF_SECONDS.
        """
        headers = getattr(getattr(trouble, "response", None), "headers", None)
        if headers is None:
            return 0.0
        seconds = _wanted_wait(headers)
        if seconds > LONGEST_BACK_OFF_SECONDS:
            raise AuthorUnavailable(
                f"Claude cannot be asked: {self._brief(trouble)}; it asks for a pause of {seconds:.0f} s",
                "try again then with --resume",
            )
        return seconds

    def _unavailable(self, error: Exception) -> AuthorUnavailable:
        kind, status = _inner(error).get("type"), getattr(error, "status_code", None)
        # An error inside a stream has the stream's own status, 200.
        if kind in ("authentication_error", "permission_error") or status in (401, 403):
            return AuthorUnavailable(f"Claude refused the key: {self._brief(error)}", f"check {API_KEY}")
        if kind == "not_found_error" or status == 404:
            return AuthorUnavailable(f"there is no model '{self.model}'", f"choose another with --model or {MODEL}")
        if isinstance(error, self._sdk.APITimeoutError):
            return AuthorUnavailable("Claude sent nothing for too long", "try again with --resume")
        if status is not None and not _worth_another_try(error):
            # The same request would be refused again.
            too_long = kind == "request_too_large" or status == 413
            hint = _TOO_LONG if too_long else _BILLING if kind == "billing_error" or status == 402 else None
            return AuthorUnavailable(f"Claude refused the request: {self._brief(error)}", hint)
        return AuthorUnavailable(f"Claude cannot be asked: {self._brief(error)}", "try again later with --resume")

    def _brief(self, error: Exception) -> str:
        """`error` as one short line, without secrets and control characters."""
        said = _inner(error).get("message")
        message = said if isinstance(said, str) and said else getattr(error, "message", "") or str(error)
        line = self._foreign.line((message.strip().splitlines() or [""])[0]).strip() or type(error).__name__
        status = getattr(error, "status_code", None)
        return f"{f'HTTP {status}: ' if status else ''}{line[:200]}"

    def _perform(self, dialogue: Dialogue, call: ToolCall) -> tuple[str, str, bool]:
        """Perform `call`, and return its id, a text for the model, and whether it succeeded."""
        try:
            self._edit(dialogue, call)
        except PinebenchError as error:
            return call.identifier, self._foreign.line(error.message), False
        return call.identifier, "Replaced.", True

    def _edit(self, dialogue: Dialogue, call: ToolCall) -> None:
        if call.name != _EDIT:
            raise PinebenchError(f"There is no tool '{call.name[:60]}', only {_EDIT}.")
        values = call.arguments
        old, new = (values or {}).get("old_text"), (values or {}).get("new_text")
        if values is None or not isinstance(old, str) or not isinstance(new, str):
            given = [self._foreign.script(value) for value in (values or {}).values() if isinstance(value, str)]
            whole = next((found for value in given if (found := _whole(value))), None)
            if whole is None:
                raise PinebenchError("The arguments must be a JSON object with the texts old_text and new_text.")
            return dialogue.replaced(whole)
        old, new = plain(old), plain(self._foreign.script(new, dialogue.text or ""))
        if (not old or dialogue.text is None or old not in dialogue.text) and (whole := _whole(new)):
            # The model put a whole script where an edit was expected.
            return dialogue.replaced(whole)
        if dialogue.text is None:
            raise PinebenchError("There is no script yet. Send a complete one.")
        dialogue.text = replace_once(dialogue.text, old, new)
        if old != new:
            dialogue.changes.append(self._foreign.line(f"{_first_line(old)} -> {_first_line(new)}"))
        return None


def cost(model: str, usage: Usage) -> float:
    """The estimated dollars for `usage` of `model`."""
    price_in, price_out = _price(model)
    counted_in = usage.input_tokens + 1.25 * usage.cache_write_tokens + 0.1 * usage.cache_read_tokens
    return (counted_in * price_in + usage.output_tokens * price_out) / 1_000_000


def _price(model: str) -> tuple[float, float]:
    return next((price for family, price in _PRICES.items() if family in model), _DEAREST)


def _worth_another_try(error: Any) -> bool:
    if error.status_code < 300:
        return _is_passing(error)
    return error.status_code in (408, 409, 429) or error.status_code >= 500


def _is_passing(error: Any) -> bool:
    """Whether an error inside a stream is temporary. Such an error has the stream's own status, 200."""
    passing = ("overloaded_error", "api_error", "rate_limit_error", "timeout_error")
    # An error without a readable description counts as a cut.
    return not _inner(error) or _inner(error).get("type") in passing


def _http() -> Any:
    """The HTTP library that the SDK uses."""
    from importlib import import_module
    from importlib.util import find_spec

    return import_module("httpx2" if find_spec("httpx2") else "httpx")


def _secrets() -> Iterator[str]:
    """The secrets of the environment besides the key, which no screen and no journal may show."""
    yield os.environ.get("ANTHROPIC_AUTH_TOKEN", "")
    for name, value in os.environ.items():
        if name.upper() in ("ANTHROPIC_BASE_URL", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
            yield value.rpartition("@")[0].rpartition("/")[2].partition(":")[2]


def _no_key() -> AuthorUnavailable:
    foreign = foreign_file()
    if foreign:
        return AuthorUnavailable(f"there is no {API_KEY}", f"{foreign} is left alone: it belongs to another user")
    return AuthorUnavailable(
        f"there is no {API_KEY}", "set it in the environment or in the project's .env; 'fix' works without one"
    )


def _sendable(key: str) -> str:
    """`key` without surrounding blanks. Raises ValueError if it holds characters that a header cannot carry."""
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError(f"{API_KEY} holds characters that no key has")
    return key


def _content(task: Task, parts: list[str]) -> list[Any]:
    asked = "change" if task.base is not None and task.template is None else "draft"
    first = {"type": "text", "text": prompt(asked, request=task.request), "cache_control": {"type": "ephemeral"}}
    goals = prompt("goals", goals="\n".join(f"- `{goal}`" for goal in task.goals)) if task.goals else ""
    bars = prompt("bars", bars=task.bars) if task.bars else ""
    return [first, *({"type": "text", "text": part} for part in (bars, goals, *parts) if part)]


def _brought(task: Task, libraries: tuple[str, ...]) -> list[str]:
    """The parts of a prompt about the script that `task` begins with: a template, or the user's own script with its
    findings.

    Once there is a draft, they are not sent again.
    """
    if task.base is None:
        return []
    if task.template is not None:
        return [prompt("template", template=task.template, base=_ended(task.base))]
    verdict = check_locally(task.base, libraries)
    version, _ = find_version(task.base)
    parts = [prompt("base", base=_ended(task.base))]
    if version is not None and version < LANGUAGE_VERSION:
        parts.append(prompt("convert", version=str(version)))
        # The only finding worth telling is that it is old.
        verdict = replace(verdict, diagnostics=tuple(verdict.errors))
    if verdict.diagnostics:
        parts.append(feedback(task.base, verdict, everything=True))
    return parts


def _noted(note: str) -> str:
    return prompt("note", note=note) if note else ""


def _ended(source: str) -> str:
    return source if source.endswith("\n") else source + "\n"


def _open(dialogue: Dialogue, reason: str, spent: Usage) -> Proposal:
    """A proposal that leaves `dialogue` open for `reason`, or the final proposal if the dialogue has had enough
    exchanges.
    """
    if dialogue.exchanges < EXCHANGES:
        return Proposal(None, reason, usage=spent, dialogue=dialogue)
    return _closed(dialogue, dialogue.reason, spent)


def _closed(dialogue: Dialogue, reason: str, spent: Usage) -> Proposal:
    why = reason or "the edits change nothing"
    nothing = Proposal(None, why, usage=spent, words=dialogue.words, answers=is_answer(dialogue.words))
    return dialogue.kept(spent) or nothing


def _wanted_wait(headers: Mapping[str, str]) -> float:
    """The seconds that a service asks to wait: a number, or the time until a date by the service's own clock."""
    from email.utils import parsedate_to_datetime

    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        return seconds if seconds > 0 else 0.0  # NaN counts as no wait
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
        now = parsedate_to_datetime(headers["date"]) if "date" in headers else datetime.now(UTC)
        return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _whole(value: object) -> str | None:
    """The script in `value`, if it holds one that starts with its version line."""
    return script_in(value) if isinstance(value, str) and "@version" in value else None


def _tool_result(identifier: str, text: str, ok: bool) -> Any:
    return {"type": "tool_result", "tool_use_id": identifier, "content": text, "is_error": not ok}


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return "(nothing)"
    more = " ..." if len(lines) > 1 or len(lines[0]) > 60 else ""
    return lines[0][:60] + more


def _no_script(text: str) -> str:
    return "the answer had neither a complete script in a fenced block nor an edit" if text.strip() else "it was empty"


def _inner(error: Any) -> dict[str, Any]:
    """The service's own description of an error: its `type` and `message`; empty if there is none."""
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    return inner if isinstance(inner, dict) else {}
