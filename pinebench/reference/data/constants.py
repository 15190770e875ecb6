"""The constants of namespaces that hold nothing else.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {}

VARIABLES: dict[str, str] = {}

CONSTANTS: dict[str, str] = {
    "adjustment.dividends": """
says Prices adjusted for dividends.
const string
""",
    "adjustment.none": """
says Prices without adjustment.
const string
""",
    "adjustment.splits": """
says Prices adjusted for splits.
const string
""",
    "alert.freq_all": """
says Every call on a realtime bar sends an alert.
used 6
const string
""",
    "alert.freq_once_per_bar": """
says The first call on a realtime bar sends an alert.
used 52
const string
""",
    "alert.freq_once_per_bar_close": """
says A call sends an alert only when the realtime bar closes.
used 57
const string
""",
    "backadjustment.inherit": """
says Back-adjustment as on the chart.
const backadjustment
""",
    "backadjustment.off": """
says Continuous futures are not back-adjusted.
const backadjustment
""",
    "backadjustment.on": """
says Continuous futures are back-adjusted.
const backadjustment
""",
    "barmerge.gaps_off": """
says Gaps are filled with the last requested value.
used 53
const barmerge_gaps
""",
    "barmerge.gaps_on": """
says Gaps between requested values stay na.
used 7
const barmerge_gaps
""",
    "barmerge.lookahead_off": """
says A requested bar is known only when it has closed.
used 74
const barmerge_lookahead
""",
    "barmerge.lookahead_on": """
says A requested bar is known from its beginning.
used 19
const barmerge_lookahead
""",
    "currency.AED": """
says The currency with the code AED.
const string
""",
    "currency.ARS": """
says The currency with the code ARS.
const string
""",
    "currency.AUD": """
says The currency with the code AUD.
const string
""",
    "currency.BDT": """
says The currency with the code BDT.
const string
""",
    "currency.BHD": """
says The currency with the code BHD.
const string
""",
    "currency.BRL": """
says The currency with the code BRL.
const string
""",
    "currency.BTC": """
says The currency with the code BTC.
const string
""",
    "currency.CAD": """
says The currency with the code CAD.
const string
""",
    "currency.CHF": """
says The currency with the code CHF.
const string
""",
    "currency.CLP": """
says The currency with the code CLP.
const string
""",
    "currency.CNY": """
says The currency with the code CNY.
const string
""",
    "currency.COP": """
says The currency with the code COP.
const string
""",
    "currency.CZK": """
says The currency with the code CZK.
const string
""",
    "currency.DKK": """
says The currency with the code DKK.
const string
""",
    "currency.EGP": """
says The currency with the code EGP.
const string
""",
    "currency.ETH": """
says The currency with the code ETH.
const string
""",
    "currency.EUR": """
says The currency with the code EUR.
const string
""",
    "currency.GBP": """
says The currency with the code GBP.
const string
""",
    "currency.HKD": """
says The currency with the code HKD.
const string
""",
    "currency.HUF": """
says The currency with the code HUF.
const string
""",
    "currency.IDR": """
says The currency with the code IDR.
const string
""",
    "currency.ILS": """
says The currency with the code ILS.
const string
""",
    "currency.INR": """
says The currency with the code INR.
const string
""",
    "currency.ISK": """
says The currency with the code ISK.
const string
""",
    "currency.JPY": """
says The currency with the code JPY.
const string
""",
    "currency.KES": """
says The currency with the code KES.
const string
""",
    "currency.KRW": """
says The currency with the code KRW.
const string
""",
    "currency.KWD": """
says The currency with the code KWD.
const string
""",
    "currency.LKR": """
says The currency with the code LKR.
const string
""",
    "currency.MAD": """
says The currency with the code MAD.
const string
""",
    "currency.MXN": """
says The currency with the code MXN.
const string
""",
    "currency.MYR": """
says The currency with the code MYR.
const string
""",
    "currency.NGN": """
says The currency with the code NGN.
const string
""",
    "currency.NOK": """
says The currency with the code NOK.
const string
""",
    "currency.NONE": """
says No currency is given.
const string
""",
    "currency.NZD": """
says The currency with the code NZD.
const string
""",
    "currency.PEN": """
says The currency with the code PEN.
const string
""",
    "currency.PHP": """
says The currency with the code PHP.
const string
""",
    "currency.PKR": """
says The currency with the code PKR.
const string
""",
    "currency.PLN": """
says The currency with the code PLN.
const string
""",
    "currency.QAR": """
says The currency with the code QAR.
const string
""",
    "currency.RON": """
