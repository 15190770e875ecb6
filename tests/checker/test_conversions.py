"""An empty value has the type of its context."""

from pinebench.checker.types import display
from tests.checker.support import checked, empties


def test_a_long_chain_is_walked_once() -> None:
    chain = "".join(f"close > {number} ? na : " for number in range(3000))
    assert len(empties(f"x = {chain}1")) == 3000


def test_conversions_in_a_function_belong_to_its_frames() -> None:
    program = checked("half(v) => v / 2\nx = half(close)\ny = half(bar_index)")
    (function,) = program.functions["half"]
    found = {
        display(frame.parameters[0]): [
            program.text_of(node) for node in frame.types if program.conversion_of(node, frame)
        ]
        for frame in program.frames_of(function)
    }
    assert found == {"series float": ["2"], "series int": []}
