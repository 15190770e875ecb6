"""The compiled tier: runs scripts as machine code, for many runs of one script.

```python
made = compile_script(program, request, cache=folder)
if isinstance(made, NotCompilable):
    print(made.reason, made.line)
else:
    ran = made.run(bars, {"Length": 20})          # a `RunResult`, like `workers.jobs.perform`
    for outcome in made.sweep(bars, [{"Length": 10}, {"Length": 20}]):
        outcome.inputs, outcome.net_profit, outcome.figures["sharpe_ratio"], outcome.trades
```

`program` is a checked `Program`. `request` is a `Request` whose symbol, properties, dates and so on apply to all runs;
its bars and inputs are ignored. `bars` are `Bars`, and `inputs` have the names and values of `Request.inputs`.

- `CompiledScript.run` returns a `RunResult` that equals the result of the Python tier bit for bit.
- `CompiledScript.sweep` yields one `Outcome` for each combination of inputs, in the order of the combinations.
  `Outcome.net_profit` and `Outcome.closed_trades` are always computed. `Outcome.figures` is a mapping with the names
  and values of `Backtest.figures()`, and `Outcome.trades` is a list of `ClosedTrade`; both are computed on first
  access. `Outcome.series(title)` has the values of a plot, and `Outcome.error` the error that stopped the script, or
  None.
- If machine code cannot finish a combination (the script stops with an error, or it needs too much memory), the Python
  tier runs it, with the same outcome. `Outcome.tier` names the tier that ran it.
- `NotCompilable` has a reason, which is a sentence, and the line of the script (from 1), or None. Errors of `perform`
  (a script that does not compile, an unknown input) are raised.

Other people's scripts run in a worker: pass a function that sweeps to `workers.dispatch.execute`. `run_on_tier` runs
one request there, on the tier that `perform_on` or `trade_on` chooses.
"""

from typing import TYPE_CHECKING

from pinebench.faces import face

if TYPE_CHECKING:
    from pinebench.compiled.compiled_script import CompiledScript, compile_script
    from pinebench.compiled.outcomes import NotCompilable, Outcome
    from pinebench.compiled.tiers import (
        TierChoice,
        TieredRun,
        Work,
        check_tier,
        code_folder,
        keep_code,
        keep_forms,
        load,
        naming_own_versions,
        perform_on,
        run_on_tier,
        swept_on,
        trade_on,
    )

NAMES = {
    "compiled_script": "CompiledScript compile_script",
    "outcomes": "Outcome NotCompilable",
    "tiers": "TierChoice TieredRun Work check_tier code_folder keep_code keep_forms load naming_own_versions "
    "perform_on run_on_tier swept_on trade_on",
}
"""The names that other rooms import from here, by the module that defines them."""

__getattr__ = face(__name__, NAMES)
