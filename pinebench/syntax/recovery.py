"""Error recovery of the parser: reports an unexpected token once, keeps the valid parts, and continues.

The tokens of the broken part are replaced by one BAD token, which the grammar accepts as a statement, a value, a case
or a member. A broken header, such as `if close >`, keeps its block. So the tree around the error stays complete, and
the error causes no further reports.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from pinebench.syntax import nodes
from pinebench.syntax.build import ShapeError
from pinebench.syntax.faults import END_OF_LINE, Fault
from pinebench.syntax.nodes import Name, Node
from pinebench.syntax.scanner import Scan
from pinebench.syntax.words import RESERVED, SOFT_KEYWORDS

Actions = list[dict[str, Any]]
_start = attrgetter("start")

_LAYOUT = frozenset(("NEWLINE", "INDENT", "DEDENT", "$END"))
_BLOCK_KEYWORDS = frozenset(("SWITCH", "TYPE", "ENUM", "IF", "FOR", "WHILE", "ONCE", "ELSE", "ARROW"))
_STATEMENT_KEYWORDS = frozenset(("IF", "FOR", "WHILE", "SWITCH"))

_EXPECTED_GROUPS = (
    ("a value", frozenset(("INT", "FLOAT", "STRING"))),
    ("a name", frozenset(("NAME",))),
    ("an operator", frozenset(("OPERATOR",))),
    ("'='", frozenset(("ASSIGN",))),
    ("':='", frozenset(("REASSIGN",))),
    ("'=>'", frozenset(("ARROW",))),
    ("':'", frozenset(("COLON",))),
    ("','", frozenset(("COMMA",))),
    ("'('", frozenset(("LPAR",))),
    ("')'", frozenset(("RPAR",))),
    ("']'", frozenset(("RSQB",))),
    ("'>'", frozenset(("TEMPLATE_CLOSE",))),
    ("'to'", frozenset(("TO",))),
    ("'in'", frozenset(("IN",))),
    ("an indented block", frozenset(("INDENT",))),
    ("the end of the line", frozenset(("NEWLINE",))),
)


class StuckParser:
    """The state at one error: the parser's stacks and tokens, which recovery changes, and the unexpected token."""

    __slots__ = ("actions", "error", "faults", "first", "index", "scan", "states", "tokens", "types", "values")

    def __init__(
        self,
        actions: Actions,
        states: list[int],
        values: list[Any],
        types: list[str],
        tokens: list[Any],
        index: int,
        scan: Scan,
        faults: list[Fault],
        error: ShapeError | None,
    ) -> None:
        self.actions = actions
        self.states = states
        self.values = values
        self.types = types
        self.tokens = tokens
        self.index = index
        self.scan = scan
        self.faults = faults
        self.error = error
        self.first = _line_start(types, index)


def recover(
    actions: Actions,
    states: list[int],
    values: list[Any],
    types: list[str],
    tokens: list[Any],
    index: int,
    scan: Scan,
    faults: list[Fault],
    error: ShapeError | None = None,
) -> None:
    """Report the token at `index`, then change stacks and tokens so that parsing can continue at `index`. Every call
    removes at least one of the script's tokens from the input or the stack, so parsing always ends."""
    stuck = StuckParser(actions, states, values, types, tokens, index, scan, faults, error)
    kind = types[index]
    if kind == "ELSE" and types[index - 1] == "DEDENT":
        _insert_newline(stuck)
        return
    _report(stuck)
    if kind == "INDENT" and error is None:
        _adopt_block(stuck)
    elif stuck.first == index and not _fits(stuck, "BAD"):
        _end_header_without_block(stuck)
    else:
        _replace_line(stuck)


# repairs


def _insert_newline(stuck: StuckParser) -> None:
    """End the line before an `else` that does not belong to an `if`."""
    place = stuck.tokens[stuck.index][0]
    stuck.types.insert(stuck.index, "NEWLINE")
    stuck.tokens.insert(stuck.index, (place, place, ""))


