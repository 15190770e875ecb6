"""The return types of the page functions, and the check that an answer of the page has its type."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

from pinebench.tradingview import chart_results, page_results
from pinebench.tradingview.errors import UnexpectedAnswer


class DialogEntry(TypedDict):
    """A dialog on the page: its kind (a key of `page_internals.DIALOGS`, or `unknown`), its text and its buttons."""

    id: int
    kind: str
    text: str
    buttons: list[str]


class Marker(TypedDict):
    """A marker of the page's editor. Lines and columns count from 1, columns in UTF-16 units. The end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    severity: Literal["error", "warning", "info", "hint"]
    code: str | None


class ConsoleEntry(TypedDict):
    """A row of the Pine console."""

    timestamp: str | None
    type: str
    message: str


class AnsweredDialog(TypedDict):
    """The result of answering a dialog. `gone` is True if the dialog is not there, and `field` is False if it has no
    input field. `pressed` is the label of the pressed button, or None if no button was pressed. `disabled` means that
    the button is there, but cannot be pressed yet."""

    gone: NotRequired[bool]
    field: NotRequired[bool]
    pressed: NotRequired[str | None]
    disabled: NotRequired[bool]


class CompileStart(TypedDict):
    """The start of a compile. `other_text` is present if the editor does not hold the expected text, and says who wrote
    the other text. `source` is the compiled text, or None if the caller passed it."""

    via: str | None
    button: NotRequired[str | None]
    disabled: NotRequired[bool]
    mac: NotRequired[bool]
    written: NotRequired[int]
    source: NotRequired[str | None]
    other_text: NotRequired[Literal["page", "person"]]


class CompileLook(TypedDict):
    """One observation of a running compile. `text` says who wrote the text that the editor held. `quiet_ms` and
    `console_quiet_ms` are the milliseconds since the markers and the console last changed. `closed_ms` is the
    milliseconds since the editor was closed."""

    editor: bool
    text: Literal["ours", "page", "person"]
    markers: list[Marker] | None
    errors: int
    marker_events: int
    quiet_ms: float
    added: list[str]
    updated: list[str]
    dialogs: list[DialogEntry]
    console: list[ConsoleEntry]
    console_quiet_ms: float
    closed_ms: float
    symbol: str | None
    disabled: bool


class PageReload(TypedDict):
    """The page was reloaded after the compile was started, so the new document knows nothing about the compile."""

    reloaded: Literal[True]


class EditorApiAnswer(TypedDict):
    """The result of a call to the page's own editor API."""

    available: bool
    settled: bool
    dialogs: list[DialogEntry]


class FoundEditor(TypedDict):
    """The editor that would be used, and the way to reach it. The last five fields exist only if the editor is open."""

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


class PathHealth(TypedDict):
    """Whether an internal object that pinebench uses is on the page, and the names of its methods."""

    present: bool
    methods: list[str]


class SelectorHealth(TypedDict):
    """The nodes that the CSS selectors for one kind of node find: the total, the number of visible nodes, and the
    number for each selector that finds any."""

    count: int
    visible: int
    by: dict[str, int]


class Health(TypedDict):
    """The internal objects and nodes found on the page, whether somebody is logged in, and the open dialogs."""

    url: str
    title: str
    visibility: str
    language: str
    logged_in: bool | None
    paths: dict[str, PathHealth]
    selectors: dict[str, SelectorHealth]
    dialogs: list[DialogEntry]


class PressedSave(TypedDict):
    """The way in which Save was pressed. `via` is None if the panel showed another name (`shown`), or if the page did
    not return the editor's text (`text`)."""

    via: str | None
    shown: str | None
    text: str | None
    mac: bool


class ReadSource(TypedDict):
    """The editor's text. `text` says who changed it after pinebench's last write, and `age_ms` is the document's age in
    milliseconds."""

    source: str | None
    line_ends: str | None
    read_only: bool
    strategy: str
    parents: int
    steps: int
    text: Literal["ours", "page", "person"]
    age_ms: float


