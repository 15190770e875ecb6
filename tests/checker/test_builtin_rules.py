"""Rules of single built-ins: declarations, orders, requests, sorting, line widths."""

from __future__ import annotations

import pytest

from pinebench import reference
from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.checker.support import checked, codes, messages, spans
from tests.tables import each

OBJECTS = "type P\n    color c\n    int n\na = array.new<P>()\n"


def errors(script: str) -> list[str]:
    """The codes of the errors of a whole script."""
    return [finding.code for finding in check(parse(script)).diagnostics if finding.severity is Severity.ERROR]


@each(
    ("arguments", "expected"),
    [
        ("profit = 1", []),
        ("stop = na", []),
        ("trail_price = 1, trail_offset = 2", []),
        ("trail_points = 1, trail_offset = 2", []),
        ("trail_offset = 2", ["strategy-exit-without-target"]),
        ("qty = 2", ["strategy-exit-without-target"]),
    ],
)
def test_an_exit_needs_a_target(arguments: str, expected: list[str]) -> None:
    assert errors(f'//@version=6\nstrategy("s")\nstrategy.exit("x", "l", {arguments})\n') == expected


CONSTANTS = [name for name in reference.constants() if name.startswith("strategy.")]
"""What indicators and libraries may use of `strategy.*`."""
PLACES = [
    *[name for name in reference.variables() if name.startswith("strategy.")],
    *[
        'strategy.entry("l", strategy.long)',
        "strategy.close_all()",
        'strategy.cancel("l")',
        'strategy.exit("x", stop = 1)',
        "strategy.closedtrades.entry_price(0)",
        "strategy.opentrades.size(0)",
        "strategy.default_entry_qty(close)",
        "strategy.convert_to_account(1)",
        "strategy.risk.max_position_size(1)",
    ],
]


def test_only_strategies_trade() -> None:
    for place in PLACES:
        name = place.partition("(")[0]
        line = place if "(" in place else f"q = {place}"
        told = (
            f"You cannot use strategy functions ({name}) in indicator script."
            ' Please replace "indicator" with "strategy".'
        )
        assert messages(line) == [told]
        assert spans(line) == [f"CE10027 {place}"]
        assert errors(f'//@version=6\nstrategy("s")\n{line}\nplot(close)\n') == [], place
        if "risk" not in name:
            assert errors(f'//@version=6\nlibrary("s")\nexport f(int x) =>\n    {line}\n    x\n') == [], place


def test_constants_of_strategies_work_everywhere() -> None:
    assert CONSTANTS
    for name in CONSTANTS:
        assert codes(f"x = {name}") == "", name
        assert errors(f'//@version=6\nlibrary("s")\nexport f(int x) =>\n    y = {name}\n    x\n') == [], name


def test_a_strategys_values_are_in_no_request() -> None:
    script = '//@version=6\nstrategy("s")\nplot(request.security("A", "D", strategy.equity))\n'
    assert errors(script) == ["CE10059"]


@each(
    ("script", "expected"),
    [
        ('//@version=6\nplot(strategy.equity)\nindicator("x")\n', ["CE10027"]),
        ('//@version=6\nplot(strategy.equity)\nstrategy("x")\n', []),
        ('//@version=6\nindicator("x")\nf() => strategy.equity\nplot(f() + f())\n', ["CE10027"]),
        ('//@version=6\nindicator("x")\nf(a) => a + strategy . equity\nplot(close)\n', ["CE10027"]),
        ('//@version=6\nindicator("x")\nplot(strategy.closedtrades + strategy.closedtrades[1])\n', ["CE10027"] * 2),
        ('//@version=6\nindicator("x")\nplot(request.security("A", "D", strategy.equity))\n', ["CE10027"]),
        ('//@version=6\nindicator("x")\ntype T\n    float equity\nt = T.new(1)\nplot(t.equity)\n', []),
        ('//@version=6\nindicator("x")\nfoo.strategy.equity\n', ["CE10272"]),
        # What a variable of this name hides is not known, so its methods pass.
        ('//@version=6\nindicator("x")\nstrategy = 1.0\nstrategy.close("x")\nplot(strategy)\n', []),
    ],
)
def test_what_trades_is_found_anywhere(script: str, expected: list[str]) -> None:
    assert errors(script) == expected


