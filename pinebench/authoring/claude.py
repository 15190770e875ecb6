"""Claude as an author, through the Anthropic SDK. Answers are streamed, can be interrupted, and stay within a budget.

Every round is independent. A request begins with its stable part (rules and templates) and the task, which the service
caches; the current script and the compiler's findings follow. Within a round, a faulty answer can be sent back to the
model. The dialogue is returned after each paid answer, so a resumed run sends exactly the requests of an uninterrupted
one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from pinebench.authoring.answer import PartialReply, ToolCall
from pinebench.authoring.author import (
    LANGUAGE_VERSION,
    AuthorBudget,
    AuthoringTask,
    AuthorUnavailable,
    Limit,
    Proposal,
    Usage,
    changed_proposal,
    proposal_of,
)
from pinebench.authoring.dialogue import ANSWER_TOKENS, Dialogue
from pinebench.authoring.feedback import LIMIT_TOKENS, feedback
from pinebench.authoring.goals import GOAL, NAMED
from pinebench.authoring.prompt import prompt, system
from pinebench.authoring.reply import is_answer, plain, replace_once, script_in, words_in
from pinebench.authoring.service import BACK_OFF_SECONDS, Service, cost, most_tokens
from pinebench.authoring.stream import StreamError
from pinebench.compilers import Verdict
from pinebench.compilers.local import check_locally
from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError
from pinebench.reference.strategy_defaults import strategy_defaults
from pinebench.syntax.document import find_version

SMALLEST_ANSWER_TOKENS = 1_000
"""The number of tokens left in the budget below which no useful answer is possible."""
EXCHANGES = 3
"""The largest number of answers within one round in which edits that do not apply are sent back."""
PROGRESS_SECONDS = 0.25
"""The shortest time in seconds between two reports of progress."""

_INCOMPLETE = {
    "refusal": "the model declined to answer",
    "max_tokens": "the answer was cut",
    "model_context_window_exceeded": "the answer was cut",
}
"""The fault of a missing or incomplete answer, by the service's reason for its end."""

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

    def __init__(self, service: Service, budget: AuthorBudget, *, first: bool) -> None:
        self._service = service
        self._left = budget
        self._first = first
        self.spent = Usage()
        self.limit: Limit = ""
        """The limit that left no room for the last answer. If both limits did, it is the limit of tokens."""

    def pay(self, usage: Usage) -> None:
        """Add the tokens of one request to the cost."""
        self.spent += usage + Usage(dollars=cost(self._service.model, usage))

    def room(self, asked: int, wanted: int) -> int:
        """Return the number of tokens that the answer to a request of `asked` tokens may have, at most `wanted`; 0 if
        no useful answer is possible. A first draft gets one short answer if the budget has no room for more."""
        left = self._left.left(0, 0.0, self.spent)
        smallest = 1 if self._first and not self.spent.tokens else SMALLEST_ANSWER_TOKENS
        most = min(wanted, left.tokens - asked)
        room = self._service.room(asked, most, left.dollars)
        self.limit = "" if room >= smallest else "tokens" if most < smallest else "dollars"
        return 0 if self.limit else room


