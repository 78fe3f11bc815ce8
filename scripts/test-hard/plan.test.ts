import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EIGHTHS, hardClocks, planHard } from './plan.ts'

const FILES = Array.from({ length: 100 }, (_, index) => `file-${index}.test.ts`)
const CLOCKS = hardClocks(new Date('2026-11-18T12:00:00Z'))

describe('the plan of npm run test:hard', () => {
  test('the clocks begin ten minutes before a month ends and five before Bucharest changes its time', () => {
    const [month, ...changes] = CLOCKS.map(({ startsAt }) => startsAt)
    assert.deepEqual(month, new Date(2026, 10, 30, 23, 50))
    assert.deepEqual(
      changes.map((date) => date.toISOString()),
      ['2027-03-28T00:55:00.000Z', '2027-10-31T00:55:00.000Z'],
    )
    assert.match(CLOCKS[1]?.name ?? '', /summer/)
    assert.match(CLOCKS[2]?.name ?? '', /winter/)
  })

  test('no clock begins in the past', () => {
    for (let day = 0; day < 800; day += 1)
      for (const minutes of [0, 12 * 60, 23 * 60 + 55]) {
        const now = new Date(2026, 0, 1 + day, 0, minutes)
        for (const { startsAt, name } of hardClocks(now)) assert.ok(startsAt >= now, `${name} at ${now.toISOString()}`)
      }
  })

  test('each file runs with each clock, in an order that the seed repeats', () => {
    const plan = planHard({ files: FILES, clocks: CLOCKS, seed: 7 })
    assert.equal(plan.length, 3)
    for (const { files } of plan) {
      assert.deepEqual([...files].sort(), [...FILES].sort())
      assert.notDeepEqual(files, FILES)
    }
    assert.deepEqual(planHard({ files: FILES, clocks: CLOCKS, seed: 7 }), plan)
    assert.notDeepEqual(planHard({ files: FILES, clocks: CLOCKS, seed: 8 }), plan)
  })

  test('eight eighths, each with its own seed, are everything once', () => {
    const eighths = Array.from({ length: EIGHTHS }, (_, index) =>
      planHard({ files: FILES, clocks: CLOCKS, seed: index, eighth: index + 1 }),
    )
    const pairs = eighths.flat().flatMap(({ clock, files }) => files.map((file) => `${clock.name} ${file}`))
    assert.equal(pairs.length, 300)
    assert.equal(new Set(pairs).size, 300)
    for (const eighth of eighths) assert.equal(eighth.length, 3)
  })
})
