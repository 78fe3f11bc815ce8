-- Two records of one person at one clinic. The second names the first (merged_into_id), which names no other: groups have
-- one level. No row moves; consents, seals and audit keys stay with their record.

-- The clinic is in a variable below. Inside a statement, PostgreSQL estimates current_app_org_id() for the clinic in context
-- when it makes the plan, and keeps that plan: one made for a small clinic would read all patients of a large one.

-- The profiles of the person behind a profile, at the clinic in context: itself, and linked records that are not deleted.
-- Security definer (expression in a list): the safety check and lists need them, even if the caller may not see the records.
create or replace function linked_profile_ids(p_profile_id uuid) returns uuid[]
language plpgsql stable security definer set search_path = public as $$
declare
  v_clinic uuid := current_app_org_id();
  v_main uuid;
begin
  select coalesce(merged_into_id, id) into v_main from patients
    where organization_id = v_clinic and patient_profile_id = p_profile_id;
  return array_append(array(
    select patient_profile_id from patients
    where organization_id = v_clinic and (id = v_main or merged_into_id = v_main) and deleted_at is null
      and patient_profile_id <> p_profile_id), p_profile_id);
end
$$;
alter function linked_profile_ids(uuid) owner to tendon_definer;
grant execute on function linked_profile_ids(uuid) to tendon_app, tendon_worker;

-- These patients and their linked records, for the filters of lists. Security definer (expression in a list): see linked_profile_ids.
create or replace function with_linked_patients(p_patient_ids uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = public as $$
declare
  v_clinic uuid := current_app_org_id();
  v_all uuid[] := coalesce(p_patient_ids, '{}');
  v_id uuid;
  v_main uuid;
begin
  foreach v_id in array v_all loop
    select coalesce(merged_into_id, id) into v_main from patients where organization_id = v_clinic and id = v_id;
    v_all := v_all || array(
      select id from patients
      where organization_id = v_clinic and (id = v_main or merged_into_id = v_main) and deleted_at is null and id <> v_id);
  end loop;
  return v_all;
end
$$;
alter function with_linked_patients(uuid[]) owner to tendon_definer;
grant execute on function with_linked_patients(uuid[]) to tendon_app;

-- The linked records of a patient of the clinic in context, including deleted ones, for exports and erasures.
-- Security definer (expression in a list): deleted records are invisible to most callers.
create or replace function linked_patients(p_patient_id uuid)
returns table (patient_id uuid, patient_profile_id uuid, name text, erased_at timestamptz, deleted_at timestamptz, created_at timestamptz,
  is_main boolean)
language plpgsql stable security definer set search_path = public as $$
#variable_conflict use_column
declare
  v_clinic uuid := current_app_org_id();
  v_main uuid;
begin
  select coalesce(merged_into_id, id) into v_main from patients
    where organization_id = v_clinic and id = p_patient_id
      and (current_app_holds_any('{patients.view_org,patients.merge,gdpr.export_data,gdpr.erase_data,gdpr.restrict_processing}')
        or patient_profile_id = any (current_app_profile_ids()));
  return query select o.id, o.patient_profile_id, o.first_name || ' ' || o.last_name, o.erased_at, o.deleted_at, o.created_at,
      o.merged_into_id is null
    from patients o
    where o.organization_id = v_clinic and (o.id = v_main or o.merged_into_id = v_main) and o.id <> p_patient_id
    order by o.created_at, o.id;
end
$$;
alter function linked_patients(uuid) owner to tendon_definer;
grant execute on function linked_patients(uuid) to tendon_app;

-- Unlinks an erased record. Security definer: fires for every writer.
create or replace function patients_unlink_erased() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update patients set merged_into_id = null
    where organization_id = new.organization_id and merged_into_id is not null and (id = new.id or merged_into_id = new.id);
  return null;
end
$$;
alter function patients_unlink_erased() owner to tendon_definer;

-- Records claimed by different people cannot be linked: the record claimed last leaves its group, and an event is published.
-- Security definer: fires for every writer.
create or replace function patient_profiles_unlink_claimed() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_patient patients;
begin
  select * into v_patient from patients where organization_id = new.organization_id and patient_profile_id = new.id;
  if not exists (select 1 from patients o join patient_profiles f on f.organization_id = o.organization_id and f.id = o.patient_profile_id
      where o.organization_id = new.organization_id and o.id <> v_patient.id and f.human_id <> new.human_id
        and (o.id = v_patient.merged_into_id or o.merged_into_id = v_patient.id or o.merged_into_id = v_patient.merged_into_id))
  then
    return null;
  end if;
  with separated as (
    update patients set merged_into_id = null
    where organization_id = new.organization_id and merged_into_id is not null and (id = v_patient.id or merged_into_id = v_patient.id)
    returning id, patient_profile_id)
  insert into outbox_events (organization_id, type, payload)
    select new.organization_id, 'patient.unmerged', jsonb_build_object('patient_id', id, 'patient_profile_id', patient_profile_id)
    from separated;
  return null;
end
$$;
alter function patient_profiles_unlink_claimed() owner to tendon_definer;
