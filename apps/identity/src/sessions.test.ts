import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { type Browser, createBrowser } from './browser.ts'
import { startTestIdentity, type TestIdentity, WEB } from './test-identity.ts'

describe('sessions of the local identity provider', () => {
  let identity: TestIdentity

  before(async () => {
    identity = await startTestIdentity()
  })

  after(() => identity.stop())

  async function confirmSignOut(browser: Browser, page: Response) {
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    return browser.visit(`${identity.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
  }

  test('a refresh token works once; used again, it ends the whole grant', async () => {
    const first = await identity.signIn({ email: 'maria.stan@mail.example' })
    const second = await identity.refresh(first.refresh_token)
    assert.equal(second.status, 200)
    assert.notEqual(second.tokens.refresh_token, first.refresh_token)
    assert.equal((await identity.verify(second.tokens.access_token)).payload.name, 'Maria Stan')
    const third = await identity.refresh(second.tokens.refresh_token)
    assert.equal(third.status, 200)
    assert.equal((await identity.refresh(first.refresh_token)).tokens.error, 'invalid_grant')
    assert.equal((await identity.refresh(third.tokens.refresh_token)).tokens.error, 'invalid_grant')
  })

  test('a second sign-in in the same browser needs no page, nor does a request for consent', async () => {
    const browser = createBrowser()
    await identity.signIn({ email: 'ana.ionescu@mladita.example' }, browser)
    const silent = await identity.signIn({}, browser, { prompt: 'none' })
    assert.equal(decodeJwt(silent.access_token).name, 'Ana Ionescu')
    const consented = await identity.signIn({}, browser, { prompt: 'consent', scope: 'openid email offline_access' })
    assert.equal(consented.scope, 'openid email offline_access')
  })

  test('prompt=login lets another person take over the browser', async () => {
    const browser = createBrowser()
    await identity.signIn({ email: 'ana.ionescu@mladita.example' }, browser)
    const { at } = await identity.openSignIn(browser, { prompt: 'login' })
    const { response } = await browser.visit(at, { email: 'operator@tendon.example' })
    const { left } = await confirmSignOut(browser, response)
    assert.ok(left?.searchParams.get('code'))
    const next = await identity.signIn({}, browser, { prompt: 'none' })
    assert.equal(decodeJwt(next.access_token).name, 'Olivia Stone')
  })

  test('signing out ends the session and the refresh token and returns to the web', async () => {
    const browser = createBrowser()
    const tokens = await identity.signIn({ email: 'ioana.dumitru@mladita.example' }, browser)
    const query = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: `${WEB}/` })
    const { response } = await browser.visit(`${identity.issuer}/session/end?${query.toString()}`)
    const { left } = await confirmSignOut(browser, response)
    assert.equal(left?.href, `${WEB}/`)
    assert.equal((await identity.refresh(tokens.refresh_token)).tokens.error, 'invalid_grant')
    const silent = await identity.openSignIn(browser, { prompt: 'none' })
    assert.equal(silent.left?.searchParams.get('error'), 'login_required')
  })

  test('a cancelled sign-in goes back to the web with access_denied', async () => {
    const browser = createBrowser()
    const { at } = await identity.openSignIn(browser)
    const { left } = await browser.visit(at, { cancel: 'yes' })
    assert.equal(left?.searchParams.get('error'), 'access_denied')
  })

  test('a sign-in page opened by another browser or sent twice says what to do', async () => {
    const browser = createBrowser()
    const person = { email: 'ana.ionescu@mladita.example' }
    const { at } = await identity.openSignIn(browser)
    const stranger = await createBrowser().visit(at, person)
    await browser.visit(at, person)
    const twice = await browser.visit(at, person)
    for (const { response } of [stranger, twice]) {
      assert.equal(response.status, 400)
      assert.match(await response.text(), /sign in again/)
    }
  })
})
