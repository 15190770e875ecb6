"""Every built-in has its texts, every example is clean and runs, and what it shows is what the reference says."""

import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random

import pytest

from pinebench import reference
from pinebench.reference import texts
from scripts.docs import reference_examples as examples

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
LONGEST = 160
NOT_RUN = {"ticker.kagi", "ticker.linebreak", "ticker.pointfigure", "ticker.renko"}
"""The functions whose examples pinebench cannot run, because it does not compute them."""


def _sentences() -> dict[str, str]:
    """The sentence about everything, by kind and name."""
    found: dict[str, str] = {}
    for kind, names, read in (
        ("function", reference.functions(), reference.function),
        ("variable", reference.variables(), reference.variable),
        ("constant", reference.constants(), reference.constant),
    ):
        for name in names:
            known = read(name)
            assert known is not None
            found[f"{kind} {name}"] = known.description
    for name in (*reference.keywords(), *reference.operators(), *reference.compiler_annotations()):
        word = reference.word(name)
        assert word is not None
        found[f"word {name}"] = word.description
    for name, known in reference.types().items():
        found[f"type {name}"] = known.description
        found |= {f"field {name}.{each.name}": each.description for each in known.fields}
    return found


def test_everything_has_one_sentence_and_none_is_long() -> None:
    sentences = _sentences()
    assert len(sentences) >= 475 + 162 + 237 + 27 + 21 + 10 + 17
    wrong = {
        name: text for name, text in sentences.items() if not text.strip().endswith(".") or not 5 < len(text) <= LONGEST
    }
    assert not wrong


def test_every_function_has_an_example() -> None:
    lacking = [name for name in reference.functions() if texts.text(name).example is None]
    assert not lacking


def test_every_parameter_has_a_phrase() -> None:
    parameters = [
        (name, each.name)
        for name in reference.functions()
        for overload in reference.function(name).overloads  # type: ignore[union-attr]
        for each in overload.parameters
    ]
    assert len(parameters) > 1292
    told = {pair: texts.phrase(*pair) for pair in parameters}
    assert not [pair for pair, phrase in told.items() if not phrase or len(phrase) > LONGEST or phrase.endswith(".")]


def test_no_phrase_is_for_nothing() -> None:
    names = reference.functions()
    parameters = {
        name: {each.name.partition(",")[0] for overload in function.overloads for each in overload.parameters}
        for name in names
        if (function := reference.function(name)) is not None
    }
    for pattern, pairs in texts.phrases():
        for each in pattern.split() or ["*"]:
            known = set().union(*(parameters[name] for name in names if fnmatchcase(name, each)))
            assert pairs.keys() <= known, each


def test_fifty_and_more_have_something_to_watch_out_for_and_a_run_shows_it() -> None:
    told = {name: text.watch_outs for name, text in texts.texts().items() if text.watch_outs}
    assert len(told) >= 50
    for name, watch_outs in told.items():
        for each in watch_outs:
            assert each.text.endswith("."), name
            assert all(len(sentence) <= LONGEST for sentence in each.text.split(". ")), name
            assert each.script.text and each.script.shown, name


def test_texts_are_about_known_names() -> None:
    known = {*reference.functions(), *reference.variables(), *reference.constants()}
    words = {*reference.keywords(), *reference.operators(), *reference.compiler_annotations()}
    assert texts.texts().keys() <= known | words
    parts = [
        part for group in texts.GROUPS for part in (SCRIPTS.parent / "pinebench/reference/texts").glob(f"{group}.txt")
    ]
    begun = [line for part in parts for line in part.read_text("utf-8").splitlines() if line.startswith("== ")]
    assert len(begun) == len(set(begun)) == len(texts.texts()), "a name has two entries"


def test_every_example_is_clean() -> None:
    told = {name: examples.findings(text.example) for name, text in texts.texts().items() if text.example is not None}
    assert len(told) > 475
    assert not {name: findings for name, findings in told.items() if findings}


def test_every_example_uses_what_it_is_about() -> None:
    for name in reference.functions():
        example = texts.text(name).example
        assert example is not None
        is_method = (function := reference.function(name)) is not None and function.receiver is not None
        short = name.rpartition(".")[2]
        called = example.text.replace(f"{name}<", f"{name}(").replace(" ", "")
        assert f"{name}(" in called or (is_method and f".{short}(" in called), name


def test_every_example_shows_its_run() -> None:
    for name, text in texts.texts().items():
        if text.example is None:
            continue
        assert text.example.shown, name
        assert any(line.startswith("not run: ") for line in text.example.shown) == (name in NOT_RUN), name
        stopped = any(line.startswith(("stops on bar", "error ")) for line in text.example.shown)
        assert stopped == (name == "runtime.error"), name


def test_what_is_kept_is_what_the_run_shows() -> None:
    """A sample; `scripts/docs/generate.py --check` compares all of them (tests/codes/test_structure.py)."""
    for name in Random("texts").sample(sorted(texts.texts()), 25):
        for script in examples.scripts(texts.text(name)):
            assert examples.shown(script) == list(script.shown), name


def test_a_wrong_example_is_noticed() -> None:
    script = texts.ReferenceScript("plot(ta.emaa(close, 9))")
    assert "error CE10271 in line 1" in examples.shown(script)[0]
    assert examples.findings(script)
    stopped = texts.ReferenceScript("array<int> a = array.new<int>()\nplot(a.get(1))")
    assert examples.shown(stopped)[0].startswith("stops on bar 0: ")


def test_a_script_gets_the_head_that_it_lacks() -> None:
    assert texts.ReferenceScript("plot(close)").source == '//@version=6\nindicator("Example")\nplot(close)\n'
    on_prices = texts.ReferenceScript("plot(close)", (("bars", "30"), ("overlay", "true")))
    assert on_prices.source == '//@version=6\nindicator("Example", overlay = true)\nplot(close)\n'
    assert texts.ReferenceScript('strategy("x")\nplot(close)').source == '//@version=6\nstrategy("x")\nplot(close)\n'


@pytest.mark.parametrize("command", ["lint", "format"])
def test_checking_a_script_opens_no_text(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.pine").write_text('//@version=6\nindicator("x")\nplot(ta.sma(close, 3) + undefined_)\n')
    options = ["--no-cache"] if command == "lint" else ["--check"]
    code = (
        "import sys\nfrom pinebench.cli import main\n"
        f"try:\n    main({[command, *options, 'a.pine']})\nexcept SystemExit:\n    pass\n"
        "print([name for name in sys.modules if name.startswith('pinebench.reference.texts')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == "[]", done.stderr
