"""Completions at a position of a script, likeliest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

from pinebench import reference
from pinebench.checker import (
    BOOL,
    COLLECTIONS,
    COLOR,
    FLOAT,
    UNKNOWN_BASE,
    VOID,
    Base,
    EnumSymbol,
    ImportSymbol,
    NameBindings,
    Symbol,
    Type,
    TypeSymbol,
    display,
    signature,
    value_type,
)
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.context import CodeContext, CompletionPlace, context_at
from pinebench.services.expected import ExpectedTypes, compared_with
from pinebench.services.imports import importable_libraries
from pinebench.services.ranking import Nearby, fits, matches, popularity
from pinebench.services.script import ScriptView
from pinebench.services.signatures import callable_as, methods_of, not_given, of_function
from pinebench.services.snippets import SNIPPETS, call_snippet
from pinebench.services.strings import known_texts
from pinebench.syntax import nodes
from pinebench.syntax.words import soft_keywords

_HEX = re.compile(r"#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?\b")
ANNOTATIONS = {
    "version": "The version of Pine that the script is written in.",
    "function": "The purpose of the function below.",
    "param": "The purpose of a parameter of the function below.",
    "returns": "The result of the function below.",
    "type": "The purpose of the type below.",
    "field": "The content of a field of the type below.",
    "enum": "The purpose of the enum below.",
    "variable": "The content of the variable below.",
    "description": "The purpose of a library, in its published description.",
    "strategy_alert_message": "The message that a strategy's alerts have by default.",
}
"""The annotations that comments can hold, after `//@`, the most frequent first."""
_AT_START = ("if", "for", "while", "switch", "var", "varip", *soft_keywords("declaration", "block"))
_IN_BLOCK = ("if", "for", "while", "switch", "var", "varip", "break", "continue", "else", *soft_keywords("block"))
_IN_VALUE = ("true", "false", "not", "if", "switch", "for", "while")
_IN_OPERAND = ("true", "false", "not")
"""The keywords that can begin a value inside brackets or after an operator, where no structure is allowed."""
_DECLARATIONS = ("indicator", "strategy", "library")
_CASTS = ("int", "float", "bool", "string")
"""Functions whose names are mostly used as types, and seldom where a value is expected."""
_NO_VALUES = frozenset(("indicator", "library"))
"""Functions that return nothing; `strategy` is not one of them, because it is a namespace, too."""
_WHOLE = frozenset(("object", "special", "handle", *COLLECTIONS))
"""The kinds of types whose values cannot be part of a longer expression of another type."""
_QUALIFIERS = tuple(word for word in soft_keywords("qualifier") if word != "input")


class Completion(NamedTuple):
    """One completion. `label` replaces the text of `span`. If there is a `snippet`, it is inserted instead: it has
    placeholders, such as the required arguments of a function.

    `kind` is variable, constant, function, method, field, parameter, type, enum, member, namespace, library, keyword,
    snippet, annotation or color. `symbol` is its meaning, for a later description.
    """

    label: str
    kind: str
    detail: str
    span: Span
    score: float
    symbol: Symbol | None = None
    snippet: str | None = None


class _Candidate(NamedTuple):
    label: str
    kind: str
    detail: str
    score: float
    symbol: Symbol | None = None
    snippet: str | None = None


def completions(view: ScriptView, offset: int) -> list[Completion]:
    """Return all completions at `offset` that match the letters already typed, likeliest first."""
    context = context_at(view.snapshot, offset)
    is_called = view.text[context.word.end : context.word.end + 1] == "("
    found: dict[tuple[str, bool], Completion] = {}
    for each in _candidates(view, context):
        fit = matches(context.prefix, each.label)
        if fit is None and each.kind == "library":
            fit = matches(context.prefix, each.label.partition("/")[2])  # without the user, whom few remember
        if fit is None:
            continue
        snippet = None if is_called and each.kind in ("function", "method") else each.snippet
        item = Completion(each.label, each.kind, each.detail, context.word, each.score + fit, each.symbol, snippet)
        key = (each.label, each.kind == "snippet")
        if key not in found or found[key].score < item.score:
            found[key] = item
    return sorted(found.values(), key=lambda item: (-item.score, item.label))


def _candidates(view: ScriptView, context: CodeContext) -> Iterator[_Candidate]:
    place = context.place
    if place is CompletionPlace.NOTHING:
        return
    if place is CompletionPlace.ANNOTATION:
        yield from _annotations(view)
    elif place is CompletionPlace.COLOR:
        yield from _colors(view)
    elif place is CompletionPlace.IMPORT:
        yield from (_Candidate(each.path, "library", each.remark, each.rank) for each in importable_libraries(view))
    elif place is CompletionPlace.STRING:
        yield from _strings(view, context)
    elif place is CompletionPlace.OPERATOR:
        yield from _operators(context)
    else:
        near = Nearby(view.text, context.offset)
        asked = ExpectedTypes(view, context)
        if place is CompletionPlace.MEMBER:
            yield from _members(view, asked, near)
        elif place in (CompletionPlace.TYPE, CompletionPlace.FIELD, CompletionPlace.PARAMETER):
            yield from _types(asked, near)
            words = ("varip",) if place is CompletionPlace.FIELD else _QUALIFIERS
            yield from (_Candidate(word, "keyword", "", popularity("names", word)) for word in words)
        else:
            yield from _bare(asked, near)


# outside of code


def _annotations(view: ScriptView) -> Iterator[_Candidate]:
    """Yield the annotations. The version comes first in a script that has none, otherwise last."""
    is_versioned = view.snapshot.version is not None
    for number, (name, text) in enumerate(ANNOTATIONS.items()):
        place = len(ANNOTATIONS) if name == "version" and is_versioned else number
        yield _Candidate(name, "annotation", text, -0.1 * place)


def _colors(view: ScriptView) -> Iterator[_Candidate]:
    used = Counter(_HEX.findall(view.text))
    yield from (_Candidate(color[1:], "color", color, float(count)) for color, count in used.items())


def _strings(view: ScriptView, context: CodeContext) -> Iterator[_Candidate]:
    """Yield the known texts for the string at the position."""
    before = context.tokens[:-1]
    around = context._replace(place=CompletionPlace.VALUE if before else CompletionPlace.STATEMENT, tokens=before)
    known = known_texts(ExpectedTypes(view, around), view.text, compared_with(view, around))
    for number, each in enumerate(known):
        yield _Candidate(each.text, "constant", each.detail, 10.0 - 0.1 * number)


def _operators(context: CodeContext) -> Iterator[_Candidate]:
    """Yield the keywords that can follow a value."""
    kinds = [token.kind for token in context.tokens]
    words = [token.text for token in context.tokens]
    if "FOR" in kinds and "ASSIGN" in kinds:
        yield from (_Candidate(word, "keyword", "", 5.0) for word in ("to", "by"))
    elif "FOR" in kinds:
        yield _Candidate("in", "keyword", "", 5.0)
    if "IMPORT" in kinds or words[:1] == ["import"]:
        yield _Candidate("as", "keyword", "", 5.0)
    elif set(kinds) - {"NAME", "DOT", "VAR", "QUALIFIER", "TEMPLATE_OPEN", "TEMPLATE_CLOSE", "RSQB", "LSQB"}:
        yield from (_Candidate(word, "keyword", "", 4.0) for word in ("and", "or"))


# after a dot


def _members(view: ScriptView, asked: ExpectedTypes, near: Nearby) -> Iterator[_Candidate]:
    receiver = asked.context.receiver
    assert receiver is not None
    text = "".join(view.text[receiver.start : receiver.end].split())
    expected = asked.expected()
    root = text.partition(".")[0]
    is_variable = root in asked.probe.variables
    if not is_variable or text in reference.namespaces():
        for each in _namespace(asked, text, expected, near):
            yield each._replace(score=each.score - 10.0) if is_variable else each
    type_ = asked.receiver
    if type_ is not None and type_.base is not UNKNOWN_BASE:
        yield from _of_value(asked, type_.base, expected, near)


def _namespace(asked: ExpectedTypes, path: str, expected: tuple[Base, ...], near: Nearby) -> Iterator[_Candidate]:
    bindings = asked.probe.bindings
    type_, enum, library = bindings.types.get(path), bindings.enums.get(path), bindings.imports.get(path)
    constants = set(asked.constants())
    if type_ is not None:
        yield from _constructors(path, type_)
    if enum is not None:
        yield from _fields_of_enum(enum, near)
    if library is not None:
        yield from _exports(library, near)
    alias, _, name = path.partition(".")
    if alias in bindings.imports and name:
        yield from _inside_export(bindings.imports[alias], name, near)
    for name in sorted(reference.members(path)):
        full = f"{path}.{name}"
        kind, detail, base = _builtin(full)
        score = popularity("members", name, path) + near.score(name) + fits(expected, base)
        snippet = _call(full) if kind == "function" else None
        yield _Candidate(name, kind, detail, score + (6.0 if full in constants else 0.0), full, snippet)


def _constructors(path: str, type_: TypeSymbol) -> Iterator[_Candidate]:
    for name, score in (("new", 11.0), ("copy", 9.0)):
        yield _Candidate(name, "function", path, score, type_, f"{name}($1)$0")


def _fields_of_enum(enum: EnumSymbol, near: Nearby) -> Iterator[_Candidate]:
    for number, (name, field) in enumerate(enum.fields.items()):
        yield _Candidate(name, "member", enum.name, 10.0 - 0.1 * number + near.score(name), field)


def _exports(library: ImportSymbol, near: Nearby) -> Iterator[_Candidate]:
    source = library.source
    if source is None:
        for name in library.exports or ():
            yield _Candidate(name, "function", library.path, near.score(name))
        return
    bindings = source.bindings
    for name, group in bindings.functions.items():
        for function in group:
            if function.exported:
                found = of_function(function, name)
                yield _Candidate(name, "function", found.label, near.score(name), function, call_snippet(name, found))
    for name, type_ in bindings.types.items():
        if type_.exported:
            yield _Candidate(name, "type", library.path, near.score(name), type_)
    for name, enum in bindings.enums.items():
        if enum.exported:
            yield _Candidate(name, "enum", library.path, near.score(name), enum)
    for name, symbol in bindings.global_scope.names.items():
        if isinstance(symbol.declaration, nodes.VariableDeclaration) and symbol.declaration.exported:
            yield _Candidate(name, "constant", _shown(symbol.type), near.score(name), symbol)


def _inside_export(library: ImportSymbol, name: str, near: Nearby) -> Iterator[_Candidate]:
    if library.source is None:
        return
    type_ = library.source.bindings.types.get(name)
    enum = library.source.bindings.enums.get(name)
    if type_ is not None and type_.exported:
        yield from _constructors(name, type_)
    if enum is not None and enum.exported:
        yield from _fields_of_enum(enum, near)


def _of_value(asked: ExpectedTypes, base: Base, expected: tuple[Base, ...], near: Nearby) -> Iterator[_Candidate]:
    """Yield the fields and methods of values of type `base`."""
    if isinstance(base.symbol, TypeSymbol):
        for number, (name, field) in enumerate(base.symbol.fields.items()):
            score = 8.0 - 0.05 * number + near.score(name) + fits(expected, field.type)
            yield _Candidate(name, "field", field.type.name, score, field)
        yield _Candidate("copy", "method", base.name, 1.0, base.symbol, "copy()$0")
    known = reference.types().get(base.name)
    for field in known.fields if known is not None else ():
        yield _Candidate(field.name, "field", field.type, 8.0 + near.score(field.name), f"{base.name}.{field.name}")
    owner = base.kind if base.arguments else base.name
    for name, group in methods_of(asked.probe.bindings, base).items():
        first = group[0]
        is_own = not isinstance(first.symbol, str)
        score = 7.0 if is_own else max(popularity("methods", name), popularity("members", name, owner))
        snippet = call_snippet(name, first)
        yield _Candidate(name, "method", first.label, score + near.score(name), first.symbol, snippet)


# bare names


def _bare(asked: ExpectedTypes, near: Nearby) -> Iterator[_Candidate]:
    context = asked.context
    expected = asked.expected()
    starts = context.place is CompletionPlace.STATEMENT
    yield from _due(asked, near)
    if not starts:
        yield from _named_arguments(asked, near)
    yield from _declared(asked, expected, near, starts=starts)
    yield from _builtins(asked, expected, near, starts=starts)
    if starts:
        yield from _types(asked, near)
        words = _IN_BLOCK if context.head[:1] in (" ", "\t") else _AT_START
    else:
        words = _IN_VALUE if _may_be_structure(context) else _IN_OPERAND
    last = context.tokens[-1].text if context.tokens else ""
    for word in words:
        if word == last:  # `not not`
            continue
        fit = 0.0 if starts else _fit_of_word(asked, word, expected)
        yield _Candidate(word, "keyword", "", popularity("names", word) + 0.3 * near.score(word) + fit)
    if starts and not context.calls:
        yield from _snippets(asked.view, context)


def _fit_of_word(asked: ExpectedTypes, word: str, expected: tuple[Base, ...]) -> float:
    """Return the score of a keyword where one of the types `expected` is expected. A condition is rarely `true`, except
    the condition of an endless loop; an argument is rarely `not`."""
    fit = fits(expected, BOOL)
    if asked.is_closed:
        return _NO_FIT
    if word not in _IN_OPERAND or fit <= 0:
        return fit if word in _IN_OPERAND else 0.0
    if asked.is_condition:
        is_endless = word == "true" and asked.context.tokens[-1].kind == "WHILE"
        return fit if word == "not" or is_endless else -8.0
    return fit if word != "not" else 0.0


def _may_be_structure(context: CodeContext) -> bool:
    """Whether an `if`, `switch` or loop can be the value here: after `=`, `:=` or `=>`, and outside of brackets."""
    last = context.tokens[-1].kind if context.tokens else ""
    return not context.calls and last in ("ASSIGN", "REASSIGN", "ARROW")


def _snippets(view: ScriptView, context: CodeContext) -> Iterator[_Candidate]:
    """Yield the snippets that fit the position. Snippets that begin a script come first if the script has no statement
    yet."""
    is_global = context.head[:1] not in (" ", "\t")
    statements = [node for chunk in view.snapshot.chunks for node in chunk.body]
    is_declared = any(_declares(node) for node in statements)
    is_new = all(chunk.start + node.end >= context.word.start for chunk in view.snapshot.chunks for node in chunk.body)
    version = "" if view.snapshot.version is not None else "//@version=6\n"
    for snippet in SNIPPETS:
        if snippet.begins_script:
            if is_global and not is_declared:
                score = _BEGINNINGS[snippet.label] if is_new else -4.0
                yield _Candidate(snippet.label, "snippet", snippet.detail, score, None, version + snippet.text)
        elif is_global or snippet.anywhere:
            yield _Candidate(snippet.label, "snippet", snippet.detail, -4.0, None, snippet.text)


_BEGINNINGS = {"indicator": 30.0, "strategy": 29.0, "library": 28.0}
"""The scores of the snippets that begin a script, in one that has no statement yet."""


def _declares(node: nodes.Node) -> bool:
    """Whether a statement is the script's declaration."""
    call = node.expression if isinstance(node, nodes.ExpressionStatement) else None
    return isinstance(call, nodes.Call) and isinstance(call.callee, nodes.Name) and call.callee.id in _DECLARATIONS


