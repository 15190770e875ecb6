"""All built-in functions, a block each, as `pinebench.reference.blocks` reads them.

Written by scripts/update_reference.py.
"""
# ruff: noqa: E501

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "alert": """
needs message
message; series string
freq?; input string; alert.freq_once_per_bar; ; alert.freq_all alert.freq_once_per_bar alert.freq_once_per_bar_close
-> void
""",
    "alertcondition": """
needs condition
global
condition; series bool
title?; const string
message?; const string
-> void
""",
    "array.abs": """
needs id
id; array<(int|float)>
-> array<float>
id; array<int>
-> array<int>
""",
    "array.avg": """
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.binary_search": """
needs id; val
id; array<(int|float)>
val; series int|float; ; series float
-> series int
id; array<T>
val; series int|float|string; ; series float
sort_field?; const int|string; 0; const int
-> series int
""",
    "array.binary_search_leftmost": """
needs id; val
id; array<(int|float)>
val; series int|float; ; series float
-> series int
id; array<T>
val; series int|float|string; ; series float
sort_field?; const int|string; 0; const int
-> series int
""",
    "array.binary_search_rightmost": """
needs id; val
id; array<(int|float)>
val; series int|float; ; series float
-> series int
id; array<T>
val; series int|float|string; ; series float
sort_field?; const int|string; 0; const int
-> series int
""",
    "array.clear": """
needs id
id; array<T>
-> void
""",
    "array.concat": """
needs id1; id2
id1; array<T>
id2; array<T>
-> array<T>
""",
    "array.copy": """
needs id
id; array<T>
-> array<T>
""",
    "array.covariance": """
needs id1; id2
id1; array<(int|float)>
id2; array<(int|float)>
biased?; series bool; true
-> series float
""",
    "array.every": """
needs id
id; array<bool>
-> series bool
""",
    "array.fill": """
needs id; value
id; array<T>
value; T
index_from?; series int; 0
index_to?; series int; na
-> void
""",
    "array.first": """
needs id
id; array<T>
-> T
""",
    "array.from": """
needs arg0, arg1, ...
variadic 1
arg0, arg1, ...; T
-> array<T>
arg0, arg1, ...; series enum
-> array<enum>
arg0, arg1, ...; series label
-> array<label>
arg0, arg1, ...; series line
-> array<line>
arg0, arg1, ...; series box
-> array<box>
arg0, arg1, ...; series table
-> array<table>
arg0, arg1, ...; series linefill
-> array<linefill>
arg0, arg1, ...; series string
-> array<string>
arg0, arg1, ...; series color
-> array<color>
arg0, arg1, ...; series int
-> array<int>
arg0, arg1, ...; series int|float
-> array<float>
arg0, arg1, ...; series bool
-> array<bool>
""",
    "array.get": """
needs id; index
id; array<T>
index; series int
-> T
""",
    "array.includes": """
needs id; value
id; array<T>
value; T
-> series bool
""",
    "array.indexof": """
needs id; value
id; array<T>
value; T
-> series int
""",
    "array.insert": """
needs id; value
id; array<T>
index?; series int
value; T
-> void
""",
    "array.join": """
needs id
id; array<(int|float|string)>; ; array<float>
separator?; series string
-> series string
""",
    "array.last": """
needs id
id; array<T>
-> T
""",
    "array.lastindexof": """
needs id; value
id; array<T>
value; T
-> series int
""",
    "array.max": """
needs id
id; array<(int|float)>
nth?; series int; 0
-> series float
id; array<int>
nth?; series int; 0
-> series int
""",
    "array.median": """
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.min": """
needs id
id; array<(int|float)>
nth?; series int; 0
-> series float
id; array<int>
nth?; series int; 0
-> series int
""",
    "array.mode": """
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.new": """
size?; series int; 0
initial_value?; T; na
-> array<T>
""",
    "array.new_bool": """
size?; series int; 0
initial_value?; series bool; false
-> array<bool>
""",
    "array.new_box": """
size?; series int; 0
initial_value?; series box; na
-> array<box>
""",
    "array.new_color": """
size?; series int; 0
initial_value?; series color; na
-> array<color>
""",
    "array.new_float": """
size?; series int; 0
initial_value?; series int|float; na
-> array<float>
""",
    "array.new_int": """
size?; series int; 0
initial_value?; series int; na
-> array<int>
""",
    "array.new_label": """
size?; series int; 0
initial_value?; series label; na
-> array<label>
""",
    "array.new_line": """
size?; series int; 0
initial_value?; series line; na
-> array<line>
""",
    "array.new_linefill": """
size?; series int; 0
initial_value?; series linefill; na
-> array<linefill>
""",
    "array.new_string": """
size?; series int; 0
initial_value?; series string; na
-> array<string>
""",
    "array.new_table": """
size?; series int; 0
initial_value?; series table; na
-> array<table>
""",
    "array.percentile_linear_interpolation": """
needs id; percentage
id; array<(int|float)>
percentage; series int|float
-> series float
id; array<int>
percentage; series int|float
-> series int
""",
    "array.percentile_nearest_rank": """
needs id; percentage
id; array<(int|float)>
percentage; series int|float
-> series float
id; array<int>
percentage; series int|float
-> series int
""",
    "array.percentrank": """
needs id; index
id; array<(int|float)>
index; series int
-> series float
id; array<int>
index; series int
-> series int
""",
    "array.pop": """
needs id
id; array<T>
-> T
""",
    "array.push": """
needs id; value
id; array<T>
value; T
-> void
""",
    "array.range": """
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.remove": """
needs id; index
id; array<T>
index; series int
-> T
""",
    "array.reverse": """
needs id
id; array<T>
-> void
""",
    "array.set": """
needs id; index; value
id; array<T>
index; series int
value; T
-> void
""",
    "array.shift": """
needs id
id; array<T>
-> T
""",
    "array.size": """
needs id
id; array<T>
-> series int
""",
    "array.slice": """
needs id
id; array<T>
index_from?; series int
index_to?; series int
-> array<T>
""",
    "array.some": """
needs id
id; array<bool>
-> series bool
""",
    "array.sort": """
needs id
id; array<(int|float|string)>
order?; series sort_order
-> void
id; array<T>
order?; series sort_order
sort_field?; const int|string; 0; const int
-> void
""",
    "array.sort_indices": """
needs id
id; array<(int|float|string)>
order?; series sort_order; order.ascending
-> array<int>
id; array<T>
order?; series sort_order; order.ascending
sort_field?; const int|string; 0; const int
-> array<int>
""",
    "array.standardize": """
needs id
id; array<(int|float)>
-> array<float>
id; array<int>
-> array<int>
""",
    "array.stdev": """
needs id
id; array<(int|float)>
biased?; series bool; true
-> series float
id; array<int>
biased?; series bool; true
-> series int
""",
    "array.sum": """
needs id
id; array<(int|float)>
-> series float
id; array<int>
-> series int
""",
    "array.unshift": """
needs id; value
id; array<T>
value; T
-> void
""",
    "array.variance": """
needs id
id; array<(int|float)>
biased?; series bool; true
-> series float
id; array<int>
biased?; series bool; true
-> series int
""",
    "barcolor": """
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
needs x
x; series box
-> series box
""",
    "box.copy": """
