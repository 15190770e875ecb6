"""Mutations of calls: arguments left out, added, misnamed, of a wrong type or qualifier; calls in the wrong place."""

import random
from collections.abc import Iterable
from typing import NamedTuple

from pinebench.checker.builtins import ParameterSpec, Signature
from pinebench.checker.symbols import FunctionSymbol, TypeSymbol
from pinebench.checker.types import BOOL, COLOR, CONST, FLOAT, INT, SIMPLE, STRING, VOID, Base
from pinebench.syntax import nodes
from tests.checker.mutation.changes import FRESH, argument_value, is_free, line_before, replace, typo, wrong_value
from tests.checker.mutation.script import Edit, Script


class Passed(NamedTuple):
    """One argument of a call."""

    call: nodes.Call
    number: int


def known_calls(script: Script) -> Iterable[nodes.Call]:
    """Calls of built-ins, user functions and methods that take a fixed list of arguments."""
    for call in script.all(nodes.Call):
        resolved = script.calls.get(call)
        if resolved is None or call.template:
            continue
        if isinstance(resolved.target, Signature | FunctionSymbol) and not _is_variadic(resolved.target):
            yield call


def _is_variadic(target: object) -> bool:
    return isinstance(target, Signature) and (bool(target.variadic) or target.name.startswith("log."))


class _Shape(NamedTuple):
    """One way to call a function: the names of its parameters, and which of them must be given."""

    names: tuple[str, ...]
    required: tuple[str, ...]

    def takes(self, positional: int, named: set[str]) -> bool:
        """Whether a call with so many positional and these named arguments lacks nothing and has nothing too much."""
        if positional > len(self.names) or not named <= set(self.names):
            return False
        return set(self.required) <= {*self.names[:positional], *named}


def _shapes(script: Script, call: nodes.Call) -> list[_Shape]:
    target = script.calls[call].target
    if isinstance(target, Signature):
        return [_Shape(tuple(overload.index), overload.required) for overload in target.overloads]
    assert isinstance(target, FunctionSymbol)
    group = script.program.functions[target.name]
    return [
        _Shape(
            tuple(parameter.name for parameter in function.parameters),
            tuple(parameter.name for parameter in function.parameters if not parameter.has_default),
        )
        for function in group
    ]


def _offset(script: Script, call: nodes.Call) -> int:
    """How many parameters stand before the first argument: one when the call goes through an object."""
    return 0 if script.calls[call].receiver is None else 1


# numbers of arguments


def passed(script: Script) -> Iterable[Passed]:
    """Every argument of every known call."""
    for call in known_calls(script):
        for number in range(len(call.arguments)):
            yield Passed(call, number)


def drop_argument(script: Script, site: Passed, chance: random.Random) -> Edit | None:
    """Leave out a required argument: the last positional one, or a named one."""
    call, number = site
    arguments = call.arguments
    following = arguments[number + 1 :]
    argument = arguments[number]
    is_named = isinstance(argument, nodes.NamedArgument)
    if not is_named and any(not isinstance(later, nodes.NamedArgument) for later in following):
        return None
    if not script.arguments_known(call):
        return None
    rest = [*arguments[:number], *following]
    named = {other.name for other in rest if isinstance(other, nodes.NamedArgument)}
    positional = len(rest) - len(named) + _offset(script, call)
    if any(shape.takes(positional, named) for shape in _shapes(script, call)):
        return None
    if number:
        return Edit(script.end(arguments[number - 1]), script.end(argument), "")
    return Edit(script.start(argument), script.start(following[0]) if following else script.end(argument), "")


def at_callee(script: Script, site: Passed, edit: Edit) -> Iterable[int]:
    """The line on which the call begins."""
    return (script.start(site.call),)


def add_arguments(script: Script, call: nodes.Call, chance: random.Random) -> Edit | None:
    """Give one argument more than any form of the function takes."""
    arguments = call.arguments
    if not arguments or any(isinstance(argument, nodes.NamedArgument) for argument in arguments):
        return None
    most = max(len(shape.names) for shape in _shapes(script, call))
    if not script.arguments_known(call):
        return None
    place = script.end(arguments[-1])
    return Edit(place, place, ", 1" * (most + 1 - len(arguments) - _offset(script, call)))


# names of arguments


def named_arguments(script: Script) -> Iterable[nodes.NamedArgument]:
    """The named arguments of known calls."""
    for call in known_calls(script):
        for argument in call.arguments:
            if isinstance(argument, nodes.NamedArgument):
                yield argument


def misspell_parameter(script: Script, argument: nodes.NamedArgument, chance: random.Random) -> Edit | None:
    """`title = …` to `tittle = …`."""
    call = script.parent[argument]
    assert isinstance(call, nodes.Call)
    if not script.arguments_known(call):
        return None
    start = script.start(argument)
    return Edit(start, start + len(argument.name), typo(script, argument.name, chance))


