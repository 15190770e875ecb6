"""The owner's settings file: terms and limits of paper accounts, notifiers, webhook hosts, and a message broker."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from typing import Any, get_type_hints

from pinebench import files
from pinebench.engine.engine_store import folder_of
from pinebench.engine.paper import Terms
from pinebench.engine.risk import RiskLimits
from pinebench.errors import UsageError
from pinebench.near import near_names

FILE = "engine.toml"
_SECTIONS = {"terms": Terms, "limits": RiskLimits}
_BROKER: Mapping[str, type] = {
    "url": str, "name": str, "user": str, "password-file": str, "ca-file": str, "groups": int,
}  # fmt: skip


def read(folder: str | None = None) -> dict[str, Any]:
    """Return the settings in `engine.toml` of an engine's folder (default: the user's), as arguments of EngineSettings.

    Without a file, the result is empty. Raises UsageError for a file that is not TOML, an unknown key, and a value of
    the wrong type.
    """
    path, told = _told(folder)
    found: dict[str, Any] = {
        name: _section(path, name, kind, told[name]) for name, kind in _SECTIONS.items() if name in told
    }
    if "notifiers" in told:
        found["notifiers"] = _texts(path, "notifiers", told["notifiers"])
    if "webhook-hosts" in told:
        hosts = told["webhook-hosts"]
        if not isinstance(hosts, list) or not all(isinstance(each, str) for each in hosts):
            raise UsageError(
                f"{path}: webhook-hosts must be a list of strings", 'expected, for example, ["192.168.1.5"]'
            )
        found["webhook_hosts"] = tuple(hosts)
    return found


def broker(folder: str | None = None) -> dict[str, Any]:
    """Return the section `[broker]` of `engine.toml`: the message broker that several engines share. It is empty if the
    section is missing.

    Raises UsageError like `read`.
    """
    path, told = _told(folder)
    found = told.get("broker", {})
    if not isinstance(found, dict):
        raise UsageError(f"{path}: broker must be a table", "expected [broker]")
    _known(path, found, tuple(_BROKER))
    for key, value in found.items():
        if type(value) is not _BROKER[key]:
            what = "a whole number" if _BROKER[key] is int else "a text"
            raise UsageError(f"{path}: {key} in [broker] must be {what}")
    return found


def _told(folder: str | None) -> tuple[str, dict[str, Any]]:
    path = os.path.join(folder_of(folder), FILE)
    if not os.path.lexists(path):
        return path, {}
    try:
        told = tomllib.loads(files.read(path).text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    _known(path, told, (*_SECTIONS, "notifiers", "webhook-hosts", "broker"))
    return path, told


def _section(path: str, name: str, kind: type[Terms] | type[RiskLimits], told: object) -> Terms | RiskLimits:
    if not isinstance(told, dict):
        raise UsageError(f"{path}: {name} must be a table", f"expected [{name}]")
    types = {key.replace("_", "-"): hint for key, hint in get_type_hints(kind).items()}
    _known(path, told, types)
    values: dict[str, Any] = {}
    for key, value in told.items():
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        kind_of_number = "number" if float in _parts(types[key]) else "whole number"
        if not (is_whole or (isinstance(value, float) and kind_of_number == "number")) or not 0 <= value < 1e15:
            raise UsageError(f"{path}: {key} in [{name}] must be a {kind_of_number}, 0 or more")
        values[key.replace("-", "_")] = value
    return dataclasses.replace(kind(), **values)


def _parts(hint: Any) -> tuple[Any, ...]:
    return getattr(hint, "__args__", (hint,))


def _known(path: str, told: Mapping[str, Any], names: Any) -> None:
    for key in told:
        if key not in names:
            near = near_names(key, names)
            hint = f"did you mean {near[0]}?" if near else f"the settings are {', '.join(names)}"
            raise UsageError(f"{path}: there is no setting '{key[:60]}'", hint)


def _texts(path: str, name: str, told: object) -> dict[str, str]:
    if not isinstance(told, dict) or not all(isinstance(each, str) for each in told.values()):
        raise UsageError(f"{path}: {name} must be a table of strings", 'expected, for example, phone = "ntfy://topic"')
    return told
