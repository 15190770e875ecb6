"""What completion offers first in the situations of a day, and what it must not offer there."""

from __future__ import annotations

import pytest

from tests.services.support import FILLED, HEAD, labels

STRATEGY = '//@version=6\nstrategy("x")\nstrategy.entry("Long", strategy.long)\nstrategy.exit("Out", "Long")\n'
MODES = (
    'm = input.string("aa", "M", options = ["aa", "bb"])\nenum Mode\n    fast = "Fast"\n    slow\nMode e = Mode.fast\n'
)

FIRST = {
    HEAD: {
        # nothing compiles after the dot of a scalar, or after the dot of what is unknown
        "x = close\nz = x.|": "",
        "n = 5\nz = n.|": "",
        "z = nosuch.|": "",
        's = "abc"\nz = s.|': "",
        'z = "abc".|': "",
        "c = color.red\nz = c.|": "",
        "z = bar_index.|": "",
        "f(float p) =>\n    p.|": "",
        "import who/Knows/1 as fb\nz = fb.|": "",
        # and what does compile
        "x = ta.|": "sma ema crossover atr highest",
        "x = math.ro|": "round round_to_mintick",
        "x = str.to|": "tostring tonumber",
        "x = color.re|": "red",
        "plot(close, display = |": "display display.data_window",
        "plot(close, format = |": "format format.price format.volume format.percent",
        "l = label.new(0, 0, style = |": "label label.style_label_up label.style_label_down",
        "l = label.new(0, 0, yloc = |": "yloc yloc.price yloc.abovebar yloc.belowbar",
        "l = line.new(0, 0, 1, 1, style = |": "line line.style_dashed line.style_solid line.style_dotted",
        "b = box.new(0, 1, 1, 0, text_halign = |": "text text.align_left text.align_right text.align_center",
        'x = request.security(syminfo.tickerid, "D", close, gaps = |': "barmerge barmerge.gaps_off barmerge.gaps_on",
        'x = request.security(syminfo.tickerid, "D", close, lookahead = |': "barmerge barmerge.lookahead_off",
        'alert("x", |': "alert freq alert.freq_once_per_bar_close alert.freq_once_per_bar alert.freq_all",
        "x = input.int(1, |": "minval maxval group tooltip title",
        "bgcolor(|": "color.new color",
        'plotchar(close, char = "|")': "",
        "float |": "",
        "x = timeframe.is|": "isintraday isdaily isdwm isminutes ismonthly",
        "x = session.is|": "ismarket isfirstbar",
        "x = syminfo.ty|": "type",
        "x = dayofweek.mo|": "monday",
        "x = currency.us|": "USD USDT",
        "x = chart.is|": "is_heikinashi is_kagi",
        'indicator("a", ov|': "overlay",
        "x = ta.sma(source = close, |": "length",
        "x = ta.ema(close, len|": "length",
        "m = matrix.new<float>(2, 2)\nx = m.ro|": "rows row",
        "l = label.new(0, 0)\nl.set_te|": "set_text set_textcolor",
        "x = barstate.|": "islast isconfirmed isfirst",
        "//@fun|": "function",
        "z = ta.sm|": "sma swma",
        "z = ta.supertr|": "supertrend",
        "z = math.ab|": "abs",
        "a = array.new<float>(3)\nz = a.siz|": "size",
        "a = array.new<float>(3)\na.pus|": "push",
        "m = map.new<string, int>()\nz = m.ge|": "get",
        "z = syminfo.tick|": "tickerid ticker",
        "z = barstate.isl|": "islast",
        # options of inputs, ids, timeframes, sessions and zones inside strings
        'm = input.string("|", "M", options = ["aa", "bb"])': "aa bb",
        "m = input.string('|', 'M', options = ['aa', 'bb'])": "aa bb",
        't = input.timeframe("|")': "1 5 15 30 60",
        't = input.timeframe("2|")': "240",
        't = request.security(syminfo.tickerid, "|", close)': "1 5 15 30 60",
        't = timeframe.in_seconds("|")': "1 5 15 30 60",
        't = timeframe.period == "|"': "1 5 15 30 60",
        's = input.session("|")': "0930-1600",
        's = time(timeframe.period, "|")': "0930-1600",
        't = hour(time, "|")': "UTC America/New_York",
        't = hour(time, "Europe/|")': "Europe/London Europe/Berlin",
        'plot(close, "|")': "",
        'x = str.length("|")': "",
        # arguments: first the values of what is due
        "var t = table.new(|, 1, 1)": "position",
        "plot(close, color = |)": "color color.new",
        "plot(close, style = |)": "plot",
        "plotshape(close > open, style = |)": "shape",
        "plotshape(close > open, location = |)": "location",
        "plotshape(close > open, size = |)": "size",
        "var t = table.new(position.top_left, 1, 1)\ntable.cell(t, 0, 0, text_size = |)": "size",
        "l = label.new(0, 0, xloc = |)": "xloc",
        "l = line.new(0, 0, 1, 1, extend = |)": "extend",
        "b = input.bool(|)": "true",
        "h = hline(0, linestyle = |)": "hline",
        "x = ta.sma(|)": "close",
        "x = plot(|)": "close",
        "if |": "true",
        "x = not |": "true",
        "while |": "true",
        # names that are being declared, comments and numbers
        "[a|] = ta.macd(close, 12, 26, 9)": "",
        "[a, b|] = ta.macd(close, 12, 26, 9)": "",
        "// clo|": "",
        "x = 12|": "",
        "for i|": "",
        "type Na|": "",
        # keywords where they can stand
        "for i = 0 t|": "to",
        "for x i|": "in",
        "x = close > open an|": "and",
        "import a/B/1 a|": "as",
        # one letter more
        "x = clos|": "close",
        "x = hig|": "high",
        "x = aft|": "",
        "len|": "",
    },
    STRATEGY: {
        'strategy.close("|")': "Long",
        'strategy.exit("a", |': "stop limit from_entry",
        "strategy.close_al|": "close_all",
        "x = strategy.position_s|": "position_size",
        'strategy.exit("Out", "|")': "Long",
        'strategy.exit("Out", from_entry = "|")': "Long",
        'strategy.cancel("|")': "Long Out",
        'strategy.entry("|")': "Long",
        'strategy.entry("S", |)': "strategy strategy.long strategy.short",
        'strategy.entry("S", direction = |)': "strategy strategy.long strategy.short",
        'strategy.entry("S", strategy.long, oca_type = |)': "strategy",
        "strategy.clo|": "close",
        "x = strategy.eq|": "equity",
    },
    HEAD + MODES: {
        'x = m == "|"': "aa bb",
        'x = m != "b|"': "bb",
        'x = switch m\n    "|" => 1': "aa bb",
        'x = str.tostring(e) == "|"': "Fast slow",
        "x = e == |": "Mode.fast Mode.slow",
        "x = input.enum(|)": "Mode.fast Mode.slow",
        "x = Mode.|": "fast slow",
        "x = switch e\n    Mode.|": "fast slow",
    },
    FILLED: {
        "z = level.|": "price touches side",
        "level.touches.|": "get push size set shift",
        "x = thing.|": "",
        "x = level.side|": "side",
        "x = leng|": "length",
        "if level.side == Side.|": "long short",
        "z = level.dist|": "distance",
        "z = Level.|": "new copy",
        "z = Side.|": "long short",
        "z = twi|": "twice",
        "z = level.side == |": "Side.long Side.short",
        "level := |": "level",
    },
    "": {
        "|": "indicator library strategy",
        "ind|": "indicator",
        "str|": "strategy",
        "//@|": "description",
        "//@ver|": "version",
    },
}
"""For each script: what is written at its end, and the first items in their order. Nothing means no item at all."""

NOWHERE = {
    "x = ta.ema(close, |)": ("if", "for", "switch", "while", "indicator", "library"),
    "x = close[|]": ("if", "indicator", "plot", "switch"),
    "plot(close, |)": ("if", "indicator"),
    "x = 1 + |": ("if", "switch", "for"),
}
"""What cannot stand in a place."""


@pytest.mark.parametrize("head", FIRST)
def test_the_likeliest_comes_first(head: str) -> None:
    wrong: list[str] = []
    for marked, wanted in FIRST[head].items():
        found = labels(marked, head)
        is_right = found[: len(wanted.split())] == wanted.split() if wanted else not found
        if not is_right:
            wrong.append(f"{marked!r}: {found[:6]} instead of {wanted or 'nothing'}")
    assert not wrong, "\n".join(wrong)


def test_what_cannot_stand_in_a_place_is_not_offered() -> None:
    for marked, unwanted in NOWHERE.items():
        assert not set(labels(marked, HEAD)) & set(unwanted), marked
