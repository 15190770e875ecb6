"""What goes on between an author and its service within one round, kept so that a killed run can go on in the middle
of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pinebench.authoring.author import Proposal, Usage
from pinebench.authoring.reply import plain

ANSWER_TOKENS = 16_000
"""Room for one answer; a cut answer is asked for once more with twice as much."""


@dataclass(slots=True)
class Dialogue:
    """The messages of a round so far and the script that they change.

    `text` is that script as it stands, with line feeds only, `begun` as it was; both are None until there is one.
    `windows` says that it had other line ends, `changes` what was changed, one line each, `words` what the author says
    about it. `reason` is what was wrong with the last answer, `paused` what an answer that pauses has said already,
    `wanted` the tokens that the next one may have, `exchanges` how many answers there were. `tries` of the next request
    have failed, the last for `trouble`, and the next one waits `wait` seconds.
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

    @classmethod
    def about(cls, content: list[dict[str, Any]], source: str | None) -> Dialogue:
        """One that begins with `content`; models write plain line feeds, so edits with other ones would never match."""
        text = plain(source) if source is not None else None
        windows = source is not None and "\r\n" in source
        return cls([{"role": "user", "content": content}], text, text, windows)

    @property
    def copied(self) -> Dialogue:
        """The same, to go on with while this one stays as it is."""
        return replace(self, messages=[*self.messages], changes=[*self.changes])

    @property
    def rested(self) -> Dialogue:
        """The same with all tries left, as after a while."""
        return replace(self.copied, tries=0, trouble="", wait=0.0)

    def replaced(self, text: str) -> None:
        """Another script altogether takes the place of this one."""
        self.text = text
        self.changes.append("rewrote the script")

    def failed(self, tries: int, trouble: str, wait: float) -> None:
        """Note that so many `tries` of the next request have failed."""
        self.tries, self.trouble, self.wait = tries, trouble, wait

    def proposal(self, usage: Usage) -> Proposal:
        """The script as it stands now."""
        assert self.text is not None
        text = self.text.replace("\n", "\r\n") if self.windows else self.text
        return Proposal(text, "", tuple(self.changes), usage, words=self.words)

    def kept(self, usage: Usage) -> Proposal | None:
        """What edits have made of the script so far, if they changed anything."""
        return self.proposal(usage) if self.text is not None and self.text != self.begun else None
