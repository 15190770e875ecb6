"""Rules on strategies: what each reports, and the honest code that looks like it."""

from __future__ import annotations

import pytest

from pinebench.checker import open_program
from pinebench.linter.rules import opinions_on
from tests.linter.rules.support import STRATEGY, marked
from tests.tables import each

LONG = "if close > open\n    strategy.entry('L', strategy.long)\n"
LEAVE = "if close < open\n    strategy.close('L')\n"
BOTH = LONG + LEAVE
ENTRY = "strategy.entry('L', strategy.long)"


def declared(arguments: str, body: str) -> str:
    return f'//@version=6\nstrategy("x", {arguments})\n{body}'


REPORTED = [
    ("PB3001", LONG, [ENTRY]),
    (
        "PB3001",
        "go() => strategy.entry('S', strategy.short)\nif close > open\n    go()",
        ["strategy.entry('S', strategy.short)"],
    ),
    ("PB3001", "side = strategy.long\nif close > open\n    strategy.entry('L', side)", ["strategy.entry('L', side)"]),
    ("PB3002", declared("slippage = 2", BOTH), ["strategy"]),
    ("PB3002", declared("commission_value = 0", BOTH), ["0"]),
    ("PB3002", declared("commission_type = strategy.commission.percent", BOTH), ["strategy"]),
    ("PB3003", declared("commission_value = 0.1", BOTH), ["strategy"]),
    ("PB3003", declared("slippage = 0", BOTH), ["0"]),
    ("PB3003", "if close > open\n    strategy.order('L', strategy.long)", ["strategy"]),
    ("PB3004", declared("pyramiding = 3", "if strategy.position_size == 0\n    " + ENTRY + "\n" + LEAVE), ["3"]),
    (
        "PB3004",
        declared(
            "pyramiding = 2", "flat = strategy.opentrades == 0\nif flat and close > open\n    " + ENTRY + "\n" + LEAVE
        ),
        ["2"],
    ),
    (
        "PB3004",
        BOTH + "if strategy.position_size > 0 and close > high[1]\n    strategy.entry('L2', strategy.long)",
        ["strategy.entry('L2', strategy.long)"],
    ),
    ("PB3005", LONG + "if close < open\n    strategy.close('Long')", ["'Long'"]),
    ("PB3005", LONG + "strategy.exit('X', 'l', loss = 9)", ["'l'"]),
    ("PB3005", BOTH + "if close == open\n    strategy.cancel('Short')", ["'Short'"]),
    (
        "PB3006",
        "if close > open\n    strategy.entry('L', strategy.long)\n    strategy.entry('S', strategy.short)",
        ["strategy.entry('S', strategy.short)"],
    ),
    (
        "PB3006",
        LONG + "if close > open\n    strategy.entry('S', strategy.short)",
        ["strategy.entry('S', strategy.short)"],
    ),
    (
        "PB3006",
        "if close > open\n    strategy.entry('L', strategy.long)\n    strategy.close('L')",
        ["strategy.close('L')"],
    ),
    ("PB3007", LONG + "strategy.exit('X', 'L', stop = na)", ["strategy.exit('X', 'L', stop = na)"]),
    ("PB3007", LONG + "strategy.exit('X', limit = na, stop = na)", ["strategy.exit('X', limit = na, stop = na)"]),
    ("PB3007", LONG + "float s = na\nstrategy.exit('X', stop = s)", ["strategy.exit('X', stop = s)"]),
    ("PB3007", LONG + "strategy.exit('X', 'L', loss = int(na))", ["strategy.exit('X', 'L', loss = int(na))"]),
    ("PB3008", declared("default_qty_type = strategy.percent_of_equity, default_qty_value = 200", BOTH), ["200"]),
    ("PB3008", declared("default_qty_value = 200", BOTH), ["200"]),
    ("PB3008", LONG + "strategy.exit('X', 'L', qty_percent = 120, loss = 9)", ["120"]),
    ("PB3008", LONG + "if close < open\n    strategy.close('L', qty_percent = 101)", ["101"]),
    ("PB3009", BOTH, ["strategy"]),
    ("PB3009", LONG + "strategy.exit('X', 'L', profit = 9)", ["strategy"]),
    (
        "PB3009",
        "if close > open\n    strategy.order('L', strategy.long)\nelse\n    strategy.order('S', strategy.short)",
        ["strategy"],
    ),
    (
        "PB3010",
        LONG + "if strategy.position_size > 0\n    strategy.exit('X', 'L', loss = 9)",
        ["strategy.exit('X', 'L', loss = 9)"],
    ),
    (
        "PB3010",
        LONG + "inside = strategy.opentrades > 0\nif inside\n    strategy.exit('X', stop = low)",
        ["strategy.exit('X', stop = low)"],
    ),
    (
        "PB3010",
        LONG + "if strategy.position_size != 0\n    strategy.exit('X', 'L', stop = strategy.position_avg_price * 0.9)",
        ["strategy.exit('X', 'L', stop = strategy.position_avg_price * 0.9)"],
    ),
    (
        "PB3011",
        LONG + "if bar_index - strategy.opentrades.entry_bar_index(0) > 9\n    strategy.close('L')",
        ["strategy.close('L')"],
    ),
    (
        "PB3011",
        LONG + "held = bar_index - strategy.opentrades.entry_bar_index(0)\nif held > 9\n    strategy.close_all()",
        ["strategy.close_all()"],
    ),
    (
        "PB3011",
        "up = close > ta.sma(close, 9)\nif up and strategy.position_size == 0\n"
        "    strategy.entry('L', strategy.long)\nif time - strategy.opentrades.entry_time(0) > 9000\n"
        "    strategy.close('L')",
        ["strategy.close('L')"],
    ),
    ("PB3012", declared("process_orders_on_close = true", BOTH), ["true"]),
    ("PB3012", declared("process_orders_on_close = true, slippage = 1", LONG), ["true"]),
    ("PB3012", declared("overlay = true, process_orders_on_close = not false", LONG), ["not false"]),
    ("PB3001", "if close > open\n    strategy.order('L', strategy.long)", ["strategy.order('L', strategy.long)"]),
    (
        "PB3006",
        "a = close > open\nb = close > open\nif a\n"
        "    strategy.entry('L', strategy.long)\nif b\n    strategy.entry('S', strategy.short)",
        ["strategy.entry('S', strategy.short)"],
    ),
    (
        "PB3004",
        '//@version=6\nstrategy("x", pyramiding = 4)\n'
        "may() => strategy.position_size == 0 and barstate.isconfirmed\nif close > open and may()\n"
        '    strategy.entry("L", strategy.long)\nif close < open\n    strategy.close("L")\n',
        ["4"],
    ),
    (
        "PB3006",
        "if close > open\n    strategy.entry('L', strategy.long)\nif close > open\n    strategy.close('L')",
        ["strategy.close('L')"],
    ),
    (
        "PB3006",
        "if close > open\n    strategy.entry('L', strategy.long)\n    strategy.close_all()",
        ["strategy.close_all()"],
    ),
    (
        "PB3006",
        "longs = input.bool(true)\nshorts = input.bool(true)\nup = close > open\nif up and longs\n"
        "    strategy.entry('L', strategy.long)\nif up and shorts\n"
        "    strategy.entry('S', strategy.short)",
        ["strategy.entry('S', strategy.short)"],
    ),
    (
        "PB3008",
        "if close > open\n    strategy.entry('L', strategy.long)\n"
        "strategy.exit('1', 'L', qty_percent = 60, limit = high)\n"
        "strategy.exit('2', 'L', qty_percent = 60, limit = high + 1)",
        ["60"],
    ),
    (
        "PB3008",
        "part = input.float(120)\nif close > open\n    strategy.entry('L', strategy.long)\n"
        "if close < open\n    strategy.close('L', qty_percent = part)",
        ["part"],
    ),
    ("PB3001", "if bar_index > 9\n    strategy.entry('L', strategy.long)", ["strategy.entry('L', strategy.long)"]),
    (
        "PB3003",
        "strategy.entry('L', strategy.long, limit = low)\nif close < open\n    strategy.close('L')\n",
        ["strategy"],
    ),
    (
        "PB3003",
        "strategy.entry('L', strategy.long, limit = low)\nstrategy.exit('X', 'L', stop = low - 9)",
        ["strategy"],
    ),
    (
        "PB3003",
        "strategy.entry('L', strategy.long, stop = high)\nstrategy.exit('X', 'L', limit = high + 9)",
        ["strategy"],
    ),
    (
        "PB3004",
        "//@version=6\n"
        'strategy("x", pyramiding = 2)\n'
        "if strategy.position_size <= 0 and close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if strategy.position_size >= 0 and close < open\n"
        "    strategy.entry('S', strategy.short)\n",
        ["2"],
    ),
    (
        "PB3004",
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if strategy.opentrades > 0 and strategy.opentrades < 4\n"
        "    strategy.entry('L2', strategy.long)\n"
        "if close < open\n"
        "    strategy.close('L')\n",
        ["strategy.entry('L2', strategy.long)"],
    ),
    (
        "PB3007",
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "var float target = na\n"
        "if close < open\n"
        "    strategy.exit('X', 'L', limit = target)",
        ["strategy.exit('X', 'L', limit = target)"],
    ),
    (
        "PB3008",
        "//@version=6\n"
        'strategy("x", default_qty_type = strategy.percent_of_equity, default_qty_value = 300, margin_long = 50)\n'
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if close < open\n"
        "    strategy.close('L')\n",
        ["300"],
    ),
    (
        "PB3009",
        "var float top = na\n"
        "if ta.crossover(close, ta.sma(close, 50))\n"
        "    top := high\n"
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if close < top\n"
        "    strategy.close('L')",
        ["strategy"],
    ),
    (
        "PB3011",
        "var int entered = na\n"
        "if close > open and strategy.position_size == 0\n"
        "    strategy.entry('L', strategy.long)\n"
        "    entered := bar_index\n"
        "if strategy.position_size > 0 and bar_index - entered >= 9\n"
        "    strategy.close('L')",
        ["strategy.close('L')"],
    ),
    (
        "PB3011",
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if ta.barssince(strategy.position_size == 0) >= 9\n"
        "    strategy.close('L')",
        ["strategy.close('L')"],
    ),
    (
        "PB3012",
        "//@version=6\n"
        'strategy("x", process_orders_on_close = true)\n'
        "strategy.entry('L', strategy.long, limit = low)\n"
        "if close < open\n"
        "    strategy.close('L')\n",
        ["true"],
    ),
    (
        "PB3006",
        "up = close > open\n"
        "much = volume > 9\n"
        "if up and much\n"
        "    strategy.entry('L', strategy.long)\n"
        "if much and up\n"
        "    strategy.entry('S', strategy.short)",
        ["strategy.entry('S', strategy.short)"],
    ),
    (
        "PB3008",
        "ID = 'L'\n"
        "if close > open\n"
        "    strategy.entry(ID, strategy.long)\n"
        "strategy.exit('1', ID, qty_percent = 60, limit = high)\n"
        "strategy.exit('2', 'L', qty_percent = 60, limit = high + 1)",
        ["60"],
    ),
]

