"""Rule PB8004: a library whose title cannot be part of an import."""

from __future__ import annotations

import re

from pinebench.linter.rules.rule import Findings, Rule, RuleContext

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class LibraryTitle(Rule):
    """The title of a library is its name in `import USER/TITLE/VERSION`. It must not contain spaces or special
    characters, and must not begin with a digit.

    Bad:

        //@version=6
        // @description Averages.
        library("3Averages")
        // @function Doubles a value.
        // @param source The value.
        export twice(float source) => source * 2

    Good:

        //@version=6
        // @description Averages.
        library("MyAverages")
        // @function Doubles a value.
        // @param source The value.
        export twice(float source) => source * 2
    """

    code = "PB8004"
    calls = ("library",)

    def finish(self, context: RuleContext) -> Findings:
        """Report a title that cannot be a name."""
        declaration = context.program.declaration
        if declaration is None or declaration.name != "library":
            return
        title = next((each for each in declaration.call.arguments if each.parameter == "title"), None)
        if title is None or title.node is None or not title.is_constant or not isinstance(title.value, str):
            return
        if not _NAME.match(title.value):
            yield context.report(self.code, title.node, title=title.value)
