"""`pinebench.write`: writes a script for a request in plain language, with Claude, until the script compiles."""

from __future__ import annotations

from collections.abc import Callable

from pinebench.authoring.events import Event, FinishedEvent


def write(
    request: str,
    *,
    model: str | None = None,
    template: str | None = None,
    rounds: int = 8,
    seconds: float = 600,
    tokens: int = 300_000,
    dollars: float = 2,
    on_event: Callable[[Event], object] | None = None,
) -> FinishedEvent:
    """Write a script with Claude, and let Claude repair it until pinebench's checker finds no errors.

    ANTHROPIC_API_KEY must be set in the environment. `template` names the template to start from (`none`: no template;
    default: the best match). `rounds`, `seconds`, `tokens` and `dollars` limit the run as a whole. `on_event` is called
    with each event.

    The result has `success`, `source` (the best script, or None) and `message`. Raises UsageError for an unknown
    template, and UnavailableError without a key or without the extra `ai`.
    """
    from pinebench.authoring import session
    from pinebench.authoring.author import AuthorBudget
    from pinebench.authoring.claude import Claude
    from pinebench.compilers.local import LocalCompiler
    from pinebench.context import Context
    from pinebench.migration import migrate_draft

    author = Claude(model)
    budget = AuthorBudget(rounds, seconds, tokens, dollars)
    finished: FinishedEvent | None = None
    for event in session.write(
        request,
        author,
        LocalCompiler(),
        budget,
        Context(),
        template=template or session.NEAREST,
        model=author.model,
        key_from=author.key_from,
        migrate=migrate_draft,
    ):
        if on_event is not None:
            on_event(event)
        if isinstance(event, FinishedEvent):
            finished = event
    assert finished is not None
    return finished
