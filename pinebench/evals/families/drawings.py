"""Tasks about labels, lines, boxes and tables."""

from __future__ import annotations

from pinebench.evals.draws import Draw
from pinebench.evals.tasks import Instance, family, pine, words
from pinebench.market import Bars


@family("pivot-labels", "write", "indicator", "medium")
def _pivot_labels(draw: Draw) -> Instance:
    side = draw.whole(3, 6)
    top, bottom = draw.pick(("H", "L"), ("Top", "Low"), ("Peak", "Dip"))
    source = draw.turn(("high", "low"), ("close", "close"), ("high", "low"), ("close", "close"), ("high", "low"))
    count = draw.pick("Highs", "Tops", "Peaks so far")
    return Instance(
        request=words(f"""
            Write an indicator on the price chart that marks pivots. A top is a pivot of the {source[0]} as
            ta.pivothigh({source[0]}, n, n) finds it, a bottom one of the {source[1]} as ta.pivotlow({source[1]}, n, n)
            finds it; n is the input "Side" (int, default {side}). When a pivot becomes known, make one label at the bar of
            the pivot itself (not at the bar on which it becomes known), at the pivot's price (yloc.price). The text of a
            top is "{top} PRICE", the text of a bottom "{bottom} PRICE", where PRICE is str.tostring of the pivot's price with
            "0.0". Up to 500 labels must stay (max_labels_count = 500). The plot "{count}" is the number of tops that are
            known so far.
        """),
        reference=pine(f"""
            //@version=6
            indicator("Pivot labels", overlay = true, max_labels_count = 500)
            int side = input.int({side}, "Side", minval = 1)
            float top = ta.pivothigh({source[0]}, side, side)
            float bottom = ta.pivotlow({source[1]}, side, side)
            var int tops = 0
            if not na(top)
                tops += 1
                label.new(bar_index - side, top, "{top} " + str.tostring(top, "0.0"), style = label.style_label_down)
            if not na(bottom)
                label.new(bar_index - side, bottom, "{bottom} " + str.tostring(bottom, "0.0"), style = label.style_label_up)
            plot(tops, "{count}", display = display.data_window)
        """),
        inputs={"Side": side + 2},
        settings={"overlay": True, "max_labels_count": 500},
    )


@family("figures-table", "write", "indicator", "easy")
def _figures_table(draw: Draw) -> Instance:
    length = draw.whole(12, 30)
    one, two, three = draw.several(3, "Average", "Highest", "Lowest", "Up bars", "Volume")
    places = draw.turn("0.00", "0.0", "0.000", "0.00", "0.0")
    across = draw.turn(False, True, False, True, False)
    rules = {
        "Average": ("the simple average of the close over n bars", "ta.sma(close, length)"),
        "Highest": ("the highest high of the last n bars", "ta.highest(high, length)"),
        "Lowest": ("the lowest low of the last n bars", "ta.lowest(low, length)"),
        "Up bars": (
            "the number of the last n bars whose close is above their open",
            "math.sum(close > open ? 1 : 0, length)",
        ),
        "Volume": ("the sum of the volume of the last n bars", "math.sum(volume, length)"),
    }
    names = (one, two, three)
    listed = "\n\n            ".join(f"- {name}: {rules[name][0]}" for name in names)
    values = "\n            ".join(f"float value{i} = {rules[name][1]}" for i, name in enumerate(names))
    cells: list[str] = []
    for i, name in enumerate(names):
        title, value = (f"{i}, 0", f"{i}, 1") if across else (f"0, {i}", f"1, {i}")
        cells.append(f'figures.cell({title}, "{name}")')
        cells.append(f'figures.cell({value}, str.tostring(value{i}, "{places}"))')
    shape = "3, 2" if across else "2, 3"
    layout = (
        "It has three columns and two rows: the names in row 0 and the values below them in row 1"
        if across
        else "It has two columns and three rows: the names in column 0 and the values beside them in column 1"
    )
    body = "\n                ".join(cells)
    return Instance(
        request=words(f"""
            Write an indicator that shows a table with three figures as of the last bar of the chart. {layout}, in this
            order:

            {listed}

            In all of them n is the input "Bars" (int, default {length}), and this bar is included. Values are written by
            str.tostring with "{places}". Also plot the first figure, "{one}", on every bar as "{one}".
        """),
        reference=pine(f"""
            //@version=6
            indicator("Figures", overlay = true)
            int length = input.int({length}, "Bars", minval = 1)
            {values}
            var table figures = table.new(position.top_right, {shape})
            if barstate.islast
                {body}
            plot(value0, "{one}")
        """),
        inputs={"Bars": length + 6},
    )


