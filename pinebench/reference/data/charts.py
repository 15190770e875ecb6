"""The chart: its bars, sessions, symbol and timeframe, other tickers, and what is requested.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "footprint.buy_volume": """
says Gives the volume bought in the bar.
reads object
runs footprint.buy_volume
needs id
id; footprint
-> series float
""",
    "footprint.delta": """
says Gives the volume bought less the volume sold.
reads object
runs footprint.delta
needs id
id; footprint
-> series float
""",
    "footprint.get_row_by_price": """
says Gives the row that holds a price.
reads object
runs footprint.get_row_by_price
needs id; price
id; footprint
price; series int|float
-> volume_row
""",
    "footprint.poc": """
says Gives the row with the most volume, the point of control.
reads object
runs footprint.poc
needs id
id; footprint
-> volume_row
""",
    "footprint.rows": """
says Makes an array of all rows.
reads object
runs footprint.rows
needs id
id; footprint
-> array<volume_row>
""",
    "footprint.sell_volume": """
says Gives the volume sold in the bar.
reads object
runs footprint.sell_volume
needs id
id; footprint
-> series float
""",
    "footprint.total_volume": """
says Gives the volume of all rows.
reads object
runs footprint.total_volume
needs id
id; footprint
-> series float
""",
    "footprint.vah": """
says Gives the highest row of the value area.
reads object
runs footprint.vah
needs id
id; footprint
-> volume_row
""",
    "footprint.val": """
says Gives the lowest row of the value area.
reads object
runs footprint.val
needs id
id; footprint
-> volume_row
""",
    "request.currency_rate": """
says Gets the daily rate that converts one currency into another.
reads requests
keeps
rule request
needs from; to
from; series string
to; series string
ignore_invalid_currency?; series bool; false
-> series float
""",
    "request.dividends": """
says Gets dividends of a symbol.
reads requests
keeps
rule request
needs ticker
ticker; series string
field?; series string; dividends.gross; ; dividends.net dividends.gross
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
-> series float
""",
    "request.earnings": """
says Gets earnings of a symbol.
reads requests
keeps
rule request
used 2
often field ignore_invalid_symbol ticker
needs ticker
ticker; series string
field?; series string; earnings.actual; ; earnings.actual earnings.estimate earnings.standardized
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
-> series float
""",
    "request.economic": """
says Gets an economic figure of a country or region.
reads requests
keeps
rule request
needs country_code; field
country_code; series string
field; series string
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_off barmerge.gaps_on
ignore_invalid_symbol?; input bool; false
-> series float
""",
    "request.financial": """
says Gets a financial figure of a company.
reads requests
keeps
rule request
used 6
often financial_id ignore_invalid_symbol period symbol
needs symbol; financial_id; period
symbol; series string
financial_id; series string
period; series string; ; ; TTM FY FQ FH D
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
-> series float
""",
    "request.footprint": """
says Gets the volume footprint of the bar.
reads requests
keeps
rule request
used 5
needs ticks_per_row
ticks_per_row; simple int
va_percent?; simple int|float; 70
imbalance_percent?; simple int|float; 300
-> footprint
""",
    "request.quandl": """
says Gets a series from Nasdaq Data Link; no longer supported.
reads requests
keeps
rule request
needs ticker
ticker; series string
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
index?; series int
ignore_invalid_symbol?; input bool; false
-> series float
""",
    "request.security": """
says Evaluates an expression on another symbol or timeframe, and brings its values to the chart's bars.
reads requests
keeps
rule request
used 144
often lookahead gaps ignore_invalid_symbol expression symbol timeframe
needs symbol; timeframe; expression
symbol; series string
timeframe; series string
expression; any
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
currency?; series string; syminfo.currency
calc_bars_count?; simple int
-> series typeof expression
""",
    "request.security_lower_tf": """
