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
says A bar of the chart without a new requested value has the last one.
used 53
const barmerge_gaps
""",
    "barmerge.gaps_on": """
says A bar of the chart without a new requested value has na.
used 7
const barmerge_gaps
""",
    "barmerge.lookahead_off": """
says A requested bar is known only when it has closed.
used 74
const barmerge_lookahead
""",
    "barmerge.lookahead_on": """
says A requested bar is known from its beginning, on history with values from the future unless `[1]` is used.
used 19
const barmerge_lookahead
""",
    "currency.AED": """
says The dirham of the United Arab Emirates.
const string
""",
    "currency.ARS": """
says The Argentine peso.
const string
""",
    "currency.AUD": """
says The Australian dollar.
const string
""",
    "currency.BDT": """
says The Bangladeshi taka.
const string
""",
    "currency.BHD": """
says The Bahraini dinar.
const string
""",
    "currency.BRL": """
says The Brazilian real.
const string
""",
    "currency.BTC": """
says Bitcoin, used as a currency.
const string
""",
    "currency.CAD": """
says The Canadian dollar.
const string
""",
    "currency.CHF": """
says The Swiss franc.
const string
""",
    "currency.CLP": """
says The Chilean peso.
const string
""",
    "currency.CNY": """
says The Chinese yuan.
const string
""",
    "currency.COP": """
says The Colombian peso.
const string
""",
    "currency.CZK": """
says The Czech koruna.
const string
""",
    "currency.DKK": """
says The Danish krone.
const string
""",
    "currency.EGP": """
says The Egyptian pound.
const string
""",
    "currency.ETH": """
says Ether, used as a currency.
const string
""",
    "currency.EUR": """
says The euro.
const string
""",
    "currency.GBP": """
says The pound sterling.
const string
""",
    "currency.HKD": """
says The Hong Kong dollar.
const string
""",
    "currency.HUF": """
says The Hungarian forint.
const string
""",
    "currency.IDR": """
says The Indonesian rupiah.
const string
""",
    "currency.ILS": """
says The Israeli shekel.
const string
""",
    "currency.INR": """
says The Indian rupee.
const string
""",
    "currency.ISK": """
says The Icelandic krona.
const string
""",
    "currency.JPY": """
says The Japanese yen.
const string
""",
    "currency.KES": """
says The Kenyan shilling.
const string
""",
    "currency.KRW": """
says The South Korean won.
const string
""",
    "currency.KWD": """
says The Kuwaiti dinar.
const string
""",
    "currency.LKR": """
says The Sri Lankan rupee.
const string
""",
    "currency.MAD": """
says The Moroccan dirham.
const string
""",
    "currency.MXN": """
says The Mexican peso.
const string
""",
    "currency.MYR": """
says The Malaysian ringgit.
const string
""",
    "currency.NGN": """
says The Nigerian naira.
const string
""",
    "currency.NOK": """
says The Norwegian krone.
const string
""",
    "currency.NONE": """
says No currency: prices are not converted.
const string
""",
    "currency.NZD": """
says The New Zealand dollar.
const string
""",
    "currency.PEN": """
says The Peruvian sol.
const string
""",
    "currency.PHP": """
says The Philippine peso.
const string
""",
    "currency.PKR": """
says The Pakistani rupee.
const string
""",
    "currency.PLN": """
says The Polish zloty.
const string
""",
    "currency.QAR": """
says The Qatari riyal.
const string
""",
    "currency.RON": """
says The Romanian leu.
const string
""",
    "currency.RSD": """
says The Serbian dinar.
const string
""",
    "currency.RUB": """
says The Russian ruble.
const string
""",
    "currency.SAR": """
says The Saudi riyal.
const string
""",
    "currency.SEK": """
says The Swedish krona.
const string
""",
    "currency.SGD": """
says The Singapore dollar.
const string
""",
    "currency.THB": """
says The Thai baht.
const string
""",
    "currency.TND": """
says The Tunisian dinar.
const string
""",
    "currency.TRY": """
says The Turkish lira.
const string
""",
    "currency.TWD": """
says The Taiwan dollar.
const string
""",
    "currency.USD": """
says The dollar of the United States.
used 155
const string
""",
    "currency.USDT": """
says Tether, a stablecoin, used as a currency.
const string
""",
    "currency.VES": """
says The Venezuelan bolivar.
const string
""",
    "currency.VND": """
says The Vietnamese dong.
const string
""",
    "currency.ZAR": """
says The South African rand.
const string
""",
    "dayofweek.friday": """
says The number of Friday, 6.
const int
""",
    "dayofweek.monday": """
says The number of Monday, 2.
const int
""",
    "dayofweek.saturday": """
says The number of Saturday, 7.
const int
""",
    "dayofweek.sunday": """
says The number of Sunday, 1.
const int
""",
    "dayofweek.thursday": """
says The number of Thursday, 5.
const int
""",
    "dayofweek.tuesday": """
says The number of Tuesday, 3.
const int
""",
    "dayofweek.wednesday": """
says The number of Wednesday, 4.
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
says The shape is above the bar.
used 54
const string
""",
    "location.absolute": """
says The shape is at the price that the series gives.
used 50
const string
""",
    "location.belowbar": """
says The shape is below the bar.
used 53
const string
""",
    "location.bottom": """
says The shape is at the bottom of the pane.
used 6
const string
""",
    "location.top": """
says The shape is at the top of the pane.
used 20
const string
""",
    "order.ascending": """
says From the smallest to the largest.
used 2
const sort_order
""",
    "order.descending": """
says From the largest to the smallest.
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
says An area between the values and the base level, joined over na.
used 16
const plot_style
""",
    "plot.style_areabr": """
says An area between the values and the base level, with gaps where they are na.
const plot_style
""",
    "plot.style_circles": """
says A circle at each value.
used 17
const plot_style
""",
    "plot.style_columns": """
says A broad column from the base level to each value.
used 15
const plot_style
""",
    "plot.style_cross": """
says A cross at each value.
used 7
const plot_style
""",
    "plot.style_histogram": """
says A narrow column from the base level to each value.
used 9
const plot_style
""",
    "plot.style_line": """
says A line through the values, joined over na.
used 26
const plot_style
""",
    "plot.style_linebr": """
says A line through the values, with gaps where they are na.
used 44
const plot_style
""",
    "plot.style_stepline": """
says A line with steps, joined over na.
used 29
const plot_style
""",
    "plot.style_stepline_diamond": """
says A line with steps, and a diamond where the value changes.
const plot_style
""",
    "plot.style_steplinebr": """
says A line with steps, with gaps where they are na.
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
says The largest of the named sizes.
used 17
const string
""",
    "size.large": """
says A large size.
used 54
const string
""",
    "size.normal": """
says The usual size.
used 98
const string
""",
    "size.small": """
says A small size.
used 206
const string
""",
    "size.tiny": """
says The smallest of the named sizes.
used 150
const string
""",
    "splits.denominator": """
says The second number of a split: 1 in a split of 4 for 1.
const string
""",
    "splits.numerator": """
says The first number of a split: 4 in a split of 4 for 1.
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
says x is the number of a bar.
used 43
const string
""",
    "xloc.bar_time": """
says x is a time in milliseconds UTC.
used 28
const string
""",
    "yloc.abovebar": """
says The label is above the bar, whatever its y.
used 18
const string
""",
    "yloc.belowbar": """
says The label is below the bar, whatever its y.
used 18
const string
""",
    "yloc.price": """
says The label is at its price y.
used 20
const string
""",
}