LEFT_ALONE = [
    ("PB3001", BOTH),
    ("PB3001", LONG + "else\n    strategy.entry('S', strategy.short)"),
    ("PB3001", LONG + "strategy.exit('X', 'L', loss = 9)"),
    ("PB3002", declared("commission_value = 0.1", BOTH)),
    ("PB3002", declared("commission_type = strategy.commission.cash_per_order, commission_value = 1", BOTH)),
    ("PB3002", "plot(close)"),
    ("PB3003", declared("slippage = 1", BOTH)),
    ("PB3003", "strategy.entry('L', strategy.long, limit = low)"),
    ("PB3003", "plot(close)"),
    ("PB3004", declared("pyramiding = 3", BOTH)),
    ("PB3004", declared("pyramiding = 3", "if strategy.position_size >= 0\n    " + ENTRY + "\n" + LEAVE)),
    ("PB3004", BOTH + "if strategy.position_size > 0\n    strategy.entry('S', strategy.short)"),
    ("PB3005", BOTH),
    ("PB3005", "id = close > open ? 'A' : 'B'\nstrategy.entry(id, strategy.long)\nstrategy.exit('X', 'B', loss = 9)"),
    ("PB3005", "f(string id) => strategy.entry(id, strategy.long)\nif close > open\n    f('A')\nstrategy.close('A')"),
    ("PB3005", "id = str.tostring(bar_index)\nstrategy.entry(id, strategy.long)\nstrategy.close('A')"),
    ("PB3006", "strategy.entry('L', strategy.long, stop = high)\nstrategy.entry('S', strategy.short, stop = low)"),
    ("PB3006", LONG + "else\n    strategy.entry('S', strategy.short)"),
    (
        "PB3006",
        "if close > open\n    strategy.close('S')\n    strategy.entry('L', strategy.long)\nelse\n"
        "    strategy.entry('S', strategy.short)",
    ),
    ("PB3007", LONG + "strategy.exit('X', 'L', stop = low)"),
    ("PB3007", LONG + "float s = na\nif close > open\n    s := low\nstrategy.exit('X', stop = s)"),
    ("PB3007", LONG + "strategy.exit('X', 'L', trail_points = 9, trail_offset = 3)"),
    ("PB3007", LONG + "strategy.exit('X', 'L', limit = close > open ? high : na)"),
    ("PB3008", declared("default_qty_type = strategy.percent_of_equity, default_qty_value = 100", BOTH)),
    ("PB3008", declared("default_qty_type = strategy.cash, default_qty_value = 5000", BOTH)),
    ("PB3008", declared("default_qty_type = strategy.fixed, default_qty_value = 5000", BOTH)),
    (
        "PB3008",
        declared("default_qty_type = strategy.percent_of_equity, default_qty_value = 200, margin_long = 50", BOTH),
    ),
    ("PB3009", LONG + "strategy.exit('X', 'L', stop = low)"),
    ("PB3009", BOTH + "strategy.risk.max_drawdown(10, strategy.percent_of_equity)"),
    ("PB3009", LONG + "strategy.exit('X', 'L', trail_points = 9, trail_offset = 3)"),
    ("PB3010", LONG + "strategy.exit('X', 'L', loss = 9)"),
    ("PB3010", "if close > open\n    strategy.entry('L', strategy.long)\n    strategy.exit('X', 'L', loss = 9)"),
    (
        "PB3010",
        LONG
        + "strategy.exit('X', 'L', loss = 9)\nif strategy.position_size > 0\n    strategy.exit('Y', 'L', profit = 9)",
    ),
    (
        "PB3010",
        declared(
            "calc_on_order_fills = true", LONG + "if strategy.position_size > 0\n    strategy.exit('X', 'L', loss = 9)"
        ),
    ),
    (
        "PB3011",
        "if ta.crossover(close, open)\n    strategy.entry('L', strategy.long)\n"
        "if bar_index - strategy.opentrades.entry_bar_index(0) > 9\n    strategy.close('L')",
    ),
    ("PB3011", BOTH),
    (
        "PB3011",
        "var left = 0\nif close > open and bar_index - left > 5\n"
        "    strategy.entry('L', strategy.long)\n"
        "if bar_index - strategy.opentrades.entry_bar_index(0) > 9\n    strategy.close('L')\n    left := bar_index",
    ),
    (
        "PB3011",
        "if hour == 9 and close > open\n    strategy.entry('L', strategy.long)\n"
        "if bar_index - strategy.opentrades.entry_bar_index(0) > 9\n    strategy.close('L')",
    ),
    ("PB3012", declared("process_orders_on_close = false", BOTH)),
    ("PB3012", BOTH),
    ("PB3012", declared("calc_on_order_fills = true", BOTH)),
    (
        "PB3001",
        "if close > open\n    strategy.order('L', strategy.long)\n"
        "if close < open\n    strategy.order('L', strategy.short)",
    ),
    (
        "PB3006",
        "var x = 0.0\nx := close\na = x > open\nif a\n    strategy.entry('L', strategy.long)\n"
        "x := low\nb = x > open\nif b\n    strategy.entry('S', strategy.short)",
    ),
    (
        "PB3004",
        '//@version=6\nstrategy("x", pyramiding = 4)\n'
        "may() => strategy.opentrades < 4 and barstate.isconfirmed\nif close > open and may()\n"
        '    strategy.entry("L", strategy.long)\nif close < open\n    strategy.close("L")\n',
    ),
    ("PB3006", "if close > open\n    strategy.close('L')\nif close > open\n    strategy.entry('L', strategy.long)\n"),
    ("PB3006", "if close > open\n    strategy.close_all()\n    strategy.entry('L', strategy.long)"),
    ("PB3006", "if close > open\n    strategy.entry('L', strategy.long)\nif hour == 15\n    strategy.close_all()"),
    (
        "PB3006",
        "longs = input.bool(true)\nshorts = input.bool(false)\nup = close > open\nif up and longs\n"
        "    strategy.entry('L', strategy.long)\nif up and shorts\n"
        "    strategy.entry('S', strategy.short)",
    ),
    (
        "PB3006",
        "longs = input.bool(true)\nshorts = input.bool(true)\nif close > open and longs\n"
        "    strategy.entry('L', strategy.long)\nif close < open and shorts\n"
        "    strategy.entry('S', strategy.short)",
    ),
    (
        "PB3008",
        "if close > open\n    strategy.entry('L', strategy.long)\n"
        "strategy.exit('1', 'L', qty_percent = 60, limit = high)\n"
        "strategy.exit('2', 'L', qty_percent = 40, limit = high + 1)",
    ),
    (
        "PB3008",
        "if close > open\n    strategy.entry('L', strategy.long)\n"
        "strategy.exit('1', 'L', qty_percent = 60, limit = high)\n"
        "strategy.exit('2', 'L', qty_percent = 100, stop = low)",
    ),
    (
        "PB3008",
        "if close > open\n    strategy.entry('L', strategy.long)\nstrategy.entry('S', strategy.short)\n"
        "strategy.exit('1', 'L', qty_percent = 60, limit = high)\n"
        "strategy.exit('2', 'S', qty_percent = 60, limit = low)",
    ),
    (
        "PB3008",
        "part = input.float(50, maxval = 200)\nif close > open\n    strategy.entry('L', strategy.long)\n"
        "if close < open\n    strategy.close('L', qty_percent = part)",
    ),
    (
        "PB3001",
        "if ta.crossover(close, ta.sma(close, 20))\n    strategy.entry('L', strategy.long)\n"
        "strategy.risk.max_drawdown(10, strategy.percent_of_equity)",
    ),
    (
        "PB3009",
        "if ta.crossover(close, ta.sma(close, 20))\n    strategy.entry('L', strategy.long)\n"
        "if strategy.openprofit <= -500\n    strategy.close_all('Stop Loss')",
    ),
    (
        "PB3010",
        "if ta.crossover(close, ta.sma(close, 20))\n    strategy.entry('L', strategy.long)\n"
        "if strategy.position_size > 0 and close >= strategy.position_avg_price + 10\n"
        "    strategy.exit('BE', 'L', stop = strategy.position_avg_price)",
    ),
    (
        "PB3010",
        "if hour == 0 and minute == 15\n    strategy.entry('L', strategy.long)\n"
        "if hour == 0 and minute == 45 and strategy.position_size > 0\n"
        "    strategy.exit('X', 'L', loss = 100)",
    ),
    (
        "PB3004",
        '//@version=6\nstrategy("x", pyramiding = 2)\nif strategy.position_size == 0 and close > open\n'
        '    strategy.entry("A", strategy.long)\n    strategy.entry("B", strategy.long)\nif close < open\n'
        "    strategy.close_all()\n",
    ),
    ("PB3001", "if barstate.isfirst\n    strategy.entry('Hold', strategy.long)"),
    ("PB3001", "if bar_index == 100\n    strategy.entry('Hold', strategy.long)"),
    ("PB3003", "strategy.entry('L', strategy.long, limit = low)\nstrategy.exit('X', 'L', limit = high, profit = 99)"),
    (
        "PB3004",
        "//@version=6\n"
        'strategy("x", pyramiding = 3)\n'
        "if strategy.position_size <= 0 and close < open\n"
        "    strategy.entry('S', strategy.short)\n"
        "if close > open\n"
        "    strategy.close_all()\n",
    ),
    (
        "PB3004",
        "//@version=6\n"
        'strategy("x", pyramiding = 3)\n'
        "if strategy.position_size == 0\n"
        "    for i = 1 to 3\n"
        "        strategy.entry('L' + str.tostring(i), strategy.long, limit = low - i)\n"
        "if close < open\n"
        "    strategy.close('L')\n",
    ),
    (
        "PB3004",
        "//@version=6\n"
        'strategy("x", pyramiding = 3)\n'
        "buy(id) => strategy.entry(id, strategy.long)\n"
        "if strategy.position_size == 0\n"
        "    buy('A')\n"
        "    buy('B')\n"
        "if close < open\n"
        "    strategy.close('L')\n",
    ),
    (
        "PB3004",
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if strategy.opentrades > 0 and close < open\n"
        "    strategy.entry('S', strategy.short)",
    ),
    (
        "PB3007",
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "var float target = na\n"
        "if close > open\n"
        "    target := high\n"
        "strategy.exit('X', 'L', limit = target)",
    ),
    (
        "PB3008",
        "//@version=6\n"
        'strategy("x", default_qty_type = strategy.percent_of_equity, default_qty_value = 300, margin_long = 0)\n'
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if close < open\n"
        "    strategy.close('L')\n",
    ),
    (
        "PB3008",
        "//@version=6\n"
        'strategy("x", default_qty_type = strategy.percent_of_equity, default_qty_value = 150)\n'
        "if close > open\n"
        "    strategy.entry('L', strategy.long, qty = 1)\n"
        "if close < open\n"
        "    strategy.close('L')\n",
    ),
    (
        "PB3009",
        "var float price = na\n"
        "if ta.crossover(close, open)\n"
        "    strategy.entry('L', strategy.long)\n"
        "    price := close\n"
        "if close < price * 0.95\n"
        "    strategy.close('L')",
    ),
    (
        "PB3009",
        "up = ta.crossover(close, open)\n"
        "var float price = na\n"
        "if up\n"
        "    price := close\n"
        "if up\n"
        "    strategy.entry('L', strategy.long)\n"
        "lost = false\n"
        "if close < price * 0.95\n"
        "    lost := true\n"
        "if lost\n"
        "    strategy.close('L')",
    ),
    (
        "PB3009",
        "type Trade\n"
        "    float stop = na\n"
        "var t = Trade.new()\n"
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "    t.stop := low\n"
        "if close < t.stop\n"
        "    strategy.close('L')",
    ),
    (
        "PB3009",
        "up = ta.crossover(close, open)\n"
        "price = ta.valuewhen(up, close, 0)\n"
        "if up\n"
        "    strategy.entry('L', strategy.long)\n"
        "if close < price * 0.9\n"
        "    strategy.close('L')",
    ),
    (
        "PB3009",
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "var float price = na\n"
        "if strategy.position_size != strategy.position_size[1]\n"
        "    price := open\n"
        "if close < price - 9\n"
        "    strategy.close_all()",
    ),
    (
        "PB3011",
        "var int entered = na\n"
        "if close > open and (na(entered) or bar_index - entered > 20)\n"
        "    strategy.entry('L', strategy.long)\n"
        "    entered := bar_index\n"
        "if bar_index - entered >= 9\n"
        "    strategy.close('L')",
    ),
    (
        "PB3011",
        "var int started = na\n"
        "if timeframe.change('D')\n"
        "    started := bar_index\n"
        "if close > open\n"
        "    strategy.entry('L', strategy.long)\n"
        "if bar_index - started >= 9\n"
        "    strategy.close('L')",
    ),
    (
        "PB3012",
        "//@version=6\n"
        'strategy("x", process_orders_on_close = true)\n'
        "strategy.entry('L', strategy.long, limit = low)\n"
        "strategy.exit('X', 'L', limit = high)\n",
    ),
    (
        "PB3006",
        "up = close > open\n"
        "much = volume > 9\n"
        "if up and much\n"
        "    strategy.entry('L', strategy.long)\n"
        "if much and not up\n"
        "    strategy.entry('S', strategy.short)",
    ),
    (
        "PB3006",
        "up = close > open\n"
        "much = volume > 9\n"
        "if up and much\n"
        "    strategy.entry('L', strategy.long)\n"
        "if up and up\n"
        "    strategy.entry('S', strategy.short)",
    ),
    (
        "PB3008",
        "ID = 'L'\n"
        "if close > open\n"
        "    strategy.entry(ID, strategy.long)\n"
        "strategy.exit('1', ID, qty_percent = 60, limit = high)\n"
        "strategy.exit('2', 'M', qty_percent = 60, limit = high + 1)\n"
        "strategy.entry('M', strategy.long)",
    ),
]


