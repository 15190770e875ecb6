"""Assistant: a conversation with Claude, which uses the tools, sees the active script, and proposes changes to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from pinebench.amounts import counted
from pinebench.errors import UsageError
from pinebench.printable import printable
from pinebench.tui import answers, compile_commands, dialogs, results
from pinebench.tui.buffer import Buffer
from pinebench.tui.dialogs import Ask, DialogChoice
from pinebench.tui.diff_hunks import Hunk, edits, hunks, placed
from pinebench.tui.inputs import LineField
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.proposal_dialog import ProposalDialog
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.agent.chat import Conversation
    from pinebench.agent.chat_history import MessageHistory
    from pinebench.agent.consent import ConsentRequest
    from pinebench.agent.conversation_store import StoredConversation
    from pinebench.agent.events import Event
    from pinebench.agent.timeline import Timeline, TimelineEntry
    from pinebench.tui.assistant_tools import ProposalDesk, ScriptProposal, Wish

_SAID_ROWS = 3
"""The largest number of rows that are shown of an arriving answer."""
_MOST_SHOWN = 400
"""The largest number of entries that are shown."""
_MOST_ERRORS = 6
"""The largest number of errors that are shown for a proposal."""
_JUDGES = {"local": "our check", "online": "online", "chart": "the chart"}
_OWN = {"/resume": "resume the last conversation in this folder"}
_MARKS = {"running": ("…", "warning"), "done": ("✔", "success"), "failed": ("✖", "error")}


class AssistantPanel(WorkbenchPanel):
    """The panel with the conversation between a person and Claude."""

    ABOUT = """\
A conversation with Claude, which uses every tool of pinebench, sees the script in front, and proposes changes of it.
What you say, the script in front and the results of the tools are sent to Anthropic; the key is `ANTHROPIC_API_KEY`.

* **enter** in the upper line: say it; **/help** lists commands such as `/models` and `/screenshot`
* **enter** on a call: show its result, or hide it again; on a proposal: look at it
* **alt+d**: look at the last proposal, change by change, and take what you like. Only this changes your text, and
  **ctrl+z** undoes it. You can type meanwhile; what does not fit any more is left out.
