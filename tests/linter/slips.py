"""Scripts with one slip each, as those write them who come from earlier versions, other languages or another platform,
and what the first hint must say."""

from pathlib import Path
from typing import NamedTuple

from tests.script_files import script_cases

FILE = Path(__file__).parent / "broken" / "slips.txt"
_HEADS = {
    "indicator": '//@version=6\nindicator("Slip", overlay = true)\n',
    "strategy": '//@version=6\nstrategy("Slip", overlay = true)\n',
    "whole": "",
}


class Slip(NamedTuple):
    """What is wrong with `text`, and what its first hint must hold: each of `words`."""

    name: str
    text: str
    words: tuple[str, ...]


def _read() -> list[Slip]:
    """The slips of the file. `== KIND: NAME || WORDS` begins one, and KIND is the declaration that its script gets.

    An empty line after a script is the end of its last line.
    """
    slips: list[Slip] = []
    for case in script_cases(FILE):
        first, *words = case.fields
        kind, _, name = first.partition(": ")
        slips.append(Slip(name, _HEADS[kind] + case.script, tuple(words)))
    return slips


SLIPS = _read()
