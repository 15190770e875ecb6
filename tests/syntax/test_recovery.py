"""Error recovery: each fault is reported once, and what is sound stays in the tree."""

import pytest

from pinebench.diagnostics import Severity
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk
from tests.syntax.planted import SECTIONS, script
from tests.tables import each


def _error_lines(text: str) -> list[int]:
    document = parse(text)
    errors = [found for found in document.diagnostics if found.severity is Severity.ERROR]
    return [(found.tv_position or document.lines.position(found.span.start)).line for found in errors]


def _declared(text: str) -> set[str]:
    kinds = nodes.VariableDeclaration, nodes.FunctionDeclaration, nodes.TypeDeclaration
    found = [node for chunk in parse(text).chunks for node in walk(chunk.body)]
    return {node.name.id for node in found if isinstance(node, kinds)}


def test_the_sound_script_is_sound() -> None:
    text, _ = script(broken=False)
    assert _error_lines(text) == []
    assert len(text.splitlines()) >= 400


def test_planted_faults_are_found() -> None:
    text, planted = script(broken=True)
    reported = _error_lines(text)
    found = [line for line in planted if line in reported]
    follow_ons = [line for line in reported if line not in planted]
    assert len(found) >= 18
    assert len(follow_ons) <= 4
    assert len(reported) == len(found) + len(follow_ons)


def test_what_surrounds_planted_faults_is_whole() -> None:
    declared = _declared(script(broken=True)[0])
    for number in range(1, len(SECTIONS) + 1):
        assert {f"Level{number}", f"level{number}", f"last{number}", f"after{number}"} <= declared
    assert _declared(script(broken=False)[0]) - declared <= {"span12", "f10", "y13", "x14", "x15"}


def _body(text: str) -> list[nodes.Statement]:
    return [statement for chunk in parse(text).chunks for statement in chunk.body]


def test_a_declaration_with_a_bad_value_keeps_its_name() -> None:
    (declaration,) = _body("float x = a b * c\n")
    assert isinstance(declaration, nodes.VariableDeclaration)
    assert declaration.name.id == "x"
    assert isinstance(declaration.value, nodes.ErrorStatement)
    assert [part.id for part in declaration.value.salvaged if isinstance(part, nodes.Name)] == ["a", "b", "c"]


def test_the_block_of_a_broken_header_stays_with_it() -> None:
    first, second = _body("if a b\n    c = 1\n    d = 2\nelse\n    e = 3\nf = 4\n")
    assert isinstance(first, nodes.ErrorStatement)
    names = [part.name.id for part in first.body if isinstance(part, nodes.VariableDeclaration)]
    assert names == ["c", "d", "e"]
    assert isinstance(second, nodes.VariableDeclaration)


def test_a_header_that_ends_in_an_operator_keeps_its_block() -> None:
    (statement,) = _body("if a and\n    b = 1\n    c = 2\n")
    assert isinstance(statement, nodes.ErrorStatement)
    assert [type(part) for part in statement.body] == [nodes.VariableDeclaration] * 2
    assert _error_lines("if a and\n    b = 1\n    c = 2\n") == [1]


def test_a_tuple_declaration_ends_a_bracket_that_was_left_open() -> None:
    first, second = _body("a = f(1\n[b, c] = g()\n")
    assert isinstance(first, nodes.VariableDeclaration)
    assert isinstance(second, nodes.TupleDeclaration)
    assert _error_lines("a = f(1\n[b, c] = g()\n") == [1]


def test_the_arms_of_a_broken_switch_stay_arms() -> None:
    (declaration,) = _body("x = switch a b\n    1 => c\n    => d\n")
    assert isinstance(declaration, nodes.VariableDeclaration)
    assert isinstance(declaration.value, nodes.ErrorStatement)
    switch = declaration.value.salvaged[-1]
    assert isinstance(switch, nodes.Switch)
    assert len(switch.cases) == 2


def test_a_line_before_a_broken_one_is_kept_in_a_block() -> None:
    (function,) = _body("f() =>\n    a = 1\n    )\n    b = 2\n")
    assert isinstance(function, nodes.FunctionDeclaration)
    assert [type(statement).__name__ for statement in function.body] == [
        "VariableDeclaration",
        "ErrorStatement",
        "VariableDeclaration",
    ]


