"""Scripts run for the chart in workers: what comes of them, what is kept, what is stopped."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.calendars.timeframes import Timeframe
from pinebench.market.samples import find
from pinebench.runtime.guard import RunBudget
from pinebench.studio import script_runs
from pinebench.studio.bars import StudioBars
from pinebench.studio.indicators import indicators_json
from pinebench.studio.outcome import page
from pinebench.studio.script_runs import Runs
from pinebench.workers.request import Request
from tests.sample import symbol as sample_symbol
from tests.tradingview.support import until

DAY = Timeframe(1, "D")
HEAD = '//@version=6\nindicator("x")\n'


@pytest.fixture(scope="module")
def runs() -> Runs:
    """Runs of the module's own, which stop a script soon."""
    return Runs(RunBudget(seconds=1, bar_seconds=1))


def run(runs: Runs, text: str, until: int | None = None, **inputs: Any) -> dict[str, Any]:
    chart = StudioBars().chart(sample_symbol("AAPL"), DAY, 100, until)
    return json.loads(runs.run(text, chart, inputs, {}, ("AAPL", until)))


def by_python(request: Request, shown: int) -> bytes:
    """The same on the Python tier; a worker calls this."""
    return page(replace(request, tier="python"), shown)


def test_outputs_and_drawings_come_with_the_bars_that_they_belong_to(runs: Runs) -> None:
    told = run(
        runs,
        HEAD + 'plot(close, "C", close > open ? color.green : color.red)\nif barstate.islast\n'
        '    label.new(bar_index, close, "end")\n',
    )
    assert (len(told["times"]), told["error"]) == (100, None)
    (plot,) = told["outputs"]
    assert plot["settings"]["title"] == "C"
    assert {len(column) for column in plot["columns"].values()} == {100}
    assert set(plot["columns"]["color"]) == {0x4CAF50FF, 0xF23645FF}
    assert [label["text"] for label in told["drawings"]["label"]] == ["end"]


def test_a_run_tells_which_tier_ran_it_and_why(runs: Runs) -> None:
    assert run(runs, HEAD + "plot(close)\n")["tier"] == {"name": "python", "reason": "the work is small"}


def test_many_bars_run_as_machine_code_with_the_results_of_python() -> None:
    runs = Runs()
    text = '//@version=6\nstrategy("x")\nif bar_index % 9 == 0\n    strategy.entry("L", strategy.long)\nplot(close)\n'
    chart = StudioBars().chart(sample_symbol("AAPL"), Timeframe(1, ""), 100_000)
    many = json.loads(runs.run(text, chart, {}, {}, ("many",), shown=50))
    assert many.pop("tier") == {"name": "compiled", "reason": "the work has many bars"}
    python = json.loads(runs.ask(by_python, {"shown": 50}, text, chart, {}, {}, ("many",)))
    assert python.pop("tier")["name"] == "python"
    assert many == python and many["tested"]["trades"]


def test_inputs_and_the_end_of_the_bars_change_what_comes(runs: Runs) -> None:
    text = HEAD + "plot(bar_index * input.int(1))\n"
    whole = run(runs, text)
    assert whole["outputs"][0]["columns"]["series"][-1] == 99
    assert run(runs, text, in_0=3)["outputs"][0]["columns"]["series"][-1] == 297
    shorter = run(runs, text, until=whole["times"][49])
    assert shorter["times"] == whole["times"][:50]


def test_the_same_run_is_kept(runs: Runs) -> None:
    text = HEAD + "plot(close)\n"
    chart = StudioBars().chart(sample_symbol("AAPL"), DAY, 10)
    first = runs.run(text, chart, {}, {}, ("kept",))
    assert runs.run(text, chart, {}, {}, ("kept",)) is first


def test_a_runtime_error_is_told_with_its_line_and_without_values(runs: Runs) -> None:
    told = run(runs, HEAD + 'plot(close)\nif bar_index == 3\n    runtime.error("no")\n')
    assert (told["error"]["message"], told["error"]["line"]) == ("Error on bar 3: no", 5)
    assert told["outputs"][0]["columns"]["series"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "plot(zzz)\n", "does not compile"),
        ('//@version=5\nindicator("x")\nplot(close)\n', "only v6"),
        (HEAD + 'plot(request.security("NASDAQ:NOPE", "D", close))\n', "NOPE"),
        ("", "only v6"),
    ],
)
def test_what_is_not_computed_is_refused_with_the_reason(runs: Runs, text: str, words: str) -> None:
    told = run(runs, text)
    assert "outputs" not in told
    assert words in f"{told['refused']} {told['hint']}"


