"""The report for people: the caret stands under the right characters, whatever the line holds."""

import pytest

from pinebench.cli.console import Style
from pinebench.diagnostics import Fix, Severity
from pinebench.linter.report import text
from pinebench.syntax.lines import LineIndex
from tests.linter.support import MIXED, finding, run
from tests.tables import each

BLOCK = """\
script.pine:2:6: error CE10272: Undeclared identifier "clsoe"
2 | plot(clsoe)
  |      ^^^^^
  = hint: did you mean 'close'?
  = fix: fixable with --fix
"""

REPORT = """\
a/first.pine:1:6: error CE10272: Undeclared identifier "clsoe"
1 | plot(clsoe)
  |      ^^^^^
  = hint: close?

a/first.pine:2:1: warning CW10003: 100% <odd>
2 | plot(open)
  | ^^^^

b, c/last.pine:1:1: hint PB001: A message.
1 | x = 1
  | ^
  = fix: fixable with --fix

b, c/last.pine:2:5: info PB002: A message.
2 | y = [
  |     ^

3 scripts checked: 1 error, 1 warning, 1 info, 1 hint
"""

STATISTICS = """\
1  CE10272  error    Undeclared identifier "clsoe"
1  CW10003  warning  100% <odd>
1  PB001    hint     A message.
1  PB002    info     A message.
3 scripts checked: 1 error, 1 warning, 1 info, 1 hint
"""


def test_a_finding_shows_its_line_a_caret_the_hint_and_the_fix() -> None:
    found = finding(
        2, 6, 11, message='Undeclared identifier "clsoe"', hint="did you mean 'close'?", fix=Fix("mend", (), safe=True)
    )
    assert text.finding_block(found, LineIndex("//@version=6\nplot(clsoe)\n")) == BLOCK


def test_a_report_lists_every_finding_and_ends_with_a_summary() -> None:
    assert text.render(MIXED) == REPORT


def test_statistics_count_each_code() -> None:
    assert text.statistics(MIXED) == STATISTICS


def test_a_clean_run_says_so() -> None:
    assert text.render(run("plot(close)\n")) == "1 script checked: nothing to report\n"


def test_colours_change_nothing_but_colour() -> None:
    import re

    coloured = text.render(MIXED, Style(True))
    assert "\x1b[31;1merror\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == REPORT


@pytest.mark.parametrize(
    ("line", "start", "end", "source", "caret"),
    [
        pytest.param("x = bad", 5, 8, "x = bad", "    ^^^", id="ascii"),
        pytest.param("\tx = bad", 6, 9, "    x = bad", "        ^^^", id="tab first"),
        pytest.param("ab\tbad", 4, 7, "ab  bad", "    ^^^", id="tab inside"),
        pytest.param("a\tb\tbad", 5, 8, "a   b   bad", "        ^^^", id="two tabs"),
        pytest.param('"日本" + bad', 8, 11, '"日本" + bad', "         ^^^", id="wide before"),
        pytest.param('f("日本")', 3, 7, 'f("日本")', "  ^^^^^^", id="wide inside"),
        pytest.param('"e\u0301" + bad', 8, 11, '"e\u0301" + bad', "      ^^^", id="combining"),
        pytest.param('"𝛑" + bad', 8, 11, '"𝛑" + bad', "      ^^^", id="two utf-16 units"),
        pytest.param('"😀" + bad', 8, 11, '"😀" + bad', "       ^^^", id="wide and two units"),
        pytest.param("a\u200b = bad", 6, 9, "a\\u200b = bad", "          ^^^", id="invisible"),
        pytest.param("a = \u202ebad", 6, 9, "a = \\u202ebad", "          ^^^", id="bidi mark"),
        pytest.param('"👩\u200d💻" + bad', 11, 14, '"👩\u200d💻" + bad', "         ^^^", id="joined emoji"),
        pytest.param("a\x00b\x1b[31m", 2, 3, r"a\x00b\x1b[31m", " ^^^^", id="control characters"),
        pytest.param("a\xa0= 1", 2, 3, "a = 1", " ^", id="no-break space"),
        pytest.param("plot(close", 11, 11, "plot(close", "          ^", id="empty span at the end"),
        pytest.param("", 1, 1, "", "^", id="empty line"),
        pytest.param("plot", 3, 99, "plot", "  ^^", id="span past the end"),
    ],
)
def test_the_caret_stands_under_the_span(line: str, start: int, end: int, source: str, caret: str) -> None:
    rows = text.finding_block(finding(1, start, end), LineIndex(line + "\nnext\n")).splitlines()
    assert rows[1] == f"1 | {source}".rstrip()
    assert rows[2] == f"  | {caret}"


@each("column", [1, 60, 90, 91, 92, 500, 999_990, 1_000_001])
def test_a_very_long_line_is_cut_around_the_caret(column: int) -> None:
    line = "".join(str(index % 10) for index in range(1_000_000))
    rows = text.finding_block(finding(1, column, column + 3), LineIndex(line)).splitlines()
    source, caret = rows[1].removeprefix("1 | "), rows[2].removeprefix("  | ")
    assert len(source) <= text.WIDEST + 2
    under = source[caret.index("^") : caret.index("^") + 3].rstrip("…")
    assert under == line[column - 1 : column + 2]


def test_a_span_of_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    rows = text.finding_block(finding(1, 5, 3, end_line=3), LineIndex("x = [1,\n  2,\n  3]\n")).splitlines()
    assert rows[1:] == ["1 | x = [1,", "  |     ^^^"]


def test_line_numbers_of_any_width_keep_the_bars_in_a_column() -> None:
    rows = text.finding_block(finding(1000, 1, 2, hint="why"), LineIndex("\n" * 999 + "x\n")).splitlines()
    assert rows[1:] == ["1000 | x", "     | ^", "     = hint: why"]


def test_a_message_of_several_lines_stays_on_one() -> None:
    rows = text.finding_block(finding(1, 1, 2, message="one\ntwo"), LineIndex("x")).splitlines()
    assert rows[0] == "script.pine:1:1: error CE10272: one two"


def test_nothing_in_a_report_can_steer_the_terminal() -> None:
    found = finding(1, 1, 2, path="a\x1b[2J.pine", message='odd "\x1b[31m"', hint="\x07")
    for shown in (text.render(run("\x1b[1m", found)), text.statistics(run("\x1b[1m", found))):
        assert all(character.isprintable() or character == "\n" for character in shown)


def test_an_unsafe_fix_names_its_flag() -> None:
    block = text.finding_block(
        finding(1, 1, 2, fix=Fix("mend", (), safe=False), severity=Severity.HINT), LineIndex("x")
    )
    assert "= fix: fixable with --fix --unsafe-fixes" in block
