-- The context of a transaction: packages/db sets it with one statement at the start, and every policy reads it.
-- Without a context the settings are '' or missing: the functions return null, and no row matches.

-- PostgreSQL has uuidv7() from version 18 on.
do $$
begin
  if current_setting('server_version_num')::integer < 180000 then
    create or replace function public.uuidv7() returns uuid language sql volatile parallel safe as $f$
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
    $f$;
    grant execute on function public.uuidv7() to public;
  end if;
end
$$;

create or replace function current_app_org_id() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.org_id', true), '')::uuid
$$;
grant execute on function current_app_org_id() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

-- The organization in context; null (the platform) for a caller without one, whose context is the nil UUID.
create or replace function current_app_scope() returns uuid language sql stable parallel safe as $$
  select nullif(current_app_org_id(), '00000000-0000-0000-0000-000000000000')
$$;
grant execute on function current_app_scope() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

create or replace function current_app_principal_id() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.principal_id', true), '')::uuid
$$;
grant execute on function current_app_principal_id() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

-- A name in the language of the caller, or of what a job writes, if it is translated; otherwise as it is.
create or replace function translated_name(p_name text, p_translations jsonb) returns text language sql stable parallel safe as $$
  select coalesce(nullif(p_translations -> nullif(current_setting('app.language', true), '') ->> 'name', ''), p_name)
$$;
grant execute on function translated_name(text, jsonb) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- The same for titles of forms.
create or replace function translated_title(p_title text, p_translations jsonb) returns text language sql stable parallel safe as $$
  select coalesce(nullif(p_translations -> nullif(current_setting('app.language', true), '') ->> 'title', ''), p_title)
$$;
grant execute on function translated_title(text, jsonb) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- Whether the caller holds a permission. app.permissions is '*' for a superadmin, otherwise the codes with a comma before,
-- between and after them.
create or replace function current_app_holds(permission_code text) returns boolean language sql stable parallel safe as $$
  select coalesce(
    current_setting('app.permissions', true) = '*'
      or position(',' || permission_code || ',' in current_setting('app.permissions', true)) > 0,
    false)
$$;
grant execute on function current_app_holds(text) to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

create or replace function current_app_has_permission(resource text, action text) returns boolean language sql stable parallel safe as $$
  select current_app_holds(resource || '.' || action)
$$;
grant execute on function current_app_has_permission(text, text) to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

-- Whether the transaction works as the service of the clinic in context (asService in packages/db).
create or replace function current_app_is_service() returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('app.service', true) = 'on', false)
$$;
grant execute on function current_app_is_service() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

create or replace function set_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end
$$;

-- Increments the version of a row. Clients send the version they read, to detect changes by others.
create or replace function bump_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

create or replace function bump_revision() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;

-- Whether the caller holds at least one of these permissions.
create or replace function current_app_holds_any(permission_codes text[]) returns boolean language sql stable parallel safe as $$
  select coalesce(
    current_setting('app.permissions', true) = '*' and cardinality(permission_codes) > 0
      or string_to_array(current_setting('app.permissions', true), ',') && permission_codes,
    false)
$$;
grant execute on function current_app_holds_any(text[]) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- Lower case without accents, for search. Immutable, so that it can be indexed.
create or replace function fold_text(p_text text) returns text language sql immutable parallel safe strict as $$
  select lower(public.unaccent('public.unaccent'::regdictionary, p_text))
$$;
grant execute on function fold_text(text) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- The patient profiles that the caller owns. app.profile_ids is an array literal.
create or replace function current_app_profile_ids() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('app.profile_ids', true), ''), '{}')::uuid[]
$$;
grant execute on function current_app_profile_ids() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;

-- The automation rules that led to this transaction, oldest first. app.automation_rule_ids is an array literal.
create or replace function current_app_automation_rule_ids() returns uuid[] language sql stable parallel safe as $$
  select coalesce(nullif(current_setting('app.automation_rule_ids', true), ''), '{}')::uuid[]
$$;
grant execute on function current_app_automation_rule_ids() to tendon_app, tendon_platform, tendon_worker, tendon_telemetry, tendon_definer;
