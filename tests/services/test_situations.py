"""What completion offers first in the situations of a day, and what it must not offer there."""

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
        "x = math.ro|": "round round_to_mintick random",
        "x = str.to|": "tostring tonumber",
        "x = color.re|": "red",
        "plot(close, display = |": "display display.data_window display.none display.all display.pane",
        "plot(close, format = |": "format format.price format.volume format.percent close",
        "l = label.new(0, 0, style = |": (
            "label label.style_label_up label.style_label_down label.style_label_left label.style_circle"
        ),
        "l = label.new(0, 0, yloc = |": "yloc yloc.price yloc.abovebar yloc.belowbar close",
        "l = line.new(0, 0, 1, 1, style = |": (
            "line line.style_dashed line.style_solid line.style_dotted line.style_arrow_left"
        ),
        "b = box.new(0, 1, 1, 0, text_halign = |": "text text.align_left text.align_right text.align_center close",
        'x = request.security(syminfo.tickerid, "D", close, gaps = |': (
            "barmerge barmerge.gaps_off barmerge.gaps_on close low"
        ),
        'x = request.security(syminfo.tickerid, "D", close, lookahead = |': (
            "barmerge barmerge.lookahead_off barmerge.lookahead_on close low"
        ),
        'alert("x", |': "alert freq alert.freq_once_per_bar_close alert.freq_once_per_bar alert.freq_all",
        "x = input.int(1, |": "minval maxval group tooltip title",
        "bgcolor(|": "color.new color color.yellow color.red color.white",
        'plotchar(close, char = "|")': "",
        "float |": "",
        "x = timeframe.is|": "isintraday isdaily isdwm isminutes ismonthly",
        "x = session.is|": "ismarket isfirstbar isfirstbar_regular islastbar islastbar_regular",
        "x = syminfo.ty|": "type",
        "x = dayofweek.mo|": "monday",
        "x = currency.us|": "USD USDT",
        "x = chart.is|": "is_heikinashi is_kagi is_linebreak is_pnf is_range",
        'indicator("a", ov|': "overlay",
        "x = ta.sma(source = close, |": "length bar_index time hour minute",
        "x = ta.ema(close, len|": "length",
        "m = matrix.new<float>(2, 2)\nx = m.ro|": "rows row remove_col remove_row",
        "l = label.new(0, 0)\nl.set_te|": (
            "set_text set_textcolor set_text_font_family set_text_formatting set_textalign"
        ),
        "x = barstate.|": "islast isconfirmed isfirst islastconfirmedhistory isnew",
        "//@fun|": "function",
        "z = ta.sm|": "sma swma",
        "z = ta.supertr|": "supertrend",
        "z = math.ab|": "abs",
        "a = array.new<float>(3)\nz = a.siz|": "size standardize",
        "a = array.new<float>(3)\na.pus|": "push",
        "m = map.new<string, int>()\nz = m.ge|": "get",
        "z = syminfo.tick|": "tickerid ticker",
        "z = barstate.isl|": "islast islastconfirmedhistory isrealtime",
        # options of inputs, ids, timeframes, sessions and zones inside strings
        'm = input.string("|", "M", options = ["aa", "bb"])': "aa bb",
        "m = input.string('|', 'M', options = ['aa', 'bb'])": "aa bb",
        't = input.timeframe("|")': "1 5 15 30 60",
        't = input.timeframe("2|")': "240",
        't = request.security(syminfo.tickerid, "|", close)': "1 5 15 30 60",
        't = timeframe.in_seconds("|")': "1 5 15 30 60",
        't = timeframe.period == "|"': "1 5 15 30 60",
        's = input.session("|")': "0930-1600 0400-0930 1600-2000 0000-0000 0930-1600:23456",
        's = time(timeframe.period, "|")': "0930-1600 0400-0930 1600-2000 0000-0000 0930-1600:23456",
        't = hour(time, "|")': "UTC America/New_York America/Chicago Europe/London Europe/Berlin",
        't = hour(time, "Europe/|")': "Europe/London Europe/Berlin",
        'plot(close, "|")': "",
        'x = str.length("|")': "",
        # arguments: first the values of what is due
        "var t = table.new(|, 1, 1)": (
            "position position.bottom_right position.top_right position.bottom_left position.top_left"
        ),
        "plot(close, color = |)": "color color.new color.yellow color.red color.white",
        "plot(close, style = |)": "plot plot.style_linebr plot.style_stepline plot.style_line plot.style_circles",
        "plotshape(close > open, style = |)": "shape shape.triangledown shape.triangleup shape.circle shape.labeldown",
        "plotshape(close > open, location = |)": (
            "location location.abovebar location.belowbar location.absolute location.top"
        ),
        "plotshape(close > open, size = |)": "size size.small size.tiny size.normal size.large",
        "var t = table.new(position.top_left, 1, 1)\ntable.cell(t, 0, 0, text_size = |)": (
            "size size.small size.tiny size.normal size.large"
        ),
        "l = label.new(0, 0, xloc = |)": "xloc xloc.bar_index xloc.bar_time close low",
        "l = line.new(0, 0, 1, 1, extend = |)": "extend extend.none extend.right extend.both extend.left",
        "b = input.bool(|)": "true false na bool barstate",
        "h = hline(0, linestyle = |)": "hline hline.style_dashed hline.style_dotted hline.style_solid close",
        "x = ta.sma(|)": "close math ta low high",
        "x = plot(|)": "close math ta low high",
        "if |": "not math ta na close",
        "x = not |": "math ta na close barstate",
        "while |": "true not math ta na",
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
        'strategy.exit("a", |': "stop limit from_entry comment trail_points",
        "strategy.close_al|": "close_all",
        "x = strategy.position_s|": "position_size",
        'strategy.exit("Out", "|")': "Long",
        'strategy.exit("Out", from_entry = "|")': "Long",
        'strategy.cancel("|")': "Long Out",
        'strategy.entry("|")': "Long",
        'strategy.entry("S", |)': "strategy strategy.long strategy.short close low",
        'strategy.entry("S", direction = |)': "strategy strategy.long strategy.short close low",
        'strategy.entry("S", strategy.long, oca_type = |)': (
            "strategy strategy.oca.reduce strategy.oca.cancel strategy.oca.none close"
        ),
        "strategy.clo|": "close close_all closedtrades",
        "x = strategy.eq|": "equity",
    },
    HEAD + MODES: {
        'x = m == "|"': "aa bb",
        'x = m != "b|"': "bb",
        'x = switch m\n    "|" => 1': "aa bb",
        'x = str.tostring(e) == "|"': "Fast slow",
        "x = e == |": "Mode.fast Mode.slow Mode na e",
        "x = input.enum(|)": "Mode.fast Mode.slow e Mode na",
        "x = Mode.|": "fast slow",
        "x = switch e\n    Mode.|": "fast slow",
    },
    FILLED: {
        "z = level.|": "price touches side distance copy",
        "level.touches.|": "get push size set shift",
        "x = thing.|": "",
        "x = level.side|": "side",
        "x = leng|": "length",
        "if level.side == Side.|": "long short",
        "z = level.dist|": "distance",
        "z = Level.|": "new copy",
        "z = Side.|": "long short",
        "z = twi|": "twice",
        "z = level.side == |": "Side.long Side.short Side na close",
        "level := |": "Level if na close level",
    },
    "": {
        "|": "indicator strategy library color if",
        "ind|": "indicator indicator",
        "str|": "strategy str strategy string switch_true",
        "//@|": "version function param returns type",
        "//@ver|": "version",
    },
}
"""For each script: what is written at its end, and the first five items in their order, with `_` for spaces.

Fewer than five are all items that there are; nothing means no item at all.
"""

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
        found = [label.replace(" ", "_") for label in labels(marked, head)[:5]]
        if found != wanted.split():
            wrong.append(f"{marked!r}: {found} instead of {wanted or 'nothing'}")
    assert not wrong, "\n".join(wrong)


def test_what_cannot_stand_in_a_place_is_not_offered() -> None:
    for marked, unwanted in NOWHERE.items():
        assert not set(labels(marked, HEAD)) & set(unwanted), marked
