"""Folders of recordings that are given to others: something personal never passes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pinebench.verification import folders
from pinebench.verification.recordings import Recording
from scripts.data import check_recordings
from tests.verification.support import recorded

SCRIPT = '//@version=6\nindicator("x")\nplot(close)\n'
PERSONAL = (
    "/home/jdoe/charts",
    "/Users/jdoe",
    "C:\\Users\\jdoe",
    "~/charts",
    "jane@example.com",
    "https://www.tradingview.com/u/jdoe/",
    "/chart/AbCd1234/",
    "USER;0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "account id: 1234567",
    "login 998877",
    "9f1c2d3e-aaaa-bbbb-cccc-0123456789ab",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.abc",
    "sk-ant-api03-abcdefgh",
    "ghp_abcdefgh1234",
    "8f14e45fceea167a5a36dedd4bea2543",
    "password=hunter22",
    "+43 660 1234567",
    "@jane_doe",
    "192.168.0.17",
    "of the Household Doe",
)


@pytest.fixture
def recording() -> Recording:
    return folders.prepared(recorded(SCRIPT, 20))


def written(recording: Recording, folder: Path) -> Path:
    """A folder as somebody has it who saved it with an older version, or changed it by hand."""
    folder.mkdir()
    for name, text in folders.written(recording).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_clean_folder_passes_and_its_texts_are_shown(
    recording: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = written(replace(recording, inputs={"Words": "slow trend"}), tmp_path / "a")
    assert check_recordings.main([str(folder)]) == 0
    assert '"slow trend"' in capsys.readouterr().out
    assert check_recordings.main([str(folder), "--name", "Slow Trend"]) == 1


def test_nothing_personal_passes_wherever_it_is(
    recording: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = 0
    for words in PERSONAL:
        quoted = json.dumps(words)
        plot = recording.plots[0]
        for wrong in (
            replace(recording, script=f"{recording.script}x = {quoted}\n"),
            replace(recording, script=f"{recording.script}// {words}\n"),
            replace(recording, inputs={"in_0": words}),
            replace(recording, plots=[plot._replace(title=words)]),
            replace(recording, assumed=[words]),
            replace(recording, properties={words: 1}),
        ):
            number += 1
            folder = written(wrong, tmp_path / str(number))
            assert check_recordings.main([str(folder), "--name", "household doe"]) == 1, (words, wrong)
            shown = "".join(capsys.readouterr())
            assert words not in shown.replace(str(folder), "")


def test_a_text_in_pieces_or_behind_escapes_is_found(recording: Recording, tmp_path: Path) -> None:
    folder = written(
        replace(recording, script=recording.script + 'x = "jane@" + "example" + ".com"\n'), tmp_path / "pieces"
    )
    assert check_recordings.faults(folder)
    folder = written(replace(recording, inputs={"in_0": "hers"}), tmp_path / "escaped")
    about = folder / folders.ABOUT
    about.write_text(about.read_text().replace("hers", "jane\\u0040example.com"))
    assert check_recordings.faults(folder)


def test_what_pinebench_does_not_write_is_refused(recording: Recording, tmp_path: Path) -> None:
    def changed(name: str, file: str, text: str) -> Path:
        folder = written(recording, tmp_path / name)
        (folder / file).write_text(text)
        return folder

    told = json.loads(folders.written(recording)[folders.ABOUT])
    bars = folders.written(recording)[folders.BARS]
    assert check_recordings.faults(changed("note", "notes.txt", "x"))
    assert check_recordings.faults(changed("key", folders.ABOUT, json.dumps({**told, "owner": "Jane"})))
    assert check_recordings.faults(changed("head", folders.BARS, bars.replace("volume", "jane", 1)))
    assert check_recordings.faults(changed("cell", folders.BARS, bars + "jane\n"))
    assert check_recordings.faults(tmp_path / "not there")
    linked = written(recording, tmp_path / "linked")
    (linked / folders.BARS).unlink()
    (linked / folders.BARS).symlink_to(tmp_path / "head" / folders.BARS)
    assert check_recordings.faults(linked)


def test_the_names_of_this_computer_are_looked_for(recording: Recording, tmp_path: Path) -> None:
    for name in check_recordings.own_names():
        folder = written(replace(recording, inputs={"in_0": f"by {name} today"}), tmp_path / str(abs(hash(name))))
        assert len(name) < 3 or check_recordings.main([str(folder)]) == 1, name
