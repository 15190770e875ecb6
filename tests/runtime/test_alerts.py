"""Alerts fire as often as their frequency lets them, and conditions say what their placeholders mean."""

from tests.runtime.running import MINUTE, START, bars_of, run, runtime_of


def test_an_alert_has_its_bar_and_message() -> None:
    [alert] = run('if close > 4\n    alert("up to " + str.tostring(close), alert.freq_all)').alerts
    assert (alert.bar, alert.time, alert.message) == (4, START + 60 * MINUTE, "up to 5")


def test_once_per_bar_means_each_call() -> None:
    source = 'for i = 0 to 2\n    alert("a")\nalert("b")\nfor i = 0 to 1\n    alert("c", alert.freq_all)'
    assert [alert.message for alert in run(source, [1.0]).alerts] == ["a", "b", "c", "c"]
    assert [alert.message for alert in run('alert("a"), alert("b")', [1.0]).alerts] == ["a", "b"]


def test_a_bar_that_is_not_closed_says_only_what_may_be_said() -> None:
    source = 'alert("now")\nalert("closed", alert.freq_once_per_bar_close)\nalert("all", alert.freq_all)'
    runtime = runtime_of(source, bars_of([1.0]))
    runtime.run()
    for closed in (False, False, True):
        runtime.update(START + 15 * MINUTE, (1, 1, 1, 1, 1), closed=closed)
    said = [alert.message for alert in runtime.result().alerts if alert.bar == 1]
    assert said == ["now", "all", "all", "closed", "all"]


def test_placeholders_of_a_condition() -> None:
    source = """
plot(close * 2, "Double")
alertcondition(close == 3, "T", '{{ticker}} {{close}} {{plot_0}} {{plot("Double")}} {{interval}} {{nothing}} {{time}}')
"""
    [alert] = run(source).alerts
    assert alert.message == "SAMPLE 3 6 6 15 {{nothing}} 2024-01-01T00:30:00Z"
    assert alert.bar == 2


def test_a_format_is_filled_in_texts_alerts_and_logs() -> None:
    result = run('log.info("{0}: {1}", "a", 2)\nalert(str.format("{1} {0}", "a", bar_index))\nplot(close)')
    assert result.logs[0].message == "a: 2"
    assert [alert.message for alert in result.alerts[:2]] == ["0 a", "1 a"]
