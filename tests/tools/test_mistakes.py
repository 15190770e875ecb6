"""Mistakes of models in calls: what can mean one thing only is taken, all else is answered with the right call."""

from typing import Any

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call

INDICATOR = '//@version=6\nindicator("x")\nint n = input.int(3, "Length")\nplot(ta.sma(close, n), "Mean")\n'
STRATEGY = '//@version=6\nstrategy("x")\nif close > open\n    strategy.entry("L", strategy.long)\n'
BARS = "sample:AAPL@1Dx300"
TWO = [BARS, "sample:MSFT@1Dx300"]
TRADES = [{"profit": 5, "risk": 10}]
SIZE = {"equity": 10_000, "entry": 100, "stop": 95}

Given = dict[str, Any]

TAKEN: list[tuple[str, Given]] = [
    ("pine_run", {"source": INDICATOR, "bars": "300"}),
    ("pine_run", {"source": INDICATOR, "bars": 300.0}),
    ("pine_run", {"source": INDICATOR, "timeframe": "1h"}),
    ("pine_run", {"source": INDICATOR, "timeframe": "4 hours"}),
    ("pine_run", {"source": INDICATOR, "timeframe": "daily"}),
    ("pine_run", {"source": INDICATOR, "timeframe": 60}),
    ("pine_run", {"source": INDICATOR, "interval": "1D"}),
    ("pine_run", {"source": INDICATOR, "ticker": "AAPL"}),
    ("pine_run", {"code": INDICATOR}),
    ("pine_run", {"script": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "timeframe": ["1D"]}),
    ("pine_run", {"source": f"```pine\n{INDICATOR}```"}),
    ("pine_run", {"source": INDICATOR, "symbol": "aapl"}),
    ("pine_run", {"source": INDICATOR, "symbol": ["AAPL"]}),
    ("pine_run", {"source": INDICATOR, "symbol": None}),
    ("pine_run", {"source": INDICATOR, "inputs": '{"Length": 5}'}),
    ("pine_run", {"source": INDICATOR, "inputs": {"Length": "5"}}),
    ("pine_run", {"source": INDICATOR, "image": "false"}),
    ("pine_run", {"source": INDICATOR, "data": [BARS]}),
    ("pine_run", {"source": INDICATOR, "data": f'["{BARS}"]'}),
    ("quant_compare", {"data": str(TWO).replace("'", '"')}),
    ("quant_risk", {**SIZE, "trades": '[{"profit": 5, "risk": 10}]'}),
    ("quant_risk", {**SIZE, "trades": TRADES[0]}),
    ("quant_risk", {**SIZE, "side": "Long"}),
    ("get_indicators", {"symbol": BARS, "indicators": "rsi, atr"}),
    ("get_indicators", {"symbol": BARS, "indicators": '["rsi", "atr"]'}),
    ("get_indicators", {"symbol": BARS, "indicators": {"name": "RSI", "period": 21}}),
    ("get_indicators", {"symbol": BARS, "indicators": "rsi", "interval": "1d"}),
    ("get_indicators", {"ticker": BARS, "indicators": "rsi", "timeframe": "1d"}),
    ("list_indicators", {"kind": "Overlay"}),
    ("pine_lint", {"source": INDICATOR, "select": "PB2006"}),
    ("pine_explain", {"name": "supertrend"}),
]
"""Calls that are not as the schema says, and that mean one thing only."""

