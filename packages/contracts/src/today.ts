import { type Static, Type } from 'typebox'
import { FORM_TYPES } from './form-templates.ts'
import { RUN_STATUSES } from './session-runs.ts'
import { Enum, Id, Nullable, Timestamp } from './shapes.ts'
import { HasEnded } from './treatment-plans.ts'

const TimeZone = Type.String({ examples: ['Europe/Bucharest'] })
const Day = Nullable(Type.String({ examples: ['2026-01-31'] }))

const organization = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Clinica Mlădița'] }),
  slug: Type.String({ examples: ['clinica-mladita'] }),
  time_zone: TimeZone,
})

const TodaySession = Type.Object({
  id: Type.String({ ...Id, description: 'Start it with POST /v1/session-runs.' }),
  organization,
  treatment_plan: Type.Object({
    id: Id,
    title: Type.String({ examples: ['Knee, first weeks'] }),
    starts_on: Day,
    ends_on: Day,
    has_ended: HasEnded,
  }),
  title: Type.String({ examples: ['Monday'] }),
  position: Type.Integer({ examples: [1] }),
  exercises_count: Type.Integer({ examples: [4] }),
  last_run: Nullable(
    Type.Object({
      id: Id,
      status: Enum(RUN_STATUSES),
      started_at: Timestamp,
      ended_at: Nullable(Timestamp),
      exercises: Type.Object({ total: Type.Integer({ examples: [4] }), completed: Type.Integer({ examples: [3] }) }),
    }),
  ),
  run_in_progress: Nullable(Type.Object({ id: Id, started_at: Timestamp, last_event_at: Timestamp })),
})

const TodayForm = Type.Object({
  id: Id,
  organization,
  title: Type.String({ examples: ['First questionnaire'] }),
  type: Enum(FORM_TYPES, 'intake'),
  status: Enum(['pending', 'in_progress']),
  appointment_id: Nullable(Id),
  created_at: Timestamp,
})

const NextVisit = Type.Object({
  id: Id,
  organization,
  starts_at: Timestamp,
  ends_at: Timestamp,
  time_zone: TimeZone,
  mode: Enum(['in_person', 'video', 'phone']),
  status: Enum(['pending', 'confirmed', 'checked_in'], 'confirmed'),
  service_name: Type.String({ examples: ['First visit'] }),
  specialist_name: Nullable(Type.String({ examples: ['Dr. Radu Pop'] })),
  location_name: Nullable(Type.String({ examples: ['Centru'] })),
  location_address: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The address of the location.',
  }),
  meeting_url: Nullable(Type.String({ examples: ['https://meet.example/abc'] })),
})

/** What a patient has to do, at all of their clinics. */
export const Today = Type.Object({
  sessions: Type.Array(TodaySession),
  forms: Type.Array(TodayForm),
  next_visit: Nullable(NextVisit),
})
export type Today = Static<typeof Today>