def _due(asked: ExpectedTypes, near: Nearby) -> Iterator[_Candidate]:
    """Yield the values that fit the expected type: members of an enum, constants of a special type."""
    for path, enum in asked.enums():
        for number, name in enumerate(enum.fields):
            label = f"{path}.{name}"
            yield _Candidate(label, "member", path, 20.0 - 0.3 * number + 0.1 * near.score(name), enum.fields[name])
    if COLOR in asked.expected():
        yield _Candidate(
            "color.new", "function", callable_label("color.new"), 16.0, "color.new", f"color.{_call('color.new')}"
        )
    constants = asked.constants()
    popular = sorted(constants, key=lambda name: -popularity("members", *_parted(name)))
    shown = 3 if COLOR in asked.expected() else _MOST_CONSTANTS
    for number, name in enumerate(popular):
        short, owner = _parted(name)
        score = 8.0 if number < shown else 2.0
        kind, detail, _ = _builtin(name)
        yield _Candidate(name, kind, detail, score + 0.3 * popularity("members", short, owner) - 0.1 * number, name)
        root = name.partition(".")[0]
        if "." in name:
            yield _Candidate(root, "namespace", "", 12.0 + near.score(root), root)


_MOST_CONSTANTS = 5
"""The largest number of constants of a special type that come before all other names. Colors are often computed."""


