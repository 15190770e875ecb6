"""Rule PB8001: an export of a library without annotations."""

from __future__ import annotations

from pinebench.linter.rules.annotations import annotations_above, exports, own_word, part_names, part_word
from pinebench.linter.rules.rule import Findings, Rule, RuleContext


class UndocumentedExport(Rule):
    """An export of a library has no annotation above it, or one of its parameters or fields has none. TradingView
    builds the description of a published library from the annotations, and its editor shows them to users.

    Bad:

        //@version=6
        // @description Averages.
        library("Averages")
        export twice(float source) => source * 2

    Good:

        //@version=6
        // @description Averages.
        library("Averages")
        // @function Doubles a value.
        // @param source The value.
        // @returns Twice the value.
        export twice(float source) => source * 2
    """

    code = "PB8001"
    calls = ("library",)

    def finish(self, context: RuleContext) -> Findings:
        """Report each export and each parameter or field that no annotation describes."""
        for node in exports(context):
            found = annotations_above(context, context.offset(node) + node.start)
            if all(each.word != own_word(node) for each in found):
                yield context.report(self.code, node.name, annotation=own_word(node), name=node.name.id)
            described = {each.name for each in found if each.word == part_word(node)}
            for name in part_names(node):
                if name not in described:
                    annotation = f"{part_word(node)} {name}"
                    yield context.report(self.code, node.name, annotation=annotation, name=node.name.id)
