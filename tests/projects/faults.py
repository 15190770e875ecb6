"""Plants faults in the files of a project, one at a time."""

import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pinebench.checker import read_script
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_UNKNOWN = "noSuchName"


class PlantedFault(NamedTuple):
    """A fault: the file that has it, its text with the fault, and the line of the fault."""

    file: str
    text: str
    line: int


def planted(files: Mapping[str, str], seed: int) -> Iterator[PlantedFault]:
    """Endless faults in random places of the files: names that nobody declares, arguments of a wrong type, and too many
    arguments."""
    draw = random.Random(seed)
    places = {name: _places(text) for name, text in files.items()}
    named = sorted(name for name, found in places.items() if found)
    while True:
        name = draw.choice(named)
        kind, start, end = draw.choice(places[name])
        text = files[name]
        wrong = _UNKNOWN if kind == "literal" else f"{text[start : end - 1]}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4)"
        changed = text[:start] + wrong + text[end:]
        line = text.count("\n", 0, start) + 1
        yield PlantedFault(name, changed, line)


def _places(text: str) -> list[tuple[str, int, int]]:
    """The numbers of a text, and its calls of functions of mathematics with at least one argument on one line."""
    found: list[tuple[str, int, int]] = []
    for chunk in read_script(text).chunks:
        for node in walk(chunk.body):
            start, end = chunk.start + node.start, chunk.start + node.end
            if isinstance(node, nodes.Literal) and node.kind in ("int", "float"):
                found.append(("literal", start, end))
            elif isinstance(node, nodes.Call) and text[start:end].startswith(("ta.sma(", "math.abs(", "str.length(")):
                found.append(("call", start, end))
    return found