def _parted(path: str) -> tuple[str, str]:
    owner, _, short = path.rpartition(".")
    return short, owner


def _named_arguments(asked: ExpectedTypes, near: Nearby) -> Iterator[_Candidate]:
    """Yield the parameters of the call that have no argument yet, as named arguments."""
    callee = asked.callee
    last = asked.context.tokens[-1] if asked.context.tokens else None
    if callee is None or callee.call.name is not None or last is None or last.kind not in ("LPAR", "COMMA"):
        return
    call = callee.call
    by_name = any(given.name for given in call.before)
    is_due = any(parameter.required for parameter in callee.current())
    owner = callee.left[0].symbol if callee.left else ""
    for number, parameter in enumerate(not_given(callee.left, call)):
        liked = 8.0 if isinstance(owner, TypeSymbol) else 4.0
        if isinstance(owner, str):
            liked = popularity("parameters", parameter.name, owner)
        score = 4.0 + liked + 0.3 * near.score(parameter.name) - 0.05 * number
        score += 6.0 if by_name else 0.0 if not is_due else -8.0 if parameter.required else -14.0
        yield _Candidate(parameter.name, "parameter", parameter.label, score, None, f"{parameter.name} = $0")


def _declared(asked: ExpectedTypes, expected: tuple[Base, ...], near: Nearby, *, starts: bool) -> Iterator[_Candidate]:
    """Yield the declarations of the script before the position."""
    bindings = asked.probe.bindings
    count = len(asked.probe.variables)
    for number, (name, (symbol, type_)) in enumerate(asked.probe.variables.items()):
        latest = 3.0 * number / count
        is_local = 2.0 if symbol.scope.parent is not None else 0.0
        fit = 0.0 if starts else fits(expected, type_.base if type_ is not None else None)
        if name == asked.other or (asked.is_of_type and fit < 0):
            fit -= 12.0
        elif asked.is_condition:
            fit = max(fit, 0.0)
        yield _Candidate(name, "variable", _shown(type_), 4.0 + latest + is_local + near.score(name) + fit, symbol)
    for name, group in bindings.functions.items():
        function = group[-1]
        label = of_function(function, name)
        is_open = any(parameter.type is None for parameter in function.parameters)
        results = {frame.result.base for frame in function.frames.values()}
        result = results.pop() if len(results) == 1 or (results and not is_open) else None
        fit = 0.0 if starts else fits(expected, result)
        if asked.is_of_type and fit < 0:
            fit -= 12.0
        score = (2.0 if function.is_method else 4.5) + near.score(name) + fit
        yield _Candidate(name, "function", label.label, score, function, call_snippet(name, label))
    for name, type_ in bindings.types.items():
        wanted = 8.0 if type_.type in expected else _NO_FIT if asked.is_of_type else 0.0
        yield _Candidate(name, "type", "", 3.0 + near.score(name) + wanted, type_)
    for name, enum in bindings.enums.items():
        wanted = 6.0 if enum.type in expected else _NO_FIT if asked.is_of_type else 0.0
        yield _Candidate(name, "enum", "", 3.0 + near.score(name) + wanted, enum)
    for name, library in bindings.imports.items():
        yield _Candidate(name, "library", library.path, 3.0 + near.score(name), library)


