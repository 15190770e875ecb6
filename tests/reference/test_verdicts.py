"""TradingView's recorded answers to calls without arguments, against the parameters the reference says are required."""

from pinebench import reference
from tests.recorded import records


def test_required_parameters_agree_with_the_recorded_compiler() -> None:
    probes = [record for record in records() if record["id"].startswith("required:")]
    assert probes
    for probe in probes:
        name = probe["id"].removeprefix("required:").partition("<")[0]
        function = reference.function(name)
        assert function is not None, name
        reported = {error["ctx"]["name"] for error in probe["errors"] if error["code"] == "CE10165"}
        assert reported <= set(function.required), name
        if f"{name}()" in probe["source"]:
            assert reported == set(function.required), name
