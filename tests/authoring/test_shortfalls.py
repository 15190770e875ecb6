"""What a script lacks of its request is told where its calls show it, and only there."""

from pinebench.authoring.author import AuthoringTask
from pinebench.authoring.shortfalls import dropped, shortfalls
from pinebench.checker import read_script
from tests.tables import each

INDICATOR = '//@version=6\nindicator("x")\nplot(close)\n'
STRATEGY = '//@version=6\nstrategy("x")\nif close > open\n    strategy.entry("L", strategy.long)\n'
STOP = STRATEGY + 'strategy.exit("X", "L", stop = low)\n'
CLOSED = STRATEGY + 'if low < open\n    strategy.close("L")\n'
TARGET = STRATEGY + 'strategy.exit("X", "L", limit = high)\n'
ALERT = INDICATOR + 'alertcondition(close > open, "up")\n'
MESSAGE = STRATEGY.replace("strategy.long)", 'strategy.long, alert_message = "buy")')


@each(
    ("request_text", "source", "words"),
    [
        ("a strategy on EMAs", INDICATOR, "asked for, but the script is an indicator"),
        ("a strategy on EMAs", STRATEGY, None),
        ("turn this strategy into an indicator", INDICATOR, None),
        ("plot the close with alerts", INDICATOR, "alert()"),
        ("plot the close with alerts", ALERT, None),
        ("orders with alerts", MESSAGE, None),
        ("plot the close without alerts", INDICATOR, None),
        ("plot the close, no alert", INDICATOR, None),
        ("a strategy with a trailing stop", STRATEGY, "stop"),
        ("a strategy with a stop-loss", TARGET, "stop"),
        ("a strategy with a stop loss", STOP, None),
        ("a strategy with a stop", CLOSED, None),
        ("a strategy without stop", STRATEGY, None),
        ("an indicator of stops", INDICATOR, None),
    ],
)
def test_what_is_missing_is_told(request_text: str, source: str, words: str | None) -> None:
    told = [finding.message for finding in shortfalls(AuthoringTask(request_text), read_script(source))]
    assert bool(told) == (words is not None), told
    assert words is None or words in told[0]


def test_a_strategy_that_is_changed_stays_one() -> None:
    now = read_script(INDICATOR)
    assert shortfalls(AuthoringTask("use an EMA", base=STRATEGY), now)
    assert not shortfalls(AuthoringTask("use an EMA", base=INDICATOR), now)
    assert not shortfalls(AuthoringTask("use an EMA", base=STRATEGY, template="x"), now)


@each(
    ("given", "now", "words"),
    [
        (INDICATOR, INDICATOR, None),
        (INDICATOR, ALERT, None),
        (ALERT, INDICATOR, "has 1 calls of alertcondition(), this one has 0"),
        (INDICATOR + "plot(open)\n", INDICATOR, "has 2 calls of plot(), this one has 1"),
        (INDICATOR + "plotshape(open > 1)\n", INDICATOR + "plotchar(open > 1)\n", None),
        (INDICATOR + "n = input(14)\n", INDICATOR + "n = input.int(14)\n", None),
        (INDICATOR + "n = input.int(14)\n", INDICATOR, "calls of input()"),
        (STOP, STRATEGY, "calls of strategy.exit()"),
        (STRATEGY + "x = strategy.closedtrades.profit(0)\n", STRATEGY, None),
    ],
)
def test_what_a_repair_drops_is_told(given: str, now: str, words: str | None) -> None:
    told = [finding.message for finding in dropped(given, read_script(now))]
    assert bool(told) == (words is not None), told
    assert words is None or words in told[0]
