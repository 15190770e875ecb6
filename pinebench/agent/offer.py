"""The tools that a conversation offers to the model: the core tools at the start, other tools by search, and skills by
name. Every request contains all tools, but the service shows the model only the core tools and those that `find_tools`
has named. So the prompt stays small and unchanged, which keeps the service's cache valid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pinebench.agent.tool_replies import ToolReply, failed
from pinebench.errors import PinebenchError
from pinebench.skills import catalogue
from pinebench.tools.registry import Tool

CORE = frozenset(
    (
        "tv_health_check chart_get_state chart_set_symbol chart_set_timeframe chart_manage_indicator quote_get "
        "data_get_ohlcv data_get_study_values data_get_pine_lines data_get_pine_labels data_get_pine_tables "
        "capture_screenshot pine_get_source pine_set_source pine_smart_compile pine_analyze read_result"
    ).split()
)
"""The tools that the model sees from the start: enough to look at a chart, and to change and compile a script."""

FIND, LOAD = "find_tools", "load_skill"
MOST_FOUND = 8
"""The largest number of tools that one search names."""
_NEAR = 0.3
"""The share of the best rating that a tool needs to be named beside the best one."""
_EMPTY = frozenset(
    ("an", "and", "for", "from", "in", "is", "it", "me", "my", "of", "on", "or", "that", "the", "to", "with")
)
"""Words that say nothing about a tool."""
LONGEST_SKILL = 40_000
"""The largest number of characters of a skill."""


class OfferedSkills(NamedTuple):
    """The skills of a conversation. `listed` is an index with one line for each skill. `load` returns the text of a
    skill by name, and raises PinebenchError for an unknown name. `foreign` names the skills that do not come with
    pinebench; the model receives their text as data."""

    listed: str
    load: Callable[[str], str]
    foreign: frozenset[str] = frozenset()


def known_skills() -> OfferedSkills:
    """Return pinebench's skills, and those skills of the working folder that a person has approved."""
    own = (each.name for each in catalogue.known().by_name.values() if not each.is_ours)
    return OfferedSkills(catalogue.index(), catalogue.load, frozenset(own))


class ToolOffer:
    """The tools of one conversation. The model sees the core tools and those named in `first` from the start."""

    def __init__(
        self, tools: Iterable[Tool], skills: OfferedSkills | None = None, first: frozenset[str] = frozenset()
    ) -> None:
        # The conversation loads skills itself, so that they are not fenced as data.
        self.tools = {tool.name: tool for tool in tools if skills is None or tool.name != LOAD}
        self.skills = skills
        self._shown = CORE | first

    def schemas(self) -> list[dict[str, Any]]:
        """Return the tools in the format of Anthropic's service: the core tools first, then the tools that only a
        search finds."""
        core = [_schema(tool) for tool in self.tools.values() if tool.name in self._shown]
        more = [
            {**_schema(tool), "defer_loading": True} for tool in self.tools.values() if tool.name not in self._shown
        ]
        own = [_FIND_SCHEMA] if more else []
        return [*core, *own, *([_LOAD_SCHEMA] if self.skills else []), *more]

    def own(self, name: str, arguments: dict[str, Any]) -> ToolReply | None:
        """Perform `find_tools` or `load_skill` and return its result; None for any other tool."""
        if name == FIND:
            return self._found(arguments.get("query"))
        if name == LOAD and self.skills is not None:
            return _loaded(self.skills, arguments.get("name"))
        return None

    def search(self, query: str) -> list[str]:
        """Return the names of the tools that match the words of `query`, best match first."""
        words = [word for word in re.findall(r"[a-z0-9]+", query.lower()) if len(word) > 1 and word not in _EMPTY]
        rated = [(_rating(tool, words), tool.name) for tool in self.tools.values()]
        enough = max(2.0, _NEAR * max((rating for rating, _ in rated), default=0))
        return [name for rating, name in sorted(rated, key=lambda each: -each[0]) if rating >= enough][:MOST_FOUND]

    def _found(self, query: object) -> ToolReply:
        if not isinstance(query, str) or not query.strip():
            return failed("query must be a string", "say in a few words what the tool should do")
        names = self.search(query[:400])
        if not names:
            groups = ", ".join(dict.fromkeys(tool.group for tool in self.tools.values()))
            return failed(f"no tool suits '{query[:80]}'", f"search for one of these subjects: {groups}")
        return ToolReply({"success": True, "tools": names}, references=tuple(names))


def _loaded(skills: OfferedSkills, name: object) -> ToolReply:
    if not isinstance(name, str):
        return failed("name must be a string", "name a skill from the index")
    try:
        text = skills.load(name)
    except PinebenchError as error:
        return failed(error.message, error.hint or "")
    if catalogue.plain_name(name) in skills.foreign:
        return ToolReply({"success": True, "skill": name, "from_this_project": text[:LONGEST_SKILL]})
    return ToolReply({"success": True, "skill": name}, skill=text[:LONGEST_SKILL])


def _schema(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.summary, "input_schema": tool.input_schema()}


def _stem(word: str) -> str:
    """Return a word without the `s` of a plural; short words, such as news, stay as they are."""
    return word.rstrip("s") if len(word) > 4 else word


def _rating(tool: Tool, words: list[str]) -> int:
    """Return how well `tool` suits `words`: a word in its name counts most, then its group, then its summary."""
    stems = {_stem(word) for word in re.findall(r"[a-z0-9]+", tool.summary.lower())}
    arguments = {part for each in tool.arguments for part in each.lower().split("_")}
    parts = tool.name.lower().split("_")
    return sum(
        6 * (word in parts)
        + 3 * (word in tool.name.lower())
        + 3 * (tool.group.startswith(_stem(word)))
        + 2 * (_stem(word) in stems)
        + (word in arguments)
        for word in words
    )


_FIND_SCHEMA = {
    "name": FIND,
    "description": "Find more tools by words. You can call each tool that is found. There are tools for "
    "alerts, drawings, the watchlist, replay, layouts and panes, the strategy tester, "
    "back-tests and runs of scripts on bars, repainting, indicators, templates, building "
    "strategies, scanning many symbols, paper trading, and the page's buttons and panels.",
    "input_schema": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "what the tool should do, in a few words"}},
        "required": ["query"],
    },
}

_LOAD_SCHEMA = {
    "name": LOAD,
    "description": "Load a skill by its name. A skill is the procedure for a kind of task; load it before you begin "
    "such a task.",
    "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}
