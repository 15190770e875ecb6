"""A variable and a type or an enum of one name: which of them each use means."""

from pinebench.checker import open_changed, open_program
from pinebench.checker.symbols import EnumSymbol, TypeSymbol, VariableSymbol
from pinebench.diagnostics import Edit, Severity, Span
from pinebench.syntax.changes import document_after
from tests.tables import each

_HEAD = '//@version=6\nindicator("t")\n'
_TYPE = "type Zone\n    float a\n"
_ENUM = "enum E\n    a\n    b\n"

_ACCEPTED = {
    "text first": f'Zone = "x"\n{_TYPE}z = Zone.new(1.0)\nlog.info(Zone)\nplot(z.a)',
    "text last": f'{_TYPE}Zone = "x"\nz = Zone.new(1.0)\nlog.info(Zone)\nplot(z.a)',
    "parameter": f"{_TYPE}f(Zone) =>\n    z = Zone.new(Zone)\n    z.a\nplot(f(1.0))",
    "an object of the type": f"{_TYPE}Zone Zone = Zone.new(1)\nz = Zone.new(2.0)\nplot(z.a + Zone.a)",
    "copy": f"{_TYPE}Zone = 3\nz = Zone.new(2.0)\ny = Zone.copy(z)\nplot(y.a + Zone)",
    "copy of the object": f"{_TYPE}Zone = Zone.new(3)\ny = Zone.copy()\nplot(y.a + Zone.a)",
    "declared with the type": f"{_TYPE}Zone = 3\nvar Zone z = na\nz := Zone.new(2.0)\nplot(z.a + Zone)",
    "array": f"{_TYPE}Zone = array.new<Zone>()\nZone.push(Zone.new(1))\nplot(Zone.get(0).a)",
    "loop": f"{_TYPE}x = 0.0\nfor Zone = 0 to 3\n    z = Zone.new(Zone)\n    x += z.a\nplot(x)",
    "default": f"{_TYPE}f(Zone Zone = na) =>\n    na(Zone) ? Zone.new(3).a : Zone.a\nplot(f())",
    "enum first": f"{_ENUM}E = 1\nx = E.a\nplot(x == E.b ? 1 : E)",
    "enum last": f"E = 1\n{_ENUM}x = E.a\nplot(x == E.b ? 1 : E)",
    "enum as input": f'{_ENUM}E = input.enum(E.a, "x")\nplot(E == E.b ? 1 : 0)',
}


def _errors(text: str) -> list[str]:
    return [found.code for found in open_program(text).diagnostics if found.severity is Severity.ERROR]


@each("case", _ACCEPTED)
def test_a_variable_does_not_hide_a_type(case: str) -> None:
    assert _errors(f"{_HEAD}{_ACCEPTED[case]}\n") == []


def test_a_type_declared_later_is_not_known_yet() -> None:
    assert _errors(f"{_HEAD}Zone = 1\nz = Zone.new(1)\n{_TYPE}plot(1)\n") == ["CE10271"]


def test_a_method_of_the_variable_comes_before_the_type() -> None:
    text = f"{_HEAD}{_TYPE}method new(int this, int n) => this + n\nZone = 1\nplot(Zone.new(2))\n"
    assert _errors(text) == []


def test_a_field_of_the_object_comes_before_the_enum() -> None:
    text = f"{_HEAD}enum Zone\n    a\ntype T\n    float a = 2\nZone = T.new()\nplot(Zone.a)\n"
    assert _errors(text) == []


def test_each_use_is_traced_to_what_it_means() -> None:
    text = f"{_HEAD}Zone = 3\nE = 1\n{_TYPE}{_ENUM}z = Zone.new(E)\nplot(Zone + (E.a == E.b ? 1 : 2))\n"
    program = open_program(text)
    assert isinstance(program.symbol_at(text.index("Zone +")), VariableSymbol)
    assert isinstance(program.symbol_at(text.index("E)")), VariableSymbol)
    assert isinstance(program.symbol_at(text.index("Zone.new")), TypeSymbol)
    assert isinstance(program.symbol_at(text.index("E.a")), EnumSymbol)


def test_a_name_means_the_variable_again_when_the_type_is_gone() -> None:
    text = f"{_HEAD}Zone = 3\n{_TYPE}z = Zone.new(1)\nplot(Zone)\n"
    program = open_program(text)
    place = text.index("type Zone") + len("type ")
    without = open_changed(program, document_after(program.document, [Edit(Span(place, place + 4), "Other")]))
    again = open_changed(without, document_after(without.document, [Edit(Span(place, place + 5), "Zone")]))
    assert again.document.text == text
    assert [found.code for found in without.diagnostics if found.severity is Severity.ERROR] == ["CE10271"]
    assert [found.code for found in again.diagnostics if found.severity is Severity.ERROR] == []
