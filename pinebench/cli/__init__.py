"""The command line. It parses arguments, calls another package, prints the result, and returns an exit code."""

from __future__ import annotations

import io
import os
import re
import sys
from typing import TYPE_CHECKING

from pinebench import LANGUAGE_DATE, __version__
from pinebench.cli import common
from pinebench.cli.console import Parser, silence, tell_error
from pinebench.cli.exit_codes import FINE, INTERRUPTED, NOT_DONE, SERVICES
from pinebench.cli.option_needs import refuse_idle
from pinebench.cli.table import COMMANDS
from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.files.regular_files import recorded_reads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from _typeshed import ReadableBuffer

__all__ = ["main"]


def main(argv: Sequence[str] | None = None, begin: Callable[[], object] = lambda: None) -> int:
    """Run one command and return its exit code. `begin` is called after the arguments are parsed.

    `pinebench.cli.exit_codes` has the table of exit codes.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    _replace_closed_streams()
    _let_stderr_fail()
    for stream in (sys.stdout, sys.stderr):
        # A name or a source line may hold characters that the terminal's encoding does not have: print them escaped.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    _name_stdout()
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        # Programs read JSON, XML and scripts as UTF-8, whatever the language of the system that pinebench runs on.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _run(given, begin)
        sys.stdout.flush()
        return code
    except PinebenchError as error:
        return _failed(given, error)
    except KeyboardInterrupt:
        return _interrupted(given)
    except BrokenPipeError:  # the reader has gone (`pinebench lint | head`)
        silence(sys.stdout)
        return 0
    except OSError as error:
        silence(sys.stdout)
        name = f"{error.filename}: " if error.filename else ""
        tell_error(f"{name}{error.strerror or error}", "operating-system error")
        return NOT_DONE
    except Exception as error:  # show a traceback only if the user asks for it
        return _internal_error(given, error)


def _failed(argv: list[str], error: PinebenchError) -> int:
    """Report the error, also as JSON if the command line asks for it, and return the exit code."""
    from pinebench.cli import failure_report

    try:
        failure_report.tell(error, as_json=common.wants_json(argv))
        sys.stdout.flush()
    except OSError:  # the report cannot be printed, but the exit code stays the same
        silence(sys.stdout)
    return error.exit_code


def _interrupted(argv: list[str]) -> int:
    if next((argument for argument in argv if not argument.startswith("-")), None) in SERVICES:
        return FINE  # a service that is told to end while it starts has ended as it should
    try:
        if common.wants_json(argv):
            from pinebench.cli import failure_report

            failure_report.print_failure(PinebenchError("interrupted"))
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)
    return INTERRUPTED


def _replace_closed_streams() -> None:
    """Replace standard streams that are None, because they were closed (`pinebench lint >&-`), by the null device."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115  (open as long as the process)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (open as long as the process)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (open as long as the process)


class _TolerantFile(io.FileIO):
    """A file that ignores errors when it is written, for example because the reader is gone or the disk is full."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _let_stderr_fail() -> None:
    """Ignore errors of stderr, so that a message which cannot be written does not change the exit code.

    For example, `pinebench lint no.pine 2>/dev/full` returns 2.
    """
    if sys.stderr is not sys.__stderr__ or not isinstance(sys.stderr, io.TextIOWrapper):
        return
    raw = _TolerantFile(sys.stderr.fileno(), "w", closefd=False)
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(raw), sys.stderr.encoding, sys.stderr.errors, line_buffering=True, write_through=True
    )


class _NamedOutput(io.FileIO):
    """Standard output; an error of writing names it."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "standard output"
            raise


def _name_stdout() -> None:
    """Name standard output in errors, for example of a full disk. A terminal stays as it is: it is never full."""
    if sys.stdout is not sys.__stdout__ or not isinstance(sys.stdout, io.TextIOWrapper) or sys.stdout.isatty():
        return
    old = sys.stdout
    old.flush()
    raw = _NamedOutput(old.fileno(), "w", closefd=False)
    # Without a buffer (PYTHONUNBUFFERED), a log in a container comes line by line. That stays so.
    buffer = raw if isinstance(old.buffer, io.RawIOBase) else io.BufferedWriter(raw)
    sys.stdout = io.TextIOWrapper(
        buffer, old.encoding, old.errors, line_buffering=old.line_buffering, write_through=old.write_through
    )


def _internal_error(argv: list[str], error: Exception) -> int:
    import logging

    logging.getLogger("pinebench").debug("internal error", exc_info=error)
    words = f"internal error: {type(error).__name__}: {error}"
    return _failed(argv, UnavailableError(words, "please report it with the output of -vv"))


