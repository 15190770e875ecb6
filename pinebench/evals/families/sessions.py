"""Tasks about days and sessions of a stock."""

from __future__ import annotations

from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN
from pinebench.evals.tasks import Instance, family, pine, words

_DAY = 86_400_000


@family("day-vwap", "write", "indicator", "medium")
def _day_vwap(draw: Draw) -> Instance:
    source = draw.turn("hlc3", "close", "hl2", "ohlc4", "hlc3")
    title, above = draw.pick(("VWAP", "Bars above"), ("Day average", "Count above"), ("Anchor", "Closes above"))
    timeframe = draw.turn("30", "15", "30", "15", "30")
    far = draw.whole(2, 9) / 10

    def values(bars, distance: float) -> dict[str, list]:
        line: list[float] = []
        counts: list[float] = []
        alarms: list[bool] = []
        money = volume = count = 0.0
        for i in range(len(bars)):
            o, h, lo, c = bars.open[i], bars.high[i], bars.low[i], bars.close[i]
            price = {"hlc3": (h + lo + c) / 3, "close": c, "hl2": (h + lo) / 2, "ohlc4": (o + h + lo + c) / 4}[source]
            if i == 0 or bars.time[i] // _DAY != bars.time[i - 1] // _DAY:
                money = volume = count = 0.0
            money += price * bars.volume[i]
            volume += bars.volume[i]
            line.append(money / volume)
            count += c > line[-1]
            counts.append(count)
            alarms.append(abs(c - line[-1]) > distance / 100 * line[-1])
        return {title: line, above: counts, "Far": alarms}

    return Instance(
        request=words(f"""
            Write an indicator for the regular session of a stock. The plot "{title}" is the volume-weighted average price
            of {source} since the first bar of the day: the sum of price times volume divided by the sum of volume. It
            begins again on the first bar of each day (in the exchange's time zone). The plot "{above}" counts the bars of
            the day, this bar included, whose close was above the average of their own bar. A plotshape "Far" is shown on
            bars whose close is more than the input "Distance %" (float, default {far}) percent of the average away from
            the average.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Average of the day", overlay = true)
            float distance = input.float({far}, "Distance %")
            bool isNew = timeframe.change("1D")
            var float money = 0.0
            var float shares = 0.0
            var int count = 0
            if isNew
                money := 0.0
                shares := 0.0
                count := 0
            money += {source} * volume
            shares += volume
            float average = money / shares
            if close > average
                count += 1
            plot(average, "{title}")
            plot(count, "{above}", display = display.data_window)
            plotshape(math.abs(close - average) > distance / 100 * average, "Far")
        """),
        inputs={"Distance %": far + 0.5},
        timeframe=timeframe,
        stock=True,
        oracle=lambda bars, inputs: values(bars, inputs.get("Distance %", far)),
    )


