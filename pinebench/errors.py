"""Typed exceptions that a face can show to a person: what went wrong, what to do, which exit code."""

from __future__ import annotations


class PinebenchError(Exception):
    """Something foreseen went wrong.

    `message` is one sentence for a person, `hint` says what to do next, `exit_code` is what the command line ends with.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(PinebenchError):
    """The request itself was wrong: a bad option, an unreadable file, a bad configuration."""

    exit_code = 2


class DoesNotCompile(UsageError):
    """The script that was to run does not compile."""

    exit_code = 1


class UnavailableError(PinebenchError):
    """What was asked for needs something that is not there: a page, a network, a key, an extra."""

    exit_code = 3
