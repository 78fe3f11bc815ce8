import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '@tendon/config'
import {
  createTestDatabase,
  processEnv,
  startIssuer,
  TEST_ROLE_SECRET,
  type TestDatabase,
  type TestIssuer,
} from '@tendon/testing'
import { succeeds } from '../check-plans/call.ts'
import { type MeasuredCore, startMeasuredCore } from '../check-plans/core.ts'
import { type Seeded, seed } from './seed.ts'

const PATIENTS = 60

describe('npm run seed', () => {
  let database: TestDatabase
  let issuer: TestIssuer
  let core: MeasuredCore
  let seeded: Seeded
  const run = (clinics: number) =>
    seed({
      databaseUrl: database.url,
      config: readConfig({ NODE_ENV: 'test', DATABASE_ROLE_SECRET: TEST_ROLE_SECRET }),
      size: { clinics, patients: PATIENTS },
      issuer: issuer.issuer,
    })
  before(async () => {
    database = await createTestDatabase()
    issuer = await startIssuer()
    seeded = await run(2)
    core = await startMeasuredCore(database.url, issuer, seeded.clinics[0]?.domain ?? '')
  })
  after(async () => {
    await core.close()
    await issuer.close()
    await database.drop()
  })

  const get = (path: string, as: 'admin' | 'patient' = 'admin') => succeeds(core.call, { method: 'GET', path, as })

  test('its admin signs in and sees the patients of the clinic, and no others', async () => {
    const { pagination } = await get('/v1/patients?limit=50')
    assert.equal(pagination.total, PATIENTS)
    assert.deepEqual(
      seeded.clinics.map(({ patients }) => patients),
      [PATIENTS, 50],
    )
  })

  test('the identification number of a patient can be read, and is found again', async () => {
    const [patient] = seeded.patients
    const { profile } = await get(`/v1/patients/${patient?.id}/profile`)
    assert.match(profile.national_id, /^[12]\d{12}$/)
    const again = { first_name: 'Ana', last_name: 'Pop', national_id: profile.national_id }
    const refused = await core.call({ method: 'POST', path: '/v1/patients', as: 'admin', body: again })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'patient_exists'])
  })

  test('the entries of the audit log can be decrypted', async () => {
    const { data } = await get(`/v1/audit-logs?action=patients.create&limit=100`)
    assert.equal(data.length, PATIENTS)
    const names = new Set(seeded.patients.map(({ name }) => name))
    for (const { target } of data) assert.ok(names.has(target.label))
  })

  test('its patient signs in with an account and has a plan', async () => {
    const { data } = await get('/v1/me/treatment-plans', 'patient')
    assert.equal(data.length, 1)
    await get('/v1/me/today', 'patient')
  })

  test('its lists have rows', async () => {
    for (const path of ['/v1/appointments', '/v1/treatment-plans', '/v1/forms', '/v1/session-runs']) {
      const { data } = await get(`${path}?limit=10`)
      assert.equal(data.length, 10, path)
    }
  })

  test('a second run adds clinics', async () => {
    const more = await run(1)
    assert.equal(more.clinics[0]?.slug, 'seed-3')
  })

  const command = (args: string[], env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, '../seed.ts'), ...args], {
      env: { ...processEnv(), ...env },
    })

  test('as a command it says who can sign in', async () => {
    const args = ['--clinics', '2', '--patients', '3', '--into-database-url']
    const { stdout } = await command(args, { DATABASE_URL: database.url })
    assert.match(stdout, /2 clinics with 6 patients .*\n.* as admin@seed-4\.example,\n.* patient-1@seed-4\.example/)
  })

  test('as a command it writes into DATABASE_URL only when told so', async () => {
    const count = async () => (await database.query('select from organizations')).length
    const before = await count()
    const started = command(['--clinics', '1', '--patients', '1'], { DATABASE_URL: database.url })
    await assert.rejects(started, /DATABASE_URL is set: .* add --into-database-url/)
    assert.equal(await count(), before)
  })

  test('it does not run in production', async () => {
    const started = command(['--clinics', '1'], {
      AUTH_ISSUER: 'https://login.example.com',
      DATABASE_URL: database.url,
    })
    await assert.rejects(started, /refused in production\. Run it beside npm start, with AUTH_ISSUER unset/)
  })
})
