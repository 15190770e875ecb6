"""Blocks are told by places: each statement of every script is found in its own block, at its own number."""

from collections.abc import Sequence
from pathlib import Path

from pinebench.checker import open_program
from pinebench.linter.rules import RuleContext
from pinebench.linter.rules.code_blocks import block_of, blocks
from pinebench.syntax import nodes
from pinebench.syntax.walk import children, walk
from tests.cli.compare.fakes import scripts
from tests.tables import each

SHAPES = (Path(__file__).parent / "shapes.pine").read_text(encoding="utf-8")


@each("text", [SHAPES, *scripts().values()])
def test_each_statement_is_found_in_its_block(text: str) -> None:
    context = RuleContext(open_program(text))
    found: list[tuple[nodes.Node | None, Sequence[nodes.Node]]] = [(None, context.statements)]
    for node in walk(context.statements):
        in_blocks = [each for block in blocks(node) for each in block]
        found += [(node, block) for block in blocks(node)]
        outside = [child for child in children(node) if not any(child is each for each in in_blocks)]
        assert all(block_of(node, child) is None for child in outside)
    for above, block in found:
        for number, statement in enumerate(block):
            assert above is None or block_of(above, statement) is block
            assert context.block(statement) is block
            assert context.place(statement) == (block, number)
            assert context.statement(statement) is statement
