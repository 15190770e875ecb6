"""The exchange between an author and its service within one round. It is stored, so that a killed run can continue in
the middle of a round."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.authoring.reply import plain

ANSWER_TOKENS = 16_000
"""The largest size of one answer in tokens; a cut answer is requested once more with twice as much."""


@dataclass(slots=True)
class Dialogue:
    """The messages of a round so far, and the script that they change.

    `text` is the current script, with line feeds only, and `begun` is the script before the round; both are None
    without a script. `windows` means that the script had Windows line endings. `changes` has one line for each change,
    and `words` is the author's comment. `reason` describes what was wrong with the last answer. `paused` is the text of
    an answer that the service paused. `wanted` is the number of tokens for the next answer, `exchanges` the number of
    answers so far, and `counted` the service's token count for the largest request. `tries` counts the failed attempts
    of the next request. `trouble` is the reason for the last failure, and `wait` the seconds until the next attempt.
    """

    messages: list[dict[str, Any]]
    begun: str | None = None
    text: str | None = None
    windows: bool = False
    changes: list[str] = field(default_factory=list[str])
    words: str = ""
    reason: str = ""
    paused: str = ""
    wanted: int = ANSWER_TOKENS
    exchanges: int = 0
    tries: int = 0
    trouble: str = ""
    wait: float = 0.0
    counted: int = 0

    @classmethod
    def about(cls, content: list[dict[str, Any]], source: str | None) -> Dialogue:
        """Return a dialogue that begins with `content` about the script `source`. The script's line endings become line
        feeds, because models write line feeds and their edits must match the script."""
        text = plain(source) if source is not None else None
        windows = source is not None and "\r\n" in source
        return cls([{"role": "user", "content": content}], text, text, windows)

    @property
    def copied(self) -> Dialogue:
        """A copy that can continue without changing this dialogue."""
        return replace(self, messages=[*self.messages], changes=[*self.changes])

    @property
    def rested(self) -> Dialogue:
        """A copy without failed attempts, for use after a pause."""
        return replace(self.copied, tries=0, trouble="", wait=0.0)

    def replaced(self, text: str) -> None:
        """Replace the script with `text`, and record that as a change."""
        self.text = text
        self.changes.append("rewrote the script")

    def failed(self, tries: int, trouble: str, wait: float) -> None:
        """Record `tries` failed attempts of the next request. `trouble` is the reason, and `wait` the pause in
        seconds."""
        self.tries, self.trouble, self.wait = tries, trouble, wait
