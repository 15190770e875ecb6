"""Starts a browser, or TradingView Desktop, with a debug port and a separate profile."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import files
from pinebench.errors import UnavailableError, UsageError
from pinebench.tradingview import targets
from pinebench.tradingview.browser_programs import Executable, default_profile, find, is_default_profile, platform_name
from pinebench.tradingview.temporary_browser import Leash

CHART_URL = "https://www.tradingview.com/chart/"
START_TIMEOUT = 60.0
"""Seconds that a browser may take until its debug port answers."""

STOP_TIMEOUT = 5.0
LAST_SECONDS = 2.0
"""The longest time in seconds to wait, after the browser has ended, until the processes that it started have ended
too."""

LEAST_SHARED_MEMORY = 256 * 1024 * 1024
"""If less shared memory than this (in bytes) is free, the browser is started with a flag to use files instead."""


class Trap(NamedTuple):
    """A known start-up problem that the program itself does not explain. `advice` says what to do."""

    name: str
    problem: str
    advice: str


TRAPS: dict[str, Trap] = {
    trap.name: trap
    for trap in (
        Trap(
            "default-profile",
            "Chrome 136 and later, Edge and Chromium ignore the debug port on their default profile",
            "leave --profile out: pinebench keeps a profile of its own, in which you log in once",
        ),
        Trap(
            "handed-over",
            "the program handed over to an instance that was already running without a debug port",
            "quit it, then run 'pinebench launch' again; pinebench never closes a program that it did not start",
        ),
        Trap(
            "store-package",
            "the Windows Store package of TradingView may not start with a debug port",
            "if the port does not open, use the web chart: 'pinebench launch --browser edge'",
        ),
        Trap(
            "snap-profile",
            "Chromium from a snap cannot write to hidden folders in your home folder",
            "pinebench keeps the profile below ~/snap/chromium/common instead",
        ),
        Trap(
            "no-display",
            "there is no display on which a window could open",
            "set DISPLAY or WAYLAND_DISPLAY, or start a browser without a window: 'pinebench launch --headless'",
        ),
    )
}
"""Every trap by name."""

_DROPPED_VARIABLES = ("ELECTRON_RUN_AS_NODE", "ELECTRON_NO_ATTACH_CONSOLE", "NODE_OPTIONS")
"""Environment variables that editors set and that the browser must not get. With the first one, an Electron program
starts as plain Node, without a debug port."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """The plan for starting a program: its command line, environment, profile folder, and traps to warn the user about.

    `second` is the command line for a second try if the debug port does not open, or None.
    """

    executable: Executable
    command: tuple[str, ...]
    environment: dict[str, str]
    profile: str | None
    warnings: tuple[Trap, ...]
    second: tuple[str, ...] | None = None


def plan(
    executable: Executable,
    port: int,
    *,
    profile: str | None = None,
    url: str = CHART_URL,
    headless: bool = False,
    platform: str | None = None,
    environment: Mapping[str, str] = os.environ,
    root: bool | None = None,
    extra_flags: Sequence[str] = (),
) -> LaunchPlan:
    """Return the plan for starting `executable` with its debug port at `port` (0: any free port), without starting it.

    Raises UsageError if the start would surely fail: with the browser's default profile, or with any profile for
    TradingView Desktop. Raises UnavailableError if a window is wanted but there is no display.
    """
    platform = platform or platform_name()
    root = (hasattr(os, "geteuid") and os.geteuid() == 0) if root is None else root
    child = {key: value for key, value in environment.items() if key.upper() not in _DROPPED_VARIABLES}
    flags = [f"--remote-debugging-port={port}"]
    if executable.known.desktop:
        if profile is not None:
            raise UsageError("TradingView Desktop keeps its own profile", "leave --profile out")
        return _desktop_plan(executable, platform, child, flags, extra_flags)
    own = default_profile(executable, platform, environment)
    profile = profile or own
    if profile is None or is_default_profile(profile, platform, environment):
        raise UsageError(f"{profile}: {TRAPS['default-profile'].problem}", TRAPS["default-profile"].advice)
    warnings = (TRAPS["snap-profile"],) if "/snap/chromium/" in profile else ()
    if platform == "linux" and not headless and not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        raise UnavailableError(TRAPS["no-display"].problem, TRAPS["no-display"].advice)
    flags += [f"--user-data-dir={profile}", *_browser_flags(platform, headless=headless, root=root)]
    return LaunchPlan(executable, (executable.path, *flags, *extra_flags, url), child, profile, warnings)


def _desktop_plan(
    executable: Executable, platform: str, child: dict[str, str], flags: list[str], extra: Sequence[str]
) -> LaunchPlan:
    """Return how to start TradingView Desktop with `flags` in the environment `child`."""
    warnings = (TRAPS["store-package"],) if platform == "windows" and "WindowsApps" in executable.path else ()
    path = _through_snap(executable.path)
    if path == SNAP and child.get("WAYLAND_DISPLAY"):
        flags = [*flags, "--ozone-platform=x11"]  # the snap's window does not appear on Wayland
    command = _desktop_command(path, platform, [*flags, *extra])
    second = _package_command(path, [*flags, *extra]) if platform == "windows" else None
    return LaunchPlan(Executable(executable.name, path), command, child, None, warnings, second)


def _browser_flags(platform: str, *, headless: bool, root: bool) -> list[str]:
    """Return the flags of a browser besides its port and its profile."""
    flags = [
        "--no-first-run",
        "--no-default-browser-check",
        # A chart in a covered window must go on drawing and answering.
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
    ]
    if headless:
        flags += ["--headless=new", "--window-size=1400,900", "--disable-gpu"]
    if platform == "linux" and root:
        flags.append("--no-sandbox")  # Chromium refuses to run as root with its sandbox
    if platform == "linux" and _shared_memory() < LEAST_SHARED_MEMORY:
        flags.append("--disable-dev-shm-usage")  # in containers, whose small /dev/shm crashes pages
    return flags


def _shared_memory(folder: str = "/dev/shm") -> int:
    """Return the free bytes in the shared-memory folder, through which a browser's processes exchange pictures. The
    result is 0 if the folder is missing or cannot be written."""
    try:
        state = os.statvfs(folder)
    except (OSError, AttributeError):
        return 0
    return state.f_bavail * state.f_frsize if os.access(folder, os.W_OK) else 0


SNAP = "/snap/bin/tradingview"
"""The command of the snap, which starts TradingView Desktop inside its confinement."""


def _through_snap(path: str) -> str:
    """Return the snap's command for a program inside the snap: started directly, the program has no log-in and
    crashes."""
    return SNAP if re.match(r"/snap/tradingview/[^/]+/", path) else path


def _package_command(path: str, flags: Sequence[str]) -> tuple[str, ...] | None:
    """Return the command that starts TradingView Desktop inside its Windows Store package, which must not be running.
    None if `path` is not in such a package. The package's family is its name and its publisher."""
    found = re.search(r"\\WindowsApps\\(TradingView\.Desktop)_[^\\]*__(\w+)\\", path)
    if found is None:
        return None
    quoted = path.replace("'", "''")
    script = (
        f"Invoke-CommandInDesktopPackage -PackageFamilyName '{found[1]}_{found[2]}' -AppId '{found[1]}' "
        f"-Command '{quoted}' -Args '{' '.join(flags)}'"
    )
    return ("powershell.exe", "-NoProfile", "-NonInteractive", "-Command", script)


