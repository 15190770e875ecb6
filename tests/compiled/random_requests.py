"""Random scripts with `request.security`, for comparisons of the two tiers."""

from __future__ import annotations

import random

_HEAD = """indicator("Requests")
n = input.int(3, "N", minval = 1)
is_long = input.bool(true, "Long")
asked = input.timeframe("240", "Asked")
counted(x) =>
    var calls = 0
    calls += 1
    x + calls
summed(x) =>
    var total = 0.0
    if x > x[1]
        total += x
    total
bands(x, length) =>
    middle = ta.sma(x, length)
    [middle, middle + ta.stdev(x, length), x > middle]
of(symbol, tf, x) => request.security(symbol, tf, x)
twice(symbol, tf) => of(symbol, tf, close[1]) + request.security(symbol, tf, counted(open), barmerge.gaps_on)
string longer = switch asked
    "240" => "D"
    "D" => "W"
    => "720"
string chosen = "NASDAQ:"
if timeframe.isintraday
    chosen += "MSFT"
else
    chosen += "AAPL"
float total = 0
var float kept = na
half = close / 2
if close > ta.ema(close, n)
    half := open
"""
_TIMEFRAMES = (
    *('""', "timeframe.period", '"60"', '"120"', '"240"', '"D"', '"W"', '"15"', '"30"', "asked", "longer"),
    "str.tostring(n * 60)",
    'timeframe.isdaily ? "W" : "D"',
    'is_long ? "180" : "D"',
    'close > open ? "240" : "D"',
)
_SYMBOLS = (
    *('""', "syminfo.tickerid", '"NASDAQ:MSFT"', '"BTCUSDT"', "chosen", "ticker.heikinashi(syminfo.tickerid)"),
    "ticker.new(syminfo.prefix, syminfo.ticker)",
    "ticker.modify(syminfo.tickerid, session = session.regular)",
    'is_long ? "NASDAQ:MSFT" : syminfo.tickerid',
    '"NASDAQ:MSFT/NASDAQ:AAPL"',
    'bar_index % 3 == 0 ? "NASDAQ:MSFT" : syminfo.tickerid',
)
_NUMBERS = (
    *("close", "high[1]", "ta.ema(close, n)", "ta.rsi(close, 14)", "bar_index", "volume", "time", "time_close"),
    *("counted(close)", "summed(half)", "half", "half[n]", "ta.highest(high, n)", "nz(close[3], -1)", "hour"),
    *("barstate.islast ? 1 : 0", "close > open ? close : na", "math.round(close * n)", "ta.change(close)"),
    *("syminfo.mintick", "last_bar_index - bar_index", 'time("W")', "ta.valuewhen(close > open, low, 1)"),
    *("close + counted(counted(low))", "ta.cum(close > open ? 1 : -1)", "syminfo.employees"),
)
_BOOLS = ("close > open", "ta.crossover(close, half)", "barstate.isfirst", "ta.rising(close, 2)", "is_long")
_OTHERS = (
    "close > open ? color.red : color.blue",
    'close > open ? "up" : "down"',
    "timeframe.period",
    "syminfo.ticker",
    "str.tostring(close)",
)
_GAPS = ("", "", ", gaps = barmerge.gaps_on", ", gaps = barmerge.gaps_off")
_AHEAD = ("", "", ", lookahead = barmerge.lookahead_on")
_MORE = (
    "",
    "",
    "",
    "",
    ", calc_bars_count = 20",
    ', currency = "USD"',
    ', currency = "EUR"',
    ", calc_bars_count = n * 9",
)


def request_script(seed: int) -> str:
    """A script with random requests. Its inputs are `N`, `Long` and `Asked`."""
    chance = random.Random(seed)
    lines = [_HEAD]
    for number in range(chance.randint(2, 7)):
        lines += _step(chance, f"x{number}")
    return "\n".join([*lines, "plot(total)", "plot(nz(kept))", ""])


def _request(chance: random.Random, expression: str) -> str:
    symbol, more = chance.choice(_SYMBOLS), chance.choice(_MORE)
    if chance.random() < 0.08:
        symbol, more = '"NOWHERE:X"', more + ", ignore_invalid_symbol = true"
    options = chance.choice(_GAPS) + chance.choice(_AHEAD) + more
    return f"request.security({symbol}, {chance.choice(_TIMEFRAMES)}, {expression}{options})"


def _number(chance: random.Random) -> str:
    """An expression for the requested bars."""
    if chance.random() < 0.12:
        return f"{_request(chance, _number(chance))} + close"
    return chance.choice(_NUMBERS)


def _step(chance: random.Random, name: str) -> list[str]:
    """The lines of a random request with the name `name`."""
    value = _request(chance, _number(chance))
    kind = chance.randrange(16)
    if kind <= 2:
        return [f"{name} = {value}", f"plot({name})", f"plot({name}[1])"]
    if kind == 3:
        return [f"{name} = {_request(chance, chance.choice(_BOOLS))}", f"plotshape({name})", f"plotshape({name}[1])"]
    if kind == 4:
        return [
            f"[{name}, {name}b, {name}c] = "
            + _request(chance, f"[{_number(chance)}, {chance.choice(_BOOLS)}, {_number(chance)}]"),
            f"plot({name} + {name}c)",
            f"plotshape({name}b)",
        ]
    if kind == 5:
        return [
            f"[{name}, {name}b, {name}c] = {_request(chance, f'bands({chance.choice(_NUMBERS)}, n)')}",
            f"plot({name}c ? {name} : {name}b)",
        ]
    if kind == 6:
        return [f"if bar_index % {chance.randint(2, 50)} == 1", f"    total += nz({value})"]
    if kind == 7:
        return ["for k = 0 to bar_index % 3", f"    total += nz({value}) * k"]
    if kind == 8:
        return [f"plot(close > open and nz({value}) > {chance.randint(0, 300)} ? 1 : bar_index > 300 ? {value} : na)"]
    if kind == 9:
        return [f"plot(twice({chance.choice(_SYMBOLS)}, {chance.choice(_TIMEFRAMES)}))"]
    if kind == 10:
        return [f"plot(of({chance.choice(_SYMBOLS)}, {chance.choice(_TIMEFRAMES)}, {chance.choice(_NUMBERS)}))"]
    if kind == 11:
        return [f"if na(kept) and bar_index > {chance.randint(0, 500)}", f"    kept := {value}"]
    if kind == 12:
        other = chance.choice(_OTHERS)
        return [
            f"{name} = {_request(chance, other)}",
            f"plot({name} == ({other}) ? 1 : 0)",
            f"plot(na({name}) ? 1 : 0)",
        ]
    if kind == 13:
        asked = f"{chance.choice(_SYMBOLS)}, {chance.choice(('timeframe.period', chr(34) + '15' + chr(34)))}"
        more = ", ignore_invalid_timeframe = true"
        return [
            f"{name} = request.security_lower_tf({asked}, {chance.choice(_NUMBERS)}{more})",
            f"[{name}b, {name}c] = request.security_lower_tf({asked}, [str.tostring(close), close > open]{more})",
            f"plot({name}.size() > 0 ? {name}.last() + {name}.sum() : -1)",
            f"plot(str.length({name}b.join()) + {name}c.size())",
        ]
    return [f"plot(ta.ema({value}, n))", f"plot(math.max({value}, {chance.choice(_NUMBERS)}))"]
