"""Tasks about oscillators and statistics."""

from __future__ import annotations

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN, zipped
from pinebench.evals.tasks import Instance, family, pine, words


@family("rsi-levels", "write", "indicator", "easy")
def _rsi_levels(draw: Draw) -> Instance:
    length, high, low = draw.whole(7, 14), draw.whole(58, 66), draw.whole(34, 42)
    up, down = draw.pick(("Hot", "Cold"), ("Leaves top", "Leaves bottom"), ("Sell zone", "Buy zone"))
    way = draw.turn("leaves", "enters", "leaves", "enters", "leaves")
    top = ("crosses under", "crossunder") if way == "leaves" else ("crosses over", "crossover")
    bottom = ("crosses over", "crossover") if way == "leaves" else ("crosses under", "crossunder")

    def values(bars, n: int, above: float, below: float) -> dict[str, list]:
        line = oracle.rsi(bars.close, n)
        over, under = oracle.crossed_over, oracle.crossed_under
        first, second = (under, over) if way == "leaves" else (over, under)
        return {"RSI": line, up: first(line, [above] * len(line)), down: second(line, [below] * len(line))}

    return Instance(
        request=words(f"""
            Write an indicator in its own pane with the relative strength index of the close (ta.rsi). Inputs: "Length"
            (int, default {length}), "High level" (float, default {high}), "Low level" (float, default {low}). Plot the
            index as "RSI". A plotshape "{up}" is shown on bars on which the index {top[0]} the high level, a plotshape
            "{down}" on bars on which it {bottom[0]} the low level (as ta.{top[1]} and ta.{bottom[1]} compute it).
        """),
        reference=pine(f"""
            //@version=6
            indicator("RSI levels")
            int length = input.int({length}, "Length", minval = 1)
            float highLevel = input.float({high}, "High level")
            float lowLevel = input.float({low}, "Low level")
            float index = ta.rsi(close, length)
            plot(index, "RSI")
            hline({high}, "High")
            hline({low}, "Low")
            plotshape(ta.{top[1]}(index, highLevel), "{up}", location = location.top)
            plotshape(ta.{bottom[1]}(index, lowLevel), "{down}", location = location.bottom)
        """),
        inputs={"Length": length + 3, "High level": high - 3.5, "Low level": low + 4.5},
        settings={},
        oracle=lambda bars, inputs: values(
            bars, inputs.get("Length", length), inputs.get("High level", high), inputs.get("Low level", low)
        ),
    )


@family("stochastic", "write", "indicator", "medium")
def _stochastic(draw: Draw) -> Instance:
    length, smooth, signal = draw.whole(8, 15), draw.whole(2, 4), draw.whole(3, 6)
    fast, slow = draw.pick(("K", "D"), ("Main", "Signal"), ("Blue", "Red"))
    average = draw.turn("sma", "ema", "wma", "sma", "ema")
    base = draw.turn("close", "hl2", "close", "open", "hl2")

    def values(bars, n: int) -> dict[str, list[float]]:
        price = {
            "close": bars.close,
            "open": bars.open,
            "hl2": [(a + b) / 2 for a, b in zip(bars.high, bars.low, strict=True)],
        }[base]
        raw = zipped(
            lambda p, t, b: 50.0 if t == b else 100 * (p - b) / (t - b),
            price,
            oracle.highest(bars.high, n),
            oracle.lowest(bars.low, n),
        )
        main = {"sma": oracle.sma, "ema": oracle.ema, "wma": oracle.wma}[average](raw, smooth)
        return {fast: main, slow: oracle.sma(main, signal)}

    return Instance(
        request=words(f"""
            Write an indicator with a stochastic oscillator. Its raw value is 100 * (p - L) / (H - L), where p is {base},
            H is the highest high and L the lowest low of the last n bars, this bar included; n is the input "Length"
            (int, default {length}). If H equals L, the raw value is 50. The plot "{fast}" is the ta.{average} of the raw
            value over {smooth} bars, the plot "{slow}" is the simple average of "{fast}" over {signal} bars.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Stochastic")
            int length = input.int({length}, "Length", minval = 1)
            float top = ta.highest(high, length)
            float bottom = ta.lowest(low, length)
            float raw = top == bottom ? 50.0 : 100 * ({base} - bottom) / (top - bottom)
            float main = ta.{average}(raw, {smooth})
            plot(main, "{fast}")
            plot(ta.sma(main, {signal}), "{slow}", color.red)
        """),
        inputs={"Length": length + 5},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )


@family("z-score", "write", "indicator", "medium")
def _z_score(draw: Draw) -> Instance:
    length, most = draw.whole(14, 26), draw.turn(2.0, 1.5, 1.8, 2.2, 1.6)
    title = draw.pick("Z", "Score", "Deviation")
    what = draw.turn("close", "volume", "range", "change", "close")
    told, code = {
        "close": ("the close", "close"),
        "volume": ("the volume", "volume"),
        "range": ("the range of the bar (high minus low)", "high - low"),
        "change": ("the change of the close since the bar before", "close - close[1]"),
    }[what]

    def series(bars) -> list[float]:
        if what == "range":
            return zipped(lambda h, lo: h - lo, bars.high, bars.low)
        if what == "change":
            return oracle.change(bars.close)
        return list(bars.volume if what == "volume" else bars.close)

    def values(bars, n: int) -> dict[str, list]:
        given = series(bars)
        score = zipped(
            lambda v, m, s: NAN if s != s else 0.0 if s == 0 else max(-most, min(most, (v - m) / s)),
            given,
            oracle.sma(given, n),
            oracle.stdev(given, n),
        )
        return {title: score, "Extreme": [abs(value) >= most for value in score]}

    return Instance(
        request=words(f"""
            Write an indicator with a z-score: {told}, minus its simple average, divided by its standard deviation
            (ta.stdev), both over the input "Length" (int, default {length}). It is 0 where the standard deviation is 0,
            and it is limited to the range from -{most} to {most}. Plot it as "{title}". A bgcolor with the title
            "Extreme" colours the bars on which the z-score is at one of its two limits; other bars have no background.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Score")
            int length = input.int({length}, "Length", minval = 2)
            float value = {code}
            float average = ta.sma(value, length)
            float spread = ta.stdev(value, length)
            float raw = spread == 0 ? 0.0 : (value - average) / spread
            float score = math.max(-{most}, math.min({most}, raw))
            plot(score, "{title}")
            bgcolor(math.abs(score) >= {most} ? color.new(color.orange, 70) : na, title = "Extreme")
        """),
        inputs={"Length": length + 6},
        oracle=lambda bars, inputs: values(bars, inputs.get("Length", length)),
    )


@family("streak-rank", "write", "indicator", "hard")
def _streak_rank(draw: Draw) -> Instance:
    length, rank = draw.whole(5, 9), draw.whole(15, 30)
    run, share = draw.pick(("Streak", "Rank"), ("Run", "Percent below"), ("Row", "Share"))
    kind = draw.turn("strictly", "not above", "strictly", "not above", "strictly")
    sign, told = ("<", "less than") if kind == "strictly" else ("<=", "less than or equal to")

    def values(bars, n: int) -> dict[str, list[float]]:
        close = bars.close
        runs: list[float] = []
        for i in range(len(close)):
            last = runs[-1] if runs else 0.0
            move = close[i] - close[i - 1] if i else 0.0
            runs.append((max(last, 0) + 1 if move > 0 else min(last, 0) - 1 if move < 0 else 0.0) if i else 0.0)
        moves = oracle.change(close)
        shares = [NAN] * len(close)
        for i in range(n + 1, len(close)):
            window = moves[i - n : i]
            count = sum((one < moves[i]) if sign == "<" else (one <= moves[i]) for one in window)
            shares[i] = 100 * count / n
        smooth = oracle.sma(runs, length)
        return {run: runs, share: shares, "Mean": smooth}

    return Instance(
        request=words(f"""
            Write an indicator about runs of closes and the rank of a move.

            - plot "{run}": the number of bars in a row whose close was above the close before, as a positive number, or
            below it, as a negative number. It is 0 if the close is equal to the close before, and 0 on the first bar.
            - plot "Mean": the simple average of "{run}" over {length} bars
            - plot "{share}": how many of the n moves before this bar's move are {told} this bar's move, in percent of
            n. A move is the close minus the close before; n is the input "Moves" (int, default {rank}). It is na on bars
            that do not have n moves before their own.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Streak and rank")
            int moves = input.int({rank}, "Moves", minval = 1)
            float move = close - close[1]
            var int streak = 0
            if move > 0
                streak := math.max(streak, 0) + 1
            else if move < 0
                streak := math.min(streak, 0) - 1
            else
                streak := 0
            int count = 0
            for i = 1 to moves
                if move[i] {sign} move
                    count += 1
            plot(streak, "{run}")
            plot(ta.sma(streak, {length}), "Mean")
            plot(na(move[moves]) ? na : 100.0 * count / moves, "{share}")
        """),
        inputs={"Moves": rank + draw.whole(3, 9)},
        oracle=lambda bars, inputs: values(bars, inputs.get("Moves", rank)),
    )
