-- What a document's code proves. Security definer: the holder of the paper has no organization in context; 128 random bits.
create or replace function verify_document(p_code text)
returns table (issued_at timestamptz, clinic text, language text, sha256 bytea)
language sql stable security definer set search_path = public rows 1 as $$
  select d.created_at, o.name, d.language, d.sha256
  from appointment_documents d join organizations o on o.id = d.organization_id
  where d.verification_code = p_code
$$;
alter function verify_document(text) owner to tendon_definer;
grant execute on function verify_document(text) to tendon_app;

-- Erasure: documents of what is part of the medical record stay (past appointments, signed forms, plans that were given to the
-- patient), the others are deleted. Security definer: nobody deletes documents otherwise.
create or replace function erase_appointment_documents(p_profile uuid) returns integer
language plpgsql security definer set search_path = public as $$
declare
  v_count integer;
begin
  delete from appointment_documents d
    where d.organization_id = current_app_org_id() and d.patient_profile_id = p_profile
      and not exists (select 1 from appointments a where a.organization_id = d.organization_id and a.id = d.appointment_id
        and a.starts_at <= now() and a.status not in ('cancelled', 'entered_in_error'))
      and not exists (select 1 from forms f where f.organization_id = d.organization_id and f.id = d.form_id
        and f.signed_at is not null)
      and not exists (select 1 from treatment_plans t where t.organization_id = d.organization_id
        and t.id = d.treatment_plan_id and t.activated_at is not null);
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
alter function erase_appointment_documents(uuid) owner to tendon_definer;
grant execute on function erase_appointment_documents(uuid) to tendon_worker;
