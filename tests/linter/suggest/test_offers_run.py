"""What is offered or shown as right runs from the first bar on: fixes, rewrites of old code, examples."""

from pinebench import codes
from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.linter import rules
from pinebench.linter.suggest import with_fixes
from pinebench.migration import migrate
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax.edits import apply_edits
from tests.linter.suggest.support import fix_cases
from tests.linter.test_rules import examples
from tests.runtime.running import runtime_of
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\ntype Level\n    float price\n    bool broken = false\n    Level inner\n'
CLOSES = (1.0, 2.0, 3.0, 4.0, 5.0)
NOT_HERE = {"transitive-library-type", "PB2009", "PB4002", "PB4003", "PB4009", "PB5005", "PB7005"}
"""Examples that ask for a library or a symbol that no test has."""

# a script that takes the history of a field, and what its first plot is once the fix is taken
HISTORIES = [
    ("level = Level.new(close)\nplot(level.price[1])", [None, 1.0, 2.0, 3.0, 4.0]),
    ("level = Level.new(close)\nplot((level.price)[1])", [None, 1.0, 2.0, 3.0, 4.0]),
    ("level = Level.new(close, close > 2)\nplot(level.broken[1] ? 1 : 0)", [0, 0, 0, 1, 1]),
    (
        "var Level level = na\nif bar_index > 1\n    level := Level.new(close)\nplot(level.price[1])",
        [None, None, None, 3.0, 4.0],
    ),
    (
        "level = bar_index % 2 == 0 ? Level.new(close) : na\n"
        "float x = na\nif close > 1\n    x := level.price[2]\nplot(x)",
        [None, None, 1.0, None, 3.0],
    ),
    (
        "level = Level.new(close)\nfloat sum = 0\nfor i = 1 to 2\n    sum += nz(level.price[i])\nplot(sum)",
        [0, 1.0, 3.0, 5.0, 7.0],
    ),
    ("level = Level.new(close, false, Level.new(open))\nplot(level.inner.price[1])", [None, 1.0, 1.0, 2.0, 3.0]),
    ("var level = Level.new(0)\nlevel.price := close\nplot(level.price[1])", [None, 1.0, 2.0, 3.0, 4.0]),
    ("before(Level level) =>\n    level.price[1]\nplot(before(Level.new(close)))", [None, 1.0, 2.0, 3.0, 4.0]),
    (
        "method before(Level this) =>\n    this.broken[1] ? 1 : 0\n"
        "level = Level.new(close, close > 2)\nplot(level.before())",
        [0, 0, 0, 1, 1],
    ),
    (
        "float x = na\nif close > 0\n    level = Level.new(close)\n    x := level.price[1]\nplot(x)",
        [None, 1.0, 2.0, 3.0, 4.0],
    ),
]


def plotted(text: str) -> list[float | None]:
    """The first plot of a script that has no error and stops on no bar."""
    assert [found for found in open_program(text).diagnostics if found.severity is Severity.ERROR] == []
    result = runtime_of(text, CLOSES).run()
    assert result.error is None, text
    return [None if value != value else value for value in result.plots[0].values]


@each(("script", "values"), HISTORIES)
def test_the_fix_for_the_history_of_a_field_runs(script: str, values: list[float | None]) -> None:
    program = open_program(HEAD + script)
    (found,) = [finding for finding in with_fixes(program) if finding.code == "CE10290"]
    assert found.fix is not None
    assert found.hint is not None
    assert "stops the script on the first bar" in found.hint
    assert plotted(apply_edits(HEAD + script, found.fix.edits)) == values


def test_an_object_made_anew_by_every_call_is_not_made_twice() -> None:
    program = open_program(HEAD + "make() =>\n    Level.new(close).price[1]\nplot(make())\n")
    (found,) = [finding for finding in with_fixes(program) if finding.code == "CE10290"]
    assert found.fix is None


@each("script", [script for script, _ in HISTORIES if "inner" not in script])
def test_what_migration_writes_for_the_history_of_a_field_runs(script: str) -> None:
    plotted(migrate(HEAD.replace("=6", "=5") + script).text)


def test_the_fixes_that_other_tests_expect_run() -> None:
    head = '//@version=6\nindicator("x")\n'
    stopped = []
    for _, right, _ in fix_cases("fixes.txt"):
        text = right if right.startswith("//@version") else head + right
        try:
            result = runtime_of(text, CLOSES).run()
        except NotComputed:
            continue
        if result.error is not None:
            stopped.append(right)
    assert stopped == ["x = close[1 - bar_index]\nplot(x)"]  # which offset is meant, its writer must know


def test_the_examples_of_what_is_right_run() -> None:
    shown = {name: code.good for name, code in codes.all_codes().items() if code.good}
    shown |= {name: examples(rule)[1] for name, rule in rules.rules().items()}
    stopped, refused = [], set()
    for name, text in shown.items():
        try:
            result = runtime_of(text, CLOSES).run()
        except NotComputed:
            refused.add(name)
            continue
        if result.error is not None:
            stopped.append((name, str(result.error)))
    assert stopped == []
    assert refused <= NOT_HERE
