import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import S3rver from '@20minutes/s3rver'
import { systemContext } from '@tendon/access'
import { authenticated, refusal, superadmin } from '@tendon/http'
import { until } from '@tendon/testing'
import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { createServices } from '../create-services.ts'
import type { Routes } from '../feature.ts'
import { jobs } from '../jobs.ts'
import type { Services } from '../services.ts'
import { type Person, sharedCore, startCore, type TestCore } from '../testing/core.ts'
import type { JobTools } from './jobs.ts'
import { bodyOf, closing, DOCX, FILES, opening, openUpload, partOf, upload, zipOf } from './uploads.testing.ts'
import { MAX_UPLOAD_MS, takeFile, takePlatformFile } from './uploads.ts'

const MAX_BYTES = 100_000
const LARGE_BYTES = 32 * 1024 * 1024
const SWELLING = zipOf('[Content_Types].xml', Buffer.alloc(30_000_000))
/** Without the first byte of any mark that a file is refused for. */
const noise = (bytes: number) => Buffer.from(randomBytes(bytes).map((byte) => byte | 0x80))
const tooLarge = refusal(400, 'file_too_large', 'Too large.')
const wrongType = refusal(400, 'invalid_file_type', 'Wrong type.')
const refusals = [tooLarge, wrongType]

/** Two routes that take a file and write no row; `onKeep` runs in the transaction that would. */
const files =
  (onKeep: () => Promise<void>): Routes =>
  (app, services) => {
    const rulesOf = (request: FastifyRequest) => ({
      folder: 'tests',
      maxBytes: Number((request.query as { max?: string }).max ?? MAX_BYTES),
      types: ['image/png', 'image/jpeg', 'application/pdf', 'text/plain', DOCX],
      tooLarge,
      wrongType,
    })
    const answer = async <File extends { sha256: Buffer }>(file: File) => {
      await onKeep()
      return { ...file, sha256: file.sha256.toString('hex') }
    }
    app.post(
      '/v1/test-files',
      { config: { access: authenticated(), upload: true, summary: 'Take', refusals }, handlerTimeout: MAX_UPLOAD_MS },
      (request) => takeFile(request, services, rulesOf(request), (_tx, file) => answer(file)),
    )
    app.post(
      '/v1/test-platform-files',
      { config: { access: superadmin(), upload: true, summary: 'Take', refusals }, handlerTimeout: MAX_UPLOAD_MS },
      (request) => takePlatformFile(request, services, rulesOf(request), (_tx, file) => answer(file)),
    )
  }

const stores: Record<string, () => Promise<{ env: Record<string, string>; stop(): Promise<void> }>> = {
  'the file system': async () => ({ env: {}, stop: async () => {} }),
  S3: startS3,
}

async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), 'tendon-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    // It computes the signatures of lists wrongly.
    allowMismatchedSignatures: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'tendon' }],
  })
  const { port } = await server.run()
  const keys = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
  return {
    env: { OBJECT_STORE: 's3', S3_BUCKET: 'tendon', S3_ENDPOINT: `http://127.0.0.1:${port}`, ...keys },
    async stop() {
      server.httpServer.closeAllConnections()
      await server.close()
      await rm(directory, { recursive: true })
    },
  }
}

