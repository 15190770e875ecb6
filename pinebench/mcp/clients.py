"""Entering pinebench into the configuration of MCP clients, beside what stands there already."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import decoding, files
from pinebench.errors import UsageError

NAME = "pinebench"


class Client(NamedTuple):
    """A client: where its configuration is, and under which key its servers stand."""

    title: str
    path: Path
    key: str
    typed: bool = False


CLIENTS = ("claude-code", "claude-desktop", "cursor", "vscode")
"""The clients that can be set up."""


def client(name: str, folder: Path | None = None, home: Path | None = None, platform: str = sys.platform) -> Client:
    """The client called `name`; `folder` is the project for those that keep a configuration with it."""
    project, home = folder or Path.cwd(), home or Path.home()
    if name == "claude-code":
        return Client("Claude Code, for this project", project / ".mcp.json", "mcpServers")
    if name == "cursor":
        return Client("Cursor", home / ".cursor" / "mcp.json", "mcpServers")
    if name == "vscode":
        return Client("Visual Studio Code, for this workspace", project / ".vscode" / "mcp.json", "servers", True)
    if platform == "darwin":
        base = home / "Library" / "Application Support"
    elif platform == "win32":
        base = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return Client("Claude Desktop", base / "Claude" / "claude_desktop_config.json", "mcpServers")


class Served(NamedTuple):
    """A server over HTTP, and the token that it asks for."""

    url: str
    token: str


_WAYS = frozenset({"type", "command", "args", "url", "headers"})
"""What an entry says about how the server is reached."""


def entry(
    chosen: Client, arguments: list[str], kept: dict[str, Any] | None = None, served: Served | None = None
) -> dict[str, Any]:
    """How the client starts this very pinebench, or reaches the `served` one, with what else its owner chose for it:
    variables, limits, switches.

    Raises UsageError for a client whose entries can only start a server.
    """
    others = {name: value for name, value in (kept or {}).items() if name not in _WAYS}
    if served is None:
        command = {"command": sys.executable, "args": ["-m", "pinebench", "mcp", *arguments]}
        return {**others, **({"type": "stdio"} if chosen.typed else {}), **command}
    if chosen.title == "Claude Desktop":
        raise UsageError("Claude Desktop starts its servers itself", "leave out --http")
    headers = {"Authorization": f"Bearer {served.token}"}
    return {**others, "type": "http", "url": served.url, "headers": headers}


def changed(chosen: Client, arguments: list[str], served: Served | None = None) -> tuple[str, str]:
    """The client's configuration as it is, and with pinebench in it.

    Raises UsageError where what stands there is not plain JSON: nothing of it is ever thrown away.
    """
    path = chosen.path
    before = files.read(path).text if path.exists() else ""
    told = json.dumps({NAME: entry(chosen, arguments, served=served)})
    try:
        settings: dict[str, Any] = _settings(before)
        servers: dict[str, Any] = settings.get(chosen.key, {})
        decoding.check(servers, {str: decoding.Anything}, chosen.key)
        kept: dict[str, Any] = servers.get(NAME, {})
        decoding.check(kept, {str: decoding.Anything}, f"{chosen.key}.{NAME}")
    except decoding.Malformed as error:
        raise UsageError(
            f"{path}: cannot be changed by a program: {error}", f'put this into "{chosen.key}" yourself: {told}'
        ) from None
    settings[chosen.key] = {**servers, NAME: entry(chosen, arguments, kept, served)}
    return before, json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _settings(text: str) -> dict[str, Any]:
    """What a configuration says; raises Malformed, also where it names something twice, of which one would be lost."""
    if not text.strip():
        return {}
    return decoding.loads(text, {str: decoding.Anything}, unique=True)


def write(chosen: Client, text: str, *, private: bool = False) -> str | None:
    """Replace the client's configuration in one step; returns what a person should know about that.

    A `private` one, which holds a token, is for its owner alone.
    """
    chosen.path.parent.mkdir(parents=True, exist_ok=True)
    return files.write_atomically(chosen.path, text.encode(), private=private)
