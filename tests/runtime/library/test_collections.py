"""Arrays, matrices and maps as recorded probes of TradingView have them."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import FUNCTIONS
from pinebench.runtime.library.collections import Array, HistoricalArray, HistoricalMatrix, Map, Matrix
from tests.runtime.library.drive import na, same
from tests.tables import each


def array(name: str, *arguments: Any) -> Any:
    return FUNCTIONS[f"array.{name}"](*arguments)


def matrix(name: str, *arguments: Any) -> Any:
    return FUNCTIONS[f"matrix.{name}"](*arguments)


def of(*items: Any) -> Array:
    return Array(list(items))


def fault(code: str, name: str, *arguments: Any) -> str:
    """The message of the fault that a call raises."""
    with pytest.raises(RuntimeFault) as caught:
        FUNCTIONS[name](*arguments)
    assert caught.value.code == code
    return caught.value.message


# arrays


def test_re10045_indices_outside_of_an_array() -> None:
    ten = of(10, 20, 30, 40)
    for name, index in (("get", 4), ("get", -5), ("remove", 4)):
        words = fault("RE10045", f"array.{name}", ten, index)
        assert words == f"In 'array.{name}()' function. Index {index} is out of bounds, array size is 4."
    fault("RE10045", "array.set", ten, -5, 1)
    fault("RE10045", "array.insert", ten, 5, 1)
    fault("RE10045", "array.insert", ten, -5, 1)
    fault("RE10045", "array.percentrank", ten, -1)
    for bounds in ((0, 99), (0, -1), (-1, 2), (4, 4)):
        fault("RE10045", "array.fill", ten, 5, *bounds)
        fault("RE10045", "array.slice", ten, *bounds)
    fault("RE10045", "array.fill", of(), 5, 0, na)
    fault("RE10045", "array.slice", of(), na, na)
    assert fault("RE10044", "array.slice", ten, 3, 1) == "Index 'from' should be less than index 'to'."
    assert ten.items == [10, 20, 30, 40]


def test_re10052_an_array_that_is_na() -> None:
    for name in ("size", "get", "push", "sort", "sum", "copy", "join"):
        arguments = {"get": (0,), "push": (1,)}.get(name, ())
        assert (
            fault("RE10052", f"array.{name}", None, *arguments) == "Cannot call array methods when id of array is na."
        )


def test_re10051_what_a_variable_held_on_an_earlier_bar_cannot_be_changed() -> None:
    fault("RE10051", "array.push", HistoricalArray([1]), 2)
    part = array("slice", HistoricalArray([1, 2, 3]), 0, 2)
    fault("RE10051", "array.set", part, 0, 9)
    fault("RE10051", "matrix.set", HistoricalMatrix([[1]]), 0, 0, 9)
    assert array("copy", HistoricalArray([1])).items == [1]
    array("push", array("copy", HistoricalArray([1])), 2)


def test_negative_indices_count_from_the_end() -> None:
    items = of(10, 20, 30, 40)
    assert array("get", items, -1) == 40
    array("set", items, -4, 1)
    array("insert", items, -1, 35)
    assert items.items == [1, 20, 30, 35, 40]
    assert array("remove", items, -1) == 40


def test_na_indices() -> None:
    items = of(10, 20, 30, 40)
    assert same(array("get", items, na), na)
    assert same(array("get", of(), na), na)
    assert array("get", of("a"), na, None) is None
    array("set", items, na, 99)
    assert same(array("remove", items, na), na)
    array("insert", items, na, 77)
    assert items.items == [10, 20, 30, 40, 77]
    array("fill", items, 5, na, 2)
    assert items.items == [5, 5, 30, 40, 77]
    array("fill", items, 0, 3, 1)
    assert items.items == [5, 5, 30, 40, 77]
    assert array("slice", items, na, 2).items == [5, 5]
    assert array("percentrank", of(10, 20, 30, 40), na) == 0


def test_law_22_fractions_of_an_index_are_cut() -> None:
    assert array("get", of(10, 20, 30), 1.9) == 20
    assert array("get", of(10, 20, 30), -0.5) == 10


def test_empty_arrays() -> None:
    for name in ("avg", "median", "mode", "min", "max", "stdev", "variance", "sum", "range"):
        assert same(array(name, of()), na), name
    assert array("standardize", of()).items == []
    assert same(array("percentrank", of(), 0), na)
    assert same(array("percentrank", of(5), 0), na)
    assert array("every", of()) is False
    for name in ("first", "last", "pop", "shift"):
        fault("array-empty", f"array.{name}", of())
    fault("array-negative-size", "array.new", -1)
    fault("array-too-large", "array.new", 100_001)


def test_a_single_element() -> None:
    assert array("stdev", of(5.0)) == 0
    assert same(array("stdev", of(5.0), False), na)


def test_a_slice_shares_its_elements_with_the_whole() -> None:
    whole = of(1, 2, 3, 4)
    part = array("slice", whole, 1, 3)
    array("set", part, 0, 20)
    array("push", part, 35)
    assert whole.items == [1, 20, 3, 35, 4]
    array("set", whole, 2, 30)
    assert part.items == [20, 30, 35]
    inner = array("slice", part, 1, 3)
    array("sort", inner, "descending")
    assert whole.items == [1, 20, 35, 30, 4]


def test_a_slice_shrinks_with_the_whole_and_grows_back_to_its_size() -> None:
    whole = of(1, 2, 3, 4, 5)
    part = array("slice", whole, 1, 4)
    for size in (3, 2, 1, 0, 0):
        array("pop", whole)
        assert array("size", part) == size
    for value in range(10, 17):
        array("push", whole, value)
    assert part.items == [11, 12, 13]
    for _ in range(4):
        array("pop", whole)
    assert part.items == [11, 12]
    array("push", part, 20)
    assert whole.items == [10, 11, 12, 20]
    for value in (30, 40):
        array("push", whole, value)
    assert part.items == [11, 12, 20, 30]
    array("shift", part)
    assert part.items == [12, 20, 30]


def test_nothing_can_be_put_into_a_slice_that_begins_behind_the_end_of_the_whole() -> None:
    whole = of(1, 2, 3)
    part = array("slice", whole, 1, 3)
    array("clear", whole)
    assert array("size", part) == 0
    assert fault("slice-out-of-bounds", "array.push", part, 4) == "Slice is out of bounds of the parent array"
    assert whole.items == []


def test_law_24_ties_in_sorting() -> None:
    keys = of(2, 1, 2, 1, 2, 3)
    assert array("sort_indices", keys, "ascending").items == [1, 3, 0, 2, 4, 5]
    assert array("sort_indices", keys, "descending").items == [5, 4, 2, 0, 3, 1]


class Tagged:
    fields = ("key", "tag")
    names = fields

    def __init__(self, key: float, tag: int) -> None:
        self.key, self.tag = key, tag


def test_law_24_objects_keep_their_order_both_ways() -> None:
    given = list(zip((2, 1, 2, 1, 2, 3), (90, 12, 45, 3, 88, 7), strict=True))
    rising, falling = (of(*(Tagged(*pair) for pair in given)) for _ in range(2))
    array("sort", rising, "ascending", 0)
    assert [one.tag for one in rising.items] == [12, 3, 90, 45, 88, 7]
    array("sort", falling, "descending", "key")
    assert [one.tag for one in falling.items] == [7, 90, 45, 88, 12, 3]
    fault("array-object-sort", "array.sort", of(Tagged(1, 1), None), "ascending", 0)


def test_where_missing_elements_are_sorted_to() -> None:
    numbers, texts = of(30.0, na, 10.0, 20.0), of("b", None, "a")
    array("sort", numbers, "ascending")
    assert same(numbers.items, [10.0, 20.0, 30.0, na])
    array("sort", numbers, "descending")
    assert same(numbers.items, [na, 30.0, 20.0, 10.0])
    array("sort", texts)
    assert texts.items == [None, "a", "b"]
    assert array("sort_indices", of(na, na, 5.0, 1.0)).items == [3, 2, 0, 1]


@each(
    ("value", "left", "right"),
    [(5, 0, 0), (10, 0, 0), (15, 0, 1), (20, 1, 3), (25, 3, 4), (30, 4, 4), (40, 5, 5), (45, 5, 6)],
)
def test_binary_search_beside_duplicates(value: int, left: int, right: int) -> None:
    sorted_ = of(10, 20, 20, 20, 30, 40)
    assert array("binary_search_leftmost", sorted_, value) == left
    assert array("binary_search_rightmost", sorted_, value) == right
    assert (array("binary_search", sorted_, value) >= 0) == (value in sorted_.items)


def test_law_27_binary_search_of_strings() -> None:
    assert array("binary_search", of("a", "b", "c"), "b") == 1


def test_b12_searching_is_tolerant() -> None:
    items = of(5.0)
    assert array("indexof", items, 5.0 + 1e-12) == 0
    assert array("includes", items, 5.0 + 5e-11)
    assert array("lastindexof", items, 5.0 + 1e-9) == -1
    assert array("indexof", of("a", None), "a") == 0
    assert array("indexof", of(na), na) == -1


def test_law_28_and_29_mode_and_median() -> None:
    assert array("mode", of(-2, 3, -2, 3)) == -2
    assert array("mode", of(3, 1, 2)) == 1
    assert array("median", of(1, 2)) == 1.5
    assert array("median", of(4, na, 2, 9)) == 4


def test_law_30_standardize() -> None:
    assert array("standardize", of(1, 2, 3)).items[0] == -1.2247448713915887
    holed = array("standardize", of(1, na, 5, na, 9)).items
    assert same(holed, [-1.2247448713915892, na, 0.0, na, 1.2247448713915892])
    assert same(array("standardize", of(na, na)).items, [na, na])
    assert array("standardize", of(4, 4)).items == [1.0, 1.0]


def test_law_33_and_b13_percentiles() -> None:
    assert array("percentile_nearest_rank", of(30, 10, 20, 40, 50), 0) == 10
    for percentage, expected in ((0, 10), (25, 10), (50, 15.5), (75, 21), (100, 21)):
        assert array("percentile_linear_interpolation", of(21, 10), percentage) == expected
    assert array("percentile_nearest_rank", of(3, 2), na) == 2
    assert same(array("percentile_linear_interpolation", of(3, 2), na), na)
    assert same(array("percentile_nearest_rank", of(3.0, na), 100), na)


def test_re10002_percentages() -> None:
    words = fault("RE10002", "array.percentile_nearest_rank", of(1), 101)
    assert words == (
        "Invalid value of the 'percentage' argument (101) in the 'array.percentile_nearest_rank' function. "
        "It must be in the range [0..100]."
    )


def test_b15_and_re10073_covariance() -> None:
    assert array("covariance", of(1.0, 3.0, 5.0), of(2.0, 5.0, 8.0)) == 4
    assert array("covariance", of(1.0, 3.0, 5.0), of(2.0, 5.0, 8.0), False) == 6
    assert array("covariance", of(1.0, na, 5.0), of(2.0, 5.0, 8.0)) == 6
    assert fault("RE10073", "array.covariance", of(1, 2), of(1, 2, 3)) == (
        "The sizes of the `id1` and `id2` arrays must be equal."
    )


def test_f_join_prints_sixteen_decimals() -> None:
    assert array("join", of(1 / 3, -1 / 7, 1.25), "|") == "0.3333333333333333|-0.1428571428571428|1.25"
    assert array("join", of("a", "b"), None) == "a,b"
    assert array("join", of(1, 2), "") == "12"


def test_max_and_min_by_rank() -> None:
    assert [array("max", of(30, na, 10, na), nth) for nth in range(4)] == [30, 10, 10, 10]
    assert array("min", of(9, 2), 0) == 2
    assert array("max", of(10, 20), na) == 20
    fault("RE10045", "array.max", of(10, 20), 2)


@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12))
def test_moments_are_those_of_the_definition(items: list[float]) -> None:
    mean = math.fsum(items) / len(items)
    expected = math.fsum((x - mean) ** 2 for x in items) / len(items)
    assert array("variance", Array(items)) == pytest.approx(expected, abs=1e-9)
    assert array("avg", Array(items)) == pytest.approx(mean)
    assert array("stdev", Array(items)) == pytest.approx(math.sqrt(expected), abs=1e-6)


# matrices


def square(*rows: list[float]) -> Matrix:
    return Matrix([list(row) for row in rows])


def nine() -> Matrix:
    return square([101, 102, 103], [201, 202, 203], [301, 302, 303])


def test_law_34_rows_and_columns_are_removed_from_the_end() -> None:
    assert matrix("remove_row", nine()).items == [301, 302, 303]
    assert matrix("remove_col", nine()).items == [103, 203, 303]
    assert matrix("remove_row", nine(), 0).items == [101, 102, 103]
    one = Matrix([[5.0]])
    matrix("remove_col", one, na)
    assert one.columns == 0


def test_law_35_rows_and_columns_are_added_at_the_end_and_filled_with_na() -> None:
    grown = square([1, 2], [3, 4])
    matrix("add_row", grown)
    matrix("add_col", grown)
    assert same(grown.rows, [[1, 2, na], [3, 4, na], [na, na, na]])
    empty = matrix("new", 0, 0, na)
    matrix("add_col", empty, 0, of(1, 2))
    assert empty.rows == [[1], [2]]
    fault("matrix-array-size", "matrix.add_row", square([1, 2]), 0, of(1))


def test_law_36_a_matrix_times_an_array_is_an_array() -> None:
    assert matrix("mult", square([1, 2], [3, 4]), of(5, 6)).items == [17, 39]
    assert matrix("mult", square([1, 2]), 2).rows == [[2, 4]]
    assert matrix("mult", square([1, 2], [3, 4]), square([0, 1], [1, 0])).rows == [[2, 1], [4, 3]]
    fault("matrix-product", "matrix.mult", square([1, 2]), of(1, 2, 3))


def test_law_37_eigenvectors_of_a_symmetric_matrix() -> None:
    vectors = matrix("eigenvectors", square([2, 1, 0], [1, 2, 0], [0, 0, 2])).rows
    half = math.sqrt(0.5)
    expected = [[half, 0, half], [half, 0, -half], [0, 1, 0]]
    assert all(
        math.isclose(x, y, abs_tol=1e-15)
        for a, b in zip(vectors, expected, strict=True)
        for x, y in zip(a, b, strict=True)
    )


def test_law_37_pinv_of_whole_numbers_has_fractions() -> None:
    assert matrix("pinv", square([2, 0], [0, 4])).rows == [[0.5, 0], [0, 0.25]]


def test_b7_eigenvalues() -> None:
    assert matrix("eigenvalues", square([2e-12, 0], [0, 1e-12])).items == [2e-12, 1e-12]
    found = matrix("eigenvalues", square([0, -1, 0], [1, 0, 0], [0, 0, 1])).items
    assert sorted(found) == [0, 0, 1]


def test_law_2_re10090_and_the_other_faults_of_matrices() -> None:
    assert fault("RE10090", "matrix.pow", square([1, 0], [0, 1]), -1) == (
        "In the 'matrix.pow()' function. The 'power' argument must be positive."
    )
    assert fault("RE10053", "matrix.rows", None) == "Cannot call matrix methods when id of matrix is na."
    assert fault("matrix-index", "matrix.get", nine(), 3, 0) == "The row index (3) is out of bounds, row size is (3)."
    fault("matrix-not-square", "matrix.det", square([1, 2]))
    fault("matrix-sizes", "matrix.sum", square([1]), square([1, 2]))
    fault("matrix-range", "matrix.submatrix", nine(), 2, 1, 0, 3)
    fault("matrix-too-large", "matrix.new", 1000, 101, 0)
    fault("RE10088", "matrix.eigenvalues", Matrix([]))


def test_na_indices_of_matrices() -> None:
    assert same(matrix("get", nine(), na, 0), na)
    assert matrix("row", nine(), na) is None
    held = nine()
    matrix("set", held, na, 0, 5)
    assert held.rows == nine().rows


def test_f_sorting_rows_descending_is_the_ascending_order_backwards() -> None:
    rows = square([1, 43], [1, 17], [1, 29])
    matrix("sort", rows, 0, "ascending")
    assert [row[1] for row in rows.rows] == [43, 17, 29]
    matrix("sort", rows, 0, "descending")
    assert [row[1] for row in rows.rows] == [29, 17, 43]


def test_f_the_kinds_of_a_matrix_that_holds_na() -> None:
    hole = Matrix([[na]])
    for name in ("is_zero", "is_binary", "is_identity"):
        assert not matrix(name, hole), name
    for name in ("is_symmetric", "is_antisymmetric", "is_diagonal", "is_antidiagonal", "is_triangular"):
        assert matrix(name, hole), name


def test_the_kinds_of_matrices() -> None:
    assert matrix("is_identity", square([1, 0], [0, 1]))
    assert matrix("is_antisymmetric", square([0, 2], [-2, 0]))
    assert matrix("is_antidiagonal", square([0, 2], [3, 0]))
    assert matrix("is_triangular", square([1, 2], [0, 3]))
    assert not matrix("is_triangular", square([1, 2], [4, 3]))
    assert matrix("is_stochastic", square([0.5, 0.5], [0.1, 0.9]))
    assert not matrix("is_square", square([1, 2]))


def test_shapes() -> None:
    held = nine()
    matrix("reshape", held, 1, 9)
    assert held.rows == [[101, 102, 103, 201, 202, 203, 301, 302, 303]]
    fault("matrix-reshape", "matrix.reshape", held, 2, 4)
    assert matrix("transpose", square([1, 2, 3])).rows == [[1], [2], [3]]
    assert matrix("submatrix", nine(), 1, na, 0, 2).rows == [[201, 202], [301, 302]]
    turned = square([1, 2], [3, 4])
    matrix("reverse", turned)
    assert turned.rows == [[4, 3], [2, 1]]
    assert matrix("concat", square([1, 2]), square([3, 4])).rows == [[1, 2], [3, 4]]
    assert matrix("kron", square([1, 2]), square([0, 1])).rows == [[0, 1, 0, 2]]
    swapped = nine()
    matrix("swap_rows", swapped, 0, 2)
    matrix("swap_columns", swapped, 0, 1)
    assert swapped.rows[0] == [302, 301, 303]
    assert matrix("elements_count", swapped) == 9
    assert matrix("trace", nine()) == 606


_MATRICES = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-4, 4).map(float), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(_MATRICES)
def test_inverse_determinant_and_rank_agree(rows: list[list[float]]) -> None:
    given_ = Matrix(rows)
    determinant, rank = matrix("det", given_), matrix("rank", given_)
    if abs(determinant) < 0.5:
        assert rank < len(rows)
        return
    assert rank == len(rows)
    product = matrix("mult", given_, matrix("inv", given_)).rows
    for i, row in enumerate(product):
        assert all(math.isclose(value, i == j, abs_tol=1e-7) for j, value in enumerate(row))


@given(st.lists(st.lists(st.integers(-4, 4).map(float), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_pseudo_inverse_is_one(rows: list[list[float]]) -> None:
    given_ = Matrix(rows)
    pseudo = matrix("pinv", given_)
    again = matrix("mult", matrix("mult", given_, pseudo), given_).rows
    assert all(
        math.isclose(x, y, abs_tol=1e-7) for a, b in zip(again, rows, strict=True) for x, y in zip(a, b, strict=True)
    )


@given(_MATRICES)
def test_eigenvalues_sum_to_the_trace_and_stretch_their_vectors(rows: list[list[float]]) -> None:
    mirrored = [[rows[min(i, j)][max(i, j)] for j in range(len(rows))] for i in range(len(rows))]
    given_ = Matrix(mirrored)
    values, vectors = matrix("eigenvalues", given_).items, matrix("eigenvectors", given_)
    assert values == sorted(values, reverse=True)
    assert math.isclose(sum(values), matrix("trace", given_), abs_tol=1e-9)
    stretched = matrix("mult", given_, vectors).rows
    for i, row in enumerate(stretched):
        assert all(math.isclose(row[j], values[j] * vectors.rows[i][j], abs_tol=1e-7) for j in range(len(row)))


@given(st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=5, unique=True))
def test_eigenvalues_of_a_matrix_that_is_not_symmetric(wanted: list[float]) -> None:
    n = len(wanted)
    lower = [[1.0 if i == j else 0.5 * (i > j) for j in range(n)] for i in range(n)]
    diagonal = [[wanted[i] if i == j else 0.0 for j in range(n)] for i in range(n)]
    turned = matrix("mult", matrix("mult", Matrix(lower), Matrix(diagonal)), matrix("inv", Matrix(lower)))
    assert sorted(matrix("eigenvalues", turned).items) == pytest.approx(sorted(wanted), abs=1e-5)


# maps


def test_f_missing_keys_are_one_key_and_so_are_both_zeros() -> None:
    held = FUNCTIONS["map.new"]()
    put, get = FUNCTIONS["map.put"], FUNCTIONS["map.get"]
    assert same(put(held, na, 11), na)
    assert put(held, float("nan"), 23) == 11
    assert get(held, na) == 23
    assert same(put(held, 0.0, 1), na)
    assert put(held, -0.0, 22) == 1
    put(held, math.inf, 3)
    put(held, -math.inf, 4)
    assert FUNCTIONS["map.size"](held) == 4
    assert FUNCTIONS["map.remove"](held, na) == 23
    assert not FUNCTIONS["map.contains"](held, na)


def test_law_38_values_are_a_new_array_of_the_same_objects() -> None:
    one = Tagged(1, 1)
    held = Map({"a": one})
    values = FUNCTIONS["map.values"](held)
    values.items[0].tag = 99
    array("push", values, Tagged(2, 2))
    assert one.tag == 99
    assert FUNCTIONS["map.size"](held) == 1


def test_maps_keep_the_order_in_which_keys_came() -> None:
    held = Map({"z": 1})
    FUNCTIONS["map.put_all"](held, Map({"a": 2, "z": 3}))
    assert FUNCTIONS["map.keys"](held).items == ["z", "a"]
    assert list(held.numbered()) == [("z", 3), ("a", 2)]
    copied = FUNCTIONS["map.copy"](held)
    FUNCTIONS["map.clear"](held)
    assert FUNCTIONS["map.size"](copied) == 2


def test_re10070_a_map_that_grows_too_large() -> None:
    held = Map(dict.fromkeys(range(50_000), 0))
    FUNCTIONS["map.put"](held, 7, 1)
    words = fault("RE10070", "map.put", held, -1, 1)
    assert words == "A map cannot have more than 50000 key-value pairs. The current size is 50001."


def test_a_map_that_changes_its_size_in_a_loop() -> None:
    held = Map({1: 1, 2: 2})
    with pytest.raises(RuntimeFault) as caught:
        for key, _ in held.numbered():
            FUNCTIONS["map.put"](held, key + 10, 0)
    assert caught.value.code == "map-resized"
    fault("na-map", "map.size", None)
