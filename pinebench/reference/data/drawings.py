"""Boxes, labels, lines, linefills, polylines, tables, and `chart`.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "box.copy": """
says Makes a copy of the box.
reads object
changes drawings
needs id
id; series box
-> series box
""",
    "box.delete": """
says Removes the box from the chart.
changes object drawings
used 18
often id
needs id
id; series box
-> void
""",
    "box.get_bottom": """
says Gives the price of the bottom edge.
reads object
used 2
needs id
id; series box
-> series float
""",
    "box.get_left": """
says Gives the bar index or time of the left edge.
reads object
needs id
id; series box
-> series int
""",
    "box.get_right": """
says Gives the bar index or time of the right edge.
reads object
needs id
id; series box
-> series int
""",
    "box.get_top": """
says Gives the price of the top edge.
reads object
used 2
needs id
id; series box
-> series float
""",
    "box.new": """
says Draws a box between two corners.
changes drawings
traits limited
places left right
used 41
often bgcolor border_color border_width xloc bottom left right top text text_color text_halign extend force_overlay text_size text_valign
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
says Sets the color of the background.
changes object drawings
used 5
needs id; color
id; series box
color; series color
-> void
""",
    "box.set_border_color": """
says Sets the color of the border.
changes object drawings
used 2
needs id; color
id; series box
color; series color
-> void
""",
    "box.set_border_style": """
says Sets the line style of the border.
changes object drawings
needs id; style
id; series box
style; series string
-> void
""",
    "box.set_border_width": """
says Sets the width of the border in pixels.
changes object drawings
needs id; width
id; series box
width; series int
-> void
""",
    "box.set_bottom": """
says Sets the price of the bottom edge.
changes object drawings
used 4
needs id; bottom
id; series box
bottom; series int|float
-> void
""",
    "box.set_bottom_right_point": """
says Moves the lower right corner to a point.
changes object drawings
needs id; point
id; series box
point; chart.point
-> void
""",
    "box.set_extend": """
says Sets in which directions the box is extended.
changes object drawings
needs id; extend
id; series box
extend; series string
-> void
""",
    "box.set_left": """
says Sets the bar index or time of the left edge.
changes object drawings
places left
used 2
needs id; left
id; series box
left; series int
-> void
""",
    "box.set_lefttop": """
says Moves the upper left corner.
changes object drawings
used 2
needs id; left; top
id; series box
left; series int
top; series int|float
-> void
""",
    "box.set_right": """
says Sets the bar index or time of the right edge.
changes object drawings
places right
used 8
needs id; right
id; series box
right; series int
-> void
""",
    "box.set_rightbottom": """
says Moves the lower right corner.
changes object drawings
places right
used 2
needs id; right; bottom
id; series box
right; series int
bottom; series int|float
-> void
""",
    "box.set_text": """
says Sets the text in the box.
changes object drawings
needs id; text
id; series box
text; series string
-> void
""",
    "box.set_text_color": """
says Sets the color of the text.
changes object drawings
needs id; text_color
id; series box
text_color; series color
-> void
""",
    "box.set_text_font_family": """
says Sets the font of the text.
changes object drawings
needs id; text_font_family
id; series box
text_font_family; series string; ; ; font.family_default font.family_monospace
-> void
""",
    "box.set_text_formatting": """