for (const [name, start] of Object.entries(stores)) {
  describe(`uploads into ${name}`, () => {
    let core: TestCore
    let stop: () => Promise<void>
    let person: Person
    let organizationId: string
    let onKeep: () => Promise<void> = async () => {}
    before(async () => {
      const store = await start()
      stop = store.stop
      core = await startCore({ env: store.env, routes: [files(() => onKeep())] })
      const clinic = await core.organization()
      person = clinic.admin
      organizationId = clinic.id
    })
    after(async () => {
      await core.close()
      await stop()
    })

    const url = () => `${core.url}/v1/test-files`
    const keys = () => Array.fromAsync(core.services.objects.list('tests/'))
    const unclaimed = () => core.database.query('select object_key, delete_after from unclaimed_objects')
    const incoming = async () => (name === 'S3' ? [] : await readdir(join(core.config.DATA_DIR, 'objects', 'incoming')))

    /** Runs `work`, after which store and database hold what they held before. */
    async function leavingNothing(work: () => Promise<unknown>): Promise<void> {
      const kept = await keys()
      await work()
      assert.deepEqual([await keys(), await unclaimed(), await incoming()], [kept, [], []])
    }

    async function refuses(what: string, status: number, code: string, body: Buffer, headers = {}): Promise<void> {
      const answer = await upload(url(), person, body, headers)
      assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], what)
    }

    test('a file is stored under a generated key, with its type, length and digest', async () => {
      const content = Buffer.concat([FILES.jpeg, noise(MAX_BYTES - FILES.jpeg.length)])
      const { status, body } = await upload(url(), person, bodyOf(partOf(content, 'image/jpg', '../Genunchi.JPG')))
      assert.equal(status, 200, JSON.stringify(body))
      assert.match(body.key, new RegExp(`^tests/${organizationId}/[0-9a-f-]{36}\\.jpg$`))
      const { key, ...facts } = body
      const sha256 = createHash('sha256').update(content).digest('hex')
      assert.deepEqual(facts, { name: 'Genunchi.JPG', bytes: MAX_BYTES, mime: 'image/jpeg', sha256 })
      assert.deepEqual(await core.services.objects.head(key), { bytes: MAX_BYTES, contentType: 'image/jpeg' })
      assert.deepEqual([await unclaimed(), await incoming()], [[], []])
    })

    test('files of the platform are stored separately', async () => {
      const operator = await core.superadmin()
      const body = bodyOf(partOf(FILES.png, 'image/png'))
      const answer = await upload(`${core.url}/v1/test-platform-files`, operator, body)
      assert.match(answer.body.key, /^tests\/platform\//)
      assert.deepEqual(await unclaimed(), [])
    })

    test('the key does not depend on the file name', async () => {
      for (const given of ['../../etc/passwd', '/etc/passwd', 'a\0.png', '\xff\xfe', 'a"; filename="b', '%2e%2e%2f']) {
        const { body } = await upload(
          url(),
          person,
          bodyOf(partOf(FILES.png, 'image/png', Buffer.from(given, 'latin1'))),
        )
        assert.match(body.key, /^tests\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.png$/, given)
        assert.match(body.name, /^[^/\\\x00-\x1f]+\.png$/)
      }
    })

    test('a file that does not match its media type, or has a type that is not allowed, is refused', () =>
      leavingNothing(async () => {
        const archive = zipOf('evil.class', randomBytes(100))
        for (const [what, content, type] of [
          ['a picture of another kind', FILES.png, 'image/jpeg'],
          ['a program', FILES.exe, 'application/pdf'],
          ['gzip that claims to be a PDF', FILES.gzip, 'application/pdf'],
          ['gzip', FILES.gzip, 'application/gzip'],
          ['a picture with an archive behind it', Buffer.concat([FILES.png, archive]), 'image/png'],
          ['a picture that is a page', Buffer.concat([FILES.jpeg, Buffer.from('<script>')]), 'image/jpeg'],
          ['a page', Buffer.from('<html>'), 'text/plain'],
          ['text with a NUL far behind', Buffer.concat([Buffer.alloc(90_000, 'a'), Buffer.alloc(1)]), 'text/plain'],
          ['an archive that unpacks to 30 MB', SWELLING, DOCX],
          ['nothing known', randomBytes(50), 'application/octet-stream'],
        ] as const) {
          await refuses(what, 400, 'invalid_file_type', bodyOf(partOf(content, type)))
        }
      }))

    test('a file one byte too large is refused, with or without Content-Length', () =>
      leavingNothing(async () => {
        const content = Buffer.concat([FILES.pdf, Buffer.alloc(MAX_BYTES - FILES.pdf.length + 1)])
        await refuses('announced', 400, 'file_too_large', bodyOf(partOf(content, 'application/pdf')))
        const chunked = { 'transfer-encoding': 'chunked' }
        await refuses('in chunks', 400, 'file_too_large', bodyOf(partOf(content, 'application/pdf')), chunked)
        const huge = bodyOf(partOf(Buffer.concat([FILES.pdf, Buffer.alloc(2_000_000)]), 'application/pdf'))
        await refuses('announced as huge', 400, 'file_too_large', huge, { 'content-length': `${huge.length}` })
        await refuses('huge, in chunks', 400, 'file_too_large', huge, chunked)
      }))

    test('a body that is not exactly one whole file is refused', () =>
      leavingNothing(async () => {
        const one = partOf(FILES.png, 'image/png')
        const field = { name: null, content: 'x' }
        const whole = bodyOf(one)
        const headless = Buffer.from(whole.toString('latin1').replace(/Content-[^\r]*\r\n/g, ''), 'latin1')
        for (const [what, body] of [
          ['no file', bodyOf()],
          ['nothing', Buffer.alloc(0)],
          ['a file that was not chosen', bodyOf(partOf('', 'application/octet-stream', ''))],
          ['two files', bodyOf(one, one)],
          ['a file after a field', bodyOf(field, one)],
          ['a field after the file', bodyOf(one, field)],
          ['a thousand fields', bodyOf(...Array.from({ length: 1_000 }, () => field))],
          ['a part without headers', headless],
          ['headers without end', Buffer.concat([whole.subarray(0, 40), Buffer.alloc(50_000, 'x')])],
          ['the end missing', whole.subarray(0, -20)],
          ['cut in the file', whole.subarray(0, -FILES.png.length)],
          ['cut in the headers', whole.subarray(0, 30)],
          ['noise', randomBytes(5_000)],
        ] as const) {
          await refuses(what, 422, 'validation_failed', body)
        }
      }))

    test('another content type is refused (415), and other routes take no files', () =>
      leavingNothing(async () => {
        const body = bodyOf(partOf(FILES.png, 'image/png'))
        await refuses('JSON', 415, 'unsupported_media_type', Buffer.from('{}'), { 'content-type': 'application/json' })
        await refuses('a near miss', 415, 'unsupported_media_type', body, { 'content-type': 'multipart/form-datax' })
        await refuses('no boundary', 422, 'validation_failed', body, { 'content-type': 'multipart/form-data' })
        const answer = await upload(`${core.url}/v1/patients`, person, body)
        assert.deepEqual([answer.status, answer.body.error.code], [415, 'unsupported_media_type'])
      }))

    test('a wrong Content-Length is refused', async () => {
      const body = bodyOf(partOf(FILES.png, 'image/png'))
      await leavingNothing(async () => {
        const answer = await upload(url(), person, body, { 'content-length': `${body.length - 30}` })
        assert.equal(answer.status, 400)
        await until(async () => (await unclaimed()).length === 0)
      })
      await leavingNothing(async () => {
        const { sending, answer } = openUpload(url(), person, { 'content-length': `${body.length + 30}` })
        sending.write(body)
        await until(async () => (await unclaimed()).length > 0)
        sending.destroy()
        await assert.rejects(answer)
        await until(async () => (await unclaimed()).length === 0)
      })
    })

    test('an upload whose client disconnects leaves nothing', async () => {
      const body = bodyOf(partOf(Buffer.concat([FILES.pdf, noise(90_000)]), 'application/pdf'))
      for (const sent of [200, 60_000, body.length - 5]) {
        await leavingNothing(async () => {
          const { sending } = openUpload(url(), person, { 'content-length': `${body.length}` })
          sending.write(body.subarray(0, sent))
          if (sent > 40_000) await until(async () => (await unclaimed()).length > 0)
          sending.destroy()
          await until(async () => (await unclaimed()).length === 0 && (await incoming()).length === 0)
        })
      }
    })

    test('the object is deleted at once when its row is refused', async () => {
      await leavingNothing(async () => {
        onKeep = async () => {
          throw wrongType()
        }
        const answer = await upload(url(), person, bodyOf(partOf(FILES.png, 'image/png')))
        onKeep = async () => {}
        assert.equal(answer.status, 400)
      })
    })

    test('an upload is refused when the rights are revoked meanwhile', async () => {
      const leaving = await core.signIn()
      await core.database.query(
        'insert into organization_memberships (organization_id, principal_id, role_id) select $1, $2, id from roles where organization_id = $1 limit 1',
        [organizationId, leaving.id],
      )
      await leavingNothing(async () => {
        const { sending, answer } = openUpload(url(), leaving, { 'x-organization-id': organizationId })
        const body = bodyOf(partOf(FILES.png, 'image/png'))
        sending.write(body.subarray(0, 150))
        await core.database.query('delete from organization_memberships where principal_id = $1', [leaving.id])
        await setTimeout(600)
        sending.end(body.subarray(150))
        assert.equal((await answer).status, 403)
      })
    })

    /** As the worker would. */
    async function sweep(services: Partial<Services> = {}): Promise<void> {
      const job = jobs.find((one) => one.name === 'delete_unclaimed_objects')
      const worker = createServices(core.config, 'tendon_worker', core.database.url)
      const tenant: JobTools['tenant'] = (work) => worker.db.tenant(systemContext(null), work)
      const tools: JobTools = {
        tenant,
        signal: new AbortController().signal,
        services: { ...worker, ...services },
        log: pino({ enabled: false }),
        organizationId: null,
        audit: async () => {},
        lastAttempt: false,
      }
      await job?.run({}, tools).finally(() => worker.close())
    }

    test('the worker deletes objects left by a crash after an hour, and nothing else', async () => {
      const [old, fresh] = [
        `tests/${organizationId}/${randomUUID()}.png`,
        `tests/${organizationId}/${randomUUID()}.png`,
      ]
      const kept = await keys()
      for (const [key, after] of [
        [old, '-1 second'],
        [fresh, '59 minutes'],
      ]) {
        await core.services.objects.put(key ?? '', FILES.png, { contentType: 'image/png', maxBytes: 1000 })
        await core.database.query(
          'insert into unclaimed_objects (object_key, organization_id, delete_after) values ($1, $2, now() + $3::interval)',
          [key, organizationId, after],
        )
      }
      await sweep()
      assert.deepEqual(await keys(), [...kept, fresh].sort())
      assert.deepEqual(
        (await unclaimed()).map(({ object_key }) => object_key),
        [fresh],
      )
      await core.services.objects.delete(fresh)
      await core.database.query('delete from unclaimed_objects')
    })

    test('an upload that ends after its hour is refused and leaves nothing', async () => {
      await leavingNothing(async () => {
        const { sending, answer } = openUpload(url(), person)
        const body = bodyOf(partOf(Buffer.concat([FILES.pdf, Buffer.alloc(60_000)]), 'application/pdf'))
        sending.write(body.subarray(0, 50_000))
        await until(async () => (await unclaimed()).length > 0)
        await core.database.query('update unclaimed_objects set delete_after = now()')
        await sweep()
        sending.end(body.subarray(50_000))
        assert.equal((await answer).status, 500)
      })
    })

    test('while the store is unavailable uploads fail; the worker cleans up when it is back', async () => {
      const { objects } = core.services
      const { delete: remove } = objects
      const kept = await keys()
      const away = { ...objects, delete: () => Promise.reject(new Error('away')) }
      objects.delete = away.delete
      onKeep = async () => {
        throw wrongType()
      }
      const answer = await upload(url(), person, bodyOf(partOf(FILES.png, 'image/png')))
      onKeep = async () => {}
      assert.equal(answer.status, 400)
      await assert.rejects(sweep({ objects: away }))
      objects.delete = remove
      assert.equal((await unclaimed()).length, 1)
      await sweep()
      assert.deepEqual([await keys(), await unclaimed()], [kept, []])
    })

    test('a slow store slows down the client; content is not buffered in memory', async () => {
      const { objects } = core.services
      const { put } = objects
      const ready = Promise.withResolvers<void>()
      objects.put = async (...args) => {
        await ready.promise
        return put(...args)
      }
      const { sending, answer } = openUpload(`${url()}?max=${LARGE_BYTES}`, person)
      const chunk = Buffer.alloc(256 * 1024, 'a')
      sending.write(opening({ name: 'long.txt', type: 'text/plain' }))
      let written = 0
      let taken = 0
      while (taken === 0 && written < LARGE_BYTES) {
        written += chunk.length
        if (sending.write(chunk)) continue
        const drained = once(sending, 'drain')
        if ((await Promise.race([drained, setTimeout(150, 'waits')])) === 'waits') {
          taken = written
          ready.resolve()
        }
        await drained
      }
      sending.end(closing())
      const { body } = await answer
      objects.put = put
      assert.equal(body.bytes, written)
      assert.ok(taken > 0 && taken < LARGE_BYTES / 2, `${taken} bytes were taken before the store took one`)
    })

    test('a commit whose answer is lost keeps its file', async () => {
      const { db } = core.services
      const { tenant } = db
      let lost = false
      onKeep = async () => {
        lost = true
      }
      db.tenant = async <Result>(...args: Parameters<typeof tenant<Result>>) => {
        const result = await tenant.call<typeof db, typeof args, Promise<Result>>(db, ...args)
        if (!lost) return result
        lost = false
        throw new Error('the answer was lost')
      }
      const kept = await keys()
      const answer = await upload(url(), person, bodyOf(partOf(FILES.png, 'image/png')))
      db.tenant = tenant
      onKeep = async () => {}
      assert.deepEqual([answer.status, (await keys()).length, await unclaimed()], [500, kept.length + 1, []])
    })
  })
}

