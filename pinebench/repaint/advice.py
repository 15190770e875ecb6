"""Advises how to rewrite code that repaints. Each rewrite is first checked, and run on the same bars.

A rewrite is only recommended if the changed script has no errors and no longer has the finding. If no rewrite achieves
this, the advice says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pinebench.checker import Program, open_changed, read_script
from pinebench.diagnostics import Edit, Severity, Span
from pinebench.repaint.causes import Cause, Causes, Suspect
from pinebench.syntax import nodes
from pinebench.syntax.edits import Shift, apply_edits
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import walk

MOST_TRIALS = 12
"""The largest number of changed scripts that are run for one check."""
_LONGEST = 120
"""The largest number of characters of code that an advice quotes."""
_AHEAD = "barmerge.lookahead_on"


class RepaintRewrite(NamedTuple):
    """One way to change a script: a description, and the edits of its text."""

    words: str
    edits: tuple[Edit, ...]


class RepaintFinding(NamedTuple):
    """A finding with its suspects, which are possible causes.

    `key` (whether it repaints, its output, title and part) and the line of its call identify it in every version of the
    script. `line` and `place` are the line and the offset of the call. `more` are further suspects, which are used if
    the first suspects do not explain the finding.
    """

    key: tuple[str, str, str, str]
    line: int
    place: int
    suspects: tuple[Suspect, ...]
    more: tuple[Suspect, ...] = ()


Found = set[tuple[str, str, str, str, int]]
"""The keys of findings, each with the line of its call."""
Trial = Callable[[Program], "Found | None"]
"""Runs a changed script and returns its findings; None if the time limit is reached."""


class Advisor:
    """Tries rewrites of one script."""

    def __init__(self, causes: Causes, trial: Trial) -> None:
        self._causes = causes
        self._program = causes.program
        self._trial = trial
        self._trials = 0
        self._rewrites: dict[Suspect, list[RepaintRewrite]] = {}
        self._found: dict[frozenset[Edit], Found | None] = {}

    def advise(self, blamed: Sequence[RepaintFinding]) -> list[tuple[Cause, ...]]:
        """Return the causes of each finding, with advice that was tested. The first trial fixes all findings together,
        which is enough for most scripts."""
        chosen = [self._first_choices(each.suspects) for each in blamed]
        together = [rewrite for choice in chosen if choice is not None for rewrite in choice]
        found = self._result(together) if together else None
        answers: list[tuple[Cause, ...]] = []
        for each, choice in zip(blamed, chosen, strict=True):
            if choice is not None and found is not None and not self._is_found(each, found, together):
                answers.append(_told(each.suspects, choice))
            else:
                answers.append(self._alone(each))
        return answers

    def _alone(self, each: RepaintFinding) -> tuple[Cause, ...]:
        """The causes of one finding. Its rewrites are tried without the rewrites of other findings."""
        if not each.suspects:
            return ()
        tried = False
        for suspects in (each.suspects, (*each.suspects, *each.more)) if each.more else (each.suspects,):
            for choice in self._choices(suspects):
                found = self._result(choice)
                if found is not None and not self._is_found(each, found, choice):
                    return _told(suspects, choice)
                tried = tried or found is not None
        return tuple(_untold(suspect, self._words(suspect), tried=tried) for suspect in each.suspects)

    def _choices(self, suspects: Sequence[Suspect]) -> Iterator[tuple[RepaintRewrite, ...]]:
        """Yield combinations that rewrite all suspects: the first rewrite of each suspect, then the second, and so
        on."""
        all_ways = [self._ways(suspect) for suspect in suspects]
        if not all(all_ways):
            return
        for number in range(max(map(len, all_ways))):
            yield tuple(ways[min(number, len(ways) - 1)] for ways in all_ways)

    def _first_choices(self, suspects: Sequence[Suspect]) -> tuple[RepaintRewrite, ...] | None:
        return next(self._choices(suspects), None) if suspects else None

    def _ways(self, suspect: Suspect) -> list[RepaintRewrite]:
        """The rewrites of a suspect after which the script has no errors."""
        if suspect not in self._rewrites:
            self._rewrites[suspect] = [
                way for way in rewrites(self._causes, suspect) if self._changed([way]) is not None
            ]
        return self._rewrites[suspect]

    def _words(self, suspect: Suspect) -> str:
        ways = self._ways(suspect)
        return ways[0].words if ways else ""

    def _result(self, choice: Sequence[RepaintRewrite]) -> Found | None:
        """The findings in the script after some rewrites; None if they are not known."""
        edits = frozenset(edit for rewrite in choice for edit in rewrite.edits)
        if edits not in self._found:
            if self._trials >= MOST_TRIALS:
                return None
            program = self._changed(choice)
            self._trials += program is not None
            self._found[edits] = None if program is None else self._trial(program)
        return self._found[edits]

    def _changed(self, choice: Iterable[RepaintRewrite]) -> Program | None:
        """The script after some rewrites; None if they overlap or cause an error."""
        edits = _together(choice)
        if edits is None:
            return None
        text = apply_edits(self._program.document.text, edits)
        program = open_changed(self._program, read_script(text))
        return None if any(found.severity is Severity.ERROR for found in program.diagnostics) else program

    def _is_found(self, each: RepaintFinding, found: Found, choice: Sequence[RepaintRewrite]) -> bool:
        """Whether a finding still exists after some rewrites, which may have moved its line."""
        edits = _together(choice) or ()
        text = apply_edits(self._program.document.text, edits)
        line = text.count("\n", 0, Shift(edits).after(each.place)) + 1
        return (*each.key, line) in found or (*each.key, each.line) in found


def _told(suspects: Sequence[Suspect], choice: Sequence[RepaintRewrite]) -> tuple[Cause, ...]:
    return tuple(
        Cause(suspect.name, suspect.line, suspect.what, way.words)
        for suspect, way in zip(suspects, choice, strict=True)
    )


def _untold(suspect: Suspect, words: str, *, tried: bool) -> Cause:
    """Return a cause for which no rewrite works (`tried`), or for which no rewrite could be tried. `words` explains
    which."""
    if not words:
        instead = "there is no known rewrite that compiles"
    elif tried:
        instead = "no rewrite that was tried here keeps it from repainting"
    else:
        instead = f"not tried on the bars: {words}"
    return Cause(suspect.name, suspect.line, suspect.what, instead)


def _together(choice: Iterable[RepaintRewrite]) -> tuple[Edit, ...] | None:
    """The edits of several rewrites in text order, without duplicates; None if they overlap."""
    edits = sorted(dict.fromkeys(edit for rewrite in choice for edit in rewrite.edits), key=lambda edit: edit.span)
    for before, after in pairwise(edits):
        if after.span.start < before.span.end:
            return None
    return tuple(edits)


# rewrites


def rewrites(causes: Causes, suspect: Suspect) -> Iterator[RepaintRewrite]:
    """Yield the rewrites of a suspect that may avoid repainting, best first."""
    if suspect.name in _IN_PLACE:
        for words, text in _IN_PLACE[suspect.name]:
            yield RepaintRewrite(words, tuple(Edit(_span(causes, node), text) for node in suspect.nodes))
    elif suspect.name.startswith("varip "):
        yield RepaintRewrite("declare it with var", tuple(_varip(causes, node) for node in suspect.nodes))
    elif suspect.name == "alert":
        yield from _of_alert(causes, suspect)
    elif suspect.name == "calc_on_every_tick":
        yield RepaintRewrite("leave it out", tuple(Edit(_span(causes, node), "false") for node in suspect.nodes))
    elif suspect.name == "offset":
        yield RepaintRewrite("leave the offset out", tuple(Edit(_span(causes, node), "0") for node in suspect.nodes))
    elif suspect.name in _NEW_DRAWINGS:
        yield from _of_drawing(causes, suspect)
    else:
        yield from _of_requests(causes, suspect)


_DATE = 'timestamp("2024-01-01")'
_EVERY_BAR = ("leave this condition out, or show it in a table", "true")
_CONFIRMED = ("use barstate.isconfirmed, which history and live bars share", "barstate.isconfirmed")
_TIME = ("use time", "time")
_IN_PLACE: dict[str, list[tuple[str, str]]] = {
    "last_bar_index": [("count from the first bar: use bar_index", "bar_index")],
    "last_bar_time": [(f"write a date in its place, such as {_DATE}", _DATE)],
    "barstate.islast": [_EVERY_BAR],
    "barstate.islastconfirmedhistory": [_EVERY_BAR],
    "chart.right_visible_bar_time": [_TIME],
    "chart.left_visible_bar_time": [_TIME],
    "timenow": [("use time_close", "time_close"), _TIME],
    "barstate.isrealtime": [_CONFIRMED],
    "barstate.ishistory": [_CONFIRMED],
    "barstate.isnew": [_CONFIRMED],
}
"""By built-in variable: the rewrites, each as a description and the text that replaces the variable."""
_NEW_DRAWINGS = {
    "label": "label.new(bar_index, close)",
    "line": "line.new(bar_index, close, bar_index + 1, close)",
    "box": "box.new(bar_index, high, bar_index + 1, low)",
    "polyline": "polyline.new(array.from(chart.point.now(close), chart.point.now(open)))",
}


def _span(causes: Causes, node: Node) -> Span:
    start = causes.start(node)
    return Span(start, start + node.end - node.start)


def _text(causes: Causes, node: Node) -> str:
    span = _span(causes, node)
    return causes.program.document.text[span.start : span.end]


def _varip(causes: Causes, node: Node) -> Edit:
    span = _span(causes, node)
    start = causes.program.document.text.index("varip", span.start, span.end)
    return Edit(Span(start, start + len("varip")), "var")


def _of_alert(causes: Causes, suspect: Suspect) -> Iterator[RepaintRewrite]:
    once = "alert.freq_once_per_bar_close"
    edits: list[Edit] = []
    for node in suspect.nodes:
        given = causes.arguments(node).get("freq")
        edits.append(_named(causes, node, "freq", once) if given is None else Edit(_span(causes, given), once))
    yield RepaintRewrite(f"give it freq = {once}", tuple(edits))


def _of_drawing(causes: Causes, suspect: Suspect) -> Iterator[RepaintRewrite]:
    kind = suspect.name
    # Other effects of the call would be lost, such as removing the drawing from an array.
    acts = any(isinstance(each, nodes.Call) for node in suspect.nodes for each in causes.within(_parts(node)))
    if suspect.nodes and not acts:
        edits = (Edit(_span(causes, node), _NEW_DRAWINGS[kind]) for node in suspect.nodes)
        yield RepaintRewrite(f"draw a new {kind} here with {kind}.new() and leave the old one", tuple(edits))


def _parts(call: Node) -> list[Node]:
    assert isinstance(call, nodes.Call)
    return [call.callee, *call.arguments]


def _named(causes: Causes, call: Node, name: str, value: str) -> Edit:
    """The edit that adds a named argument to a call."""
    end = _span(causes, call).end - 1
    return Edit(Span(end, end), f", {name} = {value}")


# requests


def _of_requests(causes: Causes, suspect: Suspect) -> Iterator[RepaintRewrite]:
    """Yield rewrites that request the previous bar with lookahead: its values were known when the chart's bar began."""
    calls = [node for node in suspect.nodes if isinstance(node, nodes.Call)]
    for write in (_lagged, _through_a_function):
        ways = [write(causes, call) for call in calls]
        known = [way for way in ways if way is not None]
        if known and len(known) == len(ways):
            words = "; ".join(dict.fromkeys(way.words for way in known))
            yield RepaintRewrite(words, tuple(edit for way in known for edit in way.edits))


