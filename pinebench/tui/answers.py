"""Renders Claude's Markdown answers as lines of styled text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from pinebench.printable import printable

if TYPE_CHECKING:
    from rich.console import Console


def rendered(text: str, width: int, console: Console) -> list[Text]:
    """Return the lines of a Markdown text, at most `width` columns wide. Links are shown as text and not opened."""
    from rich.markdown import Heading, Markdown  # here, because its parser takes long to load

    class LeftHeading(Heading):
        LEVEL_ALIGN = dict.fromkeys(Heading.LEVEL_ALIGN, "left")

    class Words(Markdown):
        elements = {**Markdown.elements, "heading_open": LeftHeading}

    words = Words(printable(text, keep="\n\t"), code_theme="ansi_dark", hyperlinks=False)
    lines: list[Text] = []
    for segments in console.render_lines(words, console.options.update(width=width), pad=False):
        line = Text(no_wrap=True)
        for segment in segments:
            line.append(segment.text, segment.style)
        line.rstrip()
        if line.plain or (lines and lines[-1].plain):  # no two empty lines in a row, and none at the beginning
            lines.append(line)
    return lines[:-1] if lines and not lines[-1].plain else lines
