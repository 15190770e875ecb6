"""The samples are clean and show the whole language; their broken twins are reported exactly as written beside them."""

from __future__ import annotations

import csv
import importlib.util
import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pinebench.calendars.sessions import session
from pinebench.calendars.zones import local
from pinebench.files import resources
from pinebench.linter import lint_text
from pinebench.linter.suggest.candidate import dotted
from pinebench.market.bar_loader import load
from pinebench.syntax import nodes, parse, parser_tables
from pinebench.syntax.document import Document
from pinebench.syntax.walk import walk
from tests.tables import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

    from pinebench.syntax.faults import Fault
    from pinebench.syntax.scanner import Scan

SAMPLES = resources.folder("samples")
SCRIPTS = sorted(SAMPLES.glob("*.pine"))
BROKEN = sorted((SAMPLES / "broken").glob("*.pine"))
BARS = SAMPLES / "bars" / "share_15m.csv"


def name_of(path: Path) -> str:
    return path.stem


def all_nodes() -> Iterator[nodes.Node]:
    for path in SCRIPTS:
        for chunk in parse(path.read_text(encoding="utf-8")).chunks:
            yield from walk(chunk.body)


def node_classes() -> set[type[nodes.Node]]:
    """Every class of the tree but the base and the stand-in for what could not be read."""
    found = {value for value in vars(nodes).values() if isinstance(value, type) and issubclass(value, nodes.Node)}
    return found - {nodes.Node, nodes.ErrorStatement}


def test_there_are_enough_samples_of_a_readable_size() -> None:
    assert len(SCRIPTS) >= 10
    for path in SCRIPTS:
        assert 30 <= len(path.read_text(encoding="utf-8").splitlines()) <= 400, path.name


@each("path", SCRIPTS)
def test_a_sample_has_no_finding_of_any_kind(path: Path) -> None:
    assert lint_text(path.read_text(encoding="utf-8"), path.name) == []


def test_the_samples_hold_every_kind_of_node() -> None:
    assert node_classes() - {type(node) for node in all_nodes()} == set()


