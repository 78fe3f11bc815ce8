import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allFreeTimes, MAX_SLOTS } from './all-free-times.ts'

const START = Date.UTC(2026, 8, 7, 6)
const at = (quarter: number) => new Date(START + quarter * 900_000).toISOString()
/** Every quarter of an hour, `together` specialists are free. */
const slotsOf = (quarters: number, together: number) =>
  Array.from({ length: quarters * together }, (_, index) => ({
    starts_at: at(Math.floor(index / together)),
    ends_at: at(Math.floor(index / together) + 4),
    specialist_id: `s${index % together}`,
    location_id: null,
  }))

describe('all free times', () => {
  const reader = (slots: ReturnType<typeof slotsOf>) => {
    const asked: string[] = []
    const read = async (from: string) => {
      asked.push(from)
      const data = slots.filter(({ starts_at }) => starts_at >= from).slice(0, MAX_SLOTS)
      return { data, days: [{ date: '2026-09-07', free: slots.length }] }
    }
    return { asked, read }
  }

  test('free times are read to the last, although one answer has 1,000 at most', async () => {
    const slots = slotsOf(230, 13)
    const { asked, read } = reader(slots)
    assert.deepEqual((await allFreeTimes(read, at(0), at(230))).data, slots)
    assert.ok(asked.length > 2)
  })

  test('free times are read no further than asked', async () => {
    const { asked, read } = reader(slotsOf(400, 10))
    await allFreeTimes(read, at(0), at(50))
    assert.deepEqual(asked, [at(0)])
  })

  test('more than 1,000 at one instant end the reading', async () => {
    const { asked, read } = reader(slotsOf(1, 1_200))
    assert.equal((await allFreeTimes(read, at(0), at(4))).data.length, MAX_SLOTS)
    assert.equal(asked.length, 2)
  })
})
