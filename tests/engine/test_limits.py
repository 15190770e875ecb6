"""No order brings an account over the limits of its owner, whatever its price says and whatever else is open."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pinebench.engine.engine import TradingEngine
from pinebench.engine.risk import RiskLimits
from pinebench.errors import UsageError
from tests.engine.markets import FREE, closes, engine_of, play

LIMITS = RiskLimits(order_value=20_000, position_value=50_000, orders_a_minute=None)
RICH = FREE.__class__(capital=1e9, commission=0.0, slippage=0)


def worth(engine: TradingEngine) -> float:
    """The value of the position at the newest price."""
    return sum(each.quantity * (engine.price(each.symbol) or 0.0) for each in engine.paper.accounts.positions("anna"))


def _again_after_cancelling(engine: TradingEngine) -> None:
    """What was cancelled makes room; what fills meanwhile does not."""
    for _ in range(4):
        ids = [engine.place_order("anna", "BTCUSDT", "buy", 190) for _ in range(3)]
        engine.paper.cancel("anna", ids[0])


def _under_one_name(engine: TradingEngine) -> None:
    for quantity in (900, 190, 190, 190):
        for name in ("same", "SAME", "same "):
            with contextlib.suppress(UsageError):  # a name belongs to one order
                engine.place_order("anna", "BTCUSDT", "buy", quantity, client_id=name)


def _turning_around(engine: TradingEngine) -> None:
    """Each order turns the position that the one before would make, so that no sum of one side tells it."""
    for side in ("buy", "sell", "sell", "buy", "sell", "sell", "sell", "sell"):
        engine.place_order("anna", "BTCUSDT", side, 190)


def _by_brackets(engine: TradingEngine) -> None:
    for _ in range(6):
        engine.place_order("anna", "BTCUSDT", "buy", 190, take_profit=100.01, stop_loss=99.99)


def _beside_the_market(engine: TradingEngine) -> None:
    engine.place_order("anna", "BTCUSDT", "buy", 190)
    for type, price in ((LIMIT, 100), (STOP, 100), (LIMIT, 500)):
        engine.place_order("anna", "BTCUSDT", "buy", 190, type, price)


def _by_a_strategy(engine: TradingEngine) -> None:
    source = """//@version=6
