"""Adds a clock to generated code: the time and the number of runs of each line of a script, by function.

Marks are added to the tree of the generated code. A mark reads the clock, and adds the time since the previous mark to
the group of the statements between them. At most one statement of a group calls something; arithmetic (`math.*`,
`color.*`) and access to one element of a collection do not count as calls. A statement without calls is too short for a
mark of its own; its share of the group's time is estimated from its size. When a function begins, the time that its
caller has not counted yet is set aside; it is counted after the function returns, so no time is counted twice.

A function whose statements are all short has no marks, because the clock would take longer than the function. Its runs
are counted, its time is estimated from its size, and this time is subtracted from its callers. Positions in the code
stay the same, so that errors still name the script's lines.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from time import perf_counter, process_time
from types import CodeType
from typing import Any, NamedTuple

from pinebench.runtime.emit.module import GeneratedModule
from pinebench.totals import total

RUNTIME = 0
"""The line under which the runtime's own work counts: loops over bars, histories."""
_RUNS = ("bars", "fill", "one")
"""The functions of a module that the runtime calls."""


class Cost(NamedTuple):
    """The seconds that measurement takes: for a mark (a read of the clock), the counter of a block, a call of a
    function, and the counter of a function without marks; and the seconds for a syntax node without calls."""

    mark: float
    block: float
    call: float
    counter: float
    node: float


class TimedGroup(NamedTuple):
    """The statements whose time one mark (a read of the clock) counts. `short` has the line and the size (in syntax
    nodes) of each short statement, and `line` is the line of the statement that calls something, if there is one.
    `inner` are the numbers of the blocks of short branches and loops among them."""

    short: list[tuple[int, int]]
    line: int | None
    inner: list[int]


class TimedBlock(NamedTuple):
    """A block of generated code: the lines of its statements, the group of each mark (a read of the clock), and the
    line of each call of a script function with marks. `short` has the line and the function of each call of a script
    function without marks.

    A block without marks has the `sizes` of its statements. If it belongs to a function without marks, `leaf` is the
    key of the function's table, and `group` is the group of its statements.
    """

    lines: list[int]
    marks: list[int]
    calls: list[int]
    short: list[tuple[int, str]]
    sizes: list[tuple[int, int]]
    leaf: str = ""
    group: int = 0


class CallTimes:
    """The measurements of one function for one path of calls; `below` are the functions that it called.

    `times` has the seconds of each group, and `counts` has the number of runs of each block. The key has the function,
    the number of its module, and the number of its first block.
    """

    __slots__ = ("below", "counted", "counts", "first", "key", "times")

    def __init__(self, key: str, groups: int, blocks: int) -> None:
        self.key = key
        self.first = int(key.rpartition(" ")[2]) if key else -1
        self.times = [0.0] * groups
        self.counts = [0] * blocks
        self.below: dict[str, CallTimes] = {}
        self.counted: dict[int, float] = {}
        """The number of counted runs of functions without marks, by group."""

    @property
    def entered(self) -> int:
        """The number of calls of the function."""
        return self.counts[self.first] if self.first >= 0 else 0

    def scale(self, factor: float) -> None:
        """Multiply all times of this table and of the tables below it."""
        for table in self.walk():
            table.times = [seconds * factor for seconds in table.times]

    def take_lower(self, other: CallTimes) -> None:
        """Replace each time with the time in `other`, a table of another run of the same script, if that is lower."""
        self.times = [min(pair) for pair in zip(self.times, other.times, strict=True)]
        for key, below in self.below.items():
            if key in other.below:
                below.take_lower(other.below[key])

    def walk(self) -> Iterator[CallTimes]:
        """Yield the table and all tables below it."""
        yield self
        for below in self.below.values():
            yield from below.walk()


