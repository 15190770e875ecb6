"""Implements `math.random`."""

from __future__ import annotations

from pinebench.runtime.library.kernel import Kernel


class Random(Kernel):
    """`math.random(min, max, seed)`: the numbers of Java's 48-bit linear congruential generator.

    Without a seed, TradingView's sequence differs each time. The default seed here is 0, so that a run can be repeated.
    """

    state: int | None = None

    def __call__(self, i: int, low: float, high: float, seed: float) -> float:
        if self.state is None:
            whole = int(max(min(seed, 2**63 - 1), -(2**63))) if seed == seed else 0  # as Java makes a long of it
            self.state = (whole ^ 0x5DEECE66D) & (2**48 - 1)
        share = ((self._bits(26) << 27) + self._bits(27)) / 2**53
        return low + share * (high - low)

    def _bits(self, count: int) -> int:
        state = ((self.state or 0) * 0x5DEECE66D + 0xB) & (2**48 - 1)
        self.state = state
        return state >> (48 - count)
