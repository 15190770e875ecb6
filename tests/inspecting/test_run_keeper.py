"""A run that is kept in a worker: its values are those of the recording, and every trouble is said in words."""

import threading
from collections.abc import Iterator
from random import Random

import pytest

from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.inspecting.frozen_values import written
from pinebench.inspecting.recorded_run import record
from pinebench.inspecting.run_keeper import KeptRun
from pinebench.inspecting.run_recording import NOT_RUN
from pinebench.market import Bars, SymbolInfo, load_named
from pinebench.runtime import RunBudget
from pinebench.workers.request import Request

STRATEGY = """//@version=6
strategy("Kept", overlay = true)
length = input.int(3, "Length")
lift(float source, int extra) =>
    moved = source + extra
    moved
fast = ta.sma(close, length)
slow = ta.sma(close, 4 * length)
var crosses = 0
if ta.crossover(fast, slow)
    crosses := crosses + 1
    strategy.entry("Long", strategy.long)
if ta.crossunder(fast, slow)
    strategy.close("Long")
never = close < 0
seen = lift(close, crosses) - lift(open, 1)
plot(ta.ema(close, length))
"""


@pytest.fixture
def kept() -> Iterator[KeptRun]:
    run = KeptRun()
    yield run
    run.end()


def _request(text: str = STRATEGY, **more: object) -> Request:
    return Request(text, Bars(), SymbolInfo(), **more)  # type: ignore[arg-type]


def test_the_values_are_those_of_the_recording_and_say_when_they_changed(kept: KeptRun) -> None:
    told = kept.begin(_request(), "sample:AAPL@60x600")
    data = load_named("sample:AAPL@60x600")
    _, recording = record(Request(STRATEGY, data.bars, data.symbol))
    assert (told.bars, told.first, told.times) == (600, 0, list(data.bars.time))
    assert told.error is None and told.dropped == [] and told.trades
    names = recording.names()
    plots = told.names[len(names) :]
    assert told.names[: len(names)] == names and [(one.name, one.mode) for one in plots] == [("plot", "plot")]
    assert {"fast", "crosses", "moved", "length"} <= {name.name for name in names}
    random = Random(1)
    for bar in [0, 1, 511, 512, 513, *random.sample(range(600), 6), 599, 598, 300, 301]:
        values = kept.values(bar)
        plotted = values.pop()
        average = next(value for name, value in zip(names, values, strict=True) if name.name.startswith("ta.ema"))
        assert plotted == average
        for name, value in zip(names, values, strict=True):
            expected = recording.value(name, bar)
            assert value.text == ("did not run" if expected is NOT_RUN else written(expected)), (name.name, bar)
            changes = [one for one, _ in recording.changes(name) if one <= bar]
            assert value.changed == changes[-1], (name.name, bar)
            if bar:
                before = recording.value(name, bar - 1)
                assert value.before == ("did not run" if before is NOT_RUN else written(before))
            else:
                assert value.before == ""
    number = next(n for n, name in enumerate(names) if name.name == "crosses")
    changes = [bar for bar, _ in recording.changes(names[number])]
    assert kept.change(number, 0, 1) == changes[1] and kept.change(number, changes[1], -1) == 0
    assert kept.change(number, changes[-1], 1) is None and kept.change(number, 0, -1) is None
    assert kept.change(number, changes[3] + 1, -1) == changes[3] and kept.change(number, changes[3], -1) == changes[2]


def test_a_line_shows_the_names_that_it_declares_or_assigns_else_its_call(kept: KeptRun) -> None:
    told = kept.begin(_request(), "sample:AAPL@60x300")
    lines = STRATEGY.splitlines()
    shown = {
        lines[line - 1].strip(): [[told.names[number].name for number in numbers] for numbers in names]
        for line, names in told.rows.items()
    }
    assert shown["fast = ta.sma(close, length)"] == [["fast"]]
    assert shown["crosses := crosses + 1"] == [["crosses"]]
    assert shown["moved = source + extra"] == [["moved", "moved"]]  # once for each call of the function
    assert shown["plot(ta.ema(close, length))"] == [["ta.ema(close, length)"]]
    assert shown["if ta.crossover(fast, slow)"] == [["ta.crossover(fast, slow)"]]


