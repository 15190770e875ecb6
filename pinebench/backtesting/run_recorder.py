"""Records a run bar by bar: alerts, logs, orders, drawings and their changes, texts, and results of requests."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pinebench import reference
from pinebench.checker import Program
from pinebench.runtime import (
    Alert,
    Alerts,
    BarColumns,
    Box,
    ChartSymbol,
    Drawing,
    Drawings,
    Execution,
    Label,
    Limits,
    Line,
    NoFills,
    Output,
    Polyline,
    RecordedStrategy,
    Requests,
    RequestSource,
    RunBudget,
    Runtime,
    RuntimeFault,
    Table,
    own_timeframe,
)

ORDERS = frozenset(
    name.removeprefix("strategy.")
    for name in reference.functions()
    if (function := reference.function(name)) and "orders" in function.effects.changes & function.effects.reads
)
"""The functions of `strategy` that place, change or cancel orders, by their short names."""
_NEVER = float("inf")

Returned = dict[tuple[int, str, str], dict[int, Any]]
"""The values of requests by bar. A request is identified by its number, its symbol and its timeframe."""
Anchor = tuple[float, float | None]
"""A bar, counted from 0, and a price."""


class Event(NamedTuple):
    """An event on a bar. `what` is `alert`, a `log.*` or order function, or a kind of drawing. `detail` distinguishes
    it from similar events."""

    what: str
    line: int
    detail: tuple[Any, ...]


class DrawingChange(NamedTuple):
    """A drawing that stayed in its place for a while and was then moved or deleted, on bar `bar` by line `by` of the
    script.

    `after` is None if it was deleted. `among` is true if other drawings from the same line still exist, and `newest` if
    it was the newest of them. If both are true, the drawing was one mark of a series, not a drawing that shows a state.
    """

    what: str
    line: int
    by: int
    bar: int
    before: tuple[Anchor, ...]
    after: tuple[Anchor, ...] | None
    among: bool
    newest: bool


class ShownText(NamedTuple):
    """A text that is visible on the last bar, with its position, and the function and the line that last set it."""

    function: str
    line: int
    place: tuple[Any, ...]
    text: Any


class Back(NamedTuple):
    """A drawing that was created on bar `bar` but begins `bars` bars earlier."""

    what: str
    line: int
    bar: int
    bars: int


class _DrawingPlace:
    """The last known position of a drawing, the bar since which it is there, and the script's line that made it."""

    __slots__ = ("anchors", "bar", "line")

    def __init__(self, anchors: tuple[Anchor, ...], bar: int, line: int) -> None:
        self.anchors = anchors
        self.bar = bar
        self.line = line


