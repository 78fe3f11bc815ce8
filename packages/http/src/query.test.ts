import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { isObject, type ListContract, listParameters, pickerParameters } from '@tendon/contracts'
import { anyText, onServer, soakRuns } from '@tendon/testing'
import * as fc from 'fast-check'
import fastify from 'fastify'
import { errorHandler } from './error-handler.ts'
import { ApiError } from './errors.ts'
import { parseInclude, parseList, parsePicker } from './query.ts'
import { validatorCompiler } from './validation.ts'

const CONTRACT = {
  sort: ['name', 'created_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { status: ['pending', 'verified'], role_id: 'uuid', is_system: 'boolean', city: 'text' },
  q: true,
} as const satisfies ListContract

const list = (query: unknown) => parseList(CONTRACT, query)
const refusedFields = (query: Record<string, unknown>): Record<string, unknown> => {
  try {
    list(query)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 422)
    assert.equal(error.code, 'validation_failed')
    assert.ok(isObject(error.extra.fields))
    return error.extra.fields
  }
  return {}
}

describe('the limits of the specification', () => {
  const pages: [given: unknown, page: number][] = [
    [undefined, 1],
    ['1', 1],
    ['7', 7],
    ['1000000', 1_000_000],
    ['0', 1],
    ['-1', 1],
    ['1000001', 1],
    ['100000000000000000000', 1],
    ['1e3', 1],
    ['2.5', 1],
    ['abc', 1],
    ['', 1],
    [' 3 ', 3],
    [['2', '5'], 5],
    [{ x: 1 }, 1],
  ]
  for (const [given, page] of pages) {
    test(`page: default 1, minimum 1, out of range clamps to 1: ${JSON.stringify(given)} is ${page}`, () => {
      assert.equal(list({ page: given }).page, page)
    })
  }

  const limits: [given: unknown, limit: number, inPicker: number][] = [
    [undefined, 50, 20],
    ['1', 1, 1],
    ['20', 20, 20],
    ['50', 50, 50],
    ['51', 51, 50],
    ['500', 500, 50],
    ['501', 500, 50],
    ['99999999999999999999', 500, 50],
    ['0', 1, 1],
    ['-5', 1, 1],
    ['many', 50, 20],
  ]
  for (const [given, limit, inPicker] of limits) {
    test(`limit: 50 of 1 to 500 in lists, 20 of 1 to 50 in pickers: ${JSON.stringify(given)} is ${limit}, ${inPicker}`, () => {
      assert.equal(list({ limit: given }).limit, limit)
      assert.equal(parsePicker({ limit: given }).limit, inPicker)
    })
  }

  test('sort: "sort=a,-b", each field in the allow-list', () => {
    assert.deepEqual(list({}).sort, [])
    assert.deepEqual(list({ sort: '' }).sort, [])
    assert.deepEqual(list({ sort: 'name,-created_at' }).sort, [
      { field: 'name', descending: false },
      { field: 'created_at', descending: true },
    ])
    assert.deepEqual(
      list({ sort: ' -name , name' }).sort,
      [{ field: 'name', descending: true }],
      'the first mention counts',
    )
  })
  for (const sort of ['id', '-id', 'name,id', '-', '--name', 'name;drop', 'constructor', 'NAME', 'name\0', '\ud800']) {
    test(`sort: ${JSON.stringify(sort)} is refused under fields.sort`, () => {
      assert.deepEqual(Object.keys(refusedFields({ sort })), ['sort'])
    })
  }

  test('filters: flat keys; unknown keys, unknown values and malformed ids are ignored', () => {
    const id = randomUUID()
    assert.deepEqual(list({ nothing: 'x', filters: { status: 'x' } }).filters, {})
    assert.deepEqual(list({ status: 'pending,unknown,verified' }).filters, { status: ['pending', 'verified'] })
    assert.deepEqual(list({ status: 'unknown' }).filters, {})
    assert.deepEqual(
      list({ role_id: `x,${id.toUpperCase()},1` }).filters,
      { role_id: [id] },
      'as the database writes it',
    )
    assert.deepEqual(list({ is_system: 'yes' }).filters, {})
    assert.deepEqual(list({ is_system: 'true' }).filters, { is_system: ['true'] })
    assert.deepEqual(list({ city: `Iași,${'x'.repeat(201)},a\0` }).filters, { city: ['Iași'] })
  })

  test('q: trimmed; blank is none; never cut through a character', () => {
    assert.equal(list({ q: '  ana ' }).q, 'ana')
    assert.ok(!('q' in list({ q: '   ' })))
    assert.ok(!('q' in list({ q: 'a\0b' })))
    assert.ok(!('q' in parseList({ sort: [] }, { q: 'ana' })), 'a list that does not search')
    const cut = list({ q: `${'x'.repeat(199)}😀` }).q
    assert.equal(cut, 'x'.repeat(199))
  })

  test('pickers: ids win over q; malformed ids are dropped', () => {
    const id = randomUUID()
    assert.deepEqual(parsePicker({ q: ' ana ' }), { limit: 20, q: 'ana' })
    assert.deepEqual(parsePicker({ q: 'ana', ids: `${id}, nonsense,` }), { limit: 20, ids: [id] })
    assert.deepEqual(parsePicker({ q: 'ana', ids: 'nonsense' }), { limit: 20, ids: [] })
    assert.deepEqual(parsePicker({ ids: [id, id] }), { limit: 20, ids: [id, id] })
  })

  const bounds: [text: string, after: string, before: string][] = [
    ['2026-01-31', '2026-01-31T00:00:00.000000Z', '2026-01-31T23:59:59.999999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z', '2024-02-29T23:59:59.999999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z', '0001-01-01T23:59:59.999999Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000000Z', '9999-12-31T23:59:59.999999Z'],
    ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000000Z', '2026-01-31T08:00:00.000999Z'],
    ['2026-01-31t08:00:00z', '2026-01-31T08:00:00.000000Z', '2026-01-31T08:00:00.000999Z'],
    ['2026-01-31T08:00:00.5+02:00', '2026-01-31T06:00:00.500000Z', '2026-01-31T06:00:00.500999Z'],
    ['2026-01-31T23:30:00-23:59', '2026-02-01T23:29:00.000000Z', '2026-02-01T23:29:00.000999Z'],
    ['2026-01-31T08:00:00.1234567Z', '2026-01-31T08:00:00.123457Z', '2026-01-31T08:00:00.123456Z'],
    ['2026-01-31T23:59:59.9999999Z', '2026-02-01T00:00:00.000000Z', '2026-01-31T23:59:59.999999Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z', '2017-01-01T00:00:00.000999Z'],
    ['1969-12-31T23:59:59.25Z', '1969-12-31T23:59:59.250000Z', '1969-12-31T23:59:59.250999Z'],
  ]
  for (const [text, from, to] of bounds) {
    test(`date ranges: ${text} is from ${from} to ${to}, inclusive`, () => {
      assert.deepEqual(list({ created_at_after: text, created_at_before: text }).ranges, [
        { column: 'created_at', from, to },
      ])
    })
  }

  test('date ranges: either side is optional, and each column has its own', () => {
    const from = '2026-01-31T00:00:00.000000Z'
    assert.deepEqual(list({ created_at_before: '', updated_at_after: '2026-01-31' }).ranges, [
      { column: 'updated_at', from },
    ])
    assert.deepEqual(list({ deleted_at_after: 'x' }).ranges, [], 'not a column of this list')
  })

  const malformed =
    '2026-02-30 2026-13-01 2026-00-10 2026-04-31 2025-02-29 99999-01-01 +99999-01-01 0000-01-01 26-01-01 2026-1-1 ' +
    'today 2026-01-31T08:00:00 2026-01-31T08:00Z 2026-01-31T24:00:00Z 2026-01-31T23:60:00Z 2026-01-31T10:10:60Z ' +
    '2026-01-31T08:00:00+24:00 2026-01-31T08:00:00+02 2026-01-31T08:00:00.Z 0001-01-01T00:00:00+01:00 ' +
    '9999-12-31T23:59:59-01:00 2026-01-31Z 1767139200 infinity 2026-01-31T08:00:00Z\0'
  for (const text of malformed.split(' ')) {
    test(`date ranges: ${JSON.stringify(text)} is refused under its own name`, () => {
      const query = { created_at_after: text, updated_at_before: text, sort: 'nonsense' }
      assert.deepEqual(Object.keys(refusedFields(query)).sort(), ['created_at_after', 'sort', 'updated_at_before'])
    })
  }
})