says Evaluates an expression on the shorter bars inside each bar, and gives the values as an array.
reads requests
keeps
rule request
used 26
often ignore_invalid_timeframe calc_bars_count expression ignore_invalid_symbol symbol timeframe
needs symbol; timeframe; expression
symbol; series string
timeframe; series string
expression; any
ignore_invalid_symbol?; series bool; false
currency?; series string; syminfo.currency
ignore_invalid_timeframe?; series bool; false
calc_bars_count?; simple int
-> array<typeof expression>
""",
    "request.seed": """
says Evaluates an expression on data from a user's repository.
reads requests
keeps
rule request
needs source; symbol; expression
source; series string
symbol; series string
expression; any
ignore_invalid_symbol?; input bool; false
calc_bars_count?; simple int
-> series typeof expression
""",
    "request.splits": """
says Gets stock splits of a symbol.
reads requests
keeps
rule request
needs ticker; field
ticker; series string
field; series string; ; ; splits.denominator splits.numerator
gaps?; simple barmerge_gaps; barmerge.gaps_off; ; barmerge.gaps_on barmerge.gaps_off
lookahead?; simple barmerge_lookahead; barmerge.lookahead_off; ; barmerge.lookahead_on barmerge.lookahead_off
ignore_invalid_symbol?; input bool; false
-> series float
""",
    "syminfo.prefix": """
says Gives the exchange part of a symbol.
pure
runs tickers.prefix_of
used 2
needs symbol
symbol; simple string
-> simple string
symbol; series string
-> series string
""",
    "syminfo.ticker": """
says Gives a symbol without its exchange part.
pure
runs tickers.ticker_of
used 49
needs symbol
symbol; simple string
-> simple string
symbol; series string
-> series string
""",
    "ticker.heikinashi": """
says Gives the ticker that requests Heikin Ashi bars.
pure
runs tickers.heikin_ashi
needs symbol
symbol; simple string
-> simple string
symbol; series string
-> series string
""",
    "ticker.inherit": """
says Gives a ticker with the modifiers of another.
reads chart
runs tickers.inherit
needs from_tickerid; symbol
from_tickerid; simple string
symbol; simple string
-> simple string
from_tickerid; series string
symbol; series string
-> series string
""",
    "ticker.kagi": """
says Gives the ticker that requests Kagi bars.
pure
needs symbol; reversal
symbol; simple string
reversal; simple int|float
-> simple string
symbol; series string
reversal; series int|float
-> series string
symbol; simple string
param; simple int|float
style; series string; ; ; ATR Traditional PercentageLTP
-> simple string
symbol; series string
param; series int|float
style; series string; ; ; ATR Traditional PercentageLTP
-> series string
""",
    "ticker.linebreak": """
says Gives the ticker that requests Line Break bars.
pure
needs symbol; number_of_lines
symbol; simple string
number_of_lines; simple int
-> simple string
symbol; series string
number_of_lines; series int
-> series string
""",
    "ticker.modify": """
says Gives a ticker with another session, adjustment or settlement.
pure
runs tickers.modify
used 7
often session
needs tickerid
tickerid; simple string
session?; simple string; ; ; session.regular session.extended syminfo.session
adjustment?; simple string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> simple string
tickerid; series string
session?; series string; ; ; session.regular session.extended syminfo.session
adjustment?; series string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> series string
""",
    "ticker.new": """
says Makes a ticker from exchange, symbol and modifiers.
pure
runs tickers.new
used 2
needs prefix; ticker
prefix; simple string
ticker; simple string
session?; simple string; ; ; session.regular session.extended syminfo.session
adjustment?; simple string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> simple string
prefix; series string
ticker; series string
session?; series string; ; ; session.regular session.extended syminfo.session
adjustment?; series string; ; ; adjustment.none adjustment.splits adjustment.dividends
backadjustment?; simple backadjustment; backadjustment.inherit; ; backadjustment.inherit backadjustment.on backadjustment.off
settlement_as_close?; simple settlement; settlement_as_close.inherit; ; settlement_as_close.inherit settlement_as_close.on settlement_as_close.off
-> series string
""",
    "ticker.pointfigure": """
