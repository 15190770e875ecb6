"""The scripts of the gallery by name: between them every style, shape, place, size, drawing and option of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]

_OVER = '//@version=6\nindicator("Gallery", overlay = true)\n'
_UNDER = '//@version=6\nindicator("Gallery")\n'
_LAST = "if barstate.islast\n"

_STYLES = ("line stepline stepline_diamond histogram cross area columns circles linebr areabr steplinebr").split()
_SHAPES = (
    "xcross cross triangleup triangledown flag circle arrowup arrowdown labelup labeldown square diamond"
).split()
_LABELS = (
    "none xcross cross triangleup triangledown flag circle arrowup arrowdown label_up label_down label_left "
    "label_right label_lower_left label_lower_right label_upper_left label_upper_right label_center square diamond "
    "text_outline"
).split()
_SIZES = "auto tiny small normal large huge".split()
_POSITIONS = [f"{down}_{across}" for down in ("top", "middle", "bottom") for across in ("left", "center", "right")]


def _style(style: str) -> str:
    value = "bar_index % 12 < 3 ? na : ta.rsi(close, 14) - 50"
    color = "close > open ? #FF00AA : #00C0FF"
    return f"{_UNDER}plot({value}, color = {color}, style = plot.style_{style}, linewidth = 3)\n"


def _each(items: Sequence[str], call: str, head: str = _OVER) -> str:
    """A call for each item, on bars that lie apart; `{at}` is its bar, `{name}` the item."""
    step = 120 // len(items)
    return head + "".join(call.format(at=f"last_bar_index - {3 + step * i}", name=name) for i, name in enumerate(items))


def _drawn(text: str, head: str = _OVER) -> str:
    return head + _LAST + "".join(f"    {line}\n" for line in text.strip().splitlines())


_SINGLE: dict[str, str] = {
    "empty": _OVER + "plot(na)\n",
    **{f"plot_{style}": _style(style) for style in _STYLES},
    "plot_linestyles": _UNDER
    + "plot(ta.rsi(close, 14), color = #FF00AA, linewidth = 3, linestyle = plot.linestyle_dashed)\n"
    "plot(ta.rsi(close, 30), color = #00C0FF, linewidth = 3, linestyle = plot.linestyle_dotted)\n",
    "plot_join": _UNDER + "plot(ta.rsi(close, 14), color = #FF00AA, style = plot.style_circles, join = true)\n",
    "plot_trackprice": _OVER + "plot(ta.sma(close, 20) * 0.97, color = #FF00AA, trackprice = true, linewidth = 2)\n",
    "plot_offset": _OVER + "plot(close, color = #FF00AA, offset = 5, linewidth = 2)\n"
    "plot(close, color = #00C0FF, offset = -20, linewidth = 2)\n",
    "plot_show_last": _OVER + "plot(ta.sma(close, 10), color = #FF00AA, show_last = 40, linewidth = 3)\n",
    "plot_histbase": _UNDER + "plot(ta.rsi(close, 14), color = #FF00AA, style = plot.style_columns, histbase = 50)\n",
    "plot_display": _OVER + "plot(close * 1.02, color = #FF00AA, display = display.none, linewidth = 3)\n"
    "plot(close * 0.98, color = #00C0FF, display = display.pane, linewidth = 3)\n",
    "shapes": _each(
        _SHAPES, "plotshape(bar_index == {at}, style = shape.{name}, color = #FF00AA, size = size.small)\n"
    ),
    "shape_labels": _OVER
    + "plotshape(bar_index % 40 == 0, style = shape.labeldown, color = #FF00AA, textcolor = color.white,\n"
    '     text = "one\\ntwo\\nthree")\n'
    "plotshape(bar_index % 40 == 20, style = shape.labelup, location = location.belowbar, color = #0077FF,\n"
    '     textcolor = color.white, text = "four\\nfive\\nsix")\n',
    "shape_locations": _OVER
    + "".join(
        f"plotshape(bar_index % 20 == {5 * i}, style = shape.{shape}, location = location.{where}, color = #FF00AA)\n"
        for i, (where, shape) in enumerate(
            (("abovebar", "triangledown"), ("belowbar", "triangleup"), ("top", "square"), ("bottom", "circle"))
        )
    )
    + "plotshape(bar_index % 20 == 3 ? ohlc4 : na, style = shape.diamond, location = location.absolute, "
    "color = #00C0FF)\n",
    "shape_sizes": _each(
        _SIZES, "plotshape(bar_index == {at}, style = shape.circle, color = #FF00AA, size = size.{name})\n"
    ),
    "shape_text": _OVER
    + "plotshape(bar_index % 30 == 0, style = shape.triangleup, location = location.belowbar, color = #FF00AA,\n"
    '     text = "up\\nhere", textcolor = #00C0FF)\n',
    "chars": _each(
        _SIZES,
        'plotchar(bar_index == {at}, char = "★", color = #FF00AA, size = size.{name}, '
        'text = "{name}", textcolor = #00C0FF)\n',
    ),
    "arrows": _OVER + "plotarrow(close - open, colorup = #00C0FF, colordown = #FF00AA, minheight = 4, "
    "maxheight = 60)\n",
    "candles": _UNDER + "plotcandle(open, high, low, close, color = close > open ? #00C0FF : #FF00AA, "
    "wickcolor = #888888, bordercolor = #FFCC00)\n",
    "bars": _UNDER + "plotbar(open, high, low, close, color = close > open ? #00C0FF : #FF00AA)\n",
    "barcolor": _OVER + "barcolor(bar_index % 10 < 5 ? #FF00AA : na)\n",
    "bgcolor": _OVER + "bgcolor(bar_index % 20 < 8 ? color.new(#FF00AA, 60) : na)\n",
    "hlines": _UNDER + "plot(ta.rsi(close, 14), color = #FF00AA)\n"
    "hline(70, color = #00C0FF, linestyle = hline.style_solid, linewidth = 3)\nhline(50, color = #FFCC00, "
    "linestyle = hline.style_dotted, linewidth = 2)\nhline(30, color = #00C0FF, linestyle = hline.style_dashed)\n",
    "fill_hlines": _UNDER + "plot(ta.rsi(close, 14), color = #FF00AA)\na = hline(70)\nb = hline(30)\n"
    "fill(a, b, color.new(#00C0FF, 70))\n",
    "fill_plots": _OVER + "a = plot(ta.ema(close, 10), color = #FF00AA)\nb = plot(ta.ema(close, 40), "
    "color = #00C0FF)\nfill(a, b, ta.ema(close, 10) > ta.ema(close, 40) ? color.new(#00C0FF, 60) : "
    "color.new(#FF00AA, 60))\n",
    "fill_gradient": _UNDER + "r = ta.rsi(close, 14)\na = plot(r, color = color.gray)\nb = plot(50, color = na)\n"
    "fill(a, b, 75, 50, #FF00AA, color.new(#FF00AA, 100))\nfill(a, b, 50, 25, color.new(#00C0FF, 100), #00C0FF)\n",
    "fill_gaps": _OVER + "v = bar_index % 12 < 4 ? na : close\na = plot(v * 1.02, color = #FF00AA, "
    "style = plot.style_linebr)\nb = plot(v * 0.98, color = #00C0FF, style = plot.style_linebr)\n"
    "fill(a, b, color.new(#FFCC00, 50), fillgaps = true)\n",
    "behind_chart": _OVER + "plot(hl2, color = #FF00AA, linewidth = 6)\n",
    "before_chart": '//@version=6\nindicator("Gallery", overlay = true, behind_chart = false)\n'
    "plot(hl2, color = #FF00AA, linewidth = 6)\n",
    "zorder_default": _UNDER + "hline(50, color = #FFCC00, linewidth = 6, linestyle = hline.style_solid)\n"
    "plot(ta.rsi(close, 5), color = #FF00AA, linewidth = 5)\n",
    "zorder_explicit": '//@version=6\nindicator("Gallery", explicit_plot_zorder = true)\n'
    "hline(50, color = #FFCC00, linewidth = 6, linestyle = hline.style_solid)\n"
    "plot(ta.rsi(close, 5), color = #FF00AA, linewidth = 5)\n",
    "scale_none": '//@version=6\nindicator("Gallery", overlay = true, scale = scale.none)\n'
    "plot(volume, color = color.new(#FF00AA, 40), style = plot.style_columns)\n",
    "scale_left": '//@version=6\nindicator("Gallery", overlay = true, scale = scale.left)\n'
    "plot(ta.rsi(close, 14), color = #FF00AA, linewidth = 2)\n",
    "force_overlay": _UNDER + "plot(ta.rsi(close, 14), color = #FF00AA)\n"
    "plot(ta.sma(close, 20), color = #00C0FF, linewidth = 3, force_overlay = true)\n",
    "labels": _drawn(
        "\n".join(
            f'label.new(bar_index - {3 + 6 * i}, {"high" if i % 2 else "low"}[{3 + 6 * i}], "{name[-6:]}", '
            f"style = label.style_{name}, color = #FF00AA, textcolor = color.white, size = size.small)"
            for i, name in enumerate(_LABELS)
        )
    ),
    "label_sizes": _drawn(
        "\n".join(
            f'label.new(bar_index - {6 + 20 * i}, high[{6 + 20 * i}], "Ag{i}", color = #FF00AA, '
            f"textcolor = color.white, size = {size})"
            for i, size in enumerate([*(f"size.{name}" for name in _SIZES), "28"])
        )
    ),
    "label_yloc": _drawn(
        'label.new(bar_index - 10, na, "above", yloc = yloc.abovebar, color = #FF00AA)\n'
        'label.new(bar_index - 30, na, "below", yloc = yloc.belowbar, color = #0077FF, style = label.style_label_up)\n'
        'label.new(time[60], high[60], "time", xloc = xloc.bar_time, color = #FF00AA)'
    ),
    "label_text": _drawn(
        'label.new(bar_index - 20, high[20], "a\\nlong line\\nb", textalign = text.align_left, color = #FF00AA, '
        "size = size.large)\n"
        'label.new(bar_index - 60, high[60], "bold", text_formatting = text.format_bold, color = #FF00AA, '
        "size = size.large)\n"
        'label.new(bar_index - 90, high[90], "italic\\nmono", text_formatting = text.format_italic, '
        "text_font_family = font.family_monospace, color = #FF00AA, size = size.large)"
    ),
    "lines": _drawn(
        "\n".join(
            f"line.new(bar_index - {100 - 8 * i}, low[40] + {3 * i}, bar_index - {50 - 4 * i}, high[40] + {3 * i}, "
            f"color = #FF00AA, width = {1 + i}, style = line.style_{style}, extend = extend.{extend})"
            for i, (style, extend) in enumerate(
                (
                    ("solid", "none"),
                    ("dashed", "right"),
                    ("dotted", "left"),
                    ("arrow_left", "none"),
                    ("arrow_right", "none"),
                    ("arrow_both", "none"),
                )
            )
        )
    ),
    "linefill": _drawn(
        "a = line.new(bar_index - 100, low[100], bar_index, low, color = #00C0FF)\n"
        "b = line.new(bar_index - 100, high[100], bar_index, high, color = #00C0FF)\n"
        "linefill.new(a, b, color.new(#FF00AA, 60))"
    ),
    "boxes": _drawn(
        "box.new(bar_index - 100, high[100], bar_index - 60, low[100], #FFCC00, 3, line.style_dashed, "
        "bgcolor = color.new(#FF00AA, 60))\n"
        "box.new(bar_index - 40, high[20], bar_index - 10, low[20], #00C0FF, 2, extend = extend.right, "
        "bgcolor = color.new(#00C0FF, 80))"
    ),
    "box_text": _drawn(
        "\n".join(
            f"box.new(bar_index - {110 - 38 * i}, high[60] + 12, bar_index - {80 - 38 * i}, high[60], #FFCC00, "
            f'bgcolor = color.new(#FF00AA, 70), text = "words that go on and on", text_color = #00C0FF, {more})'
            for i, more in enumerate(
                (
                    "text_wrap = text.wrap_auto, text_size = size.normal",
                    "text_wrap = text.wrap_none, text_size = size.small, text_halign = text.align_left, "
                    "text_valign = text.align_top",
                    "text_size = size.auto, text_formatting = text.format_bold",
                )
            )
        )
    ),
    "polylines": _drawn(
        "points = array.from(chart.point.from_index(bar_index - 100, low[100]), chart.point.from_index(bar_index - 70, "
        "high[70]), chart.point.from_index(bar_index - 40, low[40]), chart.point.from_index(bar_index - 10, high))\n"
        "polyline.new(points, line_color = #FF00AA, line_width = 3)\n"
        "polyline.new(points, curved = true, closed = true, line_color = #00C0FF, fill_color = color.new(#00C0FF, 80), "
        "line_style = line.style_dashed)"
    ),
    "table_positions": _drawn(
        "\n".join(
            f'table.cell(table.new(position.{name}, 1, 1, bgcolor = #FF00AA), 0, 0, "{name}", text_color = color.white)'
            for name in _POSITIONS
        )
    ),
    "table_cells": _drawn(
        "t = table.new(position.middle_center, 3, 3, bgcolor = #202020, frame_color = #FFCC00, frame_width = 3, "
        "border_color = #00C0FF, border_width = 2)\n"
        't.cell(0, 0, "merged", text_color = color.white, bgcolor = #FF00AA, text_size = size.large)\n'
        't.cell(1, 0, "")\n'
        't.cell(2, 0, "right", width = 15, text_color = color.white, text_halign = text.align_right)\n'
        't.cell(0, 1, "top", height = 12, text_color = color.white, text_valign = text.align_top)\n'
        't.cell(1, 1, "bold", text_color = color.white, text_formatting = text.format_bold)\n'
        't.cell(2, 1, "mono", text_color = color.white, text_font_family = font.family_monospace)\n'
        "t.merge_cells(0, 0, 1, 0)"
    ),
    "chart_colors": _drawn(
        "t = table.new(position.middle_center, 1, 1, bgcolor = chart.bg_color, frame_color = chart.fg_color, "
        'frame_width = 2)\nt.cell(0, 0, "READ ME", text_color = chart.fg_color, text_size = size.huge)'
    ),
    "strategy": '//@version=6\nstrategy("Gallery", overlay = true)\n'
    'if ta.crossover(ta.sma(close, 5), ta.sma(close, 15))\n    strategy.entry("Long", strategy.long)\n'
    'if ta.crossunder(ta.sma(close, 5), ta.sma(close, 15))\n    strategy.close("Long")\n',
}


def _folder(name: str) -> dict[str, str]:
    """The scripts of a folder of the repository that show something; libraries are none."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((_ROOT / "pine" / name).glob("*.pine"))}
    return {f"{name[:-1]}_{stem}": text for stem, text in texts.items() if "\nlibrary(" not in text}


SCRIPTS: dict[str, str] = {**_SINGLE, **_folder("templates"), **_folder("samples")}
"""The source of each script by its name."""

INTRADAY = frozenset(
    f"template_{name}"
    for name in ("opening_range_breakout session_levels session_structure_map vwap_bands vwap_institutional".split())
)
"""The scripts that ask for a chart of minutes."""