def _builtins(asked: ExpectedTypes, expected: tuple[Base, ...], near: Nearby, *, starts: bool) -> Iterator[_Candidate]:
    for name in _plain_names():
        if name in asked.probe.variables:
            continue
        kind, detail, base = _builtin(name)
        if not starts and (name in _NO_VALUES or (kind == "function" and base is VOID)):
            continue
        if not starts and base is not None and base.kind in _WHOLE and fits(expected, base) < 0:
            continue
        fit = 0.0 if starts else _fit(asked, name, base, expected)
        if not starts and (name in _CASTS or (name == "input" and not asked.is_assigned)):
            fit += 2 * _NO_FIT if asked.is_closed else _NO_FIT
        # The namespace of the call around the place was only just written.
        nearby = 0.0 if name == asked.owner else 0.6 * near.score(name)
        yield _Candidate(name, kind, detail, popularity("names", name) + nearby + fit, name, _call(name))


def _fit(asked: ExpectedTypes, name: str, base: Base | None, expected: tuple[Base, ...]) -> float:
    """Return the score of a built-in where one of the types `expected` is expected. A namespace fits if one of its
    members fits."""
    is_namespace = name in reference.namespaces()
    if asked.is_closed and (is_namespace or name == "na"):
        return 2 * _NO_FIT
    wanted = (BOOL, FLOAT) if asked.is_condition else expected
    fit = _fit_of_namespace(name, wanted) if is_namespace and wanted else fits(expected, base)
    # Numbers and texts are compared in a condition.
    return max(fit, 0.0) if asked.is_condition and base is not VOID and not is_namespace else fit