def test_the_samples_use_every_operator() -> None:
    used: set[str] = set()
    for node in all_nodes():
        if isinstance(node, nodes.Binary | nodes.Reassignment):
            used.add(node.operator)
        elif isinstance(node, nodes.Unary):
            used.add(f"unary {node.operator}")
    binary = {"+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "and", "or"}
    assert used == binary | {":=", "+=", "-=", "*=", "/=", "%=", "unary +", "unary -", "unary not"}


NEVER_IN_A_SAMPLE = {
    # An empty text is no script, and a chunk holds one top-level line, so lines are never joined within one.
    (0, "start", "empty"),
    (2, "lines", "list_extend"),
    # Published scripts import several libraries on one line, but it is no style to show.
    (3, "imports", "list_separated"),
    # Read so that the check can say what is wrong: `var` before a tuple, arrays of arrays.
    (6, "declaration", "tuple_declaration"),
    (3, "statement_type", "template_array"),
    (6, "type", "type_reference"),
    # Read because nobody has seen TradingView refuse them: fields without a type, and commas with nothing behind them.
    (2, "field", "field"),
    (3, "line", "first"),
    (2, "body", "first"),
    (2, "parameters", "first"),
    (2, "arguments", "first"),
}
"""The forms of the grammar that a script which compiles cannot have, or is not known to have."""


def forms_of(text: str) -> set[parser_tables.Reduction]:
    """The forms of the grammar's rules that `text`, which has no syntax error, makes use of."""
    source = parser_tables.load()
    actions = [dict(zip(terminals, entries, strict=True)) for terminals, entries in source.states]
    gotos = {rule: dict(zip(before, after, strict=True)) for rule, before, after in source.gotos}
    used: set[parser_tables.Reduction] = set()

    def follow(scan: Scan) -> tuple[list[nodes.Statement], list[Fault]]:
        """Run the tables over a chunk and note each reduction."""
        states = [source.start]
        for kind in [*scan.types, "$END"]:
            while states[-1] != source.end and (entry := actions[states[-1]][kind]) < 0:
                size, rule, _ = form = source.reductions[-1 - entry]
                used.add(form)
                del states[len(states) - size :]
                states.append(gotos[rule][states[-1]])
            if states[-1] != source.end:
                states.append(actions[states[-1]][kind])
        return [], []

    Document(text, follow)
    return used


def test_the_samples_use_every_form_of_every_rule_of_the_grammar() -> None:
    used = set[parser_tables.Reduction]().union(*(forms_of(path.read_text(encoding="utf-8")) for path in SCRIPTS))
    wanted = {form for form in parser_tables.load().reductions if not form[2].startswith("error_")}
    assert wanted - used == NEVER_IN_A_SAMPLE


class Shape(NamedTuple):
    """A form of a construct that its node class alone does not show."""

    name: str
    kind: type[nodes.Node]
    attributes: dict[str, object]


SHAPES = [
    Shape("var", nodes.VariableDeclaration, {"mode": "var"}),
    Shape("varip", nodes.VariableDeclaration, {"mode": "varip"}),
    Shape("const", nodes.VariableDeclaration, {"qualifier": "const"}),
    Shape("simple", nodes.VariableDeclaration, {"qualifier": "simple"}),
    Shape("export const", nodes.VariableDeclaration, {"exported": True, "qualifier": "const"}),
    Shape("exported function", nodes.FunctionDeclaration, {"exported": True, "is_method": False}),
    Shape("exported method", nodes.FunctionDeclaration, {"exported": True, "is_method": True}),
    Shape("exported type", nodes.TypeDeclaration, {"exported": True}),
    Shape("exported enum", nodes.EnumDeclaration, {"exported": True}),
    Shape("varip field", nodes.Field, {"mode": "varip"}),
    Shape("field without default", nodes.Field, {"default": None}),
    Shape("enum field without title", nodes.EnumField, {"value": None}),
    Shape("series parameter", nodes.Parameter, {"qualifier": "series"}),
    Shape("simple parameter", nodes.Parameter, {"qualifier": "simple"}),
    Shape("untyped counter", nodes.ForTo, {"counter_type": None}),
    Shape("loop without step", nodes.ForTo, {"step": None}),
    Shape("for in without index", nodes.ForIn, {"index": None}),
    Shape("switch without subject", nodes.Switch, {"subject": None}),
    Shape("default arm", nodes.Case, {"condition": None}),
    Shape("once without condition", nodes.Once, {"condition": None}),
    Shape("array suffix", nodes.TypeReference, {"is_array": True}),
    Shape("import without alias", nodes.Import, {"alias": None}),
    *(Shape(f"{kind} literal", nodes.Literal, {"kind": kind}) for kind in ("int", "float", "string", "color", "bool")),
]


@each("shape", SHAPES)
def test_the_samples_hold_every_shape(shape: Shape) -> None:
    assert any(
        type(node) is shape.kind and all(getattr(node, name) == value for name, value in shape.attributes.items())
        for node in all_nodes()
    )


def test_the_samples_hold_the_counterparts_of_what_may_be_left_out() -> None:
    counterparts = [
        (nodes.ForTo, "counter_type"),
        (nodes.ForTo, "step"),
        (nodes.ForIn, "index"),
        (nodes.Switch, "subject"),
        (nodes.Once, "condition"),
        (nodes.Import, "alias"),
        (nodes.Parameter, "default"),
        (nodes.Field, "default"),
        (nodes.EnumField, "value"),
    ]
    found = {
        (kind, attribute)
        for node in all_nodes()
        for kind, attribute in counterparts
        if type(node) is kind and getattr(node, attribute) is not None
    }
    assert found == set(counterparts)


def test_the_samples_call_every_input_and_every_request() -> None:
    called = {dotted(node.callee) for node in all_nodes() if isinstance(node, nodes.Call)}
    inputs = "bool color enum float int price session source string symbol text_area time timeframe"
    requests = "currency_rate dividends earnings economic financial footprint security security_lower_tf splits"
    wanted = {f"input.{name}" for name in inputs.split()} | {f"request.{name}" for name in requests.split()}
    assert wanted | {"input", "indicator", "strategy", "library"} <= called


def test_some_sample_wraps_text_over_lines_in_every_way() -> None:
    text = (SAMPLES / "language_tour.pine").read_text(encoding="utf-8")
    assert '"""\n' in text
    for continuation in ("\n   ? ", "\n   : ", " +\n     ", "\n  or ", "\n  .note", "(\n", ",\nclose,"):
        assert continuation in text


@each("path", BROKEN)
def test_a_broken_twin_is_reported_as_expected(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))
    findings = lint_text(path.read_text(encoding="utf-8"), path.name)
    assert {(found.line, found.code) for found in findings} == {(entry["line"], entry["code"]) for entry in expected}


@each("path", BROKEN)
def test_a_broken_twin_has_a_sound_sample_and_several_faults(path: Path) -> None:
    assert (SAMPLES / path.name).is_file()
    assert len(json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))) >= 4


def make_bars() -> ModuleType:
    """The script that wrote the bars, loaded from the checkout."""
    path = SAMPLES.parents[1] / "scripts" / "data" / "make_bars.py"
    spec = importlib.util.spec_from_file_location("make_bars", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bars_can_be_made_again() -> None:
    script = make_bars()
    assert script.as_csv(script.make_bars()).encode() == BARS.read_bytes()


def test_another_seed_gives_other_bars() -> None:
    script = make_bars()
    assert script.make_bars(1) != script.make_bars(2)


def test_the_bars_keep_the_session_that_their_symbol_declares() -> None:
    data = load(BARS)
    hours = session(data.symbol.session, data.symbol.timezone)
    assert [time for time in data.bars.time if hours.at(time) is None] == []
    assert {local(time, data.symbol.timezone).strftime("%H:%M") for time in data.bars.time[::26]} == {"09:30"}


def test_the_bars_are_those_of_a_market() -> None:
    with BARS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 2000
    times = [datetime.strptime(row["time"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) for row in rows]
    steps = [later - earlier for earlier, later in pairwise(times)]
    assert min(steps) == timedelta(minutes=15)
    assert any(step > timedelta(days=2) for step in steps)
    assert not any(time.weekday() >= 5 for time in times)
    for row in rows:
        opened, high, low, closed = (float(row[name]) for name in ("open", "high", "low", "close"))
        assert 0 < low <= min(opened, closed) <= max(opened, closed) <= high
        assert int(row["volume"]) > 0
    gaps = [abs(float(after["open"]) - float(before["close"])) for before, after in pairwise(rows)]
    assert max(gap for gap, step in zip(gaps, steps, strict=True) if step > timedelta(days=2)) > 0.5
