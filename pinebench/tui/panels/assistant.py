"""Assistant: asks Claude for a script or a change, and shows each round with its proposal while the run goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from pinebench.authoring import events as happened
from pinebench.authoring.events import Event, Finished
from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError
from pinebench.printable import printable
from pinebench.tui import assisting, compiling
from pinebench.tui.assisting import Talk, Wish
from pinebench.tui.buffer import Buffer
from pinebench.tui.hunks import Hunk, edits, hunks, placed
from pinebench.tui.opened import Judged, Opened, counted
from pinebench.tui.panels import Panel
from pinebench.tui.proposed import Proposed

_SAID_ROWS = 3
"""Rows of the current answer that are shown."""
_SHOWN = 6
"""The largest number of lines, and of findings, that are shown for one event."""
_JUDGES = {"local": "our check", "online": "online", "chart": "the chart"}


class Assistant(Panel):
    """The panel that runs the loop about the script in front."""

    ABOUT = """\
Asks Claude to change the script in front, or for a new one where it is blank or none is open. Its script is
compiled, and errors go back to it, until the script compiles. The request, the script and what the compiler says are
sent to Anthropic; the key is `ANTHROPIC_API_KEY`.

* **enter** in the upper line: ask
* **Goals** are what the script must be like when it runs on the bars: `trades>10, alerts>=1, no-repaint`
* **enter** on a round, or **alt+d**: look at what it proposes, change by change, and take what you like. Your text
  changes by that alone, and **ctrl+z** undoes it. You can type meanwhile; what does not fit any more is left out.
