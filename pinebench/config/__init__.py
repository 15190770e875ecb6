"""Configuration: `pinebench.toml`, or `[tool.pinebench]` in `pyproject.toml`; the nearest file above a script wins.

The search stops at the repository's root. `PINEBENCH_<KEY>` in the environment overrides a file, and a flag overrides
both. `config.keys` declares the keys.

A file can only hold preferences. Base URLs, hosts and safety switches are not keys, so that a cloned repository cannot
redirect anything. Library folders outside the file's repository are used only after a person has approved them
(`unapproved`, `approve`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from pinebench.config.folders import cache_folder, private_state_folder, state_folder
from pinebench.config.keys import FAIL_ON, PER_FILE_SECTION, RULES, SECTIONS, UNCHECKED, Key, check, from_text
from pinebench.errors import UsageError
from pinebench.records import NamedTuple

__all__ = [
    "ADVICE",
    "DEFAULT",
    "FAIL_ON",
    "SECTIONS",
    "UNCHECKED",
    "Setting",
    "Settings",
    "approve",
    "cache_folder",
    "environment_file",
    "excluding",
    "excluding_of",
    "file_for",
    "forget",
    "hear",
    "is_excluded",
    "left_out",
    "libraries_in",
    "library_folders",
    "per_file",
    "per_file_in",
    "private_state_folder",
    "resolved",
    "resolved_in",
    "rule_options",
    "section",
    "state_folder",
    "unapproved",
]

Settings = dict[str, Any]
"""The settings of one section: value by key, as in the file."""

DEFAULT = "default"
"""The origin of a value that nobody set."""


class Setting(NamedTuple):
    """The effective value of a key and its origin: the path of a file, an environment variable, or DEFAULT."""

    value: Any
    origin: str


def section(name: str, start: str, file: str | None = None) -> Settings:
    """Return the settings of section `name` for the file or folder `start`, without defaults.

    `file` is a configuration file to use instead of the nearest one. Raises UsageError for a file that is not TOML, an
    unknown key, or an invalid value.
    """
    return {key: found.value for key, found in resolved(name, start, file).items() if found.origin != DEFAULT}


def resolved(name: str, start: str, file: str | None = None) -> dict[str, Setting]:
    """Return the effective value and the origin of each key of section `name`. See `section` for the arguments."""
    return resolved_in(name, file_for(start, file))


def resolved_in(name: str, found: str | None) -> dict[str, Setting]:
    """Return each key's effective value and origin in section `name`. `found` is the configuration file, or None."""
    settings = _load(found).get(name, {}) if found else {}
    return {key: _resolved(key, declared, settings, found) for key, declared in SECTIONS[name].items()}


def _resolved(name: str, key: Key, settings: Settings, file: str | None) -> Setting:
    variable = "PINEBENCH_" + name.upper().replace("-", "_")
    value = os.environ.get(variable)
    if value:
        return Setting(from_text(value, key, variable), variable)
    return Setting(settings[name], file or "") if name in settings else Setting(key.default, DEFAULT)


def file_for(start: str, file: str | None = None) -> str | None:
    """Return the configuration file for the file or folder `start`, or None. If `file` is given, return `file`."""
    return file or _found_from(start, os.getcwd())


@cache
def _found_from(start: str, _where: str) -> str | None:
    """The configuration file for `start`, which may be relative to the current folder `_where`."""
    return _find(_folder_of(start))


def per_file(path: str, file: str | None = None) -> list[tuple[str, Settings]]:
    """Return the `[per-file]` patterns that match the script at `path`, each with its settings, in file order."""
    found = file_for(path, file)
    tables = per_file_in(found) if found else []
    return [(pattern, settings) for pattern, settings in tables if _fits(path, pattern, found)]


def per_file_in(found: str) -> list[tuple[str, Settings]]:
    """Return every `[per-file]` pattern in the configuration file `found`, with its settings, in file order."""
    return list(_load(found).get(PER_FILE_SECTION, {}).items())


def rule_options(file: str) -> list[tuple[str, Settings]]:
    """Return the options of each rule in the configuration `file`, with the rule's name. The names are not checked."""
    return list(_load(file).get(RULES, {}).items())


def library_folders(start: str, file: str | None = None) -> tuple[str, ...]:
    """Return the folders that may hold the source of libraries imported by the script `start`.

    The key `library-paths` of section `check` names them, relative to its configuration file.
    """
    return libraries_in(file_for(start, file))