class Claude:
    """An Author that uses a Claude model.

    `model` defaults to `PINEBENCH_MODEL`, then to DEFAULT_MODEL. `key` defaults to `ANTHROPIC_API_KEY` from the
    environment or the project's `.env`. `back_off` has the waits between attempts, in seconds. `libraries` are the
    folders that may hold the source of imported libraries. `rules` replaces the beginning of every request, which tells
    the model how to answer. `key_from` and `model_from` describe the origin of the key and the model. Raises
    AuthorUnavailable without a key or the SDK.
    """

    name = "claude"

    def __init__(
        self,
        model: str | None = None,
        key: str | None = None,
        back_off: tuple[float, ...] = BACK_OFF_SECONDS,
        libraries: tuple[str, ...] = (),
        rules: str | None = None,
    ) -> None:
        self.service = Service(
            model, key, purpose="writing with Claude", again=" with --resume", otherwise="; 'fix' works without one"
        )
        self.model, self.model_from, self.key_from = self.service.model, self.service.model_from, self.service.key_from
        self.interrupted: Proposal | None = None
        self._back_off = back_off
        self._libraries = libraries
        self._foreign = self.service.foreign
        self._system = system() if rules is None else rules

    def draft(self, task: AuthoringTask, note: str, budget: AuthorBudget, context: Context) -> Proposal:
        """Request a first script, based on the template or script of `task` if it has one."""
        return self._propose(
            task, [*_brought(task, self._libraries), _noted(note)], task.base, budget, context, first=not note
        )

    def revise(
        self, task: AuthoringTask, source: str, verdict: Verdict, note: str, budget: AuthorBudget, context: Context
    ) -> Proposal:
        """Request edits of `source` for the errors of `verdict`, or else for its unmet goals, warnings and remarks."""
        polished = "pursue" if any(finding.code == GOAL for finding in verdict.diagnostics) else "polish"
        name = "revise" if verdict.errors else polished
        told = feedback(source, verdict, LIMIT_TOKENS if name == "polish" else 2 * LIMIT_TOKENS, everything=True)
        asked = prompt(name, source=_ended(source), feedback=told)
        return self._propose(task, [asked, _noted(note)], source, budget, context)

    def restart(
        self, task: AuthoringTask, failed: tuple[str, ...], note: str, budget: AuthorBudget, context: Context
    ) -> Proposal:
        """Request a new script with an approach that avoids the errors in `failed`."""
        asked = prompt("restart", failed="\n".join(f"- {line}" for line in failed))
        return self._propose(task, [*_brought(task, self._libraries), asked, _noted(note)], task.base, budget, context)

    def go_on(self, dialogue: Dialogue, budget: AuthorBudget, context: Context) -> Proposal:
        """Request the next answer in a `dialogue` that a proposal left open."""
        return self._exchange(dialogue.copied, _Purse(self.service, budget, first=False), context)

    def reply(self, text: str, budget: AuthorBudget, context: Context) -> Proposal:
        """Send one question, and return the answer as the `words` of a proposal without a script. If the answer is
        missing or incomplete, the proposal has a `reason`. Raises AuthorUnavailable if Claude cannot be reached."""
        dialogue = Dialogue.about([{"type": "text", "text": text}], None)
        purse = _Purse(self.service, budget, first=True)
        self.interrupted = None
        try:
            while (answer := self._ask(dialogue, purse, context)) is not None:
                if answer.stop is not None:
                    words = self._foreign.script(answer.text)
                    return Proposal(None, _INCOMPLETE.get(answer.stop, ""), usage=purse.spent, words=words)
        except (CancelledError, KeyboardInterrupt):
            self.interrupted = Proposal(None, "it was interrupted", usage=purse.spent)
            raise
        except DeadlineError:
            return Proposal(None, "the time limit was reached before the answer was complete", usage=purse.spent)
        except AuthorUnavailable as error:
            raise AuthorUnavailable(error.message, error.hint, purse.spent) from None
        return Proposal(None, self._no_room(dialogue), usage=purse.spent, exhausted=True, limit=purse.limit)

    def _no_room(self, dialogue: Dialogue) -> str:
        """Return why the budget ends before the next answer of `dialogue`."""
        asked = self._asked(dialogue)
        dollars = cost(self.model, Usage(cache_write_tokens=asked))
        return f"the budget has no room for an answer: the request alone may have {asked:,} tokens (${dollars:.3f})"

    def _asked(self, dialogue: Dialogue) -> int:
        """Return an upper limit for the tokens of the next request of `dialogue`."""
        return max(most_tokens(self._request(dialogue)), dialogue.counted)

    def _propose(
        self,
        task: AuthoringTask,
        parts: list[str],
        source: str | None,
        budget: AuthorBudget,
        context: Context,
        *,
        first: bool = False,
    ) -> Proposal:
        """Make the first request of a round; `source` is the script that edits refer to."""
        dialogue = Dialogue.about(_content(task, parts), source)
        return self._exchange(dialogue, _Purse(self.service, budget, first=first), context)

    def _exchange(self, dialogue: Dialogue, purse: _Purse, context: Context) -> Proposal:
        """Ask for one more answer, and report its cost whatever happens."""
        self.interrupted, before = None, dialogue.copied
        try:
            answer = self._ask(dialogue, purse, context)
            if answer is None:
                return changed_proposal(dialogue, purse.spent) or Proposal(
                    None, self._no_room(dialogue), usage=purse.spent, exhausted=True, limit=purse.limit
                )
            if answer.stop is None:
                return Proposal(None, dialogue.trouble, usage=purse.spent, dialogue=dialogue)
            return self._taken(answer, dialogue, purse.spent)
        except DeadlineError:
            # The loop sees itself that the time is over; the cost until then must not be lost.
            over = "the time limit was reached before the answer was complete"
            return changed_proposal(dialogue, purse.spent) or Proposal(None, over, usage=purse.spent)
        except (CancelledError, KeyboardInterrupt):
            if purse.spent.tokens:
                self.interrupted = Proposal(None, "it was interrupted", usage=purse.spent, dialogue=before)
            raise
        except AuthorUnavailable as error:
            if kept := changed_proposal(dialogue, purse.spent):
                return kept
            raise AuthorUnavailable(error.message, error.hint, purse.spent) from None

    def _taken(self, answer: PartialReply, dialogue: Dialogue, spent: Usage) -> Proposal:
        """Return the proposal that follows from `answer`; it has a dialogue if the service must be asked again."""
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
            return proposal_of(dialogue, spent)
        if not failed:
            return _closed(dialogue, dialogue.reason or ("" if results else _no_script(text)), spent)
        dialogue.reason = f"an edit did not apply: {failed[0]}"
        self._say(dialogue, "assistant", answer.content)
        self._say(dialogue, "user", [_tool_result(*result) for result in results])
        return _open(dialogue, dialogue.reason, spent)

    def _say(self, dialogue: Dialogue, role: str, content: list[dict[str, Any]]) -> None:
        """Add a message to `dialogue`, without secrets and control characters, because the dialogue is written to the
        journal."""
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

    def _ask(self, dialogue: Dialogue, purse: _Purse, context: Context) -> PartialReply | None:
        """Ask the service for the next answer of `dialogue`, and try again while the service is busy.

        Returns None if the budget has no room for an answer. Returns an answer without a `stop` if its stream was cut
        after it had cost tokens; `dialogue` then holds the number of tries, the reason and the wait. Raises
        AuthorUnavailable if all attempts fail.
        """
        trouble: Exception | None = ConnectionError(dialogue.trouble) if dialogue.trouble else None
        tries, asked = (0.0, *self._back_off), dialogue.wait
        for number in range(dialogue.tries, len(tries)):
            pause = max(tries[number], asked)
            if trouble is not None and pause >= context.remaining():
                # The wait is longer than the time that is left for this run.
                break
            context.sleep(pause)
            request = self._request(dialogue)
            room = purse.room(self._asked(dialogue), dialogue.wanted)
            if not room:
                return None
            answer = PartialReply()
            try:
                self._stream(request, room, answer, context)
            except DeadlineError:
                if answer.characters or (answer.begun and trouble is None):
                    raise
                trouble = trouble or TimeoutError("the service sent nothing until the time limit was reached")
                break
            except StreamError as error:
                trouble = cast("Exception", error.__cause__)
                context.check()
                if self.service.is_final(trouble):
                    raise self.service.unavailable(trouble) from None
            else:
                trouble = EOFError("the stream ended before the answer did")
            finally:
                # Tokens that were sent and received before a cut are charged too.
                purse.pay(answer.usage)
                dialogue.counted = max(dialogue.counted, answer.usage.tokens - answer.usage.output_tokens)
            if answer.stop is not None:
                dialogue.failed(0, "", 0.0)
                return answer
            context.progress(f"Claude: {self.service.brief(trouble)}; trying again", None)
            asked = self.service.asked_wait(trouble)
            if answer.usage.tokens and number + 1 < len(tries):
                dialogue.failed(number + 1, self.service.brief(trouble), asked)
                return answer
        assert trouble is not None
        raise self.service.unavailable(trouble)

    def _request(self, dialogue: Dialogue) -> dict[str, Any]:
        return {
            "system": [{"type": "text", "text": self._system, "cache_control": {"type": "ephemeral"}}],
            "messages": dialogue.messages,
            **({"tools": _TOOLS} if dialogue.text is not None else {}),
        }

    def _stream(self, request: Mapping[str, Any], room: int, answer: PartialReply, context: Context) -> None:
        """Fill `answer` from one request; an answer that is longer than `room` tokens is ended."""
        told = time.monotonic()
        for _ in self.service.events(request, room, answer, context):
            if answer.characters and time.monotonic() - told > PROGRESS_SECONDS:
                context.progress(f"Claude is writing: {answer.characters:,} characters", None)
                told = time.monotonic()

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