def _adopt_block(stuck: StuckParser) -> None:
    """Insert a bad header that fits the content, before a block without a header."""
    types, index = stuck.types, stuck.index
    header = next((header for header in _headers(types, index + 1) if _fits(stuck, header)), "")
    if not header:
        _drop_block(types, stuck.tokens, index)
        return
    place = stuck.tokens[index][0]
    types[index:index] = [header, "NEWLINE"]
    stuck.tokens[index:index] = [(place, place, []), (place, place, "")]


def _drop_block(types: list[str], tokens: list[Any], index: int) -> None:
    """Remove the INDENT at `index` and its DEDENT, so that the lines between them belong to the surrounding block."""
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


def _end_header_without_block(stuck: StuckParser) -> None:
    """Turn the header before this line, which has no block, into a bad statement."""
    start, salvaged = _unwind(stuck, "BAD")
    end = stuck.tokens[stuck.index][0]
    stuck.types[stuck.index : stuck.index] = ["BAD", "NEWLINE"]
    stuck.tokens[stuck.index : stuck.index] = [(start, end, salvaged), (end, end, "")]


def _replace_line(stuck: StuckParser) -> None:
    """Replace the rest of the line, and the parser's state for it, by one BAD token. A block after the line is kept."""
    types, tokens, index = stuck.types, stuck.tokens, stuck.index
    end = index
    while types[end] not in _LAYOUT:
        end += 1
    has_block = types[end] == "NEWLINE" and types[end + 1] == "INDENT"
    replacement = _replacement(stuck, end) if has_block else "BAD"
    if has_block and replacement == "BAD":
        _drop_block(types, tokens, end + 1)
    start, salvaged = _unwind(stuck, replacement)
    salvaged += _names(stuck, end)
    place = tokens[end][0]
    types[index:end] = [replacement]
    tokens[index:end] = [(start, max(start, place), salvaged)]
    if types[index + 1] != "NEWLINE":
        types.insert(index + 1, "NEWLINE")
        tokens.insert(index + 1, (place, place, ""))


def _replacement(stuck: StuckParser, end: int) -> str:
    """The token that replaces a broken line with a block: the one that keeps most of the parser's state before it."""
    words = (stuck.types[place] for place in range(end - 1, stuck.first - 1, -1))
    keyword = next((word for word in words if word in _BLOCK_KEYWORDS), "")
    closest = _unwinding(stuck, "BAD")
    candidates = _headers(stuck.types, end + 2, keyword)
    return next((candidate for candidate in candidates if _unwinding(stuck, candidate) == closest), "BAD")


def _headers(types: list[str], index: int, keyword: str = "") -> Iterator[str]:
    """Yield the tokens that may replace a header with `keyword` whose block starts at `index`, the likeliest first."""
    if _holds_cases(types, index):
        yield "BAD_SWITCH"
    elif keyword in ("TYPE", "ENUM") or types[index : index + 3] == ["NAME", "NAME", "NEWLINE"]:
        yield "BAD_TYPE"
    yield "BAD_HEADER"


def _holds_cases(types: list[str], index: int) -> bool:
    """Whether the line at `index` is a case of a switch."""
    while types[index] not in _LAYOUT:
        if types[index] == "ARROW":
            return True
        index += 1
    return False


def _unwinding(stuck: StuckParser, replacement: str) -> int:
    """The number of values that must be popped before `replacement` is accepted."""
    # The values of a shape error are on the stack without states, so they are popped in any case.
    if stuck.error is None and stuck.first == stuck.index and _fits(stuck, replacement):
        return 0
    count = 0
    for state in reversed(stuck.states):
        if _accepts_shift(stuck, state, replacement):
            break
        count += 1
    return count


def _accepts_shift(stuck: StuckParser, state: int, kind: str) -> bool:
    return state >= 0 and isinstance(stuck.actions[state].get(kind), int)


def _unwind(stuck: StuckParser, replacement: str) -> tuple[int, list[Node]]:
    """Pop values until `replacement` can be shifted. Return the start of the broken part and the valid nodes in it."""
    count = _unwinding(stuck, replacement)
    start = stuck.tokens[stuck.index][0]
    if not count:
        return start, []
    broken = stuck.values[-count:]
    del stuck.values[-count:]
    del stuck.states[-count:]
    salvaged: list[Node] = []
    for value in broken:
        start = min(start, _salvage(value, salvaged))
    return start, salvaged


