"""Of many overloads the one that is meant is found without looking at each: the answer is the same as if all were."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pinebench.checker import functions, open_program

_TYPES = st.sampled_from(["int", "float", "string", "bool", "simple int", "series int", "color", "array<int>", ""])
_VALUES = st.sampled_from(["1", "2.5", '"a"', "true", "close", "bar_index", "na", "color.red", "input.int(3)", "ids"])


def _parameter(type_: str, place: int, default: bool) -> str:
    value = {"int": "1", "float": "1.5", "string": '"a"', "bool": "true", "color": "color.red"}.get(type_)
    return f"{type_} p{place}".strip() + (f" = {value}" if default and value else "")


_PARAMETERS = st.lists(st.tuples(_TYPES, st.booleans()), min_size=0, max_size=3)
_FUNCTION = st.tuples(_PARAMETERS, st.sampled_from(["1", '"text"', "close", "true"]))
_CALL = st.lists(_VALUES, min_size=0, max_size=4)


def _script(overloads: list[tuple[list[tuple[str, bool]], str]], calls: list[list[str]]) -> str:
    lines = ["//@version=6", 'indicator("t")', "ids = array.new<int>()"]
    for number, (parameters, body) in enumerate(overloads):
        shown = ", ".join(_parameter(type_, place, default) for place, (type_, default) in enumerate(parameters))
        lines.append(f"f({shown}) => {body}")
        if number < len(calls):
            lines.append(f"x{number} = f({', '.join(calls[number])})")
    lines += [f"y{number} = f({', '.join(call)})" for number, call in enumerate(calls)]
    return "\n".join([*lines, "plot(close)", ""])


def _found(text: str) -> list[tuple[str, int, str]]:
    program = open_program(text)
    types = [(name, 0, str(symbol.type)) for name, symbol in program.bindings.global_scope.names.items()]
    return [*((found.code, found.span.start, found.message) for found in program.diagnostics), *types]


open_program("")  # the first check raises Python's limit of recursion, which Hypothesis warns of within a test


@settings(max_examples=150, deadline=None)
@given(st.lists(_FUNCTION, min_size=1, max_size=14), st.lists(_CALL, min_size=1, max_size=6))
def test_the_answer_is_that_of_looking_at_every_overload(
    overloads: list[tuple[list[tuple[str, bool]], str]], calls: list[list[str]]
) -> None:
    text = _script(overloads, calls)
    few, functions._FEW = functions._FEW, 10_000
    try:
        by_all = _found(text)
        functions._FEW = 0
        assert _found(text) == by_all
    finally:
        functions._FEW = few