strategy("S", pyramiding = 9, default_qty_type = strategy.fixed, default_qty_value = 300)
strategy.entry("long " + str.tostring(bar_index), strategy.long)
"""
    for _ in range(2):
        engine.trade("anna", "BTCUSDT", None, source, {})


ONE, LIMIT, STOP = "BTCUSDT", "limit", "stop"
WAYS: dict[str, tuple[Callable[[TradingEngine], object], tuple[float, ...]]] = {
    "a limit far below the market": (lambda engine: engine.place_order("anna", ONE, "sell", 900, LIMIT, 0.01), ()),
    "a stop far below the market": (lambda engine: engine.place_order("anna", ONE, "buy", 900, STOP, 0.01), ()),
    "many before the next price": (lambda engine: [engine.place_order("anna", ONE, "buy", 190) for _ in range(5)], ()),
    "many that rest": (
        lambda engine: [engine.place_order("anna", ONE, "buy", 190, LIMIT, 99.99) for _ in range(5)],
        (),
    ),
    "many stops that rest": (
        lambda engine: [engine.place_order("anna", ONE, "sell", 190, STOP, 99.99) for _ in range(5)],
        (),
    ),
    "a stop that a gap passes": (
        lambda engine: engine.place_order("anna", ONE, "buy", 190, STOP, 101),
        (100, 300, 300),
    ),
    "many stops that a gap passes": (
        lambda engine: [engine.place_order("anna", ONE, "buy", 100, STOP, 101 + at) for at in range(5)],
        (100, 300, 300),
    ),
    "a limit that a gap passes": (
        lambda engine: [engine.place_order("anna", ONE, "sell", 190, LIMIT, 101 + at) for at in range(4)],
        (100, 290, 290),
    ),
    "the name in other letters": (
        lambda engine: [engine.place_order("anna", name, "buy", 190) for name in (ONE, "btcusdt", "BtcUsdt") * 2],
        (),
    ),
    "many small ones": (lambda engine: [engine.place_order("anna", ONE, "buy", 19.5) for _ in range(60)], ()),
    "orders that are cancelled": (_again_after_cancelling, ()),
    "orders of one name": (_under_one_name, ()),
    "turning around": (_turning_around, ()),
    "brackets": (_by_brackets, ()),
    "resting beside the market": (_beside_the_market, ()),
    "a strategy": (_by_a_strategy, ()),
}
"""Ways to hold more than the limits allow: what the user does, and the closes that follow."""


def test_no_way_around_the_limits(tmp_path: Path) -> None:
    for number, (name, (place, prices)) in enumerate(WAYS.items()):
        bars = closes(100, *(prices or (100, 99.9, 100, 100)))
        engine = engine_of(str(tmp_path / str(number)), bars.at([0]), terms=RICH, limits=LIMITS)
        place(engine)
        for at in range(1, len(bars)):
            play(engine, bars, at, at + 1)
            assert worth(engine) <= 50_000, name
        reasons = {each.get("reason", "") for each in engine.orders("anna")}
        assert any("risk limit" in reason for reason in reasons), (name, reasons)
        engine.close()


def test_the_price_of_the_fill_counts(tmp_path: Path) -> None:
    """The order was worth 19,900 when it was taken; at the next price it is worth 39,800."""
    bars = closes(100, 200)
    engine = engine_of(str(tmp_path), bars.at([0]), terms=RICH, limits=LIMITS)
    engine.place_order("anna", "BTCUSDT", "buy", 199)
    play(engine, bars, 1)
    (order,) = engine.orders("anna")
    assert order["state"] == "Cancelled" and "risk limit" in order["reason"]
    engine.close()


def test_what_closes_a_position_is_not_limited(tmp_path: Path) -> None:
    bars = closes(100, 100, 300, 300, 300)
    engine = engine_of(str(tmp_path), bars.at([0]), terms=RICH, limits=LIMITS)
    engine.place_order("anna", "BTCUSDT", "buy", 190, take_profit=400, stop_loss=50)
    play(engine, bars, 1, 3)
    engine.place_order("anna", "BTCUSDT", "sell", 190)
    play(engine, bars, 3)
    assert worth(engine) == 0
    engine.close()


ORDERS = st.lists(
    st.tuples(
        st.sampled_from(("buy", "sell")),
        st.sampled_from(("market", "limit", "stop")),
        st.integers(1, 900),
        st.sampled_from((0.01, 50.0, 99.0, 101.0, 150.0, 100_000.0)),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=14,
)
PRICES = st.lists(st.sampled_from((60.0, 95.0, 99.0, 100.0, 101.0, 105.0, 180.0)), min_size=3, max_size=12)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(orders=ORDERS, prices=PRICES)
def test_no_fill_ever_exceeds_the_limits(
    orders: list[tuple[str, str, int, float, int]], prices: list[float], tmp_path_factory: pytest.TempPathFactory
) -> None:
    bars = closes(100, *prices)
    engine = engine_of(str(tmp_path_factory.mktemp("limits")), bars.at([0]), terms=RICH, limits=LIMITS)
    fills = 0
    waiting = list(orders)
    for at in range(1, len(bars)):
        while waiting and waiting[0][4] <= 1 + at % 2:
            side, type, quantity, price, _ = waiting.pop(0)
            engine.place_order("anna", "BTCUSDT", side, quantity, type, None if type == "market" else price)
        before = sum(each.signed for each in engine.paper.accounts.positions("anna"))
        play(engine, bars, at, at + 1)
        done = [each for each in engine.orders("anna") if each["state"] == "Filled"]
        after = sum(each.signed for each in engine.paper.accounts.positions("anna"))
        if abs(after) > abs(before) and len(done) > fills:
            assert max(each["quantity"] * each["fill_price"] for each in done[fills:]) <= 20_000 or before * after <= 0
            assert abs(after) * bars.close[at] <= 50_000 * (1 + 1e-9)
        fills = len(done)
    engine.close()
