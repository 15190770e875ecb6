"""What the tests of the authoring room share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.session import FROM_NOTHING
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from tests.authoring.fake_anthropic import Step
from tests.authoring.support import OUTPUT, REQUEST, AuthorRun, claude, ending, isolate, service


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AuthorRun]:
    """Runs `session.write` against a scripted service."""
    isolate(monkeypatch, tmp_path)

    def run(*steps: Step, budget: AuthorBudget | None = None, request: str = REQUEST, **options: Any) -> AuthorRun:
        with service(monkeypatch, *steps) as fake:
            events = session.write(
                request,
                claude(),
                LocalCompiler(),
                budget or AuthorBudget(),
                Context(),
                output=OUTPUT,
                **{"template": FROM_NOTHING, **options},
            )
            return AuthorRun(*ending(events), fake, tmp_path)

    return run
