"""Inspect: the values of all names of a run on one bar, its trades, and the answers to "why"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.coordinate import Coordinate
from textual.widgets import ContentSwitcher, DataTable, Input, Label, Static, Tree

from pinebench.printable import printable
from pinebench.tui.inputs import LineField
from pinebench.tui.inspection import CHART
from pinebench.tui.panels.run import wrapped
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.picture import number as short
from pinebench.tui.results import moment
from pinebench.tui.script_tab import ScriptTab

if TYPE_CHECKING:
    from pinebench.inspecting.run_keeper import Overview, TradeRow
    from pinebench.tui.inspection import InspectedRun
    from pinebench.why.why import ExpressionPart

_KINDS = {"input": "input", "parameter": "argument", "var": "var", "varip": "varip", "": "variable", "plot": "plot"}
_PARTS = {"names": "Names", "trades": "Trades", "why": "Why"}
_KIND = 28
"""Cells for the kind of a name and its line."""
_NARROW = 90
"""The smallest number of columns for which the table has room for types and for the value before."""


_Cell = tuple[str, str]
"""The text of a cell and its style."""


class RowList(DataTable[Text]):
    """A list of names or trades. The left and right keys go through the bars, not through the cells."""

    BINDINGS: ClassVar = [
        Binding("left", "app.do('previous-bar')", "Previous bar", key_display="←"),
        Binding("right", "app.do('next-bar')", "Next bar", key_display="→"),
        Binding("home", "app.do('first-bar')", show=False),
        Binding("end", "app.do('last-bar')", show=False),
    ]


class InspectorPanel(WorkbenchPanel):
    """The panel that shows the values of a run on one of its bars."""

    ABOUT = """\
Runs the script in front and records the value of every name and call on each bar. The values on one bar are shown after
the ends of the lines of the script; they are only drawn there, and are never part of the text. The list has all names,
also those that are not plotted: the value, the value on the bar before, and the bar of the last change.

The line takes bars as the *Run* panel does: a file, `sample:AAPL@60x1000`, or `chart` for the bars of the chart in the
browser.

* **enter** in the line for bars, or **shift+F9**: run; **alt+q** stops it
* **left**, **right** (in the editor **alt+,** and **alt+.**): the bar before, the next bar; **home**, **end**: the
  first, the last
