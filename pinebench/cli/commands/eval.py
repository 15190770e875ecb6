"""`pinebench eval`: let a model solve tasks with hidden behaviour, judge its answers, and report the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.cli.console import amount, note, output_path, positive, print_report, whole
from pinebench.errors import UnavailableError, UsageError
from pinebench.printable import json_text, printable

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from pinebench.evals.scores import Score
    from pinebench.evals.task_judge import TaskVerdict
    from pinebench.evals.tasks import Task

EPILOG = """\
examples:
  pinebench eval --check                                   our own solutions pass every task
  pinebench eval --tasks 'bands-*' --budget 0.5            five tasks with the default model
  pinebench eval --model claude-opus-5 --budget 20         all 300 tasks
  pinebench eval --model claude-opus-5 --mode loop         with the loop of 'pinebench write'
  pinebench eval --seed 7                                  the same families with other names, numbers and bars

It needs ANTHROPIC_API_KEY; with ANTHROPIC_BASE_URL, any model of a gateway with Anthropic's Messages API can be named.
DIR gets leaderboard.json and report.html about all runs in it, and a record of each run: the same command continues
where it was interrupted, and no answer is paid for twice. docs/benchmark.md explains the judge and the score.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add = parser.add_argument
    add("--model", metavar="NAME", help="the model to ask (default: PINEBENCH_MODEL)")
    add(
        "--tasks",
        action="append",
        default=[],
        metavar="GLOB",
        help="only tasks with this id, kind, level or type of script, such as 'bands-*', repair, hard, strategy",
    )
    add(
        "--mode",
        choices=("answer", "loop", "agent"),
        default="answer",
        help="a single answer, the loop that checks and repairs, or an agent with offline tools (default: answer)",
    )
    add("--seed", type=whole(0), default=1, metavar="N", help="the seed of names and numbers (default: 1)")
    add("--bars-seed", metavar="TEXT", help="the seed of the hidden bars (default: a new run chooses one at random)")
    add(
        "--jobs",
        type=positive,
        default=2,
        metavar="N",
        help="the number of tasks that run at the same time (default: 2)",
    )
    add(
        "-o",
        "--output",
        type=output_path,
        default="pinebench-eval",
        metavar="DIR",
        help="the folder (default: pinebench-eval)",
    )
    add("--budget", type=amount, default=10.0, metavar="USD", help="the largest estimated cost (default: 10)")
    add(
        "--check",
        action="store_true",
        help="judge our own solutions instead of a model's; no model is called and nothing is written",
    )
    add("--format", choices=("text", "json"), default="text", help="the format of the result (default: text)")


def run(args: argparse.Namespace) -> int:
    """Run the benchmark, print the score, and return the exit code."""
    from pinebench.evals.tasks import tasks

    if args.check and args.model is not None:
        raise UsageError("--check judges our own solutions, so --model has no effect", "leave one of them out")
    chosen = tasks(args.seed, args.tasks)
    return _check(args, chosen) if args.check else _ask(args, chosen)


def _check(args: argparse.Namespace, chosen: list[Task]) -> int:
    from pinebench.evals.benchmark_run import check

    failed = check(chosen, args.jobs, _tell_failure, args.bars_seed or "")
    if args.format == "json":
        rows = [{"task": task.id, "stage": verdict.stage, "reason": verdict.reason} for task, verdict in failed]
        print_report(
            json_text({"tasks": len(chosen), "passed": len(chosen) - len(failed), "failed": rows}, indent=2) + "\n"
        )
    else:
        print_report(f"{len(chosen) - len(failed)} of {len(chosen)} of our solutions pass\n")
    return 1 if failed else 0


