"""Scripts that run along with the bars: slow ones are stopped, and late signals count when they appear."""

from collections.abc import Sequence

import pytest

from pinebench.calendars.timeframes import Timeframe
from pinebench.engine import scripts as running
from pinebench.engine import studies
from pinebench.engine.conditions import condition
from pinebench.engine.scripts import Scripts, ScriptStep
from pinebench.engine.studies import BarReading, Setup, StrategyFill, Study, StudyAnswer, StudyStep
from pinebench.indicators import asked, compute
from pinebench.indicators.channels import channels
from pinebench.market import Bars
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.engine.markets import info, walk


def study_of(given: object, minutes: int = 60) -> Study:
    found = condition(given, Timeframe(minutes, "")).study
    assert found is not None
    return found


def row(bars: Bars, at: int) -> studies.Row:
    return bars.time[at], bars.open[at], bars.high[at], bars.low[at], bars.close[at], bars.volume[at]


def step(key: str, study: Study, bars: Bars, at: int, first: int) -> StudyAnswer:
    setup = Setup(study, bars.at(range(at)), info()) if at == first else None
    (answer,) = studies.advance([StudyStep(key, setup, row(bars, at), bars.time[at - 1])])
    return answer


def test_a_signal_that_is_marked_late_counts_for_the_bar_on_which_it_appeared() -> None:
    bars, first, label = walk(700, 5), 300, "wt_bear_div"
    found = channels(compute(asked(["cipher_b"])[0], bars, info())).signals
    marks = sorted({each.x for each in found if each.label == label and each.x >= first})
    study = study_of({"indicator_signal": {"indicator": "cipher_b", "signal": label}})
    readings = [step("late", study, bars, at, first).reading for at in range(first, len(bars))]
    told = [at for at, reading in enumerate(readings, first) if reading is not None and label in reading.signals]
    assert len(marks) > 2
    assert told == [at + 2 for at in marks]


def test_a_slow_script_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "_SLOW", -1.0)
    bars, study = walk(60), study_of({"pine": "close > open"})
    errors = [answer.reading.error for at in range(50, 54) if (answer := step("slow", study, bars, at, 50)).reading]
    assert errors == ["", "", *["the script needs too much time on each bar"] * 2]


def test_a_fault_in_one_script_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    bars, good, bad = walk(60), study_of({"pine": "close > open"}), study_of({"pine": "close < open"})
    first = [
        StudyStep(key, Setup(study, bars.at(range(50)), info()), row(bars, 50), bars.time[49])
        for key, study in (("good", good), ("bad", bad))
    ]
    assert [answer.reading.error for answer in studies.advance(first) if answer.reading] == ["", ""]

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(studies._running["bad"].runtime, "advance", broken)
    told = studies.advance([StudyStep(key, None, row(bars, 51), bars.time[50]) for key in ("bad", "good")])
    errors = [answer.reading.error for answer in told if answer.reading is not None]
    assert errors == ["pinebench has a fault: ZeroDivisionError: division by zero", ""]


def test_a_script_that_does_not_run_is_asked_for_and_a_lost_worker_is_replaced() -> None:
    bars, study = walk(60), study_of({"pine": "close > open"})
    (unknown,) = studies.advance([StudyStep("nobody", None, row(bars, 50), bars.time[49])])
    assert unknown._replace(seconds=0.0) == StudyAnswer(False)
    scripts = Scripts()

    def ask(at: int) -> bool:
        asked_ = ScriptStep("one", lambda: Setup(study, bars.at(range(at)), info()), row(bars, at), bars.time[at - 1])
        (answer,) = scripts.advance([asked_])
        assert answer.reading is not None
        return bool(answer.reading.lines["condition"])

    told = []
    for at in range(50, 58):
        if at in (52, 55):
            worker = scripts._homes[""][0]._worker
            assert worker is not None
            worker.kill()
        told.append(ask(at))
    assert told == [bars.close[at] > bars.open[at] for at in range(50, 58)]
    scripts.keep(set())
    scripts.close()


