"""Scripts that repaint, each in another way, and honest ones that only look as if they did."""

from __future__ import annotations

from typing import NamedTuple


class Painting(NamedTuple):
    """A script that repaints: the kind of the finding, its output, the line of its cause and the cause's name."""

    text: str
    kind: str
    output: str
    line: int
    cause: str


def indicator(body: str) -> str:
    return f'//@version=6\nindicator("Test", overlay = true)\n{body}\n'


def strategy(body: str, more: str = "") -> str:
    return f'//@version=6\nstrategy("Test", overlay = true{more})\n{body}\n'


REPAINTING: dict[str, Painting] = {
    "lookahead": Painting(
        indicator(
            'ahead = request.security(syminfo.tickerid, "D", close, lookahead = barmerge.lookahead_on)\n'
            'plot(ahead, "Day")'
        ),
        "changed",
        "plot",
        3,
        "request.security",
    ),
    "lookahead through a function": Painting(
        indicator(
            "wanted(simple string frame) =>\n"
            "    value = ta.ema(close, 5)\n"
            "    request.security(syminfo.tickerid, frame, value, lookahead = barmerge.lookahead_on)\n"
            'trend = wanted("D")\n'
            "up = false\n"
            "if close > trend\n"
            "    up := true\n"
            "plotshape(up)"
        ),
        "changed",
        "plotshape",
        5,
        "request.security",
    ),
    "unconfirmed request": Painting(
        indicator('daily = request.security(syminfo.tickerid, "D", close)\nplot(daily, "Day")'),
        "reloaded",
        "plot",
        3,
        "request.security",
    ),
    "signal of an unconfirmed request": Painting(
        indicator(
            'slow = request.security("", "240", ta.sma(close, 3))\n'
            "if ta.crossover(close, slow)\n"
            '    alert("up", alert.freq_once_per_bar_close)\n'
            'alertcondition(ta.crossunder(close, slow), "Down")'
        ),
        "reloaded",
        "alertcondition",
        3,
        "request.security",
    ),
    "distance to the last bar": Painting(
        indicator('plot(last_bar_index - bar_index < 50 ? close : na, "Recent")'),
        "changed",
        "plot",
        3,
        "last_bar_index",
    ),
    "colour by the last bar": Painting(
        indicator("tint = color.red\nif barstate.islast\n    tint := color.green\nbarcolor(tint)"),
        "changed",
        "barcolor",
        4,
        "barstate.islast",
    ),
    "the clock": Painting(
        indicator('age = (timenow - time) / 3600000\nplot(age, "Age")'), "changed", "plot", 3, "timenow"
    ),
    "real time apart": Painting(
        indicator('value = barstate.isrealtime ? close : open\nplot(value, "Value")'),
        "reloaded",
        "plot",
        3,
        "barstate.isrealtime",
    ),
    "varip": Painting(
        indicator("varip ticks = 0\nticks += 1\nbgcolor(ticks % 2 == 0 ? color.red : na)"),
        "reloaded",
        "bgcolor",
        3,
        "varip ticks",
    ),
    "alert within the bar": Painting(
        indicator('if close > open\n    alert("rising")'), "withdrawn", "alert", 4, "alert"
    ),
    "order on every tick": Painting(
        strategy(
            "if close > high[1]\n"
            '    strategy.entry("Long", strategy.long)\n'
            "if close < low[1]\n"
            '    strategy.close("Long")',
            ", calc_on_every_tick = true",
        ),
        "withdrawn",
        "strategy.entry",
        2,
        "calc_on_every_tick",
    ),
    "order by the future": Painting(
        strategy(
            'tomorrow = request.security("", "D", close, lookahead = barmerge.lookahead_on)\n'
            "if tomorrow > close\n"
            '    strategy.entry("Long", strategy.long)\n'
            "if tomorrow < close\n"
            '    strategy.close("Long")'
        ),
        "changed",
        "strategy.entry",
        3,
        "request.security",
    ),
    "label by an unconfirmed request": Painting(
        indicator(
            'slow = request.security("", "D", ta.ema(close, 2))\n'
            "if close > slow and close[1] <= slow\n"
            '    label.new(bar_index, high, "BUY")'
        ),
        "reloaded",
        "label",
        3,
        "request.security",
    ),
    "kept in an object": Painting(
        indicator(
            "type State\n"
            "    float level = na\n"
            "var state = State.new()\n"
            'daily = request.security("", "D", high)\n'
            "if not na(daily)\n"
            "    state.level := daily\n"
            'plot(state.level, "Level")'
        ),
        "reloaded",
        "plot",
        6,
        "request.security",
    ),
    "kept in an array": Painting(
        indicator(
            "var values = array.new<float>()\n"
            'values.push(request.security("", "D", close, lookahead = barmerge.lookahead_on))\n'
            'plot(values.last(), "Last")'
        ),
        "changed",
        "plot",
        4,
        "request.security",
    ),
    "zigzag whose last label moves": Painting(
        indicator(
            "var label last = na\n"
            "var float top = 0.0\n"
            "if bar_index % 100 == 0\n"
            "    top := high\n"
            '    last := label.new(bar_index, high, "top")\n'
            "if high > top\n"
            "    top := high\n"
            "    last.set_xy(bar_index, high)"
        ),
        "moved",
        "label",
        10,
        "label",
    ),
}