def test_there_is_one_declaration_statement() -> None:
    assert spans('indicator("y")') == ['CE10243 indicator("y")']


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("plot(close, linewidth = 0)", "linewidth-too-small"),
        ("plot(close, linewidth = -2)", "linewidth-too-small"),
        ("hline(1, linewidth = 0)", "linewidth-too-small"),
        ("plot(close, linewidth = 1)", ""),
    ],
)
def test_widths_of_lines(call: str, expected: str) -> None:
    assert codes(call) == expected


@each(
    ("script", "expected"),
    [
        ('for i = 0 to 1\n    x = request.security("A", "D", close[i])', ["request-depends-on-loop i"]),
        ('for v in array.from(1)\n    x = request.security("A", "D", v)', ["request-depends-on-loop v"]),
        ('f() =>\n    label.new(1, 1)\n    1\nx = request.security("A", "D", f())', ["CE10057 f()"]),
        ('f() =>\n    label.new(1, 1)\n    1\ng() => f()\nx = request.security("A", "D", g())', ["CE10057 g()"]),
        ('f() =>\n    log.info("a")\n    close\nx = request.security("A", "D", f())', []),
        ('f() =>\n    alert("a")\n    close\nx = request.security("A", "D", f())', []),
        ('if close > open\n    x = request.security("A", "D", close)', []),
    ],
)
def test_expressions_of_requests(script: str, expected: list[str]) -> None:
    assert spans(script) == expected


@each(
    ("statement", "expected"),
    [
        ('x = request.security("A", input.timeframe("D"), close)', []),
        ('if close > open\n    x = request.security("A", "D", close)', ["request-not-dynamic"]),
        ('x = request.security(close > open ? "A" : "B", "D", close)', ["CE10123"]),
        ('f(string s) => request.security(s, "D", close)\nx = f("A")', []),
        ('f(s) =>\n    if true\n        request.security(s, "D", close)\nx = f("A")', ["request-not-dynamic"]),
    ],
)
def test_requests_that_are_not_dynamic(statement: str, expected: list[str]) -> None:
    assert errors(f'//@version=6\nindicator("x", dynamic_requests = false)\n{statement}\nplot(close)\n') == expected


def test_too_many_values_are_requested() -> None:
    def request(symbol: str, count: int) -> str:
        return f'request.security("{symbol}", "D", [{", ".join(["close"] * count)}])'

    assert codes(request("A", 127)) == ""
    assert codes(request("A", 128)) == "too-many-request-values"
    assert codes("\n".join(request(symbol, 64) for symbol in "ABC")) == ""


@each(
    ("call", "expected"),
    [
        ('a.binary_search(2.0, sort_field = "n")', ""),
        ("a.binary_search_leftmost(2)", ""),
        ("array.binary_search_rightmost(a, close, 0)", ""),
        ("array.new<int>().binary_search(1.5)", ""),
        ("array.binary_search(na, 1)", ""),
        ("a.binary_search(a.first())", "CE10123"),
        ('a.binary_search("x", sort_field = "n")', "CE10123"),
        ("array.new<string>().binary_search(1)", "CE10123"),
        ("array.new<color>().binary_search(1)", "CE10123"),
        ('array.new<int>().binary_search("x")', "CE10123"),
        ('names.binary_search("x")', ""),
        ('array.binary_search_leftmost(names, "x", sort_field = "name")', ""),
        ('names.binary_search_rightmost("x", 0)', ""),
        ('names.binary_search(2, sort_field = "level")', ""),
        ("names.binary_search(na)", ""),
        ("names.binary_search(2)", "CE10123"),
        ('names.binary_search("x", sort_field = "level")', "CE10123"),
        ('names.binary_search("x", sort_field = 1)', "CE10123"),
    ],
)
def test_what_is_looked_for_has_the_type_of_the_numbers_or_of_the_field(call: str, expected: str) -> None:
    """The reference of August 2026: `val` has the type of the field that the objects are sorted by."""
    named = "type Named\n    string name\n    float level\nnames = array.new<Named>()\n"
    assert codes(OBJECTS + named + call) == expected


