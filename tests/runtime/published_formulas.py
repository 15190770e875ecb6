"""The formulas of published libraries, written in Python from their definitions, independent of pinebench's runtime.

A series is a list of floats; `nan` is na. Each function gets whole series and returns whole series.
"""

import math
from collections.abc import Callable, Sequence
from statistics import median

from pinebench.market.bars import Bars

NAN = math.nan
Series = list[float]


def each(function: Callable[..., float], *given: Sequence[float]) -> Series:
    """The function of the values of each bar; na if one of them is, or if it cannot be computed."""
    return [_computed(function, values) for values in zip(*given, strict=True)]


def _computed(function: Callable[..., float], values: tuple[float, ...]) -> float:
    if any(value != value for value in values):
        return NAN
    try:
        return float(function(*values))
    except (ZeroDivisionError, ValueError):
        return NAN


def quotient(one: float, other: float) -> float:
    """A division as machines do it: infinite by 0."""
    return one / other if other else NAN if one != one or one == 0 else math.copysign(math.inf, one)


def before(source: Series, count: int = 1, instead: float = NAN) -> Series:
    """The series `count` bars earlier; `instead` where there is no value."""
    moved = [NAN] * count + source[: max(len(source) - count, 0)]
    return [instead if value != value else value for value in moved[: len(source)]]


def window(function: Callable[[Series], float], source: Series, length: int) -> Series:
    """The function of the last `length` values, the oldest first; na while one of them is missing."""
    found = [NAN] * len(source)
    for place in range(length - 1, len(source)):
        values = source[place - length + 1 : place + 1]
        if all(value == value for value in values):
            found[place] = _computed(lambda *_, values=values: function(values), ())
    return found


def sma(source: Series, length: int) -> Series:
    return window(lambda values: math.fsum(values) / length, source, length)


def total(source: Series, length: int) -> Series:
    return window(math.fsum, source, length)


def wma(source: Series, length: int) -> Series:
    weights = range(1, length + 1)
    return window(lambda values: sum(map(lambda a, b: a * b, values, weights)) / sum(weights), source, length)


def extreme(best: Callable[[Series], float], source: Series, length: int) -> Series:
    """The best of the last `length` values without the missing ones; na until there are `length` bars."""
    found = [NAN] * len(source)
    for place in range(length - 1, len(source)):
        values = [value for value in source[place - length + 1 : place + 1] if value == value]
        found[place] = best(values) if values else NAN
    return found


def highest(source: Series, length: int) -> Series:
    return extreme(max, source, length)


def lowest(source: Series, length: int) -> Series:
    return extreme(min, source, length)


def smoothed(source: Series, length: int, alpha: float) -> Series:
    """An exponential average that begins with the plain average of the first `length` values. A missing one changes
    nothing."""
    found: Series = []
    known: Series = []
    last = NAN
    for value in source:
        if value == value:
            known.append(value)
            last = math.fsum(known) / length if len(known) == length else alpha * value + (1 - alpha) * last
        found.append(last if value == value and len(known) >= length else NAN)
    return found


def ema(source: Series, length: int) -> Series:
    return smoothed(source, length, 2 / (length + 1))


def rma(source: Series, length: int) -> Series:
    return smoothed(source, length, 1 / length)


def change(source: Series, count: int = 1) -> Series:
    return each(lambda a, b: a - b, source, before(source, count))


def sign(source: Series) -> Series:
    return each(lambda value: (value > 0) - (value < 0), source)


def blend(source: Series, weights: Series) -> Series:
    """The average whose weight of the new value may differ from bar to bar."""
    found: Series = []
    for value, weight in zip(source, weights, strict=True):
        old = found[-1] if found and found[-1] == found[-1] else value
        found.append(weight * value + (1 - weight) * old)
    return found


def ema2(source: Series, length: float) -> Series:
    return blend(source, [2 / (max(1.0, length) + 1)] * len(source))


def roc(source: Series, length: int) -> Series:
    return each(lambda a, b: 100 * (a - b) / b, source, before(source, length))


def stoch(source: Series, high: Series, low: Series, length: int) -> Series:
    return each(lambda c, h, lo: 100 * (c - lo) / (h - lo), source, highest(high, length), lowest(low, length))


def rsi(source: Series, length: int) -> Series:
    moves = change(source)
    up = rma(each(lambda move: max(move, 0), moves), length)
    down = rma(each(lambda move: max(-move, 0), moves), length)
    return each(lambda a, b: 100.0 if b == 0 else 0.0 if a == 0 else 100 - 100 / (1 + a / b), up, down)


def filled(source: Series) -> Series:
    """The series with the last known value, or 0, instead of na."""
    found: Series = []
    for value in source:
        found.append(value if value == value else found[-1] if found else 0.0)
    return found


