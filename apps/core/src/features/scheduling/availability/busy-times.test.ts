import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { createServices } from '../../../create-services.ts'
import type { Services } from '../../../services.ts'
import { startCore, type TestCore } from '../../../testing/core.ts'
import { startThirdParty, type ThirdParty } from '../../connections/integrations/third-party.testing.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { created, holdBody, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { replaceBusyTimes } from './busy.ts'
import { listConnectedCalendars } from './busy-queries.ts'
import { availabilityJobs } from './jobs.ts'

const PUBLIC_URL = 'http://127.0.0.1:3998'
const HOUR_MS = 3_600_000

describe('busy times of a connected calendar', () => {
  let core: TestCore
  let party: ThirdParty
  let worker: Services
  let closeWorker: () => Promise<void>
  before(async () => {
    party = await startThirdParty(`${PUBLIC_URL}/oauth/callback/google`)
    core = await startCore({ env: { OUTBOUND_ALLOW_PRIVATE: 'true', PUBLIC_URL } })
    const made = createServices(core.config, 'tendon_worker', core.database.url)
    worker = made
    closeWorker = () => made.close()
    const body = { capability: 'oauth_client_google', provider: 'oauth2', ...party.row }
    await created(core.post('/v1/admin/platform-service-providers', { as: await core.superadmin(), body }))
  })
  after(async () => {
    await closeWorker()
    await core.close()
    await party.close()
  })

  const path = (clinic: SchedulingClinic, rest: string) => `/v1/organizations/${clinic.id}/integrations${rest}`
  async function connect(clinic: SchedulingClinic): Promise<string> {
    const body = { service_slug: 'google_calendar', title: 'Calendar', config: { specialist_id: clinic.specialist.id } }
    const answer = await core.post(path(clinic, '/authorize'), { as: clinic.admin, body })
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    const callback = await party.browse(answer.body.data.authorization_url)
    await core.get(`${callback.pathname}${callback.search}`, { headers: { cookie } })
    return answer.body.data.integration_id
  }
  const read = () => availabilityJobs[0]?.run({}, jobTools(worker))
  const monday = nextMonday(8)
  const busyAt = (hour: number) => {
    const start = nextMonday(hour)
    return { start: start.toISOString(), end: new Date(start.getTime() + HOUR_MS).toISOString() }
  }
  /** Whether this hour of Monday is offered. */
  async function isFree(clinic: SchedulingClinic, hour: number): Promise<boolean> {
    const query = `organization=${clinic.slug}&service_id=${clinic.service.id}&from=${monday.toISOString()}&to=${nextMonday(20).toISOString()}`
    const { body } = await core.get(`/v1/public/availability?${query}`)
    return body.data.some(({ starts_at }: { starts_at: string }) => starts_at === nextMonday(hour).toISOString())
  }
  const countOf = async (id: string) =>
    (await core.database.query('select 1 from busy_times where integration_id = $1', [id])).length

  test('every connected calendar is read, page by page', async () => {
    const ids = [await connect(await schedulingClinic(core)), await connect(await schedulingClinic(core))].sort()
    const after = (id: string | undefined) =>
      worker.db.tenant(systemContext(null), (tx) => listConnectedCalendars(tx, 1, id))
    const listed: string[] = []
    for (let [next] = await after(undefined); next; [next] = await after(next.id)) listed.push(next.id)
    assert.deepEqual(
      listed.filter((id) => ids.includes(id)),
      ids,
    )
    assert.equal(new Set(listed).size, listed.length)
  })

  test('hide free times, follow the calendar, and do not restrict staff', async () => {
    const clinic = await schedulingClinic(core)
    await connect(clinic)
    party.state.busy = [busyAt(10)]
    assert.equal(await isFree(clinic, 10), true)
    await read()
    assert.deepEqual([await isFree(clinic, 10), await isFree(clinic, 11)], [false, true])
    const held = await core.post('/v1/public/holds', { body: holdBody(clinic) })
    assert.equal(held.body.error.code, 'slot_unavailable')
    await created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday(10).toISOString(),
        },
      }),
    )
    party.state.busy = [busyAt(12)]
    await read()
    assert.deepEqual([await isFree(clinic, 11), await isFree(clinic, 12)], [true, false])
  })

  test('busy times of a connected calendar are kept while the calendar cannot be read, and the integration shows the failure', async () => {
    const clinic = await schedulingClinic(core)
    const id = await connect(clinic)
    party.state.busy = [busyAt(10)]
    await read()
    party.state.refuses = true
    for (let attempt = 0; attempt < 3; attempt += 1) await read()
    party.state.refuses = false
    const { body } = await core.get(path(clinic, `/${id}`), { as: clinic.admin })
    assert.equal(body.data.status, 'error')
    assert.equal(await isFree(clinic, 10), false)
  })

  test('busy times of a connected calendar are deleted when the calendar is disconnected, also while it is being read', async () => {
    const clinic = await schedulingClinic(core)
    const id = await connect(clinic)
    party.state.busy = [busyAt(10)]
    await read()
    assert.equal(await countOf(id), 1)
    const context = systemContext(clinic.id)
    const listed = await worker.db.tenant(systemContext(null), (tx) => listConnectedCalendars(tx, 1_000))
    const calendar = listed.find((one) => one.id === id)
    assert.ok(calendar)
    assert.equal((await core.delete(path(clinic, `/${id}`), { as: clinic.admin })).status, 204)
    await worker.db.tenant(context, (tx) => replaceBusyTimes(tx, calendar, [busyAt(10)]))
    assert.equal(await countOf(id), 0)
    assert.equal(await isFree(clinic, 10), true)
  })
})
