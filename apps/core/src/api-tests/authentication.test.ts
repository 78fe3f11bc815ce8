import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { startIssuer, TEST_AUDIENCE } from '@tendon/testing'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { sharedCore, type TestCore } from '../testing/core.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('authentication', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const claims = () => ({
    iss: core.issuer.issuer,
    aud: TEST_AUDIENCE,
    sub: randomUUID(),
    exp: Math.floor(Date.now() / 1000) + 600,
  })

  const badTokens: Record<string, () => Promise<string> | string> = {
    'no token at all': () => '',
    'not a JWT': () => 'hello',
    'two parts only': () => `${part({ alg: 'RS256' })}.${part(claims())}`,
    'five parts (encrypted form)': () => 'a.b.c.d.e',
    'alg none': () => new UnsecuredJWT(claims()).encode(),
    'alg none in capitals': () => `${part({ alg: 'NONE' })}.${part(claims())}.`,
    'an empty signature': async () => `${(await core.issuer.sign(claims())).split('.').slice(0, 2).join('.')}.`,
    'a changed payload': async () => {
      const [head, , signature] = (await core.issuer.sign(claims())).split('.')
      return `${head}.${part({ ...claims(), sub: 'somebody-else' })}.${signature}`
    },
    'HS256 keyed with the public key': async () => {
      const key = new TextEncoder().encode(await exportSPKI(core.issuer.publicKey))
      return new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'test' }).sign(key)
    },
    'a key of their own in the header (jwk)': async () => {
      const own = await generateKeyPair('RS256', { extractable: true })
      const jwk = await exportJWK(own.publicKey)
      return new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', jwk }).sign(own.privateKey)
    },
    'a key set of their own in the header (jku)': async () => {
      const evil = await startIssuer({ ownKey: true })
      const token = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'RS256', kid: 'test', jku: evil.jwksUrl })
        .sign(evil.privateKey)
      await evil.close()
      return token
    },
    'another issuer’s key under our issuer’s name': async () => {
      const other = await generateKeyPair('RS256')
      return new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(other.privateKey)
    },
    'an algorithm that is not on the list (PS256)': async () => {
      const own = await generateKeyPair('PS256')
      return new SignJWT(claims()).setProtectedHeader({ alg: 'PS256', kid: 'test' }).sign(own.privateKey)
    },
    'an unknown kid': () => core.issuer.sign(claims(), { kid: '../../etc/passwd' }),
    'a critical header that nobody knows': async () =>
      `${part({ alg: 'RS256', kid: 'test', crit: ['x'], x: 1 })}.${(await core.issuer.sign(claims())).split('.').slice(1).join('.')}`,
    'another issuer': () => core.issuer.sign({ ...claims(), iss: 'https://evil.example' }),
    'another audience': () => core.issuer.sign({ ...claims(), aud: 'someone-else' }),
    expired: () => signed({ exp: Math.floor(Date.now() / 1000) - 60 }),
    'not valid yet': () => signed({ nbf: Math.floor(Date.now() / 1000) + 600 }),
    'no expiry': () => signed({ exp: undefined }),
    'no subject': () => signed({ sub: undefined }),
    'an empty subject': () => signed({ sub: '' }),
    'a subject with NUL': () => signed({ sub: 'a\0b' }),
    'a subject of 300 characters': () => signed({ sub: 'x'.repeat(300) }),
    'a token of 10 KB': () => signed({ filler: 'x'.repeat(7_500) }),
    'an API key that does not exist': () => `tk_${'a'.repeat(43)}`,
  }
  const signed = (changed: Record<string, unknown>) =>
    new SignJWT({ ...claims(), ...changed })
      .setProtectedHeader({ alg: 'RS256', kid: 'test' })
      .sign(core.issuer.privateKey)

  for (const [name, make] of Object.entries(badTokens)) {
    test(`${name}: 401, the same answer for every cause`, async () => {
      const token = await make()
      const answer = await core.get('/v1/me', token ? { as: { token } } : {})
      assert.equal(answer.status, 401, answer.text)
      assert.equal(answer.body.error.code, 'unauthenticated')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      const plain = await core.get('/v1/me')
      assert.deepEqual(answer.body, plain.body)
    })
  }

  test('headers over 16 KB are refused in the envelope (431)', async () => {
    const answer = await core.rawCall('GET', '/v1/me', { authorization: `Bearer ${'x'.repeat(20_000)}` })
    assert.deepEqual([answer.status, answer.body.error.code], [431, 'headers_too_large'])
  })

  test('another scheme than Bearer is refused', async () => {
    const { token } = await core.signIn()
    for (const value of [`Basic ${token}`, `Bearer  ${token} x`, token, 'Bearer']) {
      assert.equal((await core.get('/v1/me', { headers: { authorization: value } })).status, 401, value)
    }
  })

  test('a repeated Authorization header is refused', async () => {
    const { token } = await core.signIn()
    const answer = await core.rawCall('GET', '/v1/me', { authorization: [`Bearer ${token}`, `Bearer ${token}`] })
    assert.equal(answer.status, 401)
  })

  test('the first request creates the human, and fifty at once create one', async () => {
    const sub = randomUUID()
    const token = await core.issuer.sign({ sub, email: `${sub}@mail.example`, email_verified: true, name: 'Ioana' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => core.get('/v1/me', { as: { token } })))
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
    assert.equal(new Set(answers.map((answer) => answer.body.data.principal_id)).size, 1)
    const [{ count } = { count: 0 }] = await core.database.query<{ count: string }>(
      'select count(*) from humans where email = $1',
      [`${sub}@mail.example`],
    )
    assert.equal(Number(count), 1)
  })

  test('an e-mail address verified by one human is never taken over by another who also claims it', async () => {
    const email = `${randomUUID()}@mail.example`
    const first = await core.signIn({ email })
    const second = await core.signIn({ email })
    assert.notEqual(first.id, second.id)
    assert.equal((await core.get('/v1/me', { as: first })).body.data.email_verified, true)
    assert.equal((await core.get('/v1/me', { as: second })).body.data.email_verified, false)
  })

  test('an e-mail address changed at the provider reaches the human on the next request', async () => {
    const sub = randomUUID()
    const before = await core.signIn({ sub, email: `old-${sub}@mail.example` })
    const after = await core.signIn({ sub, email: `new-${sub}@mail.example` })
    assert.equal(after.id, before.id)
    assert.equal((await core.get('/v1/me', { as: after })).body.data.email, `new-${sub}@mail.example`)
  })

  test('while the issuer’s keys are unavailable, the answer is 503, not 401', async () => {
    const lonely = await sharedCore({ env: { AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks' } })
    const answer = await lonely.get('/v1/me', { as: { token: await lonely.issuer.sign({ sub: 'x' }) } })
    assert.equal(answer.status, 503, answer.text)
    assert.ok(answer.headers.get('retry-after'))
    await lonely.close()
  })
})

describe('organization context', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('the header wins, then the current organization, then the first membership', async () => {
    const first = await core.organization({ name: 'First' })
    const second = await core.organization({ name: 'Second' })
    const person = await core.member(first, 'specialist')
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [second.id, person.id, second.roles.admin],
    )
    const current = async (headers = {}) =>
      (await core.get('/v1/me', { as: person, headers })).body.data.current_organization.name
    assert.equal(await current(), 'First')
    assert.equal(await current({ 'x-organization-id': second.id }), 'Second')
    assert.equal(
      (await core.put('/v1/me/switch-organization', { as: person, body: { organization_id: second.id } })).status,
      200,
    )
    assert.equal(await current(), 'Second')
    await core.database.query('delete from organization_memberships where organization_id = $1 and principal_id = $2', [
      second.id,
      person.id,
    ])
    assert.equal(await current(), 'First')
  })

  test('a header naming an organization of others is 403, whether or not it exists', async () => {
    const one = await core.organization()
    const other = await core.organization()
    const answers = await Promise.all(
      [other.id, randomUUID()].map((id) => core.get('/v1/me', { as: one.admin, headers: { 'x-organization-id': id } })),
    )
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [403, 403],
    )
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
  })

  test('a malformed or repeated header is 422', async () => {
    const { admin, id } = await core.organization()
    for (const value of ['x', `${id},${id}`, '', `${id}\u00e9`]) {
      const answer = await core.get('/v1/me', { as: admin, headers: { 'x-organization-id': value } })
      assert.equal(answer.status, 422, value)
      assert.ok(answer.body.error.fields['X-Organization-ID'])
    }
  })

  test('another organization in the URL is 403 organization_mismatch, whether or not it exists', async () => {
    const one = await core.organization()
    const other = await core.organization()
    const answers = await Promise.all(
      [other.id, randomUUID()].map((id) => core.get(`/v1/organizations/${id}`, { as: one.admin })),
    )
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.body.error.code]),
      [
        [403, 'organization_mismatch'],
        [403, 'organization_mismatch'],
      ],
    )
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
  })

  test('a person without an organization sees no rows', async () => {
    const newcomer = await core.signIn()
    const me = await core.get('/v1/me', { as: newcomer })
    assert.equal(me.body.data.current_organization, null)
    assert.deepEqual(me.body.data.permissions, [])
    assert.deepEqual((await core.get('/v1/organizations', { as: newcomer })).body, {
      data: [],
      pagination: { page: 1, limit: 50, total: 0 },
    })
  })

  test('revoked rights are gone on the next request', async () => {
    const { id, admin, roles } = await core.organization()
    const path = `/v1/organizations/${id}`
    await core.member({ id, roles }, 'admin')
    assert.equal((await core.patch(path, { as: admin, body: { name: 'Before' } })).status, 200)
    await core.database.query('update organization_memberships set role_id = $1 where principal_id = $2', [
      roles.specialist,
      admin.id,
    ])
    const refused = await core.patch(path, { as: admin, body: { name: 'After' } })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.error.required, 'organizations.update')
    await core.database.query('delete from organization_memberships where principal_id = $1', [admin.id])
    assert.equal((await core.get(path, { as: admin })).status, 403)
  })

  test('rights revoked while a slow body arrives are gone for that request', async () => {
    const { id, admin, roles } = await core.organization()
    await core.member({ id, roles }, 'admin')
    const body = JSON.stringify({ name: 'Too late' })
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(`${core.url}/v1/organizations/${id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      })
      sent.on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.write(body.slice(0, 3))
      setTimeout(async () => {
        await core.database.query('delete from organization_memberships where principal_id = $1', [admin.id])
        sent.end(body.slice(3))
      }, 700)
    })
    assert.equal(status, 403)
  })

  test('a superadmin acts in the organization of the URL, and gets 404 for one that does not exist', async () => {
    const { id } = await core.organization({ name: 'Seen' })
    const operator = await core.superadmin()
    assert.equal((await core.get(`/v1/organizations/${id}`, { as: operator })).body.data.name, 'Seen')
    const missing = await core.get(`/v1/organizations/${randomUUID()}`, { as: operator })
    assert.deepEqual([missing.status, missing.body.error.code], [404, 'organization_not_found'])
  })
})