def nz(source: Series, instead: float = 0.0) -> Series:
    return [value if value == value else instead for value in source]


class Prices:
    """The columns of some bars, and what is computed from them alone."""

    def __init__(self, bars: Bars) -> None:
        self.time = list(bars.time)
        self.open, self.high, self.low, self.close, self.volume = (
            list(column) for column in (bars.open, bars.high, bars.low, bars.close, bars.volume)
        )
        self.count = len(self.time)
        self.hl2 = each(lambda h, lo: (h + lo) / 2, self.high, self.low)
        self.hlc3 = each(lambda h, lo, c: (h + lo + c) / 3, self.high, self.low, self.close)
        last = [first if old != old else old for first, old in zip(self.high, before(self.close), strict=True)]
        spans = each(lambda h, lo, old: max(h, old) - min(lo, old), self.high, self.low, last)
        self.range = [h - lo if i == 0 else spans[i] for i, (h, lo) in enumerate(zip(self.high, self.low, strict=True))]

    def atr(self, length: int) -> Series:
        return rma(self.range, length)

    def atr2(self, length: float) -> Series:
        return blend(self.range, [1 / max(1.0, length)] * self.count)


# TradingView/ta


def since_extreme(source: Series, length: int, best: Callable[[Series], float]) -> Series:
    """The bars since the highest or lowest of the last `length` values; the newest of equal ones is not preferred."""

    def bars(values: Series) -> float:
        newest_first = values[::-1]
        return newest_first.index(best(newest_first))

    return window(bars, source, length)


def aroon(p: Prices, length: int) -> tuple[Series, Series]:
    up, down = since_extreme(p.high, length + 1, max), since_extreme(p.low, length + 1, min)
    return tuple(each(lambda since: 100 * (length - since) / length, one) for one in (up, down))  # type: ignore[return-value]


def fisher(source: Series, length: int) -> Series:
    places: Series = []
    found: Series = []
    for value, top, bottom in zip(source, highest(source, length), lowest(source, length), strict=True):
        old = places[-1] if places and places[-1] == places[-1] else 0.0
        share = _computed(lambda v, t, b: (v - b) / (t - b), (value, top, bottom))
        places.append(0.66 * (share - 0.5) + 0.67 * old)
        bounded = 0.999 if places[-1] > 0.99 else -0.999 if places[-1] < -0.99 else places[-1]
        last = found[-1] if found and found[-1] == found[-1] else 0.0
        found.append(_computed(lambda b: 0.5 * math.log((1 + b) / (1 - b)), (bounded,)) + 0.5 * last)
    return found


def frama(p: Prices, source: Series, length: int) -> Series:
    half = math.floor(length / 2 + 0.5)
    spread = each(lambda h, lo: (h - lo) / half, highest(p.high, half), lowest(p.low, half))
    whole = each(lambda h, lo: (h - lo) / length, highest(p.high, length), lowest(p.low, length))
    sizes = each(
        lambda a, b, c: math.exp(-4.6 * (math.log((a + b) / c) / math.log(2) - 1)), spread, before(spread, half), whole
    )
    return blend(source, sizes)


def since(source: Series, resets: Sequence[bool], better: Callable[[float, float], float]) -> Series:
    found: Series = []
    for value, reset in zip(source, resets, strict=True):
        found.append(value if reset or not found else better(found[-1], value))
    return found


def supertrend(p: Prices, atr: Series, factor: float, *, wicks: bool) -> tuple[Series, Series]:
    tops, bottoms = (p.high, p.low) if wicks else (p.close, p.close)
    upper = lower = line = NAN
    lines: Series = []
    directions: Series = []
    for i in range(p.count):
        old_upper, old_lower = (0.0 if value != value else value for value in (upper, lower))
        new_upper, new_lower = p.hl2[i] + factor * atr[i], p.hl2[i] - factor * atr[i]
        keeps_lower = not (new_lower > old_lower or (i > 0 and bottoms[i - 1] < old_lower))
        keeps_upper = not (new_upper < old_upper or (i > 0 and tops[i - 1] > old_upper))
        upper, lower = (old_upper if keeps_upper else new_upper), (old_lower if keeps_lower else new_lower)
        if i == 0 or atr[i - 1] != atr[i - 1]:
            direction = 1
        elif line == old_upper:
            direction = -1 if tops[i] > upper else 1
        else:
            direction = 1 if bottoms[i] < lower else -1
        line = lower if direction == -1 else upper
        lines.append(line)
        directions.append(direction)
    return lines, directions


def volatility_stop(p: Prices, source: Series, distances: Series) -> tuple[Series, Series]:
    top = bottom = source[0]
    stop, rises = 0.0, True
    stops: Series = []
    ups: Series = []
    for i, price in enumerate(source):
        away = distances[i] if distances[i] == distances[i] else p.range[i]
        top, bottom = max(top, price), min(bottom, price)
        stop = max(stop, top - away) if rises else min(stop, bottom + away)
        if (price - stop >= 0) != rises:
            rises, top, bottom = not rises, price, price
            stop = price - away if rises else price + away
        stops.append(stop)
        ups.append(1.0 if rises else 0.0)
    return stops, ups


