"""Facts about arrays and other collections: their sizes, and the calls that may change them."""

from __future__ import annotations

from collections.abc import Iterable

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.code_blocks import blocks
from pinebench.linter.rules.context import RuleContext, once_each
from pinebench.linter.rules.guards import (
    asked,
    holds_on_first_bar,
    home,
    is_noted,
    known_facts,
    on_every_way,
    with_calls,
)
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.requests import parts
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import bare, walk

ADDING = reference.having("adds", "array.")
GROWING = ADDING | reference.having("joins", "array.")
"""The functions that make an array longer."""
SHRINKING = reference.having("removes", "array.")
RESIZING = GROWING | SHRINKING
"""The functions that change the length of an array."""
RESHAPING = frozenset(
    f"matrix.{name}" for name in ("add_row", "add_col", "remove_row", "remove_col", "reshape", "concat")
)
"""The functions that change the rows or columns of a matrix."""
_CLEARING = frozenset(("array.clear",))
EMPTY, UNKNOWN = 0, None


def made_size(context: RuleContext, node: Node | None) -> int | None:
    """Return the number of elements of the new array that an expression makes, or None if the number is not known or no
    array is made."""
    node = bare(node) if node is not None else None
    called = context.called(node)
    if called == "array.from" and isinstance(node, nodes.Call):
        return len(node.arguments)
    if called is None or node is None or not called.startswith("array.new"):
        return UNKNOWN
    size = context.argument(node, "size")
    if size is None:
        return EMPTY
    known, value = context.value(size)
    return value if known and isinstance(value, int) and not isinstance(value, bool) else UNKNOWN


def receiver(context: RuleContext, call: Node) -> VariableSymbol | None:
    """Return the variable that holds the collection passed to a built-in; None if the collection comes from another
    expression."""
    for parameter in ("id", "id1"):
        given = context.argument(call, parameter)
        if given is not None:
            return context.symbol(bare(given))
    return None


def calls_on(context: RuleContext, symbol: VariableSymbol, names: frozenset[str]) -> list[nodes.Call]:
    """Return the calls of the built-ins `names` that work on the collection of a variable.

    The calls are grouped by variable only once, because a script may have very many collections and very many calls.
    """
    return _calls_by_variable(context, names).get(symbol, [])


@once_each
def _calls_by_variable(context: RuleContext, names: frozenset[str]) -> dict[VariableSymbol | None, list[nodes.Call]]:
    groups: dict[VariableSymbol | None, list[nodes.Call]] = {}
    for call in context.calls(*names):
        groups.setdefault(receiver(context, call), []).append(call)
    return groups


