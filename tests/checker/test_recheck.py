"""What a check keeps with the trees: the next check of an edited script finds what a fresh one finds."""

import os
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from pinebench.checker import LibraryFolders, Program, check
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import Frame
from pinebench.checker.types import Type, display
from pinebench.files.resources import folder
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk

WORDS = (
    *("close", "color", "ta", "array", "label", "math", "na", "true", "1", "0", "-5", "2.5", '"a"', "#ff0000", "input"),
    *("ta.sma(close, 14)", "color.new(color.red, 200)", "close[1]", "array.new<float>()", "str.format('{0}', 1, 2)"),
    *("array.new<label>()", "map.new<color, int>()", "ta.macd(close, 12, 26, 9)", "[close, 1]"),
    *("var", "varip", "const", "int", "float", "string", "series", "simple", ":=", "=", "+", "and", "==", "bar_index"),
)
LINES = (
    *("close = 5", "ta = 1", "color = color.red", "length = 0", "length = 20", 'length = "x"', "const int length = 2"),
    *("plot(x) => x", "sma(x, y) => x", "max(float a, float b) => a", "method push(array<float> a, float b) => a"),
    *("type label\n    int a", "type color\n    int b", "enum ta\n    sma", "enum display\n    all", "lost :="),
    *("import A/B/1 as ta", "import A/B/1", "import TradingView/ta/7 as math", 'strategy("again")', "if close > open"),
    *("import Me/Lib/1 as lib", "import Me/Lib/1 as math", "import Me/Other/1", "lib = close", "count(float x) => x"),
    *("method add(array<float> this, float x) => x", "method add(Level this) => this.price", "enum Mode\n    fast"),
    *("type Level\n    float price", "step(x) => x", "step(float x) =>\n    x[1]", "fast = 2", "const int fast = 3"),
    *(
        "for i = 0 to 10",
        "var length = 1",
        "length := close",
        "src = close",
        "width = 0",
        "plot(close, linewidth = width)",
    ),
)


