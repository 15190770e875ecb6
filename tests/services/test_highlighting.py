"""What highlighters are told: a grammar for TextMate, a lexer for Pygments."""

import json
import re

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Number, String

from pinebench import reference
from pinebench.files.resources import folder
from pinebench.services import highlighting
from pinebench.services.pygments_lexer import PineLexer
from tests.tables import each


def test_the_grammar_in_the_repository_is_the_one_that_the_tables_make() -> None:
    """`python scripts/docs/generate.py` writes it anew."""
    path = folder("grammars") / "pine.tmLanguage.json"
    assert json.loads(path.read_text(encoding="utf-8")) == highlighting.textmate()


def test_every_keyword_and_built_in_has_a_place() -> None:
    words = {*highlighting.controlling(), *highlighting.CONSTANTS, *highlighting.WORD_OPERATORS}
    assert reference.keywords() <= words | set(highlighting.DECLARING)
    assert "once" in highlighting.controlling()
    assert re.fullmatch(highlighting.any_of(highlighting.functions()), "ta.sma")
    assert re.fullmatch(highlighting.any_of(highlighting.values()), "color.red")
    assert not re.search(highlighting.any_of(highlighting.values()), "my.close")


def test_every_pattern_of_the_grammar_can_be_read() -> None:
    patterns = [highlighting.textmate()]
    seen = 0
    while patterns:
        one = patterns.pop()
        for key, value in one.items():
            if key in ("match", "begin", "end"):
                re.compile(value)
                seen += 1
            elif isinstance(value, dict):
                patterns.append(value)
            elif isinstance(value, list):
                patterns += [each for each in value if isinstance(each, dict)]
    assert seen > 20


@each(
    ("text", "word", "kind"),
    [
        ("once close > open", "once", Keyword),
        ("x = ta.sma(close, 3)", "ta.sma", Name.Builtin),
        ("x = close", "close", Name.Builtin.Pseudo),
        ("float x = 1.5", "float", Keyword.Type),
        ("float x = 1.5", "1.5", Number),
        ("x = 'it is // no comment'", "'it is // no comment'", String.Single),
        ('x = """two\nlines"""', '"""two\nlines"""', String.Double),
        ("//@version=6", "//@version=6", Comment.Special),
        ("type Level", "Level", Name.Class),
        ("method far(Level this) =>", "far", Name.Function),
        ("x = level.close", "close", Name),
    ],
)
def test_pygments_tells_words_apart(text: str, word: str, kind: object) -> None:
    assert (kind, word) in list(PineLexer().get_tokens(text))


@each("line", ["import a/B/1 as b, import c / D / 2 as d", "  import a/B/1 as b, import c / D / 2 as d // both"])
def test_every_import_of_a_line_is_coloured(line: str) -> None:
    (imported,) = highlighting.textmate()["repository"]["imports"]["patterns"]
    found = [match.groups() for match in re.finditer(imported["match"], line)]
    assert found == [("import", "a/B/1", "as", "b"), ("import", "c / D / 2", "as", "d")]
    tokens = list(PineLexer().get_tokens(line))
    assert tokens.count((Keyword.Namespace, "import")) == 2
    assert (Name.Namespace, "c / D / 2") in tokens


def test_the_samples_are_read_without_an_error_and_lose_nothing() -> None:
    for path in sorted(folder("samples").rglob("*.pine"))[:20]:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n").strip("\n")
        found = list(PineLexer().get_tokens(text))
        assert not [value for kind, value in found if kind is Error]
        assert "".join(value for _, value in found).strip("\n") == text


def test_pygments_finds_it_by_name() -> None:
    assert isinstance(get_lexer_by_name("pine"), PineLexer)
