import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { subjectOf } from './accounts.ts'
import { authorizationRequest, createBrowser } from './browser.ts'
import { mintSessionToken } from './session-token.ts'
import { AUDIENCE, CALLBACK, startTestIdentity, type TestIdentity, WEB } from './test-identity.ts'

describe('the local identity provider', () => {
  let identity: TestIdentity

  before(async () => {
    identity = await startTestIdentity()
  })

  after(() => identity.stop())

  const getJson = async (path: string) =>
    (await (await fetch(`${identity.issuer}${path}`)).json()) as Record<string, unknown>

  const mint = (request: { email: string; emailVerified?: boolean; ttlSeconds?: number; dataDir?: string }) =>
    mintSessionToken({ dataDir: identity.dataDir, issuer: identity.issuer, audience: AUDIENCE, ...request })

  test('discovery and the public signing key are served, the private key is not', async () => {
    const discovery = await getJson('/.well-known/openid-configuration')
    assert.equal(discovery.issuer, identity.issuer)
    assert.equal(discovery.jwks_uri, `${identity.issuer}/jwks`)
    assert.deepEqual(discovery.code_challenge_methods_supported, ['S256'])
    const { keys } = (await getJson('/jwks')) as { keys: object[] }
    assert.deepEqual(
      keys.map((key) => Object.keys(key).sort()),
      [['alg', 'e', 'kid', 'kty', 'n', 'use']],
    )
    assert.equal((await stat(join(identity.dataDir, 'identity', 'keys.json'))).mode & 0o777, 0o600)
  })

  test('a demo person signs in with one button and the API gets a JWT that names them', async () => {
    const email = 'ana.ionescu@mladita.example'
    const tokens = await identity.signIn({ email })
    const { payload } = await identity.verify(tokens.access_token)
    const { iat = 0, exp = 0, jti, ...claims } = payload
    assert.deepEqual(claims, {
      iss: identity.issuer,
      aud: AUDIENCE,
      sub: subjectOf(email),
      email,
      email_verified: true,
      name: 'Ana Ionescu',
      client_id: 'tendon-web',
      scope: 'openid profile email',
    })
    assert.equal(exp - iat, 3600)
    assert.ok(jti)
    assert.equal(tokens.scope, 'openid profile email')
    assert.equal(decodeJwt(tokens.id_token).aud, 'tendon-web')
    assert.equal(decodeJwt(tokens.id_token).name, 'Ana Ionescu')
  })

  test('anyone else signs in with an e-mail and a name, the local part by default', async () => {
    const named = decodeJwt(
      (await identity.signIn({ email: ' Stefan@Mail.Example', name: 'Ștefan O’Neil' })).access_token,
    )
    assert.equal(named.email, 'stefan@mail.example')
    assert.equal(named.name, 'Ștefan O’Neil')
    assert.equal(named.email_verified, true)
    const unnamed = decodeJwt((await identity.signIn({ email: 'jo.smith@mail.example', name: '' })).access_token)
    assert.equal(unnamed.name, 'jo.smith')
  })

  test('a minted session token is verified by the same key and has the same claims', async () => {
    const email = 'emily.carter@mladita.example'
    const signedIn = (await identity.signIn({ email })).access_token
    const minted = await mint({ email })
    const { payload } = await identity.verify(minted)
    const { exp = 0, iat = 0, jti, ...claims } = payload
    const { exp: _exp, iat: _iat, jti: _jti, ...expected } = decodeJwt(signedIn)
    assert.deepEqual(claims, expected)
    assert.deepEqual(decodeProtectedHeader(minted), decodeProtectedHeader(signedIn))
    assert.equal(exp - iat, 3600)
    assert.ok(jti)
  })

  test('a session token can be minted unverified or expired, but not without an e-mail', async () => {
    assert.equal(decodeJwt(await mint({ email: 'x@y.example', emailVerified: false })).email_verified, false)
    const expired = await mint({ email: 'x@y.example', ttlSeconds: -60 })
    await assert.rejects(identity.verify(expired), { code: 'ERR_JWT_EXPIRED' })
    await assert.rejects(mint({ email: 'nobody' }), /is not an e-mail address/)
  })

  test('a hostile e-mail is refused and shown escaped, typed or hinted', async () => {
    const hostile = '"><script>alert(1)</script>@x.example'
    const browser = createBrowser()
    const hinted = await identity.openSignIn(browser, { login_hint: hostile })
    const typed = await browser.visit(hinted.at, { email: hostile, name: hostile })
    assert.equal(typed.response.status, 400)
    for (const { response } of [hinted, typed]) {
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      const html = await response.text()
      assert.doesNotMatch(html, /<script/)
      assert.match(html, /value="&quot;&gt;&lt;script&gt;alert\(1\)/)
      assert.doesNotMatch(html, /https?:\/\//)
    }
  })

  test('an unknown redirect_uri is refused on the page, never followed', async () => {
    const { response, left } = await createBrowser().visit(
      authorizationRequest(identity.issuer, 'http://evil.example/').url,
    )
    assert.equal(response.status, 400)
    assert.equal(left, undefined)
    assert.match(await response.text(), /redirect_uri/)
  })

  test('a request without PKCE is refused', async () => {
    const url = new URL(authorizationRequest(identity.issuer, CALLBACK).url)
    url.searchParams.delete('code_challenge')
    url.searchParams.delete('code_challenge_method')
    const { left } = await createBrowser().visit(url.href)
    assert.equal(left?.searchParams.get('error'), 'invalid_request')
  })

  test('the token endpoint answers the web origin and no other', async () => {
    for (const [origin, allowed] of [
      [WEB, WEB],
      ['http://evil.example', null],
    ] as const) {
      const body = new URLSearchParams({ client_id: 'tendon-web' })
      const response = await fetch(`${identity.issuer}/token`, { method: 'POST', headers: { origin }, body })
      assert.equal(response.headers.get('access-control-allow-origin'), allowed)
    }
  })

  test('the signing key survives a restart', async () => {
    const { access_token: old } = await identity.signIn({ email: 'newcomer@tendon.example' })
    await identity.restart()
    assert.equal((await identity.verify(old)).payload.name, 'Nora Newcomer')
  })

  test('ten first starts at once agree on one signing key', async () => {
    const dataDir = join(identity.dataDir, 'fresh')
    const tokens = await Promise.all(Array.from({ length: 10 }, () => mint({ dataDir, email: 'a@b.example' })))
    assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1)
    assert.deepEqual(await readdir(join(dataDir, 'identity')), ['keys.json'])
  })
})