describe('for any URL', () => {
  const text = fc.oneof(
    anyText(300),
    fc.integer().map(String),
    fc.constantFrom('name', '-name', 'pending,x', 'true', '2026-02-30', '2026-01-31', '9'.repeat(400), '\ud800', '\0'),
    fc.uuid(),
  )
  const value = fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.integer(), fc.constant(null), fc.object())
  const keys = [
    'page',
    'limit',
    'sort',
    'q',
    'ids',
    'status',
    'role_id',
    'is_system',
    'city',
    '__proto__',
    'created_at',
  ]
  const query = fc.dictionary(
    fc.oneof(fc.constantFrom(...keys, 'created_at_after', 'created_at_before', 'updated_at_after'), fc.string()),
    value,
  )

  test('a list is within bounds, or refused with 422 and reasons for sort and dates only', () => {
    fc.assert(
      fc.property(query, (given) => {
        const refused = Object.keys(refusedFields(given))
        assert.ok(refused.every((name) => /^(sort|(created_at|updated_at)_(after|before))$/.test(name)))
        if (refused.length > 0) return
        const { page, limit, sort, filters, ranges, q } = list(given)
        assert.ok(Number.isInteger(page) && page >= 1 && page <= 1_000_000)
        assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= 500)
        assert.ok(sort.every(({ field }) => CONTRACT.sort.some((name) => name === field)))
        assert.ok(Object.keys(filters).every((name) => name in CONTRACT.filters))
        assert.ok(
          Object.values(filters)
            .flat()
            .every((one) => one !== '' && one.isWellFormed() && !one.includes('\0')),
        )
        assert.ok(
          ranges.every(({ from, to }) =>
            [from, to].every((one) => one === undefined || !Number.isNaN(Date.parse(one))),
          ),
        )
        if (q !== undefined) assert.ok(q.isWellFormed() && q.length >= 1 && q.length <= 200 && !q.includes('\0'))
      }),
      { numRuns: soakRuns(200) },
    )
  })

  test('a picker is within bounds and never refused', () => {
    fc.assert(
      fc.property(query, (given) => {
        const { limit, ids, q } = parsePicker(given)
        assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= 50)
        assert.ok(ids === undefined || q === undefined)
        assert.ok((ids ?? []).length <= 500 && (ids ?? []).every((id) => /^[0-9a-f-]{36}$/i.test(id)))
        assert.equal(ids === undefined, given.ids === undefined)
      }),
      { numRuns: soakRuns(100) },
    )
  })

  test('every valid time is accepted, to the millisecond, on either side', () => {
    const time = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    fc.assert(
      fc.property(time, fc.integer({ min: -1439, max: 1439 }), (instant, minutes) => {
        const local = new Date(instant.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const size = Math.abs(minutes)
        const offset = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
        const [range] = list({ created_at_after: local + offset, created_at_before: local + offset }).ranges
        assert.equal(range?.from, instant.toISOString().replace('Z', '000Z'))
        assert.equal(range?.to, instant.toISOString().replace('Z', '999Z'))
      }),
    )
  })
})

