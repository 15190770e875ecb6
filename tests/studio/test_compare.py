"""`pinebench compare --with chart` on a studio's page: where the chart agrees, and where it judges otherwise."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pinebench.codes import message
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.studio import compile as studio_compile
from pinebench.studio.compile import CheckedScript
from pinebench.syntax import nodes
from tests.cli.compare.fakes import is_a, placed
from tests.cli.support import Outcome, pinebench
from tests.studio.support import CLEAN, WRONG, Driver

LOOP = '//@version=6\nindicator("Loop")\nsum = 0\nfor i = 1 to 3\n    sum += i\nplot(sum)\n'


def compare(folder: Path, page: Driver, *arguments: str) -> Outcome:
    return pinebench(
        *("compare", *arguments, "--with", "chart", "--cdp-port", str(page.port), "--target", page.tab), folder=folder
    )


def refusing_loops(source: str, folders: tuple[str, ...] = ()) -> CheckedScript:
    """A compiler that knows no loops."""
    checked = studio_compile.compile_source(source, folders)
    refused = [
        Diagnostic("CE10272", Severity.ERROR, message("CE10272", identifier="for"), span)
        for node, span in placed(checked.document.snapshot)
        if is_a(nodes.ForTo)(node)
    ]
    return replace(checked, diagnostics=[*checked.diagnostics, *refused])


def test_the_chart_agrees(shared: Driver, tmp_path: Path) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    (tmp_path / "wrong.pine").write_text(WRONG)
    outcome = compare(tmp_path, shared, ".")
    assert outcome.code == 0, outcome
    assert outcome.out.splitlines()[:2] == ["clean.pine: the same", "wrong.pine: the same"]


def test_the_chart_judges_otherwise(shared: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.studio.app.compile_source", refusing_loops)
    monkeypatch.setattr("pinebench.studio.facade.compile_source", refusing_loops)
    (tmp_path / "loop.pine").write_text(LOOP)
    outcome = compare(tmp_path, shared, "loop.pine", "--format", "json")
    assert outcome.code == 1, outcome
    (script,) = json.loads(outcome.out)["files"]
    assert script["difference"] == "verdict"
    (difference,) = script["differences"]
    assert (difference["side"], difference["line"], difference["code"]) == ("theirs", 4, "CE10272")
