"""Scripts of a few lines on bars of a few numbers, as the tests of this room run them."""

from collections.abc import Sequence
from typing import Any

from pinebench.checker import open_program
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.runtime import Result, Runtime

START = 1_704_067_200_000
"""2024-01-01 00:00 UTC, a Monday."""
MINUTE = 60_000
HEAD = '//@version=6\nindicator("Test")\n'


def bars_of(closes: Sequence[float], minutes: int = 15) -> Bars:
    """Bars that open where the one before closed and reach 1 above and below."""
    opens = [closes[0], *closes[:-1]] if closes else []
    return Bars(
        time=[START + number * minutes * MINUTE for number in range(len(closes))],
        open=list(opens),
        high=[max(pair) + 1 for pair in zip(opens, closes, strict=True)],
        low=[min(pair) - 1 for pair in zip(opens, closes, strict=True)],
        close=list(closes),
        volume=[100.0 + number for number in range(len(closes))],
    )


def runtime_of(source: str, bars: Bars | Sequence[float], timeframe: str = "15", **options: Any) -> Runtime:
    """A script, its head added where it has none, ready to run."""
    text = source if source.startswith("//@version") else HEAD + source
    given = bars if isinstance(bars, Bars) else bars_of(bars)
    return Runtime(open_program(text), given, SymbolInfo(timeframe=timeframe), **options)


def run(source: str, bars: Bars | Sequence[float] = (1.0, 2.0, 3.0, 4.0, 5.0), **options: Any) -> Result:
    """What a script leaves; a fault stops the test."""
    result = runtime_of(source, bars, **options).run()
    if result.error is not None:
        raise result.error
    return result


def values(source: str, bars: Bars | Sequence[float] = (1.0, 2.0, 3.0, 4.0, 5.0), **options: Any) -> list[Any]:
    """The values of the script's first plot, na as None."""
    return [None if value != value else value for value in run(source, bars, **options).plots[0].values]
