"""User functions: qualifiers of parameters, instances by argument types, overloads, arguments that do not fit."""

import pytest

from tests.checker.support import checked, codes


@pytest.mark.parametrize("depth", [10, 40])
def test_a_chain_of_functions_settles_once(depth: int) -> None:
    chain = "".join(f"f{n}(x, int a, int b) => f{n - 1}(x, a, b)\n" for n in range(1, depth))
    assert codes(f'f0(x, int a, int b) => "a" + a\n{chain}y = f{depth - 1}(close, 1, 2)') == "CE10123"


def test_a_function_is_evaluated_once_per_argument_types() -> None:
    program = checked("f(a) => a\nx = f(1)\ny = f(2)\nz = f(3.0)")
    assert len(program.functions["f"][0].frames) == 2
