import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { assertSettled, bytesOf, freePort, openConnection, type RawRequest } from '@tendon/testing'
import { buildApp } from '../apps/composer/src/app.ts'
import { createServices } from '../apps/composer/src/create-services.ts'
import { MANIFEST } from '../apps/composer/src/rendering/clips.testing.ts'
import { sharedCore, type TestCore } from '../apps/core/src/testing/core.ts'
import type { TestOrganization } from '../apps/core/src/testing/people.ts'

const LONG = Buffer.alloc(2 * 1024 * 1024, 'a')
const SHORT = Buffer.from('{}')
const JSON_TYPE = 'application/json'

describe('a refused body of a request for the composer', () => {
  let core: TestCore
  let clinic: TestOrganization
  let slug: string
  let composer: { url: string; close: () => Promise<void> }
  async function startComposer(config: TestCore['config'], port = 0) {
    const services = { ...createServices(config, 'tendon_app', core.database.url), db: core.services.db }
    const app = buildApp(services, { logStream: { write: () => {} } })
    return { url: await app.listen({ host: '127.0.0.1', port }), close: () => app.close() }
  }
  before(async () => {
    const port = await freePort()
    core = await sharedCore({ env: { COMPOSER_PORT: String(port) } })
    composer = await startComposer(core.config, port)
    clinic = await core.organization()
    slug = `exercise-${randomUUID().slice(0, 8)}`
    const [row] = await core.database.query<{ id: string }>(
      `insert into exercises (organization_id, name, slug, status) values ($1, $2, $2, 'published') returning id`,
      [clinic.id, slug],
    )
    await core.database.query('insert into exercise_bundles (exercise_id, manifest) values ($1, $2)', [
      row?.id,
      JSON.stringify({ ...MANIFEST, exercise: slug }),
    ])
  })
  after(async () => {
    await composer.close()
    await core.close()
  })

  const compose = 'POST /v1/exercises/compose'
  const bundle = () => `/v1/exercises/${slug}/bundle`
  const file = (name: string) => `PUT ${bundle()}/files/${name}`

  type Refused = [line: string, type: string, body: Buffer, status: number]
  const anonymous = (): Refused[] => [
    [compose, JSON_TYPE, SHORT, 401],
    [compose, JSON_TYPE, LONG, 413],
    [`${compose}/preview`, JSON_TYPE, LONG, 413],
    [`PUT ${bundle()}`, JSON_TYPE, LONG, 413],
    [`POST /v1/renders/${randomUUID()}/cancel`, JSON_TYPE, LONG, 413],
    [file('intro-video-1.mp4'), 'video/mp4', LONG, 401],
    [file('intro-video-1.mp4'), 'image/png', LONG, 401],
    [`DELETE ${bundle()}/files/intro-video-1.mp4`, JSON_TYPE, LONG, 413],
    ['GET /v1/renders', JSON_TYPE, LONG, 401],
    ['GET /v1/renders', JSON_TYPE, SHORT, 401],
  ]
  const ofAdmin = (): Refused[] => [
    [compose, 'text/plain', SHORT, 415],
    [compose, JSON_TYPE, SHORT, 422],
    [compose, JSON_TYPE, LONG, 413],
    [file('intro-video-1.mp4'), 'image/png', LONG, 415],
    [file('intro-video-1.mp4'), 'image/png', SHORT, 415],
    [file('intro-video-1.mp4'), 'audio/mpeg', LONG, 415],
    [file('no-slot.mp4'), 'video/mp4', LONG, 422],
    [file('audio/en/intro-vo-1.vtt'), 'text/vtt', LONG, 413],
    [`PUT /v1/exercises/unknown/bundle/files/intro-video-1.mp4`, 'video/mp4', LONG, 404],
    [`PUT /v1/exercises/unknown/bundle`, JSON_TYPE, LONG, 413],
    [`POST /v1/renders/${randomUUID()}/cancel`, JSON_TYPE, SHORT, 404],
    [`POST /v1/renders`, JSON_TYPE, SHORT, 405],
  ]

  for (const as of ['length', 'chunked', 'expect'] as const)
    test(`a refused body of a request for the composer leaves a connection that answers, or closes it (${as})`, async () => {
      const send = async (url: string, cases: Refused[], headers: Record<string, string>) => {
        for (const [line, type, body, status] of cases) {
          const request: RawRequest = { line, headers: { ...headers, 'content-type': type }, body, as }
          const answer = await assertSettled(url, request)
          assert.ok(JSON.parse(answer.text).error.code)
          assert.equal(answer.status, status, `${url} ${line} ${type} ${body.length}: ${answer.text}`)
        }
      }
      await send(core.url, anonymous(), {})
      // The composer knows the caller before it reads a body.
      const unknown = anonymous().map(([line, type, body]): Refused => [line, type, body, 401])
      await send(composer.url, unknown, {})
      for (const url of [core.url, composer.url])
        await send(url, ofAdmin(), { authorization: `Bearer ${clinic.admin.token}` })
    })

  test('a refused body of a request for the composer of a file that stops arriving is refused by the composer too (408), and nothing is kept', async (t) => {
    const hasty = await startComposer({ ...core.config, BODY_TIMEOUT_MS: 300 })
    t.after(() => hasty.close())
    const stored = async () => (await Array.fromAsync(core.services.objects.list('bundles/'))).length
    const before = await stored()
    const connection = openConnection(hasty.url)
    const headers = { authorization: `Bearer ${clinic.admin.token}`, 'content-type': 'video/mp4' }
    connection.write(bytesOf({ line: file('intro-video-1.mp4'), headers: { ...headers, 'content-length': '1000' } }))
    connection.write('some')
    const answer = await connection.receive()
    connection.destroy()
    assert.ok(answer !== 'closed')
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [408, 'request_timeout'])
    assert.equal(await stored(), before)
  })
})
