"""Collections in scripts: their history is a copy that cannot be changed, and loops run over what they hold now."""

from __future__ import annotations

import pytest

from pinebench.runtime.faults import RuntimeFault
from tests.runtime.laws import Law, assert_holds, laws
from tests.runtime.running import run
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
