import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dereference } from '@scalar/openapi-parser'
import { badText, badValue, rawJsonBodies, soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import type { Json } from '../testing/call.ts'
import { type Person, startCore, type TestCore } from '../testing/core.ts'
import { type Operation, operationsOf } from '../testing/operations.ts'
import type { TestOrganization } from '../testing/people.ts'

// Driven by the OpenAPI document: every operation gets hostile paths, queries, headers and bodies. Whatever comes in, the
// answer is below 500, in the envelope, and nothing is half-written.

const RUNS = soakRuns(1)
const SEED = soakSeed()
/** A seed for each operation: with one for all, all of them would be sent the same. */
const bounded = (index: number) => ({ numRuns: RUNS, seed: SEED + index })

describe('hostile input', () => {
  let core: TestCore
  let clinic: TestOrganization
  let foreign: TestOrganization
  let operator: Person
  let operations: Operation[]
  before(async () => {
    core = await startCore()
    clinic = await core.organization()
    foreign = await core.organization()
    operator = await core.superadmin()
    operations = operationsOf(dereference((await core.get('/v1/openapi.json')).body).schema)
  })
  after(() => core.close())

  const fill = (path: string, value: () => string) =>
    path.replace(/^(\/v1\/organizations\/)\{\w+\}/, `$1${clinic.id}`).replace(/\{\w+\}/g, value)

  async function refuses(
    what: string,
    send: () => Promise<{ status: number; text: string; body: Json }>,
  ): Promise<void> {
    const answer = await send()
    assert.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text}`)
    if (answer.status >= 400) {
      const { error, name, message } = answer.body
      assert.equal(typeof (error?.code ?? name), 'string', `${what}: ${answer.text}`)
      assert.equal(typeof (error?.message ?? message), 'string')
    }
  }

  test('the document lists operations', () => {
    assert.ok(operations.length > 30)
    assert.ok(operations.filter((operation) => operation.body).length > 80)
    assert.ok(operations.filter((operation) => operation.query.includes('sort')).length > 20)
  })

  for (const [name, as] of [
    ['an admin', () => clinic.admin],
    ['a superadmin', () => operator],
  ] as const) {
    test(`hostile bodies sent by ${name} are never answered 5xx`, async () => {
      for (const [index, { method, path, body }] of operations.entries()) {
        if (!body) continue
        const mutated = fc
          .tuple(fc.constantFrom(...Object.keys(body), 'unknown'), badValue)
          .map(([key, value]) => ({ ...body, [key]: value }))
        await fc.assert(
          fc.asyncProperty(mutated, async (hostile) => {
            const url = fill(path, () => clinic.id)
            await refuses(`${method} ${url} ${JSON.stringify(hostile)}`, () =>
              core.call(method, url, { as: as(), body: hostile }),
            )
          }),
          bounded(index),
        )
      }
    })
  }

  test('hostile raw bodies are never answered 5xx', async () => {
    for (const [index, { method, path, body }] of operations.entries()) {
      if (!body) continue
      await fc.assert(
        fc.asyncProperty(
          rawJsonBodies,
          fc.constantFrom('application/json', 'text/plain', 'application/xml', ''),
          async (raw, type) => {
            const url = fill(path, () => clinic.id)
            const headers = { authorization: `Bearer ${clinic.admin.token}`, ...(type ? { 'content-type': type } : {}) }
            await refuses(`${method} ${url} ${type} ${raw.slice(0, 60)}`, () => core.rawCall(method, url, headers, raw))
          },
        ),
        bounded(index),
      )
    }
  })

  test('malformed JSON is answered as the document says, also where no body is needed', async () => {
    const undocumented: string[] = []
    for (const { method, path, statuses } of operations) {
      if (method === 'GET') continue
      const url = fill(path, () => clinic.id)
      const headers = { 'content-length': '1' } // Node sends a DELETE without it.
      const { status } = await core.call(method, url, { as: clinic.admin, body: '{', headers })
      if (!statuses.includes(String(status))) undocumented.push(`${method} ${path}: ${status}`)
    }
    assert.deepEqual(undocumented, [])
    core.refuseForgotten()
  })

  test('hostile query strings are never answered 5xx', async () => {
    for (const [index, { method, path, query }] of operations.entries()) {
      if (method !== 'GET' || path.startsWith('/docs')) continue
      const pairs = fc.array(fc.tuple(fc.constantFrom(...query, 'page', 'limit', 'sort', 'unknown'), badText), {
        minLength: 1,
        maxLength: 4,
      })
      await fc.assert(
        fc.asyncProperty(pairs, async (given) => {
          const search = given.map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`).join('&')
          const url = `${fill(path, () => clinic.id)}?${search}`
          await refuses(`${method} ${url}`, () => core.call(method, url, { as: clinic.admin }))
        }),
        bounded(index),
      )
    }
    for (const search of ['%', '%00', 'page=%ff', 'sort[]=x', 'page=1&page=2', '&&&', `q=${'x'.repeat(8_000)}`]) {
      await refuses(search, () => core.get(`/v1/organizations?${search}`, { as: clinic.admin }))
    }
  })

  test('hostile headers are never answered 5xx', async () => {
    const headers = fc.record({
      name: fc.constantFrom(
        'x-organization-id',
        'idempotency-key',
        'x-request-id',
        'authorization',
        'content-type',
        'accept-language',
        'x-forwarded-for',
        'range',
      ),
      value: fc.string({
        unit: fc
          .integer({ min: 0x20, max: 0xff })
          .filter((code) => code !== 0x7f)
          .map((code) => String.fromCharCode(code)),
        maxLength: 60,
      }),
      twice: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(headers, fc.constantFrom(...operations), async ({ name, value, twice }, { method, path }) => {
        const url = fill(path, () => clinic.id)
        const sent = { authorization: `Bearer ${clinic.admin.token}`, [name]: twice ? [value, value] : value }
        await refuses(`${method} ${url} ${name}: ${value}`, () => core.rawCall(method, url, sent, ''))
      }),
      { numRuns: RUNS * 60, seed: SEED },
    )
  })

  test('ids of another organization in bodies get the answer of unknown ids', async () => {
    const foreignIds = [...Object.values(foreign.roles).slice(0, RUNS), foreign.id, foreign.admin.id]
    for (const { method, path, body } of operations) {
      const keys = Object.keys(body ?? {}).filter((key) => key.endsWith('_id'))
      for (const key of keys) {
        if (path.startsWith('/v1/admin')) continue
        const url = fill(path, () => clinic.id)
        const send = (id: string) => core.call(method, url, { as: clinic.admin, body: { ...body, [key]: id } })
        const unknown = await send('019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17')
        for (const id of foreignIds) {
          const answer = await send(id)
          assert.deepEqual(
            [answer.status, answer.body],
            [unknown.status, unknown.body],
            `${method} ${url} ${key}=${id}`,
          )
          assert.ok(answer.status >= 400 && answer.status < 500)
        }
      }
    }
  })
})
