"""Declares every key of a configuration. Files are checked against it, and the schema is made from it."""

from __future__ import annotations

from typing import Any

from pinebench.errors import UsageError
from pinebench.records import NamedTuple

FAIL_ON = ("error", "warning", "info", "never")
"""The values of `fail-on`. The n-th one is the severity n, and `never` comes last."""


UNCHECKED = "unchecked"
"""A value of `fail-on`, alone or after a severity and a comma: scripts that cannot be checked fail too."""


class Key(NamedTuple):
    """A key: the type of its value (a list contains strings), its purpose, its default, and the allowed values."""

    type: type
    about: str
    default: Any = None
    choices: tuple[str, ...] = ()
    least: float | None = None


_CODES = "codes, prefixes of codes, or names of rules or rule groups"
_FAIL_ON = Key(
    str,
    "exit with 1 if a finding has at least this severity; `warning,unchecked` also if a script of an "
    "older version was not checked",
    "error",
    (*FAIL_ON, UNCHECKED, *(f"{severity},{UNCHECKED}" for severity in FAIL_ON)),
)

SECTIONS: dict[str, dict[str, Key]] = {
    "lint": {
        "select": Key(list, f"report only these {_CODES}", []),
        "extend-select": Key(list, f"report these in addition to the selected ones: {_CODES}", []),
        "ignore": Key(list, f"leave out these {_CODES}", []),
        "exclude": Key(list, "skip scripts and folders whose name or path matches one of these patterns", []),
        "fail-on": _FAIL_ON,
    },
    "check": {"library-paths": Key(list, "the folders with the source of imported libraries", [])},
    "format": {
        # a smaller width would break every line
        "width": Key(int, "the maximum length of a line of code, in columns", 120, least=40),
        "align": Key(bool, "keep aligned columns aligned", True),
    },
    "agent": {"images": Key(str, "send pictures to Claude in a conversation; they cost tokens", "on", ("on", "off"))},
}
"""Every section with its keys."""

PER_FILE: dict[str, Key] = {
    "extend-select": SECTIONS["lint"]["extend-select"],
    "ignore": Key(list, f"hide these {_CODES}; an error among them still fails the run", []),
    "fail-on": _FAIL_ON,
}
"""The keys of `[per-file."PATTERN"]`."""

RULES, PER_FILE_SECTION = "rules", "per-file"
"""The two sections whose tables are named by people: a rule with its options, and a pattern with its keys."""

_NAMED_BY_PEOPLE = {
    RULES: "write [rules.RULE] and the options of the rule below it",
    PER_FILE_SECTION: 'write [per-file."PATTERN"] and its keys below it',
}

_KINDS = {list: "a list of strings", str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


_SWITCHES = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
"""The texts for true and false in an environment variable."""


def check(place: str, name: str, settings: Any) -> None:
    """Raise UsageError if section `name` cannot hold `settings`. `place` is the file that contains them.

    The options of rules are checked elsewhere.
    """
    if name not in SECTIONS and name not in _NAMED_BY_PEOPLE:
        what = f"there is no section [{name}]" if isinstance(settings, dict) else f"'{name}' is not in a section"
        known = f"sections are {', '.join((*SECTIONS, *_NAMED_BY_PEOPLE))}"
        raise UsageError(f"{place}: {what}", _home_of(name) or known)
    if not isinstance(settings, dict):
        advice = _NAMED_BY_PEOPLE.get(name, f"write [{name}] and its keys below it")
        raise UsageError(f"{place}: '{name}' must be a section", advice)
    if name in SECTIONS:
        _check_keys(place, f"[{name}]", SECTIONS[name], settings)
        return
    for table, inner in settings.items():
        if not isinstance(inner, dict):
            raise UsageError(f"{place}: '{table}' in [{name}] must be a section", _NAMED_BY_PEOPLE[name])
        if name == PER_FILE_SECTION:
            _check_keys(place, f'[{name}."{table}"]', PER_FILE, inner)


def _check_keys(place: str, where: str, keys: dict[str, Key], settings: dict[str, Any]) -> None:
    for name, value in settings.items():
        key = keys.get(name)
        if key is None:
            known = f"keys are {', '.join(keys)}"
            raise UsageError(f"{place}: {where} has no key '{name}'", _home_of(name) or known)
        if not fits(value, key.type):
            raise UsageError(f"{place}: '{name}' in {where} must be {_KINDS[key.type]}, not {short(value)}")
        check_value(f"{place}: '{name}' in {where}", key, value)


def _home_of(name: str) -> str | None:
    """Advice on the right section for a key in the wrong one. None if no section has the key."""
    home = next((section for section, keys in SECTIONS.items() if name in keys), None)
    return f"write it below [{home}]" if home is not None else None


def check_value(location: str, key: Key, value: Any) -> None:
    """Raise UsageError if `key` forbids `value`, which already has the right type. `location` begins the message."""
    if key.choices and value not in key.choices:
        raise UsageError(f"{location} must be one of {', '.join(key.choices)}, not {short(value)}")
    if key.least is not None and value < key.least:
        raise UsageError(f"{location} must be at least {key.least}, not {short(value)}")


def fits(value: Any, kind: type) -> bool:
    """Return whether `value`, read from TOML, has the type `kind`. A list must contain strings."""
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def kind_of(kind: type) -> str:
    """Return the name of the type `kind` for messages."""
    return _KINDS[kind]


def from_text(value: str, key: Key, name: str) -> Any:
    """Convert the text of the environment variable `name` to a value of `key`. Raises UsageError if it is not valid."""
    if key.type is list:
        return [item.strip() for item in value.split(",") if item.strip()]
    if key.type is bool:
        if value.lower() not in _SWITCHES:
            raise UsageError(f"{name} must be {_KINDS[bool]}, not {short(value)}")
        return _SWITCHES[value.lower()]
    try:
        found = key.type(value)
    except ValueError:
        raise UsageError(f"{name} must be {_KINDS[key.type]}, not {value!r}") from None
    check_value(name, key, found)
    return found


def short(value: object) -> str:
    """Return a short representation of `value` for a message."""
    try:
        text = repr(value)
    except ValueError:  # the number has more digits than Python can write
        return "a very large number"
    return text if len(text) <= 60 else text[:59] + "…"
