"""Tools that doubt a script: repainting, and the audit of a strategy."""

from __future__ import annotations

from typing import Any

from pinebench.tools.calling import call
from pinebench.tools.desk import Desk
from tests.studio.support import CLEAN

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


def use(name: str, /, **arguments: object) -> dict[str, Any]:
    """The result of a call that must go well."""
    result = call(Desk(port=9), name, arguments)
    assert result["success"], result
    return result


def refused(name: str, /, **arguments: object) -> str:
    """The error of a call that must fail."""
    result = call(Desk(port=9), name, arguments)
    assert not result["success"], result
    return result["error"]


def test_what_looks_ahead_is_found_with_its_line() -> None:
    found = use("pine_repaint_check", source=AHEAD, bars=60)
    assert found["repaints"]
    assert {each["line"] for each in found["findings"]} == {3}
    assert not use("pine_repaint_check", source=CLEAN, bars=60)["repaints"]


def test_a_strategy_is_audited() -> None:
    found = use("pine_audit_strategy", source=STRATEGY)
    assert found["passes_check"]
    assert found["declared"]["initial_capital"] == 10000
    bare = use(
        "pine_audit_strategy",
        source='//@version=6\nstrategy("x")\nif close > open\n    strategy.entry("L", strategy.long)\n',
    )
    assert bare["findings"]
    assert all(each["code"] for each in bare["findings"])
    assert "no strategy" in refused("pine_audit_strategy", source=CLEAN)
