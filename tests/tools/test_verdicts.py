"""Situations in which a tool could give a wrong verdict: nothing unchecked, uncompared or untested is told as good."""

from typing import Any

import pytest

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call

OLD = {
    1: 'study("x")\nplot(clos)\n',
    4: '//@version=4\nstudy("x")\nplot(clos)\n',
    5: "//@version=5\nplot(clos)\nfoo(1)\n",
}
"""Scripts of older versions, which are wrong and which nothing here checks."""

QUARTERS, DAYS = "sample:BTCUSDT@15x120", "sample:AAPL@1Dx120"
HOUR = 'request.security(syminfo.tickerid, "60", ta.ema(close, 5))'


def indicator(*lines: str) -> str:
    return "\n".join(("//@version=6", 'indicator("x", overlay = true)', *lines, ""))


def strategy(*lines: str, more: str = "") -> str:
    return "\n".join(("//@version=6", f'strategy("x", overlay = true{more})', *lines, ""))


def crossing(level: str) -> str:
    """A strategy whose orders depend on `level`."""
    up, down = ("if ta.crossover(close, t)", "if ta.crossunder(close, t)")
    return strategy(
        f"t = {level}", up, '    strategy.entry("L", strategy.long)', down, '    strategy.close("L")', "plot(1)"
    )


TABLE = "var t = table.new(position.top_left, 1, 1)"

REPAINTING: list[tuple[str, bool | None]] = [
    (indicator(TABLE, f"t.cell(0, 0, str.tostring({HOUR}))", "plot(1)"), True),
    (indicator(TABLE, f"t.cell(0, 0, str.tostring({HOUR}[1]))", "plot(1)"), True),
    (indicator(TABLE, f"v = {HOUR}", "if barstate.islast", "    t.cell(0, 0, str.tostring(v))", "plot(1)"), True),
    (indicator(f"log.info(str.tostring({HOUR}))", "plot(1)"), True),
    (indicator(f"v = {HOUR}", "if bar_index % 10 == 0", "    label.new(bar_index, high, str.tostring(v))"), True),
    (indicator(f"v = {HOUR}", "if close > v", '    alert("up")', "plot(1)"), True),
    (indicator(f"plot({HOUR})"), True),
    (indicator(f"plot({HOUR}[1])"), True),
    (indicator("varip int n = 0", "n += 1", "plot(n)"), True),
    (indicator("plot(timenow)"), True),
    (indicator("plotshape(barstate.islast)", "plot(close)"), True),
    (indicator('plot(request.security(syminfo.tickerid, "60", close, lookahead = barmerge.lookahead_on))'), True),
    (crossing(HOUR), None),
    (indicator(f"v = {HOUR}", "bgcolor(close > v ? color.red : na)"), None),
    (
        indicator(
            "e = barstate.isrealtime ? high : high[1]",
            'plot(request.security(syminfo.tickerid, "240", e, lookahead = barmerge.lookahead_on))',
        ),
        None,
    ),
    (
        strategy(
            "if close > open",
            '    strategy.entry("L", strategy.long)',
            "if close < open",
            '    strategy.close("L")',
            more=", calc_on_order_fills = true",
        ),
        None,
    ),
    (indicator("plot(ta.sma(close, 5))"), False),
    (indicator('plot(request.security(syminfo.tickerid, "60", close[1], lookahead = barmerge.lookahead_on))'), False),
]
"""Scripts on bars of 15 minutes, and whether they repaint; None says that nothing is proved."""

ON_DAYS: list[tuple[str, bool | None]] = [
    (indicator('plot(request.security(syminfo.tickerid, "60", close))'), None),
    (indicator('plot(request.security_lower_tf(syminfo.tickerid, "60", close).size())'), None),
    (crossing('request.security(syminfo.tickerid, "W", close)'), True),
]

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    *((tool, {"source": OLD[5]}, "Pine v5") for tool in ("pine_run", "pine_backtest", "pine_repaint_check")),
    *((tool, {"source": OLD[5]}, "Pine v5") for tool in ("pine_audit_strategy", "pine_profile", "quant_tearsheet")),
    *((tool, {"source": OLD[4]}, "Pine v4") for tool in ("pine_indicator_values", "pine_format", "pine_parameters")),
    ("pine_inspect", {"source": OLD[5], "bar": 5}, "Pine v5"),
    ("pine_why", {"source": OLD[5], "expression": "close", "bar": 5}, "Pine v5"),
    ("pine_repaint_check", {"source": indicator("plot(clos)")}, "does not compile"),
    (
        "pine_repaint_check",
        {"source": indicator("if bar_index == 30", '    runtime.error("no")')},
        "nothing was compared",
    ),
    ("pine_repaint_check", {"source": indicator('plot(request.security("X:NONE", "D", close))')}, "not computed"),
    ("quant_compare", {"data": [DAYS]}, "at least two symbols"),
    ("quant_risk", {"equity": 1000, "entry": 100, "stop": 105, "side": "long"}, "must be below its entry"),
]
"""Calls that have no verdict, and words of the reason."""