def test_other_sample_symbols_can_be_asked_for(runs: Runs) -> None:
    told = run(runs, HEAD + 'plot(request.security("NASDAQ:MSFT", "D", close))\n')
    msft = find("MSFT")
    assert msft is not None
    assert told["outputs"][0]["columns"]["series"] == StudioBars().chart(msft, DAY, 100).bars.close


def test_a_script_that_never_ends_is_stopped_and_the_next_one_runs(runs: Runs) -> None:
    endless = run(runs, HEAD + "int n = 0\nwhile true\n    n += 1\nplot(n)\n")
    assert endless["error"]["code"] == "RE10022", endless["error"]
    assert run(runs, HEAD + "plot(close)\n")["error"] is None


def test_a_long_loop_is_told_with_the_time_that_it_was_given() -> None:
    long = run(
        Runs(RunBudget(seconds=20, bar_seconds=0.2)), HEAD + "n = 0\nfor i = 0 to 999999999\n    n += 1\nplot(n)\n"
    )
    assert long["error"]["code"] == "bar-time-limit" and "own limit is 0.2 s a bar" in long["error"]["message"]


def test_of_many_logs_the_last_are_told(runs: Runs) -> None:
    told = run(runs, HEAD + "for i = 1 to 200\n    log.info(str.tostring(bar_index * 1000 + i))\nplot(close)\n")
    assert (len(told["logs"]), told["logs"][-1]["message"]) == (10_000, "99200")


def test_a_run_is_given_up_when_the_same_study_runs_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_runs, "_PATIENCE", 0)
    runs = Runs()
    chart = StudioBars().chart(sample_symbol("AAPL"), DAY, 10)
    long = HEAD + "int n = 0\nwhile n < 1000000000\n    n += 1\nplot(n)\n"
    with ThreadPoolExecutor(1) as pool:
        older = pool.submit(runs.run, long, chart, {}, {}, ("older",), "study")
        until(lambda: "study" in runs._busy)
        assert json.loads(runs.run(HEAD + "plot(1)\n", chart, {}, {}, ("newer",), "study"))["error"] is None
        assert "was stopped, because the same study" in json.loads(older.result())["refused"]
    assert runs._busy == {}


def test_every_indicator_that_the_page_offers_runs_and_takes_its_inputs(runs: Runs) -> None:
    names: list[str] = []
    for one in json.loads(indicators_json()):
        meta = one["metaInfo"]
        names += {name.lower() for name in (meta["description"], meta["shortDescription"], *one["also"])}
        given = {each["id"]: each["defval"] for each in one["inputs"]}
        told = run(runs, one["source"], **given)
        assert told.get("error", told.get("refused")) is None, (one["source"], told)
        plots = [output["columns"]["series"] for output in told["outputs"] if output["function"] == "plot"]
        assert any(plot[-1] is not None for plot in plots), one["source"]
    assert len({*names}) == len(names), "two indicators have the same name"
    volume = next(one for one in json.loads(indicators_json()) if one["metaInfo"]["description"] == "Volume")
    assert [each["id"] for each in volume["inputs"]] == ["length"]


ROOT = Path(__file__).resolve().parents[2]
BROUGHT = {
    path.stem: path for folder in ("templates", "samples") for path in sorted((ROOT / "pine" / folder).glob("*.pine"))
}


def first_visit(name: str) -> None:
    """A script that comes with pinebench draws on the chart of a first visit, or says what it needs and offers it."""
    chart, shown = StudioBars().whole(sample_symbol("AAPL"), DAY, 500)
    told = json.loads(Runs().run(BROUGHT[name].read_text(encoding="utf-8"), chart, {}, {}, (), shown=shown))
    if "refused" in told:
        assert told["line"] is not None, "the page offers to go there"
        return
    if told["error"] is not None:
        assert told["error"]["offer"] == "interval"
        return
    values = [value for output in told["outputs"] for column in output["columns"].values() for value in column]
    assert any(value not in (None, False) for value in values) or any(told["drawings"].values())


@pytest.mark.parametrize("name", ["ema_ribbon", "session_levels", "opening_range_breakout", "library_user"])
def test_a_script_that_comes_along_draws_or_offers_what_it_needs(name: str) -> None:
    first_visit(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", BROUGHT)
def test_every_script_that_comes_along_draws_or_offers_what_it_needs(name: str) -> None:
    first_visit(name)


def test_another_interval_is_offered_only_where_a_script_asked_for_it(runs: Runs) -> None:
    stop = 'runtime.error("no")\nplot(close)\n'
    asked = run(runs, HEAD + "if timeframe.isdaily\n    " + stop)
    assert asked["error"]["offer"] == "interval"
    assert "offer" not in run(runs, HEAD + "if close > 0\n    " + stop)["error"]
    later = run(runs, HEAD + "if timeframe.isdaily and bar_index == 50\n    " + stop)
    assert "offer" not in later["error"], "it ran on these bars for a while"
