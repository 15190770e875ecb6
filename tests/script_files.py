"""Reads files of many scripts: a line above a script says what it is, and what is expected of it stands below it."""

import re
from pathlib import Path
from typing import NamedTuple


class ScriptCase(NamedTuple):
    """A script: the fields of its line `== FIELD || FIELD`, its text, and the texts below the lines `-- TITLE`."""

    fields: list[str]
    script: str
    below: dict[str, str]


def script_cases(path: Path) -> list[ScriptCase]:
    """The scripts of a file. What stands before the first of them says what the file is for, and ends with the number
    of cases, so that none vanishes without a word."""
    text = path.read_text(encoding="utf-8").removesuffix("\n")
    heading, *parts = f"\n{text}".split("\n== ")
    told = re.search(r"\b(\d+) cases?\.$", heading)
    assert told is not None, f"{path.name}: the lines before the first case do not end with the number of cases"
    cases = "1 case" if len(parts) == 1 else f"{len(parts)} cases"
    assert int(told[1]) == len(parts), f"{path.name}: it has {cases}, and its first lines say {told[1]}"
    return [_case(path.name, part) for part in parts]


def _case(file: str, part: str) -> ScriptCase:
    head, _, body = part.partition("\n")
    script, *others = f"\n{body}".split("\n-- ")
    below = {title: text for title, _, text in (other.partition("\n") for other in others)}
    assert len(below) == len(others), f"{file}: a title comes twice below {head}"
    return ScriptCase(head.removesuffix(" ||").split(" || "), script.removeprefix("\n"), below)
