"""Advice about built-ins: which one was meant, how it is called, and what could stand for an argument."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pinebench import reference

if TYPE_CHECKING:
    from collections.abc import Iterable
    from difflib import SequenceMatcher

    from pinebench.reference import Function, Parameter

SHOWN_OVERLOADS = 3
LIKENESS = 0.72
"""Names less alike than this (by difflib's ratio) are not offered as what was meant."""
LIKENESS_WITHIN = 0.65
"""The same within a namespace, where there are fewer names to choose from."""


@cache
def names() -> frozenset[str]:
    """Every built-in function, variable and constant."""
    return frozenset((*reference.functions(), *reference.variables(), *reference.constants()))


def is_builtin(name: str) -> bool:
    """Whether `name` is a built-in function, variable or constant."""
    return name in names()


def nearest(name: str, candidates: Iterable[str] | None = None, count: int = 3) -> list[str]:
    """Names that `name` may be a misspelling of, likeliest first; from `candidates`, else from the built-ins."""
    from difflib import SequenceMatcher

    pool = _pool(name) if candidates is None else candidates
    whole, last = SequenceMatcher(), SequenceMatcher()
    whole.set_seq2(name.lower())
    space, _, short = name.rpartition(".")
    last.set_seq2(short.lower())
    scored: list[tuple[float, str]] = []
    for candidate in pool:
        if space and candidate.startswith(f"{space}."):
            # What they share says nothing; only what is left does.
            ratio = _likeness(last, short, candidate.removeprefix(f"{space}."), LIKENESS_WITHIN)
        else:
            ratio = _likeness(whole, name, candidate)
        if ratio:
            scored.append((ratio + (0.05 if candidate[:1] == name[:1] else 0.0), candidate))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [candidate for _, candidate in scored[:count]]


def _likeness(matcher: SequenceMatcher[str], name: str, candidate: str, least: float = LIKENESS) -> float:
    """How much `candidate` is like `name`, from `least` to 1, or 0; `matcher` holds the name in lower case."""
    if candidate == name:
        return 0.0
    if "." in name and candidate.rpartition(".")[2] == name.rpartition(".")[2]:
        return 1.0
    if abs(len(candidate) - len(name)) > 4:
        return 0.0
    matcher.set_seq1(candidate.lower())
    # The two quick ratios are upper bounds: most names are done with after them.
    if matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least:
        ratio = matcher.ratio()
        if ratio >= least:
            return ratio
    return least if len(name) > 1 and one_slip(name, candidate) else 0.0


def one_slip(written: str, meant: str) -> bool:
    """Whether one slip of a finger explains the difference: a letter wrong, missing, extra, swapped, or of the wrong
    case."""
    if written.lower() == meant.lower():
        return True
    if len(written) == len(meant):
        wrong = [place for place in range(len(meant)) if written[place] != meant[place]]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and written[wrong[0]] == meant[wrong[1]]
        return len(wrong) == 1 or (swapped and written[wrong[1]] == meant[wrong[0]])
    short, long = sorted((written, meant), key=len)
    return len(long) - len(short) == 1 and any(long[:place] + long[place + 1 :] == short for place in range(len(long)))


def signatures(name: str) -> list[str]:
    """How the built-in `name` is written: a line for each overload of a function (the first few), one with the type
    for a value."""
    found = reference.function(name)
    if found is not None:
        lines = [_signature(found, number) for number in range(min(len(found.overloads), SHOWN_OVERLOADS))]
        more = len(found.overloads) - len(lines)
        return [*lines, *([f"(and {more} more overload{'s' if more > 1 else ''})"] if more else [])]
    value = reference.variable(name) or reference.constant(name)
    return [f"{name}: {value.type}"] if value is not None else []


def example(name: str) -> str | None:
    """A call of the built-in function `name` with something sensible for each required argument, or None for other
    names."""
    found = reference.function(name)
    if found is None:
        return None
    given = [placeholder(parameter) for parameter in _least(found).parameters if parameter.required]
    given += ["open", "high"][: max(0, found.variadic - len(given))]
    return f"{name}({', '.join(given)})"


def placeholder(parameter: Parameter) -> str:
    """Pine text that has the type of `parameter` and does no harm."""
    if parameter.default is not None:
        return parameter.default
    if parameter.allowed:
        first = parameter.allowed[0]
        return f'"{first}"' if parameter.type.endswith("string") and "." not in first else first
    qualifier, _, bases = parameter.type.rpartition(" ")
    base = bases.split("|")[0]
    if parameter.name in _BY_NAME and base in ("int", "float", "string"):
        return _BY_NAME[parameter.name]
    if qualifier == "series" and base in ("int", "float") and "float" in bases and "int" in bases:
        return "close"
    if base == "bool":
        return "false" if qualifier != "series" else "close > open"
    return _BY_TYPE.get(base, "na")


_BY_TYPE = {
    "int": "1",
    "float": "1.0",
    "string": '""',
    "color": "color.blue",
    "source": "close",
    "chart.point": "chart.point.now(close)",
    "T": "close",
    "V": "close",
    "K": '""',
    "array<(int": "array.from(close, open)",
    "array<T>": "array.from(close, open)",
    "array<int>": "array.from(1, 2)",
    "array<bool>": "array.from(true, false)",
    "any": "close",
    "strategy_direction": "strategy.long",
}
_BY_NAME = {
    "length": "14",
    "symbol": "syminfo.tickerid",
    "timeframe": '"D"',
    "title": '"Title"',
    "shorttitle": '"Title"',
    "id": '"Entry"',
    "message": '"Alert"',
    "text": '"Text"',
    "leftbars": "5",
    "rightbars": "5",
    "fastlen": "12",
    "slowlen": "26",
    "siglen": "9",
    "percentage": "50",
    "mult": "2.0",
    "factor": "3.0",
    "atrPeriod": "10",
    "bottom_color": "color.blue",
}


def _least(found: Function) -> reference.Overload:
    """The overload with the fewest required arguments."""
    return min(found.overloads, key=lambda overload: sum(parameter.required for parameter in overload.parameters))


def _signature(found: Function, number: int) -> str:
    overload = found.overloads[number]
    inside = ", ".join(map(_parameter, overload.parameters))
    dots = ", ..." if found.variadic else ""
    return f"{found.name}({inside}{dots}) -> {overload.returns}"


def _parameter(parameter: Parameter) -> str:
    text = f"{parameter.name}: {parameter.type}"
    if parameter.required:
        return text
    return f"{text} = {parameter.default}" if parameter.default is not None else f"[{text}]"


def _pool(name: str) -> Iterable[str]:
    """Built-ins worth comparing with `name`: those of its namespace when it has one, else all.

    A wrong namespace with a right short name (`math.sma`) is found too.
    """
    space, dot, short = name.rpartition(".")
    if not dot:
        return names()
    inside = [f"{space}.{member}" for member in reference.members(space)]
    moved = [known for known in names() if known.rpartition(".")[2] == short]
    return [*inside, *moved] if inside or moved else names()
