"""What each page function returns, as types, and the check that an answer of the page has that shape."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from pinebench.tradingview import page_results
from pinebench.tradingview.errors import UnexpectedAnswer


class DialogEntry(TypedDict):
    """A dialog on the page: what kind it is (a key of `paths.DIALOGS`, or `unknown`), what it says and offers."""

    id: int
    kind: str
    text: str
    buttons: list[str]


class MarkerEntry(TypedDict):
    """A marker of Monaco: 1-based places; severity 8 error, 4 warning, 2 info, 1 hint."""

    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    severity: int
    code: str | None


class ConsoleEntry(TypedDict):
    """A row of the Pine console."""

    timestamp: str | None
    type: str
    message: str


class AnsweredDialog(TypedDict):
    """What answering a dialog did: which button was pressed, or what was missing."""

    gone: NotRequired[bool]
    field: NotRequired[bool]
    pressed: NotRequired[str | None]


class ChartState(TypedDict):
    """One look at the chart."""

    loading: bool
    symbol: str | None
    resolution: str | None
    legend: str
    bar_nodes: int
    count: int
    last_index: int | None
    last_time: float | None
    times: list[float]


class CompileStart(TypedDict):
    """How a compile was started; `other_text` where the editor did not hold the text that was meant."""

    via: str | None
    button: NotRequired[str | None]
    disabled: NotRequired[bool]
    mac: NotRequired[bool]
    written: NotRequired[int]
    other_text: NotRequired[Literal["page", "person"]]


class CompileLook(TypedDict):
    """One look at a compile under way; `text` says whose the text in the editor was at this very look."""

    editor: bool
    text: Literal["ours", "page", "person"]
    markers: list[MarkerEntry] | None
    errors: int
    marker_events: int
    quiet_ms: float
    added: list[str]
    updated: list[str]
    dialogs: list[DialogEntry]
    console: list[ConsoleEntry]
    console_quiet_ms: float
    closed_ms: float
    disabled: bool


class Reloaded(TypedDict):
    """The document came after the compile was started, and knows nothing of it."""

    reloaded: Literal[True]


class EditorApiAnswer(TypedDict):
    """What the page's own editor API did."""

    available: bool
    settled: bool
    dialogs: list[DialogEntry]


class FoundEditor(TypedDict):
    """Which editor would be used, and how it is reached; the last five only where it is open."""

    containers: int
    visible_containers: int
    editors: int
    page_api: bool
    open: bool
    strategy: NotRequired[str]
    key: NotRequired[str | None]
    parents: NotRequired[int]
    steps: NotRequired[int]
    read_only: NotRequired[bool]


class ServiceAnswer(TypedDict):
    """What a service answered: HTTP status (0: nothing came), JSON if it was any, else the beginning of the text."""

    status: int
    data: Any
    text: str


class PathHealth(TypedDict):
    """Whether an object of the table is there, and the names of its methods."""

    present: bool
    methods: list[str]


class SelectorHealth(TypedDict):
    """What the selectors of one key find: nodes in all, how many of them are visible, and the count of each selector
    that finds any."""

    count: int
    visible: int
    by: dict[str, int]


class Health(TypedDict):
    """What of the table is on the page, who is logged in, what stands in the way."""

    url: str
    title: str
    visibility: str
    language: str
    logged_in: bool | None
    paths: dict[str, PathHealth]
    selectors: dict[str, SelectorHealth]
    dialogs: list[DialogEntry]


class PressedSave(TypedDict):
    """How Save was pressed."""

    via: str
    mac: NotRequired[bool]


class ReadSource(TypedDict):
    """The editor's text; `text` says whose it is since the last write, `age_ms` how old the document is."""

    source: str | None
    line_ends: str | None
    read_only: bool
    strategy: str
    parents: int
    steps: int
    text: Literal["ours", "page", "person"]
    age_ms: float


class ShownName(TypedDict):
    """The name of the script that the editor's Save belongs to."""

    name: str | None


class OpenedEditor(TypedDict):
    """Whether the editor can be reached, how many milliseconds that took so far, and what was tried for it."""

    found: bool
    passed: float
    tried: list[str]


class TextOwner(TypedDict):
    """Whose text the editor holds."""

    text: Literal["ours", "page", "person"]


class Holds(TypedDict):
    """Whether the editor holds a text."""

    holds: bool


class WriteReport(TypedDict):
    """What a write did; `via` is None where no way of writing took. `previous` is None where the old text was that of
    the write before, `back` holds what the editor has instead of the text, `closed` says that it was closed meanwhile.
    """

    previous: str | None
    strategy: str
    parents: int
    steps: int
    via: str | None
    verified: bool
    text: Literal["ours", "page", "person"]
    back: str | None
    closed: bool
    age_ms: float
    read_only: NotRequired[bool]
    held_back: NotRequired[bool]


