"""`pinebench compare` shows where TradingView judges otherwise, and sends nothing but the scripts."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.cli import main
from pinebench.cli.commands import compare as command
from pinebench.compilers import Verdict
from pinebench.context import Context
from pinebench.syntax import nodes
from pinebench.syntax.lines import LineIndex
from tests.cli.compare.fakes import Fake, is_a
from tests.cli.support import CLEAN, Outcome, pinebench
from tests.compilers.peers import Answer, Peer, Posted

LOOP = '//@version=6\nindicator("Loop")\nlength = 3\nsum = 0.0\nfor i = 1 to length\n    sum += i\nplot(sum)\n'


class Service(Peer):
    """TradingView's check, played by a fake that refuses loops; answers with errors in the service's shape."""

    def __init__(self) -> None:
        super().__init__()
        self.fake = Fake(is_a(nodes.ForTo))

    def _take(self, posted: Posted) -> Answer:
        self.posted.append(posted)
        verdict = self.fake.compile(posted.source, Context())
        lines = LineIndex(posted.source)
        errors: list[Any] = []
        for each in verdict.diagnostics:
            start, end = (lines.position(offset) for offset in each.span)
            place = {"start": start._asdict(), "end": {"line": end.line, "column": end.column - 1}}
            errors.append({**place, "message": each.message, "code": each.code})
        return Answer({"success": True, "result": {"errors": errors}})


def compare(folder: Path, url: str, *arguments: str) -> Outcome:
    return pinebench(
        "compare", *arguments, "--with", "online", folder=folder, environment={"PINEBENCH_ONLINE_URL": url}
    )


def test_the_same_is_0_and_a_difference_is_1(tmp_path: Path) -> None:
    (tmp_path / "loop.pine").write_text(LOOP)
    (tmp_path / "clean.pine").write_text(CLEAN)
    with Service() as service:
        same = compare(tmp_path, service.url, "clean.pine")
        both = compare(tmp_path, service.url, ".", "--format", "json")
    assert (same.code, same.out) == (0, "clean.pine: the same\n1 script compared with online: 1 agree, 0 differ\n")
    assert both.code == 1
    report = json.loads(both.out)
    assert report["summary"] == {"files": 2, "same": 1, "different": 1}
    assert [(each["path"], each["difference"]) for each in report["files"]] == [
        ("clean.pine", None),
        ("loop.pine", "verdict"),
    ]
    (difference,) = report["files"][1]["differences"]
    assert (difference["kind"], difference["side"], difference["line"], difference["code"]) == (
        *("verdict", "theirs", 5, "CE19999"),
    )
    assert [each.source for each in service.posted] == [CLEAN, LOOP]  # the first answer was kept


def test_a_difference_is_reduced_to_what_shows_it_and_only_parts_of_the_script_are_sent(tmp_path: Path) -> None:
    (tmp_path / "loop.pine").write_text(f"{LOOP}// a secret remark\nplot(ta.sma(close, 9), 'secret name')\n")
    (tmp_path / "other.pine").write_text(CLEAN.replace("Clean", "never named"))
    with Service() as service:
        outcome = compare(tmp_path, service.url, "loop.pine", "--reduce", "--format", "json")
    reduced = json.loads(outcome.out)["files"][0]["reduced"]
    assert outcome.code == 1
    assert reduced["lines"] <= 6
    assert "for " in reduced["source"] and "secret" not in reduced["source"]
    assert reduced["ended"] is None
    assert reduced["compilations"] == len(service.posted) - 1
    assert not any("never named" in each.source for each in service.posted)


def test_people_read_who_says_what(tmp_path: Path) -> None:
    (tmp_path / "loop.pine").write_text(LOOP)
    with Service() as service:
        outcome = compare(tmp_path, service.url, "loop.pine", "--reduce", "--limit", "1")
    assert outcome.code == 1
    assert "loop.pine: TradingView refuses it, but pinebench does not\n" in outcome.out
    assert "  TradingView  5:1  error CE19999  Not here\n" in outcome.out
    assert "(compiled once; ended early: the limit of 1 compilations was reached):\n" in outcome.out
    assert outcome.err == ""


def test_what_could_not_be_compared_is_said_and_of_an_old_script_nothing_is_sent(tmp_path: Path) -> None:
    (tmp_path / "old.pine").write_text(CLEAN.replace("=6", "=5"))
    (tmp_path / "clean.pine").write_text(CLEAN)
    with Service() as service:
        outcome = compare(tmp_path, service.url, "clean.pine", "old.pine")
    assert outcome.code == 3
    assert "clean.pine: the same" in outcome.out
    assert "old.pine: pinebench checks v6 only" in outcome.err
    assert len(service.posted) == 1
    (tmp_path / "more.pine").write_text(LOOP)
    nobody = compare(tmp_path, "http://127.0.0.1:9", "clean.pine", "more.pine", "old.pine")
    assert (nobody.code, nobody.out) == (3, "")
    assert nobody.err.startswith("pinebench: clean.pine and 2 more: TradingView's check cannot be reached")
    assert len(nobody.err.splitlines()) == 1


def test_ctrl_c_keeps_what_was_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    (tmp_path / "loop.pine").write_text(LOOP)
    (tmp_path / "z.pine").write_text(CLEAN)
    monkeypatch.chdir(tmp_path)
    fake = Fake(is_a(nodes.ForTo))
    judge = fake.compile

    def compile_and_stop(source: str, context: Context) -> Verdict:
        if len(fake.asked) == 4:
            raise KeyboardInterrupt
        return judge(source, context)

    monkeypatch.setattr(fake, "compile", compile_and_stop)
    monkeypatch.setattr(command, "compiler_of", lambda *_, **__: fake)
    assert main(["compare", ".", "--with", "online", "--reduce", "--format", "json"]) == 130
    report = json.loads(capsys.readouterr().out)
    assert [each["path"] for each in report["files"]] == ["a.pine", "loop.pine"]
    reduced = report["files"][1]["reduced"]
    assert (reduced["ended"], reduced["compilations"]) == ("interrupted", 3)
    assert reduced["lines"] < 7


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a.pine",), "missing: --with"),
        (("a.pine", "--with", "local"), "must be one of online, chart, not 'local'"),
        (("a.pine", "--with", "online", "--limit", "3"), "--limit works only with --reduce"),
        (("missing.pine", "--with", "online"), "missing.pine: there is no such file"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "a.pine").write_text(CLEAN)
    outcome = pinebench("compare", *arguments, folder=tmp_path)
    assert outcome.code == 2
    assert words in outcome.err
