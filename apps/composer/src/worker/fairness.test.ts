import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { NO_FFMPEG } from '@tendon/testing'
import { createServices } from '../create-services.ts'
import { type Clinic, refusedAs, startComposer, type TestComposer } from '../testing.ts'
import { RENDERS_PER_ORGANIZATION } from './attempt.ts'
import { beat, claimRender } from './queries.ts'

describe('renders of several clinics', { skip: NO_FFMPEG }, () => {
  let composer: TestComposer
  let worker: ReturnType<typeof createServices>
  before(async () => {
    composer = await startComposer()
    worker = createServices(composer.config, 'tendon_worker', composer.database.url)
  })
  after(async () => {
    await worker.close()
    await composer.close()
  })
  const claim = async (now = new Date()) => {
    const workerId = randomUUID()
    const claimed = await claimRender(worker.db, workerId, now, RENDERS_PER_ORGANIZATION)
    return claimed && { ...claimed, workerId }
  }
  const queue = async (clinic: Clinic, count: number) => {
    const { slug } = await composer.bundled(clinic)
    for (let seed = 0; seed < count; seed += 1)
      assert.equal((await composer.compose(clinic.admin, slug, { seed })).status, 202)
    return slug
  }

  test('renders of several clinics take turns, two of a clinic at a time; twenty may wait, then 429', async () => {
    const [large, small] = [await composer.clinic(), await composer.clinic()]
    const slug = await queue(large, 20)
    const refused = await composer.compose(large.admin, slug, { seed: 99 })
    assert.deepEqual([...refusedAs(refused), refused.headers.get('retry-after')], [429, 'render_quota_reached', '60'])
    assert.equal((await composer.compose(large.admin, slug, { seed: 0 })).status, 202, 'a repeat is no new render')
    await queue(small, 3)
    const order = [await claim(), await claim(), await claim(), await claim(), await claim()]
    const names = order.map((one) => (one === undefined ? 'none' : one.organizationId === large.id ? 'large' : 'small'))
    assert.deepEqual(names.slice(0, 2).toSorted(), ['large', 'small'])
    assert.deepEqual(names.slice(2).toSorted(), ['large', 'none', 'small'])
  })

  test('whose worker was silent for a minute are taken over; the first worker then writes nothing', async () => {
    const clinic = await composer.clinic()
    await composer.database.query(`update renders set status = 'cancelled'`)
    await queue(clinic, 1)
    const [now, later] = [new Date(), new Date(Date.now() + 61_000)]
    const first = await claim(now)
    assert.ok(first)
    assert.equal(await claim(new Date(now.getTime() + 30_000)), undefined)
    const second = await claim(later)
    assert.equal(second?.id, first.id)
    const beats = (workerId: string) =>
      worker.db.tenant(systemContext(clinic.id), (tx) =>
        beat(tx, first.id, workerId, { now: later, progress: 50, stage: 'joining' }),
      )
    assert.deepEqual([await beats(first.workerId), await beats(second?.workerId ?? '')], [false, true])
  })

  test('renders of several clinics of one queue are claimed once, whatever the number of workers', async () => {
    await composer.database.query(`update renders set status = 'cancelled'`)
    const clinics = await Promise.all(Array.from({ length: 4 }, () => composer.clinic()))
    for (const clinic of clinics) await queue(clinic, 2)
    const claimed = await Promise.all(Array.from({ length: 20 }, () => claim()))
    const ids = claimed.flatMap((one) => (one ? [one.id] : []))
    assert.deepEqual([ids.length, new Set(ids).size], [8, 8])
  })
})
