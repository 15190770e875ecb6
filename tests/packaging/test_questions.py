"""What a stranger asks is answered within two clicks from the README, which is the first page of the site, too."""

import re
from pathlib import Path

from tests.cli.support import CHECKOUT

QUESTIONS = CHECKOUT / "docs" / "questions.md"
ASKED = {
    "Does it agree with TradingView?": ("parity.md", "tolerance"),
    "Does it agree on my script?": ("verification.md", "pinebench verify"),
    "How fast is it?": ("speed.md", "benchmarks/speed.py"),
    "What is missing?": ("known-differences.md", "## Runs"),
    "Is it safe, and which data leaves my computer?": ("privacy.md", "Hosts, and when they are contacted"),
    "Can it lose or change my scripts?": ("terminal.md", "Your text is never lost"),
    "How do I install it?": ("installing.md", "pip install"),
    "How do I uninstall it?": ("installing.md", "## Uninstall"),
    "Is my back-test more than luck?": ("optimizing.md", "## The verdict"),
    "How does it compare with other programs?": ("parity.md", "## Other programs"),
    "How well do models write Pine with it?": ("models.md", "## Results"),
}
"""Each question with a page that its answer links, and words that are there."""


def links(text: str) -> list[str]:
    """The addresses of the links in a text."""
    return re.findall(r"\]\(([^)]+)\)", text)


def anchor_of(heading: str) -> str:
    """The anchor that the site and GitHub give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def followed(page: Path, address: str) -> Path:
    """The page to which a link leads, whose anchor is there."""
    name, _, anchor = address.partition("#")
    target = (page.parent / name).resolve()
    text = target.read_text(encoding="utf-8")
    headings = [anchor_of(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
    assert not anchor or anchor in headings, f"{page.name} links to {address}"
    return target


def test_each_question_is_answered_within_two_clicks() -> None:
    readme = CHECKOUT / "README.md"
    assert QUESTIONS in [followed(readme, link) for link in links(readme.read_text("utf-8")) if "questions" in link]
    parts = re.split(r"^## ", QUESTIONS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    answers = {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}
    assert len(ASKED) >= 10 and list(answers) == list(ASKED)
    for question, (page, words) in ASKED.items():
        reached = [followed(QUESTIONS, link) for link in links(answers[question])]
        target = CHECKOUT / "docs" / page
        assert target in reached, question
        assert words in target.read_text(encoding="utf-8"), question
