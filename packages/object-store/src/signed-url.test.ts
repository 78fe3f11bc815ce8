import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drivers, type Fixture } from './drivers.testing.ts'
import {
  attachmentDisposition,
  createFsStore,
  InvalidObjectRequest,
  type ObjectStore,
  verifySignedUrl,
} from './index.ts'

const HOUR_MS = 3_600_000
const downloadName = 'Report 1.pdf'

for (const [driver, start] of Object.entries(drivers)) {
  describe(`signed URLs on ${driver}`, () => {
    let fixture: Fixture
    let store: ObjectStore
    before(async () => {
      fixture = await start()
      store = fixture.storeAt()
      for (const key of ['s/one', 's/two']) {
        await store.put(key, Buffer.from(key), { contentType: 'text/plain', maxBytes: 9 })
      }
    })
    after(() => fixture.stop())

    const sign = (from = store) =>
      from.signedUrl('s/one', {
        method: 'GET',
        expiresInSeconds: 60,
        downloadName,
        contentType: 'application/pdf',
      })

    test('a signed URL returns the object as a download with the signed type and name', async () => {
      const response = await fetch(await sign())
      assert.equal(response.status, 200)
      assert.equal(await response.text(), 's/one')
      assert.equal(response.headers.get('content-type'), 'application/pdf')
      assert.equal(response.headers.get('content-disposition'), 'attachment; filename="Report 1.pdf"')
    })

    test('without a type and a name it returns the stored type, still as a download', async () => {
      const response = await fetch(await store.signedUrl('s/one', { method: 'GET', expiresInSeconds: 60 }))
      assert.equal(response.headers.get('content-type'), 'text/plain')
      assert.equal(response.headers.get('content-disposition'), 'attachment')
      assert.equal(await response.text(), 's/one')
    })

    test('an expired URL is refused', async () => {
      const earlier = fixture.storeAt(() => new Date(Date.now() - HOUR_MS))
      assert.equal((await fetch(await sign(earlier))).status, 403)
    })

    test('another method or key is refused', async () => {
      const url = await sign()
      for (const method of ['HEAD', 'PUT', 'DELETE', 'POST']) {
        assert.equal((await fetch(url, { method })).status, 403, method)
      }
      assert.equal((await fetch(url.replace('s/one', 's/two'))).status, 403)
      assert.deepEqual((await store.head('s/one'))?.bytes, 5)
    })

    test('any parameter changed or repeated is refused, and so is one left out', async () => {
      const url = await sign()
      for (const [parameter, value] of new URL(url).searchParams) {
        const changed = new URL(url)
        changed.searchParams.set(parameter, /^\d+$/.test(value) ? `${Number(value) + 1}` : `${value}x`)
        const repeated = new URL(url)
        repeated.searchParams.append(parameter, value)
        const missing = new URL(url)
        missing.searchParams.delete(parameter)
        for (const [change, tampered] of Object.entries({ changed, repeated, missing })) {
          const { status } = await fetch(tampered)
          assert.ok(status >= 400, `${parameter} ${change}: ${status}`)
        }
      }
    })

    test('an invalid lifetime or name is refused', async () => {
      for (const expiresInSeconds of [0, -1, 1.5, Number.NaN, 604_801]) {
        await assert.rejects(store.signedUrl('s/one', { method: 'GET', expiresInSeconds }), InvalidObjectRequest)
      }
      for (const downloadName of ['', 'a\r\nb', '\ud800', 'x'.repeat(256)]) {
        const options = { method: 'GET', expiresInSeconds: 1, downloadName } as const
        await assert.rejects(store.signedUrl('s/one', options), InvalidObjectRequest)
      }
    })
  })
}

test('a download name in any script reaches the browser (RFC 6266)', () => {
  const encoded = 'Fi%C8%99%C4%83%20%221%22%20%28b%29.pdf'
  const expected = `attachment; filename="Fi__ _1_ (b).pdf"; filename*=UTF-8''${encoded}`
  assert.equal(attachmentDisposition('Fișă "1" (b).pdf'), expected)
})

describe('verifying a signed URL', () => {
  const signingKey = 'k'.repeat(32)
  const key = 's/one'
  const now = new Date('2026-01-01T00:00:00Z')
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  // The signature was computed with openssl over '["GET","s/one","text/plain","n","1767225660"]'.
  const query = {
    expires: '1767225660',
    type: 'text/plain',
    name: 'n',
    signature: 'KkY7SR_YaTaUyQRD04OXK6UuUlKPzvzmZfnztaWMxPE',
  }
  const verify = (change: object) => verifySignedUrl({ signingKey, method: 'GET', key, query, now, ...change })

  test('a URL is valid until the second it expires', () => {
    assert.deepEqual(verify({ now: at(59) }), { ok: true, contentType: 'text/plain', downloadName: 'n' })
    assert.deepEqual(verify({ now: at(60) }), { ok: false, reason: 'expired' })
  })

  test('a forged URL does not reveal whether it would have expired', () => {
    assert.deepEqual(verify({ now: at(60), key: 's/two' }), { ok: false, reason: 'invalid' })
  })

  test('changed, repeated, missing and differently encoded parameters are invalid', () => {
    const changes = [
      { method: 'HEAD' },
      { method: 'get' },
      { key: 's/../s/one' },
      { signingKey: 'x'.repeat(32) },
      { query: {} },
      { query: { ...query, expires: '01767225660' } },
      { query: { ...query, expires: ' 1767225660' } },
      { query: { ...query, expires: 1767225660 } },
      { query: { ...query, expires: [query.expires, query.expires] } },
      { query: { ...query, name: ['n'] } },
      { query: { ...query, name: '' } },
      { query: { ...query, name: undefined } },
      { query: { ...query, type: 'text/html' } },
      { query: { ...query, type: 'n', name: 'text/plain' } },
      { query: { ...query, signature: `${query.signature}=` } },
      { query: { ...query, signature: query.signature.slice(0, -1) } },
      { query: { ...query, signature: '' } },
    ]
    for (const change of changes) {
      assert.deepEqual(verify(change), { ok: false, reason: 'invalid' }, JSON.stringify(change))
    }
  })

  test('without a signing key of 32 bytes there is neither a store nor a verification', () => {
    for (const signingKey of ['', 'k'.repeat(31), Buffer.alloc(31)]) {
      const options = { root: '/nowhere', publicBaseUrl: 'http://localhost', signingKey }
      assert.throws(() => createFsStore(options), /at least 32 bytes/)
      assert.throws(() => verify({ signingKey }), /at least 32 bytes/)
    }
  })
})
