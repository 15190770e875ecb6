"""Exceptions that can be shown to a person: the problem, the next step, and the exit code."""

from __future__ import annotations


class PinebenchError(Exception):
    """An expected error.

    `message` is one sentence for people, `hint` says what to do next, and `exit_code` is the exit code of the command
    line.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def with_hint(self) -> str:
        """The message, and the hint in brackets."""
        return f"{self.message} ({self.hint})" if self.hint else self.message


def words_of(error: BaseException) -> str:
    """Return an exception's message for people, with its hint in brackets if it has one."""
    return error.with_hint if isinstance(error, PinebenchError) else str(error)


def fault(error: Exception) -> PinebenchError:
    """Return the error to show for an unexpected exception, which is a fault of pinebench itself."""
    words = f"{type(error).__name__}: {error}"
    return PinebenchError(f"pinebench has a fault: {words[:500]}", "please report it with the output of -vv")


class UsageError(PinebenchError):
    """The request was wrong: a bad option, an unreadable file, or a bad configuration."""

    exit_code = 2


class UnknownName(UsageError, KeyError):
    """A result has no item with the requested name. `hint` lists the names that exist. This error is also a
    KeyError."""

    def __str__(self) -> str:
        return self.message


class DoesNotCompile(UsageError):
    """The script to run does not compile."""

    exit_code = 1


class UnavailableError(PinebenchError):
    """Something that the request needs is missing: a page, a network, a key, or the packages of an extra."""

    exit_code = 3
