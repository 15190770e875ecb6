"""Tasks to change a given script, which must otherwise behave as before."""

from __future__ import annotations

from pinebench.evals import oracle
from pinebench.evals.draws import Draw
from pinebench.evals.families.strategies import account
from pinebench.evals.oracle import zipped
from pinebench.evals.tasks import Instance, family, pine, words


@family("change-inputs", "change", "indicator", "easy")
def _inputs(draw: Draw) -> Instance:
    length, factor, smooth = draw.whole(9, 18), draw.turn(1.5, 2.0, 1.2, 2.5, 1.8), draw.whole(3, 6)
    name, other = draw.pick(("Length", "Factor"), ("Bars", "Multiple"), ("Period", "Width"))
    average = draw.turn("ema", "sma", "rma", "wma", "ema")

    def values(bars, n: int, k: float) -> dict[str, list[float]]:
        middle = {"ema": oracle.ema, "sma": oracle.sma, "rma": oracle.rma, "wma": oracle.wma}[average](bars.close, n)
        reach = oracle.atr(bars.high, bars.low, bars.close, n)
        up = zipped(lambda m, r: m + k * r, middle, reach)
        return {
            "Middle": oracle.ema(middle, smooth),
            "Upper": up,
            "Lower": zipped(lambda m, r: m - k * r, middle, reach),
        }

    def script(inputs: str, n: str, k: str) -> str:
        return pine(f"""
            //@version=6
            indicator("Range channel", overlay = true)
            {inputs}
            float middle = ta.{average}(close, {n})
            float reach = ta.atr({n})
            plot(ta.ema(middle, {smooth}), "Middle")
            plot(middle + {k} * reach, "Upper", color.red)
            plot(middle - {k} * reach, "Lower", color.green)
        """)

    return Instance(
        request=words(f"""
            Make two numbers of this script adjustable. The length {length} of the average and of the average true range
            becomes one input "{name}" (int, default {length}), and the factor {factor} of both lines an input "{other}"
            (float, default {factor}). The smoothing over {smooth} bars stays fixed.
        """),
        given=script("// A channel around an average.", str(length), str(factor)),
        reference=script(
            f'int length = input.int({length}, "{name}", minval = 1)\n            '
            f'float factor = input.float({factor}, "{other}")',
            "length",
            "factor",
        ),
        inputs={name: length + 5, other: factor + 0.75},
        settings={"overlay": True},
        oracle=lambda bars, inputs: values(bars, inputs.get(name, length), inputs.get(other, factor)),
    )


@family("change-alert", "change", "indicator", "easy")
def _alert(draw: Draw) -> Instance:
    fast, slow, signal = draw.whole(5, 8), draw.whole(14, 20), draw.whole(4, 7)
    word = draw.pick("cross", "turn", "signal")
    way = draw.turn("up", "down", "both", "up", "down")
    told = {
        "up": f'when the line crosses over the signal line (ta.crossover), with the message "{word} up"',
        "down": f'when the line crosses under the signal line (ta.crossunder), with the message "{word} down"',
        "both": f'when the line crosses over the signal line (ta.crossover), with the message "{word} up", and when it '
        f'crosses under it (ta.crossunder), with the message "{word} down"',
    }[way]
    lines = [
        f'if ta.cross{side}(line, signal)\n                alert("{word} {name}", alert.freq_once_per_bar_close)'
        for name, side in (("up", "over"), ("down", "under"))
        if way in (name, "both")
    ]
    body = "\n            ".join(lines)

    def script(more: str) -> str:
        return pine(f"""
            //@version=6
            indicator("Difference of averages")
            float line = ta.ema(close, {fast}) - ta.ema(close, {slow})
            float signal = ta.sma(line, {signal})
            plot(line, "Line")
            plot(signal, "Signal", color.orange)
            plot(line - signal, "Difference", style = plot.style_columns){more}
        """)

    return Instance(
        request=words(f"""
            Add alerts to this script: it calls alert(), once per bar at the close of the bar
            (alert.freq_once_per_bar_close), {told}. Also add a plotshape "Above" that is shown on all bars on which the line
            is above the signal line.
        """),
        given=script(""),
        reference=script(
            f'\n            {body}\n            plotshape(line > signal, "Above", location = location.bottom)'
        ),
    )


