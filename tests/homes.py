"""Gives the tests homes of their own: nothing of the user is read or written, and no test sees what another one kept.

All that pinebench keeps lies below the home, unless a variable says otherwise: configuration, state, cache and data.
So a test gets a new home, and the variables are unset. What is only fetched (packages, and other Pythons) stays where
it is.

Whatever Python code of the tests opens below the user's home is written down, and so is each process that is started
without a home or with the user's. The test during which it happened fails.
"""

import atexit
import contextlib
import itertools
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

VARIABLES = ("HOME", "USERPROFILE")
"""Where programs look for the home."""
HOMELESS = "a process without HOME"
"""What is written down for a process that has to look for the user's home in the list of users."""

_ELSEWHERE = (
    *(f"XDG_{kind}_HOME" for kind in ("CONFIG", "CACHE", "DATA", "STATE")),
    *("CODEX_HOME", "CLAUDE_CONFIG_DIR", "MPLCONFIGDIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"),
)
"""Variables that would lead out of the home."""

_FETCHED = {
    "npm_config_cache": ".npm",
    "npm_config_userconfig": ".npmrc",
    "PIP_CACHE_DIR": ".cache/pip",
    "PYENV_ROOT": ".pyenv",
}
"""How packages are fetched, and where they and other Pythons are. npm and pip name what they keep by its contents."""

_REPORT = "TESTS_HOME_REPORT"
"""The variable with the file in which it is written down who opened what."""

_USERS = "TESTS_USERS_HOME"
"""The variable with the user's home."""

_OPENING = {
    *("open", "shutil.rmtree", "sqlite3.connect"),
    *(
        f"os.{name}"
        for name in ("chmod", "listdir", "link", "mkdir", "remove", "rename", "rmdir", "scandir", "symlink")
    ),
}
"""Audit events whose first argument is a path."""

_STARTING = {"subprocess.Popen": 3, "os.exec": 2, "os.posix_spawn": 2}
"""Audit events of a process that is started, and which argument is its environment."""

_FOLDER = "pinebench-tests-"
"""How the name of a folder with homes begins. The number of its process follows."""

_MEMORY = "/dev/shm"
"""The folder of Linux whose files are in memory."""
_ROOM = 4 << 30
"""The bytes that must be free there, and twice as many in the memory itself. All tests together leave less than a
fourth of it."""
_FIGURES = "/proc/meminfo"
"""Where Linux tells how much memory is available."""

_numbers = itertools.count()


def move() -> None:
    """Give this process a home, below a folder that is removed when the process ends."""
    users = os.environ.setdefault(_USERS, os.path.realpath(os.path.expanduser("~")))
    for variable, name in _FETCHED.items():
        if os.path.exists(os.path.join(users, name)):
            os.environ.setdefault(variable, os.path.join(users, name))
    for variable in _ELSEWHERE:
        os.environ.pop(variable, None)
    # pytest keeps the folders of the last runs where it kept them before.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", temporary())
    remove_left(os.environ["PYTEST_DEBUG_TEMPROOT"])
    root = tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-", dir=os.environ["PYTEST_DEBUG_TEMPROOT"])
    os.chmod(root, 0o711)  # as among the temporary files, another user can reach what is opened to all
    atexit.register(_remove, root, os.getpid())
    # Locks that all processes of a user share, and what browsers leave, lie among the temporary files.
    os.environ["TMPDIR"] = tempfile.tempdir = os.path.join(root, "tmp")
    os.mkdir(tempfile.tempdir)
    os.environ[_REPORT] = os.path.join(root, "opened")
    for variable in VARIABLES:
        os.environ[variable] = new(root)
    watch()


