"""Built-ins without a namespace, and the built-ins in `input`, `log` and `runtime`.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "alert": """
says Sends an alert when it is called on a real-time bar; the user must have made an alert on the script.
changes alerts
used 156
often freq message
needs message
message; series string
freq?; input string; alert.freq_once_per_bar; ; alert.freq_all alert.freq_once_per_bar alert.freq_once_per_bar_close
-> void
""",
    "alertcondition": """
says Adds a condition to the list from which users can create alerts of an indicator.
changes alerts
used 137
often message title condition
needs condition
global
condition; series bool
title?; const string
message?; const string
-> void
""",
    "barcolor": """
says Colors the bars of the chart.
changes plots
used 21
often title color
needs color
global
color; series color
offset?; simple int; 0
editable?; input bool; true
show_last?; input int
title?; const string
display?; input plot_simple_display; display.all; ; display.none display.all
-> void
""",
    "bgcolor": """
says Colors the background of the chart behind the bars.
changes plots
used 318
often title offset
needs color
global
color; series color
offset?; simple int; 0
editable?; input bool; true
show_last?; input int
title?; const string
display?; input plot_simple_display; display.all; ; display.none display.all
force_overlay?; const bool; false
-> void
""",
    "bool": """
says Converts a value to bool: zero and na become false, other numbers true.
pure
used 565
needs x
x; simple int|float|bool; ; const bool
-> const bool
x; input bool; ; const bool
-> input bool
x; simple bool; ; const bool
-> simple bool
x; series int|float|bool; ; const bool
-> series bool
""",
    "box": """
says Casts na to a box, or returns the box unchanged.
pure
used 67
needs x
x; series box
-> series box
""",
    "color": """
says Casts na to a color, or returns the color unchanged.
pure
used 1786
needs x
x; const color
-> const color
x; input color
-> input color
x; simple color
-> simple color
x; series color
-> series color
""",
    "dayofmonth": """
says Gives the day of the month of a timestamp in a time zone.
reads chart
runs times.day_of_month
used 25
often time
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "dayofweek": """
says Gives the day of the week of a timestamp in a time zone, 1 for Sunday.
reads chart
runs times.day_of_week
used 14
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "fill": """
says Fills the space between two plots or two horizontal lines.
changes plots
used 127
often color title bottom_color top_color display bottom_value top_value editable hline1 hline2
needs hline1; hline2
global
hline1; hline
hline2; hline
color?; series color
title?; const string
editable?; input bool; true
fillgaps?; const bool; false
display?; input plot_simple_display; display.all; ; display.none display.all
-> void
plot1; plot
plot2; plot
color?; series color
title?; const string
editable?; input bool; true
show_last?; input int
fillgaps?; const bool; false
display?; input plot_simple_display; display.all; ; display.none display.all
-> void
plot1; plot|hline
plot2; plot|hline
top_value; series int|float
bottom_value; series int|float
top_color; series color
bottom_color; series color
title?; const string
display?; input plot_simple_display; display.all; ; display.none display.all
fillgaps?; const bool; false
editable?; input bool; true
-> void
""",
    "fixnan": """
says Replaces na by the most recent earlier value that was not na.
keeps
traits picks
used 8
often source
needs source
history
source; series color; ; series float
-> series color
runs events.FixnanColor
source; series int; ; series float
-> series int
runs events.Fixnan
source; series int|float; ; series float
-> series float
runs events.Fixnan
""",
    "float": """
says Converts a number or na to float.
pure
used 1653
needs x
x; const int|float; ; const float
-> const float
x; input int|float; ; const float
-> input float
x; simple int|float; ; const float
-> simple float
x; series int|float; ; const float
-> series float
""",
    "hline": """
says Draws a horizontal line at a fixed price.
changes plots
rule linewidth
used 191
often color linestyle title price linewidth display
needs price
global
price; input int|float; ; input float
title?; const string
color?; input color
linestyle?; input hline_style; hline.style_dashed; ; hline.style_solid hline.style_dotted hline.style_dashed
linewidth?; input int; 1
editable?; input bool; true
display?; input plot_simple_display; display.all; ; display.none display.all
-> hline
""",
    "hour": """
