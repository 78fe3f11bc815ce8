-- Verifies the code of a document. Security definer (no context yet): the caller has no organization in context; the code has 128 random bits.
create or replace function verify_document(p_code text)
returns table (issued_at timestamptz, issued_by text, clinic text, time_zone text, language text, kind text, pages integer,
  size bigint, sha256 bytea)
language sql stable security definer set search_path = public rows 1 as $$
  select d.created_at, d.issued_by, o.name, o.time_zone, d.language, d.kind, d.pages, d.size, d.sha256
  from appointment_documents d join organizations o on o.id = d.organization_id
  where d.verification_code = p_code
$$;
alter function verify_document(text) owner to tendon_definer;
grant execute on function verify_document(text) to tendon_app;

-- Linking a booking to a patient gives the patient its files, documents, reminders and mails.
-- Security definer: nobody else may change documents.
create or replace function appointments_link_files() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update appointment_files set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and appointment_id = new.id and patient_profile_id is null;
  update appointment_documents set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and appointment_id = new.id and patient_profile_id is null;
  update appointment_reminders set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and appointment_id = new.id and patient_profile_id is null;
  update mail_outbox set patient_profile_id = new.patient_profile_id
    where organization_id = new.organization_id and data ? 'uid' and data ->> 'uid' = new.calendar_uid::text
      and patient_profile_id is null;
  return null;
end
$$;
alter function appointments_link_files() owner to tendon_definer;

-- Erasure: keeps files of past appointments as medical record, without their uploader, and deletes the others.
-- Security definer: nobody else may change files.
create or replace function erase_appointment_files(p_profile uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  delete from appointment_files f using appointments a
    where f.organization_id = current_app_org_id() and f.patient_profile_id = p_profile
      and a.organization_id = f.organization_id and a.id = f.appointment_id
      and (a.starts_at is null or a.starts_at > now() or a.status in ('cancelled', 'entered_in_error'));
  get diagnostics v_count = row_count;
  update appointment_files f set uploaded_by_principal_id = null from patient_profiles p
    where f.organization_id = current_app_org_id() and f.patient_profile_id = p_profile
      and p.organization_id = f.organization_id and p.id = p_profile and f.uploaded_by_principal_id = p.human_id;
  return v_count;
end
$$;
alter function erase_appointment_files(uuid) owner to tendon_definer;
grant execute on function erase_appointment_files(uuid) to tendon_worker;
