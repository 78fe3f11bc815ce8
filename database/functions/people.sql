-- Refuses writes about a patient whose processing is restricted. Tables about patients have this trigger, except for what
-- must stay possible: consents, leaving, erasure, pain reports, the end of a run.
-- Security definer: the writer may not see the record.
create or replace function refuse_restricted() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if exists (select 1 from patients
      where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id and restricted_at is not null)
  then
    raise exception 'processing is restricted' using errcode = 'check_violation', constraint = 'patients_restricted_check';
  end if;
  return new;
end
$$;
alter function refuse_restricted() owner to tendon_definer;

-- A deleted patient releases their national number for a new onboarding and has no open invitation.
-- Security definer: these columns are not the writer's to change.
create or replace function patients_release_profile() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update patient_profiles set national_id_index = null, invited_email = null, invited_at = null
    where organization_id = new.organization_id and id = new.patient_profile_id;
  return null;
end
$$;
alter function patients_release_profile() owner to tendon_definer;

-- Ids of patients that match every word, in any order. The index is asked for the three longest; '%' costs it nothing.
-- Security definer (lock or index): a policy would prevent the use of the trigram index. The caller then reads the rows by id under the policy.
create or replace function search_patients(p_text text) returns setof uuid
language plpgsql stable security definer set search_path = public set plan_cache_mode = force_custom_plan rows 100 as $$
declare
  v_words text[];
begin
  select array_agg('%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%' order by length(word) desc)
    into v_words from regexp_split_to_table(fold_text(p_text), '\s+') word where word <> '';
  if not coalesce(current_app_has_permission('patients', 'view_org'), false) then
    return;
  end if;
  return query select p.id from patients p
    where p.organization_id = current_app_org_id() and p.search_text like v_words[1]
      and p.search_text like coalesce(v_words[2], '%') and p.search_text like coalesce(v_words[3], '%')
      and p.search_text like all (v_words[4:]);
end
$$;
alter function search_patients(text) owner to tendon_definer;
grant execute on function search_patients(text) to tendon_app;

-- The patient of the clinic in context with this national number or else with this e-mail address, the oldest first. Deleted
-- and erased ones do not count. Sorted without a limit: with one, the planner may read all patients in the order of creation.
-- Security definer (lock or index): a policy would prevent the use of the index on addresses, since citext is not leakproof.
create or replace function find_same_patient(p_email citext, p_national_id_index bytea)
returns table (id uuid, field text) language plpgsql stable security definer set search_path = public rows 1 as $$
declare
  v_clinic uuid := current_app_org_id();
begin
  if not current_app_has_permission('patients', 'view_org') then
    return;
  end if;
  field := 'national_id';
  select p.id into id
    from patient_profiles f join patients p on p.organization_id = f.organization_id and p.patient_profile_id = f.id
    where f.organization_id = v_clinic and f.national_id_index = p_national_id_index
      and p.deleted_at is null and p.erased_at is null;
  if id is null then
    field := 'email';
    select p.id into id from patients p
      where p.organization_id = v_clinic and p.email = p_email and p.deleted_at is null and p.erased_at is null
      order by p.created_at;
  end if;
  if id is not null then
    return next;
  end if;
end
$$;
alter function find_same_patient(citext, bytea) owner to tendon_definer;
grant execute on function find_same_patient(citext, bytea) to tendon_app;

-- Where the caller is a patient. Security definer (one person across clinics): across clinics.
create or replace function my_patient_records() returns table (
  organization_id uuid, organization_name text, organization_slug text, language_code text, time_zone text,
  date_format text, clock_format text, week_start text, patient_id uuid, patient_profile_id uuid, created_at timestamptz
) language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
begin
  return query select o.id, o.name, o.slug, o.language_code, o.time_zone, t.date_format, t.clock_format, t.week_start,
      p.id, p.patient_profile_id, p.created_at
    from patients p join organizations o on o.id = p.organization_id
    left join organization_settings t on t.organization_id = o.id
    where p.patient_profile_id = any (current_app_profile_ids()) and p.deleted_at is null
    order by p.created_at, p.id;
end
$$;
alter function my_patient_records() owner to tendon_definer;
grant execute on function my_patient_records() to tendon_app;

-- Specialists that are not deleted count against the plan. Security definer: callers cannot write usage.
create or replace function specialists_change_usage() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform change_usage(new.organization_id, 'max_specialists', case when new.deleted_at is null then 1 else -1 end);
  return new;
end
$$;
alter function specialists_change_usage() owner to tendon_definer;

-- The account does not keep a current organization in which it has no role any more. Security definer: writes another
-- human's row.
create or replace function patient_profiles_clear_current_organization() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update humans h set current_organization_id = null
    where h.id = old.human_id and h.current_organization_id = old.organization_id
      and not exists (select 1 from organization_memberships m
        where m.organization_id = old.organization_id and m.principal_id = h.id)
      and not exists (select 1 from patient_profiles f where f.organization_id = old.organization_id and f.human_id = h.id);
  return null;
end
$$;
alter function patient_profiles_clear_current_organization() owner to tendon_definer;

-- Some columns are written by the service of the clinic only, whatever the caller may change beside them.
create or replace function refuse_unless_service() returns trigger language plpgsql as $$
begin
  if current_user in ('tendon_app', 'tendon_worker') and not current_app_is_service() then
    raise exception 'only the service of the clinic writes this column' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
grant execute on function refuse_unless_service() to tendon_app, tendon_platform, tendon_definer;
