"""Rule PB4011: a repeated calculation over the history of a series."""

from pinebench.linter.rules.repeated_call import RepeatedCall


class RepeatedCalculation(RepeatedCall):
    """The same function of `ta` is called a second time with the same arguments. Each call keeps its own history and
    computes it on every bar. Keep the first result in a variable.

    Bad:

        //@version=6
        indicator("Example")
        plot(ta.sma(close, 200), "Mean")
        plot(close - ta.sma(close, 200), "Distance")

    Good:

        //@version=6
        indicator("Example")
        mean = ta.sma(close, 200)
        plot(mean, "Mean")
        plot(close - mean, "Distance")
    """

    code = "PB4011"
    calls = ()
    names = "ta."
