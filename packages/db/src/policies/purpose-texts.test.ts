import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@tendon/testing'
import { Client } from 'pg'

describe('the consent texts of clinics', () => {
  let database: TestDatabase
  let client: Client
  const ids = { mine: '', other: '', profile: '' }

  before(async () => {
    database = await createTestDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
    const clinic = `insert into organizations (name, slug) values ($1, $1) returning id`
    for (const name of ['mine', 'other'] as const) {
      ids[name] = (await client.query<{ id: string }>(clinic, [name])).rows[0]?.id ?? ''
      await client.query(
        `insert into consent_purpose_versions (purpose_code, organization_id, version, body_translations) values ('org_terms', $1, 7, '{"en": "Text"}')`,
        [ids[name]],
      )
    }
    const profile = await client.query<{ id: string }>(
      'insert into patient_profiles (organization_id) values ($1) returning id',
      [ids.other],
    )
    ids.profile = profile.rows[0]?.id ?? ''
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  /** The version of a text as the login of requests sees it. */
  async function versionSeen(organizationId: string | null, context: { org: string; profiles?: string[] }) {
    await client.query('begin; set local role tendon_app')
    try {
      await client.query(`select set_config('app.org_id', $1, true), set_config('app.profile_ids', $2, true)`, [
        context.org,
        `{${(context.profiles ?? []).join(',')}}`,
      ])
      const { rows } = await client.query<{ version: number; own: boolean }>(
        `select version, organization_id is not null as own from purpose_version_in_force('org_terms', $1)`,
        [organizationId],
      )
      return rows[0]
    } finally {
      await client.query('rollback')
    }
  }

  test('the consent texts of clinics are read at the clinic in context, and on the platform', async () => {
    assert.deepEqual(await versionSeen(ids.mine, { org: ids.mine }), { version: 7, own: true })
    assert.equal((await versionSeen(null, { org: ids.mine }))?.own, false)
  })

  test('the consent texts of clinics are not read at another clinic, except by its patients', async () => {
    assert.equal(await versionSeen(ids.other, { org: ids.mine }), undefined)
    assert.deepEqual(await versionSeen(ids.other, { org: ids.mine, profiles: [ids.profile] }), {
      version: 7,
      own: true,
    })
    assert.equal(await versionSeen(ids.other, { org: '' }), undefined)
  })

  test('the consent texts of clinics cannot be read by bypassing the check', async () => {
    await client.query('begin; set local role tendon_app')
    await assert.rejects(
      client.query(`select current_purpose_version('org_terms', $1)`, [ids.other]),
      /permission denied for function current_purpose_version/,
    )
    await client.query('rollback')
  })
})
