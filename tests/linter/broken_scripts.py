"""Scripts as traders break them, each with what its author meant: a repair gives that back or leaves it alone."""

from pathlib import Path
from typing import NamedTuple

from tests.script_files import script_cases

INDICATOR = '//@version=6\nindicator("x", overlay = true)\n'
STRATEGY = '//@version=6\nstrategy("x", overlay = true)\n'
FOLDER = Path(__file__).parent / "broken"
_HEADS = {"indicator": INDICATOR, "strategy": STRATEGY, "whole": ""}


class Broken(NamedTuple):
    """A broken script and what was meant."""

    name: str
    text: str
    meant: str


def _read(file: str) -> list[Broken]:
    """The scripts of a file. `== KIND: NAME` begins one, and KIND is the declaration that it gets."""
    scripts: list[Broken] = []
    for case in script_cases(FOLDER / file):
        kind, _, name = case.fields[0].partition(": ")
        meant = case.below.get("meant", "")
        scripts.append(Broken(name, f"{_HEADS[kind]}{case.script}\n", f"{_HEADS[kind]}{meant}\n"))
    return scripts


SCRIPTS = _read("scripts.txt")
BY_READERS = _read("by_readers.txt")
"""Scripts by somebody who did not write what mends them."""