_NO_FIT = -6.0
_OFTEN = 0.5
"""The smallest share of a namespace's members with a fitting type for which the namespace fits well."""


@lru_cache(maxsize=512)
def _fit_of_namespace(name: str, expected: tuple[Base, ...]) -> float:
    """The score of a namespace by the types of its members."""
    members = [_builtin(f"{name}.{member}")[2] for member in reference.members(name)]
    fitting = sum(fits(expected, base) > 0 for base in members)
    share = fitting / len(members)
    return 3.0 if share >= _OFTEN else _NO_FIT * (1.0 - share)


def _plain_names() -> tuple[str, ...]:
    everything = (*reference.functions(), *reference.variables(), *reference.constants())
    return tuple(dict.fromkeys(name.partition(".")[0] for name in everything))


def _types(asked: ExpectedTypes, near: Nearby) -> Iterator[_Candidate]:
    """Yield the types that can begin a declaration."""
    bindings = asked.probe.bindings
    for name in reference.types():
        yield _Candidate(name, "type", "", popularity("names", name) + 0.6 * near.score(name), name)
    for name, symbol in (*bindings.types.items(), *bindings.enums.items()):
        kind = "type" if isinstance(symbol, TypeSymbol) else "enum"
        yield _Candidate(name, kind, "", 5.0 + near.score(name), symbol)
    for name, library in bindings.imports.items():
        yield _Candidate(name, "library", library.path, 2.0 + near.score(name), library)


