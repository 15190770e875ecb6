"""Reuses the results of earlier checks of the same trees, if everything that they depend on is unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import TypeVar

from pinebench.checker.checker import Checker
from pinebench.checker.parts import Key, Meaning, Memory, Parts, ScopedCode
from pinebench.checker.symbols import CheckedSource, FunctionSymbol, ImportSymbol, VariableSymbol
from pinebench.checker.types import COLLECTIONS, CONST, Base, Type
from pinebench.syntax import nodes


def begin(checker: Checker) -> None:
    """Prepare the cache for a check, after the names are bound."""
    bindings = checker.bindings
    declared = {*bindings.functions, *bindings.types, *bindings.enums, *bindings.imports, *bindings.lost}
    context: list[object] = []
    for library in bindings.imports.values():
        source = _source(checker, library)
        if source is not None:
            declared.update(source.bindings.functions)  # methods are called by their names alone
        context.append((library.path, source is None))
    chunks = {chunk.start: chunk for chunk in checker.document.chunks}
    checker.memory = Memory(tuple(context), frozenset(declared), chunks, object())


def _source(checker: Checker, library: ImportSymbol) -> CheckedSource | None:
    """The check of an imported library, or None if its source was not found."""
    if library.source is not None or checker.libraries is None:
        return library.source
    return checker.libraries.find(library.path)


def value(checker: Checker, node: nodes.Node) -> Type:
    """Return the type of an expression that is not part of another one, such as the value of a declaration.

    The result of an earlier check of the same tree is reused if its names have the same types, and if no word in it was
    given another meaning.
    """
    kind = type(node)
    memory = checker.memory
    if kind is nodes.Literal or kind is nodes.Name or memory is None:
        return checker.evaluate(node)
    parts: Parts | None = memory.chunks[checker.offset].parts.get(node)
    if parts is None:
        return _structure(checker, node, partial(checker.evaluate, node))
    meanings = parts.meanings
    if meanings is None or checker.exporting or (checker.faults and checker.offset in checker.faults):
        return checker.evaluate(node)
    if checker.remembering and not meanings:
        return checker.evaluate(node)
    identifiers = parts.identifiers
    if identifiers is None or not identifiers.isdisjoint(memory.declared):
        return checker.evaluate(node)
    key = _key(checker, memory, parts.names, checker.local_depth > 0)
    meaning = meanings.get(key)
    frame = checker.frame
    if meaning is not None:
        frame.types.update(meaning.types)
        if meaning.calls:
            frame.calls.update(meaning.calls)
        return meaning.type
    asked, types, calls, is_new = checker.reporter.asked, len(frame.types), len(frame.calls), node not in frame.types
    result = checker.evaluate(node)
    if is_new and not checker.remembering and checker.reporter.asked == asked:
        found = Meaning(result, _last(frame.types, types), _last(frame.calls, calls), {})
        _keep(meanings, key, found, bool(parts.calls))
    return result


def block(checker: Checker, statements: Iterable[nodes.Node]) -> None:
    """Infer the types of statements in the global scope."""
    for node in statements:
        if type(node) in _STRUCTURES:
            _structure(checker, node, partial(checker.statement, node, False))
        else:
            checker.statement(node, False)


def body(checker: Checker, function: FunctionSymbol, types: tuple[Type, ...]) -> Type:
    """Infer the type of a function's body for these parameter types, in the current frame."""
    return _block(checker, function.node, types, partial(checker.block, function.node.body, used=True))


def _structure(checker: Checker, node: nodes.Node, find: Callable[[], Type]) -> Type:
    """Type a structure. Its result is cached if it is in the global scope; a nested one is part of the outer
    structure's result."""
    if checker.local_depth or node in checker.frame.types:
        return find()
    return _block(checker, node, (), find)


def _use(checker: Checker, meaning: Meaning) -> None:
    """Copy a cached result for a block into the current frame."""
    frame = checker.frame
    if frame is checker.global_frame:
        frame.types.update(meaning.types)
        frame.calls.update(meaning.calls)
    else:  # the frame of a function's body holds nothing else
        frame.types, frame.calls = meaning.types, meaning.calls
    variables = checker.bindings.variables
    for name, type_ in meaning.declared.items():
        checker.set_variable(variables[name], type_)


