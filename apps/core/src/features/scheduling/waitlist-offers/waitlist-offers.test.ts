import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { renderMail } from '@tendon/mail'
import type { Answer } from '../../../testing/core.ts'
import { created, schedulingClinic } from '../clinic.testing.ts'
import { EXPIRE_JOB, NEXT_JOB, SEND_JOB } from './job-names.ts'
import { waitlistOffered } from './mails.ts'
import { offerTools, startOfferCore, today } from './offers.testing.ts'

const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('waitlist offers', () => {
  let core: Awaited<ReturnType<typeof startOfferCore>>
  let tools: ReturnType<typeof offerTools>
  before(async () => {
    core = await startOfferCore()
    tools = offerTools(core)
  })
  after(() => core.close())

  test('staff offer a freed time, the link shows it, and accepting it books the entry', async () => {
    const { at, freedTime, offer, offersOf, linkOf, mailsTo, dispatch, claimsOf } = tools
    const { clinic, people } = await freedTime(1)
    const [{ entryId, person } = assert.fail()] = people
    const made = await created(offer(clinic, entryId))
    assert.deepEqual(
      [made.status, made.offered_by, made.starts_at, made.ends_at, made.specialist_id, made.appointment_id],
      ['open', 'staff', at(10), at(11), clinic.specialist.id, entryId],
    )
    const lifeMinutes = (Date.parse(made.expires_at) - Date.parse(made.created_at)) / 60_000
    assert.ok(Math.abs(lifeMinutes - 120) < 1, `${lifeMinutes} minutes`)
    assert.deepEqual(await claimsOf(clinic), ['hold'])
    const link = await linkOf(person)
    for (let look = 0; look < 2; look++) {
      const seen = await core.get(link)
      assert.equal(seen.status, 200, seen.text)
      assert.deepEqual(
        [seen.body.data.status, seen.body.data.starts_at, seen.body.data.service.name, seen.body.data.specialist.name],
        ['open', at(10), 'Session', 'Ana'],
      )
      assert.ok(!seen.text.includes(person.email) && !seen.text.includes(entryId))
    }
    await dispatch()
    const accepted = await core.post(link)
    assert.deepEqual([accepted.status, accepted.body.data?.status], [200, 'accepted'], accepted.text)
    const visit = (await core.get(`/v1/appointments/${entryId}`, { as: clinic.admin })).body.data
    assert.deepEqual(
      [visit.status, visit.starts_at, visit.specialist_id, visit.source, visit.freed_slot],
      ['confirmed', at(10), clinic.specialist.id, 'waitlist', null],
    )
    assert.ok(visit.calendar_id)
    assert.deepEqual(await claimsOf(clinic), ['appointment'])
    assert.deepEqual(
      (await offersOf(clinic, entryId)).map(({ status }: { status: string }) => status),
      ['accepted'],
    )
    assert.deepEqual(codeOf(await core.post(link)), [409, 'offer_accepted'])
    assert.deepEqual(codeOf(await core.delete(link)), [409, 'offer_accepted'])
    await dispatch()
    assert.deepEqual(
      (await mailsTo(person, 'booking_updated')).map(({ data }) => data.status),
      ['confirmed'],
    )
  })

  test('the mail names neither service nor specialist, in English and in Romanian', async () => {
    for (const language of ['en', 'ro'] as const) {
      const { clinic, people } = await tools.freedTime(1)
      const [{ entryId, person } = assert.fail()] = people
      await core.database.query('update humans set preferred_language = $1 where id = $2', [language, person.id])
      await created(tools.offer(clinic, entryId))
      const [mail] = await tools.mailsTo(person, 'waitlist_offered')
      assert.equal(mail?.language, language)
      const { subject, text, html } = renderMail(waitlistOffered, mail?.data ?? {}, {
        language,
        timeZone: 'Europe/Bucharest',
        context: {
          organizationName: 'Clinica Test',
          fromAddress: 'clinic@mail.example',
          toAddress: person.email,
          sentAt: new Date(),
          consoleUrl: 'https://tendon.example/console',
          portalUrl: 'https://tendon.example/portal',
          publicUrl: 'https://tendon.example',
        },
      })
      for (const part of [subject, text, html]) assert.ok(!/Session|Ana\b/.test(part), part)
      assert.match(text, /\/portal\/waitlist-offers\//)
      assert.match(text, language === 'en' ? /waiting list/ : /lista de așteptare/)
    }
  })

  test('an accepted visit is as long as the offered time, also when the service became longer meanwhile', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, person } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const longer = await core.patch(`/v1/services/${clinic.service.id}`, {
      as: clinic.admin,
      body: { duration_minutes: 120 },
    })
    assert.equal(longer.status, 200, longer.text)
    assert.equal((await core.post(await tools.linkOf(person))).status, 200)
    const visit = (await core.get(`/v1/appointments/${entryId}`, { as: clinic.admin })).body.data
    assert.deepEqual([visit.starts_at, visit.ends_at], [tools.at(10), tools.at(11)])
  })

  test('an offer of a service, specialist or patient that was deleted cannot be accepted (410)', async () => {
    const deletions = {
      service: 'update services set deleted_at = now() where organization_id = $1',
      'archived service': `update services set status = 'archived' where organization_id = $1`,
      specialist: 'update specialists set deleted_at = now() where organization_id = $1',
      patient: 'update patients set deleted_at = now() where organization_id = $1',
    }
    for (const [what, statement] of Object.entries(deletions)) {
      const { clinic, people } = await tools.freedTime(1)
      const [{ entryId, person } = assert.fail()] = people
      await created(tools.offer(clinic, entryId))
      await core.database.query(statement, [clinic.id])
      assert.deepEqual(codeOf(await core.post(await tools.linkOf(person))), [410, 'offer_ended'], what)
    }
  })

  test('deleting a patient cancels the waitlist entry, ends its offer and frees the time', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, patientId, person } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const deleted = await core.delete(`/v1/patients/${patientId}`, { as: clinic.admin })
    assert.equal(deleted.status, 204, deleted.text)
    await tools.dispatch()
    assert.deepEqual(await tools.claimsOf(clinic), [])
    assert.deepEqual(codeOf(await core.post(await tools.linkOf(person))), [410, 'offer_ended'])
  })

  test('only one offer is open per time and per person (409)', async () => {
    const { clinic, people } = await tools.freedTime(2)
    const [first = assert.fail(), second = assert.fail()] = people
    await created(tools.offer(clinic, first.entryId))
    assert.deepEqual(codeOf(await tools.offer(clinic, second.entryId)), [409, 'slot_taken'])
    const other = { starts_at: tools.at(12), specialist_id: clinic.specialist.id }
    assert.deepEqual(codeOf(await tools.offer(clinic, first.entryId, other)), [409, 'offer_open'])
    assert.deepEqual(await tools.claimsOf(clinic), ['hold'])
    await created(tools.offer(clinic, second.entryId, other))
  })

  test('a time on a full day is offered only by staff who pass the limit, and the audit log says so (409)', async () => {
    const { clinic, people } = await tools.freedTime(1, 'auto', { max_per_day: 1 })
    const [{ entryId } = assert.fail()] = people
    await tools.book(clinic, { starts_at: tools.at(12) })
    await tools.dispatch()
    await tools.runJobs(clinic, 'waitlist_offers.offer_next')
    assert.deepEqual(await tools.offersOf(clinic, entryId), [])
    const refused = await tools.offer(clinic, entryId)
    assert.deepEqual([refused.status, refused.body.error?.code], [409, 'day_full'])
    const { id } = await created(tools.offer(clinic, entryId, { over_limit: true }))
    const { text } = await core.get(`/v1/audit-logs?target_id=${id}`, { as: clinic.admin })
    assert.ok(text.includes('over_limit'), text)
  })

  test('staff end an offer: its time is free, and its link says so (410)', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, person } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const path = `/v1/appointments/${entryId}/offer`
    assert.equal((await core.delete(path, { as: clinic.admin })).status, 204)
    assert.deepEqual(codeOf(await core.delete(path, { as: clinic.admin })), [404, 'offer_not_found'])
    assert.deepEqual(await tools.claimsOf(clinic), [])
    const link = await tools.linkOf(person)
    assert.equal((await core.get(link)).body.data.status, 'ended')
    assert.deepEqual(codeOf(await core.post(link)), [410, 'offer_ended'])
    await created(tools.offer(clinic, entryId))
  })

  test('an offer whose time has passed is expired for everybody, without a job (410)', async () => {
    const { clinic, people } = await tools.freedTime(2)
    const [first = assert.fail(), second = assert.fail()] = people
    await created(tools.offer(clinic, first.entryId))
    await tools.runOut(clinic)
    const link = await tools.linkOf(first.person)
    assert.equal((await core.get(link)).body.data.status, 'expired')
    assert.deepEqual(codeOf(await core.post(link)), [410, 'offer_expired'])
    assert.equal((await tools.offersOf(clinic, first.entryId))[0].status, 'expired')
    await created(tools.offer(clinic, second.entryId))
  })

  test('a patient who cannot be offered the time is refused with the reason (409)', async () => {
    const { clinic, people } = await tools.freedTime(4)
    const [restricted = assert.fail(), mute = assert.fail(), busy = assert.fail(), erased = assert.fail()] = people
    await core.database.query('update patients set restricted_at = now() where id = $1', [restricted.patientId])
    await core.database.query('update humans set email_verified = false where id = $1', [mute.person.id])
    await core.database.query('update patients set erased_at = now() where id = $1', [erased.patientId])
    const second = await created(
      core.post('/v1/specialists', { as: clinic.admin, body: { name: 'Dan', slug: `dan-${clinic.slug}` } }),
    )
    await tools.book(clinic, { patient_id: busy.patientId, specialist_id: second.id })
    const answers = []
    for (const { entryId } of people) answers.push(codeOf(await tools.offer(clinic, entryId)))
    assert.deepEqual(answers, [
      [409, 'processing_restricted'],
      [409, 'no_address'],
      [409, 'patient_busy'],
      [409, 'patient_erased'],
    ])
    assert.deepEqual(await tools.claimsOf(clinic), ['appointment'])
  })

  test('a request without a possible time or for something else than an entry is refused', async () => {
    const clinic = await schedulingClinic(core, { min_notice_minutes: 60 * 24 * 30 })
    const { entryId } = await tools.waiting(clinic)
    const fields = async (body?: object) =>
      Object.keys((await tools.offer(clinic, entryId, body)).body.error.fields ?? {})
    assert.deepEqual(await fields(), ['starts_at'])
    assert.deepEqual(await fields({ starts_at: tools.at(10) }), ['specialist_id'])
    const past = { starts_at: '2020-01-06T10:00:00.000Z', specialist_id: clinic.specialist.id }
    assert.deepEqual(await fields(past), ['starts_at'])
    const time = { starts_at: tools.at(10), specialist_id: clinic.specialist.id }
    assert.deepEqual(codeOf(await tools.offer(clinic, entryId, time)), [409, 'too_late_to_offer'])
    const visit = await tools.book(clinic)
    assert.deepEqual(codeOf(await tools.offer(clinic, visit.id, time)), [409, 'not_on_waitlist'])
    assert.deepEqual(codeOf(await core.get('/v1/public/waitlist-offers/nobody-has-this')), [404, 'offer_not_found'])
  })

  test('an offer that is made at night takes the time at once, and its mail and life begin in the morning', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, person } = assert.fail()] = people
    core.clock.now = today(22)
    try {
      const made = await created(tools.offer(clinic, entryId))
      const hours = (Date.parse(made.mail_at) - core.clock.now.getTime()) / 3_600_000
      assert.ok(hours > 6 && hours < 10, `${hours} hours`)
      assert.deepEqual(await tools.claimsOf(clinic), ['hold'])
      assert.deepEqual(await tools.mailsTo(person, 'waitlist_offered'), [])
      assert.equal(await tools.runJobs(clinic, SEND_JOB), 1)
      assert.equal((await core.get(await tools.linkOf(person))).body.data.status, 'open')
    } finally {
      core.clock.now = today(10)
    }
  })

  test('auto offers a freed time by waiting time; declined or expired, the next person is asked', async () => {
    const { clinic, people } = await tools.freedTime(4, 'auto')
    const [first = assert.fail(), mute = assert.fail(), third = assert.fail(), last = assert.fail()] = people
    await core.database.query('update humans set email_verified = false where id = $1', [mute.person.id])
    const statuses = async () => {
      const all = []
      for (const { entryId } of people) {
        const [latest] = await tools.offersOf(clinic, entryId)
        all.push(latest ? (latest.reason ?? latest.status) : null)
      }
      return all
    }
    await tools.dispatch()
    await tools.runJobs(clinic, NEXT_JOB)
    assert.deepEqual(await statuses(), ['open', null, null, null])
    assert.equal((await core.delete(await tools.linkOf(first.person))).status, 204)
    await tools.runJobs(clinic, NEXT_JOB)
    assert.deepEqual(await statuses(), ['declined', 'no_address', 'open', null])
    assert.equal((await tools.offersOf(clinic, third.entryId))[0].offered_by, 'auto')
    await tools.runOut(clinic)
    await tools.runJobs(clinic, EXPIRE_JOB)
    await tools.runJobs(clinic, NEXT_JOB)
    assert.deepEqual(await statuses(), ['declined', 'no_address', 'expired', 'open'])
    assert.equal((await core.post(await tools.linkOf(last.person))).status, 200)
    const declined = (await core.get(`/v1/appointments/${first.entryId}`, { as: clinic.admin })).body.data
    assert.equal(declined.status, 'waitlist')
  })

  test('auto waits at night, offers nothing on a day off, and nothing when the setting is off', async () => {
    core.clock.now = today(22)
    const night = await tools.freedTime(1, 'auto')
    await tools.dispatch()
    assert.equal(await tools.runJobs(night.clinic, NEXT_JOB), 1)
    core.clock.now = today(10)
    assert.deepEqual(await tools.claimsOf(night.clinic), [])
    assert.equal(await tools.runJobs(night.clinic, NEXT_JOB), 1, 'the job waits for the morning')
    assert.deepEqual(await tools.claimsOf(night.clinic), ['hold'])

    const closed = await tools.freedTime(1, 'auto')
    const date = tools.at(10).slice(0, 10)
    await created(core.post('/v1/closures', { as: closed.clinic.admin, body: { date, name: 'Holiday' } }))
    await tools.dispatch()
    await tools.runJobs(closed.clinic, NEXT_JOB)
    assert.deepEqual(await tools.claimsOf(closed.clinic), [])

    const off = await tools.freedTime(1)
    await tools.dispatch()
    assert.equal(await tools.runJobs(off.clinic, NEXT_JOB), 0)
  })

  test('an entry that leaves the waitlist keeps no time', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId, person } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const link = await tools.linkOf(person)
    await core.put(`/v1/appointments/${entryId}/status`, { as: clinic.admin, body: { status: 'cancelled' } })
    assert.deepEqual(codeOf(await core.post(link)), [410, 'offer_ended'])
    await tools.dispatch()
    assert.deepEqual(await tools.claimsOf(clinic), [])
    assert.equal((await tools.offersOf(clinic, entryId))[0].status, 'ended')
  })

  test('accepting is refused while the patient is busy or restricted, and the time stays kept (409)', async () => {
    const { clinic, people } = await tools.freedTime(2)
    const [{ entryId, person, patientId } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const link = await tools.linkOf(person)
    const second = await created(
      core.post('/v1/specialists', { as: clinic.admin, body: { name: 'Dan', slug: `busy-${clinic.slug}` } }),
    )
    const visit = await tools.book(clinic, { patient_id: patientId, specialist_id: second.id })
    assert.deepEqual(codeOf(await core.post(link)), [409, 'patient_busy'])
    await core.put(`/v1/appointments/${visit.id}/status`, { as: clinic.admin, body: { status: 'cancelled' } })
    await core.database.query('update patients set restricted_at = now() where id = $1', [patientId])
    assert.deepEqual(codeOf(await core.post(link)), [409, 'processing_restricted'])
    assert.deepEqual(await tools.claimsOf(clinic), ['hold'])
    assert.equal((await core.get(link)).body.data.status, 'open')
  })

  test('another clinic sees nothing of an offer, and a member needs appointments.manage', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    const other = await core.organization()
    for (const [method, path] of [
      ['GET', 'offers'],
      ['POST', 'offer'],
      ['DELETE', 'offer'],
    ] as const) {
      const answer = await core.call(method, `/v1/appointments/${entryId}/${path}`, { as: other.admin })
      assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
    }
    const viewer = await core.memberWith(clinic, ['appointments.view_org'])
    assert.equal((await core.get(`/v1/appointments/${entryId}/offers`, { as: viewer })).body.data.length, 1)
    assert.equal((await core.delete(`/v1/appointments/${entryId}/offer`, { as: viewer })).status, 403)
    assert.deepEqual(await tools.claimsOf(clinic), ['hold'])
  })

  test('deleting an offer, as an erasure does, frees its time', async () => {
    const { clinic, people } = await tools.freedTime(1)
    const [{ entryId } = assert.fail()] = people
    await created(tools.offer(clinic, entryId))
    await core.database.query('delete from waitlist_offers where appointment_id = $1', [entryId])
    assert.deepEqual(await tools.claimsOf(clinic), [])
  })
})
