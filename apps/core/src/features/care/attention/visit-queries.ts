import { CLINIC } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { type FactSource, iso, onlyIds, stamp } from './fact-queries.ts'

// Facts about visits. Who sees appointments but no patients gets them without names; a booking without a record names its booker.

const dueVisits = (kind: string, at: RawBuilder<unknown>) => sql`
  select a.id, ${sql.lit(`${kind}.`)} || a.id as key, ${at} as at, false as is_warning, a.patient_profile_id from appointments a
  where a.organization_id = ${CLINIC}`

const paramsOf = (startsAt: RawBuilder<unknown>, endsAt: RawBuilder<unknown>) => () =>
  sql`
  jsonb_build_object('appointment_id', x.id, 'status', x.status, 'starts_at', ${iso(startsAt)}, 'ends_at', ${iso(endsAt)},
    'booker_name', x.booker ->> 'name')`

const VISIT = {
  patients: 'known',
  join: () => sql`join appointments x on x.organization_id = ${CLINIC} and x.id = f.id`,
  params: paramsOf(sql`x.starts_at`, sql`x.ends_at`),
  named: sql`x.service_id, x.specialist_id`,
} as const

/** Until they count as not closed. */
export const visitsToConfirm: FactSource = {
  ...VISIT,
  kind: 'to_confirm',
  due: (asked) => sql`${dueVisits('to_confirm', sql`a.starts_at`)} and a.status = 'pending'
    and a.starts_at >= ${asked.endedBefore}::timestamptz - interval '1 day' and a.ends_at >= ${asked.endedBefore}
    ${onlyIds(sql`a.id`, asked)}`,
}

export const unlinkedBookings: FactSource = {
  ...VISIT,
  kind: 'unlinked',
  due: (asked) => sql`${dueVisits('unlinked', sql`a.starts_at`)} and a.patient_id is null and a.booker is not null
    and a.status in ('pending', 'confirmed', 'checked_in', 'completed') and a.starts_at >= ${asked.unlinkedSince}
    ${onlyIds(sql`a.id`, asked)}`,
}

/** Entries of the waiting list for which a time is free, unless somebody has it again. */
export const freedSlots: FactSource = {
  ...VISIT,
  kind: 'slot_freed',
  due: (asked) => sql`
    select a.id, 'slot_freed.' || a.id || '.' || ${stamp(sql`a.slot_freed_at`)} as key, a.slot_freed_at as at,
      false as is_warning, a.patient_profile_id
    from appointments a
    where a.organization_id = ${CLINIC} and a.status = 'waitlist' and a.slot_freed_at is not null
      and (a.freed_slot ->> 'starts_at')::timestamptz > ${asked.now}
      and not exists (select 1 from appointments o where o.organization_id = ${CLINIC}
        and o.specialist_id = (a.freed_slot ->> 'specialist_id')::uuid and o.status in ('pending', 'confirmed', 'checked_in', 'completed')
        and o.starts_at > (a.freed_slot ->> 'starts_at')::timestamptz - interval '1 day'
        and o.starts_at < (a.freed_slot ->> 'ends_at')::timestamptz and o.ends_at > (a.freed_slot ->> 'starts_at')::timestamptz)
      ${onlyIds(sql`a.id`, asked)}`,
  params: paramsOf(sql`(x.freed_slot ->> 'starts_at')::timestamptz`, sql`(x.freed_slot ->> 'ends_at')::timestamptz`),
  named: sql`x.service_id, (x.freed_slot ->> 'specialist_id')::uuid as specialist_id`,
}

export const openVisits: FactSource = {
  ...VISIT,
  kind: 'not_closed',
  due: (asked) => sql`${dueVisits('not_closed', sql`a.ends_at`)} and a.status in ('pending', 'confirmed', 'checked_in')
    and a.ends_at < ${asked.endedBefore} and a.ends_at >= ${asked.openSince} ${onlyIds(sql`a.id`, asked)}`,
}
