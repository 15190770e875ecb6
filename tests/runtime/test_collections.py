"""Collections in scripts: their history is a copy that cannot be changed, and loops run over what they hold now."""

from __future__ import annotations

import pytest

from pinebench.runtime.faults import RuntimeFault
from tests.runtime.running import run, values
from tests.tables import each

COPY_FIRST = (
    "Cannot modify the elements of a historical array or any slices of that array. Instead of modifying an array "
    "referenced by an ID retrieved with the `[]` operator, create a shallow copy of the array with `array.copy()`, "
    "then modify the copy or a slice of that copy."
)


def test_the_history_of_an_array_is_a_copy_as_the_bar_ended() -> None:
    source = "var a = array.new<float>(0)\na.push(close)\nn = na(a[1]) ? -1 : array.size(a[1])\na.push(0)\nplot(n)"
    assert values(source) == [-1, 2, 4, 6, 8]


@each(
    "change",
    [
        "array.push(a[1], 1)",
        "b = a[1]\nb.push(1)",
        "b = a[1]\nb.set(0, 1)",
        "f(array<float> x) =>\n    x.push(1)\n    0\nf(a[1])",
        "b = array.slice(a[1], 0, 1)\nb.set(0, 1)",
        "b = a[1]\nb.clear()",
        "b = a[1]\nb.sort()",
    ],
)
def test_an_array_of_an_earlier_bar_cannot_be_changed(change: str) -> None:
    body = "".join(f"    {line}\n" for line in change.splitlines() if not line.startswith(("f(array", "    ")))
    functions = "\n".join(line for line in change.splitlines() if line.startswith(("f(array", "    ")))
    with pytest.raises(RuntimeFault) as caught:
        run(f"{functions}\na = array.from(close, open)\nif bar_index > 0\n{body}")
    assert caught.value.message == f"Error on bar 1: {COPY_FIRST}"


def test_a_copy_of_an_array_of_an_earlier_bar_can_be_changed() -> None:
    source = """
a = array.from(close)
float n = 0
if bar_index > 0
    b = array.copy(a[1])
    b.push(5)
    n := b.sum()
plot(n)
"""
    assert values(source) == [0, 6, 7, 8, 9]


def test_the_array_of_this_bar_is_the_array_itself() -> None:
    assert values("a = array.from(close)\narray.push(a[0], 1)\nplot(a.size())", [1.0]) == [2]


def test_a_loop_over_history_runs_over_what_is_held_now() -> None:
    source = "a = array.from(close)\nfloat s = 0\nfor v in a[1]\n    s += v\nplot(s)"
    assert values(source) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a = array.from(close)\nplot((a[1]).size())", "Cannot call array methods when id of array is na."),
        ("m = matrix.new<float>(1, 1)\nplot((m[1]).rows())", "Cannot call matrix methods when id of matrix is na."),
        (
            "array<float> a = na\nfor v in a\n    a.size()\nplot(close)",
            "Cannot call array methods when id of array is na.",
        ),
    ],
)
def test_what_is_called_on_na_stops_the_script(source: str, message: str) -> None:
    with pytest.raises(RuntimeFault) as caught:
        run(source, [1.0])
    assert caught.value.message == f"Error on bar 0: {message}"


def test_loops_over_all_collections() -> None:
    source = """
float s = 0
for [i, x] in array.from(10.0, 20.0)
    s += i * 100 + x
m = map.new<string, float>()
m.put("a", 1)
m.put("b", 2)
for [k, v] in m
    s += k == "b" ? v * 1000 : 0
mx = matrix.new<float>(2, 2, 3)
for row in mx
    s += row.sum() * 10000
plot(s)
"""
    assert values(source, [1.0]) == [130 + 2000 + 120000]


def test_a_missing_key_gives_what_its_type_has_for_na() -> None:
    source = """
m = map.new<string, string>()
n = map.new<string, float>()
b = map.new<string, bool>()
plot((na(m.get("x")) ? 1 : 0) + (na(n.get("x")) ? 10 : 0) + (b.get("x") ? 0 : 100))
"""
    assert values(source, [1.0]) == [111]


def test_an_array_of_objects_keeps_the_same_objects_in_its_history() -> None:
    source = """
type P
    float v
var a = array.new<P>(0)
if bar_index == 0
    a.push(P.new(0))
a.first().v := close
plot(na(a[1]) ? -1 : (a[1]).first().v)
"""
    assert values(source) == [-1, 2, 3, 4, 5]
