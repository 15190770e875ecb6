"""Tasks about libraries, which are judged through a script that imports them."""

from __future__ import annotations

from statistics import median

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.oracle import NAN, zipped
from pinebench.evals.tasks import Instance, family, pine, words


@family("library-averages", "write", "library", "medium")
def _library_averages(draw: Draw) -> Instance:
    name = draw.pick("Averages", "Smoothing", "MeanTools")
    first, second = draw.pick(("doubleEma", "spread"), ("dema", "distance"), ("smooth", "gap"))
    length, other = draw.whole(4, 9), draw.whole(12, 18)
    kind = draw.turn("percent", "ratio", "points", "percent", "ratio")
    told, code, rule = {
        "percent": ("100 * (a - b) / b", "100 * (a - b) / b", lambda a, b: 100 * (a - b) / b),
        "ratio": ("a / b", "a / b", lambda a, b: a / b),
        "points": ("a - b", "a - b", lambda a, b: a - b),
    }[kind]

    def values(bars) -> dict[str, list[float]]:
        def double(n: int) -> list[float]:
            one = oracle.ema(bars.close, n)
            return zipped(lambda x, y: 2 * x - y, one, oracle.ema(one, n))

        gap = zipped(rule, oracle.sma(bars.close, length), oracle.sma(bars.close, other))
        return {"a": double(length), "b": double(other), "c": gap}

    return Instance(
        request=words(f"""
            Write a library with the name "{name}" (the title in library()). It exports two functions.

            - {first}(series float source, simple int length): 2 * e - ta.ema of e, where e is ta.ema(source, length); both
            over the length

            - {second}(series float source, simple int fast, simple int slow): {told}, where a is the simple average of the
            source over the fast length and b over the slow length
        """),
        reference=pine(f"""
            //@version=6
            // @description Averages.
            library("{name}")
            // @function A double exponential average.
            // @param source The values.
            // @param length The number of bars.
            // @returns The average.
            export {first}(series float source, simple int length) =>
                float e = ta.ema(source, length)
                2 * e - ta.ema(e, length)
            // @function Compares two simple averages.
            // @param source The values.
            // @param fast The number of bars of the first average.
            // @param slow The number of bars of the second average.
            // @returns The difference.
            export {second}(series float source, simple int fast, simple int slow) =>
                float a = ta.sma(source, fast)
                float b = ta.sma(source, slow)
                {code}
        """),
        caller=pine(f"""
            //@version=6
            indicator("Caller")
            import eval/{name}/1 as lib
            plot(lib.{first}(close, {length}), "a")
            plot(lib.{first}(close, {other}), "b")
            plot(lib.{second}(close, {length}, {other}), "c")
        """),
        settings={"title": name},
        oracle=lambda bars, inputs: values(bars),
    )


@family("library-arrays", "write", "library", "hard")
def _library_arrays(draw: Draw) -> Instance:
    name = draw.pick("ArrayTools", "Statistics", "Samples")
    spread, rank = draw.pick("mad", "deviation", "scatter"), draw.pick("rankOf", "place", "share")
    clean = draw.pick("without", "cleaned", "drop")
    length = draw.whole(7, 12)
    strict = draw.turn(True, False, True, False, True)
    sign, word = ("<", "less than") if strict else ("<=", "less than or equal to")

    def values(bars) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {"a": [], "b": [], "c": [], "d": [], "h": [], "i": []}
        for i in range(len(bars)):
            window = bars.close[max(0, i - length + 1) : i + 1]
            middle = median(window)
            kept = [v for v in window if v != bars.close[i]]
            below = sum(v < bars.close[i] if strict else v <= bars.close[i] for v in window)
            found["a"].append(median([abs(v - middle) for v in window]))
            found["b"].append(below / len(window))
            found["c"].append(float(len(kept)))
            found["d"].append(float(len(window)))
            found["h"].append(kept[0] if kept else NAN)
            found["i"].append(kept[-1] if kept else NAN)
        return found

    return Instance(
        request=words(f"""
            Write a library with the name "{name}" (the title in library()). It exports three functions for arrays of
            floats. None of them changes the array that it is given, and all of them must work with an empty array.

            - {spread}(array<float> values): the median of the absolute differences between each value and the median of all
            values; na for an empty array

            - {rank}(array<float> values, float value): the number of values that are {word} the given value, divided by the
            number of values; na for an empty array

            - {clean}(array<float> values, float value): a new array with all values in their order, except those that are
            equal to the given value
        """),
        reference=pine(f"""
            //@version=6
            // @description Functions for arrays.
            library("{name}")
            // @function The median absolute deviation.
            // @param values The values.
            // @returns The deviation.
            export {spread}(array<float> values) =>
                float middle = values.median()
                array<float> distances = array.new<float>()
                for value in values
                    distances.push(math.abs(value - middle))
                distances.median()
            // @function The share of smaller values.
            // @param values The values.
            // @param value The value to compare with.
            // @returns A number from 0 to 1.
            export {rank}(array<float> values, float value) =>
                int count = 0
                for each in values
                    if each {sign} value
                        count += 1
                values.size() > 0 ? count / values.size() : float(na)
            // @function The values without some.
            // @param values The values.
            // @param value The value to leave out.
            // @returns A new array.
            export {clean}(array<float> values, float value) =>
                array<float> kept = array.new<float>()
                for each in values
                    if each != value
                        kept.push(each)
                kept
        """),
        caller=pine(f"""
            //@version=6
            indicator("Caller")
            import eval/{name}/1 as lib
            var array<float> window = array.new<float>()
            window.push(close)
            if window.size() > {length}
                window.shift()
            array<float> nothing = array.new<float>()
            plot(lib.{spread}(window), "a")
            plot(lib.{rank}(window, close), "b")
            plot(lib.{clean}(window, close).size(), "c")
            plot(window.size(), "d")
            plot(lib.{spread}(nothing), "e")
            plot(lib.{rank}(nothing, 1.0), "f")
            plot(lib.{clean}(nothing, 1.0).size(), "g")
            array<float> kept = lib.{clean}(window, close)
            plot(kept.size() > 0 ? kept.first() : na, "h")
            plot(kept.size() > 0 ? kept.last() : na, "i")
        """),
        settings={"title": name},
        oracle=lambda bars, inputs: {
            **values(bars),
            "e": [NAN] * len(bars),
            "f": [NAN] * len(bars),
            "g": [0] * len(bars),
        },
    )