@each(
    ("call", "expected"),
    [
        ("a.sort()", "sort-field-type"),
        ("array.sort_indices(a)", "sort-field-type"),
        ("a.sort(order.ascending, 1)", ""),
        ('a.sort(order.ascending, "n")', ""),
        ('a.sort(order.ascending, "c")', "sort-field-type"),
        ("array.new<color>().sort()", "CE10123"),
        ("array.new<line>().sort()", "CE10123"),
        ("array.new<string>().sort()", ""),
        ("array.sort(na)", ""),
        ("matrix.sort(na, 0)", ""),
        ("x = array.sort_indices(na)", ""),
    ],
)
def test_what_can_be_sorted(call: str, expected: str) -> None:
    assert codes(OBJECTS + call) == expected


def test_the_message_names_the_field_and_its_type() -> None:
    assert messages(f"{OBJECTS}a.sort()") == [
        '"array.sort()" cannot sort by the field "c", which is of the "color" type'
    ]


@each(
    ("call", "expected"),
    [
        ("max_bars_back(close, 5000)", ""),
        ("max_bars_back(close, 5001)", "CE10041"),
        ("most = 10000\nmax_bars_back(close, most)", "CE10041"),
        ('x = time("", bars_back = -500)', ""),
        ('x = time("", bars_back = 5001)', "CE10041"),
        ('x = time_close("", bars_back = -501)', "CE10041"),
        ('x = time("", bars_back = bar_index)', ""),
        ('x = time("", 5001)', "CE10041"),
        ('x = time("", timeframe_bars_back = -501)', "CE10041"),
        ('x = time_close("", 1, 5001)', "CE10041"),
        ('x = timestamp("2026-01-01T00:00:00Z")', "CE10275"),
        ('x = timestamp("2026-01-01T00:00:00+00:00")', ""),
        ('x = timestamp("20 Feb 2020")', ""),
        ("x = color.new(color.red, 100)", ""),
        ("x = color.new(color.red, 101)", "CE10274"),
        ("x = color.new(color.red, -1)", "CE10274"),
        ("table.cell(table.new(position.top_left, 1, 1), 0, 0, text_size = -1)", "CE10039"),
        ("table.cell_set_text_size(table.new(position.top_left, 1, 1), 0, 0, 12)", ""),
        ("x = input(close)", ""),
        ("x = input(close + 1)", "CE10212"),
        ("s = close\nx = input(s)", ""),
    ],
)
def test_constant_arguments_have_a_range(call: str, expected: str) -> None:
    assert codes(call) == expected


@each(
    ("make", "expected"),
    [
        ("box.new(1, 1, 1, 1)", "CE10123 CE10123"),
        ("table.new(position.top_left, 1, 1)", "CE10123 CE10123"),
        ("line.new(1, 1, 1, 1)", ""),
        ("array.from(1)", "CE10123 CE10123"),
        ("matrix.new<float>(1, 1, 0.0)", "CE10123 CE10123"),
        ("map.new<string, int>()", "CE10123 CE10123"),
        ("P.new()", "CE10123 CE10123"),
    ],
)
def test_some_objects_cannot_be_compared(make: str, expected: str) -> None:
    assert codes(f"type P\n    int x\na = {make}\nx = a == a") == expected


@each(
    ("argument", "expected"),
    [
        ("max_lines_count = 500", []),
        ("max_lines_count = 501", ["CE10178"]),
        ("max_labels_count = 501", ["CE10178"]),
        ("max_polylines_count = 100", []),
        ("max_polylines_count = 101", ["CE10041"]),
        ("max_polylines_count = 0", ["CE10041"]),
        ("max_boxes_count = 0", []),
        ("max_boxes_count = 1500", []),
    ],
)
def test_a_script_keeps_only_so_many_drawings(argument: str, expected: list[str]) -> None:
    assert errors(f'//@version=6\nindicator("x", {argument})\nplot(close)\n') == expected


@pytest.mark.parametrize(("boxes", "expected"), [(500, []), (1500, [Severity.INFO])])
def test_too_many_boxes_are_worth_a_remark(boxes: int, expected: list[Severity]) -> None:
    script = f'//@version=6\nindicator("x", max_boxes_count = {boxes})\nplot(close)\n'
    assert [finding.severity for finding in check(parse(script)).diagnostics] == expected


