/** What a patient can still do online with a visit. */
export type Possible = 'both' | 'move' | 'cancel' | 'none'

export interface Deadlines {
  reschedule_until: string | null
  cancel_until: string | null
}

export function possibleChanges({ reschedule_until, cancel_until }: Deadlines, now: number): Possible {
  const isBefore = (until: string | null) => until !== null && now < Date.parse(until)
  const mayMove = isBefore(reschedule_until)
  const mayCancel = isBefore(cancel_until)
  return mayMove && mayCancel ? 'both' : mayMove ? 'move' : mayCancel ? 'cancel' : 'none'
}

interface Notice {
  reschedule_notice_minutes: number
  cancel_notice_minutes: number
}

/** The deadlines of a visit that would be booked at this time. */
export function deadlinesOf(startsAt: string, notice: Notice): Deadlines {
  const before = (minutes: number) => new Date(Date.parse(startsAt) - minutes * 60_000).toISOString()
  return {
    reschedule_until: before(notice.reschedule_notice_minutes),
    cancel_until: before(notice.cancel_notice_minutes),
  }
}

/** Statuses in which a visit can be moved or cancelled, if it is not too late. */
export const isChangeable = (status: string): boolean => status === 'pending' || status === 'confirmed'
