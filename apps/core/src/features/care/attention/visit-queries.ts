import { CLINIC } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type Asked, type FactSource, iso, NO_WARNING, onlyIds, stamp } from './fact-queries.ts'
import { isMine } from './patient-queries.ts'

// Facts about visits. Who sees appointments but no patients gets them without names; a booking without a record names its booker.

const VISIT = sql`p.id as patient_id, p.first_name || ' ' || p.last_name as patient_name, a.patient_profile_id,
  ${NO_WARNING}, a.service_id, a.specialist_id`

const paramsOf = (startsAt: RawBuilder<unknown>, endsAt: RawBuilder<unknown>) => sql`
  jsonb_build_object('appointment_id', a.id, 'status', a.status, 'starts_at', ${iso(startsAt)}, 'ends_at', ${iso(endsAt)},
    'booker_name', a.booker ->> 'name') as params`
const PARAMS = paramsOf(sql`a.starts_at`, sql`a.ends_at`)

const WITH_PATIENT = sql`left join patients p on p.organization_id = a.organization_id and p.id = a.patient_id`

/** What concerns no patient is everybody's. */
const isMineOrNobodys = (asked: Asked) =>
  sql`p.deleted_at is null and (a.patient_id is null or ${isMine(asked)}) ${onlyIds(sql`a.id`, asked)}`

/** Until they count as not closed. */
export const visitsToConfirm: FactSource = (asked) => sql`
  select 'to_confirm.' || a.id as key, a.starts_at as at, ${VISIT}, ${PARAMS} from appointments a ${WITH_PATIENT}
  where a.organization_id = ${CLINIC} and a.status = 'pending' and a.ends_at >= ${asked.endedBefore}
    and ${isMineOrNobodys(asked)}`

export const unlinkedBookings: FactSource = (asked) => sql`
  select 'unlinked.' || a.id as key, a.starts_at as at, ${VISIT}, ${PARAMS} from appointments a ${WITH_PATIENT}
  where a.organization_id = ${CLINIC} and a.patient_id is null and a.booker is not null
    and a.status in ('pending', 'confirmed', 'checked_in', 'completed') and a.starts_at >= ${asked.unlinkedSince}
    and ${isMineOrNobodys(asked)}`

const FREED = {
  from: sql`(a.freed_slot ->> 'starts_at')::timestamptz`,
  to: sql`(a.freed_slot ->> 'ends_at')::timestamptz`,
}

/** Entries of the waiting list for which a time is free. */
export const freedSlots: FactSource = (asked) => sql`
  select 'slot_freed.' || a.id || '.' || ${stamp(sql`a.slot_freed_at`)} as key, a.slot_freed_at as at,
    p.id as patient_id, p.first_name || ' ' || p.last_name as patient_name, a.patient_profile_id, ${NO_WARNING},
    a.service_id, (a.freed_slot ->> 'specialist_id')::uuid as specialist_id, ${paramsOf(FREED.from, FREED.to)}
  from appointments a ${WITH_PATIENT}
  where a.organization_id = ${CLINIC} and a.status = 'waitlist' and a.slot_freed_at is not null and ${FREED.from} > ${asked.now}
    and ${isMineOrNobodys(asked)}`

export const openVisits: FactSource = (asked) => sql`
  select 'not_closed.' || a.id as key, a.ends_at as at, ${VISIT}, ${PARAMS} from appointments a ${WITH_PATIENT}
  where a.organization_id = ${CLINIC} and a.status in ('pending', 'confirmed', 'checked_in') and a.ends_at < ${asked.endedBefore}
    and a.ends_at >= ${asked.openSince} and ${isMineOrNobodys(asked)}`
