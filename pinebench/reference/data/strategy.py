"""Orders, trades and the account of strategies.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "strategy.cancel": """
says Cancels pending orders with an identifier.
reads orders
changes orders
used 45
often id
needs id
id; series string
-> void
""",
    "strategy.cancel_all": """
says Cancels all pending orders.
reads orders
changes orders
used 4
-> void
""",
    "strategy.close": """
says Closes the part of the position that an entry opened, at market price.
reads orders
changes orders
traits leaves
used 171
often comment
needs id
id; series string
comment?; series string; ""
qty?; series int|float; na
qty_percent?; series int|float; 100
alert_message?; series string; ""
immediately?; series bool; false
disable_alert?; series bool; false
-> void
""",
    "strategy.close_all": """
says Closes the whole position at market price.
reads orders
changes orders
traits leaves
used 61
often comment
comment?; series string; ""
alert_message?; series string; ""
immediately?; series bool; false
disable_alert?; series bool; false
-> void
""",
    "strategy.closedtrades.commission": """
says Gives the commission of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.entry_bar_index": """
says Gives the bar index of the entry of a closed trade.
reads orders
used 6
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.entry_comment": """
says Gives the comment of the entry of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.entry_id": """
says Gives the identifier of the entry of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.entry_price": """
says Gives the price of the entry of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.entry_time": """
says Gives the time of the entry of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.exit_bar_index": """
says Gives the bar index of the exit of a closed trade.
reads orders
traits event
used 5
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.exit_comment": """
says Gives the comment of the exit of a closed trade.
reads orders
used 13
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.exit_id": """
says Gives the identifier of the exit of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.closedtrades.exit_price": """
says Gives the price of the exit of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.exit_time": """
says Gives the time of the exit of a closed trade.
reads orders
traits event
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.closedtrades.max_drawdown": """
says Gives the largest loss during the trade of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.max_drawdown_percent": """
says Gives the largest loss during a closed trade, in percent.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.max_runup": """
says Gives the largest gain during the trade of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.max_runup_percent": """
says Gives the largest gain during a closed trade, in percent.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.profit": """
says Gives the profit of a closed trade.
reads orders
used 5
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.profit_percent": """
says Gives the profit in percent of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.closedtrades.size": """
says Gives the signed number of contracts of a closed trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.convert_to_account": """
says Converts a value from the symbol's currency to the account's.
reads orders
needs value
value; series int|float
-> series float
""",
    "strategy.convert_to_symbol": """
says Converts a value from the account's currency to the symbol's.
reads orders
needs value
value; series int|float
-> series float
""",
    "strategy.default_entry_qty": """
says Gives the quantity an entry would have by default at a price.
reads orders
needs fill_price
fill_price; series int|float
-> series float
""",
    "strategy.entry": """
says Places an order that opens, adds to or reverses a position.
reads orders
changes orders
traits enters
used 357
often comment qty stop limit oca_name oca_type
needs id; direction
id; series string
direction; series strategy_direction; ; ; strategy.long strategy.short
qty?; series int|float; na
limit?; series int|float; na
stop?; series int|float; na
oca_name?; series string; ""
oca_type?; input string; strategy.oca.none; ; strategy.oca.none strategy.oca.cancel strategy.oca.reduce
comment?; series string; ""
alert_message?; series string; ""
disable_alert?; series bool; false
-> void
""",
    "strategy.exit": """
says Places orders that leave a position: a profit target, a stop, a trailing stop, or several of them.
reads orders
changes orders
traits leaves
rule exit
used 78
often stop limit from_entry comment trail_points oca_name qty trail_offset
needs id
id; series string
from_entry?; series string; ""
qty?; series int|float; na
qty_percent?; series int|float; 100
profit?; series int|float; na
limit?; series int|float; na
loss?; series int|float; na
stop?; series int|float; na
trail_price?; series int|float; na
trail_points?; series int|float; na
trail_offset?; series int|float; na
oca_name?; series string; ""
comment?; series string; ""
comment_profit?; series string; ""
comment_loss?; series string; ""
comment_trailing?; series string; ""
alert_message?; series string; ""
alert_profit?; series string; ""
alert_loss?; series string; ""
alert_trailing?; series string; ""
disable_alert?; series bool; false
-> void
""",
    "strategy.opentrades.commission": """
