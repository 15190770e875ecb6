"""The recipes of CONTRIBUTING.md work: each is followed in a copy of the repository, with the steps that it says.

The files that a recipe touches are counted. `tests/reference/test_recipe.py` follows the recipe for a
built-in word by word.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RECIPES = (
    *(
        "Add a lint rule",
        "Add a built-in",
        "Add a tool",
        "Add a statement",
        "Add an output format",
        "Add a figure of back-tests",
        "Add a kind of input",
        "Mend a wrong fill",
    ),
)
PARTS = ("pinebench", "pine", "scripts", "tests", "docs")
SCRIPT = '//@version=6\nindicator("x")\nx = 0\nplot(x)\n'


class Checkout:
    """A copy of the repository, and what was changed in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("node_modules", "static", "__pycache__", ".pytest_cache")
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        for name in ("pyproject.toml", "CONTRIBUTING.md", "README.md", "CHANGELOG.md"):
            shutil.copy(ROOT / name, folder / name)
        self.touched: set[str] = set()

    def write(self, path: str, text: str) -> None:
        """Write a new file."""
        assert not (self.folder / path).exists()
        (self.folder / path).write_text(text, encoding="utf-8")
        self.touched.add(path)

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace `old`, which is in the file only once."""
        text = (self.folder / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
        (self.folder / path).write_text(text.replace(old, new), encoding="utf-8")
        self.touched.add(path)

    def insert(self, path: str, before: str, text: str) -> None:
        """Insert `text` before `before`, which is in the file only once."""
        self.replace(path, before, text + before)

    def python(self, *arguments: str, fails: bool = False) -> str:
        """Run Python in the copy, and return what it printed. It must fail if `fails`, otherwise succeed."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PINEBENCH_CACHE_DIR": str(self.folder / "cache")}
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=environment,
            timeout=600,
            check=False,
        )
        assert (done.returncode != 0) is fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def tests(self, *arguments: str, fails: bool = False) -> str:
        """Run tests of the copy."""
        return self.python("-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *arguments, fails=fails)

    def pinebench(self, *arguments: str, fails: bool = False) -> str:
        """Run the copy's command."""
        return self.python("-m", "pinebench", *arguments, fails=fails)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def recipe(title: str) -> str:
    """The text of a recipe."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text[text.index(f"## {title}\n") :].partition("\n## ")[0]


def test_a_recipe_names_what_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert all(f"\n## {title}\n" in text for title in RECIPES)
    named = {path for path in re.findall(r"`([a-z]+/[\w./-]+)`", text) if "NAME" not in path}
    assert len(named) > 20
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def unnamed(checkout: Checkout, title: str, *generated: str) -> list[str]:
    """The files that a walk touched or generated, and that the recipe does not name, nor their folder."""
    told = recipe(title)
    paths = sorted(checkout.touched.union(generated))
    return [path for path in paths if f"`{path}`" not in told and f"`{Path(path).parent.as_posix()}/" not in told]


RULE = '''"""Rule PB1098: a variable whose first value is zero."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class ZeroAtFirst(Rule):
    """A variable begins with zero.

    Bad:

        //@version=6
        indicator("Example")
        x = 0
        plot(x)

    Good:

        //@version=6
        indicator("Example")
        x = 1
        plot(x)
    """

    code = "PB1098"
    nodes = (nodes.VariableDeclaration,)

    def visit(self, node: nodes.VariableDeclaration, context: RuleContext) -> Findings:
        """Report `x = 0`."""
        if isinstance(node.value, nodes.Literal) and context.text(node.value) == "0":
            yield context.report(self.code, node, name=node.name.id)
'''


@pytest.mark.soak
def test_a_lint_rule(checkout: Checkout) -> None:
    entry = '== PB1098 zero-at-first warning optional\n"{name}" begins with zero\nAn example.\n'
    checkout.insert("pinebench/codes/opinions.txt", "== PB2001 ", entry)
    checkout.write("pinebench/linter/rules/zero_at_first.py", RULE)
    checkout.write("tests/linter/rules/cases/PB1098.txt", "== reported: x = 0\nx = 0\nplot(x)\n")
    assert "not current" not in checkout.python("scripts/docs/generate.py")
    checkout.python("scripts/docs/generate.py", "--check")
    checkout.tests(
        "tests/linter/test_rules.py", "tests/linter/rules/test_rule_cases.py", "tests/codes/test_structure.py"
    )
    (checkout.folder / "x.pine").write_text(SCRIPT, encoding="utf-8")
    assert '"x" begins with zero' in checkout.pinebench("lint", "--no-cache", "--select", "zero-at-first", "x.pine")
    assert "A variable begins with zero." in checkout.pinebench("explain", "zero-at-first")
    generated = ("pinebench/config/pinebench.schema.json",)
    assert len(checkout.touched) <= 3
    assert unnamed(checkout, "Add a lint rule", *generated) == []


@pytest.mark.soak
def test_a_tool(checkout: Checkout) -> None:
    """A tool without a page. `docs/extending.md` shows one with a page, which the tests of tools have many of."""
    tool = '''class Length(TypedDict):
    """How long a script is."""

    lines: int


@tool("scripts", "Count the lines of a script.", needs=Needs.NOTHING)
def pine_count_lines(at: ToolContext, source: Annotated[str, SOURCE]) -> Length:
    """The number of lines of the script."""
    return {"lines": len(source.splitlines())}


'''
    checkout.insert("pinebench/tools/check.py", "class OnlineVerdict(TypedDict):", tool)
    told = checkout.tests("tests/tools/test_every_tool.py", fails=True)
    assert "pine_count_lines" in told, "a tool without a test is named"
    checkout.write(
        "tests/tools/test_lines.py",
        "from pinebench.tools.tool_calls import call\n"
        "from pinebench.tools.chart_browser import ChartBrowser\n\n\n"
        "def test_the_lines() -> None:\n"
        '    assert call(ChartBrowser(), "pine_count_lines", {"source": "a\\nb"})["lines"] == 2\n',
    )
    checkout.python("scripts/docs/generate.py")
    checkout.tests("tests/tools/test_every_tool.py", "tests/tools/test_lines.py")
    assert "pine_count_lines" in checkout.pinebench("tools")
    answer = checkout.pinebench("call", "pine_count_lines", '{"source": "a\\nb"}')
    assert '"lines": 2' in answer or '"lines":2' in answer
    assert "pine_count_lines" in (checkout.folder / "build/docs/tools.md").read_text(encoding="utf-8")
    assert len(checkout.touched) <= 2


@pytest.mark.soak
def test_a_statement(checkout: Checkout) -> None:
    """`pass`, a statement that does nothing."""
    here = "          | CONTINUE                                                    -> continue_statement\n"
    checkout.insert(
        "pinebench/grammars/pine.lark", here, here.replace("CONTINUE", "PASS    ").replace("continue", "pass")
    )
    checkout.replace("pinebench/grammars/pine.lark", "BREAK CONTINUE ONCE", "BREAK CONTINUE PASS ONCE")
    checkout.insert("pinebench/syntax/words.py", '    "continue": "CONTINUE",\n', '    "pass": "PASS",\n')
    build = "def pass_statement(children: Children) -> nodes.Pass:\n    return nodes.Pass(*children[0][:2])\n\n\n"
    checkout.insert("pinebench/syntax/build.py", "def continue_statement(", build)
    source = (ROOT / "pinebench/syntax/nodes.py").read_text(encoding="utf-8")
    class_ = source[source.index("@_node\nclass Continue(Node)") :].partition("\n\n\n")[0] + "\n\n\n"
    class_ = class_.replace("Continue", "Pass").replace("continue", "pass")
    checkout.insert("pinebench/syntax/nodes.py", "@_node\nclass Continue(Node)", class_)
    checkout.insert("pinebench/syntax/nodes.py", "    | Continue\n", "    | Pass\n")
    told = checkout.tests("tests/syntax/test_every_class.py", fails=True)
    for table in ("children", "handlers", "binder", "lowering"):
        assert f"test_a_table_has_every_class[{table}]" in told
    checkout.replace(
        "tests/syntax/test_every_class.py", "nodes.Break, nodes.Continue}", "nodes.Break, nodes.Continue, nodes.Pass}"
    )
    checkout.insert(
        "pinebench/checker/binder.py",
        "    def continue_(self",
        "    def pass_(self, node: nodes.Pass) -> None: ...\n\n",
    )
    checkout.insert("pinebench/checker/binder.py", "    nodes.Continue: ", "    nodes.Pass: _Binder.pass_,\n")
    checkout.insert(
        "pinebench/checker/handlers.py", "        nodes.Continue: ", "        nodes.Pass: statements.jump,\n"
    )
    checkout.insert(
        "pinebench/runtime/lower/lowering.py", "    nodes.Continue: ", "    nodes.Pass: statements.nothing,\n"
    )
    checkout.tests("tests/syntax/test_every_class.py", "tests/syntax/test_parser_tables.py")
    (checkout.folder / "x.pine").write_text(SCRIPT + "if close > open\n    pass\n", encoding="utf-8")
    checkout.pinebench("lint", "--no-cache", "x.pine")
    checkout.pinebench("run", "x.pine", "--data", "pine/samples/bars/share_15m.csv")
    assert len(checkout.touched) <= 12
    assert unnamed(checkout, "Add a statement") == []


@pytest.mark.soak
def test_an_output_format(checkout: Checkout) -> None:
    report = """from pinebench.printable import printable


def render(run):
    return "".join(f"{printable(each.path)} {each.code}\\\\n" for each in run.findings)
"""
    checkout.write("pinebench/linter/report/brief.py", report)
    checkout.replace("pinebench/linter/report/__init__.py", '"junit")', '"junit", "brief")')
    (checkout.folder / "x.pine").write_text(SCRIPT.replace("plot(x)", "plot(y)"), encoding="utf-8")
    told = checkout.pinebench("lint", "--no-cache", "--format", "brief", "x.pine", fails=True)
    assert told.startswith("x.pine CE10272")
    assert unnamed(checkout, "Add an output format") == []


@pytest.mark.soak
def test_a_wrong_fill(checkout: Checkout) -> None:
    """A fault in the slippage is found with an exported list of trades, and is gone after it was mended."""
    script = """//@version=6
strategy("x", slippage = 3)
if ta.crossover(close, ta.sma(close, 9))
    strategy.entry("L", strategy.long)
if ta.crossunder(close, ta.sma(close, 9))
    strategy.close("L")
"""
    (checkout.folder / "x.pine").write_text(script, encoding="utf-8")
    bars = ("--data", "pine/samples/bars/share_15m.csv")
    checkout.pinebench("backtest", "x.pine", *bars, "--trades", "trades.csv")
    owner, right, wrong = "pinebench/broker/slippage.py", "price + side * self._step)", "price - side * self._step)"
    checkout.replace(owner, right, wrong)
    told = checkout.pinebench("import-trades", "x.pine", "trades.csv", *bars, fails=True)
    assert "0 of" in told.partition(" listed trades are ours")[0]
    assert "failed" in checkout.tests("tests/broker", "-m", "not soak", fails=True)
    checkout.replace(owner, wrong, right)
    checkout.pinebench("import-trades", "x.pine", "trades.csv", *bars)
    assert unnamed(checkout, "Mend a wrong fill") == []


STRATEGY = """//@version=6
strategy("x")
if ta.crossover(close, ta.sma(close, 9))
    strategy.entry("L", strategy.long, qty = 10{more})
if ta.crossunder(close, ta.sma(close, 9))
    strategy.close("L")
"""
BARS = ("--data", "pine/samples/bars/share_15m.csv")


@pytest.mark.soak
@pytest.mark.live
def test_a_figure(checkout: Checkout) -> None:
    """Every report shows the figure: the command line, JSON, the HTML report, sweeps, and the studio's table."""
    checkout.insert(
        "pinebench/broker/figure_table.py",
        '    FigureRecord("margin_calls",',
        '    FigureRecord("profit_a_bar", "Profit per bar", "money"),\n',
    )
    checkout.insert(
        "pinebench/broker/figures.py",
        '        "margin_calls": len(calls),',
        '        "profit_a_bar": _quotient(net, sum(closed.bars)),\n',
    )
    checkout.python("scripts/docs/generate.py")
    (checkout.folder / "x.pine").write_text(STRATEGY.format(more=""), encoding="utf-8")
    assert "Profit per bar" in checkout.pinebench("backtest", "x.pine", *BARS)
    assert '"profit_a_bar"' in checkout.pinebench("backtest", "x.pine", *BARS, "--json")
    (checkout.folder / "pinebench/studio/static").symlink_to(ROOT / "pinebench/studio/static")
    checkout.pinebench("backtest", "x.pine", *BARS, "--format", "html", "-o", "x.html")
    assert "Profit per bar" in (checkout.folder / "x.html").read_text(encoding="utf-8")
    generated = "pinebench/studio/page/src/model/figures.json"
    assert "Profit per bar" in (checkout.folder / generated).read_text(encoding="utf-8")
    assert len(checkout.touched) == 2
    assert unnamed(checkout, "Add a figure of back-tests", generated) == []


@pytest.mark.soak
def test_a_kind_of_input(checkout: Checkout) -> None:
    """`input.share`: it is checked, run with a value of the user, and shown in the studio's dialog."""
    data = (checkout.folder / "pinebench/reference/data/plain.txt").read_text(encoding="utf-8")
    record = data[data.index("== function input.price") :]
    record = record[: record.index("\n== ") + 1].replace("input.price", "input.share")
    checkout.insert("pinebench/reference/data/plain.txt", "== function input.session\n", record)
    checkout.insert(
        "pinebench/runtime/inputs.py",
        '    "bool": InputKind(',
        '    "share": InputKind(_number, "a share", "number"),\n',
    )
    example = '== input.share\npart = input.share(0.5, "Part")\nplot(part * close)\n\n'
    checkout.insert("pinebench/reference/texts/general.txt", "== input.price\n", example)
    script = SCRIPT.replace("x = 0", 'x = input.share(0.5, "Part")')
    (checkout.folder / "x.pine").write_text(script, encoding="utf-8")
    checkout.pinebench("lint", "--no-cache", "x.pine")
    assert "0.75" in checkout.pinebench("run", "x.pine", *BARS, "--input", "Part=0.75")
    assert "takes a share" in checkout.pinebench("run", "x.pine", *BARS, "--input", "Part=big", fails=True)
    assert len(checkout.touched) <= 4
    assert unnamed(checkout, "Add a kind of input") == []


def net_profit(checkout: Checkout, name: str, tier: str) -> float:
    """The net profit of a script of the copy on a tier."""
    checkout.pinebench("backtest", f"{name}.pine", *BARS, "--tier", tier, "--format", "json", "-o", "result.json")
    return json.loads((checkout.folder / "result.json").read_text(encoding="utf-8"))["report"]["net_profit"]


@pytest.mark.soak
def test_an_argument_of_orders(checkout: Checkout) -> None:
    """`strategy.entry(largest_qty)`: both tiers obey it."""
    entry = (checkout.folder / "pinebench/reference/data/strategy.txt").read_text(encoding="utf-8")
    entry = entry[entry.index("== function strategy.entry\n") :].partition("\n== ")[0]
    checkout.replace(
        "pinebench/reference/data/strategy.txt",
        entry,
        entry.replace("\n-> void", "\nlargest_qty?; series int|float; na\n-> void"),
    )
    checkout.replace(
        "pinebench/broker/calls.py",
        '        disable_alert: bool = False,\n    ) -> str | None:\n        """Place an order that opens a position',
        "        disable_alert: bool = False,\n        largest_qty: float | None = NA,\n    ) -> str | None:\n"
        '        """Place an order that opens a position',
    )
    checkout.insert(
        "pinebench/broker/calls.py",
        "        whole = order.quantity\n        order.quantity = rules.most(side, whole, expected if",
        "        largest = _given(largest_qty)\n        if largest is not None:\n"
        "            order.quantity = min(order.quantity, largest)\n",
    )
    assert "largest_qty" in checkout.tests("tests/reference/test_texts.py", fails=True), (
        "an argument without words is named"
    )
    checkout.insert(
        "pinebench/reference/texts/parameters.txt",
        "column: the number of the column, from 0\nrow: ",
        "largest_qty: the most contracts\n",
    )
    for name, more in (("ten", ""), ("three", ", largest_qty = 3")):
        (checkout.folder / f"{name}.pine").write_text(STRATEGY.format(more=more), encoding="utf-8")
    profits = {
        (name, tier): net_profit(checkout, name, tier) for name in ("ten", "three") for tier in ("python", "compiled")
    }
    assert profits["three", "python"] == profits["three", "compiled"]
    assert profits["three", "python"] == pytest.approx(0.3 * profits["ten", "python"])
    checkout.tests("tests/reference/test_texts.py", "tests/compiled/test_boundary.py")
    assert len(checkout.touched) <= 5
    assert unnamed(checkout, "Mend a wrong fill") == []
