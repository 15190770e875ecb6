"""Installs our skills in the folders in which clients look for skills, and removes them. Texts of the user are never
lost."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Literal, NamedTuple

from pinebench import config, files
from pinebench.errors import UsageError
from pinebench.files import originals
from pinebench.skills.catalogue import FILE, Skill, ours

CLIENTS = ("claude-code", "codex", "cursor", "gemini", "vscode")
"""The clients that skills can be installed for."""
_RECORD = "installed.json"
_LIMIT = 1_000_000

State = Literal["new", "same", "ours", "changed", "linked"]
"""The content of the place of a skill: nothing, its text, an earlier text that pinebench installed, a text of the user,
or a link or a folder, which is never touched."""


class SkillPlace(NamedTuple):
    """A skill's file in a client's folder, and its state. `before` is the current content if the file was read."""

    skill: Skill
    path: Path
    state: State
    before: bytes = b""


class InstallationResult(NamedTuple):
    """The outcome of an installation or a removal: sentences for people, and the places that were left unchanged."""

    notes: list[str]
    left: list[SkillPlace]


def folder_of(name: str, project: Path | None = None, home: Path | None = None) -> Path:
    """Return the folder in which the client `name` looks for skills. It is in the project for claude-code and vscode,
    and in the user's home folder for other clients. Raises UsageError if there is no home folder."""
    project = project or Path.cwd()
    if name == "claude-code":
        return project / ".claude" / "skills"
    if name == "vscode":
        return project / ".github" / "skills"
    home = home or _home()
    if name == "codex":
        return home / ".agents" / "skills"
    return home / f".{name}" / "skills"


def places(folder: Path) -> list[SkillPlace]:
    """Return the path and the state of each of our skills in `folder`."""
    recorded = _recorded()
    return [_place(skill, folder, recorded) for skill in ours()]


def install(folder: Path, *, force: bool = False) -> InstallationResult:
    """Copy our skills into `folder`.

    A file that the user wrote or changed is not replaced, unless `force` is set; then a copy is saved in the state
    folder. Links are never replaced. Raises UsageError if a file cannot be written.
    """
    notes: list[str] = []
    left: list[SkillPlace] = []
    recorded = _recorded()
    for place in places(folder):
        if place.state == "linked" or (place.state == "changed" and not force):
            left.append(place)
            continue
        data = place.skill.text.encode()
        if place.state != "same":
            if place.before:
                notes.append(f"{place.path}: the previous content is kept as {_kept(place)}")
            make_folder(place.path.parent)
            said = files.replace(place.path, data, None if place.state == "new" else place.before)
            notes += [said] if said else []
        recorded[str(place.path)] = _digest(data)
    _record(recorded)
    return InstallationResult(notes, left)


def remove(folder: Path, *, force: bool = False) -> InstallationResult:
    """Remove our skills from `folder`, and their folders if nothing else is in them.

    A file that the user wrote or changed is not removed, unless `force` is set; then a copy is saved in the state
    folder. Links are never removed. Raises UsageError if a file cannot be removed, and ChangedFile if another program
    changes one in the meantime.
    """
    notes: list[str] = []
    left: list[SkillPlace] = []
    recorded = _recorded()
    for place in places(folder):
        if place.state == "new":
            continue
        if place.state == "linked" or (place.state == "changed" and not force):
            left.append(place)
            continue
        if place.state != "same":
            notes.append(f"{place.path}: the previous content is kept as {_kept(place)}")
        files.remove(place.path, place.before)
        recorded.pop(str(place.path), None)
        _remove_if_empty(place.path.parent)
    _remove_if_empty(folder)
    _record(recorded)
    return InstallationResult(notes, left)


def _place(skill: Skill, folder: Path, recorded: dict[str, str]) -> SkillPlace:
    path = folder / skill.name / FILE
    if not os.path.lexists(path):
        # A link in the place of the folder belongs to the user, even if it leads nowhere.
        return SkillPlace(skill, path, "linked" if path.parent.is_symlink() else "new")
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        return SkillPlace(skill, path, "linked")
    before = files.read_bytes(path, _LIMIT)
    if before == skill.text.encode():
        return SkillPlace(skill, path, "same", before)
    return SkillPlace(skill, path, "ours" if recorded.get(str(path)) == _digest(before) else "changed", before)


def _kept(place: SkillPlace) -> str:
    return originals.keep(f"{place.skill.name}.md", place.before)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _recorded() -> dict[str, str]:
    """The digests of the texts that were installed, by path; empty if the record is missing or malformed."""
    try:
        found = json.loads(files.read(os.path.join(config.state_folder(), "skills", _RECORD), _LIMIT).text)
    except (UsageError, ValueError, RecursionError):
        return {}
    items = found.items() if isinstance(found, dict) else ()
    return {path: digest for path, digest in items if isinstance(digest, str)}


def _record(digests: dict[str, str]) -> None:
    path = os.path.join(config.private_state_folder("skills"), _RECORD)
    files.write_atomically(path, json.dumps(digests, indent=1).encode())


def make_folder(folder: Path) -> None:
    """Make a folder if it does not exist. Raises UsageError if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}", "name another folder") from None


def _remove_if_empty(folder: Path) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        return  # other files are in it


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise UsageError("there is no home folder", "set HOME to the folder with your settings") from None