needs id
id; series box
-> series box
""",
    "box.delete": """
needs id
id; series box
-> void
""",
    "box.get_bottom": """
needs id
id; series box
-> series float
""",
    "box.get_left": """
needs id
id; series box
-> series int
""",
    "box.get_right": """
needs id
id; series box
-> series int
""",
    "box.get_top": """
needs id
id; series box
-> series float
""",
    "box.new": """
needs top_left; bottom_right
top_left; chart.point
bottom_right; chart.point
border_color?; series color; color.blue
border_width?; series int; 1
border_style?; series string; line.style_solid; ; line.style_solid line.style_dotted line.style_dashed
extend?; series string; extend.none
xloc?; series string; xloc.bar_index; ; xloc.bar_index xloc.bar_time
bgcolor?; series color; color.blue
text?; series string; ""
text_size?; series int|string; size.auto; series string
text_color?; series color; color.black
text_halign?; series string; text.align_center; ; text.align_left text.align_center text.align_right
text_valign?; series string; text.align_center; ; text.align_top text.align_center text.align_bottom
text_wrap?; series string; text.wrap_none; ; text.wrap_none text.wrap_auto
text_font_family?; series string; font.family_default; ; font.family_default font.family_monospace
force_overlay?; const bool; false
text_formatting?; series text_format; text.format_none; ; text.format_none text.format_bold text.format_italic
-> series box
left; series int
top; series int|float; ; series float
right; series int
bottom; series int|float; ; series float
border_color?; series color; color.blue
border_width?; series int; 1
border_style?; series string; line.style_solid; ; line.style_solid line.style_dotted line.style_dashed
extend?; series string; extend.none
xloc?; series string; xloc.bar_index; ; xloc.bar_index xloc.bar_time
bgcolor?; series color; color.blue
text?; series string; ""
text_size?; series int|string; size.auto; series string
text_color?; series color; color.black
text_halign?; series string; text.align_center; ; text.align_left text.align_center text.align_right
text_valign?; series string; text.align_center; ; text.align_top text.align_center text.align_bottom
text_wrap?; series string; text.wrap_none; ; text.wrap_none text.wrap_auto
text_font_family?; series string; font.family_default; ; font.family_default font.family_monospace
force_overlay?; const bool; false
text_formatting?; series text_format; text.format_none; ; text.format_none text.format_bold text.format_italic
-> series box
""",
    "box.set_bgcolor": """
needs id; color
id; series box
color; series color
-> void
""",
    "box.set_border_color": """
needs id; color
id; series box
color; series color
-> void
""",
    "box.set_border_style": """
needs id; style
id; series box
style; series string
-> void
""",
    "box.set_border_width": """
needs id; width
id; series box
width; series int
-> void
""",
    "box.set_bottom": """
needs id; bottom
id; series box
bottom; series int|float
-> void
""",
    "box.set_bottom_right_point": """
needs id; point
id; series box
point; chart.point
-> void
""",
    "box.set_extend": """
needs id; extend
id; series box
extend; series string
-> void
""",
    "box.set_left": """
needs id; left
id; series box
left; series int
-> void
""",
    "box.set_lefttop": """
needs id; left; top
id; series box
left; series int
top; series int|float
-> void
""",
    "box.set_right": """
needs id; right
id; series box
right; series int
-> void
""",
    "box.set_rightbottom": """
needs id; right; bottom
id; series box
right; series int
bottom; series int|float
-> void
""",
    "box.set_text": """
needs id; text
id; series box
text; series string
-> void
""",
    "box.set_text_color": """
needs id; text_color
id; series box
text_color; series color
-> void
""",
    "box.set_text_font_family": """
needs id; text_font_family
id; series box
text_font_family; series string; ; ; font.family_default font.family_monospace
-> void
""",
    "box.set_text_formatting": """
needs id; text_formatting
id; series box
text_formatting; series text_format; ; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "box.set_text_halign": """
needs id; text_halign
id; series box
text_halign; series string; ; ; text.align_left text.align_center text.align_right
-> void
""",
    "box.set_text_size": """
needs id; text_size
id; series box
text_size; series int|string; ; series string
-> void
""",
    "box.set_text_valign": """
needs id; text_valign
id; series box
text_valign; series string; ; ; text.align_top text.align_center text.align_bottom
-> void
""",
    "box.set_text_wrap": """
needs id; text_wrap
id; series box
text_wrap; series string; ; ; text.wrap_none text.wrap_auto
-> void
""",
    "box.set_top": """
needs id; top
id; series box
top; series int|float
-> void
""",
    "box.set_top_left_point": """
needs id; point
id; series box
point; chart.point
-> void
""",
    "box.set_xloc": """
needs id; left; right; xloc
id; series box
left; series int
right; series int
xloc; series string; ; ; xloc.bar_index xloc.bar_time
-> void
""",
    "chart.point.copy": """
needs id
id; chart.point
-> chart.point
""",
    "chart.point.from_index": """
needs index; price
index; series int
price; series int|float
-> chart.point
""",
    "chart.point.from_time": """
needs time; price
time; series int
price; series int|float
-> chart.point
""",
    "chart.point.new": """
needs time; index; price
time; series int
index; series int
price; series int|float
-> chart.point
""",
    "chart.point.now": """
price?; series int|float; close
-> chart.point
""",
    "color": """
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
    "color.b": """
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "color.from_gradient": """
needs value; bottom_value; top_value; bottom_color; top_color
value; series int|float
bottom_value; series int|float
top_value; series int|float
bottom_color; series color
top_color; series color
-> series color
""",
    "color.g": """
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "color.new": """
needs color; transp
color; const color
transp; const int|float; ; const float
-> const color
color; input color
transp; input int|float; ; const float
-> input color
color; simple color
transp; simple int|float; ; const float
-> simple color
color; series color
transp; series int|float; ; const float
-> series color
""",
    "color.r": """
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "color.rgb": """
needs red; green; blue
red; const int|float; ; const float
green; const int|float; ; const float
blue; const int|float; ; const float
transp?; const int|float; 0; const float
-> const color
red; input int|float; ; const float
green; input int|float; ; const float
blue; input int|float; ; const float
transp?; input int|float; 0; const float
-> input color
red; simple int|float; ; const float
green; simple int|float; ; const float
blue; simple int|float; ; const float
transp?; simple int|float; 0; const float
-> simple color
red; series int|float; ; const float
green; series int|float; ; const float
blue; series int|float; ; const float
transp?; series int|float; 0; const float
-> series color
""",
    "color.t": """
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "dayofmonth": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "dayofweek": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "fill": """
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
needs source
history
source; series color; ; series float
-> series color
source; series int; ; series float
-> series int
source; series int|float; ; series float
-> series float
""",
    "float": """
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
    "footprint.buy_volume": """
needs id
id; footprint
-> series float
""",
    "footprint.delta": """
needs id
id; footprint
-> series float
""",
    "footprint.get_row_by_price": """
needs id; price
id; footprint
price; series int|float
-> volume_row
""",
    "footprint.poc": """
needs id
id; footprint
-> volume_row
""",
    "footprint.rows": """
needs id
id; footprint
-> array<volume_row>
""",
    "footprint.sell_volume": """
needs id
id; footprint
-> series float
""",
    "footprint.total_volume": """
needs id
id; footprint
-> series float
""",
    "footprint.vah": """
needs id
id; footprint
-> volume_row
""",
    "footprint.val": """
needs id
id; footprint
-> volume_row
""",
    "hline": """
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
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "indicator": """
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
needs x
x; series label
-> series label
""",
    "label.copy": """