def generalised(source: Series, average: Callable[[Series], Series], factor: float) -> Series:
    once = average(source)
    return each(lambda a, b: a * (1 + factor) - b * factor, once, average(once))


def tilson(source: Series, average: Callable[[Series], Series], factor: float) -> Series:
    for _ in range(3):
        source = generalised(source, average, factor)
    return source


def twice(source: Series, average: Callable[[Series], Series]) -> Series:
    once = average(source)
    return each(lambda a, b: 2 * a - b, once, average(once))


def thrice(source: Series, average: Callable[[Series], Series]) -> Series:
    once = average(source)
    second = average(once)
    return each(lambda a, b, c: 3 * a - 3 * b + c, once, second, average(second))


def zone(p: Prices, source: Series, length: int) -> Series:
    signed = each(lambda a, b: a * b, sign(change(p.close)), source)
    return nz(each(lambda a, b: 100 * a / b, ema(signed, length), ema(source, length)))


def ultimate(p: Prices, lengths: tuple[int, int, int]) -> Series:
    old = before(p.close)
    pressure = each(lambda c, lo, o: c - min(lo, o), p.close, p.low, old)
    spans = each(lambda h, lo, o: max(h, o) - min(lo, o), p.high, p.low, old)
    shares = [each(lambda a, b: a / b, total(pressure, each_), total(spans, each_)) for each_ in lengths]
    return each(lambda a, b, c: 100 * (4 * a + 2 * b + c) / 7, *shares)


def schaff(source: Series, fast: int, slow: int, cycle: int, d1: int, d2: int) -> Series:
    macd = each(lambda a, b: a - b, ema(source, fast), ema(source, slow))
    first = ema(filled(stoch(macd, macd, macd, cycle)), d1)
    second = ema(filled(stoch(first, first, first, cycle)), d2)
    return each(lambda value: min(max(value, 0), 100), second)


def fractal(source: Series, period: int) -> Series:
    """1 where the bar `period` bars ago is a fractal: a plateau of up to four bars before it counts as one."""

    def is_one(place: int) -> bool:
        top = source[place]
        if any(value >= top for value in source[place + 1 : place + period + 1]):
            return False
        for plateau in range(5):
            flat = source[max(place - plateau, 0) : place]
            start = place - plateau - period
            if start >= 0 and all(v <= top for v in flat) and all(v < top for v in source[start : place - plateau]):
                return True
        return False

    return [float(place >= period and is_one(place - period)) for place in range(len(source))]


