"""Scripts with one fault, and what a fix makes of them."""

from pathlib import Path
from typing import NamedTuple

from tests.script_files import script_cases


class FixCase(NamedTuple):
    """What is wrong, what is right, and whether the fix is safe."""

    wrong: str
    right: str
    safe: bool


def fix_cases(file: str) -> list[FixCase]:
    """The scripts of a file. `== safe || NOTE` or `== unsafe` begins one; the note may be missing."""
    cases = script_cases(Path(__file__).parent / file)
    return [FixCase(case.script, case.below["becomes"], case.fields[0] == "safe") for case in cases]
