import { each, type Mutation } from './mutation.fixtures.ts'

const EVIL = `create function evil(citext, text) returns boolean language c immutable strict as '$libdir/citext', 'citext_ne'; `

/** What somebody can hide in an extension, or change in what an extension brought. */
export const ADDED_TO_EXTENSIONS: readonly Mutation[] = [
  ...each('object added to an extension', [
    [
      'function mutated()',
      `create function mutated() returns integer language sql as 'select 1'; alter extension citext add function mutated()`,
    ],
    [
      'function mutated()',
      `create function mutated() returns void language plpgsql security definer as 'begin end'; alter extension unaccent add function mutated()`,
    ],
    [
      'function mutated(cstring)',
      `create function mutated(cstring) returns citext language internal security definer as 'textin'; alter extension pg_trgm add function mutated(cstring)`,
    ],
    [
      'procedure mutated()',
      `create procedure mutated() language sql as 'select 1'; alter extension citext add procedure mutated()`,
    ],
    [
      'aggregate mutated(integer)',
      'create aggregate mutated(integer) (sfunc = int4pl, stype = integer); alter extension citext add aggregate mutated(integer)',
    ],
    ['table mutated', 'create table mutated (n integer); alter extension citext add table mutated'],
    ['view mutated', 'create view mutated as select * from humans; alter extension citext add view mutated'],
    [
      'materialized view mutated',
      'create materialized view mutated as select 1 as n; alter extension citext add materialized view mutated',
    ],
    ['sequence mutated', 'create sequence mutated; alter extension citext add sequence mutated'],
    ['table patients', 'alter extension citext add table patients'],
    ['function search_patients(text)', 'alter extension citext add function search_patients(text)'],
    ['function citext_eq(citext,citext)', 'alter function citext_eq(citext, citext) security definer'],
    ['function citext_eq(citext,citext)', 'alter extension citext drop function citext_eq(citext, citext)'],
    ['function regexp_match(citext,citext)', `alter function regexp_match(citext, citext) set search_path = aside`],
    ['function unaccent(text)', 'alter function unaccent(text) leakproof'],
    ['function unaccent(text)', 'alter function unaccent(text) owner to tendon_app'],
    ['function citext_ne(citext,citext)', 'alter function citext_ne(citext, citext) set role = tendon_platform'],
  ]),
  ...each('compiled function of an extension', [
    ['function evil(citext,text)', `${EVIL}alter extension citext add function evil(citext, text)`],
    [
      'function citext_eq(citext,citext)',
      `create or replace function citext_eq(citext, citext) returns boolean language c immutable strict parallel safe as '$libdir/citext', 'citext_ne'`,
    ],
    [
      'function citext_eq(citext,citext)',
      `update pg_proc set probin = '/tmp/citext' where oid = 'citext_eq(citext,citext)'::regprocedure`,
    ],
    ['function citext_eq(citext,citext)', 'alter function citext_eq(citext, citext) called on null input'],
    ['function show_limit()', 'alter extension pg_trgm drop function show_limit(); drop function show_limit()'],
    [
      'function lower(citext)',
      `create extension pgcrypto; create function lower(citext) returns bytea language c strict as '$libdir/pgcrypto', 'pg_dearmor'; alter extension pgcrypto add function lower(citext)`,
    ],
  ]),
  ...each('operator, cast or type of an extension', [
    [
      'operator =(citext,text)',
      `${EVIL}create operator = (leftarg = citext, rightarg = text, function = evil); alter extension citext add operator = (citext, text)`,
    ],
    [
      'operator =(citext,text)',
      `${EVIL}create operator = (leftarg = citext, rightarg = text, function = evil); create extension pgcrypto; alter extension pgcrypto add operator = (citext, text)`,
    ],
    [
      'operator =(citext,citext)',
      `update pg_operator set oprcode = 'citext_ne' where oid = '=(citext,citext)'::regoperator`,
    ],
    [
      'cast from text to uuid',
      'create cast (text as uuid) with inout as implicit; alter extension citext add cast (text as uuid)',
    ],
    [
      'cast from citext to text',
      `update pg_cast set castcontext = 'e' where castsource = 'citext'::regtype and casttarget = 'text'::regtype`,
    ],
    ['cast from citext to text', 'alter extension citext drop cast (citext as text)'],
    ['type mutated', 'create domain mutated as text; alter extension citext add domain mutated'],
    [
      'type mutated',
      'create domain mutated as text; create extension pgcrypto; alter extension pgcrypto add domain mutated',
    ],
    ['type mutated', `create type mutated as enum ('a'); alter extension unaccent add type mutated`],
    ['type citext', `update pg_type set typinput = 'varcharin' where oid = 'citext'::regtype`],
    ['type caller', 'create extension pgcrypto; alter extension pgcrypto add type caller'],
    [
      'operator class mutated using hash',
      'create operator class mutated for type uuid using hash as operator 1 =, function 1 uuid_hash(uuid); alter extension citext add operator class mutated using hash',
    ],
    [
      'operator class mutated using hash',
      'create operator class mutated for type uuid using hash as operator 1 =, function 1 uuid_hash(uuid); create extension pgcrypto; alter extension pgcrypto add operator class mutated using hash',
    ],
    ['operator class citext_ops using btree', `update pg_opclass set opcdefault = false where opcname = 'citext_ops'`],
    [
      'operator family citext_ops using btree',
      'alter operator family citext_ops using btree add operator 1 < (text, text)',
    ],
    ['operator family mutated using btree', 'create operator family mutated using btree'],
    [
      'collation mutated',
      `create collation mutated (provider = icu, locale = 'und', deterministic = false); alter extension citext add collation mutated`,
    ],
    [
      'text search template unaccent',
      `update pg_ts_template set tmpllexize = 'dsimple_lexize' where tmplname = 'unaccent'`,
    ],
    ['view mutated', 'create view mutated as select now(); alter extension citext add view mutated'],
  ]),
  ...each('index of a constraint', [
    [
      'constraint organizations.organizations_pkey',
      `update pg_index set indisunique = false where indexrelid = 'organizations_pkey'::regclass`,
    ],
  ]),
]