* **Goals** must be met when a proposal runs on the bars: `trades>10, alerts>=1, no-repaint`
* **r** in the list, or `/resume`: resume the last conversation in this folder
* **escape** (or **alt+q**): stop the answer
"""
    BINDINGS: ClassVar = [Binding("r", "resume", "Go on"), Binding("escape", "leave", "Editor", show=False)]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._opened: ScriptTab | None = None
        self._conversation: Conversation | None = None
        self._timeline: Timeline | None = None
        self._desk: ProposalDesk | None = None
        self._kept: StoredConversation | None = None
        self._wide: set[TimelineEntry] = set()
        """The calls whose results are shown."""
        self._acts: list[Callable[[], None] | None] = []
        """The function that enter calls, for each row of the list."""
        self._begun = False
        """Whether an answer is being written, or about to be."""
        self._earlier = ""
        """The time at which the last conversation in this folder was kept, in words; empty if there is none."""
        self._width = 0
        self._rendered: dict[TimelineEntry, tuple[object, list[Text]]] = {}
        """The lines of each answer, with the text and the width for which they were made."""

    def compose(self) -> ComposeResult:
        """Yield the input field, the settings, the line for the state, and the conversation."""
        asked = self.bench.remembered.assistant
        with Horizontal(classes="row"):
            yield Label("Ask  ")
            yield LineField(
                id="assistant-request", placeholder="about the script or the chart; sent to Anthropic with the script"
            )
        with Horizontal(classes="row"):
            yield Label("Goals")
            yield LineField(asked.get("goals", ""), id="assistant-goals", placeholder="none")
            yield Label("on")
            yield LineField(asked.get("bars", "sample:AAPL"), id="assistant-bars")
            yield Label("at most $")
            yield LineField(asked.get("dollars", "2"), id="assistant-dollars")
            yield Label("by")
            yield Button(_JUDGES["local"], id="assistant-judge", compact=True)
        yield Label("", id="assistant-count", markup=False)
        yield OptionList(markup=False)
        yield Static(id="assistant-said")

    def on_mount(self) -> None:
        """Check whether there is a conversation to resume."""
        self._judge = "local"
        self._show()
        self.bench.work(self._look_up())

    async def _look_up(self) -> None:
        from pinebench.agent import conversation_store

        self._earlier = await asyncio.to_thread(conversation_store.last_kept, os.getcwd())
        self._show()

    def on_unmount(self) -> None:
        """Release the conversation, so that another process can resume it."""
        if self._kept is not None:
            self._kept.close()

    def enter(self) -> None:
        """Give the focus to the input field, if the panel has the focus already."""
        for request in self.query("#assistant-request"):
            request.focus()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Remember the active script."""
        self._opened = opened

    def colors_changed(self) -> None:
        """Show the conversation in the colours of the new theme."""
        self._show()

    def on_resize(self, _: events.Resize) -> None:
        """Wrap the lines of answers again."""
        if self.is_mounted and self.size.width != self._width:
            self._show()

    # talking

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send the text to Claude, or perform the command that it contains."""
        event.stop()
        words = self.query_one("#assistant-request", Input).value.strip()
        self.bench.work(self._command(words) if words.startswith("/") else self._say(words))

    @on(Button.Pressed, "#assistant-judge")
    def _next_judge(self, event: Button.Pressed) -> None:
        event.stop()
        names = list(_JUDGES)
        self._judge = names[(names.index(self._judge) + 1) % len(names)]
        event.button.label = _JUDGES[self._judge]

    @property
    def _wish(self) -> Wish:
        from pinebench.tui.assistant_tools import Wish

        def of(name: str) -> str:
            return self.query_one(f"#assistant-{name}", Input).value

        return Wish(of("goals"), of("bars").strip(), of("dollars"), self._judge)

    async def _say(self, words: str) -> None:
        if not words:
            raise UsageError("the message is empty", "write what you want to know, or how the script should change")
        with self._one_at_a_time():
            bench, wish, opened = self.bench, self._wish, self.bench.front
            most = wish.most
            bench.remembered.assistant = {"goals": wish.goals, "bars": wish.bars, "dollars": wish.dollars}
            if wish.compiler == "online" and not await compile_commands.may_send(bench):
                return
            it = await self._ready()
            assert self._timeline is not None and self._desk is not None
            it.settings = replace(it.settings, dollars=most)
            data = self._desk.begin(opened, wish)
            self._timeline.say(words)
            self.query_one("#assistant-request", Input).value = ""
            self._show()
            self.query_one(OptionList).focus()
            before = len(self._desk.proposals)
            with bench.doing("Claude is writing", it.stop):
                async with aclosing(it.say(words, data)) as told:
                    async for event in told:
                        self._happened(event)
            self._end(before)

    @contextlib.contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        if self._begun:
            raise UsageError("an answer is being written", "escape stops it")
        self._begun = True
        try:
            yield
        finally:
            self._begun = False
            self._show()

    async def _ready(self) -> Conversation:
        """The conversation; a new one if there is none yet. Raises AuthorUnavailable without a key."""
        if self._conversation is None:
            from pinebench.agent import conversation_store
            from pinebench.agent.timeline import Timeline

            it = await self._made(None)
            self._kept = await asyncio.to_thread(conversation_store.begin, os.getcwd())
            self._conversation, self._timeline = it, Timeline()
        return self._conversation

    async def _made(self, model: str | None) -> Conversation:
        from pinebench import skills
        from pinebench.agent.conversation_setup import begin
        from pinebench.tui import assistant_tools

        if self._desk is None:
            self._desk = assistant_tools.ProposalDesk(self.bench)
            for remark in (await asyncio.to_thread(skills.known)).remarks:
                self.bench.say(remark)
        tools, browser = self._desk.tools(), self.bench.chart_browser
        # It loads the library of the service, which takes a second.
        return await asyncio.to_thread(
            lambda: begin(
                browser, model, approve=self._approve, own=tools, about=assistant_tools.ABOUT, kept=self._keep
            )
        )

    def _keep(self, history: MessageHistory) -> None:
        it = self._conversation
        if self._kept is not None and it is not None:
            self._kept.save(history, it.service.model, it.spent)

    async def _approve(self, asked: ConsentRequest) -> bool:
        """Ask the person whether a call may be performed. A question that is not answered yet is asked again."""
        from pinebench.agent.call_words import reason, wanted

        # No letter allows anything: it may be meant for the script.
        choices = [DialogChoice("refuse", "Refuse", "r"), DialogChoice("allow", "Allow")]
        while True:
            while len(self.bench.screen_stack) > 1:  # another question comes first
                await asyncio.sleep(0.1)
            question = Ask(f"Call {asked.name}?", f"{wanted(asked)}\n{reason(asked)}", choices, unasked=True)
            answer = await self.bench.push_screen_wait(question)
            if answer != "typed":
                return answer == "allow"
            await asyncio.sleep(dialogs.SEEN_AFTER)

    def _happened(self, event: Event) -> None:
        from pinebench.agent.events import Text as Piece

        assert self._timeline is not None
        self._timeline.take(event)
        if isinstance(event, Piece):
            self._show_said()
        else:
            self._show()

    def _end(self, before: int) -> None:
        """Say how the turn ended, in the line below the editor."""
        if not self.is_mounted or self._timeline is None or self._desk is None:
            return
        proposal = self._desk.proposals[-1] if len(self._desk.proposals) > before else None
        last = self._timeline.entries[-1]
        if last.kind in ("error", "note"):
            more = "; alt+d shows the proposal so far" if proposal is not None else ""
            self.bench.say(f"the assistant: {last.text}{more}", "error" if last.kind == "error" else "warning")
        elif proposal is not None and proposal.judged is not None:
            good = proposal.judged.ok and not proposal.goals
            self.bench.say(
                f"the assistant: {proposal.judged.words}; alt+d shows what it proposes", "good" if good else "warning"
            )

    def action_leave(self) -> None:
        """Stop the answer that is being written; if there is none, go to the editor."""
        if self._conversation is not None and self._conversation.is_answering:
            self._conversation.stop()
        elif self.bench.editor is not None:
            self.bench.editor.focus()

    # commands

    async def _command(self, line: str) -> None:
        self.query_one("#assistant-request", Input).value = ""
        if line == "/resume":
            await self._resume()
            return
        from pinebench.agent.commands import perform

        with self._one_at_a_time():
            it = await self._ready()
            said = await self.bench.lengthy("running a command", lambda _: perform(line, it, _OWN))
            assert self._timeline is not None and self._desk is not None
            if line == "/clear":
                self._timeline.entries.clear()
                self._rendered.clear()
                self._desk.forget()
            if said.report:
                self._timeline.note(f"{line}\n{said.report.rstrip()}")
            if said.note:
                self.bench.say(f"{said.note}{f' ({said.hint})' if said.hint else ''}")
        if said.images:
            from pinebench.tui import screenshots

            await screenshots.show(self.bench, said.images[0].data, line)

    def action_resume(self) -> None:
        """Resume the last conversation in this folder."""
        self.bench.work(self._resume())

    async def _resume(self) -> None:
        from pinebench.agent import conversation_store
        from pinebench.agent.timeline import Timeline

        with self._one_at_a_time():
            if self._conversation is not None and self._conversation.history:
                raise UsageError("a conversation is already open", "/clear ends it")
            kept = await asyncio.to_thread(conversation_store.newest, os.getcwd())
            assert kept.content is not None
            try:
                it = await self._made(kept.content.model)
            except BaseException:
                kept.close()
                raise
            if self._kept is not None:
                self._kept.close()
            self._kept, self._conversation = kept, it
            it.history, it.spent = kept.content.history, kept.content.spent
            self._timeline = Timeline.of(it.history)
            assert self._desk is not None
            self._desk.recall(it.history)
            for each in kept.skipped:
                self._timeline.note(each)
            self.bench.say("the conversation is resumed; write your next message")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to resume only while no conversation is open."""
        if action == "resume":
            return bool(self._earlier) and self._conversation is None and len(self.app.screen_stack) == 1
        return super().check_action(action, parameters)

    # proposals

    async def look(self) -> None:
        """Show the last proposal."""
        proposal = self._desk.last(self._opened) if self._desk is not None else None
        if proposal is None:
            self.bench.say("the assistant has made no proposal yet")
            return
        await self._look(proposal)

    async def _look(self, proposal: ScriptProposal) -> None:
        opened = proposal.opened if proposal.opened is not None else self._blank
        text = opened.editor.text if opened is not None else ""
        changes = await asyncio.to_thread(hunks, proposal.before, proposal.source)
        if not changes:
            self.bench.say("the proposal changes nothing")
            return
        places = await asyncio.to_thread(placed, changes, proposal.before, text)
        title = f"Proposed ({proposal.judged.words})" if proposal.judged is not None else "Proposed, not compiled"
        answer = await self.bench.push_screen_wait(ProposalDialog(title, proposal.before, changes, places))
        if answer == "tab":
            await self.bench.add(Buffer(name=self.bench.untitled()), proposal.source)
            proposal.taken = "opened in a tab"
        elif answer == "reject":
            proposal.taken = "rejected"
        elif isinstance(answer, frozenset) and answer:
            await self._take(proposal, opened, [changes[number] for number in sorted(answer)])
        self._show()

    @property
    def _blank(self) -> ScriptTab | None:
        """The script in front if it is blank, so that a new script can come into it."""
        front = self.bench.front
        return front if front is not None and not front.editor.text.strip() else None

    async def _take(self, proposal: ScriptProposal, opened: ScriptTab | None, changes: list[Hunk]) -> None:
        """Apply the accepted changes in one step that can be undone. Leave out changes that do not fit any more, and
        say so."""
        if opened is None:
            await self.bench.add(Buffer(name=self.bench.untitled()), proposal.source)
            proposal.taken = "accepted"
            return
        if opened not in self.bench.opened:
            self.bench.say("its tab is closed; press enter on the proposal to see it again", "warning")
            return
        editor = opened.editor
        # Find the places again: the text may have been loaded from disk since they were shown.
        fitting = [each.hunk for each in placed(changes, proposal.before, editor.text) if each.hunk is not None]
        editor.apply(edits(editor.source, fitting))
        left = len(changes) - len(fitting)
        proposal.taken = f"accepted {len(fitting)} of {counted(len(changes), 'change')}"
        if proposal.judged is not None and editor.text == proposal.source and proposal.judged.origin != "local":
            opened.judged = proposal.judged
        if left:
            self.bench.say(f"{counted(left, 'change')} did not fit the present text and was left out", "warning")
        else:
            self.bench.say(f"{counted(len(fitting), 'change')} accepted; ctrl+z undoes that", "good")
        self.bench.bring(opened)

    # the shown content

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Act on the row as if enter was pressed."""
        event.stop()
        act = self._acts[event.option_index] if event.option_index < len(self._acts) else None
        if act is not None:
            act()

    def _show(self, at: int | None = None) -> None:
        """Show the conversation, with the row `at` highlighted; without it the last row."""
        if not self.is_mounted:
            return
        self._show_said()
        self.query_one("#assistant-count", Label).update(self._count())
        self.refresh_bindings()
        self._width = self.size.width
        options = self.query_one(OptionList)
        entries = self._timeline.entries[-_MOST_SHOWN:] if self._timeline is not None else []
        if self._is_arriving:
            entries = entries[:-1]
        self._acts = []
        rows: list[Option] = []
        left = len(self._timeline.entries) - _MOST_SHOWN if self._timeline is not None else 0
        if left > 0:
            rows.append(Option(self._row("…", f"{left} earlier entries are not shown", "bench-muted")))
            self._acts.append(None)
        for entry in entries:
            for text, act in self._rows(entry):
                rows.append(Option(text))
                self._acts.append(act)
        options.clear_options()
        options.add_options(rows)
        if rows:
            options.highlighted = min(at, len(rows) - 1) if at is not None else len(rows) - 1

    @property
    def _is_arriving(self) -> bool:
        """Whether the last entry is an answer that is not complete yet."""
        entries = self._timeline.entries if self._timeline is not None else []
        return self._begun and bool(entries) and entries[-1].kind == "answer"

    def _show_said(self) -> None:
        """Show the end of the answer that is arriving."""
        if not self.is_mounted:
            return
        said = self.query_one("#assistant-said", Static)
        lines: list[str] = []
        if self._is_arriving and self._timeline is not None:
            lines = self._timeline.entries[-1].text.rstrip().splitlines()[-_SAID_ROWS:]
        said.display = bool(lines)
        said.update(Text("\n".join(printable(line, keep="\t") for line in lines), no_wrap=True))

    def _count(self) -> str:
        it = self._conversation
        if it is None:
            more = f"; r resumes the conversation of {self._earlier}" if self._earlier else ""
            return f"nothing in your text changes before you accept it{more}"
        spent = f"{it.service.model}: about ${it.spent.dollars:.3f}"
        most = f" of ${it.settings.dollars:g}" if it.settings.dollars is not None else ""
        return f"{spent}{most}{'; escape stops it' if self._begun else ''}"

    def _rows(self, entry: TimelineEntry) -> list[tuple[Text, Callable[[], None] | None]]:
        """The rows of an entry, and what enter does on them."""
        match entry.kind:
            case "user":
                return [(self._row("›", line, "foreground"), None) for line in _lines(entry.text)]
            case "answer":
                return [(Text("   ").append_text(line), None) for line in self._answer(entry)]
            case "note" | "error":
                color = "error" if entry.kind == "error" else "bench-muted"
                first, *rest = _lines(entry.text) or [""]
                sign = "✖" if entry.kind == "error" else " "
                return [(self._row(sign, first, color), None), *((self._row(" ", each, color), None) for each in rest)]
            case "call":
                return self._call(entry)

    def _answer(self, entry: TimelineEntry) -> list[Text]:
        width = max(20, self._width - 4)
        made_for = (entry.text, width, self.app.theme)
        if entry not in self._rendered or self._rendered[entry][0] != made_for:
            self._rendered[entry] = made_for, answers.rendered(entry.text, width, self.app.console)
        return self._rendered[entry][1]

    def _call(self, entry: TimelineEntry) -> list[tuple[Text, Callable[[], None] | None]]:
        from pinebench.agent.call_words import shown_call
        from pinebench.agent.events import ToolUse

        sign, color = _MARKS[entry.state or "running"]
        result = entry.result or {}
        proposal = self._desk.by_call(result) if self._desk is not None else None
        if proposal is not None:
            return self._proposal(proposal, result)
        told = str(result.get("error", "")) if entry.state == "failed" else ""
        head = self._row(sign, shown_call(ToolUse(entry.id, entry.name, entry.input)), color, told)
        rows: list[tuple[Text, Callable[[], None] | None]] = [(head, lambda: self._toggle(entry))]
        if entry not in self._wide or entry.result is None:
            return rows
        colors = self.app.theme_variables
        look = results.ResultStyle(colors["primary"], colors["bench-muted"], colors["success"], colors["error"])
        words = results.words(result, max(20, self._width - 6), look)
        rows += [(Text("     ").append_text(line), None) for line in words.split("\n")]
        if entry.images:
            rows.append((self._row(" ", "  enter shows the picture", "primary"), lambda: self._picture(entry)))
        return rows

    def _toggle(self, entry: TimelineEntry) -> None:
        self._wide ^= {entry}
        self._show(self.query_one(OptionList).highlighted)

    def _picture(self, entry: TimelineEntry) -> None:
        from pinebench.tui import screenshots

        about = str((entry.result or {}).get("file_path", ""))
        self.bench.work(screenshots.show(self.bench, entry.images[0].data, about), group="picture")

    def _proposal(
        self, proposal: ScriptProposal, result: dict[str, Any]
    ) -> list[tuple[Text, Callable[[], None] | None]]:
        def act() -> None:
            self.bench.work(self._look(proposal))

        ok = bool(result.get("compiles"))
        look = proposal.taken or "enter shows it"
        rows = [
            self._row("●", str(result.get("changes", "")), "primary", look),
            self._row("✔" if ok else "✖", str(result.get("verdict", "")), "success" if ok else "error"),
        ]
        errors = result.get("errors") or []
        for each in errors[:_MOST_ERRORS]:
            rows.append(self._row(" ", f"{each.get('code', '')} {each.get('message', '')}".strip(), "bench-muted"))
        if len(errors) > _MOST_ERRORS:
            rows.append(self._row(" ", f"and {len(errors) - _MOST_ERRORS} more", "bench-muted"))
        if result.get("not_checked"):
            from pinebench.linter.report.text import not_checked

            rows.append(self._row("?", not_checked([str(each) for each in result["not_checked"]]), "warning"))
        if "goals_met" in result:
            told = "; ".join(str(each).split("\n")[0] for each in result.get("goals") or [])
            met = bool(result["goals_met"])
            words = "all goals are met on the bars" if met else told
            rows.append(self._row("✔" if met else "✖", words, "success" if met else "error"))
        return [(row, act) for row in rows]

    def _row(self, sign: str, words: str, color: str, more: str = "") -> Text:
        colors = self.app.theme_variables
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {sign:<2}", style=colors[color])
        text.append(printable(words), style="" if color not in ("bench-muted",) else colors[color])
        if more:
            text.append(f"  {printable(more)}", style=colors["bench-muted"])
        return text


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]
