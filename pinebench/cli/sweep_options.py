"""The parts that commands with many runs share: options for workers and seeds, and progress on stderr."""

from __future__ import annotations

import argparse
import shlex
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pinebench.cli.console import InputPath, Progress, note, positive, whole
from pinebench.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.sweeps.cluster import TlsFiles

RANGES = ("RANGE", "an input with its values: 'Length=5:50:5', 'Mode=EMA,SMA', 'Length=20' or 'Length'")
"""The placeholder for the value of --input in the help of a sweep, and the option's help."""
_EVERY = 10.0
"""The seconds between two lines about the progress, if stderr is not a terminal."""


def add_arguments(add: Callable[..., object]) -> None:
    """Declare the options of a search with many runs."""
    add("--seed", type=whole(0), metavar="N", help="the seed of a random search (default: 1)")
    add_workers(add)


def add_workers(add: Callable[..., object]) -> None:
    """Declare the options for workers: their number, and workers on other computers."""
    add("--jobs", type=positive, default=1, metavar="N", help="the number of workers on this machine (default: 1)")
    add("--scheduler", metavar="ADDRESS", help="the scheduler of a Dask cluster, tls://HOST:PORT")
    add(
        "--tls-ca",
        type=InputPath,
        metavar="FILE",
        help="the certificate of the cluster's certificate authority, in PEM",
    )
    add("--tls-cert", type=InputPath, metavar="FILE", help="our certificate for the cluster, in PEM")
    add("--tls-key", type=InputPath, metavar="FILE", help="the key of our certificate, in PEM")


def keys(args: argparse.Namespace) -> TlsFiles | None:
    """Return the TLS files in the arguments; None if there are none. Raises UsageError if one is missing."""
    from pinebench.sweeps.cluster import TlsFiles

    given = (args.tls_ca, args.tls_cert, args.tls_key)
    if not any(given):
        return None
    if not all(given):
        raise UsageError("--tls-ca, --tls-cert and --tls-key must be given together", "give all three")
    return TlsFiles(*given)


def share(text: str) -> float:
    """Parse a fraction from 0 to 0.9, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 0.9:
        raise argparse.ArgumentTypeError(f"must be a fraction from 0 to 0.9, such as 0.3, not '{text}'")
    return value


@contextmanager
def in_options() -> Iterator[None]:
    """Within this context, mention options of the command line in the hint of the error for a grid that is too
    large."""
    from pinebench.sweeps.search_methods import TooManyCombinations

    try:
        yield
    except TooManyCombinations as error:
        ranges = " ".join(f"--input {shlex.quote(text)}" for text in error.texts())
        error.hint = error.advice(ranges, "--search random")
        raise


class ProgressPrinter:
    """Shows progress on stderr: in a single line of a terminal, otherwise as a new line every ten seconds."""

    def __init__(self) -> None:
        self._line = Progress()
        self._next = time.monotonic() + _EVERY

    def __enter__(self) -> ProgressPrinter:
        self._line.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._line.__exit__(*error)

    def show(self, progress: object) -> None:
        """Show `progress`, whose text tells how far the work has come."""
        if self._line.is_shown:
            self._line.show(str(progress))
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY
            note(str(progress))
