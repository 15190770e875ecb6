"""Names: what each use is bound to, what may be declared twice, what may be assigned where."""

from __future__ import annotations

import tracemalloc

from pinebench.checker.binder import bind
from pinebench.checker.report import Reporter
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.checker.support import HEAD, checked, codes, spans
from tests.tables import each


def declaration_of(script: str, use: str) -> str:
    """The declaration line of what the last `use` in the script is bound to."""
    program = checked(script)
    text = HEAD + script
    symbol = program.symbol_at(text.rindex(use))
    assert symbol is not None
    first = program.references(symbol)[0].start
    return text[text.rfind("\n", 0, first) + 1 :].split("\n")[0]


@each(
    ("script", "declared"),
    [
        ("v = 1\nif close > open\n    v = 2\n    w = v", "    v = 2"),
        ("v = 1\nif close > open\n    w = v", "v = 1"),
        ("v = 1\nf(v) => v", "f(v) => v"),
        ("v = 1\nfor v = 0 to 3\n    w = v", "for v = 0 to 3"),
        ("v = 1\nf() =>\n    v", "v = 1"),
        ("[u, v] = ta.vwap(close, true, 1)\nw = v", "[u, v] = ta.vwap(close, true, 1)"),
    ],
)
def test_a_use_is_bound_to_the_innermost_declaration_before_it(script: str, declared: str) -> None:
    assert declaration_of(script, "v") == declared


@each(
    ("script", "expected"),
    [
        ("v = 1\nv = 2", ["CE10095 v = 2"]),
        ("f(a, a) => a", ["CE10095 a"]),
        ("[a, b, a] = ta.macd(close, 12, 26, 9)", ["CE10095 [a, b, a] = ta.macd(close, 12, 26, 9)"]),
        ("[_, b, _] = ta.macd(close, 12, 26, 9)", []),
        ("type A\n    int x\nenum A\n    b", ["CE10095 enum A\n    b"]),
        ("type A\n    int x\n    int x", ["CE10186 int x"]),
        ("enum A\n    x\n    x", ["CE10186 x"]),
        ("type int\n    float x", ["type-name-taken int"]),
        ("enum ta\n    x", ["enum-name-taken ta"]),
        ("enum Ta\n    x", []),
        ("import A/B/1\nimport C/B/1", ["import-alias-repeated import C/B/1"]),
        ("import A/B/1\nimport C/B/1 as D", []),
        ("if close > open\n    v = 1\nelse\n    v = 2", []),
        ("if close > open\n    v = 1\nw = v", ["CE10272 v"]),
        ("w = v\nv = 1", ["CE10272 v"]),
        ("v = v[1]", ["CE10272 v"]),
        ("x = _", ["CE10272 _"]),
    ],
)
def test_declarations(script: str, expected: list[str]) -> None:
    assert spans(script) == expected


@each(
    ("script", "expected"),
    [
        ("v = 1\nif close > open\n    v = 2", ["CW10013 v = 2"]),
        ("v = 1\nif close > open\n    int v = 2", ["CW10013 int"]),
        ("v = 1\nf() =>\n    v = 2\n    v", ["CW10013 v = 2"]),
        ("v = 1\nf(v) => v", []),
        ("v = 1\nfor v = 0 to 1\n    w = v", ["CW10013 v"]),
        ("type v\n    int x\nif close > open\n    v = 2", ["CW10013 v = 2"]),
        ("v = 1\nif close > open\n    [v, w] = ta.supertrend(3, 10)", ["CW10013 [v, w] = ta.supertrend(3, 10)"]),
        ("volume = 1", ["CW10011 volume = 1"]),
        ("int volume = 1", ["CW10011 int"]),
        ("f(volume) => volume", []),
        ("f(float close) =>\n    volume = close\n    volume", ["CW10011 volume = close"]),
        ("plot(volume)\nvolume = 1", ["CE10190 volume = 1"]),
        ("f() =>\n    volume\nvolume = 1", ["CE10190 volume = 1"]),
        ("int = 1\nsma = 2\nta = 3", []),
    ],
)
def test_shadowing(script: str, expected: list[str]) -> None:
    assert [found for found in spans(script) if not found.startswith("CW10003")] == expected


@each(
    ("script", "expected"),
    [
        ("v := 1", ["CE10272 v"]),
        ("close := 1", ["CE10174 close"]),
        ("v = 1\nv := 2", []),
        ("const int v = 1\nv := 2", ["CE10085 v"]),
        ("v = 1\nf() =>\n    v := 2\n    v", ["CE10088 v"]),
        ("v = 1\nf() =>\n    v += 2\n    v", ["CE10088 v"]),
        ("f(v) =>\n    v := 2\n    v", ["CE10175 v"]),
        ("for v = 0 to 1\n    v := 2", ["CE10174 v"]),
        ("for [i, v] in array.from(1)\n    i := 2", ["CE10174 i"]),
        ("v = 1\nfor i = 0 to 1\n    v := i", []),
        ("type A\n    int x\na = A.new(1)\nf() =>\n    a.x := 2\n    a", []),
        ("a = array.from(1)\nf() =>\n    a.push(2)\n    a", []),
    ],
)
def test_assignments(script: str, expected: list[str]) -> None:
    assert [found for found in spans(script) if found.startswith(("CE", "const"))] == expected


@each(
    ("script", "expected"),
    [
        ("break", "CE10135"),
        ("continue", "CE10136"),
        ("while false\n    if true\n        break", ""),
        ("for i = 0 to 1\n    switch i\n        1 => continue\n        => break", ""),
        ("for i = 0 to 1\n    x = i\nbreak", "CE10135"),
    ],
)
def test_loop_words_belong_into_loops(script: str, expected: str) -> None:
    assert codes(script) == expected


def test_uses_are_noted_on_the_symbol() -> None:
    script = "a = close\nb = a[1]\nvar c = 0\nfor i = 0 to 1\n    c := i\nf() => a\n"
    symbols = {symbol.name: symbol for symbol in checked(script).variables}
    assert symbols["a"].indexed and not symbols["b"].indexed
    assert symbols["c"].assigned_in_loop and not symbols["a"].assigned_in_loop
    assert symbols["a"].captured and not symbols["c"].captured


def test_sound_parts_of_a_broken_statement_are_bound() -> None:
    program = checked("plot(close))\nx = close")
    assert any(finding.severity is Severity.ERROR for finding in program.document.diagnostics)
    assert "x" in program.globals


def test_links_of_a_chain_share_the_conditions_before_them() -> None:
    def memory(links: int) -> int:
        script = "x = 0\nif close > 0\n    x := 1\n" + "else if close > 1\n    x := 2\n" * links
        document = parse(HEAD + script).snapshot
        tracemalloc.start()
        bound = bind(document, Reporter(document))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(bound.symbols) == 1
        return peak

    memory(1)  # the first one also loads modules
    assert memory(2_000) <= 2.5 * memory(1_000)
