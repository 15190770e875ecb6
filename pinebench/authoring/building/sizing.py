"""Sizing methods for a position. With each, the planned loss at the stop is at most the chosen share of the equity."""

from pinebench.authoring.building.parts import ModuleSetting, StrategyModule, length

FIXED_RISK = StrategyModule(
    "fixed_risk",
    "sizing",
    "Fixed risk",
    "The quantity that loses the accepted share of equity at the stop.",
    "If the stop is near, positions are large, up to the largest allowed size.",
    (),
    "",
    "",
    "",
)

FIXED_PERCENT = StrategyModule(
    "fixed_percent",
    "sizing",
    "Fixed percent",
    "A fixed share of equity, less if the stop would lose more than is accepted.",
    "Volatile and quiet markets get the same amount.",
    (ModuleSetting("percent", "shareInput", "Position, %", 10.0, "Share of equity in a position.", 0.1, 100.0, 0.5),),
    "float askedSize = capital * shareInput / 100.0 / (close * syminfo.pointvalue)",
    "askedSize",
    "askedSize",
)

KELLY = StrategyModule(
    "kelly",
    "sizing",
    "Kelly",
    "Half of the share that Kelly's formula gives for the strategy's trades so far, never more than the accepted risk.",
    "Few trades prove little: at first, it uses a tenth of the accepted risk. If the trades lose, it opens nothing.",
    (
        ModuleSetting(
            "trades", "kellyTradesInput", "Trades before Kelly", 30, "Closed trades that are needed.", 5, 1000
        ),
        ModuleSetting("fraction", "kellyFractionInput", "Share of Kelly", 0.5, "A half is usual.", 0.05, 1.0, 0.05),
    ),
    """\
float winCount = strategy.wintrades
float lossCount = strategy.losstrades
float winRate = winCount + lossCount > 0.0 ? winCount / (winCount + lossCount) : 0.0
float winMean = winCount > 0.0 ? strategy.grossprofit / winCount : 0.0
float lossMean = lossCount > 0.0 ? math.abs(strategy.grossloss) / lossCount : 0.0
float payoff = lossMean > 0.0 ? winMean / lossMean : 0.0
float kellyShare = payoff > 0.0 ? math.max(0.0, winRate - (1.0 - winRate) / payoff) : 0.0
bool hasRecord = winCount + lossCount >= kellyTradesInput
float kellyRisk = hasRecord ? math.min(riskInput, 100.0 * kellyFractionInput * kellyShare) : riskInput / 10.0
float kellyLong = capital * kellyRisk / 100.0 / (longDistance * syminfo.pointvalue)
float kellyShort = capital * kellyRisk / 100.0 / (shortDistance * syminfo.pointvalue)""",
    "kellyLong",
    "kellyShort",
)

VOLATILITY_ADJUSTED = StrategyModule(
    "volatility_adjusted",
    "sizing",
    "Volatility target",
    "A position with the wanted yearly volatility, or a smaller one if the stop would lose too much.",
    "After quiet times, the position is large when the volatility rises.",
    (
        ModuleSetting(
            "target",
            "volTargetInput",
            "Volatility, % a year",
            15.0,
            "The volatility of the position, in percent of equity.",
            1.0,
            100.0,
            1.0,
        ),
        length("volLengthInput", "Volatility length", 20, "Bars in which it is measured.", minimum=2),
    ),
    """\
var int volSince = time
float volYears = (time - volSince) / (365.0 * 86400000.0)
float barsInYear = volYears > 0.0 ? bar_index / volYears : na
float volPerBar = ta.stdev(math.log(close / close[1]), volLengthInput)
float volPerYear = 100.0 * volPerBar * math.sqrt(barsInYear)
float volShare = volPerYear > 0.0 ? volTargetInput / volPerYear : 0.0
float volSize = capital * volShare / (close * syminfo.pointvalue)""",
    "volSize",
    "volSize",
)

SIZINGS = (FIXED_RISK, FIXED_PERCENT, KELLY, VOLATILITY_ADJUSTED)
"""Every way to size a position."""