def is_private(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Return whether an array can only be reached through its variable: every use is a built-in for arrays or a loop
    over it."""
    return all(use == _LOOP or use.startswith("array.") for use in _uses_of(context, symbol))


@once_each
def _uses_of(context: RuleContext, symbol: VariableSymbol) -> frozenset[str]:
    """The uses of a variable's collection: the names of the built-ins that work on it, `_LOOP` for loops over it, and
    an empty text for every other use.

    A built-in that returns a part that stays connected to the collection, such as `array.slice`, is an "other use".
    """
    uses = context.once(_uses)
    return frozenset(uses.get(name, "") for name in context.reads.get(symbol, ()))


_LOOP = "for"


def _uses(context: RuleContext) -> dict[Node, str]:
    """How each name of a collection is used: the text that `_uses_of` describes, by the node of the name."""
    found: dict[Node, str] = {loop.collection: _LOOP for loop in context.of(nodes.ForIn)}
    for called, calls in context.builtin_calls.items():
        if called.startswith(("array.", "matrix.", "map.")) and called != "array.slice":
            for call in calls:
                given = context.argument(call, "id") or context.argument(call, "id1")
                if given is not None:
                    found[given] = called
    return found


def fixed_size(context: RuleContext, symbol: VariableSymbol) -> int | None:
    """Return the size of an array that never changes its size, or None if it is not known."""
    if symbol.kind != "variable" or symbol.reassignments:
        return UNKNOWN
    size = made_size(context, symbol.value)
    return size if size is not None and never_resized(context, symbol) else UNKNOWN


def only_grows(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Return whether an array only grows: elements are added, none is removed, and only its variable reaches it."""
    uses = _uses_of(context, symbol)
    return not GROWING.isdisjoint(uses) and SHRINKING.isdisjoint(uses) and is_private(context, symbol)


def never_resized(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Return whether an array certainly keeps its initial size."""
    return is_private(context, symbol) and RESIZING.isdisjoint(_uses_of(context, symbol))


def fixed_shape(context: RuleContext, symbol: VariableSymbol) -> tuple[int, int] | None:
    """Return the number of rows and columns of a matrix that never changes its shape, or None if they are not known."""
    made = bare(symbol.value) if symbol.kind == "variable" and symbol.value is not None else None
    if symbol.reassignments or made is None or context.called(made) != "matrix.new":
        return None
    sizes: list[int] = []
    for name in ("rows", "columns"):
        given = context.argument(made, name)
        known, value = context.value(given) if given is not None else (True, 0)
        if not known or not isinstance(value, int):
            return None
        sizes.append(value)
    uses = _uses_of(context, symbol)
    if not all(use == _LOOP or use.startswith("matrix.") for use in uses) or not RESHAPING.isdisjoint(uses):
        return None
    return sizes[0], sizes[1]


def stays_empty(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Return whether a variable holds an array, a map or a matrix that is made empty and never gets an element."""
    if symbol.kind != "variable" or symbol.reassignments or symbol.value is None:
        return False
    made = context.called(bare(symbol.value)) or ""
    if made == "matrix.new":
        return 0 in (fixed_shape(context, symbol) or ())
    if made == "map.new":
        uses = _uses_of(context, symbol)
        return all(use == _LOOP or use.startswith("map.") for use in uses) and uses.isdisjoint(_PUTTING)
    if made_size(context, symbol.value) != EMPTY or not is_private(context, symbol):
        return False
    return GROWING.isdisjoint(_uses_of(context, symbol))


_PUTTING = reference.having("adds", "map.") | reference.having("joins", "map.")


def starts_empty(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Return whether a variable's array is empty when it is declared."""
    return symbol.kind == "variable" and made_size(context, symbol.value) == EMPTY


def speaks_of(context: RuleContext, expressions: Iterable[Node], symbol: VariableSymbol) -> bool:
    """Return whether one of `expressions` uses a variable, directly or through other variables."""
    pending = [*expressions]
    seen: set[VariableSymbol] = set()
    while pending:
        for name in names_in(pending.pop()):
            found = context.symbol(name)
            if found is symbol:
                return True
            if found is not None and found not in seen:
                seen.add(found)
                pending += [value for value in (found.value, *(each.value for each in found.reassignments)) if value]
    return False


def may_be_empty(context: RuleContext, node: Node, symbol: VariableSymbol) -> bool:
    """Return whether an array that begins empty may still be empty when `node` runs.

    If the node is in a function, every call of the function is checked too.
    """

    def holds(each: Node) -> bool:
        if is_guarded(context, each, symbol):
            return not _is_said_to_be_empty(context, each, symbol) or grown_before(context, each, symbol)
        return grown_before(context, each, symbol) or is_noted(context, each, _growing(context, symbol))

    return not on_every_way(context, node, holds)


def is_guarded(context: RuleContext, node: Node, symbol: VariableSymbol) -> bool:
    """Return whether a condition or loop around `node` uses the collection.

    A condition on the size of another array counts too if both arrays may have the same number of elements.
    """
    conditions = [condition for condition, _ in asked(context, node)]
    bounds = [bound for loop in context.loops(node) for bound in _bounds(loop)]
    if speaks_of(context, conditions + bounds, symbol):
        return True
    return any(_asks_in_step(context, condition, symbol) for condition in conditions)


def _asks_in_step(context: RuleContext, condition: Node, symbol: VariableSymbol) -> bool:
    """Whether a condition uses the size of an array that may get its elements together with the array of `symbol`."""
    return any(
        context.called(part) == "array.size" and _in_step(context, receiver(context, part), symbol)
        for part in walk(context.value_node(condition))
    )


def _in_step(context: RuleContext, other: VariableSymbol | None, symbol: VariableSymbol) -> bool:
    one = _growing(context, symbol)
    twin = _growing(context, other) if other is not None else ()
    if not one or not twin:
        return True  # it is not known
    homes = [home(context, statement) for statement in one]
    for statement in twin:
        around = [
            home(context, statement),
            *(context.block(context.statement(each)) for each in context.parents(statement)),
        ]
        if any(
            block is found
            for block in homes
            for found in around
            if found is not context.statements or block is around[0]
        ):
            return True
    return False


@once_each
def _growing(context: RuleContext, symbol: VariableSymbol) -> list[Node]:
    """The statements that add elements to the array of a variable, or pass it to a user-defined function.

    For statements in functions, the statements that call these functions are included.
    """
    calls = [*_adding(context, symbol), *context.once(_naming).get(symbol, ())]
    return with_calls(context, (context.statement(call) for call in calls))


def _adding(context: RuleContext, symbol: VariableSymbol) -> list[nodes.Call]:
    return calls_on(context, symbol, GROWING)


def _naming(context: RuleContext) -> dict[VariableSymbol, list[nodes.Call]]:
    """The calls of user-defined functions whose text names each variable."""
    found: dict[VariableSymbol, list[nodes.Call]] = {}
    for sites in context.call_sites.values():
        for call in sites:
            for symbol in {named for name in names_in(call) if (named := context.symbol(name)) is not None}:
                found.setdefault(symbol, []).append(call)
    return found


@once_each
def _around_growth(context: RuleContext, symbol: VariableSymbol) -> set[Node]:
    """The statements that may add elements to an array, and all nodes above them. No other node can add elements."""
    found: set[Node] = set()
    for statement in _growing(context, symbol):
        found.add(statement)
        found.update(context.parents(statement))
    return found


def handed_to(call: nodes.Call) -> list[Node]:
    """Return the arguments of a call, including the receiver of a method call."""
    found: list[Node] = [getattr(each, "value", each) for each in call.arguments]
    return [*found, call.callee.object] if isinstance(call.callee, nodes.Member) else found


def _is_said_to_be_empty(context: RuleContext, node: Node, symbol: VariableSymbol) -> bool:
    for fact, truth in known_facts(context, node):
        found = comparison(context, fact)
        if found is None or found.number is None or context.called(found.subject) != "array.size":
            continue
        found = found if truth else found.denied
        most = found.range.high - found.range.high_open if found.operator != "!=" else 1
        if most <= 0 and receiver(context, found.subject) is symbol:
            return True
    return False


def _bounds(loop: Node) -> list[Node]:
    if isinstance(loop, nodes.ForTo):
        return [loop.first, loop.last]
    return [loop.collection] if isinstance(loop, nodes.ForIn) else []


def grown_before(context: RuleContext, node: Node, symbol: VariableSymbol) -> bool:
    """Return whether an element has been added to an array on every path to `node`, or once at the beginning."""
    around = _around_growth(context, symbol)
    if not around:
        return False
    statement = context.statement(node)
    known = [condition for condition, truth in context.conditions(node) if condition is not None and truth]
    while True:
        grown = False
        for each in context.block(statement):
            if each is statement:
                break
            if each in around and (_grows(context, each, symbol) or _grows_if(context, each, symbol, known)):
                grown = True
            elif grown and _clears(context, each, symbol):
                grown = False
        if grown:
            return True
        above = context.parent.get(statement)
        if above is None:
            return False
        statement = context.statement(above)


def _clears(context: RuleContext, statement: Node, symbol: VariableSymbol) -> bool:
    clears = calls_on(context, symbol, _CLEARING)
    return bool(clears) and any(part in clears for part in walk(statement))


def _grows_if(context: RuleContext, statement: Node, symbol: VariableSymbol, known: list[Node]) -> bool:
    """Whether a statement adds an element under a condition that is known to hold."""
    if not isinstance(statement, nodes.If) or not any(same(statement.condition, condition) for condition in known):
        return False
    return any(_grows(context, each, symbol) for each in statement.body)


def _grows(context: RuleContext, statement: Node, symbol: VariableSymbol) -> bool:
    """Whether a statement certainly adds an element. A loop that adds elements counts, and elements that are added on
    the first bar."""
    handed = context.once(_naming).get(symbol, ())
    for part in walk(statement):
        if type(part) is not nodes.Call:
            continue
        if part in handed:
            return True  # the function may add elements to the array
        if _adds(context, part, symbol) or (
            context.called_function(part) is not None and _always_adds(context, part, symbol)
        ):
            if context.statement(part) is statement or isinstance(statement, nodes.LOOPS):
                return True
            if isinstance(statement, nodes.If):
                condition = statement.condition
                if "isfirst" in context.text(condition) or holds_on_first_bar(context, condition):
                    return True
                if speaks_of(context, (condition,), symbol):
                    return True
                if statement.otherwise is not None and all(
                    any(_grows(context, each, symbol) for each in block) for block in blocks(statement)
                ):
                    return True
            if isinstance(statement, nodes.ONE_TIME):
                return True
    return False


def _adds(context: RuleContext, part: Node, symbol: VariableSymbol) -> bool:
    return context.called(part) in GROWING and receiver(context, part) is symbol


def _always_adds(context: RuleContext, call: Node, symbol: VariableSymbol) -> bool:
    """Whether a call of a function runs code that adds to an array without a condition."""
    always = [add for add in _adding(context, symbol) if not context.conditions(add, most=1)]
    return bool(always) and any(part in always for part in parts(context, call))
