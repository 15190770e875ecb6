"""Sources of bars, and the properties of the symbol that the bars belong to."""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.market.aggregation import in_timeframe
    from pinebench.market.bar_files import BarsFile, separator_of
    from pinebench.market.bar_loader import (
        SAMPLE,
        Data,
        file_data,
        in_another,
        load,
        load_all,
        load_named,
        named,
        read_bars,
        with_properties,
    )
    from pinebench.market.bar_spacing import timeframe_of
    from pinebench.market.bars import MADE_UP, Bars, SymbolInfo
    from pinebench.market.data_frames import bars_of
    from pinebench.market.feeds.binance import binance_interval
    from pinebench.market.feeds.feed_bars import FeedBars, fetch
    from pinebench.market.feeds.steps import longest_ms, read_step, step_name
    from pinebench.market.information import ASSUMED, Description, beside, description, symbol_fields, symbol_info
    from pinebench.market.random_bars import random_walk
    from pinebench.market.rates import Rates, read_rates
    from pinebench.market.sample import sample_bars
    from pinebench.market.ticks import tick_of

MODULES = ("bar_choice", "numerals", "samples")
"""The modules that other rooms import whole."""
NAMES = {
    "aggregation": "in_timeframe",
    "bars": "MADE_UP Bars SymbolInfo",
    "feeds.binance": "binance_interval",
    "feeds.feed_bars": "FeedBars fetch",
    "feeds.steps": "longest_ms read_step step_name",
    "data_frames": "bars_of",
    "information": "ASSUMED Description beside description symbol_fields symbol_info",
    "bar_loader": "SAMPLE Data file_data in_another load load_all load_named named read_bars with_properties",
    "bar_files": "BarsFile separator_of",
    "rates": "Rates read_rates",
    "sample": "sample_bars",
    "bar_spacing": "timeframe_of",
    "ticks": "tick_of",
    "random_bars": "random_walk",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
