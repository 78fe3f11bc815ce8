import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { List, Picker } from '@tendon/contracts'
import { createTestDatabase, soakRuns, type TestDatabase } from '@tendon/testing'
import * as fc from 'fast-check'
import { Database } from './database.ts'
import { readChoices, readPage } from './list.ts'

const NAMES = ['Ana', 'Ána', 'ana maria', 'Bogdan', '100%', '100 percent', 'a_b', 'axb', 'back\\slash', 'Ștefan', 'Zoe']
const EVERYTHING: List = { page: 1, limit: 500, sort: [], filters: {}, ranges: [] }
// Microseconds, around a midnight and in ties.
const TIMES = [
  '2026-01-30T23:59:59.999999Z',
  '2026-01-31T00:00:00.000000Z',
  '2026-01-31T00:00:00.000000Z',
  '2026-01-31T12:00:00.000001Z',
  '2026-01-31T23:59:59.999999Z',
  '2026-02-01T00:00:00.000000Z',
]

const names = ({ rows }: { rows: { name: string }[] }) => rows.map(({ name }) => name).sort()

describe('lists', () => {
  let database: TestDatabase
  let db: Database
  let context: { principalId: null; organizationId: string; permissions: string }
  let ids: string[]

  before(async () => {
    database = await createTestDatabase()
    db = new Database({ ...database.options, login: 'tendon_app' })
    const [mine, other] = await database.query<{ id: string }>(
      `insert into organizations (name, slug) values ('Mine', 'mine'), ('Other', 'other') returning id`,
    )
    context = { principalId: null, organizationId: mine?.id ?? '', permissions: '*' }
    const rows = await database.query<{ id: string }>(
      `insert into locations (organization_id, name, phone, created_at)
       select $1, name, case when n % 2 = 0 then 'even' end, (($3::text[])[1 + n % 6])::timestamptz
       from unnest($2::text[]) with ordinality u (name, n) returning id`,
      [mine?.id, NAMES, TIMES],
    )
    ids = rows.map(({ id }) => id)
    await database.query('insert into locations (organization_id, name) select $1, unnest($2::text[])', [
      other?.id,
      NAMES,
    ])
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const page = (list: Partial<List>) =>
    db.tenant(context, (tx) =>
      readPage(
        tx.selectFrom('locations').select(['id', 'name', 'created_at']),
        { ...EVERYTHING, ...list },
        {
          columns: { title: 'name' },
          search: ['name'],
        },
      ),
    )
  const choices = (picker: Partial<Picker>) =>
    db.tenant(context, (tx) =>
      readChoices(tx.selectFrom('locations').select(['id', 'name']), { limit: 20, ...picker }, { search: ['name'] }),
    )

  test('the total counts the rows of the same filter, also past the last page', async () => {
    assert.equal((await page({ limit: 3 })).total, NAMES.length)
    assert.deepEqual(await page({ page: 1_000_000, limit: 500 }), { rows: [], total: NAMES.length })
    const even = await page({ filters: { phone: ['even'] }, limit: 1 })
    assert.deepEqual([even.rows.length, even.total], [1, Math.floor(NAMES.length / 2)])
  })

  test('pages neither repeat nor skip, with any limit and order, though many rows tie', async () => {
    const sort = fc.subarray(
      [
        { field: 'created_at', descending: true },
        { field: 'phone', descending: false },
      ],
      { minLength: 0 },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), sort, async (limit, order) => {
        const pages = await Promise.all(
          Array.from({ length: Math.ceil(NAMES.length / limit) }, (_, index) =>
            page({ page: index + 1, limit, sort: order }),
          ),
        )
        const seen = pages.flatMap(({ rows }) => rows.map(({ id }) => id))
        assert.deepEqual(
          seen,
          (await page({ sort: order })).rows.map(({ id }) => id),
        )
        assert.equal(new Set(seen).size, NAMES.length)
      }),
      { numRuns: soakRuns(30) },
    )
  })

  test('without sort the newest come first; with it, the fields of the contract apply', async () => {
    const times = (await page({})).rows.map(({ created_at }) => created_at)
    assert.deepEqual(times, times.toSorted().reverse())
    const sorted = (await page({ sort: [{ field: 'title', descending: true }] })).rows.map(({ name }) => name)
    assert.equal(sorted[0], 'Ștefan', 'by code point')
    assert.deepEqual(
      sorted.toReversed(),
      (await page({ sort: [{ field: 'title', descending: false }] })).rows.map(({ name }) => name),
    )
  })

  const within: [from: string | undefined, to: string | undefined, matched: number[]][] = [
    [undefined, undefined, [0, 1, 2, 3, 4, 5]],
    ['2026-01-31T00:00:00.000000Z', undefined, [1, 2, 3, 4, 5]],
    [undefined, '2026-01-31T23:59:59.999999Z', [0, 1, 2, 3, 4]],
    ['2026-01-31T00:00:00.000000Z', '2026-01-31T23:59:59.999999Z', [1, 2, 3, 4]],
    ['2026-01-31T00:00:00.000001Z', '2026-01-31T12:00:00.000001Z', [3]],
    ['2026-02-01T00:00:00.000000Z', '2026-01-30T00:00:00.000000Z', []],
  ]
  for (const [from, to, matched] of within) {
    test(`a range includes both ends to the microsecond: ${from ?? '…'} to ${to ?? '…'}`, async () => {
      const range = { column: 'created_at', ...(from ? { from } : {}), ...(to ? { to } : {}) }
      const expected = NAMES.filter((_, index) => matched.includes((index + 1) % 6))
      assert.deepEqual(names(await page({ ranges: [range] })), expected.sort())
    })
  }

  const searches: [q: string, found: string[]][] = [
    ['ana', ['Ana', 'Ána', 'ana maria']],
    ['ÁNA', ['Ana', 'Ána', 'ana maria']],
    ['stef', ['Ștefan']],
    ['%', ['100%']],
    ['100%', ['100%']],
    ['_', ['a_b']],
    ['\\', ['back\\slash']],
    ["'", []],
    ['nobody', []],
  ]
  for (const [q, found] of searches) {
    test(`q is part of the text, accents and case ignored, and no pattern: ${q}`, async () => {
      const { rows, total } = await page({ q })
      assert.deepEqual([names({ rows }), total], [found.sort(), found.length])
      assert.deepEqual(names({ rows: await choices({ q }) }), found)
    })
  }

  test('a picker returns the given ids, of the organization only, by name, within its limit', async () => {
    const [first = '', second = ''] = ids
    const [foreign] = await database.query<{ id: string }>(`select id from locations where id <> all ($1)`, [ids])
    const picked = await choices({ ids: [second, first, foreign?.id ?? '', first] })
    assert.deepEqual(
      picked.map(({ name }) => name),
      ['Ana', 'Ána'],
    )
    assert.deepEqual(await choices({ ids: [] }), [])
    assert.equal((await choices({ limit: 2 })).length, 2)
    assert.deepEqual(
      (await choices({})).map(({ name }) => name),
      NAMES.toSorted(),
    )
  })

  test('a filter matches any of its values, and treats SQL in them as text', async () => {
    assert.deepEqual(names(await page({ filters: { title: ['Ana', 'Zoe', `x'); drop table locations; --`] } })), [
      'Ana',
      'Zoe',
    ])
    assert.deepEqual(names(await page({ filters: { id: [ids[0] ?? ''] } })), ['Ana'])
  })
})
