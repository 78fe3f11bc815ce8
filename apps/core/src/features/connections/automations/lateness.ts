import type { AutomationAction, AutomationExecution } from '@tendon/contracts'

/** A moved appointment is cancelled too: the event of the appointment that replaces it starts the rule again. */
const CANCELLED = ['cancelled', 'no_show', 'entered_in_error']

interface Due {
  actions: readonly AutomationAction[]
  /** The next action. */
  index: number
  dueAt: Date
  /** When the rule was last switched on. */
  switchedOnAt: Date | null
  startsAt: Date | null
  appointmentStatus: string | null
  now: Date
}

/**
 * Why the appointment of an execution ends it before its next action. What a rule does before a visit it never does after
 * the visit has begun, and an action that was held until then is not done later.
 */
export function endedByAppointment(due: Due): AutomationExecution['skip_reason'] {
  const { startsAt, dueAt, switchedOnAt, now, appointmentStatus } = due
  if (startsAt === null) return null
  const isBefore = isBeforeVisit(due)
  if (isBefore && CANCELLED.includes(appointmentStatus ?? '')) return 'appointment_cancelled'
  if (now < startsAt) return null
  const wasHeld = switchedOnAt !== null && dueAt <= switchedOnAt
  return isBefore || (wasHeld && dueAt < startsAt) ? 'late' : null
}

/** Whether the last `wait` up to the next action waits for a time before the appointment. */
function isBeforeVisit({ actions, index }: Due): boolean {
  const wait = actions.slice(0, index + 1).findLast(({ type }) => type === 'wait')
  return wait?.params.before_appointment_minutes !== undefined
}
