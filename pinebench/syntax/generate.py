"""Writes Lark's analysis of the grammar as a Python module. Only this module and `lark_engine` import Lark."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from pinebench.syntax.grammar import Reduction, grammar_hash


class NoLexer(Lexer):
    """A placeholder for Lark's lexer, which is not needed to make the tables."""

    def __init__(self, _configuration: Any) -> None: ...

    def lex(self, _data: Any) -> Iterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return iter(())


def analyse(grammar: str, lexer: type[Lexer] = NoLexer, **options: Any) -> Lark:
    """Return Lark's strict LALR(1) parser for `grammar`. Raises lark.exceptions.GrammarError on any conflict."""
    return Lark(
        grammar, parser="lalr", lexer=lexer, strict=True, keep_all_tokens=True, maybe_placeholders=False, **options
    )


def module_text(grammar: str) -> str:
    """Return the source text of the module that holds the tables of `grammar`."""
    lark = analyse(grammar)
    engine: Any = lark.parser
    table: Any = engine.parser._parse_table
    rules = {str(rule.origin.name) for rule in lark.rules}
    numbers = _numbers(table)
    reductions: dict[Reduction, int] = {}
    gotos: dict[str, list[tuple[int, int]]] = {rule: [] for rule in sorted(rules)}
    states: list[tuple[tuple[str, ...], tuple[int, ...]]] = []
    for state, number in numbers.items():
        row: dict[str, int] = {}
        for symbol, (action, argument) in sorted(table.states[state].items(), key=itemgetter(0)):
            if action is not Shift:
                reduction = (len(argument.expansion), str(argument.origin.name), str(argument.alias or ""))
                row[str(symbol)] = -1 - reductions.setdefault(reduction, len(reductions))
            elif symbol in rules:
                gotos[str(symbol)].append((number, numbers[argument]))
            else:
                row[str(symbol)] = numbers[argument]
        states.append((tuple(row), tuple(row.values())))
    return "\n".join(
        (
            '"""LALR(1) tables made by Lark from pinebench/grammars/pine.lark; do not edit."""',
            "# pyright: reportUnknownVariableType=false",
            f"GRAMMAR_HASH = {grammar_hash(grammar)!r}",
            f"START = {numbers[table.start_states['start']]}",
            f"END = {numbers[table.end_states['start']]}",
            f"REDUCTIONS = {tuple(reductions)!r}",
            "STATES = (",
            *(f"    {row!r}," for row in states),
            ")",
            "GOTOS = (",
            *(f"    {(rule, *zip(*jumps, strict=True))!r}," for rule, jumps in gotos.items() if jumps),
            ")",
            "",
        )
    )


def _numbers(table: Any) -> dict[Any, int]:
    """A number for each state, in the order in which the states are reached. Lark's own order differs between runs."""
    start = table.start_states["start"]
    numbers = {start: 0}
    waiting = [start]
    for state in waiting:
        for _, (action, argument) in sorted(table.states[state].items(), key=itemgetter(0)):
            if action is Shift and argument not in numbers:
                numbers[argument] = len(numbers)
                waiting.append(argument)
    return numbers
