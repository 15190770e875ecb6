"""Reads files of many scripts: a line above a script says what it is, and what is expected of it stands below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class ScriptCase(NamedTuple):
    """A script: the fields of its line `== FIELD || FIELD`, its text, and the texts below the lines `-- TITLE`."""

    fields: list[str]
    script: str
    below: dict[str, str]


def script_cases(path: Path) -> Iterator[ScriptCase]:
    """The scripts of a file. What stands before the first of them says what the file is for."""
    text = path.read_text(encoding="utf-8").removesuffix("\n")
    for part in f"\n{text}".split("\n== ")[1:]:
        head, _, body = part.partition("\n")
        script, *others = f"\n{body}".split("\n-- ")
        below = {title: text for title, _, text in (other.partition("\n") for other in others)}
        assert len(below) == len(others), f"{path.name}: a title comes twice below {head}"
        yield ScriptCase(head.removesuffix(" ||").split(" || "), script.removeprefix("\n"), below)
