import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUuid, type ListContract, type SavedViewList, savedViewLists } from '@tendon/contracts'
import { parseList } from '@tendon/http'
import fc from 'fast-check'
import { filtersOf, problemsOf } from './rules.ts'

const isList = (name: string): name is SavedViewList => Object.hasOwn(savedViewLists, name)
const LISTS = Object.keys(savedViewLists).filter(isList)
const of = (list: SavedViewList, filters: Record<string, string>, sort?: string) =>
  problemsOf(list, [{ name: 'One', filters, ...(sort === undefined ? {} : { sort }) }])

const valueOf = (kind: unknown): fc.Arbitrary<string> => {
  const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2080-01-01'), noInvalidDate: true })
  if (kind === 'date') return day.map((date) => date.toISOString().slice(0, 10))
  if (kind === 'uuid') return fc.uuid()
  if (kind === 'boolean') return fc.constantFrom('true', 'false')
  if (Array.isArray(kind)) return fc.constantFrom(...kind.map(String))
  return fc.constantFrom('ro', 'appointment.created', 'mails.send')
}
const views = fc.constantFrom(...LISTS).chain((list) => {
  const fields: readonly string[] = savedViewLists[list].sort
  const filters = [...filtersOf(list)].filter(([name]) => name !== 'view')
  return fc.record({
    list: fc.constant(list),
    filters: fc
      .subarray(filters)
      .chain((some) => fc.record(Object.fromEntries(some.map(([name, kind]) => [name, valueOf(kind)])))),
    sort: fields.length === 0 ? fc.constant('') : fc.constantFrom(...fields.flatMap((field) => [field, `-${field}`])),
  })
})

describe('the rules of saved views', () => {
  test('a view that is accepted means the same to its list: nothing of it is dropped or refused there', () => {
    fc.assert(
      fc.property(views, ({ list, filters, sort }) => {
        assert.deepEqual(of(list, filters, sort || undefined), {})
        const contract: ListContract = savedViewLists[list]
        const parsed = parseList(contract, { ...filters, ...(sort ? { sort } : {}) })
        const ranges = parsed.ranges.reduce((sum, { from, to }) => sum + (from ? 1 : 0) + (to ? 1 : 0), 0)
        assert.equal(Object.keys(parsed.filters).length + ranges, Object.keys(filters).length)
        assert.equal(parsed.sort.length, sort ? 1 : 0)
      }),
    )
  })

  test('no list saves search text or an id that can lead to a patient, whatever its filters are', () => {
    const ids = ['patient_id', 'patient_profile_id', 'target_id', 'actor_principal_id', 'appointment_id', 'series_id']
    for (const list of LISTS)
      for (const name of ['q', ...ids]) {
        const problem = of(list, { [name]: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17' })
        assert.match(problem[`views.0.filters.${name}`] ?? '', /can name a patient/, `${list} ${name}`)
      }
  })

  test('no text that could be a name of a person is a value of any filter', () => {
    for (const list of LISTS)
      for (const name of filtersOf(list).keys())
        assert.notDeepEqual(of(list, { [name]: 'Maria Stan' }), {}, `${list} ${name}`)
  })

  test('a filter of another list, an unknown value, an impossible date and an unknown order are named', () => {
    assert.match(of('members', { sex: 'male' })['views.0.filters.sex'] ?? '', /Its filters: .*role_id/)
    assert.match(of('patients', { sex: 'male,tall' })['views.0.filters.sex'] ?? '', /can only contain .*male/)
    for (const date of ['2026-02-30', '2026-13-01', '2026-01-01T25:00:00Z', 'tomorrow', '2026-1-1'])
      assert.deepEqual(Object.keys(of('appointments', { starts_at_after: date })), ['views.0.filters.starts_at_after'])
    for (const date of ['2028-02-29', '2026-01-01T08:00:00Z', '2026-01-01T08:00:00.5+02:00'])
      assert.deepEqual(of('appointments', { starts_at_after: date }), {})
    assert.deepEqual(Object.keys(of('patients', {}, '-phone')), ['views.0.sort'])
    assert.deepEqual(of('patients', {}, 'last_name,-created_at'), {})
    assert.deepEqual(Object.keys(of('members', { constructor: 'true' })), ['views.0.filters.constructor'])
  })

  test('a view of patients names a filter of the console or a segment; no other list has this filter', () => {
    assert.ok(isUuid('019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'))
    for (const view of ['outside', '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17']) {
      assert.deepEqual(of('patients', { view }), {})
      assert.notDeepEqual(of('appointments', { view }), {})
    }
  })

  test('a stored view stays valid when its list loses a filter, also under another name', () => {
    const old = { name: 'Old', filters: { gone: 'true' }, sort: 'gone' }
    assert.deepEqual(problemsOf('patients', [old, { ...old, name: 'New name' }], [old]), {})
    const changed = { ...old, filters: { gone: 'false' } }
    assert.deepEqual(Object.keys(problemsOf('patients', [old, changed], [old])), [
      'views.1.filters.gone',
      'views.1.sort',
    ])
  })
})