# salvage


def _salvage(value: Any, salvaged: list[Node]) -> int:
    """Add the valid expressions and statements in a value of the parser's stack to `salvaged`. Return the value's
    start."""
    if isinstance(value, tuple):
        start, end, text = value  # pyright: ignore[reportUnknownVariableType]
        if isinstance(text, str) and text.isidentifier() and text not in _NO_NAMES:
            salvaged.append(Name(start, end, text))  # pyright: ignore[reportUnknownArgumentType]
        return start  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Node):
        _salvage_node(value, salvaged)
        return value.start
    return min((_salvage(item, salvaged) for item in value), default=1 << 60)


_NO_NAMES = RESERVED.union(SOFT_KEYWORDS)
"""Words that are unlikely to be names in a broken line."""


def _salvage_node(node: Node, salvaged: list[Node]) -> None:
    """Add `node` if it is valid alone, or else its parts that are."""
    if isinstance(node, nodes.NamedArgument):
        salvaged.append(node.value)
    elif isinstance(node, nodes.Parameter | nodes.Field):
        if node.default is not None:
            salvaged.append(node.default)
    elif isinstance(node, nodes.EnumField):
        if node.value is not None:
            salvaged.append(node.value)
    elif isinstance(node, nodes.Case):
        if node.condition is not None:
            salvaged.append(node.condition)
        salvaged.extend(node.body)
    elif not isinstance(node, nodes.TypeReference):
        salvaged.append(node)


def _names(stuck: StuckParser, end: int) -> list[Node]:
    types, tokens = stuck.types, stuck.tokens
    return [
        Name(*tokens[place])
        for place in range(stuck.index, end)
        if types[place] == "NAME" and types[place - 1] != "DOT" and types[place + 1] != "ASSIGN"
    ]


# reports


def _line_start(types: list[str], index: int) -> int:
    first = index
    while first and types[first - 1] not in _LAYOUT:
        first -= 1
    return first


def _report(stuck: StuckParser) -> None:
    """Add the fault of this error, unless its line has one already."""
    types, tokens = stuck.types, stuck.tokens
    end = stuck.index
    while types[end] not in _LAYOUT:
        end += 1
    lines = stuck.scan.lines
    first, last = bisect_right(lines, tokens[stuck.first][0]), bisect_right(lines, tokens[end][0])
    if stuck.index == stuck.first and (types[stuck.index] in ("INDENT", "ELSE") or not _fits(stuck, "BAD")):
        # These errors after a broken line only follow from its fault.
        first -= 1
    start = lines[first - 1] if first > 0 else 0
    stop = lines[last] if last < len(lines) else len(stuck.scan.source) + 1
    if not _has_fault(stuck, start, stop):
        stuck.faults.append(_fault(stuck)._replace(hint=_hint(stuck)))


def _has_fault(stuck: StuckParser, start: int, stop: int) -> bool:
    """Whether a fault was found between `start` and `stop`. The faults of the scanner, which may be many, are
    sorted."""
    scanned = stuck.scan.faults
    place = bisect_left(scanned, start, key=_start)
    if place < len(scanned) and scanned[place].start < stop:
        return True
    return any(start <= fault.start < stop for fault in stuck.faults)


def _loop(types: list[str], header: int, end: int) -> int:
    """The index of the token `for` of a header that starts at `header`, as a statement or an assigned value. -1
    without one."""
    for number in range(header, end):
        if types[number] == "FOR" and (number == header or types[number - 1] in ("ASSIGN", "REASSIGN")):
            return number
    return -1


