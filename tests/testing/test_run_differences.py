"""Differences between two runs on the same bars: plot by plot, alert by alert and order by order."""

from pinebench.testing.run_differences import differences
from pinebench.workers.jobs import RunResult, perform
from pinebench.workers.request import Request
from tests.sample import chart

PLOTS = 'indicator("x")\nplot(ta.sma(close, 5), "Mean")\nplot(close, "Close")'
TRADES = (
    'strategy("x")\nif ta.crossover(close, ta.sma(close, {length}))\n    strategy.entry("L", strategy.long)\n'
    'if ta.crossunder(close, ta.sma(close, {length}))\n    strategy.close("L")'
)
DRAWINGS = """indicator("x", overlay = true)
plot(close)
var board = table.new(position.top_right, 1, 1)
if barstate.islast
    label.new(bar_index, high, 'top')
    board.cell(0, 0, 'cell')
    polyline.new(array.from(chart.point.from_index(bar_index - 9, high), chart.point.from_index(bar_index, close)))
    upper = line.new(bar_index - 2, high, bar_index, high)
    linefill.new(upper, line.new(bar_index - 2, low, bar_index, low), color.red)"""
ALERTS = 'indicator("x")\nplot(close)\nif close > open\n    alert("{words}", alert.freq_once_per_bar_close)'


def run(body: str) -> RunResult:
    return perform(Request(f"//@version=6\n{body}\n", *chart("AAPL", "1D", 80)))


def test_differences_are_told_plot_by_plot_and_order_by_order() -> None:
    cases = [
        (PLOTS, PLOTS, []),
        (PLOTS, PLOTS.replace("ta.sma(close, 5)", "math.sum(close, 5) / 5"), []),
        (PLOTS, PLOTS.replace("ta.sma(close, 5)", "ta.sma(close, 6)"), ["differs on 76 of 80 bars (bar 4: "]),
        (PLOTS, PLOTS.replace("ta.sma(close, 5)", "nz(ta.sma(close, 5))"), ["(bar 0: na -> 0)"]),
        (PLOTS, PLOTS.replace('"Close"', '"Price"'), ['plot "Close" is missing']),
        (PLOTS, PLOTS + '\nplot(open, "Open")', []),
        (PLOTS, PLOTS.replace('"Close"', '"Close", offset = 3'), ['the offset of plot "Close" was 0 and is 3']),
        (
            PLOTS + '\nplot(open, "O", close > open ? color.red : na)',
            PLOTS + '\nplot(open, "O", close > open ? #12345678 : na)',
            [": #F23645 -> #12345678)"],
        ),
        (
            PLOTS.replace('"Close"', '"Close", #112233'),
            PLOTS.replace('"Close"', '"Close", #445566'),
            ["was #112233 and"],
        ),
        (ALERTS.format(words="up"), ALERTS.format(words="down"), ["alerts: "]),
        (TRADES.format(length=9), TRADES.format(length=9), []),
        (TRADES.format(length=9), TRADES.format(length=12), ["filled orders: ", "net_profit was "]),
        (
            ALERTS.format(words="up"),
            ALERTS.format(words="up").replace("alert.freq_once_per_bar_close", "alert.freq_all"),
            ["alerts: "],
        ),
        (
            TRADES.format(length=9),
            TRADES.format(length=9).replace('close("L")', 'close("L", alert_message = "sell all")'),
            ["the alert message of 4 filled orders differs (filled order 2: '' -> 'sell all')"],
        ),
        (
            TRADES.format(length=9),
            TRADES.format(length=9).replace("strategy.long)", 'strategy.long, comment = "up")'),
            ["the comment of "],
        ),
        (TRADES.format(length=9), PLOTS, ["one of the scripts is a strategy"]),
        (DRAWINGS, DRAWINGS, []),
        (DRAWINGS, DRAWINGS + "\n    box.new(bar_index - 5, high, bar_index, low)", []),
        (DRAWINGS, DRAWINGS.replace("high, 'top'", "low, 'top'"), ["drawings of the kind label: 1 of 1 differ"]),
        (DRAWINGS, DRAWINGS.replace("'cell'", "'other'"), ["drawings of the kind table: 1 of 1 differ"]),
        (DRAWINGS, DRAWINGS.replace("close))", "open))"), ["drawings of the kind polyline: 1 of 1 differ"]),
        (
            DRAWINGS,
            DRAWINGS.replace("bar_index - 2, low", "bar_index - 3, low"),
            ["kind line: 1 of 2", "kind linefill"],
        ),
        (PLOTS, PLOTS + '\nif bar_index == 5\n    runtime.error("no")', ["the changed script stopped"]),
    ]
    for before, after, expected in cases:
        told = differences(run(before), run(after))
        assert bool(told) == bool(expected), (after, told)
        for words in expected:
            assert any(words in line for line in told), (words, told)


LINES = (
    'indicator("x")\nplot(close, "Close", color = color.red, offset = 1)\nh = hline(70)\ng = hline(30)\nfill(h, g)\n'
    'alertcondition(close > open, "Up", "up")\nif barstate.islast\n    label.new(bar_index, close, "here")\n'
    '    log.info("done")\nvar t = table.new(position.top_left, 1, 1)\nt.cell(0, 0, str.tostring(close))'
)


def test_everything_that_a_script_shows_is_compared() -> None:
    before = run(LINES)
    assert differences(before, run(LINES), additions=False) == []
    for old, new, expected in (
        ("hline(70)", "hline(60)", "the price of hline was 70 and is 60"),
        ("offset = 1", "offset = -9", 'the offset of plot "Close" was 1 and is -9'),
        ("color.red", "close > open ? color.red : color.blue", 'the color of plot "Close" differs on '),
        ("fill(h, g)", "fill(g, h)", "the hline1 of fill was hline and is hline (2)"),
        ('"here"', '"there"', "drawings of the kind label: 1 of 1 differ"),
        ('"done"', '"gone"', "logs: 1 of 1 differ"),
        ("str.tostring(close)", '"x"', "drawings of the kind table: 1 of 1 differ"),
        (', "up")', ', "down")', 'the message of alertcondition "Up" was up and is down'),
    ):
        told = differences(before, run(LINES.replace(old, new)))
        assert any(line.startswith(expected) for line in told), (new, told)


def test_logs_may_be_added_unless_that_is_forbidden() -> None:
    before, after = run(LINES), run(LINES + '\nif barstate.islast\n    log.info("more")')
    assert differences(before, after) == []
    assert differences(before, after, additions=False) == ["logs: 1 of 2 differ"]


def test_a_fill_is_the_same_although_a_plot_before_it_is_new() -> None:
    after = LINES.replace("h = hline(70)", 'plot(open, "Open")\nh = hline(70)')
    assert differences(run(LINES), run(after)) == []


def test_an_addition_is_a_difference_only_if_it_is_forbidden() -> None:
    before, after = run(PLOTS), run(PLOTS + '\nplot(open, "Open")')
    assert differences(before, after) == []
    assert differences(before, after, additions=False) == ['plot "Open" is new']
    before, after = run(DRAWINGS), run(DRAWINGS + "\n    box.new(bar_index - 5, high, bar_index, low)")
    assert differences(before, after) == []
    assert differences(before, after, additions=False) == [
        "drawings of the kind box: 1 of 1 differ at the end of the run"
    ]
