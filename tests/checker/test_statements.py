"""Declarations, assignments and structures: what they accept and the types they leave."""

from __future__ import annotations

from pinebench.checker import open_program
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.checker.support import codes, messages, spans, type_of
from tests.tables import each

GATE = "g = close > open\n"
HEAD = '//@version=6\nindicator("x")\n'


@each(
    ("statement", "own", "given"),
    [
        ('int x = "a"', "const int", "const string"),
        ("int x = close", "const int", "series float"),
        ("bool x = na", "const bool", "simple na"),
        ("line x = 5", "series line", "const int"),
        ("array<int> x = array.new<string>()", "array<int>", "array<string>"),
        ("matrix<float> x = matrix.new<int>(1, 1)", "matrix<float>", "matrix<int>"),
        ('x = 1\nx := "a"', "int", "string"),
        ("x = 1\nx += 1.5", "int", "float"),
        ("a = array.new<int>()\na := array.new<float>()", "array<int>", "array<float>"),
    ],
)
def test_values_that_do_not_fit(statement: str, own: str, given: str) -> None:
    assert codes(statement) == "CE10173"
    message = messages(statement)[0]
    assert f'of the "{given}" type' in message
    assert f'with the "{own}" type' in message


@each(
    "statement",
    [
        "float x = 1",
        "int x = bar_index",
        "color x = na",
        "const array<float> x = array.from(close)",
        "m = map.new<string, int>()\nm := map.new<string, float>()",
        "x = 1.0\nx := na",
        'string x = na\nx += "a"',
        "input int x = 3",
        "const array<float> x = array.new<float>()\nx.push(1)",
        "enum E\n    a\nvarip E x = E.a",
        "matrix<float> x = na",
    ],
)
def test_values_that_fit(statement: str) -> None:
    assert codes(statement) == ""


@each(
    ("statement", "expected"),
    [
        ("x = na", "CE10097 x = na"),
        ('x = alert("a")', 'CE10098 x = alert("a")'),
        ("x = ta.macd(close, 1, 2, 3)", "CE10092 x = ta.macd(close, 1, 2, 3)"),
        ("simple x = 5", "CE10147 simple"),
        ("var const x = 5", "CE10147 const"),
        ("const simple int x = 5", "CE10147 simple"),
        ("[a, b] = close", "tuple-shape [a, b] = close"),
        ("[a, b] = ta.macd(close, 1, 2, 3)", "tuple-count [a, b] = ta.macd(close, 1, 2, 3)"),
        ("type P\n    int a\nta = P.new()", "CE10093 ta"),
        ("simple int x = bar_index", "CE10127 bar_index"),
        ("const float x = close", "CE10127 close"),
        ("const string x = na", "CE10127 na"),
        ("simple int x = 1\nx := bar_index", "CE10127 bar_index"),
        ("const line x = line.new(1, 1, 2, 2)\nx := na", "CE10085 x"),
        ("ta.tr := 5", "CE10174 ta.tr"),
        ("syminfo.mintick += 1", "CE10174 syminfo.mintick"),
        ("color.red := color.blue", "CE10174 color.red"),
        ("enum E\n    a\nE.a := E.a", "CE10174 E.a"),
        ("const chart.point x = chart.point.now(close)\nx.price := open", "CE10085 x.price"),
        ("type P\n    int a\nconst P p = P.new()", "CE10260 const P p = P.new()"),
        ("type P\n    int a\nf(simple P p) => p.a", "CE10260 simple P p"),
        ("enum E\n    a\nvarip x = array.new<E>()", "CE10128 varip"),
        ("enum E\n    a\nvarip x = map.new<string, E>()", "CE10128 varip"),
        ("enum E\n    a = 5\n    b = 6", "CE10125 a = 5"),
        ("type P\n    var int a", "CE10288 var"),
        ("while close\n    break", "CE10101 close"),
        ("if na\n    x = 1", "CE10101 na"),
        ("once close\n    x = 1", "CE10101 close"),
        ("x = switch\n    close => 1", "CE10101 close"),
        ("x = once true\n    1", "once-has-no-value once true\n    1"),
        ("for v in close\n    x = v", "CE10123 close"),
        ("m = map.new<string, int>()\nfor v in m\n    x = v", "CE10123 m"),
    ],
)
def test_what_is_wrong_with_a_statement(statement: str, expected: str) -> None:
    assert spans(statement) == [expected]


@each(
    ("value", "expected"),
    [
        ("if g\n    1\nelse\n    2.0", "series float"),
        ("if timeframe.isdaily\n    1\nelse\n    2", "simple int"),
        ("if g\n    1\nelse if open > 1\n    na", "series int"),
        ('switch\n    => "a"', "const string"),
        ("switch bar_index\n    1 => 2\n    => 3", "series int"),
        ("for i = 0 to 3\n    i", "series int"),
        ("for [k, v] in map.new<string, float>()\n    k", "series string"),
        ("for row in matrix.new<int>(2, 2)\n    row", "array<int>"),
        ("while false\n    true", "series bool"),
        ("if g\n    true\nelse\n    na", "series bool"),
    ],
)
def test_the_value_of_a_structure(value: str, expected: str) -> None:
    script = f"{GATE}x = {value}"
    assert codes(script) == ""
    assert type_of(script, "x") == expected


