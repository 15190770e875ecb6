"""Saved scripts: the answers of the script service about them, and the check which script a save may write."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pinebench.tradingview.bindings import Binding
from pinebench.tradingview.errors import EditorRefused, SaveRefused, ServiceError


@dataclass(frozen=True, slots=True)
class SavedScript:
    """A saved script, as the script service lists it."""

    id: str
    name: str
    title: str
    version: str
    modified: int | None = None


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of a save; `verified` means that the script service lists the new version."""

    name: str
    version: str | None
    created: bool
    verified: bool


def _check_owned(name: str | None, bound: Binding, current: SavedScript | None) -> None:
    """Raise SaveRefused if the saved script of the editor is gone or newer, or if `name` is another one."""
    if current is None or current.id != bound.script_id:
        raise SaveRefused(f"the script '{bound.name}' is no longer among the saved ones", "save it as a new one")
    if name is not None and not same_name(name, bound.name):
        raise SaveRefused(
            f"the editor's Save belongs to '{bound.name}', not to '{name}'",
            "leave the name out to save that one; for another one open it, or start a new script",
        )
    if current.version != bound.version and name != bound.name:
        raise SaveRefused(
            f"'{bound.name}' has version {current.version}, but pinebench knows version {bound.version}",
            f"somebody saved it since: look at it, then name '{bound.name}' to save over it",
        )


def save_target(name: str | None, shown: str | None, bound: Binding | None, listed: dict[str, SavedScript]) -> str:
    """Return the name of the script that a save would write. Raises SaveRefused if it must not be written.

    `name` is the name that the caller gave, `shown` the name that the page shows, `bound` the script that pinebench put
    into the editor, and `listed` the saved scripts by name.
    """
    if shown is None:
        raise SaveRefused(
            "the page does not show which script the editor is bound to", "save it by hand in the browser"
        )
    like = None if shown in listed else _may_be(shown, listed)
    if like is not None and not (bound is not None and bound.script_id is not None and same_name(shown, bound.name)):
        raise SaveRefused(
            f"the editor shows '{shown}', which may be the saved script '{like}'", "save it by hand in the browser"
        )
    if bound is not None and bound.script_id is None and shown not in listed:
        wanted = name or bound.name
        if wanted in listed:
            raise SaveRefused(f"a script called '{wanted}' exists already", "choose another name")
        return wanted
    if bound is not None and bound.script_id is not None and same_name(shown, bound.name):
        _check_owned(name, bound, listed.get(bound.name))
        return bound.name
    if name is not None and same_name(name, shown):
        return shown
    if name is not None and shown not in listed and name not in listed:
        return name
    raise SaveRefused(
        f"the editor is bound to '{shown}', which pinebench did not open",
        "start a new script, open the one you mean, or say its name to overwrite it",
    )


def is_newer(script: SavedScript, known: SavedScript | None) -> bool:
    """Whether a listed script is new (`known` is None), or another version of the known one."""
    return known is None or (script.id == known.id and script.version != known.version)


def refuse_foreign_save(listed: list[SavedScript], before: dict[str, SavedScript], target: str) -> None:
    """Raise EditorRefused if an existing script other than `target` got a new version.

    This happens if the page knew the existing script by another name, or if somebody opened another script meanwhile.
    """
    wanted = f"saving '{target}'" if target in before else "making a new script"
    for script in listed:
        known = before.get(script.name)
        if known is not None and script.name != target and is_newer(script, known):
            raise EditorRefused(
                f"the page saved '{script.name}' as version {script.version} instead of {wanted}",
                f"version {known.version} is in its history on TradingView: restore it there",
            )


def listed_scripts(answer: dict[str, Any]) -> list[SavedScript]:
    """The saved scripts in the service's answer to `list_scripts`. Raises ServiceError if it is not such a list."""
    data = service_data(answer, "list the saved scripts")
    if not isinstance(data, list):
        raise ServiceError("the script service's list has an unexpected shape", "'pinebench doctor' shows more")
    return [
        SavedScript(
            str(entry.get("scriptIdPart", "")),
            str(entry.get("scriptName", "")),
            str(entry.get("scriptTitle", "") or ""),
            str(entry.get("version", "")),
            entry.get("modified"),
        )
        for entry in data
        if isinstance(entry, dict)
    ]


def find_script(scripts: list[SavedScript], name: str) -> SavedScript:
    exact = [script for script in scripts if same_name(script.name, name)] or [
        s for s in scripts if same_name(s.title, name)
    ]
    needle = name.strip().casefold()
    found = exact or [s for s in scripts if needle and (needle in s.name.casefold() or needle in s.title.casefold())]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"'{script.name}'" for script in (found or scripts)[:10]) or "none"
    problem = f"several saved scripts match '{name}'" if found else f"no saved script is called '{name}'"
    raise EditorRefused(f"{problem} ({listed})", "give the whole name of one of them")


def service_data(answer: dict[str, Any], what: str) -> Any:
    status = answer["status"]
    if status in (401, 403):
        raise ServiceError(
            f"cannot {what}: TradingView wants a log-in (HTTP {status})", "log in on the page, once, then try again"
        )
    if status == 429:
        raise ServiceError(f"cannot {what}: too many requests (HTTP 429)", "wait a minute, then try again")
    if status != 200:
        reason = f"HTTP {status}" if status else answer["text"]
        raise ServiceError(f"cannot {what}: {reason}", "check the connection and try again")
    if answer["data"] is None:
        raise ServiceError(
            f"cannot {what}: the answer is not JSON ({answer['text'][:60]!r})", "'pinebench doctor' shows more"
        )
    return answer["data"]


def _may_be(shown: str, names: Iterable[str]) -> str | None:
    """The saved script that `shown` may mean although the names differ, or None.

    The page may have cut the name short, or added something after it.
    """
    words = " ".join(shown.casefold().split())
    cut = words.rstrip("….")
    for name in names:
        saved = " ".join(name.casefold().split())
        if saved and re.match(re.escape(saved) + r"(?!\w)", words):
            return name
        if cut and cut != words and saved.startswith(cut):
            return name
    return None


def same_name(one: str, other: str) -> bool:
    """Whether two names mean the same script; upper and lower case are the same, and spaces around are ignored."""
    return one.strip().casefold() == other.strip().casefold()