describe('slow uploads', () => {
  test('a body without a byte for too long is refused (408), however slowly it came before', async (t) => {
    const hasty = await sharedCore({ env: { BODY_TIMEOUT_MS: '300' }, routes: [files(async () => {})] })
    t.after(() => hasty.close())
    const { sending, answer } = openUpload(`${hasty.url}/v1/test-files`, await hasty.signIn())
    const body = bodyOf(partOf(FILES.png, 'image/png'))
    for (let at = 0; at < 3; at += 1) {
      sending.write(body.subarray(at * 40, at * 40 + 40))
      await setTimeout(150)
    }
    const { status, body: refused } = await answer
    assert.deepEqual([status, refused.error.code], [408, 'request_timeout'])
    sending.destroy()
  })

  test('a body may take longer than other requests do', async (t) => {
    const hasty = await sharedCore({ env: { REQUEST_TIMEOUT_MS: '500' }, routes: [files(async () => {})] })
    t.after(() => hasty.close())
    const { server } = hasty.app
    const as = await (await sharedCore()).signIn()
    const { sending, answer } = openUpload(`${hasty.url}/v1/test-files`, as)
    const [socket] = (await once(server, 'connection')) as [Socket]
    const body = bodyOf(partOf(FILES.png, 'image/png'))
    sending.write(body.subarray(0, 150))
    await setTimeout(600)
    // As Node does, which looks every 30 seconds.
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    sending.end(body.subarray(150))
    assert.equal((await answer).status, 200)
  })
})
