"""The functions of `matrix.*`, with TradingView's behaviour for na indices, sizes and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.errors import UnavailableError
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library import eigen, linear
from pinebench.runtime.library.arrays import _keys, _positions, median_of, mode_of, total_of
from pinebench.runtime.library.collections import ARRAY_LIMIT, NA, Array, Matrix
from pinebench.runtime.library.kernel import TOLERANCE


def _of(matrix: Matrix | None) -> Matrix:
    """The matrix; raises RE10053 for na."""
    if matrix is None:
        raise RuntimeFault("RE10053")
    return matrix


def _writable(matrix: Matrix | None) -> Matrix:
    if _of(matrix).frozen:
        raise RuntimeFault("RE10051")
    return _of(matrix)


def _square(matrix: Matrix | None) -> Matrix:
    found = _of(matrix)
    if len(found.rows) != found.columns:
        raise RuntimeFault("matrix-not-square")
    return found


def _index(axis: str, index: float, size: int, most: int | None = None) -> int:
    number = _whole(index, f"a {axis}")
    if not 0 <= number <= (size - 1 if most is None else most):
        raise RuntimeFault("matrix-index", axis=axis, index=number, size=size)
    return number


def _whole(value: float, what: str) -> int:
    """Return a number as an int. Raises UnavailableError for na, because TradingView's behaviour for it is not
    known."""
    if value != value:
        raise UnavailableError(f"a matrix function with na as {what} is not computed by pinebench")
    return int(value)


def _numbers(matrix: Matrix | None) -> Matrix:
    """Return a matrix of numbers. Raises UnavailableError for a matrix of strings."""
    found = _of(matrix)
    if any(isinstance(value, str) for row in found.rows for value in row):
        raise UnavailableError("the rank of a matrix of strings is not computed by pinebench")
    return found


def _array(items: Array | None) -> list[Any]:
    if items is None:
        raise RuntimeFault("RE10052")
    return items.items


def _judge(rows: int, columns: int) -> None:
    """Raise `matrix-too-large` for a size that a matrix must not have, even if it has no elements."""
    if max(rows, columns, rows * columns) > ARRAY_LIMIT:
        raise RuntimeFault("matrix-too-large")


def _limited(matrix: Matrix) -> Matrix:
    _judge(len(matrix.rows), matrix.columns)
    return matrix


def _like(matrix: Matrix, rows: list[list[Any]], columns: int | None = None) -> Matrix:
    return Matrix(rows, columns, matrix.missing)


# creation, copies, sizes


def new(rows: float = 0, columns: float = 0, initial_value: Any = NA, missing: Any = NA) -> Matrix:
    """Implement `matrix.new<type>(rows, columns, initial_value)`. An na size counts as 0. `missing` is the na of its
    elements."""
    height = int(rows) if rows == rows else 0
    width = int(columns) if columns == columns else 0
    if height < 0 or width < 0:
        raise RuntimeFault("matrix-negative-size")
    _judge(height, width)
    return Matrix([[initial_value] * width for _ in range(height)], width, missing)


def copy(matrix: Matrix | None) -> Matrix:
    """Implement `matrix.copy(id)`."""
    found = _of(matrix)
    return _like(found, [list(row) for row in found.rows], found.columns)


def row_count(matrix: Matrix | None) -> int:
    """Implement `matrix.rows(id)`."""
    return len(_of(matrix).rows)


def column_count(matrix: Matrix | None) -> int:
    """Implement `matrix.columns(id)`."""
    return _of(matrix).columns


def elements_count(matrix: Matrix | None) -> int:
    """Implement `matrix.elements_count(id)`."""
    return len(_of(matrix).rows) * _of(matrix).columns


# elements, rows, columns


def get(matrix: Matrix | None, row: float, column: float) -> Any:
    """Implement `matrix.get(id, row, column)`. The result is na for an na index."""
    found = _of(matrix)
    if row != row or column != column:
        return found.missing
    return found.rows[_index("row", row, len(found.rows))][_index("column", column, found.columns)]


def put(matrix: Matrix | None, row: float, column: float, value: Any) -> None:
    """Implement `matrix.set(id, row, column, value)`. An na index changes nothing."""
    found = _writable(matrix)
    if row != row or column != column:
        return
    found.rows[_index("row", row, len(found.rows))][_index("column", column, found.columns)] = value


def row(matrix: Matrix | None, index: float) -> Array | None:
    """Implement `matrix.row(id, row)`: a new array; na for an na index."""
    found = _of(matrix)
    if index != index:
        return None
    return Array(list(found.rows[_index("row", index, len(found.rows))]))


def column(matrix: Matrix | None, index: float) -> Array | None:
    """Implement `matrix.col(id, column)`: a new array; na for an na index."""
    found = _of(matrix)
    if index != index:
        return None
    number = _index("column", index, found.columns)
    return Array([row[number] for row in found.rows])


def add_row(matrix: Matrix | None, index: float = NA, items: Array | None = None) -> None:
    """Implement `matrix.add_row(id, row, array_id)`. By default the row is added at the end, and filled with na."""
    found = _writable(matrix)
    place = _index("row", index, len(found.rows), len(found.rows)) if index == index else len(found.rows)
    if items is None:
        values = [found.missing] * found.columns
    else:
        values = list(items.items)
        if found.rows and len(values) != found.columns:
            raise RuntimeFault("matrix-array-size")
        found.columns = len(values)
    found.rows.insert(place, values)
    _limited(found)


def add_column(matrix: Matrix | None, index: float = NA, items: Array | None = None) -> None:
    """Implement `matrix.add_col(id, column, array_id)`. By default the column is added at the end, and filled with
    na."""
    found = _writable(matrix)
    place = _index("column", index, found.columns, found.columns) if index == index else found.columns
    if items is not None and not found.rows and not found.columns:
        found.rows = [[] for _ in items.items]
    values = [found.missing] * len(found.rows) if items is None else list(items.items)
    if len(values) != len(found.rows):
        raise RuntimeFault("matrix-array-size")
    for row, value in zip(found.rows, values, strict=True):
        row.insert(place, value)
    found.columns += 1
    _limited(found)


def remove_row(matrix: Matrix | None, index: float = NA) -> Array:
    """Implement `matrix.remove_row(id, row)`, which returns the row's elements (default: the last row)."""
    found = _writable(matrix)
    last = len(found.rows) - 1
    place = last if index != index or index == last + 1 else _index("row", index, len(found.rows))
    if last < 0:
        raise RuntimeFault("matrix-index", axis="row", index=0, size=0)
    return Array(found.rows.pop(place))