says Gives the hour of a timestamp in a time zone.
reads chart
runs times.hour
used 143
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "indicator": """
says Declares that the script is an indicator and sets its properties.
changes declaration
rule declaration
used 493
often overlay shorttitle title max_labels_count precision timeframe timeframe_gaps max_lines_count format max_boxes_count max_bars_back behind_chart calc_bars_count dynamic_requests max_polylines_count explicit_plot_zorder
needs title
global
title; const string
shorttitle?; const string; ""
overlay?; const bool; false
format?; const string; format.inherit; ; format.inherit format.price format.volume format.percent
precision?; const int
scale?; const scale_type; ; ; scale.right scale.left scale.none
max_bars_back?; const int; 0
timeframe?; const string; timeframe.period
timeframe_gaps?; const bool; true
explicit_plot_zorder?; const bool; false
max_lines_count?; const int; 50
max_labels_count?; const int; 50
max_boxes_count?; const int; 50
calc_bars_count?; const int; 0
max_polylines_count?; const int; 50
dynamic_requests?; const bool; true
behind_chart?; const bool; true
-> void
""",
    "input": """
says Adds an input whose kind follows from the type of its default value.
reads inputs
rule input
used 1573
often title group inline defval display tooltip active
needs defval
defval; const color
title?; const string
tooltip?; const string
inline?; const string
group?; const string
display?; simple int|plot_display; ; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input color
defval; const string
title?; const string
tooltip?; const string
inline?; const string
group?; const string
display?; simple int|plot_display; ; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input string
defval; const int
title?; const string
tooltip?; const string
inline?; const string
group?; const string
display?; simple int|plot_display; ; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input int
defval; const int|float
title?; const string
tooltip?; const string
inline?; const string
group?; const string
display?; simple int|plot_display; ; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input float
defval; series int|float
title?; const string
inline?; const string
group?; const string
tooltip?; const string
display?; simple int|plot_display; ; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> series float
defval; const bool
title?; const string
tooltip?; const string
inline?; const string
group?; const string
display?; simple int|plot_display; ; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input bool
""",
    "input.bool": """
says Adds a checkbox to the settings.
reads inputs
rule named_input
used 465
often group tooltip title defval inline display
needs defval
defval; const bool
title?; const string
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.none; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input bool
""",
    "input.color": """
says Adds a color picker to the settings.
reads inputs
rule named_input
used 256
often group inline title defval tooltip
needs defval
defval; const color
title?; const string
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.none; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input color
""",
    "input.enum": """
says Adds a drop-down list of an enum's fields to the settings.
reads inputs
rule named_input
used 13
often group title defval tooltip inline display
needs defval
defval; const enum
title?; const string
options?; tuple<const enum>
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input typeof defval
""",
    "input.float": """
says Adds a field for a number to the settings.
reads inputs
rule named_input
used 425
often step minval group maxval tooltip title defval inline display active
needs defval
defval; const int|float; ; const float
title?; const string
options?; tuple<const int|float>
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input float
defval; const int|float; ; const float
title?; const string
minval?; const int|float
maxval?; const int|float
step?; const int|float; 1
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input float
""",
    "input.int": """
says Adds a field for a whole number to the settings.
reads inputs
rule named_input
used 863
often minval maxval group tooltip title defval inline step display options active
needs defval
defval; const int
title?; const string
options?; tuple<const int>
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input int
defval; const int
title?; const string
minval?; const int
maxval?; const int
step?; const int; 1
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input int
""",
    "input.price": """
says Adds a price field to the settings that can also be set on the chart.
reads inputs
rule named_input
used 2
often confirm group inline tooltip
needs defval
defval; const int|float; ; const float
title?; const string
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input float
""",
    "input.session": """
says Adds a field for a session to the settings.
reads inputs
rule named_input
used 18
often group inline title defval tooltip
needs defval
defval; const string
title?; const string
options?; tuple<const string>
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input string
""",
    "input.source": """
says Adds a drop-down list of price series to the settings.
reads inputs
rule named_input
used 215
often title tooltip group defval
needs defval
defval; source
title?; const string
tooltip?; const string
inline?; const string
group?; const string
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
confirm?; const bool; false
-> series float
""",
    "input.string": """
says Adds a field or drop-down list of texts to the settings.
reads inputs
rule named_input
used 261
often options group title defval tooltip inline display active
needs defval
defval; const string
title?; const string
options?; tuple<const string>
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input string
""",
    "input.symbol": """
says Adds a symbol search to the settings.
reads inputs
rule named_input
used 24
often group tooltip title
needs defval
defval; const string
title?; const string
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input string
""",
    "input.text_area": """
says Adds a field for several lines of text to the settings.
reads inputs
rule named_input
used 7
often group title tooltip defval
needs defval
defval; const string
title?; const string
tooltip?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.none; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input string
""",
    "input.time": """
says Adds a time field to the settings that can also be set on the chart.
reads inputs
rule named_input
used 30
often group confirm inline
needs defval
defval; const int
title?; const string
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.none; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input int
""",
    "input.timeframe": """
says Adds a drop-down list of timeframes to the settings.
reads inputs
rule named_input
used 62
often group title tooltip options defval inline active
needs defval
defval; const string
title?; const string
options?; tuple<const string>
tooltip?; const string
inline?; const string
group?; const string
confirm?; const bool; false
display?; simple int|plot_display; display.all; ; display.none display.data_window display.status_line display.all
active?; input bool; true
-> input string
""",
    "int": """
says Converts a number or na to int, cutting off the fraction.
pure
traits rounds
used 982
needs x
x; const int|float; ; simple int
-> const int
x; input int|float; ; simple int
-> input int
x; simple int|float; ; simple int
-> simple int
x; series int|float; ; simple int
-> series int
""",
    "label": """
says Casts na to a label, or returns the label unchanged.
pure
used 418
needs x
x; series label
-> series label
""",
    "library": """
says Declares that the script is a library and sets its properties.
changes declaration
rule declaration
used 2
needs title
global
title; const string
overlay?; const bool; false
dynamic_requests?; const bool; true
-> void
""",
    "line": """
says Casts na to a line, or returns the line unchanged.
pure
used 200
needs x
x; series line
-> series line
""",
    "linefill": """
says Casts na to a linefill, or returns the linefill unchanged.
pure
used 12
needs x
x; series linefill
-> series linefill
""",
    "log.error": """
says Writes a message with the level error to the Pine Logs.
changes log
needs message
variadic 1
message; series string
-> void
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> void
""",
    "log.info": """
says Writes a message with the level info to the Pine Logs.
changes log
used 5
needs message
variadic 1
message; series string
-> void
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> void
""",
    "log.warning": """
says Writes a message with the level warning to the Pine Logs.
changes log
needs message
variadic 1
message; series string
-> void
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> void
""",
    "max_bars_back": """
says Sets how many past values of a variable are kept, if the script cannot find it out itself.
changes history
rule max_bars_back
used 42
needs var; num
var; series int|float|bool|color|string|label|line|box|linefill|table|polyline; ; ; open high low close volume time
num; const int
-> void
""",
    "minute": """
says Gives the minute of a timestamp in a time zone.
reads chart
runs times.minute
used 133
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "month": """
says Gives the month of a timestamp in a time zone.
reads chart
runs times.month
used 29
often time
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "na": """
says Tells whether a value is na.
pure
used 1466
needs x
x; simple int|float; ; simple float
-> simple bool
x; series int|float|color|string|label|line|box|table|linefill|polyline|chart.point|footprint|volume_row|enum|udt|array<any>|matrix<any>|map<any,any>; ; simple float
-> series bool
""",
    "nz": """
says Replaces na by 0, or by a given value.
pure
traits picks
used 400
often source replacement
needs source
source; simple color; ; simple int
replacement?; simple color
-> simple color
source; simple int; ; simple int
replacement?; simple int
-> simple int
source; series color; ; simple int
replacement?; series color
-> series color
source; series int; ; simple int
replacement?; series int
-> series int
source; simple int|float; ; simple int
replacement?; simple int|float
-> simple float
source; series int|float; ; simple int
replacement?; series int|float
-> series float
""",
    "plot": """
says Draws a series as a line, area, histogram, columns, circles or crosses.
changes plots
rule linewidth
used 885
often color linewidth display style title editable force_overlay series offset precision format linestyle histbase
needs series
global
series; series int|float; ; series float
title?; const string
color?; series color
linewidth?; input int; 1
style?; input plot_style; plot.style_line; ; plot.style_line plot.style_stepline plot.style_stepline_diamond plot.style_histogram plot.style_cross plot.style_area plot.style_columns plot.style_circles plot.style_linebr plot.style_areabr plot.style_steplinebr
trackprice?; input bool; false
histbase?; input int|float; 0
offset?; simple int; 0
join?; input bool; false
editable?; input bool; true
show_last?; input int
display?; input plot_display; display.all; ; display.none display.pane display.data_window display.price_scale display.status_line display.all
format?; input string; ; ; format.price format.percent format.volume
precision?; input int
force_overlay?; const bool; false
linestyle?; input plot_line_style; plot.linestyle_solid
-> plot
""",
    "plotarrow": """
says Draws an up or down arrow for each bar, as long as the value is large.
changes plots
needs series
global
series; series int|float
title?; const string
colorup?; series color
colordown?; series color
offset?; simple int; 0
minheight?; input int; 5
maxheight?; input int; 100
editable?; input bool; true
show_last?; input int
display?; input plot_display; display.all; ; display.none display.pane display.data_window display.price_scale display.status_line display.all
format?; input string; ; ; format.price format.percent format.volume
precision?; input int
force_overlay?; const bool; false
-> void
""",
    "plotbar": """
says Draws bars from four series of prices.
changes plots
needs open; high; low; close
global
open; series int|float
high; series int|float
low; series int|float
close; series int|float
title?; const string
color?; series color
editable?; input bool; true
show_last?; input int
display?; input plot_display; display.all; ; display.none display.pane display.data_window display.price_scale display.status_line display.all
format?; input string; ; ; format.price format.percent format.volume
precision?; input int
force_overlay?; const bool; false
-> void
""",
    "plotcandle": """
says Draws candles from four series of prices.
changes plots
used 9
often color bordercolor wickcolor force_overlay title display editable
needs open; high; low; close
global
open; series int|float
high; series int|float
low; series int|float
close; series int|float
title?; const string
color?; series color
wickcolor?; series color
editable?; input bool; true
show_last?; input int
bordercolor?; series color
display?; input plot_display; display.all; ; display.none display.pane display.data_window display.price_scale display.status_line display.all
format?; input string; ; ; format.price format.percent format.volume
precision?; input int
force_overlay?; const bool; false
-> void
""",
    "plotchar": """
says Draws a character on the bars where a condition or value holds.
changes plots
used 32
often color size char display location series title force_overlay text textcolor
needs series
global
series; series int|float|bool; ; series bool
title?; const string
char?; input string; "★"
location?; input string; location.abovebar; ; location.abovebar location.belowbar location.top location.bottom location.absolute
color?; series color
offset?; simple int; 0
text?; const string
textcolor?; series color
editable?; input bool; true
size?; const string; size.auto; ; size.auto size.tiny size.small size.normal size.large size.huge
show_last?; input int
display?; input plot_display; display.all; ; display.none display.pane display.data_window display.price_scale display.status_line display.all
format?; input string; ; ; format.price format.percent format.volume
precision?; input int
force_overlay?; const bool; false
-> void
""",
    "plotshape": """
says Draws a shape on the bars where a condition or value holds.
changes plots
used 119
often color size location style title text textcolor force_overlay offset series display editable
needs series
global
series; series int|float|bool; ; series bool
title?; const string
style?; input string; shape.xcross; ; shape.xcross shape.cross shape.triangleup shape.triangledown shape.flag shape.circle shape.arrowup shape.arrowdown shape.labelup shape.labeldown shape.square shape.diamond
location?; input string; location.abovebar; ; location.abovebar location.belowbar location.top location.bottom location.absolute
color?; series color
offset?; simple int; 0
text?; const string
textcolor?; series color
editable?; input bool; true
size?; const string; size.auto; ; size.auto size.tiny size.small size.normal size.large size.huge
show_last?; input int
display?; input plot_display; display.all; ; display.none display.pane display.data_window display.price_scale display.status_line display.all
format?; input string; ; ; format.price format.percent format.volume
precision?; input int
force_overlay?; const bool; false
-> void
""",
    "runtime.error": """
says Stops the script and shows a message to the user.
changes stop
used 251
often message
needs message
message; series string
-> void
""",
    "second": """
says Gives the second of a timestamp in a time zone.
reads chart
runs times.second
used 3
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "strategy": """
says Declares that the script is a strategy and sets its properties.
changes declaration
rule declaration
used 782
often overlay default_qty_type default_qty_value initial_capital commission_type commission_value currency pyramiding slippage process_orders_on_close shorttitle max_labels_count max_bars_back calc_on_every_tick max_lines_count use_bar_magnifier calc_on_order_fills margin_long margin_short
needs title
global
title; const string
shorttitle?; const string; title
overlay?; const bool; false
format?; const string; format.inherit; ; format.inherit format.price format.volume format.percent
precision?; const int
scale?; const scale_type; ; ; scale.right scale.left scale.none
pyramiding?; const int; 0
calc_on_order_fills?; const bool; false
calc_on_every_tick?; const bool; false
max_bars_back?; const int; 0
backtest_fill_limits_assumption?; const int; 0
default_qty_type?; const string; strategy.percent_of_equity; ; strategy.fixed strategy.cash strategy.percent_of_equity
default_qty_value?; const int|float; 100; const float
initial_capital?; const int|float; 100000; const float
currency?; const string; syminfo.currency
slippage?; const int; 0
commission_type?; const string; strategy.commission.percent
commission_value?; const int|float; 0
process_orders_on_close?; const bool; false
close_entries_rule?; const string; "FIFO"; ; "FIFO" "ANY"
margin_long?; const int|float; 100
margin_short?; const int|float; 100; const float
explicit_plot_zorder?; const bool; false
max_lines_count?; const int; 50
max_labels_count?; const int; 50
max_boxes_count?; const int; 50
calc_bars_count?; const int; 0
risk_free_rate?; const int|float; 2; const float
use_bar_magnifier?; const bool; false
fill_orders_on_standard_ohlc?; const bool; false
max_polylines_count?; const int; 50
dynamic_requests?; const bool; true
behind_chart?; const bool; true
calc_on_every_history_tick?; const bool; false
-> void
""",
    "string": """