needs id
id; series label
-> series label
""",
    "label.delete": """
needs id
id; series label
-> void
""",
    "label.get_text": """
needs id
id; series label
-> series string
""",
    "label.get_x": """
needs id
id; series label
-> series int
""",
    "label.get_y": """
needs id
id; series label
-> series float
""",
    "label.new": """
needs point
point; chart.point
text?; series string; ""
xloc?; series string; xloc.bar_index; ; xloc.bar_index xloc.bar_time
yloc?; series string; yloc.price; ; yloc.price yloc.abovebar yloc.belowbar
color?; series color
style?; series string; label.style_label_down; ; label.style_none label.style_xcross label.style_cross label.style_triangleup label.style_triangledown label.style_flag label.style_circle label.style_arrowup label.style_arrowdown label.style_label_up label.style_label_down label.style_label_left label.style_label_right label.style_label_lower_left label.style_label_lower_right label.style_label_upper_left label.style_label_upper_right label.style_label_center label.style_square label.style_diamond label.style_text_outline
textcolor?; series color
size?; series int|string; size.normal; series string
textalign?; series string; text.align_center; ; text.align_left text.align_center text.align_right
tooltip?; series string
text_font_family?; series string; font.family_default; ; font.family_default font.family_monospace
force_overlay?; const bool; false
text_formatting?; series text_format; text.format_none; ; text.format_none text.format_bold text.format_italic
-> series label
x; series int
y; series int|float; ; series float
text?; series string; ""
xloc?; series string; xloc.bar_index; ; xloc.bar_index xloc.bar_time
yloc?; series string; yloc.price; ; yloc.price yloc.abovebar yloc.belowbar
color?; series color
style?; series string; label.style_label_down; ; label.style_none label.style_xcross label.style_cross label.style_triangleup label.style_triangledown label.style_flag label.style_circle label.style_arrowup label.style_arrowdown label.style_label_up label.style_label_down label.style_label_left label.style_label_right label.style_label_lower_left label.style_label_lower_right label.style_label_upper_left label.style_label_upper_right label.style_label_center label.style_square label.style_diamond label.style_text_outline
textcolor?; series color
size?; series int|string; size.normal; series string
textalign?; series string; text.align_center; ; text.align_left text.align_center text.align_right
tooltip?; series string
text_font_family?; series string; font.family_default; ; font.family_default font.family_monospace
force_overlay?; const bool; false
text_formatting?; series text_format; text.format_none; ; text.format_none text.format_bold text.format_italic
-> series label
""",
    "label.set_color": """
needs id; color
id; series label
color; series color
-> void
""",
    "label.set_point": """
needs id; point
id; series label
point; chart.point
-> void
""",
    "label.set_size": """
needs id; size
id; series label
size; series int|string; ; series string
-> void
""",
    "label.set_style": """
needs id; style
id; series label
style; series string; ; ; label.style_none label.style_xcross label.style_cross label.style_triangleup label.style_triangledown label.style_flag label.style_circle label.style_arrowup label.style_arrowdown label.style_label_up label.style_label_down label.style_label_left label.style_label_right label.style_label_lower_left label.style_label_lower_right label.style_label_upper_left label.style_label_upper_right label.style_label_center label.style_square label.style_diamond label.style_text_outline
-> void
""",
    "label.set_text": """
needs id; text
id; series label
text; series string
-> void
""",
    "label.set_text_font_family": """
needs id; text_font_family
id; series label
text_font_family; series string; ; ; font.family_default font.family_monospace
-> void
""",
    "label.set_text_formatting": """
needs id; text_formatting
id; series label
text_formatting; series text_format; ; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "label.set_textalign": """
needs id; textalign
id; series label
textalign; series string; ; ; text.align_left text.align_center text.align_right
-> void
""",
    "label.set_textcolor": """
needs id; textcolor
id; series label
textcolor; series color
-> void
""",
    "label.set_tooltip": """
needs id; tooltip
id; series label
tooltip; series string
-> void
""",
    "label.set_x": """
needs id; x
id; series label
x; series int
-> void
""",
    "label.set_xloc": """
needs id; x; xloc
id; series label
x; series int
xloc; series string
-> void
""",
    "label.set_xy": """
needs id; x; y
id; series label
x; series int
y; series int|float
-> void
""",
    "label.set_y": """
needs id; y
id; series label
y; series int|float
-> void
""",
    "label.set_yloc": """
needs id; yloc
id; series label
yloc; series string
-> void
""",
    "library": """
needs title
global
title; const string
overlay?; const bool; false
dynamic_requests?; const bool; true
-> void
""",
    "line": """
needs x
x; series line
-> series line
""",
    "line.copy": """
needs id
id; series line
-> series line
""",
    "line.delete": """
needs id
id; series line
-> void
""",
    "line.get_price": """
needs id; x
id; series line
x; series int
-> series float
""",
    "line.get_x1": """
needs id
id; series line
-> series int
""",
    "line.get_x2": """
needs id
id; series line
-> series int
""",
    "line.get_y1": """
needs id
id; series line
-> series float
""",
    "line.get_y2": """
needs id
id; series line
-> series float
""",
    "line.new": """
needs first_point; second_point
first_point; chart.point
second_point; chart.point
xloc?; series string; xloc.bar_index; ; xloc.bar_index xloc.bar_time
extend?; series string; extend.none
color?; series color; color.blue
style?; series string; line.style_solid; ; line.style_solid line.style_dotted line.style_dashed line.style_arrow_left line.style_arrow_right line.style_arrow_both
width?; series int; 1
force_overlay?; const bool; false
-> series line
x1; series int; ; series int
y1; series int|float; ; series float
x2; series int; ; series int
y2; series int|float; ; series float
xloc?; series string; xloc.bar_index; ; xloc.bar_index xloc.bar_time
extend?; series string; extend.none
color?; series color; color.blue
style?; series string; line.style_solid; ; line.style_solid line.style_dotted line.style_dashed line.style_arrow_left line.style_arrow_right line.style_arrow_both
width?; series int; 1
force_overlay?; const bool; false
-> series line
""",
    "line.set_color": """
needs id; color
id; series line
color; series color
-> void
""",
    "line.set_extend": """
needs id; extend
id; series line
extend; series string
-> void
""",
    "line.set_first_point": """
needs id; point
id; series line
point; chart.point
-> void
""",
    "line.set_second_point": """
needs id; point
id; series line
point; chart.point
-> void
""",
    "line.set_style": """
needs id; style
id; series line
style; series string
-> void
""",
    "line.set_width": """
needs id; width
id; series line
width; series int
-> void
""",
    "line.set_x1": """
needs id; x
id; series line
x; series int
-> void
""",
    "line.set_x2": """
needs id; x
id; series line
x; series int
-> void
""",
    "line.set_xloc": """
needs id; x1; x2; xloc
id; series line
x1; series int
x2; series int
xloc; series string
-> void
""",
    "line.set_xy1": """
needs id; x; y
id; series line
x; series int
y; series int|float
-> void
""",
    "line.set_xy2": """
needs id; x; y
id; series line
x; series int
y; series int|float
-> void
""",
    "line.set_y1": """
needs id; y
id; series line
y; series int|float
-> void
""",
    "line.set_y2": """
needs id; y
id; series line
y; series int|float
-> void
""",
    "linefill": """
needs x
x; series linefill
-> series linefill
""",
    "linefill.delete": """
needs id
id; series linefill
-> void
""",
    "linefill.get_line1": """
needs id
id; series linefill
-> series line
""",
    "linefill.get_line2": """
needs id
id; series linefill
-> series line
""",
    "linefill.new": """
needs line1; line2; color
line1; series line
line2; series line
color; series color
-> series linefill
""",
    "linefill.set_color": """
needs id; color
id; series linefill
color; series color
-> void
""",
    "log.error": """
needs message
variadic 1
message; series string
-> void
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> void
""",
    "log.info": """
needs message
variadic 1
message; series string
-> void
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> void
""",
    "log.warning": """
needs message
variadic 1
message; series string
-> void
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> void
""",
    "map.clear": """
needs id
id; map<K,V>
-> void
""",
    "map.contains": """
needs id; key
id; map<K,V>
key; K
-> series bool
""",
    "map.copy": """
needs id
id; map<K,V>
-> map<K,V>
""",
    "map.get": """
needs id; key
id; map<K,V>
key; K
-> V
""",
    "map.keys": """
needs id
id; map<K,V>
-> array<K>
""",
    "map.new": """
-> map<K,V>
""",
    "map.put": """
needs id; key; value
id; map<K,V>
key; K
value; V
-> V
""",
    "map.put_all": """
needs id; id2
id; map<K,V>
id2; map<K,V>
-> void
""",
    "map.remove": """
needs id; key
id; map<K,V>
key; K
-> V
""",
    "map.size": """
needs id
id; map<K,V>
-> series int
""",
    "map.values": """
needs id
id; map<K,V>
-> array<V>
""",
    "math.abs": """
needs number
number; const int; ; simple int
-> const int
number; input int; ; simple int
-> input int
number; const int|float; ; simple int
-> const float
number; simple int; ; simple int
-> simple int
number; input int|float; ; simple int
-> input float
number; series int; ; simple int
-> series int
number; simple int|float; ; simple int
-> simple float
number; series int|float; ; simple int
-> series float
""",
    "math.acos": """
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.asin": """
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.atan": """
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.avg": """
needs number0, number1, ...
variadic 2
number0, number1, ...; simple int|float; ; simple float
-> qualified float
number0, number1, ...; series int|float; ; simple float
-> qualified float
""",
    "math.ceil": """
