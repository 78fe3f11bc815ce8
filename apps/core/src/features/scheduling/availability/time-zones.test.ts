import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { localOf, readZone } from '@tendon/availability'
import { randomFrom, soakSeed } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const ZONES = [
  'Europe/Bucharest',
  'America/St_Johns',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
]
const POINTS = 3_000
const QUARTER_MS = 900_000

describe('time zones', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('local times agree with PostgreSQL, every quarter of an hour around the changes of 2026 and at random', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    const around = [
      '2026-03-29',
      '2026-10-25',
      '2026-03-08',
      '2026-11-01',
      '2026-04-05',
      '2026-10-04',
      '2026-09-27',
    ].flatMap((day) => Array.from({ length: 192 }, (_, index) => Date.parse(day) - 86_400_000 + index * QUARTER_MS))
    const next = randomFrom(soakSeed())
    const random = Array.from({ length: POINTS }, () => start + Math.floor(next() * 35_040) * QUARTER_MS)
    const points = [...around, ...random]
    for (const zone of ZONES) {
      const rows = await core.database.query<{ local: string }>(
        `select to_char(to_timestamp(ms / 1000.0) at time zone $2, 'YYYY-MM-DD"T"HH24:MI') as local
         from unnest($1::double precision[]) with ordinality as p (ms, n) order by n`,
        [points, zone],
      )
      const table = readZone(zone, Math.min(...points) - 86_400_000, Math.max(...points) + 86_400_000)
      const ours = points.map((ms) => new Date(localOf(table, ms)).toISOString().slice(0, 16))
      const theirs = rows.map(({ local }) => local)
      const different = ours.findIndex((local, index) => local !== theirs[index])
      assert.equal(
        different,
        -1,
        `${zone} at ${new Date(points[different] ?? 0).toISOString()}: ${ours[different]}, ${theirs[different]}`,
      )
    }
  })
})
