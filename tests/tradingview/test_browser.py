"""Starting browsers, mostly as data."""

import contextlib
import os
import shlex
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pinebench.errors import UnavailableError, UsageError
from pinebench.tradingview import browser, browser_programs, targets
from pinebench.tradingview.browser_programs import Executable
from tests.tradingview.support import LIMIT, children, start_browser, until
from tests.tradingview.test_browser_programs import ENVIRONMENTS, EXPECTED


@pytest.mark.parametrize("platform", ["linux", "macos", "windows"])
def test_the_default_profile_is_refused(platform: str) -> None:
    environment = ENVIRONMENTS[platform]
    for name in ("chrome", "chromium", "edge"):
        for template in browser_programs.KNOWN[name].profiles[platform]:
            profile = browser_programs.fill(template, platform, environment)
            assert profile is not None
            for chosen in (profile, profile + ("\\" if platform == "windows" else "/") + "Default"):
                with pytest.raises(UsageError, match="ignore the debug port"):
                    browser.plan(
                        Executable(name, EXPECTED[name, platform]),
                        9222,
                        profile=chosen,
                        platform=platform,
                        environment=environment,
                        root=False,
                    )


@pytest.mark.parametrize("platform", ["linux", "macos", "windows"])
def test_a_browser_gets_a_profile_of_its_own(platform: str) -> None:
    executable = Executable("chrome", EXPECTED["chrome", platform])
    made = browser.plan(executable, 9222, platform=platform, environment=ENVIRONMENTS[platform], root=False)
    assert made.profile is not None and "pinebench" in made.profile
    assert f"--user-data-dir={made.profile}" in made.command
    assert "--remote-debugging-port=9222" in made.command
    assert made.command[-1] == "https://www.tradingview.com/chart/"
    assert "--no-sandbox" not in made.command


@pytest.mark.parametrize("variable", ["ELECTRON_RUN_AS_NODE", "Electron_Run_As_Node"])
def test_a_variable_that_turns_electron_into_node_is_cleared(variable: str) -> None:
    environment = {**ENVIRONMENTS["linux"], variable: "1"}
    made = browser.plan(
        Executable("desktop", "/opt/TradingView/tradingview"), 9222, platform="linux", environment=environment
    )
    assert variable not in made.environment
    assert made.environment["HOME"] == "/home/ann"


def test_desktop_is_opened_by_the_system_on_macos() -> None:
    path = EXPECTED["desktop", "macos"]
    made = browser.plan(Executable("desktop", path), 9222, platform="macos", environment=ENVIRONMENTS["macos"])
    assert made.command == ("open", "-a", "/Applications/TradingView.app", "--args", "--remote-debugging-port=9222")


def test_desktop_keeps_its_own_profile() -> None:
    with pytest.raises(UsageError, match="its own profile"):
        browser.plan(Executable("desktop", "/opt/TradingView/tradingview"), 9222, profile="/x", platform="linux")


def test_the_store_package_is_warned_of() -> None:
    path = "C:\\Program Files\\WindowsApps\\TradingView.Desktop_3.4_x64\\TradingView.exe"
    made = browser.plan(Executable("desktop", path), 9222, platform="windows", environment=ENVIRONMENTS["windows"])
    assert [trap.name for trap in made.warnings] == ["store-package"]


def test_the_store_package_has_a_second_way() -> None:
    path = "C:\\Program Files\\WindowsApps\\TradingView.Desktop_3.3.0.7992_x64__n534cwy3pjxzj\\TradingView.exe"
    made = browser.plan(Executable("desktop", path), 9222, platform="windows", environment=ENVIRONMENTS["windows"])
    assert made.second is not None
    assert made.second[-1] == (
        "Invoke-CommandInDesktopPackage -PackageFamilyName 'TradingView.Desktop_n534cwy3pjxzj' "
        f"-AppId 'TradingView.Desktop' -Command '{path}' -Args '--remote-debugging-port=9222'"
    )
    other = browser.plan(
        Executable("desktop", "C:\\TradingView\\TradingView.exe"),
        9222,
        platform="windows",
        environment=ENVIRONMENTS["windows"],
    )
    assert other.second is None


def test_the_snap_of_desktop_is_started_by_its_command() -> None:
    inner = "/snap/tradingview/current/tradingview"
    wayland = {**ENVIRONMENTS["linux"], "WAYLAND_DISPLAY": "wayland-0"}
    made = browser.plan(Executable("desktop", inner), 9222, platform="linux", environment=wayland)
    assert made.command == ("/snap/bin/tradingview", "--remote-debugging-port=9222", "--ozone-platform=x11")
    assert inner not in browser_programs.places("desktop", "linux", ENVIRONMENTS["linux"])


def test_a_snap_gets_a_profile_that_it_can_write() -> None:
    made = browser.plan(
        Executable("chromium", "/snap/bin/chromium"),
        9222,
        platform="linux",
        environment=ENVIRONMENTS["linux"],
        root=False,
    )
    assert made.profile == "/home/ann/snap/chromium/common/pinebench-profile"
    assert [trap.name for trap in made.warnings] == ["snap-profile"]


def test_no_display_is_said_before_anything_starts() -> None:
    with pytest.raises(UnavailableError, match="no display"):
        browser.plan(
            Executable("chrome", "/opt/google/chrome/chrome"), 9222, platform="linux", environment={"HOME": "/home/ann"}
        )


def test_root_on_linux_runs_without_sandbox() -> None:
    made = browser.plan(
        Executable("chromium", "/usr/bin/chromium"), 0, platform="linux", environment=ENVIRONMENTS["linux"], root=True
    )
    assert "--no-sandbox" in made.command