says Gives the ticker that requests Point & Figure bars.
pure
needs symbol; source; style; param; reversal
symbol; simple string
source; simple string; ; ; hl close
style; simple string; ; ; ATR Traditional PercentageLTP
param; simple int|float
reversal; simple int
-> simple string
symbol; series string
source; series string; ; ; hl close
style; series string; ; ; ATR Traditional PercentageLTP
param; series int|float
reversal; series int
-> series string
""",
    "ticker.renko": """
says Gives the ticker that requests Renko bars.
pure
needs symbol; style; param
symbol; simple string
style; simple string; ; ; ATR Traditional PercentageLTP
param; simple int|float
request_wicks?; simple bool; false
source?; simple string; "Close"; ; Close OHLC
-> simple string
symbol; series string
style; series string; ; ; ATR Traditional PercentageLTP
param; series int|float
request_wicks?; series bool; false
source?; series string; "Close"; ; Close OHLC
-> series string
""",
    "ticker.standard": """
says Gives the ticker that requests ordinary bars.
reads chart
runs tickers.standard
symbol?; simple string; syminfo.tickerid
-> simple string
symbol?; series string; syminfo.tickerid
-> series string
""",
    "timeframe.change": """
says Tells whether the bar is the first of a new bar on the given timeframe.
reads bars
keeps
runs times.timeframe_change context
traits event
used 14
timeframe?; series string
-> series bool
""",
    "timeframe.from_seconds": """
says Gives the timeframe text for a number of seconds.
pure
runs times.from_seconds
needs seconds
seconds; simple int
-> simple string
seconds; series int
-> series string
""",
    "timeframe.in_seconds": """
says Gives the length of a timeframe in seconds.
reads chart
runs times.in_seconds context
used 22
often timeframe
timeframe?; simple string; timeframe.period
-> simple int
timeframe?; series string; timeframe.period
-> series int
""",
    "volume_row.buy_volume": """
says Gives the volume bought in the row.
reads object
runs footprint.row_buy_volume
needs id
id; volume_row
-> series float
""",
    "volume_row.delta": """
says Gives the volume bought less the volume sold in the row.
reads object
runs footprint.row_delta
needs id
id; volume_row
-> series float
""",
    "volume_row.down_price": """
says Gives the lower price of the row.
reads object
runs footprint.row_down_price
needs id
id; volume_row
-> series float
""",
    "volume_row.has_buy_imbalance": """
says Tells whether buying outweighs selling in the row.
reads object
runs footprint.row_has_buy_imbalance
needs id
id; volume_row
-> series bool
""",
    "volume_row.has_sell_imbalance": """
says Tells whether selling outweighs buying in the row.
reads object
runs footprint.row_has_sell_imbalance
needs id
id; volume_row
-> series bool
""",
    "volume_row.sell_volume": """
says Gives the volume sold in the row.
reads object
runs footprint.row_sell_volume
needs id
id; volume_row
-> series float
""",
    "volume_row.total_volume": """
says Gives the volume of the row.
reads object
runs footprint.row_total_volume
needs id
id; volume_row
-> series float
""",
    "volume_row.up_price": """
says Gives the upper price of the row.
reads object
runs footprint.row_up_price
needs id
id; volume_row
-> series float
""",
}

VARIABLES: dict[str, str] = {
    "barstate.isconfirmed": """
says True when the bar is closed with this update.
reads bars
used 106
series bool
""",
    "barstate.isfirst": """
says True on the first bar.
reads bars
traits settled
used 24
series bool
""",
    "barstate.ishistory": """
says True on bars that were closed before the script started.
reads bars
traits gates repaints
series bool
""",
    "barstate.islast": """
says True on the last bar of the chart.
reads bars
traits gates repaints
used 135
series bool
""",
    "barstate.islastconfirmedhistory": """
says True on the last bar that was closed before the script started.
reads bars
traits gates repaints
used 13
series bool
""",
    "barstate.isnew": """
says True on the first update of a bar.
reads bars
traits repaints
used 6
series bool
""",
    "barstate.isrealtime": """
