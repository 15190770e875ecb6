"""Scripts that run along with the bars: slow ones are stopped, and late signals count when they appear."""

from __future__ import annotations

import pytest

from pinebench.engine import studies
from pinebench.engine.conditions import condition
from pinebench.engine.scripts import Asked, Scripts
from pinebench.engine.studies import Answer, Setup, Study, Task
from pinebench.indicators import asked, compute
from pinebench.indicators.channels import channels
from pinebench.market import Bars
from tests.engine.markets import info, walk


def study_of(given: object) -> Study:
    found = condition(given).study
    assert found is not None
    return found


def row(bars: Bars, at: int) -> studies.Row:
    return bars.time[at], bars.open[at], bars.high[at], bars.low[at], bars.close[at], bars.volume[at]


def step(key: str, study: Study, bars: Bars, at: int, first: int) -> Answer:
    setup = Setup(study, bars.at(range(at)), info()) if at == first else None
    (answer,) = studies.advance([Task(key, setup, row(bars, at))])
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
    assert errors == ["", "", *["it needs too much time on each bar"] * 2]


def test_a_fault_in_one_script_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    bars, good, bad = walk(60), study_of({"pine": "close > open"}), study_of({"pine": "close < open"})
    first = [
        Task(key, Setup(study, bars.at(range(50)), info()), row(bars, 50))
        for key, study in (("good", good), ("bad", bad))
    ]
    assert [answer.reading.error for answer in studies.advance(first) if answer.reading] == ["", ""]

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(studies._running["bad"].runtime, "advance", broken)
    told = studies.advance([Task(key, None, row(bars, 51)) for key in ("bad", "good")])
    errors = [answer.reading.error for answer in told if answer.reading is not None]
    assert errors == ["pinebench has a fault: ZeroDivisionError: division by zero", ""]


def test_a_script_that_does_not_run_is_asked_for_and_a_lost_worker_is_replaced() -> None:
    bars, study = walk(60), study_of({"pine": "close > open"})
    assert [each._replace(seconds=0.0) for each in studies.advance([Task("nobody", None, row(bars, 50))])] == [
        Answer(False)
    ]
    scripts = Scripts()

    def ask(at: int) -> bool:
        asked_ = Asked("one", lambda: Setup(study, bars.at(range(at)), info()), row(bars, at))
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
