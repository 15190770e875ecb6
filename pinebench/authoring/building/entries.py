"""Entries: the conditions for opening a position, evaluated on closed bars."""

from pinebench.authoring.building.parts import ModuleSetting, StrategyModule, factor, length

EMA_CROSS = StrategyModule(
    "ema_cross",
    "entry",
    "EMA cross",
    "Buys when a fast average crosses above a slow one, sells short on the reverse.",
    "In ranges the averages cross back and forth, and every cross costs.",
    (
        length("emaFastInput", "Fast EMA", 9, "Bars in the fast average.", "fast"),
        length("emaSlowInput", "Slow EMA", 21, "Bars in the slow average.", "slow", 2),
    ),
    """\
if emaFastInput >= emaSlowInput
    runtime.error("The fast average must be shorter than the slow one.")
float emaFast = ta.ema(close, emaFastInput)
float emaSlow = ta.ema(close, emaSlowInput)
bool emaUp = ta.crossover(emaFast, emaSlow)
bool emaDown = ta.crossunder(emaFast, emaSlow)""",
    "emaUp",
    "emaDown",
    plots="""\
plot(emaFast, "Fast EMA", color.teal)
plot(emaSlow, "Slow EMA", color.orange, 2)""",
    ordered=("fast", "slow"),
)

RSI_REVERSAL = StrategyModule(
    "rsi_reversal",
    "entry",
    "RSI reversal",
    "Buys when the RSI rises out of the oversold zone, sells short when it falls out of the overbought one.",
    "In strong trends the RSI leaves the zone again and again while the price goes on.",
    (
        length("rsiLengthInput", "RSI length", 14, "Bars in the RSI."),
        ModuleSetting("high", "rsiHighInput", "Overbought", 70.0, "Above this the RSI is overbought.", 50.0, 99.0, 1.0),
        ModuleSetting("low", "rsiLowInput", "Oversold", 30.0, "Below this the RSI is oversold.", 1.0, 50.0, 1.0),
    ),
    """\
float rsi = ta.rsi(close, rsiLengthInput)
bool rsiUp = ta.crossover(rsi, rsiLowInput)
bool rsiDown = ta.crossunder(rsi, rsiHighInput)""",
    "rsiUp",
    "rsiDown",
)

MACD_SIGNAL = StrategyModule(
    "macd_signal",
    "entry",
    "MACD signal",
    "Buys when the MACD crosses above its signal line, sells short when it crosses below.",
    "It lags after fast turns, and crosses often when the price hardly moves.",
    (
        length("macdFastInput", "MACD fast", 12, "Bars in the fast average.", "fast"),
        length("macdSlowInput", "MACD slow", 26, "Bars in the slow average.", "slow", 2),
        length("macdSignalInput", "MACD signal", 9, "Bars in the average of the difference.", "signal"),
    ),
    """\
if macdFastInput >= macdSlowInput
    runtime.error("The MACD's fast average must be shorter than its slow one.")
[macdLine, macdSignal, _] = ta.macd(close, macdFastInput, macdSlowInput, macdSignalInput)
bool macdUp = ta.crossover(macdLine, macdSignal)
bool macdDown = ta.crossunder(macdLine, macdSignal)""",
    "macdUp",
    "macdDown",
    ordered=("fast", "slow"),
)

SUPERTREND = StrategyModule(
    "supertrend",
    "entry",
    "Supertrend",
    "Buys when the supertrend turns up, sells short when it turns down.",
    "In ranges it turns late and often.",
    (
        length("trendLengthInput", "Supertrend ATR", 10, "Bars in the average true range."),
        factor(
            "factor",
            "trendFactorInput",
            "Supertrend factor",
            3.0,
            "Distance between price and band, in average true ranges.",
        ),
    ),
    """\
[trendLine, trendDirection] = ta.supertrend(trendFactorInput, trendLengthInput)
float trendChange = ta.change(trendDirection)
bool trendUp = trendChange < 0
bool trendDown = trendChange > 0""",
    "trendUp",
    "trendDown",
    plots="""\
plot(trendLine, "Supertrend", trendDirection < 0 ? color.teal : color.orange)""",
)

