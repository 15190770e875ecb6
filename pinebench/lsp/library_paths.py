"""Adds the folder of an imported library to `library-paths` of a pinebench.toml, and keeps the rest of the file."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from pinebench import config, files
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UsageError
from pinebench.syntax.lines import LineIndex

_NAME = "pinebench.toml"

_ARRAY = re.compile(r"""(?m)^[ \t]*["']?library-paths["']?[ \t]*=[ \t]*\[""")
_HEADER = re.compile(r"""(?m)^[ \t]*\[[ \t]*["']?check["']?[ \t]*\][^\r\n]*""")
_INDENTATION = re.compile(r"[ \t]*")


class ConfigurationFile(NamedTuple):
    """A pinebench.toml with its text, which is empty if the file does not exist yet."""

    path: str
    is_there: bool
    text: str

    @property
    def folder(self) -> str:
        """The folder that has the file; `library-paths` are relative to it."""
        return os.path.dirname(self.path)

    @property
    def lines(self) -> LineIndex:
        """The starts of the text's lines."""
        return LineIndex(self.text)


def configuration_of(script: str | None, folders: Sequence[str]) -> ConfigurationFile | None:
    """Return the pinebench.toml of a script in one of the workspace's `folders`: the existing file that applies, or a
    new one.

    Return None if the script or its configuration is outside these folders, because that configuration may also be for
    other projects.
    """
    around = [os.path.abspath(each) for each in folders if script is not None and _is_within(script, each)]
    if script is None or not around:
        return None
    try:
        found = config.file_for(script)
        if found is None:
            return ConfigurationFile(os.path.join(max(around, key=len), _NAME), False, "")
        is_ours = os.path.basename(found) == _NAME and any(_is_within(found, each) for each in around)
        return ConfigurationFile(os.path.abspath(found), True, files.read(found).text) if is_ours else None
    except UsageError:
        return None


def _is_within(path: str, folder: str) -> bool:
    return Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))


def folders_of(path: str, scripts: Sequence[str], base: str) -> list[str]:
    """Return the folders, relative to `base`, in which one of the files `scripts` is the library `path`
    (`User/Name/Version`). A file that is not in a folder of its user does not count, because its user is unknown."""
    name = path.rpartition("/")[0]
    found: set[str] = set()
    for script in scripts:
        place = "/" + os.path.relpath(script, base).replace(os.sep, "/")
        for ending in (f"/{path}.pine", f"/{name}.pine"):
            if place.endswith(ending):
                found.add(place.removesuffix(ending).removeprefix("/") or ".")
    return sorted(each for each in found if each != ".." and not each.startswith("../"))


def adding(text: str, folder: str) -> Edit | None:
    """Return the edit of a pinebench.toml that appends `folder` to its library folders. Return None if the folder is
    already listed, if the file is not TOML, or if no single insertion has exactly this effect."""
    try:
        wanted = _with(tomllib.loads(text), folder)
    except tomllib.TOMLDecodeError:
        return None
    if wanted is None:
        return None
    for place, inserted in _insertions(text, json.dumps(folder, ensure_ascii=False)):
        try:
            made = tomllib.loads(text[:place] + inserted + text[place:])
        except tomllib.TOMLDecodeError:
            continue
        if made == wanted:
            return Edit(Span(place, place), inserted)
    return None


def _with(data: dict[str, Any], folder: str) -> dict[str, Any] | None:
    """Return the data of the file with the folder added; None if it has the folder, or if `library-paths` is not a list
    in a table."""
    data = deepcopy(data)
    section = data.setdefault("check", {})
    folders = section.setdefault("library-paths", []) if isinstance(section, dict) else None
    if not isinstance(folders, list) or folder in folders:
        return None
    folders.append(folder)
    return data


def _insertions(text: str, item: str) -> Iterator[tuple[int, str]]:
    """Yield offsets and texts that may add `item`: at the end of the list, below the header, at the end of the file."""
    end = "\r\n" if "\r\n" in text else "\n"
    for array in _ARRAY.finditer(text):
        for close in re.finditer(r"\]", text[array.end() :]):
            items = text[: array.end() + close.start()].rstrip()
            comma = "" if items.endswith((",", "[")) else ","
            if "\n" in items[array.end() :]:
                indentation = _INDENTATION.match(items[items.rindex("\n") + 1 :])
                before = end + (indentation[0] if indentation else "")
            else:
                before = "" if items.endswith("[") else " "
            yield len(items), f"{comma}{before}{item}"
    for header in _HEADER.finditer(text):
        yield header.end(), f"{end}library-paths = [{item}]"
    gap = end if text and not text.endswith("\n") else ""
    yield len(text), f"{gap}{end if text else ''}[check]{end}library-paths = [{item}]{end}"
