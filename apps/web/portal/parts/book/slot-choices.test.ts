import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slotChoices } from './slot-choices.ts'

const NINE = '2026-12-01T09:00:00.000Z'
const TEN = '2026-12-01T10:00:00.000Z'
const specialists = ['ana', 'dan'].map((id) => ({ id, name: id, title: null }))
const locations = ['centre', 'north'].map((id) => ({ id, name: id, city: null, address: null, phone: null }))
const service = (places = locations) => ({ specialists, locations: places })
const slot = (starts_at: string, specialist_id: string, location_id: string | null) => ({
  starts_at,
  ends_at: starts_at,
  specialist_id,
  location_id,
})
const anybody = { mode: 'in_person', specialist: undefined, location: undefined } as const

describe('free times as they are offered', () => {
  test('with several locations each time names its place, and the same time at two places is two choices', () => {
    const slots = [slot(NINE, 'ana', 'centre'), slot(NINE, 'dan', 'north'), slot(TEN, 'dan', 'north')]
    const found = slotChoices(slots, service(), { choices: anybody, isMove: false })
    assert.deepEqual(
      found.map(({ starts_at, location, wanted }) => [starts_at, location?.id, wanted]),
      [
        [NINE, 'centre', { starts_at: NINE, location_id: 'centre' }],
        [NINE, 'north', { starts_at: NINE, location_id: 'north' }],
        [TEN, 'north', { starts_at: TEN, location_id: 'north' }],
      ],
    )
  })

  test('a time without a location among several is held with its specialist', () => {
    const [found] = slotChoices([slot(NINE, 'ana', null)], service(), { choices: anybody, isMove: false })
    assert.deepEqual([found?.location, found?.wanted], [null, { starts_at: NINE, specialist_id: 'ana' }])
  })

  test('with one location, and by video, a time is offered once and names nothing', () => {
    const slots = [slot(NINE, 'ana', 'centre'), slot(NINE, 'dan', 'centre')]
    for (const [places, mode] of [
      [locations.slice(0, 1), 'in_person'],
      [locations, 'video'],
    ] as const) {
      const choices = { ...anybody, mode }
      const found = slotChoices(slots, service(places), { choices, isMove: false })
      assert.deepEqual(
        found.map(({ specialist, location, wanted }) => [specialist, location, wanted]),
        [[undefined, undefined, { starts_at: NINE }]],
      )
    }
  })

  test('a move names specialist and place on every time, and holds exactly these', () => {
    const slots = [slot(NINE, 'ana', 'centre'), slot(NINE, 'dan', 'centre')]
    const found = slotChoices(slots, service(locations.slice(0, 1)), { choices: anybody, isMove: true })
    assert.deepEqual(
      found.map(({ specialist, location, wanted }) => [specialist?.id, location?.id, wanted]),
      [
        ['ana', 'centre', { starts_at: NINE, specialist_id: 'ana', location_id: 'centre' }],
        ['dan', 'centre', { starts_at: NINE, specialist_id: 'dan', location_id: 'centre' }],
      ],
    )
  })
})