needs number
number; const int|float; ; simple int
-> const int
number; input int|float; ; simple int
-> input int
number; simple int|float; ; simple int
-> simple int
number; series int|float; ; simple int
-> series int
""",
    "math.cos": """
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.exp": """
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.floor": """
needs number
number; const int|float; ; simple int
-> const int
number; input int|float; ; simple int
-> input int
number; simple int|float; ; simple int
-> simple int
number; series int|float; ; simple int
-> series int
""",
    "math.log": """
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.log10": """
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.max": """
needs number0, number1, ...
variadic 2
number0, number1, ...; const int; ; const int
-> const int
number0, number1, ...; const int|float; ; const int
-> const float
number0, number1, ...; input int; ; const int
-> input int
number0, number1, ...; simple int; ; const int
-> simple int
number0, number1, ...; input int|float; ; const int
-> input float
number0, number1, ...; series int; ; const int
-> series int
number0, number1, ...; simple int|float; ; const int
-> simple float
number0, number1, ...; series int|float; ; const int
-> series float
""",
    "math.min": """
needs number0, number1, ...
variadic 2
number0, number1, ...; const int; ; const int
-> const int
number0, number1, ...; const int|float; ; const int
-> const float
number0, number1, ...; input int; ; const int
-> input int
number0, number1, ...; simple int; ; const int
-> simple int
number0, number1, ...; input int|float; ; const int
-> input float
number0, number1, ...; series int; ; const int
-> series int
number0, number1, ...; simple int|float; ; const int
-> simple float
number0, number1, ...; series int|float; ; const int
-> series float
""",
    "math.pow": """
needs base; exponent
base; const int|float; ; const float
exponent; const int|float; ; const float
-> const float
base; input int|float; ; const float
exponent; input int|float; ; const float
-> input float
base; simple int|float; ; const float
exponent; simple int|float; ; const float
-> simple float
base; series int|float; ; const float
exponent; series int|float; ; const float
-> series float
""",
    "math.random": """
min?; series int|float; 0; series float
max?; series int|float; 1; series float
seed?; series int
-> series float
""",
    "math.round": """
needs number
number; const int|float; ; simple int
-> const int
number; input int|float; ; simple int
-> input int
number; simple int|float; ; simple int
-> simple int
number; series int|float; ; simple int
-> series int
number; const int|float; ; simple int
precision; simple int
-> const float
number; input int|float; ; simple int
precision; simple int
-> input float
number; simple int|float; ; simple int
precision; simple int
-> simple float
number; series int|float; ; simple int
precision; series int
-> series float
""",
    "math.round_to_mintick": """
needs number
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.sign": """
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.sin": """
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.sqrt": """
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.sum": """
needs source; length
history
source; series int|float; ; series float
length; series int
-> series float
""",
    "math.tan": """
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.todegrees": """
needs radians
radians; series int|float; ; series float
-> series float
""",
    "math.toradians": """
needs degrees
degrees; series int|float; ; series float
-> series float
""",
    "matrix.add_col": """
needs id
id; matrix<T>
column?; series int; matrix.columns(id)
array_id?; array<T>
-> void
""",
    "matrix.add_row": """
needs id
id; matrix<T>
row?; series int; matrix.rows(id)
array_id?; array<T>
-> void
""",
    "matrix.avg": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.col": """
needs id; column
id; matrix<T>
column; series int
-> array<T>
""",
    "matrix.columns": """
needs id
id; matrix<T>
-> series int
""",
    "matrix.concat": """
needs id1; id2
id1; matrix<T>
id2; matrix<T>
-> matrix<T>
""",
    "matrix.copy": """
needs id
id; matrix<T>
-> matrix<T>
""",
    "matrix.det": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.diff": """
needs id1; id2
id1; matrix<int>
id2; series int|float|matrix<int>
-> matrix<int>
id1; matrix<(int|float)>
id2; series int|float|matrix<(int|float)>
-> matrix<float>
""",
    "matrix.eigenvalues": """
needs id
id; matrix<(int|float)>
-> array<float>
id; matrix<int>
-> array<int>
""",
    "matrix.eigenvectors": """
needs id
id; matrix<(int|float)>
-> matrix<float>
id; matrix<int>
-> matrix<int>
""",
    "matrix.elements_count": """
needs id
id; matrix<T>
-> series int
""",
    "matrix.fill": """
needs id; value
id; matrix<T>
value; T
from_row?; series int; 0
to_row?; series int; matrix.rows(id)
from_column?; series int; 0
to_column?; series int; matrix.columns(id)
-> void
""",
    "matrix.get": """
