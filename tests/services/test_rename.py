"""Renaming, and refusing to."""

import random

import pytest

from pinebench.checker import ImportSymbol, Symbol, TypeSymbol
from pinebench.diagnostics import Span
from pinebench.errors import UsageError
from pinebench.files.resources import folder
from pinebench.services import OpenScript, ScriptView
from pinebench.services.names import declaration_of, name_of
from pinebench.services.rename import renamable, rename
from pinebench.syntax.edits import apply_edits
from tests.services.support import FILLED, opened
from tests.soak.test_parser import real_scripts
from tests.tables import each

PLAIN = '//@version=6\nindicator("t")\n'
LONG = '//@version=6\nindicator("t", shorttitle = "A rather long one")\n'


def renamed(marked: str, name: str) -> str:
    """The script behind FILLED after the name at the bar was renamed."""
    view, place = opened(marked)
    return apply_edits(view.text, rename(view, place, name))


@each(
    ("marked", "after"),
    [
        ("v|al = 1\nw = val + val[1]\n", "new = 1\nw = new + new[1]\n"),
        ("f(v|al) =>\n    val + 1\nx = f(val = 2)\n", "f(new) =>\n    new + 1\nx = f(new = 2)\n"),
        (
            "type T\n    int v|al\nt = T.new(val = 1)\nx = t.val\n",
            "type T\n    int new\nt = T.new(new = 1)\nx = t.new\n",
        ),
        (
            "g(int a) => a\ng(string a) => a\nx = g|(1)\ny = g('s')\n",
            "new(int a) => a\nnew(string a) => a\nx = new(1)\ny = new('s')\n",
        ),
        ("import a/B/1\nx = B|.f()\n", "import a/B/1 as new\nx = new.f()\n"),
        ("import a/B/1 as b\nx = b|.f()\n", "import a/B/1 as new\nx = new.f()\n"),
        ("v = 1\nif true\n    v = 2\n    x = v|\n", "v = 1\nif true\n    new = 2\n    x = new\n"),
        ("e|num Z\n    a\n", None),
    ],
)
def test_a_name_changes_wherever_it_stands_and_nowhere_else(marked: str, after: str | None) -> None:
    if after is None:
        with pytest.raises(UsageError):
            renamed(marked, "new")
    else:
        assert renamed(marked, "new") == FILLED + after


def test_types_enums_and_methods_are_renamed_too() -> None:
    view, place = opened("x = level.dist|ance(1)\n")
    after = apply_edits(view.text, rename(view, place, "away"))
    assert "method away(Level this" in after and "level.away(1)" in after and "distance" not in after
    view, place = opened("x = Si|de.long\n")
    after = apply_edits(view.text, rename(view, place, "Way"))
    assert "enum Way" in after and "Way side = Way.long" in after and "x = Way.long" in after