def _desktop_command(path: str, platform: str, flags: Sequence[str]) -> tuple[str, ...]:
    """Return the command that starts TradingView Desktop. On macOS it uses `open`, because the program may never show
    its page as a child of a terminal session."""
    if platform == "macos" and ".app/" in path:
        return ("open", "-a", path.split(".app/")[0] + ".app", "--args", *flags)
    return (path, *flags)


@dataclass
class RunningBrowser:
    """A browser with an open debug port. `process` is None if pinebench did not start it itself."""

    executable: Executable | None
    port: int
    version: str
    profile: str | None
    process: subprocess.Popen[bytes] | None
    warnings: tuple[Trap, ...] = ()
    leash: Leash | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process that pinebench started, or None."""
        return self.process.pid if self.process is not None else None

    def stop(self) -> None:
        """End the browser and all processes that it started, if pinebench started it."""
        if self.process is not None:
            end_process(self.process)
        if self.leash is not None:
            self.leash.close()


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process that we started and its process group, and wait until all of them have ended. After `STOP_TIMEOUT`
    seconds they are killed."""
    for number in (signal.SIGTERM, _KILL):
        _signal_group(process, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_TIMEOUT)
            break
    # Processes that it started may still run, and write into the profile folder that is removed next.
    end = time.monotonic() + LAST_SECONDS
    while hasattr(os, "killpg") and _signal_group(process, _KILL) and _runs(process.pid) and time.monotonic() < end:
        time.sleep(0.01)


