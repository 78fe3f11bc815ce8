import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FormQuestion } from '@tendon/contracts'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { saveOf } from './rules.ts'
import { patientView } from './view-rules.ts'

// Generated forms against an oracle that knows nothing of how the rules are written: it looks each field up by its name, and
// each condition again from the start.

const OPTIONS = ['x', 'y', 'z']
const TYPES = ['text', 'number', 'date', 'select', 'checkbox', 'file'] as const
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03']
type Type = (typeof TYPES)[number]

/** What an answer is compared with; of check boxes one of them. */
const valueOf: Record<Exclude<Type, 'file'>, fc.Arbitrary<string | number>> = {
  text: fc.constantFrom('x', 'y', 'long text'),
  number: fc.constantFrom(0, 1, 2),
  date: fc.constantFrom(...DAYS),
  select: fc.constantFrom(...OPTIONS),
  checkbox: fc.constantFrom(...OPTIONS),
}
const answerTo: Record<Exclude<Type, 'file'>, fc.Arbitrary<string | number | string[]>> = {
  ...valueOf,
  checkbox: fc.subarray(OPTIONS, { minLength: 1 }),
}

const EQUAL = ['eq', 'neq'] as const
const ORDERED = [...EQUAL, 'gt', 'gte', 'lt', 'lte'] as const

const conditionOn = ({ key: field_key, type }: { key: string; type: Type }) => {
  const exists = fc
    .constantFrom({}, { value: true }, { value: false })
    .map((given) => ({ field_key, op: 'exists' as const, ...given }))
  if (type === 'file') return exists
  const ops = type === 'number' || type === 'date' ? ORDERED : EQUAL
  return fc.oneof(
    exists,
    fc.record({ field_key: fc.constant(field_key), op: fc.constantFrom(...ops), value: valueOf[type] }),
  )
}

const form = fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 7 }).chain((types) =>
  fc.tuple(
    ...types.map((type, place) => {
      const before = types.slice(0, place).map((one, at) => ({ key: `f${at}`, type: one }))
      const conditions =
        before.length === 0
          ? fc.constant(undefined)
          : fc.option(
              fc.record({
                mode: fc.constantFrom('all' as const, 'any' as const),
                conditions: fc.array(fc.constantFrom(...before).chain(conditionOn), { minLength: 1, maxLength: 3 }),
              }),
              { nil: undefined },
            )
      return fc.record({ required: fc.boolean(), private: fc.boolean(), visible_when: conditions }).map(
        ({ visible_when, ...flags }): FormQuestion => ({
          key: `f${place}`,
          label: '?',
          type,
          ...flags,
          ...(type === 'select' || type === 'checkbox' ? { options: OPTIONS } : {}),
          ...(visible_when ? { visible_when } : {}),
        }),
      )
    }),
  ),
)

type Answers = Record<string, unknown>

/** Below, at or above zero, as the first is; NaN for what has no order. */
function compare(first: unknown, second: unknown): number {
  if (typeof first === 'number' && typeof second === 'number') return first - second
  if (typeof first !== 'string' || typeof second !== 'string') return Number.NaN
  return first < second ? -1 : Number(first > second)
}

function isShown(fields: FormQuestion[], key: string, answers: Answers, files: Set<string>): boolean {
  const field = fields.find((one) => one.key === key)
  if (!field?.visible_when) return field !== undefined
  const results = field.visible_when.conditions.map(({ field_key, op, value }) => {
    const there = isShown(fields, field_key, answers, files) && isThere(field_key, answers, files)
    const answer = answers[`field_${field_key}`]
    if (op === 'exists') return value === false ? !there : there
    const same = there && (Array.isArray(answer) ? answer.some((one) => one === value) : answer === value)
    if (op === 'eq') return same
    if (op === 'neq') return !same
    if (!there) return false
    const order = compare(answer, value)
    return op === 'gt' ? order > 0 : op === 'gte' ? order >= 0 : op === 'lt' ? order < 0 : order <= 0
  })
  const met = results.filter((one) => one).length
  return field.visible_when.mode === 'any' ? met > 0 : met === results.length
}

