-- Lists of fields are not paginated, and every profile reads all of them. Security definer: must count every field.
create or replace function custom_fields_check_limit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('custom_fields ' || new.organization_id || new.entity_type, 0));
  if (select count(*) from custom_fields
      where organization_id = new.organization_id and entity_type = new.entity_type and deleted_at is null) >= 200 then
    raise exception 'too many fields' using errcode = 'check_violation', constraint = 'custom_fields_limit_check';
  end if;
  return new;
end
$$;
alter function custom_fields_check_limit() owner to tendon_definer;

-- One row per published version, without gaps. Security definer: nobody else writes or changes versions.
create or replace function custom_fields_record_version() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if tg_op = 'UPDATE' and new.version <> old.version + 1 then
    raise exception 'versions follow each other' using errcode = 'check_violation', constraint = 'custom_fields_version_check';
  end if;
  insert into custom_field_versions (organization_id, custom_field_id, version, fields_snapshot)
    values (new.organization_id, new.id, new.version, jsonb_build_object('key', new.key, 'label', new.label,
      'field_type', new.field_type, 'options', new.options, 'description', new.description, 'is_private', new.is_private,
      'sort_order', new.sort_order, 'system_key', new.system_key));
  return null;
end
$$;
alter function custom_fields_record_version() owner to tendon_definer;

-- The system fields of every clinic, in the clinic's language. The national number itself is encrypted in patient_profiles.
-- Security definer (called by triggers): callers cannot create fields with a system_key.
create or replace function add_system_fields(p_organization uuid) returns void language sql security definer set search_path = public as $$
  insert into custom_fields (organization_id, entity_type, key, label, field_type, is_private, sort_order, system_key)
  select o.id, 'patient', f.key, case o.language_code when 'ro' then f.ro else f.en end, f.field_type,
    f.system_key = 'national_identification_number', f.sort_order, f.system_key
  from organizations o, (values
    ('national_id', 'text', 'national_identification_number', -60, 'National identification number', 'Cod numeric personal'),
    ('occupation', 'text', 'occupation', -50, 'Occupation', 'Ocupație'),
    ('emergency_contact', 'text', 'emergency_contact', -40, 'Emergency contact', 'Persoană de contact în caz de urgență'),
    ('emergency_phone', 'phone', 'emergency_phone', -30, 'Phone of the emergency contact', 'Telefonul persoanei de contact'),
    ('referring_doctor', 'text', 'referring_doctor', -20, 'Referring doctor', 'Medic trimițător'),
    ('allergies', 'textarea', 'allergies', -10, 'Allergies', 'Alergii')
  ) as f (key, field_type, system_key, sort_order, en, ro)
  where o.id = p_organization
  on conflict do nothing
$$;
alter function add_system_fields(uuid) owner to tendon_definer;

-- Security definer: see add_system_fields.
create or replace function organizations_add_system_fields() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform add_system_fields(new.id);
  return null;
end
$$;
alter function organizations_add_system_fields() owner to tendon_definer;

-- The record must belong to the clinic and be of the type that the field is for. A value of a deleted field is skipped; the
-- lock serializes this with the deletion. Security definer: the writer may not see the record.
create or replace function custom_field_values_check_entity() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_field custom_fields;
  v_known boolean;
begin
  select * into v_field from custom_fields
    where organization_id = new.organization_id and id = new.custom_field_id for key share;
  if v_field.deleted_at is not null then
    return null;
  end if;
  if v_field.system_key = 'national_identification_number' then
    raise exception 'the number is kept encrypted' using errcode = 'check_violation', constraint = 'custom_field_values_number_check';
  end if;
  if v_field.entity_type = 'patient' then
    select patient_profile_id into new.patient_profile_id from patients
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null;
    v_known := found;
  elsif v_field.entity_type = 'specialist' then
    v_known := exists (select 1 from specialists
      where organization_id = new.organization_id and id = new.entity_id and deleted_at is null);
  elsif v_field.entity_type = 'organization' then
    v_known := new.entity_id = new.organization_id;
  else
    v_known := v_field.id is not null;  -- there are no appointments yet
  end if;
  if not v_known then
    raise exception 'no such record' using errcode = 'foreign_key_violation', constraint = 'custom_field_values_entity_fkey';
  end if;
  return new;
end
$$;
alter function custom_field_values_check_entity() owner to tendon_definer;

-- A signed form and its files never change. Signing locks the row, and so does a change of its files.
create or replace function forms_refuse_signed() returns trigger language plpgsql as $$
begin
  raise exception 'the form is signed' using errcode = 'check_violation', constraint = 'forms_signed_check';