def remove_column(matrix: Matrix | None, index: float = NA) -> Array:
    """Implement `matrix.remove_col(id, column)`, which returns the column's elements (default: the last column)."""
    found = _writable(matrix)
    last = found.columns - 1
    place = last if index != index or index == last + 1 else _index("column", index, found.columns)
    if last < 0:
        raise RuntimeFault("matrix-index", axis="column", index=0, size=0)
    found.columns -= 1
    return Array([row.pop(place) for row in found.rows])


def swap_rows(matrix: Matrix | None, first: float, second: float) -> None:
    """Implement `matrix.swap_rows(id, row1, row2)`."""
    found = _writable(matrix)
    i, j = (_index("row", index, len(found.rows)) for index in (first, second))
    found.rows[i], found.rows[j] = found.rows[j], found.rows[i]


def swap_columns(matrix: Matrix | None, first: float, second: float) -> None:
    """Implement `matrix.swap_columns(id, column1, column2)`."""
    found = _writable(matrix)
    i, j = (_index("column", index, found.columns) for index in (first, second))
    for row in found.rows:
        row[i], row[j] = row[j], row[i]


def _ranges(found: Matrix, from_row: float, to_row: float, from_column: float, to_column: float) -> tuple[range, range]:
    height, width = len(found.rows), found.columns
    top = int(from_row) if from_row == from_row else 0
    bottom = int(to_row) if to_row == to_row else height
    left = int(from_column) if from_column == from_column else 0
    right = int(to_column) if to_column == to_column else width
    if not 0 <= top <= bottom <= height or not 0 <= left <= right <= width:
        raise RuntimeFault("matrix-range")
    return range(top, bottom), range(left, right)


