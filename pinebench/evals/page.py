"""The report of all runs in a folder as one HTML file without scripts, which needs no network."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from importlib import resources

from pinebench.evals.benchmark_run import digest
from pinebench.evals.scores import Score, Share, ranked
from pinebench.evals.tasks import Task, tasks

_LONGEST = 20_000
"""The largest number of characters of an answer that are shown."""


def page(scores: Sequence[Score]) -> str:
    """Return the HTML page. Model output is escaped, so it cannot add elements to the page."""
    template = (resources.files("pinebench.evals") / "page.html").read_text("utf-8")
    before, _, after = template.partition("%BODY%")
    order = ranked(scores)
    return "".join((before, "\n".join((*_leaders(order), *_parts(order), *_answers(order))), after))


def _safe(text: object) -> str:
    printed = "".join(sign if sign.isprintable() or sign in "\n\t" else "\ufffd" for sign in str(text))
    return html.escape(printed)


def _leaders(scores: Sequence[Score]) -> Iterator[str]:
    yield _beginning("Leaderboard")
    heads = ("model", "mode", "seed", "passed", "pass@1", "95 % interval", "rounds", "tokens", "dollars", "seconds")
    yield "".join(f"<th>{head}</th>" for head in heads) + "</tr>"
    for one in scores:
        head, whole = one.record.head, one.whole
        part = "" if one.complete else " (part)"
        part += f", {one.not_computed} not computed" if one.not_computed else ""
        part += "" if _is_of_these_tasks(one) else ", other tasks"
        cells = (
            _safe(head.model),
            _safe(head.mode),
            str(head.seed),
            f"{whole.passed} of {whole.tasks}{part}",
            f"{100 * whole.rate:.1f} %",
            f"{_bar(whole)} {100 * whole.low:.1f} to {100 * whole.high:.1f} %",
            f"{one.rounds:,}",
            f"{one.usage.tokens:,}",
            f"{one.usage.dollars:.2f}" + ("" if one.has_known_price else " (with an assumed price)"),
            f"{one.seconds:,.0f}",
        )
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</table></div>"


def _is_of_these_tasks(one: Score) -> bool:
    """Return whether a run had the tasks of this version. A score on other tasks cannot be compared."""
    return one.record.head.digest == digest(one.record.head.seed)


def _beginning(title: str) -> str:
    """Return a heading and the beginning of its table. A table wider than the page can be scrolled with keys."""
    part = f'<div class="wide" tabindex="0" role="region" aria-label="{title}">'
    return f"<h2>{title}</h2>{part}<table><tr>"


def _bar(share: Share) -> str:
    low, width, at = 100 * share.low, 100 * (share.high - share.low), 100 * share.rate
    return (
        f'<span class="bar" role="img" aria-label="{at:.1f} percent"><i style="left:{low:.1f}%;width:{width:.1f}%"></i>'
        f'<b style="left:calc({at:.1f}% - 2px)"></b></span>'
    )


def _parts(scores: Sequence[Score]) -> Iterator[str]:
    for name, title in (("kind", "By kind of task"), ("level", "By level"), ("script", "By sort of script")):
        keys = list(scores[0].parts[name]) if scores else []
        yield f"{_beginning(title)}<th>model</th>"
        yield "".join(f"<th>{key}</th>" for key in keys) + "</tr>"
        for one in scores:
            shares = [one.parts[name][key] for key in keys]
            cells = [f"{100 * each.rate:.0f} % of {each.tasks}" if each.tasks else "" for each in shares]
            yield f"<tr><td>{_named(one)}</td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        yield "</table></div>"


def _named(one: Score) -> str:
    return _safe(f"{one.record.head.model}, {one.record.head.mode}, seed {one.record.head.seed}")


def _answers(scores: Sequence[Score]) -> Iterator[str]:
    for one in scores:
        yield f"<h2>Answers: {_named(one)}</h2>"
        is_same = _is_of_these_tasks(one)
        for task in tasks(one.record.head.seed):
            if task.id in one.record.verdicts:
                yield _answer(one, task, task.prompt if is_same else "The run had other tasks than this version.")


def _answer(one: Score, task: Task, prompt: str) -> str:
    verdict, answer = one.record.verdicts[task.id], one.record.answers.get(task.id)
    word = '<span class="pass">passed</span>' if verdict.passed else f'<span class="fail">{_safe(verdict.stage)}</span>'
    text = answer.text if answer is not None else ""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n(cut)"
    reason = f"<p>{_safe(verdict.reason)}</p>" if verdict.reason else ""
    noted = f"<p>{_safe(answer.note)}</p>" if answer is not None and answer.note else ""
    return (
        f"<details><summary>{_safe(task.id)}: {word}</summary>{reason}{noted}"
        f"<pre>{_safe(prompt)}</pre><pre>{_safe(shown)}</pre></details>"
    )