def test_the_trades_are_told_with_their_bars(kept: KeptRun) -> None:
    told = kept.begin(_request(), "sample:AAPL@60x600")
    closed = [trade for trade in told.trades if trade.exit_bar is not None]
    assert closed and all(trade.entry_id == "Long" and trade.side == 1 for trade in told.trades)
    assert all(trade.entry_bar < (trade.exit_bar or 0) and trade.profit is not None for trade in closed)


def test_beyond_the_budget_the_oldest_values_are_dropped_and_it_is_said(kept: KeptRun) -> None:
    told = kept.begin(_request(), "sample:AAPL@60x1200", memory=1)
    assert told.first > 0 and "dropped" in told.dropped[0]
    assert kept.values(told.first)[0].before == ""
    with pytest.raises(UsageError, match="not recorded") as found:
        kept.values(told.first - 1)
    assert str(told.first) in (found.value.hint or "")


@pytest.mark.parametrize(
    ("text", "bars", "words"),
    [
        ('//@version=6\nindicator("x")\nplot(lenth)\n', "sample:AAPL", "lenth"),
        (STRATEGY, "sample:NOTHING", "NOTHING"),
        (STRATEGY, "no-such-file.csv", "no-such-file.csv"),
    ],
)
def test_what_cannot_run_is_said_in_words(kept: KeptRun, text: str, bars: str, words: str) -> None:
    with pytest.raises(PinebenchError, match=words):
        kept.begin(_request(text), bars)
    with pytest.raises(UsageError, match="no values"):
        kept.values(0)


def test_a_script_that_stops_keeps_its_values_until_then(kept: KeptRun) -> None:
    text = '//@version=6\nindicator("x")\na = bar_index\nif bar_index == 7\n    runtime.error("too much")\nplot(a)\n'
    told = kept.begin(_request(text), "sample:AAPL")
    assert told.error is not None and "too much" in told.error and told.error_line == 5
    assert told.bars == 7 and kept.values(6)[0].text == "6"


def test_a_script_without_end_is_stopped_and_a_person_can_stop_it(kept: KeptRun) -> None:
    text = '//@version=6\nindicator("x")\nn = 0\nfor i = 0 to 1000000000\n    n += 1\nplot(n)\n'
    told = kept.begin(_request(text, budget=RunBudget(1, 1)), "sample:AAPL")
    assert told.error is not None and told.bars == 0
    with pytest.raises(CancelledError):
        kept.begin(_request(text), "sample:AAPL", context=Context(cancelled=lambda: True))
    with pytest.raises(UsageError, match="no values"):
        kept.values(0)


def test_the_end_comes_at_once_though_a_script_runs(kept: KeptRun) -> None:
    text = '//@version=6\nindicator("x")\nn = 0\nfor i = 0 to 1000000000\n    n += 1\nplot(n)\n'
    asked = threading.Event()
    told: list[str] = []

    def run() -> None:
        # The context is asked while the script runs.
        context = Context(cancelled=lambda: asked.set() is not None)
        try:
            kept.begin(_request(text), "sample:AAPL", context=context)
        except PinebenchError as error:
            told.append(error.message)

    thread = threading.Thread(target=run)
    thread.start()
    assert asked.wait(60)
    kept.end()
    thread.join(60)
    assert not thread.is_alive() and "ended" in told[0]


@pytest.mark.soak
def test_the_worker_lasts_though_it_has_grown_and_ends_with_the_run(kept: KeptRun) -> None:
    text = '//@version=6\nindicator("x")\n' + "".join(f"a{n} = close * {n}\n" for n in range(300)) + "plot(a1)\n"
    told = kept.begin(_request(text), "sample:AAPL@1x20000")
    assert told.memory > 30 << 20
    assert kept.values(19_999)[1].text and kept.values(5)[1].text
    kept.end()
    with pytest.raises(UsageError, match="no values"):
        kept.values(0)
    with pytest.raises(UsageError, match="has ended"):
        kept.begin(_request(), "sample:AAPL")
