"""`pinebench mcp`: offer pinebench's tools to models through the Model Context Protocol."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pinebench.cli.console import InputPath, Parser, free_port, note, print_diff, whole
from pinebench.cli.page import add_page_arguments
from pinebench.cli.signals import end_at_once, until_stopped
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from pinebench.mcp.clients import ClientProgram, ConfigurationChange
    from pinebench.tools.chart_browser import ChartBrowser

_CLIENTS = ("claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode")
_PORT = 7843
_SERVE_PORT = 9315

EPILOG = """\
examples:
  pinebench mcp --install claude-code     show the change to the client's configuration, then write it
  pinebench mcp --uninstall claude-code   remove pinebench from these settings
  pinebench mcp                           serve over standard input and output; clients start it in this way
  pinebench mcp --tools health,data --read-only
  pinebench mcp --http --port 7843        serve http://127.0.0.1:7843/mcp to clients that have its token
  pinebench mcp --http --install cursor   write that address and the token into the client's configuration
  pinebench mcp --folder ~/scripts        models may list, read and save scripts there
  pinebench mcp --serve                   the chart server: clients log in with the owner's passphrase (OAuth)
  pinebench mcp --trade BTCUSDT ETHUSDT   the chart server with alerts and paper trading on these symbols
  pinebench mcp --serve --engines         the chart server with alerts by engines in other processes

'pinebench tools' shows groups and tools. Raw JavaScript on the page stays off unless PINEBENCH_ALLOW_EVALUATE=1.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    _add_offer(parser)
    add = parser.add_argument
    add("--http", action="store_true", help="serve over HTTP on this computer instead of standard input and output")
    add(
        "--port",
        type=free_port,
        metavar="P",
        help=f"port for --http (default: {_PORT}), --serve and --trade (default: {_SERVE_PORT}); 0 takes a free one",
    )
    _add_serving(parser)
    setting = parser.add_mutually_exclusive_group().add_argument
    setting(
        "--install",
        choices=_CLIENTS,
        metavar="CLIENT",
        help=f"add pinebench to the settings of {', '.join(_CLIENTS)}, "
        "with the other options of this command; options added earlier stay",
    )
    setting("--uninstall", choices=_CLIENTS, metavar="CLIENT", help="remove pinebench from these settings")
    add_page_arguments(parser)


def _add_offer(parser: argparse.ArgumentParser) -> None:
    """Declare the options that choose what is offered; a client's configuration may contain them."""
    add = parser.add_argument
    add(
        "--tools",
        metavar="GROUPS",
        help="groups of tools or single tools, separated by commas; default stands for the default groups, "
        "all for all groups",
    )
    add("--read-only", action="store_true", help="leave out every tool that changes something")
    add(
        "--folder",
        type=InputPath,
        action="append",
        default=[],
        metavar="DIR",
        help="let models list, read and save scripts in this folder; may be given several times",
    )
    add("--output-schemas", action="store_true", help="also list the schemas of results, which costs the model tokens")


