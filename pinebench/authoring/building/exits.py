"""Exits: the distance of the stop, how it moves, and other reasons to close a position. Sizing needs a stop, so every
exit has one."""

from __future__ import annotations

from pinebench.authoring.building.parts import ModuleSetting, StrategyModule, factor, length


def _atr(default: int = 14) -> ModuleSetting:
    return length("stopAtrInput", "Stop ATR", default, "Bars in the average true range of the stop.", "atr")


ATR_STOP = StrategyModule(
    "atr_stop",
    "exit",
    "ATR stop",
    "A stop and a target in average true ranges from the price at the signal.",
    "A gap can jump over the stop; then the loss is larger than planned.",
    (
        _atr(),
        factor("stop", "stopInput", "Stop, ATR", 2.0, "Distance of the stop."),
        factor("target", "targetInput", "Target, ATR", 3.0, "Distance of the target; 0 means no target.", 0.0),
    ),
    "float stopAtr = ta.atr(stopAtrInput)",
    "stopInput * stopAtr",
    "stopInput * stopAtr",
    target="targetInput * stopAtr",
)

PERCENT_STOP = StrategyModule(
    "percent_stop",
    "exit",
    "Percent stop",
    "A stop and a target in percent of the price at the signal.",
    "The same percentage is a large distance in quiet markets and a small one in volatile markets.",
    (
        ModuleSetting("stop", "stopInput", "Stop, %", 2.0, "Distance of the stop.", 0.05, 50.0, 0.05),
        ModuleSetting(
            "target", "targetInput", "Target, %", 4.0, "Distance of the target; 0 means no target.", 0.0, 500.0, 0.1
        ),
    ),
    "",
    "close * stopInput / 100.0",
    "close * stopInput / 100.0",
    target="close * targetInput / 100.0",
)

TRAILING_STOP = StrategyModule(
    "trailing_stop",
    "exit",
    "Trailing stop",
    "A stop in percent behind the best close since the entry.",
    "It gives back a part of every profit.",
    (ModuleSetting("percent", "trailInput", "Trail, %", 2.0, "Distance behind the best close.", 0.05, 50.0, 0.05),),
    "",
    "close * trailInput / 100.0",
    "close * trailInput / 100.0",
    long_trail="close * (1.0 - trailInput / 100.0)",
    short_trail="close * (1.0 + trailInput / 100.0)",
)

TIME_EXIT = StrategyModule(
    "time_exit",
    "exit",
    "Time exit",
    "Ends a position after some bars or at the end of the day, with a stop as protection.",
    "It ends winning trades in the same way as losing trades.",
    (
        ModuleSetting(
            "bars", "holdInput", "Bars held", 20, "The position is closed after this number of bars.", 1, 5000
        ),
        ModuleSetting("end_of_day", "dayEndInput", "Close at the end of the day", False, "On bars shorter than a day."),
        _atr(),
        factor("stop", "stopInput", "Stop, ATR", 3.0, "Distance of the stop."),
    ),
    """\
float stopAtr = ta.atr(stopAtrInput)
int barsHeld = strategy.opentrades > 0 ? bar_index - strategy.opentrades.entry_bar_index(0) : 0
bool isDayEnd = dayEndInput and timeframe.isintraday and session.islastbar
bool isTimeOver = barsHeld >= holdInput - 1""",
    "stopInput * stopAtr",
    "stopInput * stopAtr",
    over="isTimeOver",
    at_once="isDayEnd",
)

CHANDELIER = StrategyModule(
    "chandelier_exit",
    "exit",
    "Chandelier exit",
    "A stop that is some average true ranges below the highest high (above the lowest low) of the last bars.",
    "After a sharp move against the position the stop is near; after a long move it is far away.",
    (
        length("chandelierInput", "Chandelier length", 22, "Bars of the highest high and of the ATR."),
        factor("factor", "chandelierFactorInput", "Chandelier, ATR", 3.0, "Distance from the highest high."),
    ),
    """\
float chandelierAtr = ta.atr(chandelierInput)
float chandelierLong = ta.highest(high, chandelierInput) - chandelierFactorInput * chandelierAtr
float chandelierShort = ta.lowest(low, chandelierInput) + chandelierFactorInput * chandelierAtr""",
    "close - chandelierLong",
    "chandelierShort - close",
    long_trail="chandelierLong",
    short_trail="chandelierShort",
)

EXITS = (ATR_STOP, PERCENT_STOP, TRAILING_STOP, TIME_EXIT, CHANDELIER)
"""Every exit."""
