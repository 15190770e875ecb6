"""The script that writes the reference reads the types as the public reference words them."""

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def update() -> ModuleType:
    return import_module("scripts.data.update_reference")


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("series int/float", "series int|float"),
        ("const string", "const string"),
        ("array<int/float>", "array<(int|float)>"),
        ("array<chart.point>", "array<chart.point>"),
        ("any map type", "map<K,V>"),
        ("series <type of the array's elements>", "T"),
        ("series int/float/matrix<int/float>", "series int|float|matrix<(int|float)>"),
        ("series color/array<>/map<>", "series color|array<any>|map<any,any>"),
        ("tuple of const int/float values: [val1, val2, ...]", "tuple<const int|float>"),
        ("[series float, series float]", "[series float, series float]"),
        ("void", "void"),
    ],
)
def test_type_text(update: ModuleType, written: str, ours: str) -> None:
    assert update.type_text(written) == ours


def test_variable_type(update: ModuleType) -> None:
    assert update.variable_type("series<float>") == "series float"
    assert update.variable_type("array<box>") == "array<box>"


def test_parameter_is_written_without_empty_ends(update: ModuleType) -> None:
    row = {"name": "length", "type": "series int", "required": False, "default": None, "noun": None, "allowed": ()}
    assert update.parameter_text(row) == "length?; series int"
    assert update.parameter_text({**row, "default": "1", "noun": "simple int"}) == "length?; series int; 1; simple int"


def test_an_overload_with_other_types_keeps_the_rest(update: ModuleType) -> None:
    row = {"type": "x", "required": True, "default": None, "noun": None, "allowed": ()}
    overload = {"parameters": [{**row, "name": name} for name in ("id", "val", "third")], "returns": "series int"}
    result = update.with_types(overload, ("array<T>", "series int"))
    assert [parameter["type"] for parameter in result["parameters"]] == ["array<T>", "series int", "x"]


def test_an_overload_without_a_parameter_keeps_the_rest(update: ModuleType) -> None:
    overload = {"parameters": [{"name": name} for name in ("timeframe", "session", "bars_back")], "returns": "x"}
    result = update.without_parameter(overload, "session")
    assert result == {"parameters": [{"name": "timeframe"}, {"name": "bars_back"}], "returns": "x"}


def _collected(folder: Path, functions: list[dict[str, Any]]) -> Path:
    """Collected data that know these functions and nothing else."""
    folder.mkdir()
    empty: dict[str, Any] = {"variables": [], "constants": [], "types": [], "libraries": {}}
    for name, rows in {**empty, "libraries-history-dependent": {}, "functions": functions}.items():
        (folder / f"{name}.json").write_text(json.dumps(rows))
    return folder


def _function(name: str, *parameters: str) -> dict[str, Any]:
    rows = [{"name": each, "type": "series float", "required": True} for each in parameters]
    return {"name": name, "parameters": rows, "returns": "series float"}


def _records(folder: Path, functions: str) -> Path:
    folder.mkdir()
    (folder / "ta.txt").write_text(f"Technical analysis.\n{functions}")
    (folder / "plain.txt").write_text("Built-ins without a namespace.\n")
    return folder


OLD = """\
== function ta.changed
says Changes.
keeps
runs sums.Changed
traits adds
used 4
needs a
a; series float
-> series float
runs sums.First
== function ta.ours
says Stays.
pure
ours
needs mine
mine; series int
-> series int
== function ta.unknown
says Nobody collected it.
pure
needs a
a; series float
-> series float
"""


@pytest.fixture
def updated(update: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, str], list[str]]:
    """The files after an update from data with other signatures, and the remarks."""
    monkeypatch.setattr(update, "apply_corrections", lambda functions: None)
    functions = [_function("ta.changed", "a", "b"), _function("ta.ours", "theirs"), _function("ta.newest", "x")]
    source = _collected(tmp_path / "source", functions)
    return update.generate(source, _records(tmp_path / "data", OLD))


