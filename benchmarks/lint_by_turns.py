"""Compare the lint time of several programs over the same scripts, measured alternately in one run.

    python benchmarks/lint_by_turns.py FOLDER [--commit COMMIT] [--wheel PYTHON] [--anchor COMMAND] [--rounds N]

This tree is always measured. COMMIT is an earlier commit of it, which is read from git into a temporary folder. PYTHON
is an interpreter with an installed pinebench, for example the wheel with compiled rooms. COMMAND lints the files whose
names follow it. Each lint is a separate process with compiled bytecode, like an installed package. All take turns, so
that a change of the machine's load changes all of them, and the best of N rounds (6) counts.

For each program it prints: milliseconds of processor time for 1,000 lines; that time divided by the anchor's (by this
tree's, without an anchor); the largest memory of a process; and for one sample of about 200 lines the milliseconds
above the bare interpreter. It returns 1 if two versions of pinebench print different findings.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cold_start
import trees

ROUNDS = 6
LINT = ("-m", "pinebench", "lint", "--no-cache", "--jobs", "1", "--format", "json")
NAME = {"lines": "ms/1,000 lines", "ratio": "ratio", "memory": "MiB", "cold": "cold ms above bare"}


class Program(NamedTuple):
    """A program that lints: the beginning of its command, its working folder, and the cost of its bare interpreter."""

    name: str
    command: tuple[str, ...]
    bare: tuple[str, ...] | None
    environment: dict[str, str]


class Cost(NamedTuple):
    """The time and the memory of one process, and its output."""

    seconds: float
    mebibytes: float
    printed: bytes


def main(arguments: Sequence[str]) -> int:
    """Measure, print the table, and compare what the versions of pinebench printed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commit", help="an earlier commit of this tree")
    parser.add_argument("--wheel", metavar="PYTHON", help="an interpreter with an installed pinebench")
    parser.add_argument("--anchor", metavar="COMMAND", help="another linter; the names of the files follow")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args(arguments)
    paths = sorted(path for path in given.folder.rglob("*.pine") if path.is_file())
    if not paths:
        sys.exit(f"lint_by_turns: there is no .pine file in {given.folder}")
    with tempfile.TemporaryDirectory() as folder:
        return report(programs(given, Path(folder)), paths, given.rounds)


def programs(given: argparse.Namespace, folder: Path) -> list[Program]:
    """Return the programs to measure; the anchor is the last one."""
    found = [_of_tree("this tree", cold_start.ROOT, folder)]
    if given.commit:
        earlier = trees.tree_of(given.commit, str(folder / "earlier"))
        found.append(_of_tree(given.commit, earlier, folder))
    if given.wheel:
        found.append(Program("wheel", (given.wheel, *LINT), (given.wheel, "-c", "pass"), _environment()))
    if given.anchor:
        command = tuple(shlex.split(given.anchor))
        bare = (command[0], "-e", "0") if Path(command[0]).name == "node" else None
        found.append(Program("anchor", command, bare, _environment()))
    return found


def _of_tree(name: str, root: Path, folder: Path) -> Program:
    bytecode = str(folder / f"bytecode-{root.name}")
    environment = _environment() | {"PYTHONPATH": str(root), "PYTHONPYCACHEPREFIX": bytecode}
    return Program(name, (sys.executable, *LINT), (sys.executable, "-c", "pass"), environment)


def _environment() -> dict[str, str]:
    """Return the environment variables of an installed package, whose bytecode is cached."""
    left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONPYCACHEPREFIX")
    return {name: value for name, value in os.environ.items() if name not in left_out}


def report(taking_part: list[Program], paths: list[Path], rounds: int) -> int:
    """Measure all programs alternately and print the table."""
    files, sample = list(map(str, paths)), str(cold_start.chosen_script())
    lines = sum(path.read_bytes().count(b"\n") + 1 for path in paths)
    all_files: dict[str, list[Cost]] = {each.name: [] for each in taking_part}
    one_file: dict[str, list[Cost]] = {each.name: [] for each in taking_part}
    bare: dict[str, list[Cost]] = {each.name: [] for each in taking_part}
    for _ in range(1 + rounds):  # the first round fills the caches
        for each in taking_part:
            all_files[each.name].append(cost(each, (*each.command, *files)))
            one_file[each.name].append(cost(each, (*each.command, sample)))
            if each.bare is not None:
                bare[each.name].append(cost(each, each.bare))
    print(f"{len(paths)} scripts, {lines} lines; the best of {rounds} rounds by turns")
    print(f"{'':<24}" + "".join(f"{title:>22}" for title in NAME.values()))
    compared = best(all_files[taking_part[-1].name if taking_part[-1].name == "anchor" else taking_part[0].name])
    for each in taking_part:
        seconds = best(all_files[each.name])
        memory = max(run.mebibytes for run in all_files[each.name])
        cold = 1000 * (best(one_file[each.name]) - best(bare[each.name])) if each.bare is not None else None
        shown = (f"{1e6 * seconds / lines:.1f}", f"{seconds / compared:.2f}", f"{memory:.0f}")
        print(f"{each.name:<24}" + "".join(f"{text:>22}" for text in (*shown, "-" if cold is None else f"{cold:.0f}")))
    printed = {all_files[each.name][-1].printed for each in taking_part if each.name != "anchor"}
    print("all versions of pinebench print the same" if len(printed) == 1 else "DIFFERENT findings")
    return 0 if len(printed) == 1 else 1


def best(runs: list[Cost]) -> float:
    """Return the shortest processor time, without the first round."""
    return min(run.seconds for run in runs[1:])


def cost(program: Program, command: Sequence[str]) -> Cost:
    """Run a command in a new process."""
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            command, cwd=tempfile.gettempdir(), env=program.environment, stdout=printed, stderr=subprocess.DEVNULL
        )
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0  # it was waited for here, because only this tells what one process took
        printed.seek(0)
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
