import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './index.ts'

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return ''
}

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db.example/tendon',
  AUTH_ISSUER: 'https://id.example',
  DATABASE_ROLE_SECRET: 'a secret of their own, long enough',
  KEYRING: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  BLIND_INDEX_KEY: 'a third secret of theirs, as long as those',
  OBJECT_SIGNING_KEY: 'another secret of theirs, long too',
  RUN_TOKEN_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}`,
}

test('the defaults are for local use', () => {
  const config = readConfig({})
  assert.equal(config.CORE_PORT, 3000)
  assert.equal(config.issuer, 'http://127.0.0.1:3001')
  assert.ok(Object.isFrozen(config))
})

test('production with its own secrets is accepted', () => {
  assert.equal(problemsOf(production), '')
})

for (const name of [
  'DATABASE_ROLE_SECRET',
  'KEYRING',
  'BLIND_INDEX_KEY',
  'OBJECT_SIGNING_KEY',
  'RUN_TOKEN_KEYS',
  'DATABASE_URL',
  'AUTH_ISSUER',
] as const) {
  test(`production without ${name} refuses to start`, () => {
    const { [name]: _, ...rest } = production
    assert.match(problemsOf(rest), new RegExp(`${name} must be set`))
  })
}

test('every problem is reported at once, and no value is repeated', () => {
  const message = problemsOf({ CORE_PORT: '99999', AUTH_ALGORITHMS: 'none', OBJECT_SIGNING_KEY: 'hunter2' })
  assert.match(message, /CORE_PORT must be a whole number from 0 to 65535/)
  assert.match(message, /AUTH_ALGORITHMS must be one of RS256/)
  assert.match(message, /OBJECT_SIGNING_KEY must have at least 32 characters/)
  assert.doesNotMatch(message, /hunter2/)
})

test('the default secrets are refused when HOST is reachable from other machines', () => {
  assert.match(problemsOf({ HOST: '0.0.0.0' }), /KEYRING must be set to a secret of your own when HOST is reachable/)
  assert.equal(problemsOf({ HOST: 'localhost' }), '')
})

test('S3 without a bucket is refused', () => {
  assert.match(problemsOf({ OBJECT_STORE: 's3' }), /S3_BUCKET must be set/)
})

test('production refuses outbound requests to private addresses', () => {
  assert.match(problemsOf({ ...production, OUTBOUND_ALLOW_PRIVATE: 'true' }), /OUTBOUND_ALLOW_PRIVATE must be false/)
  assert.equal(problemsOf({ OUTBOUND_ALLOW_PRIVATE: 'true' }), '')
})
