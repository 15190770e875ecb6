"""Changes one value in another program's settings, and keeps the comments, order and layout of everything else."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from pinebench import decoding
from pinebench.decoding import MalformedDocument
from pinebench.extras import missing

_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')
_COMMA_BEHIND = re.compile(r"[ \t\r\n]*,")
_REST_OF_LINE = re.compile(r"[ \t]*,?[ \t]*(?://[^\n\r]*|/\*[^\n]*?\*/[ \t]*(?=[\r\n]))?")
_INDENTED = re.compile(r"^([ \t]+)\S", re.MULTILINE)


class SettingsFormat(Protocol):
    """A file format of settings, which can read and change values in a file's text."""

    name: str

    def read(self, text: str) -> dict[str, Any]:
        """Read the settings in `text`. Raises MalformedDocument if they cannot be read, or contain a key twice."""
        ...

    def put(self, text: str, keys: Sequence[str], value: Any) -> str:
        """Return `text` with `value` at the path `keys` through nested tables."""
        ...

    def remove(self, text: str, keys: Sequence[str]) -> str:
        """Return `text` without the value at the path `keys`, which must exist."""
        ...

    def shown(self, keys: Sequence[str], value: Any) -> str:
        """Return one line that tells a person how to put the object `value` at the path `keys`."""
        ...


class _Member(NamedTuple):
    """A member of an object in a text: the index of its key, and start and end of its value."""

    start: int
    value: int
    end: int


class Json:
    """Reads and changes JSON, in which comments and trailing commas are allowed, as in many editors."""

    name = "JSON"

    def read(self, text: str) -> dict[str, Any]:
        bare = _bare(text)
        return decoding.loads(bare, {str: decoding.Anything}, unique=True) if bare.strip() else {}

    def put(self, text: str, keys: Sequence[str], value: Any) -> str:
        if not _bare(text).strip():
            text = f"{text.rstrip()}\n{{}}\n".lstrip()
        bare = _bare(text)
        own = _Member(0, bare.index("{"), len(bare))
        for depth, key in enumerate(keys):
            members = _members(bare, own.value)
            if key not in members:
                return _inserted(text, bare, own.value, members, key, _nested(keys[depth + 1 :], value))
            own = members[key]
        return text[: own.value] + _written(value, text, _lead(text, own.start)) + text[own.end :]

    def remove(self, text: str, keys: Sequence[str]) -> str:
        bare = _bare(text)
        at = bare.index("{")
        for key in keys[:-1]:
            at = _members(bare, at)[key].value
        members = _members(bare, at)
        own = members[keys[-1]]
        commas = _without_comments(text)
        behind = _COMMA_BEHIND.match(commas, own.end)
        begin, end = own.start, behind.end() if behind else own.end
        before = text[:begin].rstrip(" \t")
        rest = text[end:].partition("\n")[0]
        if before.endswith("\n") and not rest.strip():
            before = before[:-1].removesuffix("\r")
        earlier = [each.end for each in members.values() if each.end <= begin]
        if not behind and earlier:
            comma = commas.index(",", max(earlier))
            before = before[:comma] + before[comma + 1 :]
        return before + text[end:]

    def shown(self, keys: Sequence[str], value: Any) -> str:
        return f'into "{keys[0]}": {json.dumps({keys[-1]: value}, ensure_ascii=False)}'


