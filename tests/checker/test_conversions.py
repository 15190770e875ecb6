"""An empty value has the type of its context."""

from __future__ import annotations

from pinebench.checker.types import display
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.checker.support import checked
from tests.tables import each


def empties(script: str) -> list[str]:
    """The types of every `na` in the global code, in text order."""
    program = checked(script)
    found: list[str] = []
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Name) and node.id == "na":
                type_ = program.type_of(node)
                assert type_ is not None
                found.append(display(type_))
    return found


@each(
    ("script", "expected"),
    [
        ("float x = na", ["simple float"]),
        ("line x = na", ["simple line"]),
        ("array<int> x = na", ["array<int>"]),
        ("x = 1.0\nx := na", ["simple float"]),
        ("x = close > 1 ? na : close", ["series float"]),
        ("x = close > 1 ? 1 : close > 2 ? na : 3", ["series int"]),
        ("x = if close > 1\n    na\nelse\n    color.red", ["series color"]),
        ("x = switch\n    close > 1 => na\n    => 1", ["series int"]),
        ("label.new(na, 1.0)", ["simple int"]),
        ("f(string s) => s\nx = f(na)", ["simple string"]),
        ("type P\n    color c\nx = P.new(na)", ["simple color"]),
        ("x = 1 + na", ["simple int"]),
        ("f(s) => 1\nx = f(na)", ["simple na"]),
        ("type P\n    color c = na", ["simple color"]),
        ("f(line l = na) => 1", ["simple line"]),
        ("x = array.new<float>(3, na)", ["simple float"]),
        ("x = array.new<float>()\nx.push(na)\narray.set(x, 0, na)", ["simple float", "simple float"]),
        ('x = map.new<string, color>()\nx.put("a", na)', ["simple color"]),
        ("x = math.max(1, na)", ["simple int"]),
        ("x = array.from(na, 1)", ["simple int"]),
        ("x = -na", ["simple float"]),
        ("x = close[na]", ["simple int"]),
        ("x = if close > 1\n    1\nelse if close > 2\n    na\nelse\n    2", ["simple int"]),
        ("[x, y] = if close > 1\n    [na, 1]\nelse\n    [color.red, na]", ["simple color", "simple int"]),
        ("x = for i = 0 to 1\n    i > 0 ? na : 2.0", ["simple float"]),
    ],
)
def test_type_by_context(script: str, expected: list[str]) -> None:
    assert [text.split()[-1] for text in empties(script)] == [text.split()[-1] for text in expected]


def test_what_is_around_speaks_first() -> None:
    assert empties("float x = close > 1 ? na : 1") == ["simple float"]


def test_a_long_chain_is_walked_once() -> None:
    chain = "".join(f"close > {number} ? na : " for number in range(3000))
    assert len(empties(f"x = {chain}1")) == 3000


def converted(script: str) -> list[tuple[str, str]]:
    """Each expression of the global code that becomes something else, with the type it becomes."""
    program = checked(script)
    found: list[tuple[str, str]] = []
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            type_ = program.conversion_of(node)
            if type_ is not None:
                found.append((program.text_of(node), display(type_)))
    return found


@each(
    ("script", "expected"),
    [
        ("x = 1", []),
        ("float x = 1", [("1", "const float")]),
        ("float x = bar_index", [("bar_index", "series float")]),
        ("int x = 1\nfloat y = x", [("x", "const float")]),
        ("float x = -1", [("-1", "const float")]),
        ("x = close + 1", [("1", "const float")]),
        ("x = 2 * 3", []),
        ("x = bar_index > 2.5", [("bar_index", "series float")]),
        ("x = close > open ? 1 : close", [("1", "const float")]),
        ("x = 1.5\nx += 2", [("2", "const float")]),
        ("x = 1.5\nx := bar_index", [("bar_index", "series float")]),
        ("f(float v) => v\nx = f(1)", [("1", "const float")]),
        ("f(v) => v\nx = f(1)", []),
        ("f(float v = 1) => v\nx = f(close)", [("1", "const float")]),
        ("type P\n    float v\nx = P.new(1)", [("1", "const float")]),
        ("x = array.new<float>(2, 0)", [("0", "const float")]),
        ("x = array.new<int>(2, 0)", []),
        ("x = array.new<float>()\nx.push(bar_index)", [("bar_index", "series float")]),
        ("x = map.new<string, float>()\nx.put('a', 1)", [("1", "const float")]),
        ("x = math.max(1, close)", [("1", "const float")]),
        ("x = math.max(1, 2)", []),
        ("x = ta.sma(bar_index, 3)", []),
        ("x = switch close\n    1 => true\n    => false", [("1", "const float")]),
        ("x = if close > open\n    1\nelse\n    2.5", [("1", "const float")]),
        ("[a, b] = if close > open\n    [1, 2.5]\nelse\n    [1.5, 2]", [("1", "const float"), ("2", "const float")]),
        ("label.new(bar_index, 1)", []),
        ("x = close[1]", []),
        ("x = array.from(1, 2)\narray<float> y = x", [("x", "array<float>")]),
    ],
)
def test_integers_become_floats_where_floats_are_asked_for(script: str, expected: list[tuple[str, str]]) -> None:
    assert [(text, type_.replace("literal ", "const ")) for text, type_ in converted(script)] == expected


def test_conversions_in_a_function_belong_to_its_frames() -> None:
    program = checked("half(v) => v / 2\nx = half(close)\ny = half(bar_index)")
    (function,) = program.functions["half"]
    found = {
        display(frame.parameters[0]): [
            program.text_of(node) for node in frame.types if program.conversion_of(node, frame)
        ]
        for frame in program.frames_of(function)
    }
    assert found == {"series float": ["2"], "series int": []}
