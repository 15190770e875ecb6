"""Lark's analysis of the grammar, written down as a Python module. This and `lark_engine` are what imports Lark.

It is also run as a script by the package build: `python -m pinebench.syntax.generate OUTPUT`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from pinebench.syntax import tables


class NoLexer(Lexer):
    """Stands where Lark wants a lexer while only the tables are needed."""

    def __init__(self, _configuration: Any) -> None: ...

    def lex(self, _data: Any) -> Iterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return iter(())


def analyse(grammar: str, lexer: type[Lexer] = NoLexer, **options: Any) -> Lark:
    """Lark's strict LALR(1) parser for `grammar`; raises lark.exceptions.GrammarError on any conflict."""
    return Lark(
        grammar, parser="lalr", lexer=lexer, strict=True, keep_all_tokens=True, maybe_placeholders=False, **options
    )


def module_text(grammar: str) -> str:
    """The source of the module that holds the tables of `grammar`."""
    lark = analyse(grammar)
    table: Any = lark.parser.parser._parse_table  # pyright: ignore[reportAttributeAccessIssue]
    numbers = {state: number for number, state in enumerate(table.states)}
    rules = {str(rule.origin.name) for rule in lark.rules}
    states: list[tables.State] = []
    gotos: dict[str, dict[int, int]] = {rule: {} for rule in sorted(rules)}
    for state, actions in table.states.items():
        row: tables.State = {}
        for symbol, (action, argument) in actions.items():
            if action is not Shift:
                row[str(symbol)] = (len(argument.expansion), str(argument.origin.name), str(argument.alias or ""))
            elif symbol in rules:
                gotos[str(symbol)][numbers[state]] = numbers[argument]
            else:
                row[str(symbol)] = numbers[argument]
        states.append(row)
    return "\n".join(
        (
            '"""LALR(1) tables made by Lark from grammars/pine.lark; do not edit."""',
            f"GRAMMAR_HASH = {tables.grammar_hash(grammar)!r}",
            f"START = {numbers[table.start_states['start']]}",
            f"END = {numbers[table.end_states['start']]}",
            "STATES = [",
            *(f"    {row!r}," for row in states),
            "]",
            "GOTOS = {",
            *(f"    {rule!r}: {row!r}," for rule, row in gotos.items()),
            "}",
            "",
        )
    )


def main(arguments: list[str]) -> int:
    """Write the tables of the packaged grammar to the file named by the only argument."""
    grammar = tables.grammar_path().read_text(encoding="utf-8")
    if not tables.write_atomically(Path(arguments[0]), module_text(grammar)):
        print(f"cannot write {arguments[0]}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
