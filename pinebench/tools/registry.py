"""The registry of tools: name, group, summary, typed arguments and result, needs and effects."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass, replace
from difflib import get_close_matches
from enum import Enum
from importlib import import_module
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pinebench.errors import UsageError
from pinebench.tools.arguments import ArgumentKind, TextArgument, taken
from pinebench.tools.pages import READ

TARGET = TextArgument("another page", 200, example="the beginning of a page's id, or a part of its address")
"""The argument `target` of every tool that needs a page: the page that the call is for."""


class Needs(Enum):
    """The resource that a tool requires."""

    NOTHING = "nothing"
    NETWORK = "the network"
    BROWSER = "a browser with a debug port"
    CHART = "a chart page"
    EDITOR = "a chart page with a Pine editor"

    @property
    def page(self) -> bool:
        """Whether the tool needs a chart page."""
        return self in (Needs.CHART, Needs.EDITOR)


class ToolGroup(NamedTuple):
    """A group of tools. `modules` names the modules of `pinebench.tools` that declare the group's tools, separated by
    blanks. `default` is True if models get the group unless other groups are chosen."""

    name: str
    modules: str
    default: bool
    about: str


GROUPS = (
    ToolGroup("health", "health", True, "whether the page answers, which pages are open, which page is controlled"),
    ToolGroup("results", "results", True, "more of a result that was too long; every other group includes it"),
    ToolGroup("chart", "chart", True, "what the chart shows, and how to change it"),
    ToolGroup("view", "chart overlays", False, "the visible range, how bars are drawn, other symbols over the chart"),
    ToolGroup("data", "data study_data", True, "quotes, bars, values of studies, drawings of scripts"),
    ToolGroup(
        "strategy", "strategy verification", True, "the results of the strategy on the chart, and scripts verified"
    ),
    ToolGroup("pine", "pine", True, "the Pine editor: read, write, compile, save, open scripts"),
    ToolGroup(
        "check", "check runs", True, "scripts without a chart: check, explain, repair, format, migrate, run, back-test"
    ),
    ToolGroup(
        "indicators", "offline_charts", True, "indicators on bars, as a picture, a summary or values, without a chart"
    ),
    ToolGroup(
        "scripts",
        "check script_writing run_inspection verification",
        False,
        "TradingView's check of scripts, values, rules, inputs, verified ones as tests",
    ),
    ToolGroup("quant", "quant", False, "statistics of bars and trades, volume profile, comparison, tear sheet, sizes"),
    ToolGroup("sweeps", "sweeps", False, "optimize inputs, walk forward, screen symbols, portfolios"),
    ToolGroup("audit", "audit", True, "checks of a script: repainting, and an audit of strategies"),
    ToolGroup("skills", "skills", True, "instructions for a subject: an analysis, a review, a scan"),
    ToolGroup("files", "folders", False, "scripts in the folders that `--folder DIR` allows: list, read, save"),
    ToolGroup("templates", "templates", True, "scripts to start from"),
    ToolGroup("builder", "builder", False, "strategies from named modules: entries, filters, exits, sizing, presets"),
    ToolGroup("capture", "capture", True, "pictures of the page"),
    ToolGroup("watchlist", "watchlist watchlists", False, "the symbols on the watchlist; named watchlists"),
    ToolGroup(
        "batch",
        "batch data morning_brief",
        False,
        "many symbols and timeframes at once; briefs; bars and trades as a file",
    ),
    ToolGroup("drawing", "chart_drawings", False, "lines, rectangles and text on the chart"),
    ToolGroup("alerts", "alerts", False, "alerts on prices and scripts, and the log of fired ones"),
    ToolGroup(
        "trading", "paper_trading", False, "alerts and a paper account of the trading engine, which `--trade` starts"
    ),
    ToolGroup("replay", "replay", False, "bar replay, with practice trades"),
    ToolGroup("layout", "layout", False, "panes, saved layouts, tabs"),
    ToolGroup("ui", "ui", False, "buttons, panels, keys, the mouse; the screen"),
)
"""Every group, in the order in which tools are listed."""


_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


@dataclass(frozen=True)
class Tool:
    """One tool. As a decorator, it registers the decorated `function`, whose name becomes the tool's name. The
    function takes a `ToolContext` and the named arguments, and returns the result as a dict.

    - `changes`: the tool changes the page or stored data, and its result has `verified`.
    - `destroys`: the tool may remove something that cannot be restored.
    - `outside`: the tool reaches beyond this computer and its browser.
    - `prices`: the result has prices, or values computed from them; `prices_key` names their source if it is not
      TradingView's page.
    - `spends`: the tool costs money.
    - `untrusted`: the keys of the result that hold text by other people.
    - `bare`: the key whose value is the full answer to clients of the chart server (`mcp.web`); "" if none.
    - `proof`: the comparison that makes a result `verified`; the result has it as `verified_by`.
    - `unlisted`: arguments that only clients of other programs use. They are not described to models, to save tokens.
    """

    group: str
    summary: str
    _: KW_ONLY
    needs: Needs = Needs.CHART
    changes: bool = False
    destroys: bool = False
    outside: bool = False
    prices: bool = False
    spends: bool = False
    untrusted: tuple[str, ...] = ()
    bare: str = ""
    proof: str = ""
    unlisted: tuple[str, ...] = ()
    name: str = ""
    function: Callable[..., Any] = dict

    def __call__(self, function: _FunctionT) -> _FunctionT:
        """Declare the decorated function as this tool, with the function's name."""
        name, reaches_out = function.__name__, self.outside or self.needs is Needs.NETWORK
        _tools[name] = replace(self, name=name, function=function, outside=reaches_out)
        return function

    @property
    def is_left_out(self) -> bool:
        """Whether `--read-only` leaves the tool out, because it changes something or costs money."""
        return self.changes or self.spends

    @functools.cached_property
    def arguments(self) -> dict[str, ArgumentKind]:
        """The kind of each argument, by name; `target` is the last one."""
        hints = get_type_hints(self.function, include_extras=True)
        found: dict[str, ArgumentKind] = {}
        for name in self._parameters:
            hint = hints[name]
            marked = next((each for each in get_args(hint) if get_origin(each) is Annotated), hint)
            found[name.rstrip("_")] = get_args(marked)[1]
        if self.needs.page:
            found["target"] = TARGET
        return found

    @functools.cached_property
    def required(self) -> frozenset[str]:
        """The names of the arguments that have no default."""
        empty = inspect.Parameter.empty
        return frozenset(name.rstrip("_") for name, one in self._parameters.items() if one.default is empty)

    @functools.cached_property
    def defaults(self) -> dict[str, Any]:
        """The default of each optional argument."""
        found = {name.rstrip("_"): one.default for name, one in self._parameters.items()}
        return {name: found.get(name) for name in self.arguments if name not in self.required}

    @functools.cached_property
    def _parameters(self) -> dict[str, inspect.Parameter]:
        return dict(list(inspect.signature(self.function).parameters.items())[1:])

    def take(self, given: dict[str, object]) -> dict[str, Any]:
        """Check `given`, and return the arguments as the function expects them. Raises UsageError for an invalid
        argument. An argument whose name is a keyword of Python has an underscore after its name in the function:
        `from_`."""
        found = taken(self.name, self.arguments, self.required, given)
        python = {name.rstrip("_"): name for name in self._parameters}
        return {python.get(name, name): value for name, value in found.items()}

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments."""
        properties: dict[str, Any] = {}
        for name, kind in self.arguments.items():
            if name in self.unlisted:
                continue
            about = kind.about if kind is not TARGET else ""  # said once for all tools, in the instructions
            properties[name] = {**kind.schema(), **({"description": about} if about else {})}
        required = [name for name in self.arguments if name in self.required]
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def output_schema(self) -> dict[str, Any]:
        """Return the JSON schema of a successful call's result, with the keys that calls add, such as `success`."""
        schema = _schema(get_type_hints(self.function).get("return", dict))
        properties = {"success": {"type": "boolean"}, **schema.get("properties", {})}
        if self.prices:
            properties[self.prices_key] = {"enum": ["sample", "file", "exchange"]}
        if self.tells_symbol:
            properties["symbol"] = {"type": "string"}
        if self.tells_bars:
            properties["bars_read"] = {"type": "array", "items": {"type": "string"}}
        return {"type": "object", "properties": properties, "required": ["success", *schema.get("required", [])]}

    @property
    def prices_key(self) -> str:
        """The key that names the source of the prices: `data`, or `prices` if the result has its own `data`."""
        return "prices" if "data" in self.result_keys else "data"

    @property
    def tells_symbol(self) -> bool:
        """Whether the chart's symbol is added to a result as `symbol`, because the result has prices of a page but does
        not name their symbol."""
        return self.prices and self.needs.page and not {"symbol", "symbols"} & {*self.result_keys}

    @property
    def tells_bars(self) -> bool:
        """Whether `bars_read`, a description of the bars, is added to a result, because the result has prices of bars
        but does not describe them."""
        return self.prices and not self.needs.page and "read" not in self.result_keys

    @property
    def result_keys(self) -> list[str]:
        """The keys that a result may have."""
        return _result_keys(self.function)


