"""Whoever asks what is wrong with a script is told the same: lint, compile, watch, the fixes and the loop."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import CompiledEvent
from pinebench.authoring.quickfix import QuickFix
from pinebench.checker import open_program
from pinebench.cli.watch import watcher
from pinebench.compilers.local import LocalCompiler
from pinebench.config import library_folders
from pinebench.context import Context
from pinebench.linter import check_text
from tests.cli.support import SAMPLES, pinebench

LIBRARY = """//@version=6
library("Lib")
export twice(float x) =>
    x * 2
"""
USER = '//@version=6\nindicator("User")\nimport Me/Lib/1 as lib\nplot(lib.{name}({argument}))\n'

Errors = list[tuple[str, str]]


def everybody(path: Path) -> dict[str, Errors]:
    """What each of those who judge says about the script at `path`."""
    text, libraries = path.read_text("utf-8"), library_folders(str(path))
    found: dict[str, Iterable[Any]] = {"check": open_program(text, libraries).diagnostics}
    found["lint"] = check_text(text, str(path), libraries)
    found["compile"] = LocalCompiler().beside(str(path)).compile(text, Context()).diagnostics
    looking = watcher.Watcher([str(path)], LocalCompiler())
    (seen,) = looking._compile(str(path))
    assert isinstance(seen, watcher.ScriptCompiled)
    found["watch"] = seen.verdict.diagnostics
    events = session.fix(
        str(path), QuickFix(libraries), LocalCompiler().beside(str(path)), AuthorBudget(rounds=1), Context(), keep=False
    )
    found["loop"] = next(event for event in events if isinstance(event, CompiledEvent)).verdict.diagnostics
    return {who: sorted((one.code, one.message) for one in said if one.severity == 0) for who, said in found.items()}


def differing(paths: list[Path]) -> dict[str, dict[str, Errors]]:
    """What was said about each script about which not all said the same."""
    said = {str(path): everybody(path) for path in paths}
    return {path: found for path, found in said.items() if any(errors != found["check"] for errors in found.values())}


@pytest.mark.parametrize(
    ("name", "argument", "code"),
    [("twice", "close", None), ("twice", '"text"', "CE10123"), ("thrice", "close", "CE10271")],
)
def test_a_library_on_disk_is_the_same_for_everybody(
    tmp_path: Path, name: str, argument: str, code: str | None
) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries" / "Lib.pine").write_text(LIBRARY)
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libraries"]\n')
    script = tmp_path / "user.pine"
    script.write_text(USER.format(name=name, argument=argument))
    found = everybody(script)
    assert {tuple(error for error, _ in errors) for errors in found.values()} == {(code,) if code else ()}, found
    commands = (["lint", "user.pine"], ["compile", "user.pine", "--with", "local"])
    reports = [pinebench(*command, "--format", "json", folder=tmp_path) for command in commands]
    assert [outcome.code for outcome in reports] == [1 if code else 0] * 2
    told = [json.loads(outcome.out)["diagnostics"] for outcome in reports]
    linted, compiled = ([(one["line"], one["code"], one["message"]) for one in ones] for ones in told)
    assert linted == compiled
    assert [error for _, error, _ in linted] == ([code] if code else [])


def test_a_library_that_changes_while_one_watches_is_read_again(tmp_path: Path) -> None:
    library = tmp_path / "Lib.pine"
    library.write_text(LIBRARY)
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n')
    script = tmp_path / "user.pine"
    text = USER.format(name="thrice", argument="close")
    script.write_text(text)
    compiler = LocalCompiler().beside(str(script))
    assert not compiler.compile(text, Context()).ok
    library.write_text(LIBRARY.replace("twice", "thrice"))
    assert compiler.compile(text, Context()).ok


def test_samples_are_the_same_for_everybody() -> None:
    paths = sorted(SAMPLES.rglob("*.pine"))
    assert len(paths) > 10
    assert differing(paths) == {}


@pytest.mark.soak
def test_real_scripts_are_the_same_for_everybody() -> None:
    """300 of the scripts below the folder that PINEBENCH_CORPUS names, or the samples."""
    folder = Path(os.environ.get("PINEBENCH_CORPUS") or SAMPLES)
    paths = [path for path in sorted(folder.rglob("*.pine")) if "version=6" in path.read_text("utf-8", "replace")][:300]
    assert differing(paths) == {}
