import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import type { Context } from '../transaction.ts'
import { OPERATIONS, type Operation } from './case.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'
import { OWNER_CASES, OWNER_FUNCTIONS, type Owner, type OwnerCase } from './owner.cases.ts'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
const ROLLBACK = new Error('undone')

describe('row-level security of patients', () => {
  let database: TestDatabase
  let db: Database
  let clinic: Clinic
  let other: Clinic
  /** The patient whose rows are tried, the same human at another clinic, and a neighbour at the first. */
  let owner: Owner
  let elsewhere: Owner
  let neighbour: Owner
  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app', poolSize: 4 })
    clinic = await createClinic(database)
    other = await createClinic(database)
    owner = await createOwner(clinic)
    elsewhere = await createOwner(other)
    neighbour = await createOwner(clinic)
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  /** One row in every table that is about a patient. */
  async function createOwner(of: Clinic): Promise<Owner> {
    const [profile] = await database.query<{ id: string }>(
      'insert into patient_profiles (organization_id) values ($1) returning id',
      [of.id],
    )
    const [patient] = await database.query<{ id: string }>(
      `insert into patients (organization_id, patient_profile_id, first_name, last_name)
       values ($1, $2, 'Maria', 'Pop') returning id`,
      [of.id, profile?.id],
    )
    const about = [of.id, profile?.id]
    await database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       values ($1, $2, 'analytics', 1, 'self_toggle'), ($1, $2, 'marketing_sms', 1, 'self_toggle')`,
      about,
    )
    await database.query(
      `update consents set withdrawn_at = now(), ended_as = 'withdrawn'
       where organization_id = $1 and patient_profile_id = $2 and purpose_code = 'marketing_sms'`,
      about,
    )
    await database.query(
      `insert into privacy_requests (organization_id, patient_profile_id, patient_id, kind, status)
       values ($1, $2, $3, 'export', 'completed')`,
      [...about, patient?.id],
    )
    await database.query(
      `insert into break_glass_grants (organization_id, patient_id, principal_id, reason, expires_at)
       values ($1, $2, $3, repeat('why ', 10), now())`,
      [of.id, patient?.id, of.human],
    )
    await database.query(
      `insert into impersonations (organization_id, patient_id, principal_id, hash, expires_at) values ($1, $2, $3, $4, now())`,
      [of.id, patient?.id, of.human, randomBytes(32)],
    )
    await database.query(
      `insert into audit_log (id, organization_id, patient_profile_id, actor_type, action, crud, target_type, key_id, personal)
       values (gen_random_uuid(), $1, $2, 'system', 'a.b', 'R', 'thing', $3, '\\x00')`,
      [...about, of.auditKey],
    )
    return { clinic: of.id, profile: profile?.id ?? '', patient: patient?.id ?? '' }
  }

  const as = (organizationId: string | null, ...profileIds: string[]): Context => ({
    principalId: randomUUID(),
    organizationId,
    permissions: '',
    profileIds,
  })
  const owners = (): Record<string, Context> => ({
    'at the clinic': as(clinic.id, owner.profile),
    'at the clinic, with profiles elsewhere': as(clinic.id, elsewhere.profile, owner.profile),
    'at another clinic of theirs': as(other.id, owner.profile, elsewhere.profile),
    'without an organization': as(NIL_UUID, owner.profile),
    'without a context of organization': as(null, owner.profile),
  })
  const strangers = (): Record<string, Context> => ({
    'the neighbour': as(clinic.id, neighbour.profile),
    'the neighbour, without organization': as(NIL_UUID, neighbour.profile),
    'a patient of another clinic': as(other.id, elsewhere.profile),
    'a patient of another clinic, here': as(clinic.id, elsewhere.profile),
    'a profile that does not exist': as(clinic.id, randomUUID()),
    'no profile': as(clinic.id),
    'nobody at all': { principalId: null, organizationId: null, permissions: '' },
    'a superadmin of another clinic': { ...as(other.id), permissions: '*' },
  })

  /** Runs a statement, rolls it back, and returns the outcome. */
  async function attempt(context: Context, statement: string): Promise<string> {
    let rows = 0n
    try {
      await db.tenant(context, async (tx) => {
        rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return rows > 0n ? 'rows' : 'none'
      const { code, message } = error as { code?: string; message: string }
      return code === '42501' ? 'refused' : message
    }
    return 'not run'
  }

  function statementFor(operation: Operation, name: string, { row, fresh, set }: OwnerCase): string {
    const table = name.split(' ', 1)[0] ?? name
    if (operation === 'select') return `select 1 from ${table} where ${row(owner)}`
    if (operation === 'insert') return `insert into ${table} ${fresh(owner)}`
    if (operation === 'update') return `update ${table} set ${set} where ${row(owner)}`
    return `delete from ${table} where ${row(owner)}`
  }

  for (const [name, entry] of Object.entries(OWNER_CASES)) {
    test(`a patient on their own ${name}, and others on them`, async () => {
      const met: Record<string, string> = {}
      const expected: Record<string, string> = {}
      for (const operation of OPERATIONS) {
        const statement = statementFor(operation, name, entry)
        const ofOthers = operation === 'insert' || entry[operation] === 'refused' ? 'refused' : 'none'
        for (const [who, context] of Object.entries(owners())) {
          met[`${operation}, ${who}`] = await attempt(context, statement)
          expected[`${operation}, ${who}`] = entry[operation]
        }
        for (const [who, context] of Object.entries(strangers())) {
          met[`${operation}, ${who}`] = await attempt(context, statement)
          expected[`${operation}, ${who}`] = ofOthers
        }
      }
      assert.deepEqual(met, expected)
    })
  }

  for (const [name, row] of Object.entries(OWNER_FUNCTIONS)) {
    test(`${name} returns patients their own rows, at every clinic, and others nothing`, async () => {
      const statement = `select 1 from ${name} where ${row(owner)}`
      for (const [who, context] of Object.entries(owners()))
        assert.equal(await attempt(context, statement), 'rows', who)
      for (const [who, context] of Object.entries(strangers())) {
        if (name.startsWith('my_access_log') && who.startsWith('the neighbour')) continue // is of the same clinic
        assert.equal(await attempt(context, statement), 'none', who)
      }
    })
  }

  test('a patient with profiles at two clinics sees exactly theirs, in either clinic', async () => {
    for (const organizationId of [clinic.id, other.id, NIL_UUID, null]) {
      const context = as(organizationId, owner.profile, elsewhere.profile)
      for (const [table, column] of [
        ['patient_profiles', 'id'],
        ['patients', 'patient_profile_id'],
        ['consents', 'patient_profile_id'],
      ]) {
        const rows = await db.tenant(context, async (tx) => {
          const { rows } = await sql<{ id: string }>`
            select distinct ${sql.ref(column ?? '')}::text as id from ${sql.table(table ?? '')} order by 1`.execute(tx)
          return rows.map(({ id }) => id)
        })
        assert.deepEqual(rows, [owner.profile, elsewhere.profile].toSorted(), `${table} in ${organizationId}`)
      }
    }
  })

  test('a consent is given for one’s own profile at its own clinic, and nowhere else', async () => {
    const give = (organization: string | null, profile: string) =>
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       values (${organization === null ? 'null' : `'${organization}'`}, '${profile}', '${organization === null ? 'platform_terms' : 'telerehab'}', 1, 'self_toggle')`
    const context = as(clinic.id, owner.profile, elsewhere.profile)
    assert.equal(await attempt(context, give(clinic.id, owner.profile)), 'rows')
    assert.equal(await attempt(context, give(other.id, elsewhere.profile)), 'rows')
    assert.match(await attempt(context, give(other.id, owner.profile)), /consents_patient_fkey/)
    assert.equal(await attempt(context, give(clinic.id, neighbour.profile)), 'refused')
    assert.equal(await attempt(context, give(null, owner.profile)), 'rows')
    assert.equal(await attempt(context, give(null, neighbour.profile)), 'refused')
  })

  test('entries of the audit log are readable by id only for their patient', async () => {
    const [entry] = await database.query<{ id: string }>('select id from audit_log where patient_profile_id = $1', [
      owner.profile,
    ])
    assert.equal(await attempt(as(clinic.id, owner.profile), 'select 1 from audit_log'), 'none', 'not the table')
    const statement = `select 1 from my_access_log_entries('{${entry?.id}}')`
    assert.equal(await attempt(as(null, owner.profile), statement), 'rows')
    for (const [who, context] of Object.entries(strangers()))
      assert.equal(await attempt(context, statement), 'none', who)
  })
})