def ta_values(p: Prices) -> dict[str, Series]:
    """What each export of TradingView/ta is on these bars, for the arguments of the test's script."""
    close, high, low, volume = p.close, p.high, p.low, p.volume
    average = p.atr(10)
    up, down = aroon(p, 14)
    donchian = highest(high, 20), lowest(low, 20)

    def middle(length: int) -> Series:
        return each(lambda a, b: (a + b) / 2, highest(high, length), lowest(low, length))

    rising = sma(each(lambda value: max(value, 0), change(high)), 9)
    falling = sma(each(lambda value: max(-value, 0), change(low)), 9)
    force = each(lambda a, b: 100 * a * b, sign(change(p.hlc3)), volume)
    klinger = each(lambda a, b: a - b, ema(force, 6), ema(force, 13))
    full = sma(stoch(close, high, low, 14), 3)
    strength = rsi(close, 14)
    stochastic = sma(stoch(strength, strength, strength, 14), 3)
    trend, direction = supertrend(p, average, 3.0, wicks=False)
    trend2, direction2 = supertrend(p, p.atr2(10), 3.0, wicks=True)
    stop, rises = volatility_stop(p, close, each(lambda value: 2 * value, average))
    stop2, rises2 = volatility_stop(p, close, each(lambda value: 2 * value, p.atr2(10)))
    rate = roc(ema(ema(ema(close, 5), 5), 5), 1)
    signal = ema(rate, 4)
    walk = each(lambda value: value * math.sqrt(8), p.atr(8))
    ranges = total(p.atr(1), 14)
    resets = [i % 25 == 0 for i in range(p.count)]
    days = [(p.time[i] - p.time[0]) / 86_400_000 for i in range(p.count)]
    wave = each(lambda s, old, h: s * 2 * math.pi / math.asin(old / h), sign(change(close)), before(close), high)
    return {
        "ao": each(lambda a, b: a - b, sma(p.hl2, 5), sma(p.hl2, 34)),
        "aroon up": up,
        "aroon down": down,
        "atr2": p.atr2(10),
        "cagr": [100 * ((close[i] / close[0]) ** (365 / days[i]) - 1) if days[i] >= 1 else NAN for i in range(p.count)],
        "changePercent": each(lambda a, b: 100 * (a - b) / b, close, before(close)),
        "coppock": wma(each(lambda a, b: a + b, roc(close, 14), roc(close, 11)), 10),
        "dema": twice(close, lambda source: ema(source, 9)),
        "dema2": twice(close, lambda source: ema2(source, 9)),
        "dm": each(lambda a, b: a / (a + b), rising, falling),
        "donchian high": donchian[0],
        "donchian low": donchian[1],
        "donchian middle": middle(20),
        "ema2": ema2(close, 9),
        "eom": sma(each(lambda c, h, lo, v: 10_000 * c * (h - lo) / v, change(p.hl2), high, low, volume), 14),
        "frama": frama(p, close, 16),
        "ft": fisher(p.hl2, 9),
        "highestSince": since(high, resets, max),
        "ht": each(
            lambda a, b, c, d: 0.0962 * a + 0.5769 * b - 0.5769 * c - 0.0962 * d,
            close,
            *(before(close, count, 0.0) for count in (2, 4, 6)),
        ),
        "tenkan": middle(9),
        "kijun": middle(26),
        "senkou 1": each(lambda a, b: (a + b) / 2, middle(9), middle(26)),
        "senkou 2": middle(52),
        "chikou": close,
        "ift": each(lambda value: math.tanh(value), change(close)),
        "kvo": klinger,
        "kvo trigger": ema(klinger, 5),
        "lowestSince": since(low, resets, min),
        "pzo": zone(p, close, 14),
        "rma2": blend(close, [1 / 9] * p.count),
        "rms": window(lambda values: math.sqrt(sum(value * value for value in values) / 9), close, 9),
        "rwi high": each(lambda h, lo, w: (h - lo) / w, high, before(low, 8, 0.0), walk),
        "rwi low": each(lambda h, lo, w: (h - lo) / w, before(high, 8, 0.0), low, walk),
        "stc": schaff(close, 6, 13, 5, 3, 3),
        "stoch k": full,
        "stoch d": sma(full, 3),
        "stoch rsi k": stochastic,
        "stoch rsi d": sma(stochastic, 3),
        "supertrend": trend,
        "direction": direction,
        "supertrend2": trend2,
        "direction2": direction2,
        "szo": each(lambda value: 100 * value / 7, thrice(sign(change(close)), lambda source: ema(source, 7))),
        "t3": tilson(close, lambda source: ema(source, 5), 0.7),
        "t3Alt": tilson(close, lambda source: ema2(source, 5), 0.7),
        "tema": thrice(close, lambda source: ema(source, 9)),
        "tema2": thrice(close, lambda source: ema2(source, 9)),
        "trima": sma(sma(close, 5), 5),
        "trima odd": sma(sma(close, 4), 4),
        "trix": rate,
        "trix signal": signal,
        "trix histogram": each(lambda a, b: a - b, rate, signal),
        "trix simple": sma(rate, 4),
        "uo": ultimate(p, (7, 14, 28)),
        "vhf": each(
            lambda h, lo, moved: abs(h - lo) / moved,
            highest(close, 14),
            lowest(close, 14),
            total(each(math.fabs, change(close)), 14),
        ),
        "vi plus": each(
            lambda a, b: a / b, total(each(lambda a, b: abs(a - b), high, before(low, 1, 0.0)), 14), ranges
        ),
        "vi minus": each(
            lambda a, b: a / b, total(each(lambda a, b: abs(a - b), low, before(high, 1, 0.0)), 14), ranges
        ),
        "vStop": stop,
        "vStop rises": rises,
        "vStop2": stop2,
        "vStop2 rises": rises2,
        "vzo": zone(p, volume, 14),
        "fractals": each(lambda a, b: a + 2 * b, fractal(high, 2), fractal(each(lambda value: -value, low), 2)),
        "wpo": ema(wave, 6),
    }


