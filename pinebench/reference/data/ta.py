"""Technical analysis.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "ta.alma": """
says Arnaud Legoux moving average.
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
says Average true range: the RMA of the true range.
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
says Bollinger Bands: middle, upper and lower band.
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
says Width of the Bollinger Bands in percent of the middle band.
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
says Commodity channel index.
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
says Difference of a value to its value some bars ago.
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
says Chande momentum oscillator.
keeps
runs momentum.Cmo
needs series; length
history
series; series int|float
length; series int
-> series float
""",
    "ta.cog": """
says Center of gravity.
keeps
runs ranks.Cog
needs source; length
history
source; series int|float
length; series int
-> series float
""",
    "ta.correlation": """
says Correlation coefficient of two series.
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
says Tells whether two series have crossed in any direction.
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
says Tells whether the first series has crossed over the second.
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
says Tells whether the first series has crossed under the second.
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
says Sum of all values up to the bar.
keeps
runs events.Cum
used 3
needs source
history
source; series int|float
-> series float
""",
    "ta.dev": """
says Mean absolute deviation from the moving average.
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
says Directional movement: plus, minus and average index.
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
says Exponential moving average.
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
says Tells whether the value has fallen below all of the last values.
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
says Highest value of the last bars.
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
says Hull moving average.
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
says Keltner Channels: middle, upper and lower band.
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
says Width of the Keltner Channels in relation to the middle band.
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
says Value of the linear regression line of the last bars.
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
says Lowest value of the last bars.
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
says Moving average convergence and divergence: MACD, signal and histogram.
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
says Greatest value since the first bar.
keeps
runs events.Max
traits picks
needs source
history
source; series int|float
-> series float
""",
    "ta.median": """
says Median of the last values.
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
says Money flow index.
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
says Smallest value since the first bar.
keeps
runs events.Min
traits picks
needs source
history
source; series int|float
-> series float
""",
    "ta.mode": """
says Most frequent of the last values, the smallest of several.
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
says Momentum: difference to the value some bars ago.
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
says Value a percentage of the last values lies below, interpolated.
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
says Value at or below which a percentage of the last values lies.
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
says Percentage of the last values that are not greater than the value.
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
says Levels of pivot points since an anchor, as an array.
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
says Price of a pivot high confirmed on the bar, else na.
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
says Price of a pivot low confirmed on the bar, else na.
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
says Difference of the greatest and the smallest of the last values.
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
says Rank correlation index.
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
says Tells whether the value has risen above all of the last values.
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
says Moving average that the RSI uses, with alpha 1 / length.
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
says Rate of change in percent.
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
says Relative strength index.
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
says Parabolic stop and reverse.
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
says Simple moving average.
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
says Standard deviation of the last values.
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
says Stochastic: place of the value within the range of the last bars.
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
says Supertrend: its line and its direction.
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
says Symmetrically weighted moving average of four bars.
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
says True range of the bar.
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
says True strength index.
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
says Variance of the last values.
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
says Volume-weighted average price since an anchor, with bands when asked for.
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
says Volume-weighted moving average.
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
says Weighted moving average.
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
says Williams %R.
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
says Accumulation and distribution.
reads bars
keeps
runs volume.Accdist
used 2
series float
""",
    "ta.iii": """
says Intraday intensity index.
reads bars
keeps
runs volume.Iii
series float
""",
    "ta.nvi": """
says Negative volume index.
reads bars
keeps
runs volume.Nvi
series float
""",
    "ta.obv": """
says On-balance volume.
reads bars
keeps
runs volume.Obv
series float
""",
    "ta.pvi": """
says Positive volume index.
reads bars
keeps
runs volume.Pvi
series float
""",
    "ta.pvt": """
says Price and volume trend.
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
says Williams accumulation and distribution.
reads bars
keeps
runs volume.Wad
series float
""",
    "ta.wvad": """
says Williams variable accumulation and distribution.
reads bars
keeps
runs volume.Wvad
series float
""",
}

CONSTANTS: dict[str, str] = {}
