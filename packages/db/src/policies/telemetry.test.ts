import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { sql } from 'kysely'
import { Database } from '../database.ts'
import type { Context } from '../transaction.ts'
import { type Clinic, createClinic } from './clinic.fixtures.ts'
import { TELEMETRY_ROWS } from './telemetry.fixtures.ts'

const ROLLBACK = new Error('undone')
const TABLES = ['run_manifests', ...Object.keys(TELEMETRY_ROWS)]

describe('row-level security of telemetry', () => {
  let database: TestDatabase
  let app: Database
  let telemetry: Database
  let clinic: Clinic
  let other: Clinic
  before(async () => {
    database = await createTestDatabase()
    app = new Database({ ...database.options, login: 'tendon_app', poolSize: 2 })
    telemetry = new Database({ ...database.options, login: 'tendon_telemetry', poolSize: 2 })
    clinic = await createClinic(database)
    other = await createClinic(database)
  })
  after(async () => {
    await app.close()
    await telemetry.close()
    await database.drop()
  })

  const patient = (organizationId: string, ...profileIds: string[]): Context => ({
    principalId: randomUUID(),
    organizationId,
    permissions: '',
    profileIds,
  })
  const service = (of: Clinic): Context => ({ principalId: null, organizationId: of.id, permissions: '*' })

  async function attempt(db: Database, context: Context, statement: string): Promise<string> {
    let rows = 0n
    try {
      await db.tenant(context, async (tx) => {
        rows = (await sql.raw(statement).execute(tx)).numAffectedRows ?? 0n
        throw ROLLBACK
      })
    } catch (error) {
      if (error === ROLLBACK) return rows > 0n ? 'rows' : 'none'
      const { code, constraint, message } = error as { code?: string; constraint?: string; message: string }
      return code === '42501' ? 'refused' : (constraint ?? message)
    }
    return 'not run'
  }

  test('patients read their own, at every clinic, and nobody else’s', async () => {
    for (const table of TABLES) {
      const own = `select 1 from ${table} where run_id = '${clinic.run}'`
      assert.equal(await attempt(app, patient(clinic.id, clinic.profile), own), 'rows', table)
      assert.equal(await attempt(app, patient(other.id, clinic.profile, other.profile), own), 'rows', table)
      assert.equal(await attempt(app, patient(clinic.id, clinic.spareProfile), own), 'none', table)
      assert.equal(await attempt(app, patient(clinic.id, other.profile), own), 'none', table)
      assert.equal(await attempt(app, patient(clinic.id), own), 'none', table)
    }
  })

  test('patients write the manifest of a run of theirs, at the clinic in context, and nothing else', async () => {
    const manifest = (of: Clinic, profile: string) =>
      `insert into run_manifests (run_id, organization_id, patient_profile_id, items)
       values ('${randomUUID()}', '${of.id}', '${profile}', '[]')`
    const owner = patient(clinic.id, clinic.profile)
    assert.equal(await attempt(app, owner, manifest(clinic, clinic.profile)), 'rows')
    assert.equal(await attempt(app, owner, manifest(clinic, clinic.spareProfile)), 'refused')
    assert.equal(await attempt(app, owner, manifest(other, clinic.profile)), 'refused')
    assert.equal(await attempt(app, owner, 'delete from run_manifests'), 'refused')
    for (const table of Object.keys(TELEMETRY_ROWS)) {
      assert.equal(await attempt(app, owner, `delete from ${table}`), 'refused', table)
    }
  })

  test('no row binds a run to another patient or clinic than its manifest does', async () => {
    for (const [table, { columns, values }] of Object.entries(TELEMETRY_ROWS)) {
      const insert = (of: Clinic, run: string, profile: string) =>
        attempt(
          telemetry,
          service(of),
          `insert into ${table} (organization_id, run_id, patient_profile_id, ${columns})
           select '${of.id}', '${run}', '${profile}', ${values}`,
        )
      assert.equal(await insert(clinic, clinic.spareRun, clinic.profile), 'rows', table)
      for (const [of, run, profile] of [
        [clinic, clinic.spareRun, clinic.spareProfile],
        [other, clinic.spareRun, clinic.profile],
        [clinic, randomUUID(), clinic.profile],
      ] as const) {
        assert.equal(await insert(of, run, profile), `${table}_run_fkey`, table)
      }
    }
  })

  test('the telemetry service has access only to its tables and the manifests', async () => {
    for (const table of ['patients', 'patient_profiles', 'humans', 'consents', 'audit_log', 'session_runs'])
      assert.equal(await attempt(telemetry, service(clinic), `select 1 from ${table}`), 'refused', table)
  })

  test('deleting a manifest deletes the run, but not before the row that names an object', async () => {
    const remove = (table: string) => database.query(`delete from ${table} where run_id = $1`, [other.run])
    await assert.rejects(remove('run_manifests'), /replay_blobs_run_fkey/)
    await remove('replay_blobs')
    await remove('run_manifests')
    for (const table of TABLES) {
      assert.deepEqual(await database.query(`select 1 from ${table} where run_id = $1`, [other.run]), [], table)
    }
  })
})
