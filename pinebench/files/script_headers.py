"""Reads the header of our own Pine scripts, below the version: `//@description`, then comments `// key: value`."""

from __future__ import annotations

import re
from typing import NamedTuple

_FIELD = re.compile(r"^// ([a-z]+(?: [a-z]+)*): (.+)$")


class ScriptHeader(NamedTuple):
    """The header of a script: a sentence about the script, and the fields by their keys."""

    description: str
    fields: dict[str, str]


def header_of(text: str) -> ScriptHeader:
    """Return the header of the script `text`. Raises ValueError if the script has none, or if a field occurs twice.

    A description continues in lines that begin with `//` and two spaces. The header ends at the first other line.
    """
    first, *lines = text.splitlines() or [""]
    if first != "//@version=6" or not lines or not lines[0].startswith("//@description "):
        raise ValueError("it does not begin with the lines //@version=6 and //@description")
    description = [lines[0].removeprefix("//@description ")]
    fields: dict[str, str] = {}
    for line in lines[1:]:
        if line.startswith("//  ") and not fields:
            description.append(line[4:])
            continue
        found = _FIELD.match(line)
        if found is None:
            break
        if found[1] in fields:
            raise ValueError(f"its header has two lines '{found[1]}'")
        fields[found[1]] = found[2].strip()
    return ScriptHeader(" ".join(description).strip(), fields)
