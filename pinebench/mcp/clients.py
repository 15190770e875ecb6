"""Adds pinebench to the configuration of MCP clients, next to the existing entries, and removes it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple, cast

from pinebench import decoding, files, invocation
from pinebench.errors import UsageError
from pinebench.files import originals
from pinebench.mcp.settings import Json, SettingsFormat, Toml

NAME = "pinebench"


class ClientProgram(NamedTuple):
    """An MCP client: the path and the format of its configuration, and the key under which it lists servers.

    `typed` means that its entries name their transport. `url` and `headers` are its keys for a server over HTTP;
    without `url` the client can only start servers itself. `shared` means that the configuration belongs to a project,
    so that others get it with the repository.
    """

    title: str
    path: Path
    key: str
    typed: bool = False
    form: SettingsFormat = Json()
    url: str | None = "url"
    headers: str = "headers"
    shared: bool = False


class RemoteServer(NamedTuple):
    """A server over HTTP, and its token."""

    url: str
    token: str


class ConfigurationChange(NamedTuple):
    """A configuration before and after a change."""

    file: files.DecodedText
    after: str

    @property
    def before(self) -> str:
        """The text of the configuration before the change; empty if there is no file."""
        return self.file.text

    @property
    def held(self) -> bytes | None:
        """The content of the file before the change; None if there is no file."""
        return None if self.file is _NO_FILE else self.file.encode(self.file.text)


_NO_FILE = files.DecodedText("")

CLIENTS = ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode")
"""The clients that can be set up."""


def client(
    name: str, folder: Path | None = None, home: Path | None = None, platform: str = sys.platform
) -> ClientProgram:
    """Return the client called `name`; `folder` is the project, for clients that keep their configuration in it."""
    project, home = folder or Path.cwd(), home or _home()
    if name == "claude-code":
        return ClientProgram("Claude Code, for this project", project / ".mcp.json", "mcpServers", shared=True)
    if name == "codex":
        base = Path(os.environ.get("CODEX_HOME") or home / ".codex")
        return ClientProgram("Codex", base / "config.toml", "mcp_servers", form=Toml(), headers="http_headers")
    if name == "cursor":
        return ClientProgram("Cursor", home / ".cursor" / "mcp.json", "mcpServers")
    if name == "gemini":
        return ClientProgram("Gemini CLI", home / ".gemini" / "settings.json", "mcpServers", url="httpUrl")
    if name == "vscode":
        path = project / ".vscode" / "mcp.json"
        return ClientProgram("Visual Studio Code, for this workspace", path, "servers", typed=True, shared=True)
    if platform == "darwin":
        base = home / "Library" / "Application Support"
    elif platform == "win32":
        base = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return ClientProgram("Claude Desktop", base / "Claude" / "claude_desktop_config.json", "mcpServers", url=None)


_TRANSPORT = frozenset(("type", "command", "args", "url", "httpUrl", "headers", "http_headers"))
"""The keys of an entry that say how the client reaches the server."""


def entry(chosen: ClientProgram, arguments: list[str], served: RemoteServer | None = None) -> dict[str, Any]:
    """Return the entry with which the client starts this pinebench, or connects to the server `served`. Raises
    UsageError if `served` is given and the client cannot connect to servers over HTTP."""
    if served is None:
        program, *words = (invocation.by_name() if chosen.shared else None) or invocation.command()
        command = {"command": program, "args": [*words, "mcp", *arguments]}
        return {"type": "stdio", **command} if chosen.typed else command
    if chosen.url is None:
        raise UsageError(f"{chosen.title} starts its servers itself", "leave out --http")
    address = {chosen.url: served.url, chosen.headers: {"Authorization": f"Bearer {served.token}"}}
    return {"type": "http", **address} if isinstance(chosen.form, Json) and chosen.url == "url" else address


def machine_paths(chosen: ClientProgram) -> list[str]:
    """Return the paths in the client's entry that exist only on this machine. The list is empty if the entry is not
    shared with the repository. Raises the same errors as `changed`."""
    entered: Any = _servers(chosen, _file(chosen).text).get(NAME, {}) if chosen.shared else {}
    return invocation.paths_in([entered.get("command"), *(entered.get("args") or ())])


def arguments_of(chosen: ClientProgram) -> list[str]:
    """Return the arguments after `pinebench mcp` in the client's entry; empty if there is no entry. Raises the same
    errors as `changed`."""
    arguments: Any = _servers(chosen, _file(chosen).text).get(NAME, {}).get("args", [])
    words = [str(word) for word in arguments] if isinstance(arguments, list) else []
    return words[words.index("mcp") + 1 :] if "mcp" in words else []


def is_open(chosen: ClientProgram) -> bool:
    """Return whether the client's entry would run a file `pinebench.py` from its working folder in place of pinebench.
    Earlier versions wrote such entries. Raises the same errors as `changed`."""
    arguments: Any = _servers(chosen, _file(chosen).text).get(NAME, {}).get("args", [])
    return isinstance(arguments, list) and not invocation.is_isolated(cast("list[object]", arguments))


def mended(chosen: ClientProgram) -> ConfigurationChange | None:
    """Return the client's configuration before and after its entry is changed so that it keeps the working folder out
    of the import path; None if the entry needs no change. Raises the same errors as `changed`."""
    return changed(chosen, arguments_of(chosen)) if is_open(chosen) else None


def changed(chosen: ClientProgram, arguments: list[str], served: RemoteServer | None = None) -> ConfigurationChange:
    """Return the client's configuration before and after pinebench is added to it. `arguments` follow `pinebench mcp`;
    with `served` the entry connects to that server. Other settings in pinebench's entry (variables, limits, switches)
    are kept. Raises UsageError if the configuration cannot be read; nothing in it is ever lost."""
    file = _file(chosen)
    kept = _servers(chosen, file.text, arguments).get(NAME)
    wanted = entry(chosen, arguments, served)
    stale = [key for key in kept or {} if key in _TRANSPORT and key not in wanted]
    after = file.text
    if kept is None:
        after = chosen.form.put(after, (chosen.key, NAME), wanted)
    else:
        for key, value in wanted.items():
            if kept.get(key) != value:
                after = chosen.form.put(after, (chosen.key, NAME, key), value)
        for key in stale:
            after = chosen.form.remove(after, (chosen.key, NAME, key))
    settings = chosen.form.read(file.text)
    others = {key: value for key, value in (kept or {}).items() if key not in stale}
    settings[chosen.key] = {**settings.get(chosen.key, {}), NAME: {**others, **wanted}}
    _require(chosen, after, settings, arguments)
    return ConfigurationChange(file, after)


def removed(chosen: ClientProgram) -> ConfigurationChange:
    """Return the client's configuration before and after pinebench is removed; both are the same if it has no entry.
    Raises UsageError if the configuration cannot be read."""
    file = _file(chosen)
    servers = _servers(chosen, file.text)
    if NAME not in servers:
        return ConfigurationChange(file, file.text)
    after = chosen.form.remove(file.text, (chosen.key, NAME))
    settings = chosen.form.read(file.text)
    settings[chosen.key] = {name: each for name, each in servers.items() if name != NAME}
    if not settings[chosen.key] and chosen.key not in chosen.form.read(after):
        del settings[chosen.key]  # in TOML, a table that holds only tables disappears with the last of them
    _require(chosen, after, settings)
    return ConfigurationChange(file, after)


def write(chosen: ClientProgram, change: ConfigurationChange, *, private: bool = False) -> list[str]:
    """Replace the client's configuration in one step, and save a copy of the old one. Return notes for the user. A
    `private` configuration holds a token, so only its owner may read it."""
    told: list[str] = []
    if change.before:
        told.append(
            f"the previous content is kept as {originals.keep(str(chosen.path), change.file.encode(change.before))}"
        )
    chosen.path.parent.mkdir(parents=True, exist_ok=True)
    said = files.replace(chosen.path, change.file.encode(change.after), change.held, private=private)
    return [*told, said] if said else told


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError("there is no home folder", "set HOME to the folder with your settings") from None


def _file(chosen: ClientProgram) -> files.DecodedText:
    return files.read(chosen.path) if os.path.lexists(chosen.path) else _NO_FILE


def _servers(chosen: ClientProgram, text: str, arguments: list[str] | None = None) -> dict[str, dict[str, Any]]:
    """Return the servers in the configuration. Raises UsageError if it is malformed."""
    try:
        servers: Any = chosen.form.read(text).get(chosen.key, {})
        decoding.check(servers, {str: decoding.Anything}, chosen.key)
        decoding.check(servers.get(NAME, {}), {str: decoding.Anything}, f"{chosen.key}.{NAME}")
    except decoding.MalformedDocument as error:
        raise _by_hand(chosen, str(error), arguments) from None
    return cast("dict[str, dict[str, Any]]", servers)


def _require(chosen: ClientProgram, after: str, settings: dict[str, Any], arguments: list[str] | None = None) -> None:
    """Raise UsageError unless `after` says exactly `settings`, so that a change never affects anything else."""
    try:
        said = chosen.form.read(after)
    except decoding.MalformedDocument:
        said = None
    if said != settings:
        raise _by_hand(chosen, "the change would affect its other settings", arguments)


def _by_hand(chosen: ClientProgram, why: str, arguments: list[str] | None) -> UsageError:
    if arguments is None:
        hint = f"correct it, or remove '{NAME}' from '{chosen.key}' yourself"
    else:
        hint = f"add this yourself {chosen.form.shown((chosen.key, NAME), entry(chosen, arguments))}"
    return UsageError(f"{chosen.path} cannot be changed by a program: {why}", hint)
