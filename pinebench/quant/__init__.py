"""Numbers on bars, trades and equity curves: pure functions that say why a number cannot be known.

Conventions of all modules:

- A figure that cannot be known is `Statistic(None, reason)`. No figure is infinity or not-a-number.
- Returns are simple returns: 0.01 is one per cent. na (not-a-number) prices and volumes are left out, never replaced.
- Standard deviations are sample deviations (divided by n - 1), unless a docstring says otherwise.
- The number of bars in a year comes from the symbol's sessions (`yearly`). No yearly rate is computed from less than
  a quarter of a year.
- Sums are exact (`math.fsum`), so a result does not depend on the version of Python.
"""
