"""The record of a run of the benchmark: a file with a JSON line for each step, on disk before the next step begins.

An answer that was paid for is recorded before it is judged, so a killed run pays for no answer twice.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pinebench import decoding, files
from pinebench.authoring.author import Usage
from pinebench.errors import UsageError
from pinebench.evals.model_answers import Answer
from pinebench.evals.task_judge import TaskVerdict

ENDING = ".eval.jsonl"
_LARGEST = 256 << 20


@dataclass(frozen=True)
class Head:
    """The first line of a record. `digest` identifies the tasks. Runs with other tasks cannot be compared.

    `bars` is the salt of the hidden bars. Runs with other bars can be compared, because the requests are the same.
    """

    model: str
    mode: str
    seed: int
    digest: str
    version: str
    bars: str = ""

    @property
    def name(self) -> str:
        """The name of the record's file without its extension."""
        model = re.sub(r"[^\w.-]+", "_", self.model)[:80]
        return f"{model}-{self.mode}-seed{self.seed}"


class RunRecord:
    """The record file of a run; threads may share it. Raises UsageError if the file does not belong to `head`."""

    def __init__(self, path: Path, head: Head) -> None:
        self.path = path
        self.answers: dict[str, Answer] = {}
        self.verdicts: dict[str, TaskVerdict] = {}
        self.lost = Usage()
        """The cost of attempts without an answer."""
        self._lock = threading.Lock()
        self.head = self._read() or head
        if self.head.digest != head.digest:
            raise UsageError(
                f"{path}: this run was made with other tasks (pinebench {self.head.version})",
                "choose another folder with -o",
            )
        if not path.exists() or not path.stat().st_size:
            self._append({"head": asdict(head)})

    def answered(self, task: str, answer: Answer) -> None:
        """Record the answer to a task."""
        with self._lock:
            self.answers[task] = answer
            self._append({"task": task, "answer": asdict(answer)})

    def judged(self, task: str, verdict: TaskVerdict) -> None:
        """Record the verdict on the answer to a task."""
        with self._lock:
            self.verdicts[task] = verdict
            self._append({"task": task, "verdict": asdict(verdict)})

    def spent(self, task: str, usage: Usage) -> None:
        """Record the cost of a task without an answer."""
        with self._lock:
            self.lost += usage
            self._append({"task": task, "lost": asdict(usage)})

    def is_settled(self, task: str) -> bool:
        """Return whether a task has a final verdict. A verdict is not final if this version could not run the
        answer."""
        return task in self.verdicts and self.verdicts[task].is_known

    @property
    def usage(self) -> Usage:
        """The cost of all answers and of attempts without an answer."""
        total = self.lost
        for answer in self.answers.values():
            total += answer.usage
        return total

    def _read(self) -> Head | None:
        head: Head | None = None
        for line in _lines(self.path):
            if "head" in line:
                head = Head(**line["head"])
            elif "answer" in line:
                self.answers[line["task"]] = _answer(line["answer"])
            elif "verdict" in line:
                self.verdicts[line["task"]] = TaskVerdict(**line["verdict"])
            elif "lost" in line:
                self.lost += Usage(**line["lost"])
        return head

    def _append(self, line: dict[str, Any]) -> None:
        data = json.dumps(line, ensure_ascii=True).encode() + b"\n"
        try:
            with files.open_private(self.path, "a+b") as file:
                # After a kill the last line may be cut.
                held = self.path.read_bytes()
                file.truncate(held.rfind(b"\n") + 1)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {(error.strerror or str(error)).lower()}") from None


def records(folder: Path) -> list[RunRecord]:
    """Return all readable records in a folder, by name."""
    found: list[RunRecord] = []
    for path in sorted(folder.glob(f"*{ENDING}")):
        head = next((Head(**line["head"]) for line in _lines(path) if "head" in line), None)
        if head is not None:
            found.append(RunRecord(path, head))
    return found


def _answer(held: dict[str, Any]) -> Answer:
    return Answer(**{**held, "usage": Usage(**held["usage"])})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The complete lines of a record. Raises UsageError for a line that is not part of a record."""
    try:
        data = files.read_bytes(path, _LARGEST)
    except files.MissingFile:
        return
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        try:
            read = decoding.loads(line)
        except decoding.MalformedDocument:
            read = None
        if not isinstance(read, dict):
            raise UsageError(f"{path}: line {number} is not part of a run", "choose another folder with -o")
        yield read
