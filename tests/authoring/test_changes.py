"""A script that is changed or converted: it is compared with the given one on bars, and conversions begin with ours."""

from collections.abc import Callable

import pytest

from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import TriedEvent
from pinebench.cli.behaviour import trial
from pinebench.errors import UsageError
from pinebench.migration import migrate_draft
from tests.authoring.fake_anthropic import Step, script, text
from tests.authoring.support import AuthorRun

DATA = "sample:AAPL@1Dx120"
SLOW = '//@version=6\nindicator("Rank")\nplot(ta.sma(close, 5), "Rank")\n'
WRONG = SLOW.replace("ta.sma(close, 5)", "ta.sma(close, 6)")
RIGHT = SLOW.replace("ta.sma(close, 5)", "math.sum(close, 5) / 5")
MORE = SLOW + 'plot(open, "Open")\n'
OLD = (
    '//@version=4\nstrategy("Old")\nif close > open\n    strategy.entry("L", strategy.long)\nplot(1440 / 15 / 7, "b")\n'
)

Write = Callable[..., AuthorRun]


@pytest.fixture
def write(write: Write) -> Write:
    def run(base: str, *steps: Step, goals: tuple[str, ...] = ()) -> AuthorRun:
        return write(
            *steps,
            budget=AuthorBudget(rounds=3),
            request="Make it faster without changing any value.",
            text=base,
            model="model",
            goals=goals,
            data=DATA,
            trial=trial(goals, [DATA], migrate_draft(base).text),
            migrate=migrate_draft,
        )

    return run


def tried(told: AuthorRun) -> list[TriedEvent]:
    return [event for event in told.events if isinstance(event, TriedEvent)]


def test_a_wrong_change_is_never_told_to_be_the_same(write: Write) -> None:
    told = write(SLOW, script(WRONG), script(RIGHT), goals=("same",))
    first, second = tried(told)
    assert not first.met and first.words[0].startswith('same: plot "Rank" differs on ')
    assert 'plot "Rank" differs on ' in told.fake.requests[1].text
    assert second.met and told.finished.outcome == "compiled" and told.finished.source == RIGHT


def test_differences_are_told_to_the_model_once_and_to_the_user_without_a_goal(write: Write) -> None:
    told = write(SLOW, script(WRONG), text("The request needs it."))
    assert 'differs from the script given: plot "Rank" differs on ' in told.fake.requests[1].text
    assert len(told.fake.requests) == 2
    assert any(line.startswith("differs from the given script: ") for line in told.finished.account)
    assert "meets its goals" not in told.finished.message


def test_unchanged_allows_new_outputs_and_same_does_not(write: Write) -> None:
    assert tried(write(SLOW, script(MORE), goals=("unchanged",)))[0].met
    assert tried(write(SLOW, script(MORE), script(MORE), script(MORE), goals=("same",)))[0].words == (
        'same: plot "Open" is new',
    )


def test_a_script_without_an_input_of_the_given_one_is_not_the_same(write: Write) -> None:
    given = SLOW.replace("ta.sma(close, 5)", 'ta.sma(close, input.int(5, "Length"))')
    other = SLOW.replace("ta.sma(close, 5)", 'ta.sma(close + input.int(9, "Length") * 0, 5)')
    told = [tried(write(given, *[script(made)] * 3, goals=("same",)))[0].words for made in (SLOW, other)]
    assert told == [
        ('same: the input "Length" is missing',),
        ('same: the default of the input "Length" was 5 and is 9',),
    ]


def test_another_declaration_is_not_the_same_where_the_bars_do_not_show_it(write: Write) -> None:
    moved = SLOW.replace('"Rank")', '"Rank", overlay = true)', 1)
    assert tried(write(SLOW, *[script(moved)] * 3, goals=("same",)))[0].words == (
        "same: the overlay of the declaration statement was false and is true",
    )
    assert tried(write(SLOW, script(SLOW.replace('"Rank")', '"Rank", overlay = false)', 1)), goals=("same",)))[0].met


def test_a_conversion_begins_with_the_converter_and_is_compared_with_it(write: Write) -> None:
    told = write(OLD, script(OLD.replace("=4", "=6")), text("as asked"))
    asked = told.fake.requests[0].text
    assert "initial_capital" in asked and "The script given was Pine v4" in asked
    assert "//@version=4" not in asked
    assert any("differs from the given script: " in line for line in tried(told)[0].account)


def test_a_goal_about_a_script_needs_one() -> None:
    with pytest.raises(UsageError, match="'same' needs a script to compare with"):
        trial(("same",), [DATA])


def test_goals_are_explained_only_if_they_are_asked_for(write: Write) -> None:
    asked = write(SLOW, script(RIGHT), goals=("same",)).fake.requests[0].text
    assert "`same` means" in asked and "`robust` means" not in asked and "`no-repaint` means" not in asked