def temporary(memory: str = _MEMORY, room: int = _ROOM, figures: str = _FIGURES) -> str:
    """The folder for temporary files: the one that the user names, or memory with room, or the usual one.

    What must be kept when the power fails is written to a disk at once, which takes a millisecond for each commit.
    """
    if any(os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")) or not os.access(memory, os.W_OK):
        return tempfile.gettempdir()
    state = os.statvfs(memory)
    has_room = state.f_bavail * state.f_frsize >= room and _available(figures) >= 2 * room
    return memory if has_room and not state.f_flag & os.ST_NOEXEC else tempfile.gettempdir()


def _available(figures: str) -> int:
    """The bytes of memory that programs can still take; 0 if it is not known."""
    try:
        lines = Path(figures).read_text().splitlines()
    except OSError:
        return 0
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return int(found[0]) << 10 if found else 0


def remove_left(folder: str) -> None:
    """Remove the homes and pytest's files in `folder` whose process was killed; those of a process that runs stay.

    pytest writes the number of its process into a lock, and would keep the files of a killed one for three days.
    """
    if os.name != "posix":  # Windows has no signal that only asks
        return
    import fcntl

    own = os.open(folder, os.O_RDONLY)
    try:
        # One process at a time: a new run may take the number of the files that another process has just removed.
        fcntl.flock(own, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for path in Path(folder).glob(f"{_FOLDER}*-*"):
            _remove_if_ended(path, path.name.removeprefix(_FOLDER).partition("-")[0])
        for lock in Path(folder).glob("pytest-of-*/pytest-[0-9]*/.lock"):
            with contextlib.suppress(OSError):  # the run ends just now, or the files are another user's
                _remove_if_ended(lock.parent, lock.read_text())
    except BlockingIOError:
        pass  # another process removes them
    finally:
        os.close(own)


def _remove_if_ended(path: Path, number: str) -> None:
    """Remove the folder of the process with this number, if there is no such process."""
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        shutil.rmtree(path, ignore_errors=True)
    except (ValueError, OSError, OverflowError):
        pass  # it is no number, or the process is another user's


def new(root: str = "") -> str:
    """A new home, which is empty."""
    folder = os.path.join(root or os.path.dirname(os.environ[_REPORT]), f"home-{next(_numbers)}")
    os.mkdir(folder, 0o700)
    return folder


def opened() -> list[str]:
    """What was opened below the user's home since the last call, and the processes that were started without one."""
    report = os.environ[_REPORT]
    if not os.path.exists(report):
        return []
    lines = Path(report).read_text(encoding="utf-8", errors="replace").splitlines()
    os.remove(report)
    return lines


def watch() -> None:
    """Write down from now on what this process and its forks open below the user's home."""
    report, users = os.environ[_REPORT], os.environ[_USERS]
    allowed = _allowed(users)

    def is_users(path: str) -> bool:
        return path.startswith(users + os.sep) and not path.startswith(allowed)

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _OPENING:
            path = arguments[0]
            if isinstance(path, bytes):
                path = os.fsdecode(path)
            if not isinstance(path, str) or not is_users(path):
                return
            _write(report, f"{event} {path}")
        elif event in _STARTING:
            environment = arguments[_STARTING[event]]
            home = None if environment is None else _home(environment)
            if home == users:
                _write(report, f"a process with HOME={users}: {arguments[1]}")
            elif environment is not None and home is None:
                _write(report, f"{HOMELESS}: {arguments[1]}")

    if len(users) > 1:
        sys.addaudithook(note)


def _allowed(users: str) -> tuple[str, ...]:
    """What lies below the user's home and is open to tests: this checkout, Python, and what is only fetched.

    Temporary files are, too, with the report, even if the user's home is their folder.
    """
    here = Path(__file__).resolve().parents[1]
    given = (*(os.environ.get(name, "") for name in _FETCHED), *sys.path)
    named = (value for name, value in os.environ.items() if name.startswith("PINEBENCH_"))
    folders = {str(here), sys.prefix, sys.base_prefix, sys.exec_prefix, *given, *named}
    folders |= {os.path.realpath(folder) for folder in folders if folder}
    temporary = {os.path.dirname(os.environ[_REPORT]), os.environ["PYTEST_DEBUG_TEMPROOT"]}
    temporary |= {os.path.realpath(folder) for folder in temporary}
    return tuple(
        f"{folder}{os.sep}" if folder in temporary else folder
        for folder in folders | temporary
        if folder.startswith(users + os.sep) or (folder == users and folder in temporary)
    )


def _home(environment: Any) -> str | None:
    found = [value for name, value in environment.items() if os.fsdecode(name) in VARIABLES]
    return os.fsdecode(found[0]) if found else None


def _write(report: str, text: str) -> None:
    """Add a line to the report. The hook hears of this only that the report is opened, which is allowed."""
    line = f"{text} ({os.environ.get('PYTEST_CURRENT_TEST', 'no test')})\n"
    number = os.open(report, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(number, line.encode(errors="replace"))
    os.close(number)


def _remove(root: str, number: int) -> None:
    if os.getpid() == number:
        shutil.rmtree(root, ignore_errors=True)