def _fault(stuck: StuckParser) -> Fault:
    """TradingView's report for this error."""
    types, tokens, index, first = stuck.types, stuck.tokens, stuck.index, stuck.first
    kind = types[index]
    start, end, text = tokens[index]
    if stuck.error is not None and stuck.error.text:
        return _misshapen(stuck, stuck.error)
    if kind == "INDENT":
        start, end, text = tokens[index + 1]
        return Fault("CE10013", start, end, {"unexpectedToken": f'"{text}"', "expecting": END_OF_LINE})
    header = _previous_line_start(stuck) if index == first else first
    loop = _loop(types, header, index)
    if loop >= 0 and (kind == "NEWLINE" or not _accepts(stuck, ("NAME",)) or index == first):
        place = tokens[loop]
        return Fault("CE10161", place[0], place[1], {})
    if kind == "RPAR" and _is_extra(types[:index]):
        return Fault("CE10016", start, end, {})
    if index == first and not _fits(stuck, "BAD"):
        return _missing_block(stuck)
    if index == first:
        return _at(text, start, end) if kind == "ELSE" else Fault("CE10156", start, end, _NEW_LINE, at_line_start=True)
    if kind == "NEWLINE":
        return Fault("CE10156", start, end, {"value": END_OF_LINE})
    is_mismatch = kind not in ("ARROW", "ELSE") and types[first] not in _NO_MISMATCH and not _within_block(stuck)
    if is_mismatch and _fits(stuck, "NEWLINE"):
        return Fault("CE10013", start, end, {"unexpectedToken": f'"{text}"', "expecting": END_OF_LINE})
    return _at(text, start, end)


_NO_MISMATCH = _BLOCK_KEYWORDS | {"BREAK", "CONTINUE"}
"""Lines that start with these get the general error, wherever the error is."""
_NEW_LINE = {"value": '"new line"'}


def _is_extra(types: list[str]) -> bool:
    """Whether all parentheses before this token are closed."""
    return types.count("RPAR") >= types.count("LPAR")


def _at(text: str, start: int, end: int) -> Fault:
    return Fault("CE10156", start, end, {"value": f'"{text}"'})


def _misshapen(stuck: StuckParser, error: ShapeError) -> Fault:
    """The fault for parts that do not fit: a bracket or a call that is reassigned, or an exported tuple."""
    if _within_block(stuck) or error.text == "[":
        return _at(error.text, error.start, error.end)
    values = {"unexpectedToken": f'"{error.text}"', "expecting": '"="'}
    return Fault("CE10013", error.start, error.end, values)


def _missing_block(stuck: StuckParser) -> Fault:
    """The fault for a header on the previous line without an indented line below it."""
    at_end = stuck.types[stuck.index] == "$END"
    start, end, text = stuck.scan.following() if at_end else stuck.tokens[stuck.index]
    if not text:
        start, end, _ = stuck.tokens[stuck.index - 1]
        return Fault("CE10156", start, end, {"value": END_OF_LINE})
    if _FIELDS.isdisjoint(stuck.types[_previous_line_start(stuck) : stuck.index]):
        return Fault("CE10144", start, end, {})
    return Fault("CE10013", start, end, {"unexpectedToken": f'"{text}"', "expecting": '"indent"'})


_FIELDS = frozenset(("TYPE", "ENUM"))
"""Words that open a block of fields, which contains no code."""


def _previous_line_start(stuck: StuckParser) -> int:
    """The index of the first token of the line before the line that starts at `index`."""
    index = stuck.index
    while index and stuck.types[index - 1] in _LAYOUT:
        index -= 1
    return _line_start(stuck.types, index)


def _within_block(stuck: StuckParser) -> bool:
    return stuck.types[: stuck.index].count("INDENT") > stuck.types[: stuck.index].count("DEDENT")


def _accepts(stuck: StuckParser, kinds: tuple[str, ...]) -> bool:
    return any(_fits(stuck, kind) for kind in kinds)


def _fits(stuck: StuckParser, kind: str) -> bool:
    """Whether a token of type `kind` would be accepted here, found by simulating the reductions."""
    states = [state for state in stuck.states if state >= 0]
    while True:
        action = stuck.actions[states[-1]].get(kind)
        if action is None:
            return False
        if isinstance(action, int):
            return True
        size, _, gotos, _ = action
        if size:
            del states[-size:]
        states.append(gotos[states[-1]])


def _hint(stuck: StuckParser) -> str | None:
    """A hint with the tokens that are expected here, in groups that people understand."""
    if stuck.error is not None:
        return None
    told = _common_mistake(stuck)
    if told is not None:
        return told
    expected = [label for label, kinds in _EXPECTED_GROUPS if _accepts(stuck, tuple(kinds))]
    if "a value" in expected and "a name" in expected:
        expected.remove("a name")
    if not expected:
        return None
    return "expected " + (expected[0] if len(expected) == 1 else f"{', '.join(expected[:-1])} or {expected[-1]}")


