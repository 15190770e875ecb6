"""The values that a run keeps: equal to those of a run that is not recorded, which the recording does not change."""

import gc
import os
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.errors import PinebenchError, UsageError
from pinebench.inspecting.frozen_values import plain, written
from pinebench.inspecting.recorded_run import record
from pinebench.inspecting.run_queries import Inspection, InspectionAnswer, inspect
from pinebench.inspecting.run_recording import NOT_RUN, RunRecording
from pinebench.market import SymbolInfo
from pinebench.runtime import Runtime
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.inspecting.checked import differences, request_of
from tests.runtime.running import HEAD, bars_of

TEMPLATES = sorted((Path(__file__).parents[2] / "pine" / "templates").glob("*.pine"))
BARS = bars_of([10.0, 11.0, 12.0, 11.0, 10.0, 9.0, 12.0, 13.0], minutes=60)
SYMBOL = SymbolInfo(timeframe="60")
BODY = """length = input.int(3, "Length")
scaled(x, n) =>
    total = 0.0
    for i = 0 to n
        total += x * i
    total
type Zone
    float top
    int touches = 0
var Zone zone = Zone.new(close)
var seen = array.new<float>()
mean = ta.sma(close, length)
both = scaled(close, 2) + scaled(open, 3)
if close > mean
    above = close - mean
    seen.push(above)
    zone.touches += 1
word = close > open ? "up" : "down"
plot(mean)
"""


def ask(body: str, **asked: Any) -> Inspection:
    return execute(Request(HEAD + body, BARS, SYMBOL), partial(inspect, **asked))


def by_name(told: Inspection) -> dict[str, list[InspectionAnswer]]:
    found: dict[str, list[InspectionAnswer]] = {}
    for answer in told.answers:
        found.setdefault(answer.name.name, []).append(answer)
    return found


def values(told: Inspection, name: str) -> list[Any]:
    """The values of a name at each of its places on the asked bar; `...` if its code did not run."""
    return [plain(answer.values[0].value) if answer.values[0].ran else ... for answer in by_name(told)[name]]


def test_every_name_has_its_value_at_the_close_of_the_bar() -> None:
    told = ask(BODY, bars=[6])
    assert values(told, "length") == [3]
    assert values(told, "mean") == [(10.0 + 9.0 + 12.0) / 3]
    assert values(told, "word") == ["up"]
    assert values(told, "above") == [12.0 - (10.0 + 9.0 + 12.0) / 3]
    assert values(ask(BODY, bars=[5]), "above") == [...]
    assert values(told, "zone") == [{"type": "Zone", "fields": {"top": 10.0, "touches": 2}}]
    assert values(told, "seen") == [[1.0, 12.0 - 31.0 / 3]]
    assert told.error is None and told.dropped == [] and told.bars == 8


COLORS = """type Mark
    color tint
    int size
tone = close > open ? color.red : color.new(color.blue, 50)
none = color(na)
tones = array.from(color.red, tone)
shades = map.new<string, color>()
shades.put("a", #00FF00)
var Mark mark = Mark.new(#010203, 255)
var box = label.new(0, 1.0, "x", color = #0A0B0C, textcolor = color.new(#FFFFFF, 100))
plot(close, color = tone)
"""


def test_a_colour_is_written_as_in_a_script() -> None:
    """It was a whole number: 1286557849."""
    told = ask(COLORS, bars=[5])
    assert values(told, "tone") == ["#2962FF80"] and values(told, "none") == [None]
    assert values(told, "tones") == [["#F23645", "#2962FF80"]]
    assert values(told, "shades") == [{"type": "map", "pairs": [["a", "#00FF00"]]}]
    assert values(told, "mark") == [{"type": "Mark", "fields": {"tint": "#010203", "size": 255}}]
    assert written(by_name(told)["mark"][0].values[0].value) == "Mark {tint: #010203, size: 255}"
    [drawn] = values(told, "box")
    assert (drawn["fields"]["color"], drawn["fields"]["textcolor"]) == ("#0A0B0C", "#FFFFFF00")
    changes = by_name(ask(COLORS, names=["tone"], changes=True))["tone"][0].changes
    assert {str(each.value) for each in changes} == {"#F23645", "#2962FF80"}


def test_names_of_functions_are_kept_for_each_call_site_and_loops_keep_the_last_value() -> None:
    told = ask(BODY, bars=[6], names=["total", "i", "n", "scaled(close, 2)"])
    found = by_name(told)
    assert [[site.text for site in each.name.site] for each in found["total"]] == [
        ["scaled(close, 2)"],
        ["scaled(open, 3)"],
    ]
    assert values(told, "total") == [12.0 * 3, 9.0 * 6]
    assert values(told, "i") == [2, 3]
    assert values(told, "n") == [2, 3]
    assert values(told, "scaled(close, 2)") == [36.0]


def test_a_call_with_several_results_is_kept_also_if_it_is_computed_ahead() -> None:
    body, name = "[middle, upper, lower] = ta.bb(close, 3, 2)\nplot(middle)\n", "ta.bb(close, 3, 2)"
    told = ask(body, names=[name], bars=[1, 6], changes=True)
    [call] = by_name(told)[name]
    assert [plain(each.value) for each in call.values] == [
        [None, None, None],
        [values(ask("x = ta.sma(close, 3)\nplot(x)\n", bars=[6]), "x")[0], *plain(call.values[1].value)[1:]],
    ]
    assert len(plain(call.values[1].value)) == 3 and written(call.values[1].value).startswith("[10.33333333, ")
    assert [each.bar for each in call.changes][:2] == [0, 2]


def test_changes_name_the_bars_on_which_a_value_changed() -> None:
    told = ask(BODY, names=["word", "zone"], changes=True)
    word, zone = by_name(told)["word"][0], by_name(told)["zone"][0]
    assert [(each.bar, each.value) for each in word.changes] == [(0, "down"), (1, "up"), (3, "down"), (6, "up")]
    assert [(each.bar, plain(each.value)["fields"]["touches"]) for each in zone.changes] == [
        (0, 0),
        (2, 1),
        (6, 2),
        (7, 3),
    ]
    assert zone.changed == 4


def test_drawings_know_the_calls_that_wrote_them() -> None:
    body = """move(line one) =>
    one.set_xy2(bar_index, close)
var one = line.new(0, close, 1, close)
if close > open
    move(one)
if barstate.islast
    one.delete()
"""
    told = ask(body, drawings=True)
    [drawn] = told.drawings
    assert (drawn.made.bar, drawn.made.lines) == (0, (5,))
    assert drawn.is_deleted
    assert [(each.bar, each.what, each.lines) for each in drawn.writes][-2:] == [
        (7, "line.set_xy2", (4, 7)),
        (7, "line.delete", (9,)),
    ]


def test_values_beyond_the_memory_are_dropped_and_it_is_said() -> None:
    source = (
        HEAD
        + "var all = array.new<float>()\nall.push(close * 1.5)\nx = close > open ? nz(x[1]) + 1 : 0\n".replace(
            "x = close > open ? nz(x[1]) + 1 : 0", "var x = 0.0\nx += close > open ? 1 : 0"
        )
    )
    request = request_of(source, 2000)
    told = inspect(request, bars=[10, 1999], memory=1 << 20)
    assert told.first > 0 and told.memory < 3 << 19  # the last part may be an eighth more
    assert told.dropped == [f"the values before bar {told.first} were dropped: all values need more than 1 MiB"]
    whole = inspect(request, bars=[1999])
    assert [each.values[-1].bar for each in told.answers] == [1999, 1999]
    assert [plain(each.values[-1].value) for each in told.answers] == [
        plain(each.values[0].value) for each in whole.answers
    ]


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("close * {n}", 8),
        ("str.format_time(time + {n}) + str.repeat('x', 200)", 200),
        ("ta.macd(close, 3, 5, {n})", 8 * 3 + 64 + 24 * 3),
    ],
)
def test_values_that_are_computed_in_advance_count_and_are_dropped_like_all_others(value: str, size: int) -> None:
    names = "[a{n}, b{n}, c{n}]" if "macd" in value else "a{n}"
    body = "".join(f"{names} = {value}\n".replace("{n}", str(n)) for n in range(2, 12))
    request = request_of(HEAD + body, 600)
    _, whole = record(request)
    assert whole.first == 0 and whole.size >= 600 * 10 * size
    _, cut = record(request, whole.size // 4)
    assert 0 < cut.first < 600 and cut.size <= whole.size // 4
    for one, other in zip(whole.names(), cut.names(), strict=True):
        assert [*whole.values(one, cut.first)] == [*cut.values(other)]
        with pytest.raises(IndexError):
            cut.value(other, cut.first - 1)


def test_long_collections_say_how_much_is_left_out() -> None:
    told = ask("var all = array.new<float>(2500, 1.0)\nplot(all.size())\n", names=["all"])
    [answer] = told.report()["names"]
    assert len(answer["values"][0]["value"]) == 1000 and answer["values"][0]["left_out"] == 1500
    assert written(told.answers[0].values[0].value).startswith("array of 2500: [1, 1, ")


@pytest.mark.parametrize(
    ("value", "left_out", "words"),
    [
        ("matrix.new<float>(1, 2000, 1)", 1000, "matrix of 1 x 2000: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …]]"),
        ("matrix.new<float>(600, 2, 1)", 200, f"matrix of 600 x 2: [{'[1, 1], ' * 10}…]"),
        ("matrix.new<float>(3, 0)", None, "matrix of 3 x 0: [[], [], []]"),
        ("matrix.new<Row>(1, 2, Row.new(array.new<float>(900, 1)))", 806, None),
        ("matrix.new<Row>(1, 1, Row.new(na, matrix.new<float>(3, 500, 1)))", 503, None),
    ],
)
def test_a_matrix_has_its_size_and_says_how_much_is_left_out(
    value: str, left_out: int | None, words: str | None
) -> None:
    told = ask(f"type Row\n    array<float> all\n    matrix<float> grid\nvar grid = {value}\nplot(0)\n", names=["grid"])
    [answer] = told.report()["names"]
    assert answer["values"][0].get("left_out") == left_out
    assert words is None or written(told.answers[0].values[0].value) == words


def test_a_name_that_is_type_does_not_hide_the_type_of_a_map_or_an_object() -> None:
    body = "type Pair\n    int type = 3\nvar pair = Pair.new()\nvar flags = map.new<bool, int>()\nflags.put(true, 1)\n"
    body += 'var counts = map.new<string, int>()\ncounts.put("type", 7)\nplot(close)\n'
    told = ask(body)
    assert values(told, "pair") == [{"type": "Pair", "fields": {"type": 3}}]
    assert values(told, "counts") == [{"type": "map", "pairs": [["type", 7]]}]
    assert values(told, "flags") == [{"type": "map", "pairs": [[True, 1]]}]


def test_an_unknown_name_is_refused_with_a_near_one() -> None:
    with pytest.raises(UsageError, match="no name 'lenght'") as refused:
        ask(BODY, names=["lenght"])
    assert refused.value.hint == "did you mean length?"


def test_a_script_that_stops_keeps_the_values_until_then() -> None:
    told = ask('x = close * 2\nif bar_index == 3\n    runtime.error("no")\nplot(x)\n', bars=[2, 5])
    assert told.error is not None and told.bars == 3
    assert [(each.bar, each.value) for each in told.answers[0].values] == [(2, 24.0)]


def test_a_bar_that_runs_again_has_its_last_values() -> None:
    recording = RunRecording()
    source = HEAD + "varip ticks = 0\nticks += 1\nvar closes = array.new<float>()\ncloses.push(close)\nx = close * 2\n"
    runtime = Runtime(open_program(source + "plot(x)\n"), bars_of([1.0, 2.0]), SYMBOL, recorder=recording)
    runtime.run()
    time = runtime.chart.bars.time[-1] + 900_000
    for close in (3.0, 4.0, 5.0):
        runtime.update(time, (3.0, 5.0, 3.0, close, 1.0), closed=close == 5.0)
    names = {name.name: name for name in recording.names()}
    assert [recording.value(names["x"], bar) for bar in range(3)] == [2.0, 4.0, 10.0]
    assert plain(recording.value(names["closes"], 2)) == [1.0, 2.0, 5.0]
    assert recording.value(names["ticks"], 2) == 5
    assert recording.bars == 3


def test_a_branch_that_did_not_run_has_no_value_of_an_earlier_bar() -> None:
    _, recording = record(
        request_of(
            HEAD + "if bar_index % 2 == 0\n    odd = close\n    plot_ = odd[1]\n    log.info(str.tostring(plot_))\n", 20
        )
    )
    names = {name.name: name for name in recording.names()}
    assert recording.value(names["odd"], 4) is not NOT_RUN
    assert recording.value(names["odd"], 5) is NOT_RUN
    assert recording.value(names["plot_"], 5) is NOT_RUN


def scripts() -> list[Path]:
    """Our own templates, or the scripts below the folder that PINEBENCH_CORPUS names."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    return sorted(Path(folder).rglob("*.pine")) if folder else TEMPLATES


@pytest.mark.parametrize("path", TEMPLATES[::9], ids=lambda path: path.stem)
def test_recorded_values_are_those_of_an_ordinary_run(path: Path) -> None:
    assert list(differences(path.read_text("utf-8"), Random(1), 150)) == []


@pytest.mark.soak
def test_recorded_values_of_300_scripts_are_those_of_ordinary_runs() -> None:
    random = Random(35)
    paths = scripts()
    random.shuffle(paths)
    checked = 0
    wrong: dict[str, list[str]] = {}
    for path in paths:
        if checked == 300:
            break
        try:
            found = list(differences(path.read_text("utf-8"), random, 300))
        except PinebenchError:  # it does not compile, or needs something that is not computed
            continue
        if found:
            wrong[path.name] = found
        checked += 1
    assert wrong == {}
    assert checked == min(300, len(paths)) or not os.environ.get("PINEBENCH_CORPUS")


def test_names_of_a_library_are_kept_without_a_line_of_the_script(tmp_path: Path) -> None:
    folder = tmp_path / "someone" / "Tools"
    folder.mkdir(parents=True)
    library = '//@version=6\nlibrary("Tools")\nexport twice(float x) =>\n    both = x + x\n    both\n'
    (folder / "1.pine").write_text(library, "utf-8")
    source = HEAD + "import someone/Tools/1 as tools\ny = tools.twice(close)\nplot(y)\n"
    told = execute(
        Request(source, BARS, SYMBOL, libraries=(str(tmp_path),)), partial(inspect, bars=[2], names=["both", "y"])
    )
    found = by_name(told)
    assert values(told, "both") == values(told, "y") == [24.0]
    assert (found["both"][0].name.line, found["y"][0].name.line) == (0, 4)
    assert [(site.line, site.text) for site in found["both"][0].name.site] == [(4, "tools.twice(close)")]


def test_the_results_of_a_function_with_several_are_told_in_its_call() -> None:
    told = ask("[line, signal, _] = ta.macd(close, 2, 3, 2)\nplot(line - signal)\n", bars=[7], calls=True)
    (call,) = by_name(told)["ta.macd(close, 2, 3, 2)"]
    value = call.report()["values"][0]["value"]
    assert isinstance(value, list)
    assert value[0] == by_name(told)["line"][0].values[0].value


def test_changes_of_some_bars_and_since_when_a_value_is_as_it_is() -> None:
    _, recording = record(Request(HEAD + BODY, BARS, SYMBOL))
    word = next(name for name in recording.names() if name.name == "word")
    whole = [(bar, recording.value(word, bar)) for bar in range(recording.bars)]
    for first in range(recording.bars):
        for last in range(first, recording.bars):
            told = dict(recording.changes(word, first, last))
            for bar, value in whole[first : last + 1]:
                assert told[max(each for each in told if each <= bar)] == value
    for bar, value in whole:
        same = bar
        while same and whole[same - 1][1] == value:
            same -= 1
        assert recording.since(word, bar, 100) == same
        assert recording.since(word, bar, bar - same) == same
        assert bar == same or recording.since(word, bar, bar - same - 1) is None


@pytest.mark.soak
def test_a_recorded_run_takes_less_than_three_times_as_long() -> None:
    """Of single scripts `benchmarks/inspecting.py` tells it; here, other programs run at the same time."""
    spent: list[tuple[float, float]] = []
    for path in [*TEMPLATES, *sorted((TEMPLATES[0].parents[1] / "samples").glob("*.pine"))]:
        try:
            request = request_of(path.read_text("utf-8"), 1000)
            perform(request)
            plain, kept = partial(perform, request), partial(record, request)
            spent.append((min(_seconds(plain), _seconds(plain)), min(_seconds(kept), _seconds(kept))))
        except PinebenchError:  # it needs something that is not computed
            continue
    assert len(spent) > 20
    assert median(kept / plain for plain, kept in spent) < 3
    assert sum(kept for _, kept in spent) < 3 * sum(plain for plain, _ in spent)


def _seconds(run: Any) -> float:
    gc.collect()
    begin = process_time()
    run()
    return process_time() - begin
