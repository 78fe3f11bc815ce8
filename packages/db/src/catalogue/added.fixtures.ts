import { ADDED_TO_EXTENSIONS } from './added-to-extensions.fixtures.ts'
import { LOCK_ROLES } from './lock-roles.fixtures.ts'
import { each, type Mutation } from './mutation.fixtures.ts'

/** What somebody can add, or change in what belongs to no table. The owner is the administrator: a superuser. */
export const ADDED: readonly Mutation[] = [
  ...each('added function', [
    ['procedure mutated()', `create procedure mutated() language sql security definer as 'select 1'`],
    ['function mutated()', `create function mutated() returns integer language sql security definer as 'select 1'`],
    ['aggregate mutated(integer)', 'create aggregate mutated(integer) (sfunc = int4pl, stype = integer)'],
    [
      'window function mutated()',
      `create function mutated() returns bigint language internal window as 'window_row_number'`,
    ],
    ['function uuidv7(text)', `create function uuidv7(text) returns uuid language sql as 'select gen_random_uuid()'`],
    ['procedure uuidv7(uuid)', `create procedure uuidv7(uuid) language sql as 'select 1'`],
    [
      'function uuidv7()',
      `create or replace function public.uuidv7() returns uuid language sql security definer as 'select gen_random_uuid()'`,
    ],
  ]),
  ...ADDED_TO_EXTENSIONS,
  ...each(
    'role',
    [
      ['role tendon_definer', 'alter role tendon_definer login'],
      ['role tendon_owner', 'alter role tendon_owner login'],
      ['role tendon_owner', 'alter role tendon_owner bypassrls'],
      ['role tendon_platform', 'alter role tendon_platform superuser'],
      ['role tendon_definer', 'alter role tendon_definer createrole'],
      ['role tendon_worker', 'alter role tendon_worker noinherit'],
      ['role tendon_app', 'alter role tendon_app nologin'],
      ['role tendon_telemetry', 'alter role tendon_telemetry replication'],
      ['role tendon_platform', 'grant pg_read_server_files to tendon_platform'],
      [
        'role tendon_definer',
        'grant tendon_owner to tendon_platform; grant pg_execute_server_program to tendon_definer',
      ],
      ['role tendon_worker', 'grant tendon_app to tendon_worker with admin option'],
      ['role tendon_owner', 'revoke tendon_definer from tendon_owner'],
    ],
    `${LOCK_ROLES}; `,
  ),
  ...each('default privileges', [
    [
      'default privileges of tendon_owner in public on tables',
      'alter default privileges for role tendon_owner in schema public grant select on tables to tendon_app',
    ],
    [
      'default privileges of tendon_owner in public on tables',
      'alter default privileges for role tendon_owner in schema public revoke select on tables from tendon_definer',
    ],
    [
      'default privileges of tendon_definer on functions',
      'alter default privileges for role tendon_definer grant execute on functions to public',
    ],
    [
      'default privileges of tendon_owner on functions',
      'alter default privileges for role tendon_owner grant execute on functions to tendon_app',
    ],
    [
      'default privileges of postgres on tables',
      'alter default privileges for role postgres grant select on tables to tendon_app',
    ],
    [
      'default privileges of tendon_platform on schemas',
      'alter default privileges for role tendon_platform grant usage on schemas to public',
    ],
  ]),
  ...each('other object', [
    ['schema public', 'grant create on schema public to tendon_app'],
    ['schema public', 'grant usage on schema public to public'],
    ['schema public', 'alter schema public owner to tendon_platform'],
    ['schema graphile_worker', 'grant usage on schema graphile_worker to tendon_app'],
    ['extension unaccent', 'alter extension unaccent set schema graphile_worker'],
    [
      'extension btree_gist',
      'update pg_extension set extowner = (select oid from pg_roles where rolname = $$tendon_app$$) where extname = $$btree_gist$$',
    ],
    ['text search dictionary mutated', 'create text search dictionary mutated (template = simple)'],
    ['text search configuration mutated', 'create text search configuration mutated (copy = simple)'],
    ['type caller', 'alter type caller add attribute mutated integer'],
    ['type mutated', `create type mutated as enum ('a')`],
    ['type mutated', 'create domain mutated as text'],
    ['collation mutated', `create collation mutated (provider = icu, locale = 'und', deterministic = false)`],
    ['operator ===(uuid,uuid)', 'create operator === (leftarg = uuid, rightarg = uuid, function = uuid_ne)'],
    [
      'operator class mutated using hash',
      'create operator class mutated for type uuid using hash as operator 1 =, function 1 uuid_hash(uuid)',
    ],
    ['conversion mutated', `create conversion mutated for 'LATIN1' to 'UTF8' from iso8859_1_to_utf8`],
    ['view mutated', 'create view mutated with (security_invoker = true) as select 1 as n'],
    [
      'system function uuid_eq(uuid,uuid)',
      `create or replace function pg_catalog.uuid_eq(uuid, uuid) returns boolean language internal immutable strict as 'uuid_ne'`,
    ],
    [
      'system function current_setting(text,boolean)',
      `create or replace function pg_catalog.current_setting(text, boolean) returns text language sql stable as 'select $$*$$'`,
    ],
  ]),
]
