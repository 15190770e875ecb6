"""The averages of `ta.*`, to the last bit."""

from tests.runtime.library.drive import run


def test_an_exponential_average_of_length_1_steps_like_every_other() -> None:
    """Series that TradingView exported show it: the step is rounded twice, so the result is not always the source."""
    assert run("ta.ema", [0.1, -0.3, -0.3, 2.5], 1) == [0.1, -0.30000000000000004, -0.3, 2.5]
    assert run("ta.macd", [0.1, -0.3], 1, 1, 1) == [(0.0, 0.0, 0.0)] * 2