says Makes the text bold, italic or plain.
changes object drawings
needs id; text_formatting
id; series box
text_formatting; series text_format; ; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "box.set_text_halign": """
says Sets the horizontal alignment of the text.
changes object drawings
needs id; text_halign
id; series box
text_halign; series string; ; ; text.align_left text.align_center text.align_right
-> void
""",
    "box.set_text_size": """
says Sets the size of the text.
changes object drawings
needs id; text_size
id; series box
text_size; series int|string; ; series string
-> void
""",
    "box.set_text_valign": """
says Sets the vertical alignment of the text.
changes object drawings
needs id; text_valign
id; series box
text_valign; series string; ; ; text.align_top text.align_center text.align_bottom
-> void
""",
    "box.set_text_wrap": """
says Sets whether long lines of the text are wrapped.
changes object drawings
needs id; text_wrap
id; series box
text_wrap; series string; ; ; text.wrap_none text.wrap_auto
-> void
""",
    "box.set_top": """
says Sets the price of the top edge.
changes object drawings
used 4
needs id; top
id; series box
top; series int|float
-> void
""",
    "box.set_top_left_point": """
says Moves the upper left corner to a point.
changes object drawings
needs id; point
id; series box
point; chart.point
-> void
""",
    "box.set_xloc": """
says Sets the horizontal edges and whether they are bar indices or times.
changes object drawings
needs id; left; right; xloc
id; series box
left; series int
right; series int
xloc; series string; ; ; xloc.bar_index xloc.bar_time
-> void
""",
    "chart.point.copy": """
says Makes a new point with the same coordinates.
reads object
needs id
id; chart.point
-> chart.point
""",
    "chart.point.from_index": """
says Makes a point from a bar index and a price.
pure
places index
used 8
needs index; price
index; series int
price; series int|float
-> chart.point
""",
    "chart.point.from_time": """
says Makes a point from a time and a price.
pure
needs time; price
time; series int
price; series int|float
-> chart.point
""",
    "chart.point.new": """
says Makes a point from a time, a bar index and a price.
pure
used 12
needs time; index; price
time; series int
index; series int
price; series int|float
-> chart.point
""",
    "chart.point.now": """
says Makes a point on the current bar at a price.
reads bars
used 5
price?; series int|float; close
-> chart.point
""",
    "label.copy": """
says Makes a copy of the label.
reads object
changes drawings
needs id
id; series label
-> series label
""",
    "label.delete": """
says Removes the label from the chart.
changes object drawings
used 31
often id
needs id
id; series label
-> void
""",
    "label.get_text": """
says Gives the text of the label.
reads object
needs id
id; series label
-> series string
""",
    "label.get_x": """
says Gives the bar index or time of the label.
reads object
needs id
id; series label
-> series int
""",
    "label.get_y": """
says Gives the price of the label.
reads object
needs id
id; series label
-> series float
""",
    "label.new": """
says Draws a label at a point.
changes drawings
traits limited
places x
used 250
often style color textcolor size text yloc tooltip xloc x y force_overlay textalign text_font_family
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
says Sets the color of the label and its arrow.
changes object drawings
needs id; color
id; series label
color; series color
-> void
""",
    "label.set_point": """
says Moves the label to a point.
changes object drawings
needs id; point
id; series label
point; chart.point
-> void
""",
    "label.set_size": """
says Sets the size of the label.
changes object drawings
needs id; size
id; series label
size; series int|string; ; series string
-> void
""",
    "label.set_style": """
says Sets the shape of the label.
changes object drawings
used 3
often id style
needs id; style
id; series label
style; series string; ; ; label.style_none label.style_xcross label.style_cross label.style_triangleup label.style_triangledown label.style_flag label.style_circle label.style_arrowup label.style_arrowdown label.style_label_up label.style_label_down label.style_label_left label.style_label_right label.style_label_lower_left label.style_label_lower_right label.style_label_upper_left label.style_label_upper_right label.style_label_center label.style_square label.style_diamond label.style_text_outline
-> void
""",
    "label.set_text": """
says Sets the text of the label.
changes object drawings
used 16
often id text
needs id; text
id; series label
text; series string
-> void
""",
    "label.set_text_font_family": """
says Sets the font of the text.
changes object drawings
needs id; text_font_family
id; series label
text_font_family; series string; ; ; font.family_default font.family_monospace
-> void
""",
    "label.set_text_formatting": """
says Makes the text bold, italic or plain.
changes object drawings
needs id; text_formatting
id; series label
text_formatting; series text_format; ; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "label.set_textalign": """
says Sets the alignment of the text.
changes object drawings
needs id; textalign
id; series label
textalign; series string; ; ; text.align_left text.align_center text.align_right
-> void
""",
    "label.set_textcolor": """
says Sets the color of the text.
changes object drawings
used 8
often id textcolor
needs id; textcolor
id; series label
textcolor; series color
-> void
""",
    "label.set_tooltip": """
says Sets the text shown while the pointer is over the label.
changes object drawings
needs id; tooltip
id; series label
tooltip; series string
-> void
""",
    "label.set_x": """
says Sets the bar index or time of the label.
changes object drawings
places x
needs id; x
id; series label
x; series int
-> void
""",
    "label.set_xloc": """
says Sets the x coordinate and whether it is a bar index or a time.
changes object drawings
needs id; x; xloc
id; series label
x; series int
xloc; series string
-> void
""",
    "label.set_xy": """
says Sets both coordinates of the label.
changes object drawings
places x
used 16
often id x y
needs id; x; y
id; series label
x; series int
y; series int|float
-> void
""",
    "label.set_y": """
