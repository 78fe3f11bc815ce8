export { freeSlots, reasonAgainst } from './slots.ts'
export type {
  Calendar,
  Closure,
  Override,
  Question,
  Reason,
  Service,
  Slot,
  Span,
  WeeklyWindow,
  Window,
} from './types.ts'
export { minutesOf } from './windows.ts'
export { instantOf, localOf, readZone, type Zone } from './zone.ts'
