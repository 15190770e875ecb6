"""Rules of the whole script: version, declaration statement, output, number of plots, exports."""

import pytest

from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.tables import each


def codes(script: str) -> list[str]:
    return [finding.code for finding in check(parse(script)).diagnostics]


@pytest.mark.parametrize("count", [0, 2, 3])
def test_the_number_of_declaration_statements_is_named(count: int) -> None:
    program = check(parse("//@version=6\n" + 'indicator("x")\n' * count + "plot(close)\n"))
    found = [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
    assert {finding.code for finding in found} == {"CE10243"}
    assert len(found) == (1 if count == 0 else count - 1)
    assert all(finding.message.endswith(f"Your script has {count}.") for finding in found)


@pytest.mark.parametrize(("plots", "expected"), [(64, []), (65, ["RE10140"]), (70, ["RE10140"])])
def test_at_most_64_plots(plots: int, expected: list[str]) -> None:
    assert codes('//@version=6\nindicator("x")\n' + "plot(close)\n" * plots) == expected


PLOTS = [
    (1, "plot(close)"),
    (1, "plot(close, color = na)"),
    (1, "plot(close, color = color(na))"),
    (2, "plot(close, color = syminfo.type == 'stock' ? color.red : color.blue)"),
    (1, "plot(close, color = color.new(color.red, 50))"),
    (2, "plot(close, color = changing)"),
    (2, "plot(close, color = chosen)"),
    (2, "plot(close, color = color.new(chosen, 50))"),
    (1, "p = plot(close)"),
    (3, "q = plot(close, color = changing), hline(5)\nr = plot(open)"),
    (2, "fill(plot(open), plot(close), color.red)"),
    (3, "fill(plot(open), plot(close), changing)"),
    (3, "fill(plot(open), plot(close), high, low, changing, chosen)"),
    (1, "plotarrow(close, colorup = color.green, colordown = color.red)"),
    (2, "plotarrow(close, colorup = changing)"),
    (3, "plotarrow(close, colorup = changing, colordown = changing)"),
    (4, "plotbar(open, high, low, close, color = color.blue)"),
    (5, "plotbar(open, high, low, close, color = changing)"),
    (4, "plotcandle(open, high, low, close, color = color.blue, wickcolor = color.red)"),
    (7, "plotcandle(open, high, low, close, color = changing, wickcolor = changing, bordercolor = chosen)"),
    (1, "plotchar(close, color = color.blue, text = 'a', textcolor = color.white)"),
    (3, "plotchar(close, color = changing, text = 'a', textcolor = changing)"),
    (1, "plotshape(close > open)"),
    (2, "plotshape(close > open, textcolor = chosen)"),
    (1, "alertcondition(close > open)"),
    (1, "bgcolor(color.red)"),
    (1, "barcolor(changing)"),
    (0, "hline(1)\nlabel.new(bar_index, high, color = changing)"),
]


@each(("count", "plots"), PLOTS)
def test_each_color_that_is_not_constant_counts_as_a_plot(count: int, plots: str) -> None:
    """TradingView's manual, plot limits; that an input's color counts is recorded from a script over the limit."""
    head = (
        '//@version=6\nindicator("x")\nchosen = input.color(color.red)\n'
        f"changing = close > open ? color.red : color.blue\n{plots}\n"
    )
    rest = 64 - count
    assert codes(head + "plot(close)\n" * rest) == []
    over = check(parse(head + "plot(close)\n" * (rest + 1))).diagnostics
    assert [(finding.code, finding.message) for finding in over] == [
        ("RE10140", "The script creates too many plots (65). The limit is 64")
    ]


RISES = """\
//@version=6
indicator("Every kind of plot")
bool rises = close > close[1]
color body = rises ? color.teal : color.maroon
color falling = rises ? color.gray : color.orange
"""
WHOLE_EXAMPLE = [
    (1, "upper = plot(high, color = color.silver)"),
    (1, "lower = plot(low, color = na)"),
    (2, "plot(hl2, color = body)"),
    (1, "plotarrow(close, colorup = color.teal, colordown = color.maroon)"),
    (2, "plotarrow(close, colorup = body)"),
    (3, "plotarrow(close - close[1], colorup = body, colordown = falling)"),
    (4, "plotbar(open, high, low, close, color = color.silver)"),
    (5, "plotbar(open, high, low, close, color = body)"),
    (4, "plotcandle(open, high, low, close, color = color.gray, wickcolor = color.gray, bordercolor = color.navy)"),
    (5, "plotcandle(open, high, low, close, color = body, wickcolor = color.gray, bordercolor = color.navy)"),
    (6, "plotcandle(open, high, low, close, color = body, wickcolor = body, bordercolor = color.navy)"),
    (7, "plotcandle(open, high, low, close, color = body, wickcolor = body, bordercolor = rises ? #00ff00 : #800000)"),
    (1, 'plotchar(low, color = color.silver, text = "v", textcolor = color.silver)'),
    (2, 'plotchar(low, color = body, text = "v", textcolor = color.silver)'),
    (3, 'plotchar(low, color = body, text = "v", textcolor = rises ? color.lime : color.silver)'),
    (1, "plotshape(high, color = color.silver, textcolor = color.silver)"),
    (2, "plotshape(high, color = body, textcolor = color.silver)"),
    (3, "plotshape(high, color = body, textcolor = rises ? color.lime : color.silver)"),
    (1, 'alertcondition(rises, "It rises", "A rising bar")'),
    (1, "bgcolor(rises ? color.lime : color.silver)"),
    (1, "fill(upper, lower, color = body)"),
]
"""Calls with the counts of those of the manual's page on limitations, which has one script with all of them."""


def test_a_script_with_every_kind_of_plot_counts_56_as_the_manual_says() -> None:
    lines = [line for _, line in WHOLE_EXAMPLE]
    assert sum(count for count, _ in WHOLE_EXAMPLE) == 56
    candle = next(line for count, line in WHOLE_EXAMPLE if count == 7)
    assert codes(RISES + "\n".join([*lines, *["plot(close)"] * 8])) == []
    for added, total in ((["plot(close)"] * 9, 65), ([candle] * 2, 70)):
        (found,) = check(parse(RISES + "\n".join([*lines, *added]))).diagnostics
        assert found.message == f"The script creates too many plots ({total}). The limit is 64"


@each("left_out", range(len(WHOLE_EXAMPLE)))
def test_without_one_of_its_calls_such_a_script_counts_less_by_that_one(left_out: int) -> None:
    count, line = WHOLE_EXAMPLE[left_out]
    name, _, _ = line.rpartition(" = plot(")
    kept = [f"{name} = plot(na)"] if name in ("upper", "lower") else []  # `fill` needs it
    rest = [other for _, other in WHOLE_EXAMPLE if other != line]
    script = RISES + "\n".join([*kept, *rest, *["plot(close)"] * 16])
    (found,) = check(parse(script)).diagnostics
    assert f"({72 - count + len(kept)})" in found.message


def test_too_many_plots_are_reported_where_they_become_too_many() -> None:
    script = '//@version=6\nindicator("x")\n' + "plot(close)\n" * 70
    (finding,) = check(parse(script)).diagnostics
    assert script[: finding.span.start].count("\n") == 2 + 64
    assert "(70)" in finding.message


def test_too_many_plots_hide_no_warning() -> None:
    warned = "x = close > open ? ta.sma(close, 9) : 0.0\n"
    script = '//@version=6\nindicator("x")\n' + warned + "plot(close)\n" * 65
    assert codes(script) == ["CW10004", "RE10140"]


@each(
    ("declaration", "script", "expected"),
    [
        ("indicator", "method m(float this) => 1\nplot(close.m())", ["this"]),
        ("indicator", "method m(float self, int add) => add\nplot(m(close, 1))", ["self"]),
        ("indicator", "method m(float this) => 1\nplot(close)", []),
        ("indicator", "method m(float this) => this\nplot(close.m())", []),
        (
            "indicator",
            "method m(float this) =>\n    x = 1\n    if close > open\n        x := int(this)\n    x\nplot(close.m())",
            [],
        ),
        ("indicator", "m(float this) => 1\nplot(m(close))", []),
        ("indicator", "method m(float this) => 1\nf() => close.m()\nplot(f())", ["this"]),
        ("library", "export method m(float self) =>\n    1", ["self"]),
        ("library", "method m(float self) =>\n    1\nexport f(float x) => x", []),
    ],
)
def test_a_method_that_is_called_or_exported_uses_its_object(
    declaration: str, script: str, expected: list[str]
) -> None:
    """Recorded for methods of both kinds; one that is private and never called passed."""
    program = check(parse(f'//@version=6\n{declaration}("x")\n{script}\n'))
    assert [(finding.code, finding.value("argName")) for finding in program.diagnostics] == [
        ("CE10236", name) for name in expected
    ]
