"""Rule PB7001: names whose style differs from other names."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.patterns import lazy_pattern


class Naming(Rule):
    """A script writes most names in one style, such as `fastLength`, and this one in another style, such as
    `slow_length`. The rule also reports types that begin with a small letter, and names in neither style
    (`Slow_Length`, `SlowLength`).

    It does not report names of one word, constants in capitals, names with a leading underscore, or names of one word
    after a single letter and `_`, such as `f_mean`.

    Bad:

        //@version=6
        indicator("Example")
        fastAverage = ta.sma(close, 9)
        midAverage = ta.sma(close, 21)
        slow_average = ta.sma(close, 50)
        plot(fastAverage + midAverage + slow_average)

    Good:

        //@version=6
        indicator("Example")
        fastAverage = ta.sma(close, 9)
        midAverage = ta.sma(close, 21)
        slowAverage = ta.sma(close, 50)
        plot(fastAverage + midAverage + slowAverage)
    """

    code = "PB7001"

    def finish(self, context: RuleContext) -> Findings:
        """Report the names in the style that the script uses less often, and types that begin with a small letter."""
        names = [symbol.name_node for symbol in context.program.bindings.symbols]
        owners: dict[nodes.Name, nodes.Node] = {}
        for function in context.of(nodes.FunctionDeclaration):
            owners[function.name] = function
        for declared in context.of(nodes.TypeDeclaration):
            for field in declared.fields:
                owners[field.name] = declared
        names += owners
        told = [(name, owners.get(name), kind, wanted) for name, kind, wanted in _odd(names)]
        for declared in (*context.of(nodes.TypeDeclaration), *context.of(nodes.EnumDeclaration)):
            if declared.name.id[0].islower():
                told.append((declared.name, declared, "types", "PascalCase"))
        return [
            context.report(self.code, name, within=within, name=name.id, kind=kind, wanted=wanted)
            for name, within, kind, wanted in told
        ]


def _odd(names: list[nodes.Name]) -> list[tuple[nodes.Name, str, str]]:
    """The names in a less common style, each with the kind of names from which it differs and the expected style."""
    small, camels, others = _by_letters(names)
    neither = [name for name in others if _LIKE_NEITHER.fullmatch(name.id)]
    if not camels and not neither:
        return []
    snakes = [name for name in small if name.id.strip("_") == name.id and "__" not in name.id]
    is_camel = len(snakes) <= len(camels)
    snakes = [name for name in snakes if name.id[1] != "_" or name.id.count("_") > 1]  # not `i_length`
    fewer, more, wanted = (snakes, camels, "camelCase") if is_camel else (camels, snakes, "snake_case")
    told = fewer if len(fewer) < len(more) > len(others) else []
    return [*((name, "most names here", wanted) for name in told), *((name, "most names", wanted) for name in neither)]


def _by_letters(names: list[nodes.Name]) -> tuple[list[nodes.Name], list[nodes.Name], list[nodes.Name]]:
    """Three groups of names: those with several words in small letters, those such as `fastLength`, and those that
    begin with a capital or an underscore and are not all capitals."""
    small: list[nodes.Name] = []
    camels: list[nodes.Name] = []
    others: list[nodes.Name] = []
    for name in names:
        word = name.id
        if word.islower():
            if "_" in word:
                small.append(name)
        elif word[0].islower():
            if "_" not in word:
                camels.append(name)
        elif not word.isupper():
            others.append(name)
    return small, camels, others


_LIKE_NEITHER = lazy_pattern(r"[A-Z]+[a-z0-9]+(?:_[A-Za-z0-9]+)+|(?:[A-Z][a-z]+){2,}[0-9]*")
"""Names such as `Fast_Length` and `FastLength`."""
