"""Filters: additional conditions for opening a position."""

from pinebench.authoring.building.parts import ModuleSetting, StrategyModule, factor, length

TREND_EMA = StrategyModule(
    "trend_ema",
    "filter",
    "Trend",
    "Buys only above a long average, sells short only below it.",
    "It misses the first part of a new trend.",
    (length("filterEmaInput", "Trend EMA", 200, "Bars in the long average."),),
    "float filterEma = ta.ema(close, filterEmaInput)",
    "close > filterEma",
    "close < filterEma",
    plots='plot(filterEma, "Trend EMA", color.gray)',
)

VOLUME = StrategyModule(
    "volume",
    "filter",
    "Volume",
    "Enters only on volume above its average.",
    "It opens nothing on symbols without volume.",
    (
        factor(
            "factor", "volumeFactorInput", "Volume factor", 1.2, "Share of its average that the volume must exceed."
        ),
        length("volumeLengthInput", "Volume length", 20, "Bars in the average of the volume."),
    ),
    """\
float volumeMean = ta.sma(volume, volumeLengthInput)
bool isBusy = volume > volumeMean * volumeFactorInput""",
    "isBusy",
    "isBusy",
)

VOLATILITY_REGIME = StrategyModule(
    "volatility_regime",
    "filter",
    "Volatility regime",
    "Enters only while the short volatility is not far below the long one.",
    "It leaves out breakouts from very quiet markets.",
    (
        factor(
            "least", "regimeRatioInput", "Least ratio", 0.7, "The smallest ratio of short to long volatility.", 0.1, 5.0
        ),
        length("regimeShortInput", "Short volatility", 5, "Bars in the short volatility.", "short", 2),
        length("regimeLongInput", "Long volatility", 20, "Bars in the long volatility.", "long", 3),
    ),
    """\
float regimeReturn = math.log(close / close[1])
float regimeShort = ta.stdev(regimeReturn, regimeShortInput)
float regimeLong = ta.stdev(regimeReturn, regimeLongInput)
bool isMoving = regimeShort > regimeLong * regimeRatioInput""",
    "isMoving",
    "isMoving",
    ordered=("short", "long"),
)

TIME_SESSION = StrategyModule(
    "time_session",
    "filter",
    "Hours",
    "Enters only within these hours; without effect on bars of a day or longer.",
    "Hours are in the exchange's time zone: check them when the symbol changes.",
    (ModuleSetting("session", "hoursInput", "Hours", "0930-1530", "In the time zone of the exchange."),),
    # An order is filled on the next bar, which must be inside the hours too.
    """\
bool nextInHours = not na(time(timeframe.period, hoursInput, bars_back = -1))
bool inHours = timeframe.isdwm or (not na(time(timeframe.period, hoursInput)) and nextInHours)""",
    "inHours",
    "inHours",
)

ATR_REGIME = StrategyModule(
    "atr_regime",
    "filter",
    "Range regime",
    "Enters only while the average true range is not far below its own mean.",
    "It leaves out entries after long quiet times.",
    (
        length("rangeLengthInput", "Range ATR", 14, "Bars in the average true range."),
        factor(
            "share",
            "rangeShareInput",
            "Least share",
            0.5,
            "Share of its 50-bar mean that the range must exceed.",
            0.1,
            5.0,
        ),
    ),
    """\
float rangeAtr = ta.atr(rangeLengthInput)
float rangeMean = ta.sma(rangeAtr, 50)
bool isWide = rangeAtr > rangeMean * rangeShareInput""",
    "isWide",
    "isWide",
)

FILTERS = (TREND_EMA, VOLUME, VOLATILITY_REGIME, TIME_SESSION, ATR_REGIME)
"""Every filter."""
