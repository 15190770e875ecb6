"""The cell magic `%%pine` for IPython and Jupyter: checks the script in a cell, runs it, and shows the result."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING, Any

from pinebench.api.check_report import Report, check
from pinebench.api.run_results import Run, backtest, run
from pinebench.errors import PinebenchError, UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Add the cell magic `%%pine`; IPython calls this for `%load_ext pinebench`."""

    def pine(line: str, cell: str) -> None:
        _pine(shell, line, cell)

    pine.__doc__ = _HELP
    shell.register_magic_function(pine, "cell", "pine")  # pyright: ignore[reportArgumentType]


_HELP = """Check the script in the cell, run it, and show the result.

%%pine [NAME] [--data BARS] [--input TITLE=VALUE]...

NAME is the variable for the result. BARS is what pinebench.bars reads, or the name of a variable; without it the script
is only checked. A strategy is tested, and its trades are shown.
"""


class _ArgumentReader(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"%%pine: {message}", "%%pine? shows its arguments")


def _pine(shell: InteractiveShell, line: str, cell: str) -> None:
    from IPython.display import display

    parser = _ArgumentReader(prog="%%pine", add_help=False, allow_abbrev=False)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--data")
    parser.add_argument("--input", action="append", default=[])
    try:
        asked = parser.parse_args(shlex.split(line))
        if asked.name is not None and not asked.name.isidentifier():
            raise UsageError(f"%%pine: '{asked.name}' is not the name of a variable", "expected, for example, rsi")
        if isinstance(shell.user_ns.get(asked.name), Run | Report):
            # After a failure, the cells below must not go on with the result of an earlier run.
            del shell.user_ns[asked.name]
        inputs = dict(map(_input, asked.input))
        report = check(cell)
        result: Any = report
        if report.findings or not report.ok or asked.data is None:
            display(report)
        if report.ok and asked.data is not None:
            bars = shell.user_ns.get(asked.data, asked.data)
            result = (backtest if _is_strategy(cell) else run)(cell, bars, inputs=inputs)
            display(result)
    except PinebenchError as error:
        _tell(error)
        return
    except ValueError as error:  # of shlex, for an open quote
        _tell(UsageError(f"%%pine: {error}"))
        return
    if asked.name is not None:
        shell.user_ns[asked.name] = result


def _is_strategy(text: str) -> bool:
    from pinebench.checker import open_program

    return open_program(text).is_strategy


def _input(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark:
        raise UsageError(f"%%pine: --input {text} has no value", "expected TITLE=VALUE")
    return name, value


def _tell(error: PinebenchError) -> None:
    print(printable(error.with_hint), file=sys.stderr)
