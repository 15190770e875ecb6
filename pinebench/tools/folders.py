"""Scripts in the folders that the owner allowed: list, read and save them. Nothing outside these folders is touched."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NotRequired, TypedDict

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import originals
from pinebench.tools.arguments import ScriptArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused

_ENDING = ".pine"
_MOST_LISTED = 200
_PATH = TextArgument("the script's path in an allowed folder", 1_000, example="levels.pine")
_SOURCE = ScriptArgument()
_REPLACES = TextArgument("to replace a file: the version that script_read gave", 64)


class ScriptFile(TypedDict):
    """A script in an allowed folder: its path, its length in bytes, and the time of its last change (unix seconds)."""

    path: str
    bytes: int
    changed: int


class ScriptFileList(TypedDict):
    """The first 200 scripts of the allowed folders, and the number of all scripts (`count`)."""

    folders: list[str]
    count: int
    scripts: list[ScriptFile]


class FolderScript(TypedDict):
    """A script's text; `version` identifies the file's content, for script_save."""

    path: str
    source: str
    version: str


class ScriptFileSave(TypedDict):
    """A saved script. `verified` is True if it was read back; `replaced` is the file that holds the previous text."""

    path: str
    version: str
    bytes: int
    verified: bool
    replaced: NotRequired[str]


@tool("files", "List the scripts in the folders that the owner allowed.", needs=Needs.NOTHING)
def script_list(at: ToolContext) -> ScriptFileList:
    """Return the scripts in the allowed folders and their subfolders."""
    folders = _allowed(at)
    found = [*{each["path"]: each for folder in folders for each in _scripts(folder)}.values()]
    return {"folders": folders, "count": len(found), "scripts": found[:_MOST_LISTED]}


@tool("files", "Read a script from a folder that the owner allowed.", needs=Needs.NOTHING, untrusted=("source",))
def script_read(at: ToolContext, path: Annotated[str, _PATH]) -> FolderScript:
    """Return the text of a script and its version."""
    place = _place(at, path)
    data = files.read_bytes(place)
    return {"path": place, "source": files.decode(data, place).text, "version": _version(data)}


@tool(
    "files",
    "Save a script in a folder that the owner allowed; an existing file is replaced only if its version is given.",
    needs=Needs.NOTHING,
    changes=True,
    proof="the file, read back",
)
def script_save(
    at: ToolContext,
    path: Annotated[str, _PATH],
    source: Annotated[str, _SOURCE],
    replaces: Annotated[str | None, _REPLACES] = None,
) -> ScriptFileSave:
    """Create a file, or replace the file that was read; a copy of the replaced text is saved."""
    place = _place(at, path)
    if not os.path.isdir(os.path.dirname(place)):
        raise ToolRefused(f"there is no folder {os.path.dirname(place)}", "save it in an existing folder")
    if any("\ud800" <= each <= "\udfff" for each in source):
        raise UsageError("source contains a lone surrogate, which no file can store", "send only complete characters")
    kept = None
    if os.path.lexists(place):
        before = files.read_bytes(place)
        if replaces is None:
            raise ToolRefused(
                f"{place} exists", "read it with script_read, and give its version as replaces to replace it"
            )
        if replaces != _version(before):
            raise ToolRefused(f"{place} was changed since it was read", "read it again with script_read")
        kept = originals.keep(place, before)
        form = files.decode(before, place)
        text = source.replace("\r\n", "\n")  # the file's own line ends stay, or else each line would be changed
        data = form.encode(text.replace("\n", "\r\n") if "\r\n" in form.text else text)
        try:
            files.replace(place, data, before)
        except files.ChangedFile:
            raise ToolRefused(f"{place} was changed since it was read", "read it again with script_read") from None
    elif replaces is not None:
        raise ToolRefused(f"{place} no longer exists", "leave replaces out to create it")
    else:
        data = source.encode()
        files.create(place, data)
    found = files.read_bytes(place)
    saved: ScriptFileSave = {"path": place, "version": _version(found), "bytes": len(found), "verified": found == data}
    if kept is not None:
        saved["replaced"] = kept
    return saved


def _allowed(at: ToolContext) -> list[str]:
    """Return the allowed folders with links resolved. Raises ToolRefused if there are none."""
    if not at.chart_browser.folders:
        raise ToolRefused(
            "no folder was allowed", "a person allows one when starting the server: pinebench mcp --folder DIR"
        )
    return [os.path.realpath(folder) for folder in at.chart_browser.folders]


def _place(at: ToolContext, path: str) -> str:
    """Return the path of the script `path` with links resolved: in the first folder that has it, else in the first
    folder. Raises UsageError if it is not a script's name, or if it is outside the allowed folders."""
    folders = _allowed(at)
    places = [os.path.realpath(os.path.join(folder, path)) for folder in folders]
    inside = [place for place in places if any(_is_inside(place, folder) for folder in folders)]
    if not inside:
        raise UsageError(f"{path} is outside the allowed folders", f"the allowed folders are {', '.join(folders)}")
    place = next((place for place in inside if os.path.lexists(place)), inside[0])
    if not place.endswith(_ENDING) or any(not each.isprintable() for each in place):
        raise UsageError(f"{path!r} is not the name of a script", f"the name of a script ends with {_ENDING}")
    return place


def _is_inside(place: str, folder: str) -> bool:
    return Path(place).is_relative_to(folder)


def _scripts(folder: str) -> Iterator[ScriptFile]:
    for inner, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(inner, name)
            if not name.endswith(_ENDING) or not os.path.isfile(path) or not _is_inside(os.path.realpath(path), folder):
                continue
            about = os.stat(path)
            yield {"path": path, "bytes": about.st_size, "changed": int(about.st_mtime)}


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
