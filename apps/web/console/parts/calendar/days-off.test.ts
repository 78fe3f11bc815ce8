import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysOffOn } from './days-off.ts'

const MONDAY = '2026-03-02'
const ANA = { id: 'ana', name: 'Ana' }
const HOURS = [{ weekday: 1, start: '09:00', end: '17:00' }]
const off = (values: object = {}) => ({
  id: 'off',
  date: MONDAY,
  date_to: null,
  windows: [],
  service_id: null,
  reason: 'Conference',
  ...values,
})
const calendar = (overrides: ReturnType<typeof off>[], values: object = {}) => ({
  specialist_id: 'ana',
  is_active: true,
  weekly_hours: HOURS,
  overrides,
  ...values,
})
const on = (calendars: ReturnType<typeof calendar>[], closures: Parameters<typeof daysOffOn>[1]['closures'] = []) =>
  daysOffOn(MONDAY, { calendars, closures, specialists: [ANA] })

describe('days off in the calendar', () => {
  test('a day off names the specialist and the reason; a usual day names nobody', () => {
    assert.deepEqual(on([calendar([off()])]), [{ specialistId: 'ana', name: 'Ana', reason: 'Conference' }])
    assert.deepEqual(on([calendar([])]), [])
    assert.deepEqual(on([calendar([off({ date: '2026-03-03' })])]), [])
    assert.deepEqual(on([calendar([off({ date: '2026-02-27', date_to: '2026-03-05' })])]).length, 1)
  })

  test('other hours, hours at another place and a day off of one service are no day off', () => {
    assert.deepEqual(on([calendar([off({ windows: [{ start: '09:00', end: '10:00' }] })])]), [])
    assert.deepEqual(on([calendar([off()]), calendar([])]), [])
    assert.deepEqual(on([calendar([off({ service_id: 'one' })])]), [])
    assert.deepEqual(on([calendar([off()]), calendar([], { is_active: false })]).length, 1)
  })

  test('a closure of the whole clinic is named instead of the specialists', () => {
    const closure = { date: MONDAY, date_to: null, location_id: null, name: 'Easter' }
    assert.deepEqual(on([calendar([off()])], [closure]), [{ specialistId: undefined, name: 'Easter', reason: null }])
    assert.deepEqual(on([calendar([])], [{ ...closure, location_id: 'north' }]), [])
  })
})
