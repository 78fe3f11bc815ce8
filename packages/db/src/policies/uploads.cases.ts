import { type Cases, inClinic, MEMBERS } from './case.ts'

export const UPLOAD_CASES: Cases = {
  unclaimed_objects: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, object_key, delete_after) values ('${of.id}', 'tests/' || gen_random_uuid(), now())`,
    set: 'delete_after = now()',
    select: MEMBERS,
    insert: MEMBERS,
    update: MEMBERS,
    delete: MEMBERS,
    platform: true,
  },
}
