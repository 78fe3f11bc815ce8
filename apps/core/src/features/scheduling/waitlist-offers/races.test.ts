import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { created, holdBody, nextMonday } from '../clinic.testing.ts'
import { NEXT_JOB } from './job-names.ts'
import { offerTools, startOfferCore } from './offers.testing.ts'

const ROUNDS = 6

describe('races for an offered time', () => {
  let core: Awaited<ReturnType<typeof startOfferCore>>
  let tools: ReturnType<typeof offerTools>
  before(async () => {
    core = await startOfferCore()
    tools = offerTools(core)
  })
  after(() => core.close())

  test('of several who accept one offer at once, one succeeds and the others get 409', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, person } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const link = await tools.linkOf(person)
    const answers = await Promise.all(Array.from({ length: 6 }, () => core.post(link)))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, ...Array(5).fill(409)],
    )
    assert.deepEqual(await tools.claimsOf(clinic), ['appointment'])
  })

  test('accepting and declining, or ending, at once has one winner', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { clinic, people } = await tools.freedTime(1)
      const [{ entryId, person } = assert.fail()] = people
      await created(tools.offer(clinic, entryId))
      const link = await tools.linkOf(person)
      const [accepted, declined, ended] = await Promise.all([
        core.post(link),
        core.delete(link),
        core.delete(`/v1/appointments/${entryId}/offer`, { as: clinic.admin }),
      ])
      const won = [accepted.status === 200, declined.status === 204, ended.status === 204].filter(Boolean)
      assert.equal(won.length, 1, `${accepted.status} ${declined.status} ${ended.status}`)
      for (const { status } of [accepted, declined, ended]) assert.ok([200, 204, 404, 409, 410].includes(status))
      assert.deepEqual(await tools.claimsOf(clinic), accepted.status === 200 ? ['appointment'] : [])
    }
  })

  test('at the moment of expiry the patient accepts or a rival holds the time, never both', async () => {
    const { clinic, people } = await tools.freedTime(ROUNDS)
    for (const [round, { entryId, person }] of people.entries()) {
      await core.database.query('delete from time_claims where organization_id = $1', [clinic.id])
      await core.database.query(`update waitlist_offers set status = 'ended' where organization_id = $1`, [clinic.id])
      await created(tools.offer(clinic, entryId, { starts_at: tools.at(10), specialist_id: clinic.specialist.id }))
      const link = await tools.linkOf(person)
      const life = `${round * 8} milliseconds`
      for (const table of [`time_claims`, `waitlist_offers`])
        await core.database.query(
          `update ${table} set expires_at = clock_timestamp() + $2::interval where organization_id = $1 and expires_at > now()`,
          [clinic.id, life],
        )
      const rival = (async () => {
        for (let attempt = 0; attempt < 6; attempt++) {
          const answer = await core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(10)) })
          assert.ok(answer.status < 500, answer.text)
          if (answer.status === 201) return answer.body.data.id
        }
        return undefined
      })()
      const accepted = await core.post(link)
      assert.ok([200, 410].includes(accepted.status), accepted.text)
      const heldBy = await rival
      assert.ok(!(accepted.status === 200 && heldBy), 'both have the time')
      if (heldBy) await core.delete(`/v1/public/holds/${heldBy}`)
    }
  })

  test('an offer and a visitor’s hold of the same time: one succeeds, the other gets 409', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { clinic, people } = await tools.freedTime(1)
      const [{ entryId } = assert.fail()] = people
      const [offered, held] = await Promise.all([
        tools.offer(clinic, entryId),
        core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(10)) }),
      ])
      assert.deepEqual(
        [offered.status, held.status].filter((status) => status === 201),
        [201],
        `${offered.text} ${held.text}`,
      )
      assert.ok([409, 422].includes(offered.status === 201 ? held.status : offered.status))
      assert.deepEqual(await tools.claimsOf(clinic), ['hold'])
    }
  })

  test('an offer and a visitor’s hold of the last place of a day: one succeeds, the other gets 409 day_full', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { clinic, people } = await tools.freedTime(1, 'off', { max_per_day: 1 })
      const [{ entryId } = assert.fail()] = people
      const answers = await Promise.all([
        tools.offer(clinic, entryId),
        core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(12)) }),
      ])
      assert.deepEqual(
        new Set(answers.map(({ status, body }) => (status === 201 ? 'made' : body.error.code))),
        new Set(['made', 'day_full']),
        answers.map(({ text }) => text).join(),
      )
    }
  })

  test('two offers of one time to different people at once: one is made', async () => {
    const { clinic, people } = await tools.freedTime(4)
    const answers = await Promise.all(people.map(({ entryId }) => tools.offer(clinic, entryId)))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409, 409],
    )
    assert.deepEqual(await tools.claimsOf(clinic), ['hold'])
  })

  test('an automatic offer goes to the next person when the first leaves the waiting list at that moment', async () => {
    const { clinic, people } = await tools.freedTime(2, 'auto')
    const [first = assert.fail(), second = assert.fail()] = people
    await tools.dispatch()
    await onServer(new URL(core.database.url).pathname.slice(1), async (cancelling) => {
      await cancelling.query('begin')
      await cancelling.query(
        `select pg_advisory_xact_lock(hashtextextended('consents ' || patient_profile_id, 0)) from patients where id = $1`,
        [first.patientId],
      )
      const offered = tools.runJobs(clinic, NEXT_JOB)
      await until(async () => (await core.database.countWaiting()) > 0)
      await cancelling.query('delete from appointments where id = $1', [first.entryId])
      await cancelling.query('commit')
      assert.equal(await offered, 1)
    })
    const offers = 'select appointment_id, status from waitlist_offers where organization_id = $1'
    assert.deepEqual(await core.database.query(offers, [clinic.id]), [
      { appointment_id: second.entryId, status: 'open' },
    ])
  })

  test('an offer that waits for an erasure of the patient keeps the entry from nobody', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, patientId } = assert.fail()] = people
    const answer = await onServer(new URL(core.database.url).pathname.slice(1), async (erasing) => {
      await erasing.query('begin')
      await erasing.query(
        `select pg_advisory_xact_lock(hashtextextended('consents ' || patient_profile_id, 0)) from patients where id = $1`,
        [patientId],
      )
      await erasing.query('select 1 from patients where id = $1 for update', [patientId])
      const offered = tools.offer(clinic, entryId)
      await until(async () => (await core.database.countWaiting()) > 0)
      await erasing.query('select 1 from appointments where id = $1 for update nowait', [entryId])
      await erasing.query('commit')
      return offered
    })
    assert.equal(answer.status, 201, answer.text)
  })
})
