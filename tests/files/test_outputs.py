"""What somebody else made is not replaced by an output; what we wrote there is."""

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.files import atomic_writes, outputs


@pytest.fixture(autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path_factory.mktemp("state")))


def test_a_file_of_somebody_elses_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_bytes(b"mine")
    with pytest.raises(UsageError, match="exists, and pinebench did not write it") as refused:
        outputs.put(str(path), b"result")
    assert "--force" in str(refused.value.hint)
    assert path.read_bytes() == b"mine"
    assert outputs.put(str(path), b"result", force=True) is None
    assert path.read_bytes() == b"result"


def test_our_own_output_is_replaced_until_somebody_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    outputs.put(str(path), b"one")
    outputs.put(str(tmp_path / "." / "out.csv"), b"two")
    assert path.read_bytes() == b"two"
    path.write_bytes(b"two, and a note")
    with pytest.raises(UsageError):
        outputs.check(str(path))


def test_an_empty_file_holds_nothing_to_lose(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.touch()
    outputs.put(str(path), b"result")
    assert path.read_bytes() == b"result"


def test_without_a_state_folder_what_exists_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the state folder would be")
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(blocked))
    path = tmp_path / "out.csv"
    outputs.put(str(path), b"one")
    with pytest.raises(UsageError):
        outputs.put(str(path), b"two")
    assert path.read_bytes() == b"one"


def test_a_file_that_cannot_be_read_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("theirs")

    def denied(_path: str) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(outputs, "_content", denied)
    with pytest.raises(UsageError, match="did not write it"):
        outputs.put(str(tmp_path / "a.csv"), b"ours")
    assert (tmp_path / "a.csv").read_text() == "theirs"


def test_what_somebody_writes_in_this_moment_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.csv"
    outputs.put(str(path), b"one")
    fill = atomic_writes._fill

    def and_then_theirs(*given: object) -> None:
        fill(*given)  # type: ignore[arg-type]
        path.write_bytes(b"theirs")

    monkeypatch.setattr(atomic_writes, "_fill", and_then_theirs)
    for name in ("out.csv", "new.csv"):
        path = tmp_path / name
        with pytest.raises(UsageError, match="left alone"):
            outputs.put(str(path), b"two")
        assert path.read_bytes() == b"theirs"
