"""Tasks about averages and bands."""

from __future__ import annotations

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN, zipped
from pinebench.evals.tasks import Instance, family, pine, words

_AVERAGES = {"sma": oracle.sma, "ema": oracle.ema, "wma": oracle.wma, "rma": oracle.rma}
_NAMES = {"sma": "simple", "ema": "exponential", "wma": "weighted", "rma": "Wilder's (ta.rma)"}


@family("two-averages", "write", "indicator", "easy")
def _two_averages(draw: Draw) -> Instance:
    one, other = draw.turn(("sma", "ema"), ("wma", "sma"), ("ema", "rma"), ("rma", "wma"), ("sma", "wma"))
    fast, slow = draw.whole(5, 11), draw.whole(17, 29)
    source = draw.turn("close", "high", "low", "open", "close")
    near, far = draw.pick(("Fast", "Slow"), ("Short", "Long"), ("Quick", "Lazy"))
    return Instance(
        request=words(f"""
            Write an indicator with two averages of the {source} price, drawn on the price chart (overlay = true).
            The plot "{near}" is the {_NAMES[one]} moving average over the input "{near} length" (int, default {fast}).
            The plot "{far}" is the {_NAMES[other]} moving average over the input "{far} length" (int, default {slow}).
            The plot "Gap" is the first minus the second, in percent of the second.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Two averages", overlay = true)
            int nearLength = input.int({fast}, "{near} length", minval = 1)
            int farLength = input.int({slow}, "{far} length", minval = 1)
            float nearAverage = ta.{one}({source}, nearLength)
            float farAverage = ta.{other}({source}, farLength)
            plot(nearAverage, "{near}", color.teal)
            plot(farAverage, "{far}", color.orange)
            plot(100 * (nearAverage - farAverage) / farAverage, "Gap", display = display.data_window)
        """),
        inputs={f"{near} length": fast + 3, f"{far} length": slow + 4},
        settings={"overlay": True},
        oracle=lambda bars, inputs: _pair(
            near,
            far,
            _AVERAGES[one](getattr(bars, source), inputs.get(f"{near} length", fast)),
            _AVERAGES[other](getattr(bars, source), inputs.get(f"{far} length", slow)),
        ),
    )


def _pair(near: str, far: str, one: list[float], other: list[float]) -> dict[str, list[float]]:
    return {near: one, far: other, "Gap": zipped(lambda a, b: 100 * (a - b) / b, one, other)}


