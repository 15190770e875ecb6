"""The faces of a profile: text, JSON, speedscope, the page; the weights; the advice; what editors keep."""

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.market import SymbolInfo
from pinebench.printable import printable
from pinebench.profiling import page, report
from pinebench.profiling.full_profile import ScriptProfile, profiled
from pinebench.profiling.kept import keep, kept
from pinebench.profiling.measurement import FunctionCost, LineCost, Profile, Stack
from pinebench.profiling.speed_advice import advice, rewrites_of
from pinebench.profiling.weights import weights
from pinebench.workers.request import Request
from tests.runtime.running import HEAD, bars_of

BARS = bars_of([100 + 10 * ((k * 7) % 13) / 13 + k / 50 for k in range(120)], minutes=60)
FEW = BARS.at(range(20))
SYMBOL = SymbolInfo(timeframe="60")
TOLD = Profile(
    bars=10,
    whole=0.010,
    slowed=0.015,
    lines=[LineCost(1, 0.0, 10), LineCost(2, 0.006, 20)],
    functions=[FunctionCost("main", 1, 0.004, 0.009), FunctionCost("f", 20, 0.005, 0.005)],
    stacks=[Stack(("main",), 2, 0.003), Stack(("main", "f"), 2, 0.003), Stack(("main", "the runtime"), 0, 0.003)],
    runtime=0.003,
    broker=0.001,
    file_lines=["//@version=6", 'f() => "</script>"'],
)


def test_the_text_has_the_costliest_lines_first() -> None:
    lines = report.as_text(TOLD, [], [], printable).splitlines()
    assert lines[0] == "the run of 10 bars took 10 ms without measurement; all costs add up to 10 ms"
    assert lines[3].split(None, 3) == ["6.00", "60.0", "20", '2: f() => "</script>"']
    assert "      5.00       5.00        20  f" in lines


def test_json_has_milliseconds() -> None:
    told = report.report(TOLD, [], [])
    assert told["whole_ms"] == 10 and told["lines"][1] == {"line": 2, "ms": 6, "runs": 20, "text": 'f() => "</script>"'}
    json.dumps(told)


