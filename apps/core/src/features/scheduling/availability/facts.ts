import type { Calendar, Closure, Service, Taken } from '@tendon/availability'
import type { AppointmentMode } from '@tendon/contracts'

export type { Calendar, Closure }

/** What free times of one service are computed from. */
export interface AvailabilityFacts {
  service: Service & {
    modes: AppointmentMode[]
    status: string
    is_public: boolean
    requires_confirmation: boolean
    price_cents: number | null
    currency: string
  }
  calendars: Calendar[]
  closures: Closure[]
  taken: Record<string, Taken>
  /** The part of `taken` that comes from connected calendars: nobody here has it. */
  busy: Record<string, Taken>
  booked: Record<string, number[]>
}

export interface FactsQuery {
  serviceId: string
  specialistId: string | null
  locationId: string | null
  from: Date
  to: Date
  /** The calendar_uid of a visit that does not count for the limit of its day, because it is moved. */
  moves?: string | null
}
