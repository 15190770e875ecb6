"""Describes a name in Markdown: its declaration, its type and value, and its documentation."""

from __future__ import annotations

import re

from pinebench import reference
from pinebench.amounts import counted
from pinebench.checker import (
    UNKNOWN_BASE,
    EnumSymbol,
    FieldSymbol,
    Frame,
    FunctionSymbol,
    ImportSymbol,
    Program,
    Symbol,
    TypeSymbol,
    VariableSymbol,
    display,
    signature,
    value_type,
)
from pinebench.reference import texts
from pinebench.services.names import declaration_of
from pinebench.services.signatures import CallHelp, SignatureParameter, of_builtin, of_function
from pinebench.syntax import nodes

MOST_OVERLOADS = 4
"""The largest number of overloads of a built-in that are shown."""
MOST_SHOWN = 3
"""The largest number of lines about the run of an example that are shown."""
MOST_LINES = 40
"""The largest number of lines of a comment that are shown."""
_MARKS = re.compile(
    r"[\\`\[\]<>&~|]|^[#=+-]|(?<!\s)\*|\*(?!\s)|^\*|(?<!\w)_|_(?!\w)|(?<=^\d)[.)]|(?<=^\d\d)[.)]", re.ASCII
)
_FENCES = re.compile("`+")


def describe(program: Program, symbol: Symbol, frame: Frame | None = None) -> str:
    """Describe `symbol` in Markdown: its declaration as code, then its documentation."""
    if isinstance(symbol, str):
        return describe_builtin(symbol)
    return _joined(_code(_declared(program, symbol, frame)), plain(comment_above(program, symbol)), _more(symbol))


def describe_builtin(name: str) -> str:
    """Describe a built-in: its declaration, a sentence, an example, and common mistakes; empty if it is unknown."""
    declared = _declared_builtin(name)
    return _joined(declared, *_texts(name)) if declared else ""


def _texts(name: str) -> list[str]:
    told = texts.text(name)
    parts: list[str] = []
    if told.example is not None and (reference.function(name) or reference.word(name)):
        rows = [*told.example.text.splitlines(), *(f"// {line}" for line in told.example.shown[:MOST_SHOWN])]
        parts.append("Example:\n\n" + _code("\n".join(rows)))
    return parts + [f"Watch out: {plain(each.text)}" for each in told.watch_outs]


def describe_type(name: str) -> str:
    """Describe a built-in type, even if a function has the same name."""
    known = reference.types()[name]
    return _joined(_code(f"type {name}"), known.description)


def text_of(program: Program, called: CallHelp) -> str:
    """Return the documentation of a signature's function or type, without `@param` lines; empty if it has none."""
    if isinstance(called.symbol, str):
        known = reference.function(called.symbol)
        return known.description if known is not None else ""
    lines = comment_above(program, called.symbol).splitlines()
    told = (line for line in lines if not line.startswith(("@param", "@field")))
    return plain("\n".join(line.removeprefix("@function").removeprefix("@type").strip() for line in told))


def note_on(program: Program, called: CallHelp, parameter: SignatureParameter) -> str:
    """Return a phrase about a parameter of a signature, or about a field of the type that it constructs; empty if there
    is none."""
    if isinstance(called.symbol, str):
        return called.about(parameter)
    word = "@field" if isinstance(called.symbol, TypeSymbol) else "@param"
    return _noted(comment_above(program, called.symbol), word, parameter.name)


def _declared_builtin(name: str) -> str:
    function = signature(name)
    type_ = value_type(name)
    if type_ is not None:
        value = reference.variable(name) or reference.constant(name)
        return _joined(_code(f"{display(type_)} {name}"), value.description if value is not None else "")
    if function is not None:
        overloads = of_builtin(function)
        shown = [each.label for each in overloads[:MOST_OVERLOADS]]
        more = len(overloads) - len(shown)
        rest = f"and {counted(more, 'more overload')}" if more else ""
        return _joined(_code("\n".join(shown)), rest, function.function.description)
    word = reference.word(name)
    if word is not None:
        return _joined(_code(word.form), word.description)
    owner, _, field = name.rpartition(".")
    known = reference.types().get(owner)
    found = next((each for each in known.fields if each.name == field), None) if known is not None else None
    if found is not None:
        return _joined(_code(f"{found.type} {found.name}"), f"A field of `{owner}`. {found.description}".rstrip())
    if name in reference.namespaces() or name in reference.types():
        known = reference.types().get(name)
        if known is not None:
            return _joined(_code(f"type {name}"), known.description)
        return _code(f"namespace {name}")
    return ""


