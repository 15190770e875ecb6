"""Technical analysis.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "ta.alma": """
says Gives the Arnaud Legoux moving average, whose weights follow a bell curve: smooth and quick.
keeps
runs averages.Alma
traits inexact
used 2
needs series; length; offset; sigma
history
series; series int|float
length; series int
offset; simple int|float
sigma; simple int|float
floor?; simple bool; false
-> series float
""",
    "ta.atr": """
says Gives the average true range, the RMA of the true range: how far the price moves in a bar.
reads bars
keeps
runs spread.Atr
traits inexact
within 0
used 158
often length
needs length
history
length; simple int
-> series float
""",
    "ta.barssince": """
says Counts the bars since a condition was true.
keeps
runs events.BarsSince
traits event lags
within 0
used 20
needs condition
history
condition; series bool
-> series int
""",
    "ta.bb": """
says Gives the Bollinger Bands: the average, and a line above and below it at a multiple of the deviation.
keeps
runs spread.Bb
needs series; length; mult
history
series; series int|float
length; series int
mult; simple int|float
-> [series float, series float, series float]
""",
    "ta.bbw": """
says Gives the width of the Bollinger Bands in percent of the middle band; small in a quiet market.
keeps
runs spread.Bbw
needs series; length; mult
history
series; series int|float
length; series int
mult; simple int|float
-> series float
""",
    "ta.cci": """
says Gives the commodity channel index: how far a price is from its average, in units of its mean deviation.
keeps
runs spread.Cci
traits inexact
used 3
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.change": """
says Gives the difference of a value and its value some bars ago; for a bool, whether it changed.
keeps
traits any_length event maybe_zero
used 66
often source
needs source
history
source; series int
length?; series int; 1
-> series int
runs momentum.Change
source; series int|float
length?; series int; 1
-> series float
runs momentum.Change
source; series bool
length?; series int; 1
-> series bool
runs momentum.ChangeOfBool
""",
    "ta.cmo": """
says Gives the Chande momentum oscillator, from -100 (only falls) to 100 (only rises).
keeps
runs momentum.Cmo
needs series; length
history
series; series int|float
length; series int
-> series float
""",
    "ta.cog": """
says Gives Ehlers' center of gravity oscillator, which turns when the weight of the window moves to newer bars.
keeps
runs ranks.Cog
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.correlation": """
says Gives the correlation of two series, from -1 (opposite) over 0 (none) to 1 (the same way).
keeps
runs spread.Correlation
within -1 1
used 3
needs source1; source2; length
history
source1; series int|float
source2; series int|float
length; series int
-> series float
""",
    "ta.cross": """
says True on a bar on which two series change places, in either direction.
keeps
runs events.Cross
traits crosses event
used 3
needs source1; source2
history
source1; series int|float
source2; series int|float
-> series bool
""",
    "ta.crossover": """
says True on a bar on which the first series comes above the second.
keeps
runs events.Crossover
traits crosses event
used 163
often source1 source2
needs source1; source2
history
source1; series int|float
source2; series int|float
-> series bool
""",
    "ta.crossunder": """
says True on a bar on which the first series comes below the second.
keeps
runs events.Crossunder
traits crosses event
used 140
often source1 source2
needs source1; source2
history
source1; series int|float
source2; series int|float
-> series bool
""",
    "ta.cum": """
says Gives the sum of all values since the first bar.
keeps
runs events.Cum
used 3
needs source
history
source; series int|float
-> series float
""",
    "ta.dev": """
says Gives the mean distance of the last values from their average.
keeps
runs spread.Dev
traits maybe_zero
within 0
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.dmi": """
says Gives +DI, -DI and ADX: the strengths of rises and falls, and of the trend whichever its direction.
reads bars
keeps
runs trend.Dmi
used 2
needs diLength; adxSmoothing
history
diLength; simple int
adxSmoothing; simple int
-> [series float, series float, series float]
""",
    "ta.ema": """
says Gives the exponential moving average, which weights recent values more; it begins with a simple average.
keeps
runs averages.Ema
traits inexact
used 242
often length source
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.falling": """
says True if the value fell on each of the last bars.
keeps
runs events.Falling
traits event
used 2
needs source; length
history
source; series int|float
length; series int
-> series bool
""",
    "ta.highest": """
