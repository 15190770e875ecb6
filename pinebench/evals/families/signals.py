"""Tasks about alerts."""

from __future__ import annotations

from pinebench.evals.draws import Draw
from pinebench.evals.tasks import Instance, family, pine, words


@family("cross-alerts", "write", "indicator", "easy")
def _cross_alerts(draw: Draw) -> Instance:
    fast, slow = draw.whole(4, 8), draw.whole(14, 22)
    up, down = draw.pick(("up", "down"), ("long", "short"), ("bull", "bear"))
    places = draw.turn(("0.00", 2), ("0.0", 1), ("0.000", 3), ("0.00", 2), ("0.0", 1))
    average = draw.turn("sma", "ema", "wma", "rma", "sma")
    return Instance(
        request=words(f"""
            Write an indicator that alerts. It plots the ta.{average} of the close over {fast} bars as "Fast" and over the
            input "Slow length" (int, default {slow}) as "Slow". When the fast one crosses over the slow one
            (ta.crossover), it calls alert() with the message "{up} CLOSE"; when it crosses under (ta.crossunder), with
            the message "{down} CLOSE". In both, CLOSE is the close with exactly {places[1]} decimals, as
            str.tostring(close, "{places[0]}") writes it. Alerts fire once per bar, at its close
            (alert.freq_once_per_bar_close).
        """),
        reference=pine(f"""
            //@version=6
            indicator("Cross alerts", overlay = true)
            int slowLength = input.int({slow}, "Slow length", minval = 1)
            float fast = ta.{average}(close, {fast})
            float slow = ta.{average}(close, slowLength)
            bool isOver = ta.crossover(fast, slow)
            bool isUnder = ta.crossunder(fast, slow)
            string price = str.tostring(close, "{places[0]}")
            if isOver
                alert("{up} " + price, alert.freq_once_per_bar_close)
            if isUnder
                alert("{down} " + price, alert.freq_once_per_bar_close)
            plot(fast, "Fast")
            plot(slow, "Slow", color.orange)
        """),
        inputs={"Slow length": slow + 6},
    )


@family("alert-pause", "write", "indicator", "medium")
def _alert_pause(draw: Draw) -> Instance:
    length, pause = draw.whole(6, 14), draw.whole(5, 11)
    way = draw.turn("high", "low", "high", "low", "high")
    name = draw.pick("Breakout", "New extreme", "Break")
    function, sign, word = (
        ("highest", ">", "above the highest high") if way == "high" else ("lowest", "<", "below the lowest low")
    )
    count = draw.pick("Count", "Alerts", "Number")
    return Instance(
        request=words(f"""
            Write an indicator that alerts, but not too often. A bar is a break if its close is {word} of the n bars
            before it; n is the input "Length" (int, default {length}). On a break it calls alert(), once per bar at the
            close, unless it has already alerted on one of the last {pause} bars before this bar. The message is
            "{name} N", where N is the number of alerts so far, this one included: "{name} 1", "{name} 2" and so on. The
            plot "{count}" is the number of alerts so far. A plotshape "Skipped" is shown on breaks without an alert.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Alert with a pause", overlay = true)
            int length = input.int({length}, "Length", minval = 1)
            float edge = ta.{function}({way}, length)[1]
            bool isBreak = close {sign} edge
            var int lastBar = na
            var int count = 0
            bool isFree = na(lastBar) or bar_index - lastBar > {pause}
            if isBreak and isFree
                count += 1
                lastBar := bar_index
                alert("{name} " + str.tostring(count), alert.freq_once_per_bar_close)
            plot(count, "{count}", display = display.data_window)
            plotshape(isBreak and not isFree, "Skipped", location = location.abovebar)
        """),
        inputs={"Length": length + 5},
        count=600,
    )
