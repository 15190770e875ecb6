"""What is known about arrays and other collections: how many elements they hold, and what may change that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.guards import asked, home, is_noted, on_every_way, told, with_calls
from pinebench.linter.rules.look import bare, blocks
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.requests import parts
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.checker.symbols import VariableSymbol
    from pinebench.linter.rules.look import Look
    from pinebench.syntax.nodes import Node

ADDING = reference.having("adds", "array.")
GROWING = ADDING | reference.having("joins", "array.")
"""What makes an array longer."""
SHRINKING = reference.having("removes", "array.")
RESIZING = GROWING | SHRINKING
"""What changes the length of an array."""
RESHAPING = frozenset(
    f"matrix.{name}" for name in ("add_row", "add_col", "remove_row", "remove_col", "reshape", "concat")
)
"""What changes the rows or columns of a matrix."""
EMPTY, UNKNOWN = 0, None


def made_size(look: Look, node: Node | None) -> int | None:
    """How many elements an array has that an expression makes anew; None where that is not known."""
    node = bare(node) if node is not None else None
    called = look.called(node)
    if called == "array.from" and isinstance(node, nodes.Call):
        return len(node.arguments)
    if called is None or node is None or not called.startswith("array.new"):
        return UNKNOWN
    size = look.argument(node, "size")
    if size is None:
        return EMPTY
    known, value = look.value(size)
    return value if known and isinstance(value, int) and not isinstance(value, bool) else UNKNOWN


def receiver(look: Look, call: Node) -> VariableSymbol | None:
    """The variable whose collection a built-in works on; None where it is no variable."""
    for parameter in ("id", "id1"):
        given = look.argument(call, parameter)
        if given is not None:
            return look.symbol(bare(given))
    return None


def is_private(look: Look, symbol: VariableSymbol) -> bool:
    """Whether an array can be reached through its variable alone: every use is a built-in's or a loop's over it."""
    return all(use == _LOOP or use.startswith("array.") for use in _uses_of(look, symbol))


def _uses_of(look: Look, symbol: VariableSymbol) -> frozenset[str]:
    """What is done with a variable's collection: the names of the built-ins that work on it, `_LOOP` for loops over it,
    an empty text for everything else, and so for what gives a part that stays bound to it."""
    known = look.once(_known_uses)
    if symbol not in known:
        uses = look.once(_uses)
        known[symbol] = frozenset(uses.get(name, "") for name in look.reads.get(symbol, ()))
    return known[symbol]


_LOOP = "for"


def _known_uses(_look: Look) -> dict[VariableSymbol, frozenset[str]]:
    """What was found out about each collection, so that all uses of it are gone through once."""
    return {}


def _uses(look: Look) -> dict[Node, str]:
    """What is done with the collection that each name stands for."""
    found: dict[Node, str] = {loop.collection: _LOOP for loop in look.of(nodes.ForIn)}
    for called, calls in look.builtin_calls.items():
        if called.startswith(("array.", "matrix.", "map.")) and called != "array.slice":
            for call in calls:
                given = look.argument(call, "id") or look.argument(call, "id1")
                if given is not None:
                    found[given] = called
    return found


def fixed_size(look: Look, symbol: VariableSymbol) -> int | None:
    """The size of an array that never changes it; None where that is not known."""
    if symbol.kind != "variable" or symbol.reassignments:
        return UNKNOWN
    size = made_size(look, symbol.value)
    return size if size is not None and never_resized(look, symbol) else UNKNOWN


def only_grows(look: Look, symbol: VariableSymbol) -> bool:
    """Whether elements are added to an array that nothing else reaches, and none is ever taken from it."""
    uses = _uses_of(look, symbol)
    return not GROWING.isdisjoint(uses) and SHRINKING.isdisjoint(uses) and is_private(look, symbol)


def never_resized(look: Look, symbol: VariableSymbol) -> bool:
    """Whether an array surely keeps the size with which it was made."""
    return is_private(look, symbol) and RESIZING.isdisjoint(_uses_of(look, symbol))


def fixed_shape(look: Look, symbol: VariableSymbol) -> tuple[int, int] | None:
    """The rows and columns of a matrix that never changes them; None where they are not known."""
    made = bare(symbol.value) if symbol.kind == "variable" and symbol.value is not None else None
    if symbol.reassignments or made is None or look.called(made) != "matrix.new":
        return None
    sizes: list[int] = []
    for name in ("rows", "columns"):
        given = look.argument(made, name)
        known, value = look.value(given) if given is not None else (True, 0)
        if not known or not isinstance(value, int):
            return None
        sizes.append(value)
    uses = _uses_of(look, symbol)
    if not all(use == _LOOP or use.startswith("matrix.") for use in uses) or not RESHAPING.isdisjoint(uses):
        return None
    return sizes[0], sizes[1]


def stays_empty(look: Look, symbol: VariableSymbol) -> bool:
    """Whether a variable holds an array, a map or a matrix that is made empty and into which nothing is ever put."""
    if symbol.kind != "variable" or symbol.reassignments or symbol.value is None:
        return False
    made = look.called(bare(symbol.value)) or ""
    if made == "matrix.new":
        return 0 in (fixed_shape(look, symbol) or ())
    if made == "map.new":
        uses = _uses_of(look, symbol)
        return all(use == _LOOP or use.startswith("map.") for use in uses) and uses.isdisjoint(_PUTTING)
    if made_size(look, symbol.value) != EMPTY or not is_private(look, symbol):
        return False
    return GROWING.isdisjoint(_uses_of(look, symbol))


_PUTTING = reference.having("adds", "map.") | reference.having("joins", "map.")


def starts_empty(look: Look, symbol: VariableSymbol) -> bool:
    """Whether a variable's array is empty when it is declared."""
    return symbol.kind == "variable" and made_size(look, symbol.value) == EMPTY


