"""The effects of built-ins besides their values: what they read, change and keep, as groups of names.

Maintained by hand from TradingView's reference. `pinebench.reference.model.Effects` explains the words.
"""

from __future__ import annotations

FUNCTIONS: tuple[tuple[str, str, bool, str], ...] = (
    ("bars", "", False, "chart.point.now"),
    ("bars chart", "", False, "time time_close"),
    (
        "chart",
        "",
        False,
        "dayofmonth dayofweek hour math.round_to_mintick minute month second str.format_time ticker.inherit "
        "ticker.standard timeframe.in_seconds timestamp weekofyear year",
    ),
    (
        "inputs",
        "",
        False,
        "input input.bool input.color input.enum input.float input.int input.price input.session input.source "
        "input.string input.symbol input.text_area input.time input.timeframe",
    ),
    (
        "object",
        "",
        False,
        "array.abs array.avg array.binary_search array.binary_search_leftmost array.binary_search_rightmost "
        "array.copy array.covariance array.every array.first array.get array.includes array.indexof array.join "
        "array.last array.lastindexof array.max array.median array.min array.mode "
        "array.percentile_linear_interpolation array.percentile_nearest_rank array.percentrank array.range array.size "
        "array.slice array.some array.sort_indices array.standardize array.stdev array.sum array.variance "
        "box.get_bottom box.get_left box.get_right box.get_top chart.point.copy footprint.buy_volume footprint.delta "
        "footprint.get_row_by_price footprint.poc footprint.rows footprint.sell_volume footprint.total_volume "
        "footprint.vah footprint.val label.get_text label.get_x label.get_y line.get_price line.get_x1 line.get_x2 "
        "line.get_y1 line.get_y2 linefill.get_line1 linefill.get_line2 map.contains map.copy map.get map.keys "
        "map.size map.values matrix.avg matrix.col matrix.columns matrix.copy matrix.det matrix.diff "
        "matrix.eigenvalues matrix.eigenvectors matrix.elements_count matrix.get matrix.inv matrix.is_antidiagonal "
        "matrix.is_antisymmetric matrix.is_binary matrix.is_diagonal matrix.is_identity matrix.is_square "
        "matrix.is_stochastic matrix.is_symmetric matrix.is_triangular matrix.is_zero matrix.kron matrix.max "
        "matrix.median matrix.min matrix.mode matrix.mult matrix.pinv matrix.pow matrix.rank matrix.row matrix.rows "
        "matrix.submatrix matrix.sum matrix.trace matrix.transpose volume_row.buy_volume volume_row.delta "
        "volume_row.down_price volume_row.has_buy_imbalance volume_row.has_sell_imbalance volume_row.sell_volume "
        "volume_row.total_volume volume_row.up_price",
    ),
    (
        "orders",
        "",
        False,
        "strategy.closedtrades.commission strategy.closedtrades.entry_bar_index strategy.closedtrades.entry_comment "
        "strategy.closedtrades.entry_id strategy.closedtrades.entry_price strategy.closedtrades.entry_time "
        "strategy.closedtrades.exit_bar_index strategy.closedtrades.exit_comment strategy.closedtrades.exit_id "
        "strategy.closedtrades.exit_price strategy.closedtrades.exit_time strategy.closedtrades.max_drawdown "
        "strategy.closedtrades.max_drawdown_percent strategy.closedtrades.max_runup "
        "strategy.closedtrades.max_runup_percent strategy.closedtrades.profit strategy.closedtrades.profit_percent "
        "strategy.closedtrades.size strategy.convert_to_account strategy.convert_to_symbol strategy.default_entry_qty "
        "strategy.opentrades.commission strategy.opentrades.entry_bar_index strategy.opentrades.entry_comment "
        "strategy.opentrades.entry_id strategy.opentrades.entry_price strategy.opentrades.entry_time "
        "strategy.opentrades.max_drawdown strategy.opentrades.max_drawdown_percent strategy.opentrades.max_runup "
        "strategy.opentrades.max_runup_percent strategy.opentrades.profit strategy.opentrades.profit_percent "
        "strategy.opentrades.size",
    ),
    (
        "",
        "",
        True,
        "fixnan math.sum ta.alma ta.barssince ta.bb ta.bbw ta.cci ta.change ta.cmo ta.cog ta.correlation ta.cross "
        "ta.crossover ta.crossunder ta.cum ta.dev ta.ema ta.falling ta.hma ta.linreg ta.macd ta.max ta.median ta.min "
        "ta.mode ta.mom ta.percentile_linear_interpolation ta.percentile_nearest_rank ta.percentrank ta.range ta.rci "
        "ta.rising ta.rma ta.roc ta.rsi ta.sma ta.stdev ta.stoch ta.swma ta.tsi ta.valuewhen ta.variance ta.wma",
    ),
    (
        "bars",
        "",
        True,
        "ta.atr ta.dmi ta.highest ta.highestbars ta.kc ta.kcw ta.lowest ta.lowestbars ta.mfi ta.pivot_point_levels "
        "ta.pivothigh ta.pivotlow ta.sar ta.supertrend ta.tr ta.vwap ta.vwma ta.wpr timeframe.change",
    ),
    ("random", "", True, "math.random"),
    (
        "requests",
        "",
        True,
        "request.currency_rate request.dividends request.earnings request.economic request.financial "
        "request.footprint request.quandl request.security request.security_lower_tf request.seed request.splits",
    ),
    ("", "alerts", False, "alert alertcondition"),
    ("", "declaration", False, "indicator library strategy"),
    ("", "drawings", False, "box.new label.new line.new linefill.new polyline.new table.new"),
    ("object", "drawings", False, "box.copy label.copy line.copy"),
    ("", "history", False, "max_bars_back"),
    ("", "log", False, "log.error log.info log.warning"),
    (
        "object",
        "object",
        False,
        "array.clear array.concat array.fill array.insert array.pop array.push array.remove array.reverse array.set "
        "array.shift array.sort array.unshift map.clear map.put map.put_all map.remove matrix.add_col matrix.add_row "
        "matrix.concat matrix.fill matrix.remove_col matrix.remove_row matrix.reshape matrix.reverse matrix.set "
        "matrix.sort matrix.swap_columns matrix.swap_rows",
    ),
    (
        "",
        "object drawings",
        False,
        "box.delete box.set_bgcolor box.set_border_color box.set_border_style box.set_border_width box.set_bottom "
        "box.set_bottom_right_point box.set_extend box.set_left box.set_lefttop box.set_right box.set_rightbottom "
        "box.set_text box.set_text_color box.set_text_font_family box.set_text_formatting box.set_text_halign "
        "box.set_text_size box.set_text_valign box.set_text_wrap box.set_top box.set_top_left_point box.set_xloc "
        "label.delete label.set_color label.set_point label.set_size label.set_style label.set_text "
        "label.set_text_font_family label.set_text_formatting label.set_textalign label.set_textcolor "
        "label.set_tooltip label.set_x label.set_xloc label.set_xy label.set_y label.set_yloc line.delete "
        "line.set_color line.set_extend line.set_first_point line.set_second_point line.set_style line.set_width "
        "line.set_x1 line.set_x2 line.set_xloc line.set_xy1 line.set_xy2 line.set_y1 line.set_y2 linefill.delete "
        "linefill.set_color polyline.delete table.cell table.cell_set_bgcolor table.cell_set_height "
        "table.cell_set_text table.cell_set_text_color table.cell_set_text_font_family table.cell_set_text_formatting "
        "table.cell_set_text_halign table.cell_set_text_size table.cell_set_text_valign table.cell_set_tooltip "
        "table.cell_set_width table.clear table.delete table.merge_cells table.set_bgcolor table.set_border_color "
        "table.set_border_width table.set_frame_color table.set_frame_width table.set_position",
    ),
    (
        "",
        "orders",
        False,
        "strategy.risk.allow_entry_in strategy.risk.max_cons_loss_days strategy.risk.max_drawdown "
        "strategy.risk.max_intraday_filled_orders strategy.risk.max_intraday_loss strategy.risk.max_position_size",
    ),
    (
        "orders",
        "orders",
        False,
        "strategy.cancel strategy.cancel_all strategy.close strategy.close_all strategy.entry strategy.exit "
        "strategy.order",
    ),
    ("", "plots", False, "barcolor bgcolor fill hline plot plotarrow plotbar plotcandle plotchar plotshape"),
    ("", "stop", False, "runtime.error"),
)
"""Groups of functions: what they read, what they change, whether they keep state from bar to bar, and their names."""

