"""Code actions of an editor: fix, hide or explain a finding, extract an expression, inline a variable, write a
type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pinebench.checker import COLLECTIONS, OBJECTS, SCALARS, Base, Program, VariableSymbol, open_changed, skippable
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from pinebench.errors import UsageError
from pinebench.linter.fixes import helps
from pinebench.linter.suggest import TrialBudget, advice_budget, fixes_for
from pinebench.records import NamedTuple
from pinebench.services.imports import corrected_imports
from pinebench.services.inlining import inlined
from pinebench.services.meaning import new_finding
from pinebench.services.names import path_at, uses
from pinebench.services.rename import rename
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.changes import document_after
from pinebench.syntax.document import is_same_form
from pinebench.syntax.edits import apply_edits
from pinebench.syntax.walk import walk

_DIRECTIVE = re.compile(r"//[ \t]*pinebench:[ \t]*ignore[ \t]*\[[^\]\r\n]*(?=\])", re.IGNORECASE)
_INDENT = re.compile(r"[ \t]*")


class Action(NamedTuple):
    """A code action with its `edits`, or with the `code` to explain.

    `kind` is fix, suppress, explain, extract, inline or rewrite. `preferred` marks a fix that is safe.
    """

    title: str
    kind: str
    edits: tuple[Edit, ...] = ()
    finding: Diagnostic | None = None
    preferred: bool = False
    code: str = ""


def actions(view: ScriptView, span: Span, findings: Sequence[Diagnostic]) -> list[Action]:
    """Return the code actions for `span`. `findings` are the findings that the editor shows for the script."""
    here = [each for each in findings if each.span.start <= span.end and each.span.end >= span.start]
    budget = advice_budget(view.text)
    found = [action for finding in here for action in _fixes(view, finding, budget)]
    found += [action for finding in here if finding.code == _UNUSED for action in _tidied(view, finding)]
    found += [Action(f"Import {path}", "fix", (edit,)) for path, edit in corrected_imports(view, span)]
    found += [action for finding in here for action in _suppressions(view, finding)]
    found += [Action(f"Explain {code}", "explain", code=code) for code in dict.fromkeys(each.code for each in here)]
    found += extractions(view, span)
    inline = inlined(view, span.start) if span.start == span.end else None
    found += [Action(f"Inline the variable {inline[0]}", "inline", tuple(inline[1]))] if inline is not None else []
    found += _types(view, span)
    return found


def _fixes(view: ScriptView, finding: Diagnostic, budget: TrialBudget) -> Iterator[Action]:
    """Yield the fixes of a finding. If several have the same title, yield only the best, because a user could not tell
    them apart."""
    titles = set[str]()
    for fix in fixes_of(view, finding, budget):
        title = fix.title[:1].upper() + fix.title[1:]
        if title not in titles:
            titles.add(title)
            yield Action(title, "fix", fix.edits, finding, preferred=fix.safe)


def fixes_of(view: ScriptView, finding: Diagnostic, budget: TrialBudget) -> tuple[Fix, ...]:
    """Return the fixes for `finding` that improve the script, among those that `budget` allows to try. If there are
    none, return the fix that `finding` itself carries, if it improves the script.

    The result is cached for this state of the script, unless the budget ended before all fixes were tried.
    """
    key = (finding.code, finding.span, finding.message)
    known = view.fixes.get(key)
    if known is not None:
        return known
    own = next((each for each in view.program.diagnostics if _same(each, finding)), None)
    tried = fixes_for(view.program, own, budget) if own is not None else []
    brought = [finding.fix] if not tried and finding.fix and _helps(view, finding, finding.fix, budget) else []
    found = tuple({fix.edits: fix for fix in reversed(tried or brought)}.values())[::-1]
    if not budget.ended:
        view.fixes[key] = found
    return found


def _helps(view: ScriptView, finding: Diagnostic, fix: Fix, budget: TrialBudget) -> bool:
    """Return whether `fix` changes the script and improves it. The fix of a rule is only parsed: the tests check the
    fixes of each rule, and a whole check for each of many findings would take seconds. Another fix is checked, as far
    as `budget` allows."""
    if apply_edits(view.text, fix.edits) == view.text:
        return False
    if finding.code in opinion_codes():
        after = document_after(view.snapshot, fix.edits)
        return len(after.diagnostics) <= len(view.snapshot.diagnostics)
    return budget.take(len(view.text)) and helps(view.program, finding, fix)


def _same(one: Diagnostic, other: Diagnostic) -> bool:
    return (one.code, one.span, one.message) == (other.code, other.span, other.message)


_UNUSED = "PB1001"


def _tidied(view: ScriptView, finding: Diagnostic) -> Iterator[Action]:
    """Yield the removal of an unused variable, and its renaming to a name that marks it as unused."""
    program = view.program
    symbols = (each for each in program.bindings.symbols if _place(each) == finding.span)
    symbol = next(symbols, None)
    if symbol is None:
        return
    edits = _removal(view, symbol)
    if edits and _is_sound(view, edits):
        yield Action(f"Remove the variable {symbol.name}", "fix", tuple(edits), finding)
    with suppress(UsageError):
        renaming = tuple(rename(view, finding.span.start, f"_{symbol.name}"))
        yield Action(f"Rename it to _{symbol.name}: not used on purpose", "fix", renaming, finding)


def _place(symbol: VariableSymbol) -> Span:
    return Span(symbol.offset + symbol.name_node.start, symbol.offset + symbol.name_node.end)


def _removal(view: ScriptView, symbol: VariableSymbol) -> list[Edit]:
    """Return the edits that remove a variable and its assignments, with their lines. Empty if one shares its lines with
    other code, or is the only statement of its block."""
    edits: list[Edit] = []
    for use in uses(view.program, symbol):
        chunk = view.snapshot.chunk_at(use.span.start)
        path = path_at(view.program, use.span.start)
        node = next(
            (each for each in path if isinstance(each, _ASSIGNING) and _names(each, use.span, chunk.start)), None
        )
        if node is None:
            continue
        block = _block_of(node, path, chunk.body)
        span = _whole_lines(view, Span(chunk.start + node.start, chunk.start + node.end))
        if span is None or (len(block) == 1 and block is not chunk.body):
            return []
        edits.append(Edit(span, ""))
    return edits


_ASSIGNING = (nodes.VariableDeclaration, nodes.Reassignment)


def _names(node: nodes.VariableDeclaration | nodes.Reassignment, span: Span, offset: int) -> bool:
    name = node.name if isinstance(node, nodes.VariableDeclaration) else node.target
    return (offset + name.start, offset + name.end) == tuple(span)


def _block_of(node: nodes.Node, path: list[nodes.Node], outermost: Sequence[nodes.Node]) -> Sequence[nodes.Node]:
    """Return the block of statements that contains `node`."""
    place = path.index(node)
    above = path[place - 1] if place else None
    blocks = (getattr(above, name, None) for name in ("body", "otherwise"))
    return next((each for each in blocks if isinstance(each, list) and node in each), outermost)


def _whole_lines(view: ScriptView, span: Span) -> Span | None:
    """The lines of a statement with their line breaks, or None if other code is on them."""
    lines, text = view.snapshot.lines, view.text
    start = lines.line_start(lines.position(span.start).line)
    last = lines.position(max(span.start, span.end - 1)).line
    end = lines.line_start(last + 1) if last < len(lines) else len(text)
    after = text[span.end : end].strip()
    if text[start : span.start].strip() or (after and not after.startswith("//")):
        return None
    return Span(start, end)


def _suppressions(view: ScriptView, finding: Diagnostic) -> Iterator[Action]:
    """Yield a comment that hides a finding on its line, unless the comment would change the code.

    An error is never hidden: TradingView would refuse a script that looks clean.
    """
    if finding.severity is Severity.ERROR:
        return
    edit = _hiding(view, finding)
    if is_same_form(document_after(view.snapshot, [edit]), view.snapshot):
        yield Action(f"Hide {finding.code} on this line", "suppress", (edit,), finding)


def _hiding(view: ScriptView, finding: Diagnostic) -> Edit:
    lines, text = view.snapshot.lines, view.text
    number = lines.position(finding.span.start).line
    start = lines.line_start(number)
    content = lines.line_text(number)
    known = _DIRECTIVE.search(content)
    if known is not None:
        return Edit(Span(start + known.end(), start + known.end()), f", {finding.code}")
    comment = f"// pinebench: ignore[{finding.code}]"
    if any(start <= each.start <= start + len(content) for each in view.snapshot.comments):
        indent = _INDENT.match(text, start)
        return Edit(Span(start, start), f"{indent.group() if indent else ''}{comment}{newline_of(text)}")
    end = start + len(content.rstrip())
    return Edit(Span(end, start + len(content)), f"  {comment}")


def newline_of(text: str) -> str:
    """Return the line break that `text` uses first."""
    found = re.search(r"\r\n|\r|\n", text)
    return found.group() if found else "\n"


# extract


TO_VARIABLE, TO_FUNCTION = "Extract into a variable", "Extract into a function"


def extractions(view: ScriptView, span: Span) -> Iterator[Action]:
    """Yield the actions that extract the selected expression: into a variable before its statement, and into a function
    before its top-level statement."""
    found = _selected(view, span)
    if found is None:
        return
    node, path = found
    chunk = view.snapshot.chunk_at(span.start)
    whole = Span(chunk.start + node.start, chunk.start + node.end)
    text = view.text[whole.start : whole.end]
    statement = next((each for each in reversed(path) if _is_statement(each, path)), path[0])
    program = view.program
    name = _new_name(program, "extracted")
    may_move = _may_move(program, node, path[path.index(statement) :])
    before = chunk.start + statement.start
    indent = view.text[view.snapshot.lines.line_start(view.snapshot.lines.position(before).line) : before]
    newline = newline_of(view.text)
    if may_move and not indent.strip() and "\n" not in text:
        edits = (Edit(Span(before, before), f"{name} = {text}{newline}{indent}"), Edit(whole, name))
        if _is_sound(view, edits):
            yield Action(TO_VARIABLE, "extract", edits)
    top = chunk.start + path[0].start
    inside = ", ".join(dict.fromkeys(_local_names(program, node)))
    declared = f"{name}({inside}) =>{newline}    {text}{newline}{newline}"
    edits = (Edit(Span(top, top), declared), Edit(whole, f"{name}({inside})"))
    if "\n" not in text and _is_sound(view, edits):
        yield Action(TO_FUNCTION, "extract", edits)


_NEVER_FAILS = (nodes.Literal, nodes.Name, nodes.Parenthesized, nodes.Unary, nodes.Binary, nodes.Ternary)
"""The nodes that cannot fail and keep no state, whatever the values of their parts. The operator `%` can fail."""


def _may_move(program: Program, node: nodes.Node, path: list[nodes.Node]) -> bool:
    """Return whether the expression `node` keeps its value if it is computed once, just before its statement. `path`
    begins with that statement. An expression that a loop computes again in each round must not move. A part that the
    statement can skip may only move if it can neither fail nor keep a value: an operand after `and`, an arm, the value
    of a `var`."""
    if any(isinstance(each, nodes.While | nodes.ForTo) and node in skippable([each]) for each in path):
        return False
    if not _may_come_first(program, node, path[0]):
        return False
    is_skipped = node in skippable(path[:1]) or getattr(path[0], "mode", None) is not None
    if is_skipped and not all(_never_fails(each) for each in walk(node)):
        return False
    return not (program.effects(node).keeps and program.may_be_skipped(node))


def _may_come_first(program: Program, node: nodes.Node, statement: nodes.Node) -> bool:
    """Return whether the expression `node` can be computed before the calls that precede it in its statement: these
    calls change nothing that it reads, and it changes nothing that they read."""
    calls = [each for each in walk(statement) if isinstance(each, nodes.Call) and each.end <= node.start]
    if not calls:
        return True
    return all(not (effects.changes or effects.mutates) for effects in map(program.effects, [node, *calls]))


def _never_fails(node: nodes.Node) -> bool:
    return isinstance(node, _NEVER_FAILS) and not (isinstance(node, nodes.Binary) and node.operator == "%")


def _selected(view: ScriptView, span: Span) -> tuple[nodes.Node, list[nodes.Node]] | None:
    """Return the expression that `span` selects, with the nodes around it. Return None for a name or another expression
    that is too short for a variable of its own."""
    text = view.text[span.start : span.end]
    start, end = span.start + len(text) - len(text.lstrip()), span.end - len(text) + len(text.rstrip())
    if start >= end:
        return None
    chunk = view.snapshot.chunk_at(start)
    path = path_at(view.program, start)
    node = next((n for n in path if (chunk.start + n.start, chunk.start + n.end) == (start, end)), None)
    node = node.expression if isinstance(node, nodes.ExpressionStatement) else node
    if node is None or not isinstance(node, _EXTRACTABLE):
        return None
    type_ = view.program.type_of(node)
    if type_ is None or type_.base.kind in ("void", "unknown"):
        return None
    return node, path


_EXTRACTABLE = (
    *(nodes.Call, nodes.Binary, nodes.Unary, nodes.Ternary, nodes.History, nodes.Parenthesized),
    *(nodes.Member, nodes.Literal),
)


def _is_statement(node: nodes.Node, path: list[nodes.Node]) -> bool:
    """Whether `node` is a statement in a block, so that a line can be inserted before it."""
    index = path.index(node)
    if index == 0:
        return True
    above = path[index - 1]
    blocks = (getattr(above, name, None) for name in ("body", "otherwise"))
    return not isinstance(above, nodes.Case) and any(isinstance(block, list) and node in block for block in blocks)


def _local_names(program: Program, node: nodes.Node) -> Iterator[str]:
    """Yield the local variables in an expression, which a global function cannot read."""
    for each in walk(node):
        symbol = program.symbol_of(each) if isinstance(each, nodes.Name) else None
        if isinstance(symbol, VariableSymbol) and symbol.scope.parent is not None:
            yield symbol.name


def _new_name(program: Program, stem: str) -> str:
    taken = {variable.name for variable in program.variables} | program.functions.keys()
    numbered = (f"{stem}{number}" for number in range(2, 10_000))
    return next(name for name in (stem, *numbered) if name not in taken)


def _is_sound(view: ScriptView, edits: Sequence[Edit]) -> bool:
    """Whether `edits` cause no new error or warning."""
    after = open_changed(view.program, document_after(view.snapshot, edits))
    if after.document.diagnostics and not view.snapshot.diagnostics:
        return False
    return new_finding(view.program, after, edits) is None


# types


def _types(view: ScriptView, span: Span) -> Iterator[Action]:
    """Yield the edit that writes the type of a variable, if it is declared without one."""
    chunk = view.snapshot.chunk_at(span.start)
    path = path_at(view.program, span.start)
    node = next((each for each in reversed(path) if isinstance(each, nodes.VariableDeclaration)), None)
    if node is None or node.type is not None or not node.name.start <= span.start - chunk.start <= node.name.end:
        return
    symbol = view.program.bindings.variables.get(node.name)
    type_ = view.program.declared_type(symbol) if symbol is not None else None
    name = _written(type_.base) if type_ is not None else None
    if name is None:
        return
    place = chunk.start + node.name.start
    edits = (Edit(Span(place, place), f"{name} "),)
    if _is_sound(view, edits):
        yield Action(f"Write the type {name}", "rewrite", edits)


def _written(base: Base) -> str | None:
    """The text of a type in a declaration, or None if the type cannot be written."""
    if base.name in SCALARS or base.name in OBJECTS or base.kind in ("udt", "enum"):
        return base.name
    if base.kind in COLLECTIONS and all(_written(each) for each in base.arguments):
        return base.name
    return None
