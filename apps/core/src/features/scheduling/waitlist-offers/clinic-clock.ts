import { boundaryOf, localOf, readZone } from '@tendon/availability'
import type { ClinicClock } from './rules.ts'

const DAY_MS = 86_400_000

/** The clock of a time zone, right from a moment on for the next two days. */
export function clinicClock(timeZone: string, from: Date): ClinicClock {
  const zone = readZone(timeZone, from.getTime(), from.getTime() + 2 * DAY_MS)
  return { localOf: (instantMs) => localOf(zone, instantMs), instantOf: (localMs) => boundaryOf(zone, localMs) }
}
