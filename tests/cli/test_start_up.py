"""Starting up stays cheap: linting loads none of the heavy libraries, nor the commands that were not asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.support import CLEAN, UNCLOSED, surroundings

HEAVY = {
    "anthropic",
    "asyncio",
    "httpx",
    "lark",
    "mcp",
    "msgspec",
    "pychrome",
    "pydantic",
    "requests",
    "starlette",
    "textual",
    "uvicorn",
    "watchdog",
    "websocket",
}

FOR_FINDINGS = {
    "calls.txt",
    "hashlib",
    "json",
    "pinebench.checker.argument_hints",
    "pinebench.checker.hints",
    "pinebench.checker.spelling",
    "pinebench.checker.value_hints",
    "pinebench.linter.suggest",
    "pinebench.reference.foreign",
}
"""What only a script with errors needs."""

FOR_RESULTS = {"bisect", "datetime", "zoneinfo", "pinebench.amounts", "pinebench.calendars.dates"}
"""What only a command that has run needs."""

_PROBE = """
import os, sys
texts = set()
def note(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".txt"):
        texts.add(os.path.basename(arguments[0]))
sys.addaudithook(note)
from pinebench.cli import main
code = main(sys.argv[1:])
print("\\n".join(sorted({*sys.modules, *texts})), file=sys.stderr)
sys.exit(code)
"""


def modules_after(folder: Path, *arguments: str) -> set[str]:
    """The modules and text files that are loaded once the command line has run with `arguments`."""
    process = subprocess.run(
        [sys.executable, "-c", _PROBE, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env=surroundings(folder),
        check=False,
    )
    assert process.returncode in (0, 1), process.stderr
    return set(process.stderr.split())


@pytest.mark.parametrize("text", [CLEAN, UNCLOSED], ids=["clean", "faulty"])
def test_lint_loads_no_heavy_library(tmp_path: Path, text: str) -> None:
    (tmp_path / "script.pine").write_text(text)
    loaded = modules_after(tmp_path, "lint", "script.pine")
    assert not loaded & HEAVY
    assert "pinebench.checker" in loaded


def test_only_the_chosen_command_is_imported(tmp_path: Path) -> None:
    (tmp_path / "script.pine").write_text(CLEAN)
    loaded = modules_after(tmp_path, "lint", "script.pine")
    prefix = "pinebench.cli.commands."
    assert {name for name in loaded if name.startswith(prefix)} == {f"{prefix}lint"}


def test_a_script_without_errors_loads_nothing_about_errors(tmp_path: Path) -> None:
    (tmp_path / "script.pine").write_text(CLEAN)
    assert not modules_after(tmp_path, "lint", "--no-cache", "script.pine") & FOR_FINDINGS


_COLLECTIONS = """
import gc, sys
from pinebench.__main__ import main
found = []
gc.collect()
gc.callbacks.append(lambda phase, about: found.append(phase))
main()
gc.callbacks.clear()
print(found.count("start"), gc.isenabled(), gc.get_freeze_count() > 10_000, gc.get_threshold()[0], file=sys.stderr)
"""


def test_what_a_start_makes_is_not_searched_for_garbage(tmp_path: Path) -> None:
    (tmp_path / "script.pine").write_text(CLEAN)
    process = subprocess.run(
        [sys.executable, "-c", _COLLECTIONS, "lint", "script.pine"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env=surroundings(tmp_path),
        check=False,
    )
    searches, *state = process.stderr.split()
    assert int(searches) <= 3
    assert state == ["True", "True", "700"], "afterwards everything is as before"


def test_the_help_of_no_command_loads_dates_or_amounts(tmp_path: Path) -> None:
    """One process, so that the test is quick: a module that any of the commands loads is found."""
    program = (
        "import sys\nfrom pinebench.cli import main\nfrom pinebench.cli.table import COMMANDS\n"
        "for name in COMMANDS:\n    try:\n        main([name, '--help'])\n    except SystemExit:\n        pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env=surroundings(tmp_path),
        check=True,
    )
    loaded = set(process.stderr.split())
    assert "pinebench.cli.commands.run" in loaded
    assert not loaded & FOR_RESULTS


def test_help_loads_neither_a_command_nor_the_checker(tmp_path: Path) -> None:
    loaded = modules_after(tmp_path, "--help")
    assert not {name for name in loaded if name.startswith("pinebench.cli.commands")}
    assert "pinebench.syntax" not in loaded
    assert "pinebench.checker" not in loaded
