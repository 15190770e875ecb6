"""Reads the records of built-ins: a few lines of text that become objects only when they are needed.

The modules of `pinebench.reference.data` hold one record for each built-in, and everything that is known about it
stands there. The checker, the linter, the runtime and the editors' answers take their tables from these records.

A record begins with lines of ours, each with a word in front, in this order and each only where it says something:

- `says SENTENCE`: what it does, in one sentence of ours
- `pure`, or `reads WORDS`, `changes WORDS`, `keeps`: its effects, in the words of `pinebench.reference.Effects`
- `runs MODULE.NAME [context]`: what computes it, in `pinebench.runtime.library` (or `runtime.tickers`); `context` when
  it takes the bar's context first. Behind the result of an overload, it computes this overload alone
- `traits WORDS`: what rules know about it, in the words of `TRAITS`
- `within LOW [HIGH]`: the numbers that its value can be
- `places PARAMETERS`: its parameters that are the index of a bar
- `rule NAME`: what the checker checks beside its parameters, a name in `pinebench.checker.builtin_rules`
- `used NUMBER`, `often PARAMETERS`: how much scripts use it, and which parameters they name; `scripts/count_uses.py`
  writes these
- `ours`: its signature is kept by hand, too

The signature follows, which `scripts/update_reference.py` writes. Of a variable or constant it is the type. Of a
function it is: `needs a; b` (parameters the compiler insists on), `variadic N`, `history`, `global` (only at top
level), and for each overload its parameters, `name?; type; default; noun; allowed values` with empty ends left out and
`?` for an optional one, closed by `-> result`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from math import inf

from pinebench.reference.model import Constant, Effects, Function, Overload, Parameter, Variable

OURS = frozenset("says pure reads changes keeps runs traits within places rule used often".split())
"""The first words of the lines that we write; `ours` says that the others are ours, too."""

TRAITS: dict[str, str] = {
    "adds": "puts one element more into its collection",
    "any_length": "takes any number of bars as its length, 0 and negative ones too",
    "calendar": "is the same on all bars of a day, or true on the first of them",
    "counts": "gives how many there are",
    "crosses": "is true on the bar on which two values change places",
    "enters": "can open a position",
    "event": "is true on, or counts from, single bars",
    "gates": "says when something is told, not what",
    "indexes": "takes the index of one element, which must be there",
    "inexact": "gives a float that is rarely equal to another one",
    "joins": "puts all elements of another collection into its own",
    "lags": "gives what was known, or happened, some bars ago",
    "leaves": "closes a position",
    "limited": "makes a drawing whose number the declaration limits",
    "maybe_zero": "gives 0 in ordinary circumstances",
    "needs_elements": "stops the script when its array is empty",
    "never_na": "never gives na",
    "picks": "gives one of the values that it is given, or a rounded one, so that it can be equal to another",
    "removes": "takes elements out of its array",
    "repaints": "may be another value for the same bar after a reload, or live",
    "rounds": "makes a whole number of a float",
    "sets": "replaces elements of its array",
    "settled": "has one value within a bar, from its first tick to its last",
}
"""What a trait says of a built-in that has it."""

_DRAWINGS = ("line", "linefill", "box", "polyline", "label", "table")
_RECEIVERS = frozenset(("array", "matrix", "map", "chart.point", "footprint", "volume_row", *_DRAWINGS))


def read_function(name: str, record: str) -> Function:
    """The function `name` from its `record`."""
    facts: dict[str, str] = {}
    required: tuple[str, ...] = ()
    variadic = 0
    history = top_level = False
    overloads: list[Overload] = []
    parameters: list[Parameter] = []
    for line in record.strip().splitlines():
        word, _, rest = line.partition(" ")
        if word == "->":
            overloads.append(Overload(tuple(parameters), rest))
            parameters = []
        elif word in OURS:
            facts[word] = rest
        elif word == "needs":
            required = tuple(rest.split("; "))
        elif "; " in line:
            parameters.append(_parameter(line.split("; ")))
        elif word == "variadic":
            variadic = int(rest)
        elif word == "history":
            history = True
        elif word == "global":
            top_level = True
    namespace = namespace_of(name)
    return Function(
        name,
        tuple(overloads),
        required,
        variadic,
        history,
        top_level,
        _receiver(namespace, overloads[0]),
        namespace,
        facts.get("says", ""),
        _effects(facts),
        _words(facts.get("traits", "")),
        _range(facts.get("within")),
        tuple(facts.get("places", "").split()),
        facts.get("rule"),
    )


def read_variable(name: str, record: str) -> Variable:
    """The variable `name` from its `record`."""
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
    """The constant `name` from its `record`."""
    *lines, type_ = record.strip().splitlines()
    return Constant(name, type_, namespace_of(name), _facts(lines).get("says", ""))


def with_line(records: Mapping[str, str], word: str) -> Iterator[tuple[str, str]]:
    """The names of `records` that have a line of ours that begins with `word`, and the rest of that line."""
    start = f"\n{word} "
    for name, record in records.items():
        at = record.find(start)
        if at >= 0:
            yield name, record[at + len(start) : record.index("\n", at + 1)]


def computed(name: str, record: str) -> Iterator[tuple[str, str]]:
    """What computes a built-in: keys, `name` or `name#OVERLOAD`, and the rest of their lines `runs`."""
    overload = -1
    for line in record.strip().splitlines():
        word, _, rest = line.partition(" ")
        if word == "->":
            overload += 1
        elif word == "runs":
            yield (name if overload < 0 else f"{name}#{overload}"), rest


def namespace_of(name: str) -> str | None:
    """`strategy.risk` of `strategy.risk.max_drawdown`; None for a name without a dot."""
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
