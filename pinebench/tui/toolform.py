"""The form of one tool: fields for its arguments, the call in the background, and its result."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Static

from pinebench.context import CancelledError, Context
from pinebench.printable import printable
from pinebench.tui import forms, results
from pinebench.tui.dialogs import Ask, Dialog, DialogChoice, TextDialog
from pinebench.tui.fields import ArgumentField
from pinebench.tui.forms import Form

if TYPE_CHECKING:
    from pinebench.tools.tool_calls import ToolOutcome
    from pinebench.tui.app import Workbench

_HINT = "^R run   PgUp PgDn scroll   F6 as JSON   alt+y copy   F1 help   escape back"


_LOW = 30
"""The number of rows below which the result takes room from the fields, so that it is seen."""


class ToolForm(Dialog):
    """The form of one tool. A person can leave it while the call runs; the values and the result stay."""

    BINDINGS: ClassVar = [
        Binding("ctrl+r", "run", show=False),
        Binding("alt+q", "stop", show=False),
        Binding("f6", "as_json", show=False),
        Binding("alt+y", "copy", show=False),
        Binding("f7", "picture", show=False),
        Binding("f1", "help", show=False),
        Binding("pageup", "by(-8)", show=False),
        Binding("pagedown", "by(8)", show=False),
    ]

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form
        self._is_json = False

    @property
    def bench(self) -> Workbench:
        """The workbench."""
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        """Yield the tool's description, its fields and its result."""
        tool = self.form.tool
        with Vertical(classes="box full"):
            yield Static(self._head(), id="tool-head")
            yield Static(Text(printable(tool.summary)), id="tool-summary")
            with VerticalScroll(id="tool-fields", can_focus=False):
                for name in tool.arguments:
                    yield ArgumentField(self.form, name)
            with Horizontal(id="tool-buttons"):
                yield Button("Run", id="tool-run", compact=True)
                yield Button("Stop", id="tool-stop", compact=True)
                yield Static(id="tool-about")
            with VerticalScroll(id="tool-result"):
                yield Static(id="tool-said")
            yield Static(_HINT, classes="hint")

    def on_mount(self) -> None:
        """Give the focus to the first required field, otherwise to the first field."""
        self.show()
        fields = list(self.query(ArgumentField))
        if fields:
            (next((each for each in fields if each.argument in self.form.tool.required), fields[0])).focus_value()
        else:
            self.query_one("#tool-run").focus()

    def on_resize(self, _: events.Resize) -> None:
        """Lay out the result for the new width."""
        self.show()

    def _head(self) -> Text:
        colors = self.app.theme_variables
        kinds = {"quiet": "bench-muted", "error": "error", "warning": "warning", "good": "success"}
        text = Text(self.form.tool.name, style="bold", overflow="ellipsis", no_wrap=True)
        for words, kind in forms.notes(self.form.tool):
            text.append("  ·  ", style=f"not bold {colors['bench-muted']}")
            text.append(words, style=f"not bold {colors[kinds[kind]]}")
        return text

    def show(self) -> None:
        """Show the state of the call, and the errors in the values."""
        form = self.form
        self.set_class(self.size.height < _LOW and (form.is_running or form.outcome is not None), "-result-first")
        for field in self.query(ArgumentField):
            field.show_wrong()
        self.query_one("#tool-stop", Button).disabled = not form.is_running
        self.query_one("#tool-run", Button).disabled = form.is_running
        self.query_one("#tool-said", Static).update(self._said())
        self._tell_about()

    def _said(self) -> Text:
        form, colors = self.form, self.app.theme_variables
        quiet = colors["bench-muted"]
        look = results.ResultStyle(colors["primary"], quiet, colors["success"], colors["error"])
        if form.is_running:
            return Text(f"running with {form.called or 'no arguments'}… (alt+q stops it)", style=colors["warning"])
        if form.outcome is None:
            return Text("the result of the call appears here", style=quiet)
        outcome = form.outcome
        if self._is_json:
            return results.as_json(outcome.result)
        is_good = outcome.error is None
        head = "✔ done" if is_good else "✖ stopped" if isinstance(outcome.error, CancelledError) else "✖ failed"
        text = Text(head, style=look.good if is_good else look.bad)
        called = f"  {form.called}" if form.called else ""
        text.append(f"{called}  {form.seconds:.2f} s\n", style=quiet)
        width = max(20, self.query_one("#tool-result").size.width - 2)
        if outcome.images:
            text.append("F7 shows the picture\n", style=colors["primary"])
        if is_good:
            return text.append_text(results.words(outcome.result, width, look))
        text.append(printable(str(outcome.result.get("error", ""))) + "\n", style=look.bad)
        if outcome.result.get("hint"):
            text.append(printable(str(outcome.result["hint"])) + "\n")
        more = {key: each for key, each in outcome.result.items() if key not in ("error", "hint", "success")}
        return text.append_text(results.words(more, width, look)) if more else text

    def _tell_about(self) -> None:
        """Show the whole hint about the field that has the focus."""
        focused = self.focused
        while focused is not None and not isinstance(focused, ArgumentField):
            parent = focused.parent
            focused = parent if hasattr(parent, "parent") else None  # type: ignore[assignment]
        said = focused.hint if isinstance(focused, ArgumentField) else ""
        self.query_one("#tool-about", Static).update(Text(printable(said)))

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the hint about the field that has the focus now."""
        self._tell_about()

    @on(ArgumentField.Submitted)
    def _field_submitted(self, event: ArgumentField.Submitted) -> None:
        event.stop()
        self.action_run()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Call the tool, or stop the call."""
        event.stop()
        if event.button.id == "tool-run":
            self.action_run()
        else:
            self.action_stop()

    def action_run(self) -> None:
        """Call the tool with the values of the fields. If a value is wrong, show the error at its field instead."""
        if self.form.is_running:
            return
        bench = self.bench
        given = self.form.read(lambda: bench.front.editor.text if bench.front is not None else None)
        self.show()
        if given is None:
            self._to_wrong()
            return
        bench.work(call(bench, self.form, given), group="tool")

    def _to_wrong(self) -> None:
        for field in self.query(ArgumentField):
            if field.argument in self.form.wrong:
                field.focus_value()
                return

    def action_stop(self) -> None:
        """Stop the call."""
        if self.form.is_running:
            self.bench.stop()

    def action_as_json(self) -> None:
        """Show the result as JSON, or back as a table."""
        self._is_json = not self._is_json
        self.show()

    def action_copy(self) -> None:
        """Copy the result as JSON."""
        if self.form.outcome is not None:
            self.app.copy_to_clipboard(json.dumps(self.form.outcome.result, indent=2, ensure_ascii=False))
            self.query_one("#tool-about", Static).update(Text("the result is in the clipboard, as JSON"))

    def action_picture(self) -> None:
        """Show the picture that came with the result."""
        outcome = self.form.outcome
        if outcome is not None and outcome.images:
            from pinebench.tui import screenshots

            about = str(outcome.result.get("file_path", ""))
            self.bench.work(screenshots.show(self.bench, outcome.images[0].data, about), group="picture")

    def action_by(self, lines: int) -> None:
        """Scroll the result by `lines`."""
        self.query_one("#tool-result", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_help(self) -> None:
        """Show help for the form and its arguments."""
        self.app.push_screen(TextDialog(self.form.tool.name, _help(self.form)))


def _help(form: Form) -> str:
    tool = form.tool
    rows = [
        f"* **{name}**{', needed' if name in tool.required else ''}: {forms.hint(tool, name) or 'see its name'}"
        for name in tool.arguments
    ]
    said = "; ".join(words for words, _ in forms.notes(tool))
    keys = (
        "**enter** or **ctrl+r** runs it, **tab** goes to the next field, **left** and **right** choose between `‹ ›`, "
        "**alt+q** stops the call, **F6** shows the result as JSON, **alt+y** copies it, "
        "**F7** shows the picture that came with it. **escape** goes back; the "
        "values and the result are still there when you come back, and a running call continues."
    )
    return f"{tool.summary}\n\nThis tool {said}.\n\n" + "\n".join(rows) + f"\n\n## Keys\n\n{keys}\n"


async def call(bench: Workbench, form: Form, given: dict[str, object]) -> None:
    """Call the tool in the background with the arguments `given`. Show the outcome in `form`, or a message if the form
    is closed."""
    from pinebench.tools import tool_calls
    from pinebench.tools.arguments import shown

    tool = form.tool
    if tool.destroys and not await _agreed(bench, form, given):
        return
    chart_browser, begun = bench.chart_browser, time.perf_counter()

    def work(context: Context) -> ToolOutcome:
        return tool_calls.answer(chart_browser, tool.name, given, context)

    form.is_running, form.outcome = True, None
    form.called = ", ".join(f"{name}={shown(value)}" for name, value in given.items())
    _show(bench, form)
    try:
        outcome = await bench.lengthy(f"calling {tool.name}", work)
    finally:
        form.is_running = False
    form.seconds = time.perf_counter() - begun
    form.finish(outcome)
    if not _show(bench, form):
        said = outcome.result.get("error") or "done; the result is in its form"
        bench.say(f"{tool.name}: {said}", "error" if outcome.error else "good")


async def _agreed(bench: Workbench, form: Form, given: dict[str, object]) -> bool:
    """Ask before a call that cannot be undone; return whether the person agrees."""
    from pinebench.tools.arguments import shown

    said = "\n".join(f"{name}: {shown(value)}" for name, value in given.items())
    text = f"{form.tool.summary}\nThis cannot be undone.\n\n{said}".rstrip()
    choices = [DialogChoice("no", "Leave it", "l"), DialogChoice("yes", "Do it", "d")]
    return await bench.push_screen_wait(Ask(f"Call {form.tool.name}?", text, choices)) == "yes"


def _show(bench: Workbench, form: Form) -> bool:
    """Show the state of a call in its form; return False if the form is not open."""
    found = [screen for screen in bench.screen_stack if isinstance(screen, ToolForm) and screen.form is form]
    for screen in found:
        screen.show()
    return bool(found)