end
$$;

-- See forms_refuse_signed. Erasure may clear who uploaded a file, and nothing else.
-- Security definer: must see the form for every writer.
create or replace function form_files_refuse_signed() returns trigger language plpgsql security definer set search_path = public as $$
declare
  v_form uuid := case when tg_op = 'DELETE' then old.form_id else new.form_id end;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) = to_jsonb(old) || '{"uploaded_by_principal_id": null}' then
    return new;
  end if;
  perform 1 from forms where id = v_form and signed_at is null for no key update;
  if not found and exists (select 1 from forms where id = v_form) then
    raise exception 'the form is signed' using errcode = 'check_violation', constraint = 'forms_signed_check';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
alter function form_files_refuse_signed() owner to tendon_definer;

-- A consent from a form needs a signed consent form of the same patient, and replaces earlier consents.
-- Security definer: fires for every writer.
create or replace function consents_check_form() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from forms where organization_id = new.organization_id and id = new.source_form_id
      and patient_profile_id = new.patient_profile_id and type = 'consent' and signed_at is not null)
  then
    raise exception 'no such form' using errcode = 'check_violation', constraint = 'consents_source_form_check';
  end if;
  update consents set withdrawn_at = clock_timestamp(), ended_as = 'superseded'
    where organization_id = new.organization_id and patient_profile_id = new.patient_profile_id
      and purpose_code = new.purpose_code and withdrawn_at is null;
  return new;
end
$$;
alter function consents_check_form() owner to tendon_definer;

-- Text without case and accents, exactly as apps/core/src/features/records/segments/rules.ts does for one patient.
create or replace function fold_segment_text(p_text text) returns text language sql immutable parallel safe as $$
  select case when octet_length(p_text) = char_length(p_text) then lower(p_text collate "C")
    else lower(regexp_replace(normalize(p_text, nfd), '[\u0300-\u036f]', '', 'g') collate "und-x-icu") collate "C" end
$$;
grant execute on function fold_segment_text(text) to tendon_app, tendon_platform, tendon_worker, tendon_definer;

-- The list of segments is not paginated, and each change of a patient is compared with every segment.
-- Security definer: must count every segment.
create or replace function segments_check_limit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('segments ' || new.organization_id, 0));
  if (select count(*) from segments where organization_id = new.organization_id) >= 500 then
    raise exception 'too many segments' using errcode = 'check_violation', constraint = 'segments_count_check';
  end if;
  return new;
end
$$;
alter function segments_check_limit() owner to tendon_definer;

-- For the worker: segments with rules relative to today that were last evaluated on another day of their clinic. Leaves out
-- segments whose evaluation is queued or running, and until the next day those whose evaluation was given up after more
-- than ten starts. Security definer (all organizations): over all organizations.
create or replace function list_outdated_segments(p_now timestamptz) returns table (organization_id uuid, segment_id uuid)
language sql stable security definer set search_path = public as $$
  select s.organization_id, s.id from segments s join organizations o on o.id = s.organization_id
  where s.follows_calendar
    and not exists (select 1 from segment_evaluations e where e.segment_id = s.id and e.status in ('queued', 'running'))
    and (p_now at time zone o.time_zone)::date is distinct from (
      select (e.started_at at time zone o.time_zone)::date from segment_evaluations e
      where e.segment_id = s.id and (e.status = 'completed' or e.status = 'failed' and e.attempts > 10)
      order by e.id desc limit 1)
$$;
alter function list_outdated_segments(timestamptz) owner to tendon_definer;
grant execute on function list_outdated_segments(timestamptz) to tendon_worker;

-- For the worker: clinics with evaluations queued or running since before this time and none started since. Their worker may
-- have died together with the job; where an evaluation has started since, a worker is busy. Security definer (all organizations): over all
-- organizations.
create or replace function list_waiting_evaluations(p_before timestamptz) returns table (organization_id uuid)
language sql stable security definer set search_path = public as $$
  select distinct e.organization_id from segment_evaluations e
  where e.status in ('queued', 'running') and coalesce(e.started_at, e.queued_at) < p_before
    and not exists (select 1 from segment_evaluations w
      where w.organization_id = e.organization_id and w.status = 'running' and w.started_at >= p_before)
$$;
alter function list_waiting_evaluations(timestamptz) owner to tendon_definer;
grant execute on function list_waiting_evaluations(timestamptz) to tendon_worker;
