"""`push`, `pull`, `launch` and `doctor` as a person runs them, against a real page."""

import contextlib
import json
import os
import random
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pinebench.errors import UsageError
from pinebench.tradingview import browser_programs, endpoint, targets
from tests.cli.support import pinebench
from tests.tradingview.support import Stage, until

SOURCE = '//@version=6\nindicator("Käse 😀")\nplot(close) // `${x}` \u2028\n'


def page_options(stage: Stage, **faults: Any) -> list[str]:
    tab = stage.open(**faults)
    return ["--cdp-port", str(stage.port), "--target", tab.target.id]


def test_what_is_pushed_can_be_pulled(stage: Stage, tmp_path: Path) -> None:
    options = page_options(stage)
    (tmp_path / "a.pine").write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    pushed = pinebench("push", "a.pine", *options, folder=tmp_path)
    assert (pushed.code, pushed.out) == (0, "a.pine: 4 lines are in the editor and were compared with the file\n")
    assert "line ends" in pushed.err
    assert len([*(tmp_path / ".state" / "replaced").iterdir()]) == 1
    pulled = pinebench("pull", *options, folder=tmp_path)
    assert (pulled.code, pulled.out, pulled.err) == (0, SOURCE, "")
    assert pinebench("pull", "-o", "b.pine", *options, folder=tmp_path).code == 0
    assert (tmp_path / "b.pine").read_bytes() == SOURCE.encode()


def test_a_copy_that_cannot_be_kept_is_said(stage: Stage, tmp_path: Path) -> None:
    options = page_options(stage)
    (tmp_path / "a.pine").write_text(SOURCE)
    (tmp_path / "file").write_text("no folder")
    environment = {"PINEBENCH_STATE_DIR": str(tmp_path / "file" / "state")}
    pushed = pinebench("push", "a.pine", *options, folder=tmp_path, environment=environment)
    assert pushed.code == 0
    assert "the text that was in the editor could not be saved" in pushed.err


def test_standard_input_is_pushed(stage: Stage, tmp_path: Path) -> None:
    options = page_options(stage)
    assert pinebench("push", "-", *options, folder=tmp_path, stdin=SOURCE.encode()).code == 0
    assert pinebench("pull", *options, folder=tmp_path).out == SOURCE


def test_failures_have_their_exit_codes(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(SOURCE)
    read_only = pinebench("push", "a.pine", *page_options(stage, read_only=1), folder=tmp_path)
    assert read_only.code == 1 and "read-only" in read_only.err
    assert pinebench("push", "missing.pine", *page_options(stage), folder=tmp_path).code == 2
    assert pinebench("pull", "--cdp-port", "none", folder=tmp_path).code == 2
    assert pinebench("pull", "--cdp-host", "192.0.2.1", "--no-wait", folder=tmp_path).code == 2
    nobody = pinebench("pull", "--cdp-port", "1", "--no-wait", folder=tmp_path)
    assert (nobody.code, nobody.out) == (3, "")
    assert nobody.err.startswith("pinebench: CDP connection failed: no program listens")
    assert nobody.err.count("\n") == 1


def test_the_environment_names_the_port(stage: Stage, tmp_path: Path) -> None:
    tab = stage.open()
    environment = {"PINEBENCH_CDP_PORT": str(stage.port)}
    assert pinebench("pull", "--target", tab.target.id, folder=tmp_path, environment=environment).code == 0


def test_the_doctor_reports_as_text_and_json(stage: Stage, tmp_path: Path) -> None:
    options = page_options(stage)
    text = pinebench("doctor", *options, folder=tmp_path)
    assert text.code == 0 and "nothing failed" in text.out
    data = json.loads(pinebench("doctor", "--format", "json", *options, folder=tmp_path).out)
    assert data["ok"] and {"area", "name", "state", "detail", "advice"} == set(data["checks"][0])
    failed = pinebench("doctor", "--cdp-port", "1", folder=tmp_path)
    assert failed.code == 3 and "→ run 'pinebench launch'" in failed.out


def without_pychrome(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = "import sys; sys.modules['pychrome'] = None; from pinebench.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_a_missing_extra_is_named(stage: Stage) -> None:
    pulled = without_pychrome("pull", "--cdp-port", str(stage.port))
    assert pulled.returncode == 3
    assert "-m pip install pychrome" in pulled.stderr and "Traceback" not in pulled.stderr
    examined = without_pychrome("doctor", "--cdp-port", str(stage.port))
    assert examined.returncode == 3
    assert "-m pip install pychrome" in examined.stdout


def free_port() -> int:
    """A port that is free now and is given to nobody who asks for any: systems take those from above 32767."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@pytest.mark.live
def test_launch_starts_a_browser_that_outlives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELECTRON_RUN_AS_NODE", "1")
    port = free_port()
    profile = tmp_path / "profile"
    # The proxy that nobody serves keeps the browser from reaching anything.
    script = tmp_path / "chromium"
    real = shlex.quote(browser_programs.find().path)
    script.write_text(f'#!/bin/sh\nexec {real} --proxy-server=127.0.0.1:9 --no-pings "$@"\n')
    script.chmod(0o755)
    arguments = ["--browser", str(script), "--cdp-port", str(port), "--profile", str(profile), "--headless"]
    launched = pinebench("launch", *arguments, folder=tmp_path)
    try:
        assert launched.code == 0, launched.err
        assert f"answers at 127.0.0.1:{port} (process " in launched.out
        assert until(lambda: targets.version("127.0.0.1", port))
        again = pinebench("launch", "--cdp-port", str(port), folder=tmp_path)
        assert "already running" in again.out
    finally:
        pid = int(launched.out.rsplit("process ", 1)[1].rstrip(")\n"))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


@pytest.mark.parametrize("port", ["0", "70000", "x", "-1"])
def test_a_port_is_a_number(port: str) -> None:
    with pytest.raises(UsageError, match="is not a port"):
        endpoint.resolve(port=port)


def test_what_is_said_wins_over_the_environment() -> None:
    environment = {"PINEBENCH_CDP_HOST": "::1", "PINEBENCH_CDP_PORT": "1234"}
    assert endpoint.resolve(environment=environment) == ("::1", 1234, None)
    assert endpoint.resolve("127.0.0.1", 5, "t", environment) == ("127.0.0.1", 5, "t")
    assert endpoint.resolve(environment={}) == ("127.0.0.1", 9222, None)
