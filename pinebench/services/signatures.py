"""Finds the callable signatures of a name, and the signatures that fit the arguments so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pinebench.checker import (
    COLLECTIONS,
    SERIES,
    UNKNOWN_BASE,
    Base,
    Frame,
    FunctionSymbol,
    ImportSymbol,
    NameBindings,
    ParameterSpec,
    Type,
    TypeSymbol,
    accepts,
    assignable,
    display,
    methods,
    signature,
)
from pinebench.checker import Signature as Builtin
from pinebench.records import NamedTuple
from pinebench.services.context import EnclosingCall

_PATH = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*\Z")


class SignatureParameter(NamedTuple):
    """One parameter: its type as text, its default, and the allowed values.

    `base` is the type that it accepts, or None for any type. `spec` is the parameter of a built-in in the reference.
    """

    name: str
    type: str
    required: bool
    default: str | None
    allowed: tuple[str, ...] = ()
    base: Base | None = None
    spec: ParameterSpec | None = None

    @property
    def label(self) -> str:
        """The text of the parameter for people: its name, its type, its default."""
        kind = f": {self.type}" if self.type else ""
        return f"{self.name}{kind}" + ("" if self.required else f" = {self.default}" if self.default else "?")


class CallHelp(NamedTuple):
    """One way to call a function, method or type. `symbol` is the callee; a built-in is given by its name. `hidden` is
    1 if the first parameter is the receiver before the dot, otherwise 0."""

    name: str
    parameters: tuple[SignatureParameter, ...]
    returns: str
    symbol: FunctionSymbol | TypeSymbol | str
    hidden: int = 0

    @property
    def shown(self) -> tuple[SignatureParameter, ...]:
        """The parameters that are written between the parentheses."""
        return self.parameters[self.hidden :]

    def about(self, parameter: SignatureParameter) -> str:
        """Return a phrase about one of the parameters; empty if none is known."""
        from pinebench.reference.texts import phrase

        return phrase(self.symbol, parameter.name) if isinstance(self.symbol, str) else ""

    @property
    def label(self) -> str:
        """The text of the signature for people."""
        inside = ", ".join(parameter.label for parameter in self.shown)
        return f"{self.name}({inside})" + (f" → {self.returns}" if self.returns else "")

    @property
    def is_variadic(self) -> bool:
        """Whether the last parameter may be repeated."""
        return bool(self.parameters) and "," in self.parameters[-1].name

    def parameter(self, number: int, name: str | None) -> SignatureParameter | None:
        """Return the parameter for the argument called `name`, or else for the argument with the index `number` (from
        0); None if there is none."""
        if name is not None:
            return next((parameter for parameter in self.parameters if parameter.name == name), None)
        if number < len(self.shown):
            return self.shown[number]
        return self.parameters[-1] if self.is_variadic else None


def is_path(text: str) -> bool:
    """Return whether `text` consists of names joined by dots."""
    return _PATH.match(text) is not None


def of_builtin(builtin: Builtin, hidden: int = 0) -> list[CallHelp]:
    """Return the overloads of a built-in."""
    found: list[CallHelp] = []
    for overload in builtin.overloads:
        parameters = tuple(
            SignatureParameter(
                spec.name, source.type, spec.name in overload.required, spec.default, spec.allowed, spec.base, spec
            )
            for spec, source in zip(overload.parameters, overload.source.parameters, strict=True)
        )
        found.append(CallHelp(builtin.name, parameters, overload.source.returns, builtin.name, hidden))
    return found


def of_function(function: FunctionSymbol, name: str, hidden: int = 0, frame: Frame | None = None) -> CallHelp:
    """Return the signature of a user's function. Untyped parameters have the types of `frame`, which is
    the evaluation of the function for one combination of argument types."""
    is_open = any(parameter.type is None for parameter in function.parameters)
    if frame is None and not is_open:
        frame = next(iter(function.frames.values()), None)
    parameters = tuple(
        SignatureParameter(
            parameter.name,
            _written(parameter.declared.qualifier, parameter.type) or _held(frame, number),
            not parameter.has_default,
            _default_text(parameter.default),
            (),
            parameter.type,
        )
        for number, parameter in enumerate(function.parameters)
    )
    result = frame.result if frame is not None else None
    returns = display(result) if result is not None and result.base is not UNKNOWN_BASE else ""
    return CallHelp(name, parameters, returns, function, hidden)


def of_type(symbol: TypeSymbol, name: str) -> CallHelp:
    """Return the constructor of a user's type."""
    parameters = tuple(
        SignatureParameter(
            field.name,
            field.type.name if field.type is not UNKNOWN_BASE else "",
            False,
            _default_text(field.default) or "na",
            (),
            field.type,
        )
        for field in symbol.fields.values()
    )
    return CallHelp(name, parameters, symbol.name, symbol)


