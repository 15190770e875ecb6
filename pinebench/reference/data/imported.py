"""Published libraries that scripts import and whose exports are not known, with their newest versions.

The versions are the highest that real scripts were seen to import.
"""

IMPORTED = (
    "Steversteves/SPTS_StatsPakLib/1",
    "TradersReality/Traders_Reality_Lib/2",
    "TradingView/LibraryCOT/6",
    "TradingView/ZigZag/7",
)
