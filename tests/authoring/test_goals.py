"""Goals beyond compiling: a script is run on bars, what was seen goes back to the author, and nobody is told more than
was reached."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import TriedEvent, decode, encode
from pinebench.cli.behaviour import trial
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.workers import dispatch
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request
from tests.authoring.fake_anthropic import Step, edits, script, text
from tests.authoring.support import OUTPUT, AuthorRun, claude, ending, names, service
from tests.sample import bars_file
from tests.workers.test_worker_pool import TIGHT, _hold

REPAINTING = (
    '//@version=6\nindicator("Daily", overlay = true)\n'
    'daily = request.security(syminfo.tickerid, "D", close)\nplot(daily, "Day")\n'
)
ASKED = '"D", close)'
HONEST_ASKED = '"D", close[1], lookahead = barmerge.lookahead_on)'
HONEST = REPAINTING.replace(ASKED, HONEST_ASKED)
GOALS = ("na(Day)<60%", "no-repaint")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(bars_file(tmp_path_factory.mktemp("bars"), 120))


@pytest.fixture
def write(write: Callable[..., AuthorRun], data: str) -> Callable[..., AuthorRun]:
    def run(*steps: Step, goals: tuple[str, ...] = GOALS, budget: AuthorBudget | None = None) -> AuthorRun:
        return write(*steps, budget=budget, model="model", goals=goals, data=data, trial=trial(goals, [data]))

    return run


def tried(told: AuthorRun) -> list[TriedEvent]:
    return [event for event in told.events if isinstance(event, TriedEvent)]


CHEAT = """//@version=6
indicator("Alerts")
if barstate.islast
    for i = 0 to 9
        alert("up " + str.tostring(i), alert.freq_all)
