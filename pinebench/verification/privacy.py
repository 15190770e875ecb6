"""Removes comments and alert messages from a script, and finds personal data in the files of a recording."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from pinebench import reference
from pinebench.syntax import Document, parse
from pinebench.syntax.nodes import Call, Literal, NamedArgument, Node
from pinebench.syntax.walk import walk

_SHORTEST = 3
"""The shortest name of an account or a layout that is searched for: shorter ones occur in every text."""

_MESSAGES = ("alert", "alertcondition")
"""Functions that send their argument `message`."""
_SENT = frozenset({"alert_message", "alert_profit", "alert_loss", "alert_trailing"})
"""Arguments of orders that are sent."""


class _PersonalPattern(NamedTuple):
    """A pattern of personal data, and its name for people."""

    name: str
    form: re.Pattern[str]


_PATTERNS = (
    _PersonalPattern("the id of a script", re.compile(r"\b(?:USER|PUB);\s*[0-9A-Za-z]{8,}")),
    _PersonalPattern("a web address", re.compile(r"\b(?:https?|wss?)://\S+", re.IGNORECASE)),
    _PersonalPattern("an e-mail address", re.compile(r"[\w.+-]+@[\w-]+\.[A-Za-z]{2,}")),
    _PersonalPattern("the id of a layout", re.compile(r"/chart/\w{6,}")),
    _PersonalPattern(
        "a file path", re.compile(r"(?i)(?:/(?:home|users|root|mnt|media|var|tmp)/|~/|(?<![a-z])[a-z]:[\\/])\S")
    ),
    _PersonalPattern("an IP address", re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")),
    _PersonalPattern("an account name", re.compile(r"(?<![\w/])@(?!version\b)[A-Za-z]\w{2,}")),
    _PersonalPattern(
        "an account id",
        re.compile(
            r"(?i)\b(?:account|user|client|customer|member|login)[ _-]?(?:id|no|nr|num|number|name)?\b\W{0,6}\d{4,}"
        ),
    ),
    _PersonalPattern("an id", re.compile(r"\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b")),
    _PersonalPattern("a telephone number", re.compile(r"(?<![\w.])\+\d[\d ()-]{7,}\d")),
    _PersonalPattern("a key or a token", re.compile(r"\b(?:sk|pk|ghp|gho|ghs|xox[abp]|glpat|eyJ\w*)[-_.][\w.-]{8,}")),
    _PersonalPattern("a key or a token", re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9_]{24,}\b")),
    _PersonalPattern(
        "a secret",
        re.compile(r"(?i)\b(?:api_?key|secret|pass(?:word|phrase)|token|license_?id|webhook)\b\W{1,6}[\w-]{4,}"),
    ),
)


class Personal(NamedTuple):
    """Personal data in a file: the file, its line (from 1), and the kind of data. The text itself is not repeated."""

    file: str
    line: int
    kind: str


def without_remarks(script: str) -> str:
    """Return the script without comments and without the messages of its alerts. Plots and trades do not depend on
    these. The line `//@version=6` stays, and each statement keeps its line number."""
    document = parse(script)
    cuts = [(span.start, span.end, "") for span in document.comments if not _is_annotation(script[span.start :])]
    cuts += [(start, end, '""') for start, end in _messages(document)]
    for start, end, text in sorted(cuts, reverse=True):
        script = script[:start] + text + script[end:]
    return "\n".join(line.rstrip() for line in script.split("\n"))


def personal(texts: Mapping[str, str], names: Collection[str] = ()) -> list[Personal]:
    """Find personal data in `texts`, which maps file names to contents. `names` are the account's names, ids and other
    private texts."""
    wanted = [name.casefold() for name in names if len(name.strip()) >= _SHORTEST]
    found: list[Personal] = []
    for file, text in texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            found += [Personal(file, number, kind) for kind in _kinds(line, wanted)]
    return found


def _kinds(line: str, wanted: list[str]) -> Iterator[str]:
    folded = line.casefold()
    if any(_holds(folded, name) for name in wanted):
        yield "a name, an id or a text of the account"
    for name, form in _PATTERNS:
        if form.search(line):
            yield name


def _holds(line: str, name: str) -> bool:
    """Return whether `line` contains `name` as a whole word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line) is not None


def _is_annotation(text: str) -> bool:
    return re.match(r"//\s*@\s*version\b", text) is not None


def _messages(document: Document) -> Iterator[tuple[int, int]]:
    """Yield the start and end offsets of the strings in the texts of alerts."""
    for chunk in document.chunks:
        for node in walk(chunk.body):
            if not isinstance(node, Call):
                continue
            for value in _sent(node, _callee(document, chunk.start, node)):
                for each in walk(value):
                    if isinstance(each, Literal) and each.kind == "string":
                        yield chunk.start + each.start, chunk.start + each.end


def _callee(document: Document, start: int, call: Call) -> str:
    return document.text[start + call.callee.start : start + call.callee.end]


def _sent(call: Call, callee: str) -> Iterator[Node]:
    """Return the arguments of a call that are the text of an alert."""
    function = reference.function(callee)
    names = [each.name for each in function.overloads[0].parameters] if function else []
    for i, argument in enumerate(call.arguments):
        is_named = isinstance(argument, NamedArgument)
        name = argument.name if is_named else names[i] if i < len(names) else ""
        if name in _SENT or (name == "message" and callee in _MESSAGES):
            yield argument.value if is_named else argument
