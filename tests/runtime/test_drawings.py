"""Drawings: made, changed and taken away, no more of them than the declaration lets stay, and where they may stand."""

from pathlib import Path
from typing import Any

import pytest

from pinebench.runtime.drawings import Table
from pinebench.runtime.faults import RuntimeFault
from tests.runtime.laws import Law, assert_holds, laws
from tests.runtime.running import run, runtime_of, values
from tests.tables import each


@each("law", laws("drawings.txt"))
def test_a_script_gives_its_values(law: Law) -> None:
    assert_holds(law)


def drawn(source: str, kind: str, bars: tuple[float, ...] = (1.0, 2.0, 3.0)) -> list[dict[str, Any]]:
    return [drawing.state() for drawing in run(source, bars).drawings[kind]]


def test_a_label_has_what_it_was_given_and_the_rest_by_default() -> None:
    [label] = drawn('if barstate.islast\n    label.new(bar_index, close, "here")', "label")
    assert (label["x"], label["y"], label["text"], label["xloc"], label["style"]) == (
        2,
        3,
        "here",
        "bar_index",
        "label_down",
    )


MADE = {
    "label": ("labels", "label.new(bar_index, close)"),
    "line": ("lines", "line.new(bar_index, close, bar_index + 1, close)"),
    "box": ("boxes", "box.new(bar_index, high, bar_index + 1, low)"),
    "polyline": ("polylines", "polyline.new(array.from(chart.point.from_index(bar_index, close)))"),
}


def counts(quota: int, made: int) -> list[int]:
    """How many live after each of so many creations: up to five more than the quota, then the quota again."""
    found = [0]
    for _ in range(made):
        found.append(quota if found[-1] == quota + 5 else found[-1] + 1)
    return found[1:]


@pytest.mark.parametrize(("kind", "quota"), [("label", 5), ("line", 1), ("box", 50), ("polyline", 10), ("label", 3)])
def test_five_more_than_the_limit_live_and_then_they_are_trimmed_to_it(kind: str, quota: int) -> None:
    many, made = MADE[kind]
    source = f'//@version=6\nindicator("x", max_{many}_count = {quota})\n{made}\nplot({kind}.all.size())'
    assert values(source, [1.0] * (quota + 20)) == counts(quota, quota + 20)


def test_without_a_limit_of_its_own_a_kind_has_fifty() -> None:
    source = "label.new(bar_index, close)\nplot(label.all.size())\nplot(label.all.get(0).get_x())"
    sizes, oldest = (plot.values for plot in run(source, [1.0] * 70).plots)
    assert sizes == counts(50, 70)
    assert (oldest[54], oldest[55], oldest[60], oldest[61]) == (0, 6, 6, 12)


def test_the_newest_stay() -> None:
    source = '//@version=6\nindicator("x", max_lines_count = 2)\nline.new(bar_index, close, bar_index + 1, close)'
    assert [line["x1"] for line in drawn(source, "line", (1.0,) * 7)] == list(range(7))
    assert [line["x1"] for line in drawn(source, "line", (1.0,) * 8)] == [6, 7]


HOLDERS = (Path(__file__).parent / "holders.pine").read_text(encoding="utf-8")


def test_variables_hold_their_drawings_and_nothing_else_does() -> None:
    held, element, pair, field, carried, function, call = (list(plot.values) for plot in run(HOLDERS, [1.0] * 40).plots)
    for values_ in (held, carried, function, call):
        assert values_ == [100.0] * 40
    for gone in (element, pair, field):
        assert gone[0] == 0 and gone[-1] == 1


def test_a_plain_global_and_a_local_hold_nothing_even_while_they_are_set() -> None:
    source = """//@version=6
indicator("x", max_labels_count = 1)
label first = label.new(bar_index, 7)
if bar_index == 1
    local = label.new(bar_index, 8)
    for i = 1 to 9
        label.new(bar_index, 9)
    log.info("{0} {1}", na(first), na(local.get_y()))
"""
    assert [log.message for log in run(source, [1.0, 1.0]).logs] == ["true true"]