_OPENING = {"LPAR": "RPAR", "LSQB": "RSQB", "TUPLE_OPEN": "RSQB"}


class _Spot:
    """The word or sign at which the parser is stuck, and the line of code around it."""

    def __init__(self, stuck: StuckParser) -> None:
        self.stuck = stuck
        self.types, self.tokens, self.index, self.first = stuck.types, stuck.tokens, stuck.index, stuck.first
        self.kind, self.text = self.types[self.index], self.tokens[self.index][2]
        self.before = self.types[self.index - 1]
        self.begin = self.types[self.first]
        self.within = self.types[self.first : self.index]
        """The types of the statement's tokens before the current one."""
        opened = sum(self.within.count(opening) for opening in ("LPAR", "LSQB", "TUPLE_OPEN"))
        self.depth = opened - self.within.count("RPAR") - self.within.count("RSQB")

    @property
    def rest(self) -> list[str]:
        """The types of the tokens from this one to the end of its line."""
        count = len(self.types)
        end = next((number for number in range(self.index, count) if self.types[number] in _LAYOUT), self.index)
        return self.types[self.index : end]

    @property
    def gap(self) -> str:
        """The text between the token before and this one."""
        scan = self.stuck.scan
        return scan.source[scan.offset + self.tokens[self.index - 1][1] : scan.offset + self.tokens[self.index][0]]


def _common_mistake(stuck: StuckParser) -> str | None:
    """A hint for a common mistake, recognized by the unexpected token and the tokens before it. None if none is
    recognized."""
    spot = _Spot(stuck)
    for told in (_of_branches, _of_statements, _of_assignments, _of_foreign_words, _of_neighbours):
        advice = told(spot)
        if advice is not None:
            return advice
    return None


def _of_branches(spot: _Spot) -> str | None:
    """A hint for a mistake in the result of a function or in a branch of a `switch`."""
    if "return" in (spot.text, spot.tokens[spot.index - 1][2] if spot.index > spot.first else ""):
        return "Pine has no `return`: the last line of a function is its result"
    if spot.kind == "COMMA" and spot.depth == 0 and "ARROW" in spot.rest and spot.begin != "FOR":
        return "a branch of a `switch` has one value: write a branch for each, or compare with `or`"
    if spot.kind == "ASSIGN" and spot.begin in ("STRING", "INT") and spot.index == spot.first + 1:
        return "a branch of a `switch` is `value => result`"
    return None


def _of_statements(spot: _Spot) -> str | None:
    """A hint for a statement or a declaration at a place where an expression is expected."""
    kind = spot.kind
    if kind in _STATEMENT_KEYWORDS and (spot.depth > 0 or "QUESTION" in spot.within):
        return (
            f"`{spot.text}` is used at the start of a line or after `=`; inside an expression write `condition ? a : b`"
        )
    if kind == "COLON" and spot.depth > 0 and spot.before == "NAME" and "QUESTION" not in spot.within:
        return "name an argument with a single `=`: `title = ...`"
    if kind == "REASSIGN" and (spot.depth > 0 or spot.begin in ("VAR", "QUALIFIER")):
        return "declare a new variable with `=`; `:=` changes an existing one"
    if kind == "ARROW" and _within_block(spot.stuck) and spot.before == "RPAR" and spot.begin == "NAME":
        return "a function is declared at the top level, outside of blocks and other functions"
    return None


def _of_assignments(spot: _Spot) -> str | None:
    """A hint for a choice, several values at once, or an assignment within an expression."""
    if spot.kind == "ELSE" and "QUESTION" in spot.within:
        return "Pine writes `condition ? a : b`"
    if spot.kind == "COMMA" and _bare_bracket(spot.types, spot.first, spot.index):
        return "write several values in square brackets: `[a, b]`"
    if spot.begin == "FOR" and spot.kind in ("VAR", "QUALIFIER"):
        return "a loop declares its counter itself: `for i = 0 to 9`"
    if spot.kind in ("REASSIGN", "ASSIGN") and "QUESTION" in spot.within:
        return "a variable is changed on a line of its own: `x := condition ? a : b`"
    return None