@each(
    ("marked", "name", "why"),
    [
        ("v|al = 1\nother = 2\n", "other", "other"),
        ("v|al = 1\nif true\n    other = 2\n    x = val\n", "other", "would change its meaning"),
        ("v|al = 1\nx = close\n", "close", "close"),
        ("v|al = 1\n", "for", "keyword of Pine"),
        ("v|al = 1\n", "2x", "is not a valid name"),
        ("v|al = 1\n", "a b", "is not a valid name"),
        ("x = clo|se\n", "shut", "built in"),
        ("x = unkn|own\n", "known", "no known name here"),
        ("f() => 1\ng|() => 2\nx = f()\n", "f", "f"),
    ],
)
def test_what_would_capture_or_break_is_refused(marked: str, name: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        renamed(marked, name)
    assert why in refused.value.message


def test_the_place_of_a_name_is_told_before() -> None:
    view, place = opened("val|ue = 1\n")
    assert view.text[slice(*renamable(view, place))] == "value"


def _own_names(view: ScriptView) -> list[tuple[Span, Symbol]]:
    """The names that a script declares, types first, each with the span of its declaration."""
    places = ((declaration_of(view.program, symbol), symbol) for symbol in view.program.named)
    found = [(place[1], symbol) for place, symbol in places if place is not None and place[0] is view.program]
    return sorted(found, key=lambda each: (not isinstance(each[1], TypeSymbol), each[0]))


@pytest.mark.parametrize("count", [8, pytest.param(24, marks=pytest.mark.soak)])
def test_names_of_real_scripts_are_renamed_and_back(count: int) -> None:
    """No fresh name is refused; the findings stay the same, and back again nothing has changed."""
    choose = random.Random(5)
    paths = sorted(path for each in ("samples", "templates") for path in folder(each).rglob("*.pine"))
    for path in choose.sample(paths, count):
        text = path.read_bytes().decode("utf-8")
        view = OpenScript(text).view
        names = [] if view.snapshot.diagnostics else _own_names(view)
        for span, symbol in names[:1] + choose.sample(names, min(2, len(names))):
            edits = rename(view, span.start, "renamed_by_test")
            there = apply_edits(text, edits)
            after = OpenScript(there).view
            assert [each.code for each in after.program.diagnostics] == [each.code for each in view.program.diagnostics]
            place = span.start + sum(
                len(edit.text) - (edit.span.end - edit.span.start) for edit in edits if edit.span.start < span.start
            )
            back = rename(after, place, name_of(symbol))
            assert apply_edits(there, back) == text or isinstance(symbol, ImportSymbol)


@pytest.mark.soak
def test_no_fresh_name_is_refused_in_real_scripts() -> None:
    """Four names of each real script, or of our samples without the folder in PINEBENCH_CORPUS."""
    choose, refused, asked = random.Random(60), [], 0
    for name, text in sorted(real_scripts().items()):
        view = OpenScript(text).view
        if view.snapshot.diagnostics:
            continue
        names = [each for each in _own_names(view) if not isinstance(each[1], ImportSymbol)]
        for span, symbol in choose.sample(names, min(4, len(names))):
            asked += 1
            try:
                rename(view, span.start, "renamed_by_test")
            except UsageError as error:
                refused.append(f"{name}: {name_of(symbol)}: {error.message}")
    assert asked > 50 and not refused, (asked, refused[:5])


def test_a_broken_script_can_be_renamed_in() -> None:
    view, place = opened("v|al = 1\nx = val +\ny = val\n")
    assert isinstance(view, ScriptView)
    assert "new = 1\nx = new +\ny = new\n" in apply_edits(view.text, rename(view, place, "new"))


@pytest.mark.parametrize(
    ("script", "old", "new"),
    [
        (f'{PLAIN}type P\n    float price\nvar P p = P.new()\nq = p.copy()\nplot(p.price)\n', "P p", "Zzq"),
        (f'{PLAIN}var table = table.new(position.top_right, 2, 2)\ntable.cell(table, 0, 0, "x")\n', "table =", "board"),
        (f'{LONG}long = 1\nplot(long)\n', "long =", "zq"),
        (f'{LONG}characters = 1\nplot(characters)\n', "characters =", "zq"),
        (f'{PLAIN}color = color.red\nplot(close, color = color)\n', "color =", "ink"),
    ],
)  # fmt: skip
def test_a_name_that_stands_in_messages_or_in_built_ins_is_renamed(script: str, old: str, new: str) -> None:
    """The findings have the same codes, and all that reads the name reads the new one."""
    view = OpenScript(script).view
    after = apply_edits(script, rename(view, script.index(old), new))
    again = OpenScript(after).view
    assert [each.code for each in again.program.diagnostics] == [each.code for each in view.program.diagnostics]
    back = rename(again, again.text.index(new), old.split()[0])
    assert apply_edits(after, back) == script


def test_new_and_copy_are_not_the_name_of_their_type() -> None:
    view, place = opened("x = Level.ne|w(1)\n")
    with pytest.raises(UsageError, match="not on its name"):
        renamable(view, place)


BOX = "type Box\n    float top\n    int left\n"
NOTED = (
    "//@function Mixes.\n//@param src The source, such as src.\n//@param src2 Another one.\n"
    "f(src, src2) => src + src2\n"
    "x = f(close, 2)\n"
)
SPOT = "//@type A spot.\n//@field price Its price.\ntype Spot\n    float price\ns = Spot.new(price = 1)\nx = s.price\n"

TABLE = {
    # variables, in every place where they can be
    "v|al = 1\nx = val\n": "new = 1\nx = new\n",
    "val = 1\nx = v|al\n": "new = 1\nx = new\n",
    "val = 1\nx = val|\n": "new = 1\nx = new\n",
    "var v|al = 1\nval := val + 1\nval += 1\n": "var new = 1\nnew := new + 1\nnew += 1\n",
    "varip int v|al = 1\nplot(val[1])\n": "varip int new = 1\nplot(new[1])\n",
    "val = 'val'  // val is val\nx = v|al\n": "new = 'val'  // val is val\nx = new\n",
    'val = 1\nx = str.format("{0} val", v|al)\n': 'new = 1\nx = str.format("{0} val", new)\n',
    "val = 1\nval2 = 2\nx = v|al + val2\n": "new = 1\nval2 = 2\nx = new + val2\n",
    "v|al = 1, other = val\n": "new = 1, other = new\n",
    "v|al = 1\nif true\n    val := 2\n": "new = 1\nif true\n    new := 2\n",
    "val = 1\nif true\n    v|al = 2\n    x = val\ny = val\n": "val = 1\nif true\n    new = 2\n    x = new\ny = val\n",
    "v|al = close > open\nx = val ? 1 : val ? 2 : 3\n": "new = close > open\nx = new ? 1 : new ? 2 : 3\n",
    "v|al = 1\nx = switch val\n    1 => val\n    => 2\n": "new = 1\nx = switch new\n    1 => new\n    => 2\n",
    "v|al = 1\nwhile val < 3\n    val += 1\n": "new = 1\nwhile new < 3\n    new += 1\n",
    "v|al = array.new<int>()\nval.push(1)\narray.push(val, 2)\n": (
        "new = array.new<int>()\nnew.push(1)\narray.push(new, 2)\n"
    ),
    "[v|al, b] = f2()\nx = val\n": "[new, b] = f2()\nx = new\n",
    "[v|al, b, c] = ta.macd(close, 12, 26, 9)\nx = val\n": "[new, b, c] = ta.macd(close, 12, 26, 9)\nx = new\n",
    "for v|al = 0 to 3\n    x = val\n": "for new = 0 to 3\n    x = new\n",
    "for v|al in array.from(1)\n    x = val\n": "for new in array.from(1)\n    x = new\n",
    "for [v|al, e] in array.from(1)\n    x = val + e\n": "for [new, e] in array.from(1)\n    x = new + e\n",
    "for [i, v|al] in array.from(1)\n    x = val + i\n": "for [i, new] in array.from(1)\n    x = new + i\n",
    "color v|al = color.red\nplot(close, color = val)\n": "color new = color.red\nplot(close, color = new)\n",
    "title = 'a'\nplot(close, title = ti|tle)\n": "new = 'a'\nplot(close, title = new)\n",
    "long = 1\nplot(lo|ng, 'long')\n": "new = 1\nplot(new, 'long')\n",
    "v|al =\n  close +\n  open\nx = (val\n  + 1)\n": "new =\n  close +\n  open\nx = (new\n  + 1)\n",
    "v|al = close\nf() => val\ng() => f() + val\n": "new = close\nf() => new\ng() => f() + new\n",
    # functions, methods and their parameters
    "g|(x) => x\ny = g(1) + g(g(2))\n": "new(x) => x\ny = new(1) + new(new(2))\n",
    "g(x) => x\ny = g|(1)\n": "new(x) => x\ny = new(1)\n",
    "export g|(float x) => x\n": "export new(float x) => x\n",
    "g(v|al) => val + 1\nx = g(val = 2)\n": "g(new) => new + 1\nx = g(new = 2)\n",
    "g(float val = 1) => val\nx = g(v|al = 2)\n": "g(float new = 1) => new\nx = g(new = 2)\n",
    "g(val) =>\n    f(val) => val\n": None,
    "g(v|al) =>\n    x = val\n    x := val\n    x\n": "g(new) =>\n    x = new\n    x := new\n    x\n",
    "val = 1\ng(v|al) => val\nx = val\n": "val = 1\ng(new) => new\nx = val\n",
    "method m|ore(int a) => a + 1\nx = 1.more()\n": "method new(int a) => a + 1\nx = 1.new()\n",
    "method m|ore(int a) => a + 1\ny = 1\nx = y.more() + more(y)\n": (
        "method new(int a) => a + 1\ny = 1\nx = y.new() + new(y)\n"
    ),
    "method more(int v|al, int b) => val + b\ny = 1\nx = y.more(b = 2)\n": (
        "method more(int new, int b) => new + b\ny = 1\nx = y.more(b = 2)\n"
    ),
    "g(int a) => a\ng(string a) => a\nx = g|(1)\n": "new(int a) => a\nnew(string a) => a\nx = new(1)\n",
    NOTED.replace("src, src2) =>", "s|rc, src2) =>"): NOTED.replace("@param src ", "@param new ").replace(
        "(src, src2) => src +", "(new, src2) => new +"
    ),
    NOTED.replace("src, src2) =>", "src, s|rc2) =>"): NOTED.replace("src2", "new"),
    "//@param val Text.\n\ng(v|al) => val\n": "//@param val Text.\n\ng(new) => new\n",
    "//@param val Text.\nx = 1\ng(v|al) => val\n": "//@param val Text.\nx = 1\ng(new) => new\n",
    "// @param val Text.\n//\tval\ng(v|al) => val\n": "// @param new Text.\n//\tval\ng(new) => new\n",
    "//@param values Text.\ng(v|al) => val\n": "//@param values Text.\ng(new) => new\n",
    # types, their fields and constructors
    BOX + "b = Bo|x.new()\nx = b.top\n": (BOX + "b = Box.new()\nx = b.top\n").replace("Box", "new"),
    BOX + "Bo|x b = na\nx = b.copy()\n": (BOX + "Box b = na\nx = b.copy()\n").replace("Box", "new"),
    BOX + "a = array.new<Bo|x>()\na.push(Box.new())\n": (BOX + "a = array.new<Box>()\na.push(Box.new())\n").replace(
        "Box", "new"
    ),
    BOX + "m = map.new<string, Bo|x>()\n": (BOX + "m = map.new<string, Box>()\n").replace("Box", "new"),
    BOX + "f(Bo|x b) => b.top\nx = f(Box.new(1))\n": (BOX + "f(Box b) => b.top\nx = f(Box.new(1))\n").replace(
        "Box", "new"
    ),
    BOX + "method up(Bo|x this) => this.top\nx = Box.new(1).up()\n": (
        BOX + "method up(Box this) => this.top\nx = Box.new(1).up()\n"
    ).replace("Box", "new"),
    BOX + "type Pair\n    Bo|x one\n    array<Box> two\np = Pair.new(Box.new())\n": (
        BOX + "type Pair\n    Box one\n    array<Box> two\np = Pair.new(Box.new())\n"
    ).replace("Box", "new"),
    BOX + "b = Box.new(t|op = 1)\nb.top := 2\nx = b.top[1]\n": (
        BOX + "b = Box.new(top = 1)\nb.top := 2\nx = b.top[1]\n"
    ).replace("top", "new"),
    BOX + "b = Box.new(1)\nx = b.to|p\nbox.new(left = 1, top = 2, right = 3, bottom = 4)\n": (
        BOX + "b = Box.new(1)\nx = b.top\n"
    ).replace("top", "new")
    + "box.new(left = 1, top = 2, right = 3, bottom = 4)\n",
    SPOT.replace("s.price", "s.pr|ice"): SPOT.replace("price = 1", "new = 1")
    .replace("@field price", "@field new")
    .replace("float price", "float new")
    .replace("s.price", "s.new"),
    # enums, imports
    "enum Way\n    up\n    down\nx = Wa|y.up\nWay y = Way.down\n": (
        "enum new\n    up\n    down\nx = new.up\nnew y = new.down\n"
    ),
    "enum Way\n    up = 'up'\n    down\nx = Way.u|p\n": "enum Way\n    new = 'up'\n    down\nx = Way.new\n",
    "enum Way\n    up\nx = input.enum(Wa|y.up)\n": "enum new\n    up\nx = input.enum(new.up)\n",
    "import a/B/1\nx = B|.f()\n": "import a/B/1 as new\nx = new.f()\n",
    "import a/B/1 as b\nx = b|.f()\nb.T y = na\n": "import a/B/1 as new\nx = new.f()\nnew.T y = na\n",
    "var table = table.new(position.top_right, 1, 1)\ntable.cell(ta|ble, 0, 0)\n": (
        "var new = table.new(position.top_right, 1, 1)\ntable.cell(new, 0, 0)\n"
    ),
    "color = color.red\nplot(close, color = colo|r)\n": "new = color.red\nplot(close, color = new)\n",
    "line = line.new(0, 0, 1, 1)\nline.set_x1(li|ne, 2)\n": "new = line.new(0, 0, 1, 1)\nline.set_x1(new, 2)\n",
    "v|al = 1\nval2 = 2  // val\n//@variable val\n": "new = 1\nval2 = 2  // val\n//@variable val\n",
}
"""What is renamed to `new`, and the script after that. None: it is refused."""


def test_the_table_of_renamings() -> None:
    wrong: list[str] = []
    assert len(TABLE) >= 60
    for marked, wanted in TABLE.items():
        marked_here = marked if "|" in marked else marked + "|"
        view, place = opened(marked_here, PLAIN)
        try:
            found = apply_edits(view.text, rename(view, place, "new"))[len(PLAIN) :]
        except UsageError:
            found = None
        if found != wanted:
            wrong.append(f"{marked!r}:\n{found}\ninstead of\n{wanted}")
    assert not wrong, "\n".join(wrong)
