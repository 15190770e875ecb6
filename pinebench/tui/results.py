"""Shows a tool's result to a person: single values line by line, lists of objects as tables, and strings unchanged."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple, cast

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from pinebench.printable import printable

_TIMES = ("time", "from", "to", "bar_time", "centered_on", "entry_time", "exit_time")
_GAP = 2
_NARROWEST = 5
_MOST_ROWS = 1000


class ResultStyle(NamedTuple):
    """The colours of a result: for names, for less important text, for success and for failure."""

    name: str
    quiet: str
    good: str
    bad: str


def words(result: dict[str, Any], width: int, look: ResultStyle) -> Text:
    """Return the result as text of `width` columns."""
    text = Text(overflow="fold")
    hidden = ("success", "untrusted", "data", "truncated")
    _object(text, {key: value for key, value in result.items() if key not in hidden}, width, 0, look)
    if result.get("truncated"):
        text.append("the text continues after this\n", style=look.quiet)
    text.rstrip()
    return text


def as_json(result: dict[str, Any]) -> Text:
    """Return the result as JSON, in full."""
    return Text(printable(json.dumps(result, indent=2, ensure_ascii=False), keep="\n"), overflow="fold")


def _object(text: Text, value: dict[str, Any], width: int, indent: int, look: ResultStyle) -> None:
    simple = {key: _plain(key, each) for key, each in value.items() if not _is_deep(each)}
    widest = min(max((cell_len(key) for key in simple), default=0), 28)
    for key, said in simple.items():
        text.append(" " * indent + f"{printable(key):<{widest}}  ", style=look.name)
        text.append(said + "\n")
    for key, each in value.items():
        if _is_deep(each):
            _deep(text, key, each, width, indent, look)


def _deep(text: Text, key: str, value: Any, width: int, indent: int, look: ResultStyle) -> None:
    """Add a value that needs lines of its own, below its name."""
    count = f" ({len(value)})" if isinstance(value, list) else ""
    text.append(" " * indent + printable(key), style=look.name)
    text.append(f"{count}\n", style=look.quiet)
    if isinstance(value, str):
        for line in printable(value, keep="\n").splitlines():
            text.append(" " * (indent + 2) + line + "\n")
    elif isinstance(value, dict):
        _object(text, cast("dict[str, Any]", value), width, indent + 2, look)
    else:
        _list(text, cast("list[Any]", value), width, indent + 2, look)


def _list(text: Text, rows: list[Any], width: int, indent: int, look: ResultStyle) -> None:
    objects = [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
    if len(objects) == len(rows) and not any(_is_deep(each) for row in objects for each in row.values()):
        _table(text, objects, width - indent, indent, look)
        return
    for number, row in enumerate(rows[:_MOST_ROWS]):
        if isinstance(row, dict):
            if number:
                text.append("\n")
            _object(text, cast("dict[str, Any]", row), width, indent, look)
        else:
            text.append(" " * indent + _plain("", row) + "\n")
    _more(text, len(rows), indent, look)


def _more(text: Text, count: int, indent: int, look: ResultStyle) -> None:
    """Say how many of `count` rows are left out."""
    if count > _MOST_ROWS:
        text.append(f"{' ' * indent}and {count - _MOST_ROWS} more\n", style=look.quiet)


def _table(text: Text, rows: list[dict[str, Any]], width: int, indent: int, look: ResultStyle) -> None:
    """Add objects as a table, or one below the other if the table has no room."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_plain(name, row[name]) if name in row else "" for name in names] for row in rows[:_MOST_ROWS]]
    widths = [max(cell_len(name), *(cell_len(row[at]) for row in cells)) for at, name in enumerate(names)]
    while sum(widths) + _GAP * (len(widths) - 1) > width and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    if sum(widths) + _GAP * (len(widths) - 1) > width or (len(rows) == 1 and len(names) > 3):
        for number, row in enumerate(rows[:_MOST_ROWS]):
            text.append("\n" if number else "")
            _object(text, row, width, indent, look)
        _more(text, len(rows), indent, look)
        return
    numeric = [all(_is_number(row.get(name)) and name not in _TIMES for row in rows) for name in names]
    text.append(_row(names, widths, numeric, indent), style=look.quiet)
    for row in cells:
        text.append(_row(row, widths, numeric, indent))
    _more(text, len(rows), indent, look)


def _row(cells: list[str], widths: list[int], numeric: list[bool], indent: int) -> str:
    shown: list[str] = []
    for cell, width, right in zip(cells, widths, numeric, strict=True):
        length = cell_len(cell)
        if length > width:
            shown.append(set_cell_size(cell, width - 1) + "…")
        else:
            shown.append(" " * (width - length) + cell if right else cell + " " * (width - length))
    return " " * indent + (" " * _GAP).join(shown).rstrip() + "\n"


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _is_deep(value: Any) -> bool:
    """Whether a value needs lines of its own."""
    if isinstance(value, str):
        return "\n" in value.strip()
    if isinstance(value, dict):
        return bool(cast("dict[str, Any]", value))
    if isinstance(value, list):
        rows = cast("list[Any]", value)
        return any(isinstance(row, dict | list) for row in rows) or sum(len(str(row)) + 2 for row in rows) > 60
    return False


def _plain(key: str, value: Any) -> str:
    """A value in one line."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and key in _TIMES and 1e8 < value < 1e11:
        return moment(value)
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, str):
        return printable(" ".join(value.split()) if "\n" in value else value)
    if isinstance(value, list):
        return ", ".join(_plain("", each) for each in cast("list[Any]", value)) or "none"
    if isinstance(value, dict):
        return printable(json.dumps(value, ensure_ascii=False)) if value else "none"
    return printable(str(value))


def moment(seconds: float) -> str:
    """Return Unix seconds as a date in UTC, with the time of day unless it is midnight."""
    found = datetime.fromtimestamp(seconds, UTC)
    at_midnight = not (found.hour or found.minute or found.second)
    return found.strftime("%Y-%m-%d" if at_midnight else "%Y-%m-%d %H:%M" if not found.second else "%Y-%m-%d %H:%M:%S")
