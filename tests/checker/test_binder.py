"""Names: what each use is bound to, what may be declared twice, what may be assigned where."""

import tracemalloc

from pinebench.checker.binder import bind
from pinebench.checker.report import Reporter
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.checker.support import HEAD, checked
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
