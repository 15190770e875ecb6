"""What the parser does when a token does not fit: report it once, keep what is sound, and go on.

The tokens of the broken part are replaced by one BAD token that the grammar knows as a statement, a value, a switch arm or a
member; a broken header keeps its block. So the tree around a fault stays whole, and no second report follows from the first.
"""

from __future__ import annotations

from typing import Any

from pinebench.syntax.build import ShapeError
from pinebench.syntax.nodes import Name, Node
from pinebench.syntax.scanner import Fault, Scan

END_OF_LINE = '"end of line without line continuation"'
_LAYOUT = frozenset(("NEWLINE", "INDENT", "DEDENT", "$END"))
_HEADERS = {"SWITCH": "BAD_SWITCH", "TYPE": "BAD_TYPE", "ENUM": "BAD_TYPE"}
_REPLACEMENTS = frozenset(("BAD", "BAD_HEADER", "BAD_SWITCH", "BAD_TYPE"))


def recover(
    actions: list[dict[str, Any]],
    states: list[int],
    values: list[Any],
    types: list[str],
    tokens: list[Any],
    index: int,
    scan: Scan,
    faults: list[Fault],
    error: ShapeError | None = None,
) -> int:
    """Report the token at `index` and change stacks and tokens so that the parse can go on; returns where it goes on."""
    first = _line_start(types, index)
    if types[index] == "INDENT" and error is None:
        _report(types, tokens, index, first, scan, faults, actions, states, None)
        _drop_block(types, tokens, index)
        return index
    _report(types, tokens, index, first, scan, faults, actions, states, error)
    stop = index
    while types[stop] not in _LAYOUT:
        stop += 1
    if stop == index and types[stop] in ("DEDENT", "$END") and types[stop - 1] == "NEWLINE":
        stop = index
    keyword = _header(types, first, stop)
    has_block = types[stop] == "NEWLINE" and types[stop + 1] == "INDENT"
    replacement = _HEADERS.get(keyword, "BAD_HEADER") if has_block else "BAD"
    salvaged: list[Node] = []
    start = _unwind(actions, states, values, replacement, salvaged, tokens[index][0])
    salvaged.reverse()
    salvaged += _names(types, tokens, index, stop)
    end = tokens[stop][0]
    types[index:stop] = [replacement]
    tokens[index:stop] = [(start, max(start, end), salvaged)]
    if types[index + 1] != "NEWLINE":
        types.insert(index + 1, "NEWLINE")
        tokens.insert(index + 1, (end, end, ""))
    return index


def _line_start(types: list[str], index: int) -> int:
    """The index of the first token of the line that holds the token at `index`."""
    first = index
    while first and types[first - 1] not in _LAYOUT:
        first -= 1
    return first


def _header(types: list[str], first: int, stop: int) -> str:
    """The keyword that owns the block behind a broken line."""
    for index in range(stop - 1, first - 1, -1):
        if types[index] in ("SWITCH", "TYPE", "ENUM", "IF", "FOR", "WHILE", "ONCE", "ARROW"):
            return types[index]
    return ""


def _drop_block(types: list[str], tokens: list[Any], index: int) -> None:
    """Take away the INDENT at `index` and its DEDENT, so that the lines between them belong to the block around."""
    depth = 0
    close = index
    while types[close] != "$END":
        if types[close] == "INDENT":
            depth += 1
        elif types[close] == "DEDENT":
            depth -= 1
            if not depth:
                break
        close += 1
    if types[close] == "DEDENT":
        width = 2 if types[close + 1] == "NEWLINE" else 1
        del types[close : close + width], tokens[close : close + width]
    del types[index], tokens[index]


def _unwind(
    actions: list[dict[str, Any]],
    states: list[int],
    values: list[Any],
    replacement: str,
    salvaged: list[Node],
    start: int,
) -> int:
    """Pop the stacks until `replacement` can be shifted, collecting sound nodes; returns where the broken part begins."""
    while states[-1] < 0 or not isinstance(actions[states[-1]].get(replacement), int):
        states.pop()
        value = values.pop()
        start = min(start, _salvage(value, salvaged, start))
    return start


def _salvage(value: Any, salvaged: list[Node], start: int) -> int:
    if isinstance(value, Node):
        salvaged.append(value)
        return value.start
    if isinstance(value, tuple):
        return value[0]
    for item in reversed(value):
        start = min(start, _salvage(item, salvaged, start))
    return start


def _names(types: list[str], tokens: list[Any], index: int, stop: int) -> list[Node]:
    """The names used in the part of a broken line that was never parsed."""
    return [
        Name(*tokens[place])
        for place in range(index, stop)
        if types[place] == "NAME" and types[place - 1] != "DOT" and types[place + 1] != "ASSIGN"
    ]


def _report(
    types: list[str],
    tokens: list[Any],
    index: int,
    first: int,
    scan: Scan,
    faults: list[Fault],
    actions: list[dict[str, Any]],
    states: list[int],
    error: ShapeError | None,
) -> None:
    """Add the report for the token at `index`, unless its line already has one."""
    start, end, text = tokens[index]
    line_start = tokens[first][0] if first < len(tokens) - 1 else start
    if any(line_start <= fault.start <= end for fault in (*scan.faults, *faults)):
        return
    faults.append(Fault("CE10156", start, end, {"value": f'"{text}"'}))
