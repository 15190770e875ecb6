"""Tests that a script is laid out by the style guide, and that nothing else about it changes."""

import random
import re
from pathlib import Path

import pytest

from pinebench.checker import check
from pinebench.formatting import FormatStyle, format_text
from pinebench.formatting.same import say_the_same, scans_of
from pinebench.syntax import parse
from pinebench.syntax.document import form

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(
    [*ROOT.glob("pine/templates/*.pine"), *ROOT.glob("pine/samples/*.pine"), *ROOT.glob("tests/checker/valid/*.pine")]
)
HEAD = '//@version=6\nindicator("Layout")\n'


USUAL = FormatStyle()


def comments(text: str) -> list[str]:
    """The comments of a script, without blanks behind them."""
    document = parse(text)
    return [text[span.start : span.end].rstrip() for span in document.comments]


def laid_out(body: str, style: FormatStyle = USUAL) -> str:
    result = format_text(HEAD + body, style)
    assert result.reason is None
    assert format_text(result.text, style).text == result.text
    return result.text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("a=1\n", "a = 1\n"),
        ("a=-b*c\n", "a = -b * c\n"),
        ("a = close>open?1:-1\n", "a = close > open ? 1 : -1\n"),
        ("a = not  ( close>open )\n", "a = not (close > open)\n"),
        ("plot( close,color=color.red , linewidth =2 )\n", "plot(close, color = color.red, linewidth = 2)\n"),
        ("x = close [ 1 ]+ta.sma (close,14) [2]\n", "x = close[1] + ta.sma(close, 14)[2]\n"),
        ("var  array< float >  a=array.new< float >( )\n", "var array<float> a = array.new<float>()\n"),
        ("float[ ] a=array.new_float()\n", "float[] a = array.new_float()\n"),
        ("[a,b , c]=ta.macd(close,12,26,9)\n", "[a, b, c] = ta.macd(close, 12, 26, 9)\n"),
        ("f(float x,int n=-1)=>x*n\n", "f(float x, int n = -1) => x * n\n"),
        ("for i=0 to  9 by 3\n\tlog.info(str.tostring(i))\n", "for i = 0 to 9 by 3\n    log.info(str.tostring(i))\n"),
        ("for[i,v]in array.from(1,2)\n    x=i-v\n", "for [i, v] in array.from(1, 2)\n    x = i - v\n"),
        ("x=if close>open\n\t1\nelse\n\t2\n", "x = if close > open\n    1\nelse\n    2\n"),
        ("x=switch\n    close>open=>1\n    =>2\n", "x = switch\n    close > open => 1\n    => 2\n"),
        ("import  TradingView / ta / 7  as  t\n", "import TradingView/ta/7 as t\n"),
        ("a=1,b=2\n", "a = 1, b = 2\n"),
        ("a += - 1\n", "a += -1\n"),
        ("x = (close)  [1]\n", "x = (close)[1]\n"),
        ("x = close - -open\n", "x = close - -open\n"),
        ("type  P\n    float  a=1.0\n    int b\n", "type P\n    float a = 1.0\n    int b\n"),
    ],
)
def test_spaces_and_blocks(written: str, wanted: str) -> None:
    assert laid_out(written) == wanted


def test_comments_go_with_what_they_stand_at() -> None:
    written = "if close>open\n        // why\n    a=1   // what\n    // still inside\n// outside\nplot(close)//end\n"
    wanted = "if close > open\n    // why\n    a = 1 // what\n    // still inside\n// outside\nplot(close) //end\n"
    assert laid_out(written) == wanted


def test_blank_lines_stay_up_to_two_in_a_row() -> None:
    assert laid_out("\n\n\n\na = 1\n\nb = 2\n\n\n\nc = 3\n\n\n") == "\n\na = 1\n\nb = 2\n\n\nc = 3\n"


def test_breaks_stay_and_stand_in() -> None:
    written = 'x = close>open ?\n  1 :\n  2\nplot(\n close,\n  title = "x"\n  )\n'
    wanted = 'x = close > open ?\n     1 :\n     2\nplot(\n     close,\n     title = "x"\n)\n'
    assert laid_out(written) == wanted


