"""The tables: made from the grammar without conflicts, kept, checked, and used without loading Lark."""

import subprocess
import sys
from pathlib import Path

import pytest
from lark.exceptions import GrammarError

from pinebench.syntax import build, generate, parser_tables
from pinebench.syntax.grammar import grammar_hash, grammar_text


def _grammar() -> str:
    return grammar_text()


def test_a_conflict_in_the_grammar_is_an_error() -> None:
    with pytest.raises(GrammarError):
        generate.analyse(_grammar() + "\n?statement_: NAME\n" + "?extra: NAME | statement_\nlines: extra\n")


def test_every_alternative_has_its_builder_and_every_builder_its_alternative() -> None:
    aliases = {rule.alias for rule in generate.analyse(_grammar()).rules if rule.alias}
    defined = {name for name, value in vars(build).items() if callable(value) and not name.startswith("_")}
    builders = {name for name in defined if getattr(build, name).__module__ == build.__name__} - {"ShapeError"}
    assert aliases == builders


def test_tables_are_reproducible() -> None:
    assert generate.module_text(_grammar()) == generate.module_text(_grammar())


def test_tables_of_another_grammar_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "_tables.py"
    assert parser_tables.write_atomically(path, generate.module_text(_grammar()))
    assert parser_tables.read(path, grammar_hash(_grammar())) is not None
    assert parser_tables.read(path, grammar_hash("start: NAME")) is None
    assert parser_tables.read(tmp_path / "none.py", "") is None
    path.write_text("STATES = [", encoding="utf-8")
    assert parser_tables.read(path, grammar_hash(_grammar())) is None


def test_nothing_is_left_behind_where_one_cannot_write(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("", encoding="utf-8")
    assert not parser_tables.write_atomically(occupied / "_tables.py", "x")
    assert list(tmp_path.iterdir()) == [occupied]


def test_the_tables_of_the_package_are_written(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    assert parser_tables.make(path)
    assert parser_tables.read(path, grammar_hash(_grammar())) == parser_tables.load()


def test_lark_is_not_loaded_when_the_tables_exist() -> None:
    parser_tables.load()
    code = "import sys; from pinebench.syntax import parse; parse('a = 1'); print('lark' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert result.stdout.strip() == "False"
