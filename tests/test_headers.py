"""The limit for the headers of a request."""

from pinebench.headers import are_too_many


def test_the_last_line_and_the_last_byte_within_the_limit_are_taken() -> None:
    assert not are_too_many([])
    assert not are_too_many([(b"a", b"b")] * 200)
    assert are_too_many([(b"a", b"b")] * 201)
    assert not are_too_many([(b"name", b"x" * (64_000 - 4))])
    assert are_too_many([(b"name", b"x" * (64_000 - 3))])
