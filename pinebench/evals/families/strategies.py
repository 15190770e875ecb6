"""Tasks about strategies: entries, exits, brackets, sizes and times."""

from __future__ import annotations

from typing import NamedTuple

from pinebench.evals.draws import Draw
from pinebench.evals.tasks import Instance, family, pine, words
from pinebench.market import Bars


class TradingTerms(NamedTuple):
    """The trading terms of a strategy: the sentence in the request, and the arguments of the declaration."""

    told: str
    code: str


def account(draw: Draw, quantity: int | None = None) -> TradingTerms:
    """Return terms with a quantity, a slippage and a commission. Without `quantity`, each order has its own."""
    slippage, commission = draw.whole(1, 3), draw.pick(0.02, 0.04, 0.05)
    size = f"a fixed default quantity of {quantity}, " if quantity is not None else ""
    sized = f"default_qty_type = strategy.fixed, default_qty_value = {quantity}, " if quantity is not None else ""
    return TradingTerms(
        f"The declaration sets an initial capital of 100000, {size}a slippage of {slippage} ticks and a commission of "
        f"{commission} percent; everything else is left at its default.",
        f"overlay = true, initial_capital = 100000, {sized}slippage = {slippage}, "
        f"commission_type = strategy.commission.percent, commission_value = {commission}",
    )


@family("average-cross", "write", "strategy", "easy")
def _average_cross(draw: Draw) -> Instance:
    fast, slow, quantity = draw.whole(4, 7), draw.whole(12, 19), draw.whole(2, 9)
    average = draw.turn("sma", "ema", "wma", "ema", "sma")
    both = draw.turn(False, True, False, True, False)
    long, short = draw.pick(("Long", "Short"), ("Buy", "Sell"), ("L", "S"))
    trade = account(draw, quantity)
    under = (
        f'When it crosses under, it enters short with the id "{short}"; the long position is reversed by that order.'
        if both
        else f'When it crosses under, it closes "{long}" with strategy.close.'
    )
    code = f'strategy.entry("{short}", strategy.short)' if both else f'strategy.close("{long}")'
    return Instance(
        request=words(f"""
            Write a strategy that trades crossings of two averages of the close: the ta.{average} over the input "Fast" (int,
            default {fast}) and the ta.{average} over the input "Slow" (int, default {slow}). When the fast one crosses over
            the slow one (ta.crossover), it enters long with a market order with the id "{long}" (strategy.entry). {under}
            {trade.told} Plot the averages as "Fast" and "Slow".
        """),
        reference=pine(f"""
            //@version=6
            strategy("Average cross", {trade.code})
            int fastLength = input.int({fast}, "Fast", minval = 1)
            int slowLength = input.int({slow}, "Slow", minval = 1)
            float fast = ta.{average}(close, fastLength)
            float slow = ta.{average}(close, slowLength)
            bool isOver = ta.crossover(fast, slow)
            bool isUnder = ta.crossunder(fast, slow)
            if isOver
                strategy.entry("{long}", strategy.long)
            if isUnder
                {code}
            plot(fast, "Fast")
            plot(slow, "Slow", color.orange)
        """),
        inputs={"Fast": fast + 2, "Slow": slow + 5},
    )


@family("channel-bracket", "write", "strategy", "medium")
def _channel_bracket(draw: Draw) -> Instance:
    length, quantity = draw.whole(5, 11), draw.whole(2, 8)
    stop, target = draw.whole(6, 12), draw.whole(14, 26)
    way = draw.turn("long", "short", "long", "short", "long")
    entry, leave = draw.pick(("Break", "Bracket"), ("In", "Out"), ("Go", "Done"))
    function, source, sign, word = (
        ("highest", "high", ">", "above the highest high")
        if way == "long"
        else ("lowest", "low", "<", "below the lowest low")
    )
    trade = account(draw, quantity)
    return Instance(
        request=words(f"""
            Write a strategy that trades breaks of a channel, {way} only. While there is no position, it enters {way} with a
            market order with the id "{entry}" on a bar whose close is {word} of the n bars before it (this bar not
            included); n is the input "Length" (int, default {length}). Each position has a bracket from strategy.exit with
            the id "{leave}": a stop at a loss of {stop} ticks and a target at a profit of {target} ticks, both counted from
            the entry price (arguments loss and profit). The bracket already works on the bar on which the entry is filled.
            {trade.told}
        """),
        reference=pine(f"""
            //@version=6
            strategy("Channel", {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            float edge = ta.{function}({source}, length)[1]
            if close {sign} edge and strategy.position_size == 0
                strategy.entry("{entry}", strategy.{way})
            strategy.exit("{leave}", "{entry}", profit = {target}, loss = {stop})
        """),
        inputs={"Length": length + 4},
        count=1200,
    )


