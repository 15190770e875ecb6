"""The parts of the workbench that Claude can use: the active script, tools to read it and to propose changes, and the
proposals.

A proposal never changes a text by itself. A person reviews it (`proposal_dialog.ProposalDialog`) and accepts all or
some of its changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, NotRequired, TypedDict

from pinebench import config
from pinebench.agent.chat_history import MessageHistory
from pinebench.agent.timeline import data_in
from pinebench.amounts import counted
from pinebench.authoring import goals
from pinebench.authoring.older import in_v6
from pinebench.authoring.reply import plain, replace_once
from pinebench.checker import open_program
from pinebench.compilers import OURS
from pinebench.errors import PinebenchError, UsageError
from pinebench.migration import migrate_draft
from pinebench.tools.arguments import LONGEST_SOURCE, Fields, Flag, IntegerArgument, ListArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.check import FindingEntry, entries
from pinebench.tools.registry import Needs, Tool
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tui import compile_commands
from pinebench.tui.diff_hunks import hunks
from pinebench.tui.script_tab import CompilerVerdict, ScriptTab
from pinebench.tui.worker_run import bars_of

if TYPE_CHECKING:
    from pinebench.compilers import Verdict
    from pinebench.context import Context
    from pinebench.tui.app import Workbench

READ, PROPOSE = "workbench_get_script", "workbench_propose_script"
LONGEST_SENT = 20_000
"""A script with more characters than this is sent in parts."""
_MOST_FINDINGS = 30
_BETWEEN_GOALS = re.compile(r",(?![^()]*\))")
_EDIT = Fields(
    {"old_text": TextArgument(longest=LONGEST_SOURCE), "new_text": TextArgument(longest=LONGEST_SOURCE, empty=True)}
)

ABOUT = f"""\
# The workbench

The person edits Pine scripts in pinebench's workbench in a terminal. The script in front is the working text: "the
script" and "it" mean this one. It is sent as data (`script_in_front`) with a message when it has changed since you saw
it; `{READ}` gives the text as it is now, unsaved changes included. If none was sent, no script is open, or it is blank.

