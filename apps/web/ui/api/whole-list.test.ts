import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '@tendon/sdk'
import fc from 'fast-check'
import { wholeList } from './whole-list.ts'

const PAGE = 3
type Row = { id: number }

/** A list of the API, as it is at the time of each read. */
const pageOf = (rows: readonly Row[], page: number) => ({
  items: rows.slice((page - 1) * PAGE, page * PAGE),
  total: rows.length,
  page,
  pageSize: PAGE,
})
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

describe('a whole list', () => {
  test('a whole list has every row of every page, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 20 }), async (count) => {
        const rows = Array.from({ length: count }, (_, id) => ({ id }))
        const { items, total } = await wholeList(async (page) => pageOf(rows, page))
        assert.deepEqual(idsOf(items), idsOf(rows))
        assert.equal(total, count)
      }),
    )
  })

  test('a whole list is what the last read would find, although a row comes, goes or moves while the pages are read', async () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), at: fc.nat({ max: 20 }) }),
      fc.record({ kind: fc.constant('remove' as const), at: fc.nat({ max: 20 }) }),
      fc.record({ kind: fc.constant('move' as const), at: fc.nat({ max: 20 }), to: fc.nat({ max: 20 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 12 }), fc.nat({ max: 4 }), change, async (count, at, one) => {
        const rows = Array.from({ length: count }, (_, id) => ({ id }))
        let reads = 0
        const apply = () => {
          if (one.kind === 'add') rows.splice(one.at, 0, { id: count })
          const [moved] = one.kind === 'add' ? [] : rows.splice(one.at, 1)
          if (one.kind === 'move' && moved) rows.splice(one.to, 0, moved)
        }
        const { items } = await wholeList(async (page) => {
          if (page > 1 && reads++ === at) apply()
          return pageOf(rows, page)
        })
        assert.deepEqual(new Set(idsOf(items)), new Set(idsOf(rows)))
      }),
    )
  })

  test('a list that changes during every read is refused', async () => {
    let total = 4
    const read = async (page: number) => ({ ...pageOf([{ id: page }], 1), total: total++ })
    await assert.rejects(wholeList(read), { status: 409, code: 'list_changed' })
  })

  test('a whole list fails when a later page fails', async () => {
    const rows = Array.from({ length: 7 }, (_, id) => ({ id }))
    const read = async (page: number) => {
      if (page === 3) throw new ApiError(500, {})
      return pageOf(rows, page)
    }
    await assert.rejects(wholeList(read), { status: 500 })
  })

  test('a list that has no pages is one page', async () => {
    const { items } = await wholeList(async () => ({ items: ['a', 'b'], total: 2, page: 1, pageSize: 2 }))
    assert.deepEqual(items, ['a', 'b'])
  })
})