@pytest.mark.parametrize(("free", "added"), [(64 * 1024 * 1024, True), (2 * 1024**3, False)])
def test_small_shared_memory_is_not_used(monkeypatch: pytest.MonkeyPatch, free: int, added: bool) -> None:
    monkeypatch.setattr(browser, "_shared_memory", lambda: free)
    made = browser.plan(
        Executable("chromium", "/usr/bin/chromium"), 0, platform="linux", environment=ENVIRONMENTS["linux"]
    )
    assert ("--disable-dev-shm-usage" in made.command) is added


def test_a_missing_shared_memory_has_no_room(tmp_path: Path) -> None:
    assert browser._shared_memory(str(tmp_path / "none")) == 0
    assert browser._shared_memory(str(tmp_path)) > 0


def test_every_trap_says_what_to_do() -> None:
    assert all(trap.advice and trap.problem for trap in browser.TRAPS.values())


@pytest.mark.live
def test_a_real_browser_starts_and_leaves_nothing_behind(tmp_path: Path) -> None:
    before = children()
    launched = start_browser(tmp_path / "profile")
    try:
        assert launched.pid is not None
        assert targets.version("127.0.0.1", launched.port)["Browser"] == launched.version
        mode = stat.S_IMODE((tmp_path / "profile").stat().st_mode)
        assert mode == 0o700 or os.name == "nt"
        assert listening(launched.port) <= {"0100007F"}  # 127.0.0.1 and nothing else
        again = browser.launch(port=launched.port)
        assert again.process is None
        again.stop()  # did not start it, so must not end it
        assert targets.version("127.0.0.1", launched.port)["Browser"]
    finally:
        launched.stop()
    with pytest.raises(OSError):
        targets.version("127.0.0.1", launched.port)
    assert children() <= before
    until(lambda: not group_runs(launched.pid))


def listening(port: int) -> set[str]:
    """The addresses, in hexadecimal, at which something listens on `port` (Linux)."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port}


def group_runs(group: int | None) -> bool:
    """Whether a process of the browser's group still runs (Linux); one that nobody has buried yet does not."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number = entry.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(number) == group and state not in "ZX":
            return True
    return False


def fake(folder: Path, body: str) -> str:
    path = folder / "chromium-fake"
    # By way of the shell: a path with a space cannot stand behind #!.
    path.write_text(f"""#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(body)}\n""")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import sys; sys.exit(0)", "handed over to an instance that was already running"),
        ("import sys; print('bad flag', file=sys.stderr); sys.exit(9)", "ended immediately with exit code 9: bad flag"),
        ("import sys; sys.exit(1)", "ended immediately with exit code 1 and without a message"),
    ],
)
def test_a_browser_that_ends_says_why(tmp_path: Path, body: str, reason: str) -> None:
    with pytest.raises(UnavailableError, match=reason):
        browser.launch(fake(tmp_path, body), port=0, profile=str(tmp_path / "p"), headless=True)


LINGERING = """
import os, pathlib, signal, subprocess, sys, time
ignoring = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", ignoring], stdout=subprocess.PIPE)
child.stdout.readline()
pathlib.Path(os.environ["THERE"]).touch()
time.sleep(600)
"""


def test_what_a_browser_has_started_ends_with_it(tmp_path: Path) -> None:
    there = tmp_path / "there"
    command = [fake(tmp_path, LINGERING)]
    process = subprocess.Popen(command, start_new_session=True, env={**os.environ, "THERE": str(there)})
    try:
        until(there.exists)
        browser.end_process(process)
        assert not group_runs(process.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells an ended process from one that runs")
def test_what_has_ended_is_not_waited_for_where_nobody_takes_note_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    naps: list[float] = []

    def nap(seconds: float) -> None:
        naps.append(seconds)
        assert len(naps) < 1000, "it waits for what has ended"
        pause(seconds)

    pause = time.sleep
    monkeypatch.setattr(browser, "LAST_SECONDS", LIMIT)
    monkeypatch.setattr(browser.time, "sleep", nap)
    process = subprocess.Popen(["sleep", "600"], process_group=0)
    other = subprocess.Popen(["sleep", "600"], process_group=process.pid)
    try:
        browser.end_process(process)  # `other` stays what it is until this process asks after it
        os.killpg(process.pid, 0)
    finally:
        other.kill()
        assert other.wait() in (-signal.SIGTERM, -signal.SIGKILL)


def test_an_interruption_while_a_browser_is_started_leaves_none_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    popen = subprocess.Popen

    def interrupted(*args: Any, **options: Any) -> Any:
        started.append(popen(*args, **options))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    path = fake(tmp_path, "import time; time.sleep(600)")
    with pytest.raises(KeyboardInterrupt):
        browser.launch(path, port=0, profile=str(tmp_path / "p"), headless=True)
    try:
        assert started[0].poll() is not None
    finally:
        started[0].kill()
        started[0].wait()


def test_a_browser_that_refuses_the_port_is_ended_and_named(tmp_path: Path) -> None:
    before = children()
    path = fake(tmp_path, "import time; time.sleep(60)")
    with pytest.raises(UnavailableError, match=r"did not answer within 0\.5 s"):
        browser.launch(path, port=0, profile=str(tmp_path / "p"), headless=True, timeout=0.5)
    assert children() <= before


def test_the_profile_is_made_private_again(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    with pytest.raises(UnavailableError):
        browser.launch(fake(tmp_path, "import sys; sys.exit(3)"), port=0, profile=str(folder), headless=True)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