def _content(task: AuthoringTask, parts: list[str]) -> list[Any]:
    asked = "change" if task.base is not None and task.template is None else "draft"
    first = {"type": "text", "text": prompt(asked, request=task.request), "cache_control": {"type": "ephemeral"}}
    about = "".join(f"\n{prompt(f'goal-{goal}')}" for goal in task.goals if goal in NAMED)
    asked_for = "\n".join(f"- `{goal}`" for goal in task.goals)
    goals = prompt("goals", goals=asked_for, about=about) if task.goals else ""
    bars = prompt("bars", bars=task.bars) if task.bars else ""
    return [first, *({"type": "text", "text": part} for part in (bars, goals, *parts) if part)]


def _brought(task: AuthoringTask, libraries: tuple[str, ...]) -> list[str]:
    """Return the parts of a prompt about the script that `task` begins with: a template, or the user's own script with
    its findings. Once there is a draft, they are not sent again."""
    if task.base is None:
        return []
    if task.template is not None:
        return [prompt("template", template=task.template, base=_ended(task.base))]
    verdict = check_locally(task.base, libraries)
    version, _ = find_version(task.base)
    parts = [prompt("base", base=_ended(task.base))]
    if task.converted:
        parts.append(task.converted)
    if version is not None and version < LANGUAGE_VERSION:
        parts.append(prompt("convert", version=str(version), **_old_defaults(version)))
        # The only finding worth telling is that it is old.
        verdict = replace(verdict, diagnostics=tuple(verdict.errors))
    if verdict.diagnostics:
        parts.append(feedback(task.base, verdict, everything=True))
    return parts


