"""Twenty runs with faulty, repainting and idle drafts, and what cannot be done: what the author is told names the facts
that it takes to mend the draft, quotes the script as it is, cuts nothing, and the draft mended as told passes next.

The author is scripted: its second answer does what the feedback says, and nothing else.
"""

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import pytest

from pinebench.authoring.goals import trial
from pinebench.checker import open_program
from pinebench.market import bar_choice
from pinebench.migration import migrate_draft
from pinebench.repaint.repaint_report import number
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import request_of
from tests.authoring.fake_anthropic import Reply, edits, script, text
from tests.authoring.support import AuthorRun
from tests.script_files import script_cases

DATA = "sample:BTCUSDT@60x96"


class Case(NamedTuple):
    """A draft, what must be told about it, the draft as the author mends it who does as told, and the goals."""

    draft: str
    told: list[str]
    mended: str
    goals: tuple[str, ...]

    def edits(self) -> list[tuple[str, str]]:
        """The lines of the draft that are replaced, and what replaces them."""
        old, new = (text.splitlines(keepends=True) for text in (self.draft, self.mended))
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
        return [("".join(old[start:end]), "".join(new[first:last])) for _, start, end, first, last in changes]


def indicator(*lines: str) -> str:
    return "\n".join(("//@version=6", 'indicator("A", overlay = true)', *lines, ""))


def strategy(*lines: str) -> str:
    return "\n".join(("//@version=6", 'strategy("A")', *lines, ""))


LONG = ("if bar_index % 10 == 0", '    strategy.entry("L", strategy.long)')
CASES = {
    name: Case(
        f"//@version=6\n{draft}\n", below["told"].split("\n"), f"//@version=6\n{below['mended']}\n", tuple(goals)
    )
    for (name, *goals), draft, below in script_cases(Path(__file__).parent / "drafts.txt")
}
"""Drafts of all kinds by name. Behind a name stand the goals."""
QUOTED = re.compile(r"^ *(\d+) \| (.*)$", re.MULTILINE)


@pytest.fixture
def write(write: Callable[..., AuthorRun]) -> Callable[..., AuthorRun]:
    def run(*answers: Reply, goals: tuple[str, ...] = ()) -> AuthorRun:
        chart = bar_choice.choose(bar_choice.names([DATA])).chart
        return write(
            *answers,
            request="Do what the draft does.",
            model="model",
            goals=goals,
            data=DATA if goals else None,
            trial=trial(goals, chart) if goals else None,
            migrate=migrate_draft,
        )

    return run


def feedback(told: AuthorRun) -> str:
    """What the second request says behind the script."""
    return told.fake.requests[1].text.rpartition("```\n")[2]


def test_there_are_twenty() -> None:
    assert len(CASES) == 20


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_is_enough_to_mend_the_draft_in_one_round(name: str, write: Callable[..., AuthorRun]) -> None:
    case = CASES[name]
    told = write(script(case.draft), edits(*case.edits()), goals=case.goals)
    said = feedback(told)
    assert [each for each in case.told if each not in said] == [], said
    lines = case.draft.split("\n")
    assert [each for each in QUOTED.findall(said) if lines[int(each[0]) - 1] != each[1]] == []
    assert not re.search(r" \.\.\.$", said.partition("Built-ins involved:")[0], re.MULTILINE), "something was cut"
    assert (told.finished.outcome, told.finished.attempts, told.fake.unused) == ("compiled", 2, 0), told.finished
    assert told.disk == told.finished.source


@pytest.mark.parametrize("name", ["an entry that never comes", "eaten by costs"])
def test_the_figures_that_are_told_are_those_of_the_run(name: str, write: Callable[..., AuthorRun]) -> None:
    case = CASES[name]
    told = write(script(case.draft), edits(*case.edits()), goals=case.goals)
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
def test_what_cannot_be_done_is_said_to_the_user(words: str, write: Callable[..., AuthorRun]) -> None:
    told = write(text(words))
    assert (told.finished.outcome, told.finished.source, told.finished.words) == ("answered", None, words)
    assert len(told.fake.requests) == 1


def test_a_goal_out_of_reach_is_given_up_with_the_figures(write: Callable[..., AuthorRun]) -> None:
    words = "It cannot be reached, because 96 bars hold at most 9 openings."
    draft = strategy(*LONG, "if bar_index % 10 == 5", '    strategy.close("L")')
    told = write(script(draft), text(words), goals=("trades>100",))
    assert "expected trades>100, but the value is " in feedback(told)
    assert "96 bars of BINANCE:BTCUSDT in 1 hour" in told.fake.requests[0].text
    assert (told.finished.outcome, told.finished.success) == ("answered", False)
    assert words in told.finished.words and told.disk == draft
    assert any(line.startswith("figures: trades ") for line in told.finished.account)


def test_a_symbol_without_bars_is_named_and_costs_no_round(write: Callable[..., AuthorRun]) -> None:
    told = write(script(indicator('plot(request.security("NYSE:X", "D", close), "X")')), goals=("na(X)<60%",))
    assert (told.finished.outcome, len(told.fake.requests)) == ("unmet", 1)
    assert "passes pinebench's check, and could not be run" in told.finished.message, "our check is no compiler"
    assert "NYSE:X" in told.finished.message
    assert "another symbol stops the run" in told.fake.requests[0].text


def test_a_dropped_block_is_named(write: Callable[..., AuthorRun]) -> None:
    whole = indicator("plot(close)")
    told = write(text(f"```pine\n{whole}```\nOr, shorter:\n```pine\nplot(open)\n```"))
    assert told.disk == whole and "plot(open)" in told.finished.words
