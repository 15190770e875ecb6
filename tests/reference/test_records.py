"""A record becomes a built-in with everything it says, and everything that a record names is there."""

import re
from math import inf
from pathlib import Path

import pytest

from pinebench import reference
from pinebench.checker.builtin_rules import RULES
from pinebench.reference.data import tables
from pinebench.reference.records import (
    OURS,
    TRAITS,
    computed,
    namespace_of,
    read_constant,
    read_function,
    read_variable,
    with_line,
)
from pinebench.repaint.causes import _SOURCES
from pinebench.runtime import builtins, tickers
from pinebench.runtime.library import MODULES
from pinebench.runtime.library.kernel import BarWindow, Kernel

ROOMS = ("checker", "linter", "runtime", "repaint", "testing", "why", "services", "authoring", "tools")
PACKAGE = Path(reference.__file__).resolve().parents[1]
DATA = PACKAGE / "reference" / "data"
RECORD = """
says Does something; and something else.
reads object bars
changes object
keeps
runs arrays.example context
traits adds picks
within -1.5 4
places value
rule sort
used 12
often order value
needs id; value
variadic 2
history
global
id; array<T>
value; T; ; series float
order?; series sort_order; order.ascending; ; order.ascending order.descending
-> void
value, more, ...; series int
-> series float
runs arrays.other
"""


def test_function() -> None:
    function = read_function("array.example", RECORD)
    assert function.required == ("id", "value")
    assert function.variadic == 2
    assert function.history_dependent and function.top_level_only
    assert function.receiver == function.namespace == "array"
    first, second = function.overloads
    assert [parameter.name for parameter in first.parameters] == ["id", "value", "order"]
    assert [parameter.required for parameter in first.parameters] == [True, True, False]
    assert first.parameters[1].noun == "series float"
    assert first.parameters[2].default == "order.ascending"
    assert first.parameters[2].allowed == ("order.ascending", "order.descending")
    assert first.returns == "void"
    assert second.parameters[0].name == "value, more, ..."
    assert second.returns == "series float"


def test_function_without_parameters() -> None:
    function = read_function("strategy.cancel_all", "-> void")
    assert function.required == ()
    assert function.overloads[0].parameters == ()
    assert function.receiver is None


def test_namespace() -> None:
    assert namespace_of("plot") is None
    assert namespace_of("strategy.risk.max_drawdown") == "strategy.risk"


def test_lines_of_ours() -> None:
    function = read_function("array.example", RECORD)
    assert function.description == "Does something; and something else."
    assert function.effects == ({"object", "bars"}, {"object"}, True)
    assert function.traits == {"adds", "picks"}
    assert function.within == (-1.5, 4)
    assert function.places == ("value",)
    assert function.rule == "sort"
    assert dict(with_line({"array.example": RECORD}, "often")) == {"array.example": "order value"}
    assert list(computed("array.example", RECORD)) == [
        ("array.example", "arrays.example context"),
        ("array.example#1", "arrays.other"),
    ]


def test_variable_and_constant() -> None:
    variable = read_variable("ta.example", "\nsays Holds something.\nreads bars\nwithin 0\nseries float\n")
    assert variable == (
        "ta.example",
        "series float",
        "ta",
        "Holds something.",
        ({"bars"}, set(), False),
        set(),
        (0, inf),
    )
    assert read_constant("size.huge", "\nsays Huge.\nused 4\nconst string\n") == (
        *("size.huge", "const string", "size", "Huge."),
    )


def test_every_line_begins_with_a_known_word() -> None:
    for name, record in tables.FUNCTIONS.items():
        known = {*OURS, "ours", "needs", "variadic", "history", "global", "->"}
        lines = record.strip().splitlines()
        assert [line for line in lines if "; " not in line and line.partition(" ")[0] not in known] == [], name


def test_no_record_stands_twice() -> None:
    heads = re.findall(r"^== .*", "".join(path.read_text("utf-8") for path in DATA.glob("*.txt")), re.MULTILINE)
    assert len(heads) == len(set(heads))
    assert len(heads) == len(tables.FUNCTIONS) + len(tables.VARIABLES) + len(tables.CONSTANTS)


def test_traits_are_explained_and_asked_for() -> None:
    used = {
        word
        for table in (tables.FUNCTIONS, tables.VARIABLES)
        for _, words in with_line(table, "traits")
        for word in words.split()
    }
    assert used == set(TRAITS)
    code = "".join(path.read_text("utf-8") for room in ROOMS for path in (PACKAGE / room).rglob("*.py"))
    asked = set(re.findall(r'reference\.having\(\s*"(\w+)"', code))
    assert asked == set(TRAITS) - {"repaints"}, "`repaints` is told by repaint.causes, whose words a test compares"


def test_what_repaints_has_words_for_why() -> None:
    assert reference.having("repaints") == set(_SOURCES)
    assert reference.having("gates") < set(_SOURCES)


def test_rules_of_the_checker_are_named() -> None:
    assert {rule for _, rule in with_line(tables.FUNCTIONS, "rule")} == set(RULES)


def test_places_and_often_are_parameters() -> None:
    for word in ("places", "often"):
        for name, rest in with_line(tables.FUNCTIONS, word):
            function = reference.function(name)
            assert function is not None
            known = {each.name for overload in function.overloads for each in overload.parameters}
            assert set(rest.split()) <= known, name


def test_what_a_record_runs_is_there() -> None:
    modules = {*MODULES, "tickers"}
    assert {path.partition(".")[0] for path, _ in reference.runs().values()} == modules
    computed_here = {**builtins.FUNCTIONS, **builtins.CONTEXT_FUNCTIONS, **builtins.KERNELS}
    assert computed_here.keys() == reference.runs().keys()


@pytest.mark.parametrize("module", [*MODULES.values(), tickers], ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_kernel_is_named_by_a_record(module: object) -> None:
    """Kernels that other kernels are made of are no built-ins of their own: their names or bases say so."""
    named = set(builtins.KERNELS.values())
    own = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Kernel)]
    here = [each for each in own if each.__module__ == getattr(module, "__name__", "") and each not in named]
    parts = {each for each in here if each.__name__.startswith("_") or any(issubclass(one, each) for one in named)}
    assert [each.__name__ for each in here if each not in parts and each is not BarWindow] == []
