"""The Claude Code plugin: our skills, the MCP server with a few tools, commands, and a hook that checks scripts.

Its folder is laid out as Claude Code expects it: `.claude-plugin/plugin.json`, `.mcp.json`, `skills/`, `commands/` and
`hooks/hooks.json`. `claude --plugin-dir FOLDER` loads it.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from pinebench import __version__, files
from pinebench.errors import UsageError
from pinebench.files import originals
from pinebench.patterns import lazy_pattern
from pinebench.skills.catalogue import ours
from pinebench.skills.installation import make_folder

NAME = "pinebench"
MANIFEST = ".claude-plugin/plugin.json"
TOOLS = (
    *("chart_get_state", "quote_get", "data_get_study_values"),
    *("data_get_strategy_results", "pine_get_source", "pine_set_source", "pine_smart_compile"),
    *("pine_analyze", "pine_lint", "pine_repaint_check", "pine_run", "pine_backtest", "quant", "capture_screenshot"),
)
"""The groups and tools that the plugin's server offers. The others can be called by `pinebench call`, so that a client
loads no more than 5,000 tokens when it starts."""

_FILES = Path(__file__).parent / "plugin_files"
"""The commands, and the program of the hook."""
_IN_SHELL = lazy_pattern(r"(?<!`)`pinebench (?=[a-z])")
"""A pattern for the beginning of a shell command in a text."""


def contents(command: Sequence[str]) -> dict[str, str]:
    """Return the text of every file of the plugin, by its path in the folder, with `/` as the separator.

    `command` is the command that runs pinebench from any folder (`invocation.command`): Python and its arguments, or a
    single program.
    """
    server = {"command": command[0], "args": [*command[1:], "mcp", "--tools", ",".join(TOOLS)]}
    found = {
        MANIFEST: _json(
            {
                "name": NAME,
                "version": __version__,
                "description": "Pine Script v6 and charts: check, run and audit scripts, and measure markets.",
                "author": {"name": "pinebench"},
                "license": "MIT",
                "keywords": ["pine-script", "tradingview", "trading"],
            }
        ),
        ".mcp.json": _json({"mcpServers": {NAME: server}}),
        "hooks/hooks.json": _json(
            {"description": "Checks every Pine script that was edited.", "hooks": _hooks(command)}
        ),
    }
    for path in sorted(_FILES.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            text = path.read_text(encoding="utf-8")
            is_for_models = path.suffix == ".md"
            found[path.relative_to(_FILES).as_posix()] = _with_command(text, command) if is_for_models else text
    for skill in ours():
        found[f"skills/{skill.name}/SKILL.md"] = _with_command(skill.text, command)
    return found


def _with_command(text: str, command: Sequence[str]) -> str:
    """A text for models whose commands in a shell run where `pinebench` is not on the PATH, too."""
    return _IN_SHELL.sub(lambda _: f"`{' '.join(map(_quoted, command))} ", text)


def build(folder: Path, command: Sequence[str]) -> list[str]:
    """Write the plugin into `folder`, which must be missing, empty, or hold this plugin. Return notes for people.

    A file with different content is replaced, and a copy of it is saved in the state folder. Raises UsageError if the
    folder holds something else, or cannot be written.
    """
    _require_ours(folder)
    notes: list[str] = []
    for name, text in contents(command).items():
        path = folder / name
        data, before = text.encode(), None
        if os.path.lexists(path):
            before = files.read_bytes(path)
            if before == data:
                continue
            notes.append(f"{path}: replaced; the previous content is kept as {originals.keep(str(path), before)}")
        make_folder(path.parent)
        said = files.replace(path, data, before)
        notes += [said] if said else []
    return notes


def _hooks(command: Sequence[str]) -> dict[str, object]:
    """The hook after every edit: its program gets the event on standard input, and runs `pinebench lint`."""
    python = command[0] if len(command) > 1 else "python3"
    words = [_quoted(python), "-I", '"${CLAUDE_PLUGIN_ROOT}/hooks/check_edited.py"', *map(_quoted, command)]
    run = {"type": "command", "command": " ".join(words), "timeout": 60}
    return {"PostToolUse": [{"matcher": "Write|Edit|MultiEdit", "hooks": [run]}]}


def _quoted(word: str) -> str:
    """A word for the shell that runs hooks, which is a POSIX shell, on Windows Git Bash."""
    return shlex.quote(word.replace("\\", "/") if os.name == "nt" else word)


def _require_ours(folder: Path) -> None:
    try:
        is_empty = not os.path.lexists(folder) or not os.listdir(folder)
    except OSError:
        raise UsageError(f"{folder} is not a folder", "name a new folder") from None
    if is_empty:
        return
    try:
        manifest = json.loads(files.read(folder / MANIFEST, 100_000).text)
        is_ours = isinstance(manifest, dict) and manifest.get("name") == NAME
    except (UsageError, ValueError, RecursionError):
        is_ours = False
    if not is_ours:
        raise UsageError(f"{folder} contains other files", "name a new folder")


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