def test_what_a_variable_held_before_is_trimmed() -> None:
    source = """//@version=6
indicator("x", max_labels_count = 2)
var label held = label.new(0, 7)
var all = array.from(held)
if bar_index == 1
    held := label.new(1, 8)
label.new(bar_index, 9)
plot(na(all.get(0)) ? 1 : 0)
plot(held.get_y())
"""
    gone, second = (plot.values for plot in run(source, [1.0] * 12).plots)
    assert gone == [0] * 5 + [1] * 7
    assert second == [7] + [8] * 11


def test_fills_and_tables_are_never_trimmed() -> None:
    source = """
var a = line.new(0, 1, 1, 1)
var fills = array.new<linefill>()
fills.push(linefill.new(a, line.new(bar_index, 2, bar_index, 2), color.red))
plot(linefill.all.size())
"""
    assert values(source, [1.0] * 70)[-1] == 70


@each("kind", ["label", "line", "box", "polyline", "linefill", "table"])
def test_a_deleted_drawing_is_na(kind: str) -> None:
    made = {
        **{kind: made for kind, (_, made) in MADE.items()},
        "linefill": "linefill.new(line.new(0, 1, 1, 1), line.new(0, 2, 1, 2), color.red)",
        "table": "table.new(position.top_left, 1, 1)",
    }[kind]
    source = f"""
type Holder
    {kind} d
is_gone({kind} x) => na(x)
var d = {made}
var elements = array.from(d)
var object = Holder.new(d)
if bar_index == 1
    {kind}.delete(d)
count(bool x) => x ? 1 : 0
plot(count(na(d)) + count(na(elements.get(0))) + count(na(object.d)) + count(is_gone(d)) + count(not na(d)) * 10)
"""
    assert values(source, [1.0] * 3) == [10, 4, 4]


def test_getters_of_a_trimmed_drawing_are_na_and_setters_change_nothing() -> None:
    source = """//@version=6
indicator("x", max_labels_count = 1)
var all = array.new<label>()
all.push(label.new(bar_index, 7, "a"))
first = all.get(0)
first.set_y(8)
first.set_size(size.huge)
first.set_text("b")
plot(first.get_y())
plot(first.get_text() == "b" ? 1 : 0)
plot(na(first.copy()) ? 1 : 0)
"""
    y, text, copied = (plot.values for plot in run(source, [1.0] * 5).plots)
    assert [str(value) for value in y] == ["8.0"] * 3 + ["nan"] * 2
    assert (text, copied) == ([1, 1, 1, 0, 0], [0, 0, 0, 1, 1])


def test_what_an_update_trimmed_is_there_again_for_the_next_update() -> None:
    source = """//@version=6
indicator("x", max_labels_count = 1)
var first = array.from(label.new(bar_index, 5))
if bar_index < 5 or close > 50
    label.new(bar_index, close)
plot(label.all.size())
plot(nz(first.get(0).get_y(), -1))
"""
    runtime = runtime_of(source, [1.0] * 7)
    runtime.run()
    time = runtime.chart.bars.time[-1] + 900_000
    seen: list[tuple[float, float]] = []
    for close in (99.0, 1.0, 99.0):
        result = runtime.update(time, (1.0, 99.0, 1.0, close, 1.0))
        seen.append((result.plots[0].values[-1], result.plots[1].values[-1]))
    assert seen == [(1, -1), (6, 5), (1, -1)]


@pytest.mark.parametrize("declared", ["label x = na", "var label x = na", "var x = label(na)"])
def test_a_variable_that_never_holds_a_drawing_is_na(declared: str) -> None:
    assert values(f"{declared}\nx.set_y(3)\nplot(na(x) and na(x.get_y()) ? 1 : 0)", [1.0]) == [1]


def test_changing_and_deleting() -> None:
    source = """
var l = line.new(bar_index, close, bar_index, close)
l.set_xy2(bar_index, close)
l.set_color(color.red)
if bar_index == 1
    b = box.new(0, 2, 1, 1)
    b.delete()
    b.set_top(7)
"""
    [line] = drawn(source, "line")
    assert (line["x2"], line["y2"], line["color"]) == (2, 3, 0xF23645FF)
    assert drawn(source, "box") == []


