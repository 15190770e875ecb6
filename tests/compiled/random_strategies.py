"""Makes random strategies with everything that the broker of the compiled tier knows: orders, prices and properties."""

from __future__ import annotations

import random

CONDITIONS = ("up", "down", "wide", "bar_index % {n} == {k}", "strategy.position_size == 0", "close > open")
IDS = ("A", "B", "C")
SIGNALS = """a = ta.ema(close, {fast})
b = ta.ema(close, {slow})
range_ = ta.atr(14)
up = ta.crossover(a, b)
down = ta.crossunder(a, b)
wide = high - low > 1.3 * range_
"""
READS = (
    "strategy.equity",
    "strategy.openprofit",
    "strategy.netprofit",
    "strategy.max_drawdown + strategy.max_runup_percent",
    "strategy.max_contracts_held_all",
    "strategy.position_avg_price",
    "strategy.margin_liquidation_price",
    "strategy.opentrades",
    "strategy.closedtrades",
    "strategy.opentrades > 0 ? strategy.opentrades.profit(strategy.opentrades - 1) : na",
    "strategy.default_entry_qty(close)",
)


def strategy_script(seed: int) -> str:
    """The strategy of a seed."""
    chance = random.Random(seed)
    lines = [_declaration(chance), SIGNALS.format(fast=chance.randint(2, 9), slow=chance.randint(5, 30))]
    for _ in range(chance.randint(2, 6)):
        lines += [f"if {_condition(chance)}", f"    {_call(chance)}"]
    lines += [_exit(chance) for _ in range(chance.randint(0, 3))]
    lines += [f"plot({chance.choice(READS)})" for _ in range(2)]
    if chance.random() < 0.15:
        lines.append(f"strategy.risk.allow_entry_in(strategy.direction.{chance.choice(('long', 'short', 'all'))})")
    return "\n".join(lines) + "\n"


def ruled_script(seed: int) -> str:
    """The strategy of a seed, with rules about risk."""
    chance = random.Random(f"ruled {seed}")
    rules = [f"strategy.risk.{_rule(chance)}" for _ in range(chance.randint(1, 3))]
    return strategy_script(seed) + "\n".join(rules) + "\n"


def refilled_script(seed: int) -> str:
    """The strategy of a seed, which runs again on fills, with state of all kinds that must be put back."""
    chance = random.Random(f"refilled {seed}")
    make = ruled_script if chance.random() < 0.4 else strategy_script
    declaration, rest = make(seed).split("\n", 1)
    lines = [declaration.removesuffix(")") + ", calc_on_order_fills = true)", *rest.splitlines()]
    first = next(k for k, line in enumerate(lines) if line.startswith("wide")) + 1
    state = chance.sample(STATE, chance.randint(2, 4))
    orders = (
        [f"if {_condition(chance)} and {chance.choice(TESTS)}", f"    {_call(chance)}"] if STATE[0] in state else []
    )
    shown = [f"plot({name})" for text in state for name in text.split("// ")[1].split()]
    return (
        "\n".join([*lines[:first], *(text.split("// ")[0] for text in state), *orders, *lines[first:], *shown]) + "\n"
    )


TESTS = ("runs % 3 == 0", "runs > 2 * bar_index", "lasting % 2 == 1")
STATE = (
    """var runs = 0
runs += 1
varip lasting = 0
lasting += 1
// runs lasting""",
    """var window = array.new_float(0, 0)
window.push(close * (1 + window.size()))
if window.size() > 12
    window.shift()
window.sort()
// window.sum() window.first()""",
    """smooth = ta.sma(close, 7) + ta.wma(close, 5) + ta.highest(high, 9) + ta.dev(close, 4)
linear = ta.linreg(close, 9, 0) + ta.percentrank(close, 11) + ta.rsi(close, 6) + ta.valuewhen(up, close, 1)
// smooth linear smooth[3] linear[bar_index%5]""",
    """type Cell
    float price = 0.0
    int count = 0
var cell = Cell.new()
if close > cell.price
    cell.price := close
    cell.count += 1
var cells = array.new<Cell>()
if wide
    cells.push(Cell.copy(cell))
if cells.size() > 5
    second = cells.get(1)
    second.count += 1
// cell.price cell.count cells.size() (cells.size()>1?cells.get(1).count:0)""",
    """counted(bool test) =>
    var count = 0
    var float last = na
    if test
        count += 1
        last := ta.ema(close, 4)
    nz(last[1]) + count + ta.barssince(test)
// counted(up) counted(close>open)[2]""",
    """var label mark = na
if up or strategy.position_size > 0
    label.delete(mark[1])
    mark := label.new(bar_index, high, "at " + str.tostring(close), color = close > open ? color.red : color.green)
if down
    label.set_x(mark, bar_index + 1)
    line.new(bar_index, low, bar_index + 2, high, width = 2)
// label.get_x(mark)""",
    """var board = table.new(position.top_right, 2, 2)
table.cell(board, bar_index % 2, 0, str.tostring(strategy.equity) + (wide ? "!" : ""))
// bar_index""",
    """told = strategy.position_size
if told != told[1]
    log.info("size {0} on bar {1}", told, bar_index)
    alert("size " + str.tostring(told), alert.freq_once_per_bar)
// told[1]""",
    """asked = request.security(syminfo.tickerid, "240", ta.ema(close, 3))
// asked asked[1]""",
)
"""Lines with state, and after `//` what of it is plotted."""