def test_a_new_signature_leaves_what_we_wrote(updated: tuple[dict[str, str], list[str]]) -> None:
    texts, _ = updated
    head = "says Changes.\nkeeps\nruns sums.Changed\ntraits adds\nused 4\n"
    signature = "needs a; b\na; series float\nb; series float\n-> series float\nruns sums.First\n"
    assert f"== function ta.changed\n{head}{signature}== " in texts["ta.txt"]


def test_additions_of_ours_stay(updated: tuple[dict[str, str], list[str]]) -> None:
    texts, remarks = updated
    for name in ("ta.ours", "ta.unknown"):
        start = OLD.index(f"== function {name}\n")
        assert OLD[start : OLD.find("\n== ", start)] in texts["ta.txt"]
    assert "theirs" not in texts["ta.txt"]
    assert "ta.unknown: kept, although the collected data do not have it" in remarks


def test_what_is_new_comes_with_its_signature_and_is_told(updated: tuple[dict[str, str], list[str]]) -> None:
    texts, remarks = updated
    new = "== function ta.newest\nneeds x\nx; series float\n-> series float\n== function ta.ours\n"
    assert new in texts["ta.txt"]
    assert any(remark.startswith("ta.newest: new") for remark in remarks)


def test_an_overload_that_is_gone_is_told(update: ModuleType) -> None:
    remarks: list[str] = []
    record = "\nsays X.\n-> series int\n-> series float\nruns sums.Second\n"
    assert update.updated("ta.x", record, ["-> series int"], remarks) == "\nsays X.\n-> series int\n"
    assert "ta.x: the overload is gone whose line was `runs sums.Second`" in remarks
    assert "ta.x: changed; was `-> series float`, is ``" in remarks


def test_what_is_new_names_what_it_needs(updated: tuple[dict[str, str], list[str]]) -> None:
    _, remarks = updated
    (told,) = [remark for remark in remarks if remark.startswith("ta.newest: new")]
    assert "a sentence (line `says`); an example in pinebench/reference/texts; its effects" in told
    assert "ta.changed: changed; was `needs a`, is `needs a; b / b; series float`" in remarks


def _main(update: ModuleType, monkeypatch: pytest.MonkeyPatch, folder: Path, *more: str) -> int:
    """Run the script on collected data with one new function, and files in `folder`."""
    monkeypatch.setattr(update, "apply_corrections", lambda functions: None)
    monkeypatch.setattr(update, "TARGET", folder / "data")
    generate = update.generate
    monkeypatch.setattr(update, "generate", lambda source, **more: generate(source, folder / "data", **more))
    monkeypatch.setattr("sys.argv", ["update_reference.py", str(folder / "source"), *more])
    return int(update.main())


@pytest.mark.parametrize("sentence", [None, "", "No full stop", "Long" + " long" * 40 + "."])
def test_nothing_is_written_while_a_new_one_has_no_sentence(
    update: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sentence: str | None,
) -> None:
    _collected(tmp_path / "source", [_function("ta.newest", "x")])
    before = {path: path.read_text() for path in _records(tmp_path / "data", OLD).iterdir()}
    (tmp_path / "said.toml").write_text("" if sentence is None else f'"ta.newest" = "{sentence}"\n')
    assert _main(update, monkeypatch, tmp_path, "--sentences", str(tmp_path / "said.toml")) == 1
    assert capsys.readouterr().out == '"ta.newest" = ""\n'
    assert {path: path.read_text() for path in (tmp_path / "data").iterdir()} == before


def test_a_new_one_with_a_sentence_is_written(
    update: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _collected(tmp_path / "source", [_function("ta.newest", "x")])
    _records(tmp_path / "data", OLD)
    (tmp_path / "said.toml").write_text('"ta.newest" = "Gives the newest."\n')
    assert _main(update, monkeypatch, tmp_path, "--sentences", str(tmp_path / "said.toml")) == 0
    assert "says Gives the newest.\nneeds x" in (tmp_path / "data" / "ta.txt").read_text()
    assert "ta.newest: new; it needs an example" in capsys.readouterr().err


def test_the_files_are_written_as_they_stand(update: ModuleType) -> None:
    files = update.record_files
    assert len(files.paths()) == 8
    for path in files.paths():
        assert files.written(path, files.read(path)) == path.read_text(encoding="utf-8")
