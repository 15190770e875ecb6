"""Tasks about state that is kept from bar to bar."""

from __future__ import annotations

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN
from pinebench.evals.tasks import Instance, family, pine, words


@family("flipping-stop", "write", "indicator", "hard")
def _flipping_stop(draw: Draw) -> Instance:
    length, factor = draw.whole(5, 16), draw.turn(2.0, 1.5, 2.5, 1.75, 2.25)
    base, name = draw.turn(("close", "close"), ("hl2", "hl2"), ("close", "close"), ("hl2", "hl2"), ("close", "close"))
    stop, side, flip = draw.pick(("Stop", "Side", "Flip"), ("Trail", "Direction", "Turn"), ("Line", "State", "Change"))

    def values(bars, n: int, k: float) -> dict[str, list]:
        reach = oracle.atr(bars.high, bars.low, bars.close, n)
        found: dict[str, list] = {stop: [], side: [], flip: []}
        level, way = NAN, 0
        for i in range(len(bars)):
            turned = False
            if reach[i] == reach[i]:
                price = bars.close[i] if base == "close" else (bars.high[i] + bars.low[i]) / 2
                below, above = price - k * reach[i], price + k * reach[i]
                if way == 0:
                    way, level = 1, below
                elif way == 1 and bars.close[i] < level:
                    way, level, turned = -1, above, True
                elif way == -1 and bars.close[i] > level:
                    way, level, turned = 1, below, True
                else:
                    level = max(level, below) if way == 1 else min(level, above)
            found[stop].append(level)
            found[side].append(float(way) if way else NAN)
            found[flip].append(turned)
        return found

    return Instance(
        request=words(f"""
            Write an indicator with a stop that follows the price and changes sides. The distance is the input "Factor"
            (float, default {factor}) times ta.atr over the input "Length" (int, default {length}). On bars without an
            average true range nothing happens, and all plots are na.

            On the first bar with one, the side is 1 and the stop is {name} minus the distance. On each later bar, in this
            order: if the side is 1 and the close is below the stop of the bar before, the side becomes -1 and the stop
            {name} plus the distance; if the side is -1 and the close is above the stop of the bar before, the side becomes
            1 and the stop {name} minus the distance. Otherwise, with side 1 the stop is the larger of the stop before and
            {name} minus the distance; with side -1 it is the smaller of the stop before and {name} plus the distance.

            Plot the stop as "{stop}" and the side as "{side}". A plotshape "{flip}" is shown on bars on which the side
            changes (not on the first one).
        """),
        reference=pine(f"""
            //@version=6
            indicator("Flipping stop", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float factor = input.float({factor}, "Factor")
            float distance = factor * ta.atr(length)
            var float stop = na
            var int side = na
            bool isFlip = false
            if not na(distance)
                float below = {base} - distance
                float above = {base} + distance
                if na(side)
                    side := 1
                    stop := below
                else if side == 1 and close < stop
                    side := -1
                    stop := above
                    isFlip := true
                else if side == -1 and close > stop
                    side := 1
                    stop := below
                    isFlip := true
                else
                    stop := side == 1 ? math.max(stop, below) : math.min(stop, above)
            plot(stop, "{stop}")
            plot(side, "{side}", display = display.data_window)
            plotshape(isFlip, "{flip}")
        """),
        inputs={"Length": length + 4, "Factor": factor + 0.5},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length), inputs.get("Factor", factor)),
    )