def fill(
    matrix: Matrix | None,
    value: Any,
    from_row: float = 0,
    to_row: float = NA,
    from_column: float = 0,
    to_column: float = NA,
) -> None:
    """Implement `matrix.fill(id, value, from_row, to_row, from_column, to_column)`."""
    found = _writable(matrix)
    rows, columns = _ranges(found, from_row, to_row, from_column, to_column)
    for i in rows:
        for j in columns:
            found.rows[i][j] = value


def submatrix(
    matrix: Matrix | None, from_row: float = 0, to_row: float = NA, from_column: float = 0, to_column: float = NA
) -> Matrix:
    """Implement `matrix.submatrix(id, from_row, to_row, from_column, to_column)`: a copy of a part."""
    found = _of(matrix)
    rows, columns = _ranges(found, from_row, to_row, from_column, to_column)
    return _like(found, [[found.rows[i][j] for j in columns] for i in rows], len(columns))


def reshape(matrix: Matrix | None, rows: float, columns: float) -> None:
    """Implement `matrix.reshape(id, rows, columns)`. The elements stay the same, row by row."""
    found = _writable(matrix)
    height, width = _whole(rows, "the number of rows"), _whole(columns, "the number of columns")
    if height < 0 or width < 0 or height * width != len(found.rows) * found.columns:
        raise RuntimeFault("matrix-reshape", rows=height, columns=width, count=len(found.rows) * found.columns)
    _judge(height, width)
    flat = _flat(found)
    found.rows = [flat[k * width : (k + 1) * width] for k in range(height)]
    found.columns = width


def reverse(matrix: Matrix | None) -> None:
    """Implement `matrix.reverse(id)`: reverse the order of rows and columns."""
    found = _writable(matrix)
    found.rows = [row[::-1] for row in reversed(found.rows)]


def transpose(matrix: Matrix | None) -> Matrix:
    """Implement `matrix.transpose(id)`."""
    found = _of(matrix)
    return _like(found, [[row[j] for row in found.rows] for j in range(found.columns)], len(found.rows))


def concat(matrix: Matrix | None, other: Matrix | None) -> Matrix:
    """Implement `matrix.concat(id1, id2)`: append the rows of the second matrix to the first, and return the first."""
    found, more = _writable(matrix), _of(other)
    if found.rows and more.rows and found.columns != more.columns:
        raise RuntimeFault("matrix-array-size")
    if not found.rows:
        found.columns = more.columns
    found.rows.extend(list(row) for row in list(more.rows))
    return _limited(found)


def sort(
    matrix: Matrix | None, column: float = 0, order: str | None = "ascending", sort_field: int | str | None = None
) -> None:
    """Implement `matrix.sort(id, column, order)`: sort rows by a column. Descending order reverses ascending order."""
    found = _writable(matrix)
    number = _index("column", column if column == column else 0, found.columns)
    keys = _keys(Array([row[number] for row in found.rows]), sort_field)
    found.rows = [found.rows[k] for k in _positions(keys, order == "descending", stable=False)]


# numbers


def _flat(matrix: Matrix) -> list[Any]:
    return [value for row in matrix.rows for value in row]


def _present(matrix: Matrix | None) -> list[Any]:
    return [value for value in _flat(_of(matrix)) if value == value]


