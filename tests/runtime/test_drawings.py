"""Drawings: made, changed and taken away, no more of them than the declaration lets stay, and where they may stand."""

from __future__ import annotations

from typing import Any

import pytest

from pinebench.runtime.drawings import Table
from pinebench.runtime.faults import RuntimeFault
from tests.runtime.running import run, values


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


def test_the_oldest_go_when_there_are_too_many() -> None:
    source = '//@version=6\nindicator("x", max_lines_count = 2)\nline.new(bar_index, close, bar_index + 1, close)'
    assert [line["x1"] for line in drawn(source, "line", (1.0, 2.0, 3.0, 4.0))] == [2, 3]


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


def test_the_price_of_a_line() -> None:
    source = "var line l = line.new(0, 10, 10, 20)\nplot(line.get_price(l, 5))\nplot(line.get_y1(na))"
    assert values(source, [1.0]) == [15]
    with pytest.raises(RuntimeFault) as caught:
        run("l = line.new(time, 1, time, 2, xloc.bar_time)\nplot(l.get_price(0))")
    assert caught.value.code == "RE10119"


def test_what_is_asked_of_na_changes_nothing() -> None:
    source = "line l = na\nl.set_x1(3)\nl.delete()\nplot(na(l.get_x1()) ? 1 : 0)"
    assert values(source, [1.0]) == [1]


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
        (
            "t.merge_cells(1, 1, 0, 0)",
            "Start cell in [1, 1] cannot be below or to the right of the end cell [0, 0].",
        ),
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