def _rule(chance: random.Random) -> str:
    amounts = ((5, "percent_of_equity"), (0.4, "percent_of_equity"), (30, "cash"), (2000, "cash"))
    amount, kind = chance.choice(amounts)
    told = chance.choice(("", ', alert_message = "rule of " + syminfo.ticker'))
    count = chance.choice((1, 2, 3, 7))
    return chance.choice(
        (
            f"max_drawdown({amount} * 3, strategy.{kind}{told})",
            f"max_intraday_loss({amount}, strategy.{kind}{told})",
            f"max_intraday_filled_orders({count}{told})",
            f"max_cons_loss_days({count}{told})",
            f"max_position_size({chance.choice((0.5, 1, 3, 40))})",
        )
    )


def requesting_script(seed: int) -> str:
    """The strategy of a seed whose conditions and prices come from other timeframes and other symbols, too."""
    chance = random.Random(f"requesting {seed}")
    lines = [_declaration(chance), SIGNALS.format(fast=chance.randint(2, 9), slow=chance.randint(5, 30))]
    names: list[str] = []
    for number in range(chance.randint(1, 3)):
        name = f"asked{number}"
        asked = f"{chance.choice(REQUESTED_SYMBOLS)}, {chance.choice(REQUESTED_TIMEFRAMES)}"
        value = f"request.security({asked}, {chance.choice(REQUESTED)}{chance.choice(MERGED)})"
        names.append(name)
        if chance.random() < 0.3:
            lines += [f"float {name} = na", f"if {_condition(chance)}", f"    {name} := {value}"]
        else:
            lines.append(f"{name} = {value}")
        lines.append(f"plot({name})")
    for _ in range(chance.randint(2, 5)):
        test = f"nz({chance.choice(names)}) {chance.choice('<>')} nz({chance.choice((*names, 'close'))}[1])"
        lines += [f"if {test} {chance.choice(('and', 'or'))} {_condition(chance)}", f"    {_call(chance)}"]
    if chance.random() < 0.7:
        away = chance.choice(("profit", "loss", "limit", "stop"))
        price = f"close + 0.1 * (nz({chance.choice(names)}, open) - close)" if away in ("limit", "stop") else "90"
        lines.append(f'strategy.exit("X", "{chance.choice(IDS)}", {away} = {price})')
    lines += [_exit(chance) for _ in range(chance.randint(0, 2))]
    lines += [f"plot({chance.choice(READS)})" for _ in range(2)]
    return "\n".join(lines) + "\n"


REQUESTED_SYMBOLS = ('""', "syminfo.tickerid", '"NASDAQ:MSFT"', '"BTCUSDT"', "ticker.heikinashi(syminfo.tickerid)")
REQUESTED_TIMEFRAMES = ('""', '"60"', '"240"', '"D"', '"W"', '"15"')
REQUESTED = ("close", "high[1]", "ta.ema(close, 5)", "ta.sma(close, 3)[1]", "ta.atr(5)", "open + bar_index", "hl2")
MERGED = ("", "", ", lookahead = barmerge.lookahead_on", ", gaps = barmerge.gaps_on")


def crowded_script(seed: int) -> str:
    """The strategy of a seed with many orders, exits and open trades at the same time, which few calls end."""
    chance = random.Random(f"crowded {seed}")
    declared = [
        f"pyramiding = {chance.choice((60, 300, 2000))}, initial_capital = 100000000",
        "margin_long = 0, margin_short = 0",
        f'close_entries_rule = "{chance.choice(("FIFO", "ANY"))}"',
        f"process_orders_on_close = {chance.choice(('true', 'false'))}, slippage = {chance.choice((0, 3))}",
        f"calc_on_order_fills = false, backtest_fill_limits_assumption = {chance.choice((0, 2))}",
    ]
    ids = ", ".join(f'"E{k}"' for k in range(chance.choice((5, 20, 60))))
    lines = [f'strategy("Crowded", {", ".join(declared)})', f"ids = array.from({ids})", "range_ = ta.atr(14)"]
    for _ in range(chance.randint(1, 3)):
        n = chance.randint(1, 7)
        given = [f"qty = {chance.choice((1, 0.3))}"]
        given += [f"{name} = {_price(chance)}" for name in ("limit", "stop") if chance.random() < 0.4]
        side = chance.choice(("long", "long", "long", "short"))
        kind = chance.choice(("entry", "entry", "order"))
        lines += [f"if bar_index % {n} == {chance.randrange(n)}", "    for id in ids"]
        lines += [f"        strategy.{kind}(id, strategy.{side}, {', '.join(given)})"]
    for _ in range(chance.randint(0, 2)):
        prices = f"profit = {chance.choice((150, 900))}, loss = {chance.choice((120, 2000))}"
        lines += ["for id in ids", f'    strategy.exit("X{chance.randint(1, 3)}", id, {prices})']
    if chance.random() < 0.4:
        lines += [f"if bar_index % {chance.randint(60, 150)} == 59", f"    {chance.choice(ENDS)}"]
    lines += [f"plot({chance.choice(READS)})", "plot(strategy.opentrades)"]
    return "\n".join(lines) + "\n"