class ShownName(TypedDict):
    """The name of the script to which the editor's Save button writes, as the page shows it."""

    name: str | None


class OpenedEditor(TypedDict):
    """Whether the editor can be reached, the milliseconds spent on opening it so far, and the steps that were tried."""

    found: bool
    passed: float
    tried: list[str]


class TextOwner(TypedDict):
    """The author of the text in the editor: pinebench (`ours`), the page or a person."""

    text: Literal["ours", "page", "person"]


class Holds(TypedDict):
    """Whether the editor holds the given text."""

    holds: bool


class WriteReport(TypedDict):
    """The result of a write.

    `via` is None if no way of writing worked. `previous` is the old text, or None if pinebench itself had written it.
    `back` is the text that the editor holds instead of the written one. `closed` says that the editor was closed
    meanwhile. `unread` says that the page does not return the old text, so nothing was written.
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
    unread: NotRequired[bool]


RESULTS: dict[str, Any] = {
    **chart_results.RESULTS,
    **page_results.RESULTS,
    "answer_dialog": AnsweredDialog,
    "compile_start": CompileStart,
    "compile_state": PageReload | CompileLook,
    "console": list[ConsoleEntry],
    "dialogs": list[DialogEntry],
    "editor_api": EditorApiAnswer,
    "find_editor": FoundEditor,
    "get_script": page_results.HttpAnswer,
    "health": Health,
    "list_scripts": page_results.HttpAnswer,
    "save_script": page_results.HttpAnswer,
    "markers": list[Marker] | None,
    "holds": Holds,
    "open_editor": OpenedEditor,
    "overtaken": TextOwner,
    "press_save": PressedSave,
    "read_source": ReadSource,
    "require_path": bool,
    "script_name": ShownName,
    "write_source": WriteReport,
}
"""The return type of every page function, by the name of the function."""


def checked(name: str, value: Any) -> Any:
    """Return `value`, which the page function `name` returned, if it has that function's return type.

    Raises UnexpectedAnswer, which says where the type differs.
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
    """Return a quick test for the type `kind`. True means that the value has the type; after False, `_problem`
    decides."""
    plain = _plain_types(kind)
    if plain is not None:
        return lambda value: type(value) in plain
    origin = get_origin(kind)
    if kind is Any:
        return lambda _: True
    if origin is list:
        return _quick_list(get_args(kind)[0])
    if origin is dict:
        of = _quick(get_args(kind)[1])
        return lambda value: type(value) is dict and all(map(of, value.values()))
    if origin is Literal:
        words = get_args(kind)
        return lambda value: value in words
    if origin in (Union, types.UnionType):
        kinds = [_quick(each) for each in get_args(kind)]
        return lambda value: any(test(value) for test in kinds)
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
    """Return the Python types of the JSON values that belong to `kind`, or None if the Python type alone cannot decide
    it."""
    if get_origin(kind) in (Union, types.UnionType):
        found = [_plain_types(each) for each in get_args(kind)]
        return None if None in found else frozenset().union(*(each or () for each in found))
    if kind is float:
        return frozenset((int, float))
    return frozenset((kind,)) if kind in (int, str, bool, types.NoneType) else None


def _problem(kind: Any, value: Any, where: str) -> str | None:
    """Return where and how `value` differs from the type `kind`, or None if it has that type."""
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
        # JavaScript has one type of number, so an integer may arrive as 3.0.
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
    """Return the type of every field, and whether the field is required."""
    found = get_type_hints(kind, include_extras=True)
    optional = {name: get_args(hint)[0] for name, hint in found.items() if get_origin(hint) is NotRequired}
    return {name: (optional.get(name, hint), name not in optional) for name, hint in found.items()}


def _first(problems: Any) -> str | None:
    return next((problem for problem in problems if problem is not None), None)


def _told(where: str, kind: Any, value: Any) -> str:
    expected = getattr(kind, "__name__", str(kind)) if kind is not type(None) else "null"
    return f"{where.lstrip('.') or 'the answer'} is {type(value).__name__}, expected {expected}"
