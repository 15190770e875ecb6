"""The entries of the reference that matter most for a script, in few tokens, for models that write or repair it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pinebench import reference
from pinebench.linter import usage
from pinebench.reference import texts

MOST_ENTRIES = 10
MOST_TOKENS = 800
COMMON = 400
"""The uses (`reference.uses`) from which a name without a namespace, such as `close`, needs no entry."""
RARE = 100
"""The uses below which a function gets an entry although there is nothing to watch out for."""
MOST_PARAMETERS = 6
"""The largest number of parameters for which the optional ones are named; with more, `...` stands for them."""
BYTES_PER_TOKEN = 3
"""A cautious estimate: tokenizers make one token from three to four bytes of code."""

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_NOISE = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')


def digest(
    source: str,
    first: Iterable[str] = (),
    tokens: int = MOST_TOKENS,
    most: int = MOST_ENTRIES,
    skip: Iterable[str] = (),
) -> str:
    """Return lines about the built-ins that matter most for a script, one entry on each line. The script may have
    errors.

    The names in `first` come first. Then come the used names that people often get wrong, then the used names that are
    rarest in real scripts. Names in `skip` are left out. The result has at most `most` entries and at most `tokens`
    tokens; it is empty if no entry fits.
    """
    left = set(skip)
    room = tokens * BYTES_PER_TOKEN
    rows: list[str] = []
    for name in dict.fromkeys((*first, *_by_need(source))):
        row = entry(name)
        size = len(row.encode()) + 3
        if name in left or not row or size > room:
            continue
        rows.append(row)
        room -= size
        if len(rows) == most:
            break
    return "\n".join(rows)


def entry(name: str) -> str:
    """Return one line about a built-in, keyword or operator: its signature, a sentence, and common mistakes; empty if
    it is unknown."""
    warnings = " ".join(warning.text for warning in texts.text(name).watch_outs[:2])
    told = f" Watch out: {warnings}" if warnings else ""
    known = reference.function(name) or reference.variable(name) or reference.constant(name)
    if known is not None:
        return f"{_signature(name)}. {known.description}{told}"
    word = reference.word(name)
    return f"{word.form}: {word.description}{told}" if word is not None else ""


def _signature(name: str) -> str:
    """Return the short signature of a built-in: a function with many parameters has only the required ones."""
    function = reference.function(name)
    if function is None:
        return usage.signatures(name)[0]
    overload = function.overloads[0]
    required = [each.name for each in overload.parameters if each.required]
    rest = [f"[{each.name}]" for each in overload.parameters if not each.required]
    inside = [*required, *(rest if len(required) + len(rest) <= MOST_PARAMETERS else ["..."])]
    return f"{name}({', '.join(inside)}) → {overload.returns}"


def used(source: str) -> list[str]:
    """Return the built-ins and keywords that a script names, in the order of the text. Comments and strings do not
    count."""
    names = dict.fromkeys(_NAME.findall(_NOISE.sub(" ", source)))
    return [name for name in names if usage.is_builtin(name) or reference.keyword(name) is not None]


def _by_need(source: str) -> list[str]:
    """Return the names that a script uses: first those with common mistakes, then the rarest. Plain names that most
    scripts use are left out."""
    popular = reference.uses()
    names = [name for name in used(source) if "." in name or popular.get(name, 0) < COMMON]
    warned = [name for name in names if texts.text(name).watch_outs]
    functions = [name for name in names if name not in warned and reference.function(name) is not None]
    rare = sorted((name for name in functions if popular.get(name, 0) < RARE), key=lambda name: popular.get(name, 0))
    # Plain words such as `close` and `if` come after functions of a namespace, whose mistakes are harder to see.
    return sorted(warned, key=lambda name: "." not in name) + rare
