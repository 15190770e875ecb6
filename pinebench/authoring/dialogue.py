"""The exchange between an author and its service within one round. It is stored, so that a killed run can continue
inside the round."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.authoring.reply import plain

ANSWER_TOKENS = 16_000
"""The largest size of one answer in tokens; a cut answer is requested once more with twice as much."""


@dataclass(slots=True)
class Dialogue:
    """The messages of a round so far, and the script that they change.

    `text` is the current script with line feeds only, `begun` the script before the round; both are None until there is
    a script. `windows` means that it had Windows line ends. `changes` lists the changes, one line each; `words` is the
    author's comment. `reason` says what was wrong with the last answer. `paused` is the text of an answer that the
    service paused. `wanted` is the number of tokens for the next answer, `exchanges` the number of answers so far,
    `counted` the tokens that the service has counted in the largest request. `tries` is the number of failed attempts
    of the next request, `trouble` the reason of the last failure, and `wait` the seconds until the next attempt.
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
        """Return a dialogue that begins with `content` about the script `source`. Models write plain line feeds, so
        edits would never match other line ends."""
        text = plain(source) if source is not None else None
        windows = source is not None and "\r\n" in source
        return cls([{"role": "user", "content": content}], text, text, windows)

    @property
    def copied(self) -> Dialogue:
        """A copy that can continue while this dialogue stays unchanged."""
        return replace(self, messages=[*self.messages], changes=[*self.changes])

    @property
    def rested(self) -> Dialogue:
        """A copy with all attempts left, as after a pause."""
        return replace(self.copied, tries=0, trouble="", wait=0.0)

    def replaced(self, text: str) -> None:
        """Replace the whole script by `text`, and list that as a change."""
        self.text = text
        self.changes.append("rewrote the script")

    def failed(self, tries: int, trouble: str, wait: float) -> None:
        """Note that `tries` tries of the next request have failed, and why."""
        self.tries, self.trouble, self.wait = tries, trouble, wait