def newer_values(p: Prices) -> dict[str, Series]:
    """The exports that TradingView/ta has from version 11 on."""
    close = p.close
    restless = [value * (0.99 if place % 2 else 1.0) for place, value in enumerate(close)]
    falls = each(lambda value, top: 100 * (value - top) / top, restless, highest(restless, 14))
    efficiency = each(
        lambda moved, way: abs(moved) / way if way else 0.0,
        change(close, 10),
        total(each(math.fabs, change(close)), 10),
    )
    momentum = blend([10 * value for value in blend(roc(close, 1), [2 / 35] * p.count)], [2 / 20] * p.count)
    told = {
        "chandelier long": each(lambda top, span: top - 3 * span, highest(p.high, 22), p.atr(10)),
        "chandelier short": each(lambda bottom, span: bottom + 3 * span, lowest(p.low, 22), p.atr(10)),
        "chandelier2 long": each(lambda top, span: top - 3 * span, highest(p.high, 22), p.atr2(10)),
        "chandelier2 short": each(lambda bottom, span: bottom + 3 * span, lowest(p.low, 22), p.atr2(10)),
        "er": efficiency,
        "kama": blend(close, [(value * (2 / 3 - 2 / 31) + 2 / 31) ** 2 for value in efficiency]),
        "pmo": momentum,
        "pmo signal": ema2(momentum, 10),
        "ulcerIndex of a restless series": window(
            lambda values: math.sqrt(sum(value * value for value in values) / 14), falls, 14
        ),
    }
    for name, average, percent in (("macd2", ema2, False), ("ppo", ema, True), ("ppo2", ema2, True)):
        fast, slow = average(close, 12), average(close, 26)
        line = each(lambda a, b, percent=percent: 100 * (a - b) / b if percent else a - b, fast, slow)
        told[name], told[f"{name} signal"] = line, average(line, 9)
        told[f"{name} histogram"] = each(lambda a, b: a - b, line, told[f"{name} signal"])
    return told


def special_k(source: Series) -> tuple[Series, Series]:
    """Pring's Special K and its signal, smoothed twice over 100 bars."""
    parts = (
        *((1, 10, 10), (1, 40, 50), (1, 195, 130), (2, 15, 10), (2, 65, 65), (2, 265, 130)),
        *((3, 20, 10), (3, 75, 75), (3, 390, 130), (4, 30, 15), (4, 100, 100), (4, 530, 195)),
    )
    rates = [sma(roc(source, length), smooth) for _, length, smooth in parts]
    line = each(lambda *values: sum(part[0] * value for part, value in zip(parts, values, strict=True)), *rates)
    return line, sma(sma(line, 100), 100)


# jdehorty


def kernel(source: Series, start: int, weight: Callable[[int], float]) -> Series:
    count = start + 2
    weights = [weight(i) for i in range(count)]
    return window(
        lambda values: sum(v * w for v, w in zip(values[::-1], weights, strict=True)) / sum(weights), source, count
    )


def kernel_values(p: Prices) -> dict[str, Series]:
    def wave(i: int) -> float:
        return math.exp(-2 * math.sin(math.pi * i / 5) ** 2 / 64)

    def bell(i: int) -> float:
        return math.exp(-(i**2) / 128)

    return {
        "rationalQuadratic": kernel(p.close, 25, lambda i: (1 + i**2 / (2 * 3 * 64)) ** -3),
        "gaussian": kernel(p.close, 25, bell),
        "periodic": kernel(p.close, 25, wave),
        "locallyPeriodic": kernel(p.close, 25, lambda i: wave(i) * bell(i)),
    }


def normalized(source: Series) -> Series:
    found: Series = []
    lowest_, highest_ = 10e10, -10e10
    for value in source:
        if value == value:
            lowest_, highest_ = min(lowest_, value), max(highest_, value)
        found.append((value - lowest_) / max(highest_ - lowest_, 10e-10))
    return found


def adx(high: Series, low: Series, close: Series, length: int) -> Series:
    sums = [0.0, 0.0, 0.0]
    found: Series = []
    for i in range(len(close)):
        h, lo, c = (0.0, 0.0, 0.0) if i == 0 else (high[i - 1], low[i - 1], close[i - 1])
        up, down = high[i] - h, lo - low[i]
        moves = (
            max(high[i] - low[i], abs(high[i] - c), abs(low[i] - c)),
            max(up, 0) if up > down else 0.0,
            max(down, 0) if down > up else 0.0,
        )
        sums = [old - old / length + new for old, new in zip(sums, moves, strict=True)]
        plus, minus = (_computed(lambda a, b: 100 * a / b, (one, sums[0])) for one in sums[1:])
        found.append(_computed(lambda a, b: 100 * abs(a - b) / (a + b), (plus, minus)))
    return rma(found, length)


def regime(p: Prices, source: Series, threshold: float) -> Series:
    moved = spread = curve = NAN
    slopes: Series = []
    for i in range(p.count):
        old = NAN if i == 0 else source[i - 1]
        moved = 0.2 * (source[i] - old) + 0.8 * (0.0 if moved != moved else moved)
        spread = 0.1 * (p.high[i] - p.low[i]) + 0.8 * (0.0 if spread != spread else spread)
        omega = _computed(lambda a, b: abs(a / b), (moved, spread))
        alpha = (-(omega**2) + math.sqrt(omega**4 + 16 * omega**2)) / 8 if omega == omega else NAN
        last = curve
        curve = alpha * source[i] + (1 - alpha) * (0.0 if curve != curve else curve)
        slopes.append(abs(curve - last))
    usual = ema(slopes, 200)
    passes = each(lambda a, b: (a - b) / b >= threshold, slopes, usual)
    return nz(passes)