def _lagged(causes: Causes, call: nodes.Call) -> RepaintRewrite | None:
    """Rewrite the requested expression with an offset: `expression[1]`. None if there is no expression."""
    asked = causes.arguments(call).get("expression")
    if asked is None:
        return None
    if isinstance(asked, nodes.TupleExpression):
        text = f"[{', '.join(_of_bar_before(causes, item) for item in asked.items)}]"
    else:
        text = _of_bar_before(causes, asked)
    return _ahead(causes, call, asked, text, "")


def _of_bar_before(causes: Causes, node: Node) -> str:
    text = " ".join(_text(causes, node).split()) if "//" not in _text(causes, node) else _text(causes, node)
    if isinstance(node, nodes.Literal):
        return text
    return (
        f"{text}[1]"
        if isinstance(node, nodes.Name | nodes.Call | nodes.Member | nodes.Parenthesized)
        else f"({text})[1]"
    )


def _through_a_function(causes: Causes, call: nodes.Call) -> RepaintRewrite | None:
    """Rewrite with a new function that returns the previous value of each item of a tuple.

    None if the requested expression is not a tuple.
    """
    asked = causes.arguments(call).get("expression")
    type_ = causes.program.type_of(asked) if asked is not None else None
    if asked is None or type_ is None or type_.base.kind != "tuple":
        return None
    taken = {node.id for node in walk(causes.statements) if isinstance(node, nodes.Name)}
    function = _free("before", taken)
    names = [_free(f"value{number}", taken) for number in range(1, len(type_.base.items) + 1)]
    parameters = causes.local_names(asked)
    header = f"{function}({', '.join(parameters)})"
    first, second = f"[{', '.join(names)}] = {_text(causes, asked)}", f"[{', '.join(f'{name}[1]' for name in names)}]"
    place = causes.start(causes.outermost(call))
    declared = Edit(Span(place, place), f"{header} =>\n    {first}\n    {second}\n")
    words = f"declare {header} => with the lines '{first}' and '{second}', and "
    made = _ahead(causes, call, asked, header, words)
    return made._replace(edits=(declared, *made.edits))


def _ahead(causes: Causes, call: nodes.Call, asked: Node, text: str, words: str) -> RepaintRewrite:
    """The rewrite that requests `text` instead of the expression `asked`, with lookahead."""
    edits = [Edit(_span(causes, asked), text)]
    given = causes.arguments(call).get("lookahead")
    shown = text if len(text) <= _LONGEST and "\n" not in text else "the value of the previous bar"
    if given is None:
        edits.append(_named(causes, call, "lookahead", _AHEAD))
    elif " ".join(_text(causes, given).split()) != _AHEAD:
        edits.append(Edit(_span(causes, given), _AHEAD))
    return RepaintRewrite(f"{words}request {shown} with lookahead = {_AHEAD}", tuple(edits))


def _free(name: str, taken: set[str]) -> str:
    """Return `name`, or `name` with a number at its end if the script already has that name."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found
