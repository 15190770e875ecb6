"""No test reads or writes what is the user's, or what another test has kept."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from subprocess import PIPE

import pytest

from pinebench import config
from tests import homes

CHECKOUT = Path(__file__).resolve().parents[1]
USERS = Path(os.environ["TESTS_USERS_HOME"])
TEMPORARY = Path(os.environ["PYTEST_DEBUG_TEMPROOT"]).resolve()
pytestmark = pytest.mark.skipif(
    USERS in (TEMPORARY, Path(USERS.anchor)), reason="the user's home is the root folder or that of temporary files"
)


def test_all_that_pinebench_keeps_lies_in_a_home_of_the_test(own_home: str) -> None:
    assert str(Path.home()) == own_home and os.listdir(own_home) == []
    for folder in (config.cache_folder(), config.state_folder()):
        assert folder.startswith(own_home + os.sep)


def test_it_is_noticed_what_a_test_opens_below_the_users_home(own_home: str) -> None:
    path = USERS / "no-such-folder" / "state"
    with pytest.raises(OSError, match="no-such-folder"):
        path.read_text()
    with pytest.raises(OSError, match="no-such-folder"):
        os.mkdir(path)
    assert [line.split()[:2] for line in homes.opened()] == [["open", str(path)], ["os.mkdir", str(path)]]
    (Path(own_home) / "state").write_text("mine")
    assert homes.opened() == []


def test_it_is_noticed_what_other_processes_of_the_tests_open(tmp_path: Path) -> None:
    opening = "if not os.fork():\n    os.listdir(os.environ['FOLDER'])\nos.wait()"
    program = f"import os\nfrom tests import homes\nhomes.watch()\n{opening}"
    folder = str(USERS / "no-such-folder")
    environment = {**os.environ, "FOLDER": folder, "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert [line.split()[:2] for line in homes.opened()] == [["os.listdir", folder]]


def test_it_is_noticed_if_a_process_has_no_home_or_the_users() -> None:
    command = [sys.executable, "-c", ""]
    bare = {name: value for name, value in os.environ.items() if name not in homes.VARIABLES}
    subprocess.run(command, env=bare, check=True)
    subprocess.run(command, env={**bare, "HOME": str(USERS)}, check=True)
    first, second = homes.opened()
    assert first.startswith(homes.HOMELESS) and second.startswith(f"a process with HOME={USERS}")
    subprocess.run(command, check=True)
    assert homes.opened() == []


def test_the_users_home_may_be_the_folder_of_temporary_files(tmp_path: Path) -> None:
    begun = ("TESTS_", "PYTEST_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(begun)}
    folder = str(tmp_path)
    environment = {**kept, **dict.fromkeys((*homes.VARIABLES, "TMPDIR", "TEMP", "TMP"), folder)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_amounts.py"]
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(tmp_path.glob("pinebench-tests-*"))


def test_temporary_files_are_in_memory_where_it_has_room_and_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, memory = tempfile.gettempdir(), str(tmp_path)
    assert homes.temporary(memory, room=0) == usual  # TMPDIR is set
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(name, raising=False)
    assert homes.temporary(memory, room=0) == memory
    assert homes.temporary(memory, room=1 << 62) == usual
    figures = tmp_path / "meminfo"
    for available, place in (("2000 kB", memory), ("1999 kB", usual)):
        figures.write_text(f"MemTotal: 9999999 kB\nMemAvailable:   {available}\n")
        assert homes.temporary(memory, room=1000 << 10, figures=str(figures)) == place
    figures.write_text("MemTotal: 9999999 kB\n")
    assert homes.temporary(memory, room=1, figures=str(figures)) == usual
    assert homes.temporary(str(tmp_path / "missing"), room=0) == usual


def test_homes_of_a_killed_process_are_removed_and_those_of_others_stay(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    names = [f"pinebench-tests-{name}" for name in (f"{ended.pid}-a", f"{os.getpid()}-b", "c-d", "e")]
    for name in names:
        (tmp_path / name / "home-0").mkdir(parents=True)
    homes.remove_left(str(tmp_path))
    left = names if os.name == "nt" else names[1:]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(left)


_HOLDING = """\
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
"""A program that holds the folder it is given until its standard input ends."""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that only asks")
def test_files_of_a_killed_run_are_removed_and_those_of_others_stay(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    folder = tmp_path / "pytest-of-somebody"
    locks = {"pytest-0": str(ended.pid), "pytest-1": str(os.getpid()), "pytest-2": "", "other-3": str(ended.pid)}
    for name, text in locks.items():
        (folder / name / "test_it0").mkdir(parents=True)
        (folder / name / ".lock").write_text(text)
    (folder / "pytest-4").mkdir()  # a run that ended: pytest removes it
    (folder / "pytest-current").symlink_to(folder / "pytest-0")
    with subprocess.Popen([sys.executable, "-c", _HOLDING, tmp_path], stdin=PIPE, stdout=PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        homes.remove_left(str(tmp_path))
        other.communicate()
    assert (folder / "pytest-0").exists()  # another process removes what is left
    homes.remove_left(str(tmp_path))
    assert sorted(os.listdir(folder)) == ["other-3", "pytest-1", "pytest-2", "pytest-4", "pytest-current"]


def test_tests_that_a_test_runs_can_fail(tmp_path: Path) -> None:
    (tmp_path / "test_failing.py").write_text("def test_failing() -> None:\n    assert False\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(CHECKOUT / "pyproject.toml")]
    command += ["-p", "tests.conftest", str(tmp_path)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert "1 failed" in done.stdout
    assert done.returncode == 1
