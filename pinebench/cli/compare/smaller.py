"""Ways to make a script smaller. Each function calls `shows(text)` to find out whether a script still shows the
difference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pinebench.checker import open_program
from pinebench.syntax import Snapshot, nodes, parse
from pinebench.syntax.edits import EditError, TreeEdits, apply_edits
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import slots, walk

Shows = Callable[[str], bool]

_LISTS = ("body", "otherwise", "cases", "fields", "arguments", "parameters", "items")
_VALUES = frozenset(
    "value condition then otherwise left right operand expression items arguments offset first last step collection "
    "subject default body".split()
)
"""The attributes whose expression can be replaced by another one."""
_PLAIN = ("1", "na", '"a"', "true", "close", "color.red")
"""Values that may replace an expression of any type."""
_VERSION = re.compile(r"//\s*@\s*version\s*=")
_WORD = re.compile(r"[A-Za-z_]\w*")


def without_comments(text: str, shows: Shows) -> str:
    """Remove comments and blank lines from `text`. Return `text` itself if `shows` rejects the result."""
    comments = parse(text).comments
    spans = [span for span in comments if not _VERSION.match(text, span.start)]
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return _taken(_packed(text), text, shows)


def sliced(text: str, line: int, shows: Shows) -> str:
    """Return only the statements that the statement on `line` needs, first without later changes of its variables, then
    with them. Return `text` if `shows` accepts neither."""
    snapshot = parse(text).snapshot
    lines = snapshot.lines
    top = [node for node, _ in _top(snapshot)]
    spans = [span for _, span in _top(snapshot)]
    holding = {
        number
        for number, (start, end) in enumerate(spans)
        if lines.position(start).line <= line <= lines.position(end).line
    }
    words = [set(_WORD.findall(text[start:end])) for start, end in spans]
    for changes in (False, True):
        gives = [_given(node, changes=changes) for node in top]
        needed = holding | {0}
        while True:
            wanted = set[str]().union(*(words[number] for number in needed))
            more = _giving(gives, wanted) - needed
            if not more:
                break
            needed |= more
        smaller = _without(snapshot, [node for number, node in enumerate(top) if number not in needed])
        if smaller is not None and shows(smaller):
            return smaller
    return text


def fewer_statements(text: str, shows: Shows) -> str:
    """Remove every top-level statement from `text` without which `shows` still accepts it."""
    snapshot = parse(text).snapshot
    return _fewer_of(snapshot, [node for node, _ in _top(snapshot)], shows)


def fewer(text: str, shows: Shows) -> str:
    """Remove the statements, cases, fields, arguments and parameters without which `shows` still accepts `text`."""
    number = 0
    while number < len(lists := list(_lists(snapshot := parse(text).snapshot))):
        text = _fewer_of(snapshot, lists[number], shows)
        number += 1
    return text


def simpler(text: str, shows: Shows) -> str:
    """Simplify `text`: replace statements with their branches, and expressions with their parts or with plain values.

    It starts at the end. After each change it removes statements that are no longer needed, to save checks.
    """
    after = 0
    while after < len(_statements(parse(text).snapshot)):
        smaller = _simpler_statement(text, after, shows)
        if smaller != text:
            text = _without_unread(smaller, shows)
        after += 1
    return text


def _simpler_statement(text: str, after: int, shows: Shows) -> str:
    """Simplify the statement that has `after` statements after it."""
    at = 0
    while True:
        snapshot = parse(text).snapshot
        statements = _statements(snapshot)
        if after >= len(statements):
            return text
        places = list(_replaceable(*statements[-1 - after]))
        if at >= len(places):
            return text
        node, base = places[at]
        edits = TreeEdits(snapshot)
        now = text[base + node.start : base + node.end]
        for other in _alternatives(node, base, text):
            smaller = _replaced(edits, snapshot, node, other) if len(other) < len(now) else None
            if smaller is not None and len(smaller) < len(text) and shows(smaller):
                text = smaller
                break
        else:
            at += 1


def _without_unread(text: str, shows: Shows) -> str:
    """Remove the top-level statements whose declared names are not used any more."""
    snapshot = parse(text).snapshot
    top = [node for node, _ in _top(snapshot)]
    words = [set(_WORD.findall(text[start:end])) for _, (start, end) in _top(snapshot)]
    gives = [_given(node, changes=False) for node in top]
    needed = {number for number, names in enumerate(gives) if not names}
    while more := _giving(gives, set().union(*(words[number] for number in needed))) - needed:
        needed |= more
    smaller = _without(snapshot, [node for number, node in enumerate(top) if number not in needed])
    return text if smaller is None else _taken(smaller, text, shows)


def _giving(gives: Sequence[set[str]], wanted: set[str]) -> set[int]:
    """Return the indices of the statements that declare one of the names `wanted`."""
    return {number for number, names in enumerate(gives) if names & wanted}


def shorter_names(text: str, shows: Shows) -> str:
    """Shorten the names that `text` declares: all together if possible, otherwise one by one."""
    program = open_program(text)
    symbols: dict[Any, None] = {}
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Name) and len(node.id) > 2:
                symbol = program.symbol_at(chunk.start + node.start)
                if symbol is not None:
                    symbols[symbol] = None
    taken = set(_WORD.findall(text))
    fresh = (name for name in _names() if name not in taken)
    renamed = [(next(fresh), program.references(symbol)) for symbol in symbols]
    edits = [(span, name) for name, spans in renamed for span in spans]
    together = _spliced(text, edits)
    if together != text and shows(together):
        return together
    for name, spans in renamed:
        # earlier renamings moved the other names, so they are searched again, one at a time
        smaller = _spliced(text, [(span, name) for span in spans])
        if smaller != text and len(smaller) < len(text) and shows(smaller):
            return shorter_names(smaller, shows)
    return text


def neat(text: str, shows: Shows) -> str:
    """Put each statement of `text` on one line, formatted by the style guide."""
    from pinebench.formatting import format_text

    snapshot = parse(text).snapshot
    wraps = [found for found in re.finditer(r"[ \t]*\n[ \t]*", text) if snapshot.is_in_brackets(found.start())]
    joined = text
    for found in reversed(wraps):
        gap = "" if text[found.start() - 1] in "([" or text[found.end() : found.end() + 1] in ")]" else " "
        joined = joined[: found.start()] + gap + joined[found.end() :]
    laid_out = format_text(joined).text
    return laid_out if _taken(laid_out, text, shows) == laid_out else _taken(joined, text, shows)


def fewer_lines(text: str, shows: Shows) -> str:
    """Remove the lines without which `shows` still accepts `text`, regardless of their content. This is for scripts
    that do not parse."""
    return "".join(_least(text.splitlines(keepends=True), "".join, shows))


def _taken(smaller: str, text: str, shows: Shows) -> str:
    return smaller if smaller != text and shows(smaller) else text


def _packed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines() if line.strip())


def _least(items: Sequence[Any], build: Callable[[list[Any]], str | None], shows: Shows) -> list[Any]:
    """The fewest of `items` that still show the difference. It tries to remove many at once, then fewer, from the
    end."""
    kept = list(items)
    size = max(1, len(kept) // 2)
    while kept:
        end = len(kept)
        while end > 0:
            start = max(0, end - size)
            text = build(kept[:start] + kept[end:])
            if text is not None and shows(text):
                kept[start:end] = []
            end = start
        if size == 1:
            break
        size = max(1, size // 2)
    return kept


def _fewer_of(snapshot: Snapshot, items: list[Node], shows: Shows) -> str:
    best = snapshot.text

    def build(kept: list[Node]) -> str | None:
        staying = {id(node) for node in kept}
        return _without(snapshot, [node for node in items if id(node) not in staying])

    kept = _least(items, build, shows)
    return best if len(kept) == len(items) else build(kept) or best


def _without(snapshot: Snapshot, gone: list[Node]) -> str | None:
    edits = TreeEdits(snapshot)
    try:
        for node in gone:
            edits.remove(node)
        return _packed(apply_edits(snapshot.text, edits.edits()))
    except (EditError, KeyError):
        return None


def _replaced(edits: TreeEdits, snapshot: Snapshot, node: Node, other: str) -> str | None:
    trial = edits.fresh()
    try:
        trial.replace(node, other)
        return _packed(apply_edits(snapshot.text, trial.edits()))
    except (EditError, KeyError):
        return None


def _top(snapshot: Snapshot) -> Iterator[tuple[Node, tuple[int, int]]]:
    """Yield the top-level statements of a script, each with its place."""
    for chunk in snapshot.chunks:
        for node in chunk.body:
            yield node, (chunk.start + node.start, chunk.start + node.end)


def _lists(snapshot: Snapshot) -> Iterator[list[Node]]:
    """Yield every list whose items can be left out, outer lists first."""
    yield [node for node, _ in _top(snapshot)]
    for chunk in snapshot.chunks:
        for node in walk(chunk.body):
            for slot, value in slots(node):
                if slot in _LISTS and isinstance(value, list) and value:
                    yield value


def _given(node: Node, *, changes: bool) -> set[str]:
    """The names that a statement declares. With `changes`, also the names that it, or a part of it, changes."""
    found: set[str] = set()
    if isinstance(node, nodes.Import):
        return set(_WORD.findall(str(getattr(node.alias, "id", "")))) or {"import"}
    if isinstance(
        node, nodes.VariableDeclaration | nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration
    ):
        found.add(node.name.id)
    if isinstance(node, nodes.TupleDeclaration):
        found |= {name.id for name in node.names if isinstance(name, nodes.Name)}
    if changes:
        targets = (each.target for each in walk([node]) if isinstance(each, nodes.Reassignment))
        found |= {each.id for target in targets for each in walk([target]) if isinstance(each, nodes.Name)}
    return found


def _statements(snapshot: Snapshot) -> list[tuple[Node, int]]:
    """The top-level statements of a script, each with the offset of its chunk."""
    return [(node, chunk.start) for chunk in snapshot.chunks for node in chunk.body]


def _replaceable(statement: Node, base: int) -> Iterator[tuple[Node, int]]:
    """Yield a statement, and the parts of it that can be replaced by something smaller, outer parts first.

    Each part comes with `base`, the offset of its chunk.
    """
    yield statement, base
    for holder in walk([statement]):
        for slot, value in slots(holder):
            if slot in _VALUES:
                for each in value if isinstance(value, list) else [value]:
                    if each is not None and each is not statement:
                        yield each, base


def _alternatives(node: Node, base: int, text: str) -> Iterator[str]:
    """Yield possible replacements of `node`: its branches, the expressions in it, a plain value; for an `if`, also
    itself without its else."""
    if isinstance(node, nodes.ExpressionStatement | nodes.NamedArgument):
        return
    if isinstance(node, nodes.If) and node.otherwise:
        yield text[base + node.start : base + node.body[-1].end]
    for slot, value in slots(node):
        if slot in ("body", "otherwise") and isinstance(value, list) and value:
            yield _dedented(text, base + value[0].start, base + value[-1].end)
            yield text[base + value[-1].start : base + value[-1].end]
    if isinstance(node, nodes.VariableDeclaration | nodes.TupleDeclaration | nodes.Reassignment):
        return
    if isinstance(node, nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration | nodes.Import):
        return
    yield from _PLAIN
    for slot, value in slots(node):
        if slot in _VALUES and slot != "body":
            for each in value if isinstance(value, list) else [value]:
                inner = each.value if isinstance(each, nodes.NamedArgument) else each
                if inner is not None:
                    yield text[base + inner.start : base + inner.end]


def _dedented(text: str, start: int, end: int) -> str:
    """The text of a block, with its first statement in column one."""
    margin = text[text.rfind("\n", 0, start) + 1 : start]
    lines = text[start:end].splitlines()
    return "\n".join([lines[0], *(line.removeprefix(margin) for line in lines[1:])])


def _names() -> Iterator[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    yield from letters
    yield from (first + second for first in letters for second in letters if first + second not in ("if", "na", "or"))


def _spliced(text: str, edits: list[tuple[Any, str]]) -> str:
    for (start, end), name in sorted(edits, reverse=True):
        text = text[:start] + name + text[end:]
    return text