says Gives the commission of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.entry_bar_index": """
says Gives the bar index of the entry of an open trade.
reads orders
used 2
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.opentrades.entry_comment": """
says Gives the comment of the entry of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.opentrades.entry_id": """
says Gives the identifier of the entry of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series string
""",
    "strategy.opentrades.entry_price": """
says Gives the price of the entry of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.entry_time": """
says Gives the time of the entry of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series int
""",
    "strategy.opentrades.max_drawdown": """
says Gives the largest loss during the trade of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.max_drawdown_percent": """
says Gives the largest loss during the trade in percent of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.max_runup": """
says Gives the largest gain during the trade of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.max_runup_percent": """
says Gives the largest gain during the trade in percent of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.profit": """
says Gives the profit of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.profit_percent": """
says Gives the profit in percent of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.opentrades.size": """
says Gives the signed number of contracts of an open trade.
reads orders
needs trade_num
trade_num; series int
-> series float
""",
    "strategy.order": """
says Places an order that adds to the position or reduces it, without regard to pyramiding.
reads orders
changes orders
traits enters
used 6
often comment oca_name oca_type qty limit stop
needs id; direction
id; series string
direction; series strategy_direction; ; ; strategy.long strategy.short
qty?; series int|float; na
limit?; series int|float; na
stop?; series int|float; na
oca_name?; series string; ""
oca_type?; input string; strategy.oca.none; ; strategy.oca.none strategy.oca.cancel strategy.oca.reduce
comment?; series string; ""
alert_message?; series string; ""
disable_alert?; series bool; false
-> void
""",
    "strategy.risk.allow_entry_in": """
says Restricts entries to one direction.
changes orders
needs value
global
value; simple string; ; ; strategy.direction.all strategy.direction.long strategy.direction.short
-> void
""",
    "strategy.risk.max_cons_loss_days": """
says Stops trading after a number of losing days in a row.
changes orders
needs count
global
count; simple int
alert_message?; simple string
-> void
""",
    "strategy.risk.max_drawdown": """
says Stops trading when the drawdown reaches a limit.
changes orders
needs value; type
global
value; simple int|float
type; simple string
alert_message?; simple string
-> void
""",
    "strategy.risk.max_intraday_filled_orders": """
says Stops trading for the day after `count` filled orders.
changes orders
used 3
needs count
global
count; simple int
alert_message?; simple string
-> void
""",
    "strategy.risk.max_intraday_loss": """
says Stops trading for the day when the loss reaches a limit.
changes orders
needs value; type
global
value; simple int|float
type; simple string
alert_message?; simple string
-> void
""",
    "strategy.risk.max_position_size": """
says Limits the size of a position.
changes orders
needs contracts
global
contracts; simple int|float
-> void
""",
}

VARIABLES: dict[str, str] = {
    "strategy.account_currency": """
says Currency in which the strategy's results are counted.
reads orders
simple string
""",
    "strategy.avg_losing_trade": """
says Mean loss of the losing trades.
reads orders
series float
""",
    "strategy.avg_losing_trade_percent": """
says Mean loss of the losing trades in percent.
reads orders
series float
""",
    "strategy.avg_trade": """
says Mean profit or loss of a trade.
reads orders
series float
""",
    "strategy.avg_trade_percent": """
says Mean profit or loss of a trade in percent.
reads orders
series float
""",
    "strategy.avg_winning_trade": """
says Mean profit of the winning trades.
reads orders
series float
""",
    "strategy.avg_winning_trade_percent": """
says Mean profit of the winning trades in percent.
reads orders
series float
""",
    "strategy.closedtrades": """
says Number of closed trades.
reads orders
traits never_na
within 0
used 27
series int
""",
    "strategy.closedtrades.first_index": """
says Number of the oldest closed trade that was not trimmed.
reads orders
series int
""",
    "strategy.equity": """
