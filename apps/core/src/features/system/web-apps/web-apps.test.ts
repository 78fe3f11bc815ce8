import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { readConfig } from '@tendon/config'
import { openObjectStore } from '@tendon/object-store'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { pageHeaders } from './policy.ts'

const FIRST_LOAD = {
  texts: { en: ['assets/texts-en.js'], ro: ['assets/texts-ro.js'] },
  always: [{ route: 'GET /v1/public/organizations/{slug}/branding', params: { slug: '{slug}' } }],
  pages: {
    '': { files: ['assets/today.js', 'assets/today.css'], is_public: false, reads: [{ route: 'GET /v1/me/today' }] },
    book: {
      files: ['assets/book.js'],
      is_public: true,
      reads: [{ route: 'GET /v1/public/services', query: { organization: '{slug}' } }],
    },
  },
}

const PAGE =
  '<!doctype html><head></head><meta name="csp-nonce" content="%NONCE%"><div id="root"></div><!--ME--><script type="module" src="/portal/assets/a.js"></script>'

describe('serving the web apps', () => {
  let core: TestCore
  let dir: string
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'tendon-web-'))
    for (const app of ['console', 'portal', 'platform']) {
      await mkdir(join(dir, app, 'assets'), { recursive: true })
      await writeFile(join(dir, app, 'index.html'), PAGE)
      await writeFile(join(dir, app, '.stamp'), 'secret')
      await writeFile(join(dir, app, 'first-load.json'), JSON.stringify(FIRST_LOAD))
      await writeFile(join(dir, app, 'assets/a-1.js'), 'export {}')
      await writeFile(join(dir, app, 'assets/a-1.js.br'), brotliCompressSync('export {}'))
    }
    core = await sharedCore({ env: { WEB_DIR: dir, WEB_HOSTS: 'console=app.clinic.example' } })
  })
  after(async () => {
    await core.close()
    await rm(dir, { recursive: true, force: true })
  })

  const sourcesOf = (policy: string, directive: string): string[] =>
    policy
      .split('; ')
      .find((text) => text.startsWith(directive))
      ?.split(' ') ?? []
  const cspOf = async (path: string) => (await core.get(path)).headers.get('content-security-policy') ?? ''

  test('every path of an app that is not a file returns its page, with a new nonce each time', async () => {
    const first = await core.get('/console/mladita/patients')
    assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const nonce = /content="([^"]+)"/.exec(first.text)?.[1] ?? ''
    assert.match(nonce, /^[\w+/=]{20,}$/)
    assert.ok(first.headers.get('content-security-policy')?.includes(`style-src 'self' 'nonce-${nonce}'`))
    const second = await core.get('/console/mladita/patients')
    assert.notEqual(/content="([^"]+)"/.exec(second.text)?.[1], nonce)
  })

  test('the content security policy lets a page load its own files, talk to telemetry, and nothing else', async () => {
    const telemetry = new URL(core.config.telemetryUrl).origin
    const composer = new URL(core.config.composerUrl).origin
    const policy = (await cspOf('/console/')).replace(/'nonce-[^']+'/, "'nonce-…'").split('; ')
    assert.deepEqual(policy, [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-…'",
      `img-src 'self' data: blob: ${composer}`,
      `media-src 'self' blob: ${composer}`,
      "font-src 'self'",
      `connect-src 'self' ${telemetry} ${composer}`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types default',
    ])
  })

  const S3 = { OBJECT_STORE: 's3', S3_BUCKET: 'films', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' }
  for (const env of [S3, { ...S3, S3_BUCKET: 'films.eu' }, { ...S3, S3_ENDPOINT: 'https://store.example' }])
    test(`a page may play videos from ${env.S3_BUCKET} at ${'S3_ENDPOINT' in env ? env.S3_ENDPOINT : 'AWS'}`, async () => {
      const config = readConfig(env)
      const { origin } = new URL(
        await openObjectStore(config).signedUrl('a.mp4', { method: 'GET', expiresInSeconds: 60 }),
      )
      const policy = pageHeaders('portal', config, 'n')['content-security-policy'] ?? ''
      for (const name of ['img-src', 'media-src', 'connect-src']) assert.ok(sourcesOf(policy, name).includes(origin))
    })

  test('a page may play videos from the library at Bunny Stream', () => {
    const library = { BUNNY_LIBRARY_ID: '1', BUNNY_API_KEY: 'k', BUNNY_CDN_URL: 'https://vz-1.b-cdn.net/' }
    const config = readConfig({ VIDEO_HOST: 'bunny', ...library })
    const policy = pageHeaders('portal', config, 'n')['content-security-policy'] ?? ''
    for (const name of ['img-src', 'media-src', 'connect-src'])
      assert.ok(sourcesOf(policy, name).includes('https://vz-1.b-cdn.net'))
  })

  test('the portal alone may use the camera and WebAssembly', async () => {
    const portal = await core.get('/portal/')
    assert.match(portal.headers.get('permissions-policy') ?? '', /camera=\(self\)/)
    assert.match(await cspOf('/portal/'), /script-src 'self' 'wasm-unsafe-eval';/)
    for (const app of ['console', 'platform']) {
      assert.match((await core.get(`/${app}/`)).headers.get('permissions-policy') ?? '', /camera=\(\)/)
      assert.doesNotMatch(await cspOf(`/${app}/`), /wasm/)
    }
  })

  test('a file is compressed and never changes; its policy is the page’s, for it may be a worker', async () => {
    const answer = await core.get('/portal/assets/a-1.js', { headers: { 'accept-encoding': 'br, gzip' } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-encoding'), 'br')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(answer.headers.get('content-security-policy') ?? '', /wasm-unsafe-eval/)
    assert.equal((await core.get('/portal/assets/a-1.js')).text, 'export {}')
  })

  for (const path of [
    '/portal/.stamp',
    '/portal/assets/missing.js',
    '/portal/manifest.json',
    '/portal/first-load.json',
    '/portal/assets/..%2f.stamp',
  ])
    test(`${path} is 404`, async () => assert.equal((await core.get(path)).status, 404))

  test('without a session the page says so, and may be cached with revalidation', async () => {
    const answer = await core.get('/portal/')
    assert.match(answer.text, /<script type="application\/json" id="me">null<\/script>/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
  })

  test('with a session the page contains /v1/me in the clinic of its URL, escaped, and is not cached', async () => {
    const clinic = await core.organization()
    const other = await core.organization({ name: 'Alta' })
    const person = await core.signIn({ name: '</script><b>Ana' })
    for (const { id, roles } of [clinic, other])
      await core.database.query(
        'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
        [id, person.id, roles.specialist],
      )
    const id = randomUUID()
    await core.database.query(
      `insert into web_sessions (id_hash, app, issuer, subject, idle_limit, expires_at)
       select sha256($1::bytea), 'console', issuer, subject, '30 minutes', now() + interval '1 hour' from identities where human_id = $2`,
      [id, person.id],
    )
    for (const { slug, id: organizationId } of [clinic, other]) {
      const answer = await core.get(`/console/${slug}/patients`, { headers: { cookie: `tendon_console=${id}` } })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.doesNotMatch(answer.text, /<b>Ana/)
      const [, json = ''] = /id="me">(.*?)<\/script>/.exec(answer.text) ?? []
      const { data } = JSON.parse(json)
      assert.deepEqual([data.name, data.current_organization.id], ['</script><b>Ana', organizationId])
    }
    const elsewhere = await core.get('/portal/', { headers: { cookie: `tendon_console=${id}` } })
    assert.match(elsewhere.text, /id="me">null</)
  })

  const readsOf = (text: string): { route: string; answer: { data: unknown } }[] =>
    JSON.parse(/id="reads">(.*?)<\/script>/.exec(text)?.[1] ?? '')
  const preloadedOf = (text: string) =>
    [...text.matchAll(/<link rel="\w+"[^>]* href="([^"]+)"/g)].map(([, href]) => href)

  test('a page names the files it needs, and contains the answers to its first reads', async () => {
    const clinic = await core.organization({ name: 'Clinica <b>' })
    const book = await core.get(`/portal/${clinic.slug}/book`, { headers: { cookie: 'language=ro' } })
    assert.deepEqual(preloadedOf(book.text), ['/portal/assets/texts-ro.js', '/portal/assets/book.js'])
    assert.doesNotMatch(book.text, /<b>/)
    assert.deepEqual(
      readsOf(book.text).map(({ route, answer }) => [route, JSON.stringify(answer.data).includes('Clinica')]),
      [
        ['GET /v1/public/organizations/{slug}/branding', true],
        ['GET /v1/public/services', false],
      ],
    )
  })

  test('a visitor gets no file and no answer of a page that needs a session', async () => {
    const clinic = await core.organization()
    const { text } = await core.get(`/portal/${clinic.slug}`, { headers: { 'accept-language': 'de, ro;q=0.8' } })
    assert.deepEqual(preloadedOf(text), ['/portal/assets/texts-ro.js'])
    assert.deepEqual(
      readsOf(text).map(({ route }) => route),
      ['GET /v1/public/organizations/{slug}/branding'],
    )
    const unknown = await core.get('/portal/nobody-here')
    assert.deepEqual([unknown.status, readsOf(unknown.text)], [200, []])
  })

  test('on the host of one app the others are not served', async () => {
    const headers = { host: 'app.clinic.example' }
    assert.equal((await core.get('/console/', { headers })).status, 200)
    assert.equal((await core.get('/portal/', { headers })).status, 404)
    assert.equal((await core.get('/', { headers })).headers.get('location'), '/console/')
  })

  test('without a build the API still runs, and the apps are 404', async () => {
    const bare = await sharedCore({ env: { WEB_DIR: join(dir, 'nothing') } })
    assert.equal((await bare.get('/console/')).status, 404)
    assert.equal((await bare.get('/health')).status, 200)
    await bare.close()
  })
})