/** Two digits, from 00. */
const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'))

test('PostgreSQL reads every bound as the time that was written', async () => {
  const day = fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,6}$/))
  const offset = fc.oneof(
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), two(15), two(59)).map(([s, h, m]) => `${s}${h}:${m}`),
  )
  const time = fc
    .tuple(day, two(23), two(59), two(59), fraction, offset)
    .map(([date, h, m, s, rest, zone]) => `${date}T${h}:${m}:${s}${rest}${zone}`)
  const written = [...fc.sample(time, 500), '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']
  const read = written.map((one) => list({ created_at_after: one }).ranges[0]?.from)
  const { rows } = await onServer('postgres', (client) =>
    client.query(
      `select w, r from unnest($1::text[], $2::text[]) u (w, r) where w::timestamptz is distinct from r::timestamptz`,
      [written, read],
    ),
  )
  assert.deepEqual(rows, [])
})

test('include accepts known names; others are ignored', () => {
  const include = (value: unknown) => parseInclude(['human', 'hours'], { include: value })
  assert.deepEqual(include('hours, human,nonsense,hours'), ['human', 'hours'])
  assert.deepEqual(include(['human', 'hours']), ['human', 'hours'])
  for (const nothing of [undefined, '', ',', 'HUMAN']) assert.deepEqual(include(nothing), [])
})

test('over HTTP the parser reads the raw query, not a coerced one', async () => {
  const app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(errorHandler({ constraints: {} }))
  app.get('/list', { schema: { querystring: listParameters(CONTRACT) } }, async (request) => list(request.query))
  app.get('/picker', { schema: { querystring: pickerParameters } }, async (request) => parsePicker(request.query))
  const get = async (address: string) => (await app.inject(address)).json()
  const plain = { sort: [], filters: {}, ranges: [] }
  assert.deepEqual(await get('/list?page=3&limit=7'), { page: 3, limit: 7, ...plain })
  assert.deepEqual(await get('/list?page=abc&limit=1e3&status=x&nothing=1'), { page: 1, limit: 50, ...plain })
  assert.deepEqual((await get('/list?status=pending&status=verified')).filters, { status: ['pending', 'verified'] })
  assert.deepEqual((await get('/list?sort=nonsense&created_at_after=2026-02-30')).error, {
    code: 'validation_failed',
    message: 'The request is not valid. See "fields" for what to change.',
    fields: {
      sort: 'can only contain name, created_at',
      created_at_after: 'must be a date (YYYY-MM-DD) or a time (RFC 3339, such as 2026-01-31T08:00:00Z)',
    },
  })
  assert.deepEqual(await get('/picker?limit=33&q=ana'), { limit: 33, q: 'ana' })
  await app.close()
})
