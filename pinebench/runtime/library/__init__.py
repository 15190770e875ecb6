"""The implementations of Pine's built-in functions and variables.

The line `runs` in the record of a built-in in `pinebench/reference/data` names its function or class; only names in the
modules of `MODULES` are possible. `FUNCTIONS` are plain functions of their arguments, in the reference's order and with
all defaults filled in. `CONTEXT_FUNCTIONS` take a `BarContext` before these arguments. `KERNELS` are classes with
state, with one object for each call site. The object is called with the index of the bar, the arguments, and the values
of the bar that the class `reads`. `SOURCES` are the columns that some overloads use as their first argument:
`ta.highest(length)` is `ta.highest(high, length)`.

A kernel can read a price column (`open`, `high`, `low`, `close`, `volume`, `hlc3`), the variable `session.isfirstbar`,
or `close[1]`. The latter is the close of the bar before, even if the call did not run there, and na on the first bar. A
variable (`ta.obv`, ...) is one series of the chart, so its kernel must be called on every bar. The default of the
anchor of `ta.vwap` is `session.isfirstbar`, which is true on the first bar of the chart.

A name with `#` and a number is one overload of a function, by its number in the reference, if the overloads compute
different things. `#variable` marks a variable whose name is also the name of a function.
"""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.runtime.library.implementations import (
        CONTEXT_FUNCTIONS,
        FUNCTIONS,
        KERNELS,
        MODULES,
        SOURCES,
        computed_by,
    )

__all__ = ["CONTEXT_FUNCTIONS", "FUNCTIONS", "KERNELS", "MODULES", "SOURCES", "computed_by"]

# The linter needs a few parsers of this room, and not all of its modules.
__getattr__ = face(__name__, {"implementations": "CONTEXT_FUNCTIONS FUNCTIONS KERNELS MODULES SOURCES computed_by"})
