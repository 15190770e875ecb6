"""Walk through the workbench in a real terminal and write its screens to `docs/terminal.md`.

Usage: python scripts/docs/terminal_walk.py

The terminal is tmux, and the chart is the studio's page in a browser. Instead of Claude, a service on loopback answers
with prepared texts.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.authoring.fake_anthropic import FakeAnthropic, Reply, text  # noqa: E402 - of this checkout

PAGE = ROOT / "docs" / "terminal.md"
BEGIN, END = "<!-- begin: scripts/docs/terminal_walk.py -->\n", "<!-- end -->\n"
SIZE = (92, 26)
SECONDS = 60.0
"""Seconds to wait for a screen at most."""
SCRIPT = """\
//@version=6
indicator("Average", overlay = true)
length = input.int(20, "Length")
average = ta.sma(close, lenght)
plot(average)
"""
REQUEST = "Colour the line by its direction, and take no length below 1."


def _proposed(*edits: tuple[str, str]) -> Reply:
    """Return an answer that proposes a change of the script in the active tab."""
    given = {"edits": [{"old_text": old, "new_text": new} for old, new in edits]}
    block = {"type": "tool_use", "id": "toolu_1", "name": "workbench_propose_script", "input": given}
    return Reply((block,), stop_reason="tool_use")


ANSWERS = (
    _proposed(
        ('"Length")', '"Length", minval = 1)'),
        ("plot(average)", "plot(average, color = average > average[1] ? color.teal : color.maroo)"),
    ),
    _proposed(("color.maroo)", "color.maroon)")),
    text("The line is teal while it rises and maroon while it falls, and no length below 1 is taken."),
)
"""The answers of the service; its first change does not compile."""


class Step(NamedTuple):
    """One step of the user.

    `told` describes it on the page. `keys` are names of keys in tmux, or texts to type. `until` is a text that the
    screen must show afterwards. With `shown` the page includes the screen.
    """

    told: str
    keys: tuple[str, ...]
    until: str
    shown: bool = True


WALK = (
    Step(
        "`pinebench edit average.pine` opens a script with an error; **F8** goes to it.",
        ("F8",),
        "Did you mean `length`?",
    ),
    Step("**F4** lists the actions for the error.", ("F4",), "recommended"),
    Step("**enter** takes the first action. Then our check finds no error.", ("Enter",), "nothing wrong", False),
    Step("**F7** compiles the script on the chart (here, the studio's).", ("F7",), "in the studio: passes"),
    Step("**alt+m** shows the assistant. Type what to change:", ("M-m",), "nothing in your text changes", False),
    Step(
        f"“{REQUEST}” The first proposal does not compile, so the assistant repairs it.",
        (REQUEST, "Enter"),
        "alt+d shows what it proposes",
    ),
    Step("**alt+d** shows the proposal, change by change.", ("M-d",), "enter: accept"),
    Step("**enter** accepts it, as one step that **ctrl+z** undoes.", ("Enter",), "changes accepted", False),
    Step("**alt+p** puts the script on the page and reads it back.", ("M-p",), "read back identical", False),
)


_NUMBERS = itertools.count()


class Terminal:
    """A program in its own tmux session; use it as a context manager."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str], size: tuple[int, int]) -> None:
        self._socket = str(folder / f"tmux-{next(_NUMBERS)}")  # not the one of a server that is about to end
        # The size of the tmux terminal must count, not the variables of the calling shell.
        unset = ("-u", "COLUMNS", "-u", "LINES", "-u", "NO_COLOR")
        settings = [f"{name}={value}" for name, value in environment.items()]
        self._tmux("-f", "/dev/null", "new-session", "-d", "-s", "walk", "-x", str(size[0]), "-y", str(size[1]),
                   "-c", str(folder), "env", *unset, *settings, *command)  # fmt: skip
        self._tmux("set", "-s", "set-clipboard", "on")

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(RuntimeError):
            self._tmux("kill-server")

    def _tmux(self, *arguments: str, given: str | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, *arguments], input=given, capture_output=True, text=True, timeout=20
        )
        if done.returncode:
            raise RuntimeError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def press(self, *keys: str) -> None:
        """Press keys by their names in tmux; a text with spaces is typed."""
        for key in keys:
            self._tmux("send-keys", "-t", "walk", *(["-l", key] if " " in key else [key]))

    def kill(self) -> None:
        """End the program as a crash would."""
        found = self._tmux("display-message", "-p", "-t", "walk", "#{pane_pid}")
        os.kill(int(found), signal.SIGKILL)

    def paste(self, text: str) -> None:
        """Paste a text as a terminal does (bracketed paste)."""
        self._tmux("load-buffer", "-b", "mine", "-", given=text)
        self._tmux("paste-buffer", "-p", "-r", "-b", "mine", "-t", "walk")

    @property
    def copied(self) -> str:
        """The text that was last copied through OSC 52."""
        return self._tmux("show-buffer")

    @property
    def screen(self) -> str:
        """The text on the screen."""
        return self._tmux("capture-pane", "-p", "-t", "walk")

    def until(self, true: Callable[[str], bool], what: str) -> str:
        """Wait for a screen for which `true` holds, and return it after it has stopped changing.

        Raises RuntimeError after `SECONDS`; `what` describes the screen in the message.
        """
        last, end = "", time.monotonic() + SECONDS
        while time.monotonic() < end:
            now = self.screen
            if now == last and true(now):
                return now
            last = now
            time.sleep(0.2)
        raise RuntimeError(f"never on the screen: {what}\n{last}")


