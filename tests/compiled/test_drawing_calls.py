"""Drawings, alerts, logs and texts of machine code: they are made again after the run, and are the Python tier's."""

from __future__ import annotations

import pytest

from pinebench.compiled.outcomes import TOO_MANY_DRAWINGS
from pinebench.runtime.drawings import registry
from pinebench.workers.jobs import perform
from tests.compiled.random_shown import shown_script
from tests.compiled.same import both, compare, compiled, request


@pytest.mark.parametrize("seed", [0, 1, 2, 5, 6])
def test_random_scripts_that_show_something_are_the_same_on_both_tiers(seed: int) -> None:
    both(shown_script(seed))


HELD = """indicator("Held", max_lines_count = 3)
var line first = line.new(bar_index, low, bar_index, high)
var line second = na
keep(float y) =>
    var line own = line.new(bar_index, y, bar_index, y)
    own
if bar_index % 40 == 7
    second := line.new(bar_index, close, bar_index, close)
line.new(bar_index, open, bar_index, close)
a = keep(high)
plot(close)
"""


def test_a_drawing_that_a_variable_holds_stays_when_there_are_too_many() -> None:
    ran = both(HELD)
    first = [drawing.state()["x1"] for drawing in ran.result.drawings["line"]]
    assert first[:2] == [0, 0]


def test_a_text_that_grows_on_each_bar_is_put_together_after_the_run() -> None:
    source = 'indicator("")\nvar string all = ""\nall += str.tostring(bar_index) + ";"\nplot(close)\n'
    ran = both(source + "if barstate.islast\n    label.new(bar_index, high, all)")
    [label] = ran.result.drawings["label"]
    assert label.state()["text"].startswith("0;1;2;")


CELLS = """indicator("Cells")
var table board = table.new(position.top_right, 6, 6)
var table other = table.new(position.top_left, 2, 2)
for column = 0 to 5
    for row = 0 to 5
        if (column + row + bar_index) % 3 != 0
            table.cell(board, column, row, str.tostring(close * column), bgcolor = close > open ? color.red : na)
if bar_index % 5 == 2
    table.cell_set_text(board, 5, 5, "set " + str.tostring(bar_index))
    table.cell(other, bar_index % 2, 0, "other")
if barstate.islast
    table.cell(na, 0, 0, "nowhere")
if bar_index > 1000
    table.cell(other, na, 0, "never")
plot(close)
"""


def test_a_cell_that_is_set_on_each_bar_is_made_twice_after_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first setting decides the order of the cells, and the last one what a cell shows."""
    expected = perform(request(CELLS))
    made: list[object] = []
    real = registry.Drawings.table_cell
    monkeypatch.setattr(registry.Drawings, "table_cell", lambda *given, **more: (made.append(1), real(*given, **more)))
    given = request(CELLS)
    ran = compiled(given).run_whole(given.bars, {})
    assert ran is not None and len(made) == 24 + 1 + 2 * (36 + 2), "24 calls are on the first bar, which Python runs"
    compare(ran, expected)
    cleared = CELLS + "if bar_index == 390\n    table.clear(board, 0, 0, 3, 3)\n"
    both(cleared)


def test_na_and_an_empty_text_are_told_apart() -> None:
    source = 'indicator("")\nlabel.new(bar_index, high, bar_index % 2 == 0 ? "" : na)\nplot(close)'
    texts = [label.state()["text"] for label in both(source).result.drawings["label"]]
    assert set(texts) == {"", None}


READ = """indicator("Read", max_lines_count = 4, max_labels_count = 3, max_boxes_count = 2)
var line first = line.new(bar_index, low, bar_index, high)
var line changing = na
var lines = array.new<line>()
var labels = array.new<label>()
keep(float y) =>
    var line own = line.new(bar_index, y, bar_index, y)
    own.set_y2(y)
    own
if bar_index % 40 == 7
    changing := line.new(bar_index, close, bar_index, close)
l = line.new(bar_index, open, bar_index, close)
lines.push(l)
if bar_index % 9 == 4
    line.delete(lines.get(lines.size() - 3))
lines.push(lines.get(math.max(lines.size() - 4, 0)).copy())
k = keep(high)
j = keep(low)
labels.push(label.new(bar_index, k.get_y2() - j.get_y1(), str.tostring(close)))
box b = box.new(bar_index, high, bar_index + 1, low)
count = 0
for each in lines
    count += na(each.get_y1()) ? 0 : 1
total = 0.0
for each in labels
    total += nz(each.get_y())
linefill.new(lines.get(math.max(lines.size() - 9, 0)), l, color.red)
plot(count)
plot(total)
plot(first.get_y1() + changing.get_y2() + b.get_top())
plot(nz(lines.get(math.max(lines.size() - 12, 0)).get_price(bar_index)))
"""


def test_a_drawing_that_is_deleted_because_there_are_too_many_reads_as_na() -> None:
    ran = both(READ)
    assert len(ran.result.drawings["line"]) < 12
    given = request(READ)
    columns = [output.columns["series"] for output in perform(given).result.outputs]
    assert repr(compiled(given).columns(given.bars, {})) == repr(columns)


def test_python_runs_a_script_with_too_many_drawings_if_a_history_holds_some() -> None:
    source = 'indicator("")\nl = line.new(bar_index, low, bar_index, high)\nvar lines = array.new<line>()\n'
    given = request(source + "lines.push(l[1])\nplot(lines.first().get_y1())")
    made = compiled(given)
    assert made.columns(given.bars, {}) is None
    assert made.run_whole(given.bars, {}) is None
    assert made.stopped == TOO_MANY_DRAWINGS
    compare(made.run(given.bars, {}), perform(given))


OBJECTS = """indicator("Objects")
type Inner
    float x = 1
