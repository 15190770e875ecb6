"""Hover texts, and signature help while a call is being typed."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import UNKNOWN_BASE, display, path_of
from pinebench.checker import Signature as Builtin
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.reference.texts import phrase
from pinebench.services.context import context_at
from pinebench.services.describe import describe, describe_builtin, describe_type, literal, note_on, text_of
from pinebench.services.expected import ExpectedTypes
from pinebench.services.names import NameUse, named_at, path_at
from pinebench.services.script import ScriptView
from pinebench.services.signatures import CallHelp
from pinebench.syntax import nodes
from pinebench.syntax.words import soft_keywords


class Hover(NamedTuple):
    """A description in Markdown, and the span it describes."""

    text: str
    span: Span


class Help(NamedTuple):
    """The signatures that a call may have: the index of the likeliest signature, and the index of its current parameter
    (-1 for none).

    `text` is about the called function. `notes` has for each signature a phrase about each of its shown parameters. A
    text or phrase is empty if nothing is known.
    """

    signatures: list[CallHelp]
    active: int
    parameter: int
    text: str
    notes: list[list[str]]


def hover(view: ScriptView, offset: int) -> Hover | None:
    """Describe the code at `offset`, or return None if nothing is known about it."""
    program = view.program
    named = named_at(program, offset)
    if named is not None and _is_type(view, named):
        return Hover(describe_type(str(named.symbol)), named.span)
    if named is not None:
        text = describe(program, named.symbol, named.frame)
        return Hover(_with_value(view, named.node, offset, text), named.span) if text else None
    argument = _argument(view, offset)
    if argument is not None:
        return argument
    return _keyword(view, offset) or _type(view, offset)


def _is_type(view: ScriptView, named: NameUse) -> bool:
    """Whether a name is a built-in type, and neither the function nor the namespace of this name."""
    if not isinstance(named.symbol, str) or named.symbol not in reference.types():
        return False
    return not view.text[named.span.end :].lstrip(" \t").startswith(("(", "."))


def _with_value(view: ScriptView, node: nodes.Node, offset: int, text: str) -> str:
    """Append the type that the expression has at this position to `text`, if `text` does not contain it."""
    frame = view.program.frame_at(offset)
    found = frame.types.get(node)
    if found is None or found.base is UNKNOWN_BASE or f"{display(found)} " in text:
        return text
    return f"{text}\n\nHere: `{display(found)}`"


def _argument(view: ScriptView, offset: int) -> Hover | None:
    """Describe the parameter of a built-in whose name is at `offset` in a named argument."""
    program = view.program
    chunk = program.document.chunk_at(offset)
    path = path_at(program, offset)
    named = next((node for node in reversed(path) if isinstance(node, nodes.NamedArgument)), None)
    if named is None or not named.start <= offset - chunk.start <= named.start + len(named.name):
        return None
    call = next((node for node in reversed(path) if isinstance(node, nodes.Call) and named in node.arguments), None)
    resolved = program.frame_at(offset).calls.get(call) if call is not None else None
    spec = None
    if resolved is not None and resolved.overload is not None:
        spec = next((each for each in resolved.overload.source.parameters if each.name == named.name), None)
    if spec is None or call is None or resolved is None:
        return None
    default = f" = {spec.default}" if spec.default is not None else ""
    allowed = f"\n\nOne of: {', '.join(f'`{each}`' for each in spec.allowed)}" if spec.allowed else ""
    start = chunk.start + named.start
    owner = path_of(call.callee) or "the method"
    told = phrase(resolved.target.name, spec.name) if isinstance(resolved.target, Builtin) else ""
    about = f"Of `{owner}`" + (f": {told}." if told else ".")
    text = f"```pine\n(parameter) {spec.type} {spec.name}{default}\n```\n\n{about}{allowed}"
    return Hover(text, Span(start, start + len(named.name)))


def _keyword(view: ScriptView, offset: int) -> Hover | None:
    context = context_at(view.snapshot, offset)
    word = view.text[context.word.start : context.word.end]
    if context.place.name in ("NOTHING", "STRING", "MEMBER") and word not in soft_keywords("range", "alias"):
        return None
    if reference.keyword(word) is None or _is_in_comment(view, offset):
        return None
    return Hover(describe_builtin(word), context.word)


def _is_in_comment(view: ScriptView, offset: int) -> bool:
    return any(span.start <= offset <= span.end for span in view.snapshot.comments)


def _type(view: ScriptView, offset: int) -> Hover | None:
    """The type of the innermost expression at `offset`, and its value if it is constant."""
    program = view.program
    chunk = program.document.chunk_at(offset)
    frame = program.frame_at(offset)
    for node in reversed(path_at(program, offset)):
        if isinstance(node, nodes.Literal):
            return None
        found = frame.types.get(node)
        if found is None or found.base is UNKNOWN_BASE:
            continue
        is_constant, value = program.value_of(node, frame)
        known = f" = {literal(value)}" if is_constant else ""
        span = Span(chunk.start + node.start, chunk.start + node.end)
        return Hover(f"```pine\n{display(found)}{known}\n```", span)
    return None


def signature_help(view: ScriptView, offset: int) -> Help | None:
    """Return the signatures of the call whose parentheses contain `offset`; None without a call or a known callee."""
    context = context_at(view.snapshot, offset)
    if context.call is None:
        return None
    callee = ExpectedTypes(view, context).callee
    if callee is None or not callee.signatures:
        return None
    active = callee.fitting[0]
    signature = callee.signatures[active]
    parameter = signature.parameter(callee.call.number, callee.call.name)
    number = signature.shown.index(parameter) if parameter in signature.shown else -1
    notes = [[note_on(view.known, each, parameter) for parameter in each.shown] for each in callee.signatures]
    return Help(callee.signatures, active, number, text_of(view.known, signature), notes)
