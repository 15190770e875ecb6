"""The JSON schema of a configuration, made from the declaration of the keys. Editors use it to complete keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pinebench.config.keys import PER_FILE, PER_FILE_SECTION, RULES, SECTIONS, Key

_TYPES: dict[type, dict[str, Any]] = {
    list: {"type": "array", "items": {"type": "string"}},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


def schema(rules: Mapping[str, Mapping[str, Key]]) -> dict[str, Any]:
    """Return the schema of `pinebench.toml` and of the table `[tool.pinebench]`.

    `rules` maps each name that a configuration may use for a rule to the rule's options.
    """
    sections = {name: _keys(keys) for name, keys in SECTIONS.items()}
    sections[PER_FILE_SECTION] = {
        "type": "object",
        "description": "settings for the scripts whose name or path matches a pattern",
        "additionalProperties": _keys(PER_FILE),
    }
    named = {name: _keys(options) for name, options in rules.items()}
    sections[RULES] = {**_table(named), "description": "options of rules"}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "pinebench.toml",
        "description": "Preferences of pinebench; the nearest file in a folder above a script applies to it.",
        **_table(sections),
    }


def _keys(keys: Mapping[str, Key]) -> dict[str, Any]:
    return _table(dict(map(_key, keys.items())))


def _table(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _key(named: tuple[str, Key]) -> tuple[str, dict[str, Any]]:
    name, key = named
    found: dict[str, Any] = {**_TYPES[key.type], "description": key.about, "default": key.default}
    if key.choices:
        found["enum"] = list(key.choices)
    if key.least is not None:
        found["minimum"] = key.least
    return name, found