@family("percent-swings", "write", "indicator", "hard")
def _percent_swings(draw: Draw) -> Instance:
    percent = draw.whole(12, 34) / 10
    high, low = draw.turn(("high", "low"), ("close", "close"), ("high", "low"), ("close", "close"), ("high", "low"))
    last, way, turns = draw.pick(
        ("Last swing", "Way", "Turns"), ("Pivot", "Leg", "Count"), ("Swing", "Direction", "Swings")
    )

    def values(bars, share: float) -> dict[str, list[float]]:
        tops, lows = getattr(bars, high), getattr(bars, low)
        found: dict[str, list[float]] = {last: [], way: [], turns: []}
        up, extreme, pivot, count = True, tops[0], NAN, 0
        for i in range(len(bars)):
            if up:
                extreme = max(extreme, tops[i])
                if lows[i] <= extreme * (1 - share / 100):
                    pivot, up, extreme, count = extreme, False, lows[i], count + 1
            else:
                extreme = min(extreme, lows[i])
                if tops[i] >= extreme * (1 + share / 100):
                    pivot, up, extreme, count = extreme, True, tops[i], count + 1
            for name, value in ((last, pivot), (way, 1.0 if up else -1.0), (turns, float(count))):
                found[name].append(value)
        return found

    return Instance(
        request=words(f"""
            Write an indicator that finds swings of at least p percent; p is the input "Percent" (float, default
            {percent}). It looks at the {high} for tops and at the {low} for bottoms. There is always a direction and an
            extreme. On the first bar the direction is up and the extreme is the {high}.

            On every bar (the first one included), while the direction is up: first the extreme becomes the larger of
            itself and the {high}; then, if the {low} is at or below extreme * (1 - p / 100), the extreme becomes the last
            swing, the direction becomes down, and the new extreme is this bar's {low}. While the direction is down: first
            the extreme becomes the smaller of itself and the {low}; then, if the {high} is at or above extreme * (1 + p /
            100), the extreme becomes the last swing, the direction becomes up, and the new extreme is this bar's {high}.
            The direction changes at most once on a bar.

            Plot the price of the last swing as "{last}" (na before the first), the direction after the bar as "{way}" (1
            or -1), and the number of swings so far as "{turns}".
        """),
        reference=pine(f"""
            //@version=6
            indicator("Swings", overlay = true)
            float percent = input.float({percent}, "Percent", minval = 0.1)
            var bool isUp = true
            var float extreme = {high}
            var float swing = na
            var int count = 0
            if isUp
                extreme := math.max(extreme, {high})
                if {low} <= extreme * (1 - percent / 100)
                    swing := extreme
                    isUp := false
                    extreme := {low}
                    count += 1
            else
                extreme := math.min(extreme, {low})
                if {high} >= extreme * (1 + percent / 100)
                    swing := extreme
                    isUp := true
                    extreme := {high}
                    count += 1
            plot(swing, "{last}")
            plot(isUp ? 1 : -1, "{way}", display = display.data_window)
            plot(count, "{turns}", display = display.data_window)
        """),
        inputs={"Percent": percent + 0.9},
        oracle=lambda bars, inputs: values(bars, inputs.get("Percent", percent)),
    )


@family("since-condition", "write", "indicator", "easy")
def _since_condition(draw: Draw) -> Instance:
    window = draw.whole(10, 20)
    kind = draw.turn("inside", "outside", "up close", "gap", "inside")
    title, share = draw.pick(("Since", "Count"), ("Age", "Hits"), ("Bars ago", "In window"))
    told, code = {
        "inside": (
            "its high is below the high before and its low is above the low before",
            "high < high[1] and low > low[1]",
        ),
        "outside": (
            "its high is above the high before and its low is below the low before",
            "high > high[1] and low < low[1]",
        ),
        "up close": ("its close is above the high before", "close > high[1]"),
        "gap": ("its open is above the close before", "open > close[1]"),
    }[kind]

    def values(bars, n: int) -> dict[str, list[float]]:
        h, lo, c, o = bars.high, bars.low, bars.close, bars.open
        hits = [
            i > 0
            and {
                "inside": h[i] < h[i - 1] and lo[i] > lo[i - 1],
                "outside": h[i] > h[i - 1] and lo[i] < lo[i - 1],
                "up close": c[i] > h[i - 1],
                "gap": o[i] > c[i - 1],
            }[kind]
            for i in range(len(bars))
        ]
        ages: list[float] = []
        for i, hit in enumerate(hits):
            ages.append(0.0 if hit else ages[i - 1] + 1 if i else NAN)
        counts = [float(sum(hits[max(0, i - n + 1) : i + 1])) for i in range(len(hits))]
        means = [NAN if i < n - 1 else count / n * 100 for i, count in enumerate(counts)]
        return {title: ages, share: counts, "Share": means}

    return Instance(
        request=words(f"""
            Write an indicator that counts bars. A bar is a hit if {told}; the first bar is not a hit.

            - plot "{title}": the number of bars since the last hit, 0 on a hit, na before the first hit
            - plot "{share}": the number of hits among the last n bars, this bar included, or among all bars while there
            are fewer than n; n is the input "Window" (int, default {window})
            - plot "Share": that number in percent of n, na while there are fewer than n bars
        """),
        reference=pine(f"""
            //@version=6
            indicator("Hits")
            int window = input.int({window}, "Window", minval = 1)
            bool isHit = {code}
            var int age = na
            age := isHit ? 0 : age + 1
            var int total = 0
            total += isHit ? 1 : 0
            int count = total - nz(total[window])
            plot(age, "{title}")
            plot(count, "{share}")
            plot(bar_index < window - 1 ? na : 100.0 * count / window, "Share")
        """),
        inputs={"Window": window + 7},
        oracle=lambda bars, inputs: values(bars, inputs.get("Window", window)),
    )