PURE = (
    "array.from array.new array.new_bool array.new_box array.new_color array.new_float array.new_int "
    "array.new_label array.new_line array.new_linefill array.new_string array.new_table bool box "
    "chart.point.from_index chart.point.from_time chart.point.new color color.b color.from_gradient color.g "
    "color.new color.r color.rgb color.t float int label line linefill map.new math.abs math.acos math.asin "
    "math.atan math.avg math.ceil math.cos math.exp math.floor math.log math.log10 math.max math.min math.pow "
    "math.round math.sign math.sin math.sqrt math.tan math.todegrees math.toradians matrix.new na nz str.contains "
    "str.endswith str.format str.length str.lower str.match str.pos str.repeat str.replace str.replace_all "
    "str.split str.startswith str.substring str.tonumber str.tostring str.trim str.upper string syminfo.prefix "
    "syminfo.ticker table ticker.heikinashi ticker.kagi ticker.linebreak ticker.modify ticker.new "
    "ticker.pointfigure ticker.renko timeframe.from_seconds"
)
"""The functions that compute a value from their arguments and have no effects."""

VARIABLES: tuple[tuple[str, bool, str], ...] = (
    (
        "bars",
        False,
        "ask bar_index barstate.isconfirmed barstate.isfirst barstate.ishistory barstate.islast "
        "barstate.islastconfirmedhistory barstate.isnew barstate.isrealtime bid close dayofmonth dayofweek high hl2 "
        "hlc3 hlcc4 hour last_bar_index last_bar_time low minute month ohlc4 open second session.isfirstbar "
        "session.isfirstbar_regular session.islastbar session.islastbar_regular session.ismarket session.ispostmarket "
        "session.ispremarket time time_close time_tradingday volume weekofyear year",
    ),
    ("bars", True, "ta.accdist ta.iii ta.nvi ta.obv ta.pvi ta.pvt ta.tr ta.vwap ta.wad ta.wvad"),
    (
        "chart",
        False,
        "chart.bg_color chart.fg_color chart.is_heikinashi chart.is_kagi chart.is_linebreak chart.is_pnf "
        "chart.is_range chart.is_renko chart.is_standard chart.left_visible_bar_time chart.right_visible_bar_time "
        "syminfo.basecurrency syminfo.cftc_code syminfo.country syminfo.currency syminfo.current_contract "
        "syminfo.description syminfo.employees syminfo.expiration_date syminfo.industry syminfo.isin "
        "syminfo.main_tickerid syminfo.mincontract syminfo.minmove syminfo.mintick syminfo.pointvalue syminfo.prefix "
        "syminfo.pricescale syminfo.recommendations_buy syminfo.recommendations_buy_strong "
        "syminfo.recommendations_date syminfo.recommendations_hold syminfo.recommendations_sell "
        "syminfo.recommendations_sell_strong syminfo.recommendations_total syminfo.root syminfo.sector "
        "syminfo.session syminfo.shareholders syminfo.shares_outstanding_float syminfo.shares_outstanding_total "
        "syminfo.target_price_average syminfo.target_price_date syminfo.target_price_estimates "
        "syminfo.target_price_high syminfo.target_price_low syminfo.target_price_median syminfo.ticker "
        "syminfo.tickerid syminfo.timezone syminfo.type syminfo.volumetype timeframe.isdaily timeframe.isdwm "
        "timeframe.isintraday timeframe.isminutes timeframe.ismonthly timeframe.isseconds timeframe.isticks "
        "timeframe.isweekly timeframe.main_period timeframe.multiplier timeframe.period",
    ),
    ("clock", False, "timenow"),
    ("drawings", False, "box.all label.all line.all linefill.all polyline.all table.all"),
    (
        "orders",
        False,
        "strategy.account_currency strategy.avg_losing_trade strategy.avg_losing_trade_percent strategy.avg_trade "
        "strategy.avg_trade_percent strategy.avg_winning_trade strategy.avg_winning_trade_percent "
        "strategy.closedtrades strategy.closedtrades.first_index strategy.equity strategy.eventrades "
        "strategy.grossloss strategy.grossloss_percent strategy.grossprofit strategy.grossprofit_percent "
        "strategy.initial_capital strategy.losstrades strategy.margin_liquidation_price "
        "strategy.max_contracts_held_all strategy.max_contracts_held_long strategy.max_contracts_held_short "
        "strategy.max_drawdown strategy.max_drawdown_percent strategy.max_runup strategy.max_runup_percent "
        "strategy.netprofit strategy.netprofit_percent strategy.openprofit strategy.openprofit_percent "
        "strategy.opentrades strategy.opentrades.capital_held strategy.position_avg_price "
        "strategy.position_entry_name strategy.position_size strategy.wintrades",
    ),
    (
        "requests",
        False,
        "dividends.future_amount dividends.future_ex_date dividends.future_pay_date earnings.future_eps "
        "earnings.future_period_end_time earnings.future_revenue earnings.future_time",
    ),
)
"""Groups of variables: what they read, whether they keep state from bar to bar, and their names."""
