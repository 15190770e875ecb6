"""Configuration: `pinebench.toml` or `[tool.pinebench]` in `pyproject.toml`, nearest to each file upwards.

The search stops at the repository's root. `PINEBENCH_<KEY>` in the environment wins over a file, and a flag over both.
A file can hold preferences only: base URLs, hosts and safety switches are no keys here, so that a cloned repository
cannot redirect anything.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from pinebench.errors import UsageError

Settings = dict[str, Any]
"""One section's settings: key as written in the file → value."""

SECTIONS: dict[str, dict[str, type]] = {
    "lint": {"select": list, "ignore": list, "exclude": list, "fail-on": str},
    "check": {"library-paths": list},
    "format": {"width": int, "align": bool},
}
"""Every section with its keys and their types; a list is always one of strings."""

FAIL_ON = ("error", "warning", "info", "never")
"""What `fail-on` may be: the n-th is the severity n, and `never` comes last."""

_CHOICES = {"fail-on": FAIL_ON}

_KINDS = {list: "a list of strings", str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


def section(name: str, start: str, file: str | None = None) -> Settings:
    """The settings of section `name` for the file or folder `start`; `file` names a configuration file to use instead.

    Raises UsageError for a file that is not TOML, an unknown key, or a value of the wrong type.
    """
    found = file or _find(_folder_of(start))
    settings = dict(_load(found).get(name, {})) if found else {}
    for key, kind in SECTIONS[name].items():
        value = os.environ.get("PINEBENCH_" + key.upper().replace("-", "_"))
        if value:
            settings[key] = _from_text(value, kind, key)
            _check_choice("PINEBENCH_" + key.upper().replace("-", "_"), key, value)
    return settings


def library_folders(start: str, file: str | None = None) -> tuple[str, ...]:
    """The folders in which the source of imported libraries may lie, for the script `start`.

    They are the key `library-paths` of section `check`, relative to the configuration file that names them.
    """
    found = file or _find(_folder_of(start))
    base = os.path.dirname(os.path.abspath(found)) if found else os.getcwd()
    return tuple(os.path.join(base, folder) for folder in section("check", start, file).get("library-paths", ()))


def is_excluded(path: str, file: str | None = None) -> bool:
    """Whether key `exclude` of section `lint` leaves out the script at `path`.

    A pattern may name the script, its path as it is given, or its path from the folder of the configuration file.
    """
    patterns = section("lint", path, file).get("exclude", ())
    if not patterns:
        return False
    from fnmatch import fnmatch

    found = file or _find(_folder_of(path))
    base = os.path.dirname(os.path.abspath(found)) if found else os.getcwd()
    inside = os.path.relpath(os.path.abspath(path), base).replace(os.sep, "/")
    return any(fnmatch(name, pattern) for name in (path, os.path.basename(path), inside) for pattern in patterns)


def environment_file(start: str) -> str | None:
    """The `.env` of the project that the folder `start` belongs to: the nearest one from there up to the repository's
    root, or the one in `start` itself where that is in no repository."""
    folder = _folder_of(start)
    root = _nearest(folder, lambda place: place if os.path.exists(os.path.join(place, ".git")) else None)
    if root is None:
        return _existing(folder, ".env")
    return _nearest(folder, lambda place: _existing(place, ".env"))


def _folder_of(start: str) -> str:
    path = os.path.abspath(start)
    return path if os.path.isdir(path) else os.path.dirname(path)


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
    if os.path.lexists(own):  # whatever it is: reading it says what is wrong, rather than passing it over
        return own
    project = _existing(folder, "pyproject.toml")
    return project if project and _mentions_pinebench(project) else None


def _mentions_pinebench(path: str) -> bool:
    return b"pinebench" in _content(path) and "pinebench" in _table(_parsed(path).get("tool"))


@cache
def _load(path: str) -> dict[str, Settings]:
    data, place = _parsed(path), ""
    if os.path.basename(path) == "pyproject.toml":
        data, place = _table(data.get("tool")).get("pinebench", {}), "tool.pinebench"
        if not isinstance(data, dict):
            raise UsageError(f"{path}: {place} must be a table", f"write [{place}.lint]")
    for name, settings in data.items():
        _validate(path, name, settings)
    return data


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _content(path: str) -> bytes:
    from pinebench import files  # here, because most scripts have no configuration

    return files.read_bytes(path)


def _parsed(path: str) -> dict[str, Any]:
    import tomllib  # here, because most scripts have no configuration

    try:
        # TOML knows no byte order mark, but editors on Windows write one.
        return tomllib.loads(_content(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 text: byte {error.object[error.start]:#04x} at {error.start}") from None
    except ValueError as error:  # also for a number of more digits than Python reads
        raise UsageError(f"{path}: is not TOML: {error}") from None
    except RecursionError:
        raise UsageError(f"{path}: is not TOML: it nests too deep") from None


def _validate(path: str, name: str, settings: Any) -> None:
    if name not in SECTIONS:
        what = f"there is no section [{name}]" if isinstance(settings, dict) else f"'{name}' stands in no section"
        raise UsageError(f"{path}: {what}", f"sections are {_listed(SECTIONS)}")
    if not isinstance(settings, dict):
        raise UsageError(f"{path}: '{name}' must be a section", f"write [{name}] and its keys below it")
    for key, value in settings.items():
        kind = SECTIONS[name].get(key)
        if kind is None:
            raise UsageError(f"{path}: [{name}] has no key '{key}'", f"keys are {_listed(SECTIONS[name])}")
        if not _is(value, kind):
            raise UsageError(f"{path}: '{key}' in [{name}] must be {_KINDS[kind]}, not {_short(value)}")
        _check_choice(f"{path}: '{key}' in [{name}]", key, value)


def _check_choice(place: str, key: str, value: Any) -> None:
    choices = _CHOICES.get(key)
    if choices and value not in choices:
        raise UsageError(f"{place} must be one of {', '.join(choices)}, not {_short(value)}")


def _short(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return "a very large number"
    return text if len(text) <= 60 else text[:59] + "…"


def _is(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _from_text(value: str, kind: type, key: str) -> Any:
    if kind is list:
        return [item.strip() for item in value.split(",") if item.strip()]
    if kind is bool:
        return value.lower() in ("1", "true", "yes")
    try:
        return kind(value)
    except ValueError:
        variable = "PINEBENCH_" + key.upper().replace("-", "_")
        raise UsageError(f"{variable} must be {_KINDS[kind]}, not {value!r}") from None


def _listed(names: dict[str, Any]) -> str:
    return ", ".join(names)


def cache_folder() -> str:
    """Where what can be made again is kept: the user's cache folder for pinebench; it may not exist yet."""
    import platformdirs

    return os.environ.get("PINEBENCH_CACHE_DIR") or platformdirs.user_cache_dir("pinebench", appauthor=False)


def state_folder() -> str:
    """Where a user's work in progress is kept, such as journals; it may not exist yet."""
    import platformdirs

    return os.environ.get("PINEBENCH_STATE_DIR") or platformdirs.user_state_dir("pinebench", appauthor=False)


_EARLIER = ("runs", "screenshots", "replaced", "bindings.json", "studio.sqlite3", "studio.sqlite3-wal")
"""What earlier versions left in the state folder, readable by all; what came later was made private from the start."""

_corrected: set[str] = set()
"""State folders in which this process has seen to that."""


def private_state_folder(name: str = "") -> str:
    """The folder `name` in the state folder (empty: that folder itself), made where it is missing; it and all in it are
    the user's alone.

    What earlier versions left beside it becomes so too, and the state folder itself, unless other things have their
    place in it, as in `/tmp` or in a home folder. Raises UsageError when it cannot be made.
    """
    from pinebench import files

    state = state_folder()
    inner = os.path.join(state, name) if name else state
    if name or not os.path.isdir(state):
        files.private_folder(inner)
    if state not in _corrected:
        _corrected.add(state)
        for earlier in _EARLIER:
            files.make_private(os.path.join(state, earlier))
    if not _is_shared(state):
        files.restrict(state)
    return inner


def _is_shared(folder: str) -> bool:
    """Whether `folder` is no folder of ours: one for everybody, or one that the home or the working folder is in."""
    found = os.path.realpath(folder)
    inside = (os.path.realpath(os.path.expanduser("~")), os.getcwd())
    return bool(os.stat(found).st_mode & 0o1000) or any(os.path.commonpath([found, path]) == found for path in inside)
