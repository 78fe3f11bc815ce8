import type { ToldVisit } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { type Notice, noticeOf } from '../appointments/index.ts'
import { type AppointmentMail, findAppointmentMail, listSeriesMailData } from './appointment-mail.ts'
import { envelopeOf } from './envelope.ts'
import type { AppointmentMailData } from './mail-parts.ts'
import { bookingUpdated, seriesBooked } from './mails.ts'
import { takeNotice, takeSeriesNotices } from './notice-queries.ts'
import { readableReason } from './rules.ts'

// The mails about what staff changed. The row that keeps what the patient was last told goes with the mail, in one transaction: a
// job that runs again finds none.

/** Sends what has changed since the patient was last told, if anything has. */
export async function sendNotice(tx: ServiceTx, id: string, now: Date): Promise<void> {
  const notice = await takeNotice(tx, id)
  const mail = notice && (await findAppointmentMail(tx, id))
  if (!mail || mail.status_set_by === 'system') return
  const { told } = notice
  const kind = noticeOf(told, mail, now)
  if (kind === undefined) return
  await sendMail(tx, bookingUpdated, { ...envelopeOf(mail), data: dataOf(mail, told, kind) })
}

/** For the patient, a booking that returned to the waiting list is cancelled. */
const cancelled = ({ status, sequence }: AppointmentMailData) => ({
  status: 'cancelled',
  sequence: status === 'cancelled' ? sequence : sequence + 1,
})

/** A visit that was moved and cancelled is cancelled at the time that the patient knows. */
function dataOf(mail: AppointmentMail, told: ToldVisit | null, kind: Notice): AppointmentMailData {
  const { data } = mail
  const reason = readableReason(mail)
  if (!told?.starts_at || !told.ends_at) return data
  const { starts_at, ends_at, time_zone } = told
  if (kind === 'cancelled')
    return { ...data, ...cancelled(data), starts_at, ends_at, time_zone, ...(reason === null ? {} : { reason }) }
  if (kind === 'moved') return { ...data, moved_from: { starts_at, time_zone } }
  return kind === 'changed' ? { ...data, is_changed: true } : data
}

/** One mail about the visits of a new series that are to come. Those that were moved meanwhile are named at their new time. */
export async function sendSeriesNotice(tx: ServiceTx, seriesId: string): Promise<void> {
  const ids = await takeSeriesNotices(tx, seriesId)
  const appointments = ids.length === 0 ? [] : await listSeriesMailData(tx, seriesId, ids)
  const mail = appointments.length === 0 ? undefined : await findAppointmentMail(tx, ids[0] ?? '')
  if (!mail) return
  await sendMail(tx, seriesBooked, {
    ...envelopeOf(mail),
    dedupe_key: `series ${seriesId}`,
    data: { appointments },
  })
}
