/** What an operator may do to a database, its roles and its cluster without being refused. Each runs in a transaction. */
export const HARMLESS_CHANGES: readonly [what: string, ddl: string][] = [
  [
    'limits for a login',
    `alter role tendon_app set statement_timeout = '20s'; alter role tendon_app connection limit 50; alter role tendon_worker valid until '2099-01-01'`,
  ],
  [
    'logging for a login',
    `alter role tendon_app set log_min_duration_statement = 250; alter role tendon_platform set log_statement = 'ddl'`,
  ],
  [
    'memory and plans for all',
    `alter role all set work_mem = '16MB'; alter role tendon_worker set enable_seqscan = off`,
  ],
  [
    'a slow-query library for a login',
    `alter role tendon_app set session_preload_libraries = 'auto_explain'; alter role tendon_app set auto_explain.log_min_duration = '1s'`,
  ],
  [
    'a dangerous setting with its usual value',
    `alter role tendon_app set search_path = "$user", public; alter role tendon_worker set row_security = on; alter role tendon_platform set session_replication_role = 'origin'`,
  ],
  ['settings of another tool under the same prefix', `alter role tendon_app set app.settings_of_another_tool = 'x'`],
  [
    'an unrelated role with dangerous settings',
    `create role unrelated login superuser; alter role unrelated set session_replication_role = replica; alter role unrelated set search_path = aside`,
  ],
  [
    'an unrelated group and its members',
    'create role reporting; create role reader login in role reporting; grant pg_read_all_stats to reporting',
  ],
  ['an administrator of the roles', 'create role chief login createrole; grant tendon_owner, tendon_definer to chief'],
  [
    'default privileges between other roles',
    'create role unrelated; alter default privileges for role unrelated grant select on tables to public',
  ],
  [
    'storage of tables',
    'alter table patients set (autovacuum_vacuum_scale_factor = 0.01, fillfactor = 80, toast.autovacuum_enabled = true)',
  ],
  [
    'storage of indexes',
    `do $$ declare i record; begin for i in select indexrelid::regclass as name from pg_index join pg_class c on c.oid = indrelid
      where c.relnamespace = 'public'::regnamespace and indisunique and c.relname in ('humans', 'holds', 'time_claims') and not indisexclusion
    loop execute format('alter index %s set (fillfactor = 70)', i.name); end loop; end $$`,
  ],
  ['an index for speed', 'create index operator_speed_idx on patients (created_at, organization_id)'],
  [
    'an index that is being rebuilt',
    `create unique index humans_email_key_ccnew on humans (email);
    update pg_index set indisvalid = false where indexrelid = 'humans_email_key_ccnew'::regclass`,
  ],
  [
    'statistics and comments',
    `create statistics patients_stats on organization_id, created_at from patients; alter table patients alter column created_at set statistics 500; comment on table patients is 'x'; analyze plans`,
  ],
  [
    'replication to other servers',
    'alter table patients replica identity full; create publication reports for all tables',
  ],
  [
    'a rule that was made and dropped',
    'create rule tried as on insert to plans do also nothing; drop rule tried on plans',
  ],
  [
    'a schema of another tool',
    `create schema tool; create table tool.notes (n integer); create function tool.f() returns integer language sql security definer as 'select 1';
    create view tool.everyone as select * from public.humans; create type tool.kind as enum ('a'); create cast (tool.kind as text) with inout as assignment`,
  ],
  [
    'a table of another tool that refers to ours',
    'create schema tool; create table tool.notes (id uuid primary key references public.organizations (id))',
  ],
  [
    'another server that no login reaches',
    'create foreign data wrapper tool; create server elsewhere foreign data wrapper tool',
  ],
  [
    'an event trigger that is disabled',
    `create schema tool; create function tool.f() returns event_trigger language plpgsql as 'begin end';
    create event trigger tool on ddl_command_end execute function tool.f(); alter event trigger tool disable`,
  ],
  ['a large object of the administrator', 'select lo_create(4711)'],
  [
    'a monitoring extension in its own schema',
    'create schema monitoring; create extension pg_stat_statements schema monitoring',
  ],
  [
    'a monitoring extension in the schema public',
    'create extension pg_stat_statements; create extension pg_buffercache; create extension pgcrypto',
  ],
  [
    'a type of another tool with its operators and casts, in a schema of its own',
    'create schema tool; create extension hstore schema tool; create extension ltree schema tool',
  ],
  ['a setting that a role may set', 'grant set on parameter log_min_duration_statement to tendon_app'],
]
