"""A hostile script reaches no file, no socket and no object of Python outside the runtime."""

import builtins
import os
import socket
from typing import Any

import pytest

from pinebench.errors import PinebenchError
from pinebench.runtime.faults import RuntimeFault
from tests.runtime.running import run, runtime_of

ATTEMPTS = (
    # names of Python as names of the script
    "__import__ = close\nplot(__import__)",
    "eval = close\nexec = eval\nplot(exec)",
    "open_ = close\ngetattr = open_\nplot(getattr)",
    "R = close\nS = R\nD = S\nQ = D\nX = Q\nplot(X + R)",
    "nan = close\nINF = nan\nUNSET = INF\nplot(UNSET)",
    "v1_x = close\nx = v1_x\nplot(x)",
    "lambda = close\nplot(lambda)",
    "self = close\nglobals = self\nplot(globals)",
    # texts that would end a text of Python
    "plot(str.length(\"'); import os; os.system('true') #\"))",
    'plot(str.length("\\"\\"\\" + __import__(\\"os\\").name"))',
    "plot(close, title = \"'), __import__('os').getpid(), ('\")",
    'plot(str.length("{0.__class__.__mro__}"))',
    # formats that reach into objects
    'plot(str.length(str.format("{0.__class__}", close)))',
    'plot(str.length(str.format("{0!r}", close)))',
    'plot(str.length(str.format("{0[0]}", array.from(1))))',
    'plot(str.length(str.tostring(close, "{0.__class__}")))',
    # fields, methods and members of Python objects
    "type P\n    float __class__\np = P.new(1)\nplot(p.__class__)",
    "type P\n    float items = 1\n    float fields = 2\np = P.new()\nplot(p.items + p.fields)",
    'enum E\n    __dict__ = "x"\ne = E.__dict__\nplot(e == E.__dict__ ? 1 : 0)',
    "a = array.from(1)\nplot(a.__len__())",
    "plot(close.__class__)",
    "method __init__(float x) => x\nplot(close.__init__())",
    # patterns and numbers that would eat the machine
    'plot(str.length(str.match(str.repeat("a", 40), "(a+)+$")))',
    'plot(str.length(str.repeat(str.repeat("ab", 4000), 4000)))',
    "var x = 9\nfor i = 0 to 60\n    x := x * x\nplot(x)",
    # symbols and zones that are paths
    'plot(request.security("../../etc/passwd", "D", close, ignore_invalid_symbol = true))',
    'plot(hour(time, "../../../etc/passwd"))',
    "import ../../etc/passwd/1 as p\nplot(close)",
)


@pytest.mark.parametrize("source", ATTEMPTS)
def test_an_attempt_comes_to_nothing(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[object] = []

    def refuse(*arguments: Any, **_: Any) -> Any:
        reached.append(arguments)
        raise AssertionError("reached from a script")

    program = runtime_of("plot(close)", [1.0])  # what is loaded once is loaded now
    program.run()
    with monkeypatch.context() as patched:
        for owner, name in ((os, "system"), (os, "popen"), (socket, "socket"), (builtins, "eval")):
            patched.setattr(owner, name, refuse)
        try:
            result = run(source, [1.0, 2.0])
        except (PinebenchError, RuntimeFault):
            result = None
    assert not reached
    shown = str([output.values for output in result.outputs]) if result is not None else ""
    assert "class" not in shown and "object" not in shown


def test_generated_code_sees_no_builtins_but_those_that_it_is_made_of() -> None:
    runtime = runtime_of("plot(math.abs(close))", [1.0])
    namespace = runtime.code.namespace(runtime.code.generated)
    assert sorted(namespace["__builtins__"]) == ["abs", "len", "list", "range", "zip"]
    assert not [name for name in namespace if name in ("open", "eval", "exec", "getattr", "__import__")]
