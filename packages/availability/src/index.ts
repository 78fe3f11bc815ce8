export { type Booked, type DayOff, dayOffOf } from './days-off.ts'
export { workingHours } from './hours.ts'
export { firstFree, firstUnavailable, freeSlots, reasonAgainst, takenOnDay } from './slots.ts'
export { daysBetween, type LocalDay, localLength, mergeSpans, type Span } from './spans.ts'
export type {
  Calendar,
  Closure,
  DayCount,
  Override,
  Question,
  Reason,
  Service,
  Slot,
  Taken,
  UnavailableSlot,
  WeeklyWindow,
  Window,
} from './types.ts'
export { minutesOf } from './windows.ts'
export { boundaryOf, dayAround, instantOf, localOf, readZone, type Zone } from './zone.ts'
