"""Rule PB4003: too many elements in the tuples of requests."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes


class RequestTupleSize(Rule):
    """The tuples of all requests together may have at most 127 elements. Requests with the same text count once.

    Bad:

        //@version=6
        indicator("Example")
        values() => [open, high, low, close, volume, hl2, hlc3, ohlc4, hlcc4, time, time_close, bar_index, open]
        [a0, b0, c0, d0, e0, f0, g0, h0, i0, j0, k0, l0, m0] = request.security("NASDAQ:S0", "D", values())
        [a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1] = request.security("NASDAQ:S1", "D", values())
        [a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2] = request.security("NASDAQ:S2", "D", values())
        [a3, b3, c3, d3, e3, f3, g3, h3, i3, j3, k3, l3, m3] = request.security("NASDAQ:S3", "D", values())
        [a4, b4, c4, d4, e4, f4, g4, h4, i4, j4, k4, l4, m4] = request.security("NASDAQ:S4", "D", values())
        [a5, b5, c5, d5, e5, f5, g5, h5, i5, j5, k5, l5, m5] = request.security("NASDAQ:S5", "D", values())
        [a6, b6, c6, d6, e6, f6, g6, h6, i6, j6, k6, l6, m6] = request.security("NASDAQ:S6", "D", values())
        [a7, b7, c7, d7, e7, f7, g7, h7, i7, j7, k7, l7, m7] = request.security("NASDAQ:S7", "D", values())
        [a8, b8, c8, d8, e8, f8, g8, h8, i8, j8, k8, l8, m8] = request.security("NASDAQ:S8", "D", values())
        [a9, b9, c9, d9, e9, f9, g9, h9, i9, j9, k9, l9, m9] = request.security("NASDAQ:S9", "D", values())
        plot(close)

    Good:

        //@version=6
        indicator("Example")
        [o, c] = request.security("NASDAQ:AAPL", "D", [open, close])
        plot(c - o)
    """

    code = "PB4003"
    calls = ("request.security", "request.security_lower_tf")

    def finish(self, context: RuleContext) -> Findings:
        """Report the request that exceeds the limit."""
        sizes = {call: _size(context, call) for call in context.calls(*self.calls)}
        if sum(sizes.values()) <= MOST:
            return
        count, fault = 0, None
        # A request in a function counts once, however often the function is called: published screeners with 40 symbols
        # show this.
        written = {"".join(context.text(call).split()): call for call in sorted(sizes, key=context.span, reverse=True)}
        for call in sorted(written.values(), key=context.span):
            count += sizes[call]
            if count > MOST and fault is None:
                fault = call
        if fault is not None:
            yield context.report(self.code, fault, count=count)


def _size(context: RuleContext, call: nodes.Call) -> int:
    """The number of elements in the tuple that a request returns; 0 if it does not return a tuple."""
    asked = context.argument(call, "expression")
    type_ = context.type(bare(asked), call) if asked is not None else None
    return len(type_.base.items) if type_ is not None and type_.base.kind == "tuple" else 0


MOST = 127
"""The largest number of elements in the tuples of all requests (TradingView's manual, limits of requests)."""
