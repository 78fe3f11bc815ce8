-- The logins and groups of the cluster. Run by the administrator before the migrations, safe to repeat.
-- Passwords of the logins are set by the migration command from configuration, never here.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('tendon_owner',     'nologin nobypassrls'),  -- owns every table; force row level security binds it too
      ('tendon_definer',   'nologin bypassrls'),    -- owns the definer functions; seeds run as it
      ('tendon_app',       'login nobypassrls'),    -- requests of clinics and patients, and public endpoints
      ('tendon_platform',  'login bypassrls'),      -- platform routes of superadmins
      ('tendon_worker',    'login nobypassrls'),    -- background jobs; sets the context per job
      ('tendon_telemetry', 'login nobypassrls')     -- the telemetry service
    ) as w (name, attributes)
  loop
    begin
      execute format('create role %I %s', wanted.name, wanted.attributes);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
end
$$;

grant tendon_definer to tendon_owner;
grant tendon_worker to tendon_owner;
grant tendon_app to tendon_worker;
grant tendon_owner, tendon_definer, tendon_worker to current_user;

do $$
begin
  execute format('grant create, connect, temporary on database %I to tendon_owner', current_database());
  -- To refresh a materialized view without locking readers out, its owner fills a temporary table.
  execute format('grant temporary on database %I to tendon_definer', current_database());
  execute format('grant connect on database %I to tendon_app, tendon_platform, tendon_worker, tendon_telemetry', current_database());
  execute format('revoke all on database %I from public', current_database());
end
$$;

revoke all on schema public from public;
grant create, usage on schema public to tendon_owner, tendon_definer;
grant usage on schema public to tendon_app, tendon_platform, tendon_worker, tendon_telemetry;

create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gist;
create extension if not exists btree_gin;

alter default privileges for role tendon_owner in schema public
  grant select, insert, update, delete on tables to tendon_definer, tendon_platform;
alter default privileges for role tendon_owner in schema public grant usage on sequences to tendon_definer, tendon_platform;
alter default privileges for role tendon_owner revoke execute on functions from public;
alter default privileges for role tendon_definer revoke execute on functions from public;
alter default privileges for role tendon_worker revoke execute on functions from public;

create schema if not exists graphile_worker authorization tendon_worker;
