"""Each rewrite: what old code becomes, that the result has no error, and that a second time changes nothing."""

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.migration import RemarkKind, migrate
from tests.migration.rewrites import ORDERS, REWRITES
from tests.tables import each

UNITS = [rewrite for rewrites in REWRITES.values() for rewrite in rewrites]


def head(version: int) -> str:
    return f'//@version={version}\n{"study" if version < 5 else "indicator"}("x")\n'


def errors(text: str) -> list[str]:
    return [found.message for found in open_program(text).diagnostics if found.severity is Severity.ERROR]


@each(("version", "old", "new"), UNITS)
def test_old_code_becomes_new(version: int, old: str, new: str) -> None:
    done = migrate(f"{head(version)}{old}\n")
    assert done.text == f'//@version=6\nindicator("x")\n{new}\n'
    assert (done.refused, done.errors, errors(done.text)) == (None, (), [])
    assert migrate(done.text).text == done.text


SIZES = "default_qty_type = strategy.fixed, default_qty_value = 1, initial_capital = 1000000"


@each(("version", "old", "new"), ORDERS)
def test_orders(version: int, old: str, new: str) -> None:
    done = migrate(f'//@version={version}\nstrategy("x")\n{old}\n')
    wanted = f'//@version=6\nstrategy("x", margin_long = 0, margin_short = 0, {SIZES})\n{new}\n'
    assert [line.rstrip() for line in done.text.splitlines()] == wanted.splitlines()
    assert errors(done.text) == []


@pytest.mark.parametrize(
    ("given", "added"),
    [
        ("default_qty_value = 5", "default_qty_type = strategy.fixed, initial_capital = 1000000"),
        ("initial_capital = 10, default_qty_type = strategy.cash", "default_qty_value = 1"),
        ("initial_capital = 10, default_qty_value = 2, default_qty_type = strategy.cash", ""),
        (
            "'s', true, format.price, 2, scale.right, 0, false, false, 0, 0, strategy.cash, 9",
            "initial_capital = 1000000",
        ),
    ],
)
def test_a_strategy_keeps_the_size_and_the_capital_that_it_had(given: str, added: str) -> None:
    """v6 trades 100 % of 100,000 where they are left out; the earlier versions one contract of 1,000,000."""
    for version in (4, 5):
        done = migrate(f'//@version={version}\nstrategy("x", {given})\nplot(close)\n')
        margins = "margin_long = 0, margin_short = 0"
        assert done.text.splitlines()[1].endswith(f"{margins}{', ' if added else ''}{added})")
        assert errors(done.text) == []


@each(("version", "old", "new"), UNITS)
def test_every_line_that_changes_is_told(version: int, old: str, new: str) -> None:
    done = migrate(f"{head(version)}{old}\n")
    told = {remark.was for remark in done.remarks}
    before, after = f"{head(version)}{old}".splitlines()[2:], set(done.text.splitlines())
    changed = {number for number, line in enumerate(before, start=3) if line not in after}
    assert all(any(abs(number - line) <= 0 for line in told) for number in changed), done.remarks


