"""The laws of execution that were recorded on TradingView, each as a script and what it gives.

Their numbers are those of the collection of recorded probes: a letter and a number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

INFINITE = math.inf


class Law(NamedTuple):
    """A script on bars that close at `closes`, and what it gives: the values of its plots (None for na; a plot that is
    None need only run), the texts that it logs, or the words with which it stops on its bar `bar`."""

    number: str
    source: str
    closes: list[float]
    plots: Sequence[Sequence[float | None] | None] | None = None
    logs: list[str] | None = None
    words: str = ""
    bar: int = 0


def gives(
    number: str, source: str, plots: Sequence[Sequence[float | None] | None] | None, closes: Sequence[float] = (1.0,)
) -> Law:
    return Law(number, source, list(closes), plots)


def stops(number: str, source: str, words: str, bar: int = 0) -> Law:
    return Law(number, source, [1.0] * (bar + 1), words=words, bar=bar)


def tells(number: str, expressions: list[str], texts: list[str]) -> Law:
    said = "".join(f"log.info({expression})\n" for expression in expressions)
    return Law(number, f"{said}plot(1)", [1.0], logs=texts)


LAWS: list[Law] = [
    # A: recorded rounds 1 to 5
    stops(
        "A2",
        "m = matrix.new<float>(2, 2, 1)\nplot(matrix.pow(m, -1).get(0, 0))",
        "In the 'matrix.pow()' function. The 'power' argument must be positive.",
    ),
    stops(
        "A3",
        "x = close[-1]\nplot(x)",
        "The script attempts to reference historical data that is too far from the current bar (-1 bars back). "
        "The history-referencing length for the expression must be a value between 0 and 10000.",
    ),
    stops(
        "A4",
        "plot(ta.change(close, bar_index))",
        "Invalid value of the 'length' argument (0) in the ''change'' function. It must be > 0.",
    ),
    stops(
        "A5",
        "plot(ta.hma(close, 1))",
        "Invalid value of the 'length' argument (0) in the 'wma' function. It must be > 0.",
    ),
    stops(
        "A6-valuewhen",
        "plot(ta.valuewhen(true, close, -1))",
        "Invalid value of the 'occurrence' argument (-1) in the 'valuewhen' function. It must be >= 0.",
    ),
    stops(
        "A6-size",
        "label.new(0, 1).set_size(-1)",
        "Invalid value of the 'size' argument (-1) in the 'label.set_size' function. It must be >= 0.",
    ),
    *(
        stops(
            f"A7-{name}-{percentage}",
            f"plot(ta.{name}(close, 2, {percentage}))",
            f"Invalid value of the 'percentage' argument ({percentage}) in the '{name}' function. It must be in the "
            "range [0..100].",
        )
        for name in ("percentile_nearest_rank", "percentile_linear_interpolation")
        for percentage in (-1, 101)
    ),
    stops(
        "A7-array",
        "a = array.from(1, 2)\nplot(a.percentile_nearest_rank(bar_index == 3 ? 101 : 50))",
        "Invalid value of the 'percentage' argument (101) in the 'array.percentile_nearest_rank' function. It must "
        "be in the range [0..100].",
        bar=3,
    ),
    *(
        stops(
            f"A8-{call}",
            f'{call}("{{0", close)' if call != "str.format" else 'plot(str.length(str.format("{0", close)))',
            "Unmatched braces in the pattern.",
        )
        for call in ("str.format", "log.info", "log.warning", "log.error")
    ),
    stops(
        "A8-array",
        'plot(str.length(str.format("{0,number,#.#}", array.from(1.5))))',
        "Cannot format given Object as a Number",
    ),
    stops(
        "A9-type",
        'plot(ta.pivot_point_levels("Fib", true).get(0))',
        "Invalid argument 'Fib' for 'type' in the 'ta.pivot_point_levels' function. Possible values: ['Camarilla', "
        "'Traditional', 'DM', 'Classic', 'Fibonacci', 'Woodie']",
    ),
    stops(
        "A9-woodie",
        'plot(ta.pivot_point_levels("Woodie", true, true).get(0))',
        'The `developing` parameter of the `ta.pivot_point_levels()` cannot be `true` when `type` is "Woodie".',
    ),
    stops(
        "A10",
        "l = line.new(time, 1, time, 2, xloc.bar_time)\nplot(l.get_price(0))",
        "'line.get_price' must be used with lines created using 'xloc=xloc.bar_index'.",
    ),
    *(
        stops(
            f"A11-{call.partition('(')[0]}",
            f"l = line.new(0, 1, 1, 1)\nb = box.new(0, 1, 1, 0)\nt = label.new(0, 1)\n{call}",
            "Objects positioned using xloc.bar_index cannot be drawn further than 500 bars into the future.",
        )
        for call in (
            "line.new(0, 1, 501, 1)",
            "l.set_x1(501)",
            "l.set_x2(501)",
            "l.set_xy1(501, 1)",
            "l.set_xy2(501, 1)",
            "box.new(0, 1, 501, 0)",
            "b.set_left(501)",
            "b.set_right(501)",
            "label.new(501, 1)",
            "t.set_x(501)",
            "t.set_xy(501, 1)",
        )
    ),
    gives("A11-500", "label.new(bar_index + 500, 1)\nplot(1)", [[1]]),
    tells(
        "A13",
        [
            "str.tostring(1.0 / (close + 2))",
            "str.tostring(close * 1.12345678901)",
            "str.tostring(close * -1.12345678901)",
            "str.tostring(close * 78477.5908)",
        ],
        ["0.3333333333", "1.123456789", "-1.123456789", "78477.5908"],
    ),
    gives("A14", 'plot(str.split("", "").size())\nplot(str.split("abc", "").size())', [[1], [3]]),
    tells("A15", ['str.substring("abcdef", 2)'], ["cdef"]),
    gives(
        "A16",
        "plot(math.round(close * 2.125, 2))\nplot(math.round(1.125, 2))\nplot(math.round(-close * 2.5))",
        [[2.13], [1.13], [-3]],
    ),
    gives(
        "A17",
        "c = color.blue\nplot(color.r(c) * 1000000 + color.g(c) * 1000 + color.b(c))\nplot(color.t(c))\n"
        "plot(color.t(color.new(c, close - 2)))\nplot(color.t(color.new(c, close + 100)))\n"
        "plot(color.t(color.new(c, close + 24)))\n"
        "plot(color.r(color.rgb(close + 299, -close, 3)))",
        [[41098255], [0], [0], [100], [25], [255]],
    ),
    gives("A18", "plot(close * 9e99)\nplot(math.exp(close * 77674))", [[9e99], [INFINITE]]),
    gives("A19", 's = if close > 5\n    "x"\nplot(na(s) ? 1 : 0)', [[1]]),
    gives(
        "A20",
        "a = 7.0\na -= 3 - close\nplot(a)\nb = 2.0\nb *= 5 - 2\nplot(b)\nc = 12.0\nc /= 3 - 1\nplot(c)\n"
        "d = -1.0\nd /= 3 * close\nplot(d)\nf(x) =>\n    y = x\n    y -= 3 - 1\n    y\nplot(f(2))",
        [[5], [6], [6], [-1 / 3], [0]],
    ),
    gives(
        "A21",
        "a = array.from(10, 20, 30, 40, 50)\nplot(a.get(a.size() / 2))\nplot(a.get(3 / 2))\nplot(5 / 2)\nplot(-5 / 2)",
        [[30], [20], [2.5], [-2.5]],
    ),
    gives(
        "A22",
        "a = array.from(10, 20, 30)\nn = a.size()\nplot(a.get(-n / 2))\nplot(a.get(math.floor(-n / 2)))",
        [[30], [20]],
    ),
    gives(
        "A23",
        "int x = bar_index / 2\nplot(nz(x, -1))\nint y = timeframe.multiplier / 5\nplot(y)",
        [[0, 0.5, 1], [3, 3, 3]],
        closes=[1.0] * 3,
    ),
    gives(
        "A24-indices",
        "a = array.from(2, 1, 2, 1, 2, 3)\nint s = 0\nfor i in a.sort_indices()\n    s := s * 10 + i\nint t = 0\n"
        "for i in a.sort_indices(order.descending)\n    t := t * 10 + i\nplot(s)\nplot(t)",
        [[130245], [542031]],
    ),
    gives(
        "A26",
        "a = array.from(5, 2, 9)\nplot(a.min())\nplot(a.max())\nplot(a.min(0))\nplot(a.max(0))",
        [[2], [9], [2], [9]],
    ),
    gives(
        "A28",
        "plot(array.from(3, -2, 3, -2).mode())\nplot(array.mode(array.from(1.5, 2.5)))\nplot(array.from(7).mode())\n"
        "plot(array.new<int>(0).mode())",
        [[-2], [1.5], [7], [None]],
    ),
    gives(
        "A29",
        "plot(array.from(1, 2).median())\nplot(array.from(-1, -2).median())\nplot(array.from(1.0, 2.0).median())",
        [[1.5], [-1.5], [1.5]],
    ),
    gives(
        "A30",
        "a = array.from(2.0, na, 6.0).standardize()\nplot(a.get(0))\nplot(a.get(1))\nplot(a.get(2))\n"
        "b = array.from(1, 2, 3).standardize()\nplot(b.get(0))\nplot(b.get(2))\n"
        "plot(na(array.from(float(na), na).standardize().get(0)) ? 1 : 0)",
        [[-1], [None], [1], [-1.2247448713915887], [1.2247448713915887], [1]],
    ),
    gives("A31", "plot(array.new<bool>(2).get(0) ? 1 : 0)", [[0]]),
    gives(
        "A32",
        "a = array.from(1.0, 2.0)\nint i = na\nplot(a.get(i))\nfloat f = na\nplot(a.get(math.round(f)))",
        [[None], [None]],
    ),
    gives(
        "A33",
        "plot(array.from(30.5, 10.5, 50.5).percentile_nearest_rank(0))\n"
        "plot(array.from(30, 10, 50).percentile_nearest_rank(50))\n"
        "float p = na\nplot(nz(array.from(30, 10).percentile_nearest_rank(p), -1))",
        [[10.5], [30], [10]],
    ),
    gives(
        "A34",
        "m = matrix.new<int>(3, 3)\nfor r = 0 to 2\n    for c = 0 to 2\n        m.set(r, c, (r + 1) * 100 + c + 1)\n"
        "n = m.copy()\na = m.remove_row()\nb = n.remove_col()\nplot(a.get(0))\nplot(a.get(2))\n"
        "plot(b.get(0))\nplot(b.get(2))\nplot(m.rows() * 10 + n.columns())",
        [[301], [303], [103], [303], [22]],
    ),
    gives(
        "A35",
        "m = matrix.new<float>(2, 2, 1)\nm.add_row()\nn = matrix.new<float>(2, 2, 1)\nn.add_col()\n"
        "plot(m.rows() * 10 + m.columns())\nplot(n.rows() * 10 + n.columns())\nplot(m.get(2, 0))\nplot(n.get(0, 2))",
        [[32], [23], [None], [None]],
    ),
    gives(
        "A36",
        "m = matrix.new<float>(2, 2)\nm.set(0, 0, 1)\nm.set(0, 1, 2)\nm.set(1, 0, 3)\nm.set(1, 1, 4)\n"
        "a = m.mult(array.from(5.0, 6.0))\nplot(a.get(0))\nplot(a.get(1))",
        [[17], [39]],
    ),
    gives(
        "A37",
        "m = matrix.new<int>(2, 2, 0)\nm.set(0, 0, 2)\nm.set(1, 1, 4)\nplot(m.pinv().get(0, 0))\n"
        "plot(m.pinv().get(1, 1))",
        [[0.5], [0.25]],
    ),
    gives(
        "A38",
        "type P\n    float v\nenum E\n    a\n    b\nm = map.new<E, P>()\nm.put(E.a, P.new(1))\n"
        "v = m.values()\nv.get(0).v := 99\n"
        "v.push(P.new(2))\nplot(m.get(E.a).v)\nplot(m.size())\nplot(v.size())",
        [[99], [1], [2]],
    ),
    gives(
        "A39", "const array<float> a = array.new<float>(0)\na.push(close)\nplot(a.size())", [[1, 1]], closes=[1.0, 2.0]
    ),
    gives(
        "A43",
        "var v = 0\nvarip w = 0\nv += 1\nw += 1\nplot(v - bar_index)\nplot(w - bar_index)",
        [[1, 1, 1], [1, 1, 1]],
        closes=[1.0] * 3,
    ),
    gives(
        "A45",
        "plot(session.isfirstbar ? 1 : 0)\nplot(session.isfirstbar_regular ? 1 : 0)\nplot(session.islastbar ? 1 : 0)",
        [[1], [1], [0]],
    ),
    gives(
        "A47",
        't = table.new(position.top_left, 3, 3)\nint r = na\nt.cell(0, r, "x")\n'
        "t.merge_cells(0, 0, 1, 1)\nt.merge_cells(0, 0, 1, 1)\n"
        "t.merge_cells(1, 1, 2, 2)\nplot(1)",
        [[1]],
    ),
    gives(
        "A48",
        "varip chart.point p = na\nvarip array<chart.point> a = array.new<chart.point>()\n"
        "varip map<int, float> m = map.new<int, float>()\n"
        "p := chart.point.now(close)\na.push(p)\nm.put(bar_index, close)\nplot(a.size() + m.size())",
        [[2, 4]],
        closes=[1.0, 2.0],
    ),
    # B: rounds 13 to 22
    gives(
        "B1",
        "plot(2 / 15)\nplot(1 / 7)\nplot(10 / 3)\nplot(100 / 3)\nplot(2 / (close * 15))\n"
        "f(a, b) => a / b\nplot(f(2, 15 * close))\n"
        "plot((2 / 15 - 0.13333333333333333) * 1e18)",
        [
            [0.1333333333333333],
            [0.1428571428571428],
            [3.3333333333333335],
            [33.333333333333336],
            [2 / 15],
            [2 / 15],
            [0],
        ],
    ),
    gives(
        "B6",
        "c = color.from_gradient(2, 1, 1, color.rgb(17, 43, 91, 20), color.rgb(211, 149, 67, 80))\n"
        "plot(color.r(c) + color.g(c) + color.b(c))\nplot(color.t(c))\nplot(na(c) ? 1 : 0)",
        [[0], [100], [0]],
    ),
    gives(
        "B12", "a = array.from(1.0)\nplot(a.indexof(1 + 1e-12 * close))\nplot(a.indexof(1 + 1e-9 * close))", [[0], [-1]]
    ),
    *(
        gives(f"B13-{p}", f"plot(array.from(10, 21).percentile_linear_interpolation({p}))", [[expected]])
        for p, expected in ((0, 10), (25, 10), (50, 15.5), (75, 21), (100, 21))
    ),
    gives(
        "B14",
        "a = array.from(1.0, na, 5.0, na, 9.0).standardize()\nplot(a.get(0))\nplot(a.get(1))\n"
        "plot(a.get(2))\nplot(a.get(4))",
        [[-1.2247448713915892], [None], [0], [1.2247448713915892]],
    ),
    gives(
        "B16",
        "m = map.new<float, int>()\nm.put(0.0, 11)\nm.put(-0.0 * close, 22)\nplot(m.size())\nplot(m.get(0.0))\n"
        "m.put(1 / (close - 1), 1)\nm.put(-1 / (close - 1), 7)\nm.put(float(na), 3)\nplot(m.size())\n"
        "plot(m.get(-1 / (close - 1)))",
        [[1], [22], [4], [7]],
    ),
    gives(
        "B17",
        "plot(ta.obv)\nplot(ta.pvt)\nplot(ta.wad)\nplot(ta.mfi(close, 2))\nplot(ta.accdist)\n"
        "plot(((close - low) - (high - close)) / (high - low) * volume)",
        [[None], [None], [0], [None], [0], [0]],
    ),
    gives(
        "B18",
        "l = line.new(0, 1, 1, 1, width = 151)\nb = box.new(0, 1, 1, 0, border_width = 0)\n"
        "t = table.new(position.top_left, 1, 1, frame_width = 151, border_width = -1)\nplot(1)",
        [[1]],
    ),
    # F: rounds 51 to 58
    gives(
        "F-strings-na",
        's = if close > 5\n    "x"\nstring t = na\nu = ""\n'
        'plot((na(s) ? 1 : 0) + (s == "" ? 10 : 0) + str.length(s) * 100)\n'
        'plot((na(t) ? 1 : 0) + (t == "" ? 10 : 0))\nplot((na(u) ? 1 : 0) + (u == "" ? 10 : 0))',
        [[11], [11], [11]],
    ),
    tells(
        "F-join",
        ['array.from(1.0 / (close + 2), -1.0 / (close + 6), 1.25).join("|")', "str.tostring(-1.0 / (close + 6))"],
        ["0.3333333333333333|-0.1428571428571428|1.25", "-0.1428571429"],
    ),
    gives(
        "F-map-na",
        "m = map.new<float, int>()\na = m.put(float(na), 11)\nb = m.put(float(na), 23)\nplot(m.size())\n"
        "plot(m.contains(float(na)) ? 1 : 0)\nplot(m.get(float(na)))\nplot(a)\nplot(b)",
        [[1], [1], [23], [None], [11]],
    ),
    gives(
        "F-map-zero",
        "m = map.new<float, int>()\nm.put(0.0, 11)\nb = m.put(-0.0 * close, 23)\nplot(b)\n"
        "plot(m.remove(0.0))\nplot(m.size())",
        [[11], [23], [0]],
    ),
    gives(
        "F-map-units",
        'm = map.new<string, int>()\nm.put("\u00e9", 7)\nm.put("e\u0301", 11)\nm.put("z", 23)\nplot(m.size())\n'
        "int s = 0\nfor v in m.values()\n    s := s * 100 + v\nplot(s)",
        [[3], [71123]],
    ),
    gives(
        "F-matrix-sort",
        "m = matrix.new<int>(3, 2)\nfor [i, v] in array.from(43, 17, 29)\n    m.set(i, 0, 1)\n    m.set(i, 1, v)\n"
        "m.sort(0)\nplot(m.get(0, 1) * 10000 + m.get(1, 1) * 100 + m.get(2, 1))\nm.sort(0, order.descending)\n"
        "plot(m.get(0, 1) * 10000 + m.get(1, 1) * 100 + m.get(2, 1))",
        [[431729], [291743]],
    ),
    gives(
        "F-matrix-na",
        "m = matrix.new<float>(1, 1)\nint n = 0\nn += m.is_zero() ? 1 : 0\nn += m.is_binary() ? 2 : 0\n"
        "n += m.is_identity() ? 4 : 0\n"
        "n += m.is_symmetric() ? 8 : 0\nn += m.is_antisymmetric() ? 16 : 0\nn += m.is_diagonal() ? 32 : 0\n"
        "n += m.is_antidiagonal() ? 64 : 0\nn += m.is_triangular() ? 128 : 0\nplot(n)",
        [[8 + 16 + 32 + 64 + 128]],
    ),
    gives("F-max-na", "float x = na\nplot(ta.max(x))", [[None, None]], closes=[1.0, 2.0]),
    gives(
        "F-length-1",
        "plot(na(1 / ta.ema(close - 1, 1)) ? 1 : 0)\nplot(na(1 / ta.rma(close - 1, 1)) ? 1 : 0)",
        [[1], [1]],
    ),
    gives(
        "F-offset",
        "plot(close[-0.5])\nplot(close[0.5])\nplot(close[1.5])",
        [[1, 2], [1, 2], [None, 1]],
        closes=[1.0, 2.0],
    ),
    stops(
        "F-offset-below",
        "plot(close[-1.5])",
        "The script attempts to reference historical data that is too far from the current bar (-1 bars back). "
        "The history-referencing length for the expression must be a value between 0 and 10000.",
    ),
    # P: fixtures of trades
    gives(
        "P1",
        "var a = array.new<float>(0)\na.push(close)\nn = na(a[1]) ? -1 : array.size(a[1])\n"
        "m = na(a[1]) ? -1 : array.get(a[1], n - 1)\na.push(-close)\nplot(n)\nplot(m)",
        [[-1, 2, 4], [-1, -1, -2]],
        closes=[1.0, 2.0, 3.0],
    ),
    gives("P1-offset-0", "a = array.from(close)\nint k = bar_index * 0\n(a[k]).push(1)\nplot(a.size())", [[2]]),
    gives(
        "P2",
        "type P\n    float v\n    array<float> xs\nvar acc = P.new(0, array.new<float>(0))\nacc.v += 1\n"
        "plot(bar_index > 0 ? acc.v - (acc[1]).v : 0)\n"
        "if bar_index > 0\n    (acc[1]).xs.push(1)\nplot(acc.xs.size())",
        [[0, 0, 0], [0, 1, 2]],
        closes=[1.0] * 3,
    ),
    gives(
        "P3",
        "a = array.from(close)\nfloat s = 0\nfor v in a[1]\n    s += v\nfloat t = 0\nb = a[1]\n"
        "if not na(b)\n    for v in b\n        t += v\nplot(s)\nplot(t)",
        [[1, 2, 3], [0, 1, 2]],
        closes=[1.0, 2.0, 3.0],
    ),
    gives(
        "P4",
        "type P\n    float v\nf(P x) => na(x[1]) ? -1 : (x[1]).v\nfloat r = na\nif bar_index % 2 == 0\n"
        "    r := f(P.new(close))\nplot(r)",
        [[-1, None, 1, None, 3]],
        closes=[1.0, 2.0, 3.0, 4.0, 5.0],
    ),
    gives(
        "P5",
        "type C\n    int v\ntype O\n    C inner\nmk(n) => C.new(n)\nvar o = O.new()\n"
        "o.inner := C.new(bar_index)\na = C.new(bar_index)\nb = C.new(bar_index * 2)\n"
        "plot(bar_index < 1 ? -1 : (o.inner[1]).v)\nplot(bar_index < 1 ? -1 : (mk(bar_index * 7)[1]).v)\n"
        "plot(bar_index < 1 ? -1 : ((bar_index % 2 == 0 ? a : b)[1]).v)",
        [[-1, 0, 1, 2], [-1, 0, 7, 14], [-1, 0, 2, 2]],
        closes=[1.0] * 4,
    ),
    gives(
        "P5-na",
        "type C\n    int v\ntype O\n    C inner\nO q = na\nplot(na(q) ? 0 : (q.inner[1]).v)",
        [[0, 0]],
        closes=[1.0] * 2,
    ),
    gives(
        "P6",
        "b = box.new(bar_index, close, bar_index + 1, 0)\nif bar_index == 2\n    box.delete(b[1])\n"
        "plot(na(b[1]) ? 1 : 0)\nplot(box.get_top(b[2]))",
        [[1, 0, 1, 0], [None, None, 1, None]],
        closes=[1.0, 2.0, 3.0, 4.0],
    ),
    gives("P9", "type P\n    float v\np = P.new(1)\nplot(p.v / 2)\nq = P.new(v = na)\nplot(q.v)", [[0.5], [None]]),
    gives(
        "P10",
        "plot(close[1.9])\nplot(ta.highest(high, 1)[2.9] - 1)\nplot((close + 0)[(45 - 1) / (2 * 20)])",
        [[None, 1, 2, 3], [None, None, 1, 2], [None, 1, 2, 3]],
        closes=[1.0, 2.0, 3.0, 4.0],
    ),
    gives(
        "P15",
        "f(t) => color.t(color.rgb(1, 2, 3, t))\nplot(f(close * 10.5))\nplot(f(close * 20.5))\n"
        "int wrong = 0\nfor t = 0 to 100\n    wrong += f(t) == t ? 0 : 1\nplot(wrong)",
        [[11], [20], [0]],
    ),
    gives(
        "P16",
        "plot(color.t(color.new(color.red, 10.5)))\nplot(color.t(color.new(color.red, 99.5)))\n"
        "plot(color.t(color.new(color.red, close * 10.5)))\nplot(color.t(color.rgb(0, 0, 0, 10.5)))",
        [[10], [99], [11], [11]],
    ),
    gives(
        "P17",
        "plot(color.t(color.new(transp = 30, color = color.red)))\n"
        "plot(color.b(color.rgb(blue = 3, red = 1, green = 2)))",
        [[30], [3]],
    ),
    tells("P18", ['str.repeat("ab", 3, ",")'], ["ab,ab,ab"]),
    gives(
        "P19",
        'switch\n    close > 5 => runtime.error("no")\n    => na\nif close > 5\n    runtime.error("no")\nplot(1)',
        [[1]],
    ),
    gives(
        "P20-and",
        "t(x) => x\ng() => bar_index % 3 == 0 and t(bar_index)[1] == bar_index - 1\nplot(g() ? 1 : 0)\n"
        "plot(bar_index % 3 == 0 and t(bar_index)[1] == bar_index - 1 ? 1 : 0)",
        [[0, 0, 0, 1, 0, 0, 1], [0, 0, 0, 1, 0, 0, 1]],
        closes=[1.0] * 7,
    ),
    gives(
        "P20-held",
        "plot(bar_index % 4 != 3 ? ta.mom(close, 3) : na)",
        [[None, None, None, None, 15, 21, 32, None, 39, 45, 64, None]],
        closes=[float(i * i) for i in range(12)],
    ),
    gives(
        "P20-session",
        "inS(s) => not na(time(timeframe.period, s))\nisNew(s) => inS(s) and not inS(s)[1]\n"
        'plot(isNew("0030-0100") ? 1 : 0)',
        [[0, 0, 1, 0, 0, 0]],
        closes=[1.0] * 6,
    ),
    gives(
        "P22",
        's = close > 2 ? "BUY" : na\nt = close > 2 ? na : "SELL"\nplot((na(s) ? 1 : 0) + (na(t) ? 10 : 0))',
        [[1, 10]],
        closes=[1.0, 3.0],
    ),
    gives("P25", "plot(ta.tr)\nplot(ta.tr(true))", [[None], [2]]),
    gives(
        "P27",
        'plot(ta.vwap(close))\nplot(ta.vwap(close, bar_index == 1))\nplot(timeframe.change("15") ? 1 : 0)',
        [None, [None, 2], [0, 1]],
        closes=[1.0, 2.0],
    ),
    gives(
        "P28",
        "n = 2 * 2\nm = n\nplot(na(ta.ema(close, m)) ? 0 : 1)\nplot(na(ta.rsi(close, m)) ? 0 : 1)\n"
        "plot(na(ta.highest(close, m)) ? 0 : 1)",
        [[0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]],
        closes=[1.0, 2.0, 1.0, 2.0, 1.0],
    ),
    gives(
        "P29",
        'h(tf) => request.security("", tf, close)\nk(tf) => h(tf)\nplot(h("30") * 100 + k("60"))',
        [[None, None, None, 404]],
        closes=[1.0, 2.0, 3.0, 4.0],
    ),
    gives(
        "P30",
        "count() =>\n    var n = 0\n    n += 1\n    n\n"
        'plot(request.security("", "30", count()) * 100 + request.security("", "60", count() + count()))',
        [[None] * 3 + [202, 202, 302, 302, 404]],
        closes=[1.0] * 8,
    ),
    gives(
        "P31",
        'src = input.source(close, "Source")\ng(e) => request.security("", "30", e[1])\nplot(g(src))\nplot(g(hl2))',
        [[None, None, None, 2], [None, None, None, 1.5]],
        closes=[1.0, 2.0, 3.0, 4.0],
    ),
    gives(
        "E29",
        "x = bar_index == 3 ? na : close\nplot(ta.sma(x, 2))\nplot(ta.ema(x, 2))",
        [[None, 1.5, 2.5, 2.5, 4], [None, 1.5, 2.5, None, 2.5 + 2 / 3 * 2.5]],
        closes=[1.0, 2.0, 3.0, 4.0, 5.0],
    ),
    gives("E34", "plot(time_close - time)", [[900_000]]),
    gives(
        "A24-objects",
        "type P\n    int k\n    int t\na = array.new<P>()\nfor [i, k] in array.from(2, 1, 2, 1)\n"
        "    a.push(P.new(k, i))\n"
        'a.sort(order.descending, "k")\nint s = 0\nfor p in a\n    s := s * 10 + p.t\nplot(s)',
        [[213]],
    ),
    gives(
        "P7",
        "l = line.new(bar_index, 1, bar_index, 2)\nline a = na\nline b = na\nm = l\n"
        "plot((a == b ? 1 : 0) + (l != l[1] ? 10 : 0) + (l == l[1] ? 100 : 0) + (m == l ? 1000 : 0))",
        [[1011] * 3],
        closes=[1.0] * 3,
    ),
    gives(
        "P11",
        "plot((bar_index * 1000000007) % 2147483647)\nvar s = 1\ns := s * 16807 % 2147483647\nplot(s)\n"
        "x = bar_index + 300\nplot(x * 7200000)\nplot(2000000000 + 2000000000)",
        [[0, 1000000007, 2000000014], [16807, 282475249, 1622650073], [2160000000, 2167200000, 2174400000], [4e9] * 3],
        closes=[1.0] * 3,
    ),
    gives(
        "P12",
        "i = math.floor(100 / (close - close))\n"
        "plot((i > 5 ? 1 : 0) + (i >= 5 ? 10 : 0) + (i < 5 ? 100 : 0) + (i == 5 ? 1000 : 0) + (i != 5 ? 10000 : 0))\n"
        'plot(na(i) ? 1 : 0)\nplot(nz(i, -1))\nplot(str.tostring(i) == "NaN" ? 1 : 0)',
        [[11], [1], [-1], [1]],
    ),
    gives(
        "P18-once",
        "var calls = array.new<int>(0)\nf(float x) =>\n    calls.push(1)\n    x\n"
        "y = nz(f(na), f(2)) + math.max(f(1), f(2)) + math.round(f(1.234), 2) + math.abs(f(-1)) + f(4) / f(2)\n"
        "plot(calls.size())",
        [[8]],
    ),
    gives(
        "P23",
        "plot(alert.freq_all + alert.freq_once_per_bar + alert.freq_once_per_bar_close == "
        '"allonce_per_baronce_per_bar_close" ? 1 : 0)',
        [[1]],
    ),
    gives(
        "P24",
        "f(x) => fixnan(x)\nplot(nz(f(close > 2 ? na : close), -1) * 10 + nz(f(close > 2 ? close : na), -1))",
        [[9, 19, 23, 24]],
        closes=[1.0, 2.0, 3.0, 4.0],
    ),
    gives(
        "P32",
        'plot(request.security("", "30", high, lookahead = barmerge.lookahead_on))',
        [[6, 6, 10, 10]],
        closes=[1.0, 5.0, 2.0, 9.0],
    ),
    gives("P33", "import TradingView/ta/7 as ta\nplot(ta.sma(close, 2))", [[None, 1.5]], closes=[1.0, 2.0]),
]
