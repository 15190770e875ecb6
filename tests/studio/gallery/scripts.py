"""The scripts of the gallery by name: between them every style, shape, place, size, drawing and option of text."""

from collections.abc import Sequence
from pathlib import Path

from tests.script_files import script_cases

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


def _written() -> dict[str, str]:
    """The scripts of the file. `== KIND: NAME` begins one; KIND says what stands before it, and may be `drawn`."""
    found: dict[str, str] = {}
    for case in script_cases(Path(__file__).parent / "scripts.txt"):
        kind, _, name = case.fields[0].partition(": ")
        head = {"over": _OVER, "under": _UNDER, "whole": ""}
        found[name] = _drawn(case.script) if kind == "drawn" else f"{head[kind]}{case.script}\n"
    return found


_SINGLE: dict[str, str] = {
    **_written(),
    **{f"plot_{style}": _style(style) for style in _STYLES},
    "shapes": _each(
        _SHAPES, "plotshape(bar_index == {at}, style = shape.{name}, color = #FF00AA, size = size.small)\n"
    ),
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
    "chars": _each(
        _SIZES,
        'plotchar(bar_index == {at}, char = "★", color = #FF00AA, size = size.{name}, '
        'text = "{name}", textcolor = #00C0FF)\n',
    ),
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
    "table_positions": _drawn(
        "\n".join(
            f'table.cell(table.new(position.{name}, 1, 1, bgcolor = #FF00AA), 0, 0, "{name}", text_color = color.white)'
            for name in _POSITIONS
        )
    ),
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