says Initial capital with the profits of closed and open trades.
reads orders
used 3
series float
""",
    "strategy.eventrades": """
says Number of trades without profit or loss.
reads orders
series int
""",
    "strategy.grossloss": """
says Sum of all losses.
reads orders
series float
""",
    "strategy.grossloss_percent": """
says Sum of all losses in percent of the initial capital.
reads orders
series float
""",
    "strategy.grossprofit": """
says Sum of all profits.
reads orders
series float
""",
    "strategy.grossprofit_percent": """
says Sum of all profits in percent of the initial capital.
reads orders
series float
""",
    "strategy.initial_capital": """
says Capital the strategy started with.
reads orders
series float
""",
    "strategy.losstrades": """
says Number of losing trades.
reads orders
series int
""",
    "strategy.margin_liquidation_price": """
says Price at which a margin call would happen.
reads orders
series float
""",
    "strategy.max_contracts_held_all": """
says Largest number of contracts held.
reads orders
series float
""",
    "strategy.max_contracts_held_long": """
says Largest number of contracts held in long positions.
reads orders
series float
""",
    "strategy.max_contracts_held_short": """
says Largest number of contracts held in short positions.
reads orders
series float
""",
    "strategy.max_drawdown": """
says Largest fall of the equity.
reads orders
series float
""",
    "strategy.max_drawdown_percent": """
says Largest fall of the equity in percent.
reads orders
series float
""",
    "strategy.max_runup": """
says Largest rise of the equity.
reads orders
series float
""",
    "strategy.max_runup_percent": """
says Largest rise of the equity in percent.
reads orders
series float
""",
    "strategy.netprofit": """
says Profit of all closed trades.
reads orders
used 25
series float
""",
    "strategy.netprofit_percent": """
says Profit of all closed trades in percent of the initial capital.
reads orders
series float
""",
    "strategy.openprofit": """
says Profit of the open position.
reads orders
used 2
series float
""",
    "strategy.openprofit_percent": """
says Profit of the open position in percent.
reads orders
series float
""",
    "strategy.opentrades": """
says Number of open trades.
reads orders
traits never_na
within 0
used 2
series int
""",
    "strategy.opentrades.capital_held": """
says Capital the open trades hold.
reads orders
series float
""",
    "strategy.position_avg_price": """
says Mean entry price of the position, na without one.
reads orders
used 28
series float
""",
    "strategy.position_entry_name": """
says Identifier of the order that opened the position.
reads orders
series string
""",
    "strategy.position_size": """
says Signed size of the position: positive long, negative short.
reads orders
used 356
series float
""",
    "strategy.wintrades": """
says Number of winning trades.
reads orders
traits never_na
within 0
series int
""",
}

CONSTANTS: dict[str, str] = {
    "strategy.cash": """
says Quantities are amounts of the account's currency.
const string
""",
    "strategy.commission.cash_per_contract": """
says The commission is an amount of money for each contract.
used 3
const string
""",
    "strategy.commission.cash_per_order": """
says The commission is an amount of money for each order.
const string
""",
    "strategy.commission.percent": """
says The commission is a percentage of the order's value.
used 151
const string
""",
    "strategy.direction.all": """
says Entries in both directions.
const string
""",
    "strategy.direction.long": """
says Long entries only.
const string
""",
    "strategy.direction.short": """
says Short entries only.
const string
""",
    "strategy.fixed": """
says Quantities are numbers of contracts.
used 178
const string
""",
    "strategy.long": """
says The direction of an order that buys.
used 225
const strategy_direction
""",
    "strategy.oca.cancel": """
says Filling one order cancels the others of the group.
used 2
const string
""",
    "strategy.oca.none": """
says The order belongs to no group.
const string
""",
    "strategy.oca.reduce": """
says Filling one order reduces the others of the group.
used 6
const string
""",
    "strategy.percent_of_equity": """
says Quantities are percentages of the equity.
used 7
const string
""",
    "strategy.short": """
says The direction of an order that sells.
used 155
const strategy_direction
""",
}
