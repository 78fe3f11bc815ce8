import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fastify from 'fastify'
import { type Constraints, errorHandler, refusalFor } from './error-handler.ts'
import { refusal } from './errors.ts'
import { refusalsOf } from './openapi/index.ts'

const SECRET = 'ana.ionescu@mail.example'
const slugTaken = refusal(409, 'slug_taken', 'Another organization has this slug. Choose another.')
const constraints: Constraints = { organizations_slug_key: slugTaken }

/** An error as the driver returns it: message, detail, where and other members contain row values. */
const databaseError = (code: string, more: Record<string, unknown> = {}) =>
  Object.assign(new Error(`value ${SECRET} in "organizations"`), {
    code,
    severity: 'ERROR',
    detail: `Key (email)=(${SECRET}) already exists.`,
    hint: SECRET,
    where: SECRET,
    table: 'organizations',
    column: 'email',
    ...more,
  })

const CASES: [what: string, error: unknown, status: number, code: string][] = [
  ['a constraint with words', databaseError('23505', { constraint: 'organizations_slug_key' }), 409, 'slug_taken'],
  ['unique, without words', databaseError('23505', { constraint: 'humans_email_key' }), 409, 'conflict'],
  ['foreign key', databaseError('23503', { constraint: 'roles_template_id_fkey' }), 409, 'conflict'],
  ['check', databaseError('23514', { constraint: 'constructor' }), 409, 'conflict'],
  ['exclusion', databaseError('23P01'), 409, 'conflict'],
  ['a missing value', databaseError('23502'), 422, 'validation_failed'],
  ['text that is not a number', databaseError('22P02'), 422, 'validation_failed'],
  ['a number out of range', databaseError('22003'), 422, 'validation_failed'],
  ['a time out of range', databaseError('22008'), 422, 'validation_failed'],
  ['a character that cannot be stored', databaseError('22021'), 422, 'validation_failed'],
  ['row-level security', databaseError('42501'), 403, 'forbidden'],
  ['connection failure', databaseError('08006'), 503, 'unavailable'],
  ['too many connections', databaseError('53300'), 503, 'unavailable'],
  ['disk full', databaseError('53100'), 503, 'unavailable'],
  ['administrator shutdown', databaseError('57P01'), 503, 'unavailable'],
  ['cannot connect now', databaseError('57P03'), 503, 'unavailable'],
  ['statement timeout', databaseError('57014'), 503, 'unavailable'],
  ['lock timeout', databaseError('55P03'), 503, 'unavailable'],
  ['deadlock', databaseError('40P01'), 503, 'unavailable'],
  ['serialization failure', databaseError('40001'), 503, 'unavailable'],
  ['idle in transaction', databaseError('25P03'), 503, 'unavailable'],
  ['read-only standby', databaseError('25006'), 503, 'unavailable'],
  ['a plan older than a migration', databaseError('0A000', { routine: 'RevalidateCachedQuery' }), 503, 'unavailable'],
  ['a refused connection', databaseError('ECONNREFUSED'), 503, 'unavailable'],
  ['a broken pipe', databaseError('EPIPE'), 503, 'unavailable'],
  ['no free connection', new Error('timeout exceeded when trying to connect'), 503, 'unavailable'],
  ['a lost connection', new Error('Connection terminated unexpectedly'), 503, 'unavailable'],
  ['a dead client', new Error('Client has encountered a connection error and is not queryable'), 503, 'unavailable'],
  ['a syntax error', databaseError('42601'), 500, 'internal_error'],
  ['a missing table', databaseError('42P01'), 500, 'internal_error'],
  ['an internal error of PostgreSQL', databaseError('XX000'), 500, 'internal_error'],
  ['a failed transaction', databaseError('25P02'), 500, 'internal_error'],
  ['something not supported', databaseError('0A000'), 500, 'internal_error'],
  ['a bug', new TypeError(`Cannot read ${SECRET}`), 500, 'internal_error'],
  ['text', `thrown ${SECRET}`, 500, 'internal_error'],
]

describe('the response to an error', () => {
  for (const [what, error, status, code] of CASES) {
    test(`${what}: ${status} ${code}, without the original message`, async () => {
      const logged: string[] = []
      const app = fastify({ logger: { level: 'trace', stream: { write: (line: string) => void logged.push(line) } } })
      app.setErrorHandler(errorHandler({ constraints }))
      app.get('/', () => Promise.reject(error))
      const answer = await app.inject('/')
      await app.close()
      assert.equal(answer.statusCode, status)
      const { error: body } = answer.json()
      assert.equal(body.code, code)
      assert.ok(!/ionescu|organizations"|email|Key|Cannot|thrown/.test(answer.body), answer.body)
      assert.equal(answer.headers['retry-after'], status === 503 ? '1' : undefined)
      assert.equal('fields' in body, status === 422)
      assert.equal('request_id' in body, status === 500)
      const told = logged.some((line) => /request failed|refused by the database/.test(line))
      assert.equal(told, status === 403 || status >= 500, 'errors that the caller did not cause are logged')
    })
  }

  test('a refusal keeps its message, and is not logged as an error', async () => {
    const logged: string[] = []
    const refused: string[] = []
    const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void logged.push(line) } } })
    app.setErrorHandler(errorHandler({ constraints, onRefusal: ({ code }) => void refused.push(code) }))
    app.get('/', () => Promise.reject(slugTaken({ slug: 'x' }, { 'x-hint': 'y' })))
    const answer = await app.inject('/')
    await app.close()
    assert.deepEqual(answer.json(), {
      error: { code: 'slug_taken', message: 'Another organization has this slug. Choose another.', slug: 'x' },
    })
    assert.equal(answer.headers['x-hint'], 'y')
    assert.deepEqual([refused, logged], [['slug_taken'], []])
  })

  test('invalid content is refused with the route’s own refusal', () => {
    const invalid = refusal(400, 'validation_error', 'See "fields".', { fields: {} })
    const refused = refusalFor(databaseError('22P02'), constraints, { invalid })
    assert.deepEqual([refused?.status, refused?.code, refused?.extra], [400, 'validation_error', { fields: {} }])
    const route = { method: 'PUT', url: '/v1/x', handler: () => {}, config: { invalid } }
    assert.ok(refusalsOf(route).some(({ status, code }) => status === 400 && code === 'validation_error'))
  })

  test('nothing at all is an error too', () => {
    assert.equal(refusalFor(undefined, constraints), undefined)
    assert.equal(refusalFor(null, constraints), undefined)
  })
})
