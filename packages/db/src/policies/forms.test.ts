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

  const signed = (by = 'current_app_principal_id()') => `update forms set status = 'signed', signed_at = now(),
    signed_by_principal_id = ${by}, seal = '\\x00' where id = '${clinic.form}' and status = 'completed'`

  test('only the service signs a completed form, with forms.sign; afterwards neither the row nor its files change', async () => {
    const everything: Context = { ...holding(), permissions: '*', isService: true }
    const complete = `update forms set status = 'completed', completed_at = now() where id = '${clinic.form}'`
    const filling = holding('forms.view_org', 'forms.fill_org')
    const signing = holding('forms.view_org', 'forms.fill_org', 'forms.sign')
    assert.equal(await attempt({ ...filling, isService: true }, complete, signed()), 'refused')
    assert.equal(await attempt(signing, complete, signed()), 'refused')
    assert.equal(await attempt({ ...signing, permissions: '*' }, complete, signed()), 'refused')
    assert.equal(await attempt({ ...signing, isService: true }, complete, signed()), '1 rows')
    assert.equal(await attempt(everything, signed()), '0 rows')
    assert.equal(await attempt(everything, complete, signed(`'${randomUUID()}'`)), 'refused')
    assert.equal(await attempt({ ...everything, organizationId: other.id }, signed()), '0 rows')
    assert.equal(await attempt(everything, complete, `update forms set status = 'signed'`), 'refused')
    for (const signature of [`seal = '\\x00'`, `signed_at = now()`, `signed_by_principal_id = '${clinic.human}'`])
      assert.equal(await attempt(everything, `update forms set ${signature} where id = '${clinic.form}'`), 'refused')
    for (const change of [
      fill(clinic.form),
      `update forms set status = 'completed' where id = '${clinic.form}'`,
      `delete from forms where id = '${clinic.form}'`,
      addFile(clinic.form, clinic.profile),
      `update form_files set name = 'x' where form_id = '${clinic.form}'`,
      `delete from form_files where form_id = '${clinic.form}'`,
    ]) {
      assert.equal(await attempt(everything, complete, signed(), change), 'forms_signed_check', change)
    }
    assert.equal(await attempt(everything, `update forms set fields = '[]'`), 'refused')
  })

  test('a form that its patient signs is signed by that patient alone', async () => {
    const byPatient = `update forms set signed_by = 'patient', status = 'completed', completed_at = now() where id = $1`
    await database.query(byPatient, [clinic.form])
    const owner: Context = { ...patient(clinic.id, clinic.profile), isService: true }
    const staff: Context = { ...holding(), permissions: '*', isService: true }
    assert.equal(await attempt(owner, signed()), '1 rows')
    assert.equal(await attempt({ ...owner, isService: false }, signed()), 'refused')
    assert.equal(await attempt({ ...owner, profileIds: [neighbour.profile] }, signed()), '0 rows')
    assert.equal(await attempt({ ...owner, organizationId: other.id }, signed()), '0 rows')
    assert.equal(await attempt(staff, signed()), 'refused')
  })
})