@family("trailing-stop", "write", "strategy", "hard")
def _trailing_stop(draw: Draw) -> Instance:
    length, quantity = draw.whole(7, 12), draw.whole(2, 8)
    points, offset, loss = draw.whole(6, 12), draw.whole(4, 8), draw.whole(14, 22)
    level = draw.turn(50, 48, 52, 46, 54)
    entry, leave = draw.pick(("Trend", "Trail"), ("Ride", "Stop"), ("Rise", "Guard"))
    trade = account(draw, quantity)
    return Instance(
        request=words(f"""
            Write a strategy that goes long only. While there is no position, it enters with a market order with the id
            "{entry}" when ta.rsi of the close over the input "Length" (int, default {length}) crosses over {level}
            (ta.crossover). Each position is closed by one strategy.exit with the id "{leave}", which already works on the
            bar on which the entry is filled: it has a trailing stop that begins to trail at a profit of {points} ticks
            (trail_points) and stays {offset} ticks behind the best price (trail_offset), and a fixed stop at a loss of
            {loss} ticks (loss). {trade.told}
        """),
        reference=pine(f"""
            //@version=6
            strategy("Trailing", {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            float index = ta.rsi(close, length)
            bool isUp = ta.crossover(index, {level})
            if isUp and strategy.position_size == 0
                strategy.entry("{entry}", strategy.long)
            strategy.exit("{leave}", "{entry}", loss = {loss}, trail_points = {points}, trail_offset = {offset})
        """),
        inputs={"Length": length - 3},
        count=700,
    )


@family("pyramid", "write", "strategy", "medium")
def _pyramid(draw: Draw) -> Instance:
    most, quantity, length = draw.whole(2, 4), draw.whole(1, 5), draw.whole(9, 16)
    down = draw.turn(2, 3, 2, 3, 2)
    entry = draw.pick("Add", "Step", "Layer")
    trade = account(draw, quantity)
    return Instance(
        request=words(f"""
            Write a strategy that buys weakness in steps. On each bar whose close is below the close before for at least
            {down} bars in a row (this bar and the {down - 1} before it), it enters long with a market order with the id
            "{entry}", up to {most} entries in a position (pyramiding = {most} in the declaration). When the close is above
            the simple average of the close over the input "Length" (int, default {length}) and there is a position, it
            closes the whole position with a market order. On a bar where both hold, it does both. {trade.told} Plot the size
            of the position as "Size".
        """),
        reference=pine(f"""
            //@version=6
            strategy("Steps", pyramiding = {most}, {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            float average = ta.sma(close, length)
            bool isWeak = {" and ".join(f"close[{i}] < close[{i + 1}]" if i else "close < close[1]" for i in range(down))}
            if isWeak
                strategy.entry("{entry}", strategy.long)
            if close > average and strategy.position_size > 0
                strategy.close_all()
            plot(strategy.position_size, "Size")
        """),
        inputs={"Length": length + 6},
        further=lambda bars: {"Length": _length_above_which_closes_fall(bars, down)},
        settings={"pyramiding": most},
    )


def _length_above_which_closes_fall(bars: Bars, down: int) -> int:
    """Return the average's length above which closes fall for longer than `down` bars most often: there, a position
    that the bar before opened is closed while the next entry is placed."""

    def count(length: int) -> int:
        found = 0
        for i in range(length, len(bars)):
            is_falling = all(bars.close[k] < bars.close[k - 1] for k in range(i - down, i + 1))
            found += is_falling and bars.close[i] > sum(bars.close[i - length + 1 : i + 1]) / length
        return found

    return max(range(down + 2, 80), key=count)


@family("risk-size", "write", "strategy", "hard")
def _risk_size(draw: Draw) -> Instance:
    risk, length, factor = draw.whole(200, 600), draw.whole(6, 12), draw.turn(1.5, 0.75, 1.25, 0.5, 1.0)
    fast = draw.whole(3, 6)
    entry, leave = draw.pick(("Long", "Risk"), ("Enter", "Leave"), ("Open", "Protect"))
    trade = account(draw)
    return Instance(
        request=words(f"""
            Write a strategy that risks a fixed amount on each trade, long only. While there is no position, it enters with
            a market order with the id "{entry}" when the close crosses over its simple average over {fast} bars
            (ta.crossover). On that bar the distance is {factor} times ta.atr over the input "Length" (int, default
            {length}), and the quantity is the input "Risk" (float, default {risk}) divided by the distance, rounded down to
            a whole number; if that is less than 1 or the average true range is na, it does not enter. The position is closed
            by strategy.exit with the id "{leave}": the stop is the close of the signal's bar minus the distance, the target
            is that close plus twice the distance, and both stay fixed for the whole trade. The exit already works on the bar
            on which the entry is filled. {trade.told} Plot the quantity of the last entry as "Quantity" (na before the
            first).
        """),
        reference=pine(f"""
            //@version=6
            strategy("Risk", {trade.code})
            float risk = input.float({risk}, "Risk", minval = 1)
            int length = input.int({length}, "Length", minval = 1)
            float distance = {factor} * ta.atr(length)
            bool isUp = ta.crossover(close, ta.sma(close, {fast}))
            var float quantity = na
            var float stop = na
            var float target = na
            float size = math.floor(risk / distance)
            if isUp and strategy.position_size == 0 and size >= 1
                quantity := size
                stop := close - distance
                target := close + 2 * distance
                strategy.entry("{entry}", strategy.long, qty = quantity)
            strategy.exit("{leave}", "{entry}", stop = stop, limit = target)
            plot(quantity, "Quantity", display = display.data_window)
        """),
        inputs={"Risk": float(risk + 150), "Length": length + 3},
        further={"Risk": 1.0, "Length": length},
        count=600,
    )


