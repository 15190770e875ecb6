"""A terminal is asked what it can draw; every way of drawing gives the picture back, and half blocks are below them."""

import io
import os
import pty
import re
import sys
import threading
from base64 import b64decode
from pathlib import Path

import pytest
from PIL import Image
from textual.widgets import Static

from pinebench.errors import UnavailableError
from pinebench.tui import graphics, screenshots
from pinebench.tui.graphics import BLOCKS, Graphics
from pinebench.tui.screenshots import Picture
from tests.tables import each
from tests.tui.support import bench

PICTURE = Image.new("RGB", (40, 24), (10, 20, 30))
PICTURE.paste((200, 100, 50), (10, 6, 30, 18))


def png(image: Image.Image = PICTURE) -> bytes:
    """The picture as a file."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@each(
    ("answer", "kind"),
    [
        (b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.35.2)\x1b\\\x1b[6;20;9t\x1b[?62;c", "kitty"),
        (b"\x1bP>|iTerm2 3.5.0\x1b\\\x1b[6;20;9t\x1b[?62;4c", "iterm"),
        (b"\x1bP>|WezTerm 2024\x1b\\\x1b[?65;4;6;18;22c", "iterm"),
        (b"\x1bP>|foot(1.16.2)\x1b\\\x1b[6;20;9t\x1b[?62;4;22c", "sixel"),
        (b"\x1b[?62;4;22c", "blocks"),  # sixel, but nobody knows how large a cell is
        (b"\x1b[?4c", "blocks"),  # what comes first is what it is, a VT132
        (b"\x1b_Gi=31;ENOENT\x1b\\\x1b[?1;2c", "blocks"),
        (b"", "blocks"),
    ],
)
def test_what_a_terminal_says_is_understood(answer: bytes, kind: str) -> None:
    found = graphics.understood(answer)
    assert found.kind == kind
    assert found.cell == ((9, 20) if b"[6;20;9t" in answer else BLOCKS.cell)


def test_a_terminal_is_asked_and_nothing_of_its_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    asked: list[bytes] = []

    def terminal() -> None:
        while not asked or not asked[-1].endswith(b"\x1b[c"):
            asked.append((asked[-1] if asked else b"") + os.read(master, 1024))
        for part in (b"\x1b_Gi=31;OK", b"\x1b\\\x1b[6;18;8t", b"\x1b[?62;c"):
            os.write(master, part)

    answering = threading.Thread(target=terminal, daemon=True)
    answering.start()
    with os.fdopen(slave, "r+b", buffering=0) as stream:
        monkeypatch.setattr(sys, "__stdin__", stream)
        monkeypatch.setattr(sys, "__stderr__", stream)
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("TERM_PROGRAM", "")
        monkeypatch.setattr(graphics, "SECONDS", 60.0)
        assert graphics.may_be_asked()
        assert graphics.ask() == Graphics("kitty", (8, 18))
        answering.join()
        assert asked[-1].decode() == graphics.QUESTION
        # One that says nothing has half blocks.
        monkeypatch.setattr(graphics, "SECONDS", 0.01)
        assert graphics.ask() == BLOCKS
        for name, value in (("TERM", "dumb"), ("TERM", "linux")):
            monkeypatch.setenv(name, value)
            assert not graphics.may_be_asked()
    os.close(master)


def _blocks(columns: int, rows: int) -> list[list[tuple[int, ...]]]:
    """The pixels that half blocks show."""
    text = graphics.half_blocks(PICTURE, columns, rows)
    pixels: list[list[tuple[int, ...]]] = [[] for _ in range(2 * rows)]
    row = 0
    spans = {span.start: span.style for span in text.spans}
    for place, sign in enumerate(text.plain):
        if sign == "\n":
            row += 1
            continue
        style = spans[place]
        assert sign == "▀" and not isinstance(style, str) and style.color and style.bgcolor
        for line, color in ((2 * row, style.color), (2 * row + 1, style.bgcolor)):
            assert color.triplet is not None
            pixels[line].append(tuple(color.triplet))
    return pixels


def test_half_blocks_show_the_picture() -> None:
    pixels = _blocks(40, 12)
    for y in range(24):
        for x in range(40):
            assert pixels[y][x] == PICTURE.getpixel((x, y))


def test_without_colours_a_picture_has_shades() -> None:
    lines = graphics.shades(PICTURE, 40, 24).plain.split("\n")
    assert [len(line) for line in lines] == [40] * 24
    for y in range(24):
        for x in range(40):
            assert lines[y][x] == ("█" if 10 <= x < 30 and 6 <= y < 18 else " ")


def test_kitty_and_iterm_get_the_file() -> None:
    noise = Image.frombytes("RGB", (64, 64), os.urandom(64 * 64 * 3))  # more than one piece of it
    drawn = graphics.sequence(Graphics("kitty"), png(noise), noise, 20, 5)
    parts = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", drawn)
    assert len(parts) > 2 and "c=20,r=5" in parts[0][0]
    assert ["m=1" in head for head, _ in parts] == [True] * (len(parts) - 1) + [False]
    assert b64decode("".join(data for _, data in parts)) == png(noise)
    drawn = graphics.sequence(Graphics("iterm"), png(), PICTURE, 20, 5)
    found = re.fullmatch(r"\x1b\]1337;File=([^:]*):(.*)\x07", drawn)
    assert found is not None and "width=20;height=5" in found[1] and f"size={len(png())}" in found[1]
    assert b64decode(found[2]) == png()
    assert graphics.sequence(BLOCKS, png(), PICTURE, 20, 5) == ""


def _sixels(drawn: str) -> dict[tuple[int, int], tuple[int, ...]]:
    """The pixels of a sixel picture, with their colours in percent."""
    found = re.fullmatch(r"\x1bP0;1q(.*)\x1b\\", drawn, re.DOTALL)
    assert found is not None
    colors: dict[int, tuple[int, ...]] = {}
    pixels: dict[tuple[int, int], tuple[int, ...]] = {}
    x, y, color = 0, 0, 0
    tokens = r'"[\d;]+|#\d+(?:;\d+){0,4}|!\d+.|\$|-|[?-~]'
    assert "".join(re.findall(tokens, found[1])) == found[1]
    for token in re.findall(tokens, found[1]):
        if token[0] == "#":
            number, *rest = map(int, token[1:].split(";"))
            color = number
            if rest:
                colors[number] = tuple(rest[1:])
        elif token == "$":
            x = 0
        elif token == "-":
            x, y = 0, y + 6
        elif token[0] != '"':
            times = int(token[1:-1]) if token[0] == "!" else 1
            for bit in range(6):
                if (ord(token[-1]) - 63) >> bit & 1:
                    for place in range(x, x + times):
                        assert (place, y + bit) not in pixels
                        pixels[place, y + bit] = colors[color]
            x += times
    return pixels


def test_sixels_are_the_picture() -> None:
    pixels = _sixels(graphics.sequence(Graphics("sixel", (2, 6)), png(), PICTURE, 20, 4))
    assert len(pixels) == 40 * 24
    for (x, y), color in pixels.items():
        wanted = PICTURE.getpixel((x, y))
        assert isinstance(wanted, tuple)
        assert all(abs(part - 100 * want / 255) <= 3 for part, want in zip(color, wanted, strict=True)), (x, y)


def test_a_picture_keeps_its_shape_in_any_room() -> None:
    for columns, rows in ((80, 24), (10, 50), (200, 3), (1, 1)):
        wide, high = graphics.fitting(PICTURE, columns, rows, (10, 20))
        assert 1 <= wide <= columns and 1 <= high <= rows
        if columns > 1:
            assert wide == columns or high == rows
    assert graphics.fitting(PICTURE, 80, 24, (10, 20)) == (80, 24)


def test_what_is_no_picture_is_said() -> None:
    with pytest.raises(UnavailableError, match="cannot be read"):
        graphics.opened(b"no picture")


async def test_the_terminals_own_graphics_lie_over_half_blocks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(screenshots, "_asked", lambda bench: Graphics("kitty", (10, 20)))
    async with bench(size=(80, 24)) as it:
        written: list[str] = []
        driver = it.app._driver
        assert driver is not None
        monkeypatch.setattr(driver, "write", written.append)
        await screenshots.show(it.app, png(), "a\x1b[2Jb")
        picture = await it.asked()
        assert isinstance(picture, Picture)
        await it.until(lambda: any("a=T" in part for part in written))
        assert "▀" in str(picture.query_one("#picture-cells", Static).content)
        place = picture.query_one("#picture-cells").region
        assert f"\x1b[{place.y + 1};{place.x + 1}H\x1b_Ga=T" in "".join(written)
        await it.pilot.resize_terminal(60, 20)
        await it.until(lambda: sum("a=T" in part for part in written) == 2)
        about = str(picture.query_one("#picture-about", Static).content)
        assert "40×24 pixels, kitty's graphics" in about and "\x1b" not in about
        await it.press("q")
        await it.calm()
        assert written[-1] == graphics.REMOVED