def _runs(group: int) -> bool:
    """Return whether a process of the process group `group` still runs. In many containers nobody collects the exit
    status of an orphaned process. Such a process can still be signalled long after it has ended, and only /proc shows
    that it has ended."""
    known = list(Path("/proc").glob("[0-9]*/stat"))
    for each in known:
        with contextlib.suppress(OSError, ValueError):  # the process has ended meanwhile
            state, _, its_group = each.read_text(errors="replace").rpartition(")")[2].split()[:3]
            if int(its_group) == group and state not in ("Z", "X"):
                return True
    return not known


_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def _signal_group(process: subprocess.Popen[bytes], number: int) -> bool:
    """Send a signal to `process` and to every process of its group; return False if none of them is left."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)  # it leads its own group, see start_new_session
        else:
            process.terminate()
    except (ProcessLookupError, PermissionError):
        return False
    return True


def launch(
    wanted: str | None = None,
    *,
    port: int = 9222,
    profile: str | None = None,
    url: str = CHART_URL,
    headless: bool = False,
    extra: Sequence[str] = (),
    timeout: float = START_TIMEOUT,
    leashed: bool = False,
) -> RunningBrowser:
    """Start a browser or TradingView Desktop and wait until its debug port answers.

    `wanted` is a name of `KNOWN` or a path. `extra` holds further flags for the program. `timeout` is in seconds. With
    `leashed` the browser ends by itself as soon as this process has ended, even if it was killed. A browser that
    already answers at `port` is returned unchanged. A program that was running before is never ended. Raises
    UsageError, or UnavailableError with the cause.
    """
    running = _answering(port) if port else None
    if running is not None:
        return RunningBrowser(None, port, running, None, None)
    chosen = plan(find(wanted), port, profile=profile, url=url, headless=headless, extra_flags=extra)
    try:
        return _started(chosen, port, timeout, leashed=leashed)
    except (UnavailableError, OSError):
        if chosen.second is None:
            raise
        # The command ends at once, so pinebench did not start the program itself.
        again = replace(chosen, command=chosen.second, second=None)
        return replace(_started(again, port, timeout, leashed=False), process=None)


def _started(chosen: LaunchPlan, port: int, timeout: float, *, leashed: bool) -> RunningBrowser:
    """Start a program as planned, and wait until its debug port answers."""
    log = _prepare(chosen)
    ours = chosen.command[0] != "open"
    leash = Leash() if leashed and os.name != "nt" and not chosen.executable.known.desktop else None
    with contextlib.ExitStack() as undo:
        if leash is not None:
            undo.callback(leash.close)
        with files.open_private(log, "wb") as output, _signals_held():
            process = subprocess.Popen(
                chosen.command if leash is None else leash.command(chosen.command),
                pass_fds=() if leash is None else leash.passed,
                env=chosen.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=os.name != "nt",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
                | getattr(subprocess, "DETACHED_PROCESS", 0),
            )
            if leash is not None:
                leash.handed_over()
            if ours:
                undo.callback(end_process, process)
        found_port, version = _await_port(process if ours else None, chosen, port, log, timeout)
        undo.pop_all()
    started = process if ours else None
    return RunningBrowser(chosen.executable, found_port, version, chosen.profile, started, chosen.warnings, leash)


def is_free(port: int) -> bool:
    """Return whether `port` on this computer is free, so that a debug port can be opened there."""
    try:
        return _answering(port) is None
    except UnavailableError:
        return False


def _answering(port: int) -> str | None:
    """Return the version of the browser whose debug port is `port`, or None if nothing listens there. Raises
    UnavailableError if something other than a browser uses the port."""
    try:
        return targets.version("127.0.0.1", port)["Browser"]
    except ConnectionRefusedError:
        return None
    except (OSError, ValueError) as error:
        raise UnavailableError(f"port {port} is taken: {error}", "choose another port") from error


_HELD = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextlib.contextmanager
def _signals_held() -> Generator[None]:
    """Hold back signals with Python handlers until the body is done.

    A handler may raise an exception. If that happened while a process is started, nobody could end the process.
    """
    held: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in _HELD}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, lambda number, _frame: held.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in held:
            signal.raise_signal(number)


def _prepare(chosen: LaunchPlan) -> str:
    """Make the profile folder, readable only by its owner, and return the path of the file for the browser's output."""
    if chosen.profile is None:
        import tempfile

        handle, path = tempfile.mkstemp(prefix="pinebench-launch-", suffix=".log")
        os.close(handle)
        return path
    folder = Path(chosen.profile)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name != "nt" and stat.S_IMODE(folder.stat().st_mode) != 0o700:
            folder.chmod(0o700)
        (folder / "DevToolsActivePort").unlink(missing_ok=True)
    except OSError as error:
        raise UnavailableError(
            f"the profile folder {folder} cannot be used: {error}", "name another folder with --profile"
        ) from error
    return str(folder / "pinebench-launch.log")


