"""`make test` leaves tests of costly functions to `make soak`, and only of functions that exist."""

from pathlib import Path

import pytest

from tests import selection

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("function", selection.SAMPLED)
def test_a_sampled_function_exists_and_so_many_of_its_tests_stay(function: str) -> None:
    file, _, name = function.partition("::")
    assert f"def {name}(" in (CHECKOUT / file).read_text(encoding="utf-8")
    every = [f"{function}[{number}]" for number in range(100)]
    left = selection.left_to_soak([*every, "tests/other.py::test_other[0]"])
    stay = [node for node in every if node not in left]
    assert len(stay) == selection.SAMPLED[function]
    assert stay[0] == every[0] and every.index(stay[-1]) >= 100 - 100 // len(stay) - 1


@pytest.mark.parametrize("function", selection.AT_NIGHT)
def test_a_function_of_the_night_exists_and_one_of_its_kind_stays(function: str) -> None:
    stays = selection.AT_NIGHT[function]
    for each in (function, stays):
        file, _, name = each.partition("::")
        assert f"def {name}(" in (CHECKOUT / file).read_text(encoding="utf-8")
    assert selection.left_to_soak([function, stays, f"{function}[0]"]) == {function, f"{function}[0]"}


def test_few_tests_all_stay() -> None:
    function = next(name for name, few in selection.SAMPLED.items() if few > 1)
    assert not selection.left_to_soak([f"{function}[0]", f"{function}[1]"])