needs id; row; column
id; matrix<T>
row; series int
column; series int
-> T
""",
    "matrix.inv": """
needs id
id; matrix<(int|float)>
-> matrix<float>
id; matrix<int>
-> matrix<int>
""",
    "matrix.is_antidiagonal": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_antisymmetric": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_binary": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_diagonal": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_identity": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_square": """
needs id
id; matrix<T>
-> series bool
""",
    "matrix.is_stochastic": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_symmetric": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_triangular": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.is_zero": """
needs id
id; matrix<(int|float)>
-> series bool
""",
    "matrix.kron": """
needs id1; id2
id1; matrix<(int|float)>
id2; matrix<(int|float)>
-> matrix<float>
id1; matrix<int>
id2; matrix<int>
-> matrix<int>
""",
    "matrix.max": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.median": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.min": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.mode": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.mult": """
needs id1; id2
id1; matrix<int>
id2; array<int>
-> array<int>
id1; matrix<(int|float)>
id2; array<(int|float)>
-> array<float>
id1; matrix<int>
id2; series int|float|matrix<int>
-> matrix<int>
id1; matrix<(int|float)>
id2; series int|float|matrix<(int|float)>
-> matrix<float>
""",
    "matrix.new": """
rows?; series int; 0
columns?; series int; 0
initial_value?; T; na
-> matrix<T>
""",
    "matrix.pinv": """
needs id
id; matrix<(int|float)>
-> matrix<float>
id; matrix<int>
-> matrix<int>
""",
    "matrix.pow": """
needs id; power
id; matrix<(int|float)>
power; series int
-> matrix<float>
id; matrix<int>
power; series int
-> matrix<int>
""",
    "matrix.rank": """
needs id
id; matrix<T>
-> series int
""",
    "matrix.remove_col": """
needs id
id; matrix<T>
column?; series int; matrix.columns(id)
-> array<T>
""",
    "matrix.remove_row": """
needs id
id; matrix<T>
row?; series int; matrix.rows(id)
-> array<T>
""",
    "matrix.reshape": """
needs id; rows; columns
id; matrix<T>
rows; series int
columns; series int
-> void
""",
    "matrix.reverse": """
needs id
id; matrix<T>
-> void
""",
    "matrix.row": """
needs id; row
id; matrix<T>
row; series int
-> array<T>
""",
    "matrix.rows": """
needs id
id; matrix<T>
-> series int
""",
    "matrix.set": """
needs id; row; column; value
id; matrix<T>
row; series int
column; series int
value; T
-> void
""",
    "matrix.sort": """
needs id
id; matrix<(int|float|string)>
column?; series int; 0
order?; series sort_order; ; ; order.ascending order.descending
-> void
id; matrix<T>
column?; series int; 0
order?; series sort_order; ; ; order.ascending order.descending
sort_field?; const int|string; 0; const int
-> void
""",
    "matrix.submatrix": """
needs id
id; matrix<T>
from_row?; series int; 0
to_row?; series int; matrix.rows(id)
from_column?; series int; 0
to_column?; series int; matrix.columns(id)
-> matrix<T>
""",
    "matrix.sum": """
needs id1; id2
id1; matrix<int>
id2; series int|float|matrix<int>
-> matrix<int>
id1; matrix<(int|float)>
id2; series int|float|matrix<(int|float)>
-> matrix<float>
""",
    "matrix.swap_columns": """
needs id; column1; column2
id; matrix<T>
column1; series int
column2; series int
-> void
""",
    "matrix.swap_rows": """
needs id; row1; row2
id; matrix<T>
row1; series int
row2; series int
-> void
""",
    "matrix.trace": """
needs id
id; matrix<(int|float)>
-> series float
id; matrix<int>
-> series int
""",
    "matrix.transpose": """
needs id
id; matrix<T>
-> matrix<T>
""",
    "max_bars_back": """
needs var; num
var; series int|float|bool|color|string|label|line|box|linefill|table|polyline; ; ; open high low close volume time
num; const int
-> void
""",
    "minute": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "month": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "na": """
