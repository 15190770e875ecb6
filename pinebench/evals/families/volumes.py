"""Tasks about volume."""

from __future__ import annotations

import math

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN, zipped
from pinebench.evals.tasks import Instance, family, pine, words


@family("volume-flow", "write", "indicator", "medium")
def _volume_flow(draw: Draw) -> Instance:
    length = draw.whole(8, 18)
    kind = draw.turn("sign", "place", "percent", "sign", "place")
    flow, signal = draw.pick(("Flow", "Signal"), ("Pressure", "Average"), ("Total", "Smoothed"))
    weight = draw.whole(2, 4)
    told, code = {
        "sign": (
            f"plus {weight} times the volume if the close is above the close before, minus the volume if it is below, and "
            "0 if it is equal or on the first bar",
            f"close > close[1] ? {weight} * volume : close < close[1] ? -volume : 0.0",
        ),
        "place": (
            "the volume times ((close - low) - (high - close)) / (high - low), and 0 if high equals low",
            "high == low ? 0.0 : volume * ((close - low) - (high - close)) / (high - low)",
        ),
        "percent": (
            "the volume times the relative change of the close, (close - c) / c, where c is the close before, and 0 on "
            "the first bar",
            "nz(volume * (close - close[1]) / close[1])",
        ),
    }[kind]

    def part(bars, i: int) -> float:
        close, before = bars.close[i], bars.close[i - 1] if i else NAN
        high, low, volume = bars.high[i], bars.low[i], bars.volume[i]
        if kind == "sign":
            return weight * volume if close > before else -volume if close < before else 0.0
        if kind == "place":
            return 0.0 if high == low else volume * ((close - low) - (high - close)) / (high - low)
        return volume * (close - before) / before if i else 0.0

    def values(bars, n: int) -> dict[str, list]:
        line = oracle.totals([part(bars, i) for i in range(len(bars))])
        smooth = oracle.ema(line, n)
        return {flow: line, signal: smooth, "Turn": oracle.crossed_over(line, smooth)}

    return Instance(
        request=words(f"""
            Write an indicator with a running total of volume. On each bar it adds {told}. The total starts with the first
            bar. Plot the total as "{flow}", and its exponential average (ta.ema) over the input "Length" (int, default
            {length}) as "{signal}". A plotshape "Turn" is shown where the total crosses over its average (ta.crossover).
        """),
        reference=pine(f"""
            //@version=6
            indicator("Volume flow")
            int length = input.int({length}, "Length", minval = 1)
            float part = {code}
            float total = ta.cum(part)
            float average = ta.ema(total, length)
            plot(total, "{flow}")
            plot(average, "{signal}", color.orange)
            plotshape(ta.crossover(total, average), "Turn", location = location.bottom)
        """),
        inputs={"Length": length + 7},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )


@family("relative-volume", "write", "indicator", "easy")
def _relative_volume(draw: Draw) -> Instance:
    length, factor = draw.whole(8, 20), draw.turn(1.5, 1.4, 1.6, 1.3, 1.7)
    title, spike = draw.pick(("Relative volume", "Spike"), ("RVOL", "Busy"), ("Ratio", "Loud"))
    extra = draw.turn("up", "down", "any", "up", "down")
    told, code = {
        "up": (" and the close is above the open", " and close > open"),
        "down": (" and the close is below the open", " and close < open"),
        "any": ("", ""),
    }[extra]

    def values(bars, n: int, k: float) -> dict[str, list]:
        ratio = zipped(lambda v, m: v / m, bars.volume, oracle.shifted(oracle.sma(bars.volume, n), 1))
        fits = {
            "up": [c > o for c, o in zip(bars.close, bars.open, strict=True)],
            "down": [c < o for c, o in zip(bars.close, bars.open, strict=True)],
            "any": [True] * len(bars),
        }[extra]
        return {title: ratio, spike: [r >= k and f for r, f in zip(ratio, fits, strict=True)]}

    return Instance(
        request=words(f"""
            Write an indicator that compares the volume with its past. The plot "{title}" is the volume divided by the
            simple average of the volume of the n bars before this bar (this bar is not part of the average); n is the
            input "Length" (int, default {length}). A plotshape "{spike}" is shown on bars on which this ratio is at least
            the input "Factor" (float, default {factor}){told}.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Relative volume")
            int length = input.int({length}, "Length", minval = 1)
            float factor = input.float({factor}, "Factor")
            float usual = ta.sma(volume, length)[1]
            float ratio = volume / usual
            plot(ratio, "{title}", style = plot.style_columns)
            plotshape(ratio >= factor{code}, "{spike}", location = location.top)
        """),
        inputs={"Length": length + 4, "Factor": factor + 0.35},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length), inputs.get("Factor", factor)),
    )


@family("rolling-vwap", "write", "indicator", "medium")
def _rolling_vwap(draw: Draw) -> Instance:
    length, factor = draw.whole(10, 24), draw.turn(1.0, 1.5, 2.0, 1.2, 1.8)
    middle, up = draw.pick(("VWAP", "Upper"), ("Fair", "Dear"), ("Centre", "Edge"))
    source = draw.turn("ohlc4", "close", "hl2", "ohlc4", "close")

    def values(bars, n: int) -> dict[str, list[float]]:
        price = {
            "close": list(bars.close),
            "hl2": zipped(lambda h, lo: (h + lo) / 2, bars.high, bars.low),
            "ohlc4": zipped(lambda o, h, lo, c: (o + h + lo + c) / 4, bars.open, bars.high, bars.low, bars.close),
        }[source]
        line, top = [NAN] * len(bars), [NAN] * len(bars)
        for i in range(n - 1, len(bars)):
            places = range(i - n + 1, i + 1)
            volume = math.fsum(bars.volume[j] for j in places)
            line[i] = math.fsum(price[j] * bars.volume[j] for j in places) / volume
            spread = math.fsum(bars.volume[j] * (price[j] - line[i]) ** 2 for j in places) / volume
            top[i] = line[i] + factor * math.sqrt(spread)
        return {middle: line, up: top}

    return Instance(
        request=words(f"""
            Write an indicator with a rolling volume-weighted average price of {source} over the input "Length" (int,
            default {length}): the sum of price times volume of the last n bars, divided by the sum of their volumes. Plot
            it as "{middle}". The plot "{up}" is that average plus {factor} times the volume-weighted standard deviation:
            the square root of the sum of volume * (price - average) * (price - average) over the same n bars, divided by
            the sum of their volumes, where the average is the one of this bar. Both are na until there are n bars.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Rolling VWAP", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float price = {source}
            float volumes = math.sum(volume, length)
            float average = math.sum(price * volume, length) / volumes
            float squares = 0.0
            for i = 0 to length - 1
                squares += volume[i] * math.pow(price[i] - average, 2)
            plot(average, "{middle}")
            plot(average + {factor} * math.sqrt(squares / volumes), "{up}")
        """),
        inputs={"Length": length + 5},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )
