import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCore } from '../../apps/core/src/testing/core.ts'
import { followIssuer } from './identities.ts'

test('people of the local identity provider are the same after its port has changed', async (t) => {
  const core = await startCore()
  t.after(() => core.close())
  const { admin } = await core.organization()
  const other = 'https://login.clinic.example'
  const [old, now] = ['http://127.0.0.1:3001', core.config.issuer]
  const issuers = () =>
    core.database.query<{ issuer: string }>('select issuer from identities where human_id = $1 order by issuer', [
      admin.id,
    ])
  await core.database.query('update identities set issuer = $1', [old])
  await core.database.query('insert into identities (issuer, subject, human_id) values ($1, $2, $3)', [
    other,
    'subject',
    admin.id,
  ])
  await core.database.query(
    `insert into web_sessions (id_hash, app, issuer, subject, idle_limit, expires_at)
     select sha256((issuer || subject)::bytea), 'console', issuer, subject, '1 hour', now() + '1 hour' from identities`,
  )
  await followIssuer(core.database.url, now)
  assert.deepEqual(
    await issuers(),
    [{ issuer: now }, { issuer: other }].toSorted((a, b) => (a.issuer < b.issuer ? -1 : 1)),
  )
  assert.deepEqual(await core.database.query('select issuer from web_sessions'), [{ issuer: other }])
  assert.equal((await core.get('/v1/me', { as: admin })).body.data.principal_id, admin.id)
})
