/** Working hours inside one local day; `end` at or before `start` is on the next day. `24:00` ends the day. */
export interface Window {
  start: string
  end: string
}

export interface WeeklyWindow extends Window {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number
}

/** Known where a day off is looked up, not where free times are computed. */
interface Added {
  /** When it was added. */
  since?: string
  reason?: string | null
}

/** Replaces the weekly hours of its days. Without windows the days are closed. */
export interface Override extends Added {
  date: string
  /** The last day; `date` alone when absent. */
  date_to?: string | null
  windows: readonly Window[]
  /** Holds for this service only. */
  service_id?: string | null
}

export interface Calendar {
  id: string
  specialist_id: string
  location_id: string | null
  time_zone: string
  weekly_hours: readonly WeeklyWindow[]
  /** Of two that name the same day, one for the service comes before one for all, then the later one. */
  overrides: readonly Override[]
}

export interface Closure extends Added {
  date: string
  date_to?: string | null
  /** Closes one location; every location when absent. */
  location_id?: string | null
}

export interface Service {
  id: string
  duration_minutes: number
  buffer_before_minutes: number
  buffer_after_minutes: number
  slot_interval_minutes: number
  /** 0 when staff ask. */
  min_notice_minutes: number
  max_days_ahead: number | null
  /** Appointments of this service on one local day and specialist. */
  max_per_day: number | null
}

/** Taken time, buffers included, in milliseconds and in any order. The end of each span is at the index of its start. */
export type Taken = readonly [starts: readonly number[], ends: readonly number[]]

export interface Question {
  nowMs: number
  /** Slots that start in [fromMs, toMs). */
  fromMs: number
  toMs: number
  service: Service
  calendars: readonly Calendar[]
  closures: readonly Closure[]
  /** By specialist: holds, appointments and busy times of connected calendars. */
  taken: ReadonlyMap<string, Taken>
  /** By specialist: the starts of their appointments of this service, for `max_per_day`. */
  booked?: ReadonlyMap<string, readonly number[]>
}

export interface Slot {
  startsAtMs: number
  endsAtMs: number
  /** The local date in the calendar's time zone. */
  date: string
  specialist_id: string
  location_id: string | null
  calendar_id: string
}

export type Reason = 'outside_hours' | 'override' | 'closure' | 'notice' | 'too_far_ahead' | 'taken' | 'max_per_day'

export interface UnavailableSlot {
  startsAtMs: number
  specialist_id: string
  reason: Reason
}

export interface DayCount {
  /** `YYYY-MM-DD` */
  date: string
  free: number
}
