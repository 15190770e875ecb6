"""Names of classes and modules: nouns of the field, and few names for more than one thing."""

import os
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "pinebench"

PARTICIPLES = {
    "Falling": "Pine's `ta.falling`",
    "Rising": "Pine's `ta.rising`",
    "Naming": "a rule of the linter, called as the rule is",
    "Shadowing": "a rule of the linter, called as the rule is",
    "Parenthesized": "a node of the syntax tree, which `pinebench parse` prints",
    "Screening": "a result of the Python API; the screening of symbols",
}
"""The classes whose names are bare participles, each with its reason."""
NOUNS = frozenset(
    (
        *("Binding", "Drawing", "Everything", "Feed", "Finding", "Firing", "Lowering", "Meaning", "Overfitting"),
        *("Recording", "Ring", "Setting", "Spacing"),
    )
)
"""Words that end like participles and are nouns."""
IRREGULAR = frozenset(
    (
        *("Begun", "Born", "Bought", "Bound", "Broken", "Brought", "Built", "Caught", "Chosen", "Cut", "Done"),
        *("Drawn", "Driven", "Fallen", "Forgotten", "Found", "Frozen", "Given", "Gone", "Grown", "Heard", "Held"),
        *("Hidden", "Kept", "Known", "Laid", "Left", "Lent", "Lost", "Made", "Meant", "Met", "Overtaken", "Paid"),
        *("Put", "Ran", "Read", "Risen", "Said", "Seen", "Sent", "Set", "Shown", "Shut", "Sold", "Sought", "Spent"),
        *("Split", "Taken", "Taught", "Thought", "Thrown", "Told", "Torn", "Understood", "Won", "Worn", "Written"),
    )
)
"""Participles that do not end in -ed or -ing."""
SHARED: dict[str, str] = {}
"""The class names of three or more classes, each with its reason."""
MOST_PAIRS = 17
"""So many class names are the names of two classes."""
MODULES = frozenset(
    (
        *("__init__", "access", "account", "aggregation", "alerts", "app", "arguments", "arrays", "assistant"),
        *("averages", "backtest", "bars", "batch", "behaviour", "build", "builtins", "bundle", "calls"),
        *("catalogue", "changes", "chart", "chat", "clocks", "collections", "colors", "commands", "compile"),
        *("completion", "consent", "constants", "context", "dates", "declarations", "defaults", "doctor"),
        *("documents", "editor", "endpoint", "engine", "errors", "events", "exports", "expressions", "faults"),
        *("figures", "findings", "folders", "foreign", "functions", "goals", "handlers", "headers", "inputs"),
        *("junit", "layout", "libraries", "loops", "messages", "metrics", "names", "numbers", "numerals"),
        *("objects", "optimize", "orders", "outline", "outputs", "page", "pages", "parts", "patterns"),
        *("portfolio", "project", "prompt", "protocol", "records", "refusals", "registry", "repairs", "replay"),
        *("report", "requests", "results", "run", "script", "scripts", "server", "session", "sessions"),
        *("settings", "signals", "skills", "sources", "state", "statements", "strategies", "strategy"),
        *("strings", "sync", "tables", "templates", "themes", "ticks", "timeframes", "tools", "tv", "types"),
        *("uses", "values", "volume", "watchlists", "why", "windows"),
    )
)
"""The file names of several modules. Each is the noun for its subject in every room that has it."""
GERUNDS = frozenset(
    (
        *("cascading", "decoding", "highlighting", "inlining", "lowering", "meaning", "naming", "nesting"),
        *("overfitting", "ranking", "repainting", "screening", "shadowing", "sizing", "slicing", "spelling", "timing"),
    )
)
"""The modules whose names are gerunds; most of them are terms, such as `lowering` and `nesting`."""


_CLASS = re.compile(r"^[ \t]*class (\w+)(?:\[[^\n]*?\])?(?:\(([^)]*)\))?:", re.MULTILINE)
"""A class and its bases. (To parse all modules takes three seconds.)"""


@cache
def modules() -> tuple[Path, ...]:
    """The files of all modules of the package, without those that were generated."""
    found: list[Path] = []
    for place, folders, names in os.walk(PACKAGE):
        folders[:] = [name for name in folders if name not in ("node_modules", "__pycache__")]
        found += [Path(place, name) for name in names if name.endswith(".py") and name != "_tables.py"]
    return tuple(found)


@cache
def classes() -> dict[str, list[tuple[str, bool]]]:
    """The file of each class, by its name, and whether it is a message of a Textual widget."""
    found: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for path in modules():
        for name, bases in _CLASS.findall(path.read_text(encoding="utf-8")):
            is_message = "Message" in re.split(r"[\s,]+", bases)
            found[name].append((str(path.relative_to(PACKAGE)), is_message))
    return found


def is_participle(name: str) -> bool:
    """Whether a name is one word that says only what happened, such as `Kept` or `Trading`."""
    word = name.strip("_")
    ends = word in IRREGULAR or re.fullmatch("[A-Z][a-z]*(ed|ing)", word) is not None
    return ends and word not in NOUNS


def test_a_class_has_the_noun_of_its_field() -> None:
    found = {
        name: [path for path, is_message in places if not is_message]
        for name, places in classes().items()
        if is_participle(name) and not all(is_message for _, is_message in places)
    }
    assert {name: places for name, places in found.items() if name not in PARTICIPLES} == {}
    assert PARTICIPLES.keys() - found == set(), "these are gone: take them out of the table"
    assert len(PARTICIPLES) <= 10


def test_few_classes_share_a_name() -> None:
    shared = {name: [path for path, _ in places] for name, places in classes().items() if len(places) > 2}
    messages = {name for name, places in classes().items() if all(is_message for _, is_message in places)}
    assert {name: places for name, places in shared.items() if name not in SHARED.keys() | messages} == {}
    assert SHARED.keys() - shared == set(), "these are gone: take them out of the table"
    assert len(SHARED) <= 10
    pairs = sorted(name for name, places in classes().items() if len(places) == 2)
    assert len(pairs) <= MOST_PAIRS, pairs


def test_a_module_can_be_told_from_its_namesake() -> None:
    stems = [path.stem for path in modules()]
    repeated = {stem for stem, count in Counter(stems).items() if count > 1}
    assert repeated - MODULES == set(), "give the module a name that says what it is without its folder"
    assert MODULES - repeated == set(), "these are gone: take them out of the table"


def test_a_module_has_the_noun_of_what_it_holds() -> None:
    gerunds = {path.stem for path in modules() if re.fullmatch("[a-z]+ing", path.stem)}
    assert gerunds - GERUNDS == set(), "give the module a noun"
    assert GERUNDS - gerunds == set(), "these are gone: take them out of the table"


def test_the_table_of_rooms_names_modules_that_exist() -> None:
    rows = re.findall(r"^\| `\w+/` \|.*$", (PACKAGE.parent / "docs/architecture.md").read_text(encoding="utf-8"), re.M)
    known = {path.stem for path in modules()} | {path.parent.name for path in modules()}
    assert len(rows) > 30
    assert {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)} - known == set()