def average(matrix: Matrix | None) -> float:
    """Implement `matrix.avg(id)`."""
    values = _present(matrix)
    return total_of(values) / len(values) if values else NA


def maximum(matrix: Matrix | None) -> float:
    """Implement `matrix.max(id)`."""
    return max(_present(matrix), default=NA)


def minimum(matrix: Matrix | None) -> float:
    """Implement `matrix.min(id)`."""
    return min(_present(matrix), default=NA)


def median(matrix: Matrix | None) -> float:
    """Implement `matrix.median(id)`."""
    return median_of(_present(matrix))


def mode(matrix: Matrix | None) -> float:
    """Implement `matrix.mode(id)`: the most frequent value; the smallest one if there are several."""
    return mode_of(_present(matrix))


def _each(left: Matrix | None, right: Any, step: Callable[[Any, Any], Any]) -> Matrix:
    found = _of(left)
    if not isinstance(right, Matrix):
        if right is None:
            raise RuntimeFault("RE10053")
        return _like(found, [[step(value, right) for value in row] for row in found.rows], found.columns)
    if (len(right.rows), right.columns) != (len(found.rows), found.columns):
        raise RuntimeFault("matrix-sizes")
    pairs = zip(found.rows, right.rows, strict=True)
    return _like(found, [[step(x, y) for x, y in zip(a, b, strict=True)] for a, b in pairs], found.columns)


def sum_of(matrix: Matrix | None, other: Any) -> Matrix:
    """Implement `matrix.sum(id1, id2)`, where `other` (id2) is a matrix or a number."""
    return _each(matrix, other, lambda x, y: x + y)


def difference(matrix: Matrix | None, other: Any) -> Matrix:
    """Implement `matrix.diff(id1, id2)`, where `other` (id2) is a matrix or a number."""
    return _each(matrix, other, lambda x, y: x - y)


def product(matrix: Matrix | None, other: Any) -> Matrix | Array:
    """Implement `matrix.mult(id1, id2)`, where `other` (id2) is a matrix, an array as a column, or a number."""
    found = _of(matrix)
    if isinstance(other, Array):
        if len(other.items) != found.columns:
            raise RuntimeFault("matrix-product")
        return Array([row[0] for row in linear.product(found.rows, [[value] for value in other.items])])
    if not isinstance(other, Matrix):
        return _each(matrix, other, lambda x, y: x * y)
    if len(other.rows) != found.columns:
        raise RuntimeFault("matrix-product")
    _judge(len(found.rows), other.columns)
    return _like(found, linear.product(found.rows, other.rows), other.columns)


def kronecker(matrix: Matrix | None, other: Matrix | None) -> Matrix:
    """Implement `matrix.kron(id1, id2)`."""
    left, right = _of(matrix), _of(other)
    _judge(len(left.rows) * len(right.rows), left.columns * right.columns)
    rows = [[x * y for x in a for y in b] for a in left.rows for b in right.rows]
    return _like(left, rows, left.columns * right.columns)


def power(matrix: Matrix | None, exponent: float) -> Matrix:
    """Implement `matrix.pow(id, power)`. Raises RE10090 for a negative power."""
    found = _square(matrix)
    left = _whole(exponent, "a power")
    if left < 0:
        raise RuntimeFault("RE10090")
    result, factor = linear.identity(len(found.rows)), found.rows
    while left:
        if left & 1:
            result = linear.product(result, factor)
        factor = linear.product(factor, factor)
        left >>= 1
    return _like(found, result, found.columns)


def trace(matrix: Matrix | None) -> float:
    """Implement `matrix.trace(id)`."""
    found = _square(matrix)
    return total_of([row[k] for k, row in enumerate(found.rows)])


def determinant(matrix: Matrix | None) -> float:
    """Implement `matrix.det(id)`."""
    return linear.determinant(_square(matrix).rows)


def rank(matrix: Matrix | None) -> int:
    """Implement `matrix.rank(id)`."""
    return linear.rank(_numbers(matrix).rows)


