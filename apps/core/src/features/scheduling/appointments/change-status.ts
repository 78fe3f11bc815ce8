import type { Appointment, AppointmentStatus, AppointmentStatusChange } from '@tendon/contracts'
import { asService, type TenantTx } from '@tendon/db'
import type { FastifyRequest } from 'fastify'
import { claimWithinLimit } from './day-limit.ts'
import {
  hasDocuments,
  invalidTransition,
  refuseFields,
  timeOnlyFromWaitlist,
  undoExpired,
  undoRefused,
} from './errors.ts'
import { giveTime } from './give-time.ts'
import { setLeadOf } from './lead.ts'
import { noticeChange } from './notices.ts'
import { findBookingPatient } from './patient-queries.ts'
import { findAppointment, freeTime } from './queries.ts'
import { found, record, recordTransition, withOverLimit } from './record.ts'
import { changeTo, clearedByUndo, missingConsents, missingForBooking, timeWhenChanged } from './rules.ts'
import { CHANGING_STATUS } from './service.ts'
import { updateAppointmentStatus, updateUndone } from './status-queries.ts'
import { hasProofOfVisit, isOfDeleted } from './undo-queries.ts'
import { restoreEntry } from './waitlist-queries.ts'

/** Staff set the status of a locked appointment, or undo the last one. */
export async function changeStatus(
  request: FastifyRequest,
  tx: TenantTx,
  before: Appointment,
  change: AppointmentStatusChange,
  now: Date,
): Promise<Appointment> {
  const { status, starts_at = null } = change
  refuseFields(missingForBooking(before, status, change))
  const kind = changeTo({ ...before, starts_at: starts_at ?? before.starts_at }, status, now)
  if (kind === 'invalid_transition') throw invalidTransition({ from: before.status, to: status, status: before.status })
  if (kind === 'undo_refused') throw undoRefused()
  if (kind === 'undo_expired') throw undoExpired()
  const { after, isOver } = await (kind === 'undo' ? undo(tx, before, change) : makeTransition(tx, before, change))
  await asService(tx, CHANGING_STATUS.codes, (own) => noticeChange(own, before, after, now))
  if (kind === 'undo')
    await record.reverted(request, tx, before, withOverLimit(after, isOver), {
      payload: { from: before.status, to: status },
    })
  else await recordTransition(request, tx, before, withOverLimit(after, isOver))
  await setLeadOf(request, tx, after)
  return after
}

interface Changed {
  after: Appointment
  isOver: boolean
}

async function makeTransition(tx: TenantTx, before: Appointment, change: AppointmentStatusChange): Promise<Changed> {
  const { status, reason = null, starts_at = null } = change
  if (starts_at) await giveTime(tx, before, starts_at, change.specialist_id)
  const after = await updateAppointmentStatus(tx, before.id, status, reason)
  return { after, isOver: await changeTime(tx, before.status, after, change) }
}

async function undo(tx: TenantTx, before: Appointment, change: AppointmentStatusChange): Promise<Changed> {
  const { id, mode } = before
  if (change.starts_at) throw timeOnlyFromWaitlist()
  const facts = await asService(tx, CHANGING_STATUS.codes, async (own) => ({
    isProven: before.status === 'completed' && (await hasProofOfVisit(own, id)),
    isOfDeleted: before.status === 'cancelled' && (await isOfDeleted(own, id)),
    patient: before.patient_id === null ? null : await findBookingPatient(own, before.patient_id),
  }))
  if (facts.isProven) throw hasDocuments()
  if (facts.patient === undefined || facts.isOfDeleted) throw undoRefused()
  const undone = await updateUndone(tx, id, {
    status: change.status,
    cleared: clearedByUndo(before.status),
    ...(before.status === 'cancelled' && {
      missingConsents: missingConsents(mode, facts.patient?.has_telemedicine ?? false),
    }),
  })
  const isOver = await changeTime(tx, before.status, undone, change)
  if (change.status !== 'waitlist') return { after: undone, isOver }
  await restoreEntry(tx, id)
  return { after: found(await findAppointment(tx, id)), isOver }
}

/** Takes or frees the time of an appointment. Says whether staff passed the limit of the day. */
async function changeTime(
  tx: TenantTx,
  from: AppointmentStatus,
  after: Appointment,
  { over_limit = false }: AppointmentStatusChange,
): Promise<boolean> {
  const change = timeWhenChanged(from, after.status)
  if (change === 'free') await freeTime(tx, after.id)
  return change === 'claim' && claimWithinLimit(tx, after, over_limit)
}
