"""Linear algebra for `matrix.*` on rows of numbers, in plain Python."""

from __future__ import annotations

from math import hypot, sqrt

from pinebench.totals import total

Rows = list[list[float]]
_SWEEPS = 100
_TOO_SMALL = 1e-11
"""A matrix with a smaller pivot is singular, whatever the size of its other elements (recorded)."""


def product(left: Rows, right: Rows) -> Rows:
    """Return the product of the matrices `left` and `right`; each element is summed from its first term to its last."""
    columns = list(zip(*right, strict=True))
    return [[total(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in left]


def transposed(rows: Rows) -> Rows:
    """Return the columns as rows."""
    return [list(column) for column in zip(*rows, strict=True)]


def identity(n: int) -> Rows:
    """Return the identity matrix with `n` rows."""
    return [[float(i == j) for j in range(n)] for i in range(n)]


def determinant(rows: Rows) -> float:
    """Return the determinant: the product of the pivots of the triangular factors; 0 for a matrix that counts as
    singular."""
    factors = _Factors(rows)
    if factors.is_singular:
        return 0.0
    result = factors.sign
    for k, row in enumerate(factors.rows):
        result *= row[k]
    return result


def inverse(rows: Rows) -> Rows | None:
    """Return the inverse, by solving the triangular factors for each column of the identity; None for a singular
    matrix."""
    factors = _Factors(rows)
    return None if factors.is_singular else factors.inverse()


class _Factors:
    """The two triangular factors of a square matrix in one matrix, with the largest pivot of each column. The
    operations are in the same order as in Apache Commons Math 3, because TradingView's exports have its digits."""

    def __init__(self, rows: Rows) -> None:
        self.rows = work = [[float(x) for x in row] for row in rows]
        self.order = list(range(len(work)))
        self.sign = 1.0
        self.is_singular = not all(self._eliminate(k) for k in range(len(work)))

    def _eliminate(self, k: int) -> bool:
        work = self.rows
        n = len(work)
        pivot = max(range(k, n), key=lambda i: abs(work[i][k]))
        if abs(work[pivot][k]) < _TOO_SMALL:
            return False
        if pivot != k:
            work[k], work[pivot] = work[pivot], work[k]
            self.order[k], self.order[pivot] = self.order[pivot], self.order[k]
            self.sign = -self.sign
        for i in range(k + 1, n):
            factor = work[i][k] = work[i][k] / work[k][k]
            for j in range(k + 1, n):
                work[i][j] -= factor * work[k][j]
        return True

    def inverse(self) -> Rows:
        n = len(self.rows)
        found = [[float(j == original) for j in range(n)] for original in self.order]
        for k, row in enumerate(found):
            for i in range(k + 1, n):
                factor = self.rows[i][k]
                found[i] = [x - y * factor for x, y in zip(found[i], row, strict=True)]
        for k in range(n - 1, -1, -1):
            pivot = self.rows[k][k]
            row = found[k] = [x / pivot for x in found[k]]
            for i in range(k):
                factor = self.rows[i][k]
                found[i] = [x - y * factor for x, y in zip(found[i], row, strict=True)]
        return found


def rank(rows: Rows) -> int:
    """Return the number of singular values that are not negligible compared with the largest one."""
    found = _singular(rows)
    limit = _negligible(rows, found)
    return len([value for _, value, _ in found if value > limit])


def pseudo_inverse(rows: Rows) -> Rows:
    """Return the Moore-Penrose inverse: for a regular square matrix its inverse, else a matrix computed from the
    singular values."""
    found = _singular(rows)
    limit = _negligible(rows, found)
    if found and len(rows) == len(rows[0]) and found[-1][1] > limit:
        inverted = inverse(rows)
        if inverted is not None:
            return inverted
    result = [[0.0] * len(rows) for _ in range(len(rows[0]) if rows else 0)]
    for left, value, right in found:
        if not value > limit:
            continue  # also if one of them is not a number
        for i, x in enumerate(right):
            for j, y in enumerate(left):
                result[i][j] += x * y / value
    return result


def _negligible(rows: Rows, found: list[tuple[list[float], float, list[float]]]) -> float:
    """The largest singular value that counts as 0."""
    return max(len(rows), len(rows[0])) * found[0][1] * 2.0**-52 if found else 0.0


def _singular(rows: Rows) -> list[tuple[list[float], float, list[float]]]:
    """Left vector, singular value and right vector, largest value first, by one-sided rotations."""
    if not rows or not rows[0]:
        return []
    if len(rows) < len(rows[0]):
        return [(right, value, left) for left, value, right in _singular(transposed(rows))]
    columns = [list(map(float, column)) for column in zip(*rows, strict=True)]
    right = identity(len(columns))
    for _ in range(_SWEEPS):
        turned = False
        for p in range(len(columns) - 1):
            for q in range(p + 1, len(columns)):
                turned |= _orthogonal(columns, right, p, q)
        if not turned:
            break
    found = []
    for column, vector in zip(columns, right, strict=True):
        value = hypot(*column)
        found.append(([x / value for x in column] if value else column, value, vector))
    return sorted(found, key=lambda one: -one[1])


def _orthogonal(columns: Rows, right: Rows, p: int, q: int) -> bool:
    """Rotate two columns so that they are orthogonal; false if they already were."""
    a = total(x * x for x in columns[p])
    b = total(x * x for x in columns[q])
    c = total(x * y for x, y in zip(columns[p], columns[q], strict=True))
    if not abs(c) > 1e-15 * sqrt(a * b):
        return False  # also if the product is not a number, which rotating does not change
    zeta = (b - a) / (2 * c)
    t = (1.0 if zeta >= 0 else -1.0) / (abs(zeta) + sqrt(1 + zeta * zeta))
    cosine = 1 / sqrt(1 + t * t)
    sine = cosine * t
    for pair in (columns, right):
        x, y = pair[p], pair[q]
        pair[p] = [cosine * u - sine * v for u, v in zip(x, y, strict=True)]
        pair[q] = [sine * u + cosine * v for u, v in zip(x, y, strict=True)]
    return True
