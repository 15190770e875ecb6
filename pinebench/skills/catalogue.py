"""Finds skills, lists them in a short index, and loads one by its name.

A skill is a folder with a file `SKILL.md`: front matter (`name` and `description`, between two `---` lines) and then
instructions in Markdown. The name of the folder is the name of the skill.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pinebench import approvals, files
from pinebench.errors import UsageError
from pinebench.near import near_names
from pinebench.printable import printable

MOST_CHARACTERS = 20_000
"""The largest number of characters in a `SKILL.md`; it is also the limit in bytes."""
MOST_OF_PROJECT = 50
"""The largest number of skills in a project's folder; later ones are left out, with a remark."""
FILE = "SKILL.md"
FOLDER = "skills"
"""The folder of a project that holds its own skills."""

_OURS = Path(__file__).parent / "texts"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 64
_LONGEST_DESCRIPTION = 1024
_IN_INDEX = 300
"""The largest number of characters of a description in the index."""
_KEY = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?")
_FOLDED = frozenset((">", ">-", ">+", "|", "|-", "|+"))


class MalformedSkill(UsageError):
    """Raised for a skill that does not follow the format of a `SKILL.md`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill. `text` is the full `SKILL.md`, and `body` is its instructions.

    `is_ours` is True for a skill that comes with pinebench, and False for a project's skill. `replaces` is True for a
    project's skill that has the name of one of ours and replaces it.
    """

    name: str
    description: str
    text: str
    body: str
    path: Path
    is_ours: bool = True
    replaces: bool = False

    @property
    def origin(self) -> str:
        """The skill's origin, worded for people: pinebench or this project."""
        if self.is_ours:
            return "pinebench"
        return "this project, in place of pinebench's own" if self.replaces else "this project"


@dataclass(frozen=True, slots=True)
class Skills:
    """All skills by name, ours first, and remarks about project skills that were left out or replace one of ours.
    `unapproved` holds the project's skills that nobody has approved; they are not in `by_name`."""

    by_name: dict[str, Skill]
    remarks: list[str] = field(default_factory=list[str])
    unapproved: tuple[Skill, ...] = ()


class SkillParts(NamedTuple):
    """The parts of a `SKILL.md`: the keys and values of its front matter, and the instructions."""

    keys: dict[str, str]
    body: str


def known(project: Path | None = None) -> Skills:
    """Return our skills, and the skills in the folder `skills` of `project` (default: the working folder).

    A project's skill replaces one of ours with the same name. A project's skills are left out until a person approves
    them (`approve`). A malformed skill is left out, and a folder without a `SKILL.md` is ignored. `remarks` name the
    skills that were replaced or left out.
    """
    found = {skill.name: skill for skill in ours()}
    remarks: list[str] = []
    own = _of_project(project, frozenset(found), remarks)
    if own and not approvals.is_approved("skills", project or Path.cwd(), _texts(own)):
        names = ", ".join(each.name for each in own)
        remarks.append(
            f"the skills of this project ({names}) are not approved: 'pinebench skills --approve' approves them"
        )
        return Skills(found, remarks, tuple(own))
    for each in own:
        if each.replaces:
            remarks.append(f"the project's skill {each.name} replaces pinebench's own")
        found[each.name] = each
    return Skills(found, remarks)


def approve(shown: Sequence[Skill], project: Path | None = None) -> None:
    """Approve the project's skills as they were `shown` to a person. If one of their texts changes, all need a new
    approval."""
    approvals.approve("skills", project or Path.cwd(), _texts(shown))


def _texts(found: Iterable[Skill]) -> dict[str, str]:
    return {each.name: each.text for each in found}


def _of_project(project: Path | None, names: frozenset[str], remarks: list[str]) -> list[Skill]:
    """The skills of a project; `names` are ours."""
    own: list[Skill] = []
    for folder in _folders(project, remarks):
        try:
            own.append(read(folder, is_ours=False, replaces=folder.name in names))
        except UsageError as error:
            remarks.append(f"the skill in {printable(str(folder))} is left out: {printable(error.message)}")
    return own


def ours() -> list[Skill]:
    """Return the skills that come with pinebench, sorted by name."""
    return [read(folder) for folder in sorted(_OURS.iterdir()) if (folder / FILE).is_file()]


def index(project: Path | None = None) -> str:
    """Return a short list of all skills for a model, with the name and the description of one skill on each line. For a
    project's skill, the line says so."""
    return "\n".join(_line(skill) for skill in known(project).by_name.values())


def load(name: str, project: Path | None = None) -> str:
    """Return the instructions of the skill `name`, without its front matter.

    Instructions of a project's skill begin with a sentence that says so. Raises the errors of `find`.
    """
    skill = find(name, project)
    if skill.is_ours:
        return skill.body
    return f"(This skill comes from {skill.origin}: {printable(str(skill.path))})\n\n{skill.body}"


