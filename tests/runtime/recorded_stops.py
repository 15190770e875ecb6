"""What was recorded to stop a running script, in TradingView's words by its codes, and (4) what is no error there."""

from __future__ import annotations

from tests.runtime.laws import Law, gives, stops, tells

STOPS: list[Law] = [
    # the run-time errors that were recorded with their words
    stops(
        "RE10001-sum",
        "plot(math.sum(close, bar_index))",
        "Invalid value of the 'length' argument (0) in the 'sum' function. It must be > 0.",
    ),
    *(
        stops(
            f"RE10001-{name}",
            f"plot(ta.{name}(close, bar_index * -1))",
            f"Invalid value of the 'length' argument (0) in the '{name}' function. It must be > 0.",
        )
        for name in ("sma", "wma", "lowest", "highest")
    ),
    stops(
        "RE10001-supertrend",
        "[a, b] = ta.supertrend(bar_index, 2)\nplot(a)",
        "Invalid value of the 'factor' argument (0) in the 'supertrend' function. It must be > 0.",
    ),
    gives("RE10001-supertrend-once", "[a, b] = ta.supertrend(1 - bar_index, 1)\nplot(b)", None, closes=[1.0] * 3),
    stops(
        "RE10001-pivot",
        "plot(ta.pivothigh(bar_index - 1, 1))",
        "Invalid value of the 'leftbars' argument (-1) in the 'pivothigh' function. It must be >= 0.",
    ),
    stops(
        "RE10001-table",
        "t = table.new(position.top_left, bar_index - 1, 1)\nplot(1)",
        "Invalid value of the 'columns' argument (-1) in the 'table.new' function. It must be >= 0.",
    ),
    stops(
        "RE10001-na",
        "int n = bar_index > 5 ? 3 : na\nplot(ta.highest(close, n))",
        "Invalid value of the 'length' argument (0) in the 'highest' function. It must be > 0.",
    ),
    stops(
        "RE10002-time",
        'plot(time("", bars_back = bar_index + 5001))',
        "Invalid value of the 'bars_back' argument (5001) in the 'time' function. It must be in the "
        "range [-500..5000].",
    ),
    stops(
        "RE10004",
        "plot(ta.sma(close, 5001))",
        "The 'sma' function references too many historical candles (5001), the limit is 5000.",
    ),
    *(
        stops(
            f"RE10003-{name}",
            f"int n = na\nplot(ta.{name}(close, n))",
            f"Invalid value of the 'length' argument in the '{name}' function. It must not be na",
        )
        for name in ("sma", "ema", "rma", "wma", "dev")
    ),
    stops(
        "RE10005",
        'kind = bar_index < 0 ? "Classic" : "Floor"\nlevels = ta.pivot_point_levels(kind, bar_index == 0)\n'
        "plot(levels.size())",
        "Invalid argument 'Floor' for 'type' in the 'ta.pivot_point_levels' function. Possible values: "
        "['Camarilla', 'Traditional', 'DM', 'Classic', 'Fibonacci', 'Woodie']",
    ),
    stops(
        "RE10128",
        'kind = bar_index < 0 ? "Classic" : "Woodie"\nlevels = ta.pivot_point_levels(kind, bar_index == 0, true)\n'
        "plot(levels.size())",
        'The `developing` parameter of the `ta.pivot_point_levels()` cannot be `true` when `type` is "Woodie".',
    ),
    *(
        stops(
            f"RE10020-{call.partition('(')[0]}",
            f"l = line.new(0, 1, 0, 2)\nb = box.new(0, 1, 0, 2)\nm = label.new(0, 1)\n{call}\nplot(1)",
            "Objects positioned using xloc.bar_index cannot be drawn further than 500 bars into the future.",
        )
        for call in (
            "line.new(0, 1, 501, 2)",
            "line.set_x1(l, 501)",
            "line.set_x2(l, 501)",
            "line.set_xy1(l, 501, 1)",
            "line.set_xy2(l, 501, 1)",
            "box.new(501, 1, 0, 2)",
            "box.set_left(b, 501)",
            "box.set_right(b, 501)",
            "label.new(501, 1)",
            "label.set_x(m, 501)",
            "label.set_xy(m, 501, 1)",
        )
    ),
    gives(
        "RE10020-at-most",
        "line.new(0, 1, 500, 2)\nlabel.new(500, 1)\nplot(1)",
        [[1]],
    ),
    # How long TradingView makes the buffer of a series is not known: none is made up, and its history is kept whole.
    gives(
        "RE10143-kept-whole",
        "x = close * 2\nplot(x[bar_index < 400 ? 1 : 350])\nplot(x[bar_index])",
        [[None, *[2.0 * k for k in range(399)], *[2.0 * (k - 350) for k in range(400, 420)]], [0.0] * 420],
        closes=[float(k) for k in range(420)],
    ),
    stops("RE10021", "for i = 0 to 3 by bar_index\n    i\nplot(1)", "'step' in loop must be greater than zero"),
    stops(
        "RE10044",
        "a = array.from(1, 2, 3)\nplot(a.slice(2, bar_index + 1).size())",
        "Index 'from' should be less than index 'to'.",
    ),
    *(
        stops(
            f"RE10045-{call}",
            f"a = array.from(1, 2)\na.{call}\nplot(1)",
            f"In 'array.{call.partition('(')[0]}()' function. Index {index} is out of bounds, array size is 2.",
        )
        for call, index in (
            ("get(2)", 2),
            ("get(-3)", -3),
            ("set(2, 1)", 2),
            ("remove(2)", 2),
            ("insert(3, 1)", 3),
            ("insert(-3, 1)", -3),
            ("fill(1, 2)", 2),
            ("slice(2, 2)", 2),
            ("slice(0, 3)", 3),
            ("percentrank(2)", 2),
        )
    ),
    stops(
        "RE10045-empty-slice",
        "a = array.new<int>(0)\nb = a.slice(0, 0)\nplot(b.size())",
        "In 'array.slice()' function. Index 0 is out of bounds, array size is 0.",
    ),
    stops(
        "RE10051",
        "a = array.from(close)\nif bar_index > 0\n    (a[1]).push(1)\nplot(1)",
        "Cannot modify the elements of a historical array or any slices of that array. Instead of modifying an array "
        "referenced by an ID retrieved with the `[]` operator, create a shallow copy of the array with `array.copy()`, "
        "then modify the copy or a slice of that copy.",
        bar=1,
    ),
    stops("RE10052", "array<int> a = na\nplot(a.size())", "Cannot call array methods when id of array is na."),
    stops(
        "RE10052-loop",
        "array<int> a = na\nfor x in a\n    x\nplot(1)",
        "Cannot call array methods when id of array is na.",
    ),
    stops("RE10053", "matrix<int> m = na\nplot(m.rows())", "Cannot call matrix methods when id of matrix is na."),
    stops(
        "RE10041",
        "type Cell\n    int v\nc = Cell.new(1)\nplot((c[1]).v)",
        "Cannot access the 'Cell.v' field of an undefined object. The object is 'na'.",
    ),
    stops(
        "RE10041-write",
        "type Cell\n    int v\nCell c = na\nc.v := 1\nplot(1)",
        "Cannot access the 'Cell.v' field of an undefined object. The object is 'na'.",
    ),
    stops(
        "RE10041-point",
        "chart.point p = na\nplot(p.price)",
        "Cannot access the 'chart.point.price' field of an undefined object. The object is 'na'.",
    ),
    stops(
        "RE10029",
        "f = request.footprint(10)\nplot(f.rows().size())",
        "The `footprint` ID used in the `rows()` call cannot be `na`.",
    ),
    stops(
        "RE10145",
        "volume_row r = na\nplot(r.up_price())",
        "The `volume_row` ID used in the `up_price()` call cannot be `na`.",
    ),
    stops(
        "RE10070",
        "m = map.new<int, int>()\nfor i = 0 to 50000\n    m.put(i, i)\nplot(1)",
        "A map cannot have more than 50000 key-value pairs. The current size is 50001.",
    ),
    stops(
        "RE10073",
        "plot(array.covariance(array.from(1, 2), array.from(1, 2, 3)))",
        "The sizes of the `id1` and `id2` arrays must be equal.",
    ),
    stops(
        "RE10126",
        'plot(str.length(str.repeat("a", bar_index - 1)))',
        "Invalid value of the 'repeat' parameter '-1' in the 'str.repeat' function. It must be >= 0.",
    ),
    stops("RE10142", 'runtime.error("no")\nplot(1)', "no"),
    stops(
        "RE10039",
        't = table.new(position.top_left, 2, 3)\nt.cell(2, 5, "")\nplot(1)',
        "Column 2 is out of table bounds, number of columns is 2.",
    ),
    stops(
        "RE10040",
        't = table.new(position.top_left, 2, 3)\nt.cell(1, 3, "")\nplot(1)',
        "Row 3 is out of table bounds, number of rows is 3.",
    ),
    stops(
        "RE10127",
        "t = table.new(position.top_left, 2, 3)\nt.merge_cells(1, 1, 0, 0)\nplot(1)",
        "Start cell in [1, 1] cannot be below or to the right of the end cell [0, 0].",
    ),
    stops(
        "RE10008",
        "plot(close[10001 + bar_index])",
        "The script attempts to reference historical data that is too far from the current bar (10001 "
        "bars back). The history-referencing length for the expression must be a value between 0 and "
        "10000.",
    ),
    stops(
        "RE10008-overflow",
        "plot(close[int(close * 9e15)])",
        "The script attempts to reference historical data that is too far from the current bar "
        "(2147483647 bars back). The history-referencing length for the expression must be a value "
        "between 0 and 10000.",
    ),
    # what is no error
    gives(
        "4-array-na-index",
        "a = array.from(1.0, 2.0)\nint i = na\na.set(i, 9)\nx = a.remove(i)\na.insert(i, 3)\n"
        "plot(a.size())\nplot(x)\nplot(a.get(2))\nplot(a.slice(i, i).size())",
        [[3], [None], [3], [3]],
    ),
    gives(
        "4-array-empty",
        "a = array.new<float>(0)\nplot(a.avg())\nplot(a.stdev())\nplot(a.standardize().size())\n"
        "plot(array.from(5.0).percentrank(0))\nplot(array.from(5.0).stdev())\n"
        "plot(array.from(5.0).stdev(false))",
        [[None], [None], [0], [None], [0], [None]],
    ),
    gives(
        "4-matrix-na",
        "m = matrix.new<float>(1, 1, 5)\nint i = na\nm.set(i, 0, 9)\nplot(m.get(0, 0))\n"
        "plot(na(m.row(i)) ? 1 : 0)\nm.remove_col(i)\nplot(m.columns())",
        [[5], [1], [0]],
    ),
    gives(
        "4-ta-na-length",
        "int n = na\nplot(ta.median(close, n))\nplot(ta.mode(close, n))\n"
        "plot(ta.percentile_nearest_rank(close, n, 50))",
        [[None], [None], [None]],
    ),
    gives(
        "4-table-na",
        "t = table.new(position.top_left, 0, 0)\nint n = na\nu = table.new(position.top_right, n, n)\nplot(1)",
        [[1]],
    ),
    gives(
        "4-deleted",
        "l = line.new(0, 1, 1, 2)\nl.delete()\nl.set_y1(5)\nline m = na\nplot(m.get_price(0))\nplot(l.get_price(0))",
        [[None], [None]],
    ),
    tells("4-format", ['str.format("a}b", close)', 'str.format("{0}{3}", close)'], ["a}b", "1{3}"]),
    gives("4-division", "plot(na(math.log(-close)) ? 1 : 0)\nplot(na(close / 0) ? 1 : 0)", [[1], [1]]),
    gives("4-history-na", "int n = na\nplot(close[n])", [[1, 2]], closes=[1.0, 2.0]),
    gives("4-counts-down", "int n = 0\nfor i = 0 to -1\n    n += 1\nplot(n)", [[2]]),
]