says Casts na to a string, or returns the string unchanged.
pure
used 252
needs x
x; const string
-> const string
x; input string
-> input string
x; simple string
-> simple string
x; series string
-> series string
""",
    "table": """
says Casts na to a table, or returns the table unchanged.
pure
used 307
needs x
x; series table
-> series table
""",
    "time": """
says Gives the opening time of the bar of a timeframe, or na outside of a session.
reads bars chart
runs times.time context
rule bars_back
used 225
often timeframe session timezone bars_back
needs timeframe
timeframe; series string
bars_back?; series int; 0
timeframe_bars_back?; series int; 0
-> series int
timeframe; series string
session?; series string
bars_back?; series int; 0
timeframe_bars_back?; series int; 0
-> series int
timeframe; series string
session?; series string
timezone?; series string; syminfo.timezone
bars_back?; series int; 0
timeframe_bars_back?; series int; 0
-> series int
""",
    "time_close": """
says Gives the closing time of the bar of a timeframe, or na outside of a session.
reads bars chart
runs times.time_close context
rule bars_back
used 19
needs timeframe
timeframe; series string
bars_back?; series int; 0
timeframe_bars_back?; series int; 0
-> series int
timeframe; series string
session?; series string
bars_back?; series int; 0
timeframe_bars_back?; series int; 0
-> series int
timeframe; series string
session?; series string
timezone?; series string; syminfo.timezone
bars_back?; series int; 0
timeframe_bars_back?; series int; 0
-> series int
""",
    "timestamp": """
