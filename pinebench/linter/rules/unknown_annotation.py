"""Rule PB8002: an annotation for a parameter or field that does not exist."""

from __future__ import annotations

from pinebench.linter.rules.annotations import Export, annotations_above, exports, part_word
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class UnknownAnnotation(Rule):
    """An annotation of an export names a parameter or field that the export does not have. It was probably renamed, and
    the published description shows the old name.

    Bad:

        //@version=6
        // @description Averages.
        library("Averages")
        // @function Doubles a value.
        // @param value The value.
        export twice(float source) => source * 2

    Good:

        //@version=6
        // @description Averages.
        library("Averages")
        // @function Doubles a value.
        // @param source The value.
        export twice(float source) => source * 2
    """

    code = "PB8002"
    calls = ("library",)

    def finish(self, context: RuleContext) -> Findings:
        """Report each annotation for a name that the export below it does not have."""
        for node in exports(context):
            known = _names(node)
            for each in annotations_above(context, context.offset(node) + node.start):
                if each.word == part_word(node) and each.name not in known:
                    annotation = f"{each.word} {each.name}".strip()
                    yield context.report(self.code, each.span, annotation=annotation, name=node.name.id)


def _names(node: Export) -> set[str]:
    parts = node.parameters if isinstance(node, nodes.FunctionDeclaration) else node.fields
    return {each.name.id for each in parts}