def ml_values(p: Prices) -> dict[str, Series]:
    close = p.close
    average = ema(p.hlc3, 10)
    away = each(lambda a, b: a - b, p.hlc3, average)
    deviation = ema(each(math.fabs, away), 10)
    wave = ema(each(lambda a, b: a / (0.015 * b), away, deviation), 11)
    typical = sma(close, 20)
    spread = window(lambda values: sum(abs(v - sum(values) / 20) for v in values) / 20, close, 20)
    cci = each(lambda c, m, s: (c - m) / (0.015 * s), close, typical, spread)
    moved = change(close, 2)
    squares = window(lambda values: math.sqrt(sum(v * v for v in values) / 10), moved, 10)
    ohlc4 = each(lambda *four: sum(four) / 4, p.open, p.high, p.low, p.close)
    return {
        "normalizeDeriv": [quotient(a, b) for a, b in zip(moved, nz(squares), strict=True)],
        "normalize": normalized(close),
        "rescale": each(lambda value: 1 + 4 * (value - 50) / 100, close),
        "tanh": each(lambda value: math.tanh(value), change(close)),
        "n_rsi": each(lambda value: value / 100, ema(rsi(close, 14), 2)),
        "n_cci": normalized(ema(cci, 3)),
        "n_wt": normalized(each(lambda a, b: a - b, wave, sma(wave, 4))),
        "n_adx": each(lambda value: value / 100, adx(p.high, p.low, close, 14)),
        "regime": regime(p, ohlc4, -0.1),
        "regime off": [1.0] * p.count,
        "adx": nz(each(lambda value: value > 20, adx(p.high, p.low, close, 14))),
        "volatility": nz(each(lambda a, b: a > b, p.atr(1), p.atr(10))),
        **trade_counts(close, 4),
    }


def trade_counts(price: Series, first: int) -> dict[str, Series]:
    """What the ends of trades after bar `first` sum up to: long from each bar 7k to the bar 7k + 3, then short.

    A start sets the other side's price to 0. That comes first, so each short trade ends with a start price of 0.
    """
    found: dict[str, Series] = {name: [] for name in ("wins", "losses", "flips", "trades", "ratio", "rate")}
    wins, losses, flips, bought = 0, 0, 0, price[0]
    for bar, value in enumerate(price):
        gain = 0.0
        if bar > first and bar % 7 == 3:
            gain, bought = value - bought, 0.0
        elif bar > first and bar % 7 == 0:
            gain, bought = -value, value
            flips += bar % 5 == 0
        wins, losses = wins + (gain > 0), losses + (gain < 0)
        rate = wins / (wins + losses) if wins + losses else NAN
        for name, figure in zip(found, (wins, losses, flips, wins + losses, rate, rate), strict=True):
            found[name].append(figure)
    return found


# TradingView/TechnicalRating


def dmi(p: Prices, length: int) -> tuple[Series, Series, Series]:
    up, down = change(p.high), each(lambda value: -value, change(p.low))
    plus = rma(each(lambda u, d: u if u > d and u > 0 else 0.0, up, down), length)
    minus = rma(each(lambda u, d: d if d > u and d > 0 else 0.0, up, down), length)
    spans = rma([NAN, *p.range[1:]], length)
    above, below = (each(lambda a, b: 100 * a / b, one, spans) for one in (plus, minus))
    strength = rma(each(lambda a, b: abs(a - b) / (a + b or 1), above, below), length)
    return above, below, each(lambda value: 100 * value, strength)


def judged(needed: Series, buys: list[bool], sells: list[bool]) -> Series:
    return [
        NAN if value != value else 1.0 if buy else -1.0 if sell else 0.0
        for value, buy, sell in zip(needed, buys, sells, strict=True)
    ]


def conditions(test: Callable[..., bool], *given: Series) -> list[bool]:
    """The condition on each bar; a comparison with na is false."""
    return [test(*values) for values in zip(*given, strict=True)]


def average_of_known(votes: list[Series]) -> Series:
    found: Series = []
    for bar in zip(*votes, strict=True):
        known = [vote for vote in bar if vote == vote]
        found.append(sum(known) / len(known) if known else NAN)
    return found