OWN = """//@version=6
indicator("own", timeframe = "5", timeframe_gaps = GAPS)
plot(ta.ema(close, 3) + bar_index, "value")
alertcondition(close > open, "Up", "{{plot_0}}")
"""


@pytest.mark.parametrize("gaps", ["true", "false"])
def test_bars_that_come_one_by_one_give_an_indicator_of_a_longer_timeframe_the_values_of_the_whole_run(
    gaps: str,
) -> None:
    bars, study = walk(90), study_of({"script": {"pine": OWN.replace("GAPS", gaps)}}, 1)

    def read(key: str, at: int, first: int) -> studies.BarReading:
        found = step(key, study, bars, at, first).reading
        assert found is not None and found.error == ""
        return found

    request = Request(study.source, bars, info())
    whole = perform(request).result
    fired = {alert.bar: alert.message for alert in whole.alerts}
    for at in range(40, 90):
        grown = read("grown", at, 40)
        assert grown == read(f"anew {at}", at, at)._replace(signals=grown.signals), at
        if gaps == "true" or at % 5 == 4:
            value, expected = grown.lines["value"], whole.plots[0].values[at]
            assert value == expected or (value is None and expected != expected), at
            if gaps == "true":
                assert [text for _, text in grown.messages] == ([fired[at]] if at in fired else []), at


SECONDS: dict[str, tuple[list[float], list[int]]] = {
    "one that is slow": ([5.0], [0]),
    "one that is slow beside quick ones": ([0.1, 0.1, 4.0, 0.1], [2]),
    "many that are a little slow": ([0.5] * 8, [0, 1]),
    "many that are slow": ([2.5] * 20, [0, 1, 2, 3, *range(5, 20)]),
    "quick ones alone": ([0.05] * 50, []),
    "just as much as there is": ([3.0], []),
    "slow ones behind many quick ones": ([0.01] * 40 + [2.9, 2.9], [40, 41]),
    "the last one of several workers": ([0.02] * 30 + [3.5], [30]),
}
"""The processor time of each script of a user on a bar, and which of them are ended."""


def test_scripts_of_a_user_get_the_time_that_is_there_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    costs: list[float] = []
    ran: list[float] = []

    def advance(_: object, asked: Sequence[ScriptStep]) -> list[StudyAnswer]:
        spent = [costs[int(each.key)] for each in asked]
        ran.extend(spent)
        return [StudyAnswer(True, BarReading(), seconds=each) for each in spent]

    monkeypatch.setattr(running._Home, "begins", lambda *_: False)
    monkeypatch.setattr(running._Home, "advance", advance)
    for name, (seconds, ended) in SECONDS.items():
        costs[:], ran[:] = seconds, ()
        scripts = Scripts()
        bar = (0, 1.0, 1.0, 1.0, 1.0, 1.0)
        asked = [
            ScriptStep(str(number), lambda: pytest.fail("it began"), bar, -1, "mallory")
            for number in range(len(seconds))
        ]
        answers = scripts.advance(asked)
        stopped = [number for number, each in enumerate(answers) if each.reading and each.reading.error]
        assert stopped == ended, name
        # What is ended before it runs costs nothing: at most a few of a round run beyond what there is.
        assert sum(ran) <= 3 * running.USER_SECONDS + 5 * max(seconds), name
        scripts.close()


def test_the_fills_of_a_script_that_is_ended_for_its_time_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    fill = StrategyFill(0, 0, "sell", 1.0, 100.0, 0.0)
    slow = StudyAnswer(True, BarReading(), (fill,), seconds=running.USER_SECONDS + 1)
    monkeypatch.setattr(running._Home, "advance", lambda *_: [slow])
    scripts = Scripts()
    step = ScriptStep("one", lambda: pytest.fail("it began"), (0, 1.0, 1.0, 1.0, 1.0, 1.0), -1, "anna")
    monkeypatch.setattr(running._Home, "begins", lambda *_: False)
    (answer,) = scripts.advance([step])
    scripts.close()
    assert answer.reading is not None and answer.reading.error
    assert answer.fills == (fill,)
