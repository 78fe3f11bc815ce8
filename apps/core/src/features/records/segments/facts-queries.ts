import { CLINIC, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Facts } from './judging-rules.ts'
import type { CountAppointments } from './matching-queries.ts'
import { filterKey, type Known, type Place } from './rules.ts'

// The data that rules use: fields and templates, and the values of one patient.

/** The national identification number is stored encrypted in the patient's record. */
const ENCRYPTED_SYSTEM_KEY = 'national_identification_number'

/** The fields and templates that are not deleted. */
export async function findKnown(
  tx: TenantTx,
  fieldIds: readonly string[],
  templateIds: readonly string[],
): Promise<Known> {
  const [fields, templates] = await Promise.all([
    tx
      .selectFrom('custom_fields')
      .select(['id', 'field_type'])
      .where('organization_id', '=', CLINIC)
      .where(sql<boolean>`id = any(${fieldIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
    tx
      .selectFrom('form_templates')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where(sql<boolean>`id = any(${templateIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
  ])
  return {
    fieldTypes: new Map(fields.map(({ id, field_type }) => [id, field_type])),
    templates: new Set(templates.map(({ id }) => id)),
  }
}

/** Those of the fields that are of patients or sealed; of each template the fields that it asks, or asked in a version. */
export async function findNameable(tx: TenantTx, fieldIds: readonly string[], templateIds: readonly string[]) {
  const [known, fields, asked] = await Promise.all([
    findKnown(tx, fieldIds, templateIds),
    tx
      .selectFrom('custom_fields')
      .select(['id', 'entity_type', 'system_key'])
      .select(
        sql<string[] | null>`(select array_agg(distinct o.text) from custom_field_versions v,
          jsonb_array_elements_text(v.fields_snapshot -> 'options') o (text)
          where v.custom_field_id = custom_fields.id and jsonb_typeof(v.fields_snapshot -> 'options') = 'array')`.as(
          'options',
        ),
      )
      .where('organization_id', '=', CLINIC)
      .where(sql<boolean>`id = any(${fieldIds}::uuid[])`)
      .execute(),
    sql<{ template_id: string; field_id: string }>`
      select distinct t.id as template_id, f ->> 'custom_field_id' as field_id
      from (
        select id, fields from form_templates
        where organization_id = (select current_app_org_id()) and id = any(${templateIds}::uuid[])
        union all
        select form_template_id, fields from form_template_versions
        where organization_id = (select current_app_org_id()) and form_template_id = any(${templateIds}::uuid[])
      ) t, jsonb_array_elements(t.fields) f
      where f ->> 'custom_field_id' = any(${fieldIds}::text[])`.execute(tx),
  ])
  const templateFields = new Map([...known.templates].map((id) => [id, new Set<string>()]))
  for (const { template_id, field_id } of asked.rows) templateFields.get(template_id)?.add(field_id)
  const idsOf = (those: typeof fields) => new Set(those.map(({ id }) => id))
  return {
    ...known,
    patientFields: idsOf(fields.filter(({ entity_type }) => entity_type === 'patient')),
    sealedFields: idsOf(fields.filter(({ system_key }) => system_key === ENCRYPTED_SYSTEM_KEY)),
    templateFields,
    fieldOptions: new Map(fields.flatMap(({ id, options }) => (options ? [[id, new Set(options)] as const] : []))),
  }
}

/** What rules find at these places, of one patient. */
export async function findFacts(
  tx: TenantTx,
  patientId: string,
  places: readonly Place[],
  countAppointments: CountAppointments,
): Promise<Facts> {
  const templateIds = [...new Set(places.flatMap((place) => (place.in === 'form' ? [place.templateId] : [])))]
  const filters = new Map(
    places.flatMap((place) =>
      place.in === 'appointments' ? [[filterKey(place.statuses), place.statuses] as const] : [],
    ),
  )
  const [values, forms, ...appointments] = await Promise.all([
    tx
      .selectFrom('custom_field_values')
      .select(['custom_field_id', 'value'])
      .where('organization_id', '=', CLINIC)
      .where('entity_id', '=', patientId)
      .execute(),
    templateIds.length === 0 ? undefined : listNewestForms(tx, patientId, templateIds),
    ...[...filters].map(async ([key, statuses]) => {
      const { rows } = await sql<{ count: number; last_date: string | null }>`
        select a.count, a.last_date from (${countAppointments(statuses)}) a where a.patient_id = ${patientId}`.execute(
        tx,
      )
      return [key, rows[0] ?? { count: 0, last_date: null }] as const
    }),
  ])
  return {
    profile: new Map(values.map(({ custom_field_id, value }) => [custom_field_id, value])),
    forms: new Map(forms?.map(({ form_template_id, values }) => [form_template_id, values])),
    appointments: new Map(appointments),
  }
}

/** The newest completed or signed form of each template. */
async function listNewestForms(tx: TenantTx, patientId: string, templateIds: readonly string[]) {
  const { rows } = await sql<{ form_template_id: string; values: Record<string, unknown> }>`
    select distinct on (form_template_id) form_template_id, values from forms
    where organization_id = (select current_app_org_id()) and form_template_id = any(${templateIds}::uuid[])
      and patient_profile_id = (select patient_profile_id from patients
        where organization_id = (select current_app_org_id()) and id = ${patientId})
      and status in ('completed', 'signed')
    order by form_template_id, completed_at desc nulls last, id desc`.execute(tx)
  return rows
}
