"""Scripts that repaint, each in another way, and honest ones that only look as if they did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.script_files import script_cases


class Painting(NamedTuple):
    """A script that repaints: the kind of the finding, its output, the line of its cause and the cause's name."""

    text: str
    kind: str
    output: str
    line: int
    cause: str


def indicator(body: str) -> str:
    return f'//@version=6\nindicator("Test", overlay = true)\n{body}\n'


def strategy(body: str, more: str = "") -> str:
    return f'//@version=6\nstrategy("Test", overlay = true{more})\n{body}\n'


def _parts(file: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The fields that follow `== KIND: `, and the whole script, for each script of a file. KIND is its declaration."""
    for case in script_cases(Path(__file__).parent / file):
        kind, _, name = case.fields[0].partition(": ")
        declared = {"indicator": indicator, "strategy": strategy, "whole": "{}\n".format}[kind]
        yield (name, *case.fields[1:]), declared(case.script)


def _repainting() -> dict[str, Painting]:
    found: dict[str, Painting] = {}
    for about, text in _parts("repainting.txt"):
        name, kind, output, line, cause = about
        found[name] = Painting(text, kind, output, int(line), cause)
    return found


REPAINTING = _repainting()
HONEST = {name: text for (name,), text in _parts("honest.txt")}