@each(
    ("version", "body", "kind", "words"),
    [
        (5, "plot(close, color = color.red)", RemarkKind.DIFFERS, "#F23645"),
        (5, "label.new(1, 1)", RemarkKind.DIFFERS, "white"),
        (5, 'plot(timeframe.period + "x" == "Dx" ? 1 : 0)', RemarkKind.DIFFERS, "multiplier"),
        (5, "x = close > open\nplot(x[1] == false ? 1 : 0)", RemarkKind.DIFFERS, "neither value"),
        (5, "x = close > open\ny = x[1]\nplot(y != true ? 1 : 0)", RemarkKind.DIFFERS, "neither value"),
        (5, "x = array.new_bool(3)\nplot(array.get(x, 0) == false ? 1 : 0)", RemarkKind.DIFFERS, "neither value"),
        (5, "x = array.new_bool(3)\nplot(x.get(0) == false ? 1 : 0)", RemarkKind.DIFFERS, "neither value"),
        (5, "type T\n    bool b\nplot(T.new().b == false ? 1 : 0)", RemarkKind.DIFFERS, "neither value"),
        (
            5,
            'x = request.security("A", "D", close > open)\nplot(x == false ? 1 : 0)',
            RemarkKind.DIFFERS,
            "neither value",
        ),
        (
            5,
            '[x, y] = request.security("A", "D", [close > open, close])\nplot(x == false ? y : 0)',
            RemarkKind.DIFFERS,
            "neither value",
        ),
        (5, "var x = bool(na)\nplot(x == false ? 1 : 0)", RemarkKind.DIFFERS, "starts as `false`"),
        (5, "bool x = if close > open\n    true\nplot(x ? 1 : 0)", RemarkKind.DIFFERS, "no branch"),
        (5, "bool x = na\nplot(na(x) ? 1 : 0)", RemarkKind.LOOK, "third state"),
        (
            5,
            "x = close > open ? volume > 1 and ta.rsi(close, 14) > 50 : false\nplot(x ? 1 : 0)",
            RemarkKind.DIFFERS,
            "skips it",
        ),
        (5, "x = ta.sma(close, 3)\nplot(x != na ? 1 : 0)", RemarkKind.LOOK, "`not na(x)`"),
        (5, "plot(na != ta.ema(close, 3) ? 1 : 0)", RemarkKind.LOOK, "CE10187"),
        (5, "s = str.tostring(close)\nplot(s == na ? 1 : 0)", RemarkKind.LOOK, "CE10187"),
        (5, "plot(close, offset = bar_index)", RemarkKind.LOOK, "offset"),
        (5, "half(n) => n / 2\nplot(half(5))", RemarkKind.DIFFERS, "it may have been 2"),
        (5, "half(n) =>\n    m = n + 1\n    m / 2\nplot(half(2) + half(4))", RemarkKind.DIFFERS, "it may have been 1"),
        (5, "five() => 5\nplot(five() / 2)", RemarkKind.DIFFERS, "it may have been 2"),
        (5, "plot(math.max(3, 5) / 2)", RemarkKind.DIFFERS, "it may have been 2"),
        (5, "var n = 1\nif close > open\n    n += 1\nplot(ta.ema(close, n))", RemarkKind.LOOK, "only its first value"),
        (5, "plot(nope)", RemarkKind.LOOK, "CE10272"),
        (
            5,
            'x = request.security("A", "D", close)\nplot(request.security("B", "D", x))',
            RemarkKind.DIFFERS,
            "dynamic_requests",
        ),
        (4, "x = iff(close > open, highest(10), 1), plot(x)", RemarkKind.DIFFERS, "only when needed"),
        (4, 's = input("1000-1200")\nplot(time("D", s))', RemarkKind.DIFFERS, "every day"),
    ],
)
def test_what_differs_and_what_to_look_at_is_told(version: int, body: str, kind: RemarkKind, words: str) -> None:
    done = migrate(f"{head(version)}{body}\n")
    assert any(remark.kind is kind and words in remark.text for remark in done.remarks), done.remarks


@pytest.mark.parametrize(
    ("function", "line"), [("f(x) => x == na ? 1 : 0", 3), ("f(x) =>\n    y = x\n    na != y ? 1 : 0", 5)]
)
@pytest.mark.parametrize(
    "calls",
    [
        ["f(close)", "f(label.new(1, 1))"],
        ["f(label.new(1, 1))", "f(close)"],
        ["f(line.new(1, 1, 2, 2))", 'f("a")'],
        ["f(label.new(1, 1))", "f(na)"],
        [],
    ],
)
def test_a_comparison_with_na_whose_meaning_depends_on_the_call_stays(
    function: str, line: int, calls: list[str]
) -> None:
    body = "\n".join((function, *(f"plot({call})" for call in calls)))
    done = migrate(f"{head(5)}{body}\n")
    assert function in done.text
    assert any(
        remark.kind is RemarkKind.LOOK and remark.was == line and remark.text.startswith("CE10187")
        for remark in done.remarks
    ), done.remarks


@pytest.mark.parametrize(
    ("calls", "becomes"),
    [
        (["f(close)", "f(1)"], "f(x) => false ? 1 : 0"),
        (["f(label.new(1, 1))", "f(line.new(1, 1, 2, 2))"], "f(x) => na(x) ? 1 : 0"),
    ],
)
def test_a_comparison_with_na_that_means_the_same_in_all_calls_is_rewritten(calls: list[str], becomes: str) -> None:
    body = "\n".join(f"plot({call})" for call in calls)
    assert becomes in migrate(f"{head(5)}f(x) => x == na ? 1 : 0\n{body}\n").text


