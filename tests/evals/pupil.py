"""A service that plays a model: it knows the tasks, and a plan says how it answers each of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest

from pinebench.evals.tasks import Task
from tests.authoring.fake_anthropic import FakeAnthropic, Reply, Request, text

Plan = Callable[[Task], Reply]
MODEL = "claude-haiku-of-the-test"
ENVIRONMENT = {"ANTHROPIC_API_KEY": "key-of-the-test", "NO_PROXY": "127.0.0.1"}


class Pupil(FakeAnthropic):
    """Answers a task as `plan` says, whichever task it is asked. `asked` counts the requests for each task's id."""

    def __init__(self, tasks: Iterable[Task], plan: Plan) -> None:
        super().__init__([])
        self.tasks = list(tasks)
        self.plan = plan
        self.asked: Counter[str] = Counter()

    def take(self, request: Request) -> Reply:
        task = next(each for each in self.tasks if each.request in request.text and each.instance.given in request.text)
        with self._lock:
            self.requests.append(request)
            self.asked[task.id] += 1
        return self.plan(task)


def solved(task: Task) -> Reply:
    """Our own solution, with words around it as models write them."""
    return text(f"Here is the answer.\n\n{task.solution}\n\nIt does what was asked.")


def wrong(task: Task) -> Reply:
    """An answer that cannot be right: a script that shows nothing of what was asked, or a fault on no line."""
    if task.instance.fault is not None:
        return text('{"line": 999, "code": "CE10271"}')
    return text(f'```pine\n//@version=6\n{task.family.sort}("Wrong")\nplot(close, "Wrong")\n```')


@contextmanager
def taught(monkeypatch: pytest.MonkeyPatch, tasks: Iterable[Task], plan: Plan) -> Iterator[Pupil]:
    """A pupil that the SDK of this process speaks to."""
    with Pupil(tasks, plan) as pupil:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", pupil.url)
        for name, value in ENVIRONMENT.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
        yield pupil
