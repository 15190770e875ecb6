"""`pinebench engine`: watch and control the trading engine, whether or not it is running."""

from __future__ import annotations

import argparse
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pinebench.cli.console import InputPath, note, print_report, whole
from pinebench.errors import UnavailableError, UsageError
from pinebench.printable import json_text, printable

if TYPE_CHECKING:
    from pinebench.engine import ClusterLog, LogConnection

EPILOG = """\
examples:
  pinebench engine status                       what it follows, holds and has to send
  pinebench engine halt "bad data"              the kill switch: end all orders and take no new ones
  pinebench engine resume                       trade again
  pinebench engine history --lines 50           the end of the audit log
  pinebench engine trade my.pine BTCUSDT        let a strategy trade the paper account from the next bar on
  pinebench engine stop ID                      end a strategy; its position stays
  pinebench engine backup state.sqlite3         copy the state, also while the engine runs
  pinebench engine restore state.sqlite3        put a copy back, while the engine is not running

'pinebench mcp --trade SYMBOL' starts an engine. Several engines share a broker, which [broker] in engine.toml names:

  pinebench engine feed BTCUSDT --interval 1h   give bars to the engines
  pinebench engine run                          an engine among others; 'pinebench mcp --serve --engines' serves them
  pinebench engine groups                       which engines, feeds and groups of users work
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(
        dest="action", metavar="status|history|halt|resume|trade|stop|backup|restore|feed|run|groups", required=True
    )
    showing = actions.add_parser(
        "status", description="Show the engine's series, alerts, orders and unsent notifications."
    )
    showing.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    telling = actions.add_parser("history", description="Print the end of the audit log.")
    telling.add_argument("--lines", type=whole(1, 100_000), default=100, metavar="N", help="how many (default: 100)")
    telling.add_argument("--before", type=whole(1), metavar="N", help="only lines before this number")
    telling.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")
    halting = actions.add_parser("halt", description="Use the kill switch: cancel all orders and accept no new ones.")
    halting.add_argument("reason", nargs="+", metavar="REASON", help="the reason, which users see")
    actions.add_parser("resume", description="Resume trading after a halt.")
    trading = actions.add_parser("trade", description="Let a strategy trade the paper account from the next bar on.")
    trading.add_argument("file", type=InputPath, metavar="FILE", help="the strategy")
    trading.add_argument("symbol", metavar="SYMBOL", help="a symbol that the engine follows")
    trading.add_argument(
        "--interval", metavar="I", help="an interval that the engine follows; needed if it has several"
    )
    stopping = actions.add_parser("stop", description="End a strategy; its position stays.")
    stopping.add_argument("id", metavar="ID", help="the id that 'engine status' shows")
    backing = actions.add_parser("backup", description="Copy the engine's state to a file; the engine may be running.")
    backing.add_argument("file", type=InputPath, metavar="FILE", help="the copy, which only you can read")
    backing.add_argument("--force", action="store_true", help="replace a file that exists")
    restoring = actions.add_parser("restore", description="Restore a copy of the state, while no engine is running.")
    restoring.add_argument("file", type=InputPath, metavar="FILE", help="a copy that 'engine backup' made")
    feeding = actions.add_parser(
        "feed", description="Fetch the bars of symbols for the engines that share a message broker."
    )
    feeding.add_argument(
        "symbols", nargs="+", metavar="SYMBOL", help="symbols of Binance or Yahoo: BTCUSDT, YAHOO:AAPL"
    )
    feeding.add_argument(
        "--interval", nargs="+", default=["4h"], metavar="I", help="the bars: 1m, 5m, 15m, 1h, 4h (default), 1d, 1wk"
    )
    actions.add_parser(
        "run", description="Run one of several engines that share a message broker, until it is stopped."
    )
    grouping = actions.add_parser("groups", description="Show which engines, feeds and groups of users are running.")
    grouping.add_argument(
        "--format", choices=("text", "json"), default="text", help="the output format (default: text)"
    )


def run(args: argparse.Namespace) -> int:
    """Perform one action, and return the exit code."""
    actions = {
        "status": _status,
        "history": _history,
        "halt": _halt,
        "resume": _resume,
        "trade": _trade,
        "stop": _stop,
        "backup": _backup,
        "restore": _restore,
        "feed": _feed,
        "run": _run,
        "groups": _groups,
    }
    actions[args.action](args)
    return 0


def _status(args: argparse.Namespace) -> None:
    from pinebench.engine import owner_view

    found = owner_view.status(None)
    _print(json_text(found, indent=2) if args.format == "json" else "\n".join(_lines(found)))


def _lines(found: dict[str, Any]) -> list[str]:
    orders, outbox = found["orders"], found["outbox"]
    running = "no" if not found["running"] else f"yes, process {found['pid'] or 'unknown'}"
    rows = [
        ("runs", running),
        ("trading", "goes on" if found["halted"] is None else f"halted: {found['halted']}"),
        ("alerts", f"{found['alerts']} set, {found['fired']} fired"),
        ("orders", f"{orders['open']} open, {orders['pending']} pending"),
        ("positions", str(found["positions"])),
        ("outbox", f"{outbox['waiting']} waiting, {outbox['failed']} failed"),
    ]
    rows += [("follows", f"{each['symbol']} {each['interval']}, last bar {each['bar']}") for each in found["series"]]
    for each in found["strategies"]:
        held = "an unknown quantity" if each.get("held") is None else f"{each['held']:.10g}"
        lives = "runs" if found["running"] else "waits for an engine"
        state = f"ended: {each['ended']}" if "ended" in each else f"{lives}, the account holds {held} for it"
        rows.append(("strategy", f"{each['id']} {each['symbol']} {each['interval']}, {each['fills']} fills, {state}"))
        rows += [("", said) for said in each.get("notes", ())]
    return [printable(f"{name:<11}{value}") for name, value in rows]


def _history(args: argparse.Namespace) -> None:
    from pinebench.engine import owner_view

    found = owner_view.history(None, args.lines, args.before)
    if args.format == "json":
        _print(json_text({"lines": [each._asdict() for each in found]}, indent=2))
        return
    _print("\n".join(each.text for each in found))
    if len(found) == args.lines:
        note(f"older lines: pinebench engine history --before {found[0].id}")


def _halt(args: argparse.Namespace) -> None:
    from pinebench.amounts import counted
    from pinebench.engine import has_broker, owner_view

    reason = " ".join(args.reason)
    if has_broker():
        from pinebench.engine import halt_all

        with _broker() as broker:
            ended = sum(_answers(halt_all(broker.log, reason), broker.log))
    else:
        ended = owner_view.halt(None, reason)
    _print(f"trading is halted; {counted(ended, 'order')} ended")


def _resume(args: argparse.Namespace) -> None:
    from pinebench.engine import has_broker, owner_view

    del args
    if has_broker():
        from pinebench.engine import resume_all

        with _broker() as broker:
            _answers(resume_all(broker.log), broker.log)
        _print("trading continues")
        return
    _print("trading continues" if owner_view.resume(None) else "trading was not halted")


def _trade(args: argparse.Namespace) -> None:
    from pinebench.cli.console import read_script
    from pinebench.engine import owner_view
    from pinebench.workers.jobs import own_version_notes

    _, script = read_script(args.file)
    _print(owner_view.trade(None, args.symbol, args.interval, script.text, {}))
    state = owner_view.status(None)
    if not state["running"]:
        note("no engine is running: the strategy begins when one is started", "pinebench mcp --trade SYMBOL")
    if state["halted"] is not None:
        note(f"trading is halted: {state['halted']}", "pinebench engine resume")
    for said in own_version_notes(script.text):
        note(said)


def _stop(args: argparse.Namespace) -> None:
    from pinebench.engine import owner_view

    owner_view.stop(None, args.id)
    _print("the strategy has ended")


def _backup(args: argparse.Namespace) -> None:
    from pinebench.engine import backups

    kept = backups.backup(None, args.file, replace=args.force)
    until = "" if kept.newest is None else f", until {kept.newest}"
    _print(printable(f"{kept.path}: {kept.size} bytes{until}"))


def _restore(args: argparse.Namespace) -> None:
    from pinebench.engine import backups

    before = backups.restore(None, args.file, int(time.time() * 1000))
    _print(printable(f"the state was restored from {args.file}"))
    if before.size:
        note(f"the previous state is kept in {before.path}")
    note("alerts that fired after the copy was made can fire again when the engine starts")


# several engines


@contextmanager
def _broker() -> Generator[LogConnection]:
    """The message broker that is configured. Raises UnavailableError if it does not answer or has lost entries."""
    from pinebench.engine import IncompleteLog, Unreachable, connect

    try:
        broker = connect()
        if broker.doubt is not None:
            note(
                f"the broker can lose data that it has confirmed: it has {broker.doubt}",
                "see docs/operation.md for its settings",
            )
        yield broker
    except Unreachable as error:
        raise UnavailableError(
            str(error), "check that it is running, and that its address and password are right"
        ) from None
    except IncompleteLog as error:
        raise UnavailableError(str(error), "restore the data of the message broker from your backup of it") from None


def _answers(found: dict[int, Any], log: ClusterLog) -> list[Any]:
    """The results of all groups. Raises UsageError and UnavailableError if they are not all there."""
    from pinebench.amounts import counted
    from pinebench.engine import agreed_groups

    for reply in found.values():
        if "error" in reply:
            raise UsageError(reply["error"], reply["hint"])
    missing = agreed_groups(log, None) - len(found)
    if missing:
        raise UnavailableError(
            f"no answer yet from {counted(missing, 'group')} of users",
            "check that their engines run: a group carries out the command as soon as an engine leads the group",
        )
    return [reply["result"] for reply in found.values()]


def _feed(args: argparse.Namespace) -> None:
    from pinebench.cli.signals import until_stopped
    from pinebench.engine import FeedProcess, series_of

    keys = series_of(args.symbols, args.interval)
    with until_stopped(), _broker() as broker:
        note(f"the feed sends bars of {len(keys)} series to the engines; Ctrl+C ends it")
        FeedProcess(broker.log, keys).run()


def _run(args: argparse.Namespace) -> None:
    import threading

    from pinebench.cli.signals import until_stopped
    from pinebench.engine import ClusterMember, EngineSettings, settings_file

    del args
    with (
        until_stopped(),
        _broker() as broker,
        ClusterMember(broker.log, EngineSettings(**settings_file.read()), broker.groups),
    ):
        note("the engine is running; Ctrl+C ends it")
        threading.Event().wait()


def _groups(args: argparse.Namespace) -> None:
    from pinebench.engine import status_of_all

    with _broker() as broker:
        found = status_of_all(broker.log)
    if args.format == "json":
        _print(json_text(found, indent=2))
        return
    feed = found["feed"]
    state = f"is running, newest update {feed['newest']}" if feed["running"] else "is not running"
    rows = [("engines", str(found["engines"])), ("feed", state)]
    rows += [("series", each) for each in feed["series"]]
    for each in found["groups"]:
        led = "led" if each["led"] else "no engine"
        rows.append((f"group {each['group']}", f"{led}, {each['commands']} commands, {each['changes']} changes"))
    _print("\n".join(printable(f"{name:<11}{value}") for name, value in rows))


def _print(text: str) -> None:
    print_report(f"{text}\n" if text else "")