RESULTS: dict[str, Any] = {
    **page_results.RESULTS,
    "answer_dialog": AnsweredDialog,
    "chart_state": ChartState,
    "compile_start": CompileStart,
    "compile_state": Reloaded | CompileLook,
    "console": list[ConsoleEntry],
    "dialogs": list[DialogEntry],
    "editor_api": EditorApiAnswer,
    "find_editor": FoundEditor,
    "get_script": ServiceAnswer,
    "health": Health,
    "list_scripts": ServiceAnswer,
    "markers": list[MarkerEntry] | None,
    "holds": Holds,
    "open_editor": OpenedEditor,
    "overtaken": TextOwner,
    "press_save": PressedSave,
    "read_source": ReadSource,
    "require_path": bool,
    "script_name": ShownName,
    "write_source": WriteReport,
}
"""The type of what every page function returns, by its name."""


def checked(name: str, value: Any) -> Any:
    """`value` as the page function `name` returned it, once it is known to have that function's type.

    Raises UnexpectedAnswer that says where it has not.
    """
    kind = RESULTS.get(name, Any)
    if _quick(kind)(value):
        return value
    problem = _problem(kind, value, "")
    if problem is not None:
        raise UnexpectedAnswer(name, problem)
    return value


@functools.cache
def _quick(kind: Any) -> Callable[[Any], bool]:
    """A test that is sure where it says yes, and quick on many values; where it says no, `_problem` looks closer."""
    plain = _plain_types(kind)
    if plain is not None:
        return lambda value: type(value) in plain
    origin = get_origin(kind)
    if kind is Any:
        return lambda _: True
    if origin is list:
        return _quick_list(get_args(kind)[0])
    if not is_typeddict(kind):
        return lambda _: False
    tests = [(key, _quick(each), required) for key, (each, required) in _fields(kind).items()]

    def fits(value: Any) -> bool:
        if type(value) is not dict:
            return False
        return all(test(value[key]) if key in value else not required for key, test, required in tests)

    return fits


def _quick_list(kind: Any) -> Callable[[Any], bool]:
    plain, test = _plain_types(kind), _quick(kind)
    if plain is None:
        return lambda value: type(value) is list and all(map(test, value))
    return lambda value: type(value) is list and plain.issuperset(map(type, value))


def _plain_types(kind: Any) -> frozenset[type] | None:
    """The types that a value of `kind` has as it comes from JSON, where these alone tell; None where they do not."""
    if get_origin(kind) in (Union, types.UnionType):
        found = [_plain_types(each) for each in get_args(kind)]
        return None if None in found else frozenset().union(*(each or () for each in found))
    if kind is float:
        return frozenset((int, float))
    return frozenset((kind,)) if kind in (int, str, bool, types.NoneType) else None


def _problem(kind: Any, value: Any, where: str) -> str | None:
    """Where and how `value` is not of type `kind`; None where it is."""
    if kind is Any:
        return None
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        found = [_problem(each, value, where) for each in get_args(kind)]
        return None if None in found else found[0]
    if origin is Literal:
        return None if any(value is each or value == each for each in get_args(kind)) else _told(where, kind, value)
    if origin is list:
        if not isinstance(value, list):
            return _told(where, kind, value)
        return _first(_problem(get_args(kind)[0], each, f"{where}[{index}]") for index, each in enumerate(value))
    if origin is dict or is_typeddict(kind):
        if not isinstance(value, dict):
            return _told(where, kind, value)
        if origin is dict:
            return _first(_problem(get_args(kind)[1], each, f"{where}.{key}") for key, each in value.items())
        return _first(_field_problem(kind, key, value, where) for key in _fields(kind))
    if kind is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    elif kind is int:
        # JavaScript has one kind of number, so a whole one may arrive as 3.0.
        fits = not isinstance(value, bool) and isinstance(value, int | float) and float(value).is_integer()
    else:
        fits = isinstance(value, kind)
    return None if fits else _told(where, kind, value)


def _field_problem(kind: Any, key: str, value: dict[str, Any], where: str) -> str | None:
    expected, required = _fields(kind)[key]
    if key not in value:
        return f"{where}.{key} is missing".lstrip(".") if required else None
    return _problem(expected, value[key], f"{where}.{key}")


@functools.cache
def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The type of every field, and whether it must be there."""
    found = get_type_hints(kind, include_extras=True)
    optional = {name: get_args(hint)[0] for name, hint in found.items() if get_origin(hint) is NotRequired}
    return {name: (optional.get(name, hint), name not in optional) for name, hint in found.items()}


def _first(problems: Any) -> str | None:
    return next((problem for problem in problems if problem is not None), None)


def _told(where: str, kind: Any, value: Any) -> str:
    expected = getattr(kind, "__name__", str(kind)) if kind is not type(None) else "null"
    return f"{where.lstrip('.') or 'the answer'} is {type(value).__name__}, expected {expected}"
