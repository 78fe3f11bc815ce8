import { dispatchOutbox } from '../../../platform/outbox.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { sendDueMails } from '../../connections/mails/loop.ts'
import { startCoreAndMail } from '../../connections/mails/mails.testing.ts'
import { bookings } from '../bookings/feature.ts'
import { runNotices } from '../bookings/notices.testing.ts'
import { created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { reminders } from './feature.ts'
import { reminderJobs } from './jobs.ts'

interface StoredReminder extends Record<string, unknown> {
  id: string
  offset_minutes: number
  status: string
  reason: string | null
  send_at: Date
}

/** A core with a mail server, and what the worker does about reminders, by hand. */
export async function startReminders() {
  const core = await startCoreAndMail()

  async function dispatch() {
    await dispatchOutbox(core.worker.db, [...bookings.subscribers, ...reminders.subscribers], {
      onFailure: (_event, error) => {
        throw error
      },
    })
  }
  /** Runs the jobs that tell patients what staff changed, as if their minute had passed. */
  async function tell() {
    await runNotices(core.database, core.worker)
  }
  async function deliver() {
    await dispatch()
    await tell()
    core.clock.now = new Date(Date.now() + 1_000)
    for (let more = true; more; ) more = (await sendDueMails(core.worker)).more
  }
  async function clinicWithPatient(language = 'en', service: object = {}) {
    const clinic = await schedulingClinic(core, service)
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.database.query('update humans set preferred_language = $1 where id = $2', [language, person.id])
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { clinic, person, record }
  }
  const book = (clinic: SchedulingClinic, values: object = {}) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday().toISOString(),
          ...values,
        },
      }),
    )
  return {
    ...core,
    dispatch,
    tell,
    deliver,
    clinicWithPatient,
    book,
    setStatus: (clinic: SchedulingClinic, id: string, status: string, more: object = {}) =>
      core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status, ...more } }),
    move: (clinic: SchedulingClinic, id: string, at: Date) =>
      core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body: { starts_at: at.toISOString() } }),
    /** The earliest first. */
    planned: (appointmentId: string) =>
      core.database.query<StoredReminder>(
        'select id, offset_minutes, status, reason, send_at from appointment_reminders where appointment_id = $1 order by 2 desc',
        [appointmentId],
      ),
    async send(clinic: SchedulingClinic, reminderId: string): Promise<void> {
      await reminderJobs[0]?.run({ reminder_id: reminderId }, jobTools(core.worker, clinic.id))
    },
    mailsTo: (address: string) => core.smtp.mails.filter(({ to }) => JSON.stringify(to).includes(address)),
  }
}