def _run(argv: list[str], begin: Callable[[], object]) -> int:
    if argv[:1] == ["help"]:
        argv = [argv[1], "--help"] if argv[1:] else []
    name = next((argument for argument in argv if not argument.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        raise _unknown_command(name, argv)
    parser = _root_parser(listing=name is None)
    if name is None:
        _, unknown = parser.parse_known_args(argv)
        if unknown:
            own = [option for action in parser._actions for option in action.option_strings]
            near = _nearest_option(unknown[0], own) or _nearest(unknown[0].lstrip("-"), COMMANDS)
            raise UsageError(f"unknown argument '{unknown[0]}'{near}", "see 'pinebench --help'")
        parser.print_help()
        return 0
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", prog="pinebench", parser_class=Parser)
    command_parser, module = common.declare(subparsers, name)
    args, unknown = parser.parse_known_args(argv)
    if unknown:
        options = [option for action in command_parser._actions for option in action.option_strings]
        about = module.about_unknown(args, unknown) if hasattr(module, "about_unknown") else ""
        if not about and "--input" in options and re.match(r"[^-=][^=]*=", unknown[0]):
            about = f"did you mean '--input {unknown[0]}'?"
        if not about and unknown[0].startswith("-") and os.path.lexists(unknown[0]):
            about = f"if it is the name of a file, write './{unknown[0]}', or '--' before all names"
        near = f"; {about}" if about else _nearest_option(unknown[0], options)
        command_parser.error(f"unknown argument '{unknown[0]}'{near}")
    refuse_idle(name, command_parser, args)
    common.apply(args)
    begin()
    with recorded_reads(), common.result_file(args):
        return module.run(args)


def _unknown_command(name: str, argv: list[str]) -> UsageError:
    command = next((word for word in argv[argv.index(name) + 1 :] if word in COMMANDS), None)
    if argv[0] != name and command is not None:
        return UsageError(f"'{name}' must come after the command", f"write the command first: pinebench {command} ...")
    if name.lower().endswith((".pine", ".pinescript")):
        near = f"; did you mean 'pinebench lint {name}'?"
    else:
        near = _nearest(_SAME.get(name.lower(), name.lower()), COMMANDS)
    return UsageError(f"there is no command '{name}'{near}", "see 'pinebench --help'")


def _root_parser(listing: bool) -> Parser:
    parser = Parser(
        prog="pinebench",
        usage="pinebench COMMAND [OPTION]...",
        description="A workbench for people who write Pine Script v6.",
        epilog=_command_list() if listing else None,
    )
    parser.add_argument("--version", action="version", version=_version(), help="show the version and exit")
    common.add_common_options(parser, has_result=False)
    return parser


def _version() -> str:
    return f"pinebench {__version__} (Pine Script v6 as of {LANGUAGE_DATE})"


def _command_list() -> str:
    width = max(map(len, COMMANDS)) + 2
    lines: list[str] = []
    group = ""
    for name, command in sorted(COMMANDS.items(), key=lambda item: _group_order().index(item[1].group)):
        if command.group != group:
            group = command.group
            lines += ["", f"{group}:"]
        lines.append(f"  {name:<{width}}{command.help}")
    lines += ["", "'pinebench COMMAND --help' explains one command; new here? Try 'pinebench demo'."]
    return "\n".join(lines).lstrip("\n")


def _group_order() -> list[str]:
    return list(dict.fromkeys(command.group for command in COMMANDS.values()))


_SAME = {
    **dict.fromkeys(("check", "validate", "analyze"), "lint"),
    **dict.fromkeys(("fmt", "pretty", "reformat"), "format"),
    **dict.fromkeys(("convert", "upgrade", "update"), "migrate"),
    **dict.fromkeys(("simulate", "trade", "strategy"), "backtest"),
    **dict.fromkeys(("new", "init", "create", "templates", "examples"), "template"),
    **dict.fromkeys(("generate", "ai", "ask"), "write"),
    **dict.fromkeys(("open", "editor", "tui", "ui"), "edit"),
    **dict.fromkeys(("serve", "server", "web"), "studio"),
    **dict.fromkeys(("execute", "plot", "draw"), "run"),
    **dict.fromkeys(("build", "verdict"), "compile"),
    **dict.fromkeys(("repair", "mend"), "fix"),
    **dict.fromkeys(("what", "why"), "explain"),
}
"""Names that other programs use for a command, each with the name of our command."""


def _nearest_option(word: str, known: Iterable[str]) -> str:
    """A question that suggests the long option with the meaning of `word`, or else the most similar one, or an empty
    text. Dashes are not compared."""
    from pinebench.near import same_meaning

    long = [option.removeprefix("--") for option in known if option.startswith("--")]
    name = word.partition("=")[0].lstrip("-")
    meant = same_meaning(name, long)
    found = _nearest(name, long, 0.62) if not meant else f"; did you mean '{meant[0]}'?"
    return found.replace("'", "'--", 1) if found else ""


def _nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    from difflib import get_close_matches

    matches = get_close_matches(word, list(known), 1, likeness)
    return f"; did you mean '{matches[0]}'?" if matches else ""
