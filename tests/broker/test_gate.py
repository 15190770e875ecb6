"""Which bars a broker has to see: those on which something can happen, and no other."""

import ast
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from pinebench.broker import book
from pinebench.broker.emulator import Broker
from tests.broker.desk import PLAIN, Bar, bars_of, both, long, short

Step = Callable[[Broker], object]
QUIET: Bar = (10, 11, 9, 10)


def leave(**given: Any) -> Step:
    return lambda broker: broker.calls.exit(id="X", from_entry="L", **given)


def gate_after(step: Step, bars: int) -> tuple[float, float]:
    """The gate on the last of some quiet bars, after a step on the first."""
    broker = Broker(replace(PLAIN, initial_capital=1000.0), bars_of([QUIET] * (bars + 1)), tick=0.01, lot=1)
    for i in range(bars + 1):
        broker.before_bar(i)
        if i == 0:
            step(broker)
    return broker.gate.above, broker.gate.below


FAR = float("inf")
WAITING: list[tuple[Step, int, tuple[float, float]]] = [
    (lambda _: None, 1, (FAR, -FAR)),
    (long(stop=12), 1, (12, -FAR)),
    (long(limit=8), 1, (FAR, 8)),
    (short(stop=8), 1, (FAR, 8)),
    (both(long("A", stop=13), short("B", stop=7), long("C", stop=12)), 1, (12, 7)),
    (both(long("A", stop=13), lambda b: b.calls.cancel(id="A")), 1, (FAR, -FAR)),
    (long(stop=14, limit=13), 1, (14, -FAR)),
    (both(long(), leave(limit=15, stop=5)), 2, (15, 5)),
    (both(long(), leave(trail_points=300, trail_offset=100)), 2, (13, -FAR)),
    (short(qty=50), 2, (15, -FAR)),
]


@pytest.mark.parametrize(("step", "bars", "gate"), WAITING)
def test_only_prices_at_which_something_waits_need_the_broker(step: Step, bars: int, gate: tuple[float, float]) -> None:
    assert gate_after(step, bars) == gate


def test_a_bar_after_a_call_is_let_through_whatever_its_prices() -> None:
    broker = Broker(PLAIN, bars_of([QUIET] * 3), tick=0.01)
    broker.before_bar(0)
    assert broker.gate.above == FAR
    long()(broker)
    assert broker.gate.above == -FAR


def test_the_bar_after_a_fill_needs_the_broker_only_if_its_prices_can_do_something() -> None:
    broker = Broker(replace(PLAIN, initial_capital=1000.0), bars_of([QUIET] * 3), tick=0.01, lot=1)
    broker.before_bar(0)
    both(long(), leave(limit=15, stop=5))(broker)
    broker.before_bar(1)
    assert broker.position.size == 1
    assert (broker.gate.above, broker.gate.below) == (15, 5)


def test_a_market_order_lets_bars_through_until_it_is_canceled() -> None:
    broker = Broker(PLAIN, bars_of([QUIET] * 3), tick=0.01)
    broker.before_bar(0)
    long("A")(broker)
    assert broker.gate.is_known and (broker.gate.above, broker.gate.highest) == (-FAR, -FAR)
    broker.calls.cancel(id="A")
    broker.before_bar(1)
    assert (broker.gate.above, broker.gate.below) == (FAR, -FAR)


def test_an_exit_that_is_called_again_as_it_was_leaves_the_gate_as_it_is() -> None:
    broker = Broker(replace(PLAIN, initial_capital=1000.0), bars_of([QUIET] * 4), tick=0.01, lot=1)
    broker.before_bar(0)
    both(long(), leave(limit=15, stop=5))(broker)
    for i in (1, 2):
        broker.before_bar(i)
        leave(limit=15, stop=5)(broker)
    assert (broker.gate.above, broker.gate.below) == (15, 5)
    leave(limit=15, stop=6)(broker)
    assert broker.gate.above == -FAR


def test_an_exit_whose_prices_are_still_na_is_called_as_it_was() -> None:
    """An na that was computed anew is no other argument: the exit goes on, and covers the entries before the call."""
    broker = Broker(replace(PLAIN, initial_capital=1000.0), bars_of([QUIET] * 4), tick=0.01, lot=1)
    broker.before_bar(0)
    both(long(), leave(limit=15, stop=float("nan")))(broker)
    before = broker.book.exits[0]
    for i in (1, 2):
        broker.before_bar(i)
        leave(limit=15, stop=float("nan"))(broker)
    assert broker.book.exits == [before]
    assert broker.gate.above == 15


def test_rules_and_rates_and_other_prices_than_the_chart_s_need_every_bar() -> None:
    rows = [QUIET] * 2
    ruled = Broker(PLAIN, bars_of(rows), tick=0.01)
    ruled.calls.risk_max_intraday_filled_orders(count=5)
    rated = Broker(PLAIN, bars_of(rows), tick=0.01, rates=[1.0, 2.0])
    standard = Broker(PLAIN, bars_of(rows), tick=0.01, are_charts=False)
    for broker in (ruled, rated, standard):
        broker.before_bar(0)
        assert broker.gate.above == -FAR


