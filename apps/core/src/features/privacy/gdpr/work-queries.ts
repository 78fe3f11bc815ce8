import type { ErasureCertificate, ExportManifest } from '@tendon/contracts'
import { asService, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

// What the worker asks while it carries out requests.

export interface Organization {
  id: string
  name: string
  language_code: string
  time_zone: string
}

export interface Work {
  id: string
  patient_id: string
  patient_profile_id: string
  requested_at: string
}

interface RowsOf {
  table: string
  column: string
  value: string
}

export function findOrganization(tx: TenantTx): Promise<Organization> {
  return tx.selectFrom('organizations').select(['id', 'name', 'language_code', 'time_zone']).executeTakeFirstOrThrow()
}

/** The request is this attempt's from here on: an earlier one, still at work, finds another key and gives up. */
export async function startExport(tx: TenantTx, id: string, objectKey: string): Promise<Work | undefined> {
  return tx
    .updateTable('privacy_requests')
    .set({ status: 'active', progress: 0, object_key: objectKey })
    .where('id', '=', id)
    .where('kind', '=', 'export')
    .where('status', 'in', ['accepted', 'active'])
    .returning(['id', 'patient_id', 'patient_profile_id', 'created_at as requested_at'])
    .executeTakeFirst()
}

/** False when the attempt is over: the request was cancelled, or another attempt has taken it. */
export async function updateProgress(tx: TenantTx, id: string, objectKey: string, progress: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('privacy_requests')
    .set({ progress })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('object_key', '=', objectKey)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function completeExport(
  tx: TenantTx,
  id: string,
  objectKey: string,
  result: ExportManifest,
  times: { completedAt: Date; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('privacy_requests')
    .set({
      status: 'completed',
      progress: 100,
      result: JSON.stringify(result),
      error: null,
      completed_at: times.completedAt.toISOString(),
      expires_at: times.expiresAt.toISOString(),
    })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('object_key', '=', objectKey)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function startErasure(tx: TenantTx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('privacy_requests')
    .set({ status: 'active', progress: 10 })
    .where('id', '=', id)
    .where('kind', '=', 'erase')
    .where('status', 'in', ['accepted', 'active'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Starts the request that erases an account's record: a new one, or the one in progress. */
export async function startAccountErasure(tx: TenantTx, patientId: string): Promise<string | undefined> {
  await sql`insert into privacy_requests (kind, patient_id, patient_profile_id)
    select 'erase', id, patient_profile_id from patients
    where organization_id = (select current_app_org_id()) and id = ${patientId} and erased_at is null
    on conflict do nothing`.execute(tx)
  const started = await tx
    .updateTable('privacy_requests')
    .set({ status: 'active', progress: 10 })
    .where('patient_id', '=', patientId)
    .where('kind', '=', 'erase')
    .where('status', 'in', ['accepted', 'active'])
    .where('result', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return started?.id
}

/** Locks request and patient; undefined when there is nothing (or nothing more) to erase. */
export async function beginErasure(tx: TenantTx, id: string): Promise<Omit<Work, 'id'> | undefined> {
  const { rows } = await sql<Omit<Work, 'id'>>`select * from begin_erasure(${id})`.execute(tx)
  return rows[0]
}

/** Deletes the rows, or overwrites these columns of them. */
export async function eraseRows(
  tx: TenantTx,
  { table, column, value }: RowsOf,
  values: Readonly<Record<string, unknown>> | null,
): Promise<number> {
  const rows = sql`organization_id = (select current_app_org_id()) and ${sql.ref(column)} = ${value}`
  const changes = Object.entries(values ?? {}).map(([name, to]) => sql`${sql.ref(name)} = ${to}`)
  const statement =
    values === null
      ? sql`delete from ${sql.table(table)} where ${rows}`
      : sql`update ${sql.table(table)} set ${sql.join(changes)} where ${rows}`
  const { numAffectedRows } = await asService(tx, '*', (own) => statement.execute(own))
  return Number(numAffectedRows ?? 0)
}

export async function saveCertificate(tx: TenantTx, id: string, certificate: ErasureCertificate): Promise<void> {
  await tx
    .updateTable('privacy_requests')
    .set({ result: JSON.stringify(certificate), progress: 90 })
    .where('id', '=', id)
    .execute()
}

export async function completeErasure(
  tx: TenantTx,
  id: string,
  completedAt: Date,
): Promise<{ patient_id: string; certificate: ErasureCertificate } | undefined> {
  const done = await tx
    .updateTable('privacy_requests')
    .set({ status: 'completed', progress: 100, error: null, completed_at: completedAt.toISOString() })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returning(['patient_id', 'result'])
    .executeTakeFirst()
  if (!done) return undefined
  if (done.result === null || !('hash' in done.result)) throw new Error('The erasure has no certificate.')
  return { patient_id: done.patient_id, certificate: done.result }
}

/** Keeps the kind of a failure; after the last attempt the request ends with it. */
export async function noteFailure(tx: TenantTx, id: string, error: string, last: boolean): Promise<void> {
  await tx
    .updateTable('privacy_requests')
    .set({ error, ...(last ? { status: 'error' } : {}) })
    .where('id', '=', id)
    .where('status', 'in', ['accepted', 'active'])
    .execute()
}

/** Names that are translated are read in this language until the transaction ends. */
export async function readNamesIn(tx: TenantTx, language: string): Promise<void> {
  await sql`select set_config('app.language', ${language}, true)`.execute(tx)
}

/** The next rows about a patient in the order of their ids. */
export async function listRows(
  tx: TenantTx,
  { table, column, value }: RowsOf,
  columns: readonly string[],
  after: unknown,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const wanted = sql.join(['id', ...columns.filter((name) => name !== 'id')].map((name) => sql.ref(name)))
  const later = after === undefined ? sql`true` : sql`id > ${after}`
  const { rows } = await sql<Record<string, unknown>>`
    select ${wanted} from ${sql.table(table)}
    where organization_id = (select current_app_org_id()) and ${sql.ref(column)} = ${value} and ${later}
    order by id limit ${limit}`.execute(tx)
  return rows
}

export async function listFileKeys(tx: TenantTx, { table, column, value }: RowsOf, files: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select ${sql.ref(files)} as key from ${sql.table(table)}
    where organization_id = (select current_app_org_id()) and ${sql.ref(column)} = ${value} and ${sql.ref(files)} is not null`.execute(
    tx,
  )
  return rows.map(({ key }) => key)
}

/** Their files go with the keys: see privacy_requests_release_object. */
export async function forgetExpiredExports(tx: TenantTx, now: Date): Promise<void> {
  await sql`select release_expired_exports(${now.toISOString()})`.execute(tx)
}

export async function failStalledRequests(tx: TenantTx, before: Date): Promise<void> {
  await sql`select fail_stalled_privacy_requests(${before.toISOString()})`.execute(tx)
}
