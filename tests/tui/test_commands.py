"""Every command of the workbench is done by a test that a person's keys drive, and says in the table what it is."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from pinebench.tui.commands import COMMANDS, Command
from tests.tables import each

_NOT_COUNTED = {"test_keys.py", "test_screens.py", "test_commands.py"}
"""Random keys and pictures look at no effect of a command."""


@each("command", [command for command in COMMANDS if ":" in command.does])
def test_what_a_command_does_is_there(command: Command) -> None:
    module, _, function = command.does.partition(":")
    assert callable(getattr(import_module(f"pinebench.tui.{module}"), function))


@cache
def _done() -> set[str]:
    """Every key that the tests press, and every command that they do by its name or choose by its title."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        if path.name in _NOT_COUNTED:
            continue
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name in ("press", "do", "choose"):
                found |= {str(each.value) for each in ast.walk(call) if isinstance(each, ast.Constant)}
    return found


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_done_by_a_test(command: Command) -> None:
    assert {command.name, command.title, *filter(None, command.keys.split(","))} & _done(), (
        f"no test does {command.name}"
    )
