import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { OutboundRequest } from '@tendon/outbound'
import { portOf } from '@tendon/testing'
import type { Person } from '../../../testing/core.ts'
import { jobTools } from '../job.testing.ts'
import { startCoreAndMail } from '../mails/mails.testing.ts'
import { checkProvider } from './checks.ts'
import { platformServiceProviderJobs } from './jobs.ts'

const PATH = '/v1/admin/platform-service-providers'
const SECRET = 'canary-client-secret'

describe('checks of the providers of the platform', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  let operator: Person
  let base: string
  const answer = { status: 200, body: '{}' }
  const asked: { method: string | undefined; body: string }[] = []
  const server = createServer(async (request, reply) => {
    asked.push({ method: request.method, body: Buffer.concat(await request.toArray()).toString() })
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  before(async () => {
    core = await startCoreAndMail()
    operator = await core.superadmin()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${portOf(server)}`
  })
  after(async () => {
    await core.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(async () => {
    await core.database.query('delete from platform_service_providers')
    core.services.platformProviders.forget()
    core.clock.now = new Date()
    asked.length = 0
    Object.assign(answer, { status: 200, body: '{}' })
  })

  const urls = () => ({
    issuer: base,
    authorization_endpoint: `${base}/auth`,
    token_endpoint: `${base}/token`,
  })
  const credentials = { client_id: 'tendon', client_secret: SECRET }
  async function add(values: object): Promise<string> {
    const body = { capability: 'oauth_client_lab', provider: 'oauth2', credentials, ...values }
    const { status, body: created, text } = await core.post(PATH, { as: operator, body })
    assert.equal(status, 201, text)
    return created.data.id
  }
  /** What `test` answers, and what the cron makes of it. */
  async function check(id: string): Promise<string[]> {
    const tested = await core.post(`${PATH}/${id}/test`, { as: operator })
    const { ok, error_code } = tested.body.data
    core.clock.now = new Date(core.clock.now.getTime() + 3_600_000)
    await platformServiceProviderJobs[0]?.run({}, jobTools(core.worker))
    const { status, last_error } = (await core.get(`${PATH}/${id}`, { as: operator })).body.data
    assert.equal(ok, error_code === null)
    if (status === 'error') assert.equal(last_error, error_code)
    return [error_code, status]
  }

  test('without its endpoints or credentials a provider is not configured', async () => {
    for (const config of [{}, { token_endpoint: `${base}/token` }, { issuer: base, authorization_endpoint: base }]) {
      const id = await add({ config })
      assert.deepEqual(await check(id), ['not_configured', 'error'], JSON.stringify(config))
      await core.patch(`${PATH}/${id}`, { as: operator, body: { status: 'inactive' } })
    }
    const mail = { region: 'eu-central-1', from_address: 'mail@platform.example', endpoint_url: base }
    const keys = { access_key_id: 'AKIA', secret_access_key: SECRET }
    const ids = [
      await add({ config: urls() }),
      await add({ capability: 'email', provider: 'ses', config: mail, credentials: keys }),
    ]
    await core.database.query('update platform_service_providers set credentials_encrypted = null')
    for (const id of ids) assert.deepEqual(await check(id), ['not_configured', 'error'])
    assert.deepEqual(asked, [])
  })

  test('the credentials of an OAuth client are tried: what the provider refuses does not work', async () => {
    const id = await add({ config: urls() })
    for (const [status, body, expected] of [
      [400, '{"error":"invalid_grant"}', [null, 'active']],
      [401, '{"error":"invalid_client"}', ['authentication', 'error']],
      [403, '', ['authentication', 'error']],
      [400, '{"error":"invalid_client"}', ['authentication', 'error']],
      [400, '{"error":"unauthorized_client"}', ['authentication', 'error']],
      [400, '{"error":"invalid_grant"}', [null, 'active']],
      [404, 'nothing', ['unavailable', 'error']],
      [405, '', ['unavailable', 'error']],
      [302, '', ['unavailable', 'error']],
      [429, '', ['unavailable', 'error']],
      [500, '', ['unavailable', 'error']],
      [200, '{}', [null, 'active']],
    ] as const) {
      Object.assign(answer, { status, body })
      assert.deepEqual(await check(id), expected, `${status} ${body}`)
    }
    assert.ok(asked.every(({ method, body }) => method === 'POST' && body.includes('client_id=tendon')))
    assert.ok(!core.log.join('').includes(SECRET))
  })

  test('SES that refuses the credentials does not work', async () => {
    const config = { region: 'eu-central-1', from_address: 'mail@platform.example', endpoint_url: base }
    const keys = { access_key_id: 'AKIA', secret_access_key: SECRET }
    const id = await add({ capability: 'email', provider: 'ses', config, credentials: keys })
    Object.assign(answer, { status: 200, body: '{"SendingEnabled":true}' })
    assert.deepEqual(await check(id), [null, 'active'])
    for (const status of [401, 403]) {
      Object.assign(answer, { status, body: '{}' })
      assert.deepEqual(await check(id), ['authentication', 'error'], String(status))
    }
  })

  test('an issuer that does not give its keys does not work', async () => {
    const services = { ...core.services, config: { ...core.config, jwksUrl: `${base}/jwks` } }
    const provider = {
      id: '',
      provider: 'oidc',
      config: {},
      credentials: {},
      status: 'active',
      updated_at: '',
    } as const
    for (const [status, body, expected] of [
      [200, '{"keys":[]}', null],
      [200, '<html>', 'unavailable'],
      [401, '', 'authentication'],
      [403, '', 'authentication'],
      [404, '', 'unavailable'],
      [500, '', 'unavailable'],
    ] as const) {
      Object.assign(answer, { status, body })
      assert.equal(await checkProvider(services, 'auth', provider), expected, `${status} ${body}`)
    }
  })

  test('an OAuth client is tried at an endpoint that the platform knows', async () => {
    const urlsAsked: string[] = []
    const request = async (url: string, _request?: OutboundRequest) => {
      urlsAsked.push(url)
      const body = Buffer.from('{"error":"invalid_grant"}')
      return { status: 400, headers: {}, body, truncated: false, durationMs: 1 }
    }
    await add({ capability: 'oauth_client_google', config: {} })
    const provider = await core.services.platformProviders.of('oauth_client_google')
    assert.ok(provider)
    const services = { ...core.services, outbound: { ...core.services.outbound, request } }
    assert.equal(await checkProvider(services, 'oauth_client_google', provider), null)
    assert.deepEqual(urlsAsked, ['https://oauth2.googleapis.com/token'])
  })
})