def _old_defaults(version: int) -> dict[str, str]:
    """Return the defaults of strategies in an earlier version of Pine, for the prompt."""
    old = strategy_defaults(version=version)
    return {
        "capital": f"{old.initial_capital:.0f}",
        "size_type": f"strategy.{old.default_qty_type}",
        "size": f"{old.default_qty_value:g}",
    }


def _noted(note: str) -> str:
    return prompt("note", note=note) if note else ""


def _ended(source: str) -> str:
    return source if source.endswith("\n") else source + "\n"


def _open(dialogue: Dialogue, reason: str, spent: Usage) -> Proposal:
    """Return a proposal that leaves `dialogue` open for `reason`, or the final proposal if the dialogue has had enough
    exchanges."""
    if dialogue.exchanges < EXCHANGES:
        return Proposal(None, reason, usage=spent, dialogue=dialogue)
    return _closed(dialogue, dialogue.reason, spent)


def _closed(dialogue: Dialogue, reason: str, spent: Usage) -> Proposal:
    why = reason or "the edits change nothing"
    nothing = Proposal(None, why, usage=spent, words=dialogue.words, answers=is_answer(dialogue.words))
    return changed_proposal(dialogue, spent) or nothing


def _whole(value: object) -> str | None:
    """Return the script in `value`, if it is one that starts with its version line."""
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