@each(
    ("script", "expected"),
    [
        ('x = if g\n    1\nelse\n    "a"', ["CE10235 if"]),
        ('x = switch bar_index\n    1 => 1\n    => "a"', ["CE10235 switch"]),
        ('f() =>\n    if g\n        1\n    else\n        "a"', ["CE10235 if"]),
        ('if g\n    1\nelse\n    "a"', []),
        ('for i = 0 to 1\n    x = if g\n        1\n    else\n        "a"', ["CE10235 if"]),
        ('f() =>\n    for i = 0 to 1\n        if g\n            1\n        else\n            "a"', ["CE10235 if"]),
        ('for i = 0 to 1\n    if g\n        1\n    else\n        "a"', []),
        ("f() =>\n    if g\n        label.delete(na)\n    else\n        1", ["CE10235 if"]),
        ("if g\n    label.delete(na)\nelse\n    1", []),
        ("f() =>\n    if g\n        label.delete(na)\n    else\n        1\n    2", []),
        ("f() =>\n    if g\n        label.delete(na)\n    else\n        alert('a')", []),
        (
            "var label l = na\nf(label x) =>\n    y = x\n    if g\n        y := label.new(1, 1)\n    else\n"
            "        y.set_xy(1, 1)\nf(l)",
            ["CE10235 if"],
        ),
        (
            "f(array<int> a) =>\n    for i = 0 to 1\n        if g\n            a.remove(0)\n        else\n"
            "            a.clear()",
            ["CE10235 if"],
        ),
        ("f(array<int> a) =>\n    if g\n        a.shift()", []),
        ("f() =>\n    while g\n        if g\n            label.delete(na)\n        else\n            break", []),
        ("[a, b] = if g\n    [1, 2]\nelse\n    [3, 4, 5]", ["CE10235 if"]),
        ("[a, b] = if g\n    [1, na]\nelse\n    [na, 2]", []),
        ("x = if g\n    plot.style_line\nelse\n    plot.style_area", []),
        (
            "x = switch bar_index\n    1 => plot.style_line",
            ["switch-default-missing switch bar_index\n    1 => plot.style_line"],
        ),
    ],
)
def test_branches_agree_where_their_value_is_taken(script: str, expected: list[str]) -> None:
    assert spans(GATE + script) == expected


@each(
    ("arm", "expected"),
    [('"a"', "CE10123"), ("true", "CE10123"), ("2", ""), ("2.5", ""), ("na", ""), ("bar_index", "")],
)
def test_an_arm_is_compared_with_the_subject(arm: str, expected: str) -> None:
    assert codes(f"x = switch close\n    {arm} => 1\n    => 2") == expected


@each(
    ("script", "expected"),
    [
        ("x = 1\nx := bar_index", "series int"),
        ("x = 1\nif g\n    x := 2", "series int"),
        ("x = 1\nx := 2", "const int"),
        ("x = 1\nfor i = 0 to 3\n    x := 2", "const int"),
        ("x = 1\nfor i = 0 to 3\n    x += i", "series int"),
        ("var x = 1\nx := input.int(2)", "input int"),
        ("simple int x = 1", "simple int"),
        ("series int x = 1", "series int"),
        ("float x = na", "simple float"),
    ],
)
def test_a_variable_is_as_strong_as_what_is_assigned_to_it(script: str, expected: str) -> None:
    assert type_of(GATE + script, "x") == expected


@each(
    ("script", "expected"),
    [
        ("5", ["CE10197 5"]),
        ('"text"', ['CE10197 "text"']),
        ("close", ["CE10197 close"]),
        ("color.red", ["CE10197 color.red"]),
        ("close > open", ["CE10197 close > open"]),
        ("x = 1, x == 2", ["CE10197 x == 2"]),
        ("nothing", ["CE10272 nothing"]),
        ("math.abs(close)", []),
        ("if close > open\n    close", []),
        ("f() =>\n    close\nf()", []),
        ("for i = 0 to 1\n    i", []),
    ],
)
def test_a_bare_value_is_no_statement_of_the_global_scope(script: str, expected: list[str]) -> None:
    assert spans(script) == expected


@each(
    ("tail", "kind"),
    [
        ("if a > b\n            continue", "void"),
        ("if a > b\n            break\n        else\n            continue", "void"),
        ("if a > b\n            log.info('x')\n        else\n            break", "void"),
        ("if a > b\n            if a > 1\n                log.info('x')\n        else\n            break", "void"),
        ("switch\n            a > b => break\n            a < b => log.info('x')", "void"),
        ("if a > b\n            c += 1\n        else\n            break", "int"),
        ("if a > b\n            break\n        else\n            c += 1", "int"),
        ("break", "void"),
    ],
)
def test_a_branch_that_jumps_leaves_what_the_others_leave(tail: str, kind: str) -> None:
    body = f"f(float a, float b) =>\n    int c = 0\n    for i = 0 to 3\n        {tail}\n"
    text = f"{HEAD}{body}g(float a) =>\n    f(a, open)\ng(close)\nplot(close)\n"
    program = open_program(text)
    assert program.diagnostics == []
    calls = [node for chunk in program.document.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call)]
    told = {program.text_of(node): program.type_of(node) for node in calls}
    for call in ("f(a, open)", "g(close)"):
        type_ = told[call]
        assert type_ is not None and type_.base.name == kind


def test_nothing_is_said_of_taking_what_a_jump_leaves() -> None:
    body = "f() =>\n    for i = 0 to 3\n        if close > open\n            break\nx = f()\nplot(x)\n"
    assert open_program(f"{HEAD}{body}").diagnostics == []
    body = "x = for i = 0 to 3\n    if close > open\n        continue\nplot(x)\n"
    assert open_program(f"{HEAD}{body}").diagnostics == []
