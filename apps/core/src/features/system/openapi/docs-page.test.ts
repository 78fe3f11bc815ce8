import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findChromium, soakRuns } from '@tendon/testing'
import type { Browser } from 'playwright-core'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const CHROMIUM = findChromium()
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

describe('the reference page', () => {
  let core: TestCore
  let browser: Browser | undefined

  before(async () => {
    core = await sharedCore()
  })
  after(async () => {
    await browser?.close()
    await core.close()
  })

  test('the reference page allows nothing but its own server', async () => {
    const { status, headers, text } = await core.get('/docs')
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self';/)
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/)
    assert.doesNotMatch(text, /(src|href)="(https?:)?\/\//)
  })

  test('offers the core API, the composer and telemetry, each with the URL that callers use', async () => {
    const { text } = await core.get('/docs')
    const paths = { core: '/v1/organizations', composer: '/v1/exercises/compose', telemetry: '/v1/pose/frames' }
    for (const [service, path] of Object.entries(paths)) {
      assert.ok(text.includes(`docs/${service}.json`), service)
      const { status, body, headers } = await core.get(`/docs/${service}.json`)
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.ok(path in body.paths, service)
      const url = service === 'telemetry' ? core.config.telemetryUrl : '/'
      assert.deepEqual(body.servers, [{ url }])
    }
    const composer = (await core.get('/docs/composer.json')).body.paths
    assert.ok('/webhooks/videohost' in composer && '/v1/exercises/{slug}/bundle' in composer)
  })

  test('the reference page has a script that is cached for a year', async () => {
    const page = await core.get('/docs')
    const address = /src="(docs\/reference\.js\?v=[\d.]+)"/.exec(page.text)?.[1]
    const script = await core.get(`/${address}`)
    assert.equal(script.status, 200)
    assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
    assert.match(script.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    assert.ok(script.text.length > 1_000_000)
  })

  // A browser with the whole reference takes six seconds, of the two minutes that all tests have.
  const inSoak = soakRuns(1) > 1
  const skip =
    (!inSoak && 'opened in a browser by the soak') ||
    (CHROMIUM === undefined && 'no Chromium on this machine: the page was not opened')
  test('the reference page shows the operations, tries one out, and sends nothing to other hosts', {
    skip,
  }, async () => {
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: FLAGS.split(' ') })
    const page = await browser.newPage()
    page.setDefaultTimeout(20_000)
    const foreign: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(core.url) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))

    await page.goto(`${core.url}/docs`)
    await page.getByRole('link', { name: 'Organizations', exact: true }).click()
    await page.getByRole('link', { name: /^Create an organization/ }).waitFor()

    await page.getByRole('link', { name: /^Get the health of the service/ }).click()
    await page.getByRole('button', { name: /Test Request\s*\(get \/health\)/ }).click()
    const [tried] = await Promise.all([
      page.waitForResponse(`${core.url}/health`),
      page.getByRole('button', { name: /^Send get request/ }).click(),
    ])
    assert.equal(tried.status(), 200)

    for (const service of ['composer', 'telemetry']) {
      await page.goto(`${core.url}/docs?api=${service}`)
      await page.getByRole('heading', { name: `Tendon ${service}` }).waitFor()
    }

    assert.deepEqual(foreign, [])
    assert.deepEqual(complaints, [])
  })
})
