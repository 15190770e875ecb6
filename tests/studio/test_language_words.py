"""The words of the language that the page's editor treats by themselves."""

import json
import re
from pathlib import Path
from typing import Any

import pinebench
from pinebench import reference
from pinebench.services.highlighting import INDENTING
from pinebench.services.tokens import KINDS
from pinebench.studio import assets
from pinebench.studio.language_words import words_json


def words() -> dict[str, Any]:
    return json.loads(words_json())


def test_every_keyword_and_type_is_coloured() -> None:
    found = words()
    assert reference.keywords() <= {*found["keywords"], *found["constants"]}
    assert {"once", "varip"} <= {*found["keywords"]} and {"float", "polyline"} <= {*found["types"]}
    assert found["declarations"] == ["indicator", "strategy", "library"]
    assert "version" in found["annotations"] and found["tokens"] == list(KINDS)


def test_the_page_keeps_no_list_of_the_languages_words() -> None:
    sources = (Path(assets.__file__).parent / "page" / "src" / "editor").glob("*.ts")
    for path in sources:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\b(varip|linefill|polyline|strategy_alert_message)\b", text), path.name


def test_lines_after_which_more_is_indented() -> None:
    indents = [
        "if a",
        "    else if b",
        "else",
        "f(x) =>",
        "f(x) => // note",
        "x = switch",
        "once",
        "export type A",
        "enum B",
    ]
    plain = ["a = 1", "f(x) => x", "export f(x) => x", "iffy = 1", "plot(close)", "// for all", "elsewhere := 2"]
    assert all(re.match(INDENTING, line) for line in indents)
    assert not any(re.match(INDENTING, line) for line in plain)


def test_the_extension_of_vs_code_indents_alike() -> None:
    path = Path(pinebench.__file__).parent
    found = json.loads((path / "lsp/vscode/language-configuration.json").read_text(encoding="utf-8"))
    assert found["indentationRules"]["increaseIndentPattern"] == INDENTING == words()["indenting"]