needs x
x; simple int|float; ; simple float
-> simple bool
x; series int|float|color|string|label|line|box|table|linefill|polyline|chart.point|footprint|volume_row|enum|udt|array<any>|matrix<any>|map<any,any>; ; simple float
-> series bool
""",
    "nz": """
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
    "polyline.delete": """
needs id
id; series polyline
-> void
""",
    "polyline.new": """
needs points
points; array<chart.point>
curved?; series bool; false
closed?; series bool; false
xloc?; series string; xloc.bar_index
line_color?; series color; color.blue
fill_color?; series color; na
line_style?; series string; line.style_solid; ; line.style_solid line.style_dotted line.style_dashed line.style_arrow_left line.style_arrow_right line.style_arrow_both
line_width?; series int; 1
force_overlay?; const bool; false
-> series polyline
""",
    "request.currency_rate": """
needs from; to
from; series string
to; series string
ignore_invalid_currency?; series bool; false
-> series float
""",
    "request.dividends": """
needs ticker
ticker; series string
field?; series string; dividends.gross; ; dividends.net dividends.gross
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
-> series float
""",
    "request.earnings": """
needs ticker
ticker; series string
field?; series string; earnings.actual; ; earnings.actual earnings.estimate earnings.standardized
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
-> series float
""",
    "request.economic": """
needs country_code; field
country_code; series string
field; series string
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_off barmerge.gaps_on
ignore_invalid_symbol?; input bool; false
-> series float
""",
    "request.financial": """
needs symbol; financial_id; period
symbol; series string
financial_id; series string
period; series string; ; ; TTM FY FQ FH D
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
-> series float
""",
    "request.footprint": """
needs ticks_per_row
ticks_per_row; simple int
va_percent?; simple int|float; 70
imbalance_percent?; simple int|float; 300
-> footprint
""",
    "request.quandl": """
needs ticker
ticker; series string
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
index?; series int
ignore_invalid_symbol?; input bool; false
-> series float
""",
    "request.security": """
needs symbol; timeframe; expression
symbol; series string
timeframe; series string
expression; any
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
calc_bars_count?; simple int
-> series typeof expression
""",
    "request.security_lower_tf": """
needs symbol; timeframe; expression
symbol; series string
timeframe; series string
expression; any
ignore_invalid_symbol?; series bool; false
currency?; series string; syminfo.currency
ignore_invalid_timeframe?; series bool; false
calc_bars_count?; simple int
-> array<typeof expression>
""",
    "request.seed": """
needs source; symbol; expression
source; series string
symbol; series string
expression; any
ignore_invalid_symbol?; input bool; false
calc_bars_count?; simple int
-> series typeof expression
""",
    "request.splits": """
needs ticker; field
ticker; series string
field; series string; ; ; splits.denominator splits.numerator
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
-> series float
""",
    "runtime.error": """
needs message
message; series string
-> void
""",
    "second": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "str.contains": """
needs source; str
source; const string
str; const string
-> const bool
source; simple string
str; simple string
-> simple bool
source; series string
str; series string
-> series bool
""",
    "str.endswith": """
needs source; str
source; const string
str; const string
-> const bool
source; simple string
str; simple string
-> simple bool
source; series string
str; series string
-> series bool
""",
    "str.format": """
needs formatString; arg0, arg1, ...
variadic 1
formatString; simple string
arg0, arg1, ...; simple int|float|bool|string
-> simple string
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> series string
""",
    "str.format_time": """
needs time
time; series int
format?; series string; "yyyy-MM-dd'T'HH:mm:ssZ"
timezone?; series string; syminfo.timezone
-> series string
""",
    "str.length": """
needs string
string; const string
-> const int
string; simple string
-> simple int
string; series string
-> series int
""",
    "str.lower": """
needs source
source; const string
-> const string
source; simple string
-> simple string
source; series string
-> series string
""",
    "str.match": """
needs source; regex
source; simple string
regex; simple string
-> simple string
source; series string
regex; series string
-> series string
""",
    "str.pos": """
needs source; str
source; const string
str; const string
-> const int
source; simple string
str; simple string
-> simple int
source; series string
str; series string
-> series int
""",
    "str.repeat": """
needs source; repeat
source; const string
repeat; const int
separator?; const string; ""
-> const string
source; input string
repeat; input int
separator?; input string; ""
-> input string
source; simple string
repeat; simple int
separator?; simple string; ""
-> simple string
source; series string
repeat; series int
separator?; series string; ""
-> series string
""",
    "str.replace": """
needs source; target; replacement
source; const string
target; const string
replacement; const string
occurrence?; const int; 0
-> const string
source; simple string
target; simple string
replacement; simple string
occurrence?; simple int; 0
-> simple string
source; series string
target; series string
replacement; series string
occurrence?; series int; 0
-> series string
""",
    "str.replace_all": """
needs source; target; replacement
source; simple string
target; simple string
replacement; simple string
-> simple string
source; series string
target; series string
replacement; series string
-> series string
""",
    "str.split": """
needs string; separator
string; series string
separator; series string
-> array<string>
""",
    "str.startswith": """
needs source; str
source; const string
str; const string
-> const bool
source; simple string
str; simple string
-> simple bool
source; series string
str; series string
-> series bool
""",
    "str.substring": """
needs source; begin_pos
source; const string
begin_pos; const int
end_pos?; const int; str.length(source)
-> const string
source; simple string
begin_pos; simple int
end_pos?; simple int; str.length(source)
-> simple string
source; series string
begin_pos; series int
end_pos?; series int; str.length(source)
-> series string
""",
    "str.tonumber": """
needs string
string; const string
-> const float
string; input string
-> input float
string; simple string
-> simple float
string; series string
-> series float
""",
    "str.tostring": """
needs value
value; const enum; ; simple float
-> const string
value; simple int|float; ; simple float
format?; simple string; "#.##########"
-> simple string
value; series int|float|array<(int|float)>|matrix<(int|float)>; ; simple float
format?; series string; "#.##########"
-> series string
value; simple int|float|bool|string|enum; ; series float
-> simple string
value; series int|float|bool|string|enum|array<(int|float|bool|string)>|matrix<(int|float|bool|string)>; ; series float
-> series string
""",
    "str.trim": """
needs source
source; const string
-> const string
source; input string
-> input string
source; simple string
-> simple string
source; series string
-> series string
""",
    "str.upper": """
needs source
source; const string
-> const string
source; simple string
-> simple string
source; series string
-> series string
""",
    "strategy": """
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
    "strategy.cancel": """
needs id
id; series string
-> void
""",
    "strategy.cancel_all": """
-> void
""",
    "strategy.close": """
needs id
id; series string
comment?; series string; ""
qty?; series int|float; na
qty_percent?; series int|float; 100
alert_message?; series string; ""
immediately?; series bool; false
disable_alert?; series bool; false
-> void
""",
    "strategy.close_all": """
comment?; series string; ""
alert_message?; series string; ""
immediately?; series bool; false
disable_alert?; series bool; false
-> void
""",
    "strategy.closedtrades.commission": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.entry_bar_index": """
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.entry_comment": """
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.entry_id": """
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.entry_price": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.entry_time": """
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.exit_bar_index": """
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.exit_comment": """
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.exit_id": """
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.exit_price": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.exit_time": """
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.max_drawdown": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.max_drawdown_percent": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.max_runup": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.max_runup_percent": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.profit": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.profit_percent": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.size": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.convert_to_account": """
needs value
value; series int|float
-> series float
""",
    "strategy.convert_to_symbol": """
needs value
value; series int|float
-> series float
""",
    "strategy.default_entry_qty": """
needs fill_price
fill_price; series int|float
-> series float
""",
    "strategy.entry": """
needs id; direction
id; series string
direction; series strategy_direction; ; ; strategy.long strategy.short
qty?; series int|float; na
limit?; series int|float; na
stop?; series int|float; na
oca_name?; series string; ""
oca_type?; input string; strategy.oca.none; ; strategy.oca.none strategy.oca.cancel strategy.oca.reduce
comment?; series string; ""
alert_message?; series string; ""
disable_alert?; series bool; false
-> void
""",
    "strategy.exit": """
needs id
id; series string
from_entry?; series string; ""
qty?; series int|float; na
qty_percent?; series int|float; 100
profit?; series int|float; na
limit?; series int|float; na
loss?; series int|float; na
stop?; series int|float; na
trail_price?; series int|float; na
trail_points?; series int|float; na
trail_offset?; series int|float; na
oca_name?; series string; ""
comment?; series string; ""
comment_profit?; series string; ""
comment_loss?; series string; ""
comment_trailing?; series string; ""
alert_message?; series string; ""
alert_profit?; series string; ""
alert_loss?; series string; ""
alert_trailing?; series string; ""
disable_alert?; series bool; false
-> void
""",
    "strategy.opentrades.commission": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.entry_bar_index": """
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.opentrades.entry_comment": """
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.opentrades.entry_id": """
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.opentrades.entry_price": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.entry_time": """
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.opentrades.max_drawdown": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.max_drawdown_percent": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.max_runup": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.max_runup_percent": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.profit": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.profit_percent": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.size": """
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.order": """
needs id; direction
id; series string
direction; series strategy_direction; ; ; strategy.long strategy.short
qty?; series int|float; na
limit?; series int|float; na
stop?; series int|float; na
oca_name?; series string; ""
oca_type?; input string; strategy.oca.none; ; strategy.oca.none strategy.oca.cancel strategy.oca.reduce
comment?; series string; ""
alert_message?; series string; ""
disable_alert?; series bool; false
-> void
""",
    "strategy.risk.allow_entry_in": """
needs value
global
value; simple string; ; ; strategy.direction.all strategy.direction.long strategy.direction.short
-> void
""",
    "strategy.risk.max_cons_loss_days": """
needs count
global
count; simple int
alert_message?; simple string
-> void
""",
    "strategy.risk.max_drawdown": """
needs value; type
global
value; simple int|float
type; simple string
alert_message?; simple string
-> void
""",
    "strategy.risk.max_intraday_filled_orders": """
needs count
global
count; simple int
alert_message?; simple string
-> void
""",
    "strategy.risk.max_intraday_loss": """
needs value; type
global
value; simple int|float
type; simple string
alert_message?; simple string
-> void
""",
    "strategy.risk.max_position_size": """
