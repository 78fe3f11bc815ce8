import { randomUUID } from 'node:crypto'
import type { SegmentDefinition, SegmentRule } from '@tendon/contracts'
import type { TestDatabase } from '@tendon/testing'

interface SeededClinic {
  id: string
  patients: string[]
  definition: SegmentDefinition
  fields: { pain: string; side: string; seen: string; parts: string; note: string }
  template: string
}

/** A clinic with this many patients, ten values in each profile, and one or two forms. Written in bulk. */
export async function seedClinic(database: TestDatabase, count: number): Promise<SeededClinic> {
  const { query } = database
  const id = randomUUID()
  const ids = { pain: randomUUID(), side: randomUUID(), seen: randomUUID(), parts: randomUUID(), note: randomUUID() }
  const template = randomUUID()
  await query(`insert into organizations (id, name, slug) values ($1, 'Large', 'large')`, [id])
  await query('select clone_role_templates($1)', [id])
  const types = { pain: 'number', side: 'select', seen: 'date', parts: 'checkbox', note: 'textarea' }
  for (const [name, type] of Object.entries(types))
    await query(
      `insert into custom_fields (id, organization_id, entity_type, key, label, field_type, options) values ($1, $2, 'patient', $3, $3, $4, $5)`,
      [
        ids[name as keyof typeof ids],
        id,
        name,
        type,
        type === 'select' || type === 'checkbox' ? ['knee', 'hip'] : null,
      ],
    )
  for (let other = 0; other < 5; other += 1)
    await query(
      `insert into custom_fields (organization_id, entity_type, key, label, field_type) values ($1, 'patient', $2, $2, 'text')`,
      [id, `other_${other}`],
    )
  await query(
    `insert into form_templates (id, organization_id, title, type, fields, version) values ($1, $2, 'Intake', 'intake', $3, 1)`,
    [template, id, JSON.stringify([{ custom_field_id: ids.note }])],
  )
  await query(
    `insert into form_template_versions (organization_id, form_template_id, version, title, type, fields, translations, consent_purposes)
     values ($1, $2, 1, 'Intake', 'intake', '[]', '{}', '{}')`,
    [id, template],
  )

  const tables = ['patient_profiles', 'patients', 'custom_field_values', 'forms']
  for (const table of tables) await query(`alter table ${table} disable trigger all`)
  await query('select setseed(0.42)')
  await query('insert into patient_profiles (organization_id) select $1 from generate_series(1, $2::int)', [id, count])
  const patients = await query<{ id: string }>(
    `insert into patients (organization_id, patient_profile_id, first_name, last_name)
     select $1, id, 'Maria', 'Stan' from patient_profiles where organization_id = $1 returning id`,
    [id],
  )
  await query(
    `insert into custom_field_values (organization_id, custom_field_id, entity_id, patient_profile_id, value)
     select $1, f.id, p.id, p.patient_profile_id, case f.key
       when 'pain' then to_jsonb(floor(random() * 11)::int)
       when 'side' then to_jsonb((array['knee', 'hip', 'back', 'neck'])[1 + floor(random() * 4)::int])
       when 'seen' then to_jsonb((current_date - floor(random() * 1000)::int)::text)
       when 'parts' then case when random() < 0.5 then '["knee", "hip"]'::jsonb else '["hip"]' end
       else to_jsonb('Some text of ' || p.id) end
     from patients p, custom_fields f where p.organization_id = $1 and f.organization_id = $1 and random() < 0.9`,
    [id],
  )
  await query(
    `insert into forms (organization_id, form_template_id, template_version, patient_profile_id, title, type, fields, values, status, completed_at)
     select $1, $2, 1, p.patient_profile_id, 'Intake', 'intake', '[]', jsonb_build_object('field_' || $3::text,
       case when random() < 0.6 then 'Durere la genunchi după efort' else 'Durere de spate' end), 'completed', now() - n * interval '1 day'
     from patients p, generate_series(1, 2) n where p.organization_id = $1 and (n = 1 or hashtext(p.id::text) % 10 < 3)`,
    [id, template, ids.note],
  )
  for (const table of tables) await query(`alter table ${table} enable trigger all`)
  await query('analyze') // as autovacuum would have done by then

  const asked = (custom_field_id: string, op: SegmentRule['op'], value: SegmentRule['value'] & {}): SegmentRule => ({
    source: 'profile',
    custom_field_id,
    op,
    value,
  })
  const rules: SegmentRule[] = [
    asked(ids.pain, 'gte', 4),
    asked(ids.side, 'in', ['knee', 'hip', 'back']),
    asked(ids.seen, 'in_last', { amount: 2, unit: 'years' }),
    { source: 'form', template_id: template, custom_field_id: ids.note, op: 'contains', value: 'genunchi' },
    { source: 'appointments', metric: 'count', op: 'lt', value: 1 },
  ]
  return {
    id,
    patients: patients.map((one) => one.id),
    definition: { match_mode: 'all', rules },
    fields: ids,
    template,
  }
}

/** The same members by hand-written SQL, without row-level security. */
export function byHand({ id, fields, template }: SeededClinic) {
  return {
    text: `select p.id from patients p
      join custom_field_values pain on pain.custom_field_id = $2 and pain.entity_id = p.id and pain.value >= '4'
      join custom_field_values side on side.custom_field_id = $3 and side.entity_id = p.id and side.value ?| array['knee', 'hip', 'back']
      join custom_field_values seen on seen.custom_field_id = $4 and seen.entity_id = p.id
        and (seen.value #>> '{}')::date between current_date - interval '2 years' and current_date
      join (select distinct on (patient_profile_id) patient_profile_id, values ->> $5 as note from forms
        where organization_id = $1 and form_template_id = $6 and status in ('completed', 'signed')
        order by patient_profile_id, completed_at desc, id desc) form
        on form.patient_profile_id = p.patient_profile_id and lower(unaccent(form.note)) like '%genunchi%'
      where p.organization_id = $1 and p.deleted_at is null and p.restricted_at is null`,
    values: [id, fields.pain, fields.side, fields.seen, `field_${fields.note}`, template],
  }
}
