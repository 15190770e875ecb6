"""Tokens do not depend on how the scanner divides its work: into stretches of text, and by the tokens it met before."""

import re

import pytest

from pinebench.syntax import parse, scanner
from pinebench.syntax.document import form
from pinebench.syntax.words import OPERATORS, WORDS
from tests.cli.support import SAMPLES

_TRICKY = (
    "x = 1\n\n// comment\n[a, b] = f()\n",
    "x = 1\n{ y = 2\n} else {\n}\n  {}\nz = 3\n",
    "if x\n    y = 1\n\xa0\n\u3000// blank\n\xa0z = 2\n",
    "f(a,\nb)\n/ 2\n/* 3 */\n// 4\nx = .5 + 5. + 1e5 + 5.x\n",
    'a = """one\nb = two\n"""\nc = \'\'\nd = "open\ne = 1\n',
    "import a/b/1 as c\rx = c.import\r\nonce x\r\n    y := switch\r\n",
    "a\n:= 1\n#ff00 #ff0000 #ff0000ff\n! \\ \u0663 \x00 _\f\nx = array.new<int>()\n",
)


def _told(text: str) -> list[object]:
    return [[*form(each), *each.diagnostics, *each.comments] for each in (parse(text), parse(text + text))]


def test_tokens_end_where_code_begins_in_column_one(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*_TRICKY, *(path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.pine"))[:4])]
    divided = list(map(_told, texts))
    monkeypatch.setattr(scanner, "_STRETCH", re.compile(r"(?!)"))
    for text, told in zip(texts, divided, strict=True):
        assert _told(text) == told, text


def test_the_kind_of_a_token_is_the_same_when_it_is_met_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = list(map(_told, _TRICKY))
    assert list(map(_told, _TRICKY)) == known
    monkeypatch.setattr(scanner, "_MOST_KINDS", 0)
    monkeypatch.setattr(scanner, "_KINDS", {**OPERATORS, **dict.fromkeys(WORDS, "WORD")})
    assert list(map(_told, _TRICKY)) == known