class Toml:
    """Reads and changes configuration files in TOML."""

    name = "TOML"

    def read(self, text: str) -> dict[str, Any]:
        import tomllib

        try:
            return tomllib.loads(text)
        except ValueError as error:
            raise MalformedDocument(f"the document is not TOML: {error}") from None
        except RecursionError:
            raise MalformedDocument("the document is not TOML: it is nested too deeply") from None

    def put(self, text: str, keys: Sequence[str], value: Any) -> str:
        tomlkit = _tomlkit()
        document = tomlkit.parse(text)
        table: Any = document
        for key in keys[:-1]:
            if key not in table:
                table[key] = tomlkit.table(is_super_table=True)
            table = table[key]
        table[keys[-1]] = value
        return tomlkit.dumps(document)

    def remove(self, text: str, keys: Sequence[str]) -> str:
        tomlkit = _tomlkit()
        document = tomlkit.parse(text)
        table: Any = document
        for key in keys[:-1]:
            table = table[key]
        del table[keys[-1]]
        return tomlkit.dumps(document)

    def shown(self, keys: Sequence[str], value: Any) -> str:
        rows = (f"{key} = {json.dumps(each, ensure_ascii=False)}" for key, each in value.items())
        return f"as the table [{'.'.join(keys)}]: {' and '.join(rows)}"


def _tomlkit() -> Any:
    try:
        import tomlkit
    except ImportError:
        raise missing("changing TOML", "mcp") from None
    return tomlkit


def _blank(match: re.Match[str]) -> str:
    """Keep a string; replace every other match by blanks on the same number of lines, so that no index changes."""
    return match[1] or re.sub(r"[^\r\n]", " ", match[0])


def _without_comments(text: str) -> str:
    return _COMMENT.sub(_blank, text)


def _bare(text: str) -> str:
    """Return `text` as strict JSON, with every character at its old index."""
    return _LAST_COMMA.sub(_blank, _without_comments(text))


def _members(bare: str, at: int) -> dict[str, _Member]:
    """Return the members of the object that begins at `at`."""
    decoder = json.JSONDecoder()
    found: dict[str, _Member] = {}
    at = _next(bare, at + 1)
    while bare[at] != "}":
        start = at
        key, at = decoder.raw_decode(bare, at)
        value = _next(bare, _next(bare, at) + 1)
        _, end = decoder.raw_decode(bare, value)
        found[key] = _Member(start, value, end)
        at = _next(bare, end)
        if bare[at] == ",":
            at = _next(bare, at + 1)
    return found


def _next(bare: str, at: int) -> int:
    """Return the index of the next character that is not a blank."""
    while bare[at] in " \t\r\n":
        at += 1
    return at


def _inserted(text: str, bare: str, at: int, members: Mapping[str, _Member], key: str, value: Any) -> str:
    """Return `text` with a new last member in the object that begins at `at`."""
    line = "\r\n" if "\r\n" in text else "\n"
    name = json.dumps(key, ensure_ascii=False)
    if not members:
        outer = _lead(text, at)
        lead = outer + _unit(text)
        close = bare.index("}", at)
        member = f"{lead}{name}: {_written(value, text, lead)}"
        inner = text[at + 1 : close]
        if "\n" in inner:
            return text[: at + 1] + inner.rstrip() + f"{line}{member}{line}{outer}" + text[close:]
        return text[:close] + f"{line}{member}{line}{outer}" + text[close:]
    first, last = min(members.values()), max(members.values())
    lead = _lead(text, first.start)
    member = f"{name}: {_written(value, text, lead)}"
    behind = _COMMA_BEHIND.match(_without_comments(text), last.end)
    comma, more = ("", ",") if behind else (",", "")
    if text[: first.start].rpartition("\n")[2].strip():  # all on one line
        place = behind.end() if behind else last.end
        return f"{text[:place]}{comma} {member}{more}{text[place:]}"
    rest = _REST_OF_LINE.match(text, last.end)
    place = max(rest.end() if rest else last.end, behind.end() if behind else 0)
    return text[: last.end] + comma + text[last.end : place] + f"{line}{lead}{member}{more}" + text[place:]


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _lead(text: str, at: int) -> str:
    """Return the blanks at the beginning of the line that contains `at`."""
    line = text[:at].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return the indentation of one level."""
    found = _INDENTED.search(text)
    return found[1] if found else "  "


def _written(value: Any, text: str, lead: str) -> str:
    line = "\r\n" if "\r\n" in text else "\n"
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", line + lead)