says Sets the price of the label.
changes object drawings
needs id; y
id; series label
y; series int|float
-> void
""",
    "label.set_yloc": """
says Sets whether the label is at its price or above or below the bar.
changes object drawings
needs id; yloc
id; series label
yloc; series string
-> void
""",
    "line.copy": """
says Makes a copy of the line.
reads object
changes drawings
needs id
id; series line
-> series line
""",
    "line.delete": """
says Removes the line from the chart.
changes object drawings
used 35
often id
needs id
id; series line
-> void
""",
    "line.get_price": """
says Gives the price of the line at a bar index.
reads object
used 3
needs id; x
id; series line
x; series int
-> series float
""",
    "line.get_x1": """
says Gives the bar index or time of the first end.
reads object
needs id
id; series line
-> series int
""",
    "line.get_x2": """
says Gives the bar index or time of the second end.
reads object
needs id
id; series line
-> series int
""",
    "line.get_y1": """
says Gives the price of the first end.
reads object
needs id
id; series line
-> series float
""",
    "line.get_y2": """
says Gives the price of the second end.
reads object
needs id
id; series line
-> series float
""",
    "line.new": """
says Draws a line between two points.
changes drawings
traits limited
places x1 x2
used 117
often color style width extend xloc x1 x2 y1 y2 force_overlay
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
says Sets the color of the line.
changes object drawings
needs id; color
id; series line
color; series color
-> void
""",
    "line.set_extend": """
says Sets in which directions the line is extended.
changes object drawings
needs id; extend
id; series line
extend; series string
-> void
""",
    "line.set_first_point": """
says Moves the first end to a point.
changes object drawings
needs id; point
id; series line
point; chart.point
-> void
""",
    "line.set_second_point": """
says Moves the second end to a point.
changes object drawings
needs id; point
id; series line
point; chart.point
-> void
""",
    "line.set_style": """
says Sets the style of the line.
changes object drawings
needs id; style
id; series line
style; series string
-> void
""",
    "line.set_width": """
says Sets the width of the line in pixels.
changes object drawings
needs id; width
id; series line
width; series int
-> void
""",
    "line.set_x1": """
says Sets the bar index or time of the first end.
changes object drawings
places x
needs id; x
id; series line
x; series int
-> void
""",
    "line.set_x2": """
says Sets the bar index or time of the second end.
changes object drawings
places x
used 6
needs id; x
id; series line
x; series int
-> void
""",
    "line.set_xloc": """
says Sets both x coordinates and whether they are bar indices or times.
changes object drawings
needs id; x1; x2; xloc
id; series line
x1; series int
x2; series int
xloc; series string
-> void
""",
    "line.set_xy1": """
says Moves the first end.
changes object drawings
places x
used 4
needs id; x; y
id; series line
x; series int
y; series int|float
-> void
""",
    "line.set_xy2": """
says Moves the second end.
changes object drawings
places x
used 4
needs id; x; y
id; series line
x; series int
y; series int|float
-> void
""",
    "line.set_y1": """
says Sets the price of the first end.
changes object drawings
needs id; y
id; series line
y; series int|float
-> void
""",
    "line.set_y2": """
says Sets the price of the second end.
changes object drawings
needs id; y
id; series line
y; series int|float
-> void
""",
    "linefill.delete": """
says Removes the fill from the chart.
changes object drawings
needs id
id; series linefill
-> void
""",
    "linefill.get_line1": """
says Gives the first line of the fill.
reads object
needs id
id; series linefill
-> series line
""",
    "linefill.get_line2": """
says Gives the second line of the fill.
reads object
needs id
id; series linefill
-> series line
""",
    "linefill.new": """
says Fills the space between two lines.
changes drawings
used 11
often color
needs line1; line2; color
line1; series line
line2; series line
color; series color
-> series linefill
""",
    "linefill.set_color": """
says Sets the color of the fill.
changes object drawings
needs id; color
id; series linefill
color; series color
-> void
""",
    "polyline.delete": """
says Removes the polyline from the chart.
changes object drawings
used 2
needs id
id; series polyline
-> void
""",
    "polyline.new": """
