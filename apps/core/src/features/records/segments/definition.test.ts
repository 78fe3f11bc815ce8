import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES, NewSegment, RULE_OPERATORS } from '@tendon/contracts'
import { definitionIn } from './definition.ts'

const idOf = (place: number) => `019a8f3e-7c1d-7e2a-9b64-00000000000${place}`
const PAIN = idOf(1)
const TEXT = idOf(2)
const SIDE = idOf(3)
const SEALED = idOf(4)
const STAFF = idOf(5)
const DAY = idOf(6)
const PARTS = idOf(7)
const TEMPLATE = idOf(8)
const UNKNOWN = idOf(9)
const OPTIONS = new Set(['hip', 'knee'])
const nameable = {
  fieldTypes: new Map([
    [PAIN, 'number'],
    [TEXT, 'text'],
    [SIDE, 'select'],
    [SEALED, 'text'],
    [STAFF, 'text'],
    [DAY, 'date'],
    [PARTS, 'checkbox'],
  ]),
  templates: new Set([TEMPLATE]),
  patientFields: new Set([PAIN, TEXT, SIDE, SEALED, DAY, PARTS]),
  sealedFields: new Set([SEALED]),
  templateFields: new Map([[TEMPLATE, new Set([PAIN])]]),
  fieldOptions: new Map([
    [SIDE, OPTIONS],
    [PARTS, OPTIONS],
  ]),
}

const rule = (more: object = {}) => ({ source: 'profile', custom_field_id: PAIN, op: 'gte', value: 7, ...more })
const ofForm = (more: object = {}) => ({
  source: 'form',
  template_id: TEMPLATE,
  custom_field_id: PAIN,
  op: 'gte',
  value: 1,
  ...more,
})
const ofVisits = (more: object = {}) => ({ source: 'appointments', metric: 'count', op: 'gte', value: 2, ...more })
const details = (more: object = {}) => ({ name: 'High pain', match_mode: 'all', rules: [rule()], ...more })
const withRules = (...rules: unknown[]) => details({ rules })

