import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { WebApp } from '@tendon/contracts'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { openBrowser } from './browser.testing.ts'
import { startProvider, type TestProvider } from './provider.testing.ts'

describe('sessions of the web apps', () => {
  let core: TestCore
  let provider: TestProvider
  let clinic: TestOrganization
  before(async () => {
    const { issuer } = await sharedCore()
    provider = await startProvider(issuer)
    const env = { AUTH_ISSUER: provider.issuer, AUTH_JWKS_URL: issuer.jwksUrl }
    core = await sharedCore({ env })
    clinic = await (await sharedCore()).organization()
  })
  after(async () => {
    await core.close()
    await provider.close()
  })

  const browserOf = (app: WebApp, at = core) => openBrowser(at, provider, app)
  const newPerson = () => ({ sub: randomUUID(), email: `${randomUUID()}@mail.example` })

  async function signedIn(app: WebApp, person = newPerson()) {
    const browser = browserOf(app)
    await browser.signIn(person)
    const me = await browser.get('/v1/me')
    return { browser, person, id: String(me.body?.data?.principal_id ?? ''), me }
  }

  const join = (id: string, role = 'specialist') =>
    core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
      [clinic.id, id, clinic.roles[role]],
    )
  const makeOperator = (id: string) =>
    core.database.query('insert into platform_memberships (principal_id) values ($1)', [id])

  describe('sign-in', () => {
    test('sign-in ends on the requested page, with a cookie that no script can read', async () => {
      const browser = browserOf('console')
      const done = await browser.signIn(newPerson(), '/console/mladita/patients?page=2')
      assert.deepEqual([done.status, done.headers.get('location')], [303, '/console/mladita/patients?page=2'])
      const [cookie = ''] = done.headers.getSetCookie().filter((value) => value.startsWith('tendon_console='))
      assert.match(cookie, /^tendon_console=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/i)
      assert.equal((await browser.get('/v1/me')).status, 200)
    })

    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/portal/x',
      '/console//evil.example',
      'x',
    ])
      test(`sign-in never leads to ${to}`, async () => {
        const done = await browserOf('console').signIn(newPerson(), to)
        assert.equal(done.headers.get('location'), '/console/')
      })

    test('a new sign-in creates a new session id, whatever cookie the browser sends', async () => {
      const { browser, person } = await signedIn('console')
      const first = browser.cookies.get('tendon_console')
      await browser.signIn(person)
      assert.notEqual(browser.cookies.get('tendon_console'), first)
    })

    const statusOf = async (app: WebApp, id: string | undefined) =>
      (await core.get('/v1/me', { headers: { cookie: `tendon_${app}=${id}`, 'x-tendon-web': app } })).status

    test('sign-in ends the session that it replaces, also when that one is of somebody else', async () => {
      const { browser, person } = await signedIn('console')
      for (const next of [person, newPerson()]) {
        const replaced = browser.cookies.get('tendon_console')
        await browser.signIn(next)
        assert.deepEqual(
          [await statusOf('console', replaced), await statusOf('console', browser.cookies.get('tendon_console'))],
          [401, 200],
        )
      }
    })

    test('sign-in leaves the sessions of other browsers and apps alone', async () => {
      const { browser, person } = await signedIn('console')
      const { browser: phone } = await signedIn('console', person)
      const { browser: portal } = await signedIn('portal', person)
      browser.cookies.set('tendon_portal', portal.cookies.get('tendon_portal') ?? '')
      await browser.signIn(person)
      assert.deepEqual([(await phone.get('/v1/me')).status, (await portal.get('/v1/me')).status], [200, 200])
    })

    test('that fails leaves the session as it was', async () => {
      const { browser } = await signedIn('console')
      provider.bend.claims = { nonce: 'another' }
      await browser.signIn(newPerson()).finally(() => {
        provider.bend.claims = {}
      })
      assert.equal((await browser.get('/v1/me')).status, 200)
    })

    test('a session id that somebody planted in the browser never becomes a session', async () => {
      const planted = 'A'.repeat(43)
      const browser = browserOf('console')
      browser.cookies.set('tendon_console', planted)
      await browser.signIn(newPerson())
      assert.notEqual(browser.cookies.get('tendon_console'), planted)
      assert.equal(await statusOf('console', planted), 401)
    })

    test('a callback that this browser did not request starts no session', async () => {
      const attacker = browserOf('console')
      const left = await attacker.navigate('/auth/sign-in?app=console')
      const callback = provider.approve(left.headers.get('location') ?? '', newPerson())
      const victim = browserOf('console')
      const done = await victim.navigate(callback)
      assert.equal(done.headers.get('location'), '/console/?sign_in=expired')
      assert.equal(victim.cookies.has('tendon_console'), false)
    })

    for (const [what, claims] of Object.entries({
      'another nonce': { nonce: 'another' },
      'no nonce': { nonce: undefined },
      'another audience': { aud: 'somebody-else' },
      'another issuer': { iss: 'https://evil.example' },
      'two audiences and another party': { aud: ['tendon-web', 'other'], azp: 'other' },
      'no subject': { sub: undefined },
    }))
      test(`an ID token with ${what} starts no session`, async () => {
        provider.bend.claims = claims
        const browser = browserOf('portal')
        const done = await browser.signIn(newPerson()).finally(() => {
          provider.bend.claims = {}
        })
        assert.equal(done.headers.get('location'), '/portal/?sign_in=failed')
        assert.equal(browser.cookies.has('tendon_portal'), false)
      })

    test('a cancelled sign-in goes back to the app', async () => {
      const browser = browserOf('portal')
      const left = await browser.navigate('/auth/sign-in?app=portal')
      const state = new URL(left.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const done = await browser.navigate(`/auth/callback?error=access_denied&state=${state}`)
      assert.equal(done.headers.get('location'), '/portal/?sign_in=cancelled')
    })

    test('sign-in with a known address has it filled in at the provider, in the language of the page', async () => {
      const browser = browserOf('portal')
      const person = { ...newPerson(), email: 'ana+portal&state=x@mail.example' }
      const body = { app: 'portal', to: '/portal/mladita', login_hint: person.email, language: 'ro' }
      const left = await browser.post('/auth/sign-in', body)
      assert.equal(left.status, 200, left.text)
      const { searchParams } = new URL(left.body.location)
      assert.deepEqual(
        ['login_hint', 'ui_locales', 'prompt'].map((name) => searchParams.getAll(name)),
        [[person.email], ['ro'], []],
      )
      assert.equal(searchParams.getAll('state').length, 1)
      const done = await browser.navigate(provider.approve(left.body.location, person))
      assert.equal(done.headers.get('location'), '/portal/mladita')
      assert.equal((await browser.get('/v1/me')).body.data.email, person.email)
    })

    test('sign-in with something that is no address is refused (422), and a URL carries none', async () => {
      const browser = browserOf('portal')
      const refused = await browser.post('/auth/sign-in', { app: 'portal', login_hint: 'ana' })
      assert.deepEqual([refused.status, browser.cookies.size], [422, 0])
      const left = await browser.navigate('/auth/sign-in?app=portal&login_hint=mallory@mail.example')
      assert.ok(!(left.headers.get('location') ?? '').includes('mallory'))
    })

    test('sign-in is recorded in the audit log', async () => {
      const { id } = await signedIn('portal')
      const rows = await core.database.query(
        `select organization_id from audit_log where action = 'me.sign_in' and actor_principal_id = $1`,
        [id],
      )
      assert.deepEqual(rows, [{ organization_id: null }])
    })
  })

  describe('the cookie', () => {
    test('the cookie is good only for the app that X-Tendon-Web names', async () => {
      const { browser } = await signedIn('console')
      assert.equal((await browser.get('/v1/me', { 'x-tendon-web': 'portal' })).status, 401)
      assert.equal((await browser.get('/v1/me', { 'x-tendon-web': 'elsewhere' })).status, 401)
      assert.equal((await browser.get('/v1/me', { 'x-tendon-web': '' })).status, 401)
    })

    test('the cookie under the name of another app is no session', async () => {
      const { browser } = await signedIn('portal')
      browser.cookies.set('tendon_console', browser.cookies.get('tendon_portal') ?? '')
      assert.equal((await browser.get('/v1/me', { 'x-tendon-web': 'console' })).status, 401)
    })

    test('the cookie makes no write without X-Tendon-Web (403 cross_site)', async () => {
      const { browser } = await signedIn('console')
      const answer = await browser.patch('/v1/me', { name: 'Mallory' }, { 'x-tendon-web': '' })
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'cross_site'])
    })

    for (const site of ['cross-site', 'same-site', 'none'])
      test(`the cookie makes no write when the browser says ${site} (403 cross_site)`, async () => {
        const { browser } = await signedIn('console')
        const answer = await browser.patch('/v1/me', { name: 'Mallory' }, { 'sec-fetch-site': site })
        assert.deepEqual([answer.status, answer.body.error.code], [403, 'cross_site'])
        assert.notEqual((await browser.get('/v1/me')).body.data.name, 'Mallory')
      })

    test('the cookie writes from a browser that sends no Sec-Fetch-Site', async () => {
      const { browser } = await signedIn('console')
      assert.equal((await browser.patch('/v1/me', { name: 'Ana' }, { 'sec-fetch-site': '' })).status, 200)
    })

    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'not an origin'])
      test(`the cookie makes no write from a page of ${origin} (403 cross_site)`, async () => {
        const { browser } = await signedIn('console')
        for (const site of ['', 'same-origin']) {
          const answer = await browser.patch('/v1/me', { name: 'Mallory' }, { origin, 'sec-fetch-site': site })
          assert.deepEqual([answer.status, answer.body.error.code], [403, 'cross_site'])
          assert.equal(
            (await browser.post('/auth/sign-out', undefined, { origin, 'sec-fetch-site': site })).status,
            403,
          )
        }
        assert.notEqual((await browser.get('/v1/me', { origin })).body.data.name, 'Mallory')
      })

    test('the cookie writes from the host of the request, which may be a domain of a clinic, and from the configured ones', async () => {
      const { browser } = await signedIn('console')
      for (const [origin, host] of [
        [core.url, ''],
        ['https://exercitii.mladita.example', 'exercitii.mladita.example'],
        [new URL(core.config.publicUrl).origin, 'rewritten-by-a-proxy'],
      ] as const)
        assert.equal((await browser.patch('/v1/me', { name: 'Ana' }, { origin, host })).status, 200, origin)
    })

    test('the cookie is not needed by a token, which any origin may send', async () => {
      const { person } = await signedIn('console')
      const token = await provider.sign({ sub: person.sub, aud: core.config.AUTH_AUDIENCE })
      for (const origin of ['https://evil.example', 'null']) {
        const headers = { origin, authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' }
        const answer = await core.patch('/v1/me', { headers, body: { name: 'Ana' } })
        assert.equal(answer.status, 200, answer.text)
      }
    })

    test('the cookie is ignored when there is an Authorization header', async () => {
      const { browser } = await signedIn('console')
      assert.equal((await browser.get('/v1/me', { authorization: 'Bearer wrong' })).status, 401)
      const { token, id } = await core.signIn({ sub: randomUUID() }).catch(() => ({ token: '', id: '' }))
      if (token)
        assert.equal((await browser.get('/v1/me', { authorization: `Bearer ${token}` })).body.data.principal_id, id)
    })

    test('no preflight is answered', async () => {
      const answer = await core.call('OPTIONS', '/v1/me', {
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' },
      })
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.equal(answer.status, 405)
    })

    test('the cookie costs one statement a request where nothing is kept of earlier requests', async () => {
      const env = { AUTH_ISSUER: provider.issuer, AUTH_JWKS_URL: core.issuer.jwksUrl, CALLER_CACHE_MS: '0' }
      const uncached = await sharedCore({ env })
      const browser = browserOf('console', uncached)
      await browser.signIn(newPerson())
      const { db } = uncached.services
      const texts: string[] = []
      for (const way of ['call', 'lookUp'] as const)
        Object.assign(db, {
          [way]: (text: string, values: unknown[]) => {
            texts.push(text)
            return Object.getPrototypeOf(db)[way].call(db, text, values)
          },
        })
      await browser.get('/v1/me/sessions')
      for (const way of ['call', 'lookUp']) Reflect.deleteProperty(db, way)
      await uncached.close()
      assert.equal(texts.length, 1, texts.join('\n'))
    })
  })

  describe('rights', () => {
    test('rights in the portal are a patient’s only, also of staff', async () => {
      const { id, person } = await signedIn('portal')
      await join(id, 'admin')
      const record = await core.patient(clinic, { ...person, id, name: '', token: '' })
      await core.acceptAll(record)
      const { browser, me } = await signedIn('portal', person)
      const { data } = me.body
      assert.deepEqual([data.is_superadmin, data.permissions, data.memberships], [false, [], []])
      assert.deepEqual(
        data.patient_records.map((own: { organization: { slug: string } }) => own.organization.slug),
        [clinic.slug],
      )
      const headers = { 'x-organization-id': clinic.id }
      assert.equal((await browser.get('/v1/patients', headers)).status, 403)
      assert.equal((await browser.get('/v1/organizations', headers)).status, 200)
      assert.equal((await browser.get(`/v1/organizations/${clinic.id}/members`)).status, 403)
      assert.equal((await browser.post('/v1/organizations', { name: 'X', slug: 'x-y' })).status, 403)
    })

    test('rights in the console are a member’s', async () => {
      const { id, browser } = await signedIn('console')
      await join(id)
      const { data } = (await browser.get('/v1/me')).body
      assert.deepEqual([data.is_superadmin, data.memberships.length], [false, 1])
      assert.equal((await browser.get('/v1/patients')).status, 200)
    })

    for (const app of ['console', 'portal'] as const)
      test(`in the ${app} an operator is not one`, async () => {
        const { id, person } = await signedIn(app)
        await makeOperator(id)
        const { browser, me } = await signedIn(app, person)
        assert.deepEqual([me.body.data.is_superadmin, me.body.data.permissions], [false, []])
        assert.equal((await browser.post('/v1/organizations', { name: 'X', slug: 'x-y' })).status, 403)
        assert.equal((await browser.get(`/v1/organizations/${clinic.id}`)).status, 403)
      })

    test('rights on the platform are for operators only', async () => {
      const person = newPerson()
      const refused = await browserOf('platform').signIn(person)
      assert.equal(refused.headers.get('location'), '/platform/?sign_in=not_operator')
      assert.deepEqual(
        refused.headers.getSetCookie().filter((cookie) => cookie.startsWith('tendon_platform=')),
        [],
      )
      const { id: real } = await signedIn('console', person)
      await makeOperator(real)
      const operator = await signedIn('platform', person)
      assert.equal(operator.me.body.data.is_superadmin, true)
      await core.database.query('delete from platform_memberships where principal_id = $1', [real])
      assert.equal((await operator.browser.get('/v1/me')).status, 403)
    })

    test('two clinics in two tabs: each request is in the clinic that it names', async () => {
      const other = await (await sharedCore()).organization()
      const { id, browser } = await signedIn('console')
      await join(id)
      await core.database.query(
        'insert into organization_memberships (organization_id, principal_id, role_id, joined_at) values ($1, $2, $3, now())',
        [other.id, id, other.roles.admin],
      )
      const here = (at: string) => browser.get('/v1/me', { 'x-organization-id': at })
      const answers = await Promise.all([here(clinic.id), here(other.id), here(clinic.id)])
      assert.deepEqual(
        answers.map((answer) => answer.body.data.current_organization.id),
        [clinic.id, other.id, clinic.id],
      )
    })
  })

  describe('the end of a session', () => {
    const age = (id: string, column: string, by: string) =>
      core.database.query(
        `update web_sessions s set ${column} = ${column} - $2::interval from identities i
         where i.issuer = s.issuer and i.subject = s.subject and i.human_id = $1`,
        [id, by],
      )

    for (const [app, idle, longest] of [
      ['console', '29 minutes', '11 hours 59 minutes'],
      ['platform', '29 minutes', '11 hours 59 minutes'],
      ['portal', '13 days', '13 days'],
    ] as const)
      test(`${app}: after its idle time and after its maximum time`, async () => {
        const person = newPerson()
        const { id } = await signedIn('console', person)
        if (app === 'platform') await makeOperator(id)
        await core.database.query('delete from web_sessions where subject = $1', [person.sub])
        const { browser } = await signedIn(app, person)
        await age(id, 'seen_at', idle)
        assert.equal((await browser.get('/v1/me')).status, 200)
        await age(id, 'seen_at', idle)
        assert.equal((await browser.get('/v1/me')).status, 200, 'the request before renewed it')
        await age(id, 'seen_at', '15 days')
        assert.equal((await browser.get('/v1/me')).status, 401)
        const again = await signedIn(app, person)
        await age(id, 'expires_at', longest)
        assert.equal((await again.browser.get('/v1/me')).status, 200)
        await age(id, 'expires_at', '1 day')
        assert.equal((await again.browser.get('/v1/me')).status, 401)
      })

    test('signing out ends the session for every tab, clears the cookie, and leads to the provider', async () => {
      const { browser } = await signedIn('console')
      const tab = new Map(browser.cookies)
      const answer = await browser.post('/auth/sign-out')
      const location = new URL(answer.body.location)
      assert.equal(location.origin + location.pathname, `${provider.issuer}/end`)
      assert.equal(browser.cookies.has('tendon_console'), false)
      const headers = { cookie: `tendon_console=${tab.get('tendon_console')}`, 'x-tendon-web': 'console' }
      assert.equal((await core.get('/v1/me', { headers })).status, 401)
    })

    test('another site cannot sign anybody out', async () => {
      const { browser } = await signedIn('console')
      assert.equal((await browser.post('/auth/sign-out', undefined, { 'x-tendon-web': '' })).status, 403)
      assert.equal((await browser.post('/auth/sign-out', undefined, { 'sec-fetch-site': 'cross-site' })).status, 403)
      assert.equal((await browser.get('/v1/me')).status, 200)
    })

    test('people see their sessions, end one, and end all', async () => {
      const person = newPerson()
      const { browser: phone } = await signedIn('portal', person)
      const { browser: laptop } = await signedIn('portal', person)
      const stranger = await signedIn('portal')
      const { data } = (await laptop.get('/v1/me/sessions')).body
      assert.equal(data.length, 2)
      const other = data.find((session: { current: boolean }) => !session.current)
      assert.equal((await stranger.browser.delete(`/v1/me/sessions/${other.id}`)).status, 404)
      assert.equal((await laptop.delete(`/v1/me/sessions/${other.id}`)).status, 204)
      assert.deepEqual([(await phone.get('/v1/me')).status, (await laptop.get('/v1/me')).status], [401, 200])
      const { browser: tablet } = await signedIn('portal', person)
      assert.equal((await tablet.delete('/v1/me/sessions')).status, 204)
      assert.deepEqual([(await tablet.get('/v1/me')).status, (await laptop.get('/v1/me')).status], [401, 401])
      assert.equal((await stranger.browser.get('/v1/me')).status, 200)
    })

    test('a member with a clinic in context can end their sessions', async () => {
      const { id, person, browser } = await signedIn('console')
      await join(id)
      const { browser: other } = await signedIn('console', person)
      const headers = { 'x-organization-id': clinic.id }
      const { data } = (await browser.get('/v1/me/sessions', headers)).body
      const session = data.find(({ current }: { current: boolean }) => !current)
      assert.equal((await browser.delete(`/v1/me/sessions/${session.id}`, headers)).status, 204)
      assert.equal((await other.get('/v1/me')).status, 401)
      assert.equal((await browser.delete('/v1/me/sessions', headers)).status, 204)
      assert.equal((await browser.get('/v1/me')).status, 401)
    })

    test('erasing the account ends its sessions', async () => {
      const { id, person } = await signedIn('portal')
      await core.acceptAll(await core.patient(clinic, { ...person, id, name: '', token: '' }))
      const { browser } = await signedIn('portal', person)
      const erased = await browser.post('/v1/me/erase', { confirm: 'ERASE' })
      assert.ok([200, 202, 204].includes(erased.status), `${erased.status} ${erased.text}`)
      assert.equal((await browser.get('/v1/me')).status, 401)
    })
  })

  describe('back-channel logout', () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const logout = (logout_token: string) =>
      core.call('POST', '/auth/backchannel-logout', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token }).toString(),
      })

    test('back-channel logout ends the sessions of the person that the provider names', async () => {
      const { browser, person } = await signedIn('console')
      const { browser: other } = await signedIn('console')
      const token = await provider.sign({ sub: person.sub, jti: randomUUID(), events })
      assert.equal((await logout(token)).status, 200)
      assert.deepEqual([(await browser.get('/v1/me')).status, (await other.get('/v1/me')).status], [401, 200])
    })

    for (const [what, claims] of Object.entries({
      'no event': { events: {} },
      'a nonce': { events, nonce: 'x' },
      'nobody named': { events, sub: undefined },
      'another audience': { events, aud: 'other' },
    }))
      test(`a token with ${what} is refused (400) and ends nothing`, async () => {
        const { browser, person } = await signedIn('console')
        const token = await provider.sign({ sub: person.sub, jti: randomUUID(), ...claims })
        const answer = await logout(token)
        assert.deepEqual([answer.status, answer.body.error.code], [400, 'logout_token_invalid'])
        assert.equal((await browser.get('/v1/me')).status, 200)
      })
  })
})
