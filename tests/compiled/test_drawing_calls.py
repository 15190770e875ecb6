"""Drawings, alerts, logs and texts of machine code: they are made again after the run, and are the Python tier's."""

from __future__ import annotations

import pytest

from pinebench.compiled.outcomes import TOO_MANY_DRAWINGS
from pinebench.runtime.drawings import registry
from pinebench.workers.jobs import perform
from tests.compiled.random_shown import shown_script
from tests.compiled.same import both, compare, compiled, request
from tests.compiled.scripts import SCRIPTS


@pytest.mark.parametrize("seed", [0, 1, 2, 5, 6])
def test_random_scripts_that_show_something_are_the_same_on_both_tiers(seed: int) -> None:
    both(shown_script(seed))


HELD = SCRIPTS["drawings that are held"]


def test_a_drawing_that_a_variable_holds_stays_when_there_are_too_many() -> None:
    ran = both(HELD)
    first = [drawing.state()["x1"] for drawing in ran.result.drawings["line"]]
    assert first[:2] == [0, 0]


def test_a_text_that_grows_on_each_bar_is_put_together_after_the_run() -> None:
    source = 'indicator("")\nvar string all = ""\nall += str.tostring(bar_index) + ";"\nplot(close)\n'
    ran = both(source + "if barstate.islast\n    label.new(bar_index, high, all)")
    [label] = ran.result.drawings["label"]
    assert label.state()["text"].startswith("0;1;2;")


CELLS = SCRIPTS["cells"]


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


READ = SCRIPTS["drawings that are read"]


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


def test_a_field_of_na_stops_the_script() -> None:
    given = request('indicator("")\ntype T\n    float x\nT t = na\nif bar_index > 3\n    t.x := 1\nplot(close)')
    made = compiled(given)
    assert made.columns(given.bars, {}) is None
    assert made.run(given.bars, {}).result.error is not None


SETTLED = SCRIPTS["settled texts"]


def test_texts_that_are_the_same_on_all_bars_are_put_together_before_the_run() -> None:
    both(SETTLED)
    both(SETTLED, {"Name": "xyzc"})
    given = request(SETTLED)
    assert compiled(given).run(given.bars, {"Name": "x"}).result.error is not None


def test_the_price_of_a_line_that_is_placed_by_time_stops_the_script() -> None:
    source = 'indicator("")\nvar l = line.new(time, 1, time + 1, 2, xloc.bar_time)\nplot(l.get_price(bar_index))'
    given = request(source)
    assert perform(given).result.error is not None
    assert compiled(given).columns(given.bars, {}) is None


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
