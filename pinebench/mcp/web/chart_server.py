"""Starts the chart server: checks the options, creates the parts, and prints the first line, which has the address."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import cast

from pinebench.context import Engine
from pinebench.errors import UnavailableError, UsageError
from pinebench.mcp import access
from pinebench.mcp.web import logs, metrics, owner, web_server
from pinebench.mcp.web.addresses import LOOPBACK, Addresses, checked_base
from pinebench.mcp.web.application import application
from pinebench.mcp.web.grant_store import Store
from pinebench.mcp.web.public_tools import ServedOffer
from pinebench.mcp.web.scopes import LISTED, SHOWN_TO_USERS, Scopes
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import Tool

_LOCAL = (*LOOPBACK, "::1")


@dataclass(frozen=True)
class WebServerOptions:
    """The options of the command line.

    The server listens at `host` and `port`; `base_url` is its public address, and `seconds` is the lifetime of an
    access token. The engine watches `symbols` in bars of `intervals`; without symbols there is no engine. With
    `no_auth`, everybody on this computer is the owner. With `json_log`, the log is lines of JSON. `users_file` is the
    file with the users other than the owner. With `engines`, the server has no engine of its own: engines in
    other processes watch their own symbols.
    """

    host: str
    port: int
    base_url: str | None
    passphrase_file: str | None
    seconds: int
    no_auth: bool
    symbols: tuple[str, ...]
    intervals: tuple[str, ...]
    output_schemas: bool
    json_log: bool = False
    users_file: str | None = None
    engines: bool = False


def run(options: WebServerOptions, chart_browser: ChartBrowser, more: list[Tool], note: Callable[..., None]) -> None:
    """Serve until stopped.

    `more` are additional tools to offer; `note` is called with messages for people. Raises UsageError if the options do
    not fit together, and UnavailableError if something that they need is missing.
    """
    base = _checked(options)
    logs.begin(as_json=options.json_log)
    note = logs.note if options.json_log else note
    passphrase = None if options.no_auth else owner.given(options.passphrase_file)
    named = {} if options.users_file is None else owner.users_given(options.users_file)
    listening = web_server.listen(options.host, options.port)
    with ExitStack() as stack:
        stack.callback(listening.close)
        port = int(listening.getsockname()[1])
        addresses = Addresses(port, base)
        engine = _engines(stack, note) if options.engines else _engine(options, stack)
        tools = registry.tools()
        usual = [tools[name] for name in (*LISTED, *SHOWN_TO_USERS) if name in tools]
        others = [each for each in more if each.name not in (*LISTED, *SHOWN_TO_USERS)]
        scopes = Scopes(others)
        token = None if options.no_auth else access.kept_token(metrics.FILE)
        figures = metrics.Figures(None if engine is None else engine.health, token)
        offered = [*usual, *others]
        offer = ServedOffer(
            chart_browser, offered, scopes, engine, output_schemas=options.output_schemas, figures=figures
        )
        serve = partial(application, offer, addresses, scopes, engine, figures=figures)
        if options.no_auth:
            served = serve()
            note("every program on this computer has access without a token")
        else:
            store = stack.enter_context(closing(Store()))
            hashed, made = owner.kept(store, passphrase, may_make=not options.json_log)
            users = owner.users_kept(store, named)
            served = serve(store=store, passphrase=hashed, users=users, seconds=options.seconds)
            if made is not None:
                note(f"the passphrase of this server is: {made}", "write it down: it will not be shown again")
        note(f"serving {addresses.main}/mcp, and a page for people at {addresses.main}/app; Ctrl+C ends it")
        web_server.WebService(served, listening, lambda: web_server.tell(addresses.main, port)).run()


def _checked(asked: WebServerOptions) -> str | None:
    """Return the public address; None for a server on this computer. Raises UsageError."""
    base = None if asked.base_url is None else checked_base(asked.base_url)
    is_local = asked.host in _LOCAL
    if asked.no_auth and asked.users_file is not None:
        raise UsageError("--no-auth makes everybody the owner, so --users has no effect", "leave one of them out")
    if asked.no_auth and (not is_local or base is not None):
        raise UsageError(
            "--no-auth is for this computer only", "leave out --host and --base-url, or let clients log in"
        )
    if not is_local and base is None:
        raise UsageError(
            f"--host {asked.host}: clients on other computers need the address of an HTTPS proxy",
            "name it with --base-url https://…",
        )
    return base


def _engine(asked: WebServerOptions, stack: ExitStack) -> Engine | None:
    """Return the engine for the requested symbols, which ends with `stack`; None if there are none."""
    if not asked.symbols:
        return None
    from pinebench.engine import EngineSettings, settings_file, start_engine

    settings = EngineSettings(**settings_file.read())
    return cast("Engine", stack.enter_context(start_engine(asked.symbols, asked.intervals, settings)))


def _engines(stack: ExitStack, note: Callable[..., None]) -> Engine:
    """Return the engines that share a broker, until `stack` ends. Raises UnavailableError if the broker does not
    answer."""
    from pinebench.engine import Desk, EngineSettings, Unreachable, connect, settings_file

    try:
        broker = connect()
        if broker.doubt is not None:
            note(f"the broker can lose data that it has confirmed: it has {broker.doubt}")
        return cast(
            "Engine", stack.enter_context(Desk(broker.log, EngineSettings(**settings_file.read()), broker.groups))
        )
    except Unreachable as error:
        raise UnavailableError(
            str(error), "check that it is running, and that its address and password are right"
        ) from None