says Draws a line or a curve through an array of points.
changes drawings
traits limited
used 4
often line_color curved line_width fill_color
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
    "table.cell": """
says Defines a cell with its text and looks.
changes object drawings
rule text_size
used 260
often text_color text_size bgcolor text_halign text column row table_id text_valign tooltip text_font_family height width
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
says Sets the background color of a cell.
changes object drawings
used 2
often bgcolor column row table_id
needs table_id; column; row
table_id; series table
column; series int
row; series int
bgcolor?; series color
-> void
""",
    "table.cell_set_height": """
says Sets the height of a cell in percent of the pane.
changes object drawings
needs table_id; column; row
table_id; series table
column; series int
row; series int
height?; series int|float
-> void
""",
    "table.cell_set_text": """
says Sets the text of a cell.
changes object drawings
used 2
often column row table_id text
needs table_id; column; row
table_id; series table
column; series int
row; series int
text?; series string
-> void
""",
    "table.cell_set_text_color": """
says Sets the text color of a cell.
changes object drawings
used 2
often column row table_id text_color
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_color?; series color
-> void
""",
    "table.cell_set_text_font_family": """
says Sets the font of a cell's text.
changes object drawings
needs table_id; column; row; text_font_family
table_id; series table
column; series int
row; series int
text_font_family; series string; ; ; font.family_default font.family_monospace
-> void
""",
    "table.cell_set_text_formatting": """
says Makes a cell's text bold, italic or plain.
changes object drawings
needs table_id; column; row; text_formatting
table_id; series table
column; series int
row; series int
text_formatting; series text_format; ; ; text.format_none text.format_bold text.format_italic
-> void
""",
    "table.cell_set_text_halign": """
says Sets the horizontal alignment of a cell's text.
changes object drawings
used 2
often column row table_id text_halign
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_halign?; series string; ; ; text.align_left text.align_center text.align_right
-> void
""",
    "table.cell_set_text_size": """
says Sets the size of a cell's text.
changes object drawings
rule text_size
used 2
often column row table_id text_size
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_size?; series int|string; size.normal; series string
-> void
""",
    "table.cell_set_text_valign": """
says Sets the vertical alignment of a cell's text.
changes object drawings
needs table_id; column; row
table_id; series table
column; series int
row; series int
text_valign?; series string; ; ; text.align_top text.align_center text.align_bottom
-> void
""",
    "table.cell_set_tooltip": """
says Sets the text shown while the pointer is over a cell.
changes object drawings
needs table_id; column; row
table_id; series table
column; series int
row; series int
tooltip?; series string
-> void
""",
    "table.cell_set_width": """
says Sets the width of a cell in percent of the pane.
changes object drawings
needs table_id; column; row
table_id; series table
column; series int
row; series int
width?; series int|float
-> void
""",
    "table.clear": """
says Empties a cell or a rectangle of cells.
changes object drawings
used 20
often start_column start_row table_id end_column end_row
needs table_id; start_column; start_row
table_id; series table
start_column; series int
start_row; series int
end_column?; series int; start_column
end_row?; series int; start_row
-> void
""",
    "table.delete": """
says Removes the table from the chart.
changes object drawings
used 9
often table_id
needs table_id
table_id; series table
-> void
""",
    "table.merge_cells": """
says Joins a rectangle of cells into one.
changes object drawings
used 12
often end_column end_row start_column start_row table_id
needs table_id; start_column; start_row; end_column; end_row
table_id; series table
start_column; series int
start_row; series int
end_column; series int
end_row; series int
-> void
""",
    "table.new": """
says Makes a table at a place of the pane.
changes drawings
used 82
often border_width border_color bgcolor columns position rows frame_color frame_width force_overlay
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
says Sets the background color of the table.
changes object drawings
needs table_id
table_id; series table
bgcolor?; series color; na
-> void
""",
    "table.set_border_color": """
says Sets the color of the lines between cells.
changes object drawings
needs table_id
table_id; series table
border_color?; series color; na
-> void
""",
    "table.set_border_width": """
says Sets the width of the lines between cells.
changes object drawings
needs table_id
table_id; series table
border_width?; series int; 0
-> void
""",
    "table.set_frame_color": """
says Sets the color of the outer frame.
changes object drawings
needs table_id
table_id; series table
frame_color?; series color; na
-> void
""",
    "table.set_frame_width": """
says Sets the width of the outer frame.
changes object drawings
needs table_id
table_id; series table
frame_width?; series int; 0
-> void
""",
    "table.set_position": """
says Moves the table to another place of the pane.
changes object drawings
needs table_id; position
table_id; series table
position; series string; ; ; position.top_left position.top_center position.top_right position.middle_left position.middle_center position.middle_right position.bottom_left position.bottom_center position.bottom_right
-> void
""",
}

