"""Reads the answers of TradingView's script service: the saved scripts, and the reasons for its refusals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pinebench.tradingview.errors import EditorRefused, ServiceError

SERVICE_TIMEOUT = 15.0
"""Seconds that the script service may take to answer."""


@dataclass(frozen=True, slots=True)
class SavedScript:
    """A saved script, as the script service lists it."""

    id: str
    name: str
    title: str
    version: str
    modified: int | None = None


def listed_scripts(answer: dict[str, Any]) -> list[SavedScript]:
    """Return the saved scripts in the service's answer to `list_scripts`. Raises ServiceError if the answer is not a
    list of saved scripts."""
    data = service_data(answer, "list the saved scripts")
    if not isinstance(data, list):
        raise ServiceError("the list from the script service has an unexpected form", "'pinebench doctor' shows more")
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
    """Return the only script with this name or title, or else the only one whose name or title contains `name`. Raises
    EditorRefused if no script or several match."""
    exact = [script for script in scripts if same_name(script.name, name)] or [
        s for s in scripts if same_name(s.title, name)
    ]
    needle = name.strip().casefold()
    found = exact or [s for s in scripts if needle and (needle in s.name.casefold() or needle in s.title.casefold())]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"'{script.name}'" for script in (found or scripts)[:10]) or "none"
    problem = f"several saved scripts match '{name}'" if found else f"no saved script is called '{name}'"
    raise EditorRefused(f"{problem} ({listed})", "give the full name of one of them")


def service_data(answer: dict[str, Any], what: str) -> Any:
    """Return the JSON data in an answer of a TradingView service. `what` names the failed action in error messages,
    such as "list the saved scripts". Raises ServiceError if the service refused, could not be reached, or did not
    answer with JSON."""
    status = answer["status"]
    if status in (401, 403):
        raise ServiceError(
            f"cannot {what}: TradingView requires a log-in (HTTP {status})", "log in on the page, once, then try again"
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


def same_name(one: str, other: str) -> bool:
    """Return whether two names mean the same script, ignoring case and surrounding spaces."""
    return one.strip().casefold() == other.strip().casefold()