says Gives the greatest value of the last bars, the current one included.
reads bars
keeps
traits picks
used 141
often length source
needs length
history
length; series int; ; simple int
-> series float
runs extremes.HighestOfBars
source; series int|float
length; series int; ; simple int
-> series float
runs extremes.Highest
""",
    "ta.highestbars": """
says Offset to the highest value of the last bars, zero or negative.
reads bars
keeps
traits lags
used 10
needs length
history
length; series int
-> series int
runs extremes.HighestBarsOfBars
source; series int|float
length; series int
-> series int
runs extremes.HighestBars
""",
    "ta.hma": """
says Gives the Hull moving average, which follows the price with little delay.
keeps
runs averages.Hma
traits inexact
used 7
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.kc": """
says Gives the Keltner Channels: an EMA, and lines above and below it at a multiple of the average range.
reads bars
keeps
runs spread.Kc
needs series; length; mult
history
series; series int|float
length; simple int
mult; simple int|float
useTrueRange?; simple bool; true
-> [series float, series float, series float]
""",
    "ta.kcw": """
says Gives the width of the Keltner Channels as a part of the middle line.
reads bars
keeps
runs spread.Kcw
needs series; length; mult
history
series; series int|float
length; simple int
mult; simple int|float
useTrueRange?; simple bool; true
-> series float
""",
    "ta.linreg": """
says Gives the value of the straight line that fits the last values best.
keeps
runs spread.Linreg
traits inexact
used 23
needs source; length; offset
history
source; series int|float
length; series int
offset; simple int
-> series float
""",
    "ta.lowest": """
says Gives the smallest value of the last bars, the current one included.
reads bars
keeps
traits picks
used 100
often length source
needs length
history
length; series int; ; simple int
-> series float
runs extremes.LowestOfBars
source; series int|float
length; series int; ; simple int
-> series float
runs extremes.Lowest
""",
    "ta.lowestbars": """
says Offset to the lowest value of the last bars, zero or negative.
reads bars
keeps
traits lags
used 10
needs length
history
length; series int
-> series int
runs extremes.LowestBarsOfBars
source; series int|float
length; series int
-> series int
runs extremes.LowestBars
""",
    "ta.macd": """
says Gives the MACD line (fast less slow EMA), its signal line, and their difference, the histogram.
keeps
runs momentum.Macd
used 15
needs source; fastlen; slowlen; siglen
history
source; series int|float
fastlen; simple int
slowlen; simple int
siglen; simple int
-> [series float, series float, series float]
""",
    "ta.max": """
says Gives the greatest value since the first bar.
keeps
runs events.Max
traits picks
needs source
history
source; series int|float
-> series float
""",
    "ta.median": """
says Gives the median of the last values.
keeps
runs ranks.Median
needs source; length
history
source; series int
length; series int
-> series int
source; series int|float
length; series int
-> series float
""",
    "ta.mfi": """
says Gives the money flow index, an RSI that is weighted with volume, from 0 to 100.
reads bars
keeps
runs momentum.Mfi
traits inexact
within 0 100
needs series; length
history
series; series int|float
length; series int
-> series float
""",
    "ta.min": """
says Gives the smallest value since the first bar.
keeps
runs events.Min
traits picks
needs source
history
source; series int|float
-> series float
""",
    "ta.mode": """
says Gives the most frequent of the last values, the smallest of several.
keeps
runs ranks.Mode
needs source; length
history
source; series int
length; series int
-> series int
source; series int|float
length; series int
-> series float
""",
    "ta.mom": """
says Gives the difference of a value and its value some bars ago.
keeps
runs momentum.Mom
traits any_length maybe_zero
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.percentile_linear_interpolation": """
says Gives the value below which a percentage of the last values lies, interpolated between two of them.
keeps
runs ranks.PercentileLinearInterpolation
used 3
needs source; length; percentage
history
source; series int|float
length; series int
percentage; simple int|float
-> series float
""",
    "ta.percentile_nearest_rank": """