needs contracts
global
contracts; simple int|float
-> void
""",
    "string": """
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
    "syminfo.prefix": """
needs symbol
symbol; simple string
-> simple string
symbol; series string
-> series string
""",
    "syminfo.ticker": """
needs symbol
symbol; simple string
-> simple string
symbol; series string
-> series string
""",
    "ta.alma": """
needs series; length; offset; sigma
history
series; series int|float
length; series int
offset; simple int|float
sigma; simple int|float
floor?; simple bool; false
-> series float
""",
    "ta.atr": """
needs length
history
length; simple int
-> series float
""",
    "ta.barssince": """
needs condition
history
condition; series bool
-> series int
""",
    "ta.bb": """
needs series; length; mult
history
series; series int|float
length; series int
mult; simple int|float
-> [series float, series float, series float]
""",
    "ta.bbw": """
needs series; length; mult
history
series; series int|float
length; series int
mult; simple int|float
-> series float
""",
    "ta.cci": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.change": """
needs source
history
source; series int
length?; series int; 1
-> series int
source; series int|float
length?; series int; 1
-> series float
source; series bool
length?; series int; 1
-> series bool
""",
    "ta.cmo": """
needs series; length
history
series; series int|float
length; series int
-> series float
""",
    "ta.cog": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.correlation": """
needs source1; source2; length
history
source1; series int|float
source2; series int|float
length; series int
-> series float
""",
    "ta.cross": """
needs source1; source2
history
source1; series int|float
source2; series int|float
-> series bool
""",
    "ta.crossover": """
needs source1; source2
history
source1; series int|float
source2; series int|float
-> series bool
""",
    "ta.crossunder": """
needs source1; source2
history
source1; series int|float
source2; series int|float
-> series bool
""",
    "ta.cum": """
needs source
history
source; series int|float
-> series float
""",
    "ta.dev": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.dmi": """
needs diLength; adxSmoothing
history
diLength; simple int
adxSmoothing; simple int
-> [series float, series float, series float]
""",
    "ta.ema": """
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.falling": """
needs source; length
history
source; series int|float
length; series int
-> series bool
""",
    "ta.highest": """
needs length
history
length; series int; ; simple int
-> series float
source; series int|float
length; series int; ; simple int
-> series float
""",
    "ta.highestbars": """
needs length
history
length; series int
-> series int
source; series int|float
length; series int
-> series int
""",
    "ta.hma": """
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.kc": """
needs series; length; mult
history
series; series int|float
length; simple int
mult; simple int|float
useTrueRange?; simple bool; true
-> [series float, series float, series float]
""",
    "ta.kcw": """
needs series; length; mult
history
series; series int|float
length; simple int
mult; simple int|float
useTrueRange?; simple bool; true
-> series float
""",
    "ta.linreg": """
needs source; length; offset
history
source; series int|float
length; series int
offset; simple int
-> series float
""",
    "ta.lowest": """
needs length
history
length; series int; ; simple int
-> series float
source; series int|float
length; series int; ; simple int
-> series float
""",
    "ta.lowestbars": """
needs length
history
length; series int
-> series int
source; series int|float
length; series int
-> series int
""",
    "ta.macd": """
needs source; fastlen; slowlen; siglen
history
source; series int|float
fastlen; simple int
slowlen; simple int
siglen; simple int
-> [series float, series float, series float]
""",
    "ta.max": """
needs source
history
source; series int|float
-> series float
""",
    "ta.median": """
needs source; length
history
source; series int
length; series int
-> series int
source; series int|float
length; series int
-> series float
""",
    "ta.mfi": """
needs series; length
history
series; series int|float
length; series int
-> series float
""",
    "ta.min": """
needs source
history
source; series int|float
-> series float
""",
    "ta.mode": """
needs source; length
history
source; series int
length; series int
-> series int
source; series int|float
length; series int
-> series float
""",
    "ta.mom": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.percentile_linear_interpolation": """
needs source; length; percentage
history
source; series int|float
length; series int
percentage; simple int|float
-> series float
""",
    "ta.percentile_nearest_rank": """
needs source; length; percentage
history
source; series int|float
length; series int
percentage; simple int|float
-> series float
""",
    "ta.percentrank": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.pivot_point_levels": """
needs type; anchor
history
type; series string; ; ; Traditional Fibonacci Woodie Classic DM Camarilla
anchor; series bool
developing?; series bool; false
-> array<float>
""",
    "ta.pivothigh": """
needs leftbars; rightbars
history
leftbars; series int|float
rightbars; series int|float
-> series float
source; series int|float
leftbars; series int|float
rightbars; series int|float
-> series float
""",
    "ta.pivotlow": """
needs leftbars; rightbars
history
leftbars; series int|float
rightbars; series int|float
-> series float
source; series int|float
leftbars; series int|float
rightbars; series int|float
-> series float
""",
    "ta.range": """
needs source; length
history
source; series int
length; series int
-> series int
source; series int|float
length; series int
-> series float
""",
    "ta.rci": """
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.rising": """
needs source; length
history
source; series int|float
length; series int
-> series bool
""",
    "ta.rma": """
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.roc": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.rsi": """
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.sar": """
needs start; inc; max
history
start; simple int|float
inc; simple int|float
max; simple int|float
-> series float
""",
    "ta.sma": """
needs source; length
history
source; series int|float
length; series int; ; series int
-> series float
""",
    "ta.stdev": """
needs source; length
history
source; series int|float
length; series int
biased?; series bool; true
-> series float
""",
    "ta.stoch": """
needs source; high; low; length
history
source; series int|float
high; series int|float
low; series int|float
length; series int
-> series float
""",
    "ta.supertrend": """
needs factor; atrPeriod
history
factor; series int|float
atrPeriod; simple int
-> [series float, series float]
""",
    "ta.swma": """
needs source
history
source; series int|float
-> series float
""",
    "ta.tr": """
needs handle_na
history
handle_na; simple bool
-> series float
""",
    "ta.tsi": """
needs source; short_length; long_length
history
source; series int|float
short_length; simple int
long_length; simple int
-> series float
""",
    "ta.valuewhen": """
needs condition; source; occurrence
history
condition; series bool
source; series color
occurrence; simple int
-> series color
condition; series bool
source; series int
occurrence; simple int
-> series int
condition; series bool
source; series int|float
occurrence; simple int
-> series float
condition; series bool
source; series bool
occurrence; simple int
-> series bool
""",
    "ta.variance": """
needs source; length
history
source; series int|float
length; series int
biased?; series bool; true
-> series float
""",
    "ta.vwap": """
needs source
history
source; series int|float
anchor?; series bool; timeframe.change("1D")
-> series float
source; series int|float
anchor; series bool
stdev_mult; series int|float
-> [series float, series float, series float]
""",
    "ta.vwma": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.wma": """
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.wpr": """
needs length
history
length; series int
-> series float
""",
    "table": """
needs x
x; series table
-> series table
""",
    "table.cell": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
text?; series string; ""
width?; series int|float
height?; series int|float
text_color?; series color; color.black
text_halign?; series string; text.align_center; ; text.align_left text.align_center text.align_right
text_valign?; series string; text.align_center; ; text.align_top text.align_center text.align_bottom
text_size?; series int|string; size.normal; series string
bgcolor?; series color; na
tooltip?; series string
text_font_family?; series string; font.family_default; ; font.family_default font.family_monospace
text_formatting?; series text_format; text.format_none; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "table.cell_set_bgcolor": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
bgcolor?; series color
-> void
""",
    "table.cell_set_height": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