@family("less-lag", "write", "indicator", "medium")
def _less_lag(draw: Draw) -> Instance:
    length = draw.whole(6, 14)
    kind = draw.turn("double", "triple", "zero lag", "hull", "triangular")
    title = draw.pick("Average", "Line", "Curve")
    rule, code = {
        "double": (
            "2 * e1 - e2, where e1 is the exponential average (ta.ema) of the close and e2 the average of e1, each over "
            "the length",
            "float one = ta.ema(close, length)\nfloat result = 2 * one - ta.ema(one, length)",
        ),
        "triple": (
            "3 * e1 - 3 * e2 + e3, where e1 is the exponential average (ta.ema) of the close, e2 the average of e1 and e3 "
            "the average of e2, each over the length",
            "float one = ta.ema(close, length)\nfloat two = ta.ema(one, length)\n"
            "float result = 3 * one - 3 * two + ta.ema(two, length)",
        ),
        "zero lag": (
            "the exponential average (ta.ema) over the length of close + (close - c), where c is the close of "
            "(length - 1) / 2 bars ago, rounded down",
            "int back = int((length - 1) / 2)\nfloat result = ta.ema(close + (close - close[back]), length)",
        ),
        "hull": (
            "the weighted average (ta.wma) over the square root of the length, rounded to the nearest whole number, of "
            "2 * w1 - w2, where w1 is the weighted average of the close over half the length, rounded down, and w2 the "
            "weighted average of the close over the length",
            "float raw = 2 * ta.wma(close, int(length / 2)) - ta.wma(close, length)\n"
            "float result = ta.wma(raw, int(math.round(math.sqrt(length))))",
        ),
        "triangular": (
            "the simple average over the length of the simple average of the close over the length",
            "float result = ta.sma(ta.sma(close, length), length)",
        ),
    }[kind]

    def values(close: list[float], n: int) -> list[float]:
        if kind == "double":
            one = oracle.ema(close, n)
            return zipped(lambda a, b: 2 * a - b, one, oracle.ema(one, n))
        if kind == "triple":
            one = oracle.ema(close, n)
            two = oracle.ema(one, n)
            return zipped(lambda a, b, c: 3 * a - 3 * b + c, one, two, oracle.ema(two, n))
        if kind == "zero lag":
            return oracle.ema(zipped(lambda a, b: 2 * a - b, close, oracle.shifted(close, (n - 1) // 2)), n)
        if kind == "hull":
            raw = zipped(lambda a, b: 2 * a - b, oracle.wma(close, n // 2), oracle.wma(close, n))
            return oracle.wma(raw, round(n**0.5))
        return oracle.sma(oracle.sma(close, n), n)

    body = code.replace("\n", "\n            ")
    other = length + draw.whole(2, 5)
    if kind == "hull":
        other = 12 if length < 12 else 20  # roots with a part from 0.4 to 0.5, which only the nearest rounds down
    return Instance(
        request=words(f"""
            Write an indicator with the {kind} moving average of the close. The input "Length" (int, default {length},
            at least 2) is its length. The plot "{title}" is {rule}. The plot "Slope" is its change since the bar before.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Less lag", overlay = true)
            int length = input.int({length}, "Length", minval = 2)
            {body}
            plot(result, "{title}")
            plot(result - result[1], "Slope", display = display.data_window)
        """),
        inputs={"Length": other},
        oracle=lambda bars, inputs: {
            title: (line := values(bars.close, inputs.get("Length", length))),
            "Slope": oracle.change(line),
        },
    )


@family("adaptive-average", "write", "indicator", "hard")
def _adaptive(draw: Draw) -> Instance:
    length, fast, slow = draw.whole(6, 12), draw.whole(2, 4), draw.whole(20, 34)
    power = draw.turn(2, 1, 2, 3, 2)
    title = draw.pick("KAMA", "Adaptive", "Smart average")

    def values(close: list[float], n: int) -> tuple[list[float], list[float]]:
        line: list[float] = []
        shares: list[float] = []
        last = NAN
        for i in range(len(close)):
            share = NAN
            if i >= n:
                path = sum(abs(close[j] - close[j - 1]) for j in range(i - n + 1, i + 1))
                share = abs(close[i] - close[i - n]) / path if path else 0.0
                speed = (share * (2 / (fast + 1) - 2 / (slow + 1)) + 2 / (slow + 1)) ** power
                last = close[i] if last != last else last + speed * (close[i] - last)
            shares.append(share)
            line.append(last)
        return line, shares

    def plots(close: list[float], n: int) -> dict[str, list[float]]:
        line, shares = values(close, n)
        return {title: line, "Efficiency": shares}

    raised = "speed" if power == 1 else " * ".join(["speed"] * power)
    exactly = "" if power == 1 else f", raised to the power of {power}"
    return Instance(
        request=words(f"""
            Write an indicator with an average that adapts its speed. The input "Length" (int, default {length}) is the
            number of moves that it looks at.

            The plot "Efficiency" is the distance between the close and the close of Length bars ago (never negative),
            divided by the sum of the last Length absolute changes of the close from bar to bar. It is 0 if that sum is
            0, and na on the first Length bars.

            The speed on a bar is Efficiency * (f - s) + s{exactly}, with f = 2 / {fast + 1} and s = 2 / {slow + 1}. The
            plot "{title}" is na on the first Length bars. On the first bar with an efficiency it is the close. On every
            later bar it is its last value plus the speed times (close minus its last value).
        """),
        reference=pine(f"""
            //@version=6
            indicator("Adaptive average", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float path = math.sum(math.abs(close - close[1]), length)
            float way = math.abs(close - close[length])
            float efficiency = path == 0 ? 0.0 : way / path
            float slowest = 2.0 / {slow + 1}
            float speed = efficiency * (2.0 / {fast + 1} - slowest) + slowest
            var float average = na
            if not na(speed)
                average := na(average) ? close : average + {raised} * (close - average)
            plot(average, "{title}")
            plot(efficiency, "Efficiency", display = display.data_window)
        """),
        inputs={"Length": length + draw.whole(2, 6)},
        oracle=lambda bars, inputs: plots(bars.close, inputs.get("Length", length)),
    )


@family("bands", "write", "indicator", "easy")
def _bands(draw: Draw) -> Instance:
    length, factor = draw.whole(11, 23), draw.turn(2.0, 1.5, 2.5, 1.8, 3.0)
    source = draw.turn("close", "hl2", "high", "ohlc4", "close")
    up, down = draw.pick(("Upper", "Lower"), ("Top", "Bottom"), ("Ceiling", "Floor"))
    place = draw.turn("position", "width", "position", "width", "position")
    told = {
        "position": f'The plot "Position" is (close - {down}) / ({up} - {down}), where the names stand for the bands, and '
        "0.5 where both bands are equal.",
        "width": 'The plot "Width" is the distance between the bands in percent of the middle.',
    }[place]
    line = {
        "position": 'plot(upper == lower ? 0.5 : (close - lower) / (upper - lower), "Position")',
        "width": 'plot(100 * (upper - lower) / middle, "Width")',
    }[place]

    def values(bars, n: int, k: float) -> dict[str, list[float]]:
        prices = _prices(bars, source)
        middle, spread = oracle.sma(prices, n), oracle.stdev(prices, n)
        top = zipped(lambda m, s: m + k * s, middle, spread)
        low = zipped(lambda m, s: m - k * s, middle, spread)
        extra = (
            zipped(lambda c, t, b: 0.5 if t == b else (c - b) / (t - b), bars.close, top, low)
            if place == "position"
            else zipped(lambda t, b, m: 100 * (t - b) / m, top, low, middle)
        )
        return {"Middle": middle, up: top, down: low, place.title(): extra}

    return Instance(
        request=words(f"""
            Write an indicator with bands around the simple average of {source}. The input "Length" (int, default
            {length}) is the length of the average and of the standard deviation (of the population, as ta.stdev computes
            it by default). The input "Factor" (float, default {factor}) is the number of standard deviations. Plot
            "Middle", "{up}" and "{down}". {told}
        """),
        reference=pine(f"""
            //@version=6
            indicator("Bands")
            int length = input.int({length}, "Length", minval = 1)
            float factor = input.float({factor}, "Factor")
            float middle = ta.sma({source}, length)
            float spread = factor * ta.stdev({source}, length)
            float upper = middle + spread
            float lower = middle - spread
            plot(middle, "Middle")
            plot(upper, "{up}")
            plot(lower, "{down}")
            {line}
        """),
        inputs={"Length": length + 5, "Factor": factor + 0.7},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length), inputs.get("Factor", factor)),
    )


def _prices(bars, source: str) -> list[float]:
    return {
        "close": lambda: list(bars.close),
        "hl2": lambda: zipped(lambda h, lo: (h + lo) / 2, bars.high, bars.low),
        "high": lambda: list(bars.high),
        "ohlc4": lambda: zipped(lambda o, h, lo, c: (o + h + lo + c) / 4, bars.open, bars.high, bars.low, bars.close),
    }[source]()


@family("squeeze", "write", "indicator", "medium")
def _squeeze(draw: Draw) -> Instance:
    length, inner, outer = draw.whole(12, 20), draw.turn(2.0, 1.8, 2.2, 1.9, 2.1), draw.turn(1.5, 1.4, 1.6, 1.3, 1.7)
    on, off = draw.pick(("Squeeze", "Release"), ("Quiet", "Fire"), ("Coil", "Spring"))

    def values(bars, n: int) -> dict[str, list]:
        spread = oracle.stdev(bars.close, n)
        reach = oracle.atr(bars.high, bars.low, bars.close, n)
        quiet = [inner * s < outer * r for s, r in zip(spread, reach, strict=True)]
        ends = [i > 0 and quiet[i - 1] and not quiet[i] for i in range(len(quiet))]
        run, counts = 0, []
        for one in quiet:
            run = run + 1 if one else 0
            counts.append(float(run))
        return {on: quiet, off: ends, "Bars": counts}

    return Instance(
        request=words(f"""
            Write an indicator that finds quiet markets. A bar is quiet if {inner} standard deviations of the close
            (ta.stdev) are less than {outer} average true ranges (ta.atr), both over the input "Length" (int, default
            {length}). Bars without both values are not quiet.

            - plotshape "{on}": shown on every quiet bar
            - plotshape "{off}": shown on a bar that is not quiet if the bar before was quiet
            - plot "Bars": the number of quiet bars in a row up to this bar, 0 if the bar is not quiet
        """),
        reference=pine(f"""
            //@version=6
            indicator("Squeeze")
            int length = input.int({length}, "Length", minval = 1)
            float spread = {inner} * ta.stdev(close, length)
            float reach = {outer} * ta.atr(length)
            bool isQuiet = spread < reach
            var int quietBars = 0
            quietBars := isQuiet ? quietBars + 1 : 0
            plotshape(isQuiet, "{on}", location = location.bottom)
            plotshape(not isQuiet and quietBars[1] > 0, "{off}", location = location.top)
            plot(quietBars, "Bars")
        """),
        inputs={"Length": length + 4},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )
