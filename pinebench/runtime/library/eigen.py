"""Computes eigenvalues and eigenvectors like Apache Commons Math 3, whose results TradingView's exports match in all
digits.

A symmetric matrix is made tridiagonal with Householder reflections, and then diagonal with implicit QL steps. Any other
matrix is brought to Hessenberg form with Householder reflections, and to Schur form with double-shifted QR steps.
Back-substitution then finds its vectors. The order of the operations decides the last digit and the sign.
"""

from __future__ import annotations

from math import nan, nextafter, sqrt

from pinebench.errors import UnavailableError
from pinebench.totals import total

Rows = list[list[float]]
_UNIT = 2.0**-53
"""Commons Math's machine epsilon: half the distance from 1 to the next double."""
_NEGLIGIBLE = 1e-12
_QL_STEPS = 30
_QR_STEPS = 100


def decomposed(rows: Rows) -> tuple[list[float], Rows]:
    """Return the real parts of the eigenvalues, and the eigenvectors as columns in the same order.

    For a symmetric matrix, the values are in descending order, and the vectors have length 1. For any other matrix, the
    values are in the order of the Schur form, and the vectors are not normalized. For a pair of complex values, the two
    columns are the real and the imaginary part of its vector. Raises UnavailableError if the steps do not converge.
    """
    work = [[float(value) for value in row] for row in rows]
    if not all(-1e308 < value < 1e308 for row in work for value in row):
        raise UnavailableError("The eigenvalues of a matrix with na or an infinity are not computed by pinebench")
    try:
        return _of_symmetric(work) if _is_symmetric(work) else _of_general(work)
    except (OverflowError, ZeroDivisionError) as error:
        raise UnavailableError("The eigenvalues of this matrix are too large for a number") from error


def _is_symmetric(rows: Rows) -> bool:
    n = len(rows)
    tolerance = 10 * n * n * _UNIT
    pairs = ((rows[i][j], rows[j][i]) for i in range(n) for j in range(i + 1, n))
    return all(abs(a - b) <= max(abs(a), abs(b)) * tolerance for a, b in pairs)


def _is_zero(value: float, tolerance: float = 0.0) -> bool:
    return abs(value) <= max(tolerance, nextafter(0.0, 1.0))


# symmetric


def _of_symmetric(work: Rows) -> tuple[list[float], Rows]:
    main, beside = _tridiagonal(work)
    vectors = _reflections(work, beside)
    _diagonal(main, beside, vectors)
    _sort_down(main, vectors)
    largest = max(map(abs, main))
    values = [0.0 if abs(value) < _UNIT * largest else value for value in main]
    return values, vectors


def _tridiagonal(work: Rows) -> tuple[list[float], list[float]]:
    """The main diagonal and the diagonal beside it. `work` keeps the reflection vectors in its upper half."""
    n = len(work)
    main, beside, image = [0.0] * n, [0.0] * max(n - 1, 0), [0.0] * n
    for k in range(n - 1):
        vector = work[k]
        main[k] = vector[k]
        square = total(vector[j] * vector[j] for j in range(k + 1, n))
        norm = -sqrt(square) if vector[k + 1] > 0 else sqrt(square)
        beside[k] = norm
        if norm:
            vector[k + 1] -= norm
            _reflect_both_sides(work, vector, image, k, -1 / (norm * vector[k + 1]))
    main[n - 1] = work[n - 1][n - 1]
    return main, beside


def _reflect_both_sides(work: Rows, vector: list[float], image: list[float], k: int, beta: float) -> None:
    n = len(work)
    image[k + 1 :] = [0.0] * (n - k - 1)
    for i in range(k + 1, n):
        row, head = work[i], vector[i]
        part = row[i] * head
        for j in range(i + 1, n):
            part += row[j] * vector[j]
            image[j] += row[j] * head
        image[i] = beta * (image[i] + part)
    gamma = total(image[i] * vector[i] for i in range(k + 1, n))
    gamma *= beta / 2
    for i in range(k + 1, n):
        image[i] -= gamma * vector[i]
    for i in range(k + 1, n):
        row = work[i]
        for j in range(i, n):
            row[j] -= vector[i] * image[j] + image[i] * vector[j]


def _reflections(work: Rows, beside: list[float]) -> Rows:
    """The product of the reflections whose vectors are in `work`."""
    n = len(work)
    turned = [[0.0] * n for _ in range(n)]
    for k in range(n - 1, 0, -1):
        vector = work[k - 1]
        turned[k][k] = 1.0
        if not vector[k]:
            continue
        inverse = 1.0 / (beside[k - 1] * vector[k])
        beta = 1.0 / beside[k - 1]
        turned[k][k] = 1 + beta * vector[k]
        for i in range(k + 1, n):
            turned[k][i] = beta * vector[i]
        for j in range(k + 1, n):
            beta = total(turned[j][i] * vector[i] for i in range(k + 1, n))
            beta *= inverse
            turned[j][k] = beta * vector[k]
            for i in range(k + 1, n):
                turned[j][i] += beta * vector[i]
    turned[0][0] = 1.0
    return [list(column) for column in zip(*turned, strict=True)]


def _diagonal(main: list[float], beside: list[float], vectors: Rows) -> None:
    """Make a tridiagonal matrix diagonal with QL steps."""
    n = len(main)
    off = [*beside, 0.0]
    largest = max(max(map(abs, main)), max(map(abs, off)))
    for values in (main, off):
        values[:] = [0.0 if abs(value) <= _UNIT * largest else value for value in values]
    for j in range(n):
        for _ in range(_QL_STEPS + 1):
            m = j
            while m < n - 1:
                size = abs(main[m]) + abs(main[m + 1])
                if abs(off[m]) + size == size:
                    break
                m += 1
            if m == j:
                break
            _ql_step(main, off, vectors, j, m)
        else:
            raise UnavailableError("The computation of the eigenvalues of this matrix does not converge")


def _ql_step(main: list[float], off: list[float], vectors: Rows, j: int, m: int) -> None:
    q = (main[j + 1] - main[j]) / (2 * off[j])
    t = sqrt(1 + q * q)
    q = main[m] - main[j] + off[j] / (q - t if q < 0 else q + t)
    u, s, c = 0.0, 1.0, 1.0
    for i in range(m - 1, j - 1, -1):
        p, h = s * off[i], c * off[i]
        if abs(p) >= abs(q):
            c = q / p
            t = sqrt(c * c + 1)
            off[i + 1] = p * t
            s = 1 / t
            c *= s
        else:
            s = p / q
            t = sqrt(s * s + 1)
            off[i + 1] = q * t
            c = 1 / t
            s *= c
        if not off[i + 1]:
            main[i + 1] -= u
            off[m] = 0.0
            if not t:
                return
            break
        q = main[i + 1] - u
        t = (main[i] - q) * s + 2 * c * h
        u = s * t
        main[i + 1] = q + u
        q = c * t - h
        for row in vectors:
            p = row[i + 1]
            row[i + 1] = s * row[i] + c * p
            row[i] = c * row[i] - s * p
    main[j] -= u
    off[j] = q
    off[m] = 0.0


def _sort_down(main: list[float], vectors: Rows) -> None:
    """Sort the values in descending order by exchanging pairs, and exchange the vectors with them."""
    n = len(main)
    for i in range(n):
        k = i
        for j in range(i + 1, n):
            if main[j] > main[k]:
                k = j
        if k != i:
            main[i], main[k] = main[k], main[i]
            for row in vectors:
                row[i], row[k] = row[k], row[i]


# not symmetric


def _of_general(work: Rows) -> tuple[list[float], Rows]:
    base = _hessenberg(work)
    _Schur(work, base).run()
    real, imaginary = _values(work)
    _Substitution(work, real, imaginary).run()
    n = len(work)
    for j in range(n - 1, -1, -1):
        for row in base:
            sum_ = total(row[k] * work[k][j] for k in range(j + 1))
            row[j] = sum_
    return real, base


def _hessenberg(work: Rows) -> Rows:
    """Bring `work` to Hessenberg form, and return the product of the reflections."""
    n = len(work)
    high = n - 1
    vector = [0.0] * n
    kept = [[0.0] * n for _ in range(n)]
    for m in range(1, high):
        scale = total(abs(work[i][m - 1]) for i in range(m, n))
        if _is_zero(scale):
            continue
        square = 0.0
        for i in range(high, m - 1, -1):
            vector[i] = work[i][m - 1] / scale
            square += vector[i] * vector[i]
        norm = -sqrt(square) if vector[m] > 0 else sqrt(square)
        square -= vector[m] * norm
        vector[m] -= norm
        for j in range(m, n):
            f = total(vector[i] * work[i][j] for i in range(high, m - 1, -1))
            f /= square
            for i in range(m, n):
                work[i][j] -= f * vector[i]
        for row in work:
            f = total(vector[j] * row[j] for j in range(high, m - 1, -1))
            f /= square
            for j in range(m, n):
                row[j] -= f * vector[j]
        kept[m][m] = scale * vector[m]
        for i in range(m + 1, n):
            kept[m][i] = work[i][m - 1]
        work[m][m - 1] = scale * norm
    base = _product(work, kept)
    for i in range(2, n):
        work[i][: i - 1] = [0.0] * (i - 1)
    return base


def _product(work: Rows, kept: Rows) -> Rows:
    n = len(work)
    base = [[float(i == j) for j in range(n)] for i in range(n)]
    for m in range(n - 2, 0, -1):
        vector, below = kept[m], work[m][m - 1]
        if not below:
            continue
        for j in range(m, n):
            g = total(vector[i] * base[i][j] for i in range(m, n))
            g = (g / vector[m]) / below
            for i in range(m, n):
                base[i][j] += g * vector[i]
    return base


class _Schur:
    """Brings a matrix in Hessenberg form to Schur form by double-shifted QR steps; `base` is transformed with it."""

    def __init__(self, work: Rows, base: Rows) -> None:
        self.work = work
        self.base = base
        self.x = self.y = self.w = self.shifted = 0.0

    def run(self) -> None:
        work = self.work
        n = len(work)
        norm = total(abs(work[i][j]) for i in range(n) for j in range(max(i - 1, 0), n))
        end, steps = n - 1, 0
        while end >= 0:
            begin = self._small_below(end, norm)
            if begin == end:
                work[end][end] += self.shifted
                end, steps = end - 1, 0
            elif begin == end - 1:
                self._pair(end)
                end, steps = end - 2, 0
            else:
                self._shift(end, steps)
                steps += 1
                if steps > _QR_STEPS:
                    raise UnavailableError("The computation of the eigenvalues of this matrix does not converge")
                self._step(begin, end)

    def _small_below(self, end: int, norm: float) -> int:
        work = self.work
        row = end
        while row > 0:
            size = abs(work[row - 1][row - 1]) + abs(work[row][row])
            if abs(work[row][row - 1]) < _UNIT * (size if size else norm):
                break
            row -= 1
        return row

    def _pair(self, end: int) -> None:
        """Handle a pair of values. If both are real, rotate the matrix so that they are on its diagonal."""
        work = self.work
        above, below = work[end - 1], work[end]
        p = (above[end - 1] - below[end]) / 2
        q = p * p + below[end - 1] * above[end]
        below[end] += self.shifted
        above[end - 1] += self.shifted
        if q < 0:
            return
        z = sqrt(abs(q))
        z = p + z if p >= 0 else p - z
        x = below[end - 1]
        s = abs(x) + abs(z)
        p, q = x / s, z / s
        r = sqrt(p * p + q * q)
        p /= r
        q /= r
        for j in range(end - 1, len(work)):
            z = above[j]
            above[j] = q * z + p * below[j]
            below[j] = q * below[j] - p * z
        for row in (*work[: end + 1], *self.base):
            z = row[end - 1]
            row[end - 1] = q * z + p * row[end]
            row[end] = q * row[end] - p * z

    def _shift(self, end: int, steps: int) -> None:
        work = self.work
        self.x = work[end][end]
        self.y = work[end - 1][end - 1]
        self.w = work[end][end - 1] * work[end - 1][end]
        if steps == 10:
            self._move(end, self.x)
            s = abs(work[end][end - 1]) + abs(work[end - 1][end - 2])
            self.x = self.y = 0.75 * s
            self.w = -0.4375 * s * s
        if steps == 30:
            s = (self.y - self.x) / 2
            s = s * s + self.w
            if s > 0:
                s = -sqrt(s) if self.y < self.x else sqrt(s)
                self._move(end, self.x - self.w / ((self.y - self.x) / 2 + s))
                self.x = self.y = self.w = 0.964

    def _move(self, end: int, by: float) -> None:
        self.shifted += by
        for i in range(end + 1):
            self.work[i][i] -= by

    def _step(self, begin: int, end: int) -> None:
        work = self.work
        first = end - 2
        while True:
            z = work[first][first]
            r, s = self.x - z, self.y - z
            p = (r * s - self.w) / work[first + 1][first] + work[first][first + 1]
            q = work[first + 1][first + 1] - z - r - s
            r = work[first + 2][first + 1]
            if first == begin:
                break
            left = abs(work[first][first - 1]) * (abs(q) + abs(r))
            right = abs(p) * (abs(work[first - 1][first - 1]) + abs(z) + abs(work[first + 1][first + 1]))
            if left < _UNIT * right:
                break
            first -= 1
        self._double_step(begin, first, end, (p, q, r))
        for i in range(first + 2, end + 1):
            work[i][i - 2] = 0.0
            if i > first + 2:
                work[i][i - 3] = 0.0

    def _double_step(self, begin: int, first: int, end: int, head: tuple[float, float, float]) -> None:
        work = self.work
        p, q, r = head
        x = self.x
        for k in range(first, end):
            is_last = k == end - 1
            if k != first:
                p, q = work[k][k - 1], work[k + 1][k - 1]
                r = 0.0 if is_last else work[k + 2][k - 1]
                x = abs(p) + abs(q) + abs(r)
                if _is_zero(x, _UNIT):
                    continue
                p, q, r = p / x, q / x, r / x
            s = sqrt(p * p + q * q + r * r)
            if p < 0:
                s = -s
            if not s:
                continue
            if k != first:
                work[k][k - 1] = -s * x
            elif begin != first:
                work[k][k - 1] = -work[k][k - 1]
            p += s
            self._turn(k, end, is_last, (p / s, q / s, r / s, q / p, r / p))

    def _turn(self, k: int, end: int, is_last: bool, by: tuple[float, float, float, float, float]) -> None:
        work = self.work
        x, y, z, q, r = by
        one, two, three = work[k], work[k + 1], work[k + 1 if is_last else k + 2]
        for j in range(k, len(work)):
            p = one[j] + q * two[j]
            if not is_last:
                p += r * three[j]
                three[j] -= p * z
            one[j] -= p * x
            two[j] -= p * y
        for row in (*work[: min(end, k + 3) + 1], *self.base):
            p = x * row[k] + y * row[k + 1]
            if not is_last:
                p += z * row[k + 2]
                row[k + 2] -= p * r
            row[k] -= p
            row[k + 1] -= p * q


def _values(work: Rows) -> tuple[list[float], list[float]]:
    """The real and the imaginary parts of the values on the diagonal of a Schur form."""
    n = len(work)
    real, imaginary = [0.0] * n, [0.0] * n
    i = 0
    while i < n:
        if i == n - 1 or _is_zero(work[i + 1][i], _NEGLIGIBLE):
            real[i] = work[i][i]
            i += 1
            continue
        x = work[i + 1][i + 1]
        p = 0.5 * (work[i][i] - x)
        z = sqrt(abs(p * p + work[i + 1][i] * work[i][i + 1]))
        real[i] = real[i + 1] = x + p
        imaginary[i], imaginary[i + 1] = z, -z
        i += 2
    return real, imaginary


