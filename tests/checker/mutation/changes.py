"""Small steps that several mutations share: misspelling a word, a value of the wrong type, inserting a line."""

import random
from collections.abc import Iterable

from pinebench import reference
from pinebench.checker.builtins import value_type
from pinebench.checker.types import BOOL, COLOR, FLOAT, INT, STRING, Base
from pinebench.syntax import nodes
from tests.checker.mutation.script import Edit, Script

FRESH = "mutant_value"
"""A name that no script uses."""

VALUE = {INT: "0", FLOAT: "0.0", BOOL: "false", STRING: '""', COLOR: "color.red"}
"""A value of each fundamental type."""

WRONG = {
    INT: ('"text"', "true", "color.red"),
    FLOAT: ('"text"', "true", "color.red"),
    BOOL: ("1", '"text"'),
    STRING: ("1", "2.5", "true"),
    COLOR: ('"text"', "true"),
}
"""Values that nothing of a fundamental type takes."""


def typo(script: Script, word: str, chance: random.Random, *, prefix: str = "") -> str:
    """`word` misspelt so that it means nothing: a letter twice, left out, or swapped with its neighbour."""
    known = script.words
    for _ in range(20):
        place = chance.randrange(len(word))
        letter = word[place]
        forms = [word[:place] + letter * 2 + word[place + 1 :]]
        if len(word) > 3:
            forms.append(word[:place] + word[place + 1 :])
            forms.append(word[:place] + word[place + 1 : place + 2] + letter + word[place + 2 :])
        form = chance.choice(forms)
        if form != word and form not in known and not form[0].isdigit() and not _means(prefix + form):
            return form
    return word + "zq"


def _means(name: str) -> bool:
    return (
        value_type(name) is not None
        or reference.function(name) is not None
        or name in reference.namespaces()
        or name in reference.types()
    )


def replace(script: Script, node: nodes.Node, text: str) -> Edit:
    """Put `text` in the place of `node`."""
    return Edit(script.start(node), script.end(node), text)


def line_before(script: Script, statement: nodes.Node, text: str) -> Edit | None:
    """A line of its own before a statement, indented like it."""
    indent = script.indent(statement)
    if indent is None:
        return None
    place = script.line_start(script.start(statement))
    return Edit(place, place, f"{indent}{text}\n")


def wrong_value(base: Base, chance: random.Random) -> str | None:
    """A literal or constant that does not fit `base`; None when `base` is no fundamental type."""
    values = WRONG.get(base)
    return chance.choice(values) if values else None


def argument_value(argument: nodes.Node) -> nodes.Node:
    """The value of a positional or named argument."""
    return argument.value if isinstance(argument, nodes.NamedArgument) else argument


def global_places(script: Script) -> Iterable[nodes.Node]:
    """Global statements before which a line can be inserted."""
    return (statement for statement in script.global_statements() if script.indent(statement) == "")


def block_starts(script: Script) -> Iterable[nodes.Node]:
    """The first statements of local blocks; a line before one is never the block's value."""
    return (block.statements[0] for block in script.inner_blocks())


def is_free(name: str) -> bool:
    """Whether no built-in has this name."""
    return not _means(name)


def is_unique(script: Script, name: str) -> bool:
    """Whether a script declares `name` once and it is no built-in's."""
    symbols = script.program.variables
    return sum(symbol.name == name for symbol in symbols) == 1 and not _means(name)
