"""What a chart may show."""

import math

from pinebench.tui.chart_feed import MOST, ChartContent, ChartStudy
from pinebench.tui.picture import PictureBar

DAY = 86_400_000
CANDLES = tuple(
    PictureBar(n * DAY, 1.08 + n / 1e4, 1.0812 + n / 1e4, 1.0791 + n / 1e4, 1.0805 + n / 1e4) for n in range(40)
)
VIEW = ChartContent(
    *("studio", "FX:EURUSD", "1D", "Candles", "Euro\x1b[2J", "FX", CANDLES, 1_234_567.0, 1.08431, 1.08439),
    (ChartStudy("RSI", (("RSI", "61.20"), ("Average", "58.11"))), ChartStudy("Volume", ())),
)


def candles() -> list[PictureBar]:
    """Bars that go up and down."""
    found: list[PictureBar] = []
    price = 1.08
    for n in range(MOST):
        close = round(1.08 + math.sin(n / 9) / 50 + n / MOST / 20, 4)
        high, low = max(price, close) + 0.001, min(price, close) - 0.0012
        found.append(PictureBar((19_000 + n) * DAY, price, round(high, 4), round(low, 4), close))
        price = close
    return found
