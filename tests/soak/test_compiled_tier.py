"""TradingView's trade lists and series on both tiers: wherever the compiled tier applies, every bit is the same."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from pinebench.compiled import Refused, compile_script
from pinebench.execution.performing import perform, request_of
from pinebench.market import Bars, SymbolInfo
from tests import parity
from tests.compiled.same import compare

pytestmark = [pytest.mark.soak, pytest.mark.skipif(not parity.there(), reason="PINEBENCH_PARITY names no folder")]
LEAST_COVERED = 100


def test_trade_lists_are_the_same_on_both_tiers() -> None:
    columns = parity.chart()
    bars = Bars([int(moment) for moment in columns[0]], *columns[1:])
    symbol = SymbolInfo(
        symbol="ETHUSDT.P",
        mintick=0.01,
        timeframe="15",
        currency="USDT",
        timezone="UTC",
        session="24x7",
        mincontract=0.001,
    )
    covered = 0
    for name in parity.lists():
        program = open_program(parity.trade_list(name)[0])
        request = request_of(program, bars, symbol)
        made = compile_script(program, request)
        if isinstance(made, Refused) or made.left_out:
            continue
        covered += 1
        ran = made.run_whole(bars, {})
        assert ran is not None, name
        compare(ran, perform(request))
    assert covered >= LEAST_COVERED
