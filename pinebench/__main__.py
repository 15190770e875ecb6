"""`python -m pinebench` and the `pinebench` command both start here.

Before the command starts there is nothing to clean up, so Ctrl-C ends the process at once. A KeyboardInterrupt
would show a traceback, or be lost if Python runs a callback during an import.
"""

import gc
import os
import signal
import sys
from types import FrameType

_INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit code."""
    # Imported modules stay until the end, so nothing ever searches them for garbage.
    gc.disable()
    from pinebench.cli import main as run

    code = run(begin=_begin)
    gc.freeze()
    return code


def _begin() -> None:
    gc.freeze()
    gc.enable()
    _heed_interrupts()


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)


def _heed_interrupts() -> None:
    """Let Ctrl-C interrupt the command from here on, as usual in Python."""
    from pinebench.cli.signals import heed_lost_signals

    heed_lost_signals()
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# a signal that is ignored stays ignored, as in a shell's background jobs
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _leave)

if __name__ == "__main__":
    sys.exit(main())
