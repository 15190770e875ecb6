"""Tasks about values of longer timeframes, without repainting."""

from __future__ import annotations

from pinebench.evals.draws import Draw
from pinebench.evals.tasks import Instance, family, pine, words

_NAMES = {"240": "4 hours (240 minutes)", "D": "a day", "180": "3 hours (180 minutes)", "120": "2 hours (120 minutes)"}


@family("longer-average", "write", "indicator", "hard")
def _longer_average(draw: Draw) -> Instance:
    timeframe = draw.turn("240", "180", "120", "240", "180")
    length = draw.whole(4, 9)
    average = draw.turn("sma", "ema", "wma", "ema", "sma")
    line, trend = draw.pick(("Average", "Above"), ("HTF", "Over"), ("Slow line", "Trend up"))
    return Instance(
        request=words(f"""
            Write an indicator for charts below {_NAMES[timeframe]} with an average of that longer timeframe. It must not
            repaint: on every bar of the chart, the plot "{line}" is the ta.{average} of the closes of the longer
            timeframe (request.security for the chart's own symbol, timeframe "{timeframe}") over the input "Length" (int,
            default {length}), as it was on the last bar of the longer timeframe that was complete before the longer bar
            began in which the chart's bar lies. So all chart bars within one longer bar have the same value, also in real
            time. A plotshape "{trend}" is shown on bars whose close is above it. Use at most one request.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Longer average", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float average = ta.{average}(close, length)
            float fixed = request.security(syminfo.tickerid, "{timeframe}", average[1], lookahead = barmerge.lookahead_on)
            plot(fixed, "{line}")
            plotshape(close > fixed, "{trend}", location = location.belowbar)
        """),
        inputs={"Length": length + 3},
        timeframe="30",
        steady=True,
        requests=1,
        count=280,
    )


@family("longer-levels", "write", "indicator", "hard")
def _longer_levels(draw: Draw) -> Instance:
    timeframe = draw.turn("D", "240", "D", "240", "D")
    kind = draw.turn("classic", "camarilla", "woodie", "classic", "camarilla")
    pivot, up, down = draw.pick(
        ("P", "R1", "S1"), ("Pivot", "Resistance", "Support"), ("Mid", "High level", "Low level")
    )
    margin = draw.whole(1, 12) / 8
    p, r, s = {
        "classic": ("(H + L + C) / 3", "2 * P - L", "2 * P - H"),
        "camarilla": ("(H + L + C) / 3", "C + (H - L) * 1.1 / 12", "C - (H - L) * 1.1 / 12"),
        "woodie": ("(H + L + 2 * C) / 4", "2 * P - L", "2 * P - H"),
    }[kind]
    return Instance(
        request=words(f"""
            Write an indicator with levels from the previous bar of a longer timeframe, {_NAMES[timeframe]}. H, L and C are
            the high, low and close of the chart's symbol on the last completed bar of the timeframe "{timeframe}" before
            the one in which the chart's bar lies. Then P = {p}. Plot P as "{pivot}", {r} + m as "{up}" and
            {s} - m as "{down}", where m is the input "Margin" (float, default {margin}). All three are constant within a longer bar and must not repaint. Use at most one request.* call. The plot "Inside"
            is 1 if the close is between "{down}" and "{up}", both included, 0 if not, and na before there are levels.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Longer levels", overlay = true)
            float margin = input.float({margin}, "Margin")
            [H, L, C] = request.security(syminfo.tickerid, "{timeframe}", [high[1], low[1], close[1]], lookahead = barmerge.lookahead_on)
            float P = {p}
            float upper = {r} + margin
            float lower = {s} - margin
            plot(P, "{pivot}")
            plot(upper, "{up}", color.red)
            plot(lower, "{down}", color.green)
            plot(na(P) ? na : close <= upper and close >= lower ? 1 : 0, "Inside", display = display.data_window)
        """),
        inputs={"Margin": margin + 1.25},
        timeframe="60",
        steady=True,
        requests=1,
        count=290,
    )
