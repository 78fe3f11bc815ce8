import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Appointment, AvailableSlot } from '@tendon/sdk'
import { dayColumns } from './columns.ts'
import type { DayOff } from './days-off.ts'

const [DAY, ZONE] = ['2026-03-02', 'Europe/Bucharest']
const ANA = { id: 'ana', name: 'Ana' }
const DAN = { id: 'dan', name: 'Dan' }
const words = { noVisit: 'No visit', noSpecialist: 'Without a specialist' }

const visit = (id: string, of: { id: string; name: string } | null, starts_at = `${DAY}T08:00:00Z`) =>
  ({ id, specialist_id: of?.id ?? null, specialist: of, starts_at }) as Appointment
const slot = (of: { id: string }, starts_at = `${DAY}T09:00:00Z`) =>
  ({ specialist_id: of.id, starts_at }) as AvailableSlot

function columns(visits: readonly Appointment[], slots?: readonly AvailableSlot[], off: readonly DayOff[] = []) {
  return dayColumns({ day: DAY, zone: ZONE, visits, slots, specialists: [ANA], off, words }).map(
    ({ title, visits: shown, free }) => [title, shown.map(({ id }) => id), free?.length ?? 0],
  )
}

describe('the columns of a day', () => {
  test('a specialist with a visit or a free time has a column', () => {
    assert.deepEqual(columns([visit('1', ANA)]), [['Ana', ['1'], 0]])
    assert.deepEqual(columns([], [slot(ANA)]), [['Ana', [], 1]])
  })

  test('visits of a deleted specialist are in a column at the end', () => {
    assert.deepEqual(columns([visit('1', DAN), visit('2', ANA), visit('3', DAN)]), [
      ['Ana', ['2'], 0],
      ['Dan', ['1', '3'], 0],
    ])
  })

  test('a day with visits of a deleted specialist only is not called free', () => {
    assert.deepEqual(columns([visit('1', DAN)]), [['Dan', ['1'], 0]])
  })

  test('visits without a specialist have a column', () => {
    assert.deepEqual(columns([visit('1', null)]), [['Without a specialist', ['1'], 0]])
  })

  test('a specialist who is off has a column, with or without visits', () => {
    const off = { specialistId: 'ana', name: 'Ana', reason: null }
    assert.deepEqual(columns([], undefined, [off]), [['Ana', [], 0]])
    assert.deepEqual(columns([visit('1', ANA)], undefined, [off]), [['Ana', ['1'], 0]])
    const closed = { specialistId: undefined, name: 'Easter', reason: null }
    assert.deepEqual(columns([], undefined, [closed]), [['No visit', [], 0]])
  })

  test('visits and free times of another day are not shown', () => {
    const next = '2026-03-02T22:30:00Z' // 00:30 on 3 March in Bucharest
    assert.deepEqual(columns([visit('1', ANA, next)], [slot(ANA, next)]), [['No visit', [], 0]])
  })
})
