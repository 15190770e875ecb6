"""Scripts run from Python: bars of any kind in, arrays out, the same as the runtime gives."""

from __future__ import annotations

import numpy
import pandas
import pytest

from pinebench.errors import UsageError
from pinebench.execution import run
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.refusals import NotComputed
from tests.runtime.running import HEAD, bars_of

BARS = bars_of([1.0, 2.0, 3.0, 4.0])
FRAME = pandas.DataFrame({name: getattr(BARS, name) for name in ("time", "open", "high", "low", "close", "volume")})


def test_columns_are_arrays_with_na_as_nan() -> None:
    source = (
        HEAD + 'n = input.int(2, "Length")\nplot(ta.sma(close, n), "Mean")\nplot(open)\nplotshape(close > 2, "Mean")'
    )
    result = run(source, FRAME, {"Length": 3})
    assert list(result.plots) == ["Mean", "Plot 2", "Mean 2"]
    numpy.testing.assert_array_equal(result.plots["Mean"], [numpy.nan, numpy.nan, 2, 3])
    assert result.plots["Mean"].dtype == numpy.float64
    assert (result.plots["Mean 2"].dtype, result.plots["Mean 2"].tolist()) == (bool, [False, False, True, True])
    assert (result.times.dtype, result.times.tolist()) == (numpy.int64, BARS.time)
    assert result.error is None


def test_the_timeframe_and_the_tick_come_from_the_bars() -> None:
    source = HEAD + "plot(timeframe.multiplier)\nplot(syminfo.mintick)"
    assert [column[0] for column in run(source, BARS).plots.values()] == [15, 0.01]
    assert run(source, BARS, symbol=SymbolInfo(timeframe="30")).plots["Plot 1"][0] == 30


def test_other_symbols_are_given_as_bars_too() -> None:
    source = HEAD + 'plot(request.security("EX:B", "", close))'
    twice = FRAME.assign(open=FRAME["open"] * 2, high=FRAME["high"] * 2, close=FRAME["close"] * 2)
    assert run(source, BARS, others={"EX:B": twice}).plots["Plot 1"].tolist() == [2, 4, 6, 8]
    with pytest.raises(NotComputed, match="a request for EX:B"):
        run(source, BARS)


def test_a_script_that_stops_has_no_values_and_says_why() -> None:
    result = run(HEAD + 'plot(close)\nif bar_index == 2\n    runtime.error("enough")', BARS)
    assert result.error is not None and result.error.message == "Error on bar 2: enough"
    assert result.plots["Plot 1"].tolist() == []


def test_bars_that_are_none_are_refused() -> None:
    with pytest.raises(UsageError, match="no column 'high'"):
        run(HEAD + "plot(close)", FRAME.drop(columns="high"))
