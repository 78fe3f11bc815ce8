/** Why an operator may give these to a role or a database. Together with DANGEROUS: every setting of PostgreSQL. */
export const HARMLESS: readonly [names: RegExp, reason: string][] = [
  [
    /^(log_|track_|debug_|trace_|client_min_messages$|backtrace_functions$|update_process_title$|application_name$|compute_query_id$|md5_password_warnings$)/,
    'says what is logged and measured; what logs may contain is the operator’s duty',
  ],
  [
    /^(enable_|geqo|jit|cpu_|parallel_|from_collapse_limit$|join_collapse_limit$|cursor_tuple_fraction$|plan_cache_mode$|constraint_exclusion$|recursive_worktable_factor$|default_statistics_target$|force_parallel_mode$|(random|seq)_page_cost$|effective_|synchronize_seqscans$|stats_fetch_consistency$)/,
    'chooses between plans that give the same rows',
  ],
  [
    /(_timeout$|^deadlock_timeout$|^tcp_|^client_connection_check_interval$|^post_auth_delay$)/,
    'ends what takes too long: the server answers 503 and changes nothing',
  ],
  [
    /(_mem$|^hash_mem_multiplier$|^temp_(buffers|file_limit)$|^max_(stack_depth|parallel_)|^min_parallel_|_io_concurrency$|^io_combine_limit$|^backend_flush_after$|^gin_pending_list_limit$)/,
    'memory and workers',
  ],
  [
    /^(vacuum_|wal_|commit_|synchronous_commit$|file_copy_method$|default_toast_compression$|default_tablespace$|temp_tablespaces$|default_table_access_method$|allow_in_place_tablespaces$)/,
    'storage, and how much a crash may cost: for the operator to weigh',
  ],
  [/^(client_encoding|timezone|timezone_abbreviations)$/, 'every connection of the platform says its own'],
  [
    /^(lc_|default_text_search_config$|icu_validation_level$|xmlbinary$|xmloption$|bytea_output$|quote_all_identifiers$)/,
    'the platform uses no text that depends on it, and the check sets its own',
  ],
  [
    /^(backslash_quote|escape_string_warning)$/,
    'values travel beside the statement, and the few that do not double their quotes',
  ],
  [/^(default_)?transaction_(deferrable|read_only)$/, 'writes fail, and nothing else changes'],
  [/^transaction_isolation$/, 'of one transaction; PostgreSQL does not keep it for a role'],
  [
    /^(check_function_bodies|createrole_self_grant|event_triggers|extension_control_path|extension_destdir|output_plugin_libraries|password_encryption|restrict_nonsystem_relation_kind|scram_iterations|exit_on_error)$/,
    'matters to administrators’ commands only, or ends a session at an error',
  ],
  [/^composite_type_mismatch$/, 'turns a mistake into an error'],
]
