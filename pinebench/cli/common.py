"""The options that all commands have, and their effects: colour, quiet, verbose, JSON, and the output file."""

from __future__ import annotations

import argparse
import io
import sys
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pinebench import config
from pinebench.cli.console import DISPLAY, InputPath, Parser, note, result_place
from pinebench.cli.exit_codes import SERVICES, help_of
from pinebench.cli.table import COMMANDS
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    import logging
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from types import ModuleType

_NO_RESULT = SERVICES | {"chat", "demo", "edit", "format", "launch", "migrate", "push"}
"""Commands that do not get the common option -o: they print no result, or their own -o names the script to write."""
_JSON_ALWAYS = ("call", "tv")


def declare(subparsers: argparse._SubParsersAction[Parser], name: str) -> tuple[Parser, ModuleType]:
    """Declare the command `name` with its own arguments, the common options, and its exit codes in the help.

    Return its parser and its module.
    """
    module = import_module(f"pinebench.cli.commands.{COMMANDS[name].module}")
    parser = subparsers.add_parser(name, description=_description(module, name))
    parser.epilog = f"{getattr(module, 'EPILOG', '').rstrip()}\n\n{help_of(name)}".lstrip("\n")
    if hasattr(module, "USAGE"):
        parser.usage = f"pinebench {name} {module.USAGE}".rstrip()
    module.add_arguments(parser)
    below = _below(parser)
    for each in (parser, *below):
        add_common_options(each, has_result=name not in _NO_RESULT and (each is not parser or not below))
    return parser, module


def _description(module: ModuleType, name: str) -> str:
    """The first paragraph of a command's docstring after its name, as a sentence.

    `python -OO` drops docstrings; then it is the one-line help of the table.
    """
    words = " ".join((module.__doc__ or "").split("\n\n")[0].split()).partition("`: ")[2] or COMMANDS[name].help
    return words[:1].upper() + words[1:]


def _below(parser: argparse.ArgumentParser) -> list[Parser]:
    """The parsers of the subcommands, for example of `template list`."""
    return [
        below
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for below in action.choices.values()
    ]


def add_common_options(parser: argparse.ArgumentParser, *, has_result: bool) -> None:
    """Declare the common options on `parser`, except those that `parser` already has.

    With `has_result`, they include -o and --force for the result on standard output. The options have no defaults, so
    that `pinebench -v lint` and `pinebench lint -v` both work.
    """
    taken = parser._option_string_actions
    group = parser.add_argument_group("for every command")

    def add(*options: str, **how: object) -> None:
        free = [option for option in options if option not in taken]
        if free:
            group.add_argument(*free, default=argparse.SUPPRESS, **how)  # pyright: ignore[reportArgumentType]

    if has_result and "--output" not in taken:
        where = "write the result to this file"
        add("-o", "--output", dest="result_file", metavar="FILE", type=result_place, help=where)
        add("--force", action="store_true", help="also replace a file that pinebench did not write")
    form = taken.get("--format")
    if form is not None and "json" in (form.choices or ()):
        words = form.help if form.help is argparse.SUPPRESS else "the same as --format json"
        add("--json", dest="format", action="store_const", const="json", help=words)
    add("--color", dest="color", action="store_const", const=True, help="use colour, even in a file or a pipe")
    add("--no-color", dest="color", action="store_const", const=False, help="use no colour")
    add("-q", "--quiet", action="store_true", help="print only errors on stderr")
    add("-v", "--verbose", action="count", help="print more on stderr (-vv: everything)")


def apply(args: argparse.Namespace) -> None:
    """Apply the options for colour, quiet and verbose to this run, and report settings that are ignored."""
    DISPLAY.colour = getattr(args, "color", None)
    DISPLAY.quiet = getattr(args, "quiet", False)
    config.hear(note)
    verbosity: int = getattr(args, "verbose", 0)
    if verbosity:
        _log_to_stderr(verbosity)


def _log_to_stderr(verbosity: int) -> None:
    import logging

    level = logging.INFO if verbosity == 1 else logging.DEBUG
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_log_formatter())
    logging.basicConfig(handlers=[handler], level=level)


def _log_formatter() -> logging.Formatter:
    """The formatter of log records. Each record is one printable line, followed by a traceback if it has one."""
    import logging

    class Formatter(logging.Formatter):
        def formatMessage(self, record: logging.LogRecord) -> str:
            return printable(super().formatMessage(record))

        def formatException(self, ei: Any) -> str:
            return printable(super().formatException(ei), keep="\n")

    return Formatter("%(name)s: %(message)s")


def _named(args: argparse.Namespace) -> Iterator[str]:
    """The files and folders that the command line names to be read. Without paths, it is this folder."""
    for name, value in vars(args).items():
        if name == "paths" and not value:
            yield "."
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, InputPath):
                yield each
                yield from filter(None, [each.partition("=")[2]])  # SYMBOL=BARS


def _libraries(args: argparse.Namespace, named: Iterable[str]) -> Iterator[str]:
    """The folders of libraries that the configurations name: no report belongs over a library, read now or later."""
    from pinebench.files import outputs

    given: str | None = getattr(args, "config", None)
    for file in [given] if given else outputs.configurations([".", *named]):
        with suppress(UsageError):  # the command itself reports a configuration that cannot be read
            yield from config.libraries_in(file)


@contextmanager
def result_file(args: argparse.Namespace) -> Generator[None]:
    """If -o names a file, redirect to it everything that the `with` block prints to standard output.

    Raises UsageError for a file that cannot be written, and for a file that the command reads, whether another argument
    names it or the command finds it. Unless --force is given, also raises it for a file that pinebench did not write.
    """
    path: str | None = getattr(args, "result_file", None)
    if path is None:
        yield
        return
    from pinebench.files import outputs

    force: bool = getattr(args, "force", False)
    named = list(_named(args))
    outputs.refuse_to_replace(path, [*named, *_libraries(args, named)])
    outputs.check(path, force=force)
    held = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(held, "utf-8", "backslashreplace", newline="", write_through=True)):
        yield
        sys.stdout.flush()
        content = held.getvalue()
    said = outputs.put(path, content, force=force)
    if said is not None:
        note(said)


def wants_json(argv: Sequence[str]) -> bool:
    """Return whether the command line requests JSON. This is a guess, because the command line may have errors."""
    words = {*argv, *(f"{option}={value}" for option, value in pairwise(argv))}
    if words & {"--table", "--format=table"}:
        return False
    name = next((word for word in argv if not word.startswith("-")), None)
    return name in _JSON_ALWAYS or bool(words & {"--json", "--format=json", "--events=jsonl"})