To write or change a script, call `{PROPOSE}` with few `edits`, or with the whole `source` for a new script. It compiles
the proposal, runs it for the person's goals, and says what is wrong: repair that and propose again, until it passes.
The text changes only by what the person accepts, change by change, so never say that you changed it. `pine_get_source`
and `pine_set_source` are about another text, the one in the editor of the chart's page: use them only if the person
speaks of the page.
"""
"""The part of the prompt about the workbench."""


class Wish(NamedTuple):
    """A person's settings for the assistant. `goals` is the text with the goals for a run on `bars`. `dollars` is the
    largest amount that the conversation may cost, as the person wrote it. `compiler` is local, online or chart."""

    goals: str
    bars: str
    dollars: str
    compiler: str

    @property
    def asked(self) -> tuple[str, ...]:
        """The separate goals in the text `goals`."""
        return tuple(goal for each in _BETWEEN_GOALS.split(self.goals) if (goal := each.strip()))

    @property
    def most(self) -> float:
        """The largest amount in dollars that the conversation may cost. Raises UsageError if `dollars` is not an amount
        above 0."""
        try:
            amount = float(self.dollars.strip().removeprefix("$"))
        except ValueError:
            amount = 0.0
        if not 0 < amount < float("inf"):
            raise UsageError(f"'{self.dollars}' is not an amount of dollars", "write, for example, 0.5")
        return amount


@dataclass(eq=False)
class ScriptProposal:
    """A script that Claude proposes as a replacement for `before`, the text that it read in the tab `opened`. If
    `opened` is None, the script is for a new tab.

    `judged` is the verdict about `source`; None if it was not compiled in this session. `goals` has the goals that the
    run on the bars did not meet, None if there were no goals. `taken` is the person's decision as text.
    """

    opened: ScriptTab | None
    before: str
    source: str
    judged: CompilerVerdict | None = None
    goals: tuple[str, ...] | None = None
    taken: str = ""

    @property
    def changed(self) -> str:
        """The size of the change as text, such as `2 changes: +3 −1 lines`."""
        if not self.before:
            return f"wrote {counted(len(self.source.splitlines()), 'line')}"
        changes = hunks(self.before, self.source)
        come, gone = sum(len(each.lines) for each in changes), sum(each.end - each.start for each in changes)
        return f"{counted(len(changes), 'change')}: +{come} −{gone} lines"


class FrontScript(TypedDict):
    """The active script, or a part of its lines, with the findings of our check."""

    name: str
    line_count: int
    first_line: int
    text: str
    unsaved: bool
    cursor_line: int
    findings: NotRequired[list[FindingEntry]]
    findings_left_out: NotRequired[int]


class ProposalVerdict(TypedDict):
    """The verdict about a proposal. `not_checked` are the libraries whose uses our check could not judge."""

    verdict: str
    compiles: bool
    changes: str
    errors: NotRequired[list[FindingEntry]]
    warnings: NotRequired[list[FindingEntry]]
    errors_left_out: NotRequired[int]
    warnings_left_out: NotRequired[int]
    not_checked: NotRequired[list[str]]
    goals_met: NotRequired[bool]
    goals: NotRequired[list[str]]
    next: str


class ProposalDesk:
    """Stores the scripts that Claude works on, and Claude's proposals, newest last."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.proposals: list[ScriptProposal] = []
        self._wish = Wish("", "", "", "local")
        self._opened: ScriptTab | None = None
        self._seen: str | None = None

    def forget(self) -> None:
        """Forget the texts that Claude has read, and its proposals."""
        self.proposals.clear()
        self._opened = self._seen = None

    def begin(self, opened: ScriptTab | None, wish: Wish) -> dict[str, Any] | None:
        """Begin a turn. Return the active script as data for the message; None if there is none, or if Claude knows
        it."""
        self._wish = wish
        text = _text(opened)
        if opened is self._opened and text == self._seen:
            return None
        self._opened, self._seen = opened, text
        if opened is None or not text.strip():
            return None
        return {"script_in_front": _part(opened, text, 1, None)}

    def last(self, opened: ScriptTab | None) -> ScriptProposal | None:
        """Return the newest proposal for a script. If there is none, return the newest one for a new tab."""
        whole = [each for each in self.proposals if each.source != each.before]
        own = [each for each in whole if each.opened is opened]
        new = [each for each in whole if each.opened is None]
        return next(reversed(own or new), None)

    def by_call(self, result: dict[str, Any] | None) -> ScriptProposal | None:
        """Return the proposal to which a result of the tool `propose` belongs, or None."""
        number = (result or {}).get("proposal")
        if not isinstance(number, int) or not 0 < number <= len(self.proposals):
            return None
        return self.proposals[number - 1]

    # -- the tools, which run in threads ---------------------------------------------------------------------------

    def tools(self) -> list[Tool]:
        """Return the two tools for Claude, which call `read` and `propose`."""
        reading = "The script in front as it is now, unsaved changes included, and what our check found in it."
        writing = (
            "Propose a change of the script in front, or a new script; it is compiled, and a person decides about each "
            "change. Each edit replaces text that occurs exactly once; edits change your last proposal for this text, "
            "or the script if there is none."
        )
        tool = partial(Tool, "workbench", needs=Needs.NOTHING)
        return [
            tool(reading, untrusted=("text", "findings"), name=READ, function=self.read),
            # It changes no text, but what comes after it must see it.
            tool(writing, changes=True, name=PROPOSE, function=self.propose),
        ]

    def read(
        self,
        at: ToolContext,
        first_line: Annotated[int, IntegerArgument("the first line, from 1", 1)] = 1,
        lines: Annotated[int | None, IntegerArgument("how many lines", 1)] = None,
    ) -> FrontScript:
        """Return the active script for Claude, and remember that Claude has read it."""
        return self._bench.call_from_thread(self._read, first_line, lines)

    def _read(self, first_line: int, lines: int | None) -> FrontScript:
        opened = self._opened if self._opened in self._bench.opened else self._bench.front
        if opened is None:
            raise ToolRefused("no script is open", f"propose a new one with {PROPOSE}")
        self._opened, self._seen = opened, _text(opened)
        return _part(opened, self._seen, first_line, lines)

    def propose(
        self,
        at: ToolContext,
        source: Annotated[str | None, TextArgument("the whole script", LONGEST_SOURCE)] = None,
        edits: Annotated[list[dict[str, str]] | None, ListArgument(_EDIT, "instead of source", most=100)] = None,
        new_script: Annotated[bool, Flag("open it in a new tab instead of changing the script in front")] = False,
    ) -> ProposalVerdict:
        """Compile a proposal, store it for the person, and return the verdict for Claude. Raises UsageError for wrong
        arguments, and ToolRefused if an edit cannot be applied or nothing changes."""
        if (source is None) == (edits is None):
            raise UsageError("give either source or edits", "use edits for a change, and source for a new script")
        opened, before, base = self._bench.call_from_thread(self._base, new_script)
        text = plain(source) if source is not None else _edited(base, edits or [])
        if not text.endswith("\n"):
            text += "\n"
        if not hunks(before, text):
            raise ToolRefused("the proposal changes nothing")
        place = opened.buffer.place if opened is not None else "untitled.pine"
        verdict = self._compiled(text, place, at.context)
        unmet = self._unmet(text, before, verdict, place, at.context)
        made = ScriptProposal(opened, before, text, CompilerVerdict.of(verdict, text), unmet)
        number = self._bench.call_from_thread(self._keep, made)
        unread = _unread(text, place, verdict)
        return _answered(made, verdict, number, unread)  # type: ignore[return-value]

    def _base(self, new_script: bool) -> tuple[ScriptTab | None, str, str]:
        """The script that a proposal is for, the text that Claude saw of it, and the text that its edits change."""
        opened = None if new_script else self._opened
        before = self._seen or "" if opened is not None else ""
        before = before if before.strip() else ""
        earlier = next((each for each in reversed(self.proposals) if each.opened is opened), None)
        goes_on = earlier is not None and not earlier.taken and earlier.before == before
        return opened, before, plain(earlier.source if goes_on and earlier is not None else before)

    def _keep(self, made: ScriptProposal) -> int:
        self.proposals.append(made)
        return len(self.proposals)

    def _compiled(self, text: str, place: str, context: Context) -> Verdict:
        compiler = compile_commands.compiler(self._bench, self._wish.compiler, place)
        try:
            return compiler.compile(text, context)
        finally:
            close = getattr(compiler, "close", None)
            if close is not None:
                close()

    def _unmet(self, text: str, before: str, verdict: Verdict, place: str, context: Context) -> tuple[str, ...] | None:
        """The goals that a script does not meet on the bars, in words; None if it does not compile or there are no
        goals. `before` is the script that it changes, or empty: a new script is compared with nothing. The
        configuration of `place` names the folders of its libraries."""
        asked = self._wish.asked if before else tuple(goal for goal in self._wish.asked if goal not in goals.OF_BASE)
        if not (verdict.ok and asked):
            return None
        trial = goals.trial(asked, bars_of(self._wish.bars), base=in_v6(before or None, migrate_draft))
        seen, _ = goals.tried(trial, verdict.program or open_program(text, config.library_folders(place)), context)
        return () if seen.met else seen.words

    # -- a kept conversation ---------------------------------------------------------------------------------------

    def recall(self, history: MessageHistory) -> None:
        """Restore the proposals of a saved conversation if it contains their texts."""
        self.forget()
        name, seen = "", ""
        inputs: dict[str, dict[str, Any]] = {}
        for message in history.messages:
            for block in message["content"]:
                if block["type"] == "tool_use" and block["name"] == PROPOSE:
                    inputs[block["id"]] = block.get("input") or {}
                    continue
                found = data_in(block) if block["type"] in ("text", "tool_result") else {}
                shown = found.get("script_in_front", found if "line_count" in found else None)
                if isinstance(shown, dict) and _is_whole(shown):
                    name, seen = str(shown.get("name")), str(shown["text"])
                elif "proposal" in found:
                    self._recall(inputs.get(str(block.get("tool_use_id")), {}), found, name, seen)

    def _recall(self, given: dict[str, Any], found: dict[str, Any], name: str, seen: str) -> None:
        opened = next((each for each in self._bench.opened if each.buffer.name == name), None)
        before = "" if given.get("new_script") else seen
        made = ScriptProposal(None if given.get("new_script") else opened, before, before)
        earlier = self.proposals[-1] if self.proposals else None
        base = earlier.source if earlier is not None and earlier.before == before else before
        try:
            source = given.get("source")
            made.source = plain(source) if isinstance(source, str) else _edited(base, given.get("edits") or [])
        except (PinebenchError, KeyError, TypeError, AttributeError):
            made.taken = "its text is no longer in the conversation"
        # The numbers in the results count the places in the list.
        while len(self.proposals) + 1 < int(found["proposal"]):
            self.proposals.append(ScriptProposal(None, "", "", taken="its text is no longer in the conversation"))
        self.proposals.append(made)