class _Substitution:
    """Finds the vectors of a Schur form by back-substitution; they replace the matrix."""

    def __init__(self, work: Rows, real: list[float], imaginary: list[float]) -> None:
        self.work = work
        self.real = real
        self.imaginary = imaginary
        self.norm = 0.0
        for i, row in enumerate(work):
            for j in range(max(i - 1, 0), len(work)):
                self.norm += abs(row[j])

    def run(self) -> None:
        for column in range(len(self.work) - 1, -1, -1):
            if _is_zero(self.imaginary[column]):
                self._real_vector(column)
            elif self.imaginary[column] < 0:
                self._complex_vector(column)

    def _real_vector(self, n: int) -> None:
        work, real, imaginary = self.work, self.real, self.imaginary
        p, low = real[n], n
        s = z = 0.0
        work[n][n] = 1.0
        for i in range(n - 1, -1, -1):
            row = work[i]
            w = row[i] - p
            r = total(row[j] * work[j][n] for j in range(low, n + 1))
            if imaginary[i] < 0 and not _is_zero(imaginary[i], _NEGLIGIBLE):
                z, s = w, r
                continue
            low = i
            if _is_zero(imaginary[i]):
                row[n] = -r / (w if w else _UNIT * self.norm)
            else:
                x, y = row[i + 1], work[i + 1][i]
                q = (real[i] - p) * (real[i] - p) + imaginary[i] * imaginary[i]
                t = (x * s - z * r) / q
                row[n] = t
                work[i + 1][n] = (-r - w * t) / x if abs(x) > abs(z) else (-s - y * t) / z
            self._scale(i, n, (n,), abs(row[n]))

    def _scale(self, first: int, last: int, columns: tuple[int, ...], size: float) -> None:
        if (_UNIT * size) * size > 1:
            for row in self.work[first : last + 1]:
                for column in columns:
                    row[column] /= size

    def _complex_vector(self, n: int) -> None:
        work, imaginary = self.work, self.imaginary
        p, q, low = self.real[n], imaginary[n], n - 1
        above, below = work[n - 1], work[n]
        if abs(below[n - 1]) > abs(above[n]):
            above[n - 1] = q / below[n - 1]
            above[n] = -(below[n] - p) / below[n - 1]
        else:
            above[n - 1], above[n] = _divided(0.0, -above[n], above[n - 1] - p, q)
        below[n - 1], below[n] = 0.0, 1.0
        z = r = s = 0.0
        for i in range(n - 2, -1, -1):
            row = work[i]
            ra = sa = 0.0
            for j in range(low, n + 1):
                ra += row[j] * work[j][n - 1]
                sa += row[j] * work[j][n]
            w = row[i] - p
            if imaginary[i] < 0 and not _is_zero(imaginary[i], _NEGLIGIBLE):
                z, r, s = w, ra, sa
                continue
            low = i
            if _is_zero(imaginary[i]):
                row[n - 1], row[n] = _divided(-ra, -sa, w, q)
            else:
                self._complex_pair(i, n, (w, ra, sa), (z, r, s))
            self._scale(i, n, (n - 1, n), max(abs(row[n - 1]), abs(row[n])))

    def _complex_pair(
        self, i: int, n: int, here: tuple[float, float, float], after: tuple[float, float, float]
    ) -> None:
        work, real, imaginary = self.work, self.real, self.imaginary
        (w, ra, sa), (z, r, s) = here, after
        p, q = real[n], imaginary[n]
        row, below = work[i], work[i + 1]
        x, y = row[i + 1], below[i]
        vr = (real[i] - p) * (real[i] - p) + imaginary[i] * imaginary[i] - q * q
        vi = (real[i] - p) * 2.0 * q
        if _is_zero(vr) and _is_zero(vi):
            vr = _UNIT * self.norm * (abs(w) + abs(q) + abs(x) + abs(y) + abs(z))
        row[n - 1], row[n] = _divided(x * r - z * ra + q * sa, x * s - z * sa - q * ra, vr, vi)
        if abs(x) > abs(z) + abs(q):
            below[n - 1] = (-ra - w * row[n - 1] + q * row[n]) / x
            below[n] = (-sa - w * row[n] - q * row[n - 1]) / x
        else:
            below[n - 1], below[n] = _divided(-r - y * row[n - 1], -s - y * row[n], z, q)


def _divided(a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """The complex quotient (a + bi) / (c + di); the larger part of the divisor is divided by first."""
    if not c and not d:
        return nan, nan
    if abs(c) < abs(d):
        q = c / d
        below = c * q + d
        return (a * q + b) / below, (b * q - a) / below
    q = d / c
    below = d * q + c
    return (b * q + a) / below, (b - a * q) / below
