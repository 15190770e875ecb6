"""Run commands in an empty folder and draw their output as `docs/pictures/commands.gif`.

Usage: python scripts/docs/make_gif.py

Every frame shows real output: first a command is typed, then its output follows in colour. The font has a fixed width.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "commands.gif"
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
SCRIPTS = {"crossing.pine": "crossing.pine", "averages.pine.v5": "old.pine"}
"""The samples that the commands work on, each with the name that its copy gets."""
COMMANDS = (
    "lint crossing.pine",
    "lint crossing.pine --fix",
    "run crossing.pine --data sample:AAPL --from 2026-10-27",
    "migrate old.pine -o new.pine",
    "lint new.pine --fix",
    "backtest new.pine --data sample:AAPL@15x1000 --expect 'trades>10'",
)
COLUMNS, ROWS = 118, 28
SIZE = 12
PAUSE, TYPED = 2600, 90
"""Milliseconds for which a result is shown, and for which a step of typing is shown."""
BACK, FRONT = "#1e2127", "#d7dae0"
COLOURS = {
    "31": "#e06c75", "32": "#98c379", "33": "#e5c07b", "34": "#61afef", "36": "#56b6c2", "2": "#7f848e", "1": "#ffffff",
}  # fmt: skip
_SEQUENCE = re.compile("\x1b\\[([0-9;]*)m")


class Piece(NamedTuple):
    """Text in one colour on one row."""

    text: str
    colour: str


Row = list[Piece]


def main() -> int:
    """Run the commands, draw the frames and write the picture."""
    font = ImageFont.truetype(FONT, SIZE)
    with tempfile.TemporaryDirectory() as folder:
        for name, copy in SCRIPTS.items():
            shutil.copy(ROOT / "pine" / "samples" / "demo" / name, Path(folder, copy))
        frames = list(scenes(folder))
    pictures = [drawn(rows, font) for rows, _ in frames]
    PICTURE.parent.mkdir(exist_ok=True)
    first, *others = pictures
    times = [time for _, time in frames]
    first.save(PICTURE, save_all=True, append_images=others, duration=times, loop=0, optimize=True, disposal=1)
    print(f"{PICTURE.relative_to(ROOT)}: {len(frames)} frames, {PICTURE.stat().st_size / 1000:.0f} KB")
    return 0


def scenes(folder: str) -> Iterator[tuple[list[Row], int]]:
    """Yield the screens one after another, each with the milliseconds for which it is shown."""
    rows: list[Row] = []
    for command in COMMANDS:
        typed = f"pinebench {command}"
        for end in range(0, len(typed) + 1, 6):
            yield [*rows, prompt(typed[:end])][-ROWS:], TYPED
        rows = [*rows, prompt(typed), *output(command, folder), []][-ROWS:]
        yield rows, PAUSE


def prompt(typed: str) -> Row:
    """Return the row with the prompt and the typed text."""
    return [Piece("$ ", COLOURS["32"]), Piece(typed, COLOURS["1"])]


def output(command: str, folder: str) -> list[Row]:
    """Return the output of a command, in rows of the terminal's width."""
    import shlex

    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PINEBENCH_STATE_DIR": f"{folder}/state"}
    ended = subprocess.run(
        [sys.executable, "-m", "pinebench", *shlex.split(command)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode not in (0, 1):
        raise SystemExit(f"pinebench {command} ended with {ended.returncode}:\n{ended.stdout}")
    return [row for line in ended.stdout.rstrip("\n").split("\n") for row in wrapped(coloured(line))]


def coloured(line: str) -> Row:
    """Split a line into pieces of one colour each, according to its ANSI sequences."""
    row: Row = []
    colour, at = FRONT, 0
    for found in _SEQUENCE.finditer(line):
        row.append(Piece(line[at : found.start()], colour))
        codes = found[1].split(";")
        colour = next((COLOURS[code] for code in reversed(codes) if code in COLOURS), FRONT)
        at = found.end()
    return [piece for piece in (*row, Piece(line[at:], colour)) if piece.text]


def wrapped(row: Row) -> list[Row]:
    """Wrap a row to the terminal's width."""
    rows: list[Row] = [[]]
    room = COLUMNS
    for text, colour in row:
        while text:
            if not room:
                rows.append([])
                room = COLUMNS
            rows[-1].append(Piece(text[:room], colour))
            text, room = text[room:], max(0, room - len(text))
    return rows


def drawn(rows: list[Row], font: ImageFont.FreeTypeFont) -> Image.Image:
    """Draw a screen as a picture."""
    width, height = font.getlength("m"), SIZE + 4
    picture = Image.new("RGB", (round(width * COLUMNS) + 16, height * ROWS + 16), BACK)
    draw = ImageDraw.Draw(picture)
    for number, row in enumerate(rows):
        column = 0
        for text, colour in row:
            draw.text((8 + column * width, 8 + number * height), text, fill=colour, font=font)
            column += len(text)
    return picture.quantize(48, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


if __name__ == "__main__":
    sys.exit(main())