QUALIFIERS = ("const ", "simple ", "series ", "var ", "varip ", "export ", "int ", "float ", "string ", "input ")
RICH = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "rich").glob("*.pine"))]
"""Scripts with all that a script may have: loops, blocks with values, methods, types, enums, libraries, requests."""
LIBRARIES = {
    "Lib": """//@version=6
library("Lib")
export const float FACTOR = 2.0
export enum Kind
    one
export twice(float x) => x * 2
export method grow(array<float> this, float by) =>
    this.push(by)
    this.size()
export same(x) => x
""",
    "Other": """//@version=6
library("Other")
import Me/Lib/1
export four(float x) => Lib.twice(Lib.twice(x))
""",
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> LibraryFolders:
    """A folder with the libraries that some of the scripts import."""
    root = tmp_path_factory.mktemp("libraries")
    for name, text in LIBRARIES.items():
        (root / f"{name}.pine").write_text(text, encoding="utf-8")
    return LibraryFolders([root])


def scripts() -> list[str]:
    """The samples and templates."""
    paths = sorted([*folder("samples").glob("*.pine"), *folder("templates").glob("*.pine")])
    return [path.read_text(encoding="utf-8") for path in paths]


def told(program: Program) -> list[object]:
    """Everything that was found out: findings, the type of each node and variable in each frame, what calls mean."""
    found: list[object] = [(d.span, d.severity, d.code, d.message, d.hint, d.tv_position) for d in program.diagnostics]
    found += [(symbol.name, symbol.offset, _type(symbol.type)) for symbol in program.variables]
    for group in program.functions.values():
        for function in group:
            asked = [
                (parameter.name, parameter.type and parameter.type.name, parameter.qualifier)
                for parameter in function.parameters
            ]
            found.append((function.name, asked, [[*map(_type, types)] for types in function.frames]))
    for frame in program.frames:
        owner = program.program_of(frame)
        found.append((owner.path, _frame(frame), _type(frame.result)))
        found += sorted((s.name_node.start, s.name, _type(type_)) for s, type_ in frame.locals.items())
        statements = (
            frame.function.node.body
            if frame.function is not None
            else [s for c in owner.document.chunks for s in c.body]
        )
        for node in walk(statements):
            type_ = frame.types.get(node)
            call = frame.calls.get(node)
            if type_ is not None or call is not None:
                target = call and (
                    type(call.target).__name__,
                    getattr(call.target, "name", None),
                    call.overload and [parameter.name for parameter in call.overload.parameters],
                    [(name, value.start) for name, value in sorted(call.arguments.items())],
                    call.receiver and call.receiver.start,
                    call.frame and _frame(call.frame),
                )
                found.append((node.start, node.end, _type(type_), target))
    return found


def _type(type_: Type | None) -> tuple[str, int, bool] | None:
    return None if type_ is None else (display(type_), type_.qualifier, type_.literal)


def _frame(frame: Frame) -> object:
    return frame.function and (frame.function.name, frame.function.offset, [*map(_type, frame.parameters)])


def edited(text: str, choose: random.Random) -> tuple[int, int, str]:
    """A change of a line, a word or a character, as people and fixes make them."""
    lines = text.splitlines(keepends=True)
    number = choose.randrange(len(lines))
    start = sum(map(len, lines[:number]))
    line = lines[number]
    kind = choose.randrange(10)
    if kind == 0:
        return start, start, choose.choice(LINES) + "\n"
    if kind == 7:
        indented = start + len(line) - len(line.lstrip(" "))
        return indented, indented, choose.choice(QUALIFIERS)
    if kind == 8:
        return start, start + len(line), "".join(lines[number + 1 : number + 2]) + line
    if kind == 9:
        return start, start, choose.choice(("    ", "if close > open\n    ", "f(x) => "))
    if kind == 1:
        return start, start + len(line), ""
    if kind == 2:
        return start, start, choose.choice(lines)
    words = [(match.start(), match.end()) for match in re.finditer(r"\w[\w.]*|\S", line)]
    if not words:
        return start, start, " "
    first, last = choose.choice(words)
    if kind == 3:
        return start + first, start + last, ""
    if kind == 4:
        return start + last, start + last, choose.choice("x1. ,()")
    if kind == 5:
        other = choose.choice(lines)
        found = [match.group() for match in re.finditer(r"\w[\w.]*", other)] or ["x"]
        return start + first, start + last, choose.choice(found)
    return start + first, start + last, choose.choice(WORDS)


def histories(
    texts: Iterable[str], edits: int, seed: int, libraries: LibraryFolders | None = None
) -> Iterator[tuple[str, str]]:
    """Edits one after another in each of `texts`; where a fresh check of the text differs, the texts before and now."""
    for number, text in enumerate(texts):
        choose = random.Random(seed * 100_003 + number)
        document = parse(text)
        check(document, libraries)
        check(document, libraries)
        for _ in range(edits):
            before = document.text
            start, end, replacement = edited(before, choose)
            document.edit(start, end, replacement)
            if told(check(document, libraries)) != told(check(parse(document.text), libraries)):
                yield before, document.text
            if choose.random() < 0.7:
                document.edit(start, start + len(replacement), before[start:end])
                check(document, libraries)


@pytest.mark.parametrize("seed", range(2))
def test_an_edited_script_is_checked_as_if_it_were_new(seed: int) -> None:
    assert list(histories(scripts()[seed::4], 12, seed)) == []


@pytest.mark.parametrize("seed", range(4))
def test_a_script_with_everything_is_checked_as_if_it_were_new(seed: int, libraries: LibraryFolders) -> None:
    assert list(histories(RICH, 25, seed, libraries if seed % 2 else None)) == []


def test_scripts_with_everything_have_no_error(libraries: LibraryFolders) -> None:
    for text in RICH:
        assert [found.message for found in check(parse(text), libraries).diagnostics if found.severity == 0] == []


def test_a_number_that_becomes_constant_has_no_history_any_more() -> None:
    text = '//@version=6\nindicator("a")\nfloat kept = 1\nbefore = kept[1]\nplot(before)\n'
    document = parse(text)
    for _ in range(3):
        assert [found.code for found in check(document).diagnostics] == []
    place = text.index("float kept")
    document.edit(place, place, "const ")
    assert [found.code for found in check(document).diagnostics] == ["history-of-constant"]


@pytest.mark.parametrize("place", ['"crossed', "total = 0", "bar_index - 5", "b = if a > 1", "value[1"])
def test_only_what_an_edit_touches_is_typed_again(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Counted are the nodes that are typed: those of a fresh check, and those after a keystroke."""
    typed: list[nodes.Node] = []
    evaluate = Checker.evaluate

    def counted(checker: Checker, node: nodes.Node) -> Type:
        typed.append(node)
        return evaluate(checker, node)

    monkeypatch.setattr(Checker, "evaluate", counted)
    text = RICH[1]
    check(parse(text))
    whole = len(typed)
    document = parse(text)
    for _ in range(3):
        check(document)
    typed.clear()
    offset = text.index(place) + len(place)
    document.edit(offset, offset, "1")
    check(document)
    assert 0 < len(typed) <= 0.4 * whole


def test_requests_are_looked_at_again_where_the_script_allows_no_dynamic_ones_any_more() -> None:
    text = """//@version=6
indicator("a", dynamic_requests = true)
f(string name) =>
    request.security(name, "D", close)
found = close
if close > open
    found := request.security("A:B", "D", close)
plot(found + f(close > open ? "A:B" : "C:D"))
"""
    document = parse(text)
    for _ in range(3):
        assert [found.code for found in check(document).diagnostics if found.severity == 0] == []
    place = text.index("true")
    document.edit(place, place + 4, "false")
    now = [found.code for found in check(document).diagnostics if found.severity == 0]
    assert now == [found.code for found in check(parse(document.text)).diagnostics if found.severity == 0]
    assert "request-not-dynamic" in now


def test_a_function_that_comes_to_depend_on_history_is_warned_of_where_its_calls_stay_as_they_are() -> None:
    text = """//@version=6
indicator("a")
f(float x) =>
    x + 1
value = 0.0
if close > open
    value := f(close)
plot(value)
"""
    document = parse(text)
    assert [found.code for found in check(document).diagnostics] == []
    place = document.text.index("x + 1")
    document.edit(place, place + 5, "x[1]!")
    document.edit(place + 4, place + 5, "")
    assert [found.code for found in check(document).diagnostics] == ["CW10003"]
    document.edit(place, place + 4, "x + 1")
    assert [found.code for found in check(document).diagnostics] == []


def test_a_type_that_is_declared_for_a_template_counts_from_then_on() -> None:
    document = parse('//@version=6\nindicator("a")\nfound = array.new<label>()\nplot(found.get(0).x)\n')
    for _ in range(3):
        assert [found.code for found in check(document).diagnostics] == ["CE10198"]
    place = document.text.index("found")
    document.edit(place, place, "type label\n    int x\n")
    assert [found.code for found in check(document).diagnostics] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_an_edited_real_script_is_checked_as_if_it_were_new(seed: int, libraries: LibraryFolders) -> None:
    """20 edits in each script of the folder in PINEBENCH_CORPUS, and 1,000 in each that has everything."""
    corpus = os.environ.get("PINEBENCH_CORPUS")
    texts = (
        [path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(corpus).rglob("*.pine"))]
        if corpus
        else scripts()
    )
    assert next(histories(texts[seed::4], 20, seed, libraries if seed % 2 else None), None) is None
    assert next(histories(RICH, 1000, 10 + seed, libraries if seed % 2 else None), None) is None
