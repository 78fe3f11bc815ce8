import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createSecretBox, parseKeyring } from '@tendon/secrets'
import { startSmtpServer, type TestSmtpServer } from '@tendon/testing'
import { Client } from 'pg'
import { startCore, type TestCore } from '../../apps/core/src/testing/core.ts'
import { rewrapSecrets, SEALED_COLUMNS, SHORT_LIVED_COLUMNS } from './rewrap.ts'

const newKey = () => randomBytes(32).toString('base64')

describe('npm run keys:rewrap', () => {
  const oldKey = `old:${newKey()}`
  const currentKey = `current:${newKey()}`
  let core: TestCore
  let smtp: TestSmtpServer
  let client: Client
  before(async () => {
    smtp = await startSmtpServer({ auth: { user: 'clinic', pass: 'mail-password' } })
    core = await startCore({ env: { KEYRING: oldKey, OUTBOUND_ALLOW_PRIVATE: 'true' } })
    client = new Client({ connectionString: core.database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await core.close()
    await smtp.close()
  })

  const rewrap = async (keyring: string) => {
    const lines: string[] = []
    await rewrapSecrets(client, parseKeyring(keyring), (line) => void lines.push(line))
    return lines
  }
  const storedValues = async () => {
    const values = await Promise.all(
      SEALED_COLUMNS.map(({ table, column }) =>
        core.database.query<{ sealed: Buffer }>(`select ${column} as sealed from ${table} where ${column} is not null`),
      ),
    )
    return values.flat().map(({ sealed }) => sealed)
  }

  test('npm run keys:rewrap moves every value to the first key; they open without the old key, and no row seems changed', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const as = clinic.admin
    const patient = await core.post('/v1/patients', {
      as,
      body: { first_name: 'Mara', last_name: 'Pop', national_id: '2840309410017' },
    })
    assert.equal(patient.status, 201, patient.text)
    const restricted = { patient_id: patient.body.data.id, restricted: true, reason: 'Asked' }
    await core.post('/v1/gdpr/restrict', { as, body: restricted })
    const config = { host: '127.0.0.1', port: smtp.port, security: 'none', from_address: 'clinic@mail.example' }
    const credentials = { username: 'clinic', password: 'mail-password' }
    const integrations = `/v1/organizations/${clinic.id}/integrations`
    const mail = { service_slug: 'smtp', title: 'Mail', config, credentials }
    assert.equal((await core.post(integrations, { as, body: mail })).status, 201)
    const hook = await core.post('/v1/webhook-subscriptions', { as, body: { url: 'https://a.example', events: ['*'] } })
    await core.post(`/v1/webhook-subscriptions/${hook.body.data.uid}/rotate-secret`, { as, body: {} })
    const facts = () =>
      core.database.query(
        `select national_id_index, updated_at from patient_profiles
         union all select null, updated_at from organization_integrations order by 2`,
      )
    const before = await facts()

    const box = createSecretBox(parseKeyring(`${currentKey},${oldKey}`))
    assert.ok((await storedValues()).every((sealed) => box.keyIdOf(sealed) === 'old'))
    const lines = await rewrap(`${currentKey},${oldKey}`)
    assert.match(lines.join('\n'), /^patient_profiles\.national_id_encrypted: 1 values moved to key "current"$/m)
    assert.match(lines.join('\n'), /^webhook_subscriptions\.previous_secret_encrypted: 1 values/m)
    assert.ok((await storedValues()).every((sealed) => box.keyIdOf(sealed) === 'current'))
    assert.deepEqual(await facts(), before)
    assert.ok((await rewrap(currentKey)).every((line) => line.includes(': 0 values')))
    const [profile] = await core.database.query<{ id: string; sealed: Buffer }>(
      'select id, national_id_encrypted as sealed from patient_profiles where national_id_encrypted is not null',
    )
    assert.ok(profile)
    const withoutOldKey = createSecretBox(parseKeyring(currentKey))
    const place = { table: 'patient_profiles', column: 'national_id_encrypted', organization_id: clinic.id }
    assert.equal(withoutOldKey.open(profile.sealed, { ...place, row: profile.id }).toString(), '2840309410017')
  })

  test('a key that is not in the keyring stops it before a value is changed', async () => {
    const stored = await storedValues()
    await assert.rejects(rewrap(`third:${newKey()}`), /sealed under key "current", which is not in the keyring/)
    assert.deepEqual(await storedValues(), stored)
  })

  test('a login that row-level security hides rows from is refused, instead of "0 values moved"', async () => {
    await client.query('set role tendon_owner')
    try {
      await assert.rejects(rewrap(currentKey), /row-level security/)
    } finally {
      await client.query('reset role')
    }
  })

  test('every sealed column is moved or deleted within a day', async () => {
    const columns = await core.database.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea' and (column_name like '%encrypted' or column_name like 'wrapped%')`,
    )
    const known = new Set([...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...SHORT_LIVED_COLUMNS])
    assert.deepEqual(
      columns.filter(({ name }) => !known.has(name)),
      [],
    )
  })
})
