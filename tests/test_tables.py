"""A table in one test: every row is tried, and every row that fails is named."""

import pytest

from tests.tables import each


def test_every_row_is_tried_and_each_failure_names_its_row() -> None:
    tried: list[tuple[int, str]] = []

    @each("text", ["a", "b"])
    @each("number", [1, 2, 3])
    def rows(number: int, text: str) -> None:
        tried.append((number, text))
        assert number != 2, "two"
        if (number, text) == (3, "b"):
            pytest.fail("three")

    with pytest.raises(BaseExceptionGroup, match="2 of 2 rows fail") as caught:
        rows()
    assert tried == [(number, text) for text in "ab" for number in (1, 2, 3)]
    first, second = caught.value.exceptions
    assert isinstance(first, BaseExceptionGroup) and isinstance(second, BaseExceptionGroup)
    assert first.__notes__ == ["in the row {'text': 'a'}"]
    assert [error.__notes__ for error in first.exceptions] == [["in the row {'number': 2}"]]
    assert [type(error) for error in second.exceptions] == [AssertionError, pytest.fail.Exception]


@each(("one", "two"), [(1, 1), ("x", "x")])
def test_other_arguments_are_fixtures(one: object, two: object, request: pytest.FixtureRequest) -> None:
    assert one == two and request.node.name == "test_other_arguments_are_fixtures"


def test_a_table_without_rows_or_with_names_that_the_test_lacks_is_refused() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        each("text", [])
    with pytest.raises(AssertionError, match="does not take"):
        each("word", ["a"])(test_every_row_is_tried_and_each_failure_names_its_row)