says Gives the one of the last values below or at which a percentage of them lies.
keeps
runs ranks.PercentileNearestRank
used 3
needs source; length; percentage
history
source; series int|float
length; series int
percentage; simple int|float
-> series float
""",
    "ta.percentrank": """
says Gives the percentage of the last values that are not greater than the current one.
keeps
runs ranks.PercentRank
within 0 100
used 31
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.pivot_point_levels": """
says Makes an array of pivot point levels: P, R1, S1, R2, S2, R3, S3, R4, S4, R5, S5.
reads bars
keeps
runs trend.PivotPointLevels
needs type; anchor
history
type; series string; ; ; Traditional Fibonacci Woodie Classic DM Camarilla
anchor; series bool
developing?; series bool; false
-> array<float>
""",
    "ta.pivothigh": """
says Gives the price of a high with lower highs on both sides, on the bar on which it is known, else na.
reads bars
keeps
traits event lags picks
used 57
often leftbars rightbars source
needs leftbars; rightbars
history
leftbars; series int|float
rightbars; series int|float
-> series float
runs extremes.PivotHighOfBars
source; series int|float
leftbars; series int|float
rightbars; series int|float
-> series float
runs extremes.PivotHigh
""",
    "ta.pivotlow": """
says Gives the price of a low with higher lows on both sides, on the bar on which it is known, else na.
reads bars
keeps
traits event lags picks
used 57
often leftbars rightbars source
needs leftbars; rightbars
history
leftbars; series int|float
rightbars; series int|float
-> series float
runs extremes.PivotLowOfBars
source; series int|float
leftbars; series int|float
rightbars; series int|float
-> series float
runs extremes.PivotLow
""",
    "ta.range": """
says Gives the difference of the greatest and the smallest of the last values.
keeps
runs ranks.Range
needs source; length
history
source; series int
length; series int
-> series int
source; series int|float
length; series int
-> series float
""",
    "ta.rci": """
says Gives the rank correlation index, from -100 to 100: how steadily the values of the window rise or fall.
keeps
runs ranks.Rci
used 6
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.rising": """
says True if the value rose on each of the last bars.
keeps
runs events.Rising
traits event
used 2
needs source; length
history
source; series int|float
length; series int
-> series bool
""",
    "ta.rma": """
says Gives Wilder's moving average, the one of RSI and ATR: an EMA with the factor 1 / length.
keeps
runs averages.Rma
traits inexact
used 33
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.roc": """
says Gives the rate of change: the difference to the value some bars ago, in percent of that value.
keeps
runs momentum.Roc
traits any_length
used 10
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.rsi": """
says Gives the relative strength index, from 0 (only falls) to 100 (only rises).
keeps
runs momentum.Rsi
traits inexact
within 0 100
used 58
needs source; length
history
source; series int|float
length; simple int
-> series float
""",
    "ta.sar": """
says Gives the parabolic SAR, a stop that follows the price and changes sides when it is reached.
reads bars
keeps
runs trend.Sar
used 3
needs start; inc; max
history
start; simple int|float
inc; simple int|float
max; simple int|float
-> series float
""",
    "ta.sma": """
says Gives the simple moving average, the mean of the last values.
keeps
runs sums.Sma
traits inexact
used 263
often length source
needs source; length
history
source; series int|float
length; series int; ; series int
-> series float
""",
    "ta.stdev": """
says Gives the standard deviation of the last values.
keeps
runs spread.Stdev
traits inexact maybe_zero
within 0
used 49
needs source; length
history
source; series int|float
length; series int
biased?; series bool; true
-> series float
""",
    "ta.stoch": """
says Gives the place of a price between the lowest low and the highest high of the window, from 0 to 100.
keeps
runs extremes.Stoch
traits inexact
within 0 100
used 6
often high length low source
needs source; high; low; length
history
source; series int|float
high; series int|float
low; series int|float
length; series int
-> series float
""",
    "ta.supertrend": """
says Gives the Supertrend line and its direction: -1 in an up-trend, 1 in a down-trend.
reads bars
keeps
runs trend.Supertrend
used 4
needs factor; atrPeriod
history
factor; series int|float
atrPeriod; simple int
-> [series float, series float]
""",
    "ta.swma": """
