import { all, type Case, type Cases, service } from './case.ts'
import { RUN_PARTS } from './session-runs.fixtures.ts'

const VIEW = all('session_runs.view_org')
const NOTHING = { insert: 'nobody', update: 'nobody', delete: 'nobody' } as const // but patients (session-runs.test.ts)

const part = (table: string, rights: Partial<Case> = {}): Case => ({
  ...NOTHING,
  row: (of) => `session_run_id = '${of.sessionRun}'`,
  fresh: (of) => `(organization_id, session_run_id, patient_profile_id, ${RUN_PARTS[table]?.columns})
    values ('${of.id}', '${of.sessionRun}', '${of.profile}', ${RUN_PARTS[table]?.values(of.runExercise)})`,
  set: 'created_at = now()',
  select: VIEW,
  ...rights,
})

export const SESSION_RUN_CASES: Cases = {
  session_runs: {
    ...NOTHING,
    row: (of) => `id = '${of.sessionRun}'`,
    fresh: (of) => `(organization_id, plan_session_id) values ('${of.id}', '${of.runSession}')`,
    set: 'last_event_at = now()',
    select: VIEW,
    update: service('session_runs.view_org'),
  },
  session_run_events: part('session_run_events', { insert: service('session_runs.view_org') }),
  pain_reports: part('pain_reports', { set: 'note = null', worker: ['update'] }),
  session_feedback: part('session_feedback', {
    set: 'comment = null',
    update: service('session_runs.view_org', 'gdpr.erase_data'),
  }),
}