VARIABLES: dict[str, str] = {
    "box.all": """
says All boxes the script has drawn and not removed.
reads drawings
array<box>
""",
    "chart.bg_color": """
says Background color of the chart.
reads chart
used 14
input color
""",
    "chart.fg_color": """
says Color that contrasts with the background of the chart.
reads chart
used 62
input color
""",
    "chart.is_heikinashi": """
says True on Heikin Ashi charts.
reads chart
simple bool
""",
    "chart.is_kagi": """
says True on Kagi charts.
reads chart
simple bool
""",
    "chart.is_linebreak": """
says True on Line Break charts.
reads chart
simple bool
""",
    "chart.is_pnf": """
says True on Point & Figure charts.
reads chart
simple bool
""",
    "chart.is_range": """
says True on Range charts.
reads chart
simple bool
""",
    "chart.is_renko": """
says True on Renko charts.
reads chart
simple bool
""",
    "chart.is_standard": """
says True on charts with ordinary bars.
reads chart
simple bool
""",
    "chart.left_visible_bar_time": """
says Time of the leftmost bar that is visible.
reads chart
traits gates repaints
used 4
input int
""",
    "chart.right_visible_bar_time": """
says Time of the rightmost bar that is visible.
reads chart
traits gates repaints
input int
""",
    "label.all": """
says All labels the script has drawn and not removed.
reads drawings
used 2
array<label>
""",
    "line.all": """
says All lines the script has drawn and not removed.
reads drawings
used 3
array<line>
""",
    "linefill.all": """
says All linefills the script has drawn and not removed.
reads drawings
array<linefill>
""",
    "polyline.all": """
says All polylines the script has drawn and not removed.
reads drawings
array<polyline>
""",
    "table.all": """
says All tables the script has made and not removed.
reads drawings
array<table>
""",
}

CONSTANTS: dict[str, str] = {
    "label.style_arrowdown": """
says An arrow that points down, with the text above it.
used 10
const string
""",
    "label.style_arrowup": """
says An arrow that points up, with the text below it.
used 10
const string
""",
    "label.style_circle": """
says A circle.
used 32
const string
""",
    "label.style_cross": """
says A cross, like a plus sign.
const string
""",
    "label.style_diamond": """
says A diamond.
used 23
const string
""",
    "label.style_flag": """
says A flag.
const string
""",
    "label.style_label_center": """
says A box with the text, whose middle is at the price.
used 7
const string
""",
    "label.style_label_down": """
says A box with the text above the price, with a pointer down to it.
used 132
const string
""",
    "label.style_label_left": """
says A box with the text on the right of the bar, with a pointer to the left.
used 40
const string
""",
    "label.style_label_lower_left": """
says A box with the text, with a pointer at its lower left corner.
used 4
const string
""",
    "label.style_label_lower_right": """
says A box with the text, with a pointer at its lower right corner.
used 3
const string
""",
    "label.style_label_right": """
says A box with the text on the left of the bar, with a pointer to the right.
used 4
const string
""",
    "label.style_label_up": """
says A box with the text below the price, with a pointer up to it.
used 137
const string
""",
    "label.style_label_upper_left": """
says A box with the text, with a pointer at its upper left corner.
used 2
const string
""",
    "label.style_label_upper_right": """
says A box with the text, with a pointer at its upper right corner.
const string
""",
    "label.style_none": """
says Only the text, without a shape.
used 11
const string
""",
    "label.style_square": """
says A square.
const string
""",
    "label.style_text_outline": """
says Only the text, with an outline in the label's color.
const string
""",
    "label.style_triangledown": """
says A triangle that points down.
used 12
const string
""",
    "label.style_triangleup": """
says A triangle that points up.
used 12
const string
""",
    "label.style_xcross": """
says A cross like an X.
const string
""",
    "line.style_arrow_both": """
says A line with arrows at both ends.
const string
""",
    "line.style_arrow_left": """
says A line with an arrow at its first end.
const string
""",
    "line.style_arrow_right": """
says A line with an arrow at its second end.
const string
""",
    "line.style_dashed": """
says A dashed line.
used 55
const string
""",
    "line.style_dotted": """
says A dotted line.
used 36
const string
""",
    "line.style_solid": """
says A solid line.
used 38
const string
""",
}
