import { all, type Cases, inClinic } from './case.ts'

const VIEW = 'segments.view'
const MANAGE = 'segments.manage'
const PATIENTS = 'patients.view_org'
/** No permission that anybody can be given: what the platform's own evaluation needs. */
const EVALUATE = 'segments.evaluate'

// What is changed or deleted must also be seen.
export const SEGMENT_CASES: Cases = {
  segments: {
    row: (of) => `id = '${of.segment}'`,
    fresh: (of) => `(organization_id, name, match_mode, rules) values ('${of.id}', 'New', 'all', '[]')`,
    set: `name = 'Other'`,
    select: all(VIEW),
    insert: all(MANAGE),
    update: all(VIEW, MANAGE),
    delete: all(VIEW, MANAGE),
  },
  segment_versions: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, segment_id, version, match_mode, rules) values ('${of.id}', '${of.segment}', 2, 'all', '[]')`,
    set: 'version = 3',
    select: all(VIEW),
    insert: all(MANAGE),
    update: 'nobody',
    delete: 'nobody',
  },
  segment_members: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, segment_id, patient_id, matched_at) values ('${of.id}', '${of.spareSegment}', '${of.patient}', now())`,
    set: 'matched_at = now()',
    select: all(VIEW, PATIENTS),
    insert: all(EVALUATE),
    update: 'nobody',
    delete: all(VIEW, PATIENTS, EVALUATE),
  },
  segment_evaluations: {
    row: inClinic,
    fresh: (of) => `(organization_id, segment_id) values ('${of.id}', '${of.spareSegment}')`,
    set: `status = 'running'`,
    select: all(VIEW),
    insert: all(MANAGE),
    update: all(VIEW, MANAGE),
    delete: all(VIEW, EVALUATE),
  },
}