BOLLINGER_SQUEEZE = StrategyModule(
    "bollinger_squeeze",
    "entry",
    "Bollinger squeeze",
    "Enters when the Bollinger bands leave the Keltner channel, in the direction of the momentum.",
    "A squeeze may end in a move that turns at once.",
    (
        length(
            "squeezeLengthInput", "Bollinger length", 20, "Bars in the Bollinger bands and the momentum.", minimum=2
        ),
        factor("deviations", "squeezeWidthInput", "Bollinger width", 2.0, "Standard deviations of the bands."),
        length("keltnerLengthInput", "Keltner length", 20, "Bars in the Keltner channel.", "keltner_length"),
        factor(
            "keltner_width",
            "keltnerWidthInput",
            "Keltner width",
            1.5,
            "Width of the Keltner channel, in average ranges.",
        ),
    ),
    """\
[_, squeezeUpper, squeezeLower] = ta.bb(close, squeezeLengthInput, squeezeWidthInput)
[_, keltnerUpper, keltnerLower] = ta.kc(close, keltnerLengthInput, keltnerWidthInput)
bool isSqueezed = squeezeUpper < keltnerUpper and squeezeLower > keltnerLower
float squeezeMomentum = ta.linreg(close - ta.sma(close, squeezeLengthInput), squeezeLengthInput, 0)
bool isReleased = isSqueezed[1] and not isSqueezed""",
    "isReleased and squeezeMomentum > 0.0",
    "isReleased and squeezeMomentum < 0.0",
)

ZSCORE = StrategyModule(
    "zscore_mean_reversion",
    "entry",
    "Z-score reversion",
    "Fades a price that is unusually far from its mean; the trade ends when the price is back near its mean.",
    "If the mean moves, the price can stay far from it.",
    (
        length("zLengthInput", "Z-score length", 20, "Bars in mean and deviation.", minimum=2),
        factor("entry", "zEntryInput", "Z-score entry", 2.0, "Deviations from the mean at which a trade begins."),
        factor("exit", "zExitInput", "Z-score exit", 0.5, "Deviations from the mean at which the trade ends.", 0.0),
    ),
    """\
if zExitInput >= zEntryInput
    runtime.error("The exit's z-score must be smaller than the entry's z-score.")
float zDeviation = ta.stdev(close, zLengthInput)
float zMean = ta.sma(close, zLengthInput)
float zScore = zDeviation > 0.0 ? (close - zMean) / zDeviation : 0.0
bool zUp = ta.crossunder(zScore, -zEntryInput)
bool zDown = ta.crossover(zScore, zEntryInput)""",
    "zUp",
    "zDown",
    "zScore > -zExitInput",
    "zScore < zExitInput",
    ordered=("exit", "entry"),
)

VWAP_FADE = StrategyModule(
    "vwap_fade",
    "entry",
    "VWAP fade",
    "Fades a touch of a band around the VWAP that closes back inside; the trade ends at the VWAP.",
    "On days with a trend the price walks along the band. It needs volume, and bars shorter than a day.",
    (
        factor("deviations", "vwapBandInput", "VWAP band", 2.0, "Deviations between the VWAP and its bands."),
        length("vwapBarsInput", "VWAP bars", 3, "The first bars of a day, which give no signals.", "bars"),
    ),
    """\
bool isNewDay = timeframe.change("1D")
[vwapLine, vwapUpper, vwapLower] = ta.vwap(hlc3, isNewDay, vwapBandInput)
int vwapBars = ta.barssince(isNewDay)
bool isVwapReady = timeframe.isintraday and vwapBars >= vwapBarsInput
bool vwapUp = isVwapReady and low < vwapLower and close > vwapLower and close > open
bool vwapDown = isVwapReady and high > vwapUpper and close < vwapUpper and close < open""",
    "vwapUp",
    "vwapDown",
    "close >= vwapLine",
    "close <= vwapLine",
    plots="""\
plot(vwapLine, "VWAP", color.purple)""",
)