@family("gap-boxes", "write", "indicator", "hard")
def _gap_boxes(draw: Draw) -> Instance:
    least = draw.whole(25, 70) / 100
    way = draw.turn("up", "down", "up", "down", "up")
    made, filled = draw.pick("Made", "Gaps", "Boxes", "Found"), draw.pick("Filled", "Closed", "Done", "Ended")
    up = way == "up"
    gap, top, bottom = ("low - high[2]", "low", "high[2]") if up else ("low[2] - high", "low[2]", "high")
    rule = (
        "its low is above the high of two bars before. The gap lies between that high and this low"
        if up
        else "its high is below the low of two bars before. The gap lies between this high and that low"
    )
    done = "close is below the lower edge of the gap" if up else "close is above the upper edge of the gap"
    code = "close < box.get_bottom(each)" if up else "close > box.get_top(each)"
    return Instance(
        request=words(f"""
            Write an indicator on the price chart that draws gaps of three bars. A bar makes a gap if {rule}, and the height
            of the gap is more than the input "Least %" (float, default {least}) percent of this bar's close. On every bar
            do this, in this order:

            - 1. For each open gap from earlier bars: move the right edge of its box to this bar. If this bar's {done}, the
            gap is filled: its box stays as it is from then on.

            - 2. If this bar makes a gap, draw one box for it, from the bar of two bars before (left) to this bar (right),
            with the edges of the gap as top and bottom. It is open from the next bar on.

            Boxes use bar indices. Up to 500 boxes must stay (max_boxes_count = 500). Plot the number of gaps that were made
            so far as "{made}" and the number of gaps that were filled so far as "{filled}".
        """),
        reference=pine(f"""
            //@version=6
            indicator("Gap boxes", overlay = true, max_boxes_count = 500)
            float least = input.float({least}, "Least %")
            var array<box> waiting = array.new<box>()
            var int made = 0
            var int filled = 0
            array<box> left = array.new<box>()
            for each in waiting
                box.set_right(each, bar_index)
                if {code}
                    filled += 1
                else
                    left.push(each)
            waiting := left
            float size = {gap}
            if size > least / 100 * close and size > 0
                made += 1
                waiting.push(box.new(bar_index - 2, {top}, bar_index, {bottom}))
            plot(made, "{made}", display = display.data_window)
            plot(filled, "{filled}", display = display.data_window)
        """),
        inputs={"Least %": round(least + 0.2, 2)},
        further=lambda bars: {"Least %": _narrow(bars, up)},
        settings={"max_boxes_count": 500},
    )


def _narrow(bars: Bars, up: bool) -> float:
    """Return the height, in percent of the price, of the gap whose bar has the largest body (open to close)."""
    found: list[tuple[float, float]] = []
    for i in range(2, len(bars)):
        size = bars.low[i] - bars.high[i - 2] if up else bars.low[i - 2] - bars.high[i]
        if size > 0:
            found.append((abs(bars.open[i] - bars.close[i]), 200 * size / (bars.open[i] + bars.close[i])))
    return round(max(found, default=(0.0, 0.5))[1], 6)


@family("last-line", "write", "indicator", "medium")
def _last_line(draw: Draw) -> Instance:
    length = draw.whole(20, 45)
    kind = draw.turn("extremes", "closes", "extremes", "closes", "extremes")
    high, low = ("high", "low") if kind == "extremes" else ("close", "close")
    title = draw.pick("Slope", "Rise", "Step")
    return Instance(
        request=words(f"""
            Write an indicator on the price chart that shows exactly one line, as of the last bar. Look at the last n bars,
            the last bar included; n is the input "Bars" (int, default {length}). The line connects the bar with the largest
            {high} (at that price) and the bar with the smallest {low} (at that price); of several equal ones take the
            oldest bar. It uses bar indices and must not be extended. Earlier lines must be removed, so that one line is on
            the chart. On the last bar, the plot "{title}" is the price of the later one of the two bars minus the price of
            the earlier one; it is 0 if both are the same bar. It is na on all other bars. The plot "Range" is the largest {high}
            minus the smallest {low} of the last n bars, on every bar (na until there are n bars).
        """),
        reference=pine(f"""
            //@version=6
            indicator("Last line", overlay = true)
            int length = input.int({length}, "Bars", minval = 1)
            int highAgo = -ta.highestbars({high}, length)
            int lowAgo = -ta.lowestbars({low}, length)
            float top = ta.highest({high}, length)
            float bottom = ta.lowest({low}, length)
            float slope = na
            if barstate.islast
                var line drawn = na
                line.delete(drawn)
                drawn := line.new(bar_index - highAgo, top, bar_index - lowAgo, bottom)
                slope := highAgo == lowAgo ? 0.0 : highAgo < lowAgo ? top - bottom : bottom - top
            plot(slope, "{title}")
            plot(top - bottom, "Range", display = display.data_window)
        """),
        inputs={"Bars": length + 13},
        ends=(60, 80, 100, 120, 230, 250, 270),
    )
