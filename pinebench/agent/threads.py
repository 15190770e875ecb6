"""Runs blocking work in separate threads and passes its results to the event loop. A thread pool would not work here:
it waits for its threads when it closes, and an abandoned call may take a long time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

_T = TypeVar("_T")


async def in_thread(work: Callable[[], _T]) -> _T:
    """Run `work` in a new thread and return its result. If the caller is cancelled, the thread still finishes."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, failure: BaseException | None) -> None:
        if done.done():
            return
        if failure is not None:
            done.set_exception(failure)
        else:
            done.set_result(result)

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except Exception as error:
            failure = error
        with suppress(RuntimeError):  # the loop was closed meanwhile, and nobody waits
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=run, name="pinebench-tool", daemon=True).start()
    return await done


async def each_of(items: Callable[[], Iterator[_T]]) -> AsyncGenerator[_T]:
    """Run the iterator `items()` in a new thread and yield its values. Raises the errors of the iterator."""
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    def put(kind: str, value: Any) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(arrived.put_nowait, (kind, value))

    def run() -> None:
        try:
            for item in items():
                put("item", item)
        except Exception as error:
            put("error", error)
        else:
            put("end", None)

    threading.Thread(target=run, name="pinebench-conversation", daemon=True).start()
    while True:
        kind, value = await arrived.get()
        if kind == "error":
            raise value
        if kind == "end":
            return
        yield value
