import { randomUUID } from 'node:crypto'
import { all, type Case, type Cases, MEMBERS } from './case.ts'
import { TELEMETRY_ROWS } from './telemetry.fixtures.ts'

const VIEW = all('session_runs.view_org')
const NOTHING = { insert: 'nobody', update: 'nobody', delete: 'nobody' } as const
/** Of a table with organization and run in every row. */
const UPDATED: Record<string, string> = { run_finalisations: 'events = null', replay_blobs: 'superseded_at = now()' }

/** Written by the telemetry service alone. What is changed or deleted must also be seen. */
function written(table: string, { columns, values }: { columns: string; values: string }): Case {
  return {
    ...NOTHING,
    row: (of) => `run_id = '${of.run}'`,
    fresh: (of) => `(organization_id, run_id, patient_profile_id, ${columns})
      select '${of.id}', '${of.spareRun}', '${of.profile}', ${values}`,
    set: UPDATED[table] ?? 'created_at = now()',
    select: VIEW,
    worker: ['delete'],
    telemetry: { select: VIEW, insert: MEMBERS, update: UPDATED[table] ? VIEW : 'nobody', delete: VIEW },
  }
}

export const TELEMETRY_CASES: Cases = {
  run_manifests: {
    ...NOTHING, // but patients, who start runs
    row: (of) => `run_id = '${of.spareRun}'`,
    fresh: (of) => `(run_id, organization_id, patient_profile_id, items)
      values ('${randomUUID()}', '${of.id}', '${of.profile}', '[]')`,
    set: `items = '[]'`,
    select: VIEW,
    worker: ['delete'],
    telemetry: { ...NOTHING, select: VIEW },
  },
  ...Object.fromEntries(Object.entries(TELEMETRY_ROWS).map(([table, row]) => [table, written(table, row)])),
}
