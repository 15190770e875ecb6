"""Questions about runs of real scripts whose true answers are known, because each script was changed to cause them.

`questions(files, count)` changes strategies: a threshold that no price reaches, an average longer than the bars so far,
an order that the margin, pyramiding or a rule cannot accept, a limit out of range, and so on. `judged` asks a question
and says whether the answer names the cause.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pinebench.backtesting.backtest import BacktestRun, backtest
from pinebench.broker.trades import ClosedTrade
from pinebench.calendars.timeframes import timeframe
from pinebench.checker import FLOAT, Program, open_program
from pinebench.errors import PinebenchError
from pinebench.market import sample_bars, samples
from pinebench.runtime import Runtime
from pinebench.syntax import nodes
from pinebench.syntax.walk import parents_in, walk
from pinebench.why.order_life import order_life
from pinebench.why.why import why
from pinebench.workers.request import Request

_SAMPLE = samples.find("AAPL")
assert _SAMPLE is not None
SYMBOL = _SAMPLE.info("60")
BARS = sample_bars(_SAMPLE, timeframe("60"), 600)


class Question(NamedTuple):
    """A question about a script: about the order `order`, or about the value of `expression`, on a bar.

    `cause` is the expected cause of an order's life (empty for values), and `words` must be in the reasons.
    """

    kind: str
    file: str
    source: str
    bar: int
    order: str
    expression: str
    cause: str
    words: tuple[str, ...]


class Base(NamedTuple):
    """A strategy that trades on the bars, with one of its trades, whose entry has one call with a constant id."""

    file: str
    source: str
    program: Program
    tested: BacktestRun
    trade: ClosedTrade
    condition: nodes.Node | None
    """The condition of the innermost `if` around the call of the entry, or None."""

    @property
    def call_bar(self) -> int:
        """The bar on which the entry of the trade was called."""
        return self.trade.entry_bar - 1

    @property
    def held(self) -> int:
        """The last bar on which the trade is open when the script runs, or -1 if there is no such bar."""
        return self.trade.exit_bar - 1 if self.trade.exit_bar - 1 > self.trade.entry_bar else -1

    def flat(self) -> int:
        """A bar at whose close there is no position, and on the bars around it no order fills; -1 if there is none."""
        busy = {bar for trade in self.tested.trades for bar in range(trade.entry_bar - 2, trade.exit_bar + 2)}
        opened = min((trade.bar for trade in self.tested.open_trades), default=len(BARS)) - 3
        return next((bar for bar in range(50, min(opened, len(BARS) - 20)) if bar not in busy), -1)

    def changed(self, condition: str) -> str:
        """The source with the condition of the entry replaced; `{}` is the old one."""
        assert self.condition is not None
        span = self.program.span(self.condition)
        old = self.source[span.start : span.end]
        return self.source[: span.start] + condition.format(f"({old})") + self.source[span.end :]

    def ending(self, bar: int, *lines: str) -> str:
        """The source with lines at its end that run on one bar."""
        body = "".join(f"    {line}\n" for line in lines)
        return f"{self.source.rstrip()}\nif bar_index == {bar}\n{body}"

    def ask(self, kind: str, source: str, bar: int, order: str, cause: str, *words: str) -> Question:
        return Question(kind, self.file, source, bar, order, "", cause, words)


Maker = Callable[[Base], Question | None]


def _on_a_flat_bar(make: Callable[[Base, int], Question | None]) -> Maker:
    """A maker that gives `make` the bar `base.flat()`, and makes no question if there is none."""

    def made(base: Base) -> Question | None:
        bar = base.flat()
        return None if bar < 0 else make(base, bar)

    return made


def _never(base: Base) -> Question | None:
    if base.condition is None:
        return None
    source = base.changed("{} and close > 1000000")
    words = ("close > 1000000 is false", f"close is {BARS.close[base.call_bar]:.10g}")
    return base.ask("no signal: threshold", source, base.call_bar, base.trade.entry_id, "not-called", *words)


def _too_early(base: Base) -> Question | None:
    if base.condition is None:
        return None
    length = base.call_bar + 5
    source = base.changed(f"ta.sma(close, {length}) > 0 and {{}}")
    words = (f"ta.sma(close, {length}) is na until bar {length - 1}",)
    return base.ask("no signal: warm-up", source, base.call_bar, base.trade.entry_id, "not-called", *words)


def _otherwise(base: Base) -> Question | None:
    if base.condition is None:
        return None
    source = base.changed("not (volume >= 0) and {}")
    return base.ask(
        "no signal: negation", source, base.call_bar, base.trade.entry_id, "not-called", "not (volume >= 0) is false"
    )


@_on_a_flat_bar
def _margin(base: Base, bar: int) -> Question | None:
    if min(base.tested.properties.margin_long, base.tested.properties.margin_short) <= 0:
        return None
    side = "long" if base.trade.side > 0 else "short"
    source = base.ending(bar, f'strategy.entry("ZZ", strategy.{side}, 1000000000)')
    return base.ask("refused: margin", source, bar, "ZZ", "margin", "the margin", "1000000000 contracts")


@_on_a_flat_bar
def _quantity(base: Base, bar: int) -> Question | None:
    source = base.ending(bar, 'strategy.entry("ZZ", strategy.long, 0.00000001)')
    return base.ask("refused: quantity", source, bar, "ZZ", "quantity", "1e-08 is less than one lot")


def _pyramiding(base: Base) -> Question | None:
    if base.held < 0 or base.tested.properties.pyramiding > 1 or _is_scaled(base):
        return None
    side = "long" if base.trade.side > 0 else "short"
    source = base.ending(base.held, f'strategy.entry("ZZ", strategy.{side}, 1)')
    return base.ask("refused: pyramiding", source, base.held, "ZZ", "pyramiding", "1 of at most 1 entries")


@_on_a_flat_bar
def _direction(base: Base, bar: int) -> Question | None:
    side, other = ("long", "short") if base.trade.side > 0 else ("short", "long")
    # Without room for any position the strategy is flat on every bar; the direction is checked before the room.
    rules = f"strategy.risk.max_position_size(0)\nstrategy.risk.allow_entry_in(strategy.direction.{other})\n"
    source = f'{rules_at_end(base, rules)}if bar_index == {bar}\n    strategy.entry("ZZ", strategy.{side}, 1)\n'
    return base.ask("refused: direction", source, bar, "ZZ", "direction", f"not allow {side} entries")


@_on_a_flat_bar
def _position_limit(base: Base, bar: int) -> Question | None:
    rules = "strategy.risk.max_position_size(0)\n"
    source = f'{rules_at_end(base, rules)}if bar_index == {bar}\n    strategy.entry("ZZ", strategy.long, 1)\n'
    return base.ask("refused: position limit", source, bar, "ZZ", "position-limit", "strategy.risk.max_position_size")


def rules_at_end(base: Base, rules: str) -> str:
    """The source with risk rules after it."""
    return f"{base.source.rstrip()}\n{rules}"


@_on_a_flat_bar
def _limit(base: Base, bar: int) -> Question | None:
    source = base.ending(bar, 'strategy.order("ZZ", strategy.long, 1, limit = 0.5)')
    low = min(BARS.low[bar + 1 :])
    return base.ask("no fill: limit", source, bar, "ZZ", "waiting", f"low {low:.10g} > limit 0.5")


@_on_a_flat_bar
def _stop(base: Base, bar: int) -> Question | None:
    source = base.ending(bar, 'strategy.order("ZZ", strategy.long, 1, stop = 90000)')
    high = max(BARS.high[bar + 1 :])
    return base.ask("no fill: stop", source, bar, "ZZ", "waiting", f"high {high:.10g} < stop 90000")


@_on_a_flat_bar
def _canceled(base: Base, bar: int) -> Question | None:
    source = base.ending(bar, 'strategy.order("ZZ", strategy.long, 1, limit = 0.5)')
    source = f'{source}if bar_index == {bar + 3}\n    strategy.cancel("ZZ")\n'
    words = f"bar {bar + 3}: canceled by strategy.cancel on line {source.rstrip().count(chr(10)) + 1}"
    return base.ask("no fill: canceled", source, bar, "ZZ", "canceled", words)


@_on_a_flat_bar
def _replaced(base: Base, bar: int) -> Question | None:
    source = base.ending(bar, 'strategy.order("ZZ", strategy.long, 1, limit = 0.5)')
    source = f'{source}if bar_index == {bar + 2}\n    strategy.order("ZZ", strategy.long, 1, limit = 0.4)\n'
    return base.ask("no fill: replaced", source, bar, "ZZ", "replaced", f"bar {bar + 2}: replaced by strategy.order")


@_on_a_flat_bar
def _group(base: Base, bar: int) -> Question | None:
    group = 'oca_name = "zz", oca_type = strategy.oca.cancel'
    lines = (
        f'strategy.order("ZA", strategy.long, 1, {group})',
        f'strategy.order("ZZ", strategy.short, 1, limit = 90000, {group})',
    )
    when = bar if base.tested.properties.process_orders_on_close else bar + 1
    return base.ask(
        "no fill: OCA group", base.ending(bar, *lines), bar, "ZZ", "group", f"bar {when}: canceled, because"
    )


@_on_a_flat_bar
def _no_entry(base: Base, bar: int) -> Question | None:
    source = base.ending(bar, 'strategy.exit("ZZ", "No such entry", profit = 10)')
    return base.ask("no exit: its entry", source, bar, "ZZ", "no-entry", "the entry 'No such entry' has neither")


def _no_price(base: Base) -> Question | None:
    if base.held < 0:
        return None
    source = base.ending(base.held, f'strategy.exit("ZZ", "{base.trade.entry_id}", stop = close[5000])')
    return base.ask("no exit: no price", source, base.held, "ZZ", "no-price", "each of its price arguments is na")


@_on_a_flat_bar
def _no_position(base: Base, bar: int) -> Question | None:
    return base.ask(
        "no close: no position", base.ending(bar, 'strategy.close("ZZ")'), bar, "ZZ", "no-position", "no position"
    )


def _filled(base: Base) -> Question | None:
    trade = base.trade
    words = f"bar {trade.entry_bar}: {'bought' if trade.side > 0 else 'sold'}", f"at {trade.entry_price:.10g}"
    return base.ask("a fill", base.source, base.call_bar, trade.entry_id, "filled", *words)


def _is_scaled(base: Base) -> bool:
    """Whether another trade is open at the same time."""
    other = (one for one in base.tested.trades if one is not base.trade)
    return any(one.entry_bar <= base.held <= one.exit_bar for one in other)


def _divided(base: Base) -> Question | None:
    """A global variable of the script is divided by 0."""
    for name, value in _calls(base.program):
        span = base.program.span(value)
        old = base.source[span.start : span.end]
        source = f"{base.source[: span.start]}({old}) / (close - close){base.source[span.end :]}"
        if "\n" not in old and _runs(source):
            words = ("is na: close - close is 0",)
            return Question("na: division by 0", base.file, source, len(BARS) - 5, "", name, "", words)
    return None


def _short_of_bars(base: Base) -> Question | None:
    """A global variable of the script that is a call needs earlier bars; a plot of it says from which bar on it has a
    value."""
    for name, value in _calls(base.program):
        try:
            result = Runtime(open_program(f'{base.source.rstrip()}\nplot({name}, "zz")\n'), BARS, SYMBOL).run()
        except PinebenchError:
            continue
        values = [] if result.error is not None else result.plots[-1].values
        first = next((i for i, one in enumerate(values) if one is not None and one == one), -1)
        if first > 0:
            span = base.program.span(value)
            text = " ".join(base.source[span.start : span.end].split())
            words = (f"{text} is na until bar {first}",)
            return Question("na: warm-up", base.file, base.source, first - 1, "", name, "", words)
    return None


def _looks_too_far(base: Base) -> Question | None:
    """A condition of the script compares with a price from before the first bar."""
    if base.condition is None:
        return None
    back = base.call_bar + 7
    source = base.changed(f"close[{back}] > 0 and {{}}")
    words = (f"close[{back}] is na: its first value is on bar {back}",)
    return base.ask("no signal: before the first bar", source, base.call_bar, base.trade.entry_id, "not-called", *words)


_MAKERS: tuple[Maker, ...] = (
    _never,
    _too_early,
    _otherwise,
    _looks_too_far,
    _margin,
    _quantity,
    _pyramiding,
    _direction,
    _position_limit,
    _limit,
    _stop,
    _canceled,
    _replaced,
    _group,
    _no_entry,
    _no_price,
    _no_position,
    _filled,
    _divided,
    _short_of_bars,
)


def _calls(program: Program) -> Iterator[tuple[str, nodes.Node]]:
    """The global float variables of a script that are calls of `ta`, assigned once, with their values."""
    changed = {
        node.target.id
        for chunk in program.document.chunks
        for node in walk(chunk.body)
        if isinstance(node, nodes.Reassignment) and isinstance(node.target, nodes.Name)
    }
    for chunk in program.document.chunks:
        for node in chunk.body:
            if not isinstance(node, nodes.VariableDeclaration) or node.mode or node.name.id in changed:
                continue
            value, type_ = node.value, program.type_of(node.value)
            if not isinstance(value, nodes.Call) or type_ is None or type_.base is not FLOAT:
                continue
            callee = value.callee
            if isinstance(callee, nodes.Member) and isinstance(callee.object, nodes.Name) and callee.object.id == "ta":
                yield node.name.id, value


def _runs(source: str) -> bool:
    try:
        return backtest(open_program(source), BARS, SYMBOL).result.error is None
    except PinebenchError:
        return False


def bases(files: Iterable[Path]) -> Iterator[Base]:
    """The strategies that run on the bars and trade, each with a trade whose entry has one call."""
    for file in files:
        source = file.read_text(encoding="utf-8", errors="replace")
        if "strategy(" not in source or len(source) > 40_000:
            continue
        try:
            program = open_program(source)
            tested = backtest(program, BARS, SYMBOL)
        except PinebenchError:
            continue
        known = tested.properties
        if tested.result.error is not None or known.calc_on_order_fills:
            continue
        sites = _entries(program)
        for trade in tested.trades:
            call = sites.get(trade.entry_id, [])
            if len(call) == 1 and trade.entry_bar > 30 and not known.process_orders_on_close and _is_market(call[0]):
                yield Base(file.name, source, program, tested, trade, _condition(program, call[0]))
                break


def _entries(program: Program) -> dict[str, list[nodes.Call]]:
    """The calls of `strategy.entry` by their constant ids."""
    found: dict[str, list[nodes.Call]] = {}
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if not isinstance(node, nodes.Call) or not isinstance(node.callee, nodes.Member) or not node.arguments:
                continue
            if node.callee.name in ("entry", "order") and isinstance(node.callee.object, nodes.Name):
                first = node.arguments[0]
                value = first.value if isinstance(first, nodes.NamedArgument) else first
                is_constant, id = program.value_of(value)
                found.setdefault(str(id) if is_constant else "?", []).append(node)
    return found if "?" not in found else {}


def _is_market(call: nodes.Call) -> bool:
    names = {argument.name for argument in call.arguments if isinstance(argument, nodes.NamedArgument)}
    positional = sum(not isinstance(argument, nodes.NamedArgument) for argument in call.arguments)
    return not names & {"stop", "limit"} and positional <= 3


def _condition(program: Program, call: nodes.Call) -> nodes.Node | None:
    parents = parents_in(node for chunk in program.document.chunks for node in chunk.body)
    child, parent = call, parents.get(call)
    while parent is not None and not isinstance(parent, nodes.FunctionDeclaration | nodes.Switch):
        if isinstance(parent, nodes.If):
            return parent.condition if child in parent.body else None
        child, parent = parent, parents.get(parent)
    return None


def questions(files: Iterable[Path], count: int) -> list[Question]:
    """`count` questions, about as many of each kind; fewer if there are not enough strategies."""
    found: list[Question] = []
    of_kind: dict[int, int] = {}
    most = -(-count // len(_MAKERS)) + 1
    for base in bases(files):
        turn = 0
        for k in sorted(range(len(_MAKERS)), key=lambda one: of_kind.get(one, 0)):
            if turn == 4 or of_kind.get(k, 0) >= most:
                break
            question = _MAKERS[k](base)
            if question is not None and _runs(question.source):
                of_kind[k] = of_kind.get(k, 0) + 1
                found.append(question)
                turn += 1
        if len(found) >= count:
            break
    return found[:count]


def judged(question: Question) -> str:
    """Ask the question. Return what is wrong with the answer, or an empty text if it names the cause."""
    request = Request(question.source, BARS, SYMBOL)
    if question.order:
        life = order_life(request, question.order, question.bar)
        cause, reasons = life.cause, life.reasons
    else:
        told = why(request, question.expression, question.bar)
        cause, reasons = "", told.reasons
    said = "\n".join(reasons)
    if cause == question.cause and all(words in said for words in question.words):
        return ""
    asked = f"{question.kind}: {question.file} bar {question.bar}"
    return f"{asked}: expected {question.cause} {question.words}: {cause} {said}"