def _await_port(
    process: subprocess.Popen[bytes] | None, chosen: LaunchPlan, port: int, log: str, timeout: float
) -> tuple[int, str]:
    """Wait until the debug port answers; return the port and the browser's version.

    Raises UnavailableError if the browser ends, or if the port does not answer within `timeout` seconds.
    """
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        answering = port or _active_port(chosen.profile)
        if answering:
            with contextlib.suppress(OSError, ValueError):
                return answering, targets.version("127.0.0.1", answering)["Browser"]
        if (
            process is not None
            and process.poll() is not None
            and not (process.returncode == 0 and chosen.executable.known.desktop)
        ):
            raise _ended(process.returncode, chosen, log)
        time.sleep(0.05)
    trap = TRAPS["handed-over"] if chosen.executable.known.desktop else None
    advice = trap.advice if trap else f"its output is in {log}"
    raise UnavailableError(
        f"{chosen.executable.known.title} was started, but port {port or '(any)'} did not answer within {timeout:g} s",
        advice,
    )


def _ended(code: int, chosen: LaunchPlan, log: str) -> UnavailableError:
    """Return the error for a browser that ended at once: it handed over to a running browser (`code` 0), or it failed.
    In the second case the message quotes the last line of the browser's output."""
    title = chosen.executable.known.title
    if code == 0:
        trap = TRAPS["handed-over"]
        return UnavailableError(f"{title} ended immediately: {trap.problem}", trap.advice)
    words = ""
    with contextlib.suppress(OSError):
        lines = [line.strip() for line in Path(log).read_text("utf-8", "replace").splitlines() if line.strip()]
        words = lines[-1][:200] if lines else ""
    if not words:
        path = chosen.executable.path
        return UnavailableError(
            f"{title} ended immediately with exit code {code} and without a message", f"is {path} a browser?"
        )
    return UnavailableError(f"{title} ended immediately with exit code {code}: {words}", f"its output is in {log}")


def _active_port(profile: str | None) -> int | None:
    """Return the port that a browser started with port 0 has chosen and written into its profile folder. The result is
    None as long as the file is missing."""
    if profile is None:
        return None
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int((Path(profile) / "DevToolsActivePort").read_text().splitlines()[0])
    return None