def positional_behind_named(script: Script, call: nodes.Call, chance: random.Random) -> Edit | None:
    """Append a positional argument to a call with named ones."""
    if not any(isinstance(argument, nodes.NamedArgument) for argument in call.arguments):
        return None
    place = script.end(call.arguments[-1])
    return Edit(place, place, ", 1")


# types and qualifiers of arguments


def builtin_passed(script: Script) -> Iterable[Passed]:
    """Every argument of every known call of a built-in."""
    for site in passed(script):
        if isinstance(script.calls[site.call].target, Signature):
            yield site


def _parameters(script: Script, site: Passed) -> list[ParameterSpec]:
    """The parameter that an argument meets in each overload that its call could mean."""
    target = script.calls[site.call].target
    assert isinstance(target, Signature)
    arguments = site.call.arguments
    argument = arguments[site.number]
    names = {other.name for other in arguments if isinstance(other, nodes.NamedArgument)}
    found: list[ParameterSpec] = []
    for overload in target.overloads:
        if not names <= overload.index.keys():
            continue
        number = site.number + _offset(script, site.call)
        if isinstance(argument, nodes.NamedArgument):
            number = overload.index[argument.name]
        if number < len(overload.parameters):
            found.append(overload.parameters[number])
    return found


def _members(base: Base) -> tuple[Base, ...]:
    return base.arguments if base.kind == "union" else (base,)


def _fundamental(parameters: list[ParameterSpec]) -> Base | None:
    """The one fundamental type that all `parameters` ask for (float for any number), or None."""
    bases = {member for parameter in parameters for member in _members(parameter.base)}
    if bases and bases <= {INT, FLOAT}:
        return FLOAT
    return bases.pop() if len(bases) == 1 and bases <= {BOOL, STRING, COLOR} else None


def wrong_argument(script: Script, site: Passed, chance: random.Random) -> Edit | None:
    """`ta.sma(close, 14)` to `ta.sma(close, "text")`."""
    base = _fundamental(_parameters(script, site))
    value = wrong_value(base, chance) if base is not None else None
    if value is None or not script.arguments_known(site.call):
        return None
    return replace(script, argument_value(site.call.arguments[site.number]), value)


def series_argument(script: Script, site: Passed, chance: random.Random) -> Edit | None:
    """`ta.ema(close, 14)` to `ta.ema(close, bar_index)`."""
    parameters = _parameters(script, site)
    simple = all(parameter.qualifier == SIMPLE for parameter in parameters)
    if not simple or _fundamental(parameters) is not FLOAT or not script.arguments_known(site.call):
        return None
    return replace(script, argument_value(site.call.arguments[site.number]), "bar_index")


def changing_text(script: Script, site: Passed, chance: random.Random) -> Edit | None:
    """`plot(close, "Close")` to `plot(close, str.tostring(close))`."""
    parameters = _parameters(script, site)
    constant = all(parameter.qualifier == CONST for parameter in parameters)
    if not constant or _fundamental(parameters) is not STRING or not script.arguments_known(site.call):
        return None
    return replace(script, argument_value(site.call.arguments[site.number]), "str.tostring(close)")


def constructed(script: Script) -> Iterable[Passed]:
    """The arguments of constructors of user-defined types."""
    for call in script.all(nodes.Call):
        resolved = script.calls.get(call)
        if resolved is not None and isinstance(resolved.target, TypeSymbol):
            for number in range(len(call.arguments)):
                yield Passed(call, number)


def wrong_field_argument(script: Script, site: Passed, chance: random.Random) -> Edit | None:
    """`Point.new(1, 2.0)` to `Point.new("text", 2.0)`."""
    resolved = script.calls[site.call]
    argument = site.call.arguments[site.number]
    value = argument_value(argument)
    assert isinstance(resolved.target, TypeSymbol)
    name = next((name for name, given in resolved.arguments.items() if given is value), None)
    if name is None or not script.arguments_known(site.call):
        return None
    wrong = wrong_value(resolved.target.fields[name].type, chance)
    return replace(script, value, wrong) if wrong is not None else None


_ELEMENT_SETTERS = {
    "array.push": "value",
    "array.unshift": "value",
    "array.set": "value",
    "array.fill": "value",
    "array.insert": "value",
    "matrix.set": "value",
    "matrix.fill": "value",
    "map.put": "value",
}


def element_setters(script: Script) -> Iterable[nodes.Call]:
    """Calls that store an element in a collection."""
    for call in known_calls(script):
        target = script.calls[call].target
        if isinstance(target, Signature) and target.name in _ELEMENT_SETTERS:
            yield call


