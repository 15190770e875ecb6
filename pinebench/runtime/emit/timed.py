"""Adds a clock to generated code: the time and the number of runs of each line of a script, by function.

The tree of the generated code gets marks. A mark adds the time since the mark before it to a group: the statements
since then. At most one of them calls something. Statements without calls are too short for marks of their own; their
share is computed from their size. A function that is called moves the last mark forward by the time that belongs to its
caller, and back when it returns, so that every moment counts once. Positions in the code stay the same, so that errors
still name the script's lines.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from time import perf_counter
from types import CodeType
from typing import Any, NamedTuple

from pinebench.runtime.emit.module import Generated
from pinebench.runtime.library.kernel import total

RUNTIME = 0
"""The line under which the runtime's own work counts: loops over bars, histories."""
_RUNS = ("bars", "fill", "one")
"""The functions of a module that the runtime calls."""


class Cost(NamedTuple):
    """Seconds: what the clock needs for a mark, for the counter of a block and for a call of a function, and what a
    node of a statement without calls needs."""

    mark: float
    block: float
    call: float
    node: float


class Group(NamedTuple):
    """The statements whose time one mark counts: short ones as line and size, and the line that calls something."""

    short: list[tuple[int, int]]
    line: int | None


class Block(NamedTuple):
    """A block of generated code: the lines of its statements, the group of each of its marks, and the line of each call
    of a function of the script.
    """

    lines: list[int]
    marks: list[int]
    calls: list[int]


class Table:
    """The measurements of one function on one way of calls; `below` are the functions that it called.

    `times` are the seconds of the groups, and `counts` say how often blocks ran. The key has the function, the number
    of its module, and the number of its first block.
    """

    __slots__ = ("below", "counts", "first", "key", "times")

    def __init__(self, key: str, groups: int, blocks: int) -> None:
        self.key = key
        self.first = int(key.rpartition(" ")[2]) if key else -1
        self.times = [0.0] * groups
        self.counts = [0] * blocks
        self.below: dict[str, Table] = {}

    @property
    def entered(self) -> int:
        """How often the function was called."""
        return self.counts[self.first] if self.first >= 0 else 0

    def scale(self, factor: float) -> None:
        """Multiply all times of this table and of the tables below it."""
        for table in self.walk():
            table.times = [seconds * factor for seconds in table.times]

    def take_lower(self, other: Table) -> None:
        """Keep the lower one of each time here and in the same table of another run of the same script."""
        self.times = [min(pair) for pair in zip(self.times, other.times, strict=True)]
        for key, below in self.below.items():
            if key in other.below:
                below.take_lower(other.below[key])

    def walk(self) -> Iterator[Table]:
        """The table and all tables below it."""
        yield self
        for below in self.below.values():
            yield from below.walk()