class Timer:
    """Measures the code of a run. `lines` is the number of lines of the script."""

    def __init__(self, lines: int) -> None:
        self.broker = lines + 1
        """The line under which the broker's work counts."""
        self.root = CallTimes("", 1, 0)
        """The table above all others. Its only time is the broker's outside of the generated code."""
        self.groups: list[TimedGroup] = []
        self.blocks: list[TimedBlock] = []
        self.preparing = 0.0
        """The seconds of processor time that the preparation of code took."""
        self._last = [0.0]
        self._present: list[CallTimes] = [self.root]
        self._modules: dict[str, int] = {}

    def compiled(self, generated: GeneratedModule, file: str) -> CodeType:
        """Compile generated code with marks, which read the clock; `file` is its name in tracebacks.

        The code of a request is compiled during a run; this time is not counted for any line.
        """
        began, spent = perf_counter(), process_time()
        tree = ast.parse(generated.source, file)
        number = self._modules.setdefault(file, len(self._modules))
        _MarkWriter(self, generated, number).run(tree)
        made = compile(ast.fix_missing_locations(tree), file, "exec")
        self.preparing += process_time() - spent
        self._last[0] += perf_counter() - began
        return made

    def names(self) -> dict[str, Any]:
        """Return the names that the marks, which read the clock, use in generated code."""
        return {"_clock": perf_counter, "_M": self._last, "_P": self._present, "_R": self.root, "_enter": self._enter}

    def _enter(self, up: CallTimes, key: str) -> CallTimes:
        """Make the table of a function that is called on a way for the first time."""
        found = up.below[key] = CallTimes(key, len(self.groups), len(self.blocks))
        return found

    def module_of(self, file: str) -> int | None:
        """Return a module's number in keys of tables; None if it did not run. `file` is its name in tracebacks."""
        return self._modules.get(file)

    def hook(self, call: Callable[[int], None]) -> Callable[[int], None]:
        """Wrap a call of the broker for a bar so that its time is measured, without the time of the script's code that
        the broker runs."""
        last, times = self._last, self.root.times

        def timed(i: int) -> None:
            last[0] = perf_counter()
            call(i)
            times[0] += perf_counter() - last[0]

        return timed

    # results

    def settle(self, node: float) -> None:
        """Add tables with estimated times for the functions that were not measured. `node` is the estimated time, in
        seconds, of one syntax node in a short statement."""
        places: dict[int, list[int]] = {}
        for number, group in enumerate(self.groups):
            inner = [line for block in group.inner for line, _ in self.blocks[block].sizes]
            for line in {group.line, *(line for line, _ in group.short), *inner} - {None}:
                places.setdefault(line, []).append(number)
        for table in [*self.root.walk()]:
            self._settle(table, node, places)

    def _settle(self, table: CallTimes, node: float, places: dict[int, list[int]]) -> None:
        leaves: dict[str, list[int]] = {}
        callers: dict[str, dict[int, int]] = {}
        for number, count in enumerate(table.counts):
            own = self.blocks[number]
            if count and own.leaf:
                leaves.setdefault(own.leaf, []).append(number)
            for line, name in own.short if count else ():
                known = callers.setdefault(name, {})
                known[line] = known.get(line, 0) + count
        for key, numbers in leaves.items():
            below = table.below.setdefault(key, CallTimes(key, len(self.groups), len(self.blocks)))
            for number in numbers:
                count, group = table.counts[number], self.blocks[number].group
                below.counts[number], table.counts[number] = count, 0
                below.times[group] = count * node * total([size for _, size in self.blocks[number].sizes])
            runs = total([below.counts[number] for number in numbers])
            found = _take(table, below, callers.get(key.partition(" ")[0], {}), places)
            for group, share in found.items():
                table.counted[group] = table.counted.get(group, 0.0) + runs * share

    def line_runs(self, table: CallTimes) -> dict[int, int]:
        """Return the number of runs of each line, by line number, in the calls that `table` measured."""
        runs: dict[int, int] = {}
        for number, count in enumerate(table.counts):
            if count:
                for line in self.blocks[number].lines:
                    runs[line] = runs.get(line, 0) + count
        return runs

    def costs(self, table: CallTimes, cost: Cost) -> dict[int, float]:
        """Return the seconds of each line in the calls that `table` measured, without `cost`, the time for reading the
        clock."""
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
        for group, count in table.counted.items():
            spent[group] -= count * cost.counter
        found: dict[int, float] = {}
        for group, seconds in spent.items():
            own = self.groups[group]
            inner = [(self.blocks[number], table.counts[number]) for number in own.inner if table.counts[number]]
            weights = [(line, size * max(often.get(group, 0), 1)) for line, size in own.short]
            weights += [(line, size * count) for block, count in inner for line, size in block.sizes]
            rest = seconds - cost.block * total([count for _, count in inner])
            for line, share in _shares(weights, own.line, max(rest, 0.0), cost.node):
                found[line] = found.get(line, 0.0) + share
        # A call in a condition may not run each time: the calls that were counted are shared out.
        called = [below.entered for below in table.below.values() if not self.blocks[below.first].leaf]
        made, most = total(called), total(calling.values())
        for line, count in calling.items():
            found[line] = max(found.get(line, 0.0) - made * cost.call * count / most, 0.0)
        return found


