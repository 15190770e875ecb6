"""Linear algebra on rows of numbers: what `matrix.*` needs of it, in plain Python."""

from __future__ import annotations

from math import hypot, sqrt

from pinebench.errors import UnavailableError
from pinebench.runtime.library.kernel import total

Rows = list[list[float]]
_ZERO = 1e-10
_SWEEPS = 100


def product(left: Rows, right: Rows) -> Rows:
    """The product of two matrices, each element summed from the left."""
    columns = list(zip(*right, strict=True))
    return [[total(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in left]


def transposed(rows: Rows) -> Rows:
    """Columns as rows."""
    return [list(column) for column in zip(*rows, strict=True)]


def identity(n: int) -> Rows:
    """The identity matrix."""
    return [[float(i == j) for j in range(n)] for i in range(n)]


def determinant(rows: Rows) -> float:
    """By elimination with the greatest pivot."""
    rows = [[float(x) for x in row] for row in rows]
    n, result = len(rows), 1.0
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if not rows[pivot][k]:
            return 0.0
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            result = -result
        result *= rows[k][k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] -= factor * rows[k][j]
    return result


def inverse(rows: Rows) -> Rows | None:
    """By elimination with the greatest pivot; None for a singular matrix."""
    n = len(rows)
    work = [[*map(float, row), *unit] for row, unit in zip(rows, identity(n), strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(work[i][k]))
        if not work[pivot][k]:
            return None
        work[k], work[pivot] = work[pivot], work[k]
        head = work[k][k]
        work[k] = [x / head for x in work[k]]
        for i in range(n):
            factor = work[i][k]
            if i != k and factor:
                work[i] = [x - factor * y for x, y in zip(work[i], work[k], strict=True)]
    return [row[n:] for row in work]


def rank(rows: Rows) -> int:
    """How many singular values are not negligible beside the greatest."""
    values = [value for _, value, _ in _singular(rows)]
    limit = max(len(rows), len(rows[0]) if rows else 0) * (values[0] if values else 0.0) * 2.0**-52
    return len([value for value in values if value > limit])


def pseudo_inverse(rows: Rows) -> Rows:
    """The Moore-Penrose inverse, from the singular values."""
    found = _singular(rows)
    limit = max(len(rows), len(rows[0])) * (found[0][1] if found else 0.0) * 2.0**-52
    result = [[0.0] * len(rows) for _ in rows[0]]
    for left, value, right in found:
        if value <= limit:
            continue
        for i, x in enumerate(right):
            for j, y in enumerate(left):
                result[i][j] += x * y / value
    return result


def _singular(rows: Rows) -> list[tuple[list[float], float, list[float]]]:
    """Left vector, value and right vector, the greatest value first, by one-sided rotations."""
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
    """Turn two columns until they are orthogonal; false where they are."""
    a = total(x * x for x in columns[p])
    b = total(x * x for x in columns[q])
    c = total(x * y for x, y in zip(columns[p], columns[q], strict=True))
    if abs(c) <= 1e-15 * sqrt(a * b):
        return False
    zeta = (b - a) / (2 * c)
    t = (1.0 if zeta >= 0 else -1.0) / (abs(zeta) + sqrt(1 + zeta * zeta))
    cosine = 1 / sqrt(1 + t * t)
    sine = cosine * t
    for pair in (columns, right):
        x, y = pair[p], pair[q]
        pair[p] = [cosine * u - sine * v for u, v in zip(x, y, strict=True)]
        pair[q] = [sine * u + cosine * v for u, v in zip(x, y, strict=True)]
    return True


def is_symmetric(rows: Rows) -> bool:
    """Whether the matrix is its own transpose."""
    return all(rows[i][j] == rows[j][i] for i in range(len(rows)) for j in range(i))


def eigenvalues(rows: Rows) -> list[float]:
    """The eigenvalues, of a symmetric matrix the greatest first; 0 stands for each complex one."""
    if is_symmetric(rows):
        return [value for value, _ in _symmetric(rows)]
    return [value if value is not None else 0.0 for value in _general(rows)]


def eigenvectors(rows: Rows) -> Rows:
    """The eigenvectors as columns, in the order of the eigenvalues, of length 1.

    Raises UnavailableError where an eigenvalue is complex.
    """
    if is_symmetric(rows):
        return transposed([vector for _, vector in _symmetric(rows)])
    found = []
    for value in _general(rows):
        if value is None:
            raise UnavailableError("matrix.eigenvectors of a matrix with complex eigenvalues is not computed here")
        found.append(_null_vector(rows, value))
    return transposed(found)


def _symmetric(rows: Rows) -> list[tuple[float, list[float]]]:
    """Values and vectors by Jacobi's rotations; the first part of a vector that is not 0 is positive."""
    n = len(rows)
    work = [[float(x) for x in row] for row in rows]
    vectors = identity(n)
    for _ in range(_SWEEPS):
        off = sqrt(total(work[i][j] ** 2 for i in range(n) for j in range(i)))
        if off <= 1e-300:
            break
        for p in range(n - 1):
            for q in range(p + 1, n):
                _rotate(work, vectors, p, q)
    found = []
    for k in range(n):
        vector = [row[k] for row in vectors]
        lead = next((x for x in vector if abs(x) > _ZERO), 1.0)
        found.append((work[k][k], [-x + 0.0 for x in vector] if lead < 0 else vector))
    return sorted(found, key=lambda one: -one[0])


def _rotate(work: Rows, vectors: Rows, p: int, q: int) -> None:
    if not work[p][q]:
        return
    theta = (work[q][q] - work[p][p]) / (2 * work[p][q])
    t = (1.0 if theta >= 0 else -1.0) / (abs(theta) + sqrt(theta * theta + 1))
    cosine = 1 / sqrt(t * t + 1)
    sine = t * cosine
    for row in work:
        row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]
    above, below = work[p], work[q]
    work[p] = [cosine * x - sine * y for x, y in zip(above, below, strict=True)]
    work[q] = [sine * x + cosine * y for x, y in zip(above, below, strict=True)]
    work[p][q] = work[q][p] = 0.0
    for row in vectors:
        row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]


def _general(rows: Rows) -> list[float | None]:
    """Eigenvalues of any square matrix by shifted QR steps on its Hessenberg form; None for complex ones."""
    work = _hessenberg([[float(x) for x in row] for row in rows])
    found: list[float | None] = [0.0] * len(work)
    end, steps = len(work) - 1, 0
    while end >= 0:
        begin = end
        while begin > 0 and abs(work[begin][begin - 1]) > 1e-15 * (
            abs(work[begin][begin]) + abs(work[begin - 1][begin - 1]) or 1.0
        ):
            begin -= 1
        if begin == end:
            found[end] = work[end][end]
            end, steps = end - 1, 0
        elif begin == end - 1:
            found[begin], found[end] = _pair(work, begin)
            end, steps = end - 2, 0
        else:
            steps += 1
            if steps > 500:
                raise UnavailableError("matrix.eigenvalues did not come to an end for this matrix")
            _step(work, begin, end, steps)
    return found


def _pair(work: Rows, k: int) -> tuple[float | None, float | None]:
    a, b, c, d = work[k][k], work[k][k + 1], work[k + 1][k], work[k + 1][k + 1]
    half = (a - d) / 2
    square = half * half + b * c
    if square < 0:
        return None, None
    root = half + (sqrt(square) if half >= 0 else -sqrt(square))
    if not root:
        return d, d
    return d + root, d - b * c / root


def _hessenberg(work: Rows) -> Rows:
    n = len(work)
    for k in range(1, n - 1):
        pivot = max(range(k, n), key=lambda i: abs(work[i][k - 1]))
        if not work[pivot][k - 1]:
            continue
        work[k], work[pivot] = work[pivot], work[k]
        for row in work:
            row[k], row[pivot] = row[pivot], row[k]
        for i in range(k + 1, n):
            factor = work[i][k - 1] / work[k][k - 1]
            if factor:
                work[i] = [x - factor * y for x, y in zip(work[i], work[k], strict=True)]
                for row in work:
                    row[k] += factor * row[i]
    return work


def _step(work: Rows, begin: int, end: int, steps: int) -> None:
    """One double-shifted step (Francis) on the rows and columns `begin` to `end`."""
    s = work[end - 1][end - 1] + work[end][end]
    t = work[end - 1][end - 1] * work[end][end] - work[end - 1][end] * work[end][end - 1]
    if steps % 11 == 10:  # a turn out of a circle
        s, t = 1.5 * (abs(work[end][end - 1]) + abs(work[end - 1][end - 2])), 0.0
    x = work[begin][begin] ** 2 + work[begin][begin + 1] * work[begin + 1][begin] - s * work[begin][begin] + t
    y = work[begin + 1][begin] * (work[begin][begin] + work[begin + 1][begin + 1] - s)
    z = work[begin + 1][begin] * work[begin + 2][begin + 1]
    for k in range(begin, end):
        size = min(3, end - k + 1)
        _reflect(work, begin, end, k, [x, y, z][:size])
        x = work[k + 1][k]
        y = work[k + 2][k] if k < end - 1 else 0.0
        z = work[k + 3][k] if k < end - 2 else 0.0


def _reflect(work: Rows, begin: int, end: int, k: int, head: list[float]) -> None:
    norm = hypot(*head)
    if not norm:
        return
    vector = list(head)
    vector[0] += norm if head[0] >= 0 else -norm
    size = total(v * v for v in vector)
    for j in range(max(k - 1, begin), end + 1):
        dot = 2 * total(v * work[k + i][j] for i, v in enumerate(vector)) / size
        for i, v in enumerate(vector):
            work[k + i][j] -= dot * v
    for row in work[begin : min(k + 3, end) + 1]:
        dot = 2 * total(v * row[k + i] for i, v in enumerate(vector)) / size
        for i, v in enumerate(vector):
            row[k + i] -= dot * v


def _null_vector(rows: Rows, value: float) -> list[float]:
    """A vector of length 1 that the matrix only stretches by `value`: the right vector of the least singular value."""
    shifted = [[float(x) - value * (i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    vector = _singular(shifted)[-1][2]
    lead = next((x for x in vector if abs(x) > _ZERO), 1.0)
    return [-x + 0.0 for x in vector] if lead < 0 else vector
