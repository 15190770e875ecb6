"""Tools that doubt a script: repainting, and the audit of a strategy."""

from tests.studio.support import CLEAN
from tests.tables import each
from tests.tools.offline import refused, use

STRATEGY = """//@version=6
strategy("Cross", initial_capital = 10000, commission_type = strategy.commission.percent, commission_value = 0.1)
fast = ta.sma(close, 5)
slow = ta.sma(close, 20)
if ta.crossover(fast, slow)
    strategy.entry("Long", strategy.long)
if ta.crossunder(fast, slow)
    strategy.close("Long")
"""
AHEAD = """//@version=6
indicator("Ahead")
plot(request.security(syminfo.tickerid, "1W", close, lookahead = barmerge.lookahead_on), "Week")
"""


def test_what_looks_ahead_is_found_with_its_line() -> None:
    found = use("pine_repaint_check", source=AHEAD, bars=60)
    assert found["repaints"]
    assert {each["line"] for each in found["findings"]} == {3}
    assert not use("pine_repaint_check", source=CLEAN, bars=60)["repaints"]


CROSSING = """//@version=6
strategy("x")
float t = request.security(syminfo.tickerid, "W", close)
if ta.crossover(close, ta.sma(close, 300)) and close > t
    strategy.entry("L", strategy.long)
"""


def test_what_was_not_tested_is_never_said_to_be_without_repainting() -> None:
    below = (
        '//@version=6\nindicator("x")\nplot(request.security(syminfo.tickerid, "60", ta.ema(close, 5)))\nplot(close)'
    )
    constant = '//@version=6\nindicator("x")\nplot(1)'
    cases = [
        (below, None, "line 3 requests 60"),
        (constant, False, ""),
        (CROSSING, None, "PB2006"),
        (CLEAN + '\nlog.info("x")\n', False, ""),
        (AHEAD, True, ""),
        (CLEAN, False, "live bars"),
    ]
    for source, expected, words in cases:
        found = use("pine_repaint_check", source=source, bars=60)
        assert found["repaints"] is expected, found
        assert words in " ".join(found["remarks"]), found
    assert use("pine_audit_strategy", source=CROSSING)["checks"]["signals_stay"] is None
    agreed = use("pine_audit_strategy", source=CROSSING, bars=60, symbol="AAPL")
    assert agreed["checks"]["signals_stay"] is None
    assert any("signals_stay is not proved" in remark for remark in agreed["remarks"])


def test_a_strategy_is_audited() -> None:
    found = use("pine_audit_strategy", source=STRATEGY)
    assert found["passes_check"]
    assert found["declared"]["initial_capital"] == 10000
    passed = {name for name, has in found["checks"].items() if has}
    assert found["checks"]["signals_stay"] is None, "it was not run"
    kept = {"not_on_every_tick", "not_filled_at_close"}
    assert passed == {"has_commission", "sets_capital", *kept}
    assert found["score"] == round(100 * 4 / 12)
    assert "without data or symbol its profit, and whether it repaints, are not known" in found["remarks"][0]
    assert "run" not in found and "data" not in found
    bare = use(
        "pine_audit_strategy",
        source='//@version=6\nstrategy("x")\nif close > open\n    strategy.entry("L", strategy.long)\n',
    )
    assert bare["findings"]
    assert all(each["code"] for each in bare["findings"])
    assert {name for name, has in bare["checks"].items() if has} == kept
    built = use("strategy_build", preset="trend_following", exit="atr_stop")
    whole = use("pine_audit_strategy", source=built["source"])
    assert (whole["score"], whole["findings"]) == (67, []), "what it earns is not known without a run"


# Bought at the top of each rise and sold at the bottom of each fall, with everything else as an auditor wants it.
LOSING = """//@version=6
strategy("Late", initial_capital = 10000, default_qty_type = strategy.percent_of_equity, default_qty_value = 90,
     commission_type = strategy.commission.percent, commission_value = 0.3, slippage = 2)
if bar_index % 4 == 0
    strategy.entry("L", strategy.long)
strategy.exit("X", "L", stop = strategy.position_avg_price * 0.9, limit = strategy.position_avg_price * 1.1)
if bar_index % 4 == 2
    strategy.close("L")
"""
STAYING = {"bars": 200, "symbol": "NASDAQ:AAPL"}


def test_a_strategy_that_lost_never_gets_everything() -> None:
    found = use("pine_audit_strategy", source=LOSING, **STAYING)
    run = found["run"]
    assert run["figures"]["net_profit_percent"] < -20
    checks = {name for name, has in found["checks"].items() if not has}
    assert checks == {"earns"} and found["score"] < 100
    assert found["data"] == "sample" and (run["symbol"], run["bars"]) == ("NASDAQ:AAPL (made up)", 200)
    assert any(line.startswith("trades by exit: ") for line in run["did"])
    tested = use("pine_backtest", source=LOSING, **STAYING)
    assert {name: tested["report"][name] for name in run["figures"] if name in tested["report"]} == run["figures"]


def test_an_idle_and_a_stopped_strategy_are_told() -> None:
    idle = use("pine_audit_strategy", source=STRATEGY.replace("crossover(fast", "crossover(0 * fast"), **STAYING)
    assert idle["checks"]["runs_through"] and not idle["checks"]["closes_trades"] and not idle["checks"]["earns"]
    assert any("never ran" in line and "strategy.entry" in line for line in idle["run"]["did"])
    stops = use("pine_audit_strategy", source=LOSING + 'if bar_index == 9\n    runtime.error("no")\n', **STAYING)
    assert stops["run"]["stopped"] is not None and "no" in stops["run"]["stopped"]
    # it may have traded and earned before it stopped, so neither is said
    assert (stops["checks"]["closes_trades"], stops["checks"]["earns"]) == (None, None)
    assert any("signals_stay is not proved: the script stopped" in each for each in stops["remarks"])
    assert not stops["checks"]["runs_through"]


def test_what_cannot_be_run_is_audited_without() -> None:
    other = LOSING + 'plot(request.security("NYSE:X", "D", close))\n'
    found = use("pine_audit_strategy", source=other, **STAYING)
    assert "run" not in found and "NYSE:X" in found["remarks"][0]
    assert found["checks"]["earns"] is None


@each(("old", "new"), [("//@version=6", "//@version=7"), ("\nstrategy(", "\nimport Pub/lib/2 as lib\nstrategy(")])
def test_what_was_not_checked_is_said(old: str, new: str) -> None:
    found = use("pine_audit_strategy", source=STRATEGY.replace(old, new, 1))
    assert found["passes_check"] is None
    assert "not everything was checked" in found["remarks"][0]


def test_a_strategy_with_errors_is_audited_as_far_as_it_goes() -> None:
    head = 'strategy("x", slippage = 2, calc_on_every_tick = true)'
    source = f'//@version=6\n{head}\nstrategy.exit("a", loss = 5)\nplot(nothing)\n'
    found = use("pine_audit_strategy", source=source)
    assert not found["passes_check"]
    checks = found["checks"]
    assert checks["has_slippage"] and checks["has_stop"]
    assert not checks["not_on_every_tick"] and not checks["has_target"]
    assert "not a strategy" in refused("pine_audit_strategy", source=CLEAN)
