"""Collections in scripts: their history is a copy that cannot be changed, and loops run over what they hold now."""

import pytest

from pinebench.runtime.faults import RuntimeFault
from tests.runtime.laws import Law, assert_holds, laws
from tests.runtime.running import run, values
from tests.tables import each


@each("law", laws("collections.txt"))
def test_a_script_gives_its_values(law: Law) -> None:
    assert_holds(law)


COPY_FIRST = (
    "Cannot modify the elements of a historical array or any slices of that array. Instead of modifying an array "
    "referenced by an ID retrieved with the `[]` operator, create a shallow copy of the array with `array.copy()`, "
    "then modify the copy or a slice of that copy."
)


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


ELEMENTS = {
    "int": "7",
    "float": "1.5",
    "color": "color.red",
    "string": '"abc"',
    "line": "line.new(0, 0, 1, 1)",
    "chart.point": "chart.point.now(1)",
}


@each("type_", list(ELEMENTS))
def test_an_element_with_an_na_index_is_the_na_of_its_type(type_: str) -> None:
    found = (
        f"array.new<{type_}>(2, {ELEMENTS[type_]}).get(int(na))",
        f"array.new<{type_}>().get(int(na))",
        f"array.new<{type_}>(2, {ELEMENTS[type_]}).remove(int(na))",
        f"array.new<{type_}>().remove(int(na))",
        f"matrix.new<{type_}>(1, 1, {ELEMENTS[type_]}).get(0, int(na))",
    )
    for value in found:
        assert values(f"{type_} x = {value}\nplot(na(x) ? 1 : 0)", [1.0]) == [1], value


@each("call", ["array.new<bool>(2, true).get(int(na))", "array.new<bool>().get(int(na))"])
def test_a_bool_with_an_na_index_is_false(call: str) -> None:
    assert values(f"plot({call} ? 1 : 0)", [1.0]) == [0]


def test_a_color_with_an_na_index_can_be_mixed_and_shown() -> None:
    found = run(
        "var c = array.from(color.red)\nx = c.get(int(na))\ny = matrix.new<color>(1, 1, x).get(int(na), 0)\n"
        "plot(close, color = x)\nbgcolor(y)\nplot(color.t(color.new(x, 20)))\nplot(color.r(y))",
        [1.0],
    )
    assert [plot.values for plot in found.plots] == [[1], [20], [0]]