const isThere = (key: string, answers: Answers, files: Set<string>) =>
  files.has(`field_${key}`) || answers[`field_${key}`] !== undefined

const isDone = (fields: FormQuestion[], answers: Answers, files: Set<string>) =>
  fields.every(
    (field) => !field.required || !isShown(fields, field.key, answers, files) || isThere(field.key, answers, files),
  )

/** A form, files for some of its file fields, and saves one after the other. */
const story = form.chain((fields) => {
  const answerable = fields.filter(({ type }) => type !== 'file')
  const given = fc
    .tuple(
      ...answerable.map(({ key, type }) =>
        fc.tuple(fc.constant(`field_${key}`), fc.constantFrom('leave', 'set', 'clear'), answerTo[type as 'text']),
      ),
    )
    .map((all) =>
      Object.fromEntries(
        all.flatMap(([key, what, value]) => (what === 'leave' ? [] : [[key, what === 'set' ? value : null]])),
      ),
    )
  return fc.record({
    fields: fc.constant(fields),
    files: fc
      .subarray(fields.filter(({ type }) => type === 'file').map(({ key }) => `field_${key}`))
      .map((keys) => new Set(keys)),
    saves: fc.array(given, { minLength: 1, maxLength: 5 }),
  })
})

describe('the rules of saving', () => {
  test('the rules of saving agree with a simple model of visibility, required fields and the table of states', () => {
    fc.assert(
      fc.property(story, ({ fields, files, saves }) => {
        let values: Answers = {}
        let status: 'pending' | 'in_progress' | 'completed' = 'pending'
        for (const given of saves) {
          const merged: Answers = { ...values, ...given }
          for (const [key, value] of Object.entries(merged)) if (value === null) delete merged[key]
          const shown = (key: string) => isShown(fields, key, merged, files)
          const hidden = Object.entries(given).some(
            ([key, value]) =>
              value !== null && !shown(key.slice(6)) && JSON.stringify(values[key]) !== JSON.stringify(value),
          )
          const done = isDone(fields, merged, files)
          const refused: boolean = hidden || (status === 'completed' && !done)
          const saved = saveOf({ fields, values, status }, files, given, { byPatient: false, privateFields: new Set() })
          assert.equal(
            Object.keys(saved.problems).length > 0,
            refused,
            JSON.stringify({ fields, values, given, status }),
          )
          if (refused) continue
          const wanted = done
            ? Object.fromEntries(Object.entries(merged).filter(([key]) => shown(key.slice(6))))
            : merged
          assert.deepEqual([saved.status, saved.values], [done ? 'completed' : 'in_progress', wanted])
          ;({ values, status } = saved)
        }
      }),
      { numRuns: soakRuns(500), seed: soakSeed() },
    )
  })

  test('a patient’s view contains no private field, and requires the same fields as the server', () => {
    fc.assert(
      fc.property(story, ({ fields, files, saves }) => {
        const answered: Answers = Object.assign({}, ...saves)
        const values = Object.fromEntries(Object.entries(answered).filter(([, value]) => value !== null))
        const seen = patientView({
          fields,
          values,
          files: Object.fromEntries([...files].map((key) => [key, {}])),
          translations: {},
        } as never)
        const secret = new Set(fields.flatMap((field) => (field.private ? [field.key] : [])))
        for (const field of seen.fields) {
          assert.ok(!secret.has(field.key))
          assert.ok(!field.visible_when?.conditions.some(({ field_key }) => secret.has(field_key)))
          const inView = isShown(seen.fields, field.key, seen.values, new Set(Object.keys(seen.files)))
          assert.equal(inView, isShown(fields, field.key, values, files), field.key)
        }
        for (const key of [...Object.keys(seen.values), ...Object.keys(seen.files)])
          assert.ok(!secret.has(key.slice(6)))
      }),
      { numRuns: soakRuns(300), seed: soakSeed() },
    )
  })
})