class Timer:
    """Measures the code of a run. `lines` is the number of lines of the script."""

    def __init__(self, lines: int) -> None:
        self.broker = lines + 1
        """The line under which the broker's work counts."""
        self.root = Table("", 1, 0)
        """The table above all others. Its only time is the broker's outside of the generated code."""
        self.groups: list[Group] = []
        self.blocks: list[Block] = []
        self._last = [0.0]
        self._present: list[Table] = [self.root]
        self._modules: dict[str, int] = {}

    def compiled(self, generated: Generated, file: str) -> CodeType:
        """Compile generated code with marks; `file` is its name in tracebacks."""
        tree = ast.parse(generated.source, file)
        number = self._modules.setdefault(file, len(self._modules))
        _Marking(self, generated.lines, number).run(tree)
        return compile(ast.fix_missing_locations(tree), file, "exec")

    def names(self) -> dict[str, Any]:
        """The names that the marks use."""
        return {"_clock": perf_counter, "_M": self._last, "_P": self._present, "_R": self.root, "_enter": self._enter}

    def _enter(self, up: Table, key: str) -> Table:
        """Make the table of a function that is called on a way for the first time."""
        found = up.below[key] = Table(key, len(self.groups), len(self.blocks))
        return found

    def module_of(self, file: str) -> int | None:
        """The number of a module in the keys of tables, by its name in tracebacks; None if it did not run."""
        return self._modules.get(file)

    def hook(self, call: Callable[[int], None]) -> Callable[[int], None]:
        """A function that calls the broker for a bar, with its time measured: without the code that it runs again."""
        last, times = self._last, self.root.times

        def timed(i: int) -> None:
            last[0] = perf_counter()
            call(i)
            times[0] += perf_counter() - last[0]

        return timed

    # results

    def line_runs(self, table: Table) -> dict[int, int]:
        """How often each line of a table ran."""
        runs: dict[int, int] = {}
        for number, count in enumerate(table.counts):
            if count:
                for line in self.blocks[number].lines:
                    runs[line] = runs.get(line, 0) + count
        return runs

    def costs(self, table: Table, cost: Cost) -> dict[int, float]:
        """The seconds of each line of a table, without what the clock itself needs."""
        spent = {group: seconds for group, seconds in enumerate(table.times) if seconds}
        often: dict[int, int] = {}
        calling: dict[int, int] = {}
        for number, count in enumerate(table.counts):
            if not count:
                continue
            own = self.blocks[number]
            for group in own.marks:
                often[group] = often.get(group, 0) + count
                spent[group] = spent.get(group, 0.0) - count * cost.mark
            for line in own.calls:
                calling[line] = calling.get(line, 0) + count
            if own.marks:
                spent[own.marks[0]] -= count * cost.block
        found: dict[int, float] = {}
        for group, seconds in spent.items():
            for line, share in _shares(self.groups[group], max(seconds, 0.0), often.get(group, 0) * cost.node):
                found[line] = found.get(line, 0.0) + share
        # A call in a condition may not run each time: the calls that were counted are shared out.
        made, most = total([below.entered for below in table.below.values()]), total(calling.values())
        for line, count in calling.items():
            found[line] = max(found.get(line, 0.0) - made * cost.call * count / most, 0.0)
        return found


def _shares(group: Group, seconds: float, node: float) -> Iterator[tuple[int, float]]:
    """The share of each line of a group: short statements by their size, and the rest for the line that calls."""
    sizes = total([size for _, size in group.short])
    short = seconds if group.line is None else min(sizes * node, seconds / 2)
    for line, size in group.short:
        yield line, short * size / sizes
    if group.line is not None:
        yield group.line, seconds - (short if sizes else 0.0)


_ROUND = 4
"""The size of going to the next round of a loop, in nodes of a statement."""
_ENTER = """
_U = _P[0]
_F = {up}.below.get({key!r}) or _enter({up}, {key!r})
_P[0] = _F
_T, _C, _k, _m = _F.times, _F.counts, _clock, _M
_G = _k() - _m[0]
_m[0] += _G
"""
_MARK = "_N = _k()\n_T[{group}] += _N - _m[0]\n_m[0] = _N\n"
_LEAVE = "_m[0] -= _G\n_P[0] = _U\n"


def sample_cost(runs: int, tries: int) -> Cost:
    """Measure what the clock itself needs, with the same statements: the fastest of some tries of `runs` runs each."""
    timer = Timer(1)
    enter = _ENTER.format(key="x 0 0", up="_U0")
    inner = [f" {row}" for row in (*enter.split("\n"), *_LEAVE.split("\n"), "return 1") if row]
    functions = "def g():\n return 1\ndef h():\n _U0 = _P[0]\n" + "\n".join(inner) + "\n"
    bodies = ("pass", _MARK.format(group=1), "_C[0] += 1", "g()", "h()", "a = b + c * d - b")
    for k, body in enumerate(bodies):
        rows = "".join(f"  {row}\n" for row in body.split("\n") if row)
        functions += (
            f"def run{k}():\n _T, _C, _k, _m, b, c, d = [0.0] * 3, [0] * 3, _clock, _M, 1.5, 2.5, 3.5\n began = _k()\n"
            f" for _ in range({runs}):\n{rows} return _k() - began\n"
        )
    namespace: dict[str, Any] = timer.names()
    exec(functions, namespace)
    best = [min(namespace[f"run{k}"]() for _ in range(tries)) / runs for k in range(len(bodies))]
    empty, mark, block, called, entered, node = best
    size = _size(ast.parse(bodies[-1]).body[0])
    return Cost(*(max(one, 1e-9) for one in (mark - empty, block - empty, entered - called, (node - empty) / size)))