def _of_foreign_words(spot: _Spot) -> str | None:
    """A hint for syntax of other languages: operators, digits in groups, quotation marks within a text."""
    if spot.text in _FOREIGN_OPERATORS and spot.index > spot.first:
        return _FOREIGN_OPERATORS[spot.text]
    groups = spot.kind == "NAME" and spot.text.startswith("_") and spot.before == "INT"
    if groups and spot.text.strip("_").isdigit():
        return "a number is written without `_` between its digits"
    is_text = "STRING" in (spot.kind, spot.before) and spot.index > spot.first and not spot.gap
    if is_text and spot.kind in _OPERANDS and spot.before in _OPERANDS:
        return "write a quotation mark within a text as `\\\"`, or put the text between the other marks, `'...'`"
    return None


def _of_neighbours(spot: _Spot) -> str | None:
    """A hint for two values side by side."""
    is_beside = spot.kind in _OPERANDS and spot.index > spot.first and spot.before in _OPERANDS_END
    if not is_beside or "\n" in spot.gap:
        return None
    between = f"between `{_short(spot.tokens[spot.index - 1][2])}` and `{_short(spot.text)}`"
    if spot.depth > 0:
        return f"a comma or an operator is missing {between}"
    return f"an operator is missing {between}" if spot.index - spot.first > 1 else None


def _bare_bracket(types: list[str], first: int, end: int) -> bool:
    """Whether the innermost parenthesis that is open before `end` is not the parenthesis of a call."""
    depth = 0
    for number in range(end - 1, first - 1, -1):
        depth += {"RPAR": 1, "RSQB": 1, "LPAR": -1, "LSQB": -1, "TUPLE_OPEN": -1}.get(types[number], 0)
        if depth < 0:
            before = types[number - 1] if number > first else ""
            return types[number] == "LPAR" and before not in ("NAME", "FUNCTION_NAME", "TEMPLATE_CLOSE", "RPAR")
    return False


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN and "\n" not in text else f"{text.splitlines()[0][:_SHOWN]}..."


_SHOWN = 30
_OPERANDS = frozenset(("NAME", "INT", "FLOAT", "STRING", "COLOR", "BOOL"))
_OPERANDS_END = _OPERANDS | {"RPAR", "RSQB"}
_FOREIGN_OPERATORS = {
    "xor": "Pine has no `xor`: `a != b` is true if exactly one of two conditions is true",
    "mod": "Pine writes `a % b`",
    "div": "Pine divides with `/`, and `int(a / b)` is the whole part",
    "in": "`array.includes(id, value)` tests whether an array has a value, `str.contains(source, part)` whether a text",
    **dict.fromkeys(("equals", "eq", "is"), "Pine compares with `==`, and `na(x)` tests for emptiness"),
    **dict.fromkeys(
        ("gt", "greater", "above"), "Pine compares with `>`; `ta.crossover(a, b)` finds the bar of a crossing"
    ),
    **dict.fromkeys(
        ("lt", "less", "below"), "Pine compares with `<`; `ta.crossunder(a, b)` finds the bar of a crossing"
    ),
    **dict.fromkeys(
        ("crosses", "cross", "crossover", "crossunder", "crossed"),
        "`ta.crossover(a, b)` and `ta.crossunder(a, b)` are true on the bar on which one crosses the other",
    ),
    **dict.fromkeys(("AND", "And"), "Pine writes `and`"),
    **dict.fromkeys(("OR", "Or"), "Pine writes `or`"),
    **dict.fromkeys(("NOT", "Not"), "Pine writes `not`"),
    **dict.fromkeys(("then", "do"), "Pine needs no `then` or `do`: the block below is indented by four spaces"),
    "extends": "Pine has no inheritance: use a field with an object of the other type",
    "implements": "Pine has no inheritance: use a field with an object of the other type",
    "as": "Pine converts with `int(x)`, `float(x)`, `bool(x)` and `str.tostring(x)`",
    "unless": "Pine writes `not`",
    "between": "Pine writes `x > a and x < b`",
}
"""Words between two values for which Pine has an operator or a function."""