def speaks_of(look: Look, expressions: Iterable[Node], symbol: VariableSymbol) -> bool:
    """Whether one of some expressions uses a variable, in itself or through variables that it names."""
    pending = [*expressions]
    seen: set[VariableSymbol] = set()
    while pending:
        for name in names_in(pending.pop()):
            found = look.symbol(name)
            if found is symbol:
                return True
            if found is not None and found not in seen:
                seen.add(found)
                pending += [value for value in (found.value, *(each.value for each in found.reassignments)) if value]
    return False


def may_be_empty(look: Look, node: Node, symbol: VariableSymbol) -> bool:
    """Whether nothing shows that an array, which begins empty, holds elements where `node` runs.

    In a function each of its calls is looked at, too.
    """

    def holds(each: Node) -> bool:
        if is_guarded(look, each, symbol):
            return not _is_said_to_be_empty(look, each, symbol) or grown_before(look, each, symbol)
        return grown_before(look, each, symbol) or is_noted(look, each, _growing(look, symbol))

    return not on_every_way(look, node, holds)


def is_guarded(look: Look, node: Node, symbol: VariableSymbol) -> bool:
    """Whether something on which `node` depends has looked at a collection: a condition around it, or a loop.

    The size of another array counts too where both may be kept in step.
    """
    conditions = [condition for condition, _ in asked(look, node)]
    bounds = [bound for loop in look.loops(node) for bound in _bounds(loop)]
    if speaks_of(look, conditions + bounds, symbol):
        return True
    return any(_asks_in_step(look, condition, symbol) for condition in conditions)


def _asks_in_step(look: Look, condition: Node, symbol: VariableSymbol) -> bool:
    """Whether a condition asks for the size of an array that may get its elements together with another one."""
    return any(
        look.called(part) == "array.size" and _in_step(look, receiver(look, part), symbol)
        for part in walk(look.value_node(condition))
    )


def _in_step(look: Look, other: VariableSymbol | None, symbol: VariableSymbol) -> bool:
    """Whether one array may get its elements only where another one gets some, too."""
    one = _growing(look, symbol)
    twin = _growing(look, other) if other is not None else ()
    if not one or not twin:
        return True  # who knows
    homes = [home(look, statement) for statement in one]
    for statement in twin:
        around = [home(look, statement), *(look.block(look.statement(each)) for each in look.parents(statement))]
        if any(
            block is found for block in homes for found in around if found is not look.statements or block is around[0]
        ):
            return True
    return False


def _growing(look: Look, symbol: VariableSymbol) -> list[Node]:
    """The statements that add elements to the array of a variable, or hand it to a function of the script, and of those
    in functions the statements that call them."""
    known = look.once(_known_growing)
    if symbol not in known:
        calls = [*_adding(look, symbol), *look.once(_naming).get(symbol, ())]
        known[symbol] = with_calls(look, (look.statement(call) for call in calls))
    return known[symbol]


def _adding(look: Look, symbol: VariableSymbol) -> list[nodes.Call]:
    """The calls that add elements to the array of a variable."""
    return [call for call in look.calls(*GROWING) if receiver(look, call) is symbol]


def _known_growing(_look: Look) -> dict[VariableSymbol, list[Node]]:
    """What was found out about each array, for whoever asks again."""
    return {}


