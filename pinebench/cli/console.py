"""Output to the terminal (colour, one-line notes, scripts, progress), and an argument parser with clear messages."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from pinebench import files
from pinebench.errors import UsageError
from pinebench.patterns import lazy_pattern
from pinebench.printable import printable, quoted_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from pinebench.files import DecodedText

_COLOUR_OR_END = lazy_pattern(r"(\x1b\[[\d;]*m|\r\n)")
_COLOURS = {"error": "31", "warning": "33", "info": "36", "hint": "32", "bold": "1", "dim": "2", "blue": "34"}


class Style:
    """Makes text printable and wraps it in ANSI colours. If `enabled` is false, the text is only made printable."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    def __call__(self, text: str, *names: str) -> str:
        """Return `text` in the named styles: a severity's label, `bold`, `dim` or `blue`."""
        text = printable(text)
        if not self.enabled or not names:
            return text
        codes = ";".join(_COLOURS[name] for name in names)
        return f"\x1b[{codes}m{text}\x1b[0m"


class Display:
    """The terminal options of the command line.

    `colour` is True (always), False (never) or None (only on a terminal). With `quiet`, only errors are printed to
    stderr.
    """

    __slots__ = ("colour", "quiet")

    def __init__(self) -> None:
        self.colour: bool | None = None
        self.quiet = False


DISPLAY = Display()
"""The options of the command that is running."""


def style_for(stream: TextIO) -> Style:
    """Return the style for `stream`, with or without colour.

    --color and --no-color take precedence, then the variables NO_COLOR and FORCE_COLOR, in this order. Without them,
    colour is used on a terminal that is not dumb. An empty variable, or FORCE_COLOR=0, counts as unset.
    """
    if DISPLAY.colour is not None:
        return Style(DISPLAY.colour)
    if os.environ.get("NO_COLOR"):
        return Style(False)
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return Style(True)
    return Style(_is_terminal(stream) and os.environ.get("TERM") != "dumb")


def _is_terminal(stream: TextIO) -> bool:
    is_terminal = getattr(stream, "isatty", None)  # an object that can only be written to is not a terminal
    return is_terminal is not None and is_terminal()


def note(message: str, hint: str | None = None) -> None:
    """Print one line to stderr like `tell_error`, unless --quiet is given."""
    if not DISPLAY.quiet:
        tell_error(message, hint)


def notes_are_seen() -> bool:
    """Return whether notes (on stderr) and standard output appear on the same screen."""
    return not DISPLAY.quiet and _is_terminal(sys.stdout) and _is_terminal(sys.stderr)


def tell_error(message: str, hint: str | None = None) -> None:
    """Print one line to stderr: `pinebench: message (hint)`."""
    advice = f" ({hint})" if hint else ""
    try:
        print(printable(f"pinebench: {message}{advice}"), file=sys.stderr, flush=True)
    except OSError:  # the message cannot be printed, but the result stays the same
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Redirect a broken standard stream to the null device, so that flushing it at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_EMPTY = "the name is empty"

STDIN = "<stdin>"
"""The name of the script on standard input in reports and messages."""


def read_script(path: str, *, changing: bool = False) -> tuple[str, DecodedText]:
    """Return the name for reports and the text of the script at `path`; `-` means standard input. `changing` means that
    the file will be written.

    Raises UsageError if it cannot be read.
    """
    return (STDIN, read_stdin(STDIN)) if path == "-" else (path, files.read_script(path, changing=changing))


def read_stdin(name: str) -> DecodedText:
    """Return the script on standard input. Messages call it `name`. Raises UsageError if it is not text."""
    if sys.stdin.isatty():
        note("reading a script from the terminal; Ctrl+D ends it")
    return files.decode(files.read_stream(sys.stdin.buffer, name), name)


def print_diff(before: str, after: str, path: str, what: str = "fixed") -> None:
    """Print the changes to the file at `path` as a unified diff that `patch` and `git apply` accept.

    `what` is the label of the new text in the second line of the diff. On a terminal, control characters are escaped;
    elsewhere the lines are printed unchanged.
    """
    from difflib import unified_diff

    # For `patch` only a line feed ends a line, so other line ends are part of the line.
    line = re.compile(r"[^\n]*\n|[^\n]+")
    names = (quoted_name(path), quoted_name(f"{path} ({what})"))
    rows = unified_diff(line.findall(before), line.findall(after), *names)
    text = "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)
    sys.stdout.write(printable(text, keep="\n\t") if sys.stdout.isatty() else text)


