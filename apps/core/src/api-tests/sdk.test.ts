import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ApiError, type ClientOptions, createClient, type Location, type NewLocation } from '@tendon/sdk'
import { type Person, sharedCore, type TestCore } from '../testing/core.ts'

describe('the generated client', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const as = ({ token }: Person, options: ClientOptions = {}) =>
    createClient({ baseUrl: core.url, token: () => token, ...options })

  test('creates, reads, changes, lists and deletes', async () => {
    const clinic = await core.organization()
    const api = as(clinic.admin)
    const body: NewLocation = { name: 'Centre' }
    const params = { id: clinic.id }
    const { data } = await api('POST /v1/organizations/{id}/locations', { params, body })
    const location: Location = data
    const one = { ...params, locationId: location.id }
    await api('PATCH /v1/organizations/{id}/locations/{locationId}', { params: one, body: { phone: '+40 21' } })
    const read = await api('GET /v1/organizations/{id}/locations/{locationId}', { params: one })
    assert.equal(read.data.phone, '+40 21')
    const list = await api.list('GET /v1/organizations/{id}/locations', { params, query: { q: 'cent' } })
    assert.deepEqual([list.items.map(({ name }) => name), list.total, list.page], [['Centre'], 1, 1])
    await api('DELETE /v1/organizations/{id}/locations/{locationId}', { params: one })
    assert.equal((await api.list('GET /v1/organizations/{id}/locations', { params })).total, 0)
  })

  test('the generated client creates one thing for one action of the user', async () => {
    const clinic = await core.organization()
    const api = as(clinic.admin)
    const action = { params: { id: clinic.id }, body: { name: 'Centre' }, idempotencyKey: crypto.randomUUID() }
    const first = await api('POST /v1/organizations/{id}/locations', action)
    const second = await api('POST /v1/organizations/{id}/locations', action)
    assert.equal(first.data.id, second.data.id)
  })

  test('the generated client says which field is wrong and which permission is missing', async () => {
    const clinic = await core.organization()
    const params = { id: clinic.id }
    const invalid = await failure(
      as(clinic.admin)('POST /v1/organizations/{id}/locations', { params, body: { name: '' } }),
    )
    assert.deepEqual(
      [invalid.status, invalid.code, invalid.fields],
      [422, 'validation_failed', { name: 'must not be blank' }],
    )
    assert.deepEqual(invalid.reasons, { name: { code: 'blank' } })
    const outsider = await failure(as(await core.signIn())('GET /v1/organizations/{id}', { params }))
    assert.equal(outsider.status, 403)
    const named = await failure(
      as(clinic.admin)('POST /v1/segments', { body: { name: '', match_mode: 'all', rules: [] } }),
    )
    assert.equal(named.code, 'ValidationError')
    assert.ok('name' in named.fields, JSON.stringify(named.fields))
  })

  test('the generated client opens the consent gate once, then repeats the request', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const person = await core.signIn()
    await core.patient(clinic, person)
    let [gates, refusals] = [0, 0]
    const bothRefused = Promise.withResolvers<void>()
    const api = as(person, {
      // The gate opens when both requests have been refused: a later refusal would rightly ask again.
      fetch: async (url, init) => {
        const answer = await fetch(url, init)
        const body = await answer.arrayBuffer()
        if (answer.status === 412 && ++refusals === 2) bothRefused.resolve()
        return new Response(body, answer)
      },
      onConsentRequired: async ({ missingPurposes }) => {
        gates += 1
        await bothRefused.promise
        const grants = missingPurposes.map(({ organization_id, purpose_code, required_version }) => ({
          organization_id,
          purpose_code,
          purpose_version: required_version,
          source: 'self_toggle' as const,
        }))
        await as(person)('POST /v1/me/consents', { body: { grants } })
        return true
      },
    })
    const [plans, runs] = await Promise.all([
      api.list('GET /v1/me/treatment-plans'),
      api.list('GET /v1/me/session-runs'),
    ])
    assert.deepEqual([plans.total, runs.total, gates], [0, 0, 1])
  })

  async function failure(promise: Promise<unknown>): Promise<ApiError> {
    const error = await promise.then(
      () => assert.fail('did not fail'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
})
