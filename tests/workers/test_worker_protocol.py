"""An answer has the same form whatever other packages taught `pickle`."""

import copyreg
import pickle

import pytest

from pinebench.runtime import RuntimeFault
from pinebench.workers import worker_protocol


def test_a_form_that_another_package_taught_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = RuntimeFault("RE10022")
    monkeypatch.setitem(copyreg.dispatch_table, RuntimeFault, lambda _: (print, ("not this",)))
    with pytest.raises(pickle.UnpicklingError, match="not allowed"):
        worker_protocol.answer_of(pickle.dumps(fault))
    assert repr(worker_protocol.answer_of(worker_protocol.answer(fault))) == repr(fault)
