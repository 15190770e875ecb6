"""The argument `--with` of all compiling commands, and the compiler that it selects."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pinebench.cli.page import add_page_arguments

if TYPE_CHECKING:
    from pinebench.compilers import Compiler

_CHOICES = ("local", "online", "chart")


def in_words(origin: str, *, ok: bool) -> str:
    """Describe the verdict of the compiler `origin` in words. Only TradingView's own compilers can say "compiles"."""
    from pinebench.compilers import OURS

    if origin in OURS:
        return "passes pinebench's check" if ok else "does not pass pinebench's check"
    return "compiles" if ok else "does not compile"


def add_compiler_arguments(
    parser: argparse.ArgumentParser, default: str | None = "local", *, others_only: bool = False
) -> None:
    """Declare `--with` and the options that select the page for `--with chart`.

    If `default` is None, the value without the option is None. With `others_only`, the option is required and must name
    one of TradingView's compilers.
    """
    ours = "" if others_only else "our checker (local, the default), "
    parser.add_argument(
        "--with",
        dest="compiler",
        choices=_CHOICES[1:] if others_only else _CHOICES,
        default=default,
        required=others_only,
        help=f"the compiler: {ours}TradingView's check over the network (online), or the editor on the open chart "
        "(chart)",
    )
    add_page_arguments(parser)
    parser.add_argument(
        "--confirm-external-data",
        action="store_true",
        help="with chart: let the page add scripts that use external data; without this option the page asks a person",
    )


def compiler_of(
    args: argparse.Namespace, name: str | None = None, *, path: str | None = None, bundles: bool = False, **options: Any
) -> Compiler:
    """Return the compiler named by `name` or `--with`, for the script at `path` (None: a script in the current folder).

    With `bundles`, a TradingView compiler receives the script together with its local libraries. `options` are
    additional arguments for the compiler on a chart page. Raises UnavailableError if the compiler cannot be used.
    """
    from pinebench import compilers
    from pinebench.compilers.local import LocalCompiler

    name = str(name or args.compiler or "local")
    if name == "local":
        return LocalCompiler().beside(path or ".")
    if bundles:
        from pinebench.projects.compiler import BundlingCompiler

        return BundlingCompiler(compiler_of(args, name, path=path, **options), path or ".")
    if name != "chart":
        return compilers.get(name)
    return compilers.get(
        name,
        host=args.cdp_host,
        port=args.cdp_port,
        target=args.target,
        allow_remote=args.allow_remote_cdp,
        wait=not args.no_wait,
        confirm_external_data=args.confirm_external_data,
        **options,
    )