type Outer
    Inner inner
    int[] many
    bool flag = true
    color shade = color.red
method double(Inner this) =>
    this.x *= 2
    this.x
var Outer o = Outer.new(Inner.new(), array.new<int>(1, 4))
if bar_index % 3 == 0
    o.inner.double()
    o.many.push(bar_index)
    o.flag := not o.flag
if bar_index % 50 == 0
    o := Outer.new(Inner.new(close), array.new<int>(), shade = close > open ? color.green : na)
copied = o.copy()
copied.flag := true
array<Outer> outers = array.from(o, copied)
outers.reverse()
plot(o.inner.x)
plot(o.many.size() + (o.flag ? 100 : 0) + (na(o.inner) ? 1000 : 0))
plot(outers.first().flag ? 1 : 0, color = o.shade)
plot(na(o[1]) ? 0 : (o[1]).inner.x)
"""


def test_objects_have_the_bits_of_the_python_tier() -> None:
    both(OBJECTS)


def test_a_field_of_na_stops_the_script() -> None:
    given = request('indicator("")\ntype T\n    float x\nT t = na\nif bar_index > 3\n    t.x := 1\nplot(close)')
    made = compiled(given)
    assert made.columns(given.bars, {}) is None
    assert made.run(given.bars, {}).result.error is not None


SETTLED = """indicator("Settled")
name = input.string("abc", "Name")
start = str.substring(name, 0, 2)
both = start + syminfo.ticker
parts = array.from("a", na, "", start)
shades = array.from(color.red, na)
var lines = array.new<line>(2, na)
lines.set(1, line.new(bar_index, low, bar_index, high))
plot(str.length(both) + str.pos(name, "c"))
plot(both == "ab" + syminfo.ticker ? 1 : 0)
plot(str.tonumber("1" + str.tostring(str.length(name))))
plot(parts.indexof(start) + 10 * parts.indexof("") + 100 * parts.lastindexof(na) + 1000 * parts.indexof("z"))
plot(shades.indexof(na) + 10 * shades.indexof(color.red) + (lines.includes(na) ? 100 : 0))
plot(lines.indexof(lines.last()))
label.new(bar_index, high, both + (close > open ? start : "none"))
digit = bar_index % 3
log.info(str.substring(name + "xyz", digit, digit + 1) + str.substring(name, na, na))
plot(hour(time[1], "America/New_York") + minute(time[3], syminfo.timezone))
"""


def test_texts_that_are_the_same_on_all_bars_are_put_together_before_the_run() -> None:
    both(SETTLED)
    both(SETTLED, {"Name": "xyzc"})
    given = request(SETTLED)
    assert compiled(given).run(given.bars, {"Name": "x"}).result.error is not None


TRADES = """strategy("Trades", pyramiding = 2)
if bar_index % 9 == 1
    strategy.entry(bar_index % 2 == 0 ? "A" : "B", strategy.long, comment = "in")
if bar_index % 9 == 5
    strategy.exit("X", profit = 5, loss = 5, comment_profit = "won", comment_loss = "lost")
if bar_index % 30 == 29
    strategy.cancel_all()
last = strategy.closedtrades - 1
plot(strategy.closedtrades.exit_comment(last) == "won" ? 1 : 0)
plot(strategy.closedtrades.entry_id(last) == "B" ? 1 : 0)
if strategy.opentrades > 0
    label.new(bar_index, high, strategy.opentrades.entry_comment(0) + "!")
"""


def test_the_texts_of_trades_are_read() -> None:
    both(TRADES)


EMPTY = """indicator("Empty")
var string last = ""
string made = na
if bar_index % 5 == 2
    last := last + (close > open ? "u" : "")
if bar_index % 3 == 1
    made := str.tostring(close) + na
plot(last == "" ? 1 : 0)
plot(na(last) ? 1 : 0)
plot("" != made ? 1 : 0)
plot(na(made) ? 1 : 0)
label.new(bar_index, high, made != "" ? made : last)
"""


def test_whether_a_text_is_empty_is_known() -> None:
    both(EMPTY)


def test_the_price_of_a_line_that_is_placed_by_time_stops_the_script() -> None:
    source = 'indicator("")\nvar l = line.new(time, 1, time + 1, 2, xloc.bar_time)\nplot(l.get_price(bar_index))'
    given = request(source)
    assert perform(given).result.error is not None
    assert compiled(given).columns(given.bars, {}) is None


def test_the_formatting_of_a_text_may_change() -> None:
    source = """indicator("")
form = close > open ? text.format_bold : text.format_none
var table t = table.new(position.top_left, 1, 1)
t.cell(0, 0, "a", text_formatting = form)
l = label.new(bar_index, high, "b", text_formatting = close > close[1] ? text.format_italic : form)
if bar_index % 3 == 0
    l.set_text_formatting(text.format_bold)
plot(close)
"""
    both(source)


def test_functions_draw_and_tell_in_the_order_of_their_calls() -> None:
    ran = both("""indicator("")
first(x) =>
    log.info("first")
    label.new(bar_index, x, "first")
    x
second(x) =>
    log.info("second")
    label.new(bar_index, x, "second")
    x
plot(first(close) + nz(second(open)))
""")
    assert [log.message for log in ran.result.logs[:2]] == ["first", "second"]


@pytest.mark.parametrize("last", ["2", "int(say(2))"])
def test_a_loop_asks_for_its_numbers_in_the_same_order_on_both_tiers(last: str) -> None:
    both(f"""indicator("")
say(float x) =>
    log.info(str.tostring(x))
    x
for i = int(say(0)) to {last} by int(say(1))
    log.info("round")
""")