def libraries_in(found: str | None) -> tuple[str, ...]:
    """Return the library folders that the configuration file `found` names, or none if `found` is None.

    Folders outside the file's repository are left out until a person approves them.
    """
    setting = resolved_in("check", found)[_LIBRARIES]
    base = _base(found) if setting.value else ""
    out = unapproved(found) if found is not None and setting.origin == found else ()
    if found is not None and out:
        _tell(found, f"{found}: library-paths outside this project are not used: {', '.join(out)}")
    return tuple(os.path.join(base, folder) for folder in setting.value if folder not in out)


_LIBRARIES = "library-paths"
ADVICE = "they are not approved; 'pinebench config --approve' shows and approves them"
_left_out: dict[str, str] = {}
_hearers: list[Callable[[str, str], object]] = []


def left_out(found: str | None) -> str | None:
    """Return a sentence about the settings in `found` that were ignored because nobody approved them, or None."""
    return _left_out.get(found) if found else None


def hear(hearer: Callable[[str, str], object]) -> None:
    """Register `hearer`, in place of any earlier one. It is called with a sentence and ADVICE when settings of a file
    are first left out."""
    _hearers[:] = [hearer]


def _tell(found: str, said: str) -> None:
    if _left_out.get(found) == said:
        return
    _left_out[found] = said
    for hearer in _hearers:
        hearer(said, ADVICE)


def unapproved(found: str) -> tuple[str, ...]:
    """Return the library folders in the file `found` that are outside its repository and not approved.

    A cloned repository's configuration comes from other people: it may name any folder on this or another computer.
    """
    out = _outside(found)
    if not out:
        return ()
    from pinebench import approvals  # imported here, because few configurations need it

    return () if approvals.is_approved("settings", found, {_LIBRARIES: "\n".join(out)}) else out


def approve(found: str, shown: Sequence[str]) -> None:
    """Record that a person approved the library folders `shown`, which the configuration file `found` names. The
    approval ends when that list changes."""
    from pinebench import approvals

    approvals.approve("settings", found, {_LIBRARIES: "\n".join(shown)})
    _left_out.pop(found, None)


def _outside(found: str) -> tuple[str, ...]:
    """The folders of libraries in the configuration file `found` that are outside of its repository.

    Without a repository, and if the home folder is one, they are those outside of the file's own folder.
    """
    folders: list[str] = _load(found).get("check", {}).get(_LIBRARIES, [])
    if not folders:
        return ()
    base = _base(found)
    root = _nearest(base, lambda place: place if os.path.exists(os.path.join(place, ".git")) else None)
    if root is None or _contains(root, os.path.expanduser("~")):
        root = base
    return tuple(folder for folder in folders if not _is_within(os.path.join(base, folder), root))


def _is_within(path: str, root: str) -> bool:
    """Whether `path` is in the folder `root`, both by its name and after its links are followed.

    The name is compared first, because even a look at a folder of another computer could send something there.
    """
    return _contains(root, os.path.normpath(path)) and _contains(os.path.realpath(root), os.path.realpath(path))


def _contains(folder: str, path: str) -> bool:
    try:
        return os.path.commonpath([folder, path]) == os.path.normpath(folder)
    except ValueError:  # another drive
        return False


def is_excluded(path: str, file: str | None = None) -> bool:
    """Return whether key `exclude` of section `lint` excludes the script at `path`."""
    return excluding(path, file) is not None


def excluding(path: str, file: str | None = None) -> str | None:
    """Return the first pattern of key `exclude` that excludes the script at `path`, or None.

    A pattern may match the name of the script or of one of its folders, their path relative to the configuration file,
    or the path of the script as given.
    """
    found = file_for(path, file)
    return excluding_of(path, resolved_in("lint", found)["exclude"].value, found)


def excluding_of(path: str, patterns: Sequence[str], found: str | None) -> str | None:
    """Return the first of `patterns` that excludes the script at `path`, or None. `found` is its configuration file."""
    return next((each for each in patterns if _matches(path, each) or _fits(path, each, found)), None)