says Builds a UNIX time in milliseconds from a date text or from year, month, day and time.
reads chart
rule timestamp
used 40
often day hour minute month timezone year
needs dateString
dateString; const string
-> const int
runs times.timestamp_of_text
dateString; series string
-> series int
runs times.timestamp_of_text
year; simple int
month; simple int
day; simple int
hour?; simple int
minute?; simple int
second?; simple int
-> simple int
runs times.timestamp context
year; series int
month; series int
day; series int
hour?; series int
minute?; series int
second?; series int
-> series int
runs times.timestamp context
timezone; simple string
year; simple int
month; simple int
day; simple int
hour?; simple int
minute?; simple int
second?; simple int
-> simple int
runs times.timestamp_in
timezone; series string
year; series int
month; series int
day; series int
hour?; series int
minute?; series int
second?; series int
-> series int
runs times.timestamp_in
""",
    "weekofyear": """
says Gives the week of the year of a timestamp in a time zone.
reads chart
runs times.week_of_year
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "year": """
says Gives the year of a timestamp in a time zone.
reads chart
runs times.year
used 31
often time
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
}

VARIABLES: dict[str, str] = {
    "ask": """
says Ask price on the 1T timeframe, else na.
reads bars
used 3
series float
""",
    "bar_index": """
says Number of the bar, 0 for the first.
reads bars
traits never_na settled
within 0
used 520
series int
""",
    "bid": """