@functools.cache
def _result_keys(function: Callable[..., Any]) -> list[str]:
    return list(_schema(get_type_hints(function).get("return", dict)).get("properties", {}))


_tools: dict[str, Tool] = {}
tool = Tool
"""`Tool` under the name that it has as a decorator of a tool's function."""


@functools.cache
def tools() -> dict[str, Tool]:
    """Return all tools by name, in the order of GROUPS and of their declaration."""
    names = [group.name for group in GROUPS]
    modules = [f"pinebench.tools.{module}" for group in GROUPS for module in group.modules.split()]
    for module in modules:
        import_module(module)

    def place(each: Tool) -> tuple[int, int, int]:
        code = inspect.unwrap(each.function).__code__
        return names.index(each.group), modules.index(each.function.__module__), code.co_firstlineno

    return {each.name: each for each in sorted(_tools.values(), key=place)}


SECOND_NAMES = {"pine_compile": "pine_smart_compile"}
"""Names of tools in other programs that drive TradingView's page. They are accepted here too, but not listed."""


def real_name(name: str) -> str:
    """Return the registered name of the tool `name`, which may be an alias."""
    return SECOND_NAMES.get(name, name)


def find(name: str) -> Tool:
    """Return the tool with this name or alias. Raises UsageError with the nearest names if there is none."""
    known = tools()
    name = real_name(name)
    if name in known:
        return known[name]
    near = near_tools(name, known)
    raise UsageError(
        f"there is no tool '{name[:80]}'",
        f"did you mean {' or '.join(near)}?" if near else "'pinebench tools' lists them",
    )


