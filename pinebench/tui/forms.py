"""The values for a call of a tool as typed by a person, the errors in them, and the outcome of the call."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.tools.arguments import ArgumentKind
    from pinebench.tools.registry import Tool
    from pinebench.tools.tool_calls import ToolOutcome

LONG = 10_000
"""A text argument that can have this many characters gets several lines."""
SCRIPT = "\0script"
"""The value that means the text of the script in front at the time of the call."""
SCRIPT_WORDS = "the script in front"
_FIRST_WORD = re.compile(r"\w+")


@dataclass
class Form:
    """A tool with the values that a person gives it. The values stay when the form is closed."""

    tool: Tool
    written: dict[str, str] = field(default_factory=dict[str, str])
    """The values of the arguments, as they are written. An argument that is missing here is not given."""
    texts: dict[str, str] = field(default_factory=dict[str, str])
    """The last text in several lines for an argument. It is kept while the script in front is chosen instead."""
    wrong: dict[str, str] = field(default_factory=dict[str, str])
    """The error in each argument that is wrong, in the registry's words."""
    outcome: ToolOutcome | None = None
    called: str = ""
    """The arguments of the call that gave the outcome, in words."""
    seconds: float = 0.0
    is_running: bool = False

    def __post_init__(self) -> None:
        for name in self.tool.required:
            if (SCRIPT, SCRIPT_WORDS) in choices(self.tool, name):
                self.written[name] = SCRIPT

    def read(self, script: Callable[[], str | None]) -> dict[str, object] | None:
        """Return the arguments as typed values; None if one of them is invalid. The errors of invalid arguments are
        then in `wrong`. `script` returns the text of the active script, or None if there is none."""
        self.wrong = {}
        given: dict[str, object] = {}
        for name, kind in self.tool.arguments.items():
            try:
                value = self._value(name, kind, script)
                self._check(name, kind, value)
            except UsageError as error:
                self.wrong[name] = error.with_hint
                continue
            given |= value
        return None if self.wrong else given

    def _value(self, name: str, kind: ArgumentKind, script: Callable[[], str | None]) -> dict[str, object]:
        text = self.written.get(name, "")
        if text == SCRIPT:
            found = script()
            if found is None:
                raise UsageError(f"{name} is missing", "no script is open; write the text here")
            return {name: found}
        return {name: kind.read(text)} if text.strip() else {}

    def _check(self, name: str, kind: ArgumentKind, value: dict[str, object]) -> None:
        from pinebench.tools.arguments import taken

        taken(self.tool.name, {name: kind}, self.tool.required & {name}, value)

    def finish(self, outcome: ToolOutcome) -> None:
        """Store the outcome of the call. If the tool's error is about one argument, put it into `wrong`, too."""
        self.outcome, self.is_running = outcome, False
        if isinstance(outcome.error, UsageError):
            found = _FIRST_WORD.match(outcome.error.message)
            if found is not None and found[0] in self.tool.arguments:
                self.wrong[found[0]] = outcome.error.with_hint


def choices(tool: Tool, name: str) -> list[tuple[str, str]]:
    """Return the choices for an argument as pairs of a value and its text; empty if the value is typed."""
    from pinebench.tools.arguments import ChoiceArgument, Flag, TextArgument

    kind, default = tool.arguments[name], tool.defaults.get(name)
    if name == "source" and isinstance(kind, TextArgument):
        return [(SCRIPT, SCRIPT_WORDS), ("", "the text below")]
    if not isinstance(kind, ChoiceArgument | Flag):
        return []
    values = kind.values if isinstance(kind, ChoiceArgument) else ("false", "true")
    first = default if isinstance(default, str) else str(default).lower() if isinstance(default, bool) else None
    if first is None:
        return [("", "choose" if name in tool.required else "not given"), *((value, value) for value in values)]
    others = [(value, value) for value in values if value != first]
    return [("", first or "any"), *others]


def is_long(kind: ArgumentKind) -> bool:
    """Return whether an argument is long text, which gets a field of several lines."""
    from pinebench.tools.arguments import TextArgument

    return isinstance(kind, TextArgument) and kind.longest >= LONG


def hint(tool: Tool, name: str) -> str:
    """Return the hint about an argument: its purpose, format, limits and default."""
    from pinebench.tools.arguments import ChoiceArgument, Fields, ListArgument, TextArgument, ValuesArgument

    kind, default = tool.arguments[name], tool.defaults.get(name)
    parts = [kind.about]
    if isinstance(kind, ListArgument):
        inner = kind.kind.values if isinstance(kind.kind, ChoiceArgument) else ()
        parts += ["several, separated by commas", ", ".join(inner)]
    elif isinstance(kind, Fields):
        parts.append("written " + "{" + ", ".join(f'"{each}": …' for each in kind.fields) + "}")
    elif isinstance(kind, ValuesArgument):
        parts.append('written {"name": value, …}')
    elif isinstance(kind, TextArgument) and kind.example and kind.example not in kind.about:
        parts.append(kind.example if " " in kind.example else f"such as {kind.example}")
    limits = _limits(kind.schema())
    if limits.rpartition(" ")[2] not in kind.about:
        parts.append(limits)
    if default not in (None, "") and not choices(tool, name):
        parts.append(f"{default} if left out")
    return "; ".join(part for part in parts if part)


def _limits(schema: dict[str, Any]) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    number = "{:.15g}".format
    if least is not None and most is not None:
        return f"{number(least)} to {number(most)}"
    return f"at least {number(least)}" if least else f"at most {number(most)}" if most is not None else ""


def notes(tool: Tool) -> list[tuple[str, str]]:
    """Return sentences about the tool's needs and effects, each with its style: `quiet`, `good`, `warning`, or `error`
    if the tool's effect cannot be undone."""
    found = [(f"needs {tool.needs.value}" if tool.needs.name != "NOTHING" else "works without a chart", "quiet")]
    if tool.destroys:
        found.append(("cannot be undone: it asks first", "error"))
    elif tool.changes:
        found.append(("changes something", "warning"))
    else:
        found.append(("only reads", "good"))
    if tool.outside:
        found.append(("reaches beyond this computer", "warning"))
    return found
