const FIELDS = `'[{"key": "reason", "type": "textarea", "label": "Motivul vizitei"}, {"key": "pain", "type": "number", "label": "Durere (0-10)"}]'::jsonb`

const TEMPLATES = `
  with made as (
    insert into form_templates (organization_id, title, type, status, version, fields, published_at, published_by_principal_id, created_by_principal_id)
    select id, 'Chestionar inițial', 'intake', 'published', 1, ${FIELDS}, now(), admin_id, admin_id from seed_clinics
    returning id, organization_id, title, type, fields)
  insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
  select organization_id, id, 1, title, type, fields, '{}', '{}' from made`

/** What the patients agreed to, answered and were sent. */
export const RECORDS = [
  `with texts as materialized (
     select c.id as organization_id, u.code, u.scope, v.version
     from seed_clinics c
     join consent_purposes u on u.legal_basis <> 'consent' or u.code in ('telerehab', 'telemedicine')
     join lateral (select version from current_purpose_version(u.code, c.id)) v on v.version is not null)
   insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source, granted_at)
   select case when t.scope = 'org' then p.organization_id end, p.profile_id, t.code, t.version, 'signup_checkbox', now() - interval '40 days'
   from seed_patients p join texts t on t.organization_id = p.organization_id
   where t.scope = 'org' or p.human_id is not null`,
  `insert into custom_field_values (organization_id, custom_field_id, entity_id, patient_profile_id, value)
   select p.organization_id, f.id, p.id, p.profile_id, to_jsonb(case f.system_key
     when 'occupation' then (array['profesor', 'inginer', 'pensionar', 'student'])[1 + p.place % 4]
     else 'Nu sunt cunoscute.' end)
   from seed_patients p
   join custom_fields f on f.organization_id = p.organization_id and f.system_key in ('occupation', 'allergies')`,
  TEMPLATES,
  `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, status, fields, values, completed_at, created_at)
   select p.organization_id, t.id, 1, p.profile_id, t.title, t.type, case when p.place % 4 = 3 then 'pending' else 'completed' end, t.fields,
     case when p.place % 4 = 3 then '{}' else jsonb_build_object('reason', 'Durere la genunchi', 'pain', p.place % 11) end,
     case when p.place % 4 = 3 then null else at end, at
   from seed_patients p join form_templates t on t.organization_id = p.organization_id,
     lateral (select now() - (p.place % 200) * interval '1 day' as at) x`,
  `insert into mail_outbox (organization_id, to_address, template, language, data, created_at, sent_at, kind, patient_profile_id, status, attempts, provider)
   select p.organization_id, 'patient-' || p.place + 1 || '@' || c.domain, 'appointment_reminder', 'ro', '{}', at, at, 'care', p.profile_id, 'sent', 1, 'seed'
   from seed_patients p join seed_clinics c on c.id = p.organization_id, generate_series(1, 2) n,
     lateral (select now() - (n * 20 + p.place % 20) * interval '1 day' as at) x`,
  `insert into outbox_events (organization_id, type, payload, occurred_at, dispatched_at)
   select p.organization_id, 'patient.updated', jsonb_build_object('patient_id', p.id), at, at
   from seed_patients p, lateral (select now() - (p.place % 7) * interval '1 day' as at) x`,
]