def find(name: str, project: Path | None = None) -> Skill:
    """Return the skill `name`; spaces, `_` and `-` are equivalent. Raises UsageError for a skill that is not approved,
    and with the nearest names if there is none."""
    found, wanted = known(project), plain_name(name)
    if wanted in found.by_name:
        return found.by_name[wanted]
    if any(each.name == wanted for each in found.unapproved):
        raise UsageError(
            f"the skill {wanted} of this project is not approved", "'pinebench skills --approve' shows and approves it"
        )
    near = near_names(wanted, found.by_name, 3)
    raise UsageError(
        f"there is no skill '{printable(name[:80])}'",
        f"did you mean {' or '.join(near)}?" if near else f"the skills are {', '.join(found.by_name)}",
    )


def plain_name(name: str) -> str:
    """Return a skill's name in the spelling of its folder: lower case, with `-` for spaces and `_`."""
    return re.sub(r"[\s_]+", "-", name.strip().lower())


def read(folder: Path, *, is_ours: bool = True, replaces: bool = False) -> Skill:
    """Return the skill in `folder`; for `is_ours` and `replaces` see `Skill`. Raises MalformedSkill if it does not
    follow the format, and UsageError if its file cannot be read."""
    name = folder.name
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise MalformedSkill(
            "the name of its folder is not valid",
            f"use lowercase letters, digits and single hyphens, at most {_LONGEST_NAME} characters",
        )
    text = files.read(folder / FILE, MOST_CHARACTERS).text.replace("\r\n", "\n")
    keys, body = parts(text)
    if keys.get("name") != name:
        raise MalformedSkill(f"its front matter has the name '{keys.get('name', '')[:80]}', not '{name}'")
    description = " ".join(keys.get("description", "").split())
    if not description:
        raise MalformedSkill("its front matter has no description")
    if len(description) > _LONGEST_DESCRIPTION:
        raise MalformedSkill(f"its description has more than {_LONGEST_DESCRIPTION} characters")
    if not body.strip():
        raise MalformedSkill("it has no instructions after the front matter")
    return Skill(name, printable(description), text, body, folder / FILE, is_ours, replaces)


def parts(text: str) -> SkillParts:
    """Split a `SKILL.md` into its front matter and its instructions. Raises MalformedSkill if the front matter is
    missing or malformed.

    The front matter is read as simple YAML: a key, a colon and a value, which may be in quotation marks or continue on
    indented lines. An indented nested key is read as part of the value above it.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        raise MalformedSkill("it does not begin with front matter", "write a line '---', then name: and description:")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise MalformedSkill("its front matter has no end", "write a line '---' after the last key")
    keys: dict[str, str] = {}
    last = ""
    for line in lines[1:end]:
        match = _KEY.fullmatch(line.rstrip())
        if match is not None:
            last, value = match[1], (match[2] or "").strip()
            if last in keys:
                raise MalformedSkill(f"its front matter has the key {last} twice")
            keys[last] = "" if value in _FOLDED else value
        elif line[:1] in (" ", "\t") and last:
            keys[last] = f"{keys[last]} {line.strip()}".strip()
        elif line.strip() and not line.startswith("#"):
            raise MalformedSkill(f"its front matter has a line that is not 'key: text': {line.strip()[:60]}")
    return SkillParts({key: _unquoted(value) for key, value in keys.items()}, "\n".join(lines[end + 1 :]).lstrip("\n"))


def _unquoted(value: str) -> str:
    for mark in "\"'":
        if len(value) > 1 and value[0] == value[-1] == mark:
            inner = value[1:-1]
            return inner.replace(mark * 2, mark) if mark == "'" else inner.replace('\\"', '"').replace("\\\\", "\\")
    return value


def _folders(project: Path | None, remarks: list[str]) -> list[Path]:
    """The folders of a project that hold a skill, by name."""
    try:
        root = (project or Path.cwd()) / FOLDER
        names = sorted(entry for entry in os.listdir(root) if os.path.lexists(root / entry / FILE))
    except OSError:
        return []
    inside = os.path.realpath(root)
    found: list[Path] = []
    for name in names[:MOST_OF_PROJECT]:
        real = os.path.realpath(root / name / FILE)
        if not real.startswith(inside + os.sep):
            remarks.append(
                f"the skill in {printable(str(root / name))} is left out: it is a link that leads out of the folder"
            )
        else:
            found.append(root / name)
    if len(names) > MOST_OF_PROJECT:
        remarks.append(f"only the first {MOST_OF_PROJECT} of the {len(names)} skills of the project are used")
    return found


def _line(skill: Skill) -> str:
    told = skill.description
    if len(told) > _IN_INDEX:
        told = told[: _IN_INDEX - 1] + "…"
    return f"- {skill.name}: {told}" + ("" if skill.is_ours else f" (from {skill.origin})")
