"""Rule PB1011: a loop that does not end."""

from __future__ import annotations

from pinebench.linter.rules.alike import names_in
from pinebench.linter.rules.arrays import ADDING, GROWING, RESIZING, SHRINKING, handed_to, is_private, receiver
from pinebench.linter.rules.context import gives_a_value
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, walk


class EndlessLoop(Rule):
    """A loop never ends. The body of a `while` does not change anything that its condition reads, or only moves the
    counter away from the end. Or a `for` loop adds elements to the array whose size is its end, because v6 evaluates
    the end before each iteration. TradingView stops the script after half a second.

    Bad:

        //@version=6
        indicator("Example")
        i = 0
        sum = 0.0
        while i < 10
            sum += close[i]
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        i = 0
        sum = 0.0
        while i < 10
            sum += close[i]
            i += 1
        plot(sum)
    """

    code = "PB1011"
    nodes = (nodes.While, nodes.ForTo)

    def visit(self, node: nodes.While | nodes.ForTo, context: RuleContext) -> Findings:
        """Report a loop that neither its condition nor a `break` can end."""
        grown = _grown(context, node) if isinstance(node, nodes.ForTo) else None
        if isinstance(node, nodes.ForTo) and grown is None:
            return
        if _is_left(context, node):
            return
        if isinstance(node, nodes.ForTo):
            yield context.report(
                self.code, node.last, reason=f'the loop adds to "{grown}", and the size of "{grown}" is its end'
            )
            return
        if context.value(node.condition) == (True, False):
            return
        read = {symbol for name in names_in(node.condition) if (symbol := context.symbol(name)) is not None}
        if _asks_anew(context, node):
            return
        if not any(_touched(context, node, symbol) for symbol in read):
            if _may_have_another_name(context, node):
                return
            names = " or ".join(sorted(f'"{symbol.name}"' for symbol in read)) or "it"
            yield context.report(self.code, node.condition, reason=f"the body never changes {names}")
        elif (reason := _leaving(context, node)) is not None:
            yield context.report(self.code, node.condition, reason=reason)


def _is_left(context: RuleContext, loop: nodes.While | nodes.ForTo) -> bool:
    """Whether a `break` of this loop, or a call of `runtime.error()`, may end it."""
    for part in walk(loop.body):
        if isinstance(part, nodes.Break) and context.loops(part)[0] is loop:
            return True
        if context.called(part) == "runtime.error":
            return True
    return False


def _leaving(context: RuleContext, loop: nodes.While) -> str | None:
    """The reason why the loop comes no nearer to the number at which its condition would end it: each iteration moves
    the counter away or adds 0 to it, or only makes the array longer. None if this is not certain."""
    asked = comparison(context, loop.condition)
    if asked is None or asked.number is None or asked.operator not in ("<", "<=", ">", ">="):
        return None
    if context.called(asked.subject) == "array.size":
        grown = _growing(context, loop, asked.subject) if asked.operator in (">", ">=") else None
        return _AWAY.format(grown) if grown is not None else None
    symbol = context.symbol(asked.subject)
    writes = (
        [write for write in context.writes.get(symbol, ()) if loop in context.loops(write)]
        if symbol is not None
        else []
    )
    away = -1 if asked.operator in ("<", "<=") else 1
    if symbol is None or not writes:
        return None
    steps = [_step(context, write, symbol) for write in writes]
    if any(step is None or step * away < 0 for step in steps):
        return None
    return _AWAY.format(symbol.name) if any(steps) else f'the body only adds 0 to "{symbol.name}"'


_AWAY = '"{}" only moves away from the number that would end the loop'


def _step(context: RuleContext, write: nodes.Reassignment, symbol: object) -> float | None:
    """The amount by which an assignment changes a counter; None if it is not known."""
    operator, amount = write.operator, write.value
    value = bare(write.value)
    if operator == ":=" and isinstance(value, nodes.Binary) and context.symbol(bare(value.left)) is symbol:
        operator, amount = f"{value.operator}=", value.right
    known, by = context.value(amount)
    if operator not in ("+=", "-=") or not known or not isinstance(by, (int, float)):
        return None
    return by if operator == "+=" else -by


def _growing(context: RuleContext, loop: nodes.While, size: nodes.Node) -> str | None:
    symbol = receiver(context, size)
    if symbol is None or not is_private(context, symbol):
        return None
    changes = {context.called(part) for part in walk(loop.body) if context.called(part) in RESIZING} - {None}
    return symbol.name if changes and changes <= GROWING else None


def _grown(context: RuleContext, loop: nodes.ForTo) -> str | None:
    """The array whose size is the loop's end and to which each iteration adds elements; None if there is none."""
    sizes = [part for part in walk(loop.last) if context.called(part) == "array.size"]
    arrays = {symbol for size in sizes if (symbol := receiver(context, size)) is not None}
    for statement in loop.body:
        call = statement.expression if isinstance(statement, nodes.ExpressionStatement) else None
        if context.called(call) in ADDING and call is not None:
            grown = receiver(context, call)
            if grown in arrays and grown is not None and not _shrunk(context, loop, grown):
                return grown.name
    return None


def _shrunk(context: RuleContext, loop: nodes.ForTo, symbol: object) -> bool:
    return any(context.called(part) in SHRINKING and receiver(context, part) is symbol for part in walk(loop.body))


def _touched(context: RuleContext, loop: nodes.While, symbol: object) -> bool:
    """Whether the body assigns a variable, or may change the object in it, directly or in a function."""
    for part in walk(loop.body):
        if isinstance(part, nodes.Reassignment):
            if context.symbol(_root(part.target)) is symbol:
                return True
        elif isinstance(part, nodes.Call):
            called = context.called(part)
            if called is not None and gives_a_value(called):
                continue
            if any(context.symbol(_root(given)) is symbol for given in handed_to(part)):
                return True
            if called is None and any(context.symbol(each) is symbol for each in parts(context, part)):
                return True
    return False


def _root(node: nodes.Node) -> nodes.Node:
    """The variable to which a field or an element belongs; any other expression is returned as it is."""
    while True:
        if isinstance(node, nodes.Member):
            node = node.object
        elif isinstance(node, nodes.Call):
            node = node.callee.object if isinstance(node.callee, nodes.Member) else node
            if isinstance(node, nodes.Call):
                return node
        elif isinstance(node, nodes.Parenthesized):
            node = node.expression
        else:
            return node


_HOLDING = frozenset(("udt", "array", "matrix", "map"))


def _may_have_another_name(context: RuleContext, loop: nodes.While) -> bool:
    """Whether the body changes an object that may be the same as one in the condition under another name."""
    held = [
        name
        for name in names_in(loop.condition)
        if (symbol := context.symbol(name)) and not is_private(context, symbol)
    ]
    types = [context.type(name, loop) for name in held]
    if all(type_ is not None and type_.base.kind not in _HOLDING for type_ in types):
        return False
    for part in walk(loop.body):
        if isinstance(part, nodes.Reassignment) and isinstance(part.target, nodes.Member):
            return True
        if isinstance(part, nodes.Call):
            called = context.called(part)
            if called is None or (called.startswith(("array.", "map.", "matrix.")) and not gives_a_value(called)):
                return True
    return False


def _asks_anew(context: RuleContext, loop: nodes.While) -> bool:
    """Whether the condition calls a user-defined function or `math.random`, which may return another value each
    time."""
    calls = (part for part in walk(loop.condition) if isinstance(part, nodes.Call))
    return any(context.called(call) in (None, "math.random") for call in calls)
