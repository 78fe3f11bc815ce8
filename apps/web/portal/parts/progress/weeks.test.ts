import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Run, weeksOf } from './weeks.ts'

const run = (started_at: string, changed: Partial<Run> = {}): Run => ({
  started_at,
  exercises: { total: 4, completed: 3, skipped: 1, abandoned: 0 },
  pain: { reports: 0, max_severity: null },
  feedback: null,
  repetitions: { measured: null, tapped: null },
  ...changed,
})

describe('weeks of progress', () => {
  test('a session late on Sunday belongs to the week of the clinic’s date', () => {
    const now = Date.parse('2026-11-18T12:00:00Z')
    // 00:30 on Monday in Bucharest.
    const weeks = weeksOf([run('2026-11-15T22:30:00Z'), run('2026-11-15T20:00:00Z')], 'Europe/Bucharest', now, 3)
    assert.deepEqual(
      weeks.map(({ monday, sessions }) => [monday, sessions]),
      [
        ['2026-11-02', 0],
        ['2026-11-09', 1],
        ['2026-11-16', 1],
      ],
    )
  })

  test('a week has its adherence, its repetitions and the worst pain of reports and feedback', () => {
    const feedback = { perceived_exertion: 4, pain: 5, comment: null, created_at: '', updated_at: '' }
    const repetitions = { measured: 20, tapped: 3 }
    const runs = [
      run('2026-11-16T10:00:00Z', { pain: { reports: 1, max_severity: 3 }, feedback, repetitions }),
      run('2026-11-17T10:00:00Z', { exercises: { total: 4, completed: 4, skipped: 0, abandoned: 0 }, repetitions }),
    ]
    const [week] = weeksOf(runs, 'UTC', Date.parse('2026-11-18T12:00:00Z'), 1)
    assert.deepEqual(week, { monday: '2026-11-16', sessions: 2, completed: 88, worst_pain: 5, measured: 40, tapped: 6 })
  })

  test('repetitions that nobody counted are not known, and not none', () => {
    const [measured, tapped] = [
      { measured: 0, tapped: null },
      { measured: null, tapped: 4 },
    ]
    const weekOf = (...all: Run['repetitions'][]) =>
      weeksOf(
        all.map((repetitions) => run('2026-11-16T10:00:00Z', { repetitions })),
        'UTC',
        Date.parse('2026-11-18T12:00:00Z'),
        1,
      )[0]
    const countsOf = (...all: Run['repetitions'][]) => [weekOf(...all)?.measured, weekOf(...all)?.tapped]
    assert.deepEqual(countsOf(), [null, null])
    assert.deepEqual(countsOf(measured), [0, null])
    assert.deepEqual(countsOf(measured, tapped), [0, 4])
  })

  test('a session without a completed exercise is not counted in its week', () => {
    const skipped = { total: 3, completed: 0, skipped: 3, abandoned: 0 }
    const runs = [run('2026-11-16T10:00:00Z', { exercises: skipped }), run('2026-11-17T10:00:00Z')]
    const [week] = weeksOf(runs, 'UTC', Date.parse('2026-11-18T12:00:00Z'), 1)
    assert.equal(week?.sessions, 1)
  })
})
