import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { PLATFORM_PERMISSIONS } from '@tendon/contracts'
import { sharedCore, type TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'

describe('edges of requests', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    // A server that waits for a body before it refuses it answers nothing in this time.
    core = await sharedCore({ env: { BODY_TIMEOUT_MS: '120000' } })
    clinic = await core.organization()
  })
  after(() => core.close())

  /** Sends the head of a request with the start of a body, and nothing more. */
  function stall(lines: string[], length = 1000, { url } = core): Promise<string> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        text += chunk.toString()
        if (!text.includes('}}')) return
        socket.destroy()
        resolve(text)
      })
      socket.write([...lines, 'host: x', `content-length: ${length}`, '', '{"name":'].join('\r\n'))
    })
  }
  const json = 'content-type: application/json'
  const as = (person: { token: string }) => `authorization: Bearer ${person.token}`

  describe('membership', () => {
    test('a person without a clinic is not told about a header they did not send', async () => {
      const person = await core.signIn()
      const { status, body } = await core.get('/v1/form-templates', { as: person })
      assert.equal(status, 403)
      assert.doesNotMatch(body.error.message, /X-Organization-ID/)
    })

    test('the refusal of switching points to lists that exist for staff and patients', async () => {
      const body = { organization_id: clinic.id }
      const { status, text } = await core.put('/v1/me/switch-organization', { as: await core.signIn(), body })
      assert.equal(status, 403)
      assert.match(text, /GET \/v1\/me\/patient-records/)
    })
  })

  describe('encodings', () => {
    for (const header of [
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json; charset="UTF-7"' },
    ])
      test(`${Object.entries(header).join()} with a plain body is 415`, async () => {
        const path = `/v1/organizations/${clinic.id}/locations`
        const { status, body } = await core.post(path, { as: clinic.admin, headers: header, body: { name: 'Here' } })
        assert.deepEqual([status, body.error.code], [415, 'unsupported_media_type'])
      })

    test('UTF-8 may be named in any case, and identity is no encoding', async () => {
      const headers = { 'content-type': 'application/json;charset="UTF-8"', 'content-encoding': 'identity' }
      const path = `/v1/organizations/${clinic.id}/locations`
      assert.equal((await core.post(path, { as: clinic.admin, headers, body: { name: 'There' } })).status, 201)
    })
  })

  test('a path parameter of 501 characters is answered in the envelope, with headers, and counted', async () => {
    const { status, headers, body } = await core.get(`/v1/patients/${'a'.repeat(501)}`, { as: clinic.admin })
    assert.deepEqual([status, body.error.code], [404, 'not_found'])
    for (const name of ['x-request-id', 'x-content-type-options', 'x-ratelimit-remaining'])
      assert.ok(headers.get(name), name)
  })

  test('HEAD of a route without HEAD is 405', async () => {
    const { status, headers } = await core.call('HEAD', '/v1/audit-logs/export', { as: clinic.admin })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET'])
  })

  test('a name that is an object with its own toString is a mistake, not an error', async () => {
    const body = { name: { toString: 'x' }, description: { toString: 'x' }, match_mode: 'all', rules: [] }
    assert.equal((await core.post('/v1/segments', { as: clinic.admin, body })).status, 400)
  })

  test('an empty change of a profile changes nothing and is allowed', async () => {
    const patient = await core.patient(clinic)
    const answer = await core.put(`/v1/patients/${patient.id}/profile`, { as: clinic.admin, body: {} })
    assert.equal(answer.status, 200, answer.text)
  })

  describe('platform permissions', () => {
    test('platform permissions are those that only superadmins need', () => {
      const codes = core.app.routes.flatMap(({ config }) =>
        config?.access?.kind === 'superadmin' && config.access.code !== undefined ? [config.access.code] : [],
      )
      assert.deepEqual([...new Set(codes)].sort(), [...PLATFORM_PERMISSIONS])
    })

    test('platform permissions are not in the catalogue of a clinic and cannot be granted', async () => {
      const [code] = PLATFORM_PERMISSIONS
      const at = `/v1/organizations/${clinic.id}`
      const { body } = await core.get(`${at}/permissions?per_page=100&search=catalog`, { as: clinic.admin })
      const codes = body.data.map((one: { code: string }) => one.code)
      assert.ok(codes.length > 0 && !codes.includes(code))
      for (const person of [clinic.admin, await core.superadmin()]) {
        const role = { name: `Tagger ${person.id}`, permissions: [code] }
        assert.equal((await core.post(`${at}/roles`, { as: person, body: role })).status, 422)
      }
    })
  })

  describe('a body that never ends', () => {
    test('a body that never ends is refused before it is read where the headers suffice', async () => {
      for (const [lines, status] of [
        [['POST /v1/segments HTTP/1.1', json], 401],
        [['POST /v1/nothing-here HTTP/1.1', json], 404],
        [['DELETE /v1/segments HTTP/1.1', json], 405],
        [['POST /v1/segments HTTP/1.1', as(await core.signIn()), json], 403],
        [['POST /v1/segments HTTP/1.1', as(clinic.admin), 'content-type: text/plain'], 415],
        [['POST /v1/segments HTTP/1.1', as(clinic.admin), json, 'content-encoding: gzip'], 415],
      ] as const) {
        assert.match(await stall([...lines]), new RegExp(`^HTTP/1.1 ${status} `), lines.join())
      }
    })

    test('a body that never ends is 413 at once when it announces too much', async () => {
      const text = await stall(['POST /v1/segments HTTP/1.1', as(clinic.admin), json], 99_999_999)
      assert.match(text, /^HTTP\/1.1 413 .*payload_too_large/s)
    })

    test('a body that never ends is 408 after the timeout, however slowly it goes on', async (t) => {
      const hasty = await sharedCore({ env: { BODY_TIMEOUT_MS: '300' } })
      t.after(() => hasty.close())
      const text = await stall(['POST /v1/segments HTTP/1.1', as(clinic.admin), json], 1000, hasty)
      assert.match(text, /^HTTP\/1.1 408 .*request_timeout/s)
      assert.match(text, /connection: close/i)
    })
  })
})
