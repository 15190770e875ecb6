"""The owner's control of several engines: their status, and the kill switch for all of them."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

from pinebench.engine.cluster import row_changes
from pinebench.engine.cluster.bars import series_in
from pinebench.engine.cluster.commands import UserCommand
from pinebench.engine.cluster.feed_process import FEED
from pinebench.engine.cluster.log import UPDATES, ClusterLog, NewEntry, changes_of, commands_of, lease_of
from pinebench.engine.cluster.member import agreed_groups
from pinebench.engine.moments import rfc3339

_SECONDS = 15.0
_AT_ONCE = 100
_WAIT_MS = 500
_OWNER = "owner"


def status_of_all(log: ClusterLog) -> dict[str, Any]:
    """Return the number of engines, the state of the feed, and the progress of each user group."""
    groups, (_, updates) = agreed_groups(log, None), log.ends(UPDATES)
    newest = log.entry(UPDATES, updates)
    return {
        "engines": len(log.attend("", 0)),
        "feed": {
            "running": log.is_held(FEED),
            "series": [" ".join(key) for key in sorted(series_in(log))],
            "newest": None if newest is None else rfc3339(newest.time),
        },
        "groups": [
            {
                "group": group,
                "led": log.is_held(lease_of(group)),
                "commands": log.ends(commands_of(group))[1],
                "changes": log.ends(changes_of(group))[1],
            }
            for group in range(groups)
        ],
    }


def halt_all(log: ClusterLog, reason: str) -> dict[int, Any]:
    """Halt trading in all user groups. Return the replies in the format of `ask_all`."""
    return ask_all(log, "halt", {"reason": reason})


def resume_all(log: ClusterLog) -> dict[int, Any]:
    """Resume trading in all user groups. Return the replies in the format of `ask_all`."""
    return ask_all(log, "resume", {})


def ask_all(log: ClusterLog, name: str, arguments: dict[str, Any], seconds: float = _SECONDS) -> dict[int, Any]:
    """Send an owner's command to all user groups. Return the replies that arrive within `seconds`, by group.

    A reply has a `result` or an `error`. A group without a reply runs the command as soon as an engine leads it, before
    any later command.
    """
    groups = agreed_groups(log, None)
    after = {changes_of(group): log.ends(changes_of(group))[1] for group in range(groups)}
    ids: dict[str, int] = {}
    for group in range(groups):
        command = UserCommand(uuid.uuid4().hex, _OWNER, name, arguments)
        log.append([NewEntry(commands_of(group), command.written())], uuid.uuid4().hex)
        ids[command.id] = group
    found: dict[int, Any] = {}
    end = time.monotonic() + seconds
    while len(found) < groups and time.monotonic() < end:
        for stream, entries in log.read(after, _AT_ONCE, _WAIT_MS).items():
            for entry in entries:
                after[stream] = entry.number
                found |= _replies(entry.body, ids)
    return found


def _replies(body: bytes, ids: dict[str, int]) -> dict[int, Any]:
    rows = [each for each in row_changes.unpacked(body).rows if each.table == "reply" and each.row is not None]
    return {ids[each.key[0]]: json.loads(each.row[2]) for each in rows if each.row is not None and each.key[0] in ids}
