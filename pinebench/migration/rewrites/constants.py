"""Numbers and bools that v6 refuses in place of built-in constants, such as `style = 5` for `plot.style_columns`."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.linter.suggest.candidate import dotted
from pinebench.migration.remarks import RemarkKind
from pinebench.migration.rewrites.rewrite import RewriteChange, rewrite
from pinebench.migration.script import OldScript, value_of
from pinebench.syntax import nodes
from pinebench.syntax.edits import removing, replacing

_PAIRS = {
    "gaps": (3, "barmerge.gaps_on", "barmerge.gaps_off"),
    "lookahead": (4, "barmerge.lookahead_on", "barmerge.lookahead_off"),
}
"""Parameters of `request.security()` with their positions, and the constants for true and false."""
_PLOTS = {
    "0": "line",
    "1": "histogram",
    "3": "cross",
    "4": "area",
    "5": "columns",
    "6": "circles",
    "7": "linebr",
    "8": "areabr",
    "9": "stepline",
}
"""The styles of plots by the numbers that TradingView's charting library gives them. It has no 2."""
_STYLES = (("plot", "style", 4, _PLOTS), ("hline", "linestyle", 3, {"0": "solid", "1": "dotted", "2": "dashed"}))
"""The styles of plots and levels by their numbers."""
_PLAIN = (
    ("hline", "linestyle", 3, "plot.style_line", "hline.style_solid"),
    ("plot", "style", 4, "hline.style_solid", "plot.style_line"),
)
_SESSIONS = ("time", "time_close")


@rewrite(newest=4)
def merging(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `lookahead = true` to `lookahead = barmerge.lookahead_on`."""
    for call in script.called("request.security"):
        for name, (place, on, off) in _PAIRS.items():
            yield from _instead(script, script.argument(call, name, place), on, off)


@rewrite(newest=4)
def styles(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `style = 5` to `style = plot.style_columns`."""
    for function, name, place, meanings in _STYLES:
        for call in script.called(function):
            style = script.argument(call, name, place)
            value = value_of(style) if style is not None else None
            if isinstance(value, nodes.Literal) and value.text in meanings:
                meant = f"{function}.style_{meanings[value.text]}"
                yield RewriteChange(value, f"the style {value.text} is `{meant}`", replacing(value, meant))


@rewrite(newest=4)
def plain_lines(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `hline(0, linestyle = plot.style_line)` and `plot(x, style = hline.style_solid)`: both were style 0."""
    for function, name, place, given, meant in _PLAIN:
        for call in script.called(function):
            style = script.argument(call, name, place)
            if style is not None and dotted(value_of(style)) == given:
                yield RewriteChange(
                    style, f"the style of `{given}` is `{meant}` here", replacing(value_of(style), meant)
                )


@rewrite(newest=4)
def directions(script: OldScript) -> Iterator[RewriteChange]:
    """Rewrite `strategy.entry("L", true)` to `strategy.entry("L", strategy.long)`."""
    for call in script.called("strategy.entry", "strategy.order"):
        yield from _instead(script, script.argument(call, "direction", 1), "strategy.long", "strategy.short")


def _instead(script: OldScript, argument: nodes.Node | None, on: str, off: str) -> Iterator[RewriteChange]:
    if argument is None:
        return
    value = value_of(argument)
    if isinstance(value, nodes.Literal) and value.kind in ("bool", "int"):
        meant = off if value.text in ("false", "0") else on
        yield RewriteChange(value, f"`{value.text}` meant `{meant}`", replacing(value, meant))
    elif script.base_of(value) == "bool":
        text = script.line_of(value)
        if text is not None:
            meant = f"({text}) ? {on} : {off}" if isinstance(value, nodes.Ternary) else f"{text} ? {on} : {off}"
            told = f"true meant `{on}`, and false meant `{off}`"
            yield RewriteChange(value, told, replacing(value, meant))


@rewrite(newest=4)
def closing(script: OldScript) -> Iterator[RewriteChange]:
    """Remove the condition in `strategy.close("S", strategy.long)`: the constant for the direction was always true."""
    for call in script.called("strategy.close"):
        second = script.argument(call, "when", 1)
        if second is not None and script.line_of(value_of(second)) == "strategy.long":
            yield RewriteChange(second, "`strategy.long` was used as a condition and was always true", removing(second))


@rewrite(newest=4)
def sessions(script: OldScript) -> Iterator[RewriteChange]:
    """Add days to a session without days: it meant Monday to Friday, and in v6 it means every day."""
    for call in script.called(*_SESSIONS):
        session = script.argument(call, "session", 1)
        value = value_of(session) if session is not None else None
        if isinstance(value, nodes.Literal) and value.kind == "string" and _is_session(value.text[1:-1]):
            text = f"{value.text[:-1]}:23456{value.text[-1]}"
            yield RewriteChange(value, "a session without days meant Monday to Friday", replacing(value, text))


@rewrite(newest=4, last=True)
def other_sessions(script: OldScript) -> Iterator[RewriteChange]:
    """Remark on a session that is not a literal and may have no days."""
    for call in script.called(*_SESSIONS):
        session = script.argument(call, "session", 1)
        if session is not None and not isinstance(value_of(session), nodes.Literal):
            yield RewriteChange(
                session, "a session without days now means every day, not Monday to Friday", kind=RemarkKind.DIFFERS
            )


def _is_session(text: str) -> bool:
    hours = text.split(",")
    return bool(text) and ":" not in text and all(len(part) == 9 and part[4] == "-" for part in hours)
