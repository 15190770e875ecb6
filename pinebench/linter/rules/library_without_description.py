"""Rule PB8003: a library without a description."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class LibraryWithoutDescription(Rule):
    """A library has no `@description` comment, with which TradingView begins the description of a published library.

    Bad:

        //@version=6
        library("Averages")
        // @function Doubles a value.
        // @param source The value.
        export twice(float source) => source * 2

    Good:

        //@version=6
        // @description Averages of prices.
        library("Averages")
        // @function Doubles a value.
        // @param source The value.
        export twice(float source) => source * 2
    """

    code = "PB8003"
    calls = ("library",)

    def finish(self, context: RuleContext) -> Findings:
        """Report the declaration of a library without a description."""
        document = context.program.document
        comments = (document.text[start:end].lstrip("/").lstrip() for start, end in document.comments)
        if any(comment.startswith("@description") for comment in comments):
            return
        declaration = context.program.declaration
        if declaration is not None and declaration.name == "library" and isinstance(declaration.node, nodes.Call):
            yield context.report(self.code, declaration.node)