@pytest.mark.parametrize("calls", [["f(1)", "f(true) ? 1 : 0"], ["f(true) ? 1 : 0", "f(1)"]])
def test_a_difference_of_one_call_of_an_untyped_function_is_told(calls: list[str]) -> None:
    """In the call with a bool, the variable is `false` where it was `na`; the order of the calls decides nothing."""
    function = "f(x) =>\n    y = if close > open\n        x\n    y"
    done = migrate(f"{head(5)}{function}\n" + "\n".join(f"plot({call})" for call in calls) + "\n")
    told = [remark for remark in done.remarks if remark.kind is RemarkKind.DIFFERS and "it was `na`" in remark.text]
    assert len(told) == 1, done.remarks


@pytest.mark.parametrize(
    "comparison", ["x[1] == true", "false != x[1]", "x == false", "close[1] == open[1]", "t.b == false"]
)
def test_a_comparison_of_bools_that_did_not_change_is_not_told(comparison: str) -> None:
    body = f"type T\n    bool b = false\nt = T.new()\nx = close[1] > open\nplot({comparison} ? 1 : 0)\n"
    assert migrate(f"{head(5)}{body}").remarks == ()


def test_a_value_of_the_wrong_type_is_not_told_as_one_that_changes() -> None:
    told = [remark.text for remark in migrate(f"{head(5)}plot((close > open) + 1)\n").remarks]
    assert len(told) == 1 and told[0].startswith("CE10123"), told


def test_a_case_that_never_ran_and_would_run_first_is_told() -> None:
    body = 'x = switch timeframe.period\n    "1D" => 1\n    "D" => 2\n    => 3\nplot(x)\n'
    told = [(remark.was, remark.text) for remark in migrate(head(5) + body).remarks if remark.kind is RemarkKind.LOOK]
    assert [was for was, _ in told] == [5] and "never ran" in told[0][1]


def test_an_input_of_5_with_a_tooltip_by_place_is_not_told_as_unclear() -> None:
    assert migrate(f'{head(5)}plot(input(14, "Length", "a tooltip", "line"))\n').remarks == ()


def test_remarks_have_the_lines_of_both_texts() -> None:
    done = migrate(f"{head(5)}plot(close > open and ta.rsi(close, 14) > 50 ? 1 : 0)\nplot(nope)\n")
    assert [(remark.line, remark.was) for remark in done.remarks if "nope" in remark.text] == [(5, 4)]


@pytest.mark.parametrize(
    "body",
    ["half(n) => n / 2\nplot(half(close))", "half(n) => n / 2\nplot(half(4))", "f(a) => a / 2\nplot(f(input.int(5)))"],
)
def test_a_division_that_did_not_change_is_not_told(body: str) -> None:
    assert not [remark for remark in migrate(f"{head(5)}{body}\n").remarks if "may have been" in remark.text]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('switch timeframe.period\n    "D" => 1\n    "60" => 2\n    => 3', '"1D" => 1'),
        ('switch p\n    "W" => 1\n    => 3', '"1W" => 1'),
        ('p == "M" ? 1 : 0', 'p == "1M"'),
    ],
)
def test_the_charts_timeframe_is_compared_with_its_multiplier(old: str, new: str) -> None:
    done = migrate(f"{head(5)}p = timeframe.period\nx = {old}\nplot(x)\n")
    assert new in done.text and not done.errors
    if "timeframe.period" in old:
        told = [remark for remark in done.remarks if remark.kind is RemarkKind.DIFFERS and remark.line == 4]
        assert told == []


def test_a_value_that_doubles_with_each_name_is_given_up() -> None:
    lines = ["x0 = 3", *(f"x{k} = x{k - 1} + x{k - 1}" for k in range(1, 60)), "plot(x59 / 7)", "plot(x3 / 7)"]
    body = "\n".join(lines)
    done = migrate(f"{head(5)}{body}\n")
    assert "plot(int(x3 / 7))" in done.text and "plot(x59 / 7)" in done.text