class _Marking:
    """Puts marks into the functions of one module."""

    def __init__(self, timer: Timer, lines: list[int], module: int) -> None:
        self._timer = timer
        self._lines = lines
        self._module = module

    def run(self, tree: ast.Module) -> None:
        """Mark all functions that run on bars."""
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                if node.name in _RUNS:
                    self._mark(node, f"main {self._module}", "_R")
                elif node.name[0] == "f" and node.name[1:].isdigit():
                    self._mark(node, f"{node.name} {self._module}", "_U")

    def _mark(self, function: ast.FunctionDef, key: str, up: str) -> None:
        body = function.body
        first = 1 if isinstance(body[0], ast.Nonlocal) else 0
        entry = _made(_ENTER.format(key=f"{key} {len(self._timer.blocks)}", up=up), function)
        marked = self._block(body[first:], function, [])
        if not isinstance(body[-1], ast.Return):
            marked += _made(_LEAVE, body[-1])
        function.body = [*body[:first], *entry, *marked]

    def _line(self, node: ast.stmt) -> int:
        line = self._lines[node.lineno - 1]
        return line if 0 <= line < self._timer.broker else RUNTIME

    def _block(
        self, statements: list[ast.stmt], near: ast.stmt, head: list[int], round_of: int | None = None
    ) -> list[ast.stmt]:
        """Mark a block. `head` is the group of the condition or loop before it; empty if there is none. `round_of` is
        the line of the loop whose body it is, if going to the next round is short.
        """
        block = Block([], [], [])
        number = len(self._timer.blocks)
        self._timer.blocks.append(block)
        made = _made(f"_C[{number}] += 1\n", near)
        for group in head:
            made += self._clocked(group, near, block)
        short: list[tuple[int, int]] = [] if round_of is None else [(round_of, _ROUND)]
        for node in statements:
            line = self._line(node)
            if line and line not in block.lines:
                block.lines.append(line)
            block.calls.extend([line] * len(_calls(node, _is_function)))
            is_short = not _calls(node, _is_long)
            if isinstance(node, ast.If | ast.For | ast.While):
                made += self._compound(node, short, line, is_short)
                short = []
            elif isinstance(node, ast.Return):
                made += self._return(node, self._group(short, node, line, is_short), block)
                short = []
            elif isinstance(node, ast.Break | ast.Continue):
                if short:
                    made += self._clocked(self._add(short, None), node, block)
                    short = []
                made.append(node)
            elif is_short:
                made.append(node)
                short.append((line, _size(node)))
            else:
                made += [node, *self._clocked(self._add(short, line), node, block)]
                short = []
        if short:
            made += self._clocked(self._add(short, None), statements[-1], block)
        return made

    def _add(self, short: list[tuple[int, int]], line: int | None) -> int:
        """Add a group and return its number."""
        self._timer.groups.append(Group(short, line))
        return len(self._timer.groups) - 1

    def _group(self, short: list[tuple[int, int]], node: ast.stmt, line: int, is_short: bool) -> int:
        return self._add([*short, (line, _size(node))], None) if is_short else self._add(short, line)

    def _compound(
        self, node: ast.If | ast.For | ast.While, short: list[tuple[int, int]], line: int, is_short: bool
    ) -> list[ast.stmt]:
        if isinstance(node, ast.If) and _is_hook(node):
            block = Block([], [], [])
            counter = _made(f"_C[{len(self._timer.blocks)}] += 1\n", node)
            self._timer.blocks.append(block)
            before = self._clocked(self._add([*short, (line, 1)], None), node, block)
            after = self._clocked(self._add([], self._timer.broker), node, block)
            node.body = [*counter, *before, *node.body, *after]
            return [node]
        if isinstance(node, ast.If):
            head = self._group(short, node, line, is_short)
            node.body = self._block(node.body, node, [head])
            node.orelse = self._block(node.orelse, node, [head])
            return [node]
        made: list[ast.stmt] = []
        block = Block([], [], [])
        self._timer.blocks.append(block)
        made += _made(f"_C[{len(self._timer.blocks) - 1}] += 1\n", node)
        if isinstance(node, ast.For):  # the values of the loop are made once, before it
            name = f"_I{len(self._timer.blocks)}"
            values = ast.copy_location(
                ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), node)], node.iter), node
            )
            node.iter = ast.copy_location(ast.Name(name, ast.Load()), node)
            made += [values, *self._clocked(self._group(short, values, line, is_short), node, block)]
        elif short:
            made += self._clocked(self._add(short, None), node, block)
        head = self._group([], node, line, is_short)
        is_long = isinstance(node, ast.While) and not is_short
        node.body = self._block(node.body, node, [head] if is_long else [], None if is_long else line)
        node.orelse = self._block(node.orelse, node, [head])
        return [*made, node]

    def _return(self, node: ast.Return, group: int, block: Block) -> list[ast.stmt]:
        leave = _made(_LEAVE, node)
        if node.value is None:
            return [*self._clocked(group, node, block), *leave, node]
        kept = ast.copy_location(ast.Assign([ast.copy_location(ast.Name("_V", ast.Store()), node)], node.value), node)
        node.value = ast.copy_location(ast.Name("_V", ast.Load()), node)
        return [kept, *self._clocked(group, node, block), *leave, node]

    def _clocked(self, group: int, near: ast.stmt, block: Block) -> list[ast.stmt]:
        block.marks.append(group)
        return _made(_MARK.format(group=group), near)