def _block(checker: Checker, root: nodes.Node, given: tuple[Type, ...], find: Callable[[], Type]) -> Type:
    """Return the type of a block from the cache, or call `find` and cache its result.

    `root` is a structure, or a function whose body is typed for parameters of the types `given`. The current frame must
    be empty in the case of a function.
    """
    memory = checker.memory
    if memory is None or checker.exporting or (checker.faults and checker.offset in checker.faults):
        return find()
    chunk = memory.chunks[checker.offset]
    known: ScopedCode | None = chunk.blocks.get(root)
    if known is None:
        known = chunk.blocks[root] = ScopedCode(memory.check)
    if known.meanings is None and known.pays(memory.check) and not checker.reporter.on_trial:
        known.remember(root, chunk.parts, checker.bindings.variables)
    meanings = known.meanings
    if meanings is None or known.identifiers is None or not known.identifiers.isdisjoint(memory.declared):
        return find()
    key = _key(checker, memory, known.names, given)
    meaning = meanings.get(key)
    frame, variables = checker.frame, checker.bindings.variables
    if meaning is not None:
        _use(checker, meaning)
        return meaning.type
    asked, types, calls = checker.reporter.asked, len(frame.types), len(frame.calls)
    checker.remembering = True  # parts of this block need not be cached separately
    result = find()
    checker.remembering = False
    if checker.reporter.asked == asked:
        declared: dict[nodes.Node, Type] = {
            name: own for name in known.declared if (own := _type_of(checker, variables.get(name)))
        }
        if frame is checker.global_frame:
            found = Meaning(result, _last(frame.types, types), _last(frame.calls, calls), declared)
        else:
            found = Meaning(result, frame.types, frame.calls, declared)
        if not _keep(meanings, key, found, known.has_calls):
            known.identifiers = None  # the parts of this block are cached instead
    return result


def _type_of(checker: Checker, symbol: VariableSymbol | None) -> Type | None:
    """The type of a variable in the current frame, if it has one yet."""
    return None if symbol is None else checker.frame.locals.get(symbol) or symbol.type


def _key(checker: Checker, memory: Memory, names: Iterable[nodes.Name], place: object) -> Key:
    """The cache key of a piece of code: its context, and the types and constant values of its names."""
    variables, own = checker.bindings.variables, checker.frame.locals
    key: list[object] = [memory.context, checker.declaration_kind, checker.dynamic_requests, place]
    for name in names:
        symbol = variables.get(name)
        if symbol is None:
            key.append(None)
            continue
        type_ = own.get(symbol) or symbol.type
        key.append(type_)
        if type_ is None or type_.qualifier == CONST:
            key.append(_constant(checker, memory, symbol))
        declaration = symbol.declaration
        if isinstance(declaration, nodes.VariableDeclaration) and declaration.qualifier is not None:
            # It decides whether the variable may be assigned, and whether it has a history.
            key.append(declaration.qualifier)
    return tuple(key)


def _constant(checker: Checker, memory: Memory, symbol: VariableSymbol) -> object:
    """Return an object that identifies a constant's value: its tree, or `_COMPUTED` if other declarations decide the
    value."""
    value = symbol.value
    if value is None or symbol.kind != "variable" or symbol.reassignments:
        return _COMPUTED
    if type(value) is nodes.Literal:
        return value
    chunk = memory.chunks.get(symbol.offset)
    parts: Parts | None = None if chunk is None else chunk.parts.get(value)
    if parts is None or parts.identifiers is None or not parts.identifiers.isdisjoint(memory.declared):
        return _COMPUTED
    variables = checker.bindings.variables
    return _COMPUTED if any(name in variables for name in parts.names) else value


def _keep(meanings: dict[Key, Meaning], key: Key, found: Meaning, has_calls: bool) -> bool:
    """Cache a result, and return whether it was cached.

    It is not cached if another check with the same key could have another result: with types that the script declares,
    or with calls that read computed constants.
    """
    if has_calls and _COMPUTED in key:
        return False
    types = {*found.types.values(), *(type_ for type_ in key if isinstance(type_, Type))}
    if not all(_is_everywhere(type_.base) for type_ in types):
        return False
    if len(meanings) >= _MOST_MEANINGS:
        del meanings[next(iter(meanings))]
    meanings[key] = found
    return True


_Found = TypeVar("_Found")
_COMPUTED = object()
"""Stands for the value of a constant whose value other declarations decide."""
_STRUCTURES = frozenset(nodes.STRUCTURES)
_MOST_MEANINGS = 8
"""The largest number of cached meanings of one piece of code. Most code has one; the body of a function has one for
each combination of argument types."""
_EVERYWHERE = frozenset(("scalar", "na", "void", "object", "special", "handle", "unknown"))
"""Kinds of types that do not belong to a script."""


def _is_everywhere(base: Base) -> bool:
    """Whether a type means the same in every script."""
    kind = base.kind
    if kind in _EVERYWHERE:
        return True
    if kind in COLLECTIONS:
        return all(element.kind in _EVERYWHERE for element in base.arguments)
    return kind == "tuple" and all(_is_everywhere(item.base) for item in base.items)


def _last(entries: dict[nodes.Node, _Found], before: int) -> dict[nodes.Node, _Found]:
    """The entries after the first `before` entries."""
    count = len(entries) - before
    if not count:
        return {}
    return dict(list(islice(reversed(entries.items()), count))[::-1])