def wrong_element(script: Script, call: nodes.Call, chance: random.Random) -> Edit | None:
    """`prices.push(close)` to `prices.push("text")`."""
    resolved = script.calls[call]
    assert isinstance(resolved.target, Signature)
    value = resolved.arguments.get(_ELEMENT_SETTERS[resolved.target.name])
    collection = resolved.arguments.get("id")
    if value is None or collection is None or not script.arguments_known(call):
        return None
    elements = script.base_of(collection).arguments
    wrong = wrong_value(elements[-1], chance) if elements else None
    return replace(script, value, wrong) if wrong is not None else None


def user_passed(script: Script) -> Iterable[Passed]:
    """The arguments of calls of user functions and methods."""
    for site in passed(script):
        if isinstance(script.calls[site.call].target, FunctionSymbol):
            yield site


def wrong_user_argument(script: Script, site: Passed, chance: random.Random) -> Edit | None:
    """An argument that does not fit the declared type of its parameter, in a function without overloads."""
    resolved = script.calls[site.call]
    target = resolved.target
    assert isinstance(target, FunctionSymbol)
    value = argument_value(site.call.arguments[site.number])
    name = next((name for name, given in resolved.arguments.items() if given is value), None)
    parameter = next((parameter for parameter in target.parameters if parameter.name == name), None)
    if parameter is None or parameter.type is None or not script.arguments_known(site.call):
        return None
    if len(script.program.functions[target.name]) > 1:
        return None
    wrong = wrong_value(parameter.type, chance)
    return replace(script, value, wrong) if wrong is not None else None


def recursive_call(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Call a function in its own body."""
    function = script.function_of(statement)
    assert function is not None
    name = function.name.id
    if len(script.program.functions[name]) > 1 or not is_free(name):
        return None
    values = ", ".join(parameter.name.id for parameter in function.parameters)
    return line_before(script, statement, f"{FRESH} = {name}({values})")


# members


def method_calls(script: Script) -> Iterable[nodes.Call]:
    """Calls through an object."""
    for call in script.all(nodes.Call):
        resolved = script.calls.get(call)
        if resolved is not None and resolved.receiver is not None and isinstance(call.callee, nodes.Member):
            yield call


def misspell_method(script: Script, call: nodes.Call, chance: random.Random) -> Edit | None:
    """`values.push(…)` to `values.puush(…)`; a library that cannot be seen might have such a method."""
    callee = call.callee
    assert isinstance(callee, nodes.Member)
    if script.program.imports or not script.is_known(callee.object):
        return None
    end = script.end(callee)
    return Edit(end - len(callee.name), end, typo(script, callee.name, chance))


def at_method(script: Script, site: nodes.Call, edit: Edit) -> Iterable[int]:
    """The line of the method's name."""
    return (edit.start,)


def object_fields(script: Script) -> Iterable[nodes.Member]:
    """Fields of objects of user-defined types and of chart points."""
    for member in script.all(nodes.Member):
        above = script.parent[member]
        if isinstance(above, nodes.Call) and above.callee is member:
            continue
        base = script.base_of(member.object)
        if base.kind == "udt" or base.name == "chart.point":
            yield member


def misspell_field(script: Script, member: nodes.Member, chance: random.Random) -> Edit | None:
    """`point.price` to `point.prcie`."""
    symbol = script.base_of(member.object).symbol
    if isinstance(symbol, TypeSymbol) and symbol.library is not None:
        return None
    end = script.end(member)
    return Edit(end - len(member.name), end, typo(script, member.name, chance))


# places of calls


def void_calls(script: Script) -> Iterable[nodes.ExpressionStatement]:
    """Statements that are a call without a value."""
    for statement in script.all(nodes.ExpressionStatement):
        if isinstance(statement.expression, nodes.Call) and script.base_of(statement.expression) is VOID:
            yield statement


def assign_void(script: Script, statement: nodes.ExpressionStatement, chance: random.Random) -> Edit:
    """`label.delete(x)` to `value = label.delete(x)`."""
    place = script.start(statement)
    return Edit(place, place, f"{FRESH} = ")


def plot_in_block(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Plot in a local block."""
    call = chance.choice(("plot(close)", "plotshape(true)", "bgcolor(color.red)", "hline(0)", "barcolor(color.red)"))
    return line_before(script, statement, call)


def outside_loops(script: Script) -> Iterable[nodes.Node]:
    """Statements that no loop holds."""
    for block in script.blocks:
        around = [block.owner, *script.ancestors(block.owner)] if block.owner is not None else []
        if not any(isinstance(above, nodes.ForTo | nodes.ForIn | nodes.While) for above in around):
            yield block.statements[0]


def break_outside(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """`break` where there is no loop to leave."""
    return line_before(script, statement, chance.choice(("break", "continue")))
