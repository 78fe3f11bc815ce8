import assert from 'node:assert/strict'
import { createServices } from '../../../create-services.ts'
import { dispatchOutbox } from '../../../platform/outbox.ts'
import { type Person, startCore } from '../../../testing/core.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { bookings } from '../bookings/feature.ts'
import { runNotices } from '../bookings/notices.testing.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { waitlistOffers } from './feature.ts'
import { waitlistOfferJobs } from './jobs.ts'

/** A time of today in UTC. At 10 it is day in Bucharest and mails are sent; at 22 it is night. */
export function today(hour: number): Date {
  const day = new Date()
  day.setUTCHours(hour, 0, 0, 0)
  return day
}

/** A core API and the services of a worker, whose clock the test moves. */
export async function startOfferCore() {
  const clock = { now: today(10) }
  const now = () => clock.now
  const core = await startCore({ services: { now } })
  const worker = { ...createServices(core.config, 'tendon_worker', core.database.url), now }
  return {
    ...core,
    worker,
    clock,
    close: async () => {
      await worker.close()
      await core.close()
    },
  }
}

type Core = Awaited<ReturnType<typeof startOfferCore>>

export interface Waiting {
  person: Person
  patientId: string
  entryId: string
}

/** What tests of offers do: patients who wait, times that become free, jobs that run. */
export function offerTools(core: Core) {
  const at = (hour: number) => nextMonday(hour).toISOString()
  const staff = (clinic: SchedulingClinic, path: string, body: object) =>
    created(core.post(path, { as: clinic.admin, body }))
  const book = (clinic: SchedulingClinic, values: object = {}) =>
    staff(clinic, '/v1/appointments', {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: at(10),
      ...values,
    })

  async function waiting(clinic: SchedulingClinic, values: object = {}): Promise<Waiting> {
    const person = await core.signIn()
    const { id: patientId } = await core.patient(clinic, person)
    const entry = await staff(clinic, '/v1/appointments', {
      service_id: clinic.service.id,
      status: 'waitlist',
      patient_id: patientId,
      ...values,
    })
    return { person, patientId, entryId: entry.id }
  }

  /** A clinic with people who wait, and a time on Monday that has become free. */
  async function freedTime(count: number, settings: 'off' | 'auto' = 'off', service: object = {}) {
    const clinic = await schedulingClinic(core, service)
    const visit = await book(clinic)
    const people: Waiting[] = []
    for (let index = 0; index < count; index++) people.push(await waiting(clinic))
    const path = `/v1/organizations/${clinic.id}/settings`
    if (settings === 'auto')
      assert.equal((await core.patch(path, { as: clinic.admin, body: { waitlist_offers: 'auto' } })).status, 200)
    const freed = await core.put(`/v1/appointments/${visit.id}/status`, {
      as: clinic.admin,
      body: { status: 'cancelled' },
    })
    assert.equal(freed.status, 200, freed.text)
    return { clinic, people }
  }

  const offer = (clinic: SchedulingClinic, entryId: string, body?: object) =>
    core.post(`/v1/appointments/${entryId}/offer`, { as: clinic.admin, ...(body && { body }) })
  const offersOf = async (clinic: SchedulingClinic, entryId: string) =>
    (await core.get(`/v1/appointments/${entryId}/offers`, { as: clinic.admin })).body.data

  async function mailsTo(person: Person, template: string) {
    return core.database.query<{ data: { url: string; status?: string }; language: string }>(
      'select data, language from mail_outbox where to_address = $1 and template = $2 order by id',
      [person.email, template],
    )
  }
  /** The path of the link in the last offer that a person got. */
  async function linkOf(person: Person): Promise<string> {
    const url = (await mailsTo(person, 'waitlist_offered')).at(-1)?.data.url
    assert.ok(url, 'no offer was sent')
    return `/v1/public/waitlist-offers/${url.split('/').at(-1)}`
  }

  async function dispatch() {
    const subscribers = [...waitlistOffers.subscribers, ...bookings.subscribers]
    const onFailure = (_event: unknown, error: unknown) => {
      throw error
    }
    while ((await dispatchOutbox(core.worker.db, subscribers, { onFailure })).more);
    await runNotices(core.database, core.worker)
  }
  /** Runs the jobs of one name that this clinic has, as if their time had come. */
  async function runJobs(clinic: SchedulingClinic, name: string) {
    const jobs = await core.database.query<{ id: string; payload: { payload: Record<string, unknown> } }>(
      `select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = $1 and j.payload ->> 'organization_id' = $2 order by j.id`,
      [name, clinic.id],
    )
    for (const { id, payload } of jobs) {
      await core.database.query('delete from graphile_worker._private_jobs where id = $1', [id])
      const job = waitlistOfferJobs.find((one) => one.name === name)
      await job?.run(payload.payload, jobTools(core.worker, clinic.id))
    }
    return jobs.length
  }
  /** The time of the open offers of a clinic runs out. */
  async function runOut(clinic: SchedulingClinic) {
    await core.database.query(
      `update time_claims set expires_at = now() - interval '1 second' where organization_id = $1 and kind = 'hold'`,
      [clinic.id],
    )
    await core.database.query(
      `update waitlist_offers set expires_at = now() - interval '1 second' where organization_id = $1 and status = 'open'`,
      [clinic.id],
    )
  }
  const claimsOf = async (clinic: SchedulingClinic) =>
    (
      await core.database.query<{ kind: string }>('select kind from time_claims where organization_id = $1', [
        clinic.id,
      ])
    ).map(({ kind }) => kind)

  return { at, book, waiting, freedTime, offer, offersOf, mailsTo, linkOf, dispatch, runJobs, runOut, claimsOf }
}
