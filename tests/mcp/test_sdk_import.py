"""The SDK is imported without work that a session may never need. That is counted; no clock is read."""

import subprocess
import sys

PROGRAM = """\
import gc, sys
from pydantic import BaseModel
from pinebench.mcp.sdk_import import importing_sooner

usual, searches = dict(BaseModel.model_config), []
gc.callbacks.append(lambda phase, about: searches.append(about))
with importing_sooner():
    import mcp_types
    from pinebench.mcp.server import ServerOffer
    during = len(searches)
models = [each for each in vars(mcp_types).values() if isinstance(each, type) and issubclass(each, BaseModel)]
waiting = sum(not each.__pydantic_complete__ for each in models)
assert during == 0, during
assert waiting > len(models) // 4, (waiting, len(models))
assert gc.isenabled() and gc.get_freeze_count() > 0
assert BaseModel.model_config == usual

class Later(BaseModel):
    number: int

assert Later.__pydantic_complete__ and Later(number=1).number == 1
for model in models:
    model.model_rebuild()
    assert model.__pydantic_complete__, model
"""


def test_models_wait_until_they_are_used_and_no_garbage_is_searched_for() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
