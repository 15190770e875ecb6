"""The table of a back-test's figures. Each record has a figure's titles and its format for all reports.

A new figure is added here and computed in `figures`. The studio gets the table as `studio/page/src/model/figures.json`,
which `scripts/docs/generate.py` writes.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple

from pinebench.amounts import money_text, percent_text, short_text

Unit = Literal["money", "percent", "count", "number"]
"""The unit of a figure. A count is a whole number; a number is a ratio, a number of bars or of contracts."""
Group = Literal["side", "account", "unlisted"]
"""The table that shows a figure: the one for all trades and each side, the one for the account, or none."""
UNKNOWN = "–"
"""The text for a figure that cannot be computed."""


class FigureRecord(NamedTuple):
    """One figure: its name in `figures`, its titles, and its format for people.

    `words` is the title on TradingView's page and in the studio. `key` is the name in the report of TradingView's page.
    Both are empty if TradingView does not have the figure. `digits` is the largest number of decimals. `short` is the
    title in narrow tables; it is empty if it is the same as the title.
    """

    name: str
    title: str
    unit: Unit
    group: Group = "side"
    words: str = ""
    key: str = ""
    digits: int = 3
    short: str = ""

    @property
    def head(self) -> str:
        """The figure's title in a narrow table."""
        return self.short or self.title

    def text(self, value: float | None) -> str:
        """Format a value of this figure for people; None becomes a dash."""
        if value is None:
            return UNKNOWN
        if self.unit == "number" or self.unit == "count":
            return short_text(value, self.digits)
        return money_text(value) if self.unit == "money" else percent_text(value)


FIGURES = (
    FigureRecord("net_profit", "Net profit", "money", words="Net profit", key="netProfit"),
    FigureRecord("gross_profit", "Gross profit", "money", words="Gross profit", key="grossProfit"),
    FigureRecord("gross_loss", "Gross loss", "money", words="Gross loss", key="grossLoss"),
    FigureRecord("open_profit", "Open profit", "money", words="Open P&L", key="openPL"),
    FigureRecord("profit_factor", "Profit factor", "number", words="Profit factor", key="profitFactor"),
    FigureRecord("commission_paid", "Commission paid", "money", words="Commission paid", key="commissionPaid"),
    FigureRecord("trades", "Closed trades", "count", words="Total closed trades", key="totalTrades", short="Trades"),
    FigureRecord("open_trades", "Open trades", "count", words="Total open trades", key="totalOpenTrades"),
    FigureRecord("winning_trades", "Winning trades", "count", words="Winning trades", key="numberOfWiningTrades"),
    FigureRecord("losing_trades", "Losing trades", "count", words="Losing trades", key="numberOfLosingTrades"),
    FigureRecord("even_trades", "Even trades", "count", "unlisted", key="numberOfEvenTrades"),
    FigureRecord(
        "percent_profitable", "Percent profitable", "percent", words="Percent profitable", key="percentProfitable"
    ),
    FigureRecord("average_trade", "Average trade", "money", words="Avg trade", key="avgTrade"),
    FigureRecord(
        "average_winning_trade", "Average winning trade", "money", words="Avg winning trade", key="avgWinTrade"
    ),
    FigureRecord("average_losing_trade", "Average losing trade", "money", words="Avg losing trade", key="avgLosTrade"),
    FigureRecord(
        "average_win_to_loss",
        "Average win / loss",
        "number",
        words="Ratio avg win / avg loss",
        key="ratioAvgWinAvgLoss",
    ),
    FigureRecord(
        "largest_winning_trade", "Largest winning trade", "money", words="Largest winning trade", key="largestWinTrade"
    ),
    FigureRecord(
        "largest_losing_trade", "Largest losing trade", "money", words="Largest losing trade", key="largestLosTrade"
    ),
    FigureRecord("average_bars", "Average bars in trade", "number", words="Avg bars in trades", key="avgBarsInTrade"),
    FigureRecord(
        "average_bars_winning",
        "Average bars in winning trade",
        "number",
        words="Avg bars in winning trades",
        key="avgBarsInWinTrade",
    ),
    FigureRecord(
        "average_bars_losing",
        "Average bars in losing trade",
        "number",
        words="Avg bars in losing trades",
        key="avgBarsInLossTrade",
    ),
    FigureRecord(
        "max_contracts_held", "Largest position", "number", words="Largest position", key="maxContractsHeld", digits=8
    ),
    FigureRecord("margin_calls", "Margin calls", "count", words="Margin calls", key="marginCalls"),
    FigureRecord(
        "initial_capital", "Initial capital", "money", "account", words="Initial capital", key="initialCapital"
    ),
    FigureRecord("final_equity", "Final equity", "money", "account"),
    FigureRecord("max_run_up_close", "Largest run-up at closes", "money", "account"),
    FigureRecord(
        "max_run_up",
        "Largest run-up from realized equity",
        "money",
        "account",
        words="Max equity run-up",
        key="maxStrategyRunUp",
    ),
    FigureRecord("max_drawdown_close", "Largest drawdown at closes", "money", "account"),
    FigureRecord(
        "max_drawdown",
        "Largest drawdown from realized equity",
        "money",
        "account",
        words="Max equity drawdown",
        key="maxStrategyDrawDown",
        short="Drawdown",
    ),
    FigureRecord("buy_and_hold", "Buy and hold", "money", "account", words="Buy & hold return", key="buyHoldReturn"),
    FigureRecord("growth_a_year_percent", "Growth a year", "percent", "account"),
    FigureRecord(
        "sharpe_ratio", "Sharpe ratio", "number", "account", words="Sharpe ratio", key="sharpeRatio", short="Sharpe"
    ),
    FigureRecord("sortino_ratio", "Sortino ratio", "number", "account", words="Sortino ratio", key="sortinoRatio"),
    FigureRecord("return_on_max_drawdown", "Return on largest drawdown", "number", "unlisted"),
    FigureRecord("outperformance", "Outperformance", "money", "unlisted"),
)
"""All figures, in TradingView's order. A drawdown at closes goes from the highest equity at a close to the equity at a
later close. A drawdown from realized equity is TradingView's: it goes from the highest
realized equity to the worst price of a bar."""


@cache
def by_name() -> dict[str, FigureRecord]:
    """Return the records by the names of their figures."""
    return {one.name: one for one in FIGURES}


def group(name: Group) -> tuple[FigureRecord, ...]:
    """Return the figures of one table, in the order of the table."""
    return tuple(one for one in FIGURES if one.group == name)


def figure_text(name: str, value: float | None) -> str:
    """Format a value of the figure `name` for people; None becomes a dash."""
    return by_name()[name].text(value)


def figure_title(name: str) -> str:
    """Return the title of a figure."""
    return by_name()[name].title


def for_page() -> list[dict[str, Any]]:
    """Return the table of figures as JSON values for the studio's page."""
    return [one._asdict() for one in FIGURES]