def test_a_rule_about_equity_goes_through_the_bars_that_may_reach_it() -> None:
    """100 of 10,000 are lost where 100 contracts have fallen by one."""
    rows: list[Bar] = [QUIET, (10, 10.5, 9.5, 10), (10, 10.5, 9.5, 10), (10, 10.5, 8.5, 10), QUIET]
    broker = Broker(replace(PLAIN, initial_capital=10_000.0), bars_of(rows), tick=0.01)
    seen: list[int] = []
    walk = broker._walk  # pyright: ignore[reportPrivateUsage]
    broker._walk = lambda i: (seen.append(i), walk(i))[1]  # pyright: ignore[reportPrivateUsage]
    for i in range(len(rows)):
        broker.before_bar(i)
        broker.calls.risk_max_drawdown(value=100, type="cash")
        if i == 0:
            long(qty=100)(broker)
        broker.after_bar(i)
    assert seen == [1, 3]
    assert [(one.exit_bar, one.exit_price) for one in broker.position.closed] == [(3, 10)]


def test_what_is_closed_at_an_open_that_is_the_close_too_went_no_further() -> None:
    rows: list[Bar] = [QUIET, (10, 12, 8, 10)]
    broker = Broker(PLAIN, bars_of(rows), tick=0.01)
    broker.calls.risk_max_intraday_filled_orders(count=1)
    for i in range(2):
        broker.before_bar(i)
        if i == 0:
            long()(broker)
    one = broker.position.closed[0]
    assert (one.entry_price, one.exit_price, one.run_up, one.drawdown) == (10, 10, 0, 0)


LISTS = {"orders", "exits", "legs"}
CHANGES = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
LEAVES = ast.Return | ast.Raise | ast.Break | ast.Continue


def hidden_changes(block: list[ast.stmt], later: frozenset[str] = frozenset()) -> Iterator[str]:
    """The changes of a book's lists in a block that no `_changed` follows on the way out of it, except in `__init__`.

    `later` are the lists whose changes are told after the block, and `every` stands for all lists. A change may be told
    only if the list is longer or shorter than before. The order of the legs is no change for the gate.
    """
    for k, statement in enumerate(block):
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            if statement.name != "__init__":
                yield from hidden_changes(statement.body)
            continue
        told = told_by(block[k + 1 :], later)
        inner = [each for name in ("body", "orelse", "finalbody") for each in [getattr(statement, name, [])] if each]
        for each in inner:
            yield from hidden_changes(each, told)
        parts = list(ast.iter_child_nodes(statement)) if inner else [statement]
        for part in parts:
            if not inner or isinstance(part, ast.expr):
                yield from (ast.unparse(part) for changed in changes_in(part) if not {changed, "every"} & told)


def told_by(block: list[ast.stmt], later: frozenset[str]) -> frozenset[str]:
    """The lists whose changes a block tells, and `later` if it is not left before its end."""
    told: set[str] = set()
    for statement in block:
        if is_told(statement):
            told.add("every")
        elif isinstance(statement, ast.If) and any(map(is_told, statement.body)):
            told |= {ast.unparse(each.args[0]) for each in ast.walk(statement.test) if is_length(each)}
        elif isinstance(statement, LEAVES):
            return frozenset(told)
    return later | told


def is_told(node: ast.AST) -> bool:
    """Whether a statement tells the book's own gate of a change."""
    return isinstance(node, ast.Expr) and ast.unparse(node) == "self._changed()"


def is_length(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"


def changes_in(tree: ast.AST) -> Iterator[str]:
    """The lists of a book that a statement or an expression changes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
            targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
            yield from filter(None, map(list_of, targets))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
            changed = list_of(node.func.value)
            if changed and (node.func.attr, changed) != ("sort", "self.legs"):
                yield changed


def list_of(node: ast.expr) -> str:
    """The list of a book that `node` is, or that it is an item of; empty for others."""
    if isinstance(node, ast.Subscript):
        return list_of(node.value)
    return ast.unparse(node) if isinstance(node, ast.Attribute) and node.attr in LISTS else ""


HIDDEN = {
    "never": "self.orders.append(order)",
    "another's list": "self._book.legs = []",
    "an item": "del self.exits[0]",
    "told before": "self._changed()\nself.orders = []",
    "told after a return": "self.orders = []\nif not self.legs:\n    return\nself.legs = []\nreturn\nself._changed()",
    "told in another branch": "if order:\n    self.orders = []\nelse:\n    self._changed()",
    "told if another list is shorter": "self.orders = []\nif len(self.legs) < before:\n    self._changed()",
    "left before it is told": "if order:\n    self.orders = []\n    return\nself._changed()",
}


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_a_change_that_is_not_told_is_seen(body: str) -> None:
    assert list(hidden_changes(ast.parse(f"def put(self, order):\n{textwrap.indent(body, '    ')}").body))


def test_no_change_of_the_book_is_hidden_from_the_gate() -> None:
    for path in Path(book.__file__).parent.glob("*.py"):
        assert list(hidden_changes(ast.parse(path.read_text(encoding="utf-8")).body)) == [], path.name
