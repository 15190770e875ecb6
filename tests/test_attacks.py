"""The kinds of attacks that pinebench holds off, with the tests of each kind and the variants that they try.

A new way to attack is a row in the table of variants of its kind, and a new kind is a row here.
"""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent
FEWEST = 5
"""So many variants of each kind are tried at least."""


class Kind(NamedTuple):
    """The tests of a kind of attack, each with its file, and the tables with the variants that they try."""

    tests: tuple[str, ...]
    variants: tuple[str, ...]


KINDS = {
    "a text of a user on which a regular expression takes very long": Kind(
        (
            "engine/test_alerts.py::test_no_message_takes_long_to_fill_in",
            "test_patterns.py::test_no_pattern_takes_more_than_the_square_of_the_length_of_a_text",
            "test_regular_expressions.py::test_what_would_go_back_without_end_takes_few_steps",
        ),
        ("engine/test_alerts.py::LONG_MESSAGES", "test_patterns.py::SLOW"),
    ),
    "orders that together are worth more than the owner allows": Kind(
        (
            "engine/test_limits.py::test_no_way_around_the_limits",
            "engine/test_limits.py::test_the_price_of_the_fill_counts",
            "engine/test_limits.py::test_no_fill_ever_exceeds_the_limits",
        ),
        ("engine/test_limits.py::WAYS",),
    ),
    "a program that a caller of a tool names": Kind(
        (
            "tools/test_health.py::test_launch_starts_no_program_that_a_caller_names",
            "tools/test_health.py::test_no_tool_has_the_means_to_start_a_program",
        ),
        ("tools/test_health.py::PROGRAMS", "tools/test_health.py::MORE"),
    ),
    "a change, or a message to the outside, that no person allowed": Kind(
        (
            "agent/test_injections.py::test_thirty_injections_stay_data_and_move_nothing",
            "agent/test_injections.py::test_every_tool_that_changes_something_is_asked_about_unless_it_is_known_as_harmless",
            "agent/test_injections.py::test_a_receiver_outside_is_asked_about_however_it_is_written",
            "agent/test_injections.py::test_no_argument_makes_a_grave_call_look_harmless",
        ),
        ("agent/test_injections.py::OUTBOUND", "agent/test_injections.py::FURTHER"),
    ),
    "scripts of alerts that take the time of others": Kind(
        (
            "engine/test_alerts.py::test_scripts_of_one_user_cost_others_nothing_and_end_beyond_their_time",
            "engine/test_alerts.py::test_prices_of_later_bars_do_not_wait_for_scripts_of_earlier_ones",
            "engine/test_studies.py::test_scripts_of_a_user_get_the_time_that_is_there_and_no_more",
        ),
        ("engine/test_studies.py::SECONDS",),
    ),
    "a receiver that is slow on purpose": Kind(
        (
            "engine/test_delivery_senders.py::test_a_try_ends_however_slowly_the_receiver_answers",
            "engine/test_delivery_senders.py::test_a_try_ends_however_slowly_its_name_is_looked_up",
            "engine/test_delivery_senders.py::test_a_slow_receiver_of_one_user_holds_no_delivery_of_another",
        ),
        ("engine/test_delivery_senders.py::DRIPS",),
    ),
    "a foreign folder whose files Python would run": Kind(
        (
            "test_invocation.py::test_no_trap_of_a_folder_runs",
            "test_invocation.py::test_a_worker_that_is_started_in_a_hostile_folder_runs_no_file_of_it",
            "test_invocation.py::test_no_entry_of_a_client_runs_files_of_the_open_folder",
            "test_invocation.py::test_entries_of_all_earlier_versions_are_mended_for_every_client",
        ),
        ("test_invocation.py::TRAPS",),
    ),
    "a text that steers a terminal or becomes markup": Kind(
        (
            "cli/test_machine_formats.py::test_nothing_that_is_printed_steers_a_terminal",
            "cli/test_machine_formats.py::test_no_sign_of_any_kind_steers_a_terminal",
            "cli/test_screen.py::test_no_title_of_a_script_steers_a_terminal",
            "cli/test_screen.py::test_no_title_of_a_script_breaks_a_picture_or_a_page",
            "studio/test_planted_markup.py::test_the_studio",
        ),
        ("cli/test_machine_formats.py::_COMMANDS", "cli/test_screen.py::COMMANDS"),
    ),
    "a message of a feed with a wrong time or an impossible price": Kind(
        (
            "engine/test_foreign_updates.py::test_no_value_of_a_field_brings_the_market_out_of_step",
            "engine/test_foreign_updates.py::test_a_message_that_is_moved_as_a_whole_is_counted_and_changes_nothing",
            "engine/test_foreign_updates.py::test_an_update_is_bounded_by_its_bar",
        ),
        ("engine/test_foreign_updates.py::ODD", "engine/test_foreign_updates.py::WRONG"),
    ),
    "strangers who crowd out who logs in": Kind(
        ("mcp/web/test_flow.py::test_nobody_crowds_a_login_out_whatever_they_do",), ("mcp/web/test_flow.py::FLOODS",)
    ),
    "a client whose sessions and streams keep others out": Kind(
        (
            "mcp/web/test_endpoint.py::test_a_client_that_begins_sessions_without_end_keeps_nobody_out",
            "mcp/web/test_endpoint.py::test_if_all_places_are_taken_a_client_gives_its_own_oldest_one_and_a_new_client_waits",
        ),
        ("mcp/web/test_endpoint.py::SESSION_FLOODS",),
    ),
    "a client whose slow calls hold the calls of others": Kind(
        (
            "mcp/web/test_endpoint.py::test_slow_calls_of_one_client_do_not_hold_the_call_of_another",
            "mcp/web/test_shares.py::test_who_comes_last_waits_for_no_more_than_a_call_of_each_owner",
        ),
        ("mcp/web/test_shares.py::HOGS",),
    ),
    "a small file that is a large table": Kind(
        (
            "market/test_data_frames.py::test_no_small_file_becomes_a_large_table",
            "market/test_data_frames.py::test_a_small_file_with_very_many_rows_is_refused_before_it_is_read",
        ),
        ("market/test_data_frames.py::LARGE",),
    ),
    "skills of a foreign folder": Kind(
        (
            "skills/test_catalogue.py::test_nothing_that_comes_after_an_approval_is_approved",
            "skills/test_catalogue.py::test_skills_of_a_clone_reach_nobody_until_a_person_approves_them",
            "agent/test_chat.py::test_a_skill_of_the_open_folder_is_data_and_only_there_if_a_person_approved_it",
        ),
        ("skills/test_catalogue.py::CHANGES",),
    ),
    "an address inside of a network in another spelling": Kind(
        (
            "test_public_addresses.py::test_special_addresses_are_not_public_and_others_are",
            "test_public_addresses.py::test_no_other_place_decides_what_is_public",
        ),
        ("test_public_addresses.py::SPECIAL", "test_public_addresses.py::NAMES"),
    ),
    "a database that is locked, full or damaged": Kind(
        (
            "test_databases.py::test_a_damaged_file_is_a_sentence",
            "test_databases.py::test_a_lock_of_any_kind_is_a_sentence_and_passes",
            "engine/test_files.py::test_bars_wait_for_a_locked_file_and_are_worked_on_once",
            "mcp/web/test_files.py::test_a_locked_file_is_503_and_the_server_goes_on",
        ),
        ("test_databases.py::DAMAGES",),
    ),
    "unsaved texts whose drafts are damaged or have no place": Kind(
        (
            "tui/test_ways_in_a_terminal.py::test_every_damaged_draft_is_named_and_stays_and_hides_no_other",
            "tui/test_ways_in_a_terminal.py::test_a_text_that_was_given_up_and_then_stays_is_kept_again",
            "tui/test_ways_in_a_terminal.py::test_a_text_that_was_given_up_is_not_offered_again",
            "tui/test_ways_in_a_terminal.py"
            "::test_without_a_place_for_drafts_the_trouble_stays_on_the_screen_until_it_is_mended",
        ),
        ("tui/test_ways_in_a_terminal.py::DAMAGES", "tui/test_ways_in_a_terminal.py::TROUBLES"),
    ),
    "rows of one user without end": Kind(
        (
            "engine/test_bounds.py::test_nothing_that_a_user_does_makes_the_state_grow_without_end",
            "engine/test_paper.py::test_orders_are_told_in_pages_and_old_ones_are_dropped",
        ),
        ("engine/test_bounds.py::FLOODS",),
    ),
    "words of a policy in the address of a client": Kind(
        ("mcp/web/test_attacks.py::test_no_host_brings_words_into_the_policy_of_a_page",),
        ("mcp/web/test_attacks.py::HOSTS",),
    ),
    "a library with a known fault": Kind(
        ("packaging/test_requirements.py::test_no_range_admits_a_version_with_a_known_fault",),
        ("packaging/test_requirements.py::MENDED",),
    ),
}


