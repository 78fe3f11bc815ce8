import { all, type Cases, MEMBERS } from './case.ts'

const WRITE = all('catalog.tags:write_private')

export const TAXONOMY_CASES: Cases = {
  taxonomy_tags: {
    row: (of) => `id = '${of.tag}'`,
    fresh: (of) => `(organization_id, axis, slug, name) values ('${of.id}', 'condition', 'new', 'New')`,
    set: 'sort_order = 1',
    select: MEMBERS,
    insert: WRITE,
    update: WRITE,
    delete: WRITE,
    shared: true,
  },
}