def inverse(matrix: Matrix | None) -> Matrix:
    """Implement `matrix.inv(id)`. All elements are na for a singular matrix."""
    found = _square(matrix)
    rows = linear.inverse(found.rows)
    return Matrix([[NA] * found.columns for _ in found.rows] if rows is None else rows, found.columns)


def pseudo_inverse(matrix: Matrix | None) -> Matrix:
    """Implement `matrix.pinv(id)`. Singular values that are negligible compared with the largest one count as 0."""
    found = _of(matrix)
    return Matrix(linear.pseudo_inverse(found.rows), len(found.rows))


def eigenvalues(matrix: Matrix | None) -> Array:
    """Implement `matrix.eigenvalues(id)`: the real parts. Raises RE10088 for an empty matrix."""
    found = _square(matrix)
    if not found.rows:
        raise RuntimeFault("RE10088")
    return Array(eigen.decomposed(found.rows)[0])


def eigenvectors(matrix: Matrix | None) -> Matrix:
    """Implement `matrix.eigenvectors(id)`: one in each column. They have length 1 only for a symmetric matrix."""
    found = _square(matrix)
    if not found.rows:
        raise RuntimeFault("RE10088")
    return Matrix(eigen.decomposed(found.rows)[1], found.columns)


# tests for kinds of matrices


def _all(matrix: Matrix | None, wanted: Callable[[int, int, float], bool]) -> bool:
    """Whether the matrix is square and `wanted` is true for each row, column and element."""
    found = _of(matrix)
    if len(found.rows) != found.columns:
        return False
    return all(wanted(i, j, value) for i, row in enumerate(found.rows) for j, value in enumerate(row))


def _near(value: float, other: float = 0.0) -> bool:
    """Whether two elements are equal for the `is_…` functions; na is not equal to anything."""
    return value == other or abs(value - other) <= TOLERANCE


def is_square(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_square(id)`."""
    return len(_of(matrix).rows) == _of(matrix).columns


def is_zero(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_zero(id)`: whether all elements are 0, with the tolerance of 1e-10 that all these functions
    use."""
    return all(map(_near, _flat(_of(matrix))))


def is_binary(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_binary(id)`: whether each element is 0 or 1."""
    return all(_near(value) or _near(value, 1) for value in _flat(_of(matrix)))


def is_identity(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_identity(id)`."""
    return _all(matrix, lambda i, j, value: _near(value, i == j))


def is_diagonal(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_diagonal(id)`: whether all elements outside the main diagonal are 0."""
    return _all(matrix, lambda i, j, value: i == j or _near(value))


def is_antidiagonal(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_antidiagonal(id)`: whether all elements outside the secondary diagonal are 0."""
    last = len(_of(matrix).rows) - 1
    return _all(matrix, lambda i, j, value: i + j == last or _near(value))


def is_symmetric(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_symmetric(id)`."""
    rows = _of(matrix).rows
    return _all(matrix, lambda i, j, value: i == j or _near(value, rows[j][i]))


def is_antisymmetric(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_antisymmetric(id)`. na on the diagonal counts as 0."""
    rows = _of(matrix).rows
    return _all(matrix, lambda i, j, value: (i == j and value != value) or _near(value, -rows[j][i]))


def is_triangular(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_triangular(id)`: whether all elements above the main diagonal, or all below it, are 0."""
    return _all(matrix, lambda i, j, value: i <= j or _near(value)) or _all(
        matrix, lambda i, j, value: i >= j or _near(value)
    )


def is_stochastic(matrix: Matrix | None) -> bool:
    """Implement `matrix.is_stochastic(id)`: whether no element is negative or na, and each row has the sum 1."""
    found = _of(matrix)
    if not found.rows or any(not value >= 0 for value in _flat(found)):
        return False
    return all(_near(total_of(row), 1) for row in found.rows)