says Gives the average of the last four values with the weights 1/6, 2/6, 2/6, 1/6.
keeps
runs averages.Swma
traits inexact
used 2
needs source
history
source; series int|float
-> series float
""",
    "ta.tr": """
says Gives the true range: the largest of high - low and the distances of high and low to the previous close.
reads bars
keeps
runs spread.Tr
within 0
used 10
needs handle_na
history
handle_na; simple bool
-> series float
""",
    "ta.tsi": """
says Gives the true strength index, a momentum that is smoothed twice, from -1 to 1.
keeps
runs momentum.Tsi
used 2
needs source; short_length; long_length
history
source; series int|float
short_length; simple int
long_length; simple int
-> series float
""",
    "ta.valuewhen": """
says Value of a series when a condition was true for the nth last time.
keeps
traits lags picks
used 46
often condition occurrence source
needs condition; source; occurrence
history
condition; series bool
source; series color
occurrence; simple int
-> series color
runs events.ValueWhenColor
condition; series bool
source; series int
occurrence; simple int
-> series int
runs events.ValueWhen
condition; series bool
source; series int|float
occurrence; simple int
-> series float
runs events.ValueWhen
condition; series bool
source; series bool
occurrence; simple int
-> series bool
runs events.ValueWhenBool
""",
    "ta.variance": """
says Gives the variance of the last values, the square of the standard deviation.
keeps
runs spread.Variance
traits inexact maybe_zero
within 0
needs source; length
history
source; series int|float
length; series int
biased?; series bool; true
-> series float
""",
    "ta.vwap": """
says Gives the average price weighted with volume since the session, or an anchor, began; with bands on request.
reads bars
keeps
traits inexact
used 10
often anchor source
needs source
history
source; series int|float
anchor?; series bool; timeframe.change("1D")
-> series float
runs volume.Vwap
source; series int|float
anchor; series bool
stdev_mult; series int|float
-> [series float, series float, series float]
runs volume.VwapBands
""",
    "ta.vwma": """
says Gives the moving average that is weighted with volume.
reads bars
keeps
runs sums.Vwma
traits inexact
used 18
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.wma": """
says Gives the moving average whose weights grow from 1 for the oldest value to `length` for the newest.
keeps
runs averages.Wma
traits inexact
used 29
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.wpr": """
says Gives Williams %R, the place of the close in the range of the window, from -100 to 0.
reads bars
keeps
runs extremes.Wpr
within -100 0
needs length
history
length; series int
-> series float
""",
}

VARIABLES: dict[str, str] = {
    "ta.accdist": """
says Accumulation and distribution: the sum of volume, weighted with the place of the close in the bar.
reads bars
keeps
runs volume.Accdist
used 2
series float
""",
    "ta.iii": """
says Intraday intensity index: the place of the close in the bar, from -1 to 1, divided by the volume.
reads bars
keeps
runs volume.Iii
series float
""",
    "ta.nvi": """
says Negative volume index, which follows the price only on bars with less volume than the one before.
reads bars
keeps
runs volume.Nvi
series float
""",
    "ta.obv": """
says On-balance volume: the sum of volume, positive on rising and negative on falling bars.
reads bars
keeps
runs volume.Obv
series float
""",
    "ta.pvi": """
says Positive volume index, which follows the price only on bars with more volume than the one before.
reads bars
keeps
runs volume.Pvi
series float
""",
    "ta.pvt": """
says Price and volume trend: the sum of volume times the relative change of the price.
reads bars
keeps
runs volume.Pvt
series float
""",
    "ta.tr": """
says True range of the bar, na if there is no previous close.
reads bars
keeps
runs spread.TrVariable
within 0
series float
""",
    "ta.vwap": """
says Volume-weighted average price of hlc3 since the session began.
reads bars
keeps
runs volume.VwapVariable
series float
""",
    "ta.wad": """
says Williams accumulation and distribution: the sum of the moves from the true low or high to the close.
reads bars
keeps
runs volume.Wad
series float
""",
    "ta.wvad": """
says Williams variable accumulation and distribution: the body as a part of the range, times volume.
reads bars
keeps
runs volume.Wvad
series float
""",
}

CONSTANTS: dict[str, str] = {}
