"""Measure an EMA cross in another program on the same bars. The interpreter must have that program installed.

usage: PYTHON benchmarks/peers.py {numba|backtesting|vectorbt} < GIVEN

GIVEN is JSON: `open`, `high`, `low`, `close`, `volume`, `time` in milliseconds, and `pairs` of lengths. It prints JSON:
`run`, the median seconds of processor time of the first pair; `sweep`, the seconds of all pairs; `of`, how many pairs
the sweep had; and `version`. The position reverses at the open after a cross. Compilation is not in the times.
"""

# pyright: basic, reportMissingImports=false

import json
import resource
import statistics
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

RUNS = 3
FEW = 10
"""The pairs that backtesting.py runs: it is too slow for all."""
PART = 200
"""The pairs that vectorbt computes, at once as it is meant to; for all of them its memory would not suffice."""

Pair = tuple[int, int]


def cpu() -> float:
    """Return the processor time of this process and of its ended child processes."""
    own, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def timed(run: Callable[[], object]) -> float:
    """Return the seconds of processor time of a call."""
    begin = cpu()
    run()
    return cpu() - begin


def numba_loop(told: dict[str, Any], pairs: list[Pair]) -> tuple[Callable[[list[Pair]], object], int]:
    """Return a function with a hand-written loop compiled by numba, and the number of pairs to measure."""
    import numba
    import numpy

    @numba.njit
    def profit(opens: Any, closes: Any, quick: int, late: int) -> tuple[float, int]:
        fast = slow = total_fast = total_slow = entry = earned = 0.0
        side = turn = trades = 0
        armed_up = armed_down = False
        for i in range(len(closes)):
            if turn:
                if side:
                    earned += (opens[i] - entry) * side
                    trades += 1
                side, entry, turn = turn, opens[i], 0
            price = closes[i]
            if i < quick:
                total_fast += price
                fast = total_fast / quick
            else:
                fast += 2 / (quick + 1) * (price - fast)
            if i < late:
                total_slow += price
                slow = total_slow / late
            else:
                slow += 2 / (late + 1) * (price - slow)
            if i >= late - 1:
                if fast > slow and armed_up and side <= 0:
                    turn = 1
                if fast < slow and armed_down and side >= 0:
                    turn = -1
                armed_up, armed_down = fast <= slow, fast >= slow
        return earned, trades

    opens, closes = numpy.array(told["open"]), numpy.array(told["close"])
    return lambda chosen: [profit(opens, closes, *pair) for pair in chosen], len(pairs)


def backtesting_py(told: dict[str, Any], pairs: list[Pair]) -> tuple[Callable[[list[Pair]], object], int]:
    """Return a function that runs one back-test after another with backtesting.py, and the number of pairs."""
    import backtesting
    import pandas
    from backtesting.lib import crossover

    class Cross(backtesting.Strategy):
        fast, slow = 9, 21

        def init(self) -> None:
            closes = pandas.Series(self.data.Close)
            self.quick = self.I(lambda: closes.ewm(span=self.fast, adjust=False).mean())
            self.late = self.I(lambda: closes.ewm(span=self.slow, adjust=False).mean())

        def next(self) -> None:
            if crossover(list(self.quick[-2:]), list(self.late[-2:])):
                self.position.close()
                self.buy(size=1)
            elif crossover(list(self.late[-2:]), list(self.quick[-2:])):
                self.position.close()
                self.sell(size=1)

    names = ("open", "high", "low", "close", "volume")
    index = pandas.to_datetime(told["time"], unit="ms")
    data = pandas.DataFrame({name.capitalize(): told[name] for name in names}, index=index)
    test = backtesting.Backtest(data, Cross, cash=1_000_000)
    return lambda chosen: [test.run(fast=fast, slow=slow) for fast, slow in chosen[:FEW]], min(FEW, len(pairs))


def vectorbt(told: dict[str, Any], pairs: list[Pair]) -> tuple[Callable[[list[Pair]], object], int]:
    """Return a function that runs vectorbt with signals filled at the next open, and the number of pairs."""
    import pandas
    import vectorbt as vbt

    close, opens = pandas.Series(told["close"]), pandas.Series(told["open"])

    def some(chosen: list[Pair]) -> object:
        fast = vbt.MA.run(close, [pair[0] for pair in chosen], ewm=True)
        slow = vbt.MA.run(close, [pair[1] for pair in chosen], ewm=True)
        up, down = fast.ma_crossed_above(slow), fast.ma_crossed_below(slow)
        return vbt.Portfolio.from_signals(
            opens,
            up.vbt.fshift(1),
            down.vbt.fshift(1),
            short_entries=down.vbt.fshift(1),
            short_exits=up.vbt.fshift(1),
            size=1,
            init_cash=1_000_000,
            freq="1h",
        ).total_profit()

    return lambda chosen: some(chosen[:PART]), min(PART, len(pairs))


PROGRAMS = {"numba": numba_loop, "backtesting": backtesting_py, "vectorbt": vectorbt}


def main() -> None:
    """Measure one program."""
    name = sys.argv[1]
    told = json.load(sys.stdin)
    pairs: list[Pair] = [(fast, slow) for fast, slow in told["pairs"]]
    run, of = PROGRAMS[name](told, pairs)
    run(pairs[:2])
    single = statistics.median(timed(lambda: run(pairs[:1])) for _ in range(RUNS))
    sweep = timed(lambda: run(pairs))
    print(json.dumps({"run": single, "sweep": sweep, "of": of, "version": version(name)}))


if __name__ == "__main__":
    main()