UNKNOWN: list[tuple[str, dict[str, Any], str]] = [
    ("quant_returns", {"data": "sample:BTCUSDT@60x10"}, "autocorrelation"),
    ("quant_returns", {"data": "sample:BTCUSDT@60x30"}, "volatility.ratio"),
    ("quant_tearsheet", {"data": "sample:BTCUSDT@60x15"}, "figures.sharpe"),
    ("quant_tearsheet", {"data": "sample:BTCUSDT@60x300"}, "figures.cagr"),
    ("quant_risk", {"equity": 1000, "trades": [{"profit": 5}, {"profit": -3}]}, "kelly"),
    ("quant_compare", {"data": ["sample:BTCUSDT@60x15", "sample:ETHUSDT@60x15"]}, "BINANCE:BTCUSDT/"),
]
"""Calls with too little for a figure, and the beginning of a key under `unknown`, which gives the reason."""


def test_scripts_that_nothing_checks_never_pass() -> None:
    browser = ChartBrowser(port=9)
    for version, source in OLD.items():
        checked = call(browser, "pine_analyze", {"source": source})
        fixed = call(browser, "pine_fix", {"source": source})
        linted = call(browser, "pine_lint", {"source": source})
        expected = None if version > 1 else False
        assert checked["passes_check"] is fixed["passes_check"] is expected, version
        assert {checked["diagnostics"][0]["code"], linted["diagnostics"][0]["code"]} == {
            "PB0001" if version > 1 else "version-missing"
        }


def test_uses_of_a_library_that_is_not_here_and_versions_to_come_never_pass() -> None:
    browser = ChartBrowser(port=9)
    imports = '//@version=6\nindicator("x")\nimport me/Foo/1 as f\nplot(f.g(close))\n'
    for source in (imports, '//@version=7\nindicator("x")\nplot(close)\n', imports.replace("=6", "=5")):
        told = [call(browser, name, {"source": source}) for name in ("pine_analyze", "pine_fix")]
        told += [call(browser, "pine_migrate", {"source": source})] if "=5" in source else []
        for each in told:
            assert each["success"] and each["passes_check"] is None, each
    checked = call(browser, "pine_analyze", {"source": imports})
    assert (checked["diagnostics"][0]["line"], checked["issue_count"]) == (3, 1)
    assert "only TradingView can check its uses: me/Foo/1" in checked["diagnostics"][0]["message"]
    assert call(browser, "pine_analyze", {"source": imports.replace("(close)", "(clos)")})["passes_check"] is False
    assert (
        call(browser, "pine_analyze", {"source": imports.replace("import me/Foo/1 as f", "// import")})["passes_check"]
        is False
    )  # f is not declared then


def test_a_test_without_a_bar_in_its_range_is_no_test() -> None:
    strategy = '//@version=6\nstrategy("x")\nif close > open\n    strategy.entry("L", strategy.long)\n'
    for dates in ({"from": "2041-01-01"}, {"to": "1991-01-01"}):
        refused = call(ChartBrowser(port=9), "pine_backtest", {"source": strategy, **dates})
        assert not refused["success"] and "there is no bar in the range" in refused["error"], refused


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.soak)])
def test_nothing_is_said_not_to_repaint_that_was_not_compared(step: int) -> None:
    browser, wrong = ChartBrowser(port=9), []
    for bars, table in ((QUARTERS, REPAINTING), (DAYS, ON_DAYS)):
        for source, repaints in table[::step]:
            told = call(browser, "pine_repaint_check", {"source": source, "data": bars})
            reasons = [each for each in told.get("remarks", ()) if each.startswith("not proved: ")]
            counted = any("live bars" in each for each in told.get("remarks", ()))
            is_told = bool(told.get("findings")) if repaints else bool(reasons) is (repaints is None)
            if not told["success"] or told["repaints"] is not repaints or not counted or not is_told:
                wrong.append((source, repaints, told.get("repaints"), told.get("error"), reasons))
    assert wrong == []


def test_what_has_no_verdict_is_an_error_or_has_a_reason() -> None:
    browser, wrong = ChartBrowser(port=9), []
    for tool, given, words in REFUSED:
        told = call(browser, tool, given)
        if told["success"] or words not in f"{told['error']} {told.get('hint')}":
            wrong.append((tool, given, told))
    for tool, given, key in UNKNOWN:
        told = call(browser, tool, given)
        reasons = {name: why for name, why in told.get("unknown", {}).items() if name.startswith(key)}
        if not told["success"] or not reasons or not all(reasons.values()):
            wrong.append((tool, given, told.get("unknown") or told.get("error")))
    assert wrong == []


def test_there_are_forty_situations() -> None:
    assert 3 * len(OLD) + len(REPAINTING) + len(ON_DAYS) + len(REFUSED) + len(UNKNOWN) >= 50
