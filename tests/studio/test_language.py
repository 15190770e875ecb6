"""What the editor's completion and hover are fed with."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pinebench import reference
from pinebench.studio import assets
from pinebench.studio.language import KEYWORDS, words_json


def test_every_name_of_the_reference_is_there_once() -> None:
    words = [word["name"] for word in json.loads(words_json())]
    expected = {*KEYWORDS, *reference.types(), *reference.functions(), *reference.variables(), *reference.constants()}
    assert set(words) == expected
    assert words == sorted(words)


def test_a_function_shows_its_signature_and_what_it_does() -> None:
    (word,) = (word for word in json.loads(words_json()) if word["name"] == "ta.sma")
    assert word["kind"] == "function"
    assert word["signatures"][0]["label"].startswith("ta.sma(source: ")
    assert "length" in word["signatures"][0]["parameters"][1]["label"]
    assert word["description"].endswith(".")


def test_every_keyword_is_offered_and_coloured() -> None:
    """The page's own list for colours is one with the language's."""
    page = Path(assets.__file__).parent / "page" / "src" / "editor" / "language.ts"
    lists = re.findall(r"'([a-z ]+)'\.split", page.read_text(encoding="utf-8"))
    literals = {"true", "false"}
    assert reference.keywords() <= {word for words in lists for word in words.split()} | literals
    assert "once" in KEYWORDS and reference.keywords() <= set(KEYWORDS)