@family("hours-only", "write", "strategy", "hard")
def _hours_only(draw: Draw) -> Instance:
    start, end = draw.turn(("1000", "1200"), ("1030", "1330"), ("1000", "1430"), ("1100", "1400"), ("0930", "1130"))
    length, quantity = draw.whole(3, 6), draw.whole(3, 9)
    long, short = draw.pick(("Day long", "Day short"), ("Up", "Down"), ("Buy", "Sell"))
    trade = account(draw, quantity)
    hours = f"{start[:2]}:{start[2:]} to {end[:2]}:{end[2:]}"
    return Instance(
        request=words(f"""
            Write a strategy for a stock on a chart of 15 minutes that trades only in the hours from {hours} in the time zone
            of the exchange, and is flat outside of them. A bar is within the hours if it opens at or after the first time
            and before the second. Within the hours, when there is no position, it enters long with a market order with the
            id "{long}" if the close is above the highest high of the n bars before this bar, and short with the id "{short}"
            if the close is below the lowest low of the n bars before this bar; n is the input "Length" (int, default
            {length}). On each bar outside of the hours with a position, it closes the position with a market order.
            {trade.told}
        """),
        reference=pine(f"""
            //@version=6
            strategy("Hours", {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            bool isWithin = not na(time(timeframe.period, "{start}-{end}:1234567"))
            float top = ta.highest(high, length)[1]
            float bottom = ta.lowest(low, length)[1]
            bool isFlat = strategy.position_size == 0
            if isWithin and isFlat and close > top
                strategy.entry("{long}", strategy.long)
            if isWithin and isFlat and close < bottom
                strategy.entry("{short}", strategy.short)
            if not isWithin and not isFlat
                strategy.close_all()
        """),
        inputs={"Length": length + 2},
        timeframe="15",
        stock=True,
        count=470,
    )


@family("patient-limit", "write", "strategy", "hard")
def _patient_limit(draw: Draw) -> Instance:
    wait, hold, length, quantity = draw.whole(2, 4), draw.whole(4, 8), draw.whole(6, 12), draw.whole(2, 8)
    factor = draw.turn(0.5, 0.75, 0.4, 0.6, 0.8)
    entry = draw.pick("Dip", "Bid", "Limit")
    trade = account(draw, quantity)
    return Instance(
        request=words(f"""
            Write a strategy that buys with limit orders. While there is no position and no waiting order, it places a limit
            order to go long with the id "{entry}" (strategy.entry) on a bar whose close is above the close before. Its price
            is the close minus {factor} times ta.atr over the input "Length" (int, default {length}), fixed when it is placed;
            without an average true range it places none. If the order was not filled, it is cancelled on the bar that is
            {wait} bars after the bar on which it was placed (the order may still be filled during that bar), and a new order
            may be placed from the next bar on. A position is closed with a market order, by strategy.close, on the bar that
            is {hold} bars after the bar on which its entry was filled. {trade.told}
        """),
        reference=pine(f"""
            //@version=6
            strategy("Limit", {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            float distance = {factor} * ta.atr(length)
            bool isFlat = strategy.position_size == 0
            var int placed = na
            if not isFlat
                placed := na
            if isFlat and not na(placed) and bar_index - placed >= {wait}
                strategy.cancel("{entry}")
                placed := na
            else if isFlat and na(placed) and close > close[1] and not na(distance)
                placed := bar_index
                strategy.entry("{entry}", strategy.long, limit = close - distance)
            if not isFlat
                if bar_index - strategy.opentrades.entry_bar_index(0) >= {hold}
                    strategy.close("{entry}")
        """),
        inputs={"Length": length + 4},
        count=410,
    )
