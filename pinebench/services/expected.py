"""Finds the type and the built-in values that are expected at a position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pinebench import reference
from pinebench.checker import (
    BOOL,
    COLOR,
    INT,
    UNKNOWN_BASE,
    Base,
    EnumSymbol,
    NameBindings,
    Probe,
    Type,
    special_values,
)
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.context import CodeContext, CompletionPlace, EnclosingCall, value_before
from pinebench.services.script import ScriptView
from pinebench.services.signatures import CallHelp, SignatureParameter, callable_as, fitting, is_path, methods_of

_COMPARISONS = ("==", "!=")
_TESTS = frozenset(("IF", "WHILE", "NOT"))


class Callee(NamedTuple):
    """The possible meanings of the innermost call around a position. `signatures` has their signatures, and `fitting`
    has the indices of the signatures that fit the arguments so far."""

    call: EnclosingCall
    signatures: list[CallHelp]
    fitting: list[int]

    @property
    def left(self) -> list[CallHelp]:
        """The signatures that fit the arguments so far."""
        return [self.signatures[number] for number in self.fitting]

    def current(self) -> list[SignatureParameter]:
        """Return the parameters to which the current argument may belong."""
        found = (each.parameter(self.call.number, self.call.name) for each in self.left)
        return [parameter for parameter in found if parameter is not None]


class ExpectedTypes:
    """The types that the checker infers at a position: of the receiver, of the call's arguments, and of the value that
    is assigned or compared."""

    def __init__(self, view: ScriptView, context: CodeContext) -> None:
        self._texts: list[str] = []
        self.view = view
        self.context = context
        call = context.call
        receiver = self._ask(context.receiver)
        owner = self._ask(_owner(view.text, call.callee)) if call is not None else None
        arguments = [self._ask(given.value) for given in call.before] if call is not None else []
        target = self._ask(compared_with(view, context))
        self.probe: Probe = view.probe(context.start, context.head, self._texts)
        other = compared_with(view, context)
        self.other = view.text[other.start : other.end] if other is not None else ""
        """The text of the other side of an assignment or comparison: a value is seldom the same text."""
        self.receiver = self._type(receiver)
        self.target = self._type(target)
        self.callee = (
            self._callee(call, self._type(owner), [self._type(number) for number in arguments]) if call else None
        )

    def _ask(self, span: Span | None) -> int | None:
        if span is None:
            return None
        self._texts.append(self.view.text[span.start : span.end])
        return len(self._texts) - 1

    def _type(self, number: int | None) -> Type | None:
        return self.probe.types[number] if number is not None and number < len(self.probe.types) else None

    def _callee(self, call: EnclosingCall, owner: Type | None, arguments: Sequence[Type | None]) -> Callee:
        text = self.view.text[call.callee.start : call.callee.end].partition("<")[0]
        root = text.partition(".")[0].strip()
        found: list[CallHelp] = []
        if is_path(text) and ("." not in text or root not in self.probe.variables):
            found = callable_as(self.probe.bindings, text)
        if not found and owner is not None and owner.base is not UNKNOWN_BASE:
            name = text.rpartition(".")[2].strip()
            found = methods_of(self.probe.bindings, owner.base).get(name, [])
        if not found and is_path(text):
            found = callable_as(self.probe.bindings, text)
        return Callee(call, found, fitting(found, call, arguments))

    @cached_property
    def owner(self) -> str:
        """The name of the called function up to its first dot: a namespace or variable, or the whole name if it has no
        dot. Empty outside of calls."""
        call = self.context.call
        return "" if call is None else self.view.text[call.callee.start : call.callee.end].partition(".")[0].strip()

    @cached_property
    def is_assigned(self) -> bool:
        """Whether the value directly follows the `=` or `:=` of a declaration or assignment."""
        tokens = self.context.tokens
        return not self.context.calls and bool(tokens) and tokens[-1].kind in ("ASSIGN", "REASSIGN")

    @cached_property
    def is_of_type(self) -> bool:
        """Whether only values of types that the script declares are accepted here."""
        expected = self.expected()
        return bool(expected) and all(base.kind in ("udt", "enum") for base in expected)

    @cached_property
    def is_condition(self) -> bool:
        """Whether the value is a condition: after `if`, `while`, `not`, `and` or `or`."""
        tokens = self.context.tokens
        last = tokens[-1] if tokens else None
        return last is not None and (last.kind in _TESTS or last.text in ("and", "or"))

    def expected(self) -> tuple[Base, ...]:
        """Return the accepted types; empty if any type is accepted."""
        context = self.context
        if context.place not in (CompletionPlace.VALUE, CompletionPlace.MEMBER, CompletionPlace.STATEMENT):
            return ()
        if self.target is not None:
            return (self.target.base,)
        callee = self.callee
        tokens = context.tokens
        if callee is not None and _begins_argument(context):
            bases = [parameter.base for parameter in callee.current() if parameter.base is not None]
            return tuple(dict.fromkeys(bases))
        last = tokens[-1] if tokens else None
        if last is not None and last.kind == "LSQB":
            return (INT,)
        if self.is_condition:
            return (BOOL,)
        return ()

    @cached_property
    def is_closed(self) -> bool:
        """Whether only constants of a fixed set are accepted here, such as the styles of a plot."""
        if self.target is not None or self.callee is None or not _begins_argument(self.context):
            return False
        found = self.callee.current()
        return bool(found) and all(_is_closed(parameter) for parameter in found)

    def constants(self) -> list[str]:
        """Return the dotted names of the built-in values that are accepted here."""
        callee = self.callee
        found: dict[str, None] = {}
        if callee is not None and _begins_argument(self.context):
            for parameter in callee.current():
                found.update(dict.fromkeys(name for name in parameter.allowed if name[:1].isalpha()))
                found.update(dict.fromkeys(_special(parameter.base)))
                if not parameter.allowed:
                    found.update(dict.fromkeys(_usual(parameter)))
        for base in self.expected():
            found.update(dict.fromkeys(_special(base)))
        return list(found)

    def enums(self) -> list[tuple[str, EnumSymbol]]:
        """Return the enums whose members are accepted here, each with the name that the script uses for it."""
        bases = self.expected()
        is_any = any(base.kind == "any-enum" for base in bases)
        return [(name, enum) for name, enum in enums_in(self.probe.bindings) if is_any or enum.type in bases]


def enums_in(bindings: NameBindings) -> list[tuple[str, EnumSymbol]]:
    """Return every enum, including imported ones, with its dotted name."""
    found = list(bindings.enums.items())
    for alias, library in bindings.imports.items():
        if library.source is not None:
            exported = library.source.bindings.enums.items()
            found += [(f"{alias}.{name}", enum) for name, enum in exported if enum.exported]
    return found


def _is_closed(parameter: SignatureParameter) -> bool:
    """Return whether a parameter accepts only constants of a fixed set."""
    names = [name for name in parameter.allowed if name[:1].isalpha()]
    return bool(names) or (parameter.base is not None and parameter.base.kind == "special")


def _special(base: Base | None) -> tuple[str, ...]:
    if base is None:
        return ()
    if base.kind == "union":
        return tuple(name for member in base.arguments for name in _special(member))
    return special_values(base) if base.kind == "special" or base is COLOR else ()


_USUAL = {
    "text_size": "size",
    "size": "size",
    "currency": "currency",
    "extend": "extend",
    "commission_type": "strategy.commission",
}
"""For parameters that also take other values: the namespace of the constants that are usually given."""


def _usual(parameter: SignatureParameter) -> list[str]:
    owner = _USUAL.get(parameter.name, "")
    if not owner or "string" not in parameter.type:
        return []
    return [f"{owner}.{name}" for name in reference.members(owner)]


def _owner(text: str, callee: Span) -> Span | None:
    """The span before the last dot of a callee."""
    dot = text.rfind(".", callee.start, callee.end)
    return Span(callee.start, dot) if dot > callee.start else None


def _begins_argument(context: CodeContext) -> bool:
    """Return whether the value is so far a whole argument, and not a part of a longer expression."""
    if context.place is CompletionPlace.MEMBER and context.receiver is not None:
        before = [token for token in context.tokens if token.end <= context.receiver.start]
    else:
        before = list(context.tokens)
    return bool(before) and before[-1].kind in ("LPAR", "COMMA", "ASSIGN", "QUESTION", "COLON")


def compared_with(view: ScriptView, context: CodeContext) -> Span | None:
    """Return the span of the other side of `:=`, `==` or `!=`, or of the subject of the switch around the position;
    None if there is neither."""
    tokens = list(context.tokens)
    if context.place is CompletionPlace.MEMBER and context.receiver is not None:
        tokens = [token for token in tokens if token.end <= context.receiver.start]
    if not tokens:
        return _subject(view, context) if context.place in (CompletionPlace.STATEMENT, CompletionPlace.MEMBER) else None
    last = tokens[-1]
    if last.kind == "REASSIGN" and len(tokens) > 1:
        return Span(tokens[0].start, tokens[-2].end)
    if last.text not in _COMPARISONS or len(tokens) < 2:
        return None
    return value_before(tuple(tokens))


def _subject(view: ScriptView, context: CodeContext) -> Span | None:
    """The subject of the switch whose case is on this line."""
    lines, text = view.snapshot.lines, view.text
    line = lines.position(context.start).line
    own = len(context.head) - len(context.head.lstrip())
    for number in range(line - 1, max(0, line - 60), -1):
        content = lines.line_text(number)
        stripped = content.lstrip()
        if not stripped or stripped.startswith("//"):
            continue
        if len(content) - len(stripped) < own:
            place = content.find("switch ")
            if place < 0:
                return None
            start = lines.line_start(number) + place + len("switch ")
            subject = text[start : lines.line_start(number) + len(content)].partition("//")[0].rstrip()
            return Span(start, start + len(subject)) if subject else None
    return None
