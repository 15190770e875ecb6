"""Run-time errors speak TradingView's words."""

import string

from pinebench.codes.runtime_errors import STOPS
from pinebench.runtime.faults import RuntimeFault, StackFrame
from tests.tables import each


@each("name", STOPS)
def test_every_message_is_filled_by_its_values(name: str) -> None:
    template = STOPS[name].template
    fields = {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}
    fault = RuntimeFault(name, **{field: f"<{field}>" for field in fields})
    assert all(f"<{field}>" in fault.message for field in fields)


def test_the_bar_stands_before_the_words() -> None:
    fault = RuntimeFault("RE10045", funcName="get", index=3.0, size=2)
    words = "In 'array.get()' function. Index 3 is out of bounds, array size is 2."
    assert (fault.message, fault.line) == (words, None)
    fault.bar = 7
    fault.stack = [StackFrame("f", 12), StackFrame("#main", 20)]
    assert (fault.message, fault.line) == (f"Error on bar 7: {words}", 12)


def test_an_unknown_symbol_is_told_without_the_bar() -> None:
    fault = RuntimeFault("invalid-symbol", symbol="NYSE:NONE")
    fault.bar = 0
    assert fault.message == "Invalid symbol: NYSE:NONE"


def test_a_value_that_is_not_there_leaves_its_placeholder() -> None:
    assert "({value})" in RuntimeFault("RE10002", argName="percentage", funName="f", min=0, max=100).message


def test_an_offset_beyond_the_buffer_has_its_recorded_words() -> None:
    """RE10143 as it was recorded (v13); no run here comes to it, for no buffer's length is made up."""
    words = "The requested historical offset (151) is beyond the historical buffer's limit (101)."
    fault = RuntimeFault("RE10143", num1=151, num2=101)
    fault.bar = 20_001
    assert fault.message == f"Error on bar 20001: {words}"