def _declared(program: Program, symbol: Symbol, frame: Frame | None) -> str:
    """The declaration of `symbol`, with its inferred type."""
    if isinstance(symbol, VariableSymbol):
        return _variable(program, symbol, frame)
    if isinstance(symbol, FunctionSymbol):
        word = "method " if symbol.is_method else ""
        own = frame if frame is not None and frame.function is symbol else next(iter(program.frames_of(symbol)), None)
        return word + of_function(symbol, symbol.name, 0, own).label
    if isinstance(symbol, TypeSymbol):
        fields = "".join(f"\n    {_field(field)}" for field in symbol.fields.values())
        return f"type {symbol.name}{fields}"
    if isinstance(symbol, EnumSymbol):
        return f"enum {symbol.name}" + "".join(f"\n    {name}" for name in symbol.fields)
    if isinstance(symbol, FieldSymbol):
        return f"(field) {_field(symbol)}"
    if isinstance(symbol, nodes.EnumField):
        type_ = program.declared_type(symbol)
        return f"(member) {type_.base.name + '.' if type_ is not None else ''}{symbol.name.id}"
    if isinstance(symbol, ImportSymbol):
        return f"import {symbol.path} as {symbol.alias}"
    return str(symbol)


def _variable(program: Program, symbol: VariableSymbol, frame: Frame | None) -> str:
    owner = frame if frame is not None and frame.function is symbol.scope.function else None
    type_ = program.declared_type(symbol, owner)
    known = display(type_) if type_ is not None and type_.base is not UNKNOWN_BASE else ""
    mode = f"{symbol.mode} " if symbol.mode else ""
    kind = "(parameter) " if symbol.kind == "parameter" else ""
    return f"{kind}{mode}{known + ' ' if known else ''}{symbol.name}{_value(program, symbol)}"


def _value(program: Program, symbol: VariableSymbol) -> str:
    """` = ` and the value of a variable, if it is known before the script runs."""
    if symbol.value is None or symbol.reassignments or symbol.kind != "variable":
        return ""
    frame = program.frame if symbol.scope.function is None else None
    if frame is None:
        return ""
    is_constant, value = program.value_of(symbol.value, frame)
    return f" = {literal(value)}" if is_constant else ""


def literal(value: int | float | bool | str | None) -> str:
    """Return a constant in Pine's syntax. A float has at most 15 digits, so that binary rounding errors do not show."""
    if value is None:
        return "na"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return f"{value:.15g}" if isinstance(value, float) and not value.is_integer() else str(value)


def _field(field: FieldSymbol) -> str:
    known = field.type.name + " " if field.type is not UNKNOWN_BASE else ""
    return f"{known}{field.name}"


def _more(symbol: Symbol) -> str:
    if isinstance(symbol, TypeSymbol | EnumSymbol) and symbol.library is not None:
        return f"From the library `{symbol.library}`."
    if isinstance(symbol, ImportSymbol) and symbol.source is None:
        return "No library folder has the source of this library as readable Pine v6, so its details are unknown."
    return ""


def comment_above(program: Program, symbol: Symbol) -> str:
    """Return the comment lines directly above a declaration, or else the comment at the end of its line, without the
    slashes. For a parameter, return the text of its `@param` line."""
    found = declaration_of(program, symbol)
    if found is None or (isinstance(symbol, VariableSymbol) and symbol.kind == "parameter"):
        return _parameter_note(program, symbol) if found is not None else ""
    owner, span = found
    lines = owner.document.lines
    number = lines.position(span.start).line
    above: list[str] = []
    for line in range(number - 1, 0, -1):
        text = lines.line_text(line).strip()
        if not text.startswith("//") or text.startswith(("//@version", "//#")):
            break
        above.append(_without_slashes(text))
    if above:
        return "\n".join(reversed(above)).strip()
    end = lines.line_start(number) + len(lines.line_text(number))
    behind = next((each for each in owner.document.comments if span.end <= each.start <= end), None)
    return _without_slashes(owner.document.text[behind.start : behind.end]) if behind is not None else ""


def _parameter_note(program: Program, symbol: Symbol) -> str:
    """Return the text about a parameter in the `@param` line above its function."""
    if not isinstance(symbol, VariableSymbol) or symbol.scope.function is None:
        return ""
    return _noted(comment_above(program, symbol.scope.function), "@param", symbol.name)


def _noted(comment: str, word: str, name: str) -> str:
    """The text after an annotation, such as `@param`, that names `name`."""
    for line in comment.splitlines():
        words = line.split(None, 2)
        if words[:2] == [word, name] and len(words) > 2:
            return words[2].strip()
    return ""


def _without_slashes(comment: str) -> str:
    return comment.lstrip("/").strip()


def plain(text: str) -> str:
    """Return Markdown that shows `text` literally, line by line, because comments of scripts are not Markdown."""
    lines = text.splitlines()
    shown = [_MARKS.sub(r"\\\g<0>", line.strip()) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append("…")
    return "  \n".join(shown)


def _code(text: str) -> str:
    fence = "`" * max(3, 1 + max(map(len, _FENCES.findall(text)), default=0))
    return f"{fence}pine\n{text}\n{fence}"


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
