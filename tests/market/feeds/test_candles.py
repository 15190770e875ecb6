"""A field of a service's answer that cannot be one of a bar is refused with a sentence, whichever field it is."""

import pytest

from pinebench.market.feeds import candles
from pinebench.market.feeds.candles import MalformedAnswer

WRONG_NUMBERS = (
    *("", "x", "NaN", "inf", "-inf", "1e308", "1_0", "1e19", "\u00b2", "9" * 400),
    *(10**400, 1e308, float("nan"), float("inf"), True, None, [], {}, [1], {"a": 1}),
)
WRONG_TIMES = (
    "",
    "x",
    "-1",
    "1.5",
    "\u00b2",
    "\u0663",
    "9" * 400,
    10**400,
    10**15,
    -1,
    1.5,
    float("nan"),
    True,
    None,
    [],
    {},
)


def test_every_wrong_field_is_a_sentence() -> None:
    good: list[object] = ["10", "12", "9", "11", "5"]
    assert candles.candle("here", 0, 60_000, good[:4], good[4]).close == 11
    for place in range(5):
        for wrong in WRONG_NUMBERS:
            if place == 4 and wrong is None:
                continue  # a bar without a volume is known
            row = [*good[:place], wrong, *good[place + 1 :]]
            with pytest.raises(MalformedAnswer, match=r"the service did not answer with valid bars: .* must "):
                candles.candle("here", 0, 60_000, row[:4], row[4])
    with pytest.raises(MalformedAnswer, match="the volume must not be negative, got: '-1'"):
        candles.candle("here", 0, 60_000, good[:4], "-1")
    for wrong in WRONG_TIMES:
        with pytest.raises(MalformedAnswer, match="expected a time, got: "):
            candles.stamp(wrong, "here")
    assert candles.stamp("1704067200000", "here") == candles.stamp(1_704_067_200_000, "here") == 1_704_067_200_000