def test_rows_that_hang_from_a_bracket_stay_so() -> None:
    written = 'plot(ta.sma(close,14),\n     title = "x")\nlabel.new(bar_index,high,\n          "x")\n'
    wanted = 'plot(ta.sma(close, 14),\n     title = "x")\nlabel.new(bar_index, high,\n          "x")\n'
    assert laid_out(written) == wanted


def test_columns_that_were_lined_up_stay_so() -> None:
    written = 'int    first  = 1      // one\nstring second = "b"    // two\nthird=3 // three\n'
    wanted = 'int    first  = 1   // one\nstring second = "b" // two\nthird = 3 // three\n'
    assert laid_out(written) == wanted
    flat = 'int first = 1 // one\nstring second = "b" // two\nthird = 3 // three\n'
    assert laid_out(written, FormatStyle(align=False)) == flat


def test_columns_that_join_others_pass_on_no_alignment_to_later_ones() -> None:
    written = "v = g(ccc,   b, a,\n     bb, b, a,\n     f( a),  b, f( a))\nv = g(a, cc, ccc,\n       bb, b,  a) // c\n"
    written += "v = g(g(a ,b),   b,  bb)\n"
    wanted = "v = g(ccc,   b, a,\n     bb, b, a,\n     f(a),   b, f(a))\nv = g(a, cc, ccc,\n     bb, b, a) // c\n"
    assert laid_out(written) == wanted + "v = g(g(a, b), b, bb)\n"


_HEADS = ("for   i=0 to 3", "while   x < 3", "if   x   > 3", "once   x > 2", "if   close>open and   x > 3")


@pytest.mark.parametrize("declared", ["x   =   3", "x    =  3", "var   x  = 3", "int   x   =    3", "x =  3   // why"])
@pytest.mark.parametrize("head", _HEADS)
def test_a_declaration_is_not_lined_up_with_the_structure_below_it(declared: str, head: str) -> None:
    tidy = format_text(f"//@version=6\n{declared}\n").text.splitlines()[1]
    shown = format_text(f"//@version=6\n{declared}\n{head}\n    log.info('a')\n").text.splitlines()
    assert "  " not in tidy
    assert shown[1] == tidy
    assert "  " not in shown[2]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("plot(a,   b)", "c    =  d"),
        ("c  =  d", "plot(a,  b)"),
        ("plot(macd,   cond ? 1 :   2)", 'plot(line,   "Signal line")'),
        ("a = f(b,   c)", "d = e  +   c"),
    ],
)
def test_words_that_meet_by_chance_are_not_lined_up(first: str, second: str) -> None:
    alone = [format_text(f"//@version=6\n{line}\n").text.splitlines()[1] for line in (first, second)]
    assert format_text(f"//@version=6\n{first}\n{second}\n").text.splitlines()[1:] == alone


def test_columns_stay_lined_up_where_a_statement_in_between_is_wrapped() -> None:
    written = 'length = input.int(14, "Length",\n     tooltip = "Bars.")\nfactor = input.float(2.0, "Times")\n'
    written = written.replace("length =", "length     =").replace("factor =", "factor     =")
    written = written.replace("factor    ", "multiplier")
    assert laid_out(written) == written


def test_long_lines_are_parted_within_as_few_brackets_as_possible() -> None:
    written = 'x = input.string("one", "A title", options = ["one", "two", "three"], tooltip = "What it is for.")\n'
    wanted = 'x = input.string("one", "A title",\n     options = ["one", "two", "three"],\n'
    wanted += '     tooltip = "What it is for.")\n'
    assert laid_out(written, FormatStyle(width=50)) == wanted


def test_what_cannot_be_parted_stays_long() -> None:
    written = 'import SomebodyWithALongName/aLibraryWithALongName/12 as something\nx = "' + "word " * 40 + '"\n'
    assert laid_out(written, FormatStyle(width=40)) == written


def test_switched_off_lines_stay_as_they_are() -> None:
    written = "// format: off\na=1\n\n\n\nif close>open\n\tb=2\n// format: on\nc=3\n"
    assert laid_out(written) == "// format: off\na=1\n\n\n\nif close>open\n\tb=2\n// format: on\nc = 3\n"


