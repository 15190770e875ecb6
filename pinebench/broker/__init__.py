"""The broker of the strategy tester: it accepts orders, fills them on bars, and keeps the account."""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.broker.account import FEES, SIZES, Account
    from pinebench.broker.calls import Calls
    from pinebench.broker.emulator import Broker, ComputedRun
    from pinebench.broker.equity_extremes import Extremes
    from pinebench.broker.figure_table import FigureRecord, figure_text, figure_title
    from pinebench.broker.grid import Grid
    from pinebench.broker.ledger import Curve, Ledger, moves_at_closes
    from pinebench.broker.moment import Moment
    from pinebench.broker.observed import Observer
    from pinebench.broker.order_conditions import meets, path
    from pinebench.broker.orders import (
        CLOSE,
        CLOSE_ALL,
        CLOSE_ALL_ID,
        CLOSE_WORDS,
        ENTRY,
        LIMIT,
        MARGIN_CALL,
        RAW,
        STOP,
        TRAIL,
        Exit,
        Leg,
        Order,
        Trade,
        differ,
    )
    from pinebench.broker.position import Position
    from pinebench.broker.properties import PERCENT, Properties, checked_properties
    from pinebench.broker.rules import RULE_IDS
    from pinebench.broker.slippage import Slippage
    from pinebench.broker.tally import Tally
    from pinebench.broker.trades import ClosedTrade, Fill, TradeColumns, percent_of_entry
    from pinebench.broker.variables import Variables

MODULES = ("figure_table", "figures", "margin", "observed", "order_conditions", "refusals", "variables")
"""The modules that other rooms import whole."""
NAMES = {
    "account": "Account FEES SIZES",
    "calls": "Calls",
    "emulator": "Broker ComputedRun",
    "equity_extremes": "Extremes",
    "figure_table": "FigureRecord figure_text figure_title",
    "grid": "Grid",
    "ledger": "Curve Ledger moves_at_closes",
    "order_conditions": "meets path",
    "moment": "Moment",
    "observed": "Observer",
    "orders": (
        "CLOSE CLOSE_ALL CLOSE_ALL_ID CLOSE_WORDS ENTRY Exit LIMIT Leg MARGIN_CALL Order RAW STOP TRAIL Trade differ"
    ),
    "position": "Position",
    "properties": "PERCENT Properties checked_properties",
    "rules": "RULE_IDS",
    "slippage": "Slippage",
    "tally": "Tally",
    "trades": "ClosedTrade Fill TradeColumns percent_of_entry",
    "variables": "Variables",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