@family("opening-range", "write", "indicator", "hard")
def _opening_range(draw: Draw) -> Instance:
    minutes = draw.pick(30, 45, 60, 75)
    up, down = draw.pick("Break up", "Long", "Up", "Above"), draw.pick("Break down", "Short", "Down", "Below")
    top, bottom = draw.pick(("Range high", "Range low"), ("ORH", "ORL"), ("Top", "Bottom"))

    def values(bars) -> dict[str, list]:
        found: dict[str, list] = {top: [], bottom: [], up: [], down: []}
        high = low = NAN
        opened, broken = 0, True
        for i in range(len(bars)):
            if i and bars.time[i] // _DAY != bars.time[i - 1] // _DAY:
                opened, broken, high, low = bars.time[i], False, bars.high[i], bars.low[i]
            is_range = bars.time[i] < opened + minutes * 60_000
            if is_range:
                high, low = max(high, bars.high[i]), min(low, bars.low[i])
            is_up = not is_range and not broken and bars.close[i] > high
            is_down = not is_range and not broken and bars.close[i] < low
            broken = broken or is_up or is_down
            for name, value in (
                (top, NAN if is_range else high),
                (bottom, NAN if is_range else low),
                (up, is_up),
                (down, is_down),
            ):
                found[name].append(value)
        return found

    return Instance(
        request=words(f"""
            Write an indicator for a stock on a chart of 15 minutes. The opening range of a day are the bars that open in
            the first {minutes} minutes after the opening time of the day's first bar. After these bars, for the rest of
            the day, plot the highest high of the range as "{top}" and its lowest low as "{bottom}"; during the range both
            are na. The first bar of a day after the range that closes above its high shows a plotshape "{up}"; if a bar
            closes below its low first, it shows a plotshape "{down}". There is at most one of these shapes a day. Days begin at midnight
            of the exchange. On the first day of the chart nothing is shown, and all plots are na.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Opening range", overlay = true)
            var int opened = 0
            var float rangeHigh = na
            var float rangeLow = na
            var bool isBroken = true
            bool isNew = timeframe.change("1D")
            if isNew and bar_index > 0
                opened := time
                rangeHigh := high
                rangeLow := low
                isBroken := false
            bool isRange = time < opened + {minutes} * 60000
            if isRange and time > opened
                rangeHigh := math.max(rangeHigh, high)
                rangeLow := math.min(rangeLow, low)
            bool isUp = not isRange and not isBroken and close > rangeHigh
            bool isDown = not isRange and not isBroken and close < rangeLow
            if isUp or isDown
                isBroken := true
            plot(isRange ? na : rangeHigh, "{top}", style = plot.style_linebr)
            plot(isRange ? na : rangeLow, "{bottom}", style = plot.style_linebr)
            plotshape(isUp, "{up}", location = location.belowbar)
            plotshape(isDown, "{down}", location = location.abovebar)
        """),
        timeframe="15",
        stock=True,
        oracle=lambda bars, inputs: values(bars),
    )


@family("hour-profile", "write", "indicator", "medium")
def _hour_profile(draw: Draw) -> Instance:
    what = draw.turn("range", "volume", "body", "range", "volume")
    told, code = {
        "range": ("high minus low", "high - low"),
        "volume": ("the volume", "volume"),
        "body": ("the distance between open and close, never negative", "math.abs(close - open)"),
    }[what]
    usual, ratio = draw.pick("Usual", "Same hour", "Mean"), draw.pick("Ratio", "Compared", "Share")
    least = draw.whole(2, 5)

    def values(bars, need: int) -> dict[str, list[float]]:
        total, count = [0.0] * 24, [0] * 24
        found: dict[str, list[float]] = {usual: [], ratio: []}
        for i in range(len(bars)):
            h = bars.time[i] // 3_600_000 % 24
            value = {
                "range": bars.high[i] - bars.low[i],
                "volume": bars.volume[i],
                "body": abs(bars.close[i] - bars.open[i]),
            }[what]
            mean = total[h] / count[h] if count[h] >= need else NAN
            found[usual].append(mean)
            found[ratio].append(value / mean if mean == mean and mean != 0 else NAN)
            total[h] += value
            count[h] += 1
        return found

    return Instance(
        request=words(f"""
            Write an indicator that compares each bar with earlier bars of the same hour of the day. The value of a bar is
            {told}. The plot "{usual}" is the average value of all earlier bars that opened in the same hour of the day,
            in the exchange's time zone (this bar is not part of it); it is na if there are fewer such bars than the input
            "At least" (int, default {least}). The plot "{ratio}" is the value of this bar divided by "{usual}"; it is na
            where that is na{"" if what == "volume" else " or 0"}.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Same hour")
            int least = input.int({least}, "At least", minval = 1)
            var array<float> sums = array.new<float>(24, 0.0)
            var array<int> counts = array.new<int>(24, 0)
            float value = {code}
            int count = counts.get(hour)
            float usual = count >= least ? sums.get(hour) / count : na
            sums.set(hour, sums.get(hour) + value)
            counts.set(hour, count + 1)
            plot(usual, "{usual}")
            plot(usual == 0 ? na : value / usual, "{ratio}")
        """),
        inputs={"At least": 1},
        further={"At least": least + 2},
        flat=0,
        oracle=lambda bars, inputs: values(bars, inputs.get("At least", least)),
    )
