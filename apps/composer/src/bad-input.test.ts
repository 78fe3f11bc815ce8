import assert from 'node:assert/strict'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { dereference } from '@scalar/openapi-parser'
import { isObject } from '@tendon/contracts'
import { exampleOf, type JsonSchema } from '@tendon/http'
import { badText, badValue, rawJsonBodies, soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { type Clinic, type Json, type Person, startComposer, type TestComposer } from './testing.ts'

// Driven by the OpenAPI document: every operation gets bad paths, queries, headers and bodies. The status is below 500, the
// body is the envelope, and nothing is partly written.

const RUNS = soakRuns(2)
const bounded = (index: number) => ({ numRuns: RUNS, seed: soakSeed() + index })

interface Operation {
  method: string
  path: string
  body: Readonly<Record<string, unknown>> | undefined
  query: string[]
}

describe('bad input to the composer', () => {
  let composer: TestComposer
  let clinic: Clinic
  let operator: Person
  let slug: string
  let operations: Operation[]
  before(async () => {
    composer = await startComposer()
    clinic = await composer.clinic()
    operator = await composer.superadmin()
    slug = (await composer.exercise(clinic)).slug
    operations = operationsOf(dereference((await composer.call('GET', '/v1/openapi.json')).body).schema)
  })
  after(() => composer.close())

  const fill = (path: string, value = clinic.id) =>
    path
      .replace('{slug}', slug)
      .replace('{path}', 'intro-video-1.mp4')
      .replace(/\{\w+\}/g, value)

  /** Writes the request to a socket, because fetch refuses some headers. */
  async function send(method: string, path: string, headers: Record<string, string | string[]>, body: string) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      sendRequest(new URL(path, composer.url), { method, headers }, resolve).on('error', reject).end(body),
    )
    const text = await readText(response)
    return { status: response.statusCode ?? 0, text, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })

  function check(what: string, { status, body }: { status: number; body: Json }): void {
    assert.ok(status < 500, `${what}: ${status} ${JSON.stringify(body)}`)
    if (status < 400) return
    assert.equal(typeof body.error?.code, 'string', `${what}: ${JSON.stringify(body)}`)
    assert.equal(typeof body.error.message, 'string', what)
  }

  test('the document lists operations', () => {
    assert.ok(operations.length >= 15)
    assert.ok(operations.filter(({ body }) => body).length >= 4)
  })

  test('bad bodies are refused in the envelope', async () => {
    for (const [index, { method, path, body }] of operations.entries()) {
      if (!body) continue
      const mutated = fc
        .tuple(fc.constantFrom(...Object.keys(body), 'unknown'), badValue)
        .map(([key, value]) => ({ ...body, [key]: value }))
      for (const person of [clinic.admin, operator])
        await fc.assert(
          fc.asyncProperty(mutated, async (bad) =>
            check(
              `${method} ${path} ${JSON.stringify(bad)}`,
              await composer.call(method, fill(path), { as: person, body: bad }),
            ),
          ),
          bounded(index),
        )
    }
  })

  test('raw bodies of any type are refused in the envelope', async () => {
    const types = fc.constantFrom('application/json', 'text/plain', 'video/mp4', 'text/vtt', 'audio/mpeg', '')
    for (const [index, { method, path }] of operations.entries()) {
      if (method !== 'POST' && method !== 'PUT') continue
      await fc.assert(
        fc.asyncProperty(rawJsonBodies, types, async (raw, type) => {
          const headers = { ...as(clinic.admin), ...(type ? { 'content-type': type } : {}) }
          check(`${method} ${path} ${type} ${raw.slice(0, 60)}`, await send(method, fill(path), headers, raw))
        }),
        bounded(index),
      )
    }
  })

  test('bad query strings and paths are refused in the envelope', async () => {
    for (const [index, { method, path, query }] of operations.entries()) {
      if (path.endsWith('/events')) continue
      const pairs = fc.array(fc.tuple(fc.constantFrom(...query, 'page', 'sort', 'token', 'unknown'), badText), {
        minLength: 1,
        maxLength: 4,
      })
      await fc.assert(
        fc.asyncProperty(pairs, badText, async (given, segment) => {
          const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
          const search = given.map(([key, value]) => `${key}=${encoded(value)}`).join('&')
          for (const url of [fill(path), path.replace(/\{\w+\}/g, encoded(segment))])
            check(`${method} ${url}?${search}`, await composer.call(method, `${url}?${search}`, { as: clinic.admin }))
        }),
        bounded(index),
      )
    }
  })

  test('bad headers are refused in the envelope', async () => {
    const headers = fc.record({
      name: fc.constantFrom('x-organization-id', 'x-request-id', 'authorization', 'content-type', 'range', 'accept'),
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
        const sent = { ...as(clinic.admin), [name]: twice ? [value, value] : value }
        check(`${method} ${path} ${name}: ${value}`, await send(method, fill(path), sent, ''))
      }),
      { numRuns: RUNS * 20, seed: soakSeed() },
    )
  })

  test('bad input leaves no render and no bundle file behind', async () => {
    for (const table of ['renders', 'exercise_bundle_files'])
      assert.deepEqual(await composer.database.query(`select 1 from ${table}`), [])
  })
})

function operationsOf(document: Json): Operation[] {
  return Object.entries<Record<string, Json>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody, parameters = [] }]) => {
      const schema: JsonSchema | undefined = requestBody?.content['application/json']?.schema
      const example = schema && exampleOf(schema)
      return {
        method: method.toUpperCase(),
        path,
        body: isObject(example) ? example : undefined,
        query: parameters.filter((one: Json) => one.in === 'query').map((one: Json) => one.name),
      }
    }),
  )
}