says The currency with the code RON.
const string
""",
    "currency.RSD": """
says The currency with the code RSD.
const string
""",
    "currency.RUB": """
says The currency with the code RUB.
const string
""",
    "currency.SAR": """
says The currency with the code SAR.
const string
""",
    "currency.SEK": """
says The currency with the code SEK.
const string
""",
    "currency.SGD": """
says The currency with the code SGD.
const string
""",
    "currency.THB": """
says The currency with the code THB.
const string
""",
    "currency.TND": """
says The currency with the code TND.
const string
""",
    "currency.TRY": """
says The currency with the code TRY.
const string
""",
    "currency.TWD": """
says The currency with the code TWD.
const string
""",
    "currency.USD": """
says The currency with the code USD.
used 155
const string
""",
    "currency.USDT": """
says The currency with the code USDT.
const string
""",
    "currency.VES": """
says The currency with the code VES.
const string
""",
    "currency.VND": """
says The currency with the code VND.
const string
""",
    "currency.ZAR": """
says The currency with the code ZAR.
const string
""",
    "dayofweek.friday": """
says The number of Friday.
const int
""",
    "dayofweek.monday": """
says The number of Monday.
const int
""",
    "dayofweek.saturday": """
says The number of Saturday.
const int
""",
    "dayofweek.sunday": """
says The number of Sunday.
const int
""",
    "dayofweek.thursday": """
says The number of Thursday.
const int
""",
    "dayofweek.tuesday": """
says The number of Tuesday.
const int
""",
    "dayofweek.wednesday": """
says The number of Wednesday.
const int
""",
    "display.all": """
says Shown everywhere.
used 44
const plot_simple_display
""",
    "display.data_window": """
says Shown in the Data Window.
used 140
const plot_display
""",
    "display.none": """
says Shown nowhere.
used 90
const plot_simple_display
""",
    "display.pane": """
says Drawn in the pane.
used 24
const plot_display
""",
    "display.pine_screener": """
says Available in the Pine Screener.
const plot_display
""",
    "display.price_scale": """
says Labelled on the price scale.
used 3
const plot_display
""",
    "display.status_line": """
says Shown in the status line.
used 13
const plot_display
""",
    "extend.both": """
says Extended on both sides.
used 11
const string
""",
    "extend.left": """
says Extended to the left.
used 6
const string
""",
    "extend.none": """
says Not extended.
used 23
const string
""",
    "extend.right": """
says Extended to the right.
used 12
const string
""",
    "font.family_default": """
says The ordinary font.
used 7
const string
""",
    "font.family_monospace": """
says A font whose characters have the same width.
used 6
const string
""",
    "format.inherit": """
says The format of the parent series.
const string
""",
    "format.mintick": """
says A price, rounded to the tick.
used 73
const string
""",
    "format.percent": """
says A percentage.
used 23
const string
""",
    "format.price": """
says A price.
used 28
const string
""",
    "format.volume": """
says A volume, shortened with K, M or B.
used 27
const string
""",
    "hline.style_dashed": """
says A dashed horizontal line.
used 42
const hline_style
""",
    "hline.style_dotted": """
says A dotted horizontal line.
used 32
const hline_style
""",
    "hline.style_solid": """
says A solid horizontal line.
used 29
const hline_style
""",
    "location.abovebar": """
says Above the bar.
used 54
const string
""",
    "location.absolute": """
says At the value of the series.
used 50
const string
""",
    "location.belowbar": """
says Below the bar.
used 53
const string
""",
    "location.bottom": """
says At the bottom of the pane.
used 6
const string
""",
    "location.top": """
says At the top of the pane.
used 20
const string
""",
    "order.ascending": """
says From small to large.
used 2
const sort_order
""",
    "order.descending": """
says From large to small.
const sort_order
""",
    "plot.linestyle_dashed": """
says A plot with a dashed line.
const plot_line_style
""",
    "plot.linestyle_dotted": """
says A plot with a dotted line.
used 4
const plot_line_style
""",
    "plot.linestyle_solid": """
says A plot with a solid line.
const plot_line_style
""",
    "plot.style_area": """
says Area under a line, joined over na.
used 16
const plot_style
""",
    "plot.style_areabr": """
says Area under a line, broken at na.
const plot_style
""",
    "plot.style_circles": """
says Circles.
used 17
const plot_style
""",
    "plot.style_columns": """
says Columns.
used 15
const plot_style
""",
    "plot.style_cross": """
says Crosses.
used 7
const plot_style
""",
    "plot.style_histogram": """
