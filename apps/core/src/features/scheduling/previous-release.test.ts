import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../testing.ts'
import { created, holdBody, nextMonday, schedulingClinic } from './clinic.testing.ts'

describe('during an upgrade servers of the previous release', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('read taken time as pairs of start and end', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const start = nextMonday()
    await created(core.post('/v1/public/holds', { body: holdBody(clinic, start) }))
    const [row] = await core.database.query<{ facts: { taken: Record<string, [number, number][]> } }>(
      'select availability_for_public($1, $2, null, null, $3, $4) as facts',
      [clinic.slug, clinic.service.id, start, new Date(start.getTime() + 3_600_000)],
    )
    assert.deepEqual(row?.facts.taken, { [clinic.specialist.id]: [[start.getTime(), start.getTime() + 3_600_000]] })
  })

  test('change the settings of a clinic, and keep the values that a newer server changed', async () => {
    const { id, admin } = await core.organization()
    const path = `/v1/organizations/${id}/settings`
    await core.database.query('insert into scheduling_settings (organization_id) values ($1)', [id])
    const changed = await core.patch(path, { as: admin, body: { reminder_offsets_minutes: [60] } })
    assert.equal(changed.status, 200, changed.text)
    await core.database.query('update scheduling_settings set feed_shows_details = true where organization_id = $1', [
      id,
    ])
    const { reminder_offsets_minutes, feed_shows_details } = (await core.get(path, { as: admin })).body.data
    assert.deepEqual([reminder_offsets_minutes, feed_shows_details], [[60], true])
  })

  test('lease mails with three arguments', async () => {
    const { id } = await core.organization()
    const [mail] = await core.database.query<{ id: string }>(
      `insert into mail_outbox (organization_id, to_address, template, language, data, kind, next_attempt_at)
       values ($1, 'ana@mail.example', 'x', 'en', '{}', 'account', '2000-01-01') returning id`,
      [id],
    )
    const leased = await core.database.query<{ id: string }>(
      `select lease_mails(10, '2000-01-02', interval '1 minute') as id`,
    )
    assert.deepEqual(leased, [mail])
  })
})