says Bid price on the 1T timeframe, else na.
reads bars
used 3
series float
""",
    "close": """
says Closing price of the bar, or its latest price in realtime.
reads bars
used 1239
series float
""",
    "dayofmonth": """
says Day of the month of the bar, in the exchange's time zone.
reads bars
traits calendar never_na settled
within 1 31
series int
""",
    "dayofweek": """
says Day of the week of the bar, in the exchange's time zone.
reads bars
traits calendar never_na settled
within 1 7
series int
""",
    "high": """
says Highest price of the bar.
reads bars
used 627
series float
""",
    "hl2": """
says Mean of high and low.
reads bars
used 21
series float
""",
    "hlc3": """
says Mean of high, low and close.
reads bars
used 24
series float
""",
    "hlcc4": """
says Mean of high, low and twice the close.
reads bars
series float
""",
    "hour": """
says Hour of the bar, in the exchange's time zone.
reads bars
traits never_na settled
within 0 23
series int
""",
    "last_bar_index": """
says Number of the chart's last bar.
reads bars
traits gates never_na repaints settled
within 0
used 5
series int
""",
    "last_bar_time": """
says Opening time of the chart's last bar, in milliseconds UTC.
reads bars
traits gates repaints
series int
""",
    "low": """
says Lowest price of the bar.
reads bars
used 628
series float
""",
    "minute": """