class _Drawings(Drawings):
    """Drawings that record which of them were made, changed or deleted on the current bar, and by which line."""

    def __init__(self, running: Execution, limits: Limits) -> None:
        super().__init__(running, limits)
        self.execution = running
        self.made: dict[Drawing, int] = {}
        self.touched: dict[Drawing, int] = {}
        self.lines: dict[Drawing, tuple[str, int]] = {}
        """The function that last set the text of each drawing, and its line."""
        self.cells: dict[tuple[Drawing, Any, Any], tuple[str, int]] = {}
        """The function that last set the text of each cell, and its line, by table, column and row."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        made = super().__getattr__(name)
        if name != "table_cell_set_text":
            return made

        def watched(*, table_id: Table | None, column: float, row: float, **values: Any) -> None:
            made(table_id=table_id, column=column, row=row, **values)
            self._note_cell("table.cell_set_text", table_id, column, row)

        setattr(self, name, watched)
        return watched

    def table_cell(self, *, table_id: Table | None, column: float, row: float, **values: Any) -> None:
        super().table_cell(table_id=table_id, column=column, row=row, **values)
        self._note_cell("table.cell", table_id, column, row)

    def _note_cell(self, function: str, table: Table | None, column: float, row: float) -> None:
        if table is not None:
            self.cells[table, column, row] = (function, self.execution.current_line())

    def add(self, drawing: Drawing) -> Drawing:
        line = self.made[drawing] = self.execution.current_line()
        self.lines[drawing] = (f"{drawing.kind}.new", line)
        return super().add(drawing)

    def delete(self, drawing: Drawing | None) -> None:
        if drawing is not None and not drawing.deleted:
            self.touched[drawing] = self.execution.current_line()
        super().delete(drawing)

    def move(self, function: str, drawing: Drawing | None, **values: float) -> None:
        if drawing is not None and not drawing.deleted:
            self.touched[drawing] = self.execution.current_line()
        super().move(function, drawing, **values)

    def setter(self, kind: str, name: str, prop: str) -> Callable[..., None]:
        change = super().setter(kind, name, prop)

        def watched(*, id: Drawing | None = None, **values: Any) -> None:
            if id is not None and not id.deleted:
                self.touched[id] = self.execution.current_line()
                if prop == "text":
                    self.lines[id] = (f"{kind}.set_text", self.touched[id])
            change(id=id, **values)

        return watched if kind not in ("table", "linefill") else change


class _RecordedAlerts(Alerts):
    """Alerts that record which calls were reached and which alerts fired on the current update."""

    def __init__(self) -> None:
        super().__init__()
        self.reached: list[Alert] = []
        self.fired: list[Alert] = []

    def say(self, alert: Alert, call: int, *, confirmed: bool) -> None:
        self.reached.append(alert)
        count = len(self.all)
        super().say(alert, call, confirmed=confirmed)
        self.fired += self.all[count:]


class _Requests(Requests):
    """Requests that record what they returned on each bar."""

    returned: Returned

    def security(self, number: int, empty: Any, *, symbol: str | None, timeframe: str | None, **asked: Any) -> Any:
        value = super().security(number, empty, symbol=symbol, timeframe=timeframe, **asked)
        self._column(number, symbol, timeframe)[self.execution.index] = value
        return value

    def ahead(self, number: int, empty: Any, **asked: Any) -> list[Any]:
        values = super().ahead(number, empty, **asked)
        self._column(number, asked["symbol"], asked["timeframe"]).update(enumerate(values))
        return values

    def _column(self, number: int, symbol: str | None, timeframe: str | None) -> dict[int, Any]:
        return self.returned.setdefault((number, symbol or "", timeframe or ""), {})


class _Orders:
    """A recorder of the orders of the current update.

    It places orders only on updates that close a bar, because the next update may withdraw an order that was placed
    within a bar.
    """

    def __init__(self, line: Callable[[], int], bar_ended: Callable[[int], None]) -> None:
        self.orders: list[Event] = []
        self.passing = True
        self._line = line
        self._bar_ended = bar_ended

    def bar_ended(self, i: int) -> None:
        self._bar_ended(i)

    def order(self, name: str, place: Callable[..., Any], given: dict[str, Any]) -> Any:
        self.orders.append(Event(f"strategy.{name}", self._line(), _plain(given.items())))
        return place(**given) if self.passing else None


class RunRecorder:
    """A recorded run of a script. Call `history` first, then `update` for each change of a live bar.

    `events` has the events of each historical bar, and of each live bar at its close. `changes` has the drawings on
    historical bars that were changed later, and `backs` those that begin before the bar on which they were created.
    `returned` has the results of the script's own requests. `others` has the bars of other symbols, by the names in the
    script's requests.
    """

    def __init__(
        self,
        program: Program,
        bars: BarColumns,
        symbol: ChartSymbol,
        *,
        inputs: Mapping[str, Any] | None = None,
        others: Mapping[str, RequestSource] | None = None,
        clock: int | None = None,
        budget: RunBudget | None = None,
        trading: Callable[[BarColumns], Any] | None = None,
    ) -> None:
        self.others = others or {}
        self.events: dict[int, Counter[Event]] = {}
        self.returned: Returned = {}
        self._logged = 0
        self.changes: list[DrawingChange] = []
        self.backs: list[Back] = []
        self._standing: dict[Drawing, _DrawingPlace] = {}
        self._of_line: dict[int, dict[Drawing, None]] = defaultdict(dict)
        self.orders = _Orders(lambda: self.runtime.execution.current_line(), self._bar_ended)
        self.alerts = _RecordedAlerts()
        made: list[_Drawings] = []

        def drawings(execution: Execution, limits: Limits) -> Drawings:
            made.append(_Drawings(execution, limits))
            return made[-1]

        self._has_events = own_timeframe(program, symbol) is None
        """Whether bars of the script are bars of the chart, so that events and requests of a bar can be compared."""

        def requests(execution: Execution, *parts: Any) -> Requests:
            own = self._has_events and (not made or execution is made[0].execution)
            watching = _Requests(execution, *parts)
            watching.returned = self.returned if own else {}
            return watching

        self.runtime = Runtime(
            program,
            bars,
            symbol,
            inputs=inputs,
            others=others,
            strategy=RecordedStrategy(trading(bars) if trading is not None else NoFills(), ORDERS, self.orders),
            clock=clock,
            budget=budget,
            drawings=drawings,
            alerts=self.alerts,
            requests=requests,
        )
        self.drawings = made[0]  # of the script itself; requests have their own

    def history(self) -> None:
        """Run the script on all bars, as historical bars."""
        self.runtime.run()

    def update(self, time: int, bar: tuple[float, float, float, float, float], closed: bool) -> list[Event]:
        """Run the script on an update of the live bar, and return the alerts and order calls that occurred. `bar` is
        open, high, low, close and volume. `time` is the opening time in milliseconds UTC.

        `closed` marks the bar's last update, whose events are recorded as the events of the bar.
        """
        self._forget()
        self.orders.passing = closed
        self.runtime.advance(time, bar, closed=closed)
        fired = [*map(_alerted, self.alerts.fired), *self.orders.orders]
        if closed and self._has_events:
            self.events[len(self.runtime.chart) - 1] = Counter(self._events())
        return fired

    @property
    def error(self) -> RuntimeFault | None:
        """The error that stopped the run, or None."""
        return self.runtime.error

    @property
    def outputs(self) -> list[Output]:
        """All outputs of the script so far, such as plots."""
        return self.runtime.outputs

    def close_time(self, number: int) -> int:
        """Return the closing time of the bar with the index `number`, in milliseconds UTC."""
        return self.runtime.chart.close_time(number)

    def _forget(self) -> None:
        self.alerts.reached.clear()
        self.alerts.fired.clear()
        self.orders.orders.clear()
        self.drawings.made.clear()
        self.drawings.touched.clear()
        self._logged = len(self.runtime.host.logs)

    def texts(self) -> list[ShownText]:
        """Return the texts of the tables, labels and boxes that are currently on the chart."""
        return [*self._cells(), *self._drawn_texts()]

    def _cells(self) -> Iterable[ShownText]:
        for table in self.drawings.alive["table"]:
            for place, cell in table.cells.items():  # type: ignore[attr-defined]
                by = self.drawings.cells.get((table, *place))
                if by is not None:
                    yield ShownText(*by, (table.position, *place), cell.get("text"))  # type: ignore[attr-defined]

    def _drawn_texts(self) -> Iterable[ShownText]:
        for kind in ("label", "box"):
            for drawing in self.drawings.alive[kind]:
                by, anchors = self.drawings.lines.get(drawing), self._anchors(drawing)
                if by is not None and anchors is not None:
                    yield ShownText(*by, anchors, getattr(drawing, "text", None))

    def _events(self) -> Iterable[Event]:
        yield from map(_alerted, self.alerts.reached)
        yield from self.orders.orders
        for log in self.runtime.host.logs[self._logged :]:
            yield Event(f"log.{log.level}", log.line, (log.message,))
        bar = len(self.runtime.chart) - 1 if not self.runtime.execution.is_history else self.runtime.execution.index
        for drawing, line in self.drawings.made.items():
            anchors = self._anchors(drawing)
            if anchors is not None and not drawing.deleted:
                text = getattr(drawing, "text", None)
                yield Event(drawing.kind, line, (*((min(x, bar), y) for x, y in anchors), text))

    def _bar_ended(self, i: int) -> None:
        """Record the events and the changed drawings of bar `i` if it is a bar of history."""
        if not self.runtime.execution.is_history:
            return
        found = Counter(self._events())
        if found:
            self.events[i] = found
        drawings = self.drawings
        for drawing, by in drawings.touched.items():
            standing = self._standing.get(drawing)
            if standing is not None:
                self._changed(drawing, standing, i, by)
        for drawing, line in drawings.made.items():
            anchors = self._anchors(drawing)
            if anchors is None or drawing.deleted:
                continue
            self._standing[drawing] = _DrawingPlace(anchors, i, line)
            self._of_line[line][drawing] = None
            begins = min(x for x, _ in anchors)
            if begins < i:
                self.backs.append(Back(drawing.kind, line, i, int(i - begins)))
        self._forget()

    def _changed(self, drawing: Drawing, standing: _DrawingPlace, i: int, by: int) -> None:
        after = None if drawing.deleted else self._anchors(drawing)
        stood = standing.bar < i - 1 and max(x for x, _ in standing.anchors) < i - 1 and not _goes_on(drawing)
        if stood and not _covers(drawing, standing.anchors, after):
            alive = [each for each in self._of_line[standing.line] if each is drawing or not each.deleted]
            # Deleting the oldest drawing, as the limits do, does not mean that it showed something wrong.
            if after is not None or alive[0] is not drawing:
                among, newest = len(alive) > 1, alive[-1] is drawing
                self.changes.append(
                    DrawingChange(drawing.kind, standing.line, by, i, standing.anchors, after, among, newest)
                )
        if after is None:
            del self._standing[drawing]
            self._of_line[standing.line].pop(drawing, None)
        elif after != standing.anchors:
            self._standing[drawing] = _DrawingPlace(after, i, standing.line)

    def _anchors(self, drawing: Drawing) -> tuple[Anchor, ...] | None:
        """Return the points of a drawing, with bars counted from 0; None without points, or if one is not on a bar."""
        places = _places(drawing)
        if places is None:
            return None
        times = self.runtime.chart.bars.time
        found: list[Anchor] = []
        for x, y in places:
            if x is None or x != x:
                return None
            if getattr(drawing, "xloc", "") == "bar_time":
                x = bisect_right(times, x) - 1 if x <= times[-1] else _NEVER
            found.append((x, None if y is None or y != y else y))
        return tuple(found) or None


def _places(drawing: Drawing) -> list[tuple[Any, Any]] | None:
    if isinstance(drawing, Line):
        return [(drawing.x1, drawing.y1), (drawing.x2, drawing.y2)]
    if isinstance(drawing, Label):
        return [(drawing.x, drawing.y)]  # type: ignore[attr-defined]
    if isinstance(drawing, Box):
        return [(drawing.left, drawing.top), (drawing.right, drawing.bottom)]  # type: ignore[attr-defined]
    if isinstance(drawing, Polyline):
        return [(point.along(drawing.xloc), point.price) for point in drawing.points]  # type: ignore[attr-defined]
    return None


def _goes_on(drawing: Drawing) -> bool:
    return getattr(drawing, "extend", "none") in ("right", "both")


def _covers(drawing: Drawing, before: tuple[Anchor, ...], after: tuple[Anchor, ...] | None) -> bool:
    """Return whether a moved drawing still covers everything that it showed before, perhaps extended to the right."""
    if after is None or len(after) != len(before):
        return False
    if before == after:
        return True
    if not isinstance(drawing, Line | Box) or before[0] != after[0] or after[1][0] < before[1][0]:
        return False
    if isinstance(drawing, Box):
        return before[1][1] == after[1][1]
    (x1, y1), (x2, y2), y = before[0], before[1], after[1][1]
    if y1 is None or y2 is None or y is None or x1 == x2:
        return before[1][1] == y
    slope = (y2 - y1) / (x2 - x1)
    return abs(y1 + slope * (after[1][0] - x1) - y) <= 1e-9 * max(abs(y), 1.0)


def _alerted(alert: Alert) -> Event:
    return Event("alert", alert.line, (alert.message,))


def _plain(given: Iterable[tuple[str, Any]]) -> tuple[Any, ...]:
    return tuple((name, None if value != value else value) for name, value in given)
