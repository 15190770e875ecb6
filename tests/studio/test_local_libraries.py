"""A studio that was started in a project's folder compiles and runs scripts that import local libraries."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.assets import Assets
from pinebench.studio.web import StudioRequest
from pinebench.workers.dispatch import execute
from tests.projects.nasty import library, script
from tests.projects.support import bundled, request, write

MAIN = script("import me/T/1 as t", "plot(t.twice(close))\n")
TWICE = "export twice(float x) =>\n    x * 2\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, {"main.pine": MAIN, "libs/me/T.pine": library("T", TWICE)})
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Page:
    """The page of a studio whose project has the folder `libs`."""

    def __init__(self, *folders: str) -> None:
        self.studio = Studio(assets=Assets(), folders=folders)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        headers = {"content-type": "application/json"}
        answer = self.studio.handle(StudioRequest("POST", path, {}, headers, json.dumps(body).encode()))
        assert answer.status == 200, answer.body
        return json.loads(answer.body)

    def check(self, source: str) -> list[dict[str, Any]]:
        return self.post("/studio/api/check", source=source)["markers"]

    def run(self, source: str) -> dict[str, Any]:
        about: dict[str, Any] = {"symbol": "NASDAQ:AAPL", "resolution": "1D", "count": 50, "until": None, "inputs": {}}
        return self.post("/studio/api/run", source=source, **about)


def test_a_script_with_local_libraries_compiles_and_runs_as_its_bundle(project: Path) -> None:
    page = Page("libs")
    assert page.check(MAIN) == []
    told, alone = page.run(MAIN), page.run(bundled(project / "main.pine").text)
    assert told["outputs"][0]["columns"] == alone["outputs"][0]["columns"]
    assert [2 * value for value in page.run(script("", "plot(close)\n"))["outputs"][0]["columns"]["series"]] == told[
        "outputs"
    ][0]["columns"]["series"]
    (project / "libs/me/T.pine").write_text(library("T", TWICE.replace("2", "3")), "utf8")
    assert page.run(MAIN)["outputs"] != told["outputs"], "an edited library is read again"


def test_errors_are_told_in_the_file_and_line_that_a_person_wrote(project: Path) -> None:
    page = Page("libs")
    (marker,) = page.check(MAIN.replace("t.twice(close)", 't.twice("a")'))
    assert marker["startLineNumber"] == 4 and "t.twice" in marker["message"]
    (project / "libs/me/T.pine").write_text(library("T", "export twice(float x) =>\n    y * 2\n"), "utf8")
    marker = page.check(MAIN)[0]
    assert marker["startLineNumber"] == 3 and marker["severity"] == 8
    assert "T.pine:4:5: CE10272" in marker["message"]
    answer = page.studio.handle(
        StudioRequest("POST", "/pine-facade/translate_light", {"v": "3"}, *_form({"source": MAIN}))
    )
    (finding,) = json.loads(answer.body)["result"]["errors"]
    assert "T.pine:4:5: CE10272" in finding["message"] and finding["start"]["line"] == 3
    stops = library("T", 'export twice(float x) =>\n    if bar_index > 3\n        runtime.error("stop")\n    x\n')
    (project / "libs/me/T.pine").write_text(stops, "utf8")
    error = page.run(MAIN)["error"]
    here = execute(request(project / "main.pine")).result.error
    assert here is not None and (error["line"], here.line) == (4, 4)


def _form(fields: dict[str, str]) -> tuple[dict[str, str], bytes]:
    from urllib.parse import urlencode

    return {"content-type": "application/x-www-form-urlencoded"}, urlencode(fields).encode()


def test_a_studio_that_knows_no_folder_refuses_with_what_to_do(project: Path) -> None:
    told = Page().run(MAIN)
    assert "me/T/1, a library whose source was not found or cannot be read" in told["refused"] and told["line"] == 4
    assert "library-paths in pinebench.toml" in told["hint"]