def rating_of_averages(p: Prices) -> Series:
    close = p.close

    def vote(average: Series) -> Series:
        return sign(each(lambda c, a: c - a, close, average))

    def middle(length: int) -> Series:
        return each(lambda a, b: (a + b) / 2, highest(p.high, length), lowest(p.low, length))

    lengths = (10, 20, 30, 50, 100, 200)
    hull = wma(each(lambda a, b: 2 * a - b, wma(close, 4), wma(close, 9)), 3)
    weighted = each(lambda a, b: a / b, sma(each(lambda c, v: c * v, close, p.volume), 20), sma(p.volume, 20))
    conversion, base = middle(9), middle(26)
    lead1, lead2 = each(lambda a, b: (a + b) / 2, conversion, base), middle(52)
    given = before(lead1, 26), before(lead2, 26), base, conversion, close
    cloud = judged(
        lead2,
        conditions(lambda a, b, kijun, tenkan, c: a > b and kijun > a and tenkan > kijun and c > tenkan, *given),
        conditions(lambda a, b, kijun, tenkan, c: a < b and kijun < a and tenkan < kijun and c < tenkan, *given),
    )
    plain = [vote(average(close, length)) for average in (sma, ema) for length in lengths]
    return average_of_known([*plain, vote(hull), vote(weighted), cloud])


def _between(value: Series, low: float, high: float) -> Series:
    """The vote of an oscillator that turns up from below `low`, or down from above `high`."""
    old = before(value)
    up = conditions(lambda now, last: now < low and now > last, value, old)
    return judged(old, up, conditions(lambda now, last: now > high and now < last, value, old))


def rating_of_oscillators(p: Prices) -> Series:
    close = p.close
    average, thirteen = ema(close, 50), ema(close, 13)
    bulls, bears = (each(lambda a, b: a - b, one, thirteen) for one in (p.high, p.low))
    k = sma(stoch(close, p.high, p.low, 14), 3)
    d = sma(k, 3)
    strength = rsi(close, 14)
    k_rsi = sma(stoch(strength, strength, strength, 14), 3)
    d_rsi = sma(k_rsi, 3)
    plus, minus, power = dmi(p, 14)
    awesome = each(lambda a, b: a - b, sma(p.hl2, 5), sma(p.hl2, 34))
    momentum = change(close, 10)
    macd = each(lambda a, b: a - b, ema(close, 12), ema(close, 26))
    signal = ema(macd, 9)
    williams = each(lambda value: value - 100, stoch(close, p.high, p.low, 14))
    typical = sma(close, 20)
    spread = window(lambda values: sum(abs(v - sum(values) / 20) for v in values) / 20, close, 20)
    cci = each(lambda c, m, s: (c - m) / (0.015 * s), close, typical, spread)
    ultimate_ = ultimate(p, (7, 14, 28))
    rises = conditions(lambda now, last: now > 20 and now > last, power, before(power))
    awesome1, awesome2 = before(awesome), before(awesome, 2)
    ups = conditions(
        lambda a, b, c: (a > 0 and b <= 0) or (a > 0 and b > 0 and a > b and c > b), awesome, awesome1, awesome2
    )
    downs = conditions(
        lambda a, b, c: (a < 0 and b >= 0) or (a < 0 and b < 0 and a < b and c < b), awesome, awesome1, awesome2
    )
    trend = [close, average]
    return average_of_known(
        [
            _between(strength, 30, 70),
            judged(
                before(d),
                conditions(lambda a, b: a < 20 and b < 20 and a > b, k, d),
                conditions(lambda a, b: a > 80 and b > 80 and a < b, k, d),
            ),
            _between(cci, -100, 100),
            judged(
                power,
                conditions(lambda r, a, b: bool(r) and a > b, [float(r) for r in rises], plus, minus),
                conditions(lambda r, a, b: bool(r) and a < b, [float(r) for r in rises], plus, minus),
            ),
            judged(awesome1, ups, downs),
            judged(
                before(momentum),
                conditions(lambda a, b: a > b, momentum, before(momentum)),
                conditions(lambda a, b: a < b, momentum, before(momentum)),
            ),
            judged(signal, conditions(lambda a, b: a > b, macd, signal), conditions(lambda a, b: a < b, macd, signal)),
            judged(
                average,
                conditions(lambda c, m, a, b: c < m and a < 20 and b < 20 and a > b, *trend, k_rsi, d_rsi),
                conditions(lambda c, m, a, b: c > m and a > 80 and b > 80 and a < b, *trend, k_rsi, d_rsi),
            ),
            _between(williams, -80, -20),
            judged(
                average,
                conditions(lambda c, m, a, b: c > m and a < 0 and a > b, *trend, bears, before(bears)),
                conditions(lambda c, m, a, b: c < m and a > 0 and a < b, *trend, bulls, before(bulls)),
            ),
            judged(ultimate_, conditions(lambda a: a > 70, ultimate_), conditions(lambda a: a < 30, ultimate_)),
        ]
    )


def counted(source: Series) -> Series:
    """How often a size rose or rested, from 1 to 5; 0 on a bar with 0, and na until there is one."""
    found: Series = []
    for i, value in enumerate(map(abs, source)):
        last = found[-1] if found else 0.0
        old = abs(source[i - 1]) if i else NAN
        if value == 0:
            found.append(0.0)
        elif last != last or old != old:
            found.append(NAN)
        else:
            found.append(min(5, last + 1) if value >= old else max(1, last - 1))
    return found


