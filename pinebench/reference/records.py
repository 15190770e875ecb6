"""Reads the records of built-ins: a few lines of text that become objects only when they are needed.

The text files of `pinebench/reference/data` hold one record for each built-in, with everything that is known about it.
The checker, the linter, the runtime and the answers to editors take their tables from these records.

A record begins with lines that we write. Each line begins with a word. The lines are optional and have this order:

- `says SENTENCE`: what the built-in does, in one sentence
- `pure`, or `reads WORDS`, `changes WORDS`, `keeps`: its effects, in the words of `pinebench.reference.Effects`
- `runs MODULE.NAME [context]`: the code that computes it, in `pinebench.runtime.library` (or `runtime.tickers`);
  `context` if its first argument is the bar's context; `of COLUMN` if its first argument is this column. A line after
  the result of an overload is for this overload only
- `traits WORDS`: facts that rules use, in the words of `TRAITS`
- `within LOW [HIGH]`: the numbers that its value can be
- `places PARAMETERS`: its parameters that take a bar index
- `choosing PARAMETERS`: a call selects an overload with these parameters only if it passes one of them by name, or
  several by position
- `rule NAME`: an additional check of the checker, a name in `pinebench.checker.builtin_rules`
- `used NUMBER`, `often PARAMETERS`: how much scripts use it, and which parameters they name;
  `scripts/data/count_uses.py` writes these
- `ours`: its signature is written by hand, too

The signature follows; `scripts/data/update_reference.py` writes it. The signature of a variable or constant is its
type. The signature of a function is: `needs a; b` (parameters that the compiler requires), `variadic N`, `history`,
`global` (only in the global scope), and then the overloads. An overload has a line for each parameter,
`name?; type; default; noun; allowed values`, where `?` means optional and empty parts at the end are left out. Its last
line is `-> result`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import inf

from pinebench.reference.model import Constant, Effects, Function, Overload, Parameter, Variable

OURS = frozenset("says pure reads changes keeps runs traits within places choosing rule used often".split())
"""The first words of the lines that we write. The line `ours` says that we write the signature, too."""
_OF_FUNCTIONS = ("needs", "variadic", "history", "global")
"""The first words of the lines before the overloads in the signature of a function."""

TRAITS: dict[str, str] = {
    "adds": "adds one element to its collection",
    "any_length": "takes any number of bars as its length, 0 and negative ones too",
    "calendar": "is the same on all bars of a day, or true on the first of them",
    "counts": "returns a count",
    "crosses": "is true on the bar on which two values change places",
    "enters": "can open a position",
    "event": "is true on, or counts from, single bars",
    "gates": "decides when something is shown, not its content",
    "indexes": "takes the index of one element, which must exist",
    "inexact": "returns a float that is rarely equal to another one",
    "joins": "adds all elements of another collection to its own",
    "lags": "returns a value or an event of some bars ago",
    "leaves": "closes a position",
    "limited": "makes a drawing whose number the declaration limits",
    "maybe_zero": "returns 0 in ordinary circumstances",
    "needs_elements": "stops the script when its array is empty",
    "never_na": "never gives na",
    "picks": "returns one of its arguments, or a rounded one, so that the result can be equal to another value",
    "removes": "removes elements from its array",
    "repaints": "may have another value for the same bar after a reload, or on a live bar",
    "rounds": "converts a float to a whole number",
    "sets": "replaces elements of its array",
    "settled": "has one value within a bar, from its first tick to its last",
}
"""The meaning of each trait of a built-in."""

_DRAWINGS = ("line", "linefill", "box", "polyline", "label", "table")
_RECEIVERS = frozenset(("array", "matrix", "map", "chart.point", "footprint", "volume_row", *_DRAWINGS))


def read_function(name: str, record: str) -> Function:
    """Build the function `name` from the text of its record."""
    facts: dict[str, str] = {}
    overloads: list[Overload] = []
    parameters: list[Parameter] = []
    for line in record.strip().splitlines():
        word, _, rest = line.partition(" ")
        if word == "->":
            overloads.append(Overload(tuple(parameters), rest))
            parameters = []
        elif word in OURS or word in _OF_FUNCTIONS:
            facts[word] = rest
        elif "; " in line:
            parameters.append(_parameter(line.split("; ")))
    namespace = namespace_of(name)
    return Function(
        name,
        tuple(overloads),
        tuple(facts["needs"].split("; ")) if "needs" in facts else (),
        int(facts.get("variadic", 0)),
        "history" in facts,
        "global" in facts,
        _receiver(namespace, overloads[0]),
        namespace,
        facts.get("says", ""),
        _effects(facts),
        _words(facts.get("traits", "")),
        _range(facts.get("within")),
        tuple(facts.get("places", "").split()),
        tuple(facts.get("choosing", "").split()),
        facts.get("rule"),
    )


def read_variable(name: str, record: str) -> Variable:
    """Build the variable `name` from the text of its record."""
    *lines, type_ = record.strip().splitlines()
    facts = _facts(lines)
    return Variable(
        name,
        type_,
        namespace_of(name),
        facts.get("says", ""),
        _effects(facts),
        _words(facts.get("traits", "")),
        _range(facts.get("within")),
    )


def read_constant(name: str, record: str) -> Constant:
    """Build the constant `name` from the text of its record."""
    *lines, type_ = record.strip().splitlines()
    return Constant(name, type_, namespace_of(name), _facts(lines).get("says", ""))


def with_line(records: Mapping[str, str], word: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each record that has a line with the first word `word`, and the rest of that line."""
    start = f"\n{word} "
    for name, record in records.items():
        at = record.find(start)
        if at >= 0:
            yield name, record[at + len(start) : record.index("\n", at + 1)]


def computed(name: str, record: str) -> Iterator[tuple[str, str]]:
    """Yield the text of each line `runs` in the record of the built-in `name`, preceded by its key: `name`, or
    `name#NUMBER` if the line is about one overload (from 0)."""
    overload = -1
    for line in record.strip().splitlines():
        word, _, rest = line.partition(" ")
        if word == "->":
            overload += 1
        elif word == "runs":
            yield (name if overload < 0 else f"{name}#{overload}"), rest


def namespace_of(name: str) -> str | None:
    """Return the namespace of a name, such as `strategy.risk` for `strategy.risk.max_drawdown`; None for a name without
    a dot."""
    return name.rpartition(".")[0] or None


def _facts(lines: list[str]) -> dict[str, str]:
    return {word: rest for word, _, rest in (line.partition(" ") for line in lines)}


def _effects(facts: dict[str, str]) -> Effects:
    return _shared_effects(facts.get("reads", ""), facts.get("changes", ""), "keeps" in facts)


@cache
def _shared_effects(reads: str, changes: str, keeps: bool) -> Effects:
    return Effects(_words(reads), _words(changes), keeps)


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _range(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    low, _, high = text.partition(" ")
    return _number(low), _number(high) if high else inf


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def _parameter(columns: list[str]) -> Parameter:
    name, type_text, default, noun, allowed = columns + [""] * (5 - len(columns))
    optional = name.endswith("?")
    return Parameter(
        name.removesuffix("?"), type_text, not optional, default or None, tuple(allowed.split()), noun or None
    )


def _receiver(namespace: str | None, overload: Overload) -> str | None:
    if namespace not in _RECEIVERS or not overload.parameters:
        return None
    first = overload.parameters[0].type.removeprefix("series ")
    return namespace if first == namespace or first.startswith(f"{namespace}<") else None