def as_strategy(body: str) -> str:
    return body if body.startswith("//@version") else STRATEGY + body


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, as_strategy(body)) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, as_strategy(body)) == []


def test_a_slip_in_an_id_is_mended_as_a_guess() -> None:
    program = open_program(STRATEGY + LONG + "if close < open\n    strategy.close('l')\n")
    (found,) = opinions_on(program, ["PB3005"])
    assert found.fix is not None
    assert (found.fix.edits[0].text, found.fix.safe) == ('"L"', False)


WORDS = [
    ("PB3001", LONG, 'Nothing ever closes the position that "L" opens'),
    (
        "PB3001",
        "if close > open\n    strategy.entry('L' + str.tostring(bar_index), strategy.long)",
        "Nothing ever closes the position that 'L' + str.tostring(bar_index) opens",
    ),
    (
        "PB3006",
        LONG + "if close > open\n    strategy.entry('S', strategy.short)",
        '"L" and "S" are ordered on the same bar and contradict each other',
    ),
    (
        "PB3006",
        "if close > open\n    strategy.entry('L', strategy.long)\n    strategy.close_all()",
        '"L" and strategy.close_all() are ordered on the same bar and contradict each other',
    ),
]


@pytest.mark.parametrize(("code", "body", "message"), WORDS)
def test_orders_are_named_as_the_script_does(code: str, body: str, message: str) -> None:
    (found,) = opinions_on(open_program(STRATEGY + body + "\n"), [code])
    assert found.message == message