* **r** in the list: go on with a run that was interrupted, or that a limit ended
* **alt+q**: stop
"""
    BINDINGS: ClassVar = [
        Binding("r", "go_on", "Go on"),
        Binding("escape", "leave", "Editor", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._talks: dict[str, Talk] = {}
        self._looked: set[str] = set()
        self._opened: Opened | None = None
        self._rows: list[str | None] = []
        """The script that each row of the list proposes."""
        self._shown: object = None

    def compose(self) -> ComposeResult:
        """Yield the lines for the request and its settings, the line for the state, and the rounds."""
        asked = self.bench.remembered.assistant
        with Horizontal(classes="row"):
            yield Label("Ask  ")
            yield Input(
                id="assistant-request", placeholder="how the script should change; sent to Anthropic with the script"
            )
        with Horizontal(classes="row"):
            yield Label("Goals")
            yield Input(asked.get("goals", ""), id="assistant-goals", placeholder="none")
            yield Label("on")
            yield Input(asked.get("bars", "sample:AAPL"), id="assistant-bars")
            yield Label("at most $")
            yield Input(asked.get("dollars", "2"), id="assistant-dollars")
            yield Label("by")
            yield Button(_JUDGES["local"], id="assistant-judge", compact=True)
        yield Label("", id="assistant-count", markup=False)
        yield OptionList(markup=False)
        yield Static(id="assistant-said")

    def on_mount(self) -> None:
        """Show the run, if there is one."""
        self._judge = "local"
        self._show()

    def enter(self) -> None:
        """Give the focus to the request, if the panel has it already."""
        for request in self.query("#assistant-request"):
            request.focus()

    def script_changed(self, opened: Opened | None) -> None:
        """Show the run about another script. An earlier run is read from its journal."""
        self._opened = opened
        if not self.is_mounted:
            return
        key = _key(opened)
        if key not in self._looked:
            self._looked.add(key)
            self.bench.work(self._look_up(key, assisting.name_of(opened)))
        self._show()

    async def _look_up(self, key: str, about: str) -> None:
        found = await asyncio.to_thread(assisting.last, about)
        if found is not None and key not in self._talks:
            self._talks[key] = found
            self._show()

    @property
    def talk(self) -> Talk | None:
        """The run about the script in front."""
        return self._talks.get(_key(self._opened))

    # asking

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask Claude."""
        event.stop()
        self.bench.work(self._start(assisting.ask))

    def action_go_on(self) -> None:
        """Go on with the run that ended early."""
        talk = self.talk
        if talk is None or not talk.can_go_on:
            self.bench.say("there is no run to continue")
            return
        self.bench.work(self._start(assisting.go_on))

    @on(Button.Pressed, "#assistant-judge")
    def _next_judge(self, event: Button.Pressed) -> None:
        event.stop()
        names = list(_JUDGES)
        self._judge = names[(names.index(self._judge) + 1) % len(names)]
        event.button.label = _JUDGES[self._judge]

    @property
    def _wish(self) -> Wish:
        def of(name: str) -> str:
            return self.query_one(f"#assistant-{name}", Input).value

        return Wish(of("request"), of("goals"), of("bars").strip(), of("dollars"), self._judge)

    async def _start(self, begin: Callable[..., Callable[[Context], Iterator[Event]]]) -> None:
        bench, opened, wish = self.bench, self.bench.front, self._wish
        key = _key(opened)
        before = self._talks.get(key)
        if before is not None and before.is_running:
            bench.say("an answer is being written; alt+q stops it", "warning")
            return
        bench.remembered.assistant = {"goals": wish.goals, "bars": wish.bars, "dollars": wish.dollars}
        who = before.started.compiler if begin is assisting.go_on and before and before.started else wish.compiler
        if who == "online" and not await compiling.may_send(bench):
            return
        loop = asyncio.get_running_loop()
        earlier = before if begin is assisting.go_on else None
        # A run is kept under the name that its script had when the run began, even if it is saved under another name.
        talk = Talk(about=earlier.about if earlier is not None else assisting.name_of(opened))

        def heard(said: str) -> None:
            loop.call_soon_threadsafe(self._hear, talk, said)

        work = begin(bench, wish, opened, talk.about, heard)
        if earlier is not None:
            talk.events, talk.taken = earlier.events, earlier.taken
            del talk.events[len(talk.events) - (talk.ending is not None) :]
        self._looked.add(key)
        self._talks[key] = talk
        talk.is_running = True

        def run(context: Context) -> None:
            for event in work(context):
                loop.call_soon_threadsafe(self._happened, talk, event)

        self._show()
        self.query_one(OptionList).focus()
        try:
            await bench.lengthy("asking Claude", run)
        except CancelledError:
            talk.trouble = "stopped"
        except PinebenchError as error:
            talk.trouble = assisting.advice(error)
        except Exception as error:
            talk.trouble = f"that failed: {type(error).__name__}: {error}"
        finally:
            talk.is_running, talk.said = False, ""
            self._end(talk)

    def _hear(self, talk: Talk, said: str) -> None:
        talk.said = said
        if talk is self.talk:
            self._show_said(talk)

    def _happened(self, talk: Talk, event: Event) -> None:
        talk.said = ""
        if not (isinstance(event, happened.Started) and talk.events):
            talk.events.append(event)
        self._show()

    def _end(self, talk: Talk) -> None:
        if not self.is_mounted:
            return
        self._show()
        ending = talk.ending
        if ending is not None and ending.success:
            self.bench.say(f"the assistant: {ending.message}; alt+d shows what it proposes", "good")
        elif ending is not None or talk.trouble:
            words = talk.trouble or (ending.message if ending else "")
            more = "; alt+d shows the result so far" if talk.proposal is not None else ""
            self.bench.say(f"the assistant: {words}{more}", "warning" if talk.trouble == "stopped" else "error")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to go on only if there is a run to go on with."""
        if action == "go_on":
            return self.talk is not None and self.talk.can_go_on and len(self.app.screen_stack) == 1
        return super().check_action(action, parameters)

    # what is proposed

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Show the proposal of the row."""
        event.stop()
        source = self._rows[event.option_index] if event.option_index < len(self._rows) else None
        if source is not None and self.talk is not None:
            self.bench.work(self._look(self.talk, source))

    async def look(self) -> None:
        """Show the last proposal."""
        talk = self.talk
        if talk is None or talk.proposal is None:
            self.bench.say("the assistant proposes nothing yet")
            return
        await self._look(talk, talk.proposal)

    async def _look(self, talk: Talk, source: str) -> None:
        opened = self._opened
        text = opened.editor.text if opened is not None else ""
        changes = await asyncio.to_thread(hunks, talk.before, source)
        if not changes:
            self.bench.say("it changes nothing")
            return
        places = await asyncio.to_thread(placed, changes, talk.before, text)
        judged = talk.verdict(source)
        title = f"Proposed ({_verdict(judged)})" if judged is not None else "Proposed, not compiled"
        answer = await self.bench.push_screen_wait(Proposed(title, talk.before, changes, places))
        if answer == "tab":
            await self.bench.add(Buffer(name=self.bench.untitled()), source)
            talk.taken[source] = "opened in a tab"
        elif answer == "reject":
            talk.taken[source] = "rejected"
        elif isinstance(answer, frozenset) and answer:
            await self._take(talk, source, opened, [changes[number] for number in sorted(answer)])
        self._show()

    async def _take(self, talk: Talk, source: str, opened: Opened | None, changes: list[Hunk]) -> None:
        """Apply the accepted changes in one step that can be undone. Leave out changes that do not fit any more, and
        say so."""
        if opened is None:
            await self.bench.add(Buffer(name=self.bench.untitled()), source)
            talk.taken[source] = "accepted"
            return
        if opened not in self.bench.opened:
            self.bench.say("its tab is closed; enter on the round offers it once more", "warning")
            return
        editor = opened.editor
        # Find the places again: the text may have been loaded from disk since they were shown.
        fitting = [each.hunk for each in placed(changes, talk.before, editor.text) if each.hunk is not None]
        editor.apply(edits(editor.source, fitting))
        left = len(changes) - len(fitting)
        talk.taken[source] = f"accepted {len(fitting)} of {counted(len(changes), 'change')}"
        judged = talk.verdict(source)
        if judged is not None and editor.text == source and judged.verdict.origin != "local":
            opened.judged = Judged.of(judged.verdict, source)
        if left:
            self.bench.say(f"{counted(left, 'change')} did not fit the text as it is now and was left out", "warning")
        else:
            self.bench.say(f"{counted(len(fitting), 'change')} accepted; ctrl+z undoes that", "good")
        self.bench.bring(opened)

    # the shown content

    def _show(self) -> None:
        if not self.is_mounted:
            return
        talk = self.talk
        self._show_said(talk)
        self.query_one("#assistant-count", Label).update(self._count(talk))
        state = (
            (talk, len(talk.events), talk.is_running, talk.trouble, dict(talk.taken), self.app.theme)
            if talk is not None
            else None
        )
        if state == self._shown:
            return
        self._shown = state
        self.refresh_bindings()
        options = self.query_one(OptionList)
        options.clear_options()
        self._rows = []
        for event in talk.events if talk is not None else ():
            source = assisting.source_of(event)
            for text in self._words(event, talk.taken.get(source or "", "") if talk else ""):
                self._rows.append(source)
                options.add_option(Option(text))
        if talk is not None and talk.trouble and talk.ending is None:
            self._rows.append(talk.proposal)
            options.add_option(Option(self._row("✖" if talk.trouble != "stopped" else "›", talk.trouble, "warning")))
        options.highlighted = len(self._rows) - 1 if self._rows else None

    def _show_said(self, talk: Talk | None) -> None:
        said = self.query_one("#assistant-said", Static)
        lines = talk.said.splitlines()[-_SAID_ROWS:] if talk is not None else []
        said.display = bool(lines)
        said.update(Text("\n".join(printable(line, keep="\t") for line in lines), no_wrap=True))

    def _count(self, talk: Talk | None) -> str:
        if talk is None:
            return "enter asks; nothing in your text changes before you accept it"
        started = talk.started
        who = started.model or started.author if started is not None else "Claude"
        spent = f"{counted(talk.rounds, 'round')}, about ${talk.usage.dollars:.3f}"
        most = f" of ${started.budget.dollars:g}" if started is not None else ""
        if talk.is_running:
            return f"{who} is asked; {spent}{most}; alt+q stops it"
        when = time.strftime(" on %Y-%m-%d %H:%M", time.localtime(talk.began)) if talk.began else ""
        if talk.can_go_on:
            interrupted = "was interrupted" if talk.ending is None and not talk.trouble else "ended"
            return f"{who} {interrupted}{when}; {spent}{most}; r continues it"
        return f"{who}{when}: {spent}{most}"

    def _words(self, event: Event, taken: str) -> list[Text]:
        """The rows of an event."""
        match event:
            case happened.Started():
                asked = f", asked for {', '.join(event.goals)} on {event.data}" if event.goals else ""
                template = f" (from the template {event.task.template})" if event.task.template else ""
                return [self._row("›", f"{event.task.request}{template}{asked}", "foreground")]
            case happened.Drafted() | happened.Revised():
                return [
                    self._row(
                        "●",
                        f"round {event.round}: {self._changed(event.source)}",
                        "primary",
                        " ".join(part for part in (f"${event.usage.dollars:.3f}", taken) if part),
                    ),
                    *self._lines(event.words),
                ]
            case happened.Migrated():
                told = f"was Pine v{event.version}, converted to v6: {', '.join(event.changes)}"
                return [self._row(" ", told, "primary", taken)]
            case happened.Mended():
                return [self._row(" ", f"mended without asking: {', '.join(event.changes)}", "primary", taken)]
            case happened.Exchanged():
                return [self._row("●", f"round {event.round}: asked again: {event.reason}", "bench-muted")]
            case happened.Unanswered():
                words = event.reason if event.words else f"no script: {event.reason}"
                said = self._lines(event.words, whole=event.answers)
                return [self._row("●", f"round {event.round}: {words}", "warning"), *said]
            case happened.Compiled():
                return self._judgement(event)
            case happened.Tried():
                first = [words.split("\n")[0] for words in event.words[:_SHOWN]]
                told = "all goals are met on the bars" if event.met else "; ".join(first)
                return [self._row("✔" if event.met else "✖", told, "success" if event.met else "error")]
            case happened.ApproachChanged():
                return [self._row(" ", "the same errors came back: another approach is tried", "warning")]
            case happened.Finished():
                return self._ending(event, taken)

    def _ending(self, event: Finished, taken: str) -> list[Text]:
        if event.success:
            look = taken or "enter shows what it proposes"
            return [self._row("✔", event.message, "success", look)]
        left = f"; the best script has {counted(event.errors, 'error')}" if event.source and event.origin else ""
        look = taken or ("enter shows it" if event.source else "")
        return [self._row("✖", f"{event.message}{left}", "error", look)]

    def _judgement(self, event: happened.Compiled) -> list[Text]:
        ok = event.verdict.ok
        rows = [self._row("✔" if ok else "✖", _verdict(event), "success" if ok else "error")]
        errors = event.verdict.errors
        rows += [self._row(" ", f"{each.code} {each.message}", "bench-muted") for each in errors[:_SHOWN]]
        left = len(errors) - _SHOWN
        return [*rows, *([self._row(" ", f"and {left} more", "bench-muted")] if left > 0 else [])]

    def _changed(self, source: str) -> str:
        talk = self.talk
        before = talk.before if talk is not None else ""
        if not before:
            return f"wrote {counted(len(source.splitlines()), 'line')}"
        changes = hunks(before, source)
        come, gone = sum(len(each.lines) for each in changes), sum(each.end - each.start for each in changes)
        return f"{counted(len(changes), 'change')}: +{come} −{gone} lines"

    def _lines(self, words: str, *, whole: bool = False) -> list[Text]:
        """Rows for the lines of `words`. Unless `whole`, only the first lines, and then the number of the others."""
        lines = [line for line in words.splitlines() if line.strip()]
        shown = lines if whole else lines[:_SHOWN]
        more = [f"and {counted(len(lines) - len(shown), 'more line')}"] if len(lines) > len(shown) else []
        return [self._row(" ", line, "bench-muted") for line in (*shown, *more)]

    def _row(self, sign: str, words: str, color: str, more: str = "") -> Text:
        colors = self.app.theme_variables
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(f" {sign:<2}", style=colors[color])
        text.append(printable(words), style="" if color not in ("bench-muted",) else colors[color])
        if more:
            text.append(f"  {more}", style=colors["bench-muted"])
        return text

    def action_leave(self) -> None:
        """Back to the editor."""
        if self.bench.editor is not None:
            self.bench.editor.focus()


def _key(opened: Opened | None) -> str:
    """The key under which the panel keeps the run about a script; empty if there is no script."""
    return opened.key if opened is not None else ""


def _verdict(event: happened.Compiled) -> str:
    return Judged.of(event.verdict, "").words
