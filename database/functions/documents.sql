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