@family("library-type", "write", "library", "hard")
def _library_type(draw: Draw) -> Instance:
    name = draw.pick("RunningStats", "Accumulator", "Moments")
    kind, add = draw.pick("Stats", "Series", "Sample", "Account"), draw.pick("add", "put", "take", "feed")
    mean, spread = draw.pick("average", "centre", "middle"), draw.pick("variance", "spread", "scatter")
    sample = draw.turn(False, True, False, True, False)
    divisor = "count - 1" if sample else "count"
    need = 2 if sample else 1
    step = draw.whole(15, 30)

    def values(bars) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {"n": [], "mean": [], "spread": [], "top": []}
        held: list[float] = []
        for i, value in enumerate(bars.close):
            if i % step == 0:
                held = []
            held.append(value)
            n, middle = len(held), oracle.mean(held)
            found["n"].append(float(n))
            found["mean"].append(middle)
            found["top"].append(max(held))
            squares = sum((v - middle) ** 2 for v in held)
            found["spread"].append(squares / (n - 1 if sample else n) if n >= need else NAN)
        return found

    return Instance(
        request=words(f"""
            Write a library with the name "{name}" (the title in library()). It exports a type and methods of it.

            - type {kind} with the fields int count (0 at first), float mean (0.0 at first), float squares (0.0 at first) and
            float top (na at first)

            - method {add}({kind} this, float value): takes one more value into account and returns the object itself. After
            it, count is the number of values so far, mean their average, squares the sum of their squared differences from
            the average, and top the largest value.

            - method {mean}({kind} this): the average of the values so far, na if there are none

            - method {spread}({kind} this): squares divided by {divisor}; na if there are fewer than {need} values
        """),
        reference=pine(f"""
            //@version=6
            // @description Statistics that grow value by value.
            library("{name}")
            // @type The values so far.
            // @field count Their number.
            // @field mean Their average.
            // @field squares The sum of their squared differences from the average.
            // @field top The largest one.
            export type {kind}
                int count = 0
                float mean = 0.0
                float squares = 0.0
                float top = na
            // @function Takes a value into account.
            // @param this The statistics.
            // @param value The value.
            // @returns The statistics.
            export method {add}({kind} this, float value) =>
                this.count += 1
                float before = value - this.mean
                this.mean += before / this.count
                this.squares += before * (value - this.mean)
                this.top := na(this.top) ? value : math.max(this.top, value)
                this
            // @function The average.
            // @param this The statistics.
            // @returns The average.
            export method {mean}({kind} this) =>
                this.count > 0 ? this.mean : float(na)
            // @function The variance.
            // @param this The statistics.
            // @returns The variance.
            export method {spread}({kind} this) =>
                this.count >= {need} ? this.squares / (this.{divisor}) : float(na)
        """),
        caller=pine(f"""
            //@version=6
            indicator("Caller")
            import eval/{name}/1 as lib
            var lib.{kind} held = lib.{kind}.new()
            lib.{kind} empty = lib.{kind}.new()
            if bar_index % {step} == 0
                held := lib.{kind}.new()
            held := held.{add}(close)
            plot(held.count, "n")
            plot(held.{mean}(), "mean")
            plot(held.{spread}(), "spread")
            plot(held.top, "top")
            plot(empty.{mean}(), "none")
            plot(empty.{spread}(), "no spread")
            plot(empty.top, "no top")
            plot(empty.count + empty.mean + empty.squares, "nothing")
        """),
        settings={"title": name},
        oracle=lambda bars, inputs: {
            **values(bars),
            "none": [NAN] * len(bars),
            "no spread": [NAN] * len(bars),
            "no top": [NAN] * len(bars),
            "nothing": [0.0] * len(bars),
        },
    )