def print_script(text: str) -> None:
    """Print a script to stdout, byte for byte. On a terminal, control characters are escaped."""
    if sys.stdout.isatty():
        sys.stdout.write(printable(text.replace("\r\n", "\n"), keep="\n\t"))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def output_path(text: str) -> str:
    """Return the name of a file or folder that a command writes. Used as argparse's `type`.

    Raises ArgumentTypeError if it is empty.
    """
    if not text:
        raise argparse.ArgumentTypeError(_EMPTY)
    return text


def result_place(text: str) -> str | None:
    """Return the file name in -o, or None for `-` (standard output). Used as argparse's `type`.

    Raises ArgumentTypeError if the name is empty.
    """
    return None if text == "-" else output_path(text)


class InputPath(str):
    """The name of a file or folder to read, or SYMBOL=BARS, where BARS may be such a name. Used as argparse's `type`.

    The command's output file must not be any of these. Raises ArgumentTypeError if the name is empty.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> InputPath:
        if not text:
            raise argparse.ArgumentTypeError(_EMPTY)
        return super().__new__(cls, text)


def add_config_argument(add: Callable[..., object]) -> None:
    """Declare --config, which replaces the nearest configuration file. `add` is a parser's `add_argument` method."""
    words = "use this configuration file, not the nearest pinebench.toml"
    add("--config", metavar="FILE", type=InputPath, help=words)


def add_paths_argument(add: Callable[..., object], default: str = "") -> None:
    """Declare the scripts or folders of a command. If `default` is empty, at least one is required. Otherwise `default`
    tells, in the help, what the command uses if none is given."""
    words = "scripts or folders; - reads standard input"
    told = f"{words} (default: {default})" if default else words
    add("paths", type=InputPath, nargs="*" if default else "+", metavar="PATH", help=told)


def put_script(content: bytes, output: str | None = None, *, force: bool = False) -> None:
    """Write a script to the file `output`, or to standard output, byte for byte.

    Raises UsageError for an existing file that pinebench did not write, unless `force` is true.
    """
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    from pinebench.files import outputs

    said = outputs.put(output, content, force=force)
    note(f"{output}: written")
    if said is not None:
        note(said)


def print_report(text: str, stream: TextIO | None = None) -> None:
    """Write a result to `stream` (default: stdout). It is written completely, even if Ctrl-C is pressed, because half a
    JSON report would be useless.

    Every report passes through here and is made safe for a terminal: only line feeds, tabs and our colours remain.
    """
    from pinebench.cli.signals import finishing

    target: TextIO = sys.stdout if stream is None else stream
    with finishing():
        print(_harmless(text, style_for(target).enabled), end="", file=target, flush=True)


def _harmless(text: str, colours: bool) -> str:
    """`text` without characters that steer a terminal, except for colours if the stream shows them."""
    parts = _COLOUR_OR_END.split(text)
    return "".join(
        part if at % 2 and (colours or part == "\r\n") else printable(part, keep="\n\t")
        for at, part in enumerate(parts)
    )


class Progress:
    """A line at the bottom of the terminal that shows the current activity of the command.

    It disappears at the end of the `with` block. Nothing is shown with --quiet, or if stderr is not a terminal that can
    redraw a line.
    """

    EVERY = 0.1

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not DISPLAY.quiet
        self._next = 0.0
        self._drawn = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._draw("")

    @property
    def is_shown(self) -> bool:
        """Whether the line is shown, which needs a terminal and no --quiet."""
        return self._shown

    def show(self, text: str) -> None:
        """Show `text`, at most ten times per second. A text that comes too early is dropped."""
        if not self._shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self.EVERY
        self._drawn = True
        self._draw(text)

    def _draw(self, text: str) -> None:
        from pinebench.cli.live import cut

        # Use the real width, not COLUMNS, because a wrapped line could not be removed.
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        sys.stderr.write(f"\r{cut(printable(text), width - 1)}\x1b[K")
        sys.stderr.flush()


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. The width is given to argparse, so that argparse does not import shutil at each
    start to find it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=min(100, terminal_width()) - 2)


_MOST_DIGITS = 15
"""The largest number of characters of a whole number on the command line."""