says True on bars that are fed by realtime data.
reads bars
traits gates repaints
used 5
series bool
""",
    "dividends.future_amount": """
says Amount of the next dividend for each share, na if none is announced.
reads requests
series float
""",
    "dividends.future_ex_date": """
says Ex-dividend date of the next dividend.
reads requests
series int
""",
    "dividends.future_pay_date": """
says Payment date of the next dividend.
reads requests
series int
""",
    "earnings.future_eps": """
says Estimated earnings per share of the next report.
reads requests
series float
""",
    "earnings.future_period_end_time": """
says End of the period of the next report.
reads requests
series int
""",
    "earnings.future_revenue": """
says Estimated revenue of the next report.
reads requests
series float
""",
    "earnings.future_time": """
says Time of the next report.
reads requests
series int
""",
    "session.isfirstbar": """
says True on the first bar of the day's session, extended hours included.
reads bars
runs times.is_first_bar context
traits calendar settled
used 3
series bool
""",
    "session.isfirstbar_regular": """
says True on the first regular bar of the day.
reads bars
runs times.is_first_bar context
traits calendar settled
used 3
series bool
""",
    "session.islastbar": """
says True on the last bar of the day's session, extended hours included.
reads bars
runs times.is_last_bar context
series bool
""",
    "session.islastbar_regular": """
says True on the last regular bar of the day.
reads bars
runs times.is_last_bar context
series bool
""",
    "session.ismarket": """
says True in regular trading hours.
reads bars
runs times.is_market context
traits settled
used 5
series bool
""",
    "session.ispostmarket": """
says True after regular trading hours.
reads bars
runs times.is_postmarket context
traits settled
series bool
""",
    "session.ispremarket": """
says True before regular trading hours.
reads bars
runs times.is_premarket context
traits settled
series bool
""",
    "syminfo.basecurrency": """
says Base currency of the symbol.
reads chart
simple string
""",
    "syminfo.cftc_code": """
says Code of the symbol in reports of the CFTC.
reads chart
simple string
""",
    "syminfo.country": """
says Country of the symbol's exchange, as two letters.
reads chart
simple string
""",
    "syminfo.currency": """
says Currency in which the symbol is quoted.
reads chart
simple string
""",
    "syminfo.current_contract": """
says Ticker of the contract behind a continuous future.
reads chart
simple string
""",
    "syminfo.description": """
says Description of the symbol.
reads chart
simple string
""",
    "syminfo.employees": """
says Number of employees of the company.
reads chart
simple int
""",
    "syminfo.expiration_date": """
says Expiration of the future or option.
reads chart
simple int
""",
    "syminfo.industry": """
says Industry of the company.
reads chart
simple string
""",
    "syminfo.isin": """
says ISIN of the symbol.
reads chart
used 2
simple string
""",
    "syminfo.main_tickerid": """
says Ticker of the chart, also inside a request.
reads chart
simple string
""",
    "syminfo.mincontract": """
says Smallest quantity that can be traded.
reads chart
simple float
""",
    "syminfo.minmove": """
says Number that, divided by the price scale, gives the tick.
reads chart
simple int
""",
    "syminfo.mintick": """
says Smallest step of the price: one tick.
reads chart
used 95
simple float
""",
    "syminfo.pointvalue": """
says Money that one contract gains if the price rises by 1, in the symbol's currency.
reads chart
simple float
""",
    "syminfo.prefix": """
says Exchange part of the symbol.
reads chart
simple string
""",
    "syminfo.pricescale": """
says Number of price steps in one unit of price.
reads chart
simple int
""",
    "syminfo.recommendations_buy": """
says Number of analysts who say buy.
reads chart
used 2
series int
""",
    "syminfo.recommendations_buy_strong": """
says Number of analysts who say strong buy.
reads chart
used 2
series int
""",
    "syminfo.recommendations_date": """
says Time of the latest recommendations.
reads chart
used 2
series int
""",
    "syminfo.recommendations_hold": """