plot(close, "Close")
"""


def test_alerts_that_are_all_on_the_last_bar_reach_no_goal(write) -> None:
    told = write(script(CHEAT), budget=AuthorBudget(rounds=1), goals=("alerts>=5", "no-repaint"))
    [seen] = tried(told)
    assert not seen.met and not told.finished.success
    assert any("all 10 alerts are on the last bar" in each for each in seen.words)
    honest = CHEAT.replace("barstate.islast", "close > open").replace("0 to 9", "0 to 0")
    assert tried(write(script(honest), goals=("alerts>=5",)))[0].met


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("Which length should it have?", "answer the question in the request, and run it again"),
        ("It cannot be done, because alerts need a live chart.", "change the request, or its goals, and run it again"),
    ],
)
def test_only_a_question_is_to_be_answered(write, words: str, hint: str) -> None:
    told = write(text(words))
    assert (told.finished.outcome, told.finished.hint) == ("answered", hint)


def test_a_repainting_draft_is_turned_into_an_honest_one(write) -> None:
    told = write(script(REPAINTING), edits((ASKED, HONEST_ASKED)))
    assert told.names == ["Started", "Drafted", "Compiled", "Tried", "Revised", "Compiled", "Tried", "Finished"]
    assert [event.met for event in tried(told)] == [False, True]
    assert told.disk == told.finished.source == HONEST
    assert told.finished.success and told.finished.attempts == 2
    first = told.fake.requests[0].text
    assert "- `na(Day)<60%`" in first and "- `no-repaint`" in first
    asked = told.fake.requests[1].text
    assert 'goal at 4:1: plot "Day" differs after a reload' in asked
    assert '4 | plot(daily, "Day")' in asked
    assert "at 1:1" not in asked
    assert "what the run did: plot Day: " in asked
    assert "request close[1] with lookahead = barmerge.lookahead_on" in asked
    assert told.fake.unused == 0


def test_without_goals_nothing_is_said_of_bars(write) -> None:
    told = write(script(HONEST), goals=())
    assert "user's bars" not in told.fake.requests[0].text


def test_goals_that_are_not_met_are_no_success(write) -> None:
    other = REPAINTING.replace("close)", "close )")
    told = write(script(REPAINTING), script(other))
    assert not told.finished.success
    assert told.finished.outcome == "unmet"
    assert "does not meet its goals on the bars" in told.finished.message
    assert "\n" in " ".join(tried(told)[-1].words) and "\n" not in told.finished.message
    assert told.disk is not None and told.fake.unused == 0


NEARER = '//@version=6\nindicator("T")\nplot(close, "C")\nif bar_index == 5\n    alert("a")\n'
FURTHER = '//@version=6\nindicator("T")\nplot(close, "C")\n'
STOPS = FURTHER + 'if bar_index == 5\n    runtime.error("no")\n'


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        (NEARER, FURTHER, NEARER),
        (NEARER, STOPS, NEARER),
        (FURTHER, NEARER, NEARER),
        (FURTHER, FURTHER + "plot(open)\n", FURTHER + "plot(open)\n"),
    ],
)
def test_the_script_that_misses_the_fewest_goals_is_kept(write, first: str, second: str, best: str) -> None:
    goals = ("alerts>=1", "labels>=1")
    told = write(script(first), script(second), goals=goals, budget=AuthorBudget(rounds=2))
    assert not told.finished.success
    assert told.finished.source == told.disk == best
    [held] = [each for each, source in zip(tried(told), (first, second), strict=True) if source == best]
    assert told.finished.unmet == held.words


def test_the_budget_holds_for_goals_too(write) -> None:
    told = write(script(REPAINTING), budget=AuthorBudget(rounds=1))
    assert (told.finished.outcome, told.finished.success) == ("budget", False)
    assert len(told.fake.requests) == 1


def test_who_says_it_cannot_be_reached_is_heard(write) -> None:
    told = write(script(REPAINTING), text("The day is not over before its last hour: this stays so."))
    assert (told.finished.outcome, told.finished.success) == ("answered", False)
    assert "The day is not over before its last hour: this stays so." in told.finished.words
    assert told.disk == REPAINTING
    assert told.fake.unused == 0


@pytest.mark.parametrize(
    "words", ["It cannot be done, because Pine Script has no order book.", "Which session do you mean?"]
)
def test_a_reason_or_a_question_instead_of_a_draft_reaches_the_user(write, words: str) -> None:
    told = write(text(words))
    assert (told.finished.outcome, told.finished.source) == ("answered", None)
    assert told.finished.words == words
    assert len(told.fake.requests) == 1


def test_the_bars_are_told_before_the_first_draft(write) -> None:
    told = write(script(HONEST))
    first = told.fake.requests[0].text
    assert "120 bars of BINANCE:BTCUSDT in 1 hour, from " in first
    assert "A shorter timeframe gives na, another symbol stops the run." in first


def test_remarks_and_goals_are_told_in_one_round(write) -> None:
    remarked = REPAINTING + "var float peak = na\nif close > open\n    peak := ta.highest(high, 5)\nplot(peak)\n"
    mended = HONEST + "highest = ta.highest(high, 5)\nplot(highest)\n"
    told = write(script(remarked), script(mended))
    assert told.finished.success and told.finished.attempts == 2
    asked = told.fake.requests[1].text
    assert "CW10" in asked and "differs after a reload" in asked and "what the run did" in asked


def test_why_a_plot_is_na_is_told(write) -> None:
    shorter = HONEST.replace('"D", close[1], lookahead = barmerge.lookahead_on', '"1", close')
    told = write(script(shorter), script(HONEST))
    asked = told.fake.requests[1].text
    assert (
        "expected na(Day)<60%, but the value is 100%: BINANCE:BTCUSDT in 1 minute is not among the given bars (line 3)"
    ) in asked
    assert "goal at 4:1: expected na(Day)<60%" in asked


def test_what_the_last_run_did_is_told_at_the_end(write) -> None:
    told = write(script(HONEST))
    assert any(line.startswith("plot Day: ") for line in told.finished.account)


def test_an_honest_script_that_breaks_while_it_is_changed_is_mended(write) -> None:
    broken = HONEST.replace("plot(daily", "plot(dayli")
    told = write(script(REPAINTING), script(broken), edits(("plot(dayli", "plot(daily")))
    assert told.finished.success
    assert told.disk == HONEST


def test_a_plot_that_is_not_called_so_is_told(write) -> None:
    goals = ("na(Daily close)<60%",)
    told = write(script(HONEST), edits(('"Day")', '"Daily close")')), goals=goals)
    assert told.finished.success
    assert "no plot is called 'Daily close'" in told.fake.requests[1].text


def test_what_cannot_be_run_is_not_asked_for_again(write) -> None:
    other = HONEST.replace("syminfo.tickerid", '"NYSE:X"')
    told = write(script(other))
    assert (told.finished.outcome, told.finished.success) == ("unmet", False)
    assert "could not be run on the bars: a request for NYSE:X is not computed by pinebench" in told.finished.message
    assert len(told.fake.requests) == 1


def test_a_script_that_stops_is_told_where(write) -> None:
    stops = HONEST + 'if bar_index == 7\n    runtime.error("no")\n'
    told = write(script(stops), script(HONEST))
    assert told.finished.success
    assert "goal at 6:5: the script stopped: Error on bar 7: no" in told.fake.requests[1].text


def test_an_interrupted_run_goes_on_with_its_goals(write, monkeypatch: pytest.MonkeyPatch) -> None:
    told = write(script(REPAINTING), budget=AuthorBudget(rounds=1))
    assert told.finished.outcome == "budget"
    with service(monkeypatch, edits((ASKED, HONEST_ASKED))) as fake:

        def choose(started: Any) -> Any:
            assert started.goals == GOALS
            return type(started)(**{**_fields(started), "budget": AuthorBudget()}), claude(), LocalCompiler()

        events, finished = ending(
            session.resume(OUTPUT, choose, Context(), lambda started: trial(started.goals, [started.data or ""]))
        )
    assert finished.success and finished.source == HONEST
    assert names(events) == ["Started", "Revised", "Compiled", "Tried", "Finished"]
    assert fake.unused == 0


def _fields(started: Any) -> dict[str, Any]:
    return {name: getattr(started, name) for name in started.__dataclass_fields__}


def test_what_was_tried_is_kept_as_it_was() -> None:
    event = TriedEvent(2, False, ("line 4: it changed", "because"), True)
    assert decode(encode(event)) == event


def test_a_draft_that_never_ends_is_ended_and_told_and_the_next_one_finishes(
    write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        dispatch, "execute", lambda request, *more, **options: execute(replace(request, budget=TIGHT), *more, **options)
    )
    endless = HONEST + "s = 0\nwhile close > 0\n    s += 1\nplot(s)\n"
    told = write(script(endless), script(HONEST))
    assert told.finished.success
    assert "the script stopped" in told.fake.requests[1].text


def test_a_draft_that_kills_its_worker_ends_the_run_with_the_reason_and_the_draft(
    write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crashing(request: Request, *_: Any, **__: Any) -> Any:
        return execute(request, partial(_hold, what="crash"))

    monkeypatch.setattr(dispatch, "execute", crashing)
    told = write(script(HONEST))
    assert (told.finished.outcome, told.disk) == ("unmet", HONEST)
    assert "the process that ran the script ended" in told.finished.message


WARNED = """//@version=6
indicator("Alerts")
if close > open
    alert(str.tostring(ta.sma(close, 3)))
plot(close, "Close")
"""


@pytest.mark.parametrize(("old", "new"), [("alert(", "log.info("), ("close > open", "close > open and close < 0")])
def test_a_change_for_the_remarks_that_breaks_a_goal_is_not_taken(write, old: str, new: str) -> None:
    """The script that meets its goals stays the result, and what is told about the run is told about its run."""
    goals = ("alerts>=5",)
    told = write(script(WARNED), script(WARNED.replace(old, new)), goals=goals)
    assert [event.met for event in tried(told)] == [True, False]
    assert (told.finished.success, told.finished.source, told.disk) == (True, WARNED, WARNED)
    assert told.finished.account == tried(told)[0].account
