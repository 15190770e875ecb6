"""One holder at a time, whatever becomes of the processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.files.locks import Lock, LockHeld

HOLD = (
    "import sys; from pinebench.files.locks import Lock; "
    "Lock(sys.argv[1]).acquire(); print('held', flush=True); input()"
)


def test_the_second_is_told_who_holds_it(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lock")
    with Lock(path):
        with pytest.raises(LockHeld) as refused:
            Lock(path).acquire()
        assert refused.value.pid == os.getpid()
        assert f"process {os.getpid()}" in refused.value.message
    with Lock(path):
        assert os.path.exists(path)
    assert not os.path.exists(path)


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "a.lock")
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockHeld) as refused:
            Lock(path).acquire()
        assert refused.value.pid == holder.pid
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with Lock(path):
        assert Path(path).read_text() == f"{os.getpid()}\n"


def test_a_file_that_the_last_holder_removed_meanwhile_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "a.lock")
    first = Lock(path)
    first.acquire()
    opened = os.open

    def open_while_it_is_released(*arguments: object, **options: object) -> int:
        handle = opened(*arguments, **options)  # type: ignore[arg-type]
        first.release()
        return handle

    monkeypatch.setattr(os, "open", open_while_it_is_released)
    second = Lock(path)
    second.acquire()
    monkeypatch.undo()
    with pytest.raises(LockHeld):
        Lock(path).acquire()
    second.release()