ENDS = ("strategy.close_all()", "strategy.cancel_all()", 'strategy.close("E1", qty_percent = 50)')


def _declaration(chance: random.Random) -> str:
    given = [
        f"initial_capital = {chance.choice((500, 20000, 1000000))}",
        f"pyramiding = {chance.choice((0, 1, 2, 5))}",
        f"slippage = {chance.choice((0, 0, 1, 7))}",
        f"backtest_fill_limits_assumption = {chance.choice((0, 0, 2))}",
        f"process_orders_on_close = {chance.choice(('true', 'false'))}",
        f'close_entries_rule = "{chance.choice(("FIFO", "ANY"))}"',
        f"margin_long = {chance.choice((100, 100, 25, 5, 0))}, margin_short = {chance.choice((100, 50, 10, 0))}",
        f"commission_type = strategy.commission.{chance.choice(('percent', 'cash_per_contract', 'cash_per_order'))}",
        f"commission_value = {chance.choice((0, 0.05, 1.5))}",
        chance.choice(
            (
                f"default_qty_value = {chance.choice((1, 3, 0.5))}, default_qty_type = strategy.fixed",
                f"default_qty_value = {chance.choice((900, 25000))}, default_qty_type = strategy.cash",
                f"default_qty_value = {chance.choice((10, 100, 350))}, default_qty_type = strategy.percent_of_equity",
            )
        ),
    ]
    return f'strategy("S", {", ".join(given)})'


def _condition(chance: random.Random) -> str:
    n = chance.randint(3, 40)
    first, second = (chance.choice(CONDITIONS).format(n=n, k=chance.randrange(n)) for _ in range(2))
    return f"{first} {chance.choice(('and', 'or'))} {second}" if chance.random() < 0.4 else first


def _price(chance: random.Random) -> str:
    away = chance.choice((0.1, 0.7, 2.0))
    return f"close {chance.choice('+-')} {away} * range_"


def _call(chance: random.Random) -> str:
    kind = chance.choice(("entry", "entry", "entry", "order", "close", "close_all", "cancel", "cancel_all"))
    id = chance.choice(IDS)
    if kind == "cancel_all":
        return "strategy.cancel_all()"
    if kind == "close_all":
        return f"strategy.close_all(immediately = {chance.choice(('true', 'false'))})"
    if kind == "cancel":
        return f'strategy.cancel("{id}")'
    given = [f'"{id}"']
    if kind == "close":
        given += chance.sample([f"qty_percent = {chance.choice((10, 50, 100))}", "immediately = true"], 1)
        return f"strategy.close({', '.join(given)})"
    given.append(f"strategy.{chance.choice(('long', 'short'))}")
    if chance.random() < 0.4:
        given.append(f"qty = {chance.choice((0.3, 1, 2, 40))}")
    given += [f"{name} = {_price(chance)}" for name in ("limit", "stop") if chance.random() < 0.3]
    if chance.random() < 0.2:
        given.append(f'oca_name = "g", oca_type = strategy.oca.{chance.choice(("cancel", "reduce", "none"))}')
    if chance.random() < 0.2:
        given.append(chance.choice((f'comment = "c{chance.randint(1, 3)}"', "comment = str.tostring(close)")))
        given.append('alert_message = "at " + str.tostring(bar_index)')
    return f"strategy.{kind}({', '.join(given)})"


def _exit(chance: random.Random) -> str:
    given = [f'"X{chance.randint(1, 3)}"']
    if chance.random() < 0.8:
        given.append(f'"{chance.choice(IDS)}"')
    prices = {
        "profit": str(chance.choice((20, 150))),
        "loss": str(chance.choice((15, 120))),
        "limit": _price(chance),
        "stop": _price(chance),
        "trail_points": str(chance.choice((10, 60))),
    }
    for name in chance.sample(sorted(prices), chance.randint(1, 3)):
        given.append(f"{name} = {prices[name]}")
        if name == "trail_points":
            given.append(f"trail_offset = {chance.choice((0, 5, 40))}")
    if chance.random() < 0.4:
        given.append(chance.choice(("qty_percent = 40", "qty = 0.7")))
    return f"strategy.exit({', '.join(given)})"
