import type { Break } from './breaks.fixtures.ts'

const RESTRICTED = ['tendon_app', 'tendon_worker', 'tendon_telemetry']

/** For every rule about what is beside the schema public at least one way to break it, and what must be found then. */
export const BREAKS_BESIDE: Break[] = [
  {
    how: 'a login past row-level security',
    ddl: 'alter role tendon_app bypassrls',
    found: [['login-bound', 'tendon_app']],
  },
  {
    how: 'a login that makes roles',
    ddl: 'alter role tendon_worker createrole',
    found: [['login-bound', 'tendon_worker']],
  },
  {
    how: 'a login that can become the privileged one',
    ddl: 'grant tendon_platform to tendon_telemetry with inherit false',
    found: [['login-alone', 'tendon_telemetry as tendon_platform']],
  },
  {
    how: 'a login that creates in the schema of the definer functions',
    ddl: 'grant create on schema public to tendon_platform',
    found: [['login-creates-nothing', 'tendon_platform in schema public']],
  },
  {
    how: 'a login that makes temporary tables, which hide all others of the same name',
    ddl: `do $$ begin execute format('grant temporary on database %I to tendon_telemetry', current_database()); end $$`,
    found: [['login-creates-nothing', 'tendon_telemetry in this database']],
  },
  {
    how: 'a schema where no rule looks',
    ddl: 'create schema aside; grant usage on schema aside to tendon_telemetry',
    found: [['schema-reach', 'tendon_telemetry in aside']],
  },
  {
    how: 'somebody who can act as the role of the definer functions',
    ddl: 'create role mutated login; grant tendon_definer to mutated',
    found: [['members-administer', 'mutated as tendon_definer']],
  },
  {
    how: 'a login that creates among the functions of PostgreSQL',
    ddl: 'grant create on schema pg_catalog to tendon_telemetry',
    found: [['login-creates-nothing', 'tendon_telemetry in schema pg_catalog']],
  },
  {
    how: 'a definer function in the schema of the jobs',
    ddl: `create function graphile_worker.mutated() returns integer language sql security definer as 'select 1'`,
    found: [['jobs-own', 'function graphile_worker.mutated()']],
  },
  {
    how: 'a view in the schema of the jobs',
    ddl: 'create view graphile_worker.mutated as select * from public.humans',
    found: [['jobs-own', 'relation graphile_worker.mutated']],
  },
  {
    how: 'a language in which logins can write',
    ddl: `create trusted language mutated handler plpgsql_call_handler`,
    found: RESTRICTED.map((login) => ['language-reach', `${login} in mutated`]),
  },
  {
    how: 'another server that a login reaches',
    ddl: `create foreign data wrapper mutated; create server aside foreign data wrapper mutated; grant usage on foreign server aside to tendon_telemetry`,
    found: [['foreign-reach', 'tendon_telemetry on server aside']],
  },
  {
    how: 'a foreign-data wrapper that a login uses',
    ddl: 'create foreign data wrapper mutated; grant usage on foreign data wrapper mutated to tendon_telemetry',
    found: [['foreign-reach', 'tendon_telemetry on foreign-data wrapper mutated']],
  },
  {
    how: 'a large object that everybody reads',
    ddl: 'select lo_create(4711); grant select on large object 4711 to public',
    found: [['no-large-objects', 'large object 4711']],
  },
  {
    how: 'a large object of a login',
    ddl: 'select lo_create(4711); alter large object 4711 owner to tendon_app',
    found: [['no-large-objects', 'large object 4711']],
  },
  {
    how: 'a login that may switch triggers off',
    ddl: 'grant set on parameter session_replication_role to tendon_app',
    found: [['parameter-grant', 'session_replication_role by tendon_app']],
  },
  {
    how: 'a function in the schema of PostgreSQL',
    ddl: `create function pg_catalog.mutated() returns uuid language sql as 'select gen_random_uuid()'`,
    found: [['system-schema', 'function mutated()']],
  },
  {
    how: 'uuidv7 in the schema of PostgreSQL, with another signature',
    ddl: `create function pg_catalog.uuidv7(text) returns uuid language sql as 'select gen_random_uuid()'`,
    found: [['system-schema', 'function uuidv7(text)']],
  },
  {
    how: 'a function that hides in the schema of PostgreSQL, in an extension',
    ddl: `create function pg_catalog.mutated() returns integer language sql as 'select 1'; alter extension citext add function pg_catalog.mutated()`,
    found: [['system-schema', 'function mutated()']],
  },
  {
    how: 'a view in a schema of PostgreSQL',
    ddl: 'create view information_schema.mutated as select * from humans',
    found: [['system-schema', 'relation information_schema.mutated']],
  },
  {
    how: 'an operator in the schema of PostgreSQL',
    ddl: 'create operator pg_catalog.=== (leftarg = uuid, rightarg = uuid, function = uuid_ne)',
    found: [['system-schema', 'operator ===(uuid,uuid)']],
  },
  {
    how: 'a type in the schema of PostgreSQL',
    ddl: 'create domain information_schema.mutated as text',
    found: [['system-schema', 'type information_schema.mutated']],
  },
  {
    how: 'a function of PostgreSQL with the rights of its owner',
    ddl: 'alter function pg_catalog.pg_read_file(text) security definer',
    found: [['system-function', 'pg_read_file(text)']],
  },
  {
    how: 'a function of PostgreSQL in another language',
    ddl: `create or replace function pg_catalog.pg_sleep(double precision) returns void language plpgsql as 'begin end'`,
    found: [['system-function', 'pg_sleep(double precision)']],
  },
  {
    how: 'an operator in the comparison of integers',
    ddl: 'alter operator family integer_ops using btree add operator 1 < (uuid, uuid)',
    found: [['system-operators', '<(uuid,uuid) in integer_ops']],
  },
  {
    how: 'a function in the comparison of integers',
    ddl: 'alter operator family integer_ops using btree add function 1 (uuid, uuid) uuid_cmp(uuid, uuid)',
    found: [['system-operators', 'uuid_cmp in integer_ops']],
  },
  {
    how: 'the files of the server for a login',
    ddl: 'grant execute on function pg_read_file(text) to tendon_app',
    found: [['system-grant', 'execute on pg_read_file(text) to tendon_app']],
  },
  {
    how: 'the passwords for everybody',
    ddl: 'grant select on pg_authid to public',
    found: [['system-grant', 'select on pg_authid to public']],
  },
  {
    how: 'a column of the passwords for a login',
    ddl: 'grant select (rolpassword) on pg_authid to tendon_telemetry',
    found: [['system-grant', 'select on pg_authid.rolpassword to tendon_telemetry']],
  },
  {
    how: 'a cast that compares what must not be compared',
    ddl: 'create cast (text as uuid) with inout as implicit',
    found: [['no-own-casts', 'cast from text to uuid']],
  },
  {
    how: 'a cast that hides in an extension of another tool',
    ddl: 'create cast (text as uuid) with inout as implicit; create extension pgcrypto; alter extension pgcrypto add cast (text as uuid)',
    found: [['no-own-casts', 'cast from text to uuid']],
  },
  {
    how: 'a compiled function in the schema of PostgreSQL, in one of our extensions',
    ddl: `create function pg_catalog.mutated(citext, text) returns boolean language c as '$libdir/citext', 'citext_ne'; alter extension citext add function pg_catalog.mutated(citext, text)`,
    found: [['system-schema', 'function mutated(citext,text)']],
  },
  {
    how: 'a compiled function with the name of one of ours in the schema of PostgreSQL, in an extension of another tool',
    ddl: `create extension pgcrypto; create function pg_catalog.search_patients(text) returns void language c as '$libdir/pgcrypto', 'pg_dearmor'; alter extension pgcrypto add function pg_catalog.search_patients(text)`,
    found: [['system-schema', 'function search_patients(text)']],
  },
  {
    how: 'an operator in the schema of PostgreSQL, in an extension',
    ddl: 'create operator pg_catalog.=== (leftarg = uuid, rightarg = uuid, function = uuid_ne); alter extension citext add operator pg_catalog.=== (uuid, uuid)',
    found: [['system-schema', 'operator ===(uuid,uuid)']],
  },
  {
    how: 'a type in the schema of PostgreSQL, in an extension',
    ddl: 'create domain pg_catalog.mutated as text; alter extension citext add domain pg_catalog.mutated',
    found: [['system-schema', 'type mutated']],
  },
  {
    how: 'an event trigger',
    ddl: `create schema aside; create function aside.f() returns event_trigger language plpgsql as 'begin end';
      create event trigger mutated on ddl_command_end execute function aside.f()`,
    found: [['no-event-triggers', 'mutated']],
  },
  {
    how: 'rows of another server',
    ddl: `create subscription mutated connection 'host=127.0.0.1' publication mutated with (connect = false)`,
    found: [['no-subscriptions', 'mutated']],
  },
  {
    how: 'an index that calls a function of another schema',
    ddl: `create schema aside; create function aside.f(uuid) returns uuid language sql immutable as 'select $1'; create index mutated on humans (aside.f(id))`,
    found: [['functions-in-public', 'index mutated']],
  },
  {
    how: 'a login whose sessions fire no triggers',
    ddl: 'alter role tendon_telemetry set session_replication_role = replica',
    found: [
      [
        'setting',
        "session_replication_role = 'replica' of role tendon_telemetry",
        'replica switches triggers and foreign keys off. Run: alter role tendon_telemetry reset session_replication_role',
      ],
    ],
  },
  {
    how: 'permissions that every session has',
    ddl: `alter role all set app.permissions = '*'`,
    found: [
      [
        'setting',
        "app.permissions = '*' of role all",
        'the context of a request: with a value here, a session without a caller acts for somebody. Run: alter role all reset app.permissions',
      ],
    ],
  },
]