def _shown(type_: Type | None) -> str:
    """Return the type of a variable without its qualifier. The qualifier is left out because a later assignment can
    change it: completions continue from an earlier check, and could show another qualifier than a check of the current
    text."""
    return type_.base.name if type_ is not None and type_.base is not UNKNOWN_BASE else ""


@cache
def _call(name: str) -> str | None:
    """Return the snippet for a call of a built-in function. Return None for a name that is also a namespace or a
    type."""
    if signature(name) is None or name in reference.namespaces() or name in reference.types():
        return None
    found = callable_as(NameBindings(), name)
    return call_snippet(name.rpartition(".")[2], found[0]) if found else None


@cache
def _builtin(name: str) -> tuple[str, str, Base | None]:
    """The kind of a built-in, its detail, and the type of its value."""
    function = signature(name)
    type_ = value_type(name)
    if type_ is not None:
        kind = "constant" if reference.constant(name) is not None else "variable"
        return kind, display(type_), type_.base
    if function is not None:
        result = function.overloads[0].result
        return "function", callable_label(name), result.type.base if result.form == "fixed" else None
    return "namespace", "", None


def callable_label(name: str) -> str:
    """Return the label of the first overload of a built-in function; empty for any other name."""
    found = callable_as(NameBindings(), name)
    return found[0].label if found else ""