def whole(least: int, most: int | None = None, what: str = "a whole number") -> Callable[[str], int]:
    """Return a function for argparse that parses an integer from `least` to `most` (None: no upper limit).

    `what` describes the value in the error message.
    """

    def read(text: str) -> int:
        is_whole = text.isascii() and text.removeprefix("-").isdigit()
        is_huge = is_whole and len(text) > _MOST_DIGITS
        number = int(text) if is_whole and not is_huge else None
        if number is None or number < least or (most is not None and number > most):
            largest = 10**_MOST_DIGITS - 1 if is_huge and most is None else most
            limits = f"from {least}" if largest is None else f"from {least} to {largest}"
            raise argparse.ArgumentTypeError(f"must be {what} {limits}, not '{text}'")
        return number

    return read


positive = whole(1)
"""Read a count from 1; for argparse."""

port = whole(1, 65535, "a port")
"""Read a port from 1 to 65535; for argparse."""

free_port = whole(0, 65535, "a port")
"""Read a port from 0 to 65535, where 0 means any free port; for argparse."""


def amount(text: str) -> float:
    """Parse a number above 0, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number above 0, not '{text}'")
    return value


def terminal_width() -> int:
    """Return the number of columns of the terminal, at least 40; 80 if there is no terminal."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and len(columns) < 6:
        return max(40, int(columns))
    try:
        return max(40, os.get_terminal_size().columns)
    except OSError:
        return 80


_REQUIRED = "the following arguments are required: "
_BARS = lazy_pattern(r"^(sample|ccxt):|\.(csv|parquet)$", re.IGNORECASE)
"""A pattern for arguments that name bars."""
_SYMBOL = lazy_pattern(r"(?:[A-Z]+:)?[A-Z]{2,10}")
"""A pattern for arguments that name a symbol."""
_WRONG_NUMBER = lazy_pattern(r"(argument [^:]+): invalid (float|int) value: (.*)", re.DOTALL)
_WRONG_CHOICE = lazy_pattern(r"(argument [^:]+): invalid choice: '(.*)' \(choose from (.*)\)")
"""A pattern for argparse's message; the quotes around the choices differ between versions of Python."""


def _in_usage(action: argparse.Action) -> str:
    """The words for an argument in a usage line; empty for an optional option."""
    name = str(action.metavar or action.dest)
    if action.option_strings:
        return f"{action.option_strings[0]} {name}" if action.required else ""
    return {"?": f"[{name}]", "*": f"[{name}]...", "+": f"{name}...", "A...": f"{name} ..."}.get(
        str(action.nargs), name
    )


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one clear line and accepts no abbreviated options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("allow_abbrev", False)
        kwargs.setdefault("formatter_class", _HelpFormatter)
        super().__init__(*args, **kwargs)
        self._given: list[str] = []

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        """Add an argument as argparse does. With `nargs="*"`, the default is `[]`, because argparse would otherwise
        report the argument as missing."""
        if kwargs.get("nargs") == "*":
            kwargs.setdefault("default", [])
        return super().add_argument(*args, **kwargs)

    def format_help(self) -> str:
        """Return the help text. A command's default usage line has the arguments and `[OPTION]...`."""
        if self.usage is None:
            taken = [part for action in self._actions if (part := _in_usage(action))]
            self.usage = " ".join([self.prog, *taken, "[OPTION]..."])
        return super().format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Parse as argparse does, and store the arguments for a message about a mistake."""
        self._given = list(args or ())
        return super().parse_known_args(args, namespace)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or the version at once; argparse would ignore an error of writing, or leave it to the end."""
        print(message, end="", file=file or sys.stderr, flush=True)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing the usage and exiting."""
        hint = f"see '{self.prog} --help'"
        bars = next(filter(_BARS.search, self._given), None) if message == f"{_REQUIRED}--data" else None
        symbol = next(filter(_SYMBOL.fullmatch, self._given), None) if message == f"{_REQUIRED}--data" else None
        if bars is not None:
            hint = f"did you mean '--data {bars}'? {hint}"
        elif symbol is not None:
            hint = f"did you mean '--data sample:{symbol}', whose bars are made up? {hint}"
        number = _WRONG_NUMBER.fullmatch(message)
        if number is not None:
            kind = "a number" if number[2] == "float" else "a whole number"
            message = f"{number[1]}: must be {kind}, not {number[3]}"
        choice = _WRONG_CHOICE.fullmatch(message)
        if choice is not None:
            from pinebench.near import near_names

            known = re.findall(r"[^\s',]+", choice[3])
            near = near_names(choice[2], known)
            message = f"{choice[1]}: must be one of {', '.join(known)}, not '{choice[2]}'"
            hint = f"did you mean '{near[0]}'? {hint}" if near else hint
        raise UsageError(message.replace(_REQUIRED, "missing: "), hint)
