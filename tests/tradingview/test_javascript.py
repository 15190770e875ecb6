"""What a call on the page fails with when time ran out: its own limit's end or that of the work it belongs to."""

from typing import Any, cast

import pytest

from pinebench.context import Context, DeadlineError
from pinebench.errors import PinebenchError
from pinebench.tradingview import javascript
from pinebench.tradingview.errors import CallTimeout, PageHung, ProtocolError
from pinebench.tradingview.tab import Tab


class Unanswering:
    """A tab on which every command fails with `failure` at once, whatever time it was given."""

    lost = False

    def __init__(self, failure: PinebenchError, live: bool = True) -> None:
        self.failure, self.live = failure, live

    def request(self, method: str, params: dict[str, Any], timeout: float) -> dict[str, Any]:
        raise self.failure

    def busy(self) -> bool:
        return False

    def answers(self, timeout: float) -> bool:
        return self.live

    def terminate(self, timeout: float) -> bool:
        return True


LATE = CallTimeout("the page did not answer within 1 s")
TERMINATED = ProtocolError("Runtime.evaluate", "Execution was terminated")


def call(failure: PinebenchError, context: Context | None, live: bool = True) -> None:
    tab = cast("Tab", Unanswering(failure, live))
    javascript.call_function(tab, "function () {}", "1", {}, True, 5.0, context)


@pytest.mark.parametrize("context", [None, Context.within(3600)])
def test_a_call_that_had_its_whole_limit_says_so(context: Context | None) -> None:
    with pytest.raises(CallTimeout) as caught:
        call(LATE, context)
    assert not isinstance(caught.value, PageHung)


@pytest.mark.parametrize("seconds", [0, 0.001, 1, 6])
def test_a_call_that_its_context_cut_short_ends_with_the_context(seconds: float) -> None:
    """Also while a moment of the context is left, which a call keeps behind itself."""
    with pytest.raises(DeadlineError):
        call(LATE, Context.within(seconds))


@pytest.mark.parametrize("context", [None, Context.within(3600)])
def test_a_page_that_answers_nothing_hangs(context: Context | None) -> None:
    with pytest.raises(PageHung):
        call(LATE, context, live=False)


def test_nobody_can_tell_within_a_moment_that_a_page_hangs() -> None:
    with pytest.raises(DeadlineError):
        call(TERMINATED, Context.within(0.1))
    with pytest.raises(DeadlineError):
        call(LATE, Context.within(0.1), live=False)
    with pytest.raises(PageHung):
        call(TERMINATED, None)