def test_points_place_by_bar_or_by_time() -> None:
    source = """
p = chart.point.new(time, bar_index, close)
if barstate.islast
    line.new(p, chart.point.from_index(5, 10.0))
    label.new(chart.point.now(high), "x", xloc = xloc.bar_time)
"""
    [line] = drawn(source, "line")
    assert (line["x1"], line["y1"], line["x2"], line["y2"]) == (2, 3, 5, 10)
    [label] = drawn(source, "label")
    assert label["x"] > 1_700_000_000_000


def test_a_polyline_of_na_has_no_points() -> None:
    source = "var p = polyline.new(na)\nif bar_index == 1\n    p.delete()\nplot(polyline.all.size())"
    assert values(source, [1.0, 2.0]) == [1, 0]


def test_the_price_of_a_line() -> None:
    source = "var line l = line.new(0, 10, 10, 20)\nplot(line.get_price(l, 5))\nplot(line.get_y1(na))"
    assert values(source, [1.0]) == [15]
    with pytest.raises(RuntimeFault) as caught:
        run("l = line.new(time, 1, time, 2, xloc.bar_time)\nplot(l.get_price(0))")
    assert caught.value.code == "RE10119"


def test_a_box_deleted_through_history_is_na_there() -> None:
    source = """
b = box.new(bar_index, close, bar_index, close)
float r = na(b[1]) ? 0 : 1
box.delete(b[1])
plot(r + (na(b[1]) ? 10 : 0) + (na(box.get_top(b[3])) ? 100 : 0))
"""
    assert values(source)[-1] == 111


@pytest.mark.parametrize("call", ["line.new(bar_index, 1, bar_index + 501, 1)", "label.new(bar_index + 501, 1)"])
def test_too_far_ahead_stops_the_script(call: str) -> None:
    with pytest.raises(RuntimeFault) as caught:
        run(call, [1.0])
    assert caught.value.message == (
        "Error on bar 0: Objects positioned using xloc.bar_index cannot be drawn further than 500 bars into the future."
    )


def test_too_far_back_stops_the_script() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("line.new(-10001, 1, bar_index, 1)", [1.0])
    assert "of the `x1` argument (-10001) in `line.new()` is too far" in caught.value.message


def test_cells_of_a_table() -> None:
    source = """
var t = table.new(position.top_right, 2, 3)
if barstate.islast
    t.cell(0, 1, "a", bgcolor = color.red)
    t.cell_set_text(0, 1, "b")
    table.cell(t, 1, 2, "c")
    t.merge_cells(0, 0, 1, 0)
    t.clear(1, 2)
"""
    [table] = run(source).drawings["table"]
    assert isinstance(table, Table)
    assert {place: cell["text"] for place, cell in table.cells.items()} == {(0, 1): "b"}
    assert table.merged == [(0, 0, 1, 0)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("t.cell(2, 9, '')", "Column 2 is out of table bounds, number of columns is 2."),
        ("t.cell(0, 9, '')", "Row 9 is out of table bounds, number of rows is 3."),
        ("t.cell_set_text(-1, 0, '')", "Column -1 is out of table bounds, number of columns is 2."),
        ("t.merge_cells(1, 1, 0, 0)", "Start cell in [1, 1] cannot be below or to the right of the end cell [0, 0]."),
    ],
)
def test_a_place_outside_a_table_stops_the_script(call: str, message: str) -> None:
    with pytest.raises(RuntimeFault) as caught:
        run(f"t = table.new(position.top_left, 2, 3)\n{call}", [1.0])
    assert caught.value.message == f"Error on bar 0: {message}"


def test_a_negative_size_stops_the_script() -> None:
    with pytest.raises(RuntimeFault) as caught:
        run("l = label.new(0, 1)\nl.set_size(-1)", [1.0])
    assert caught.value.message.endswith(
        "Invalid value of the 'size' argument (-1) in the 'label.set_size' function. It must be >= 0."
    )


def test_a_second_fill_between_two_lines_replaces_the_first() -> None:
    source = """
var a = line.new(0, 1, 1, 1)
var b = line.new(0, 2, 1, 2)
if barstate.islast
    linefill.new(a, b, color.red)
    linefill.new(b, a, color.blue)
"""
    [fill] = drawn(source, "linefill")
    assert fill["color"] == 0x2962FFFF
