"""Codes about consistency: calls and variables whose results depend on bars that may have been skipped."""

from __future__ import annotations

from pinebench.codes.model import Code
from pinebench.diagnostics import Severity

_HEAD = '//@version=6\nindicator("Example")\n'

CODES = (
    Code(
        name="CW10002",
        severity=Severity.WARNING,
        template=(
            'The "{functionName}()" call inside the conditional expression might not execute on every bar, which can'
            " cause inconsistent calculations because the function depends on historical results. For consistency,"
            " assign the call's result to a global variable and use that variable in the expression instead."
        ),
        why=(
            "`and` and `or` skip their right side if the left side decides the result. The function then misses bars"
            " of its history."
        ),
        bad=_HEAD + "signal = close > open and ta.crossover(close, open)\nplotshape(signal)\n",
        good=_HEAD + "crossed = ta.crossover(close, open)\nsignal = close > open and crossed\nplotshape(signal)\n",
    ),
    Code(
        name="CW10003",
        severity=Severity.WARNING,
        template=(
            'The function "{functionName}" should be called on each calculation for consistency. It is recommended to '
            "extract the call from this scope"
        ),
        why=(
            "The function builds its result from bar to bar, but this block does not run on every bar. Call it before"
            " the block and use its result inside."
        ),
        bad=_HEAD + "float average = na\nif close > open\n    average := ta.sma(close, 14)\nplot(average)\n",
        good=_HEAD
        + """\
float average = na
every = ta.sma(close, 14)
if close > open
    average := every
plot(average)
""",
    ),
    Code(
        name="CW10004",
        severity=Severity.WARNING,
        template=(
            'The function "{functionName}" should be called on each calculation for consistency. It is recommended to '
            "extract the call from the ternary operator or from the scope"
        ),
        why=(
            "Only the chosen branch is evaluated, so the function misses bars of its history. Call it before and use"
            " its result in the branch."
        ),
        bad=_HEAD + "strength = close > open ? ta.rsi(close, 14) : 50\nplot(strength)\n",
        good=_HEAD + "every = ta.rsi(close, 14)\nstrength = close > open ? every : 50\nplot(strength)\n",
    ),
    Code(
        name="CW10018",
        severity=Severity.WARNING,
        template=(
            'The variable "{value}" is declared in local scope, which may not be executed at every update. So, '
            "obtaining its historical values may lead to unexpected results"
        ),
        why=(
            "The history of a variable in a block holds only the bars on which the block ran. Declare it in the global "
            "scope."
        ),
        bad=_HEAD
        + """\
float change = na
if close > open
    middle = (high + low) / 2
    change := middle - middle[1]
plot(change)
""",
        good=_HEAD
        + """\
float change = na
middle = (high + low) / 2
if close > open
    change := middle - middle[1]
plot(change)
""",
    ),
)