def test_speedscope_has_what_its_schema_asks_for() -> None:
    told = report.speedscope(TOLD, "my.pine")
    (one,) = told["profiles"]
    assert told["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert one["type"] == "sampled" and one["unit"] == "milliseconds" and len(one["samples"]) == len(one["weights"])
    frames = told["shared"]["frames"]
    assert all(0 <= index < len(frames) for sample in one["samples"] for index in sample)
    assert one["endValue"] == pytest.approx(9) == pytest.approx(sum(one["weights"]))
    assert {"name": '2: f() => "</script>"', "file": "my.pine", "line": 2} in frames


@pytest.mark.soak
def test_speedscope_accepts_the_file(tmp_path: Path) -> None:
    """The schema is the one that speedscope publishes in its npm package."""
    jsonschema = pytest.importorskip("jsonschema")
    subprocess.run(["npm", "pack", "--silent", "speedscope@1.25.0"], cwd=tmp_path, check=True, timeout=300)
    [packed] = tmp_path.glob("*.tgz")
    with tarfile.open(packed) as archive:
        published = archive.extractfile("package/dist/release/file-format-schema.json")
        assert published is not None
        schema = json.load(published)
    made = profiled(Request(HEAD + "f(x) =>\n    x * close\nplot(f(2))\n", BARS, SYMBOL), repeats=1).profile
    for told in (TOLD, made):
        jsonschema.validate(report.speedscope(told, "my.pine"), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report.speedscope(TOLD, "my.pine") | {"profiles": [{"type": "sampled"}]}, schema)


def test_the_page_needs_no_other_files_and_no_text_ends_its_script() -> None:
    made = page.page(ScriptProfile(TOLD, [], []), "<my>.pine")
    assert made.count("</script") == 2 and "<link" not in made and "https:" not in made
    tree = page.tree(TOLD)
    assert tree["ms"] == pytest.approx(9) and tree["below"][0]["label"] == "main"
    assert [one["label"] for one in tree["below"][0]["below"]].count("f") == 1


def test_the_tree_of_the_page_is_as_wide_as_its_parts() -> None:
    def check(node: dict[str, Any]) -> None:
        assert node["ms"] >= sum(one["ms"] for one in node["below"]) - 1e-9
        for one in node["below"]:
            check(one)

    check(page.tree(TOLD))


def test_weights_against_the_limits_of_tradingview() -> None:
    source = (
        '//@version=6\nindicator("x", max_labels_count = 300)\n'
        'a = request.security(syminfo.tickerid, "D", close)\nif barstate.islast\n    label.new(bar_index, high[20])\n'
        "back = bar_index % 7\nfor k = 0 to 9\n    a += k\nplot(a[back])\n"
    )
    measured = Profile(10, 1.0, 1.0, [LineCost(8, 0.1, 100)], [], [], 0.0, 0.0)
    found = {one.name: (one.count, one.limit, one.lines) for one in weights(open_program(source), measured)}
    del found["tokens of the source"]
    assert found == {
        "plots": (1, 64, [9]),
        "calls of request.*": (1, 40, [3]),
        "labels that stay": (300, 500, [5]),
        "iterations per bar of the loop on line 7": (10.0, None, [7]),
        "bars that [] looks back": (20, 5000, [5]),
        "[] with an offset that is only known during a run": (1, None, [9]),
        "global variables": (2, 1000, []),
    }


def advised(body: str, line: int) -> list[str]:
    """The rewrites that are tried for a script whose time is all on one line, and that give equal results."""
    request = Request(HEAD + body, FEW, SYMBOL)
    told = Profile(len(FEW), 1.0, 1.0, [LineCost(line, 1.0, 1)], [], [], 0.0, 0.0)
    return [one.source.removeprefix(HEAD) for one in advice(request, told)]


def test_a_call_in_a_loop_that_gives_the_same_is_tried_before_it() -> None:
    body = "t = 0.0\nfor k = 0 to 400\n    t += math.pow(close, 1.5) * math.pow(high, 2.5) + k\nplot(t)\n"
    found = advised(body, 5)
    changed = "known = math.pow(close, 1.5)\nfor k = 0 to 400\n    t += known * math.pow(high, 2.5) + k\n"
    assert all(one == f"t = 0.0\n{changed}plot(t)\n" for one in found)


def test_what_changes_in_the_loop_or_gives_other_results_is_never_advised() -> None:
    changing = "t = 0.0\nfor k = 0 to 300\n    t += math.pow(k, 1.5) + math.max(t, 1)\nplot(t)\n"
    assert advised(changing, 5) == []
    random = "t = 0.0\nfor k = 0 to 300\n    t += math.random(0, 1)\nplot(t)\n"
    assert advised(random, 5) == []
    state = (
        "var a = array.new<float>()\nfor k = 0 to 30\n    array.push(a, close)\n    a.set(0, array.max(a))\nplot(1)\n"
    )
    assert advised(state, 5) == []


def test_a_run_that_an_error_stopped_counts_the_bars_that_ran_and_has_the_lines_of_pine() -> None:
    loop = 'for i = 0 to 1\n    if bar_index == 3\n        runtime.error("x")\n'
    told = profiled(Request(f"{HEAD}// no end of a line: \u2028\n{loop}plot(close)\n", BARS, SYMBOL), repeats=1)
    text = report.as_text(told.profile, told.weights, told.advice, printable)
    assert text.startswith("the run of 4 bars, until an error, took ")
    values = report.report(told.profile, told.weights, told.advice)
    assert values["bars"] == 4 and "4 bars, until an error, in" in page.page(told, "a.pine")
    assert {one["line"]: one["text"] for one in values["lines"]}[7] == "plot(close)"
    [rounds] = [one.count for one in told.weights if one.name.startswith("iterations")]
    assert rounds == 1.75  # two on each of three bars, and one on the fourth


LIVE = "if barstate.isrealtime\n"


@pytest.mark.parametrize(
    "body",
    [
        f"var a = array.from(1.0)\nt = array.max(a)\n{LIVE}    a.push(close)\nr = array.max(a)\nplot(t + r)\n",
        "type P\n    float v = 1\nvar p = P.new()\nset() =>\n    p.v += barstate.isrealtime ? 1 : 0\n    p.v\n"
        "t = 0.0\nfor k = 0 to 30\n    set()\n    t += math.pow(p.v, 2)\nplot(t)\n",
        f"t = 0\n{LIVE}    t := 1\na = math.random(0, 1, 3) * t\nb = math.random(0, 1, 3) * t\nplot(a - b)\n",
        f"a = array.new<float>(3, 0)\nb = array.new<float>(3, 0)\n{LIVE}    a.push(1)\nplot(b.size())\n",
    ],
)
def test_what_differs_on_live_bars_only_is_not_tried(body: str) -> None:
    program = open_program(HEAD + body)
    assert not program.diagnostics and [*rewrites_of(program)] == []


def test_a_collection_that_nothing_changes_in_between_is_read_once() -> None:
    program = open_program(HEAD + "a = array.from(close, open)\nplot(array.max(a))\nplot(2 * array.max(a))\n")
    (found,) = rewrites_of(program)
    assert found.words == "array.max(a): compute it once, not 2 times"


def test_the_whole_answer_of_a_script() -> None:
    told = profiled(Request(HEAD + "plot(ta.sma(close, 3))\n", BARS, SYMBOL), repeats=1)
    assert told.weights and told.profile.bars == len(BARS)


def test_a_profile_is_kept_for_exactly_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    assert kept("plot(1)") is None
    keep("plot(1)", TOLD)
    told = kept("plot(1)")
    assert told is not None and told["lines"][1]["line"] == 2 and kept("plot(2)") is None
    for file in (tmp_path / "profiles").iterdir():
        file.write_text("{}")
    assert kept("plot(1)") is None


def test_a_rewrite_that_changes_only_a_background_is_not_advised() -> None:
    # In the loop, the sum gets each price many times a bar.
    body = "m = 0.0\nfor k = 0 to 400\n    m := ta.cum(close)\nbgcolor(m > 100000 ? color.red : na)\nplot(close)\n"
    assert advised(body, 5) == []