def _take(table: CallTimes, below: CallTimes, lines: dict[int, int], places: dict[int, list[int]]) -> dict[int, float]:
    """Take the time of a function without marks from the groups of its caller that called it. Returns the share of each
    of these groups."""
    weights: dict[int, float] = {}
    for line, count in lines.items():
        timed = [group for group in places.get(line, ()) if table.times[group] > 0]
        for group in timed:
            weights[group] = weights.get(group, 0.0) + count / len(timed)
    whole = total(weights.values())
    if not whole:
        below.times = [0.0] * len(below.times)
        return {}
    shares = {group: weight / whole for group, weight in weights.items()}
    wanted = total(below.times)
    # No group gives nearly all of its time: then the function was shorter than its size says.
    given = {group: min(wanted * share, _MOST_GIVEN * table.times[group]) for group, share in shares.items()}
    for group, seconds in given.items():
        table.times[group] -= seconds
    if wanted:
        below.times = [seconds * total(given.values()) / wanted for seconds in below.times]
    return shares


def _shares(
    weights: list[tuple[int, int]], calling: int | None, seconds: float, node: float
) -> Iterator[tuple[int, float]]:
    """The share of each line of a group: short statements by their size and runs, and the rest for the line that
    calls."""
    whole = total([weight for _, weight in weights])
    short = seconds if calling is None else min(whole * node, seconds / 2)
    for line, weight in weights:
        yield line, short * weight / whole
    if calling is not None:
        yield calling, seconds - (short if whole else 0.0)


_COUNT = "_P[0].counts[{number}] += 1\n"
_COUNT_HERE = "_C[{number}] += 1\n"
_ARITHMETIC = ("math.", "color.")
"""The functions of the library that take about as long as a short statement."""
_HELPERS = frozenset(
    "abs alive back by_zero checked_step different elements is_empty len numbered past product quotient range "
    "remainder rounds same".split()
)
_OF_AN_ELEMENT = frozenset("array.first array.get array.last array.set matrix.get matrix.set".split())
_CALL, _ELEMENT = 10, 25
"""The size in nodes of a call of a short helper or library function, and of a function that accesses one element."""
_MOST_GIVEN = 0.8
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
    """Measure the time that measurement itself takes, with sample statements. Use the fastest of `tries` attempts, each
    with `runs` runs."""
    timer = Timer(1)
    enter = _ENTER.format(key="x 0 0", up="_U0")
    inner = [f" {row}" for row in (*enter.split("\n"), *_LEAVE.split("\n"), "return 1") if row]
    functions = "def g():\n return 1\ndef h():\n _U0 = _P[0]\n" + "\n".join(inner) + "\n"
    counted = _COUNT.format(number=0)
    bodies = ("pass", _MARK.format(group=1), "_C[0] += 1", "g()", "h()", counted, "a = b + c * d - b")
    for k, body in enumerate(bodies):
        rows = "".join(f"  {row}\n" for row in body.split("\n") if row)
        functions += (
            f"def run{k}():\n _T, _C, _k, _m, b, c, d = [0.0] * 3, [0] * 3, _clock, _M, 1.5, 2.5, 3.5\n began = _k()\n"
            f" _P[0] = _Q\n for _ in range({runs}):\n{rows} return _k() - began\n"
        )
    namespace: dict[str, Any] = timer.names() | {"_Q": CallTimes("x 0 0", 1, 1)}
    exec(functions, namespace)
    best = [min(namespace[f"run{k}"]() for _ in range(tries)) / runs for k in range(len(bodies))]
    empty, mark, block, called, entered, counter, node = best
    size = len([*ast.walk(ast.parse(bodies[-1]).body[0])])
    parts = (mark - empty, block - empty, entered - called, counter - empty, (node - empty) / size)
    return Cost(*(max(one, 1e-9) for one in parts))


