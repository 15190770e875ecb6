"""Scripts that repaint, each in another way, and honest ones that only look as if they did."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.script_files import ScriptCase, script_cases


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


class AdviceCase(NamedTuple):
    """A script, what must be said about its first finding, and the script as somebody writes it who follows that."""

    text: str
    said: str
    instead: str


def _cases(file: str) -> Iterator[tuple[Callable[[str], str], str, ScriptCase]]:
    """What makes a script whole, and its name, for each script of a file: `== KIND: NAME` begins one."""
    for case in script_cases(Path(__file__).parent / file):
        kind, _, name = case.fields[0].partition(": ")
        yield {"indicator": indicator, "strategy": strategy, "whole": "{}\n".format}[kind], name, case


def _repainting() -> dict[str, Painting]:
    found: dict[str, Painting] = {}
    for whole, name, case in _cases("repainting.txt"):
        _, kind, output, line, cause = case.fields
        found[name] = Painting(whole(case.script), kind, output, int(line), cause)
    return found


REPAINTING = _repainting()
HONEST = {name: whole(case.script) for whole, name, case in _cases("honest.txt")}
ADVISED = {
    name: AdviceCase(whole(case.script), case.below["said"], whole(case.below["instead"]))
    for whole, name, case in _cases("advice.txt")
}