def _naming(look: Look) -> dict[VariableSymbol, list[nodes.Call]]:
    """The calls of functions of the script that name each variable."""
    found: dict[VariableSymbol, list[nodes.Call]] = {}
    for sites in look.call_sites.values():
        for call in sites:
            for symbol in {named for name in names_in(call) if (named := look.symbol(name)) is not None}:
                found.setdefault(symbol, []).append(call)
    return found


def _around_growth(look: Look, symbol: VariableSymbol) -> set[Node]:
    """The statements that grow an array, and all that is above them: nothing else can."""
    known = look.once(_known_around)
    if symbol not in known:
        found: set[Node] = set()
        for statement in _growing(look, symbol):
            found.add(statement)
            found.update(look.parents(statement))
        known[symbol] = found
    return known[symbol]


def _known_around(_look: Look) -> dict[VariableSymbol, set[Node]]:
    return {}


def handed_to(call: nodes.Call) -> list[Node]:
    """What a call is given, the object of a method included."""
    found: list[Node] = [getattr(each, "value", each) for each in call.arguments]
    return [*found, call.callee.object] if isinstance(call.callee, nodes.Member) else found


def _is_said_to_be_empty(look: Look, node: Node, symbol: VariableSymbol) -> bool:
    """Whether a condition around `node` says that an array is empty."""
    for fact, truth in told(look, node):
        found = comparison(look, fact)
        if found is None or found.number is None or look.called(found.subject) != "array.size":
            continue
        found = found if truth else found.denied
        most = found.range.high - found.range.high_open if found.operator != "!=" else 1
        if most <= 0 and receiver(look, found.subject) is symbol:
            return True
    return False


def _bounds(loop: Node) -> list[Node]:
    if isinstance(loop, nodes.ForTo):
        return [loop.first, loop.last]
    return [loop.collection] if isinstance(loop, nodes.ForIn) else []


def grown_before(look: Look, node: Node, symbol: VariableSymbol) -> bool:
    """Whether an element has been added to an array on every way to `node`, or once and for all."""
    around = _around_growth(look, symbol)
    if not around:
        return False
    statement = look.statement(node)
    known = [condition for condition, truth in look.conditions(node) if condition is not None and truth]
    while True:
        grown = False
        for each in look.block(statement):
            if each is statement:
                break
            if each in around and (_grows(look, each, symbol) or _grows_if(look, each, symbol, known)):
                grown = True
            elif grown and _clears(look, each, symbol):
                grown = False
        if grown:
            return True
        above = look.parent.get(statement)
        if above is None:
            return False
        statement = look.statement(above)


def _clears(look: Look, statement: Node, symbol: VariableSymbol) -> bool:
    clears = look.calls("array.clear")
    return any(receiver(look, part) is symbol for part in clears) and any(
        part in clears and receiver(look, part) is symbol for part in walk(statement)
    )


def _grows_if(look: Look, statement: Node, symbol: VariableSymbol, known: list[Node]) -> bool:
    """Whether a statement adds an element on a condition that is known to hold."""
    if not isinstance(statement, nodes.If) or not any(same(statement.condition, condition) for condition in known):
        return False
    return any(_grows(look, each, symbol) for each in statement.body)


def _grows(look: Look, statement: Node, symbol: VariableSymbol) -> bool:
    """Whether a statement surely adds an element; a loop that adds some counts, and what the first bar adds."""
    handed = look.once(_naming).get(symbol, ())
    for part in walk(statement):
        if type(part) is not nodes.Call:
            continue
        if part in handed:
            return True  # who knows what it does with the array
        if _adds(look, part, symbol) or (look.called_function(part) is not None and _always_adds(look, part, symbol)):
            if look.statement(part) is statement or isinstance(statement, nodes.LOOPS):
                return True
            if isinstance(statement, nodes.If):
                if "isfirst" in look.text(statement.condition) or speaks_of(look, (statement.condition,), symbol):
                    return True
                if statement.otherwise is not None and all(
                    any(_grows(look, each, symbol) for each in block) for block in blocks(statement)
                ):
                    return True
            if isinstance(statement, nodes.ONE_TIME):
                return True
    return False


def _adds(look: Look, part: Node, symbol: VariableSymbol) -> bool:
    return look.called(part) in GROWING and receiver(look, part) is symbol


def _always_adds(look: Look, call: Node, symbol: VariableSymbol) -> bool:
    """Whether a call of a function runs code that adds to an array on no condition."""
    always = [add for add in _adding(look, symbol) if not look.conditions(add, most=1)]
    return bool(always) and any(part in always for part in parts(look, call))