OPENING_RANGE = StrategyModule(
    "opening_range_breakout",
    "entry",
    "Opening range breakout",
    "Enters when a bar closes outside the range of the session's first minutes.",
    "Quiet days break out of the range and come back. It needs bars shorter than the opening range.",
    (
        ModuleSetting(
            "minutes", "openingMinutesInput", "Opening range, minutes", 30, "The length of the opening range.", 1, 720
        ),
        ModuleSetting(
            "session", "openingSessionInput", "Opening range session", "0930-1600", "In the exchange's time zone."
        ),
    ),
    """\
bool inOpening = timeframe.isintraday and not na(time(timeframe.period, openingSessionInput))
int openingDay = time("1D", openingSessionInput)
bool isNewOpening = inOpening and (not inOpening[1] or openingDay != openingDay[1])
var int openingTime = na
var float openingHigh = na
var float openingLow = na
if isNewOpening
    openingTime := time
    openingHigh := high
    openingLow := low
bool isOpeningRange = inOpening and time < openingTime + openingMinutesInput * 60000
if isOpeningRange
    openingHigh := math.max(openingHigh, high)
    openingLow := math.min(openingLow, low)
bool openingUp = ta.crossover(close, openingHigh)
bool openingDown = ta.crossunder(close, openingLow)
bool isRangeComplete = inOpening and not isOpeningRange""",
    "isRangeComplete and openingUp",
    "isRangeComplete and openingDown",
    plots="""\
plot(inOpening ? openingHigh : na, "Opening range high", color.gray, style = plot.style_linebr)
plot(inOpening ? openingLow : na, "Opening range low", color.gray, style = plot.style_linebr)""",
)

ICHIMOKU = StrategyModule(
    "ichimoku",
    "entry",
    "Ichimoku",
    "Enters when conversion and base line cross while the price is on the right side of the cloud.",
    "It lags, and needs some hundred bars before its first signal.",
    (
        length("conversionInput", "Conversion line", 9, "Bars in the conversion line.", "conversion"),
        length("baseInput", "Base line", 26, "Bars in the base line, and how far the cloud is shifted.", "base", 2),
        length("cloudInput", "Cloud", 52, "Bars in the cloud's slower edge.", "cloud"),
    ),
    """\
float conversion = math.avg(ta.highest(high, conversionInput), ta.lowest(low, conversionInput))
float baseline = math.avg(ta.highest(high, baseInput), ta.lowest(low, baseInput))
float cloudFast = math.avg(conversion, baseline)
float cloudSlow = math.avg(ta.highest(high, cloudInput), ta.lowest(low, cloudInput))
float cloudTop = math.max(cloudFast[baseInput - 1], cloudSlow[baseInput - 1])
float cloudBottom = math.min(cloudFast[baseInput - 1], cloudSlow[baseInput - 1])
bool ichimokuUp = ta.crossover(conversion, baseline)
bool ichimokuDown = ta.crossunder(conversion, baseline)""",
    "ichimokuUp and close > cloudTop",
    "ichimokuDown and close < cloudBottom",
    plots="""\
plot(conversion, "Conversion line", color.blue)
plot(baseline, "Base line", color.red)""",
    ordered=("conversion", "base"),
)

ENTRIES = (
    EMA_CROSS,
    RSI_REVERSAL,
    MACD_SIGNAL,
    SUPERTREND,
    BOLLINGER_SQUEEZE,
    ZSCORE,
    VWAP_FADE,
    OPENING_RANGE,
    ICHIMOKU,
)
"""Every entry."""
