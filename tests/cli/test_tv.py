"""`pinebench tv`: short words, the same objects as `call`, tables for people."""

from __future__ import annotations

import json

import pytest

from pinebench.cli import main
from pinebench.cli.commands.tv import SHORT, as_table
from pinebench.tools import registry


def test_short_words_mean_tools() -> None:
    assert set(SHORT.values()) <= set(registry.tools())


@pytest.mark.parametrize(
    "words", [["template", "search", "ema", "--limit", "2"], ["template-search", "ema", "--limit=2"]]
)
def test_it_prints_what_call_prints(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", *words]) == 0
    said = capsys.readouterr().out
    assert main(["call", "template_search", "query=ema", "limit=2"]) == 0
    assert capsys.readouterr().out == said


def test_a_failure_prints_the_same_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "quote", "--no-wait", "--cdp-port", "9"]) == 1
    said = capsys.readouterr().out
    assert main(["call", "quote_get", "--no-wait", "--cdp-port", "9"]) == 1
    assert capsys.readouterr().out == said
    assert main(["tv", "template", "search", "ema", "--limit", "abc"]) == 1
    assert json.loads(capsys.readouterr().out)["error"] == "limit must be a finite number, got: abc"


@pytest.mark.parametrize("words", [[], ["nothing"], ["quote", "--nothing"], ["template", "get"], ["stream", "nothing"]])
def test_what_cannot_be_understood_is_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", *words]) == 2
    assert capsys.readouterr().out == ""


def test_without_a_value_it_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "symbol", "--no-wait", "--cdp-port", "9"]) == 1
    assert "nothing listens" in json.loads(capsys.readouterr().out)["error"]


def test_lists_become_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "template", "list", "--kind", "library", "--table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("count: ")
    assert lines[3].split() == ["name", "title", "kind", "purpose"]
    table = as_table({"success": True, "a": "x\x1b[2J", "rows": [{"b": 1}, {"c": None}]})
    assert "\x1b" not in table
    assert table.splitlines()[-3:] == ["b  c", "1", ""] or "b  c" in table
