"""A hundred kills at random moments over all that keeps something: nothing is lost, nothing doubled, nothing torn."""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from pinebench.tui.drafts import Drafts
from tests.authoring.fake_anthropic import FakeAnthropic, Reply, text
from tests.cli.support import surroundings
from tests.engine.test_kills import _run
from tests.sweeps.test_optimization import _KILLED
from tests.tui.terminals import terminal
from tests.tui.test_ways_to_lose_text import MINE, SCRIPT

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform == "win32", reason="kills processes")]

ENGINE, OTHERS = 20, 16
"""How often the engine is killed, and each of the five other programs: a hundred times together."""
LIMIT = 120


def end(process: subprocess.Popen[Any]) -> None:
    """Kill a process and all that it started, and wait until they are gone."""
    below = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    assert psutil.wait_procs(below, timeout=LIMIT)[1] == [], "a process of it lives on"


def started(folder: Path, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    """pinebench as a program, with its state in `folder`."""
    return subprocess.Popen(
        [sys.executable, "-m", "pinebench", *arguments],
        cwd=folder,
        env=surroundings(folder, **more.pop("environment", {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        **more,
    )


def test_the_engine(tmp_path: Path) -> None:
    killed, firings, fills = _run(tmp_path, 3, 300, ENGINE)
    assert killed == ENGINE and firings > 50 and fills > 50


@pytest.mark.timeout(1800)
def test_a_sweep(tmp_path: Path) -> None:
    """Killed again and again, it is whole in the end; each finished run is there once, and none is computed twice."""
    root, numbers, resume = Path(__file__).parents[2], Random(1), "0"
    for _ in range(OTHERS):
        process = subprocess.Popen(
            [sys.executable, "-c", _KILLED, resume], cwd=root, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        assert process.stdout is not None
        told = process.stdout.readline()
        time.sleep(numbers.uniform(0, 0.2))
        end(process)
        told += process.stdout.read()
        process.stdout.close()
        resume = "1"
    out = subprocess.run(
        [sys.executable, "-c", _KILLED, "1"], cwd=root, capture_output=True, text=True, timeout=LIMIT, check=True
    ).stdout.splitlines()
    word, _, count = out[-1].split()
    assert (word, count) == ("whole", "45")
    kept = [int(line) for line in out[:-1]]
    assert kept == sorted(set(kept))


def ask(address: Any, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(address.netloc, timeout=LIMIT)
    mark = "&" if "?" in path else "?"
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
    try:
        connection.request(method, f"{path}{mark}{address.query}", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.timeout(1800)
def test_a_studio(tmp_path: Path) -> None:
    """Every save that was acknowledged is there once, and every script as it was sent."""
    numbers, acknowledged, sent = Random(2), list[str](), 0
    for turn in range(OTHERS + 1):
        process = started(tmp_path, "studio", "--headless", "--no-browser")
        assert process.stdout is not None
        address = urlsplit(json.loads(process.stdout.readline())["url"])
        _, body = ask(address, "GET", "/pine-facade/list/")
        listed = Counter(each["scriptName"] for each in json.loads(body))
        assert all(listed[name] == 1 for name in acknowledged), "a save is lost or doubled"
        assert all(count == 1 for count in listed.values())
        if turn == OTHERS:
            end(process)
            break
        moment = threading.Timer(numbers.uniform(0.05, 0.5), process.kill)
        moment.start()
        try:
            while True:
                sent += 1
                status, _ = ask(address, "POST", f"/pine-facade/save/new?name=s{sent}", f"source=plot({sent})".encode())
                assert status == 200
                acknowledged.append(f"s{sent}")
        except (OSError, http.client.HTTPException):
            pass
        moment.join()
        process.wait()
        process.stdout.close()
    assert len(acknowledged) > OTHERS


@pytest.mark.timeout(1800)
def test_a_conversation(tmp_path: Path) -> None:
    """Each question that was answered before the last one is kept, once and in its order, and the file is whole."""
    numbers, asked, answered = Random(3), 0, list[int]()

    def reply(body: dict[str, Any]) -> Reply:
        said = json.dumps(body["messages"][-1])
        return text(f"Answer to {said[said.rindex('question-') :].split()[0]}.")

    with FakeAnthropic([reply] * 10_000) as fake:
        ours = {"ANTHROPIC_BASE_URL": fake.url, "ANTHROPIC_API_KEY": "key", "NO_PROXY": "127.0.0.1"}
        for turn in range(OTHERS):
            more = ("--resume",) if turn else ()
            process = started(tmp_path, "chat", *more, "--cdp-port", "9", environment=ours, stdin=subprocess.PIPE)
            assert process.stdin is not None and process.stdout is not None
            for _ in range(numbers.randint(2, 5)):
                asked += 1
                process.stdin.write(f"question-{asked} ?\n")
                process.stdin.flush()
                line = process.stdout.readline()
                assert f"question-{asked}" in line
                answered.append(asked)
            asked += 1
            process.stdin.write(f"question-{asked} ?\n")
            process.stdin.flush()
            time.sleep(numbers.uniform(0, 0.1))
            end(process)
            [kept] = (tmp_path / ".state" / "conversations").glob("*.json")
            messages = json.loads(json.loads(kept.read_text())["messages"])
            said = json.dumps([each for each in _messages(messages) if each["role"] == "user"])
            found = [int(word) for word in _questions(said)]
            assert found == sorted(set(found)), "doubled, or out of order"
            assert {*answered[:-1]} <= {*found}, "lost"


def _messages(kept: Any) -> list[dict[str, Any]]:
    return kept if isinstance(kept, list) else kept["messages"]


def _questions(said: str) -> list[str]:
    return [part.split(maxsplit=1)[0] for part in said.split("question-")[1:]]


@pytest.mark.timeout(1800)
def test_a_workbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text that was typed is kept once as a draft, and the file is as it was."""
    numbers = Random(4)
    for turn in range(OTHERS):
        folder = tmp_path / f"{turn}"
        folder.mkdir()
        script, state = folder / "a.pine", folder / "state"
        script.write_text(SCRIPT)
        with terminal(script, state=state) as it:
            it.press(*"// mine", "enter")
            it.keeps(MINE)
            it.send(b"// more\r")
            time.sleep(numbers.uniform(0, 0.3))
            it.kill("SIGKILL")
        assert script.read_text() == SCRIPT
        monkeypatch.setenv("PINEBENCH_STATE_DIR", str(state))
        later = Drafts()
        [left] = later.left()
        later.close()
        kept = left.text.removesuffix(MINE.removeprefix("// mine\n"))
        assert "// mine\n".startswith(kept) or kept.startswith("// mine\n"), left.text


@pytest.mark.timeout(1800)
def test_watching_and_fixing(tmp_path: Path) -> None:
    """A script is as its person saved it, or as the whole fix left it, and nothing lies beside it."""
    numbers, script = Random(5), tmp_path / "a.pine"
    outcomes = Counter[str]()
    longest = 0.0
    for turn in range(OTHERS):
        wrong = f'//@version=6\nindicator("a")\n{"// long" * 2000}\nplot(clsoe, "turn {turn}")\n'
        whole = wrong.replace("clsoe", "close")
        script.write_text(wrong)
        watcher = started(tmp_path, "watch", "--format", "json", str(script))
        assert watcher.stdout is not None and json.loads(watcher.stdout.readline())["event"]
        begun = time.monotonic()
        fixer = started(tmp_path, "lint", "--fix", str(script))
        if turn == 0:
            fixer.wait(LIMIT)
            longest = time.monotonic() - begun
        else:
            time.sleep(numbers.uniform(0.4, 1.0) * longest)
        if fixer.poll() is None:
            end(fixer)
        end(watcher)
        held = script.read_text()
        assert held in (wrong, whole), "torn"
        outcomes["fixed" if held == whole else "as it was"] += 1
        assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["a.pine"]
    assert outcomes["fixed"] > 0
