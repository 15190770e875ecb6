"""Rule PB1017: a constant that always stops the run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinebench.checker import VariableSymbol
from pinebench.codes.runtime_errors import stop_message
from pinebench.linter.rules.rule import Diagnostic, Edit, Findings, Fix, Rule, RuleContext, bare, nodes
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

_TIMEFRAME = {"timeframe": "timeframe"}
_TIME = {"timeframe": "timeframe", "session": "session", "timezone": "timezone"}
_ZONE = {"timezone": "timezone"}
_PATTERN = {"formatString": "pattern"}
READ: dict[str, dict[str, str]] = {
    **dict.fromkeys(("indicator", "request.security", "request.security_lower_tf"), _TIMEFRAME),
    **dict.fromkeys(("timeframe.change", "timeframe.in_seconds"), _TIMEFRAME),
    **dict.fromkeys(("time", "time_close"), _TIME),
    **dict.fromkeys(("year", "month", "weekofyear", "dayofmonth", "dayofweek", "hour", "minute", "second"), _ZONE),
    "timestamp": {"timezone": "timezone", "dateString": "date"},
    **dict.fromkeys(("str.format", "log.info", "log.warning", "log.error"), _PATTERN),
    "str.format_time": {"format": "time pattern", "timezone": "timezone"},
    "input.timeframe": {"defval": "timeframe"},
    "input.session": {"defval": "session"},
}
"""For each function, the parameters whose text must have a certain form, and the kind of the form."""
_SORTING = (
    *("array.sort", "array.sort_indices", "matrix.sort"),
    *("array.binary_search", "array.binary_search_leftmost", "array.binary_search_rightmost"),
)
_INPUTS = ("input", "input.string", "input.timeframe", "input.session")
_DEEPEST = 8
_PLACEHOLDER = lazy_pattern(r"\{(?!\s*\+?\d+\s*[,}])")
_TIMES = lazy_pattern(r"(\d{1,2}):?(\d\d)-(\d{1,2}):?(\d\d)(:[1-7]+)?", re.ASCII)


class _ConstantText(NamedTuple):
    """A constant text that a parameter may get. `node` is the part of the script that writes it, and `is_direct` says
    whether nothing else can read it there."""

    node: nodes.Node
    text: str
    is_direct: bool


class StoppingLiteral(Rule):
    """A constant timeframe, session, time zone, date, format, sort field or history offset is invalid, or the constant
    step of a loop is not greater than 0. TradingView compiles the script and stops it with an error on the first bar
    that uses the value. The rule also follows variables, `?:`, `switch`, parameters of functions, and the defaults and
    options of inputs to the constant.

    There is no unit for hours: four hours are `"240"`. A brace in the text of `str.format()` begins a placeholder. A
    brace that belongs to the text must be quoted: `'{'`.

    Bad:

        //@version=6
        indicator("Example")
        plot(request.security(syminfo.tickerid, "4H", close))

    Good:

        //@version=6
        indicator("Example")
        plot(request.security(syminfo.tickerid, "240", close))
    """

    code = "PB1017"
    calls = (*READ, *_SORTING)
    nodes = (nodes.History, nodes.ForTo)

    def finish(self, context: RuleContext) -> Findings:
        """Report each constant once, where it is written."""
        found: dict[nodes.Node, Diagnostic] = {}
        for name, kinds in READ.items():
            for call in context.calls(name):
                guarded = bool(context.conditions(call))
                for kind, given in self._arguments(context, call, name, kinds):
                    for written in _texts(context, given, _DEEPEST, guarded=guarded):
                        if written.node not in found:
                            found.update(self._judged(context, written, kind))
        for call in context.calls(*_SORTING):
            found.update(self._sort_field(context, call))
        for node in context.of(nodes.History):
            known, value = context.value(node.offset)
            if known and isinstance(value, int) and not isinstance(value, bool) and value < 0:
                stop = stop_message("RE10008", {"invalidBarsBack": value, "maxBarsBack": 10_000})
                found[node] = context.report(self.code, node.offset, within=node, stop=stop)
        for node in context.of(nodes.ForTo):
            found.update(self._step(context, node))
        return found.values()

    def _step(self, context: RuleContext, loop: nodes.ForTo) -> Iterator[tuple[nodes.Node, Diagnostic]]:
        """Report a step that is not greater than 0: a loop counts down by itself if its end is below its start."""
        known, value = context.value(loop.step) if loop.step is not None else (False, None)
        if loop.step is None or not known or not isinstance(value, (int, float)) or isinstance(value, bool):
            return
        if value <= 0:
            finding = context.report(self.code, loop.step, within=loop, stop=stop_message("RE10021", {}))
            yield loop.step, finding._replace(hint=_STEP)

    @staticmethod
    def _arguments(
        context: RuleContext, call: nodes.Call, name: str, kinds: dict[str, str]
    ) -> Iterator[tuple[str, nodes.Node]]:
        given = context.given(call)
        if name.startswith("log.") and len(given) < 2:
            return  # a message alone is not a pattern
        if name in _INPUTS and "options" in given:
            return  # the options may be names that the script translates
        for parameter, kind in kinds.items():
            if parameter in given:
                yield kind, given[parameter]

    def _judged(
        self, context: RuleContext, written: _ConstantText, kind: str
    ) -> Iterator[tuple[nodes.Node, Diagnostic]]:
        from pinebench.runtime import stopped_by  # imported here, because many scripts have no such text

        fault = stopped_by(kind, written.text)
        if fault is None:
            return
        within = written.node if not isinstance(written.node, nodes.Literal) else context.above(written.node)
        finding = context.report(
            self.code, written.node, _fix(context, written, kind), within=within, stop=fault.message
        )
        yield written.node, finding._replace(hint=_hint(written.text, kind))

    def _sort_field(self, context: RuleContext, call: nodes.Call) -> Iterator[tuple[nodes.Node, Diagnostic]]:
        """Report a sort field that the objects do not have."""
        collection, chosen = context.argument(call, "id"), context.argument(call, "sort_field")
        type_ = context.type(collection, within=call) if collection is not None and chosen is not None else None
        element = type_.base.arguments[0].symbol if type_ is not None and type_.base.arguments else None
        fields = getattr(element, "fields", None)
        if chosen is None or not fields:
            return
        known, value = context.value(chosen)
        is_there = value in fields if isinstance(value, str) else isinstance(value, int) and 0 <= value < len(fields)
        if known and value is not None and not is_there:
            stop = stop_message("sort-field", {"field": value})
            finding = context.report(self.code, chosen, within=call, stop=stop)
            yield chosen, finding._replace(hint=f"The fields are: {', '.join(f'`{name}`' for name in fields)}.")


def _texts(context: RuleContext, node: nodes.Node, depth: int, *, guarded: bool) -> Iterator[_ConstantText]:
    """Yield the constant texts that an expression can have, as far as they are written in the script.

    If the place is `guarded` by a condition, values of variables are left out: the condition may test for a name like
    "Chart" that is not passed on.
    """
    node = bare(node)
    if isinstance(node, nodes.Ternary):
        for branch in (node.then, node.otherwise):
            yield from _texts(context, branch, depth - 1, guarded=True)
    elif isinstance(node, nodes.Switch):
        for case in node.cases:
            if case.body and isinstance(last := case.body[-1], nodes.ExpressionStatement):
                yield from _texts(context, last.expression, depth - 1, guarded=True)
    elif (known := context.value(node))[0] and isinstance(known[1], str) and context.symbol(node) is None:
        yield _ConstantText(node, known[1], is_direct=depth == _DEEPEST)
    elif depth > 0 and not guarded:
        for value, is_guarded in _sources(context, node):
            yield from _texts(context, value, depth - 1, guarded=is_guarded)


def _sources(context: RuleContext, node: nodes.Node) -> Iterator[tuple[nodes.Node, bool]]:
    """Yield the values that a variable or an input can have, and whether each is guarded by a condition."""
    symbol = context.symbol(node)
    if symbol is not None:
        yield from _values(context, symbol)
    elif isinstance(node, nodes.Call) and context.called(node) in _INPUTS:
        given = context.given(node)
        options = given.get("options")
        chosen = options.items if isinstance(options, nodes.TupleExpression) else ()
        yield from ((value, False) for value in (*([given["defval"]] if "defval" in given else ()), *chosen))


def _values(context: RuleContext, symbol: VariableSymbol) -> Iterator[tuple[nodes.Node, bool]]:
    """Yield the value of a variable that is never reassigned, or the arguments that calls give to a parameter."""
    function = symbol.scope.function
    if symbol.reassignments:
        return
    if symbol.kind == "parameter" and function is not None:
        for call in context.call_sites.get(function, ()):
            given = context.argument(call, symbol.name)
            if given is not None:
                yield given, bool(context.conditions(call))
    elif symbol.kind == "variable" and symbol.value is not None:
        yield symbol.value, False


def _fix(context: RuleContext, written: _ConstantText, kind: str) -> Fix | None:
    """The correction of a literal, if its meaning is certain."""
    from pinebench.calendars.timeframes import meant
    from pinebench.runtime import stopped_by

    if not isinstance(written.node, nodes.Literal):
        return None
    source, text = written.node.text, written.text
    if kind == "timeframe" and meant(text):
        # A capital M is the unit of months, so minutes are not certain.
        is_certain = written.is_direct and not text.endswith("M")
        return _replaced(context, written, f"{source[0]}{meant(text)}{source[-1]}", is_certain)
    if kind == "session" and (times := _TIMES.fullmatch(text)):
        right = f"{int(times[1]):02d}{times[2]}-{int(times[3]):02d}{times[4]}{times[5] or ''}"
        if stopped_by(kind, right):
            return None
        return _replaced(context, written, f"{source[0]}{right}{source[-1]}", written.is_direct)
    if kind == "pattern" and "'" not in text and "{{" not in text and source[:3] not in ('"""', "'''"):
        quoted = r"\'{\'" if source[0] == "'" else "'{'"
        right = _PLACEHOLDER.sub(lambda _: quoted, source)
        if stopped_by(kind, _PLACEHOLDER.sub("'{'", text)):
            return None
        return _replaced(context, written, right, written.is_direct)
    return None


