"""Explains codes to people in their editor, and finds the nearest known name for an unknown one."""

from __future__ import annotations

from pinebench.codes import find, opinion_codes
from pinebench.errors import UsageError

_FORM = "codes look like CE10156, names like ta.sma"


def explained(code: str) -> str:
    """Explain a code in Markdown. Raises UsageError if there is no such code."""
    known = find(code)
    if known is None:
        raise unknown(code)
    if known.name in opinion_codes():
        from inspect import getdoc

        from pinebench.linter.rules import rule

        return f"## {known.name}: {known.alias}\n\n{getdoc(rule(known.name)) or known.why}"
    example = f"Reported here:\n\n```pine\n{known.bad.strip()}\n```\n\nRight:\n\n```pine\n{known.good.strip()}\n```"
    return f"## {known.name}\n\n{known.template}\n\n{known.why}\n\n{example}"


def unknown(name: str) -> UsageError:
    """Return the error for a name that is neither a code, a word of Pine nor a topic, with the nearest known name."""
    return UsageError(f"unknown name or code '{name}'{_nearest(name)}", _hint(name))


def _nearest(name: str) -> str:
    """Return a phrase with the known name that is most similar to `name`."""
    from difflib import get_close_matches

    from pinebench.services import topics

    every = [*known(), *topics.titles()]
    names = {each.lower(): each for each in every}
    members = {each.lower().rpartition(".")[2]: each for each in reversed(every) if "." in each}
    names = {**({} if "." in name else members), **names}
    matches = get_close_matches(name.lower(), names, 1, 0.75)
    return f"; did you mean '{names[matches[0]]}'?" if matches else ""


def _hint(name: str) -> str:
    """Return a hint: the members of that name, or else the results of a search for the words."""
    if " " not in name.strip():
        return _members_called(name)
    from pinebench.services.reference_search import nearest, search

    found = ", ".join(f"'{hit.name}'" for hit in search(name, 3) or nearest(name, 5))
    return f"a search finds {found}" if found else _FORM


def _members_called(name: str) -> str:
    """Return a hint with the built-ins whose name after the last dot is `name`, such as the name of a method."""
    if name[:2].upper() in ("CE", "CW", "PB", "RE"):
        from pinebench.codes.opinions import GROUPS

        groups = ", ".join(f"{prefix} ({group})" for group, prefix in GROUPS.items())
        return f"codes begin with CE or CW, codes of our rules with {groups}"
    members = members_called(name)
    if not members:
        return _FORM
    shown = ", ".join(members[:8])
    if len(members) == 1:
        return f"the name is {shown}"
    return f"the names are {shown}" + (f" and {len(members) - 8} more" if len(members) > 8 else "")


def members_called(name: str) -> list[str]:
    """Return the built-ins whose name after the last dot is `name`."""
    return [each for each in known() if name and each.lower().endswith(f".{name.lower()}")]


def known() -> list[str]:
    """Return all names that can be explained: codes, built-in names, keywords, namespaces."""
    from pinebench import codes, reference

    names = {*reference.functions(), *reference.variables(), *reference.constants(), *reference.types()}
    return [*codes.all_codes(), *codes.opinion_codes(), *sorted(names | reference.keywords() | reference.namespaces())]