ANSWERED: list[tuple[str, Given, str, Given]] = [
    ("pine_run", {"source": INDICATOR, "bars": "1,000"}, "a plain number", {"source": INDICATOR, "bars": 1000}),
    ("pine_run", {"source": INDICATOR, "bars": 10**6}, "from 1 to 20000", {"source": INDICATOR, "bars": 20_000}),
    ("pine_run", {"source": INDICATOR, "last": "all"}, "a finite number", {"source": INDICATOR, "last": 500}),
    ("pine_run", {"Source": INDICATOR}, "source?", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "code": INDICATOR}, "give only source", {"source": INDICATOR}),
    ("pine_run", {"source": "mean.pine"}, "give its content", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR.replace("ta.sma", "sma")}, "`ta.sma`", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "symbol": "AAPL:NASDAQ"}, "NASDAQ:AAPL?", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "symbol": "APPL"}, "mean AAPL?", {"source": INDICATOR, "symbol": "AAPL"}),
    ("pine_run", {"source": INDICATOR, "inputs": {"Lenght": 5}}, '"Length"', {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "inputs": ["Length", 5]}, '{"name": value}', {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "from": 1700000000}, "2024-01-31", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "from": "31/01/2024"}, "2024-01-31", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "start_date": "2024-01-31"}, "from?", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "image": "yes"}, "true or false", {"source": INDICATOR}),
    ("pine_run", {"symbol": "AAPL"}, "the whole script", {"source": INDICATOR, "symbol": "AAPL"}),
    ("pine_run", {"source": None}, "the whole script", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "symbol": ["AAPL", "MSFT"]}, "give one", {"source": INDICATOR}),
    ("pine_run", {"source": INDICATOR, "csv": "bars.csv"}, "data?", {"source": INDICATOR, "data": BARS}),
    ("pine_backtest", {"source": STRATEGY, "initial_capital": 1000}, "properties", {"source": STRATEGY}),
    (
        "pine_backtest",
        {"source": STRATEGY, "properties": {"commission_percent": 0.1}},
        "commission_value",
        {"source": STRATEGY, "properties": {"commission_value": 0.1}},
    ),
    ("pine_backtest", {"source": INDICATOR}, "pinebench run", {"source": STRATEGY}),
    ("quant_compare", {"sources": TWO}, "data?", {"data": TWO}),
    ("quant_compare", {"symbols": ["AAPL", "MSFT"]}, "data?", {"data": TWO}),
    ("quant_compare", {"data": ", ".join(TWO)}, 'for example, ["', {"data": TWO}),
    ("quant_risk", {**SIZE, "risk": 1}, "risk_percent?", {**SIZE, "risk_percent": 1}),
    ("quant_risk", {**SIZE, "risk_percent": "1%"}, "a plain number", {**SIZE, "risk_percent": 1}),
    ("quant_risk", {**SIZE, "equity": "$10,000"}, "a plain number", SIZE),
    ("quant_risk", {**SIZE, "side": "buy"}, "long?", {**SIZE, "side": "long"}),
    ("quant_risk", {**SIZE, "stop": 105, "side": "long"}, "a stop below", {**SIZE, "side": "long"}),
    ("quant_risk", {**SIZE, "trades": [{"pnl": 5, "risk": 10}]}, "profit?", {**SIZE, "trades": TRADES}),
    ("get_indicators", {"symbol": BARS, "indicators": ["rsi14"]}, "rsi?", {"symbol": BARS, "indicators": ["rsi"]}),
    ("get_indicators", {"data": BARS, "indicators": ["rsi"]}, "symbol?", {"symbol": BARS, "indicators": ["rsi"]}),
    (
        "get_indicators",
        {"symbol": BARS, "indicators": [{"name": "rsi", "lenght": 5}]},
        "length?",
        {"symbol": BARS, "indicators": [{"name": "rsi", "length": 5}]},
    ),
    ("list_indicators", {"type": "overlay"}, "kind?", {"kind": "overlay"}),
    ("list_indicators", {"kind": "oscillator"}, "panel?", {"kind": "panel"}),
    ("pine_explain", {"code": "PB2006"}, "name?", {"name": "PB2006"}),
    ("pine_explain", {"name": "ta.supertend"}, "'ta.supertrend'", {"name": "ta.supertrend"}),
    ("pine_lint", {"source": INDICATOR, "codes": ["PB2006"]}, "select?", {"source": INDICATOR, "select": ["PB2006"]}),
    ("template_get", {"name": "EMA Ribbon"}, "ema_ribbon?", {"name": "ema_ribbon"}),
]
"""Calls that are refused: a word of the answer that says what is right, and the call that follows from it."""

ON_A_PAGE: list[tuple[str, Given, str]] = [
    ("draw_shape", {"shape": "trend line"}, "shape must be one of"),
    ("chart_set_timeframe", {"interval": ""}, "timeframe must not be empty"),
    ("chart_set_symbol", {"ticker": ["AAPL", "MSFT"]}, "give one"),
    ("draw_shape", {"shape": "horizontal_line", "point": {"time": 1_750_000_000_000, "price": 5}}, "1750000000"),
    ("draw_shape", {"shape": "horizontal_line", "point": {"timestamp": 1_750_000_000, "price": 5}}, "time"),
    ("pine_set_source", {"source": "/home/me/mean.pine"}, "give its content"),
    ("data_get_ohlcv", {"bars": 20}, "count?"),
    ("data_get_ohlcv", {"count": "many"}, "a finite number"),
    ("data_get_trades", {"limit": 20}, "max_trades"),
]
"""Calls for a page that are refused before the page is looked for, and a word of the answer that says what is right."""


def test_what_can_mean_one_thing_only_is_taken() -> None:
    browser = ChartBrowser(port=9)
    few = {"bars": 60}
    answers = [
        (name, given, call(browser, name, {**few, **given} if name == "pine_run" and "data" not in given else given))
        for name, given in TAKEN
    ]
    assert [each for each in answers if not each[2]["success"]] == []


def test_each_mistake_is_answered_so_that_the_next_call_is_right() -> None:
    assert len(TAKEN) + len(ANSWERED) + len(ON_A_PAGE) >= 75
    browser, wrong = ChartBrowser(port=9), []
    for name, given, words, right in ANSWERED:
        told = call(browser, name, given)
        answer = f"{told.get('error')} ({told.get('hint')})"
        if told["success"] or words not in answer or not call(browser, name, right)["success"]:
            wrong.append((name, given, answer))
    for name, given, words in ON_A_PAGE:
        told = call(browser, name, given)
        answer = f"{told.get('error')} ({told.get('hint')})"
        if words not in answer:
            wrong.append((name, given, answer))
    assert wrong == []


def test_the_names_of_like_tools_are_answered_with_ours() -> None:
    meant = {
        "backtest": "pine_backtest",
        "run_script": "pine_run",
        "pine_compile_check": "pine_check",
        "get_quote": "quote_get",
        "set_symbol": "chart_set_symbol",
        "list_indicator": "list_indicators",
    }
    for written, name in meant.items():
        assert name in str(call(ChartBrowser(port=9), written, {}).get("hint")), written