def _written(qualifier: str | None, base: Base | None) -> str:
    if base is None or base is UNKNOWN_BASE:
        return ""
    return f"{qualifier} {base.name}" if qualifier else base.name


def _held(frame: Frame | None, number: int) -> str:
    if frame is None or number >= len(frame.parameters) or frame.parameters[number].base is UNKNOWN_BASE:
        return ""
    return display(frame.parameters[number])


def _default_text(node: object) -> str | None:
    from pinebench.checker import path_of
    from pinebench.syntax import nodes

    if isinstance(node, nodes.Literal):
        return node.text
    if isinstance(node, nodes.Node):
        return path_of(node) or "…"
    return None


def callable_as(bindings: NameBindings, path: str) -> list[CallHelp]:
    """Return the signatures that the dotted name `path` can call, if we assume that no variable hides its first
    word."""
    name = re.sub(r"\s", "", path)
    found = [of_function(function, name) for function in bindings.functions.get(name, ())]
    builtin = signature(name)
    head, _, rest = name.partition(".")
    type_ = bindings.types.get(head)
    if type_ is not None and rest == "new":
        return [of_type(type_, name)]
    if builtin is not None:
        return [*found, *of_builtin(builtin)]
    library = bindings.imports.get(head)
    if library is not None and rest:
        return _exported(library, rest, name)
    return found


def _exported(library: ImportSymbol, rest: str, name: str) -> list[CallHelp]:
    source = library.source
    if source is None:
        return []
    owner, _, member = rest.partition(".")
    type_ = source.bindings.types.get(owner)
    if member == "new" and type_ is not None:
        return [of_type(type_, name)]
    return [of_function(function, name) for function in source.bindings.functions.get(rest, ()) if function.exported]


def methods_of(bindings: NameBindings, base: Base) -> dict[str, list[CallHelp]]:
    """Return the methods of values of type `base` by name: the script's, its libraries' and the built-in ones."""
    found: dict[str, list[CallHelp]] = {}
    sources = [bindings, *(each.source.bindings for each in bindings.imports.values() if each.source is not None)]
    for number, source in enumerate(sources):
        for name, group in source.functions.items():
            for function in group:
                if function.is_method and function.parameters and (number == 0 or function.exported):
                    receiver = function.parameters[0].type
                    if receiver is None or assignable(receiver, base):
                        found.setdefault(name, []).append(of_function(function, name, 1))
    owner = base.kind if base.kind in COLLECTIONS else base.name
    if base.kind == "object" or base.kind in COLLECTIONS:
        for name, builtin in methods(owner).items():
            fitting = [each for each in of_builtin(builtin, 1) if _receives(each, base)]
            found.setdefault(name, []).extend(fitting)
    return {name: group for name, group in found.items() if group}


def _receives(signature: CallHelp, base: Base) -> bool:
    first = signature.parameters[0].spec if signature.parameters else None
    return first is not None and accepts(first, base.at(SERIES), {}, False)


def fitting(signatures: Sequence[CallHelp], call: EnclosingCall, types: Sequence[Type | None]) -> list[int]:
    """Return the indices of the `signatures` that fit best: they accept the arguments before the current one, which
    have the types `types`, and have a parameter for the current one.

    If none fits, return the indices of the signatures with the fewest problems.
    """
    scored = [(_misfits(each, call, types), number) for number, each in enumerate(signatures)]
    least = min((misfits for misfits, _ in scored), default=0)
    return [number for misfits, number in scored if misfits == least]


def _misfits(signature: CallHelp, call: EnclosingCall, types: Sequence[Type | None]) -> int:
    environment: dict[Base, Base] = {}
    count = 0
    for number, (given, type_) in enumerate(zip(call.before, types, strict=True)):
        parameter = signature.parameter(number, given.name)
        if parameter is None:
            count += 3
        elif type_ is not None and not _takes(parameter, type_, environment):
            count += 2
    names = {parameter.name for parameter in signature.parameters}
    count += 3 * len(call.given - names)
    if call.number and signature.parameter(call.number, call.name) is None:
        count += 1
    return count


def _takes(parameter: SignatureParameter, type_: Type, environment: dict[Base, Base]) -> bool:
    if parameter.spec is not None:
        return accepts(parameter.spec, type_, environment, False)
    return parameter.base is None or parameter.base is UNKNOWN_BASE or assignable(parameter.base, type_.base)


def not_given(signatures: Iterable[CallHelp], call: EnclosingCall) -> list[SignatureParameter]:
    """Return the parameters that can still be passed by name, in the order of their declaration."""
    found: dict[str, SignatureParameter] = {}
    for each in signatures:
        positional = {
            parameter.name
            for number, given in enumerate(call.before)
            if given.name is None and (parameter := each.parameter(number, None)) is not None
        }
        for parameter in each.shown:
            if parameter.name not in positional and parameter.name not in call.given and "," not in parameter.name:
                found.setdefault(parameter.name, parameter)
    return list(found.values())
