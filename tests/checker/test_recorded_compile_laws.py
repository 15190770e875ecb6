"""Laws of the compiler that were read from recorded probes (round v52): words, nouns and second errors."""

from pinebench.checker import open_changed, open_program
from pinebench.diagnostics import Edit, Severity, Span
from pinebench.syntax.changes import document_after
from tests.tables import each

_HEAD = '//@version=6\nindicator("t")\n'


def _errors(body: str) -> list[str]:
    found = open_program(f"{_HEAD}{body}\n").diagnostics
    return [f"{each.code} {each.message}" for each in found if each.severity is Severity.ERROR]


def test_the_second_error_comes_and_goes_with_the_first() -> None:
    text = f'{_HEAD}x = ta.sma(close, 3)\nlog.info("{{0}}", x)\nplot(x)\n'
    program = open_program(text)
    place = text.index("close")
    refused = open_changed(program, document_after(program.document, [Edit(Span(place, place + 5), "true")]))
    mended = open_changed(refused, document_after(refused.document, [Edit(Span(place, place + 4), "close")]))
    assert [each.code for each in refused.diagnostics if each.severity is Severity.ERROR] == ["CE10123", "CE10122"]
    assert [each.code for each in mended.diagnostics if each.severity is Severity.ERROR] == []


_OVERLOADS = "f(simple int x) => 1\nf(series int x) => 'text'\n"


@each("order", [1, -1])
@each("value", ["3", "input.int(3)", "n"])
def test_of_overloads_that_differ_by_qualifier_the_closest_is_meant(order: int, value: str) -> None:
    overloads = "\n".join(_OVERLOADS.splitlines()[::order])
    assert _errors(f"{overloads}\nn = 3\nint a = f({value})\nstring b = f(bar_index)\nplot(a)\nlog.info(b)") == []
