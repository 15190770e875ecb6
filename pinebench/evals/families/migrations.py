"""Tasks to migrate scripts of earlier versions of Pine to v6."""

from __future__ import annotations

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN
from pinebench.evals.tasks import Instance, family, pine

_KEEP = (
    "Convert this script to Pine Script v6. It must keep what it does: the same plots with the same titles and values, the "
    "same inputs with the same titles and defaults, and the same alerts and orders."
)


@family("migrate-study", "migrate", "indicator", "easy")
def _study(draw: Draw) -> Instance:
    length, slow, factor = draw.whole(6, 12), draw.whole(16, 24), draw.turn(1.5, 2.0, 1.25, 2.5, 1.75)
    name, other = draw.pick(("Length", "Factor"), ("Bars", "Multiplier"), ("Period", "Size"))
    old = draw.turn("ema", "sma", "wma", "rma", "ema")
    up, line = draw.pick(("Up", "Line"), ("Buy", "Middle"), ("Cross", "Average"))

    def values(bars, n: int, k: float) -> dict[str, list]:
        middle = {"ema": oracle.ema, "sma": oracle.sma, "wma": oracle.wma, "rma": oracle.rma}[old](bars.close, n)
        reach = oracle.atr(bars.high, bars.low, bars.close, n)
        total = [
            NAN if i < n - 1 else sum(bars.volume[i - n + 1 : i + 1]) if bars.close[i] > bars.open[i] else 0.0
            for i in range(len(bars))
        ]
        return {
            line: middle,
            "Upper": [m + k * r for m, r in zip(middle, reach, strict=True)],
            "Range": oracle.change(oracle.highest(bars.high, slow), 1),
            "Volume": total,
            up: oracle.crossed_over(bars.close, middle),
        }

    return Instance(
        request=_KEEP,
        given=pine(f"""
            //@version=4
            study("Old study", overlay=true)
            len = input({length}, title="{name}", type=input.integer, minval=1)
            mult = input({factor}, title="{other}", type=input.float)
            middle = {old}(close, len)
            reach = atr(len)
            plot(middle, title="{line}", color=color.blue, transp=20)
            plot(middle + mult * reach, title="Upper", color=color.red)
            plot(change(highest(high, {slow})), title="Range")
            total = sum(volume, len)
            plot(iff(close > open, total, total - total), title="Volume")
            plotshape(crossover(close, middle), title="{up}", style=shape.triangleup, location=location.belowbar, transp=0)
        """),
        reference=pine(f"""
            //@version=6
            indicator("Old study", overlay = true)
            int length = input.int({length}, title = "{name}", minval = 1)
            float factor = input.float({factor}, title = "{other}")
            float middle = ta.{old}(close, length)
            float reach = ta.atr(length)
            plot(middle, title = "{line}", color = color.new(color.blue, 20))
            plot(middle + factor * reach, title = "Upper", color = color.red)
            plot(ta.change(ta.highest(high, {slow})), title = "Range")
            float total = math.sum(volume, length)
            plot(na(total) ? na : close > open ? total : 0.0, title = "Volume")
            plotshape(ta.crossover(close, middle), title = "{up}", style = shape.triangleup, location = location.belowbar)
        """),
        inputs={name: length + 4, other: factor + 0.5},
        settings={"overlay": True},
        oracle=lambda bars, inputs: values(bars, inputs.get(name, length), inputs.get(other, factor)),
    )


@family("migrate-when", "migrate", "strategy", "medium")
def _when(draw: Draw) -> Instance:
    fast, slow, quantity = draw.whole(4, 6), draw.whole(11, 16), draw.whole(2, 6)
    loss, profit, slippage = draw.whole(8, 14), draw.whole(16, 26), draw.whole(1, 3)
    long, short, leave = draw.pick(("Long", "Short", "Exit"), ("Buy", "Sell", "Out"), ("Up", "Down", "Leave"))
    old = draw.turn(4, 5, 4, 5, 4)
    space = "ta." if old == 5 else ""
    declared = (
        f'strategy("Old strategy", overlay=true, initial_capital=100000, default_qty_type=strategy.fixed, '
        f"default_qty_value={quantity}, slippage={slippage}, commission_type=strategy.commission.percent, "
        "commission_value=0.05)"
    )
    first = f'input({fast}, title="Fast", type=input.integer)' if old == 4 else f'input.int({fast}, title="Fast")'
    way = ("true", "false") if old == 4 else ("strategy.long", "strategy.short")
    return Instance(
        request=_KEEP,
        given=pine(f"""
            //@version={old}
            {declared}
            n = {first}
            quick = {space}ema(close, n)
            slow = {space}ema(close, {slow})
            up = {space}crossover(quick, slow)
            down = {space}crossunder(quick, slow)
            strategy.entry("{long}", {way[0]}, when=up)
            strategy.entry("{short}", {way[1]}, when=down)
            strategy.exit("{leave} long", "{long}", profit={profit}, loss={loss})
            strategy.exit("{leave} short", "{short}", profit={profit}, loss={loss})
            plot(quick, title="Fast")
            plot(strategy.position_size, title="Size")
        """),
        reference=pine(f"""
            //@version=6
            strategy("Old strategy", overlay = true, initial_capital = 100000, default_qty_type = strategy.fixed, default_qty_value = {quantity}, slippage = {slippage}, commission_type = strategy.commission.percent, commission_value = 0.05, margin_long = 0, margin_short = 0)
            int length = input.int({fast}, title = "Fast")
            float quick = ta.ema(close, length)
            float slow = ta.ema(close, {slow})
            bool isUp = ta.crossover(quick, slow)
            bool isDown = ta.crossunder(quick, slow)
            if isUp
                strategy.entry("{long}", strategy.long)
            if isDown
                strategy.entry("{short}", strategy.short)
            strategy.exit("{leave} long", "{long}", profit = {profit}, loss = {loss})
            strategy.exit("{leave} short", "{short}", profit = {profit}, loss = {loss})
            plot(quick, title = "Fast")
            plot(strategy.position_size, title = "Size")
        """),
        inputs={"Fast": fast + 2},
    )


