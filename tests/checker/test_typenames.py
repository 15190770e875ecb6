"""Written types: keywords, declared types and enums before their use, collections within their limits."""

from __future__ import annotations

import pytest

from tests.checker.support import codes, spans, type_of
from tests.tables import each

TYPES = "type Bar\n    int x\nenum Side\n    buy\n"


@each(
    ("written", "shown"),
    [
        ("int", "simple int"),
        ("string", "simple string"),
        ("line", "series line"),
        ("chart.point", "chart.point"),
        ("Bar", "Bar"),
        ("array<int>", "array<int>"),
        ("int[]", "array<int>"),
        ("Bar[]", "array<Bar>"),
        ("array<Side>", "array<Side>"),
        ("matrix<float>", "matrix<float>"),
        ("map<string, Bar>", "map<string, Bar>"),
        ("map<Side, line>", "map<Side, line>"),
    ],
)
def test_a_written_type_is_resolved(written: str, shown: str) -> None:
    script = f"{TYPES}{written} x = na"
    assert codes(script) == ""
    assert type_of(script, "x") == shown


@each(
    ("script", "expected"),
    [
        ("Foo x = na", ["CE10149 Foo"]),
        ("var Foo x = na", ["CE10149 Foo"]),
        ("array<Foo> x = na", ["CE10149 Foo"]),
        ("x = array.new<Foo<int>>()", ["CE10149 Foo<int>"]),
        ("plot x = na", ["CE10149 plot"]),
        ("source x = na", ["CE10149 source"]),
        ("lib.Foo x = na", ["CE10149 lib.Foo"]),
        ("f(Foo x) => 1", ["CE10149 Foo"]),
        ("Late x = na\ntype Late\n    int a", ["CE10149 Late"]),
        ("array<plot> x = na", ["CE10022 array<plot>"]),
        ("matrix<hline> x = na", ["CE10023 matrix<hline>"]),
        ("array<array<int>> x = na", ["CE10022 array<array<int>>"]),
        ("array<int>[] x = na", ["CE10022 array<int>[]"]),
        ("matrix<map<string, int>> x = na", ["CE10023 matrix<map<string, int>>"]),
        ("map<string, array<int>> x = na", ["CE10025 map<string, array<int>>"]),
        ("map<line, int> x = na", ["map-key-type line"]),
        ("x = array.new<array<int>>()", ["CE10025 array.new<array<int>>()"]),
        ("x = map.new<line, int>()", ["map-key-type line"]),
        ("x = array.new<Foo>()", ["CE10149 Foo"]),
    ],
)
def test_a_type_that_does_not_exist_or_cannot_be_composed(script: str, expected: list[str]) -> None:
    assert spans(script) == expected


@pytest.mark.parametrize(
    "script", ["import A/B/1 as lib\nlib.Foo x = na", "import A/B/1 as lib\narray<lib.Foo> x = na"]
)
def test_types_of_libraries_that_cannot_be_seen_are_unknown(script: str) -> None:
    assert type_of(script, "x") == "unknown" or "unknown" in type_of(script, "x")
    assert codes(script) == ""
