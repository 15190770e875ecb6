"""What it takes to make a script ready to run grows with the script, and what would grow without end is refused."""

import contextlib

import pytest

from pinebench.errors import DoesNotCompile
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.refusals import NotComputed
from tests.call_counts import Calls
from tests.checker import growth
from tests.runtime.running import HEAD, run, runtime_of
from tests.tables import each

_SIZE = 60


def _calls(source: str) -> int:
    """How many functions are called to make a script ready, those in C among them: a figure without a clock."""
    with Calls() as calls, contextlib.suppress(NotComputed, DoesNotCompile):
        runtime_of(source, [1.0, 2.0])
    return calls.count


@pytest.mark.parametrize("name", [each.__name__ for each in growth.SHAPES])
def test_twice_the_script_takes_twice_the_work(name: str) -> None:
    shape = {each.__name__: each for each in growth.SHAPES}[name]
    _calls(shape(4))
    once, twice = _calls(shape(_SIZE)), _calls(shape(2 * _SIZE))
    assert twice < 2.5 * once, f"{once} calls, then {twice}"


@pytest.mark.soak
def test_functions_that_double_their_calls_are_refused_before_they_are_copied() -> None:
    doubled = "".join(f"f{n}(x) => f{n - 1}(x) + f{n - 1}(x)\n" for n in range(1, 40))
    with pytest.raises(NotComputed, match="more than 200000 calls that keep a state"):
        run(f"{HEAD}f0(x) => ta.sma(x, 2)\n{doubled}plot(f39(close))")


@each("digits", [309, 4301, 100_000])
@each("use", ["x = {0}\nplot(x)", "plot(close[{0}])", "x = input.int({0})\nplot(x)", "plot(ta.sma(close, {0}))"])
def test_a_number_beyond_all_numbers_is_refused_by_name(digits: int, use: str) -> None:
    with pytest.raises(NotComputed, match=f"a number of {digits} digits"):
        run(HEAD + use.format("9" * digits))


def test_constants_that_come_to_more_than_any_number_stop_the_run() -> None:
    with pytest.raises(RuntimeFault, match="A whole number has become too large"):
        run(f"{HEAD}x = {'9' * 200} * {'9' * 200}\nplot(x)")


@pytest.mark.parametrize("what", ["(" * 200 + "1" + ")" * 200, "math.abs(" * 200 + "1" + ")" * 200, "-" * 200 + "1"])
def test_what_is_nested_too_deeply_to_be_read_is_said_so(what: str) -> None:
    with pytest.raises(NotComputed, match="a statement nested more than 100 levels deep"):
        run(f"{HEAD}x = {what}\nplot(x)")