@family("change-smoothing", "change", "indicator", "medium")
def _smoothing(draw: Draw) -> Instance:
    length, smooth = draw.whole(7, 14), draw.whole(3, 6)
    choices = draw.turn(
        ("None", "SMA", "EMA"),
        ("Off", "EMA", "WMA"),
        ("None", "RMA", "SMA"),
        ("Off", "WMA", "EMA"),
        ("None", "SMA", "RMA"),
    )
    chosen = draw.pick("Smoothing", "Average", "Filter")
    base = draw.turn(
        "ta.rsi(close, length)",
        "ta.mfi(hlc3, length)",
        "ta.cci(close, length)",
        "ta.rsi(close, length)",
        "ta.cci(close, length)",
    )
    none, one, two = choices

    def script(more: str, shown: str) -> str:
        return pine(f"""
            //@version=6
            indicator("Oscillator")
            int length = input.int({length}, "Length", minval = 1){more}
            float raw = {base}
            plot({shown}, "Oscillator")
            plot(raw - raw[1], "Speed", display = display.data_window)
        """)

    body = f"""\
            string kind = input.string("{none}", "{chosen}", options = ["{none}", "{one}", "{two}"])
            float value = {base}
            float one = ta.{one.lower()}(value, {smooth})
            float other = ta.{two.lower()}(value, {smooth})
            float shown = switch kind
                "{one}" => one
                "{two}" => other
                => value"""
    return Instance(
        request=words(f"""
            Let the user smooth the oscillator. Add an input "{chosen}" (a choice of "{none}", "{one}" and "{two}", default
            "{none}"). With "{one}" the plot "Oscillator" is the ta.{one.lower()} of the raw value over {smooth} bars, with
            "{two}" its ta.{two.lower()} over {smooth} bars, and with "{none}" the raw value as before. The plot "Speed" is
            the change of the raw value in all cases.
        """),
        given=script("", "raw"),
        reference=script(f"\n{body}", "shown").replace("float raw = " + base + "\n", "float raw = value\n"),
        inputs={chosen: one, "Length": length + 2},
        further={chosen: two},
    )


@family("change-short-side", "change", "strategy", "medium")
def _short_side(draw: Draw) -> Instance:
    length, high, low, quantity = draw.whole(5, 9), draw.whole(55, 60), draw.whole(40, 45), draw.whole(2, 7)
    long, short = draw.pick(("Long", "Short"), ("Up", "Down"), ("Bull", "Bear"))
    loss = draw.whole(6, 12)
    trade = account(draw, quantity)

    def script(more: str) -> str:
        return pine(f"""
            //@version=6
            strategy("Momentum", {trade.code})
            int length = input.int({length}, "Length", minval = 1)
            float index = ta.rsi(close, length)
            bool isStrong = ta.crossover(index, {high})
            bool isWeak = ta.crossunder(index, {low})
            if isStrong
                strategy.entry("{long}", strategy.long)
            if isWeak
                strategy.close("{long}")
            strategy.exit("{long} stop", "{long}", loss = {loss}){more}
            plot(index, "Index")
        """)

    return Instance(
        request=words(f"""
            This strategy only buys. Add the short side as the mirror image: where it closes the long position, it also
            enters short with a market order with the id "{short}", and where it enters long, it also closes "{short}" with
            strategy.close. The short position has a stop at a loss of {loss} ticks from its own strategy.exit with the id
            "{short} stop". Sizes and costs stay as they are.
        """),
        given=script(""),
        reference=script(
            f'\n            if isWeak\n                strategy.entry("{short}", strategy.short)\n            if isStrong\n'
            f'                strategy.close("{short}")\n'
            f'            strategy.exit("{short} stop", "{short}", loss = {loss})'
        ),
        inputs={"Length": length + 3},
    )


