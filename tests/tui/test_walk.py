"""The workbench in a real terminal, tmux: the walk that the documentation tells of, pasting, copying, and a kill."""

import re
import sys
from pathlib import Path

import pytest

from scripts.docs import terminal_walk
from scripts.docs.terminal_walk import BEGIN, END, PAGE, SIZE, WALK, Terminal
from tests.tui.support import SCRIPT, write


def _told() -> str:
    return PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def test_the_page_tells_of_every_step_and_shows_what_it_leads_to() -> None:
    told = _told()
    assert re.findall(r"(?m)^(\d+)\. (.*)$", told) == [(str(n), step.told) for n, step in enumerate(WALK, 1)]
    screens = re.findall(r"(?s)```text\n(.*?)```", told)
    for step, screen in zip([step for step in WALK if step.shown], screens, strict=True):
        assert step.until in screen, step.told
        assert len(screen.splitlines()) <= SIZE[1] and max(map(len, screen.splitlines())) <= SIZE[0]
    # The account is whole: from the error to the text that was accepted and read back.
    assert "1 error" in screens[0] and "in the studio: passes" in screens[2] and "minval = 1" in screens[-1]


@pytest.mark.soak
def test_the_walk_goes_as_it_is_told(tmp_path: Path) -> None:
    assert terminal_walk.written(terminal_walk.walk(tmp_path)) == _told()


@pytest.mark.soak
def test_a_real_terminal_pastes_copies_and_may_be_killed(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.replace("\n", "\r\n"))
    environment = {"PINEBENCH_STATE_DIR": str(tmp_path / "state"), "PINEBENCH_CDP_PORT": "1"}
    command = [sys.executable, "-m", "pinebench", "edit", str(script)]
    pasted = 'if close > open\n    x = "汉字 😀 é"\n        y = (1\n'
    with Terminal(command, tmp_path, environment, (80, 24)) as terminal:
        terminal.until(lambda screen: "nothing wrong" in screen, "the start")
        # At once behind each other: what is pasted comes where the key went.
        terminal.press("C-End")
        terminal.paste(pasted)
        # As it is: nothing is indented by the editor, no bracket closed, and the line is as wide as it is.
        screen = terminal.until(lambda screen: "y = (1" in screen, "what was pasted")
        assert '    x = "汉字 😀 é"' in screen and "         y = (1" in screen
        terminal.press("C-s")
        terminal.until(lambda screen: "saved: a.pine" in screen, "saved")
        assert script.read_bytes() == (SCRIPT + pasted).replace("\n", "\r\n").encode()
        terminal.press("Up", "Up", "Home", "S-End", "C-c")
        terminal.until(lambda _: terminal.copied == 'x = "汉字 😀 é"', "what was copied")
        terminal.press("End", "not saved")
        terminal.until(lambda screen: "not saved" in screen, "typed")
        terminal.until(lambda _: any((tmp_path / "state" / "drafts").glob("*.json")), "the draft")
        terminal.kill()
    with Terminal(command, tmp_path, environment, (80, 24)) as terminal:
        terminal.until(
            lambda screen: "Unsaved text of a.pine" in screen and "Restore" in screen, "the draft is offered"
        )
        terminal.press("r")
        terminal.until(lambda screen: "not saved" in screen, "the text")
        terminal.press("C-s")
        terminal.until(lambda screen: "saved: a.pine" in screen, "saved")
    assert b"not saved" in script.read_bytes()
