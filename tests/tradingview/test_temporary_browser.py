"""A browser for one run: nothing of it outlives the run, not even one that was killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.tradingview import targets
from pinebench.tradingview.temporary_browser import run_profile, sweep
from tests.tradingview.support import LIMIT, QUIET, until

PROGRAM = """
import sys, time
from pathlib import Path
from pinebench.tradingview import browser
from pinebench.tradingview.temporary_browser import run_profile
with run_profile(Path(sys.argv[1])) as profile:
    options = {"profile": profile, "port": 0, "url": "about:blank", "headless": True, "extra": sys.argv[2:]}
    launched = browser.launch(leashed=True, **options)
    print(launched.port, launched.pid, flush=True)
    time.sleep(600)
"""


def test_a_profile_goes_with_its_run(tmp_path: Path) -> None:
    with run_profile(tmp_path / "deep") as profile:
        assert Path(profile).stat().st_mode & 0o077 == 0
        (Path(profile) / "file").write_text("x")
        sweep(tmp_path / "deep")  # as another run does: this one has an owner
        assert (Path(profile) / "file").exists()
    assert [*(tmp_path / "deep").iterdir()] == []


def test_a_folder_of_another_name_or_a_link_is_left(tmp_path: Path) -> None:
    (tmp_path / "profile-chrome").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "run-profile-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "run-profile-dead").mkdir()
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "profile-chrome", "run-profile-link"]


@pytest.mark.live
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_browser_outlives_a_run_that_was_killed(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), *QUIET]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port, pid = (int(word) for word in process.stdout.readline().split())
        assert "Chrome" in targets.version("127.0.0.1", port)["Browser"]
    finally:
        process.send_signal(number)
        process.wait(LIMIT)
    until(lambda: not is_running(pid))
    with run_profile(tmp_path) as profile:
        assert [path for path in tmp_path.iterdir() if path.is_dir()] == [Path(profile)]


def is_running(pid: int) -> bool:
    """Whether the process is there and has not ended; who inherited it may not have looked at it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
    except OSError:
        os.kill(pid, 0)
        return True
