import type { Form, FormSummary, List } from '@tendon/contracts'
import { asService, readPage, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'

const SUMMARY = [
  'id',
  'title',
  'type',
  'status',
  'appointment_id',
  'patient_profile_id',
  'form_template_id',
  'amends_form_id',
  'created_at',
  'completed_at',
  'signed_at',
] as const
const COLUMNS = [
  ...SUMMARY,
  'organization_id',
  'template_version',
  'fields',
  'translations',
  'values',
  'consent_purposes',
  'signed_by',
  'signed_by_principal_id',
  'created_by_principal_id',
  'seal',
  'version',
] as const

/** A form without its files, which have a table of their own. */
export interface FormRow extends Omit<Form, 'files'> {
  organization_id: string
  /** The clinic's record of the patient. */
  patient_id: string
  seal: Buffer | null
}

export type NewFormRow = Pick<
  Form,
  | 'form_template_id'
  | 'template_version'
  | 'patient_profile_id'
  | 'appointment_id'
  | 'amends_form_id'
  | 'title'
  | 'type'
  | 'fields'
  | 'translations'
  | 'values'
  | 'consent_purposes'
  | 'signed_by'
>

const OF_CLINIC = sql<boolean>`organization_id = (select current_app_org_id())`
const PATIENT_ID = sql<string>`(select p.id from patients p
  where p.organization_id = forms.organization_id and p.patient_profile_id = forms.patient_profile_id)`
const PATIENT = sql<FormSummary['patient']>`(
  select jsonb_build_object('id', p.id, 'name', p.first_name || ' ' || p.last_name) from patients p
  where p.organization_id = forms.organization_id and p.patient_profile_id = forms.patient_profile_id)`
/** The last signed correction of a form. Drafts of corrections change nothing yet. */
const lastCorrection = <Value>(
  column: 'id' | 'signed_at',
) => sql<Value | null>`(select c.${sql.ref(column)} from forms c
  where c.organization_id = forms.organization_id and c.amends_form_id = forms.id and c.status = 'signed'
  order by c.signed_at desc limit 1)`
const CORRECTION = [
  lastCorrection<string>('id').as('amended_by_form_id'),
  lastCorrection<string>('signed_at').as('amended_at'),
] as const
const TITLES = sql<FormSummary['translations']>`(
  select coalesce(jsonb_object_agg(language, jsonb_build_object('title', words -> 'title')), '{}')
  from jsonb_each(forms.translations) t (language, words) where words ->> 'title' is not null)`
const IS_RESTRICTED = sql<boolean>`exists (select 1 from patients p
  where p.organization_id = forms.organization_id and p.patient_profile_id = forms.patient_profile_id and p.restricted_at is not null)`
const PATIENT_EXISTS = sql<boolean>`exists (select 1 from patients p
  where p.organization_id = forms.organization_id and p.patient_profile_id = forms.patient_profile_id and p.deleted_at is null)`

/** Forms of a patient whom the caller may see, as the policy of patients decides; deleted patients need data.view_deleted. */
const IS_SEEN = sql<boolean>`exists (select 1 from patients p
  where p.organization_id = forms.organization_id and p.patient_profile_id = forms.patient_profile_id
    and (p.deleted_at is null or current_app_has_permission('data', 'view_deleted')))`

/** What a clinic has of a patient is hidden with the patient. */
const seen = (tx: TenantTx) => tx.selectFrom('forms').where(OF_CLINIC).where(IS_SEEN)

/** `ofProfiles`: those of a patient who asks for their own. */
export async function listForms(tx: TenantTx, { filters, ...list }: List, ofProfiles?: readonly string[]) {
  const {
    patient_profile_id: named,
    appointment_id: visits,
    lead_specialist_id: leads,
    include: _include,
    ...rest
  } = filters
  let query = seen(tx)
    .select(SUMMARY)
    .select([...CORRECTION, TITLES.as('translations'), PATIENT.as('patient')])
  if (ofProfiles) query = query.where(sql<boolean>`patient_profile_id = any(${ofProfiles}::uuid[])`)
  if (named)
    query = query.where(
      sql<boolean>`patient_profile_id = any (array(select unnest(linked_profile_ids(id)) from unnest(${named}::uuid[]) id))`,
    )
  if (leads)
    query = query.where(
      sql<boolean>`patient_profile_id in (select p.patient_profile_id from patients p
        where p.organization_id = (select current_app_org_id()) and p.lead_specialist_id = any(${leads}::uuid[]))`,
    )
  // A signed form stays with the visit that it was sealed with, also after that was moved.
  if (visits) query = query.where(sql<boolean>`appointment_id = any(with_moved_from(${visits}::uuid[]))`)
  return readPage(query, { ...list, filters: rest }, { search: ['title'] })
}

export async function findForm(tx: TenantTx, id: string): Promise<FormRow | undefined> {
  return seen(tx)
    .select(COLUMNS)
    .select([...CORRECTION, PATIENT_ID.as('patient_id')])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Permissions to lock a form and its patient. */
export const LOCK_CODES = ['patients.view_org', 'patients.update', 'forms.view_org', 'forms.fill_org']
/** Permissions to sign a form for the clinic. */
export const SIGN_CODES = ['forms.view_org', 'forms.fill_org', 'forms.sign']

/**
 * Locked, then read: what the statement that waits for the lock reads would be older than the lock. The patient is
 * locked first, as in an erasure. Without codes the service reaches only what is about the caller.
 */
export async function findFormForUpdate(
  tx: TenantTx,
  id: string,
  codes: readonly string[],
): Promise<(FormRow & { is_restricted: boolean }) | undefined> {
  await asService(tx, codes, (own) =>
    together([
      own
        .selectFrom('patients')
        .select('id')
        .where(OF_CLINIC)
        .where('patient_profile_id', '=', (eb) =>
          eb.selectFrom('forms').select('patient_profile_id').where(OF_CLINIC).where('id', '=', id),
        )
        .forShare()
        .execute(),
      own.selectFrom('forms').select('id').where(OF_CLINIC).where('id', '=', id).forNoKeyUpdate().execute(),
    ]),
  )
  return seen(tx)
    .select(COLUMNS)
    .select([...CORRECTION, PATIENT_ID.as('patient_id'), IS_RESTRICTED.as('is_restricted')])
    .where('id', '=', id)
    .where(PATIENT_EXISTS)
    .executeTakeFirst()
}

/** The id of the clinic's record of a profile, if not deleted. */
export async function findPatientId(tx: TenantTx, profileId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('patients')
    .select('id')
    .where(OF_CLINIC)
    .where('patient_profile_id', '=', profileId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export async function insertForm(tx: TenantTx, row: NewFormRow): Promise<string> {
  const { id } = await tx
    .insertInto('forms')
    .values({
      ...row,
      fields: JSON.stringify(row.fields),
      translations: JSON.stringify(row.translations),
      values: JSON.stringify(row.values),
      consent_purposes: JSON.stringify(row.consent_purposes),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateForm(
  tx: TenantTx,
  id: string,
  { values, ...state }: Pick<Form, 'values' | 'status' | 'completed_at'>,
): Promise<{ version: number }> {
  return await tx
    .updateTable('forms')
    .set({ ...state, values: JSON.stringify(values) })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
}

/** By the caller: as its patient, else for the clinic. False when it is not completed, or signed already. */
export async function signForm(
  tx: TenantTx,
  { id, signed_by }: FormRow,
  signature: { signed_at: string; signed_by_principal_id: string; seal: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await asService(tx, signed_by === 'patient' ? [] : SIGN_CODES, (own) =>
    own
      .updateTable('forms')
      .set({ status: 'signed', ...signature })
      .where(OF_CLINIC)
      .where('id', '=', id)
      .where('status', '=', 'completed')
      .executeTakeFirst(),
  )
  return numUpdatedRows > 0n
}

/** Its files go with it, their objects after the commit. */
export async function deleteForm(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('forms').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
}