says Number of analysts who say hold.
reads chart
used 2
series int
""",
    "syminfo.recommendations_sell": """
says Number of analysts who say sell.
reads chart
used 2
series int
""",
    "syminfo.recommendations_sell_strong": """
says Number of analysts who say strong sell.
reads chart
used 2
series int
""",
    "syminfo.recommendations_total": """
says Number of all recommendations.
reads chart
used 2
series int
""",
    "syminfo.root": """
says Root of a future's ticker.
reads chart
simple string
""",
    "syminfo.sector": """
says Sector of the company.
reads chart
simple string
""",
    "syminfo.session": """
says Kind of the chart's session: regular or extended.
reads chart
used 6
simple string
""",
    "syminfo.shareholders": """
says Number of shareholders.
reads chart
simple int
""",
    "syminfo.shares_outstanding_float": """
says Number of shares that are freely traded.
reads chart
simple float
""",
    "syminfo.shares_outstanding_total": """
says Number of all shares.
reads chart
simple int
""",
    "syminfo.target_price_average": """
says Mean of the analysts' price targets.
reads chart
used 5
series float
""",
    "syminfo.target_price_date": """
says Time of the latest price targets.
reads chart
used 4
series int
""",
    "syminfo.target_price_estimates": """
says Number of price targets.
reads chart
used 3
series float
""",
    "syminfo.target_price_high": """
says Highest of the analysts' price targets.
reads chart
used 5
series float
""",
    "syminfo.target_price_low": """
says Lowest of the analysts' price targets.
reads chart
used 5
series float
""",
    "syminfo.target_price_median": """
says Median of the analysts' price targets.
reads chart
used 2
series float
""",
    "syminfo.ticker": """
says Symbol without its exchange part.
reads chart
simple string
""",
    "syminfo.tickerid": """
says Full ticker with exchange and modifiers.
reads chart
used 119
simple string
""",
    "syminfo.timezone": """
says Time zone of the exchange.
reads chart
used 22
simple string
""",
    "syminfo.type": """
says Kind of the symbol: stock, futures, forex, crypto and so on.
reads chart
simple string
""",
    "syminfo.volumetype": """
says Unit of the volume.
reads chart
simple string
""",
    "timeframe.isdaily": """
says True on timeframes of days.
reads chart
used 2
simple bool
""",
    "timeframe.isdwm": """
says True on timeframes of days, weeks or months.
reads chart
simple bool
""",
    "timeframe.isintraday": """
says True on timeframes below a day.
reads chart
used 10
simple bool
""",
    "timeframe.isminutes": """
says True on timeframes of minutes.
reads chart
simple bool
""",
    "timeframe.ismonthly": """
says True on timeframes of months.
reads chart
simple bool
""",
    "timeframe.isseconds": """
says True on timeframes of seconds.
reads chart
simple bool
""",
    "timeframe.isticks": """
says True on timeframes of ticks.
reads chart
simple bool
""",
    "timeframe.isweekly": """
says True on timeframes of weeks.
reads chart
simple bool
""",
    "timeframe.main_period": """
says Timeframe of the script, also inside a request.
reads chart
simple string
""",
    "timeframe.multiplier": """
says Number in front of the timeframe's unit.
reads chart
used 2
simple int
""",
    "timeframe.period": """
says Timeframe as text, multiplier included.
reads chart
used 60
simple string
""",
}

CONSTANTS: dict[str, str] = {
    "dividends.gross": """
says The dividend before taxes are deducted.
const string
""",
    "dividends.net": """
says The dividend after taxes are deducted.
const string
""",
    "earnings.actual": """
says Earnings as reported.
const string
""",
    "earnings.estimate": """
says Earnings as estimated.
const string
""",
    "earnings.standardized": """
says Earnings as reported, recomputed so that companies can be compared.
const string
""",
    "session.extended": """
says Regular and extended trading hours.
used 3
const string
""",
    "session.regular": """
says Regular trading hours.
used 4
const string
""",
}