@family("change-bracket", "change", "strategy", "medium")
def _bracket(draw: Draw) -> Instance:
    fast, slow, quantity = draw.whole(3, 5), draw.whole(9, 14), draw.whole(2, 8)
    loss, profit = draw.whole(12, 18), draw.whole(28, 40)
    entry, leave = draw.pick(("Trend", "Bracket"), ("Long", "Guard"), ("Enter", "Exit"))
    part = draw.turn("both", "stop", "both", "target", "both")
    if part == "target":
        profit //= 4  # so near that some bars reach it on which the entry is filled
    trade = account(draw, quantity)
    told = {
        "both": f"a stop at a loss of {loss} ticks and a target at a profit of {profit} ticks",
        "stop": f"a stop at a loss of {loss} ticks",
        "target": f"a target at a profit of {profit} ticks",
    }[part]
    code = {"both": f"loss = {loss}, profit = {profit}", "stop": f"loss = {loss}", "target": f"profit = {profit}"}[part]

    def script(more: str) -> str:
        return pine(f"""
            //@version=6
            strategy("Averages", {trade.code})
            int fast = input.int({fast}, "Fast", minval = 1)
            float quick = ta.ema(close, fast)
            float slow = ta.ema(close, {slow})
            bool isUp = ta.crossover(quick, slow)
            bool isDown = ta.crossunder(quick, slow)
            if isUp
                strategy.entry("{entry}", strategy.long)
            if isDown
                strategy.close("{entry}")
            {more}
            plot(quick, "Quick")
        """)

    return Instance(
        request=words(f"""
            Limit the risk of this strategy. Each position gets {told}, counted from its entry price, from one
            strategy.exit with the id "{leave}", which already works on the bar on which the entry is filled. The exit on a
            crossing stays as well.
        """),
        given=script("// There is no exit besides the crossing."),
        reference=script(f'strategy.exit("{leave}", "{entry}", {code})'),
        inputs={"Fast": fast + 2},
        count=600,
    )


@family("change-requests", "change", "indicator", "hard")
def _requests(draw: Draw) -> Instance:
    timeframe = draw.turn("240", "120", "180", "240", "120")
    length = draw.whole(3, 6)
    values = draw.several(3, "high", "low", "close", "open", "volume")
    names = [f"Longer {value}" for value in values]
    average = draw.turn("sma", "ema", "wma", "sma", "ema")

    def script(requests: str) -> str:
        plots = "\n            ".join(f'plot(value{i}, "{name}")' for i, name in enumerate(names))
        return pine(f"""
            //@version=6
            indicator("Longer bars")
            int length = input.int({length}, "Length", minval = 1)
            {requests}
            {plots}
            plot(close - mean, "Distance")
        """)

    def request(result: str, expression: str) -> str:
        return (
            f'{result} = request.security(syminfo.tickerid, "{timeframe}", {expression}, '
            "lookahead = barmerge.lookahead_on)"
        )

    mean = f"ta.{average}(close, length)[1]"
    each = [request(f"float value{i}", f"{value}[1]") for i, value in enumerate(values)]
    listed = ", ".join(f"{value}[1]" for value in values)
    return Instance(
        request=words("""
            This script makes four requests of the same symbol and timeframe. Change it so that it makes one request.*() call
            only. All plots keep their values, on history and in real time.
        """),
        given=script("\n            ".join([*each, request("float mean", mean)])),
        reference=script(request("[value0, value1, value2, mean]", f"[{listed}, {mean}]")),
        inputs={"Length": length + 2},
        timeframe="30",
        steady=True,
        requests=1,
        count=280,
    )
