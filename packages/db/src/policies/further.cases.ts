import { randomUUID } from 'node:crypto'
import type { Context } from '../transaction.ts'
import { type Callers, holding } from './callers.fixtures.ts'
import type { Operation } from './case.ts'
import { RESTORABLE } from './deleted.fixtures.ts'
import { RUN_PARTS } from './session-runs.fixtures.ts'

/** What the table of cases does not say: what one caller meets with one statement. */
export interface FurtherCase {
  name: string
  table: string
  operation: Operation
  context: Context
  /** Works as the service of the clinic in context. */
  isService?: boolean
  statement: string
  outcome: 'none' | 'refused'
}

const BYTES = `'\\x09'`

/** Without the service, and at another clinic, a patient does nothing with their rows of this clinic. */
export function furtherCases({ clinic, other, inside }: Callers): FurtherCase[] {
  const patient: Context = {
    principalId: clinic.spareHuman,
    organizationId: clinic.id,
    permissions: '',
    profileIds: [clinic.profile],
  }
  const elsewhere: Context = { ...patient, organizationId: other.id }
  const visit = `(organization_id, service_id, specialist_id, patient_id, patient_profile_id, starts_at, ends_at, time_zone, mode,
      status, source)
    values ('${clinic.id}', '${clinic.offered}', '${clinic.specialist}', '${clinic.patient}', '${clinic.profile}', '2041-01-01 09:00Z',
      '2041-01-01 10:00Z', 'UTC', 'phone', 'pending', 'patient')`
  const of =
    (name: string, context: Context, isService = false) =>
    ([table, operation, statement, outcome]: readonly [string, Operation, string, FurtherCase['outcome']]) => ({
      name: `${operation} on ${table}, ${name}`,
      table,
      operation,
      context,
      isService,
      statement,
      outcome,
    })
  const nowhere = randomUUID()
  return [
    ...(
      [
        ['appointments', 'insert', `insert into appointments ${visit}`, 'refused'],
        ['appointments', 'update', `update appointments set title = 'Mine'`, 'none'],
        ['calendar_feeds', 'select', 'select 1 from calendar_feeds', 'none'],
        ['patients', 'update', `update patients set notes = 'Mine'`, 'none'],
      ] as const
    ).map(of('a patient, not as the service', patient)),
    ...(
      [['custom_fields', 'update', `update custom_fields set label = 'Mine' where key = 'room'`, 'none']] as const
    ).map(
      of(
        'who manages appointments, not as the service',
        inside(holding(['appointments.manage', 'custom_fields.view'])),
      ),
    ),
    ...([['appointments', 'select', 'select 1 from appointments', 'none']] as const).map(
      of('a person who booked without an account, not as the service', { ...patient, profileIds: [] }),
    ),
    ...(
      [
        ['consents', 'update', `update consents set withdrawn_at = now(), ended_as = 'left'`, 'refused'],
        [
          'forms',
          'update',
          `update forms set status = 'signed', completed_at = now(), signed_at = now(), seal = ${BYTES},
             signed_by_principal_id = current_app_principal_id() where id = '${clinic.form}'`,
          'refused',
        ],
        ...RESTORABLE.map(
          (table) =>
            [table, 'update', `select 1 from ${table} where deleted_at is not null for share`, 'none'] as const,
        ),
        [
          'forms',
          'update',
          `update forms set status = 'signed', completed_at = now(), signed_at = now(), seal = '\\x01',
             signed_by_principal_id = current_app_principal_id() where id = '${clinic.form}'`,
          'refused',
        ],
        ['humans', 'select', `select 1 from humans where id = '${clinic.spareHuman}'`, 'none'],
        ['session_feedback', 'update', `update session_feedback set comment = null`, 'none'],
        ['session_runs', 'update', `update session_runs set last_event_at = now()`, 'none'],
        [
          'session_run_events',
          'insert',
          `insert into session_run_events (organization_id, session_run_id, patient_profile_id, type)
           values ('${clinic.id}', '${clinic.sessionRun}', '${clinic.profile}', 'started')`,
          'refused',
        ],
      ] as const
    ).map(of('a superadmin here, not as the service', inside('*'))),
    ...(
      [
        ['appointments', 'update', `update appointments set title = 'Mine'`, 'none'],
        ['session_runs', 'update', `update session_runs set last_event_at = now()`, 'none'],
        ['session_feedback', 'update', `update session_feedback set comment = null`, 'none'],
        [
          'session_runs',
          'insert',
          `insert into session_runs (organization_id, plan_session_id) values ('${clinic.id}', '${clinic.runSession}')`,
          'refused',
        ],
        ...Object.entries(RUN_PARTS).map(
          ([table, { columns, values }]) =>
            [
              table,
              'insert',
              `insert into ${table} (organization_id, session_run_id, patient_profile_id, ${columns})
               values ('${clinic.id}', '${clinic.sessionRun}', '${clinic.profile}', ${values(clinic.runExercise)})`,
              'refused',
            ] as const,
        ),
        [
          'run_manifests',
          'insert',
          `insert into run_manifests (run_id, organization_id, patient_profile_id, items)
           values ('${randomUUID()}', '${clinic.id}', '${clinic.profile}', '[]')`,
          'refused',
        ],
        [
          'appointment_reviews',
          'insert',
          `insert into appointment_reviews (organization_id, appointment_id, patient_profile_id, rating)
           values ('${clinic.id}', '${clinic.spareVisit}', '${clinic.profile}', 4)`,
          'refused',
        ],
        ['booking_links', 'select', 'select 1 from booking_links', 'none'],
        ['booking_links', 'update', `update booking_links set appointment_id = '${clinic.spareVisit}'`, 'none'],
        [
          'booking_links',
          'insert',
          `insert into booking_links (token_hash, organization_id, appointment_id)
           values (${BYTES}, '${clinic.id}', '${clinic.visit}')`,
          'refused',
        ],
      ] as const
    ).map(of('the service for a patient who is at another clinic', elsewhere, true)),
    ...(
      [
        [
          'custom_fields',
          'update',
          `select 1 from custom_fields where entity_type = 'appointment' for key share`,
          'none',
        ],
      ] as const
    ).map(of('who writes appointments, as the service', inside(',appointments.manage,custom_fields.view,'), true)),
    ...(
      [
        [
          'organization_settings',
          'insert',
          `insert into organization_settings (organization_id) values ('${nowhere}')`,
          'refused',
        ],
        ['privacy_notices', 'insert', `insert into privacy_notices (organization_id) values ('${nowhere}')`, 'refused'],
        [
          'saved_views',
          'insert',
          `insert into saved_views (organization_id, list, views) values ('${nowhere}', 'patients', '[]')`,
          'refused',
        ],
      ] as const
    ).map(of('a superadmin, for a clinic without these rows', inside('*'))),
  ]
}
