"""Runs a test for each row of a table: one test for pytest, which says of every row that fails what was wrong."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test with each row as its arguments `names`; other arguments are fixtures, which all rows share.

    For tables of many rows that need little work each: as a test of its own, a row costs far more than what it tests.
    A row must leave nothing behind and skip nothing.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    table = [dict(zip(wanted, [row] if isinstance(names, str) else row, strict=True)) for row in rows]
    assert table, "a table without rows tests nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        assert not inspect.iscoroutinefunction(test), "a coroutine would be made for each row, and never run"
        signature = inspect.signature(test)

        @functools.wraps(test)
        def whole(**given: Any) -> None:
            failed = [error for row in table if (error := _failure(test, row, given)) is not None]
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(table)} rows fail", failed)

        others = [one for one in signature.parameters.values() if one.name not in wanted]
        assert len(others) + len(wanted) == len(signature.parameters), "the test does not take what the table gives"
        whole.__signature__ = signature.replace(parameters=others)  # pyright: ignore[reportAttributeAccessIssue]
        return whole

    return decorate


def _failure(test: Callable[..., None], row: dict[str, Any], given: dict[str, Any]) -> BaseException | None:
    try:
        test(**row, **given)
    except (Exception, BaseExceptionGroup, pytest.fail.Exception) as error:
        error.add_note(f"in the row {row!r:.500}")
        return error
    return None