def test_strings_over_several_lines_stay_as_they_are() -> None:
    written = 'x="""one\n  two   \n\n\n\nthree"""\ny=1\n'
    assert laid_out(written) == 'x = """one\n  two   \n\n\n\nthree"""\ny = 1\n'


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_the_byte_order_mark_stay(newline: str, mark: str) -> None:
    lines = ["//@version=6", 'indicator("x")', "plot( close )", ""]
    wanted = ["//@version=6", 'indicator("x")', "plot(close)", ""]
    assert format_text(mark + newline.join(lines)).text == mark + newline.join(wanted)


@pytest.mark.parametrize("text", ["", "\n\n", "//@version=6\n", "// only\n// comments"])
def test_scripts_without_code(text: str) -> None:
    result = format_text(text)
    assert result.text.split() == text.split()


def test_a_script_with_syntax_errors_is_left_alone() -> None:
    text = HEAD + "plot( close\nx=1\n"
    assert format_text(text) == (text, "it has syntax errors (pinebench lint shows them)", True)


def test_an_old_script_is_left_alone() -> None:
    text = '//@version=4\nstudy("x")\nplot( close )\n'
    result = format_text(text)
    assert result.text == text
    assert result.reason == "only Pine v6 is formatted, and this script is v4"


def _same_findings(before: str, after: str) -> bool:
    one, other = (check(parse(text)).diagnostics for text in (before, after))
    return [(found.code, found.message) for found in one] == [(found.code, found.message) for found in other]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("style", [FormatStyle(), FormatStyle(80, align=False)], ids=["usual", "narrow"])
def test_real_scripts_say_the_same_and_settle_at_once(path: Path, style: FormatStyle) -> None:
    text = path.read_text("utf-8")
    result = format_text(text, style)
    assert result.reason is None
    assert form(parse(text)) == form(parse(result.text)) and comments(text) == comments(result.text)
    assert _same_findings(text, result.text)
    assert format_text(result.text, style).text == result.text


@pytest.mark.parametrize(
    "path",
    [*ROOT.glob("pine/templates/*.pine"), *ROOT.glob("pine/samples/**/*.pine")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_our_own_scripts_are_laid_out_by_it(path: Path) -> None:
    text = path.read_text("utf-8")
    assert format_text(text).text == text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_blanks_put_in_anywhere_go_again(path: Path) -> None:
    switched_on = re.sub(r"// format: (?:on|off)\n", "", path.read_text("utf-8"))
    tidy = format_text(switched_on, FormatStyle(align=False)).text
    chance = random.Random(path.stem)
    lines = tidy.split("\n")
    for number, line in enumerate(lines):
        if line.strip() and '"' not in line and "'" not in line and "//" not in line and chance.random() < 0.3:
            start = len(line) - len(line.lstrip())
            spaces = [place for place in range(start, len(line)) if line[place] == " "]
            if spaces:
                place = chance.choice(spaces)
                lines[number] = line[:place] + " " * chance.randint(1, 5) + line[place:]
    untidy = "\n".join(lines)
    if form(parse(tidy)) == form(parse(untidy)):
        assert format_text(untidy, FormatStyle(align=False)).text == tidy


def test_two_scripts_that_differ_do_not_say_the_same() -> None:
    texts = [HEAD + body for body in ("plot(close)\n", "plot(open)\n", "plot(close) // c\n", "plot(close, 1)\n", "")]
    for one in texts:
        for other in texts:
            assert say_the_same(list(scans_of(one, 6)), list(scans_of(other, 6))) == (one == other)


def test_scripts_with_the_same_tokens_have_the_same_tree() -> None:
    """Which is why looking at the tokens is enough: here texts are torn about, and the trees are compared."""
    chance = random.Random(7)
    same = 0
    for path in chance.sample(SCRIPTS, 8):
        text = path.read_text("utf-8")
        for _ in range(25):
            place = chance.randrange(len(text))
            piece = chance.choice([" ", "  ", "\n", "\n     ", "\t", "// x\n", "("])
            other = text[:place] + (piece + text[place:] if chance.random() < 0.8 else text[place + 1 :])
            if say_the_same(list(scans_of(text, 6)), list(scans_of(other, 6))):
                same += 1
                assert form(parse(text)) == form(parse(other)) and comments(text) == comments(other)
    assert same > 20
