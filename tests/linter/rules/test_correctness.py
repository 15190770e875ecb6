"""Rules on correctness: what each reports, and the honest code that looks like it."""

import pytest

from pinebench.checker import open_program
from pinebench.linter.rules import arrays, opinions_on, rules
from pinebench.syntax import nodes


def test_all_uses_of_an_array_are_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = arrays._uses
    asked: list[nodes.Node] = []

    class Counting(dict[nodes.Node, str]):
        def get(self, key: nodes.Node, default: str = "") -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
            asked.append(key)
            return super().get(key, default)

    monkeypatch.setattr(arrays, "_uses", lambda look: Counting(found(look)))
    counts: list[int] = []
    for uses in (20, 40):
        body = "".join(f"array.push(a, {i})\nx{i} = array.get(a, {i})\n" for i in range(uses))
        program = open_program(f'//@version=6\nindicator("x")\na = array.new<float>()\n{body}plot(x0)\n')
        opinions_on(program, tuple(rules()))
        counts.append(len(asked))
        asked.clear()
    assert 0 < counts[1] <= 2.5 * counts[0]
