import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import type { Context } from '../transaction.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'
import { createForms } from './forms.fixtures.ts'

const ROLLBACK = new Error('undone')

describe('row-level security of forms', () => {
  let database: TestDatabase
  let db: Database
  let clinic: Clinic
  let other: Clinic
  /** A neighbour of the clinic's patient, with a form of their own. */
  let neighbour: { profile: string; form: string }
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app', poolSize: 2 })
    clinic = await createClinic(database)
    other = await createClinic(database)
    await database.query(
      `insert into patients (organization_id, patient_profile_id, first_name, last_name) values ($1, $2, 'Ion', 'Pop')`,
      [clinic.id, clinic.spareProfile],
    )
    const query: TestDatabase['query'] = (text, values) => database.query(text, values)
    const { form } = await createForms(query, { id: clinic.id, profile: clinic.spareProfile, human: clinic.spareHuman })
    neighbour = { profile: clinic.spareProfile, form }
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const holding = (...codes: string[]): Context => ({
    principalId: clinic.human,
    organizationId: clinic.id,
    permissions: `,${codes.join(',')},`,
  })
  const patient = (organizationId: string, profile: string): Context => ({
    principalId: randomUUID(),
    organizationId,
    permissions: '',
    profileIds: [profile],
  })

  /** Runs statements, rolls them back, and returns the outcome of the last one. */
  async function attempt(context: Context, ...statements: string[]): Promise<string> {
    let rows = 0n
    try {
      await db.tenant(context, async (tx) => {
        for (const statement of statements) rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return `${rows} rows`
      const { code, constraint, message } = error as { code?: string; constraint?: string; message: string }
      return code === '42501' ? 'refused' : (constraint ?? message)
    }
    return 'not run'
  }

  const fill = (form: string) => `update forms set values = '{"field_a": 1}' where id = '${form}'`
  const addFile = (form: string, profile: string) =>
    `insert into form_files (form_id, patient_profile_id, field_key, object_key, name, size, mime, sha256)
     values ('${form}', '${profile}', 'field_b', 'k', 'n', 1, 'text/plain', '\\x00')`

  test('patients read and fill in their own forms, at the clinic in context, and nothing else', async () => {
    const owner = patient(clinic.id, clinic.profile)
    for (const table of ['forms', 'form_files']) {
      assert.equal(await attempt(owner, `select 1 from ${table}`), '1 rows')
      assert.equal(await attempt(patient(other.id, clinic.profile), `select 1 from ${table}`), '0 rows')
    }
    assert.equal(await attempt(owner, fill(clinic.form)), '1 rows')
    assert.equal(await attempt(owner, fill(neighbour.form)), '0 rows')
    assert.equal(await attempt(owner, addFile(clinic.form, clinic.profile)), '1 rows')
    assert.equal(await attempt(owner, addFile(neighbour.form, clinic.profile)), 'form_files_form_fkey')
    assert.equal(await attempt(owner, addFile(neighbour.form, neighbour.profile)), 'refused')
    assert.equal(await attempt(owner, `delete from forms`), '0 rows')
    assert.equal(await attempt(owner, `select 1 from form_templates`), '0 rows')
    assert.equal(await attempt(owner, `select 1 from forms where id = '${clinic.form}' for no key update`), '1 rows')
    assert.equal(await attempt(owner, `select 1 from forms where id = '${neighbour.form}' for no key update`), '0 rows')
  })

  test('the author of a form fills it in with forms.fill_own; forms of others need forms.fill_org', async () => {
    const maker = holding('forms.view_org', 'forms.fill_own')
    assert.equal(await attempt(maker, fill(clinic.form)), '1 rows')
    assert.equal(await attempt(maker, addFile(clinic.form, clinic.profile)), '1 rows')
    assert.equal(await attempt(maker, fill(neighbour.form)), '0 rows')
    assert.equal(await attempt(maker, addFile(neighbour.form, neighbour.profile)), 'refused')
    assert.equal(await attempt(holding('forms.view_org', 'forms.fill_org'), fill(neighbour.form)), '1 rows')
  })

  test('signing needs forms.sign and a completed form; afterwards neither the row nor its files change', async () => {
    const everything = { ...holding(), permissions: '*' }
    const complete = `update forms set status = 'completed', completed_at = now() where id = '${clinic.form}'`
    const signed = `select 1 where sign_form('${clinic.form}', now(), '\\x00') is not null`
    assert.equal(await attempt(holding('forms.view_org', 'forms.fill_org'), complete, signed), '0 rows')
    assert.equal(await attempt(everything, signed), '0 rows')
    assert.equal(await attempt(everything, complete, signed), '1 rows')
    assert.equal(await attempt(everything, complete, `update forms set status = 'signed'`), 'refused')
    for (const change of [
      fill(clinic.form),
      `update forms set status = 'completed' where id = '${clinic.form}'`,
      `delete from forms where id = '${clinic.form}'`,
      addFile(clinic.form, clinic.profile),
      `update form_files set name = 'x' where form_id = '${clinic.form}'`,
      `delete from form_files where form_id = '${clinic.form}'`,
    ]) {
      assert.equal(await attempt(everything, complete, signed, change), 'forms_signed_check', change)
    }
    assert.equal(await attempt(everything, `update forms set signed_at = now(), seal = '\\x00'`), 'refused')
    assert.equal(await attempt(everything, `update forms set fields = '[]'`), 'refused')
  })
})