def near_tools(name: str, known: Collection[str]) -> list[str]:
    """Return at most three of the tools `known` that `name` may mean: same words, similar spelling, or one common
    word."""
    words = {*name.lower().split("_")}
    shared = {each: len(words & {*each.split("_")}) for each in known}
    several = [each for each in known if shared[each] > 1]
    near = [*several, *get_close_matches(name, known, 3)] or [each for each in known if shared[each]]
    return list(dict.fromkeys(near))[:3]


def chosen(groups: str | None = None, *, read_only: bool = False) -> list[Tool]:
    """Return the tools that a model gets: the tools of `groups`, and the tool that returns the rest of a long result.
    `groups` is as for `in_groups`. `read_only` leaves out tools that change something or cost money."""
    names = {each.name for each in in_groups(groups)} | {READ}
    return [each for each in tools().values() if each.name in names and not (read_only and each.is_left_out)]


def in_groups(groups: str | None = None) -> list[Tool]:
    """Return the tools of `groups`: names of groups and tools separated by commas, `all`, or None for the default
    groups. Raises UsageError for an unknown name."""
    names, single = _named("default" if groups is None else groups)
    return [each for each in tools().values() if each.group in names or each.name in single]


def _named(groups: str) -> tuple[set[str], set[str]]:
    """Return the groups and the single tools that `groups` names."""
    known = [group.name for group in GROUPS]
    names: set[str] = set()
    single: set[str] = set()
    for part in groups.split(","):
        name = part.strip().lower()
        if name == "all":
            names.update(known)
        elif name == "default":
            names.update(group.name for group in GROUPS if group.default)
        elif name in known:
            names.add(name)
        elif name in tools():
            single.add(name)
        else:
            raise UsageError(
                f"there is no group of tools '{name}'", f"the groups are {', '.join(known)}, default and all"
            )
    return names, single


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}


def _schema(annotation: Any) -> dict[str, Any]:
    """Return the JSON schema of a type made of plain values, lists, dicts and TypedDicts."""
    if annotation in _PLAIN:
        return {"type": _PLAIN[annotation]}
    if is_typeddict(annotation):
        return _object_schema(annotation)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": _schema(inner[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each) for each in inner]}
    return {"type": "object"} if annotation is dict else {}


def _object_schema(annotation: Any) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, hint in get_type_hints(annotation, include_extras=True).items():
        if get_origin(hint) is NotRequired:
            hint = get_args(hint)[0]
        else:
            required.append(name)
        properties[name] = _schema(hint)
    return {"type": "object", "properties": properties, "required": required}