def _text(opened: ScriptTab | None) -> str:
    return opened.editor.text if opened is not None else ""


def _part(opened: ScriptTab, text: str, first_line: int, lines: int | None) -> FrontScript:
    """`lines` lines of a script from `first_line` on, as many as may be sent at once."""
    every = plain(text).split("\n")
    shown = every[first_line - 1 : None if lines is None else first_line - 1 + lines]
    if not shown:
        raise ToolRefused(f"there is no line {first_line}: the script has {counted(len(every), 'line')}")
    while len(shown) > 1 and sum(map(len, shown)) + len(shown) > LONGEST_SENT:
        shown = shown[: max(1, len(shown) * 3 // 4)]
    found: FrontScript = {
        "name": opened.buffer.name,
        "line_count": len(every),
        "first_line": first_line,
        "text": "\n".join(shown)[: LONGEST_SENT * 2],
        "unsaved": opened.is_dirty,
        "cursor_line": opened.editor.cursor_location[0] + 1,
    }
    if opened.is_checked and opened.findings:
        found["findings"] = entries(opened.findings[:_MOST_FINDINGS], text)
        if len(opened.findings) > _MOST_FINDINGS:
            found["findings_left_out"] = len(opened.findings) - _MOST_FINDINGS
    return found


def _is_whole(shown: dict[str, Any]) -> bool:
    text = shown.get("text")
    return isinstance(text, str) and len(text.split("\n")) == shown.get("line_count")


def _edited(text: str, edits: list[dict[str, str]]) -> str:
    for number, each in enumerate(edits, 1):
        try:
            text = replace_once(text, plain(each["old_text"]), plain(each["new_text"]))
        except PinebenchError as error:
            raise ToolRefused(f"edit {number}: {error.message}", "nothing was proposed; send all edits again") from None
    return text


def _unread(text: str, place: str, verdict: Verdict) -> list[str]:
    """The libraries whose uses our check could not judge; none if another compiler judged."""
    if verdict.origin not in OURS:
        return []
    program = verdict.program or open_program(text, config.library_folders(place))
    return [each.path for each in program.unread_imports]


def _answered(made: ScriptProposal, verdict: Verdict, number: int, unread: list[str]) -> dict[str, Any]:
    assert made.judged is not None
    told: dict[str, Any] = {
        "proposal": number,
        "verdict": made.judged.words,
        "compiles": verdict.ok,
        "changes": made.changed,
    }
    for name, found in (("errors", verdict.errors), ("warnings", verdict.warnings)):
        if found:
            told[name] = entries(found[:_MOST_FINDINGS], made.source)
            told |= {f"{name}_left_out": len(found) - _MOST_FINDINGS} if len(found) > _MOST_FINDINGS else {}
    if unread:
        told["not_checked"] = unread
    if made.goals is not None:
        told |= {"goals_met": not made.goals, **({"goals": list(made.goals)} if made.goals else {})}
    good = verdict.ok and not made.goals
    told["next"] = "the person decides about it; say what it does" if good else "repair it, and propose it again"
    return told