@each(
    ("call", "expected"),
    [
        ('input.string("a", "t", ["a", "b"])', ""),
        ('input.string("c", options = ["a", "b"])', "default-not-in-options"),
        ('input.string(A, options = ["b", "a"])', ""),
        ('input.string("a" + "b", options = ["b", A])', "default-not-in-options"),
        ("input.int(2, options = [1, 3])", "default-not-in-options"),
        ("input.float(1, options = [1.0, 3.0])", ""),
        ('input.timeframe("D", options = ["1D", "1W"])', "default-not-in-options"),
        ("input.enum(E.a, options = [E.a, E.b])", ""),
        ("input.enum(E.c, options = [E.a, E.b])", "default-not-in-options"),
        ("input.enum(E.c)", ""),
        ('input.string(syminfo.ticker, options = ["a"])', "CE10123"),
    ],
)
def test_the_default_of_an_input_is_one_of_its_options(call: str, expected: str) -> None:
    """TradingView's reference: with `options`, the default must be one of them."""
    assert codes(f'enum E\n    a\n    b\n    c\nA = "a"\nx = {call}') == expected


@each(
    ("text", "expected"),
    [
        ("2026-02-28", ""),
        ("2026-02-28 14:30", ""),
        ("20 Feb 2026 00:00 +0000", ""),
        ("Feb 20, 2026", ""),
        ("Fri, 20 Feb 2026 14:00:00 GMT+2", ""),
        ("not a date", "CE10275"),
        ("", "CE10275"),
        ("2026-13-01", "CE10275"),
        ("2026-00-01", "CE10275"),
        ("2026-01-32T00:00", "CE10275"),
    ],
)
def test_a_timestamp_reads_dates_only(text: str, expected: str) -> None:
    assert codes(f'x = timestamp("{text}")') == expected


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [('library("one_word", overlay = true)', []), ('library("two words")', ["CE10292"]), ('indicator("a b")', [])],
)
def test_the_title_of_a_library_is_one_word(declaration: str, expected: list[str]) -> None:
    body = "export f(int x) => x\n" if "library" in declaration else "plot(close)\n"
    assert errors(f"//@version=6\n{declaration}\n{body}") == expected


def test_a_request_follows_a_tree_of_calls_once() -> None:
    tree = "".join(f"f{n}() => f{n - 1}() + f{n - 1}()\n" for n in range(1, 40))
    head = f"f0() =>\n    label.new(bar_index, high)\n    close\n{tree}"
    assert codes(f'{head}x = request.security("A", "D", f39())\nplot(x)') == "CE10057"


@each(
    ("script", "expected"),
    [
        ('x = str.replace("abc", "b", "c", -1)', "CE10039 -1"),
        ('x = str.replace("abc", "b", "c", 0)', ""),
        ('[a, b] = request.security("A", "D", [open, high, low])', "CE10239"),
        ('[a, b, c] = request.security_lower_tf("A", "1", [open, high])', "CE10239"),
        ('[a, b] = request.security("A", "D", close)', "tuple-shape"),
        ("[a, b] = ta.macd(close, 1, 2, 3)", "tuple-count"),
    ],
)
def test_codes_that_were_measured(script: str, expected: str) -> None:
    assert " ".join(spans(script)).startswith(expected) and bool(spans(script)) == bool(expected)


def test_the_default_size_of_orders_is_a_number() -> None:
    head = "//@version=6\nQ = float(na)\nstrategy('x', default_qty_value = {})\nplot(close)\n"
    told = {given: errors(head.format(given)) for given in ("na", "float(na)", "Q", "1", "1.5")}
    assert told == {"na": ["CE10034"], "float(na)": ["CE10034"], "Q": ["CE10034"], "1": [], "1.5": []}


def test_what_only_the_manual_forbids_is_a_warning() -> None:
    """Each of these was an error that TradingView's compiler was never seen to report."""
    scripts = {
        "linewidth-too-small": "plot(close, linewidth = 0)",
        "default-not-in-options": 'x = input.string("c", options = ["a", "b"])',
        "request-depends-on-loop": 'for i = 0 to 1\n    x = request.security("A", "D", close[i])',
        "sort-field-type": OBJECTS + "a.sort()",
        "import-alias-repeated": "import A/B/1\nimport C/B/1",
        "switch-default-missing": "x = switch bar_index\n    1 => plot.style_line",
    }
    for code, script in scripts.items():
        found = checked(script).diagnostics
        assert [finding.severity for finding in found if finding.code == code] == [Severity.WARNING], code
        assert not [finding.code for finding in found if finding.severity is Severity.ERROR], code