def _replaced(context: RuleContext, written: _ConstantText, right: str, safe: bool) -> Fix:
    above = context.above(written.node)
    return Fix(f"write {right}", (Edit(context.span(written.node, above), right),), safe)


def _hint(text: str, kind: str) -> str | None:
    from pinebench.calendars.timeframes import meant

    if kind == "timeframe" and meant(text):
        return f'Did you mean `"{meant(text)}"`?'
    if kind == "pattern":
        return "`{0}` is the first value; quote a brace that is text, `'{'`, or join the texts with `+`."
    return _FORMS.get(kind)


_STEP = "The loop counts down by itself if its end is below its start; the step has no sign."
_FORMS = {
    "timeframe": "Timeframes look like `15`, `240`, `1D`, `1W`, `1M` or `30S`; there is no unit for hours.",
    "session": "Sessions look like `0930-1600` or `0930-1600:23456`, with four digits for each time.",
    "timezone": "Time zones look like `America/New_York`, `UTC` or `GMT+5:30`.",
    "date": "Runs here read `20 Feb 2020 09:30 +0100` and `2020-02-20T09:30+01:00`; TradingView may read other forms.",
    "time pattern": "Letters are parts of the date, as in `yyyy-MM-dd HH:mm`; quote other letters: `'at'`.",
}