* **[**, **]** (in the editor **alt+<** and **alt+>**): the previous, the next change of the name
* **g** (**alt+z**): go to a bar by its number or its time
* **/**: type to see only the names with these words; **escape** goes back to the list
* **enter** on a name: go to its line; **w** (in the editor **alt+y**): why it has its value
* **n**, **t**, **y**: the names, the trades, the last answer to "why"
* **enter** on a trade: go to the bar of its entry; **w**, **x**: the life of the order of its entry, of its exit
* **ctrl+l**, or a click on the number of a line: a breakpoint there; **alt+;**, or ctrl and a click: with a condition
* **F10**, **shift+F10** (**b**, **B**): to the next, to the previous stop of the run at a breakpoint

All values are those at the close of a bar. If you change the text, the values are removed until you run again.
"""
    BINDINGS: ClassVar = [
        Binding("escape", "leave", "Editor", show=False),
        Binding("left", "app.do('previous-bar')", show=False),
        Binding("right", "app.do('next-bar')", show=False),
        Binding("home", "app.do('first-bar')", show=False),
        Binding("end", "app.do('last-bar')", show=False),
        Binding("left_square_bracket", "app.do('previous-change')", show=False),
        Binding("right_square_bracket", "app.do('next-change')", "Change", key_display="]"),
        Binding("g", "app.do('go-to-bar')", "Bar…"),
        Binding("b", "app.do('next-stop')", show=False),
        Binding("B", "app.do('previous-stop')", show=False),
        Binding("slash", "filter", "Filter", key_display="/"),
        Binding("w", "why", "Why"),
        Binding("x", "why_exit", show=False),
        Binding("n", "part('names')", "Names"),
        Binding("t", "part('trades')", "Trades"),
        Binding("y", "part('why')", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown: list[int] = []
        """The numbers of the names in the rows of the list."""
        self._columns: list[tuple[str, int]] = []
        """The titles and widths of the columns of the list."""
        self._cells: list[list[_Cell]] = []
        """The cells of each row in the list."""
        self._kept_row: tuple[int | None, int] = (None, 0)
        self._of: object = None
        """The run whose trades are listed."""
        self._answer: object = None

    @property
    def run(self) -> InspectedRun:
        """The run that is inspected."""
        return self.bench.inspection

    def compose(self) -> ComposeResult:
        """Yield the input fields for the bars and the filter, the line about the bar, names, trades and answers."""
        with Horizontal(classes="row"):
            yield Label("Bars")
            yield LineField(str(self.bench.remembered.bars.get("name", "sample:AAPL")), id="inspector-bars")
            yield Label("Names")
            yield LineField(id="inspector-words", placeholder="words")
        yield Static(id="inspector-when")
        with ContentSwitcher(initial="inspector-names"):
            yield RowList(id="inspector-names", cursor_type="row")
            yield RowList(id="inspector-trades", cursor_type="row")
            yield Tree("", id="inspector-why")

    def on_mount(self) -> None:
        """Show that nothing has run yet."""
        self.query_one(Tree).show_root = False
        self.show_run()

    def enter(self) -> None:
        """Give the focus to the part that is shown, or to the input field for the bars before the first run."""
        if self.run.overview is None:
            self.query_one("#inspector-bars", Input).focus()
        else:
            self._content.focus()

    @property
    def _content(self) -> Any:
        content = self.query_one(ContentSwitcher).visible_content
        assert content is not None
        return content

    @property
    def chosen(self) -> int | None:
        """The index of the name in the highlighted row; None if the list has none."""
        table = self.query_one("#inspector-names", RowList)
        row = table.cursor_row
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def start(self) -> None:
        """Run the active script."""
        name = self.query_one("#inspector-bars", Input).value.strip()
        if name != CHART:
            self.bench.remembered.bars["name"] = name
        self.bench.work(self._start(name), group="inspector", exclusive=True)

    async def _start(self, name: str) -> None:
        line = self.query_one("#inspector-bars", Input)
        await self.run.run(name)
        if line.has_focus and self.run.overview is not None:
            self._content.focus()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Show whether the values belong to the active text."""
        if self.is_mounted:
            self.run.tell()

    def on_resize(self, _: events.Resize) -> None:
        """Lay out the lists for the new width."""
        self._of = None
        self.show_run()

    def colors_changed(self) -> None:
        """Show the panel in the colours of the new theme."""
        self._of = self._answer = None
        self.show_run()

    # showing

    def show_run(self) -> None:
        """Show the values on the bar, the trades and the last answer."""
        if not self.is_mounted:
            return
        self._show_when()
        self._show_names()
        if self._of is not self.run.overview or self._of is None:
            self._of = self.run.overview
            self._show_trades()
        if self._answer is not self.run.answer or self._answer is None:
            self._answer = self.run.answer
            self._show_why()

    def _show_when(self) -> None:
        colors, run = self.app.theme_variables, self.run
        text = Text(no_wrap=True, overflow="ellipsis")
        overview = run.overview
        if overview is None:
            said = run.trouble or "enter runs the script in front and keeps all its values"
            text.append("\n".join(wrapped([said], max(20, self.size.width - 2))))
        else:
            text.append(run.when, style=f"bold {colors['foreground']}")
            text.append(f"  {printable(overview.symbol)} {overview.timeframe}", style=colors["bench-muted"])
            if run.opened is not None and run.opened is not self.bench.front:
                text.append(f"  of {printable(run.opened.buffer.name)}", style=colors["warning"])
        if overview is not None and run.warning:
            text.append(f"  ▲ {printable(run.warning)}", style=colors["warning"])
        self.query_one("#inspector-when", Static).update(text)

    def _show_names(self) -> None:
        """Show the values. If the same rows are shown as before, only the cells that changed are drawn again."""
        table = self.query_one("#inspector-names", RowList)
        widths = self._widths(self.size.width >= _NARROW)
        rows = self._rows(widths)
        numbers = [number for number, _ in rows]
        if numbers != self._shown or widths != self._columns:
            self._begin_table(table, numbers, widths)
            for _, cells in rows:
                table.add_row(*(_cut(*cell, width) for cell, (_, width) in zip(cells, widths, strict=True)))
            self._move_back(table)
        else:
            for row, (_, cells) in enumerate(rows):
                for column, cell in enumerate(cells):
                    if cell != self._cells[row][column]:
                        table.update_cell_at(Coordinate(row, column), _cut(*cell, widths[column][1]))
        self._cells = [cells for _, cells in rows]

    def _begin_table(self, table: RowList, numbers: list[int], widths: list[tuple[str, int]]) -> None:
        """Empty the list for other rows. The row of the cursor stays on its name."""
        self._kept_row = self.chosen, table.cursor_row
        table.clear(columns=True)
        for title, width in widths:
            table.add_column(title, width=width)
        self._shown, self._columns = numbers, widths

    def _move_back(self, table: RowList) -> None:
        """Put the cursor on the name that it was on, or into the same row."""
        chosen, row = self._kept_row
        if self._shown:
            place = self._shown.index(chosen) if chosen in self._shown else min(max(row, 0), len(self._shown) - 1)
            table.move_cursor(row=place, scroll=True)

    def _rows(self, widths: list[tuple[str, int]]) -> list[tuple[int, list[_Cell]]]:
        """The numbers of the names that fit the words, each with its cells."""
        overview, colors = self.run.overview, self.app.theme_variables
        if overview is None or not self.run.values:
            return []
        words = self.query_one("#inspector-words", Input).value.lower().split()
        is_past, is_wide, quiet = self.run.is_past, len(widths) > 3, colors["bench-muted"]
        found: list[tuple[int, list[_Cell]]] = []
        for number, (name, value) in enumerate(zip(overview.names, self.run.values, strict=True)):
            kind = "call" if name.is_call else _KINDS.get(name.mode, name.mode)
            label = f"{name.function}: {name.name}" if name.function else name.name
            if not all(word in f"{label} {kind} {name.type}".lower() for word in words):
                continue
            has_changed = value.changed == self.run.bar and value.before != "" and not is_past
            style = quiet if is_past or not value.ran else ""
            cells = [(label, style or colors["primary"]), (value.text, colors["warning"] if has_changed else style)]
            changed = (f"bar {value.changed}", quiet)
            if is_wide:
                calls = " < ".join(f"line {site.line}" for site in reversed(name.site))
                where = calls or (f"line {name.line}" if name.line else "library")
                type_ = name.type.strip("<>").removeprefix("input ")
                cells += [(value.before, quiet), changed, (f"{kind} {type_}  {where}", quiet)]
            else:
                cells.append(changed)
            found.append((number, cells))
        return found

    def _widths(self, is_wide: bool) -> list[tuple[str, int]]:
        room = max(self.size.width - 2, 30)
        if not is_wide:
            return [("Name", max(room - 40, 12)), ("Value", 22), ("Changed", 10)]
        name = max(20, room - 56 - _KIND)
        return [("Name", name), ("Value", 20), ("Before", 16), ("Changed", 10), ("Kind", max(14, room - name - 56))]

    def _show_trades(self) -> None:
        table = self.query_one("#inspector-trades", RowList)
        row = table.cursor_row
        table.clear(columns=True)
        overview, colors = self.run.overview, self.app.theme_variables
        is_wide = self.size.width >= _NARROW
        heads = ["No.", "Side", "Entry", "Price", "Exit", "Price", "Profit", *(["Order"] if is_wide else [])]
        for title in heads:
            table.add_column(title)
        for number, trade in enumerate(overview.trades if overview is not None else (), 1):
            color = colors["success"] if (trade.profit or 0) >= 0 else colors["error"]
            cells = [
                Text(str(number)),
                Text("long" if trade.side > 0 else "short"),
                Text(self._place(overview, trade.entry_bar, is_wide)),
                Text(short(trade.entry_price)),
                Text("open" if trade.exit_bar is None else self._place(overview, trade.exit_bar, is_wide)),
                Text("" if trade.exit_price is None else short(trade.exit_price)),
                Text("" if trade.profit is None else short(trade.profit), style=color),
            ]
            if is_wide:
                cells.append(
                    Text(printable(f"{trade.entry_id} → {trade.exit_id}" if trade.exit_id else trade.entry_id))
                )
            table.add_row(*cells)
        if table.row_count:
            table.move_cursor(row=min(max(row, 0), table.row_count - 1))

    def _place(self, overview: Overview | None, bar: int, is_wide: bool) -> str:
        if not is_wide or overview is None or bar >= len(overview.times):
            return f"bar {bar}"
        return f"bar {bar}  {moment(overview.times[bar] / 1000)}"

    def _show_why(self) -> None:
        from pinebench.why.why import Why

        tree = self.query_one("#inspector-why", Tree)
        tree.clear()
        answer, colors = self.run.answer, self.app.theme_variables
        if answer is None:
            asks = "w on a name or a trade asks; in the editor, alt+y asks for the expression at the cursor"
            tree.root.add_leaf(Text(asks, style=colors["bench-muted"]))
            return
        head = Text(f"bar {answer.bar}  ", style=colors["bench-muted"])
        steps: Any = getattr(answer, "steps", ())
        bold = f"bold {colors['foreground']}"
        if isinstance(answer, Why):
            equals = " = " if answer.ran else ": "
            head.append(f"{printable(answer.expression)}{equals}{printable(answer.text)}", style=bold)
        else:
            head.append(f"order {printable(answer.order)}: {answer.cause.replace('-', ' ')}", style=bold)
        if answer.error is not None:
            head.append(f"  the script stopped: {printable(answer.error)}", style=colors["error"])
        top = tree.root.add(head, expand=True)
        if isinstance(answer, Why) and answer.note:
            top.add_leaf(Text(printable(answer.note), style=colors["bench-muted"]))
        for reason in answer.reasons:
            top.add_leaf(Text(f"because {printable(reason)}", style=colors["warning"]))
        for step in steps:
            bars = f"bar {step.bar}" if step.until is None else f"bars {step.bar} to {step.until}"
            line = f"  (line {step.line})" if step.line and step.what == "called" else ""
            top.add_leaf(Text(f"{bars} {step.what}: {printable(step.text)}{line}"), data=step.line or None)
        for part in answer.parts:
            self._add(top, part)
        tree.root.expand()
        tree.move_cursor_to_line(0)

    def _add(self, above: Any, part: ExpressionPart) -> None:
        colors = self.app.theme_variables
        value = _written(part.value) if part.evaluated else part.told
        color = "error" if part.value is False else "bench-muted" if not part.evaluated else "foreground"
        text = Text(printable(part.text), style=colors["primary"]).append(f" → {value}", style=colors[color])
        text.append(f"  line {part.line}", style=colors["bench-muted"])
        if part.evaluated > 1:
            text.append(f", {part.evaluated} times", style=colors["bench-muted"])
        if not part.parts or not part.evaluated:
            above.add_leaf(text, data=part.line)
            return
        below = above.add(text, data=part.line, expand=True)
        for each in part.parts:
            self._add(below, each)

    # keys

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Run the script, or go from the filter to the list."""
        event.stop()
        if event.input.id == "inspector-bars":
            self.start()
        else:
            self._content.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the names that contain the typed text."""
        event.stop()
        if event.input.id == "inspector-words":
            self.show_part("names")
            self._show_names()

    def show_part(self, part: str) -> None:
        """Show the part `names`, `trades` or `why`; `why` shows the last answer."""
        switcher = self.query_one(ContentSwitcher)
        had_focus = self._content.has_focus
        switcher.current = f"inspector-{part}"
        if had_focus:
            self._content.focus()

    def action_part(self, part: str) -> None:
        """Show the part `names`, `trades` or `why`, and give it the focus."""
        self.show_part(part)
        self._content.focus()

    def action_filter(self) -> None:
        """Give the focus to the filter."""
        self.query_one("#inspector-words", Input).focus()

    def action_why(self) -> None:
        """Explain the value of the name in the list, or show the life of the order that opened the trade."""
        self.bench.work(self._why(at_exit=False), group="why", exclusive=True)

    def action_why_exit(self) -> None:
        """Show the life of the order that closed the trade."""
        self.bench.work(self._why(at_exit=True), group="why", exclusive=True)

    async def _why(self, *, at_exit: bool) -> None:
        overview, trade = self.run.overview, self._trade
        if overview is not None and self._content.id == "inspector-trades" and trade is not None:
            await self.run.why_trade(trade, at_exit=at_exit)
            self.show_part("why")
        elif overview is not None and self._content.id == "inspector-names" and self.chosen is not None:
            name = overview.names[self.chosen]
            await self.run.why(name.name, name.line, name.site[-1].text if name.site else "")
            self.show_part("why")

    @property
    def _trade(self) -> TradeRow | None:
        row, overview = self.query_one("#inspector-trades", RowList).cursor_row, self.run.overview
        return overview.trades[row] if overview is not None and 0 <= row < len(overview.trades) else None

    @on(DataTable.RowSelected)
    def _row_selected(self, event: DataTable.RowSelected) -> None:
        event.stop()
        overview = self.run.overview
        if overview is None:
            return
        if event.data_table.id == "inspector-trades":
            if self._trade is not None:
                self.bench.work(self.run.go(self._trade.entry_bar), group="bar")
        elif self.chosen is not None:
            self._to_line(overview.names[self.chosen].line)

    @on(Tree.NodeSelected)
    def _node_selected(self, event: Tree.NodeSelected[Any]) -> None:
        event.stop()
        self._to_line(event.node.data or 0)

    def _to_line(self, line: int) -> None:
        opened = self.run.opened
        if line and opened is not None and opened in self.bench.opened and not self.run.is_past:
            self.bench.bring(opened, focus=False)
            opened.editor.move_cursor((line - 1, 0), center=True)

    def action_leave(self) -> None:
        """Move the focus from an input field to the list, and from the list to the editor."""
        if isinstance(self.app.focused, Input) and self.run.overview is not None:
            self._content.focus()
        elif self.bench.editor is not None:
            self.bench.editor.focus()


def _cut(words: str, style: str, width: int) -> Text:
    """Words in a cell with this width."""
    text = Text(printable(words), style=style, no_wrap=True, overflow="ellipsis")
    text.truncate(width, overflow="ellipsis")
    return text


def _written(value: Any) -> str:
    from pinebench.why.why import written

    return printable(written(value))
