"""Outcomes as the JSON values in which workers answer and sweeps are kept."""

import base64
import json
import math
import struct
from typing import Any

import pytest

from pinebench import decoding
from pinebench.sweeps.combination_runs import RunOutcome
from pinebench.sweeps.outcome_json import SHAPE, packed, unpacked


def numbers(*values: float) -> str:
    return base64.b64encode(struct.pack(f"<{len(values)}d", *values)).decode()


def one(**changed: Any) -> dict[str, Any]:
    """One run without figures, which is sound without changes."""
    run = {"form": [0], "inputs": [{}], "whole": [[]], "figures": "", "points": [0], "equity": "", "errors": [None]}
    chosen = {"choices": [{"tier": "python", "reason": "", "line": None}], "choice": [0]}
    return {"forms": [{"names": "", "whole": ""}], **chosen, **run, **changed}


def read(plain: dict[str, Any]) -> list[RunOutcome]:
    return unpacked(decoding.loads(json.dumps(plain), SHAPE))


def test_runs_come_back_as_they_were() -> None:
    told = [
        RunOutcome({"Fast": 3}, {"net_profit": -0.1, "trades": 3, "sharpe_ratio": None, "end": 1e300}, (1.0, 2.5)),
        RunOutcome({"Fast": 4}, error="line 3: no four"),
        # A whole number may be missing in one run and not in another, and may be larger than floats tell apart.
        RunOutcome({"Fast": 5}, {"net_profit": 2, "trades": None, "sharpe_ratio": -0.0, "end": 2**53 + 1}, ()),
        RunOutcome({"Fast": 6}, {"trades": 1}, (-0.0,)),
    ]
    again = read(packed(told))
    assert again == told
    assert repr(again) == repr(told)
    assert read(packed([])) == []
    assert read(one()) == [RunOutcome({})]


@pytest.mark.parametrize(
    "plain",
    [
        {},
        one(figures={"a": 1.0}),
        one(equity="!"),
        one(equity="AAAA"),
        one(equity=numbers(1.0)),
        one(equity=numbers(math.nan), points=[1]),
        one(points=[1]),
        one(points=[-1]),
        one(points=[]),
        one(forms=[]),
        one(form=[1]),
        one(form=[-1]),
        one(form=[0, 0]),
        one(inputs=[]),
        one(inputs=[{}, {}]),
        one(errors=[1]),
        one(whole=[[1]]),
        one(forms=[{"names": "a b", "whole": ""}]),
        one(forms=[{"names": "a", "whole": ""}], figures=numbers(math.inf)),
        one(forms=[{"names": "", "whole": "a"}], whole=[[1]]),
        one(forms=[{"names": "a", "whole": "a"}], figures=numbers(1.0), whole=[[1.5]]),
        one(forms=[{"names": "a", "whole": "a"}], figures=numbers(1.0), whole=[[True]]),
        one(forms=[{"names": "a a", "whole": ""}], figures=numbers(1.0, 2.0)),
    ],
)
def test_what_does_not_fit_together_is_refused(plain: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(plain)
