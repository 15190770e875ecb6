"""Recordings as folders: they replay as they were, and nothing personal is written."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.verification import folders
from pinebench.verification.privacy import personal, without_remarks
from pinebench.verification.verdicts import verify
from tests.verification.support import recorded

_REMARKS = """//@version=6
// © jane_doe, license 42
strategy("Mine", alert_message = "unknown") // by jane_doe
secret = "kept // here"
plot(close, "C") // https://example.com/jane
alertcondition(close > open, "Up", "buy " + '{"passphrase": "abc"}')
alert("to jane_doe: " + str.tostring(close), alert.freq_all)
strategy.entry("L", strategy.long, alert_message = "pw=" + secret, comment = "in")
strategy.close("L", "out", na, na, "hook of jane_doe")
"""


def test_a_saved_recording_replays_with_the_same_verdict(tmp_path: Path) -> None:
    recording = folders.prepared(recorded(length=12))
    names = folders.save(recording, str(tmp_path / "a" / "b"))
    back = folders.load(str(tmp_path / "a" / "b"))
    assert folders.written(back) == folders.written(recording)
    assert set(names) == {each.name for each in (tmp_path / "a" / "b").iterdir()}
    assert verify(back)["verdict"] == "equal"


def test_comments_and_texts_of_alerts_are_removed() -> None:
    text = without_remarks(_REMARKS)
    assert text.count("\n") == _REMARKS.count("\n")
    assert "jane" not in text
    assert "passphrase" not in text
    assert text.startswith("//@version=6\n\nstrategy(")
    assert 'secret = "kept // here"' in text
    assert 'comment = "in"' in text
    assert 'strategy.close("L", "out", na, na, "")' in text
    assert 'alertcondition(close > open, "Up", ""' in text


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('label.new(0, 0, "by Jane Doe")', "account"),
        ('plot(close, "layout of monday")', "account"),
        ('x = "https://hooks.example.com/abc"', "web"),
        ('x = "USER;0a1b2c3d4e5f60718293a4b5c6d7e8f9"', "script"),
        ('x = "me@example.com"', "e-mail"),
        ('x = \'{"passphrase": "hunter22"}\'', "secret"),
        ('x = "8f14e45fceea167a5a36dedd4bea2543"', "token"),
    ],
)
def test_what_is_personal_is_refused_and_nothing_is_written(tmp_path: Path, line: str, kind: str) -> None:
    recording = recorded('//@version=6\nindicator("x")\nplot(close)', 20)
    wrong = replace(recording, script=recording.script + "\n" + line)
    with pytest.raises(UsageError, match=kind) as caught:
        folders.save(wrong, str(tmp_path / "new"), ["jane doe", "Layout of Monday", "me"])
    assert "script.pine, line 4" in caught.value.message
    assert not (tmp_path / "new").exists()
    inputs = replace(recording, inputs={"in_0": line})
    with pytest.raises(UsageError, match=r"verification\.json"):
        folders.save(inputs, str(tmp_path / "new"), ["jane doe", "Layout of Monday"])


def test_names_are_found_as_whole_words_only() -> None:
    assert personal({"a": "plot(close)"}, ["los", "clos", "ab"]) == []
    assert [each.line for each in personal({"a": "x\nplot(close)"}, ["Close"])] == [2]


def test_a_folder_with_files_is_not_overwritten(tmp_path: Path) -> None:
    recording = recorded('//@version=6\nindicator("x")\nplot(close)', 20)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        folders.save(recording, str(tmp_path))
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_of_an_older_version_has_the_assumed_names_as_one_text(tmp_path: Path) -> None:
    recording = recorded('//@version=6\nindicator("x")\nplot(close)', 20)
    folders.save(recording, str(tmp_path / "a"))
    about = tmp_path / "a" / folders.ABOUT
    told = json.loads(about.read_text())
    about.write_text(json.dumps({**told, "symbol": {**told["symbol"], "assumed": "type currency"}}))
    assert folders.load(str(tmp_path / "a")).symbol.assumed == ("type", "currency")
    about.write_text(json.dumps({**told, "symbol": {**told["symbol"], "assumed": 5}}))
    with pytest.raises(UsageError, match="assumed is 5"):
        folders.load(str(tmp_path / "a"))


def test_a_broken_folder_is_refused_with_the_file(tmp_path: Path) -> None:
    recording = recorded('//@version=6\nindicator("x")\nplot(close)', 20)
    folders.save(recording, str(tmp_path / "a"))
    bars = tmp_path / "a" / folders.BARS
    good = bars.read_text()
    for name, text in ((folders.BARS, good + "1,2\n"), (folders.PLOTS, "time,plot_0\n1,x\n"), (folders.ABOUT, "{}")):
        kept = (tmp_path / "a" / name).read_text()
        (tmp_path / "a" / name).write_text(text)
        with pytest.raises(UsageError, match=name):
            folders.load(str(tmp_path / "a"))
        (tmp_path / "a" / name).write_text(kept)
    assert len(folders.load(str(tmp_path / "a")).bars) == 20
