"""No owner takes the places and turns of others, and none is lost when somebody gives up."""

from collections.abc import Sequence
from random import Random

import anyio
import pytest

from pinebench.mcp.web.shares import CallTurns, Full, OpenCount, Owner

ANNA: Owner = ("a", "anna")
BEN: Owner = ("b", "ben")


def test_an_owner_has_at_most_its_share_of_places() -> None:
    places = OpenCount(3, 2)
    with places.place(ANNA), places.place(ANNA):
        with pytest.raises(Full), places.place(ANNA):
            pass
        with places.place(BEN), pytest.raises(Full), places.place(("c", None)):
            pass
    assert places.count == 0


def test_another_owner_gets_the_next_turn_however_many_wait() -> None:
    order: list[str] = []

    async def call(turns: CallTurns, owner: Owner, over: anyio.Event) -> None:
        async with turns.turn(owner):
            order.append(owner[0])
            await over.wait()

    async def story() -> None:
        turns, over, later = CallTurns(4, 2, 50), anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as tasks:
            for _ in range(40):
                tasks.start_soon(call, turns, ANNA, over)
            await anyio.wait_all_tasks_blocked()
            assert order == ["a", "a"]
            tasks.start_soon(call, turns, BEN, later)
            await anyio.wait_all_tasks_blocked()
            assert order == ["a", "a", "b"]
            over.set()
            later.set()
        assert len(order) == 41

    anyio.run(story)


CARL: Owner = ("c", None)
HOGS: dict[str, Sequence[Owner]] = {
    "one client with many calls": [ANNA] * 40,
    "two clients with many calls": [ANNA, CARL] * 20,
    "one after the other": [ANNA] * 20 + [CARL] * 20,
    "a client with two users": [ANNA, ("a", "other")] * 20,
    "as many clients as there are turns": [(name, None) for name in "cdef"] * 10,
    "more clients than turns": [(name, None) for name in "cdefgh"] * 10,
    "one call of each of them": [(name, None) for name in "cdefgh"],
}
"""Whose calls run and wait, each one for as long as it may, when somebody else comes."""


@pytest.mark.parametrize("again", [False, True], ids=["once", "again and again"])
def test_who_comes_last_waits_for_no_more_than_a_call_of_each_owner(again: bool) -> None:
    """And for the end of the call that makes room."""

    async def hog(turns: CallTurns, owner: Owner, running: list[anyio.Event]) -> None:
        while True:
            over = anyio.Event()
            async with turns.turn(owner):
                running.append(over)
                await over.wait()
            if not again:
                return

    async def story(hogs: Sequence[Owner]) -> int:
        turns, running, served = CallTurns(4, 2, 50), list[anyio.Event](), anyio.Event()

        async def late() -> None:
            async with turns.turn(BEN):
                served.set()

        ended = 0
        async with anyio.create_task_group() as tasks:
            for owner in hogs:
                tasks.start_soon(hog, turns, owner, running)
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(late)
            await anyio.wait_all_tasks_blocked()
            while not served.is_set():
                running.pop(0).set()
                ended += 1
                await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
        return ended

    for name, hogs in HOGS.items():
        assert anyio.run(story, hogs) <= len(set(hogs)) + 1, name


def test_whoever_waits_too_often_is_told_that_the_server_is_busy() -> None:
    async def story() -> None:
        turns = CallTurns(1, 1, 2)
        async with turns.turn(ANNA), anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(_have, turns, ANNA)
            await anyio.wait_all_tasks_blocked()
            assert turns.is_full(ANNA) and not turns.is_full(BEN)
            with pytest.raises(Full):
                async with turns.turn(ANNA):
                    pass
            tasks.cancel_scope.cancel()
        async with turns.turn(BEN):
            assert not turns.is_full(ANNA)

    anyio.run(story)


async def _have(turns: CallTurns, owner: Owner) -> None:
    async with turns.turn(owner):
        await anyio.lowlevel.checkpoint()


def test_no_turn_is_lost_when_calls_are_cancelled_at_random() -> None:
    async def story() -> None:
        random, turns, running = Random("turns"), CallTurns(3, 2, 1_000), 0

        async def call(owner: Owner) -> None:
            nonlocal running
            with anyio.CancelScope() as scope:
                scopes.append(scope)
                async with turns.turn(owner):
                    running += 1
                    try:
                        assert running <= 3
                        for _ in range(random.randint(0, 4)):
                            await anyio.lowlevel.checkpoint()
                    finally:
                        running -= 1

        scopes: list[anyio.CancelScope] = []
        async with anyio.create_task_group() as tasks:
            for _ in range(400):
                tasks.start_soon(call, random.choice((ANNA, BEN, ("c", None))))
                if random.random() < 0.3 and scopes:
                    random.choice(scopes).cancel()
                await anyio.lowlevel.checkpoint()
        for _ in range(3):
            async with turns.turn(ANNA), turns.turn(ANNA):
                pass
        assert running == 0

    anyio.run(story)
