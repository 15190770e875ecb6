"""Rules on traps at run time: what each reports, and the honest code that looks like it."""

from tests.linter.rules.support import marked

TYPE = "type P\n    float a\n"
"""A function that adds up an array, with more code at its start."""
OBJECTS = TYPE + "make() => P.new(close)\n"


def asked(count: int) -> str:
    return "".join(f"p{number} = request.security('X', 'D', make())\n" for number in range(count)) + "plot(1)"


def test_how_many_requests_may_return_objects_can_be_set() -> None:
    body = OBJECTS + asked(2)
    assert marked("PB5005", body) == []
    assert marked("PB5005", body, options={"PB5005": {"most": 1}}) == ["request.security('X', 'D', make())"]
