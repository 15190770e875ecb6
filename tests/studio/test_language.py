"""What the editor's completion and hover are fed with."""

from __future__ import annotations

import json

from pinebench import reference
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