def _fits(path: str, pattern: str, found: str | None) -> bool:
    """Whether `pattern` matches the script at `path`, or one of its folders, by name or by path.

    The path is relative to the folder of the configuration file `found`, which is the highest folder that counts, or
    absolute if the pattern is.
    """
    absolute = os.path.abspath(path)
    place = absolute if os.path.isabs(pattern) else os.path.relpath(absolute, _base(found))
    names = place.replace(os.sep, "/").split("/")
    first = len(names) if names[0] == os.pardir else 1
    places = [("/".join(names[:count]), names[count - 1]) for count in range(first, len(names) + 1)]
    if pattern.endswith("/"):  # the pattern only matches folders
        places.pop()
    return any(each and _matches(each, pattern) for pair in places for each in pair)


def _matches(path: str, pattern: str) -> bool:
    """Whether the glob `pattern` matches a whole name or path. The time is bounded, because others may have written the
    pattern."""
    return _compiled(pattern).first(path) != ""


@cache
def _compiled(pattern: str) -> Any:
    """Compile the glob `pattern` to a regular expression for names and paths. `**/` matches any number of folders,
    including none."""
    import fnmatch  # imported here, because most scripts have no configuration

    from pinebench.regular_expressions import Pattern

    tidy = pattern.removeprefix("./").rstrip("/")
    parts = [fnmatch.translate(part)[:-2] for part in tidy.split("**/")]  # without the mark for the end
    return Pattern(rf"\A(?:{'(?:.*/)?'.join(parts)})\Z", re.DOTALL)


def _base(found: str | None) -> str:
    return os.path.dirname(os.path.abspath(found)) if found else os.getcwd()


def environment_file(start: str) -> str | None:
    """Return the `.env` file for the folder `start`: the nearest one up to the repository's root, or None.

    Outside a repository, only a file in `start` itself is used.
    """
    folder = _folder_of(start)
    root = _nearest(folder, lambda place: place if os.path.exists(os.path.join(place, ".git")) else None)
    if root is None:
        return _existing(folder, ".env")
    return _nearest(folder, lambda place: _existing(place, ".env"))


def _folder_of(start: str) -> str:
    path = os.path.abspath(start)
    return path if os.path.isdir(path) else os.path.dirname(path)


def forget() -> None:
    """Clear the cache of configuration files. A long-running process calls this when a file has changed."""
    for known in (_found_from, _find, _load):
        known.cache_clear()


@cache
def _find(folder: str) -> str | None:
    return _nearest(folder, _configuration_in)


def _nearest(folder: str, look: Any) -> str | None:
    while True:
        found = look(folder)
        if found:
            return found
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def _existing(folder: str, name: str) -> str | None:
    path = os.path.join(folder, name)
    return path if os.path.isfile(path) else None


def _configuration_in(folder: str) -> str | None:
    own = os.path.join(folder, "pinebench.toml")
    if os.path.lexists(own):  # of any kind: reading it reports the problem, instead of ignoring the file
        return own
    project = _existing(folder, "pyproject.toml")
    return project if project and _mentions_pinebench(project) else None


def _mentions_pinebench(path: str) -> bool:
    # Parsing takes as long as the check of a short script, so a file is only parsed if it may have the table.
    text = _content(path)
    may_have_table = b"pinebench" in text and re.search(_TABLE, text, re.MULTILINE) is not None
    return may_have_table and "pinebench" in _table(_parsed(path).get("tool"))


_TABLE = rb"""tool["'\s]*\.["'\s]*pinebench|\[\s*["']?tool["']?\s*\]|^(?:\xef\xbb\xbf)?\s*["']?tool["']?\s*="""
"""A table or a key `tool.pinebench`, or a table `tool` that may have the key inside."""


@cache
def _load(path: str) -> dict[str, Settings]:
    data, place = _parsed(path), ""
    if os.path.basename(path) == "pyproject.toml":
        data, place = _table(data.get("tool")).get("pinebench", {}), "tool.pinebench"
        if not isinstance(data, dict):
            raise UsageError(f"{path}: {place} must be a table", f"write [{place}.lint]")
    for name, settings in data.items():
        check(path, name, settings)
    return data


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _content(path: str) -> bytes:
    from pinebench import files  # imported here, because most scripts have no configuration

    return files.read_bytes(path)


def _parsed(path: str) -> dict[str, Any]:
    from pinebench.files.toml import read_toml  # imported here, because most scripts have no configuration

    return read_toml(path)
