import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { PURPOSES } from '@tendon/contracts'
import fc from 'fast-check'
import { bodyOf, CATALOGUE, PUBLISHED } from './webhook-events.ts'

const CANARY = 'Zsófia Canary'
const of = { id: randomUUID(), organization_id: randomUUID(), occurred_at: '2026-11-15T09:30:00.000Z' }
const ID = /^[0-9a-f-]{36}$/

const canary = fc.oneof(
  fc.constant(CANARY),
  fc.string().map((text) => `${text}${CANARY}${text}`),
  fc.array(fc.constant(CANARY)),
  fc.record({ name: fc.constant(CANARY), patient_id: fc.constant(CANARY) }),
)

describe('published events', () => {
  test('no text of a payload gets into a body, whatever field it is in', () => {
    for (const published of PUBLISHED.values()) {
      const names = [...Object.keys(published.fields), 'id', 'event', 'name', 'note', '__proto__', 'toString']
      const payloads = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), canary)
      fc.assert(
        fc.property(payloads, (payload) => !bodyOf(published, payload, of).includes('Canary')),
        { numRuns: 30 },
      )
    }
  })

  test('every value of a body is an id, a listed choice, a time, a number, a boolean or null', () => {
    for (const published of PUBLISHED.values()) {
      for (const field of Object.values(published.fields)) {
        assert.ok(typeof field !== 'string' || ['id', 'time', 'number', 'boolean'].includes(field))
      }
      const payload = Object.fromEntries(Object.keys(published.fields).map((name) => [name, of.id]))
      const { data } = JSON.parse(bodyOf(published, payload, of))
      assert.deepEqual(Object.keys(data), Object.keys(published.fields))
    }
  })

  test('events that are always delivered contain ids, and of a consent its purpose', () => {
    const always = CATALOGUE.filter(({ always }) => always)
    assert.deepEqual(always.map(({ event }) => event).sort(), [
      'consent.withdrawn',
      'patient.deleted',
      'patient.erased',
      'patient.restricted',
      'webhook.test',
    ])
    for (const { fields } of always)
      assert.ok(Object.values(fields).every((field) => field === 'id' || field === PURPOSES))
  })

  test('only fields of an event are nullable', () => {
    for (const { event, fields, nullable = [] } of CATALOGUE)
      assert.deepEqual(
        nullable.filter((name) => !(name in fields)),
        [],
        event,
      )
  })

  test('the specification’s five events are in the catalogue', () => {
    const names = CATALOGUE.map(({ event }) => event)
    for (const name of [
      'appointment.created',
      'appointment.cancelled',
      'form.submitted',
      'form.signed',
      'webhook.test',
    ])
      assert.ok(names.includes(name), name)
    assert.match(of.id, ID)
  })
})
