"""Values of built-ins that TradingView gave and that were recorded after the second book of laws."""

from typing import Any

import pytest

from pinebench.runtime.library import FUNCTIONS
from pinebench.runtime.library.collections import Matrix
from tests.runtime.library.drive import na, run, same


def matrix(name: str, rows: list[list[float]]) -> Any:
    return FUNCTIONS[f"matrix.{name}"](Matrix(rows))


def test_ta_cross_compares_exactly() -> None:
    # Equal sources keep the side, and 5e-11 below is below.
    source = [1.0, 1.0, 2.0, 1.0, 1 - 5e-11, 2.0, 0.5, 1.0, 1.0, 2.0, na, 0.0]
    crossed = [0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1]
    assert list(map(int, run("ta.cross", source, 1.0))) == crossed


def test_ta_vwap_is_na_from_an_na_source_to_the_next_anchor() -> None:
    anchors = [False, True, False, False, False, True]
    found = run("ta.vwap#0", [5.0, 10.0, 20.0, na, 20.0, 8.0], anchors, read={"volume": [1.0, 1, 3, 1, 1, 2]})
    assert same(found, [na, 10.0, 17.5, na, na, 8.0])


@pytest.mark.parametrize(
    ("rows", "determinant"),
    [
        ([[1e-11, 0, 0], [0, 1e-11, 0], [0, 0, 1e-11]], 9.999999999999999e-34),
        ([[1, 1], [1, 1 + 1e-12]], 0),
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0),
        ([[1e-12]], 0),
        ([[0.1, 0.2], [0.3, 0.4]], -0.019999999999999993),
        ([[0.1, 0.7, 0.3], [0.9, 0.2, 0.5], [0.4, 0.8, 0.6]], -0.07399999999999997),
    ],
)
def test_a_matrix_with_a_pivot_below_1e_11_is_singular(rows: list[list[float]], determinant: float) -> None:
    assert matrix("det", rows) == determinant
    inverse = matrix("inv", rows).rows
    assert all(same(value, na) for row in inverse for value in row) == (determinant == 0)