const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`
const EVERY_OPERATOR = [...new Set(Object.values(RULE_OPERATORS).flat())]

function mistakesIn(body: unknown): Record<string, string> {
  const read = definitionIn(NewSegment, body, nameable)
  return 'value' in read ? {} : Object.fromEntries(read.mistakes.map(({ field, message }) => [field, message]))
}

const ACCEPTED: readonly unknown[] = [
  details(),
  details({ description: 'x\ny' }),
  details({ match_mode: 'any' }),
  details({ name: '  High pain  ' }),
  details({ name: 'x'.repeat(255) + '   ' }),
  withRules(rule({ custom_field_id: PAIN.toUpperCase() })),
  withRules(ofForm()),
  withRules(ofVisits()),
  withRules(ofVisits({ filters: { status: 'completed' } })),
  withRules(ofVisits({ filters: { status: ['completed', 'no_show'] } })),
  withRules(ofVisits({ filters: {} })),
  withRules(ofVisits({ filters: null })),
  withRules(rule({ op: 'is_set', value: null })),
  withRules(ofVisits({ metric: 'last_date', op: 'in_last', value: { amount: 3, unit: 'months' } })),
  details({ name: '🦴'.repeat(255) }),
]

const REFUSED: readonly (readonly [body: unknown, mistakes: Record<string, string>])[] = [
  [undefined, { body: 'must be a JSON object' }],
  [null, { body: 'must be a JSON object' }],
  [[], { body: 'must be a JSON object' }],
  ['x', { body: 'must be a JSON object' }],
  [5, { body: 'must be a JSON object' }],
  [{}, { name: 'is required', match_mode: 'is required', rules: 'is required' }],
  [details({ name: null }), { name: 'must be text' }],
  [details({ name: 7 }), { name: 'must be text' }],
  [details({ name: ' ' }), { name: 'must not be blank' }],
  [details({ name: '\u200b' }), { name: 'must not be blank' }],
  [details({ name: 'a\nb' }), { name: 'must be text on one line, without control characters' }],
  [details({ name: 'x'.repeat(256) }), { name: 'must have at most 255 characters' }],
  [details({ name: '' }), { name: 'must not be blank' }],
  [details({ name: '\n' }), { name: 'must not be blank' }],
  [details({ name: ['a'] }), { name: 'must be text' }],
  [details({ description: 7 }), { description: 'must be text' }],
  [details({ description: null }), { description: 'must be text' }],
  [details({ description: 'x'.repeat(2001) }), { description: 'must have at most 2000 characters' }],
  [{ name: 'a', rules: [rule()] }, { match_mode: 'is required' }],
  [details({ match_mode: 'some' }), { match_mode: 'must be one of all, any' }],
  [details({ match_mode: null }), { match_mode: 'must be text' }],
  [details({ match_mode: 1 }), { match_mode: 'must be text' }],
  [{ name: 'a', match_mode: 'all' }, { rules: 'is required' }],
  [details({ rules: null }), { rules: 'must be a list' }],
  [details({ rules: {} }), { rules: 'must be a list' }],
  [details({ rules: [] }), { rules: 'must have at least 1 entry' }],
  [details({ rules: Array(51).fill(rule()) }), { rules: 'must have at most 50 entries' }],
  [details({ rules: 'x' }), { rules: 'must be a list' }],
  [
    details({ color: 'red', version: 1 }),
    { color: 'is not a field of this request', version: 'is not a field of this request' },
  ],
  [details({ id: PAIN }), { id: 'is not a field of this request' }],
  [withRules('rule'), { 'rules.0': 'must be a JSON object' }],
  [withRules(null), { 'rules.0': 'must be a JSON object' }],
  [withRules([]), { 'rules.0': 'must be a JSON object' }],
  [withRules({}), { 'rules.0.source': 'is required' }],
  [withRules({ source: 'weather', op: 'eq' }), { 'rules.0.source': 'must be one of profile, form, appointments' }],
  [withRules({ source: 5 }), { 'rules.0.source': 'must be one of profile, form, appointments' }],
  [withRules({ source: null }), { 'rules.0.source': 'must be one of profile, form, appointments' }],
  [withRules({ source: 'profile' }), { 'rules.0.custom_field_id': 'is required', 'rules.0.op': 'is required' }],
  [
    withRules({ source: 'profile', op: 'like' }),
    { 'rules.0.custom_field_id': 'is required', 'rules.0.op': oneOf(EVERY_OPERATOR) },
  ],
  [withRules(rule({ custom_field_id: 5 })), { 'rules.0.custom_field_id': 'must be text' }],
  [withRules(rule({ custom_field_id: null })), { 'rules.0.custom_field_id': 'must be text' }],
  [withRules(rule({ custom_field_id: 'x' })), { 'rules.0.custom_field_id': 'must be an id (UUID)' }],
  [
    withRules(rule({ custom_field_id: UNKNOWN })),
    { 'rules.0.custom_field_id': 'is not a custom field of your clinic' },
  ],
  [
    withRules(rule({ custom_field_id: STAFF, op: 'is_set', value: undefined })),
    { 'rules.0.custom_field_id': 'must be a custom field of patients' },
  ],
  [
    withRules(rule({ custom_field_id: SEALED, op: 'is_set', value: undefined })),
    { 'rules.0.custom_field_id': 'is stored encrypted, so no rule can use it' },
  ],
  [
    withRules(rule({ metric: 'count', custom_field_id: UNKNOWN })),
    {
      'rules.0.metric': 'is not a field of this request',
      'rules.0.custom_field_id': 'is not a custom field of your clinic',
    },
  ],
  [withRules(rule({ template_id: TEMPLATE })), { 'rules.0.template_id': 'is not a field of this request' }],
  [withRules(rule({ filters: null })), { 'rules.0.filters': 'is not a field of this request' }],
  [withRules(rule({ op: undefined })), { 'rules.0.op': 'is required' }],
  [withRules(rule({ op: null })), { 'rules.0.op': 'must be text' }],
  [withRules(rule({ op: 3 })), { 'rules.0.op': 'must be text' }],
  [withRules(rule({ op: 'like' })), { 'rules.0.op': oneOf(RULE_OPERATORS.number) }],
  [withRules(rule({ op: 'contains' })), { 'rules.0.op': oneOf(RULE_OPERATORS.number) }],
  [withRules(rule({ value: '7' })), { 'rules.0.value': 'must be a number' }],
  [withRules(rule({ value: undefined })), { 'rules.0.value': 'is required' }],
  [withRules(rule({ op: 'is_set' })), { 'rules.0.value': 'must be left out for this operator' }],
  [
    withRules(rule({ op: 'between', value: [2, 1] })),
    { 'rules.0.value': 'must be [from, to], two numbers, the smaller one first' },
  ],
  [
    withRules(rule({ custom_field_id: TEXT, op: 'in', value: [] })),
    { 'rules.0.value': 'must be a list of 1 to 100 texts, each of 1 to 500 characters' },
  ],
  [
    withRules(rule({ custom_field_id: SIDE, op: 'eq', value: 'elbow' })),
    { 'rules.0.value': 'must be an option of the field: hip, knee' },
  ],
  [
    withRules(rule({ custom_field_id: SIDE, op: 'in', value: ['hip', 'elbow'] })),
    { 'rules.0.value': 'must be an option of the field: hip, knee' },
  ],
  [
    withRules(rule({ custom_field_id: DAY, op: 'before', value: '2026-02-30' })),
    { 'rules.0.value': 'must be a date (YYYY-MM-DD)' },
  ],
  [
    withRules(rule({ custom_field_id: DAY, op: 'in_last', value: { amount: 0, unit: 'days' } })),
    { 'rules.0.value': 'must be {"amount": 1 to 1000, "unit": "days" or "weeks" or "months" or "years"}' },
  ],
  [
    withRules(rule({ custom_field_id: PARTS, op: 'contains', value: 7 })),
    { 'rules.0.value': 'must be text of 1 to 500 characters' },
  ],
  [withRules(rule({ value: {} })), { 'rules.0.value': 'must be a number' }],
  [withRules(ofForm({ template_id: undefined })), { 'rules.0.template_id': 'is required' }],
  [withRules(ofForm({ template_id: UNKNOWN })), { 'rules.0.template_id': 'is not a form template of your clinic' }],
  [withRules(ofForm({ template_id: 'x' })), { 'rules.0.template_id': 'must be an id (UUID)' }],
  [
    withRules(ofForm({ custom_field_id: TEXT, op: 'is_set', value: undefined })),
    { 'rules.0.custom_field_id': 'is not a field of this form template' },
  ],
  [
    withRules({ source: 'form' }),
    { 'rules.0.template_id': 'is required', 'rules.0.custom_field_id': 'is required', 'rules.0.op': 'is required' },
  ],
  [
    withRules(ofForm({ template_id: UNKNOWN, custom_field_id: UNKNOWN })),
    {
      'rules.0.template_id': 'is not a form template of your clinic',
      'rules.0.custom_field_id': 'is not a custom field of your clinic',
    },
  ],
  [withRules({ source: 'appointments' }), { 'rules.0.metric': 'is required', 'rules.0.op': 'is required' }],
  [withRules(ofVisits({ metric: 'sum' })), { 'rules.0.metric': 'must be one of count, last_date' }],
  [withRules(ofVisits({ metric: null })), { 'rules.0.metric': 'must be text' }],
  [withRules(ofVisits({ op: 'contains' })), { 'rules.0.op': oneOf(RULE_OPERATORS.number) }],
  [withRules(ofVisits({ value: '2' })), { 'rules.0.value': 'must be a number' }],
  [withRules(ofVisits({ filters: 'x' })), { 'rules.0.filters': 'must be a JSON object' }],
  [withRules(ofVisits({ filters: [] })), { 'rules.0.filters': 'must be a JSON object' }],
  [
    withRules(ofVisits({ filters: { status: 'late' } })),
    { 'rules.0.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them` },
  ],
  [
    withRules(ofVisits({ filters: { status: ['late'] } })),
    { 'rules.0.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them` },
  ],
  [
    withRules(ofVisits({ filters: { status: [] } })),
    { 'rules.0.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them` },
  ],
  [
    withRules(ofVisits({ filters: { status: null } })),
    { 'rules.0.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them` },
  ],
  [
    withRules(ofVisits({ filters: { status: 5 } })),
    { 'rules.0.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them` },
  ],
  [
    withRules(ofVisits({ filters: { status: ['completed', 5] } })),
    { 'rules.0.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them` },
  ],
  [withRules(ofVisits({ filters: { day: 1 } })), { 'rules.0.filters.day': 'is not a field of this request' }],
  [withRules(ofVisits({ custom_field_id: PAIN })), { 'rules.0.custom_field_id': 'is not a field of this request' }],
]

describe('the definition of a segment', () => {
  test('a body that fits its contract and names what the clinic has is accepted', () => {
    for (const body of ACCEPTED) assert.deepEqual(mistakesIn(body), {}, JSON.stringify(body))
  })

  test('every problem is reported by its path in the body', () => {
    for (const [body, mistakes] of REFUSED) assert.deepEqual(mistakesIn(body), mistakes, JSON.stringify(body))
  })

  test('problems of the shape and of what the rules name are reported together', () => {
    const rules = [
      'rule',
      {},
      rule({ metric: 'count', custom_field_id: UNKNOWN }),
      ofVisits({ metric: 'sum', filters: { status: 'late', day: 1 } }),
    ]
    assert.deepEqual(mistakesIn({ name: 7, match_mode: 'x', rules }), {
      name: 'must be text',
      match_mode: 'must be one of all, any',
      'rules.0': 'must be a JSON object',
      'rules.1.source': 'is required',
      'rules.2.metric': 'is not a field of this request',
      'rules.2.custom_field_id': 'is not a custom field of your clinic',
      'rules.3.metric': 'must be one of count, last_date',
      'rules.3.filters.status': `${oneOf(APPOINTMENT_STATUSES)}, or a list of them`,
      'rules.3.filters.day': 'is not a field of this request',
    })
  })

  test('at most a hundred problems are reported', () => {
    const wrong = ofVisits({ metric: 'sum', op: 'like', filters: { day: 1 } })
    assert.equal(Object.keys(mistakesIn(details({ rules: Array(50).fill(wrong) }))).length, 100)
  })

  test('names are trimmed, ids are lower-case, and what is null is left out of a rule', () => {
    const rules = [
      rule({ custom_field_id: PAIN.toUpperCase(), op: 'is_set', value: null }),
      ofVisits({ filters: null }),
    ]
    assert.deepEqual(definitionIn(NewSegment, details({ name: ' High pain ', rules }), nameable), {
      value: details({
        rules: [{ source: 'profile', custom_field_id: PAIN, op: 'is_set' }, ofVisits()],
      }),
    })
  })

  test('a program reads the reason of a problem of the shape', () => {
    const read = definitionIn(NewSegment, withRules(rule({ op: 'like', colour: 1 })), nameable)
    assert.ok('reasons' in read)
    assert.deepEqual(read.reasons, { 'rules.0.colour': { code: 'unknown_field' } })
  })
})
