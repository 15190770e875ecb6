"""Our solutions as two other writers would have them: the same behaviour, another way of writing.

A style is a list of steps, each a function from a text to a text. `LONG` has long names, named arguments, helper
functions and blocks where we have short names and conditions in one line; `TERSE` is the opposite of it: no types, no
names of arguments, conditions in one line, values where they are used, and own functions in place of built-in ones.
"""

import re
from collections.abc import Callable, Iterator
from itertools import count, pairwise

from pinebench.checker import Program, open_program
from pinebench.checker.symbols import VariableSymbol
from pinebench.checker.types import display
from pinebench.syntax import nodes
from pinebench.syntax.walk import children, walk

Step = Callable[[str], str]
Change = tuple[int, int, str]
_UNNAMED = ("math.max", "math.min", "math.avg", "array.from", "str.format", "log.info", "int", "float", "bool")
"""The functions whose arguments have no names, because there can be any number of them, or only one."""
_INDENT = "    "


def changed(source: str, changes: list[Change]) -> str:
    """`source` with parts replaced; of changes that lie in each other only the outer one is made."""
    text, before = "", 0
    for start, end, new in sorted(changes, key=lambda each: (each[0], -each[1])):
        if start >= before:
            text += source[before:start] + new
            before = end
    return text + source[before:]


def at(program: Program, node: nodes.Node, new: str) -> Change:
    """The change that writes `new` in place of a node."""
    start, end = program.span(node)
    return start, end, new


def statements(program: Program) -> list[nodes.Statement]:
    """The statements of the script itself, without the ones in their blocks."""
    return [each for chunk in program.document.chunks for each in chunk.body]


def everything(program: Program) -> Iterator[nodes.Node]:
    for each in statements(program):
        yield from walk(each)


def name_of(callee: nodes.Node) -> str:
    """`ta.sma` of a call of it; empty for a method of a value."""
    if isinstance(callee, nodes.Name):
        return callee.id
    if isinstance(callee, nodes.Member) and isinstance(callee.object, nodes.Name):
        return f"{callee.object.id}.{callee.name}"
    return ""


def column(source: str, start: int) -> str:
    """The indentation of the line on which `start` is."""
    line = source[source.rfind("\n", 0, start) + 1 :]
    return line[: len(line) - len(line.lstrip(" "))]


def calls_in(node: nodes.Node) -> list[nodes.Call]:
    return [each for each in walk(node) if isinstance(each, nodes.Call)]


def assigned(program: Program) -> set[str]:
    """The names that are given a value again after their declaration."""
    return {
        each.target.id
        for each in everything(program)
        if isinstance(each, nodes.Reassignment) and isinstance(each.target, nodes.Name)
    }


# steps of the long style


def with_long_names(source: str) -> str:
    """`reach` becomes `theReachOfThisBar`, a function `smooth` `calculateSmooth`; what others may name stays."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    exported = {
        parameter.name.id
        for each in everything(program)
        if isinstance(each, nodes.FunctionDeclaration) and (each.exported or each.is_method)
        for parameter in each.parameters
    }
    for symbol in program.named:
        if isinstance(symbol, VariableSymbol) and symbol.name not in exported and symbol.name not in ("_", "this"):
            new = f"the{symbol.name[0].upper()}{symbol.name[1:]}OfThisBar"
            found += [(start, end, new) for start, end in program.references(symbol)]
    return changed(source, found)


def with_named_arguments(source: str) -> str:
    """`ta.sma(close, 5)` becomes `ta.sma(source = close, length = 5)`."""
    program = open_program(source, fresh=True)
    places: list[Change] = []
    for node in everything(program):
        bound = program.call(node) if isinstance(node, nodes.Call) and name_of(node.callee) not in _UNNAMED else None
        if bound is None or not isinstance(node, nodes.Call):
            continue
        for each in bound.arguments:
            if each.node is not None and any(each.node is argument for argument in node.arguments):
                start = program.span(each.node).start
                places.append((start, start, f"{each.parameter} = "))
    return changed(source, places)


def with_blocks(source: str) -> str:
    """`x = c ? a : b` becomes an `if` with two assignments, `x += 1` becomes `x := x + 1`."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    for node in everything(program):
        if isinstance(node, nodes.VariableDeclaration | nodes.Reassignment):
            new = _as_block(program, node)
            if new:
                found.append(at(program, node, new.replace("\n", f"\n{column(source, program.span(node).start)}")))
    return changed(source, found)


def _as_block(program: Program, node: nodes.VariableDeclaration | nodes.Reassignment) -> str:
    text, first = program.text_of, ""
    target = text(node.target) if isinstance(node, nodes.Reassignment) else node.name.id
    if isinstance(node, nodes.VariableDeclaration):
        kind = text(node.type) if node.type is not None else ""
        if node.mode or kind not in ("int", "float", "bool", "string"):
            return ""
        first = f"{kind} {target} = {'false' if kind == 'bool' else 'na'}\n"
    elif node.operator != ":=":
        return (
            ""
            if isinstance(node.value, nodes.STRUCTURES)
            else f"{target} := {target} {node.operator[0]} ({text(node.value)})"
        )
    if not isinstance(node.value, nodes.Ternary):
        return ""
    condition, then, otherwise = (text(each) for each in (node.value.condition, node.value.then, node.value.otherwise))
    return f"{first}if {condition}\n{_INDENT}{target} := {then}\nelse\n{_INDENT}{target} := {otherwise}"


