import { all, any, type Cases, inClinic } from './case.ts'

const VIEW = any('specialists.view_org', 'specialists.manage')
const MANAGE = all('specialists.manage')

export const SPECIALIST_CASES: Cases = {
  specialties: {
    row: inClinic,
    fresh: (of) => `(organization_id, title, slug) values ('${of.id}', 'New', 'new')`,
    set: `title = 'Other'`,
    select: VIEW,
    insert: MANAGE,
    update: MANAGE,
    delete: MANAGE,
  },
  specialists: {
    row: inClinic,
    fresh: (of) =>
      `(organization_id, name, slug, scheduling_timezone) values ('${of.id}', 'New', 'new', 'Europe/Bucharest')`,
    set: `name = 'Other'`,
    select: VIEW,
    insert: MANAGE,
    update: MANAGE,
    delete: 'nobody',
  },
  specialist_specialties: {
    row: inClinic,
    fresh: (of) => `(organization_id, specialist_id, specialty_id)
      values ('${of.id}', '${of.specialist}', '${of.spareSpecialty}')`,
    set: 'specialty_id = specialty_id',
    select: VIEW,
    insert: MANAGE,
    update: 'nobody',
    delete: MANAGE,
  },
}
