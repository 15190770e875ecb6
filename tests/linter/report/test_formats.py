"""The reports for programs hold what their readers need, well-formed whatever the words hold."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pinebench import codes
from pinebench.codes.pages import OWN_PAGE
from pinebench.diagnostics import Edit, Fix, Severity, Span, TextPosition
from pinebench.files import DecodedText
from pinebench.linter.project import LintedFile, ScriptFindings
from pinebench.linter.report import FORMATS, LintRun, github, gitlab, junit, sarif
from pinebench.linter.report import json as json_report
from pinebench.printable import in_json
from tests.linter.support import MIXED, finding, run
from tests.tables import each

ODD = run("x\n", finding(1, 1, 2, path='<&"\x00>,:%.pine', message='<b> & "c" \x00 \x1b\nnext', hint="% ]]>"))


ODD_BYTES = run("x\n", finding(1, 1, 2, path="caf\udce9.pine", message="half \ud83d"), path="caf\udce9.pine")
"""A file name that is not UTF-8 on disk, and half of a surrogate pair in a message."""


def loaded(text: str) -> Any:
    """`text` as JSON."""
    return json.loads(text)


@each("name", FORMATS)
def test_every_format_is_a_module_that_renders_anything(name: str) -> None:
    render = import_module(f"pinebench.linter.report.{name}").render
    for any_run in (MIXED, ODD, ODD_BYTES, run("")):
        assert isinstance(render(any_run), str)


def test_json_tells_everything_about_a_finding() -> None:
    guess = Fix("mend", (Edit(Span(0, 2), "abc"),), safe=False)
    found = finding(1, 2, 4, hint="why", fix=guess, tv_position=TextPosition(7, 9), severity=Severity.INFO)
    data = loaded(json_report.render(run("abcdef\n", found)))
    assert data == {
        "version": 1,
        "files": ["script.pine"],
        "diagnostics": [
            {
                "path": "script.pine",
                "line": 1,
                "column": 2,
                "end_line": 1,
                "end_column": 4,
                "severity": "info",
                "code": "CE10272",
                "message": "A message.",
                "hint": "why",
                "fix": "unsafe",
                "tv": {"line": 7, "column": 9},
                "edits": [{"line": 1, "column": 1, "end_line": 1, "end_column": 3, "text": "abc"}],
            }
        ],
        "summary": {"files": 1, "unchecked": 0, "errors": 0, "warnings": 0, "infos": 1, "hints": 0},
        "not_checked": [],
    }


def test_json_counts_each_severity() -> None:
    summary = loaded(json_report.render(MIXED))["summary"]
    assert summary == {"files": 3, "unchecked": 0, "errors": 1, "warnings": 1, "infos": 1, "hints": 1}


def test_github_gets_one_escaped_command_a_finding() -> None:
    assert github.render(MIXED).splitlines() == [
        "::error title=CE10272,file=a/first.pine,line=1,endLine=1,col=6,endColumn=10"
        '::Undeclared identifier "clsoe"%0Aclose?',
        "::warning title=CW10003,file=a/first.pine,line=2,endLine=2,col=1,endColumn=4::100%25 <odd>",
        "::notice title=PB001,file=b%2C c/last.pine,line=1,endLine=1,col=1,endColumn=1::A message.",
        "::notice title=PB002,file=b%2C c/last.pine,line=2,endLine=3::A message.",
    ]


def test_gitlab_gets_stable_and_different_fingerprints() -> None:
    twice = run("x\nx\n", finding(1, 1, 2), finding(2, 1, 2))
    moved = run("\n\nx\nx\n", finding(3, 1, 2), finding(4, 1, 2))
    first = [issue["fingerprint"] for issue in loaded(gitlab.render(twice))]
    assert len(set(first)) == 2
    assert [issue["fingerprint"] for issue in loaded(gitlab.render(moved))] == first


def test_gitlab_knows_place_and_severity() -> None:
    issues = loaded(gitlab.render(MIXED))
    assert [issue["severity"] for issue in issues] == ["critical", "minor", "info", "info"]
    assert issues[0]["check_name"] == "CE10272"
    assert issues[0]["location"] == {
        "path": "a/first.pine",
        "positions": {"begin": {"line": 1, "column": 6}, "end": {"line": 1, "column": 11}},
    }


def test_sarif_points_each_result_at_its_rule_and_place() -> None:
    log = loaded(sarif.render(MIXED))
    driver = log["runs"][0]["tool"]["driver"]
    assert driver["version"] == driver["semanticVersion"]
    known = [rule for rule in driver["rules"] if "name" in rule]
    assert known
    assert all(rule["name"].isalnum() and rule["name"][0].isupper() for rule in known)
    assert all(rule["id"] in rule["help"]["text"] for rule in known)
    pages = {rule["id"]: rule["helpUri"].partition("pine-script-docs/")[2] for rule in known if "helpUri" in rule}
    assert all("helpUri" not in rule for rule in known if rule["id"].startswith("PB"))
    assert pages["CE10272"] == "errors/overview/"
    assert all(codes.find(name) is not None for name in OWN_PAGE)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert only["columnKind"] == "utf16CodeUnits"
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert [result["level"] for result in only["results"]] == ["error", "warning", "note", "note"]
    place = only["results"][2]["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "b%2C%20c/last.pine"},
        "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2},
    }


def test_junit_is_xml_whose_counts_agree() -> None:
    root = ElementTree.fromstring(junit.render(MIXED))
    assert (root.get("tests"), root.get("failures")) == ("5", "1")
    assert [suite.get("name") for suite in root] == ["a/first.pine", "b, c/clean.pine", "b, c/last.pine"]
    assert len(root.findall(".//testcase")) == 5
    assert len(root.findall(".//failure")) == 1


def test_junit_survives_what_xml_cannot_hold() -> None:
    root = ElementTree.fromstring(junit.render(ODD))
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("message") == '<b> & "c" \\x00 \\x1b\nnext'


WITHOUT_LIBRARIES = LintRun(
    [
        ScriptFindings(LintedFile(path, DecodedText("x\n")), found, unread=libraries)
        for path, found, libraries in (
            ("a.pine", [], ["u/first/1", "u/100%, odd\n/2"]),
            ("b.pine", [finding(1, 1, 2, path="b.pine")], ["u/first/1"]),
            ("c.pine", [], []),
        )
    ]
)
"""Two scripts that import libraries whose text was not found, and one that imports none."""
UNREAD_WORDS = (
    "uses of u/first/1 were not checked, because no folder of library-paths has the source as readable Pine v6"
)


@each("name", FORMATS)
def test_every_format_names_the_libraries_that_were_not_read(name: str) -> None:
    shown = import_module(f"pinebench.linter.report.{name}").render(WITHOUT_LIBRARIES)
    assert "u/first/1" in shown


def test_sarif_notes_each_library_that_was_not_read() -> None:
    (invocation,) = loaded(sarif.render(WITHOUT_LIBRARIES))["runs"][0]["invocations"]
    assert invocation["executionSuccessful"]
    notes = invocation["toolExecutionNotifications"]
    assert [note["level"] for note in notes] == ["note", "note"]
    assert notes[0]["message"]["text"] == UNREAD_WORDS


def test_github_gets_one_notice_about_all_libraries_that_were_not_read() -> None:
    lines = github.render(WITHOUT_LIBRARIES).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error", "::notice"]
    assert lines[1].startswith("::notice title=not checked::uses of u/first/1, u/100%25, odd\\n/2 were not checked")


def test_gitlab_gets_an_entry_for_each_library_of_a_script_and_findings_keep_their_fingerprints() -> None:
    issues = loaded(gitlab.render(WITHOUT_LIBRARIES))
    told = [issue for issue in issues if issue["check_name"] == "not-checked"]
    assert [issue["location"]["path"] for issue in told] == ["a.pine", "a.pine", "b.pine"]
    assert {issue["severity"] for issue in told} == {"info"} and told[0]["description"] == UNREAD_WORDS
    assert len({issue["fingerprint"] for issue in issues}) == 4
    alone = loaded(gitlab.render(run("x\n", finding(1, 1, 2, path="b.pine"), path="b.pine")))
    assert [issue for issue in issues if issue not in told] == alone


def test_junit_calls_no_script_clean_whose_libraries_were_not_read() -> None:
    root = ElementTree.fromstring(junit.render(WITHOUT_LIBRARIES))
    first, second, third = root
    assert [case.get("name") for case in first.findall("testcase")] == ["no findings"]
    assert second.findtext("system-out") == UNREAD_WORDS
    assert [case.get("name") for case in third] == ["clean"]
    assert (root.get("tests"), root.get("failures")) == ("3", "1")


HOSTILE = "a\n::error title=x::forged\r\x1b[2J\u202e\x9b\u2028.pine"


@each("name", FORMATS)
def test_no_name_or_word_steers_a_terminal_or_begins_a_line(name: str) -> None:
    render: Callable[[LintRun], str] = import_module(f"pinebench.linter.report.{name}").render
    found = [finding(1, 1, 2, path=HOSTILE, message=HOSTILE, hint=HOSTILE)]
    shown = render(LintRun([ScriptFindings(LintedFile(HOSTILE, DecodedText(HOSTILE)), found, unread=[HOSTILE])]))
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert not [line for line in shown.splitlines() if line.startswith("::error title=x")]


def test_sarif_keeps_the_bytes_of_a_name_that_is_not_utf_8() -> None:
    assert loaded(sarif.render(ODD_BYTES))["runs"][0]["artifacts"][0]["location"]["uri"] == "caf%E9.pine"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=12,
    )
)
def test_json_is_what_the_standard_encoder_writes(value: object) -> None:
    written = json_report.dump(value)
    assert json.loads(written) == value
    assert written == in_json(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"
