"""Tasks about arrays, maps and matrices."""

from __future__ import annotations

import math
from collections import Counter

from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN
from pinebench.evals.tasks import Instance, family, pine, words


@family("trimmed-mean", "write", "indicator", "medium")
def _trimmed_mean(draw: Draw) -> Instance:
    length, cut = draw.whole(9, 15), draw.turn(1, 2, 3, 2, 1)
    source = draw.turn("close", "volume", "high", "close", "low")
    mean, middle = draw.pick(("Trimmed", "Median"), ("Robust", "Middle"), ("Core", "Half"))

    def values(bars, n: int) -> dict[str, list[float]]:
        given = getattr(bars, source)
        found: dict[str, list[float]] = {mean: [], middle: [], "Spread": []}
        for i in range(len(given)):
            window = sorted(given[i - n + 1 : i + 1]) if i >= n - 1 else []
            core = window[cut : n - cut]
            half = (window[(n - 1) // 2] + window[n // 2]) / 2 if window else NAN
            found[mean].append(math.fsum(core) / len(core) if core else NAN)
            found[middle].append(half)
            found["Spread"].append(core[-1] - core[0] if core else NAN)
        return found

    return Instance(
        request=words(f"""
            Write an indicator with robust averages of the last n values of the {source}, this bar included; n is the input
            "Length" (int, default {length}, at least {2 * cut + 1}). Sort the n values and leave out the {cut} smallest and
            the {cut} largest. Plot the simple average of the others as "{mean}", and the largest minus the smallest of the
            others as "Spread". Plot the median of all n values as "{middle}" (for an even n the mean of the two middle
            ones). All are na until there are n bars.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Trimmed mean")
            int length = input.int({length}, "Length", minval = {2 * cut + 1})
            var array<float> window = array.new<float>()
            window.push({source})
            if window.size() > length
                window.shift()
            float mean = na
            float middle = na
            float spread = na
            if window.size() == length
                array<float> sorted = window.copy()
                sorted.sort()
                middle := sorted.median()
                array<float> core = sorted.slice({cut}, length - {cut})
                mean := core.avg()
                spread := core.last() - core.first()
            plot(mean, "{mean}")
            plot(middle, "{middle}")
            plot(spread, "Spread")
        """),
        inputs={"Length": length + 5},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )


@family("price-buckets", "write", "indicator", "hard")
def _price_buckets(draw: Draw) -> Instance:
    width = draw.whole(4, 16) / 2
    kind = draw.turn("bars", "volume", "bars", "volume", "bars")
    best, size = draw.pick(("Bucket", "Weight"), ("POC", "Amount"), ("Mode", "Total"))
    buckets = draw.pick("Buckets", "Levels", "Groups")
    told, code = ("1", "1.0") if kind == "bars" else ("its volume", "volume")

    def values(bars, w: float) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {best: [], size: [], buckets: []}
        held: Counter[int] = Counter()
        for i in range(len(bars)):
            held[math.floor(bars.close[i] / w)] += 1 if kind == "bars" else bars.volume[i]
            most = max(held.values())
            found[best].append(min(key for key, value in held.items() if value == most) * w)
            found[size].append(float(most))
            found[buckets].append(float(len(held)))
        return found

    return Instance(
        request=words(f"""
            Write an indicator that sorts all bars so far into price buckets. The bucket of a bar is floor(close / w), where
            w is the input "Width" (float, default {width}). Each bar adds {told} to the weight of its bucket. On each bar,
            this bar included, find the bucket with the largest weight; if several have the same weight, the lowest of
            them. Plot its lower price (bucket number times w) as "{best}", its weight as "{size}", and the number of
            different buckets so far as "{buckets}".
        """),
        reference=pine(f"""
            //@version=6
            indicator("Price buckets", overlay = true)
            float width = input.float({width}, "Width", minval = 0.1)
            var map<int, float> weights = map.new<int, float>()
            int bucket = int(math.floor(close / width))
            weights.put(bucket, nz(weights.get(bucket)) + {code})
            int best = na
            float most = 0.0
            for [key, weight] in weights
                if weight > most or weight == most and key < best
                    best := key
                    most := weight
            plot(best * width, "{best}")
            plot(most, "{size}", display = display.data_window)
            plot(weights.size(), "{buckets}", display = display.data_window)
        """),
        inputs={"Width": width * 2},
        fall=width,
        oracle=lambda bars, inputs: values(bars, inputs.get("Width", width)),
    )


@family("line-fit", "write", "indicator", "hard")
def _line_fit(draw: Draw) -> Instance:
    length = draw.whole(8, 16)
    source = draw.turn("close", "high", "low", "open", "close")
    slope, fit = draw.pick(("Slope", "Fit"), ("Gradient", "Quality"), ("Tilt", "R2"))
    ahead = draw.turn(1, 2, 3, 2, 1)

    def values(bars, n: int) -> dict[str, list[float]]:
        given = getattr(bars, source)
        found: dict[str, list[float]] = {slope: [], fit: [], "Forecast": []}
        for i in range(len(given)):
            if i < n - 1:
                for name in found:
                    found[name].append(NAN)
                continue
            y = given[i - n + 1 : i + 1]
            mx, my = (n - 1) / 2, math.fsum(y) / n
            sxy = math.fsum((x - mx) * (v - my) for x, v in enumerate(y))
            sxx = math.fsum((x - mx) ** 2 for x in range(n))
            syy = math.fsum((v - my) ** 2 for v in y)
            b = sxy / sxx
            found[slope].append(b)
            found[fit].append(0.0 if syy == 0 else sxy * sxy / (sxx * syy))
            found["Forecast"].append(my + b * (n - 1 - mx + ahead))
        return found

    return Instance(
        request=words(f"""
            Write an indicator that fits a straight line to the last n values of the {source} by least squares; n is the
            input "Length" (int, default {length}, at least 3). Bars are one step apart, and the newest value is this bar's.
            Plot the slope per bar as "{slope}" (positive if prices rise), the coefficient of determination R squared as
            "{fit}" (0 if all values are equal), and the value of the line {ahead} bar(s) after this bar as "Forecast" (on
            this bar, without an offset). All are na until there are n bars.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Line fit")
            int length = input.int({length}, "Length", minval = 3)
            float middle = ta.sma({source}, length)
            float centre = (length - 1) / 2.0
            float xy = 0.0
            float xx = 0.0
            float yy = 0.0
            for i = 0 to length - 1
                float x = centre - i
                float y = {source}[i] - middle
                xy += x * y
                xx += x * x
                yy += y * y
            float slope = xy / xx
            plot(slope, "{slope}")
            plot(yy == 0 ? 0.0 : xy * xy / (xx * yy), "{fit}")
            plot(middle + slope * (centre + {ahead}), "Forecast")
        """),
        inputs={"Length": length + 4},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )
