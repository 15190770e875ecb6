"""The reference in the checker's form: parsed types, required names, result forms."""

import pytest

from pinebench import reference
from pinebench.checker.builtins import ParameterSpec, methods, signature, value_type
from pinebench.checker.types import SIMPLE, display
from tests.tables import each


def noun(function: str, parameter: str) -> str:
    found = signature(function)
    assert found is not None
    specs: list[ParameterSpec] = [o.parameters[o.index[parameter]] for o in found.overloads if parameter in o.index]
    return specs[-1].noun


def test_every_function_of_the_reference_can_be_read() -> None:
    for name in reference.functions():
        found = signature(name)
        assert found is not None
        assert found.overloads
        assert all(set(overload.required) <= set(overload.index) for overload in found.overloads)


@pytest.mark.parametrize("name", ["nothing", "ta", "close", "ta.nothing"])
def test_other_names_are_no_functions(name: str) -> None:
    assert signature(name) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("close", "series float"),
        ("color.red", "const color"),
        ("syminfo.tickerid", "simple string"),
        ("barstate.islast", "series bool"),
    ],
)
def test_values(name: str, expected: str) -> None:
    found = value_type(name)
    assert found is not None
    assert display(found) == expected


def test_other_names_are_no_values() -> None:
    assert value_type("ta.sma") is None


@each(
    ("function", "parameter", "expected"),
    [
        ("ta.sma", "length", "series int"),
        ("ta.ema", "length", "simple int"),
        ("plot", "series", "series float"),
        ("array.get", "id", "array<type>"),
        ("array.join", "id", "array<float>"),
        ("array.sum", "id", "array<float>"),
        ("map.get", "id", "map<type, type>"),
        ("fill", "plot1", "plot"),
        ("linefill.new", "line1", "series line"),
    ],
)
def test_what_is_asked_of_a_parameter(function: str, parameter: str, expected: str) -> None:
    assert noun(function, parameter) == expected


def test_a_qualifier_limits_a_parameter() -> None:
    found = signature("ta.ema")
    assert found is not None
    assert found.overloads[0].parameters[1].qualifier == SIMPLE


@pytest.mark.parametrize(
    ("function", "form"),
    [
        ("ta.sma", "fixed"),
        ("array.get", "pattern"),
        ("request.security", "typeof"),
        ("request.security_lower_tf", "elements"),
    ],
)
def test_forms_of_results(function: str, form: str) -> None:
    found = signature(function)
    assert found is not None
    assert found.overloads[0].result.form == form


def test_methods_have_short_names() -> None:
    assert {"push", "get", "size"} <= methods("array").keys()
    assert methods("float") == {}