says Histogram.
used 9
const plot_style
""",
    "plot.style_line": """
says Line, joined over na.
used 26
const plot_style
""",
    "plot.style_linebr": """
says Line, broken at na.
used 44
const plot_style
""",
    "plot.style_stepline": """
says Steps, joined over na.
used 29
const plot_style
""",
    "plot.style_stepline_diamond": """
says Steps with diamonds where the value changes.
const plot_style
""",
    "plot.style_steplinebr": """
says Steps, broken at na.
const plot_style
""",
    "position.bottom_center": """
says A table at the bottom center of the pane.
used 18
const string
""",
    "position.bottom_left": """
says A table at the bottom left of the pane.
used 39
const string
""",
    "position.bottom_right": """
says A table at the bottom right of the pane.
used 69
const string
""",
    "position.middle_center": """
says A table at the middle center of the pane.
used 15
const string
""",
    "position.middle_left": """
says A table at the middle left of the pane.
used 17
const string
""",
    "position.middle_right": """
says A table at the middle right of the pane.
used 19
const string
""",
    "position.top_center": """
says A table at the top center of the pane.
used 16
const string
""",
    "position.top_left": """
says A table at the top left of the pane.
used 34
const string
""",
    "position.top_right": """
says A table at the top right of the pane.
used 56
const string
""",
    "scale.left": """
says Attached to the left price scale.
const scale_type
""",
    "scale.none": """
says Attached to no price scale.
const scale_type
""",
    "scale.right": """
says Attached to the right price scale.
const scale_type
""",
    "settlement_as_close.inherit": """
says Settlement prices as on the chart.
const settlement
""",
    "settlement_as_close.off": """
says The last trade is the daily close.
const settlement
""",
    "settlement_as_close.on": """
says The settlement price is the daily close.
const settlement
""",
    "shape.arrowdown": """
says A mark in the shape of an arrow that points down.
const string
""",
    "shape.arrowup": """
says A mark in the shape of an arrow that points up.
const string
""",
    "shape.circle": """
says A mark in the shape of a circle.
used 31
const string
""",
    "shape.cross": """
says A mark in the shape of a cross.
const string
""",
    "shape.diamond": """
says A mark in the shape of a diamond.
used 9
const string
""",
    "shape.flag": """
says A mark in the shape of a flag.
const string
""",
    "shape.labeldown": """
says A mark in the shape of a label that points down.
used 12
const string
""",
    "shape.labelup": """
says A mark in the shape of a label that points up.
used 12
const string
""",
    "shape.square": """
says A mark in the shape of a square.
used 3
const string
""",
    "shape.triangledown": """
says A mark in the shape of a triangle that points down.
used 35
const string
""",
    "shape.triangleup": """
says A mark in the shape of a triangle that points up.
used 34
const string
""",
    "shape.xcross": """
says A mark in the shape of an X.
used 6
const string
""",
    "size.auto": """
says A size that fits the chart.
used 19
const string
""",
    "size.huge": """
says The size huge.
used 17
const string
""",
    "size.large": """
says The size large.
used 54
const string
""",
    "size.normal": """
says The size normal.
used 98
const string
""",
    "size.small": """
says The size small.
used 206
const string
""",
    "size.tiny": """
says The size tiny.
used 150
const string
""",
    "splits.denominator": """
says The denominator of a split.
const string
""",
    "splits.numerator": """
says The numerator of a split.
const string
""",
    "text.align_bottom": """
says Text at the bottom.
used 4
const string
""",
    "text.align_center": """
says Text in the middle.
used 28
const string
""",
    "text.align_left": """
says Text on the left.
used 50
const string
""",
    "text.align_right": """
says Text on the right.
used 49
const string
""",
    "text.align_top": """
says Text at the top.
used 4
const string
""",
    "text.format_bold": """
says Bold text.
used 2
const text_format
""",
    "text.format_italic": """
says Italic text.
const text_format
""",
    "text.format_none": """
says Plain text.
used 4
const text_format
""",
    "text.wrap_auto": """
says Long lines of text are wrapped.
const string
""",
    "text.wrap_none": """
says Lines of text are not wrapped.
const string
""",
    "xloc.bar_index": """
says x coordinates are bar indices.
used 43
const string
""",
    "xloc.bar_time": """
says x coordinates are times.
used 28
const string
""",
    "yloc.abovebar": """
says Above the bar.
used 18
const string
""",
    "yloc.belowbar": """
says Below the bar.
used 18
const string
""",
    "yloc.price": """
says At the given price.
used 20
const string
""",
}
