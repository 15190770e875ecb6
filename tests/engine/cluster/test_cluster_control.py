"""The owner's hand on several engines: the kill switch for all of them, and their state."""

import json
import threading
from pathlib import Path

from pinebench.engine.cluster import cluster_control
from pinebench.engine.cluster import member as members
from pinebench.engine.cluster.log import commands_of
from tests.engine.cluster.support import SETTINGS, World, reply, work
from tests.engine.exchange import until
from tests.engine.markets import KEY, closes


def test_the_kill_switch_reaches_every_group_also_later(tmp_path: Path) -> None:
    world = World(tmp_path)
    members.agreed_groups(world.log, 1)
    world.begin(closes(*[100.0] * 20))
    assert cluster_control.ask_all(world.log, "halt", {"reason": "first"}, 0.01) == {}
    copy = world.copy("one")
    leader = world.lead(copy)
    order = world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1, type="limit", price=90.0)
    work(leader, 2)
    assert copy.store.setting("halted") == "first"
    assert [row["state"] for row in copy.store.rows("select state from paper_order")] == ["Rejected"]
    assert "result" in reply(copy.store, order)
    answers: list[object] = []
    thread = threading.Thread(target=lambda: answers.append(cluster_control.resume_all(world.log)))
    thread.start()
    until(lambda: world.log.ends(commands_of(0))[1] == 3)
    work(leader, 2)
    thread.join(120)
    assert answers == [{0: {"result": None}}]
    assert copy.store.setting("halted") is None
    leader.close()


def test_the_state_of_all(tmp_path: Path) -> None:
    world = World(tmp_path)
    members.agreed_groups(world.log, 2)
    empty = cluster_control.status_of_all(world.log)
    assert empty["feed"] == {"running": False, "series": [], "newest": None}
    world.begin(closes(*[100.0] * 20))
    copy = world.copy("one")
    leader = world.lead(copy, SETTINGS)
    world.command("anna", "notifications")
    work(leader, 1)
    told = json.loads(json.dumps(cluster_control.status_of_all(world.log)))
    assert told["feed"]["series"] == ["BTCUSDT 1m"]
    assert told["feed"]["running"] is True
    assert [(each["led"], each["commands"]) for each in told["groups"]] == [(True, 1), (False, 0)]
    leader.close()