def rating_values(p: Prices) -> dict[str, Series]:
    other, averages = rating_of_oscillators(p), rating_of_averages(p)
    both = [b if a != a else a if b != b else (a + b) / 2 for a, b in zip(other, averages, strict=True)]
    steps = [float(round(value) % 3) for value in p.close]
    return {"total": both, "other": other, "averages": averages, "rising": counted(steps)}


# TradingView/RelativeValue, and relativeVolume of TradingView/ta


def relative_values(p: Prices) -> dict[str, Series]:
    """Volume by the time of the day, against the same time of the last 3 days."""
    days: list[list[tuple[int, float, float]]] = []
    current: Series = []
    result: dict[str, Series] = {name: [] for name in ("summed past", "plain past")}
    for i, time in enumerate(p.time):
        day, offset = divmod(time, 86_400_000)
        begins = i > 0 and day != p.time[i - 1] // 86_400_000
        if begins:
            days.append([])
        reset = begins or i == 0
        current.append(p.volume[i] if reset else current[-1] + p.volume[i])
        if not days:
            days.append([])
        days[-1].append((offset, current[-1], p.volume[i]))
        for name, column in (("summed past", 1), ("plain past", 2)):
            known: Series = []
            for past in days[max(len(days) - 4, 0) : -1]:
                at = [entry for entry in past if entry[0] >= offset]
                known.append((at[0] if at else past[-1])[column])
            result[name].append(sum(known) / len(known) if known else NAN)
    ratio = each(lambda a, b: a / b, current, result["summed past"])
    return {**result, "summed": current, "volume": current, "volume past": result["summed past"], "ratio": ratio}


# PineCoders


def simple_values(p: Prices) -> dict[str, Series]:
    """What the small libraries of PineCoders are, on a chart of which all bars are visible."""
    greens = [c > o for c, o in zip(p.close, p.open, strict=True)]
    whens, highs, lows, closes = ([] for _ in range(4))
    for i in range(p.count):
        known = [p.volume[j] for j in range(i + 1) if greens[j]]
        whens.append(sum(known) / len(known) if known else NAN)
        highs.append(max(p.high[: i + 1]))
        lows.append(min(p.low[: i + 1]))
        closes.append(max(p.close[: i + 1]))
    last = p.count - 1
    return {
        "hi": highs,
        "lo": lows,
        "hi of close": closes,
        "avgWhen": whens,
        "visible": [1.0] * p.count,
        "first": [1.0] + [0.0] * last,
        "last": [0.0] * last + [1.0],
        "open": [p.open[0]] * p.count,
        "close": p.close,
        "volume": [math.fsum(p.volume[: i + 1]) for i in range(p.count)],
        "bars": [float(i + 1) for i in range(p.count)],
        "left": [0.0] * p.count,
        "right": [float(i) for i in range(p.count)],
        "visible high": highs,
        "visible low": lows,
        **_visible_values(p, greens, highs, lows),
    }


def _visible_values(p: Prices, greens: Sequence[bool], highs: Series, lows: Series) -> dict[str, Series]:
    """Places, levels and averages of the visible bars; of equal highs or lows the latest bar counts."""
    seen = [range(i + 1) for i in range(p.count)]
    tops = [max(each, key=lambda j: (p.high[j], j)) for each in seen]
    bottoms = [min(each, key=lambda j: (p.low[j], -j)) for each in seen]
    kept = [[p.volume[j] for j in each if greens[j]][-3:] for each in seen]
    typical = [sum(prices) / 3 for prices in zip(p.high, p.low, p.close, strict=True)]
    weighed = [math.fsum(typical[j] * p.volume[j] for j in each) for each in seen]
    volumes = [math.fsum(p.volume[j] for j in each) for each in seen]
    return {
        "high bar": [float(j) for j in tops],
        "high time": [float(p.time[j]) for j in tops],
        "low bar": [float(j) for j in bottoms],
        "low time": [float(p.time[j]) for j in bottoms],
        "level": [low + (high - low) / 4 for high, low in zip(highs, lows, strict=True)],
        "time": [float(p.time[0] + int((p.time[-1] - p.time[0]) * 0.333))] * p.count,
        "index": [float(-(i // 2)) for i in range(p.count)],
        "last three": [sum(each) if each else NAN for each in kept],
        "all": [float(i + 1) for i in range(p.count)],
        "average": [math.fsum(p.close[j] for j in each) / len(each) for each in seen],
        "average open": [math.fsum(p.open[j] for j in each) / len(each) for each in seen],
        "median": [median(p.close[j] for j in each) for each in seen],
        "vwap": [total / volume if volume else NAN for total, volume in zip(weighed, volumes, strict=True)],
    }