@cache
def _names(file: str) -> dict[str, ast.stmt]:
    """The tests and the tables of a file."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


def _count(node: ast.expr | None) -> int:
    """The number of rows of a table that is spelt out."""
    if isinstance(node, ast.Dict):
        return len(node.keys)
    if isinstance(node, ast.GeneratorExp):
        return max(_count(each.iter) for each in node.generators)
    if isinstance(node, ast.Tuple | ast.List):
        return sum(_count(each.value) if isinstance(each, ast.Starred) else 1 for each in node.elts)
    return 0


def test_each_kind_has_its_tests_and_enough_variants() -> None:
    for kind, (tests, variants) in KINDS.items():
        for file, _, name in (each.partition("::") for each in tests):
            assert isinstance(_names(file).get(name), ast.FunctionDef), f"{kind}: {file} has no {name}"
        for file, _, name in (each.partition("::") for each in variants):
            table = _names(file).get(name)
            assert isinstance(table, ast.Assign | ast.AnnAssign), f"{kind}: {file} has no {name}"
            assert _count(table.value) >= FEWEST, f"{kind}: {name} has few variants"


def test_a_short_table_would_be_found() -> None:
    rows = ast.parse("(1, *('a', 'b'), {})", mode="eval").body
    assert (_count(rows), _count(ast.parse("{}", mode="eval").body), _count(None)) == (4, 0, 0)