def _add_serving(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the chart server."""
    add = parser.add_argument_group("chart server").add_argument
    add("--serve", action="store_true", help="serve charts over HTTP to clients that log in by OAuth")
    add(
        "--trade",
        nargs="+",
        metavar="SYMBOL",
        help="like --serve, with alerts and paper trading on these symbols (BTCUSDT, YAHOO:AAPL)",
    )
    add(
        "--engines",
        action="store_true",
        help="with --serve: alerts and paper trading by the engines that share the broker of engine.toml",
    )
    add(
        "--interval",
        nargs="+",
        metavar="I",
        help="the bars that --trade watches: 1m, 5m, 15m, 1h, 4h (default), 1d, 1wk",
    )
    add("--host", metavar="ADDRESS", help="the address to listen at (default: 127.0.0.1)")
    add(
        "--base-url",
        metavar="URL",
        help="the public HTTPS address, if this server is behind a proxy (also: PINEBENCH_BASE_URL)",
    )
    add(
        "--passphrase-file",
        type=InputPath,
        metavar="FILE",
        help="the file with the owner's passphrase (also: PINEBENCH_PASSPHRASE); without it, a passphrase is "
        "made and shown once",
    )
    add(
        "--users",
        type=InputPath,
        metavar="FILE",
        help="more users, one per line: NAME PASSPHRASE; each user has their own alerts, orders and notifications",
    )
    add(
        "--token-seconds",
        type=whole(60, 604_800),
        default=604_800,
        metavar="N",
        help="how long an access token lasts, up to a week (default: 604800)",
    )
    add(
        "--log",
        choices=("text", "json"),
        default="text",
        help="the format of the log on stderr; json has one line for each request (default: text)",
    )
    add("--no-auth", action="store_true", help="accept every program on this computer, without a token")


def run(args: argparse.Namespace) -> int:
    """Serve until the client disconnects or a signal arrives, or change a client's configuration."""
    if args.uninstall:
        return _uninstall(args.uninstall)
    from pinebench.tools import registry

    if args.serve or args.trade or args.engines:
        return _serve(args)
    if args.port is None:
        args.port = _PORT
    groups = f"{args.tools or 'default'},files" if args.folder else args.tools
    chosen = registry.chosen(groups, read_only=args.read_only)
    folders = _folders(args.folder)
    with _importing("the server for models"):
        from pinebench.mcp import access, transports
        from pinebench.mcp.server import ServerOffer
    if args.install:
        return _install(args)
    chart_browser = _chart_browser(args, folders)
    offer = ServerOffer(chart_browser, chosen, output_schemas=args.output_schemas)
    if args.http:
        token = access.kept_token()
        with until_stopped(), chart_browser:
            transports.over_http(offer, args.port, token, lambda address: _announce(address, token))
        return 0
    end_at_once()
    with chart_browser:
        transports.over_stdio(offer)
    return 0


@contextmanager
def _importing(what: str) -> Iterator[None]:
    """Import the SDK of MCP and what needs it. Raises MissingExtra, which names `what`, if it is not installed."""
    try:
        from pinebench.mcp.sdk_import import importing_sooner

        with importing_sooner():
            yield
    except ImportError:
        from pinebench.extras import missing

        raise missing(what, "mcp") from None


def _chart_browser(args: argparse.Namespace, folders: tuple[str, ...]) -> ChartBrowser:
    """The browser for the tools. Nobody waits at the terminal, so a missing page is reported at once."""
    from pinebench.tools.chart_browser import ChartBrowser

    return ChartBrowser(
        args.cdp_host, args.cdp_port, args.target, allow_remote=args.allow_remote_cdp, notify=note, folders=folders
    )


def _serve(args: argparse.Namespace) -> int:
    """Serve charts, and alerts and paper trading with --trade, to clients that log in."""
    from pinebench.tools import registry

    if args.http or args.install:
        hint = "give clients the address of the server"
        raise UsageError("--serve and --trade cannot be combined with --http or --install", hint)
    if args.trade and args.engines:
        raise UsageError(
            "--trade cannot be combined with --engines",
            "--trade runs an engine here, and --engines uses other engines: leave one out",
        )
    groups = f"{args.tools},files" if args.tools and args.folder else args.tools or ("files" if args.folder else None)
    if args.read_only and groups is None:
        raise UsageError(
            "--read-only is about the tools of --tools and --folder, so it has no effect here",
            "leave it out: on the consent page you decide what each client may do",
        )
    if args.read_only and (args.trade or args.engines):
        note("--read-only is about the tools of --tools and --folder: orders and alerts are offered too")
    more = registry.chosen(groups, read_only=args.read_only) if groups else []
    folders = _folders(args.folder)
    with _importing("the chart server"):
        from pinebench.mcp.web import chart_server
    chart_browser = _chart_browser(args, folders)
    asked = chart_server.WebServerOptions(
        host=args.host or "127.0.0.1",
        port=_SERVE_PORT if args.port is None else args.port,
        base_url=args.base_url or os.environ.get("PINEBENCH_BASE_URL") or None,
        passphrase_file=args.passphrase_file,
        seconds=args.token_seconds,
        no_auth=args.no_auth,
        symbols=tuple(args.trade or ()),
        intervals=tuple(args.interval or ["4h"]),
        output_schemas=args.output_schemas,
        json_log=args.log == "json",
        users_file=args.users,
        engines=args.engines,
    )
    with until_stopped(), chart_browser:
        chart_server.run(asked, chart_browser, more, note)
    return 0


def _folders(given: list[str]) -> tuple[str, ...]:
    """The folders with absolute paths. Raises UsageError for a missing folder, and for the root of the file system."""
    for folder in given:
        if not os.path.isdir(folder):
            raise UsageError(f"--folder {folder}: there is no such folder", "make it first")
        if os.path.realpath(folder) == os.path.realpath(os.sep):
            raise UsageError(
                f"--folder {folder}: the root folder cannot be allowed, because it contains all files on the computer",
                "name a folder of scripts",
            )
    return tuple(map(os.path.abspath, given))


def _announce(address: str, token: str | None) -> None:
    from pinebench.mcp import access

    note(f"serving {address}; Ctrl+C ends it")
    if token:
        note(f"clients send the header 'Authorization: Bearer {token}'", f"the token is kept in {access.token_file()}")


def _install(args: argparse.Namespace) -> int:
    from pinebench.mcp import access, clients, transports

    if args.http and not args.port:
        raise UsageError(
            "--install with --http needs a fixed port, because the client stores it", "name one with --port"
        )
    client = clients.client(args.install)
    served = clients.RemoteServer(transports.address(args.port), access.kept_token()) if args.http else None
    was_open = clients.is_open(client)
    change = clients.changed(client, _repeated(args, clients.arguments_of(client)), served)
    if change.before == change.after:
        note(f"{client.path} already has this entry")
        _tell_of_paths(client)
        return 0
    code = _written(client, change, "written to", private=served is not None)
    if was_open:
        note(
            "the previous entry would run a file pinebench.py from the folder that is open in the client; "
            "the new entry does not"
        )
    _tell_of_paths(client)
    if served:
        note(f"{client.path} now contains the token: keep the file out of repositories")
    return code


def _tell_of_paths(client: ClientProgram) -> None:
    """Say which paths of this machine are in a configuration that others get, and what to do about them."""
    from pinebench import invocation
    from pinebench.mcp import clients

    paths = clients.machine_paths(client)
    if not paths:
        return
    is_by_name = invocation.by_name() is not None
    otherwise = "leave --folder out" if is_by_name else "put pinebench on the PATH and run this again"
    note(
        f"{client.path} contains paths that exist only on this machine: {', '.join(paths)}",
        f"keep it out of the repository, or {otherwise}",
    )


def _uninstall(name: str) -> int:
    from pinebench.mcp import clients

    client = clients.client(name)
    change = clients.removed(client)
    if change.before == change.after:
        note(f"{client.path} has no entry for pinebench; nothing was changed")
        return 0
    return _written(client, change, "removed from")


def _written(client: ClientProgram, change: ConfigurationChange, done: str, *, private: bool = False) -> int:
    from pinebench.mcp import clients

    print_diff(change.before, change.after, str(client.path), what="changed")
    for said in clients.write(client, change, private=private):
        note(said)
    note(f"{client.title}: {done} {client.path}; restart the client")
    return 0


def _repeated(args: argparse.Namespace, entered: list[str]) -> list[str]:
    """The arguments for the client's entry: the arguments it has until now (`entered`), changed and completed by the
    options of this command line."""
    before = _understood(entered)
    words: list[str] = []
    for option in ("tools", "cdp_host", "cdp_port", "target"):
        given = getattr(args, option)
        value = getattr(before, option) if given is None else given
        if value is not None:
            words += [f"--{option.replace('_', '-')}", str(value)]
    for folder in dict.fromkeys((*before.folder, *_folders(args.folder))):
        words += ["--folder", folder]
    for switch in ("read_only", "output_schemas", "allow_remote_cdp", "no_wait"):
        if getattr(args, switch) or getattr(before, switch):
            words.append(f"--{switch.replace('_', '-')}")
    return words


def _understood(entered: list[str]) -> argparse.Namespace:
    """Parse the options that a client's entry has after `pinebench mcp`. Unknown options are left out, with a note."""
    parser = Parser(prog="pinebench mcp", add_help=False)
    _add_offer(parser)
    add_page_arguments(parser)
    try:
        found, unknown = parser.parse_known_args(entered)
    except UsageError:
        found, unknown = parser.parse_args([]), entered
    if unknown:
        note(f"left out of the entry, because pinebench does not know it: {' '.join(unknown)}")
    return found