def _ask(args: argparse.Namespace, chosen: list[Task]) -> int:
    from pathlib import Path

    from pinebench.evals.benchmark_run import EvalRun
    from pinebench.evals.model_answers import Asker

    folder = Path(args.output)
    model = Asker(args.model, args.mode).model
    _make(folder)
    run = EvalRun(folder, model, args.mode, args.seed, lambda: Asker(model, args.mode), args.bars_seed)
    done = sum(run.record.is_settled(task.id) for task in chosen)
    if done:
        note(f"{done} of {len(chosen)} tasks already have a verdict, and are not repeated")
    try:
        run.go(chosen, args.jobs, args.budget, _VerdictPrinter(len(chosen), done))
        left = sum(task.id not in run.record.verdicts for task in chosen)
        if left and run.out_of_budget:
            spent = f"${run.record.usage.dollars:.4g} of ${args.budget:g} is spent"
            raise UnavailableError(
                f"{left} tasks are left: {spent}, and the next task may cost more than the rest",
                "allow more with --budget",
            )
    except KeyboardInterrupt:
        note("interrupted", "the same command continues, and no answer is paid for twice")
        raise
    finally:
        run.close()
        scores = _write_reports(folder)
    own = next(each for each in scores if each.record.head.name == run.record.head.name)
    print_report(json_text(own.as_json(), indent=2) + "\n" if args.format == "json" else _text(own))
    return 0


def _make(folder: Path) -> None:
    from pinebench.files.regular_files import reason

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {reason(error)}", "choose another folder with -o") from None


def _write_reports(folder: Path) -> list[Score]:
    """Write the leaderboard and the page about all runs in the folder, and return their scores."""
    from pinebench.evals.page import page
    from pinebench.evals.records import records
    from pinebench.evals.scores import leaderboard, score
    from pinebench.evals.tasks import tasks
    from pinebench.files import outputs

    scores = [score(record, tasks(record.head.seed)) for record in records(folder)]
    board = json_text(leaderboard(scores), indent=2) + "\n"
    for file, text in (("leaderboard.json", board), ("report.html", page(scores))):
        said = outputs.put(str(folder / file), text.encode(), force=True)
        if said is not None:
            note(said)
    note(f"{folder / 'report.html'}: written")
    return scores


def _text(score: Score) -> str:
    whole, head = score.whole, score.record.head
    lines = [
        f"{printable(head.model)}, {head.mode}, seed {head.seed}{'' if score.complete else ' (a part of the tasks)'}",
        f"pass@1    {100 * whole.rate:.1f} % ({whole.passed} of {whole.tasks}), 95 % interval {100 * whole.low:.1f} to "
        f"{100 * whole.high:.1f} %",
    ]
    for shares in score.parts.values():
        told = [f"{key} {each.passed} of {each.tasks}" for key, each in shares.items() if each.tasks]
        lines.append(f"          {', '.join(told)}")
    usage = score.usage
    assumed = "" if score.has_known_price else " with an assumed price, because this model's price is not known"
    cost = f"${usage.dollars:.2f}{assumed}"
    lines.append(f"cost      {cost}, {usage.tokens:,} tokens, {score.rounds} rounds, {score.seconds:.0f} s")
    if score.stages:
        lines.append(f"failures  {', '.join(f'{stage} {count}' for stage, count in score.stages.items())}")
    if score.not_computed:
        lines.append(f"not computed {score.not_computed}: pinebench cannot run these answers; no share counts them")
    return "".join(f"{line}\n" for line in lines)


def _tell_failure(task: Task, verdict: TaskVerdict) -> None:
    if not verdict.passed:
        note(f"{task.id} failed: {verdict.stage}: {verdict.reason}")


class _VerdictPrinter:
    """Prints a line on stderr for each verdict."""

    def __init__(self, count: int, done: int = 0) -> None:
        self._count, self._done = count, done

    def __call__(self, task: Task, verdict: TaskVerdict) -> None:
        self._done += 1
        failed = "failed: " if verdict.is_known else ""
        what = "passed" if verdict.passed else f"{failed}{verdict.stage}: {verdict.reason}"
        note(f"{self._done} of {self._count}: {task.id} {what}")
