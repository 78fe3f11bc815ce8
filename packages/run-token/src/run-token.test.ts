import assert from 'node:assert/strict'
import { createHmac, createSecretKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { jwtVerify, SignJWT } from 'jose'
import { mintRunToken, parseRunTokenKeys, type RunTokenKeys, verifyRunToken } from './index.ts'

const key = randomBytes(32)
const keys: RunTokenKeys = { current: 'k1', keys: new Map([['k1', createSecretKey(key)]]) }
const now = new Date('2026-11-15T10:00:00.000Z')
const seconds = now.getTime() / 1000
const run = { runId: randomUUID(), organizationId: randomUUID(), patientId: randomUUID(), pose: true }
const { token } = await mintRunToken(keys, run, now)
const [, headerSegment = '', payloadSegment = '', signatureSegment = ''] = token.split('.')

type Json = Record<string, unknown>
const decode = (segment: string): Json => JSON.parse(Buffer.from(segment, 'base64url').toString())
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = decode(headerSegment)
const claims = decode(payloadSegment)

/** A token with any header and payload, signed with our own key. */
const signed = (head: unknown, payload: unknown, secret: Buffer | string = key, hash = 'sha256') => {
  const text = `${encode(head)}.${encode(payload)}`
  return `v1.${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}
const verify = (given: string, at = now) => verifyRunToken(keys, given, at)

describe('the run token', () => {
  test('a minted token is verified with all its content', async () => {
    assert.match(token, /^v1\./)
    assert.deepEqual(header, { alg: 'HS256', typ: 'JWT', kid: 'k1' })
    assert.deepEqual(claims, {
      iss: 'platform-api',
      aud: 'platform-telemetry',
      sub: run.patientId,
      iat: seconds,
      exp: seconds + 5_400,
      run_id: run.runId,
      org_id: run.organizationId,
      patient_id: run.patientId,
      consents: { pose: true },
    })
    assert.deepEqual(verify(token), { ...run, expiresAt: (seconds + 5_400) * 1000 })
    assert.equal((await mintRunToken(keys, run, now)).expiresAt.toISOString(), '2026-11-15T11:30:00.000Z')
  })

  test('another JWT implementation agrees in both directions', async () => {
    const { payload } = await jwtVerify(token.slice(3), key, { algorithms: ['HS256'], currentDate: now })
    assert.equal(payload.run_id, run.runId)
    const theirs = await new SignJWT(claims).setProtectedHeader({ kid: 'k1', alg: 'HS256', typ: 'JWT' }).sign(key)
    assert.equal(verify(`v1.${theirs}`)?.runId, run.runId)
  })

  test('the run token is valid for 90 minutes, to the second', () => {
    assert.ok(verify(token, new Date(now.getTime() + 5_399_999)))
    assert.equal(verify(token, new Date(now.getTime() + 5_400_000)), undefined)
  })

  test('two keys are valid during a rotation, then only the new one', async () => {
    const next = createSecretKey(randomBytes(32))
    const both: RunTokenKeys = { current: 'k2', keys: new Map([['k2', next], ...keys.keys]) }
    const fresh = (await mintRunToken(both, run, now)).token
    assert.equal(decode(fresh.split('.')[1] ?? '').kid, 'k2')
    assert.ok(verifyRunToken(both, fresh, now))
    assert.ok(verifyRunToken(both, token, now))
    assert.equal(verifyRunToken(keys, fresh, now), undefined)
    const after: RunTokenKeys = { current: 'k2', keys: new Map([['k2', next]]) }
    assert.equal(verifyRunToken(after, token, now), undefined)
  })

  test('the keys come from one setting, the first signs', () => {
    const [a, b] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const parsed = parseRunTokenKeys(`new:${a},old:${b}`)
    assert.equal(parsed.current, 'new')
    assert.deepEqual([...parsed.keys.keys()], ['new', 'old'])
    assert.throws(() => parseRunTokenKeys('new:short'), /RUN_TOKEN_KEYS entry 1/)
  })

  test('consent is exactly `true`', () => {
    const posed = (consents: unknown) => verify(signed(header, { ...claims, consents }))?.pose
    assert.equal(posed({ pose: true }), true)
    for (const consents of [
      { pose: false },
      { pose: 'true' },
      { pose: 1 },
      { pose: [true] },
      {},
      [],
      null,
      true,
      'pose',
    ])
      assert.equal(posed(consents), false, JSON.stringify(consents))
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const heads: Record<string, unknown> = {
    'alg none': { ...header, alg: 'none' },
    'alg None': { ...header, alg: 'None' },
    'alg in lower case': { ...header, alg: 'hs256' },
    'alg HS384': { ...header, alg: 'HS384' },
    'alg RS256': { ...header, alg: 'RS256' },
    'no alg': { typ: 'JWT', kid: 'k1', a: 1 },
    'no typ': { alg: 'HS256', kid: 'k1' },
    'another typ': { ...header, typ: 'at+jwt' },
    'no kid': { alg: 'HS256', typ: 'JWT' },
    'an unknown kid': { ...header, kid: 'k9' },
    'a kid of the prototype': { ...header, kid: '__proto__' },
    'a kid that is a path': { ...header, kid: '../../dev/null' },
    'a kid that is SQL': { ...header, kid: "k1' or '1'='1" },
    'a kid that is no text': { ...header, kid: ['k1'] },
    crit: { ...header, crit: ['exp'] },
    jku: { ...header, jku: 'https://evil.example/keys' },
    jwk: { ...header, jwk: { kty: 'oct', k: key.toString('base64url') } },
    x5u: { ...header, x5u: 'https://evil.example/cert' },
    b64: { ...header, b64: false },
    zip: { ...header, zip: 'DEF' },
    'a list': ['HS256', 'JWT', 'k1'],
    null: null,
  }
  for (const [name, head] of Object.entries(heads)) {
    test(`a signed token whose header has ${name} is refused`, () => {
      assert.equal(verify(signed(head, claims)), undefined)
    })
  }

  const bent: Record<string, Json> = {
    'another issuer': { iss: 'platform-apix' },
    'a list of issuers': { iss: ['platform-api'] },
    'another audience': { aud: 'platform-core' },
    'a list of audiences': { aud: ['platform-telemetry'] },
    'no expiry': { exp: undefined },
    'an expiry in text': { exp: String(seconds + 100) },
    'an expiry with a fraction': { exp: seconds + 100.5 },
    'an expiry without end': { exp: 1e300 },
    'a lifetime over 90 minutes': { exp: seconds + 5_401 },
    'a lifetime from long ago': { iat: seconds - 86_400 },
    'an expiry before its issue': { iat: seconds + 50, exp: seconds + 40 },
    'no issue time': { iat: undefined },
    'an issue time in the future': { iat: seconds + 61, exp: seconds + 120 },
    'a patient that is not the subject': { patient_id: randomUUID() },
    'no subject': { sub: undefined, patient_id: undefined },
    'a run that is no id': { run_id: 'run' },
    'a run with a capital': { run_id: run.runId.toUpperCase().replace(/^./, 'A') },
    'a list of runs': { run_id: [run.runId] },
    'no organization': { org_id: null },
  }
  for (const [name, change] of Object.entries(bent)) {
    test(`a signed token whose payload has ${name} is refused`, () => {
      assert.equal(verify(signed(header, { ...claims, ...change })), undefined)
    })
  }

  test('a signed token whose payload is not an object is refused', () => {
    for (const payload of [null, [], 'x', 1]) assert.equal(verify(signed(header, payload)), undefined)
    const text = `${headerSegment}.${Buffer.from([0xff, 0xfe]).toString('base64url')}`
    const broken = `v1.${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    assert.equal(verify(broken), undefined)
  })

  test('a signature with another key, a public key or another hash is refused', () => {
    for (const secret of [randomBytes(32), '', publicPem, 'k1', Buffer.alloc(32)])
      assert.equal(verify(signed(header, claims, secret)), undefined)
    assert.equal(verify(signed(header, claims, key, 'sha512')), undefined)
    assert.equal(verify(signed(header, claims, key, 'sha1')), undefined)
  })

  test('no other encoding of a token is accepted', () => {
    const text = `${headerSegment}.${payloadSegment}`
    const last = signatureSegment.slice(-1)
    const spelled = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const twin = spelled[spelled.indexOf(last) ^ 1] ?? ''
    const others = [
      token.slice(3),
      `v2.${token.slice(3)}`,
      `V1.${token.slice(3)}`,
      `v1.v1.${token.slice(3)}`,
      `v1.${text}.`,
      `v1.${text}`,
      `v1.${text}.${signatureSegment}.${signatureSegment}`,
      `v1.${text}.${signatureSegment}=`,
      `v1.${text}.${signatureSegment.slice(0, -1)}${twin}`,
      `v1.${text}.${signatureSegment}A`,
      `v1.${headerSegment}=.${payloadSegment}.${signatureSegment}`,
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      'v1...',
      'v1.',
      '',
      `v1.${'a'.repeat(100_000)}.b.c`,
    ]
    for (const other of others) assert.equal(verify(other), undefined, other.slice(0, 80))
  })

  test('a token with any one character changed is refused', () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(token[at] !== character)
        assert.equal(verify(token.slice(0, at) + character + token.slice(at + 1)), undefined)
      }),
    )
  })

  test('any input is answered without an error, and quickly', () => {
    const started = process.cpuUsage()
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(verify(text), undefined)
        assert.equal(verify(`v1.${text}`), undefined)
        assert.equal(verify(`v1.${headerSegment}.${text}.${signatureSegment}`), undefined)
      }),
      { numRuns: 300 },
    )
    assert.ok(process.cpuUsage(started).user < 2_000_000)
  })
})
