"""Pictures in a terminal, drawn with the terminal's own graphics if it reports any, otherwise with half blocks.

The program queries the terminal's features and guesses nothing. It sends kitty's graphics query, the query for the
terminal's name and version, and the query for its device attributes, in which 4 means sixel. Pictures use kitty's
graphics protocol, iTerm2's inline images or sixel, as their makers describe them.
"""

from __future__ import annotations

import io
import os
import re
import select
import sys
import time
from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

from rich.color import Color
from rich.style import Style
from rich.text import Text

from pinebench.errors import UnavailableError

if TYPE_CHECKING:
    from PIL.Image import Image

QUESTION = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>q\x1b[16t\x1b[c"
"""Four queries: for kitty's pictures, for the terminal's name, for the size of a cell and for the device attributes.
All terminals answer the last one."""
SECONDS = 1.0
"""Seconds that a terminal has to answer."""
COLORS = 64
"""The number of colours in a sixel picture."""
_END = re.compile(rb"\x1b\[\?[\d;]*c")
_CHUNK = 4096


class Graphics(NamedTuple):
    """The kind of graphics that a terminal has: `kitty`, `iterm`, `sixel` or `blocks`; and the size of a cell in
    pixels, its width first."""

    kind: str
    cell: tuple[int, int] = (10, 20)


BLOCKS = Graphics("blocks")


def understood(answer: bytes) -> Graphics:
    """Return the graphics of a terminal that replied `answer` to the query QUESTION."""
    size = re.search(rb"\x1b\[6;(\d+);(\d+)t", answer)
    cell = (int(size[2]), int(size[1])) if size and int(size[1]) and int(size[2]) else BLOCKS.cell
    if re.search(rb"\x1b_Gi=31;OK", answer):
        return Graphics("kitty", cell)
    if re.search(rb"\x1bP>\|(iTerm2|WezTerm)", answer):
        return Graphics("iterm", cell)
    attributes = _END.search(answer)
    if attributes and b"4" in attributes[0][3:-1].split(b";")[1:] and size:
        return Graphics("sixel", cell)
    return BLOCKS


def may_be_asked() -> bool:
    """Return whether the graphics of this terminal can be queried. The result is False for terminals that would show a
    query as text, and on Windows."""
    if os.environ.get("TERM", "") in ("", "dumb", "linux") or os.environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return False
    streams = (sys.__stdin__, sys.__stderr__)
    return sys.platform != "win32" and all(stream is not None and stream.isatty() for stream in streams)


def ask() -> Graphics:
    """Query this terminal's graphics. Nothing else may read from the terminal meanwhile."""
    import termios
    import tty

    assert sys.__stdin__ is not None and sys.__stderr__ is not None
    source, target = sys.__stdin__.fileno(), sys.__stderr__.fileno()
    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source)
        os.write(target, QUESTION.encode())
        return understood(_answer(source))
    finally:
        termios.tcsetattr(source, termios.TCSAFLUSH, before)  # a late answer is not typed into a script


def _answer(source: int) -> bytes:
    """Read a terminal's answer until its device attributes have come, or SECONDS have passed."""
    answer, end = b"", time.monotonic() + SECONDS
    while not _END.search(answer) and (left := end - time.monotonic()) > 0:
        if select.select([source], [], [], left)[0]:
            more = os.read(source, 4096)
            if not more:
                break
            answer += more
    return answer


# the picture


def opened(data: bytes) -> Image:
    """Read the picture in a file's bytes. Raises UnavailableError if it cannot be decoded here."""
    try:
        from PIL import Image as images
    except ImportError:
        from pinebench.extras import missing

        raise missing("showing pictures", "tui") from None
    try:
        return images.open(io.BytesIO(data)).convert("RGB")
    except (OSError, ValueError, SyntaxError) as error:
        raise UnavailableError(f"the picture cannot be read: {error}", "take it again") from None


def fitting(image: Image, columns: int, rows: int, cell: tuple[int, int]) -> tuple[int, int]:
    """Return the number of columns and rows for a picture that keeps its shape, at most `columns` and `rows`. `cell` is
    the size of a cell in pixels."""
    wide, high = image.width / cell[0], image.height / cell[1]
    scale = min(columns / wide, rows / high)
    return max(1, min(columns, round(wide * scale))), max(1, min(rows, round(high * scale)))


def half_blocks(image: Image, columns: int, rows: int) -> Text:
    """Return a picture in `columns` times `rows` cells. Each cell has an upper and a lower colour."""
    small = image.resize((columns, 2 * rows))
    pixels = small.tobytes()
    text = Text(no_wrap=True)
    styles: dict[bytes, Style] = {}

    def color(part: bytes) -> Color:
        return Color.from_rgb(*part)

    for row in range(rows):
        upper, lower = 6 * row * columns, 3 * (2 * row + 1) * columns
        for column in range(0, 3 * columns, 3):
            both = pixels[upper + column : upper + column + 3] + pixels[lower + column : lower + column + 3]
            style = styles.get(both)
            if style is None:
                style = styles[both] = Style(color=color(both[:3]), bgcolor=color(both[3:]))
            text.append("▀", style)
        text.append("\n" if row < rows - 1 else "")
    return text


def shades(image: Image, columns: int, rows: int) -> Text:
    """Return a picture in `columns` times `rows` cells without colours, in five shades from dark to light."""
    from PIL import ImageOps

    grey = ImageOps.autocontrast(image.convert("L").resize((columns, rows))).tobytes()
    lines = (grey[row * columns : (row + 1) * columns] for row in range(rows))
    return Text("\n".join("".join(" ░▒▓█"[light * 5 // 256] for light in line) for line in lines), no_wrap=True)


def sequence(graphics: Graphics, data: bytes, image: Image, columns: int, rows: int) -> str:
    """Return the escape sequence that draws a picture over `columns` times `rows` cells, from the cursor on. The result
    is empty if the terminal only has half blocks."""
    if graphics.kind == "kitty":
        return _kitty(data, columns, rows)
    if graphics.kind == "iterm":
        place = f"inline=1;width={columns};height={rows};preserveAspectRatio=0;doNotMoveCursor=1;size={len(data)}"
        return f"\x1b]1337;File={place}:{b64encode(data).decode()}\x07"
    if graphics.kind == "sixel":
        width, height = graphics.cell
        return _sixel(image.resize((columns * width, rows * height // 6 * 6)))
    return ""


REMOVED = "\x1b_Ga=d,d=A,q=2\x1b\\"
"""The escape sequence that removes kitty's pictures. Other pictures are painted over."""


def _kitty(data: bytes, columns: int, rows: int) -> str:
    coded = b64encode(data).decode()
    chunks = [coded[place : place + _CHUNK] for place in range(0, len(coded), _CHUNK)]
    parts: list[str] = []
    for number, chunk in enumerate(chunks):
        more = int(number < len(chunks) - 1)
        head = f"a=T,f=100,c={columns},r={rows},C=1,q=2,m={more}" if number == 0 else f"m={more},q=2"
        parts.append(f"\x1b_G{head};{chunk}\x1b\\")
    return "".join(parts)


def _sixel(image: Image) -> str:
    """The sixel sequence of a picture whose height is a multiple of 6: six rows of pixels at a time, colour by
    colour."""
    plain = image.quantize(COLORS)
    palette = plain.getpalette() or []
    width, height, pixels = plain.width, plain.height, plain.tobytes()
    parts = [f'\x1bP0;1q"1;1;{width};{height}']
    for color in sorted(set(pixels)):
        red, green, blue = (round(part * 100 / 255) for part in palette[3 * color : 3 * color + 3])
        parts.append(f"#{color};2;{red};{green};{blue}")
    for top in range(0, height, 6):
        rows = [pixels[row * width : (row + 1) * width] for row in range(top, top + 6)]
        lines: list[str] = []
        for color in sorted(set().union(*map(set, rows))):
            bits = bytearray(width)
            for bit, row in enumerate(rows):
                place = row.find(color)
                while place >= 0:
                    bits[place] |= 1 << bit
                    place = row.find(color, place + 1)
            lines.append(f"#{color}" + _runs(bits))
        parts.append("$".join(lines) + "-")
    return "".join(parts) + "\x1b\\"


def _runs(bits: bytearray) -> str:
    """A row of sixels. Four or more equal ones are written as their number and one sixel."""
    signs = "".join(chr(63 + each) for each in bits)
    return re.sub(r"(.)\1{3,}", lambda match: f"!{len(match[0])}{match[1]}", signs)