def _made(source: str, near: ast.stmt) -> list[ast.stmt]:
    """New statements at the position of a statement of the generated code."""
    found = ast.parse(source).body
    for statement in found:
        for node in ast.walk(statement):
            if isinstance(node, ast.expr | ast.stmt):
                node.lineno = node.end_lineno = near.lineno
                node.col_offset = node.end_col_offset = near.col_offset
    return found


def _heads(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that run before its blocks: the condition, or the values of a loop."""
    if isinstance(node, ast.If | ast.While):
        return [node.test]
    return [node.iter] if isinstance(node, ast.For) else [node]


def _size(node: ast.stmt) -> int:
    """The number of nodes of a statement, without the blocks below it."""
    return len([1 for part in _heads(node) for _ in ast.walk(part)])


def _calls(node: ast.stmt, counts: Any) -> list[str]:
    """The names of the functions that a statement calls, without the blocks below it, for which `counts` is true."""
    parts = [each for part in _heads(node) for each in ast.walk(part)]
    names = [ast.unparse(each.func) for each in parts if isinstance(each, ast.Call)]
    return [name for name in names if counts(name)]


def _is_function(name: str) -> bool:
    """Whether a name in generated code is a function of the script."""
    return name[0] in "cf" and name[1:].isdigit()


def _is_long(name: str) -> bool:
    """Whether a call may take long: any but the one that adds a value to an output."""
    return not (name[0] == "o" and name[1:].partition("_")[0].isdigit())


def _is_hook(node: ast.If) -> bool:
    """Whether a statement calls the broker before or after a bar."""
    only = node.body[0]
    return (
        len(node.body) == 1
        and isinstance(only, ast.Expr)
        and isinstance(only.value, ast.Call)
        and isinstance(only.value.func, ast.Name)
        and only.value.func.id in ("before", "after")
    )
