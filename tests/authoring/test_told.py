"""Twenty runs with faulty, repainting and idle drafts, and what cannot be done: what the author is told names the facts
that it takes to mend the draft, quotes the script as it is, cuts nothing, and the draft mended as told passes next.

The author is scripted: its second answer does what the feedback says, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.goals import trial
from pinebench.checker import open_program
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.market import bar_choice
from pinebench.migration import migrate_draft
from pinebench.repaint.repaint_report import number
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import request_of
from tests.authoring.fake_anthropic import Reply, edits, script, text
from tests.authoring.support import OUTPUT, Told, claude, ending, isolate, service

DATA = "sample:BTCUSDT@60x96"
NO_REPAINT = ("no-repaint",)


@dataclass(frozen=True)
class Case:
    """A draft, what must be told about it, and the replacements of the author who does as told."""

    draft: str
    told: tuple[str, ...]
    mended: tuple[tuple[str, str], ...]
    goals: tuple[str, ...] = ()


def indicator(*lines: str) -> str:
    return "\n".join(("//@version=6", 'indicator("A", overlay = true)', *lines, ""))


def strategy(*lines: str, more: str = "") -> str:
    return "\n".join(("//@version=6", f'strategy("A"{more})', *lines, ""))


LONG = ("if bar_index % 10 == 0", '    strategy.entry("L", strategy.long)')
DAY = 'request.security(syminfo.tickerid, "D", close)'
YESTERDAY = 'request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on)'
LIVE = "request.security on line 3 returns live the value of its bar so far"

FAULTY = {
    "misspelled": Case(
        indicator('length = input.int(14, "Length")', "plot(ta.smaa(close, lenght))"),
        (
            "error CE10271 at 4:6: Could not find function or function reference 'ta.smaa'",
            "Did you mean `ta.sma`?",
            'error CE10272 at 4:21: Undeclared identifier "lenght"',
            "Did you mean `length`?",
        ),
        (("ta.smaa", "ta.sma"), ("lenght", "length")),
    ),
    "a length that changes": Case(
        indicator("length = bar_index > 50 ? 20 : 10", "plot(ta.ema(close, length))"),
        ('a "simple int"', "`ta.sma` takes a length that changes", "error CE10123 at 4:20"),
        (("ta.ema", "ta.sma"),),
    ),
    "plotted in a block": Case(
        indicator("if close > open", '    plot(close, "Up")'),
        ('Cannot use "plot" in local scope', "at 4:5", "`plot(condition ? ... : na)`"),
        (('if close > open\n    plot(close, "Up")', 'plot(close > open ? close : na, "Up")'),),
    ),
    "an argument of another name": Case(
        strategy(*LONG, 'strategy.exit("X", "L", stop_loss = close * 0.9)'),
        ('does not have an argument with the name "stop_loss"', "`stop` takes the price of the stop"),
        (("stop_loss", "stop"),),
    ),
    "a tuple too short": Case(
        indicator("[macd, signal] = ta.macd(close, 12, 26, 9)", "plot(macd - signal)"),
        ("The right side has 3 but the left side has 2", "`_` stands for one that is not needed", "at 3:1"),
        (("[macd, signal]", "[macd, signal, _]"),),
    ),
    "a bool that is na": Case(
        indicator("bool up = na", "if close > open", "    up := true", "plot(up ? 1 : 0)"),
        ('"up" variable', "A bool is never `na` in v6: write `false`", "at 3:1"),
        (("bool up = na", "bool up = false"),),
    ),
}
REPAINTING = {
    "an unfinished day": Case(
        indicator(f"day = {DAY}", 'plot(day, "Day")'),
        (
            'goal at 4:1: plot "Day" differs after a reload',
            LIVE,
            "ask for close[1] with lookahead = barmerge.lookahead_on",
        ),
        ((DAY, YESTERDAY),),
        NO_REPAINT,
    ),
    "a day that is known too early": Case(
        indicator(f"day = {DAY.replace('close)', 'high, lookahead = barmerge.lookahead_on)')}", 'plot(day, "Day")'),
        (
            'goal at 4:1: plot "Day" changed after its bar was over',
            "request.security on line 3 returns on history the final value of its bar",
            "ask for high[1] with lookahead = barmerge.lookahead_on",
        ),
        (("high,", "high[1],"),),
        NO_REPAINT,
    ),
    "counted from the last bar": Case(
        indicator('plot(last_bar_index - bar_index, "Left")'),
        ('goal at 3:1: plot "Left" changed', "last_bar_index on line 3 changes with each new bar", "use bar_index"),
        (("last_bar_index - bar_index", "bar_index"),),
        NO_REPAINT,
    ),
    "a tuple of a function": Case(
        indicator(
            "values() =>",
            "    [high, low]",
            '[top, bottom] = request.security(syminfo.tickerid, "D", values())',
            'plot(top - bottom, "Range")',
        ),
        (
            'goal at 6:1: plot "Range" differs after a reload',
            "declare before() => with the lines '[value1, value2] = values()' and '[value1[1], value2[1]]', "
            "and ask for before() with lookahead = barmerge.lookahead_on",
        ),
        (
            (
                "    [high, low]\n",
                "    [high, low]\nbefore() =>\n    [value1, value2] = values()\n    [value1[1], value2[1]]\n",
            ),
            ('"D", values())', '"D", before(), lookahead = barmerge.lookahead_on)'),
        ),
        NO_REPAINT,
    ),
    "orders by an unfinished day": Case(
        strategy(
            f"day = {DAY}",
            "if close > day",
            '    strategy.entry("L", strategy.long)',
            "if close < day",
            '    strategy.close("L")',
        ),
        (
            "goal at 5:5: strategy.entry differs after a reload",
            "goal at 7:5: strategy.close differs after a reload",
            LIVE,
            "ask for close[1] with lookahead = barmerge.lookahead_on",
        ),
        ((DAY, YESTERDAY),),
        NO_REPAINT,
    ),
}
IDLE = {
    "an entry that never comes": Case(
        strategy(
            "fast = ta.sma(close, 5)",
            "slow = ta.sma(close, 5)",
            "if ta.crossover(fast, slow)",
            '    strategy.entry("L", strategy.long)',
            "if bar_index % 10 == 5",
            '    strategy.close("L")',
        ),
        (
            "expected trades>1: it is 0: line 6 never ran (if ta.crossover(fast, slow)): it calls strategy.entry",
            "figures: trades 0, ",
        ),
        (("slow = ta.sma(close, 5)", "slow = ta.sma(close, 20)"),),
        ("trades>1",),
    ),
    "an exit of another entry": Case(
        strategy(*LONG, 'strategy.exit("X", "Long", stop = close * 0.999)'),
        (
            'expected trades>1: it is 0: strategy.exit "X" on line 5 closed no trade: no entry is called "Long"',
            '(there are "L")',
            "open_trades 1",
        ),
        (('"Long"', '"L"'),),
        ("trades>1",),
    ),
    "a division by nothing": Case(
        indicator("span = high - high", 'plot((close - open) / span, "Share")'),
        (
            "goal at 4:1: expected na(Share)<10%: it is 100%: (close - open) / span on line 4 is na where it divides "
            "by 0, on 96 of 96 bars",
        ),
        (("high - high", "high - low"),),
        ("na(Share)<10%",),
    ),
    "an average longer than the bars": Case(
        indicator('plot(ta.sma(close, 200), "Slow")'),
        (
            "expected na(Slow)<60%: it is 100%: ta.sma(close, 200) on line 3 has no value on any of the 96 bars: it "
            "needs 200",
        ),
        (("200", "20"),),
        ("na(Slow)<60%",),
    ),
    "a level that is never set": Case(
        indicator("var float level = na", "if close > high", "    level := close", 'plot(level, "Level")'),
        (
            "goal at 6:1: expected na(Level)<60%: it is 100%: level is never set: line 5 never ran",
            "line 5 never ran (if close > high)",
        ),
        (("close > high", "close > high[1]"),),
        ("na(Level)<60%",),
    ),
    "an alert that never comes": Case(
        indicator("if close > high[1] and close < low[1]", '    alert("Out")', "plot(close)"),
        ("expected alerts>=1: it is 0: line 4 never ran (if close > high[1] and close < low[1]): it calls alert",),
        (("> high[1] and", "> high[1] or"),),
        ("alerts>=1",),
    ),
    "a timeframe without bars": Case(
        indicator('plot(request.security(syminfo.tickerid, "1", close), "Close")'),
        (
            "goal at 3:1: expected na(Close)<60%: it is 100%: ",
            "BINANCE:BTCUSDT in 1 minute is not among the given bars (line 3)",
            "a request cannot be served: BINANCE:BTCUSDT in 1 minute",
        ),
        (('request.security(syminfo.tickerid, "1", close)', "close"),),
        ("na(Close)<60%",),
    ),
    "an array without its element": Case(
        indicator(
            "var levels = array.new<float>()", "if bar_index == 7", "    levels.push(levels.get(3))", "plot(close)"
        ),
        (
            "goal at 5:5: the script stopped: Error on bar 7: In 'array.get()' function. Index 3 is out of bounds, "
            "array size is 0.",
        ),
        (("levels.get(3)", "close"),),
        ("bars>1",),
    ),
    "eaten by costs": Case(
        strategy(
            "if bar_index % 4 == 0",
            '    strategy.entry("L", strategy.long)',
            "if bar_index % 4 == 2",
            '    strategy.close("L")',
            more=", commission_type = strategy.commission.percent, commission_value = 1",
        ),
        ("expected max_drawdown<20%: it is ", "commission_paid ", "trades by exit: Close entry(s) order L 24 ("),
        (("% 4 == 0", "% 80 == 0"), ("% 4 == 2", "% 80 == 60")),
        ("max_drawdown<20%",),
    ),
}
CASES = FAULTY | REPAINTING | IDLE
QUOTED = re.compile(r"^ *(\d+) \| (.*)$", re.MULTILINE)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    isolate(monkeypatch, tmp_path)

    def run(*answers: Reply, goals: tuple[str, ...] = ()) -> Told:
        chart = bar_choice.choose(bar_choice.names([DATA])).chart
        with service(monkeypatch, *answers) as fake:
            events = session.write(
                "Do what the draft does.",
                claude(),
                LocalCompiler(),
                AuthorBudget(),
                Context(),
                template="none",
                output=OUTPUT,
                model="model",
                goals=goals,
                data=DATA if goals else None,
                trial=trial(goals, chart) if goals else None,
                migrate=migrate_draft,
            )
            return Told(*ending(events), fake, tmp_path)

    return run


def feedback(told: Told) -> str:
    """What the second request says behind the script."""
    return told.fake.requests[1].text.rpartition("```\n")[2]


def test_there_are_twenty() -> None:
    assert len(CASES) == 20


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_is_enough_to_mend_the_draft_in_one_round(name: str, write: Callable[..., Told]) -> None:
    case = CASES[name]
    told = write(script(case.draft), edits(*case.mended), goals=case.goals)
    said = feedback(told)
    assert [each for each in case.told if each not in said] == [], said
    lines = case.draft.split("\n")
    assert [each for each in QUOTED.findall(said) if lines[int(each[0]) - 1] != each[1]] == []
    assert not re.search(r" \.\.\.$", said.partition("Built-ins involved:")[0], re.MULTILINE), "something was cut"
    assert (told.finished.outcome, told.finished.attempts, told.fake.unused) == ("compiled", 2, 0), told.finished
    assert told.disk == told.finished.source


@pytest.mark.parametrize("name", ["an entry that never comes", "eaten by costs"])
def test_the_figures_that_are_told_are_those_of_the_run(name: str, write: Callable[..., Told]) -> None:
    case = CASES[name]
    told = write(script(case.draft), edits(*case.mended), goals=case.goals)
    chart = bar_choice.choose(bar_choice.names([DATA])).chart
    for source, said in ((case.draft, feedback(told)), (told.disk or "", "\n".join(told.finished.account))):
        figures = execute(request_of(open_program(source), chart.bars, chart.symbol)).figures
        [line] = re.findall(r"figures: (.*)", said)
        for part in line.split(", "):
            key, _, value = part.rpartition(" ")
            assert value == number(figures[key]), part


# what cannot be done


@pytest.mark.parametrize(
    "words", ["It cannot be done, because Pine Script has no order book.", "Which exchange's order book do you mean?"]
)
def test_what_cannot_be_done_is_said_to_the_user(words: str, write: Callable[..., Told]) -> None:
    told = write(text(words))
    assert (told.finished.outcome, told.finished.source, told.finished.words) == ("answered", None, words)
    assert len(told.fake.requests) == 1


def test_a_goal_out_of_reach_is_given_up_with_the_figures(write: Callable[..., Told]) -> None:
    words = "It cannot be reached, because 96 bars hold at most 9 openings."
    draft = strategy(*LONG, "if bar_index % 10 == 5", '    strategy.close("L")')
    told = write(script(draft), text(words), goals=("trades>100",))
    assert "expected trades>100: it is " in feedback(told)
    assert "96 bars of BINANCE:BTCUSDT in 1 hour" in told.fake.requests[0].text
    assert (told.finished.outcome, told.finished.success) == ("answered", False)
    assert words in told.finished.words and told.disk == draft
    assert any(line.startswith("figures: trades ") for line in told.finished.account)


def test_a_symbol_without_bars_is_named_and_costs_no_round(write: Callable[..., Told]) -> None:
    told = write(script(indicator('plot(request.security("NYSE:X", "D", close), "X")')), goals=("na(X)<60%",))
    assert (told.finished.outcome, len(told.fake.requests)) == ("unmet", 1)
    assert "passes our check, and could not be run" in told.finished.message, "our check is no compiler"
    assert "NYSE:X" in told.finished.message
    assert "another symbol stops the run" in told.fake.requests[0].text


def test_a_dropped_block_is_named(write: Callable[..., Told]) -> None:
    whole = indicator("plot(close)")
    told = write(text(f"```pine\n{whole}```\nOr, shorter:\n```pine\nplot(open)\n```"))
    assert told.disk == whole and "plot(open)" in told.finished.words
