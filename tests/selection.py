"""Which tests `make quick` runs: of the rooms below the page, a few tests of each function that is not slow.

And of which functions `make test` runs a part only or none, because others try the same with less work.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

QUICK = tuple(
    f"tests/{room}"
    for room in (
        *("backtesting", "broker", "calendars", "checker", "codes", "files", "linter", "market", "portfolios"),
        *("reference", "repaint", "runtime", "syntax", "testing", "why", "workers"),
        *("test_config.py", "test_decoding.py", "test_diagnostics.py", "test_rooms.py"),
    )
)
"""The folders and files of `make quick`: the language, what runs scripts, and the linter."""
FEW = 5
"""Of a function with more tests than this, only so many are run, spread over all of them."""
SLOW_LIST = Path(__file__).parent / "slow_tests.txt"
"""The functions that `scripts/data/time_tests.py` measured and found too slow."""

FIRST = ("tests/workers/", "tests/tui/test_ways_in_a_terminal.py")
"""Where tests wait for other processes, and take seconds each."""

SAMPLED = {
    "tests/api/test_examples.py::test_a_notebook_runs": 1,
    "tests/authoring/test_building.py::test_every_entry_trades_and_what_it_showed_stays": 4,
    "tests/authoring/test_endless_answers.py::test_json_nested_deep_is_an_answer_that_cannot_be_used": 2,
    "tests/authoring/test_foreign.py::test_a_service_that_echoes_the_key_gets_it_nowhere": 3,
    "tests/authoring/test_given_scripts.py::test_what_is_wrong_goes_with_the_first_request": 7,
    "tests/authoring/test_interruption.py::test_a_killed_run_goes_on": 8,
    "tests/authoring/test_interruption.py::test_a_run_killed_before_any_answer_pays_for_no_other_again": 3,
    "tests/authoring/test_odd_answers.py::test_a_stream_of_something_else_counts_as_cut": 4,
    "tests/authoring/test_odd_answers.py::test_the_script_is_found_and_compiles": 6,
    "tests/authoring/test_quickfix.py::test_fixes_repair_most_mutants_and_harm_none": 1,
    "tests/authoring/test_told.py::test_what_is_told_is_enough_to_mend_the_draft_in_one_round": 5,
    "tests/authoring/test_transcripts.py::test_a_transcript_ends_as_it_did": 9,
    "tests/charts/test_same_picture.py::test_all_renderers_draw_the_same": 1,
    "tests/checker/test_mutation.py::test_every_kind_is_caught": 5,
    "tests/checker/test_recheck.py::test_a_script_with_everything_is_checked_as_if_it_were_new": 1,
    "tests/checker/test_recheck.py::test_an_edited_script_is_checked_as_if_it_were_new": 1,
    "tests/checker/test_robustness.py::test_a_chain_of_else_ifs_is_walked_in_a_loop": 2,
    "tests/checker/test_robustness.py::test_work_grows_with_the_size_of_a_script": 3,
    "tests/checker/test_types.py::test_types_made_of_a_scripts_own_go_with_the_script": 2,
    "tests/cli/compare/test_reduce.py::test_a_script_with_one_construct_that_only_they_refuse_becomes_a_few_lines": 1,
    "tests/cli/compare/test_reduce.py::test_whatever_the_difference_is_it_stays": 3,
    "tests/cli/test_completion.py::test_bash_completes": 6,
    "tests/cli/test_exit_codes.py::test_a_command_ends_with_the_code_that_the_table_says": 10,
    "tests/cli/test_exit_codes.py::test_a_missing_extra_is_3_and_says_how_to_add_it": 2,
    "tests/cli/test_exit_codes.py::test_a_result_goes_to_the_file_that_is_named": 2,
    "tests/cli/test_exit_codes.py::test_a_result_that_cannot_be_written_is_3": 4,
    "tests/cli/test_exit_codes.py::test_a_script_comes_by_standard_input": 5,
    "tests/cli/test_exit_codes.py::test_a_service_that_is_told_to_end_ends_with_0": 1,
    "tests/cli/test_exit_codes.py::test_colour_is_used_where_it_is_asked_for": 1,
    "tests/cli/test_exit_codes.py::test_ctrl_c_while_a_command_starts_ends_it_as_later": 16,
    "tests/cli/test_hostile_files.py::test_an_odd_width_of_the_terminal_is_no_error": 3,
    "tests/cli/test_baseline.py::test_a_baseline_is_read_or_written": 2,
    "tests/cli/test_baseline.py::test_a_baseline_that_is_none_is_refused": 1,
    "tests/cli/test_lint.py::test_programs_get_utf_8_whatever_the_system_speaks": 4,
    "tests/cli/test_machine_formats.py::test_nothing_that_is_printed_steers_a_terminal": 7,
    "tests/cli/test_main.py::test_every_command_explains_itself": 8,
    "tests/cli/test_offline.py::test_an_offline_command_sends_nothing": 6,
    "tests/cli/test_screen.py::test_arguments": 8,
    "tests/cli/test_screen.py::test_no_title_of_a_script_steers_a_terminal": 5,
    "tests/compiled/test_drawing_calls.py::test_random_scripts_that_show_something_are_the_same_on_both_tiers": 2,
    "tests/compiled/test_extreme_bars.py::test_every_built_in_has_the_same_bits_on_extreme_bars": 1,
    "tests/compiled/test_indicators.py::test_random_scripts_with_arrays_have_the_bits_of_the_python_tier": 1,
    "tests/compiled/test_library_calls.py::"
    "test_random_scripts_with_calls_of_the_library_give_the_same_on_both_tiers": 2,
    "tests/compiled/test_library_calls.py::test_the_letters_of_a_text_of_a_bar_are_known": 5,
    "tests/compiled/test_requests.py::test_a_request_is_the_same_on_both_tiers": 6,
    "tests/compiled/test_requests.py::test_random_requests_are_the_same_on_both_tiers": 1,
    "tests/compiled/test_requests.py::test_random_strategies_with_requests_are_the_same_on_both_tiers": 1,
    "tests/debugger/test_faults.py::test_wrong_arguments_are_said_in_words": 2,
    "tests/engine/test_delivery_senders.py::test_redirects_are_not_followed_and_refusals_are_final": 3,
    "tests/evals/test_task_judge.py::test_an_unusable_answer_fails_with_a_reason": 3,
    "tests/evals/test_tasks.py::test_another_seed_gives_other_names_numbers_and_bars": 8,
    "tests/formatting/test_formatter.py::test_blanks_put_in_anywhere_go_again": 15,
    "tests/formatting/test_formatter.py::test_real_scripts_say_the_same_and_settle_at_once": 20,
    "tests/indicators/test_catalogue.py::test_the_other_dialect_of_every_script_compiles": 20,
    "tests/indicators/test_extra_series.py::test_a_failed_fetch_names_its_indicator_and_leaves_the_others_alone": 1,
    "tests/indicators/test_payload.py::test_the_shape_of_an_answer": 5,
    "tests/linter/test_batch.py::test_workers_end_with_their_parent": 1,
    "tests/linter/test_cost.py::test_twice_the_text_costs_little_more_than_twice": 1,
    "tests/linter/test_engine.py::test_a_script_is_freed_without_a_search_for_garbage": 2,
    "tests/lsp/test_findings.py::test_warnings_stay_while_a_line_is_incomplete": 1,
    "tests/lsp/test_hogs.py::test_nothing_goes_on_when_the_editor_or_the_server_is_gone": 1,
    "tests/lsp/test_malformed.py::test_every_request_is_answered_whatever_is_in_it": 4,
    "tests/market/feeds/test_binance.py::test_a_page_that_is_not_bars_spoils_everything": 4,
    "tests/market/feeds/test_faults.py::test_faults_that_pass_leave_no_trace": 4,
    "tests/market/test_sample.py::test_bars_that_are_asked_for_bit_by_bit_are_those_of_one_request": 4,
    "tests/mcp/test_agent.py::test_a_picture_comes_as_content_beside_the_data": 1,
    "tests/mcp/test_holding.py::test_a_line_that_is_no_message_is_answered_with_an_error": 5,
    "tests/mcp/test_holding.py::test_no_run_goes_on_once_its_client_or_server_has_gone": 1,
    "tests/mcp/test_http.py::test_whoever_stops_it_gets_a_good_end": 1,
    "tests/mcp/web/test_attacks.py::test_nobody_gets_in": 90,
    "tests/migration/test_migration.py::test_no_condition_of_an_order_is_dropped": 40,
    "tests/repaint/test_advice.py::test_the_advice_about_each_kind_of_repainting_was_tried": 4,
    "tests/repaint/test_advice.py::test_who_follows_the_advice_has_a_script_that_does_not_repaint": 3,
    "tests/repaint/test_repaint.py::test_honest_scripts_are_never_called_repainting": 4,
    "tests/runtime/library/test_extreme_bars.py::test_every_built_in_gives_a_number_or_na": 1,
    "tests/runtime/library/test_extreme_bars.py::test_functions_of_arrays_and_matrices_give_a_number_or_na": 1,
    "tests/runtime/library/test_state.py::test_a_column_is_what_single_calls_give_and_leaves_the_same_behind": 20,
    "tests/runtime/library/test_state.py::test_a_restored_kernel_goes_on_as_before": 15,
    "tests/runtime/test_ahead.py::test_templates_show_the_same": 4,
    "tests/runtime/test_every_builtin.py::test_extreme_and_missing_arguments_get_an_answer": 10,
    "tests/runtime/test_growth.py::test_twice_the_script_takes_twice_the_work": 3,
    "tests/studio/test_arguments.py::test_an_argument_is_seen": 20,
    "tests/studio/test_command.py::test_headless_says_where_it_is_once_it_answers": 1,
    "tests/studio/test_desk.py::test_the_buttons_of_a_long_dialog_stay_in_it": 1,
    "tests/studio/test_dialogs.py::test_enter_takes_what_was_typed_and_never_an_older_answer": 1,
    "tests/studio/test_drawing_tools.py::test_each_tool_draws_where_it_was_pointed": 1,
    "tests/studio/test_faults.py::test_a_call_that_goes_wrong_ends_in_time_and_the_next_one_works": 1,
    "tests/studio/test_faults.py::test_a_chart_that_is_not_ready_is_not_called_ready": 1,
    "tests/studio/test_faults.py::test_a_closed_editor_is_opened": 1,
    "tests/studio/test_faults.py::test_a_script_goes_on_the_chart_and_is_never_saved": 1,
    "tests/studio/test_faults.py::test_a_script_service_in_trouble_is_named": 1,
    "tests/studio/test_faults.py::test_the_editor_is_found_written_and_read_back": 1,
    "tests/studio/test_gallery.py::test_a_script_is_drawn_as_it_was_seen": 1,
    "tests/studio/test_own_timeframe.py::test_a_study_of_a_longer_timeframe_says_what_the_command_line_says": 1,
    "tests/studio/test_page.py::test_damaged_documents_are_said_and_the_page_starts": 1,
    "tests/studio/test_page.py::test_every_arrangement_fills_the_place": 1,
    "tests/sweeps/test_optimization.py::test_after_a_stop_nothing_is_repeated_and_nothing_is_lost": 2,
    "tests/syntax/test_document.py::test_edited_document_equals_a_fresh_one": 1,
    "tests/syntax/test_edits.py::test_random_batches_lead_to_the_tree_expected": 5,
    "tests/syntax/test_robustness.py::test_monsters": 7,
    "tests/tools/test_agreement.py::test_tools_and_commands_agree_on_every_file": 1,
    "tests/tools/test_chart_streams.py::test_every_stream_says_something_at_once": 3,
    "tests/tools/test_gone.py::test_a_page_that_is_gone_is_named": 12,
    "tests/tools/test_prices.py::test_made_up_prices_are_marked": 4,
    "tests/tradingview/test_connection.py::test_a_native_dialog_does_not_block": 1,
    "tests/tradingview/test_bad_servers.py::test_a_port_that_is_no_browsers_is_given_up_within_the_limit": 2,
    "tests/tradingview/test_bad_servers.py::test_no_proxy_is_used_for_this_computer": 1,
    "tests/tradingview/test_editor.py::test_a_closed_editor_is_opened": 1,
    "tests/tradingview/test_editor.py::test_a_dialog_instead_of_a_verdict_is_named": 2,
    "tests/tradingview/test_editor.py::test_a_dialog_is_known_by_whole_words_of_one_field": 2,
    "tests/tradingview/test_editor.py::test_markers_and_studies_are_read_back": 1,
    "tests/tradingview/test_editor.py::test_text_is_read_back_identical": 1,
    "tests/tradingview/test_editor.py::test_the_editor_is_found_at_every_depth": 1,
    "tests/tradingview/test_editor.py::test_the_live_editor_is_chosen": 2,
    "tests/tradingview/test_editor.py::test_what_monaco_normalises_is_reported": 2,
    "tests/tradingview/test_hung_pages.py::test_a_page_that_hangs_on_the_way": 2,
    "tests/tradingview/test_hung_pages.py::test_hardly_any_time_is_not_exceeded_either": 1,
    "tests/tradingview/test_hung_pages.py::test_without_a_limit_a_page_that_hangs_on_the_way_is_left_soon": 2,
    "tests/tradingview/test_results.py::test_a_page_that_answers_nonsense_is_one_error": 2,
    "tests/tradingview/test_results.py::test_an_answer_of_the_browser_in_another_shape_is_an_error_of_ours": 1,
    "tests/tradingview/test_saved_scripts.py::test_a_failing_script_service_is_named": 2,
    "tests/tradingview/test_saved_scripts.py::test_a_mark_behind_the_name_does_not_make_it_another_script": 2,
    "tests/tradingview/test_temporary_browser.py::test_no_browser_outlives_a_run_that_was_killed": 1,
    "tests/tradingview/test_page_lock.py::test_a_tab_closed_during_a_compile_is_exit_3": 1,
    "tests/tui/test_assistant.py::test_what_goes_wrong_is_said_and_nothing_is_lost": 2,
    "tests/tui/test_bursts.py::test_an_answer_that_comes_late_is_not_shown": 2,
    "tests/tui/test_dialogs.py::test_no_answer_is_cut_off": 1,
    "tests/tui/test_drafts.py::test_a_key_before_the_question_can_be_seen_is_typed_and_answers_nothing": 3,
    "tests/tui/test_losing_nothing.py::test_the_workbench_ends_without_an_error_while_a_panel_is_made": 1,
    "tests/tui/test_project_commands.py::test_all_texts_are_changed_or_none": 2,
    "tests/tui/test_screens.py::test_screens_look_as_they_did": 1,
    "tests/tui/test_ways_in_a_terminal.py::"
    "test_without_a_place_for_drafts_the_trouble_stays_on_the_screen_until_it_is_mended": 1,
    "tests/tui/test_ways_to_lose_text.py::test_a_disk_that_takes_nothing_loses_no_text": 2,
    "tests/workers/test_faces.py::test_all_faces_give_the_same_result": 8,
    "tests/workers/test_worker_pool.py::test_a_call_that_stays_inside_c_is_ended_and_named_by_its_loop": 1,
    "tests/workers/test_worker_pool.py::test_an_endless_loop_is_named_by_its_own_line": 1,
    "tests/workers/test_worker_pool.py::test_no_worker_outlives_who_started_it": 3,
    "tests/cli/test_hostile_files.py::test_what_is_no_file_is_refused_at_once_wherever_it_is_named": 12,
    "tests/cli/test_option_needs.py::test_an_option_without_effect_is_refused": 9,
    "tests/cli/test_run.py::test_assumed_properties_of_the_symbol_are_told_if_the_script_reads_them": 5,
    "tests/cli/test_suppress.py::test_a_hidden_error_fails_in_every_format": 9,
    "tests/cli/watch/test_one_door.py::test_a_library_on_disk_is_the_same_for_everybody": 1,
    "tests/cli/watch/test_watcher.py::test_who_imports_a_library_is_compiled_when_the_library_changes": 2,
    "tests/compiled/test_indicators.py::"
    "test_random_scripts_with_the_whole_language_have_the_bits_of_the_python_tier": 2,
    "tests/compiled/test_library_calls.py::test_the_budget_of_a_run_holds_inside_one_call_of_the_library": 1,
    "tests/compiled/test_run_memory.py::test_machine_code_reads_and_writes_its_own_places": 1,
    "tests/compiled/test_strategies.py::test_a_risk_rule_stops_the_orders_of_both_tiers": 5,
    "tests/compiled/test_strategies.py::test_a_strategy_that_runs_on_fills_has_the_trades_of_the_python_tier": 7,
    "tests/compiled/test_strategies.py::test_random_strategies_that_run_on_fills_have_the_trades_of_the_python_tier": 2,
    "tests/compiled/test_strategies.py::test_random_strategies_with_shorter_bars_have_the_trades_of_the_python_tier": 1,
    "tests/engine/test_alerts.py::test_each_kind_of_condition_fires_once": 3,
    "tests/indicators/test_chartgen.py::test_values_at_bar_99_and_at_the_last_bar": 12,
    "tests/indicators/test_extra_series.py::test_bars_that_an_engine_holds_are_not_fetched": 1,
    "tests/inspecting/test_run_recording.py::test_recorded_values_are_those_of_an_ordinary_run": 1,
    "tests/market/test_sample.py::test_days_that_are_joined_one_by_one_are_as_when_all_minutes_are": 4,
    "tests/mcp/web/test_shares.py::test_who_comes_last_waits_for_no_more_than_a_call_of_each_owner": 1,
    "tests/packaging/test_examples.py::test_a_command_in_a_page_prints_what_the_page_shows": 2,
    "tests/projects/test_sync.py::test_a_write_that_is_refused_leaves_nothing_seen_that_is_not_in_the_folder": 6,
    "tests/projects/test_sync.py::test_no_kill_loses_a_text_and_the_next_run_goes_on": 3,
    "tests/quant/test_drawdowns.py::test_the_deepest_is_that_of_others": 1,
    "tests/runtime/library/test_holes.py::test_a_source_with_holes": 10,
    "tests/runtime/test_aggregation.py::test_updates_leave_what_all_bars_make_at_once": 20,
    "tests/runtime/test_published_numbers.py::test_every_export_is_its_formula": 3,
    "tests/studio/test_faults.py::test_late_markers_are_waited_for": 1,
    "tests/studio/test_page.py::test_what_the_api_returns_can_be_serialised": 4,
    "tests/studio/test_script_runs.py::test_a_script_that_comes_along_draws_or_offers_what_it_needs": 2,
    "tests/sweeps/test_attacks.py::test_a_day_that_ends_after_the_cut_is_held_back_too": 1,
    "tests/sweeps/test_combination_runs.py::test_both_tiers_give_the_same_outcomes": 2,
    "tests/sweeps/test_commands.py::test_a_walk_forward_test_runs_on_the_tier_that_was_asked_for": 1,
    "tests/sweeps/test_optimization.py::test_the_best_never_sees_held_back_bars": 2,
    "tests/sweeps/test_optimization.py::test_what_the_run_of_the_best_assumed_is_among_the_doubts": 1,
    "tests/sweeps/test_walk_forward_runs.py::test_no_test_reaches_past_the_end_of_the_request": 3,
    "tests/syntax/test_lark_engine.py::test_samples": 8,
    "tests/templates/test_on_bars.py::test_every_trade_begins_and_ends_within_the_hours_of_one_day": 2,
    "tests/templates/test_on_bars.py::test_nothing_is_opened_for_a_bar_outside_the_hours_nor_held_beyond_them": 2,
    "tests/tools/test_chart.py::test_a_new_study_is_ours_only_if_the_page_neither_refuses_nor_names_another": 2,
    "tests/tools/test_drawing_alerts_replay.py::test_a_new_drawing_is_not_ours_if_the_page_refuses_or_names_another": 1,
    "tests/tools/test_page_parts.py::test_a_symbol_is_typed_into_its_dialog_though_the_page_moves_the_focus": 1,
    "tests/tools/test_page_parts.py::test_a_symbol_is_typed_into_no_other_field": 1,
    "tests/tradingview/test_bad_servers.py::test_an_answer_of_another_shape_is_no_live_page": 2,
    "tests/tradingview/test_editor.py::test_a_study_that_stops_at_run_time_is_told_with_its_error": 1,
    "tests/tradingview/test_editor.py::test_a_text_that_the_starting_page_replaces_is_written_again": 1,
    "tests/tradingview/test_saved_scripts.py::test_only_blanks_without_a_meaning_may_differ_in_a_saved_text": 2,
    "tests/tui/test_bursts.py::test_a_burst_is_the_same_as_its_keys": 1,
    "tests/tui/test_optimize.py::test_a_small_terminal_shows_the_whole_error": 1,
    "tests/tui/test_tools.py::test_a_small_terminal_shows_the_result_of_a_call": 1,
    "tests/agent/test_model_request.py::test_a_limit_of_dollars_is_never_passed": 6,
    "tests/cli/test_authoring.py::test_wrong_usage_is_told_in_a_line_and_costs_nothing": 5,
    "tests/cli/test_exit_codes.py::test_a_script_that_does_not_compile_is_told_as_lint_tells_it": 1,
    "tests/cli/test_exit_codes.py::test_an_interrupted_command_ends_with_130": 20,
    "tests/cli/test_explain.py::test_what_is_not_found_leads_on": 4,
    "tests/cli/test_lint.py::test_byte_order_marks_and_line_ends_change_no_place": 5,
    "tests/cli/test_main.py::test_a_mistake_is_answered_by_one_clear_line": 8,
    "tests/cli/watch/test_watcher.py::test_500_scripts_saved_at_once_are_all_compiled": 1,
    "tests/compiled/test_requests.py::test_a_sweep_over_an_input_inside_a_request_is_the_same_as_single_runs": 3,
    "tests/compiled/test_strategies.py::test_a_sweep_has_the_figures_of_back_tests": 2,
    "tests/compilers/test_online.py::test_a_drip_ends_when_the_time_is_over": 1,
    "tests/evals/test_task_judge.py::test_our_solution_passes": 4,
    "tests/indicators/test_catalogue.py::test_scripts_are_formatted_and_have_no_finding": 71,
    "tests/indicators/test_signals.py::test_every_label_is_reached": 4,
    "tests/market/feeds/test_faults.py::test_faults_that_stay_are_errors": 6,
    "tests/runtime/library/test_state.py::test_a_column_of_extreme_numbers_is_what_single_calls_give": 40,
    "tests/services/test_completion.py::test_no_word_is_too_long": 2,
    "tests/skills/test_promises.py::test_a_tool_returns_the_keys_that_a_skill_uses": 20,
    "tests/studio/test_interception.py::test_services_of_tradingview_are_answered_at_their_own_paths": 9,
    "tests/sweeps/test_optimization.py::test_combinations_that_failed_are_counted": 2,
    "tests/syntax/test_changes.py::test_many_edits_at_once_give_what_parsing_anew_gives": 20,
    "tests/syntax/test_document.py::test_version": 4,
    "tests/syntax/test_robustness.py::test_mutated_samples": 50,
    "tests/test_regular_expressions.py::test_what_would_go_back_without_end_takes_few_steps": 3,
    "tests/testing/test_documentation.py::test_examples_pass": 2,
    "tests/tools/test_check.py::test_run_says_why_a_plot_has_no_value": 1,
    "tests/tools/test_offline_charts.py::test_a_chart_as_a_picture": 1,
    "tests/tools/test_prices.py::test_a_tool_that_gives_prices_declares_it": 60,
    "tests/tools/test_registry.py::test_without_a_browser_a_tool_says_so": 40,
    "tests/tools/test_strategy.py::test_no_strategy_and_one_that_stopped_are_said": 2,
    "tests/tradingview/test_doctor.py::test_each_failing_line_says_what_to_do": 1,
    "tests/tradingview/test_editor.py::test_a_question_about_anything_else_is_told_and_left_to_a_person": 1,
    "tests/workers/test_worker_pool.py::test_a_worker_is_kept_and_replaced_once_it_has_grown": 1,
    "tests/tui/test_ways_to_lose_text.py::test_what_others_do_to_a_file_loses_no_text": 5,
}
"""The functions of which `make test` runs so many tests, spread over all of them; `make soak` runs the others."""


AT_NIGHT = {
    "tests/tools/test_check.py::test_a_script_is_profiled": (
        "tests/profiling/test_report.py::test_the_whole_answer_of_a_script"
    ),
    "tests/linter/test_cache.py::test_a_library_that_a_library_imports_counts_too": (
        "tests/linter/test_cache.py::test_an_entry_counts_while_the_libraries_are_what_they_were"
    ),
    "tests/indicators/test_drawn_built_ins.py::test_ratings_are_means_of_votes": (
        "tests/indicators/test_drawn_built_ins.py::test_averages_in_a_steady_rise"
    ),
    "tests/mcp/test_jobs.py::test_a_script_is_written_from_a_template": (
        "tests/mcp/test_jobs.py::test_a_draft_is_checked_and_mended"
    ),
    "tests/cli/test_compare.py::test_a_difference_is_reduced_to_what_shows_it_and_only_parts_of_the_script_are_sent": (
        "tests/cli/compare/test_reduce.py::test_whatever_the_difference_is_it_stays"
    ),
    "tests/tools/test_verification.py::test_properties_of_the_strategy_are_the_chart_s": (
        "tests/tools/test_verification.py::test_a_saved_script_is_equal_and_replays_from_its_folder"
    ),
    "tests/studio/test_interception.py::test_axes_are_as_wide_as_their_letters_whenever_those_come": (
        "tests/studio/test_interception.py::test_fonts_that_do_not_come_keep_no_page_from_starting"
    ),
    "tests/studio/test_interception.py::test_the_address_without_a_layout_opens_the_page_too": (
        "tests/studio/test_interception.py::test_the_page_is_at_tradingviews_address"
    ),
    "tests/studio/test_layouts.py::test_a_layout_is_saved_under_a_name_of_its_own_beside_what_others_saved": (
        "tests/studio/test_layouts.py::test_a_layout_keeps_its_charts_with_their_studies_and_drawings"
    ),
    "tests/studio/test_look.py::test_axe_core_finds_nothing_in_drawings_objects_menus_and_alerts": (
        "tests/studio/test_look.py::test_axe_core_finds_nothing_on_the_main_screens"
    ),
    "tests/studio/test_look.py::test_axe_core_finds_nothing_in_the_light_theme": (
        "tests/studio/test_look.py::test_axe_core_finds_nothing_on_the_main_screens"
    ),
    "tests/studio/test_look.py::test_axe_core_finds_nothing_in_the_tester_of_a_strategy_on_averaged_bars": (
        "tests/studio/test_look.py::test_axe_core_finds_nothing_on_the_main_screens"
    ),
    "tests/studio/test_market.py::test_the_studio_has_the_same_page_for_its_own_engine": (
        "tests/studio/test_market.py::test_a_person_logs_in_and_has_alerts_and_paper_orders"
    ),
    "tests/studio/test_planted_markup.py::test_files_that_commands_write": (
        "tests/studio/test_planted_markup.py::test_the_studio"
    ),
    "tests/studio/test_planted_markup.py::test_what_a_notebook_shows": (
        "tests/studio/test_planted_markup.py::test_the_studio"
    ),
    "tests/studio/test_reload.py::test_a_script_that_was_saved_elsewhere_meanwhile_is_shown_as_it_is_now": (
        "tests/studio/test_reload.py::test_unsaved_text_survives_a_reload_and_is_still_unsaved"
    ),
    "tests/studio/test_reload.py::"
    "test_a_store_without_scripts_begins_untitled_and_the_sample_counts_once_it_was_changed": (
        "tests/studio/test_reload.py::test_a_new_user_begins_with_an_untitled_script_and_others_with_what_they_saved"
    ),
    "tests/studio/test_reload.py::test_open_charts_come_back_after_the_studio_has_ended_on_whatever_port": (
        "tests/studio/test_reload.py::test_symbol_interval_type_and_studies_survive_a_reload"
    ),
    "tests/studio/test_reload.py::test_tabs_side_by_side_keep_theirs_apart": (
        "tests/studio/test_reload.py::test_symbol_interval_type_and_studies_survive_a_reload"
    ),
    "tests/studio/test_reload.py::test_text_that_never_had_a_name_survives_too": (
        "tests/studio/test_reload.py::test_unsaved_text_survives_a_reload_and_is_still_unsaved"
    ),
    "tests/studio/test_reload.py::test_what_a_tab_kept_may_be_nonsense": (
        "tests/studio/test_page.py::test_damaged_documents_are_said_and_the_page_starts"
    ),
    "tests/studio/test_together.py::test_watchlists_of_two_pages_follow_each_other": (
        "tests/studio/test_together.py::test_the_second_save_of_two_pages_asks_and_loses_nothing"
    ),
    "tests/studio/test_faults.py::test_a_panel_that_closes_itself_is_opened_again": (
        "tests/studio/test_faults.py::test_the_editor_is_found_written_and_read_back"
    ),
    "tests/studio/test_faults.py::test_only_the_shell_is_no_chart": (
        "tests/studio/test_faults.py::test_a_chart_that_is_not_ready_is_not_called_ready"
    ),
    "tests/studio/test_interception.py::test_the_server_may_be_asked_in_its_place": (
        "tests/studio/test_interception.py::test_services_of_tradingview_are_answered_at_their_own_paths"
    ),
    "tests/studio/test_settings.py::test_the_style_tab_changes_kind_line_opacity_and_places_and_no_value": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_settings_seen.py::test_boxes_and_colours_are_seen": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_history.py::test_a_replay_goes_on_over_older_bars": (
        "tests/studio/test_history.py::test_scrolling_back_loads_older_bars_and_moves_nothing"
    ),
    "tests/studio/test_command.py::test_a_browser_that_dies_ends_a_headless_studio_with_an_error": (
        "tests/studio/test_command.py::test_headless_says_where_it_is_once_it_answers"
    ),
    "tests/studio/test_page.py::test_a_narrow_window_keeps_text_and_console_apart": (
        "tests/studio/test_page.py::test_nothing_overflows_at_the_sizes_people_use"
    ),
    "tests/studio/test_planted_markup.py::test_the_market_page_and_the_consent_page": (
        "tests/studio/test_planted_markup.py::test_the_studio"
    ),
    "tests/studio/test_whole_history.py::test_the_tester_says_which_bars_it_ran_on": (
        "tests/studio/test_whole_history.py::test_the_tester_says_to_the_cent_what_the_command_line_says"
    ),
    "tests/studio/test_alert_conditions.py::"
    "test_the_rows_of_the_dialog_lie_one_below_another_and_times_are_those_of_the_axis": (
        "tests/studio/test_alert_conditions.py::"
        "test_alerts_on_plots_lines_and_scripts_fire_as_bars_come_and_as_often_as_asked"
    ),
    "tests/tui/test_tools.py::test_the_list_is_narrowed_by_words_and_walked_by_keys": (
        "tests/tui/test_tools.py::test_a_person_finds_a_tool_calls_it_and_reads_its_result"
    ),
    "tests/cli/test_authoring.py::test_an_interruption_before_the_first_script_promises_none": (
        "tests/cli/test_authoring.py::test_an_interrupted_run_keeps_its_best_script_and_is_resumed"
    ),
    "tests/mcp/web/test_kills.py::test_a_server_that_is_killed_under_load_loses_and_repeats_nothing": (
        "tests/engine/test_kills.py::test_kills_lose_and_repeat_nothing"
    ),
    "tests/studio/test_command.py::test_a_studio_that_was_killed_leaves_no_browser_and_the_next_one_no_profile": (
        "tests/tradingview/test_temporary_browser.py::test_no_browser_outlives_a_run_that_was_killed"
    ),
    "tests/studio/test_command.py::test_a_signal_while_it_starts_leaves_nothing_behind": (
        "tests/studio/test_command.py::test_headless_says_where_it_is_once_it_answers"
    ),
    "tests/studio/test_reload.py::test_text_typed_in_the_very_moment_of_a_reload_survives": (
        "tests/studio/test_reload.py::test_unsaved_text_survives_a_reload_and_is_still_unsaved"
    ),
    "tests/studio/test_together.py::test_a_page_without_changes_follows_what_another_saved": (
        "tests/studio/test_together.py::test_the_second_save_of_two_pages_asks_and_loses_nothing"
    ),
    "tests/studio/test_layouts.py::test_no_save_replaces_a_damaged_layout": (
        "tests/studio/test_page.py::test_damaged_documents_are_said_and_the_page_starts"
    ),
    "tests/studio/test_drawn.py::test_pointers_leave_from_the_corner_that_the_style_names": (
        "tests/studio/test_drawn.py::test_labels_grow_with_their_size"
    ),
    "tests/studio/test_drawn.py::test_bold_and_italic_letters_are_others": (
        "tests/studio/test_drawn.py::test_labels_grow_with_their_size"
    ),
    "tests/studio/test_desk.py::test_candles_have_bodies_on_a_phone": (
        "tests/studio/test_desk.py::test_a_phone_shows_tabs_save_and_the_tester"
    ),
    "tests/studio/test_whole_history.py::test_the_curve_of_equity_spans_all_bars": (
        "tests/studio/test_whole_history.py::test_the_tester_says_to_the_cent_what_the_command_line_says"
    ),
    "tests/studio/test_whole_history.py::test_a_trade_is_shown_by_a_click_and_the_list_is_ordered_and_filtered": (
        "tests/studio/test_tester.py::test_the_panel_shows_figures_and_trades"
    ),
    "tests/studio/test_alert_conditions.py::test_conditions_are_met_on_the_bars_that_arithmetic_says": (
        "tests/studio/test_alert_conditions.py::"
        "test_alerts_on_plots_lines_and_scripts_fire_as_bars_come_and_as_often_as_asked"
    ),
    "tests/studio/test_settings_seen.py::test_an_input_moves_the_line": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_faults.py::test_the_editor_is_found_on_pages_that_offer_more_or_less": (
        "tests/studio/test_faults.py::test_the_editor_is_found_written_and_read_back"
    ),
    "tests/studio/test_faults.py::test_a_crashed_renderer_ends_the_call_and_the_reloaded_page_works": (
        "tests/tradingview/test_connection.py::test_a_crash_ends_the_call_and_a_reload_mends_it"
    ),
    "tests/tradingview/test_connection.py::test_a_page_that_hangs_for_a_while_is_waited_for": (
        "tests/tradingview/test_liveness.py::test_a_page_that_hangs_for_a_while_is_read_when_it_answers_again"
    ),
    "tests/tradingview/test_connection.py::test_a_busy_page_function_is_ended": (
        "tests/tradingview/test_connection.py::test_a_busy_loop_of_ours_is_ended"
    ),
    "tests/tradingview/test_connection.py::test_a_browser_that_dies_during_calls": (
        "tests/tradingview/test_connection.py::test_a_read_survives_a_new_browser"
    ),
    "tests/tradingview/test_studio.py::test_a_fault_that_can_be_overcome": (
        "tests/studio/test_faults.py::test_a_script_goes_on_the_chart_and_is_never_saved"
    ),
    "tests/tradingview/test_studio.py::test_only_an_editor_reference_still_writes_and_reads": (
        "tests/studio/test_faults.py::test_the_editor_is_found_written_and_read_back"
    ),
    "tests/tradingview/test_studio.py::test_a_dialog_in_the_way_is_named": (
        "tests/studio/test_faults.py::test_a_plans_limit_is_named"
    ),
    "tests/tradingview/test_studio.py::test_a_slow_change_is_waited_for": (
        "tests/studio/test_faults.py::test_a_chart_that_is_not_ready_is_not_called_ready"
    ),
    "tests/tradingview/test_studio.py::test_a_chart_that_is_not_ready_is_never_called_so": (
        "tests/studio/test_faults.py::test_a_chart_that_is_not_ready_is_not_called_ready"
    ),
    "tests/tradingview/test_studio.py::test_a_function_of_the_page_that_misbehaves": (
        "tests/studio/test_faults.py::test_a_call_that_goes_wrong_ends_in_time_and_the_next_one_works"
    ),
    "tests/tradingview/test_studio.py::test_one_undo_brings_the_old_text_back": (
        "tests/tradingview/test_editor.py::test_one_undo_brings_the_old_text_back"
    ),
    "tests/evals/test_command.py::test_an_interrupted_run_goes_on_and_pays_for_no_answer_twice": (
        "tests/evals/test_benchmark_run.py::test_a_killed_agent_goes_on_wherever_it_was_and_counts_everything_once"
    ),
    "tests/mcp/test_holding.py::test_what_a_run_held_is_given_back": (
        "tests/workers/test_worker_pool.py::test_a_worker_is_kept_and_replaced_once_it_has_grown"
    ),
    "tests/tradingview/test_connection.py::test_a_page_that_hung_before_we_came_is_named": (
        "tests/tradingview/test_connection.py::test_a_page_that_hangs_by_itself_is_freed_before_the_last_attempt"
    ),
    "tests/studio/test_reload.py::test_a_person_who_leaves_is_asked": (
        "tests/studio/test_reload.py::test_leaving_asks_only_while_something_is_unsaved"
    ),
    "tests/tui/test_ways_in_a_terminal.py::test_every_damaged_draft_is_named_and_stays_and_hides_no_other": (
        "tests/tui/test_ways_in_a_terminal.py::test_a_given_up_text_is_dropped_once_and_a_damaged_draft_is_named"
    ),
    "tests/studio/test_market.py::test_all_seven_channels_of_a_payload_are_drawn": (
        "tests/studio/test_market.py::test_a_line_has_a_gap_where_values_are_missing"
    ),
    "tests/studio/test_reload.py::test_arranged_charts_survive_a_reload": (
        "tests/studio/test_reload.py::test_symbol_interval_type_and_studies_survive_a_reload"
    ),
    "tests/studio/test_layouts.py::test_layouts_are_listed_and_opened_by_number": (
        "tests/studio/test_layouts.py::test_a_layout_keeps_its_charts_with_their_studies_and_drawings"
    ),
    "tests/studio/test_page.py::test_nothing_is_drawn_where_nothing_can_be_computed": (
        "tests/studio/test_page.py::test_computed_indicators_agree_with_a_computation_by_hand"
    ),
    "tests/studio/test_page.py::test_a_taken_name_is_said_in_the_dialog": (
        "tests/studio/test_page.py::test_the_first_save_asks_for_a_name_and_later_ones_do_not"
    ),
    "tests/studio/test_dialogs.py::test_watchlist_rows_are_reached_and_used_by_keyboard": (
        "tests/studio/test_dialogs.py::test_arrows_move_in_a_menu"
    ),
    "tests/studio/test_dialogs.py::test_typing_a_number_on_the_chart_asks_for_an_interval": (
        "tests/studio/test_dialogs.py::test_typing_on_the_chart_asks_for_a_symbol"
    ),
    "tests/studio/test_outside_client.py::test_the_keyboard_compiles_and_saves": (
        "tests/studio/test_outside_client.py::test_the_editor_is_opened_found_written_and_compiled"
    ),
    "tests/studio/test_desk.py::test_alerts_that_fire_in_a_replay_are_shown_as_they_come": (
        "tests/studio/test_desk.py::test_alerts_of_scripts_are_listed_over_all_bars"
    ),
    "tests/studio/test_keys.py::test_enter_indents_after_a_line_that_opens_a_block": (
        "tests/studio/test_keys.py::test_every_printable_key_is_typed_into_the_script"
    ),
    "tests/studio/test_settings.py::test_changes_are_seen_while_they_are_made_and_cancel_undoes_them": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_settings_seen.py::test_the_style_tab_has_the_plots_that_the_script_lets_edit": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_drawn.py::test_an_overlay_is_drawn_as_soon_as_it_is_added_and_gone_with_it": (
        "tests/studio/test_drawn.py::test_a_built_in_is_drawn_as_soon_as_it_is_added"
    ),
    "tests/studio/test_studies.py::test_other_bars_and_replay_run_the_script_again": (
        "tests/studio/test_studies.py::test_the_dialog_asks_for_each_input_by_its_type_and_the_script_runs_again"
    ),
    "tests/studio/test_objects.py::test_symbols_are_compared_in_percent_on_a_scale_and_in_a_pane": (
        "tests/studio/test_objects.py::test_a_compared_symbol_has_its_own_scale_on_the_left"
    ),
    "tests/studio/test_objects.py::test_the_source_of_a_study_opens_and_no_unsaved_text_is_lost": (
        "tests/studio/test_page.py::test_opening_asks_before_changes_are_lost"
    ),
    "tests/studio/test_own.py::test_a_file_that_is_dropped_on_the_page_is_on_the_chart": (
        "tests/studio/test_own.py::test_a_file_given_to_the_page_is_charted_and_kept_for_the_next_start"
    ),
    "tests/studio/test_interception.py::test_it_is_driven_like_tradingviews_page": (
        "tests/studio/test_interception.py::test_the_page_is_at_tradingviews_address"
    ),
    "tests/cli/test_authoring.py::test_of_two_that_go_on_with_a_run_only_the_first_does_and_pays": (
        "tests/cli/test_authoring.py::test_an_interrupted_run_keeps_its_best_script_and_is_resumed"
    ),
    "tests/tools/test_own_versions.py::test_every_tool_that_runs_a_script_names_the_libraries_that_were_replaced": (
        "tests/cli/test_own_versions.py::test_commands_that_run_a_script_with_an_own_version"
    ),
    "tests/tools/test_page_parts.py::test_a_layout_is_made_and_no_other_is_renamed": (
        "tests/tools/test_page_parts.py::test_layouts_are_listed_and_loaded"
    ),
    "tests/tools/test_overlays.py::test_another_symbol_is_drawn_over_the_chart": (
        "tests/tools/test_page_parts.py::test_symbols_are_compared_and_scanned"
    ),
    "tests/tools/test_data.py::test_studies_that_are_being_computed_are_waited_for": (
        "tests/tools/test_strategy.py::test_a_strategy_that_is_still_being_tested_is_waited_for"
    ),
    "tests/tui/test_chart.py::test_a_chart_that_goes_makes_one_panel_old_and_it_resumes": (
        "tests/tui/test_chart.py::test_the_panel_follows_a_chart_and_switches_it"
    ),
    "tests/tui/test_ways_in_a_terminal.py::test_a_text_that_was_given_up_and_then_stays_is_kept_again": (
        "tests/tui/test_ways_in_a_terminal.py::test_a_given_up_text_is_dropped_once_and_a_damaged_draft_is_named"
    ),
    "tests/engine/cluster/test_leader.py::test_a_leader_does_what_a_single_engine_does": (
        "tests/engine/cluster/test_leader.py::test_whoever_leads_the_outcome_is_the_same"
    ),
    "tests/lsp/test_editors.py::test_the_server_ends_with_its_editor": (
        "tests/lsp/test_editors.py::test_a_server_at_a_port_ends_when_the_editors_process_is_gone"
    ),
    "tests/mcp/test_holding.py::test_the_end_of_a_session_over_http_ends_its_run": (
        "tests/mcp/test_holding.py::test_no_run_goes_on_once_its_client_or_server_has_gone"
    ),
    "tests/linter/suggest/test_judged.py::test_in_mutants": (
        "tests/linter/suggest/test_judged.py::test_in_scripts_that_people_broke"
    ),
    "tests/compiled/test_strategies.py::"
    "test_many_orders_exits_and_open_trades_at_a_time_have_the_trades_of_the_python_tier": (
        "tests/compiled/test_strategies.py::test_random_strategies_have_the_trades_of_the_python_tier"
    ),
    "tests/compiled/test_strategies.py::test_a_risk_rule_ends_trading_for_a_day": (
        "tests/compiled/test_strategies.py::test_a_risk_rule_stops_the_orders_of_both_tiers"
    ),
    "tests/compiled/test_requests.py::test_a_sweep_computes_a_request_again_only_if_its_inputs_change": (
        "tests/compiled/test_requests.py::test_a_sweep_over_an_input_inside_a_request_is_the_same_as_single_runs"
    ),
    "tests/compiled/test_machine.py::test_a_script_that_is_too_long_to_be_made_faster_gives_the_same": (
        "tests/compiled/test_indicators.py::"
        "test_random_scripts_with_the_whole_language_have_the_bits_of_the_python_tier"
    ),
    "tests/compiled/test_indicators.py::test_lengths_that_change_from_bar_to_bar_have_the_bits_of_the_python_tier": (
        "tests/compiled/test_indicators.py::test_every_stateful_built_in_has_the_bits_of_the_python_tier"
    ),
    "tests/engine/cluster/test_leader.py::test_strategies_and_bars_of_several_series_go_on": (
        "tests/engine/cluster/test_leader.py::test_whoever_leads_the_outcome_is_the_same"
    ),
    "tests/engine/cluster/test_leader.py::test_the_next_leader_lets_the_scripts_of_bars_run_that_still_wait": (
        "tests/engine/cluster/test_leader.py::"
        "test_a_leader_that_ends_while_bars_wait_for_scripts_loses_and_repeats_nothing"
    ),
    "tests/engine/cluster/test_leader.py::test_prices_and_commands_do_not_wait_for_scripts": (
        "tests/engine/cluster/test_together.py::test_a_members_prices_do_not_wait_for_scripts"
    ),
    "tests/engine/cluster/test_leader.py::test_bars_on_which_scripts_fail_twice_are_done_without_them": (
        "tests/engine/test_alerts.py::test_a_script_that_fails_ends_only_its_own_alert"
    ),
    "tests/engine/test_alerts.py::"
    "test_a_script_may_need_bars_of_a_timeframe_that_is_between_the_one_of_the_alert_and_an_hour": (
        "tests/engine/test_alerts.py::test_a_script_fires_by_its_own_alerts"
    ),
    "tests/engine/test_studies.py::test_a_script_that_does_not_run_is_asked_for_and_a_lost_worker_is_replaced": (
        "tests/engine/test_alerts.py::test_a_script_that_fails_ends_only_its_own_alert"
    ),
    "tests/packaging/test_wheel.py::test_the_installed_command_has_skills_the_plugin_the_benchmark_and_the_prompt": (
        "tests/packaging/test_wheel.py::test_the_installed_command_gives_its_demo"
    ),
    "tests/packaging/test_wheel.py::test_the_installed_studio_has_its_page_without_npm": (
        "tests/packaging/test_wheel.py::test_the_wheel_holds_the_folders_the_tables_and_nothing_foreign"
    ),
    "tests/tradingview/test_studio.py::test_the_whole_way_under_tradingviews_address": (
        "tests/tradingview/test_studio.py::test_a_script_is_made_saved_changed_and_opened"
    ),
    "tests/mcp/web/test_endpoint.py::test_slow_calls_of_one_client_do_not_hold_the_call_of_another": (
        "tests/mcp/web/test_shares.py::test_who_comes_last_waits_for_no_more_than_a_call_of_each_owner"
    ),
    "tests/mcp/test_long_results.py::test_real_calls_that_give_much_keep_their_ends_and_can_be_read_on": (
        "tests/mcp/test_long_results.py::test_no_tool_gives_more_than_a_model_can_take"
    ),
    "tests/skills/test_steps_on_a_page.py::test_every_step_that_needs_a_chart_goes_well_on_a_page": (
        "tests/skills/test_promises.py::test_every_step_names_calls_that_go_well_as_they_are_written"
    ),
    "tests/test_homes.py::test_the_users_home_may_be_the_folder_of_temporary_files": (
        "tests/test_homes.py::test_it_is_noticed_what_other_processes_of_the_tests_open"
    ),
    "tests/cli/test_optimize.py::test_ctrl_c_keeps_what_is_done": (
        "tests/sweeps/test_optimization.py::test_a_stop_while_the_best_is_judged_keeps_all_runs"
    ),
    "tests/cli/test_authoring.py::test_compile_says_who_compiled": (
        "tests/cli/test_authoring.py::test_compile_reports_as_lint_does"
    ),
    "tests/linter/test_cache.py::test_fifty_kills_leave_whole_entries_or_none_and_no_litter": (
        "tests/linter/test_cache.py::test_an_entry_that_is_no_document_is_no_entry"
    ),
    "tests/linter/test_suppress.py::test_twice_the_comments_cost_twice": (
        "tests/linter/test_cost.py::test_twice_the_text_costs_little_more_than_twice"
    ),
    "tests/linter/test_cost.py::test_twice_the_lines_of_a_usual_script_cost_twice": (
        "tests/linter/test_cost.py::test_twice_the_text_costs_little_more_than_twice"
    ),
    "tests/linter/suggest/test_hints.py::test_in_mutants": (
        "tests/linter/test_first_hints.py::test_the_first_hint_says_what_to_write"
    ),
    "tests/lsp/test_hogs.py::test_an_error_of_a_cancelled_run_is_not_printed": (
        "tests/lsp/test_hogs.py::test_a_cancelled_run_is_answered_and_its_worker_ends"
    ),
    "tests/lsp/test_hogs.py::test_a_run_ends_when_the_server_is_shut_down": (
        "tests/lsp/test_hogs.py::test_nothing_goes_on_when_the_editor_or_the_server_is_gone"
    ),
    "tests/lsp/test_editors.py::test_answers_after_edits_are_those_of_a_fresh_text": (
        "tests/checker/test_recheck.py::test_an_edited_script_is_checked_as_if_it_were_new"
    ),
    "tests/syntax/test_lark_engine.py::test_generated_scripts": ("tests/syntax/test_lark_engine.py::test_samples"),
    "tests/sweeps/test_attacks.py::test_resume_takes_no_runs_of_another_text_of_an_imported_library": (
        "tests/sweeps/test_optimization.py::test_a_store_belongs_to_the_same_script_bars_and_settings"
    ),
    "tests/sweeps/test_attacks.py::test_random_combinations_are_the_ones_of_back_tests": (
        "tests/sweeps/test_optimization.py::test_every_figure_is_the_one_of_a_back_test_with_the_same_inputs"
    ),
    "tests/sweeps/test_attacks.py::test_a_back_test_that_ends_early_does_not_look_ahead_either": (
        "tests/sweeps/test_attacks.py::test_a_day_that_ends_after_the_cut_is_held_back_too"
    ),
    "tests/sweeps/test_attacks.py::test_symbols_of_the_sample_market_end_with_the_search": (
        "tests/sweeps/test_attacks.py::test_a_day_that_ends_after_the_cut_is_held_back_too"
    ),
    "tests/sweeps/test_optimization.py::test_a_journal_of_trials_that_a_kill_tore_is_begun_anew": (
        "tests/sweeps/test_optimization.py::test_a_killed_sweep_goes_on_where_it_was"
    ),
    "tests/tui/test_bursts.py::test_what_is_typed_for_a_question_that_comes_late_waits_for_it_or_is_given_up": (
        "tests/tui/test_drafts.py::test_a_key_before_the_question_can_be_seen_is_typed_and_answers_nothing"
    ),
    "tests/tui/test_footer.py::test_a_click_presses_the_key": (
        "tests/tui/test_footer.py::test_no_word_is_cut_and_no_message_stays_for_long"
    ),
    "tests/tui/test_ways_in_a_terminal.py::test_a_text_that_was_given_up_is_not_offered_again": (
        "tests/tui/test_ways_in_a_terminal.py::test_a_given_up_text_is_dropped_once_and_a_damaged_draft_is_named"
    ),
    "tests/tui/test_ways_in_a_terminal.py::test_one_letter_after_a_dot_brings_completions_however_quickly_it_comes": (
        "tests/tui/test_bursts.py::test_a_burst_is_the_same_as_its_keys"
    ),
    "tests/tui/test_editor.py::test_without_colours_there_are_none_and_what_they_show_is_seen": (
        "tests/tui/test_themes.py::test_other_colours_reach_every_part_that_is_open"
    ),
    "tests/tui/test_inputs.py::test_the_table_tells_who_gets_each_key": (
        "tests/tui/test_inputs.py::test_a_field_is_edited_as_a_line_of_a_shell"
    ),
    "tests/tui/test_workbench_session.py::test_a_title_that_is_too_long_says_that_it_is_cut": (
        "tests/tui/test_dialogs.py::test_no_answer_is_cut_off"
    ),
    "tests/tui/test_services.py::test_palette_help_and_colours": ("tests/tui/test_services.py::test_finding_ones_way"),
    "tests/evals/test_task_judge.py::test_our_solutions_pass_in_the_style_of_other_writers": (
        "tests/evals/test_task_judge.py::test_our_solution_passes"
    ),
    "tests/linter/test_repairs.py::test_slips_are_undone_or_left": (
        "tests/linter/test_repairs.py::test_what_was_meant_is_restored_or_the_script_is_left"
    ),
    "tests/runtime/test_every_builtin.py::test_kernels_on_prices_that_no_market_has_get_an_answer": (
        "tests/runtime/test_every_builtin.py::test_orders_on_prices_that_no_market_has_get_an_answer"
    ),
    "tests/api/test_run_results.py::test_a_run_says_which_tier_ran_it_and_both_give_the_same": (
        "tests/tools/test_check.py::test_a_run_tells_which_tier_ran_it_and_why"
    ),
    "tests/studio/test_script_runs.py::test_many_bars_run_as_machine_code_with_the_results_of_python": (
        "tests/studio/test_whole_history.py::test_the_tester_says_to_the_cent_what_the_command_line_says"
    ),
    "tests/cli/watch/test_one_door.py::test_samples_are_the_same_for_everybody": (
        "tests/cli/watch/test_one_door.py::test_a_library_on_disk_is_the_same_for_everybody"
    ),
    "tests/tradingview/test_waiting.py::test_a_page_that_says_nothing_is_hardly_asked": (
        "tests/tradingview/test_waiting.py::test_a_compile_asks_as_often_as_something_changes"
    ),
    "tests/tradingview/test_waiting.py::test_a_button_that_becomes_enabled_is_not_asked_after": (
        "tests/tradingview/test_waiting.py::test_a_compile_asks_as_often_as_something_changes"
    ),
    "tests/test_printable.py::test_no_character_of_unicode_is_forgotten": (
        "tests/test_printable.py::test_json_means_the_same"
    ),
    "tests/studio/test_alert_conditions.py::test_the_list_shows_the_bars_of_an_alert_and_changes_it": (
        "tests/studio/test_alert_conditions.py::"
        "test_alerts_on_plots_lines_and_scripts_fire_as_bars_come_and_as_often_as_asked"
    ),
    "tests/studio/test_assistant.py::test_a_page_that_is_loaded_again_may_go_on_with_its_last_conversation": (
        "tests/studio/test_assistant.py::test_the_panel_shows_words_tools_pictures_and_questions"
    ),
    "tests/studio/test_displays.py::test_a_bar_has_one_date_everywhere_and_a_day_has_no_time": (
        "tests/studio/test_displays.py::test_each_output_is_written_at_the_places_of_its_display_and_at_no_other"
    ),
    "tests/studio/test_drawing_tools.py::test_tools_and_the_drawing_bar_by_the_keyboard_alone": (
        "tests/studio/test_drawing_tools.py::test_the_keyboard_draws_selects_and_moves"
    ),
    "tests/studio/test_drawing_tools.py::test_a_finger_draws_as_a_mouse_does": (
        "tests/studio/test_drawing_tools.py::test_each_tool_draws_where_it_was_pointed"
    ),
    "tests/studio/test_drawing_tools.py::test_the_magnet_draws_to_prices_of_the_bar": (
        "tests/studio/test_drawing_tools.py::test_each_tool_draws_where_it_was_pointed"
    ),
    "tests/studio/test_drawing_tools.py::test_a_line_is_drawn_by_dragging_too_and_escape_takes_back": (
        "tests/studio/test_drawing_tools.py::test_each_tool_draws_where_it_was_pointed"
    ),
    "tests/studio/test_drawn.py::test_an_outline_has_the_labels_colour": (
        "tests/studio/test_drawn.py::test_labels_grow_with_their_size"
    ),
    "tests/studio/test_drawn.py::test_a_drag_moves_the_picture_of_a_heavy_script_and_nothing_looks_different": (
        "tests/studio/test_drawn.py::test_fills_have_no_seams"
    ),
    "tests/studio/test_faults.py::test_a_hidden_editor_still_compiles": (
        "tests/studio/test_faults.py::test_the_editor_is_found_written_and_read_back"
    ),
    "tests/studio/test_faults.py::test_a_slow_symbol_is_waited_for": (
        "tests/studio/test_faults.py::test_a_chart_that_is_not_ready_is_not_called_ready"
    ),
    "tests/studio/test_gallery.py::test_other_pictures_are_told_apart": (
        "tests/studio/test_gallery.py::test_a_script_is_drawn_as_it_was_seen"
    ),
    "tests/studio/test_inspector.py::test_breakpoints_lead_to_the_bars_where_they_are_hit": (
        "tests/studio/test_inspector.py::test_the_table_lists_all_names_and_leads_to_their_lines"
    ),
    "tests/studio/test_layouts.py::test_what_a_layout_cannot_show_is_said_by_name": (
        "tests/studio/test_layouts.py::test_a_layout_keeps_its_charts_with_their_studies_and_drawings"
    ),
    "tests/studio/test_look.py::test_the_editors_menu_has_a_background": (
        "tests/studio/test_look.py::test_the_buttons_of_the_header_are_in_one_row_at_any_width"
    ),
    "tests/studio/test_moves.py::test_a_date_is_gone_to_and_end_and_home_lead_to_the_ends": (
        "tests/studio/test_moves.py::test_what_was_done_to_the_charts_is_undone_and_done_again"
    ),
    "tests/studio/test_moves.py::test_templates_and_own_scripts_are_added_by_their_names": (
        "tests/studio/test_objects.py::test_the_list_of_indicators_shows_what_each_draws"
    ),
    "tests/studio/test_objects.py::test_a_trade_is_shown_and_marked": (
        "tests/studio/test_tester.py::test_the_panel_shows_figures_and_trades"
    ),
    "tests/studio/test_objects.py::test_the_drawing_that_comes_last_lies_on_top": (
        "tests/studio/test_objects.py::test_the_tree_lists_hides_locks_renames_moves_and_removes"
    ),
    "tests/studio/test_outside_client.py::test_side_panels_open_by_their_buttons_and_by_the_tabs_around_them": (
        "tests/studio/test_outside_client.py::test_the_first_calls_of_a_session_succeed"
    ),
    "tests/studio/test_own.py::test_a_file_of_the_folder_that_changes_is_shown": (
        "tests/studio/test_own.py::test_a_file_given_to_the_page_is_charted_and_kept_for_the_next_start"
    ),
    "tests/studio/test_panes_and_levels.py::test_a_drawing_in_the_pane_of_a_study_belongs_to_it": (
        "tests/studio/test_drawing_tools.py::test_a_drawing_is_selected_moved_reshaped_restyled_and_removed"
    ),
    "tests/studio/test_pictures.py::test_the_rows_of_the_list_show_their_pictures": (
        "tests/studio/test_objects.py::test_the_list_of_indicators_shows_what_each_draws"
    ),
    "tests/studio/test_settings.py::test_the_settings_of_a_chart_are_seen_at_once_and_kept_with_it": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_settings.py::test_each_kind_of_input_has_a_control_of_its_own": (
        "tests/studio/test_studies.py::test_the_dialog_asks_for_each_input_by_its_type_and_the_script_runs_again"
    ),
    "tests/studio/test_settings.py::test_a_locked_ratio_zooms_prices_with_bars": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_settings.py::test_the_style_tab_hides_all_drawings_of_a_kind": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_whole_history.py::test_more_that_is_shown_changes_no_result": (
        "tests/studio/test_whole_history.py::test_the_tester_says_to_the_cent_what_the_command_line_says"
    ),
    "tests/studio/test_together.py::test_a_step_of_a_replay_keeps_the_zoom": (
        "tests/studio/test_history.py::test_scrolling_back_loads_older_bars_and_moves_nothing"
    ),
    "tests/studio/test_page.py::test_no_text_freezes_the_page_when_it_is_saved_or_completed": (
        "tests/studio/test_page.py::test_a_megabyte_with_foreign_line_ends_is_read_back"
    ),
    "tests/tools/test_page_parts.py::test_enter_for_the_dialog_does_nothing_elsewhere": (
        "tests/tools/test_page_parts.py::test_a_symbol_is_typed_into_no_other_field"
    ),
    "tests/tools/test_page_parts.py::test_many_symbols_are_read_and_the_chart_is_put_back": (
        "tests/tools/test_morning_brief.py::test_a_brief_judges_each_symbol_and_is_kept"
    ),
    "tests/tools/test_page_parts.py::test_panes_are_arranged_focused_and_set": (
        "tests/tools/test_page_parts.py::test_layouts_are_listed_and_loaded"
    ),
    "tests/tools/test_page_parts.py::test_a_picture_is_kept_and_comes_along": (
        "tests/mcp/test_agent.py::test_a_picture_comes_as_content_beside_the_data"
    ),
    "tests/tools/test_mistakes.py::test_what_can_mean_one_thing_only_is_taken": (
        "tests/tools/test_mistakes.py::test_each_mistake_is_answered_so_that_the_next_call_is_right"
    ),
    "tests/tools/test_health.py::test_targets_are_listed_and_switched": (
        "tests/tools/test_page_parts.py::test_tabs_are_opened_listed_switched_and_closed"
    ),
    "tests/tools/test_drawing_alerts_replay.py::test_a_replay_that_ends_by_itself_has_not_stepped_or_traded": (
        "tests/tools/test_drawing_alerts_replay.py::test_replay_begins_steps_trades_and_stops"
    ),
    "tests/tools/test_drawing_alerts_replay.py::test_every_kind_of_drawing_is_made_with_its_points": (
        "tests/tools/test_drawing_alerts_replay.py::test_shapes_are_drawn_listed_described_and_removed"
    ),
    "tests/tools/test_chart_streams.py::test_a_stream_goes_on_after_the_page_was_loaded_anew": (
        "tests/tools/test_chart_streams.py::test_every_stream_says_something_at_once"
    ),
    "tests/tools/test_offline_charts.py::test_both_names_of_arguments_and_which_one_wins": (
        "tests/tools/test_offline_charts.py::test_the_default_indicators_and_the_names_as_requested"
    ),
    "tests/tools/test_conversation.py::test_six_readings_then_a_picture_then_the_report": (
        "tests/tools/test_conversation.py::"
        "test_one_of_three_calls_needs_consent_and_only_an_allowed_one_changes_the_text"
    ),
    "tests/tools/test_account_tools.py::test_an_alert_on_an_alertcondition_is_read_back_and_logged": (
        "tests/tools/test_drawing_alerts_replay.py::test_alerts_are_made_listed_changed_and_deleted"
    ),
    "tests/tools/test_strategy.py::test_other_inputs_and_other_symbols_have_their_own_report": (
        "tests/tools/test_strategy.py::test_the_figures_are_those_of_the_tester"
    ),
    "tests/tools/test_chart.py::test_indicators_are_searched_and_added_as_a_person_does": (
        "tests/tools/test_chart.py::test_an_indicator_that_is_not_there_or_has_no_such_input_adds_nothing"
    ),
    "tests/tools/test_sweeps.py::test_an_answer_says_how_many_entries_of_its_lists_are_left_out": (
        "tests/tools/test_pages.py::test_whatever_a_result_holds_it_fits_and_nothing_of_it_is_lost"
    ),
    "tests/tradingview/test_commands.py::test_standard_input_is_pushed": (
        "tests/tradingview/test_commands.py::test_what_is_pushed_can_be_pulled"
    ),
    "tests/tradingview/test_commands.py::test_the_environment_names_the_port": (
        "tests/tradingview/test_commands.py::test_what_is_pushed_can_be_pulled"
    ),
    "tests/tradingview/test_doctor.py::test_a_dialog_of_the_browser_stays_open": (
        "tests/tradingview/test_editor.py::test_a_question_about_anything_else_is_told_and_left_to_a_person"
    ),
    "tests/studio/test_desk.py::test_a_style_changes_the_look_and_no_number": (
        "tests/studio/test_settings_seen.py::test_style_and_visibility_are_seen"
    ),
    "tests/studio/test_desk.py::test_the_data_window_has_what_is_displayed_nowhere_else": (
        "tests/studio/test_displays.py::test_each_output_is_written_at_the_places_of_its_display_and_at_no_other"
    ),
    "tests/studio/test_dialogs.py::test_the_focus_stays_in_a_dialog_and_returns_to_where_it_was": (
        "tests/studio/test_dialogs.py::test_arrows_move_in_a_menu"
    ),
    "tests/studio/test_displays.py::test_labels_have_the_unit_of_their_scale_and_the_last_price_is_never_covered": (
        "tests/studio/test_drawn.py::test_labels_grow_with_their_size"
    ),
    "tests/studio/test_drawing_tools.py::test_a_text_is_asked_for_and_nothing_is_drawn_without_one": (
        "tests/studio/test_drawing_tools.py::test_each_tool_draws_where_it_was_pointed"
    ),
    "tests/studio/test_drawn.py::test_the_scale_can_be_inverted_logarithmic_and_in_percent": (
        "tests/studio/test_drawn.py::test_a_built_in_is_drawn_as_soon_as_it_is_added"
    ),
    "tests/studio/test_editor.py::test_members_fields_and_named_arguments_are_offered_and_taken": (
        "tests/studio/test_editor_answers.py::test_any_place_of_any_text_has_an_answer"
    ),
    "tests/studio/test_faults.py::test_faults_can_be_named_in_the_address": (
        "tests/studio/test_faults.py::test_a_chart_that_is_not_ready_is_not_called_ready"
    ),
    "tests/studio/test_inspector.py::test_why_of_an_expression_and_of_a_trade": (
        "tests/tools/test_check.py::test_run_says_why_a_plot_has_no_value"
    ),
    "tests/studio/test_objects.py::test_the_chart_has_a_menu_where_it_is_asked_for": (
        "tests/studio/test_dialogs.py::test_arrows_move_in_a_menu"
    ),
    "tests/studio/test_page.py::test_a_first_visit_fetches_little": (
        "tests/studio/test_page.py::test_the_page_asks_nobody_but_its_own_server"
    ),
    "tests/studio/test_page.py::test_charts_can_be_arranged_and_focused": (
        "tests/studio/test_page.py::test_every_arrangement_fills_the_place"
    ),
    "tests/studio/test_page.py::test_a_symbol_is_added_to_the_watchlist_by_keyboard": (
        "tests/studio/test_dialogs.py::test_typing_on_the_chart_asks_for_a_symbol"
    ),
    "tests/studio/test_page.py::test_symbol_and_resolution_changed_together_are_one_change": (
        "tests/studio/test_reload.py::test_symbol_interval_type_and_studies_survive_a_reload"
    ),
    "tests/studio/test_pine_logs.py::test_logs_are_listed_by_level_and_lead_to_their_line": (
        "tests/tools/test_pine.py::test_what_scripts_log_is_read_with_level_and_bar_time"
    ),
    "tests/studio/test_tester.py::test_the_report_has_the_shape_that_clients_read": (
        "tests/tools/test_strategy.py::test_the_figures_are_those_of_the_tester"
    ),
    "tests/studio/test_watchlists.py::test_changes_one_after_another_are_all_seen_until_they_are_stored": (
        "tests/studio/test_watchlists.py::"
        "test_requests_of_the_page_are_answered_in_order_after_what_the_page_has_not_stored_yet"
    ),
    "tests/studio/test_watchlists.py::test_sections_are_added_moved_and_taken_away_on_the_page": (
        "tests/studio/test_watchlists.py::test_a_row_that_is_not_stored_yet_outlives_a_list_that_another_page_replaces"
    ),
    "tests/studio/test_market.py::test_indicators_are_chosen_with_the_keyboard": (
        "tests/studio/test_objects.py::test_the_list_of_indicators_shows_what_each_draws"
    ),
    "tests/studio/test_studies.py::test_an_interval_that_a_script_asks_for_is_offered": (
        "tests/studio/test_studies.py::test_the_dialog_asks_for_each_input_by_its_type_and_the_script_runs_again"
    ),
    "tests/studio/test_compare.py::test_the_chart_agrees": (
        "tests/studio/test_page.py::test_computed_indicators_agree_with_a_computation_by_hand"
    ),
    "tests/tools/test_drawing_alerts_replay.py::test_an_alert_fires_when_replayed_bars_cross_it": (
        "tests/tools/test_drawing_alerts_replay.py::test_replay_begins_steps_trades_and_stops"
    ),
    "tests/tools/test_conversation.py::test_a_closed_editor_is_opened": (
        "tests/tradingview/test_editor.py::test_a_closed_editor_is_opened"
    ),
    "tests/tools/test_offline_charts.py::test_an_average_is_one_line_of_its_length": (
        "tests/tools/test_offline_charts.py::test_the_default_indicators_and_the_names_as_requested"
    ),
    "tests/tools/test_pine.py::test_where_studies_keep_no_logs_the_panel_is_read": (
        "tests/tools/test_pine.py::test_what_scripts_log_is_read_with_level_and_bar_time"
    ),
    "tests/tools/test_chart.py::test_state_is_what_the_page_says": (
        "tests/tools/test_health.py::test_health_names_the_page_and_what_it_shows"
    ),
    "tests/tradingview/test_commands.py::test_a_copy_that_cannot_be_kept_is_said": (
        "tests/tradingview/test_commands.py::test_failures_have_their_exit_codes"
    ),
    "tests/tradingview/test_waiting.py::test_an_editor_that_comes_up_late_is_waited_for_there": (
        "tests/tradingview/test_editor.py::test_a_text_that_the_starting_page_replaces_is_written_again"
    ),
    "tests/engine/test_alerts.py::test_what_comes_from_a_script_with_an_own_version_of_a_library_says_so_everywhere": (
        "tests/cli/test_own_versions.py::test_commands_that_run_a_script_with_an_own_version"
    ),
    "tests/engine/test_alerts.py::test_prices_of_later_bars_do_not_wait_for_scripts_of_earlier_ones": (
        "tests/engine/cluster/test_together.py::test_a_members_prices_do_not_wait_for_scripts"
    ),
    "tests/lsp/test_hogs.py::test_a_crash_and_bars_that_are_none_end_only_their_own_runs": (
        "tests/mcp/test_holding.py::test_a_crash_and_bars_that_are_none_end_only_their_own_calls"
    ),
    "tests/cli/watch/test_watcher.py::test_a_folder_of_2000_scripts_is_watched_and_costs_nothing_while_idle": (
        "tests/cli/watch/test_watcher.py::test_500_scripts_saved_at_once_are_all_compiled"
    ),
    "tests/api/test_sweep_functions.py::test_a_grid_that_is_too_large_says_the_arguments_that_make_it_smaller": (
        "tests/sweeps/test_optimization.py::test_a_wrong_plan_is_refused"
    ),
    "tests/tui/test_file_commands.py::test_problems_there_and_back_and_explained": (
        "tests/tui/test_findings.py::test_findings_follow_the_text"
    ),
    "tests/tui/test_assistant.py::test_goals_are_pursued_on_the_bars": (
        "tests/authoring/test_goals.py::test_a_draft_that_never_ends_is_ended_and_told_and_the_next_one_finishes"
    ),
    "tests/tui/test_assistant.py::test_tools_are_shown_as_they_run_and_their_results_on_demand": (
        "tests/agent/test_chat.py::test_words_come_as_they_arrive_and_the_cost_at_the_end"
    ),
    "tests/tui/test_assistant.py::test_uses_of_a_library_without_its_text_are_told_as_not_checked": (
        "tests/cli/test_authoring.py::test_compile_says_which_libraries_it_did_not_read"
    ),
    "tests/tui/test_view_commands.py::test_the_middle_button_pastes_at_the_mouse": (
        "tests/tui/test_bursts.py::test_a_burst_is_the_same_as_its_keys"
    ),
    "tests/tui/test_chart.py::test_without_a_chart_one_panel_says_so": (
        "tests/tui/test_chart.py::test_trouble_is_told_once_and_the_chart_again_when_it_is_back"
    ),
    "tests/compiled/test_indicators.py::test_a_drawing_that_stops_the_script_is_not_left_out_of_a_sweep": (
        "tests/compiled/test_drawing_calls.py::test_random_scripts_that_show_something_are_the_same_on_both_tiers"
    ),
    "tests/studio/test_optimizer_runs.py::test_the_tab_finds_the_best_and_a_click_puts_its_inputs_onto_the_chart": (
        "tests/tools/test_sweeps.py::test_optimizing_gives_the_best_with_its_held_back_bars_and_a_verdict"
    ),
    "tests/studio/test_portfolio.py::test_the_tab_tests_the_strategy_on_symbols_of_the_watchlist": (
        "tests/tools/test_sweeps.py::test_a_portfolio_has_the_numbers_of_the_other_faces"
    ),
    "tests/studio/test_desk.py::test_a_script_that_takes_long_is_spoken_of_and_can_be_stopped": (
        "tests/studio/test_script_runs.py::test_a_script_that_never_ends_is_stopped_and_the_next_one_runs"
    ),
    "tests/indicators/test_payload.py::test_an_indicator_without_its_feed_says_so_and_shows_nothing": (
        "tests/indicators/test_drawn_built_ins.py::test_what_is_not_there_is_said_and_no_number_is_made_up"
    ),
    "tests/reference/test_recipe.py::test_both_tiers_run_it": (
        "tests/compiled/test_indicators.py::"
        "test_random_scripts_with_the_whole_language_have_the_bits_of_the_python_tier"
    ),
}
"""The functions that only `make soak` runs, each with the one of `make test` that shows the same kind of thing."""


@cache
def slow_functions() -> frozenset[str]:
    """The functions that are too slow for `make quick`, such as `tests/x/test_y.py::test_z`."""
    lines = SLOW_LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[1] for line in lines if not line.startswith("#"))


def quick(nodes: Iterable[str]) -> set[str]:
    """The tests among `nodes` that `make quick` runs."""
    tests: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        function = node.partition("[")[0]
        if function.startswith(QUICK) and function not in slow_functions():
            tests[function].append(node)
    return {node for given in tests.values() for node in given[:: -(-len(given) // FEW)]}


def left_to_soak(nodes: Iterable[str]) -> set[str]:
    """The tests among `nodes` that `make test` does not run: of the functions in AT_NIGHT all, of SAMPLED most."""
    tests: dict[str, list[str]] = defaultdict(list)
    left: set[str] = set()
    for node in nodes:
        function = node.partition("[")[0]
        if function in AT_NIGHT:
            left.add(node)
        if function in SAMPLED:
            tests[function].append(node)
    for function, given in tests.items():
        few = SAMPLED[function]
        kept = {place * len(given) // few for place in range(few)}
        left |= {node for place, node in enumerate(given) if place not in kept}
    return left
