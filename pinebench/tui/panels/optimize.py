"""Optimize: runs the active strategy with many inputs, and shows the best combinations, their figures on held-back
bars, and a heat map."""

from __future__ import annotations

import math
import os
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from pinebench import config
from pinebench.amounts import counted, money_text, short_text, with_minus
from pinebench.context import Context
from pinebench.errors import UsageError, words_of
from pinebench.printable import printable
from pinebench.tui import worker_run
from pinebench.tui.inputs import LineField
from pinebench.tui.libraries import unsaved
from pinebench.tui.panels.run import RunPanel, inputs_of, wrapped
from pinebench.tui.panels.workbench_panel import WorkbenchPanel
from pinebench.tui.script_tab import ScriptTab

_SHADES = "·░▒▓█"
_WIDEST = 60
"""The largest number of values of an axis that the heat map shows."""
_METRIC = 34
"""Cells for the line of the metric and its title."""


class OptimizePanel(WorkbenchPanel):
    """The panel that looks for the best inputs of the active strategy."""

    ABOUT = """\
Runs the strategy in front with many inputs on the bars that the first line names, as `pinebench optimize` does. The
last 30 % of the bars are held back: they are not used to choose inputs, and the figures on them are shown beside the
others.

The second line takes ranges: `Length=5:50:5; Mode=EMA,SMA`. If it is empty, the ranges of the script are used:
`minval`, `maxval`, `step` and `options`. The third line takes the figure to maximize, such as
`net_profit` or `sharpe_ratio`. At most 500 combinations run; of more, 500 are drawn at random.

* **enter** in a line: begin; **alt+q**: stop, and show the runs that are done
* **enter** on a combination: run the script with its inputs in the panel *Run*
* **x**, **y**: other inputs across and down the heat map, in which each cell is the best run with its two values
"""
    BINDINGS: ClassVar = [
        Binding("x", "turn(0)", "Across"),
        Binding("y", "turn(1)", "Down"),
        Binding("escape", "leave", "Editor", show=False),
        Binding("pageup", "by(-8)", show=False),
        Binding("pagedown", "by(8)", show=False),
    ]

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._found: dict[str, Any] | None = None
        self._text = self._bars = ""
        self._asked: tuple[str, ...] = ()
        """The bars, the ranges and the metric of the result, as they were written."""
        self._said = "enter runs the strategy in front with many inputs"
        self._front: ScriptTab | None = None
        self._axes = [0, 1]

    def compose(self) -> ComposeResult:
        """Yield the input fields for the bars, the ranges and the metric, the list of the best, and the heat map."""
        with Horizontal(classes="row"):
            yield Label("Bars")
            yield LineField(str(self.bench.remembered.bars.get("name", "sample:AAPL")), id="optimize-bars")
        with Horizontal(classes="row"):
            yield Label("Ranges")
            yield LineField("", placeholder="the script's own, or: Length=5:50:5; Mode=EMA,SMA", id="optimize-ranges")
        with Horizontal(classes="row"):
            yield Label("Best by")
            yield LineField("net_profit", id="optimize-metric")
            yield Label("", id="optimize-count", markup=False)
        yield OptionList(markup=False, id="optimize-best")
        with VerticalScroll(can_focus=False):
            yield Static(id="optimize-picture")

    def enter(self) -> None:
        """Give the focus to the list of the best combinations, or to the input field for the ranges if the list is
        empty."""
        best = self.query_one(OptionList)
        (best if best.option_count else self.query_one("#optimize-ranges", Input)).focus()

    def on_mount(self) -> None:
        """Show that nothing has run yet."""
        self._show()

    def on_resize(self, _: events.Resize) -> None:
        """Fit the result to the new width."""
        self._fill()

    def script_changed(self, opened: ScriptTab | None) -> None:
        """Show whether the result belongs to the active text."""
        self._front = opened
        if self.is_mounted:
            self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Begin the optimization."""
        event.stop()
        self.bench.work(self._optimize(), group="optimize", exclusive=True)

    def on_input_changed(self, _: Input.Changed) -> None:
        """Show whether the result belongs to the lines as they are written now."""
        if self._found is not None:
            self._show()

    @property
    def _written(self) -> tuple[str, ...]:
        """The bars, the ranges and the metric, as they are written now."""
        return tuple(self.query_one(f"#optimize-{each}", Input).value for each in ("bars", "ranges", "metric"))

    async def _optimize(self) -> None:
        opened = self.bench.front
        if opened is None:
            return
        name, ranges, metric = asked = self._written
        text, folders = opened.editor.text, config.library_folders(opened.buffer.place)
        self.bench.remembered.bars["name"] = name = name.strip()
        is_sample = name.startswith(worker_run.SAMPLE)
        path = name if is_sample else os.path.join(self.bench.folder or "", os.path.expanduser(name))
        wanted = [each.strip() for each in ranges.split(";") if each.strip()]

        changed = self.bench.changed_beside(opened)

        def work(context: Context) -> dict[str, Any]:
            told = worker_run.optimize(text, folders, path, wanted, metric.strip(), context)
            return {**told, "read": [*told["read"], *unsaved(text, folders, changed)]}

        self.query_one(OptionList).highlighted = None
        self._said, self._found = "optimizing: alt+q stops it and keeps the finished runs", None
        self._fill()
        try:
            self._found = await self.bench.lengthy("optimizing", work)
            self._text, self._bars, self._axes, self._said = text, name, [0, 1], ""
            self._asked = asked
        except Exception as error:
            self._said = f"not optimized: {words_of(error)}"
        self._fill()
        if self._found is not None and self._found["best"] and self.bench.panel is self:
            self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Run the active script with the chosen inputs in the panel Run."""
        event.stop()
        self.bench.work(self._use(event.option_index), group="use", exclusive=True)

    async def _use(self, number: int) -> None:
        found = self._found
        if found is None:
            return
        if self._front is None or self._front.editor.text != self._text:
            raise UsageError("the script has changed since these runs", "optimize again")
        inputs = {name: _word(value) for name, value in {**found["fixed"], **found["best"][number]["inputs"]}.items()}
        written = "; ".join(f"{name}={value}" for name, value in inputs.items())
        if inputs_of(written) != inputs:
            raise UsageError(f"{written}: a title or a value has a ; or a =", "set these inputs in the script")
        panel = await self.bench.show_panel("run", focus=False)
        assert isinstance(panel, RunPanel)
        panel.take(written, self._bars)

    # the result

    def _fill(self) -> None:
        best = self.query_one(OptionList)
        before = best.highlighted or 0
        best.clear_options()
        if self._found is not None:
            rows = _rows(self._found["best"], self._room)
            best.add_options(Option(Text(each, no_wrap=True)) for each in rows)
            best.highlighted = min(before, len(rows) - 1) if rows else None
        self._show()

    @property
    def _room(self) -> int:
        """The cells of a line."""
        return max(20, self.size.width - 4)

    def _show(self) -> None:
        picture, count = self.query_one("#optimize-picture", Static), self.query_one("#optimize-count", Label)
        found = self._found
        best = self.query_one(OptionList)
        best.display = best.option_count > 0
        if found is None:
            count.update("")
            picture.update(Text("\n".join(wrapped([self._said], self._room))))
            return
        is_past = self._front is None or self._front.editor.text != self._text
        best.set_class(is_past, "-past")
        stopped = "" if found["complete"] else ", stopped"
        earlier = "of an earlier text" if is_past else "of other settings" if self._written != self._asked else ""
        about, past = f"{found['about']}{stopped}", earlier
        whole = f"{about}, {past}" if past else about
        is_beside = cell_len(whole) <= self._room - _METRIC
        count.update(whole if is_beside else past)
        picture.update(self._words(found, "" if is_beside else about))

    def _words(self, found: dict[str, Any], about: str) -> Text:
        """The verdict, what was computed on which bars, the reasons, and the heat map. A small terminal shows the first
        of these without scrolling."""
        text = Text(no_wrap=True)
        judged, muted = found["judgement"], self.app.theme_variables["bench-muted"]
        if judged is not None:
            text.append(f"Verdict: {judged['verdict']}\n", style="bold")
        elif not found["best"]:
            text.append("no combination has a result\n")
        for row in wrapped([about] if about else [], self._room):
            text.append(f"{row}\n")
        for row in wrapped(found["read"], self._room):
            text.append(f"{row}\n", style=muted)
        if judged is not None:
            points = [f"• {words}" for words in (*judged["reasons"], *judged["warnings"])]
            text.append("".join(f"{row}\n" for row in wrapped(points, self._room)))
        drawn = heat_map(found, *self._axes)
        if drawn:
            text.append("\n")
            text.append(drawn[0] + "\n", style=muted)
            text.append("\n".join(drawn[1:]))
        return text

    def action_turn(self, which: int) -> None:
        """Show the next input on the horizontal (0) or vertical (1) axis of the heat map."""
        if self._found is not None:
            self._axes[which] = (self._axes[which] + 1) % len(self._found["axes"])
            self._show()

    def action_by(self, lines: int) -> None:
        """Scroll the result by `lines`."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def _word(value: Any) -> str:
    """A value as an input takes it."""
    return (
        str(value).lower() if isinstance(value, bool) else f"{value:.15g}" if isinstance(value, float) else str(value)
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else with_minus(money_text(value))


def _told(figures: dict[str, Any]) -> list[str]:
    trades = figures["trades"]
    return [f"net {_figure(figures['net_profit'])}", "– trades" if trades is None else counted(trades, "trade")]


def _rows(best: list[dict[str, Any]], room: int) -> list[str]:
    """The best as lines: inputs, net profit, trades and Sharpe ratio, and the first two on the held-back bars.

    Lines that have more than `room` cells leave the Sharpe ratio and some words out.
    """
    rows = _lined_up([_row(one) for one in best])
    if all(cell_len(row) <= room for row in rows):
        return rows
    return _lined_up([_row(one, is_short=True) for one in best])


def _row(one: dict[str, Any], *, is_short: bool = False) -> list[str]:
    inputs = ", ".join(f"{name}={_word(value)}" for name, value in one["inputs"].items())
    seen, held = one["seen"], one["held"]
    row = [printable(inputs), *_told(seen)] + ([] if is_short else [f"Sharpe {_figure(seen['sharpe_ratio'])}"])
    if held is None:
        return row
    told = ["error", ""] if held["error"] else _told(held["seen"])
    return [*row, "│ held:", told[0].removeprefix("net "), told[1]] if is_short else [*row, "│ held back:", *told]


def _lined_up(table: list[list[str]]) -> list[str]:
    """Rows of cells as lines, in which the cells are below each other."""
    wide = [max(cell_len(row[k]) for row in table if k < len(row)) for k in range(max(map(len, table), default=0))]
    return ["  ".join(_padded(cell, wide[k], is_left=not k) for k, cell in enumerate(row)) for row in table]


def _padded(cell: str, width: int, *, is_left: bool) -> str:
    """A cell with this width at the left or at the right. A letter may be two columns wide."""
    room = " " * (width - cell_len(cell))
    return cell + room if is_left else room + cell


def heat_map(result: dict[str, Any], across: int, down: int) -> list[str]:
    """Return the lines of the heat map; empty if there are no runs. Each cell stands for a value
    of one input and a value of another. It shows the highest metric of the runs with both values; a higher metric is
    darker. `across` and `down` are the indices of these inputs; if they are equal, the map has one row. A last line
    counts the values that are left out."""
    axes = result["axes"]
    across, down = min(across, len(axes) - 1), min(down, len(axes) - 1)
    cells: dict[tuple[int, int], float] = {}
    for place, value, *_ in result["runs"]:
        at = (0 if across == down else place[down], place[across])
        if value is not None and value > cells.get(at, float("-inf")):
            cells[at] = value
    if not cells:
        return []
    least, most = min(cells.values()), max(cells.values())
    columns = [_word(value) for value in axes[across]["values"][:_WIDEST]]
    rows = [result["metric"]] if across == down else [_word(value) for value in axes[down]["values"][:_WIDEST]]
    corner = axes[across]["name"] if across == down else f"{axes[down]['name']} \\ {axes[across]['name']}"
    table = [[printable(corner), *map(printable, columns)]]
    for number, title in enumerate(rows):
        marks = [_cell(cells.get((number, k)), least, most) for k in range(len(columns))]
        table.append([printable(title), *marks])
    lengths = {axes[number]["name"]: len(axes[number]["values"]) for number in dict.fromkeys((down, across))}
    left = [f"{counted(number - _WIDEST, 'value')} of {name}" for name, number in lengths.items() if number > _WIDEST]
    more = f"not shown: the last {' and '.join(left)}; --format html has all on the command line"
    return [*_lined_up(table), *([printable(more)] if left else [])]


def _cell(value: float | None, least: float, most: float) -> str:
    if value is None:
        return "–"
    share = (value - least) / (most - least) if most > least else 1.0
    shade = _SHADES[min(int(share * len(_SHADES)), len(_SHADES) - 1)]
    return f"{shade} {with_minus(short_text(value, _decimals(abs(value))))}"


def _decimals(size: float) -> int:
    """The decimals of a cell: none from 1000, three from 1, and below 1 as many as four significant digits need."""
    if size >= 1000:
        return 0
    return 3 if size >= 1 or not size else 3 - math.floor(math.log10(size))