height?; series int|float
-> void
""",
    "table.cell_set_text": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
text?; series string
-> void
""",
    "table.cell_set_text_color": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_color?; series color
-> void
""",
    "table.cell_set_text_font_family": """
needs table_id; column; row; text_font_family
table_id; series table
column; series int
row; series int
text_font_family; series string; ; ; font.family_default font.family_monospace
-> void
""",
    "table.cell_set_text_formatting": """
needs table_id; column; row; text_formatting
table_id; series table
column; series int
row; series int
text_formatting; series text_format; ; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "table.cell_set_text_halign": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_halign?; series string; ; ; text.align_left text.align_center text.align_right
-> void
""",
    "table.cell_set_text_size": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_size?; series int|string; size.normal; series string
-> void
""",
    "table.cell_set_text_valign": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_valign?; series string; ; ; text.align_top text.align_center text.align_bottom
-> void
""",
    "table.cell_set_tooltip": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
tooltip?; series string
-> void
""",
    "table.cell_set_width": """
needs table_id; column; row
table_id; series table
column; series int
row; series int
width?; series int|float
-> void
""",
    "table.clear": """
needs table_id; start_column; start_row
table_id; series table
start_column; series int
start_row; series int
end_column?; series int; start_column
end_row?; series int; start_row
-> void
""",
    "table.delete": """
needs table_id
table_id; series table
-> void
""",
    "table.merge_cells": """
needs table_id; start_column; start_row; end_column; end_row
table_id; series table
start_column; series int
start_row; series int
end_column; series int
end_row; series int
-> void
""",
    "table.new": """
needs position; columns; rows
position; series string; ; ; position.top_left position.top_center position.top_right position.middle_left position.middle_center position.middle_right position.bottom_left position.bottom_center position.bottom_right
columns; series int
rows; series int
bgcolor?; series color; na
frame_color?; series color; na
frame_width?; series int; 0
border_color?; series color; na
border_width?; series int; 0
force_overlay?; const bool; false
-> series table
""",
    "table.set_bgcolor": """
needs table_id
table_id; series table
bgcolor?; series color; na
-> void
""",
    "table.set_border_color": """
needs table_id
table_id; series table
border_color?; series color; na
-> void
""",
    "table.set_border_width": """
needs table_id
table_id; series table
border_width?; series int; 0
-> void
""",
    "table.set_frame_color": """
needs table_id
table_id; series table
frame_color?; series color; na
-> void
""",
    "table.set_frame_width": """
needs table_id
table_id; series table
frame_width?; series int; 0
-> void
""",
    "table.set_position": """
needs table_id; position
table_id; series table
position; series string; ; ; position.top_left position.top_center position.top_right position.middle_left position.middle_center position.middle_right position.bottom_left position.bottom_center position.bottom_right
-> void
""",
    "ticker.heikinashi": """
needs symbol
symbol; simple string
-> simple string
symbol; series string
-> series string
""",
    "ticker.inherit": """
needs from_tickerid; symbol
from_tickerid; simple string
symbol; simple string
-> simple string
from_tickerid; series string
symbol; series string
-> series string
""",
    "ticker.kagi": """
needs symbol; reversal
symbol; simple string
reversal; simple int|float
-> simple string
symbol; series string
reversal; series int|float
-> series string
symbol; simple string
param; simple int|float
style; series string; ; ; ATR Traditional PercentageLTP
-> simple string
symbol; series string
param; series int|float
style; series string; ; ; ATR Traditional PercentageLTP
-> series string
""",
    "ticker.linebreak": """
needs symbol; number_of_lines
symbol; simple string
number_of_lines; simple int
-> simple string
symbol; series string
number_of_lines; series int
-> series string
""",
    "ticker.modify": """
needs tickerid
tickerid; simple string
session?; simple string; ; ; session.regular session.extended syminfo.session
adjustment?; simple string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> simple string
tickerid; series string
session?; series string; ; ; session.regular session.extended syminfo.session
adjustment?; series string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> series string
""",
    "ticker.new": """
needs prefix; ticker
prefix; simple string
ticker; simple string
session?; simple string; ; ; session.regular session.extended syminfo.session
adjustment?; simple string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> simple string
prefix; series string
ticker; series string
session?; series string; ; ; session.regular session.extended syminfo.session
adjustment?; series string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> series string
""",
    "ticker.pointfigure": """
needs symbol; source; style; param; reversal
symbol; simple string
source; simple string; ; ; hl close
style; simple string; ; ; ATR Traditional PercentageLTP
param; simple int|float
reversal; simple int
-> simple string
symbol; series string
source; series string; ; ; hl close
style; series string; ; ; ATR Traditional PercentageLTP
param; series int|float
reversal; series int
-> series string
""",
    "ticker.renko": """
needs symbol; style; param
symbol; simple string
style; simple string; ; ; ATR Traditional PercentageLTP
param; simple int|float
request_wicks?; simple bool; false
source?; simple string; "Close"; ; Close OHLC
-> simple string
symbol; series string
style; series string; ; ; ATR Traditional PercentageLTP
param; series int|float
request_wicks?; series bool; false
source?; series string; "Close"; ; Close OHLC
-> series string
""",
    "ticker.standard": """
symbol?; simple string; syminfo.tickerid
-> simple string
symbol?; series string; syminfo.tickerid
-> series string
""",
    "time": """
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
    "timeframe.change": """
timeframe?; series string
-> series bool
""",
    "timeframe.from_seconds": """
needs seconds
seconds; simple int
-> simple string
seconds; series int
-> series string
""",
    "timeframe.in_seconds": """
timeframe?; simple string; timeframe.period
-> simple int
timeframe?; series string; timeframe.period
-> series int
""",
    "timestamp": """
needs dateString
dateString; const string
-> const int
dateString; series string
-> series int
year; simple int
month; simple int
day; simple int
hour?; simple int
minute?; simple int
second?; simple int
-> simple int
year; series int
month; series int
day; series int
hour?; series int
minute?; series int
second?; series int
-> series int
timezone; simple string
year; simple int
month; simple int
day; simple int
hour?; simple int
minute?; simple int
second?; simple int
-> simple int
timezone; series string
year; series int
month; series int
day; series int
hour?; series int
minute?; series int
second?; series int
-> series int
""",
    "volume_row.buy_volume": """
needs id
id; volume_row
-> series float
""",
    "volume_row.delta": """
needs id
id; volume_row
-> series float
""",
    "volume_row.down_price": """
needs id
id; volume_row
-> series float
""",
    "volume_row.has_buy_imbalance": """
needs id
id; volume_row
-> series bool
""",
    "volume_row.has_sell_imbalance": """
needs id
id; volume_row
-> series bool
""",
    "volume_row.sell_volume": """
needs id
id; volume_row
-> series float
""",
    "volume_row.total_volume": """
needs id
id; volume_row
-> series float
""",
    "volume_row.up_price": """
needs id
id; volume_row
-> series float
""",
    "weekofyear": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
    "year": """
needs time
time; series int
timezone?; series string; syminfo.timezone
-> series int
""",
}
