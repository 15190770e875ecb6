"""The script that writes the reference reads the types as the public reference words them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(scope="module")
def update() -> ModuleType:
    sys.path.insert(0, str(SCRIPTS))
    try:
        spec = importlib.util.spec_from_file_location("update_reference", SCRIPTS / "update_reference.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SCRIPTS))
    return module


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("series int/float", "series int|float"),
        ("const string", "const string"),
        ("array<int/float>", "array<(int|float)>"),
        ("array<chart.point>", "array<chart.point>"),
        ("any map type", "map<K,V>"),
        ("series <type of the array's elements>", "T"),
        ("series int/float/matrix<int/float>", "series int|float|matrix<(int|float)>"),
        ("series color/array<>/map<>", "series color|array<any>|map<any,any>"),
        ("tuple of const int/float values: [val1, val2, ...]", "tuple<const int|float>"),
        ("[series float, series float]", "[series float, series float]"),
        ("void", "void"),
    ],
)
def test_type_text(update: ModuleType, written: str, ours: str) -> None:
    assert update.type_text(written) == ours


def test_variable_type(update: ModuleType) -> None:
    assert update.variable_type("series<float>") == "series float"
    assert update.variable_type("array<box>") == "array<box>"


def test_parameter_is_written_without_empty_ends(update: ModuleType) -> None:
    row = {"name": "length", "type": "series int", "required": False, "default": None, "noun": None, "allowed": ()}
    assert update.parameter_text(row) == "length?; series int"
    assert update.parameter_text({**row, "default": "1", "noun": "simple int"}) == "length?; series int; 1; simple int"


def test_overloads_of_a_function_for_objects_keep_the_rest(update: ModuleType) -> None:
    row = {"type": "x", "required": True, "default": None, "noun": None, "allowed": ()}
    overload = {"parameters": [{**row, "name": name} for name in ("id", "val", "third")], "returns": "series int"}
    result = update.for_objects(overload)
    assert [parameter["type"] for parameter in result["parameters"]] == ["array<T>", "series int|float|string", "x"]


def test_an_overload_without_a_parameter_keeps_the_rest(update: ModuleType) -> None:
    overload = {"parameters": [{"name": name} for name in ("timeframe", "session", "bars_back")], "returns": "x"}
    result = update.without_parameter(overload, "session")
    assert result == {"parameters": [{"name": "timeframe"}, {"name": "bars_back"}], "returns": "x"}