HONEST: dict[str, str] = {
    "averages": indicator("plot(ta.sma(close, 20))\nplot(ta.ema(close, 50))\nplot(ta.rsi(close, 14))"),
    "pivots drawn late": indicator(
        "top = ta.pivothigh(5, 5)\n"
        "plotshape(top, offset = -5, location = location.abovebar)\n"
        "if not na(top)\n"
        '    label.new(bar_index - 5, top, "top")'
    ),
    "the bar before of a higher timeframe": indicator(
        'plot(request.security(syminfo.tickerid, "D", close[1], lookahead = barmerge.lookahead_on))\n'
        '[a, b] = request.security("", "W", [high[1], low[1]], lookahead = barmerge.lookahead_on)\n'
        "plot(a - b)"
    ),
    "kept state": indicator(
        "var float highest = na\n"
        "var int count = 0\n"
        "if na(highest) or high > highest\n"
        "    highest := high\n"
        "    count += 1\n"
        "plot(highest)\nplot(count)"
    ),
    "the chart's own timeframe": indicator(
        'plot(request.security(syminfo.tickerid, timeframe.period, close))\nplot(request.security("", "", hlc3))'
    ),
    "alerts once a bar closes": indicator(
        "if ta.crossover(close, ta.sma(close, 10))\n"
        '    alert("up " + str.tostring(close), alert.freq_once_per_bar_close)\n'
        'alertcondition(ta.crossunder(close, ta.sma(close, 10)), "Down", "down {{close}}")'
    ),
    "confirmed bars": indicator(
        'if barstate.isconfirmed and close > open\n    alert("rising")\nplot(barstate.isconfirmed ? close : na)'
    ),
    "a table": indicator(
        "var table board = table.new(position.top_right, 1, 2)\n"
        "if barstate.islast\n"
        "    board.cell(0, 0, str.tostring(close))\n"
        "    board.cell(0, 1, str.tostring(last_bar_index))"
    ),
    "a label that goes with the last bar": indicator(
        "var label now = label.new(bar_index, close)\n"
        "now.set_xy(bar_index, close)\n"
        "now.set_text(str.tostring(close))\n"
        "if barstate.islast\n"
        '    label here = label.new(bar_index + 3, close, "here")\n'
        "    label.delete(here[1])"
    ),
    "lines that grow": indicator(
        "var line level = na\n"
        "var box zone = na\n"
        "if bar_index % 40 == 0\n"
        "    level := line.new(bar_index, high, bar_index + 1, high)\n"
        "    zone := box.new(bar_index, high, bar_index + 1, low)\n"
        "level.set_x2(bar_index)\n"
        "zone.set_right(bar_index)\n"
        "zone.set_top(math.max(high, zone.get_top()))\n"
        "ray = line.new(bar_index, low, last_bar_index, low)\n"
        "ray.delete()"
    ),
    "names of levels at their ends": indicator(
        "var names = array.new<label>()\n"
        "if bar_index % 50 == 0\n"
        '    names.push(label.new(bar_index, high, "level"))\n'
        "if bar_index % 5 == 0\n"
        "    for name in names\n"
        "        name.set_x(bar_index)"
    ),
    "the newest marks only": indicator(
        "var marks = array.new<label>()\n"
        "if ta.crossover(close, ta.sma(close, 5))\n"
        '    marks.push(label.new(bar_index, low, "up"))\n'
        "if marks.size() > 5\n"
        "    marks.shift().delete()"
    ),
    "labels and zones that are taken away": indicator(
        "var labels = array.new<label>()\n"
        "var zones = array.new<box>()\n"
        "if bar_index % 7 == 0\n"
        '    labels.push(label.new(bar_index, high, "target"))\n'
        "    zones.push(box.new(bar_index, high, bar_index + 3, low))\n"
        "if labels.size() > 0\n"
        "    for i = labels.size() - 1 to 0\n"
        "        if close > labels.get(i).get_y()\n"
        "            labels.remove(i).delete()\n"
        "            zones.remove(i).delete()"
    ),
    "one label for each of several states": indicator(
        "draw(float level) =>\n"
        '    var label shown = label.new(bar_index, level, "state")\n'
        "    shown.set_xy(bar_index - bar_index % 10, level)\n"
        "draw(ta.highest(10))\ndraw(ta.lowest(10))\ndraw(ta.sma(close, 10))"
    ),
    "sessions and volume": indicator(
        "plot(ta.vwap)\nplot(ta.obv)\n"
        'bgcolor(timeframe.change("D") ? color.new(color.blue, 80) : na)\n'
        'plot(na(time("", "1000-1200")) ? na : close)'
    ),
    "a strategy at closes": strategy(
        "if ta.crossover(close, ta.sma(close, 10))\n"
        '    strategy.entry("Long", strategy.long)\n'
        "if ta.crossunder(close, ta.sma(close, 10))\n"
        '    strategy.close("Long")\n'
        "plot(strategy.position_size)"
    ),
    "a strategy by its own trades": strategy(
        "if strategy.position_size == 0 and close > open\n"
        '    strategy.entry("Long", strategy.long)\n'
        'strategy.exit("Out", "Long", profit = 5000, loss = 5000)\n'
        "plot(strategy.equity)\nplot(strategy.closedtrades)"
    ),
    "an alert of live bars": indicator(
        'if barstate.isrealtime and barstate.isconfirmed and close > open\n    alert("rising", alert.freq_all)'
    ),
    "alert conditions that are computed on the last bar": indicator(
        'level = float(na)\nif barstate.islast\n    level := ta.highest(20)[1]\nalertcondition(high > level, "Above")'
    ),
    "numbers that only look random": indicator("plot(math.random(0, 1, 7))\nplot(math.sum(close * 0.1, 30))"),
    "averaged bars": indicator("plot(request.security(ticker.heikinashi(syminfo.tickerid), timeframe.period, close))"),
}
