"""Makes projects of real scripts: their types, enums, methods and functions move into two libraries, where they can."""

from collections.abc import Iterable, Iterator

from pinebench.checker import EnumSymbol, FunctionSymbol, Program, TypeSymbol, VariableSymbol, open_program
from pinebench.diagnostics import Severity, Span
from pinebench.projects.declarations import Declaration, statements
from pinebench.syntax import nodes

_Moved = FunctionSymbol | TypeSymbol | EnumSymbol
BASE, TOOLS = "base_lib", "tools_lib"


def split(text: str) -> dict[str, str] | None:
    """The files of a project that does what the script `text` does; None if nothing of it can be moved."""
    program = open_program(text)
    if program.document.version != 6 or any(each.severity is Severity.ERROR for each in program.diagnostics):
        return None
    is_library = program.declaration is not None and program.declaration.name == "library"
    if is_library or program.imports or any(word in text for word in (BASE, TOOLS)):
        return None
    splitting = _Splitting(program)
    return splitting.files() if splitting.homes else None


class _Splitting:
    """The division of one script."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.document = program.document
        self.symbols = dict(self._declared())
        self.homes: dict[_Moved, str] = {}
        """The library of each declaration that moves."""
        for symbol in self.symbols.values():
            if self._can_move(symbol, set()):
                self._move(symbol, BASE if not isinstance(symbol, FunctionSymbol) or symbol.is_method else TOOLS)

    def _declared(self) -> Iterator[tuple[nodes.Statement, _Moved]]:
        bindings = self.program.bindings
        for statement in statements(self.program):
            node = statement.node
            if isinstance(node, nodes.FunctionDeclaration):
                yield node, bindings.function_of[node]
            elif isinstance(node, nodes.TypeDeclaration):
                yield node, bindings.types[node.name.id]
            elif isinstance(node, nodes.EnumDeclaration):
                yield node, bindings.enums[node.name.id]

    def _needs(self, symbol: _Moved) -> list[object]:
        """Everything that a declaration names: what the script declares, and built-ins."""
        start = symbol.offset + symbol.node.start
        span = Span(start, symbol.offset + symbol.node.end)
        return [each for each in self.program.named if any(_within(use, span) for use in self._uses(each))]

    def _uses(self, symbol: object) -> list[Span]:
        return self.program.references(symbol)  # pyright: ignore[reportArgumentType]

    def _can_move(self, symbol: _Moved, asked: set[_Moved]) -> bool:
        if symbol in asked or symbol in self.homes:
            return True
        asked.add(symbol)
        if isinstance(symbol, FunctionSymbol):
            if any(each.declared.type is None for each in symbol.parameters):
                return False
            group = self.program.functions[symbol.name]
            if not all(self._can_move(other, asked) for other in group):
                return False
        for each in self._needs(symbol):
            if isinstance(each, VariableSymbol) and each.scope is self.program.bindings.global_scope:
                return False
            if isinstance(each, str) and each.split(".")[0] in ("plot", "input", "strategy", "request"):
                return False
            if isinstance(each, _Moved) and not self._can_move(each, asked):
                return False
        return True

    def _move(self, symbol: _Moved, home: str) -> None:
        """Move a declaration, and to the first library all that it needs there."""
        if self.homes.get(symbol) in (BASE, home):
            return
        self.homes[symbol] = home
        if isinstance(symbol, FunctionSymbol):
            for other in self.program.functions[symbol.name]:
                self._move(other, home)
        for each in self._needs(symbol):
            if isinstance(each, _Moved):
                self._move(each, BASE if not isinstance(each, FunctionSymbol) else home)

    def files(self) -> dict[str, str]:
        """The script and its libraries."""
        kept: list[str] = []
        parts: dict[str, list[str]] = {BASE: [], TOOLS: []}
        at = 0
        imports = "".join(f"import me/{home}/1 as {home}\n" for home in (BASE, TOOLS) if home in self.homes.values())
        is_first = True
        for statement in statements(self.program):
            symbol = self.symbols.get(statement.node)
            if symbol in self.homes:
                home = self.homes[symbol]
                kept.append(self._text(Span(at, statement.start), ""))
                parts[home].append(f"export {self._text(Span(statement.start, statement.end), home)}\n")
                at = statement.end
            elif is_first and not self._is_declaration(statement):
                kept.append(self._text(Span(at, statement.start), ""))
                at, is_first = statement.start, False
                kept.append(imports)
        kept.append(self._text(Span(at, len(self.document.text)), ""))
        main = "".join(kept)
        if is_first:
            main += f"\n{imports}"
        found = {"main.pine": main if not is_first else ""}
        for home, texts in parts.items():
            own = f"import me/{BASE}/1 as {BASE}\n" if home == TOOLS and parts[BASE] else ""
            found[f"libs/me/{home}.pine"] = f'//@version=6\nlibrary("{home}")\n{own}' + "\n".join(texts)
        return found

    def _is_declaration(self, statement: Declaration) -> bool:
        node, declaration = statement.node, self.program.declaration
        called = node.expression if isinstance(node, nodes.ExpressionStatement) else None
        return (declaration is not None and called is declaration.node) or statement.node in self.symbols

    def _text(self, span: Span, home: str) -> str:
        """The text of a span in a library or the script, with aliases before the names of other libraries."""
        places: dict[int, str] = {}
        for symbol, its in self.homes.items():
            if its != home:
                places.update((use.start, its) for use in self._uses(symbol) if _within(use, span))
        text, at, written = self.document.text, span.start, ""
        for start in sorted(places):
            if text[start - 1] != ".":
                written += f"{text[at:start]}{places[start]}."
                at = start
        return written + text[at : span.end]


def _within(use: Span, span: Span) -> bool:
    return span.start <= use.start < span.end


def splits(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The name, the text and the project of each script that can be divided and has no errors then."""
    for name, text in texts:
        files = split(text)
        if files is not None and files["main.pine"]:
            yield name, text, files
