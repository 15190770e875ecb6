"""What other rooms stand on: everything about a checked script by its public surface, libraries on disk included.

`PINEBENCH_CORPUS` may name a folder of scripts that are walked as well.
"""

import ast
import os
from collections import Counter
from pathlib import Path

import pytest

from pinebench.checker import BuiltinCall, CallSite, ConstructorCall, CopyCall, LibraryFolders, Program, UserCall, check
from pinebench.checker.symbols import FieldSymbol, FunctionSymbol, ImportSymbol, TypeSymbol, VariableSymbol
from pinebench.checker.types import display
from pinebench.files import resources
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk
from tests.checker.consumer import read

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
FOLDERS = [resources.folder("samples"), resources.folder("templates"), HERE / "valid"]
CORPUS = os.environ.get("PINEBENCH_CORPUS")

INNER = """//@version=6
library("Inner")
export const int FAR = 7
export type Leg
    float size = 1.5
    int bars
    color tint = color.red
    Leg before = na
export enum Side
    up
    down
export smooth(float value, simple int length = 5) => ta.ema(value, length)
"""
OUTER = """//@version=6
library("Outer")
import Me/Inner/1 as inner
export const int LIMIT = 2 * 3
export const string NAME = "outer"
export method grown(inner.Leg this, float by_) =>
    this.size += by_
    this.size
export drawn(float price) => label.new(bar_index, price)
export twice(float value) =>
    half = inner.smooth(value)
    half[LIMIT] + half
"""
SCRIPT = """//@version=6
indicator("Uses")
import Me/Outer/1 as outer
import Me/Inner/1 as inner
inner.Leg leg = inner.Leg.new(2)
inner.Leg other = leg.copy()
inner.Side side = inner.Side.up
x = outer.twice(bar_index) + outer.LIMIT + inner.FAR
y = leg.grown(1)
z = inner.smooth(close)
outer.drawn(high)
plot(x + y + z + leg.size + other.size + close[3] + (open)[inner.FAR])
plot(ta.sma(close, 5)[2] + x[bar_index])
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "Inner.pine").write_text(INNER, encoding="utf-8")
    (tmp_path / "Outer.pine").write_text(OUTER, encoding="utf-8")
    checked = check(parse(SCRIPT), LibraryFolders([tmp_path]))
    assert [finding.message for finding in checked.diagnostics] == []
    return checked


def call(program: Program, text: str) -> nodes.Call:
    """The first call of the script whose text begins so."""
    return next(
        node
        for chunk in program.document.chunks
        for node in walk(chunk.body)
        if isinstance(node, nodes.Call) and program.text_of(node).startswith(text)
    )


def test_a_consumer_is_told_everything() -> None:
    scripts = [path for folder in FOLDERS for path in sorted(folder.glob("*.pine"))]
    scripts += sorted(Path(CORPUS).rglob("*.pine")) if CORPUS else []
    counts: Counter[str] = Counter()
    for path in scripts:
        consumer = read(path.read_bytes().decode("utf-8", errors="replace"), None)
        if consumer is not None:
            assert consumer.missing == [], path
            counts += consumer.counts
            counts["scripts"] += 1
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")
    assert counts["scripts"] > 90 and counts["expressions"] > 10_000 and counts["calls: UserCall"] > 300


def test_a_consumer_is_told_everything_about_libraries_on_disk(tmp_path: Path) -> None:
    (tmp_path / "Inner.pine").write_text(INNER, encoding="utf-8")
    (tmp_path / "Outer.pine").write_text(OUTER, encoding="utf-8")
    consumer = read(SCRIPT, LibraryFolders([tmp_path]))
    assert consumer is not None and consumer.missing == []
    assert not any(name.endswith("unknown") for name in consumer.counts)
    libraries = {library for library, _ in consumer.sites}
    assert libraries == {None, "Me/Outer/1", "Me/Inner/1"}


def test_the_consumer_uses_the_public_surface_only() -> None:
    tree = ast.parse((HERE / "consumer.py").read_text(encoding="utf-8"))
    reached = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not {name for name in reached if name.startswith("_") and not name.startswith("__")}
    assert not {"checker", "bindings"} & reached


def test_no_room_and_no_test_reaches_into_a_program() -> None:
    hidden = {name for name in vars(check(parse(SCRIPT))) if name.startswith("_")}
    assert hidden
    for folder in ("pinebench", "tests", "benchmarks"):
        for path in (CHECKOUT / folder).rglob("*.py"):
            if path.name == "program.py" or "node_modules" in path.parts:
                continue
            text = path.read_text(encoding="utf-8")
            if not any(f".{name}" in text for name in hidden):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Attribute) and node.attr in hidden:
                    assert isinstance(node.value, ast.Name) and node.value.id == "self", path


def test_fields_of_a_library_have_their_defaults(program: Program) -> None:
    bound = program.call(call(program, "inner.Leg.new"))
    assert isinstance(bound, ConstructorCall) and bound.type.name == "Leg"
    size, bars, tint, before = bound.arguments
    assert size.node is not None and size.conversion is not None and display(size.conversion) == "const float"
    assert [argument.node for argument in (bars, tint, before)] == [None] * 3
    assert bars.default is not None and (bars.is_constant, bars.value) == (True, None)
    assert tint.default is not None and program.text_of(tint.default) == "color.red"
    assert (tint.is_constant, tint.value) == (True, "color.red")


def test_defaults_of_functions_of_a_library_are_nodes_of_its_text(program: Program) -> None:
    bound = program.call(call(program, "inner.smooth"))
    assert isinstance(bound, UserCall)
    length = bound.arguments[1]
    assert length.default is not None and program.text_of(length.default) == "5"
    assert (length.is_constant, length.value) == (True, 5)
    start, end = program.span(length.default)
    assert INNER[start:end] == "5" and INNER[:start].endswith("length = ")


def test_constants_behind_a_library_are_known(program: Program) -> None:
    found = {
        program.text_of(node): program.value_of(node)
        for chunk in program.document.chunks
        for node in walk(chunk.body)
        if isinstance(node, nodes.Member)
    }
    assert found["outer.LIMIT"] == (True, 6) and found["inner.FAR"] == (True, 7)
    assert found["inner.Side.up"][0] and found["leg.size"] == (False, None)


def test_names_behind_a_library_mean_what_it_declares(program: Program) -> None:
    def symbol(text: str, behind: int = 0) -> object:
        return program.symbol_at(SCRIPT.index(text) + behind)

    constant, function, method, type_ = (
        symbol("outer.LIMIT", 7),
        symbol("outer.twice", 7),
        symbol("leg.grown", 5),
        symbol("inner.Leg leg", 7),
    )
    assert isinstance(constant, VariableSymbol) and isinstance(function, FunctionSymbol)
    assert isinstance(method, FunctionSymbol) and isinstance(type_, TypeSymbol)
    assert (constant.name, function.name, method.name, type_.name) == ("LIMIT", "twice", "grown", "Leg")
    assert isinstance(symbol("outer.LIMIT"), ImportSymbol)
    field = symbol("leg.size", 5)
    assert isinstance(field, FieldSymbol)
    declared = program.declared_type(field)
    assert declared is not None and display(declared) == "series float"
    type_of_constant = program.declared_type(constant)
    assert type_of_constant is not None and display(type_of_constant) == "const int"


def test_call_sites_are_told_apart_by_their_text(program: Program) -> None:
    outer = program.call(call(program, "outer.twice"))
    assert isinstance(outer, UserCall) and outer.site.library is None
    inner = [program.call(node, outer.frame) for node in outer.frame.calls if isinstance(node, nodes.Call)]
    assert [found.site for found in inner if found is not None] == [CallSite("Me/Outer/1", 2)]
    library = program.program_of(outer.frame)
    assert library.path == "Me/Outer/1" and library is program.libraries["Me/Outer/1"]
    own = [program.call(node) for node in program.frame.calls if isinstance(node, nodes.Call)]
    sites = [found.site for found in own if found is not None]
    assert len(set(sites)) == len(sites) and {site.library for site in sites} == {None}


def test_effects_of_a_library_are_followed(program: Program) -> None:
    drawn, twice, grown = (program.call(call(program, text)) for text in ("outer.drawn", "outer.twice", "leg.grown"))
    assert isinstance(drawn, UserCall) and program.effects_of(drawn.frame).shows
    assert isinstance(twice, UserCall) and program.effects_of(twice.frame).stateful
    assert isinstance(grown, UserCall)
    assert {symbol.name for symbol in program.effects(call(program, "leg.grown")).mutates} == {"leg"}


def test_equal_calls_in_different_chunks_have_different_spans() -> None:
    text = '//@version=6\nindicator("x")\nplot(ta.sma(close, 3))\nplot(ta.sma(close, 3))\n'
    program = check(parse(text))
    calls = [node for chunk in program.document.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call)]
    spans = [program.span(node) for node in calls]
    assert len(set(spans)) == len(spans) == 5
    assert [text[start:end] for start, end in spans[1:]] == [
        *("plot(ta.sma(close, 3))", "ta.sma(close, 3)"),
        *("plot(ta.sma(close, 3))", "ta.sma(close, 3)"),
    ]


def test_a_node_of_no_text_has_no_place() -> None:
    program = check(parse('//@version=6\nindicator("x")\nplot(close)\n'))
    bound = program.call(call(program, "plot"))
    assert isinstance(bound, BuiltinCall)
    default = next(argument.default for argument in bound.arguments if argument.parameter == "linewidth")
    assert default is not None
    with pytest.raises(LookupError):
        program.span(default)


def test_types_and_symbols_belong_to_a_frame() -> None:
    text = '//@version=6\nindicator("x")\nf(v) =>\n    w = v\n    w\na = f(1)\nb = f("s")\nplot(a)\n'
    program = check(parse(text))
    (function,) = program.functions["f"]
    local = next(symbol for symbol in program.variables if symbol.name == "w")
    frames = program.frames_of(function)
    assert [display(type_) for frame in frames if (type_ := program.declared_type(local, frame))] == [
        "literal int" if frame.parameters[0].literal else display(frame.parameters[0]) for frame in frames
    ]
    last = function.node.body[-1]
    assert isinstance(last, nodes.ExpressionStatement)
    assert [program.symbol_of(last.expression, frame) for frame in frames] == [local, local]
    assert len({program.type_of(last.expression, frame) for frame in frames}) == 2


def test_a_method_means_another_function_in_another_frame() -> None:
    text = (
        '//@version=6\nindicator("x")\nmethod m(int v) => 1\nmethod m(string v) => 2\n'
        'f(v) => v.m()\nplot(f(1) + f("s"))\n'
    )
    program = check(parse(text))
    (caller,) = program.functions["f"]
    body = caller.node.body[-1]
    assert isinstance(body, nodes.ExpressionStatement) and isinstance(body.expression, nodes.Call)
    meant = [program.symbol_of(body.expression.callee, frame) for frame in program.frames_of(caller)]
    assert meant == program.functions["m"]
    assert all(len(program.references(function)) == 2 for function in program.functions["m"])


def test_what_a_script_does_with_a_library_stays_its_own(tmp_path: Path) -> None:
    """A library's function is typed for each script anew: neither types nor qualifiers pass from one to another."""
    library = '//@version=6\nlibrary("Shared")\nexport f(float v, int n) => ta.ema(v, n)\nexport g(int a) => a\n'
    (tmp_path / "Shared.pine").write_text(library, encoding="utf-8")
    folders = LibraryFolders([tmp_path])

    def found(body: str) -> list[str]:
        text = f'//@version=6\nindicator("x")\nimport Me/Shared/1 as s\n{body}\nplot(close)\n'
        return [finding.code for finding in check(parse(text), folders).diagnostics]

    alone = found("x = s.f(close, bar_index)")
    for _ in range(3):
        assert found("x = s.f(close, 5)") == []
        assert found("x = s.f(close, bar_index)") == alone

    def frames() -> int:
        program = check(parse('//@version=6\nindicator("x")\nimport Me/Shared/1 as s\nplot(s.g(1))\n'), folders)
        return len(program.libraries["Me/Shared/1"].functions["g"][0].frames)

    assert frames() == frames()


def test_copies_are_calls_of_their_own(program: Program) -> None:
    copied = program.call(call(program, "leg.copy"))
    assert isinstance(copied, CopyCall) and copied.type.name == "Leg" and isinstance(copied.receiver, nodes.Name)
    assert [argument.parameter for argument in copied.arguments] == ["id"]