says Minute of the bar, in the exchange's time zone.
reads bars
traits never_na settled
within 0 59
series int
""",
    "month": """
says Month of the bar, in the exchange's time zone.
reads bars
traits calendar never_na settled
within 1 12
series int
""",
    "na": """
says The value that means "not available"; only na() can test it.
pure
traits settled
simple na
""",
    "ohlc4": """
says Mean of open, high, low and close.
reads bars
used 5
series float
""",
    "open": """
says Opening price of the bar.
reads bars
traits settled
used 343
series float
""",
    "second": """
says Second of the bar, in the exchange's time zone.
reads bars
traits never_na settled
within 0 59
series int
""",
    "time": """
says Opening time of the bar.
reads bars
traits never_na settled
series int
""",
    "time_close": """
says Closing time of the bar.
reads bars
traits never_na settled
series int
""",
    "time_tradingday": """
says Beginning of the trading day to which the bar belongs, in milliseconds UTC.
reads bars
runs times.trading_day context
traits settled
series int
""",
    "timenow": """
says Current time in milliseconds UTC, when the script runs.
reads clock
traits never_na repaints
within 0
used 10
series int
""",
    "volume": """
says Volume of the bar.
reads bars
within 0
used 150
series float
""",
    "weekofyear": """
says Week of the year of the bar, in the exchange's time zone.
reads bars
traits calendar settled
series int
""",
    "year": """
says Year of the bar, in the exchange's time zone.
reads bars
traits calendar never_na settled
series int
""",
}

CONSTANTS: dict[str, str] = {}