def _waiting(*short: tuple[int, int]) -> TimedGroup:
    """A group that is not closed by a mark yet."""
    return TimedGroup([*short], None, [])


class _MarkWriter:
    """Puts marks into the functions of one module."""

    def __init__(self, timer: Timer, generated: GeneratedModule, module: int) -> None:
        self._timer = timer
        self._lines = generated.lines
        self._module = module
        self._short: dict[str, int] = dict.fromkeys(_HELPERS, _CALL)
        """The names of functions that take about as long as a short statement, with their size in nodes."""
        for code, name in generated.library.items():
            if name.startswith(_ARITHMETIC) or name in _OF_AN_ELEMENT:
                self._short[code] = _ELEMENT if name in _OF_AN_ELEMENT else _CALL
        self._leaves: dict[str, str] = {}
        """The functions of the script that have no marks, by the names that call them."""

    def run(self, tree: ast.Module) -> None:
        """Mark all functions that run on bars."""
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        names = [node.name for node in functions if _is_function(node.name) and self._is_leaf(node)]
        self._leaves = {name: name for name in names}
        self._leaves |= {copy: name for copy, name in _copies(tree) if name in names}
        for node in functions:
            if node.name in _RUNS:
                self._mark(node, f"main {self._module}", "_R")
            elif node.name in self._leaves:
                self._count(node, f"{node.name} {self._module} {len(self._timer.blocks)}")
            elif _is_function(node.name):
                self._mark(node, f"{node.name} {self._module}", "_U")

    def _is_leaf(self, function: ast.FunctionDef) -> bool:
        """Whether a function has only short statements."""
        if any(isinstance(node, ast.For | ast.While) for node in ast.walk(function)):
            return False
        return not any(self._is_long(name) for node in function.body for name in _all_calls(node))

    def _count(self, function: ast.FunctionDef, key: str) -> None:
        """Count the runs of the blocks of a function that has no marks."""
        first = 1 if isinstance(function.body[0], ast.Nonlocal) else 0
        function.body[first:] = self._counted(function.body[first:], function, [], key)

    def _counted(
        self,
        statements: list[ast.stmt],
        near: ast.stmt,
        numbers: list[int],
        leaf: str,
        round_of: ast.stmt | None = None,
    ) -> list[ast.stmt]:
        """Count the runs of a block without marks and of the blocks below it; their numbers are added to `numbers`.
        `round_of` is the loop whose body it is."""
        number, block = len(self._timer.blocks), TimedBlock([], [], [], [], [], leaf)
        self._timer.blocks.append(block)
        numbers.append(number)
        if round_of is not None:
            test = self._size(round_of) if isinstance(round_of, ast.While) else 0
            block.sizes.append((self._line(round_of), _ROUND + test))
        for node in statements:
            line = self._line(node)
            block.sizes.append((line, self._size(node)))
            block.short.extend([(line, self._leaves[name]) for name in _calls(node, self._leaves.__contains__)])
            if line and line not in block.lines:
                block.lines.append(line)
            self._count_below(node, numbers, leaf)
        if leaf:
            self._timer.blocks[number] = block._replace(group=self._add(_waiting(*block.sizes)))
        return [*_made((_COUNT if leaf else _COUNT_HERE).format(number=number), near), *statements]

    def _count_below(self, node: ast.stmt, numbers: list[int], leaf: str) -> None:
        if isinstance(node, ast.If | ast.For | ast.While):
            loop = None if isinstance(node, ast.If) else node
            node.body = self._counted(node.body, node, numbers, leaf, loop)
            node.orelse = self._counted(node.orelse, node, numbers, leaf) if node.orelse else []

    def _is_counted(self, node: ast.stmt) -> bool:
        """Whether a branch or a loop has only short statements, and code goes on after it in any case."""
        if any(isinstance(each, ast.Return) for each in ast.walk(node)) or _leaves_loop(node):
            return False
        return not any(self._is_long(name) for name in _all_calls(node))

    def _is_long(self, name: str) -> bool:
        """Whether a call may take long: not arithmetic, no short function, and not what adds a value to an output or a
        history."""
        is_short = name in self._short or name in self._leaves
        return not is_short and not (name[0] in "oh" and name[1:].replace(".", "_").partition("_")[0].isdigit())

    def _size(self, node: ast.stmt) -> int:
        """The number of nodes of a statement, without the blocks below it; a call that is short counts more."""
        size = len([1 for part in _heads(node) for _ in ast.walk(part)])
        called = _calls(node, lambda name: name in self._short or name in self._leaves)
        return size + int(total([self._short.get(name, _CALL) for name in called]))

    def _is_marked(self, name: str) -> bool:
        return _is_function(name) and name not in self._leaves

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
        the line of the loop whose body it is, if going to the next round is short."""
        block = TimedBlock([], [], [], [], [])
        number = len(self._timer.blocks)
        self._timer.blocks.append(block)
        made = _made(_COUNT_HERE.format(number=number), near)
        for group in head:
            made += self._clocked(group, near, block)
        waiting = _waiting() if round_of is None else _waiting((round_of, _ROUND))
        for node in statements:
            line = self._line(node)
            if line and line not in block.lines:
                block.lines.append(line)
            block.calls.extend([line] * len(_calls(node, self._is_marked)))
            block.short.extend([(line, self._leaves[name]) for name in _calls(node, self._leaves.__contains__)])
            is_short = not _calls(node, self._is_long)
            if isinstance(node, ast.If | ast.For | ast.While) and not self._is_counted(node):
                goes_on = isinstance(node, ast.If) and is_short and not node.orelse
                made += self._compound(node, waiting, line, is_short)
                # Without a mark where the condition is false, the next mark counts the statements before it, too.
                waiting = self._with(waiting, node, line) if goes_on else _waiting()
            elif isinstance(node, ast.Return):
                made += self._return(node, self._group(waiting, node, line, is_short), block)
                waiting = _waiting()
            elif isinstance(node, ast.Break | ast.Continue):
                if waiting.short:
                    made += self._clocked(self._add(waiting), node, block)
                    waiting = _waiting()
                made.append(node)
            elif is_short:
                made.append(node)
                waiting.short.append((line, self._size(node)))
                self._count_below(node, waiting.inner, "")
            else:
                made += [node, *self._clocked(self._add(waiting, line), node, block)]
                waiting = _waiting()
        if waiting.short:
            made += self._clocked(self._add(waiting), statements[-1], block)
        return made

    def _add(self, waiting: TimedGroup, line: int | None = None) -> int:
        """Add a group and return its number."""
        self._timer.groups.append(waiting._replace(line=line))
        return len(self._timer.groups) - 1

    def _group(self, waiting: TimedGroup, node: ast.stmt, line: int, is_short: bool) -> int:
        if not is_short:
            return self._add(waiting, line)
        return self._add(self._with(waiting, node, line))

    def _with(self, waiting: TimedGroup, node: ast.stmt, line: int) -> TimedGroup:
        """The group with one more short statement."""
        return TimedGroup([*waiting.short, (line, self._size(node))], None, [*waiting.inner])

    def _compound(
        self, node: ast.If | ast.For | ast.While, waiting: TimedGroup, line: int, is_short: bool
    ) -> list[ast.stmt]:
        if isinstance(node, ast.If) and _is_hook(node):
            block = TimedBlock([], [], [], [], [])
            counter = _made(f"_C[{len(self._timer.blocks)}] += 1\n", node)
            self._timer.blocks.append(block)
            before = self._clocked(self._add(waiting._replace(short=[*waiting.short, (line, 1)])), node, block)
            after = self._clocked(self._add(_waiting(), self._timer.broker), node, block)
            node.body = [*counter, *before, *node.body, *after]
            return [node]
        if isinstance(node, ast.If):
            head = self._group(waiting, node, line, is_short)
            node.body = self._block(node.body, node, [head])
            if node.orelse or not is_short:
                node.orelse = self._block(node.orelse, node, [head])
            return [node]
        made: list[ast.stmt] = []
        block = TimedBlock([], [], [], [], [])
        self._timer.blocks.append(block)
        made += _made(f"_C[{len(self._timer.blocks) - 1}] += 1\n", node)
        if isinstance(node, ast.For):  # the values of the loop are made once, before it
            name = f"_I{len(self._timer.blocks)}"
            values = ast.copy_location(
                ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), node)], node.iter), node
            )
            node.iter = ast.copy_location(ast.Name(name, ast.Load()), node)
            made += [values, *self._clocked(self._group(waiting, values, line, is_short), node, block)]
        elif waiting.short:
            made += self._clocked(self._add(waiting), node, block)
        head = self._group(_waiting(), node, line, is_short)
        is_long = isinstance(node, ast.While) and not is_short
        node.body = self._block(node.body, node, [head] if is_long else [], None if is_long else line)
        node.orelse = self._block(node.orelse, node, [head])
        return [*made, node]

    def _return(self, node: ast.Return, group: int, block: TimedBlock) -> list[ast.stmt]:
        leave = _made(_LEAVE, node)
        if node.value is None:
            return [*self._clocked(group, node, block), *leave, node]
        kept = ast.copy_location(ast.Assign([ast.copy_location(ast.Name("_V", ast.Store()), node)], node.value), node)
        node.value = ast.copy_location(ast.Name("_V", ast.Load()), node)
        return [kept, *self._clocked(group, node, block), *leave, node]

    def _clocked(self, group: int, near: ast.stmt, block: TimedBlock) -> list[ast.stmt]:
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


def _leaves_loop(node: ast.stmt, is_inside: bool = False) -> bool:
    """Whether a statement can leave a loop around it, or go to its next round."""
    if isinstance(node, ast.Break | ast.Continue):
        return not is_inside
    is_inside = is_inside or isinstance(node, ast.For | ast.While)
    below = [*getattr(node, "body", []), *getattr(node, "orelse", [])]
    return any(_leaves_loop(each, is_inside) for each in below)


def _heads(node: ast.stmt) -> list[ast.AST]:
    """The parts of a statement that run before its blocks: the condition, or the values of a loop."""
    if isinstance(node, ast.If | ast.While):
        return [node.test]
    return [node.iter] if isinstance(node, ast.For) else [node]


def _copies(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names of the copies of functions that keep state, and of the functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call):
            made = ast.unparse(node.value.func)
            if made.startswith("make_f"):
                yield node.targets[0].id, made.removeprefix("make_")


def _all_calls(node: ast.stmt) -> list[str]:
    """The names of all functions that a statement and the blocks below it call."""
    return [ast.unparse(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)]


def _calls(node: ast.stmt, counts: Any) -> list[str]:
    """The names of the functions that a statement calls, without the blocks below it, for which `counts` is true."""
    parts = [each for part in _heads(node) for each in ast.walk(part)]
    names = [ast.unparse(each.func) for each in parts if isinstance(each, ast.Call)]
    return [name for name in names if counts(name)]


def _is_function(name: str) -> bool:
    """Whether a name in generated code is a function of the script."""
    return name[0] in "cf" and name[1:].isdigit()


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