def with_helpers(source: str) -> str:
    """`float reach = ta.atr(n)` becomes a function that computes it, and a call of the function."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    for node in statements(program):
        if not isinstance(node, nodes.VariableDeclaration) or node.mode or node.exported:
            continue
        text = program.text_of(node.value)
        if isinstance(node.value, nodes.Binary | nodes.Call) and not re.search(r"\b(?:input|request|\.new)\b", text):
            name = f"calculate{node.name.id[0].upper()}{node.name.id[1:]}"
            start, end = program.span(node)
            head = source[start : program.span(node.value).start]
            found.append((start, end, f"{name}() =>\n{_INDENT}{text}\n{head}{name}()"))
    return changed(source, found)


# steps of the terse style


def with_own_functions(source: str) -> str:
    """`ta.sma`, `ta.highest`, `ta.lowest` become loops of the writer's own, crossings and changes comparisons."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    used: set[str] = set()
    for statement in statements(program):
        for node in walk(statement):
            if not isinstance(node, nodes.Call):
                continue
            name, given = name_of(node.callee), [program.text_of(each) for each in node.arguments]
            if name in _OWN and len(given) == 2:
                used.add(name)
                found.append(at(program, node.callee, name.replace("ta.", "my_")))
            elif isinstance(statement, nodes.VariableDeclaration) and all(map(_is_plain, node.arguments)):
                found += [at(program, node, new) for new in _compared(name, given)]
    first = next((each for each in statements(program) if not _declares(each)), None)
    if first is not None and used:
        start = program.span(first).start
        found.append((start, start, "".join(_OWN[name] for name in sorted(used))))
    return changed(source, found)


def _declares(node: nodes.Statement) -> bool:
    value = node.expression if isinstance(node, nodes.ExpressionStatement) else None
    return isinstance(value, nodes.Call) and name_of(value.callee) in ("indicator", "strategy", "library")


def _is_plain(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name | nodes.Literal)


def _compared(name: str, given: list[str]) -> list[str]:
    def before(value: str) -> str:
        return value if re.match(r"[\d.]", value) else f"{value}[1]"

    if name in ("ta.crossover", "ta.crossunder"):
        now, then = (">", "<=") if name == "ta.crossover" else ("<", ">=")
        return [f"({given[0]} {now} {given[1]} and {before(given[0])} {then} {before(given[1])})"]
    return [f"({given[0]} - {before(given[0])})"] if name == "ta.change" and len(given) == 1 else []


_OWN = {
    "ta.sma": "my_sma(s, n) =>\n    t = 0.0\n    for i = 0 to n - 1\n        t += s[i]\n    t / n\n",
    "ta.highest": "my_highest(s, n) =>\n    m = s\n    for i = 1 to n - 1\n        m := math.max(m, s[i])\n    m\n",
    "ta.lowest": "my_lowest(s, n) =>\n    m = s\n    for i = 1 to n - 1\n        m := math.min(m, s[i])\n    m\n",
}


def with_conditions(source: str) -> str:
    """`if c` with one assignment becomes `x := c ? v : x`."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    after_else = {each for node in everything(program) if isinstance(node, nodes.If) for each in node.otherwise or ()}
    for node in everything(program):
        if isinstance(node, nodes.If) and node not in after_else:
            new = _as_condition(program, node)
            if new:
                found.append(at(program, node, new))
    return changed(source, found)


def _as_condition(program: Program, node: nodes.If) -> str:
    branches = [node.body, *([node.otherwise] if node.otherwise else [])]
    if any(len(each) != 1 or not isinstance(each[0], nodes.Reassignment) for each in branches):
        return ""
    made = [each[0] for each in branches if isinstance(each[0], nodes.Reassignment)]
    values = [each.value for each in made]
    if len({program.text_of(each.target) for each in made}) > 1 or any(each.operator != ":=" for each in made):
        return ""
    pure = all(name_of(call.callee).startswith("math.") for each in values for call in calls_in(each))
    if not pure or any(isinstance(each, nodes.STRUCTURES) for each in values):
        return ""
    target = program.text_of(made[0].target)
    shown = [f"({program.text_of(each)})" for each in values]
    condition = program.text_of(node.condition)
    return f"{target} := ({condition}) ? {shown[0]} : {shown[1] if len(shown) > 1 else target}"


def with_own_state(source: str) -> str:
    """`var int n = 0` becomes `int n = 0` and `n := bar_index == 0 ? n : n[1]`."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    for node in statements(program):
        if not isinstance(node, nodes.VariableDeclaration) or node.mode != "var" or node.type is None:
            continue
        if program.text_of(node.type) in ("int", "float", "bool"):
            name, text = node.name.id, program.text_of(node).removeprefix("var ")
            found.append(at(program, node, f"{text}\n{name} := bar_index == 0 ? {name} : {name}[1]"))
    return changed(source, found)


