"""Completion scripts are made from the commands' own arguments, and shells can read them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from pinebench.cli.table import COMMANDS
from tests.cli.support import pinebench

SHELLS = ("bash", "zsh", "fish")
PRESENT = [shell for shell in SHELLS if shutil.which(shell)]


def script(shell: str, folder: Path) -> str:
    """The completion script for `shell`."""
    outcome = pinebench("completion", shell, folder=folder)
    assert outcome.code == 0
    return outcome.out


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_its_options_are_in_the_script(tmp_path: Path, shell: str) -> None:
    text = script(shell, tmp_path)
    for name in COMMANDS:
        assert name in text
    for option in ("stdin-filename", "baseline", "tradingview", "engine"):
        assert option in text


@pytest.mark.parametrize("shell", PRESENT)
def test_the_shell_can_read_its_script(tmp_path: Path, shell: str) -> None:
    (tmp_path / "script").write_text(script(shell, tmp_path))
    done = subprocess.run(
        [shell, "-n", "script"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pinebench", "li"], ["lint"]),
        (["pinebench", "lint", "--trad"], ["--tradingview"]),
        (["pinebench", "lint", "--format", "s"], ["sarif"]),
        (["pinebench", "lint", "a.pine", "--fail-on", ""], ["error", "warning", "info", "never", "unchecked"]),
        (["pinebench", "parse", "--engine", "l"], ["lark"]),
        (["pinebench", "completion", "z"], ["zsh"]),
        (["pinebench", "template", "s"], ["search", "show"]),
        (["pinebench", "template", "show", "ema_"], ["ema_cross_strategy", "ema_ribbon"]),
        (["pinebench", "template", "new", "ema_ribbon", ""], []),
        (["pinebench", "template", "list", "--fo"], ["--format", "--force"]),
        (["pinebench", "template", "list", "--format", "j"], ["json"]),
        (["pinebench", "write", "an RSI", "--template", "ema_r"], ["ema_ribbon"]),
        (["pinebench", "explain", "ta.sm"], ["ta.sma"]),
        (["pinebench", "explain", "CE10272"], ["CE10272"]),
        (["pinebench", "explain", "vari"], ["varip"]),
        (["pinebench", "lint", "a"], []),
    ],
)
def test_bash_completes(tmp_path: Path, words: list[str], expected: list[str]) -> None:
    (tmp_path / "script").write_text(script("bash", tmp_path))
    listed = " ".join(f"'{word}'" for word in words)
    program = (
        "source ./script\n"
        f"COMP_WORDS=({listed})\nCOMP_CWORD={len(words) - 1}\n_pinebench\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stderr == ""
    assert done.stdout.split() == expected
