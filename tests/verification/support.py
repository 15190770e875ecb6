"""Recordings for tests, as a chart would show them: made by a run on bars of the sample market."""

from dataclasses import replace

from pinebench.calendars.timeframes import timeframe
from pinebench.market import sample_bars, samples
from pinebench.verification.recordings import History, Recording
from pinebench.verification.reruns import rerun

STRATEGY = """//@version=6
strategy("Cross", overlay = true, default_qty_type = strategy.percent_of_equity, default_qty_value = 20)
length = input.int(10, "Length")
average = ta.sma(close, length)
plot(ta.ema(close, 9), "Fast")
plot(ta.cum(close), "Sum")
plot(average)
plotshape(ta.crossover(close, average), "Up")
plotcandle(open, high, low, close, "Bars")
if ta.crossover(close, average)
    strategy.entry("Long", strategy.long)
if ta.crossunder(close, average)
    strategy.close("Long")
"""


def recorded(script: str = STRATEGY, bars: int = 400, shown: int | None = None, **inputs: object) -> Recording:
    """What a chart of `bars` bars shows of the script; it shows only the last `shown` of them."""
    symbol = samples.find("NASDAQ:AAPL")
    assert symbol is not None
    every = sample_bars(symbol, timeframe("1D"), bars)
    plain = Recording(script, symbol.info("D"), every, inputs=inputs, history="whole", day="2026-11-28")
    ran = rerun(plain)
    assert ran.problem is None, ran.problem
    first = 0 if shown is None else len(every) - shown
    history: History = "part" if first else "whole"
    plots = [plot._replace(values=plot.values[first:]) for plot in ran.plots]
    kept = every.at(range(first, len(every)))
    return replace(plain, bars=kept, plots=plots, trades=ran.trades, history=history)