def with_values_in_place(source: str) -> str:
    """A value that is used once, outside of blocks and conditions, is written where it is used."""
    while True:
        program = open_program(source, fresh=True)
        found = next(_moves(program), None)
        if found is None:
            return source
        source = changed(source, found)


def _moves(program: Program) -> Iterator[list[Change]]:
    """For each declaration that can go, the changes that move its value into the next statement."""
    again, top = assigned(program), statements(program)
    for node, following in pairwise(top):
        if not isinstance(node, nodes.VariableDeclaration) or node.mode or not _may_move(program, node, again):
            continue
        names = [each for each in everything(program) if isinstance(each, nodes.Name) and each.id == node.name.id]
        uses = [each for each in names if each is not node.name]
        if len(uses) == 1 and any(each is uses[0] for each in _always(following)):
            start, end = program.span(node)
            yield [(start, end + 1, ""), at(program, uses[0], f"({program.text_of(node.value)})")]


def _may_move(program: Program, node: nodes.VariableDeclaration, again: set[str]) -> bool:
    text = program.text_of(node.value)
    names = {each.id for each in walk(node.value) if isinstance(each, nodes.Name)}
    kind = program.text_of(node.type) if node.type is not None else ""
    of_value = program.type_of(node.value)
    same = not kind or (of_value is not None and display(of_value).split()[-1] == kind)
    return same and "input" not in text and "\n" not in text and not names & again and node.name.id not in again


def _always(node: nodes.Node) -> Iterator[nodes.Node]:
    """What a statement computes on every bar, without the objects of `[]`."""
    yield node
    if isinstance(node, (*nodes.STRUCTURES, nodes.FunctionDeclaration)) or _is_lazy(node):
        return
    for each in children(node):
        if not (isinstance(node, nodes.History) and each is node.object):
            yield from _always(each)


def _is_lazy(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Ternary) or (isinstance(node, nodes.Binary) and node.operator in ("and", "or"))


def without_types(source: str) -> str:
    """`float x = close` becomes `x = close`, where the type is the one that the value has."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    for node in everything(program):
        if isinstance(node, nodes.VariableDeclaration) and node.type is not None and not node.exported:
            of_value = program.type_of(node.value)
            start, end = program.span(node.type)
            is_na = isinstance(node.value, nodes.Name) and node.value.id == "na"
            if of_value is not None and not is_na and display(of_value).split()[-1] == source[start:end]:
                found.append((start, end + 1, ""))
    return changed(source, found)


def without_names_of_arguments(source: str) -> str:
    """`plot(x, title = "X")` becomes `plot(x, "X")`, where the names follow the order of the parameters."""
    program = open_program(source, fresh=True)
    found: list[Change] = []
    for node in everything(program):
        bound = program.call(node) if isinstance(node, nodes.Call) else None
        if bound is None or not isinstance(node, nodes.Call) or name_of(node.callee) in _UNNAMED:
            continue
        order = [each.parameter for each in bound.arguments]
        place = count(len(order) - len(order[_receiver(bound, node) :]))
        for argument in node.arguments:
            number = next(place)
            if isinstance(argument, nodes.NamedArgument):
                if number >= len(order) or order[number] != argument.name:
                    break
                found.append((program.span(argument).start, program.span(argument.value).start, ""))
    return changed(source, found)


def _receiver(bound: object, node: nodes.Call) -> int:
    """1 if the first parameter is the value before the dot of a method."""
    first = next(iter(getattr(bound, "arguments")), None)  # noqa: B009
    return int(first is not None and isinstance(node.callee, nodes.Member) and first.node is node.callee.object)


def in_another_order(source: str) -> str:
    """Inputs that follow each other are in reverse order, and so are outputs."""
    lines = source.split("\n")
    for pattern in (r"^\w[\w ]* = input\.", r"^(?:plot|plotshape|bgcolor)\("):
        found = [number for number, line in enumerate(lines) if re.match(pattern, line)]
        group: list[int] = []
        for number in [*found, -1]:
            if group and number != group[-1] + 1:
                lines[group[0] : group[-1] + 1] = lines[group[0] : group[-1] + 1][::-1]
                group = []
            group.append(number)
    return "\n".join(lines)


STYLES: dict[str, tuple[Step, ...]] = {
    "long": (with_blocks, with_helpers, with_named_arguments, with_long_names),
    "terse": (
        with_own_functions,
        with_conditions,
        with_own_state,
        with_values_in_place,
        without_types,
        without_names_of_arguments,
        in_another_order,
    ),
}


def in_style(style: str, source: str) -> str:
    """A script as the writer of a style has it."""
    for step in STYLES[style]:
        source = step(source)
    return source