@family("migrate-conditions", "migrate", "indicator", "hard")
def _conditions(draw: Draw) -> Instance:
    window, parts = draw.whole(7, 13), draw.turn(5, 7, 9, 11, 5)
    length = draw.whole(4, 8)
    state, hits, half = draw.pick(("State", "Hits", "Half"), ("Side", "Count", "Middle"), ("Mode", "Sum", "Part"))

    def values(bars, n: int) -> dict[str, list[float]]:
        tops = oracle.shifted(oracle.highest(bars.high, n), 1)
        lows = oracle.shifted(oracle.lowest(bars.low, n), 1)
        found: dict[str, list[float]] = {state: [], hits: [], half: [], "Streak": []}
        side, streak = -1.0, 0
        means = oracle.sma(bars.close, parts // 2)
        for i in range(len(bars)):
            side = 1.0 if bars.close[i] > tops[i] else 0.0 if bars.close[i] < lows[i] else side
            streak = streak + 1 if side == 1 else 0
            window_hits = [bars.close[j] > bars.open[j] for j in range(max(0, i - window + 1), i + 1)]
            found[state].append(side)
            found[hits].append(float(sum(window_hits)) if i >= window - 1 else NAN)
            found[half].append(means[i])
            found["Streak"].append(float(streak if streak % parts else 0))
        return found

    return Instance(
        request=f"{_KEEP} Note that a bool had three states before v6, that numbers could be conditions, and that two "
        "constant whole numbers divided to a whole number.",
        given=pine(f"""
            //@version=5
            indicator("Old conditions")
            length = input.int({length}, "Length", minval=1)
            top = ta.highest(high, length)[1]
            bottom = ta.lowest(low, length)[1]
            bool isUp = na
            isUp := close > top ? true : close < bottom ? false : isUp[1]
            state = na(isUp) ? -1 : isUp ? 1 : 0
            plot(state, "{state}")
            hits = math.sum(close > open ? 1 : 0, {window})
            plot(hits, "{hits}")
            plot(ta.sma(close, {parts} / 2), "{half}")
            var streak = 0
            streak := isUp ? streak + 1 : 0
            plot(streak % {parts} ? streak : 0, "Streak")
        """),
        reference=pine(f"""
            //@version=6
            indicator("Old conditions")
            int length = input.int({length}, "Length", minval = 1)
            float top = ta.highest(high, length)[1]
            float bottom = ta.lowest(low, length)[1]
            var int state = -1
            state := close > top ? 1 : close < bottom ? 0 : state
            plot(state, "{state}")
            float hits = math.sum(close > open ? 1 : 0, {window})
            plot(hits, "{hits}")
            plot(ta.sma(close, {parts // 2}), "{half}")
            var int streak = 0
            streak := state == 1 ? streak + 1 : 0
            plot(streak % {parts} != 0 ? streak : 0, "Streak")
        """),
        inputs={"Length": length + 3},
        further={"Length": 2},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )


@family("migrate-security", "migrate", "indicator", "medium")
def _security(draw: Draw) -> Instance:
    timeframe = draw.turn("240", "D", "180", "240", "D")
    length, since = draw.whole(3, 6), draw.whole(2, 4)
    longer, age, value = draw.pick(
        ("Longer", "Age", "Value"), ("HTF", "Bars since", "Close then"), ("Slow", "Ago", "Price then")
    )
    fill = draw.turn("lookahead_on", "lookahead_on", "lookahead_on", "lookahead_on", "lookahead_on")
    return Instance(
        request=_KEEP,
        given=pine(f"""
            //@version=4
            study("Old request", overlay=true)
            len = input({length}, "Length", minval=1)
            average = wma(close, len)
            longer = security(syminfo.tickerid, "{timeframe}", average[1], lookahead=barmerge.{fill})
            up = crossover(close, longer)
            plot(longer, "{longer}", color=color.orange, transp=10)
            plot(barssince(up), "{age}", display=display.none)
            plot(valuewhen(up, close, {since - 2}), "{value}")
            plot(stdev(close, len) + {since} * tr, "Spread")
            alertcondition(up, title="Up", message="price is over the longer average")
        """),
        reference=pine(f"""
            //@version=6
            indicator("Old request", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float average = ta.wma(close, length)
            float longer = request.security(syminfo.tickerid, "{timeframe}", average[1], lookahead = barmerge.{fill})
            bool isUp = ta.crossover(close, longer)
            plot(longer, "{longer}", color = color.new(color.orange, 10))
            plot(ta.barssince(isUp), "{age}", display = display.none)
            plot(ta.valuewhen(isUp, close, {since - 2}), "{value}")
            plot(ta.stdev(close, length) + {since} * ta.tr, "Spread")
            alertcondition(isUp, title = "Up", message = "price is over the longer average")
        """),
        inputs={"Length": length + 3},
        timeframe="60",
        steady=True,
        requests=1,
        count=600,
    )