def test_a_broken_field_does_not_cost_its_type() -> None:
    (declaration,) = _body("type T\n    int a\n    float = = 3\n    bool c\n")
    assert isinstance(declaration, nodes.TypeDeclaration)
    assert [field.name.id for field in declaration.fields] == ["a", "c"]


def test_salvaged_parts_are_expressions_and_statements() -> None:
    text = "f(int a = b + 1, c d) =>\n    g(h = i, j k)\n    switch l m\n        n o => 1\n"
    parts = [
        part
        for chunk in parse(text).chunks
        for node in walk(chunk.body)
        if isinstance(node, nodes.ErrorStatement)
        for part in node.salvaged
    ]
    apart = nodes.Parameter, nodes.Field, nodes.EnumField, nodes.Case, nodes.NamedArgument, nodes.TypeReference
    assert parts
    assert not [part for part in parts if isinstance(part, apart)]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a = f(b c)\n", "a comma or an operator is missing between `b` and `c`"),
        ("a = \n", "expected a value or '('"),
        ("if a\nb = 1\n", "expected an indented block"),
        ("int a\n", "expected '='"),
    ],
)
def test_hints_say_what_was_expected(text: str, hint: str) -> None:
    (found,) = parse(text).diagnostics
    assert found.hint == hint


@each("target", ['t("")', "a + b", "a[1]", "(a)", "[a, b]", "5", "not a", "a ? b : c"])
@each("operator", [":=", "=", "+=", "=>", ":= ="])
@each("value", ["w", "", "if", "= w", "switch", "(", "]"])
def test_a_bad_target_with_a_block_behind_it_ends(target: str, operator: str, value: str) -> None:
    broken = f"{target} {operator} {value}\n"
    longer = f"{broken}    2\n    x = 3\ny = 4\n"
    for text in (broken, f"{broken}        2", longer, f"if a\n    {broken}        2\nz = 1"):
        assert parse(text).chunks


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("if a\n     b := 1\nelse\n    c = 2\nd = 3\n", [1]),
        ("f(x)\n    y = x\n    y + 1\nz = 2\n", [2]),
        ("x =\n    a > b => 1\n    'b' => 2\n    => 3\nz = 2\n", [1]),
        ("x = mode\n    'a' => 1\n    'b' => 2\n    => 3\nz = 2\n", [2]),
        ("if a\n    x mode\n        'a' => 1\n        => 3\nz = 2\n", [2]),
        ("    int a\n    float b\nx = 1\n    int a\n    float b\n    bool c\nz = 2\n", [1, 4]),
        ("if a\n    b = 1\n        if c\n        d = 2\ne = 3\n", [3]),
        ("if a\nb = 1\n    c = 2\nd = 3\n", [2]),
        ("for i = 0\n        b = 1\n    c = 2\nd = 3\n", [1]),
        ("if a\n    b = 1\n}\n    c = 2\nd = 3\n", [3]),
        ("if a {\n    b = 1\n}\nelse {\n    c = 2\n}\nd = 3\n", [1, 3, 4, 6]),
    ],
)
def test_one_fault_of_layout_is_one_report(text: str, lines: list[int]) -> None:
    assert _error_lines(text) == lines


@pytest.mark.parametrize(
    "text",
    ["a =\nb = 2\n", "a = c +\nfloat b = 2\n", "a = c ?\nvar b = 2\n", "a++\nfloat[] b = na\n", "a++\n[b, c] = f()\n"],
)
def test_a_line_that_breaks_off_leaves_the_next_statement_whole(text: str) -> None:
    assert _error_lines(text) == [1]
    last = _body(text)[-1]
    assert isinstance(last, nodes.VariableDeclaration | nodes.TupleDeclaration)


def test_a_block_goes_on_at_a_level_that_was_never_opened() -> None:
    (structure,) = _body("if a\n        b = 1\n    c = 2\n    d = 3\n")
    assert isinstance(structure, nodes.If)
    assert len(structure.body) == 3
