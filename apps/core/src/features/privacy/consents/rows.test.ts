import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Context, Database } from '@tendon/db'
import { sql } from 'kysely'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const REFUSED = '42501'

// What the database itself lets a request do, whatever the routes would allow.
describe('rows of consents', () => {
  let core: TestCore
  let app: Database
  before(async () => {
    core = await sharedCore()
    app = new Database({ ...core.database.options, login: 'tendon_app' })
  })
  after(async () => {
    await app.close()
    await core.close()
  })

  async function twoClinics() {
    const me = await core.signIn()
    const [clinic, other] = [await core.organization(), await core.organization()]
    for (const one of [clinic, other]) await core.publishNotice(one)
    const [mine, alsoMine] = [await core.patient(clinic, me), await core.patient(other, me)]
    const stranger = await core.patient(clinic)
    for (const one of [mine, alsoMine, stranger]) await core.acceptAll(one)
    await core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       select organization_id, patient_profile_id, 'analytics', 1, 'self_toggle' from patients where id = any($1)`,
      [[mine.id, alsoMine.id, stranger.id]],
    )
    const patient: Context = {
      principalId: me.id,
      organizationId: clinic.id,
      permissions: '',
      profileIds: [mine.profile_id, alsoMine.profile_id],
    }
    const staff: Context = { principalId: clinic.admin.id, organizationId: clinic.id, permissions: ',consents.manage,consents.view_org,' } // biome-ignore format: one line
    return { clinic, other, mine, alsoMine, stranger, patient, staff }
  }

  /** How many rows, or the SQLSTATE or constraint that stood in the way; taken back in any case. */
  async function attempt(context: Context, statement: string): Promise<number | string> {
    let rows = 0
    const undo = new Error('undo')
    const failure: unknown = await app
      .tenant(context, async (tx) => {
        rows = Number((await sql.raw(statement).execute(tx)).numAffectedRows)
        throw undo
      })
      .catch((error: unknown) => error)
    if (failure === undo) return rows
    const { code, constraint } = failure as { code: string; constraint?: string }
    return constraint ?? code
  }
  const insert = (place: string | null, profile: string, source: string, purpose = 'telerehab', more = '') =>
    `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source${more && ', granted_at'})
     values (${place === null ? 'null' : `'${place}'`}, '${profile}', '${purpose}', 1, '${source}'${more})`
  const end = (as: string, where = 'true') =>
    `update consents set withdrawn_at = clock_timestamp(), ended_as = '${as}' where ${where}`

  test('a patient gives consent for their own profiles only, and only as themselves', async () => {
    const { clinic, other, mine, alsoMine, stranger, patient } = await twoClinics()
    assert.equal(await attempt(patient, insert(clinic.id, mine.profile_id, 'self_toggle')), 1)
    assert.equal(await attempt(patient, insert(other.id, alsoMine.profile_id, 'signup_checkbox')), 1)
    assert.equal(
      await attempt({ ...patient, organizationId: NIL_UUID }, insert(clinic.id, mine.profile_id, 'self_toggle')),
      1,
    )
    assert.equal(await attempt(patient, insert(clinic.id, stranger.profile_id, 'self_toggle')), REFUSED)
    for (const source of ['staff_action', 'api']) {
      assert.equal(await attempt(patient, insert(clinic.id, mine.profile_id, source)), REFUSED, source)
    }
    assert.equal(await attempt(patient, insert(clinic.id, alsoMine.profile_id, 'self_toggle')), 'consents_patient_fkey')
    assert.equal(
      await attempt(patient, insert(clinic.id, mine.profile_id, 'self_toggle', 'telerehab', `, '2020-01-01'`)),
      REFUSED,
    )
  })

  test('a consent is stored at the right scope, and once', async () => {
    const { clinic, mine, patient } = await twoClinics()
    assert.equal(await attempt(patient, insert(null, mine.profile_id, 'self_toggle')), 'consents_scope_check')
    const misplaced = insert(clinic.id, mine.profile_id, 'self_toggle', 'platform_terms')
    assert.equal(await attempt(patient, misplaced), 'consents_scope_check')
    const twice = insert(clinic.id, mine.profile_id, 'self_toggle', 'analytics')
    assert.equal(await attempt(patient, twice), 'consents_active_key')
    const platform = insert(null, mine.profile_id, 'self_toggle', 'platform_terms')
    assert.equal(await attempt(patient, platform), 'consents_active_key')
  })

  test('a patient can only end a row, and only if its legal basis is consent', async () => {
    const { patient } = await twoClinics()
    for (const column of [
      'purpose_version = 2',
      `source = 'form'`,
      'granted_at = now()',
      'organization_id = null',
      'granted_via_ip = null',
      'patient_profile_id = patient_profile_id',
    ]) {
      assert.equal(await attempt(patient, `update consents set ${column}`), REFUSED, column)
    }
    assert.equal(await attempt(patient, 'delete from consents'), REFUSED)
    assert.equal(await attempt(patient, end('withdrawn', `purpose_code = 'analytics'`)), 2)
    assert.equal(await attempt(patient, end('withdrawn', `purpose_code = 'org_terms'`)), 'consents_withdrawable_check')
    assert.equal(
      await attempt(patient, end('withdrawn', `purpose_code = 'platform_terms'`)),
      'consents_withdrawable_check',
    )
    for (const way of ['left', 'erased']) assert.equal(await attempt(patient, end(way)), REFUSED, way)
    assert.equal(await attempt(patient, `update consents set withdrawn_at = now()`), REFUSED)
  })

  test('a consent that has ended cannot be changed', async () => {
    const { patient, staff, mine } = await twoClinics()
    await core.database.query(
      end('withdrawn', `purpose_code = 'analytics' and patient_profile_id = '${mine.profile_id}'`),
    )
    const where = `where purpose_code = 'analytics' and patient_profile_id = '${mine.profile_id}'`
    for (const context of [patient, staff]) {
      assert.equal(await attempt(context, `update consents set withdrawn_at = null, ended_as = null ${where}`), 0)
      assert.equal(await attempt(context, `update consents set withdrawal_reason = 'Other' ${where}`), 0)
    }
  })

  test('staff have access to their own clinic’s rows only, never the platform’s', async () => {
    const { clinic, other, mine, alsoMine, stranger, staff } = await twoClinics()
    assert.equal(await attempt(staff, insert(clinic.id, stranger.profile_id, 'staff_action')), 1)
    assert.equal(await attempt(staff, insert(clinic.id, mine.profile_id, 'self_toggle')), REFUSED)
    assert.equal(await attempt(staff, insert(other.id, alsoMine.profile_id, 'staff_action')), REFUSED)
    assert.equal(await attempt(staff, insert(null, mine.profile_id, 'staff_action', 'platform_terms')), REFUSED)
    assert.equal(
      await attempt(staff, `select 1 from consents where organization_id is distinct from '${clinic.id}'`),
      0,
    )
    assert.equal(await attempt(staff, end('withdrawn', `purpose_code = 'analytics'`)), 2)
    assert.equal(await attempt(staff, end('withdrawn', 'organization_id is null')), 0)
    assert.equal(await attempt(staff, end('withdrawn', `organization_id = '${other.id}'`)), 0)
    for (const way of ['left', 'erased'])
      assert.equal(await attempt(staff, end(way, `purpose_code = 'org_terms'`)), REFUSED)
  })

  test('the actor is the principal of the transaction, whatever the statement contains', async () => {
    const { clinic, mine, patient, staff } = await twoClinics()
    const forged = insert(clinic.id, mine.profile_id, 'self_toggle')
      .replace('source)', 'source, granted_by_principal_id)')
      .replace(`'self_toggle')`, `'self_toggle', '${clinic.admin.id}') returning 1`)
    assert.equal(await attempt(patient, forged), 1)
    await app.tenant(patient, (tx) => sql.raw(forged).execute(tx))
    const where = `patient_profile_id = '${mine.profile_id}' and purpose_code = 'telerehab'`
    const blamed = `update consents set withdrawn_at = now(), ended_as = 'withdrawn', withdrawn_by_principal_id = '${patient.principalId}' where ${where}`
    await app.tenant(staff, (tx) => sql.raw(blamed).execute(tx))
    const rows = await core.database.query(`select granted_by_principal_id as by, withdrawn_by_principal_id as ended_by from consents where ${where}`) // biome-ignore format: one line
    assert.deepEqual(rows, [{ by: patient.principalId, ended_by: staff.principalId }])
  })

  test('acting at another clinic as its patient grants no rights of the current clinic, and needs a record there', async () => {
    const { clinic, other, patient, staff } = await twoClinics()
    const both = { ...patient, permissions: staff.permissions }
    const seen = await app.tenant(both, async (tx) => {
      const read = async () =>
        (await sql<{ org: string; held: boolean }>`select current_app_org_id() as org, current_app_holds('consents.manage') as held`.execute(tx)).rows[0] // biome-ignore format: one line
      const before = await read()
      await sql`select begin_as_patient(${other.id})`.execute(tx)
      const there = await read()
      await sql`select end_as_patient()`.execute(tx)
      return [before, there, await read()]
    })
    const here = { org: clinic.id, held: true }
    assert.deepEqual(seen, [here, { org: other.id, held: false }, here])
    const foreign = await core.organization()
    for (const id of [foreign.id, NIL_UUID]) {
      const { rows } = await app.tenant(both, (tx) => sql<{ begun: boolean }>`select begin_as_patient(${id}) as begun`.execute(tx)) // biome-ignore format: one line
      assert.deepEqual(rows, [{ begun: false }])
    }
  })
})