@contextlib.contextmanager
def studio(state: Path) -> Iterator[int]:
    """Run the studio with its browser during the block. Yield the browser's debug port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", "studio", "--headless"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PINEBENCH_STATE_DIR": str(state)},
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["debug_port"]
    finally:
        process.terminate()
        process.wait(30)


def walk(folder: Path) -> list[str]:
    """Return the screen after each step, as text, without paths that differ from run to run."""
    (folder / "average.pine").write_text(SCRIPT, encoding="utf-8")
    screens: list[str] = []
    with FakeAnthropic(ANSWERS) as service, studio(folder / "studio") as port:
        environment = {
            "PINEBENCH_STATE_DIR": str(folder / "state"),
            "PINEBENCH_CDP_PORT": str(port),
            "ANTHROPIC_BASE_URL": service.url,
            "ANTHROPIC_API_KEY": "key-of-the-walk",
            "NO_PROXY": "127.0.0.1",
        }
        command = [sys.executable, "-m", "pinebench", "edit", "average.pine"]
        with Terminal(command, folder, environment, SIZE) as terminal:
            terminal.until(lambda screen: "1 error" in screen and "studio open" in screen, "the start")
            for step in WALK:
                terminal.press(*step.keys)
                screen = terminal.until(lambda now, step=step: step.until in now and _is_calm(now), step.until)
                screens.append(_settled(screen))
    return screens


def _is_calm(screen: str) -> bool:
    # While a dialog is open, the last line with the keys is hidden.
    return not any(words in screen for words in ("checking…", "alt+q stops it")) and ("╰" in screen) != (
        "F1 Help" in screen
    )


def _settled(screen: str) -> str:
    """Return a screen without the paths of saved files, which differ from run to run."""
    lines = (re.sub(r"(kept in|kept as) \S+", r"\1 …", line).rstrip() for line in screen.splitlines())
    return "\n".join(lines).rstrip() + "\n"


def written(screens: list[str]) -> str:
    """Return the walk in Markdown."""
    parts: list[str] = ["\n"]
    for number, (step, screen) in enumerate(zip(WALK, screens, strict=True), 1):
        parts.append(f"{number}. {step.told}\n")
        if step.shown:
            parts.append(f"\n```text\n{screen}```\n\n")
    return "".join(parts).rstrip("\n") + "\n"


def main() -> int:
    """Walk, and write the page."""
    with tempfile.TemporaryDirectory() as folder:
        text = written(walk(Path(folder)))
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}{text}{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
