import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { portOf } from '@tendon/testing'
import ses from 'aws-ses-v2-local'
import { type Answer, type Person, sharedCore } from '../../../testing/core.ts'
import { jobTools } from '../job.testing.ts'
import { sendDueMails } from '../mails/loop.ts'
import { startCoreAndMail } from '../mails/mails.testing.ts'
import { createPlatformProviders } from './cache.ts'
import { platformServiceProviderJobs } from './jobs.ts'

const PATH = '/v1/admin/platform-service-providers'
const ACCOUNT = {
  DedicatedIpAutoWarmupEnabled: false,
  Details: {
    AdditionalContactEmailAddresses: [],
    ContactLanguage: 'EN',
    MailType: 'TRANSACTIONAL',
    ReviewDetails: { CaseId: '1', Status: 'GRANTED' },
    UseCaseDescription: '',
    WebsiteURL: '',
  },
  EnforcementStatus: 'HEALTHY',
  ProductionAccessEnabled: true,
  SendingEnabled: true,
  SendQuota: { Max24HourSend: 1, MaxSendRate: 1, SentLast24Hours: 0 },
  SuppressionAttributes: { SuppressedReasons: [] },
}
const SECRET = 'canary-ses-secret'
const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('providers of the platform', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  let operator: Person
  let endpoint: string
  let server: Awaited<ReturnType<typeof ses.default>>
  before(async () => {
    core = await startCoreAndMail()
    operator = await core.superadmin()
    // What the server says about the account.
    process.env.AWS_SES_ACCOUNT = JSON.stringify(ACCOUNT)
    server = await ses.default({ port: 0 })
    endpoint = `http://127.0.0.1:${portOf(server)}`
  })
  after(async () => {
    await core.close()
    server.closeAllConnections()
    server.close()
  })
  beforeEach(async () => {
    await core.database.query('delete from platform_service_providers')
    await core.database.query('delete from mail_outbox')
    core.services.platformProviders.forget()
    core.worker.platformProviders.forget()
    core.clock.now = new Date()
  })

  const config = () => ({ region: 'eu-central-1', from_address: 'mail@platform.example', endpoint_url: endpoint })
  const credentials = { access_key_id: 'AKIA', secret_access_key: SECRET }
  const add = (values: object = {}) =>
    core.post(PATH, {
      as: operator,
      body: { capability: 'email', provider: 'ses', config: config(), credentials, ...values },
    })
  const change = (id: string, body: object) => core.patch(`${PATH}/${id}`, { as: operator, body })
  const sent = async () => (await (await fetch(`${endpoint}/store`)).json()) as { emails: { from: string }[] }

  test('a provider is added, read and listed without its credentials', async () => {
    const { status, body, text } = await add()
    assert.equal(status, 201, text)
    assert.deepEqual([body.data.status, body.data.has_credentials, body.data.config], ['active', true, config()])
    const read = await core.get(`${PATH}/${body.data.id}`, { as: operator })
    const list = await core.get(`${PATH}?capability=email`, { as: operator })
    assert.deepEqual([read.body.data, list.body.data], [body.data, [body.data]])
    assert.ok(!`${text}${read.text}${list.text}`.includes(SECRET))
    assert.deepEqual(codeOf(await core.get(`${PATH}/${randomUUID()}`, { as: operator })), [404, 'provider_not_found'])
    const admin = (await core.organization()).admin
    assert.equal((await core.get(PATH, { as: admin })).status, 403)
  })

  test('one provider for each capability, and only those that are allowed', async () => {
    const first = await add()
    assert.deepEqual(codeOf(await add()), [409, 'capability_taken'])
    for (const values of [
      { provider: 'mailgun' },
      { capability: 'storage', provider: 's3' },
      { capability: 'auth', provider: 'oidc' },
      { capability: 'oauth_client_google', provider: 'ses' },
    ]) {
      assert.deepEqual(codeOf(await add(values)), [422, 'provider_not_allowed'], JSON.stringify(values))
    }
    assert.equal((await change(first.body.data.id, { status: 'inactive' })).body.data.status, 'inactive')
    assert.equal((await add()).status, 201)
    assert.deepEqual(codeOf(await change(first.body.data.id, { status: 'active' })), [409, 'capability_taken'])
  })

  test('bad fields are named and no value is repeated (422)', async () => {
    const answer = await add({ config: { region: 'EU 1', password: SECRET }, credentials: { access_key_id: 1 } })
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.error.fields).sort(), [
      'config.from_address',
      'config.password',
      'config.region',
      'credentials.access_key_id',
      'credentials.secret_access_key',
    ])
    assert.ok(!answer.text.includes(SECRET))
  })

  test('a change is audited with its whole difference; secrets say changed', async () => {
    const { id } = (await add()).body.data
    const after = { ...config(), region: 'eu-west-1' }
    assert.equal((await change(id, { config: after, credentials })).status, 200)
    const entries = await core.get(`/v1/audit-logs?target_id=${id}&limit=10`, { as: operator })
    const update = entries.body.data.find(
      (entry: { action: string }) => entry.action === 'platform_service_providers.update',
    )
    const fields = Object.fromEntries(
      update.changes.map((one: { field: string; after: unknown }) => [one.field, one.after]),
    )
    assert.deepEqual([fields.config, fields.credentials], [after, 'changed'])
    const dump = JSON.stringify(await core.database.query('select t::text as row from platform_service_providers t'))
    const log = JSON.stringify(await core.database.query('select t::text as row from audit_log t'))
    for (const text of [entries.text, dump, log, core.log.join('')]) {
      assert.ok(!text.includes(SECRET) && !text.includes(Buffer.from(SECRET).toString('hex')))
    }
  })

  test('SES has its own endpoint only where private addresses are allowed (422)', async () => {
    const strict = await sharedCore()
    const as = await strict.superadmin()
    const body = { capability: 'email', provider: 'ses', config: config(), credentials }
    const refused = await strict.post(PATH, { as, body })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['config.endpoint_url']])
    await strict.close()
  })

  test('the URLs of an OAuth client change only together with its secret (422)', async () => {
    const urls = (host: string) => ({ token_endpoint: `https://${host}/token` })
    const client = { client_id: 'tendon', client_secret: SECRET }
    const values = { capability: 'oauth_client_google', provider: 'oauth2', credentials: client }
    const { id } = (await add({ ...values, config: urls('accounts.example') })).body.data
    const moved = await change(id, { config: urls('evil.example') })
    assert.deepEqual([moved.status, Object.keys(moved.body.error.fields)], [422, ['credentials']])
    assert.equal((await change(id, { config: urls('accounts.example') })).status, 200, 'the same URLs')
    assert.equal((await change(id, { config: urls('new.example'), credentials: client })).status, 200)
  })

  test('the URLs of an OAuth client do not lead to the platform itself (422)', async () => {
    const client = { client_id: 'tendon', client_secret: SECRET }
    const values = { capability: 'oauth_client_google', provider: 'oauth2', credentials: client }
    const { port } = new URL(core.config.publicUrl)
    const ours = { token_endpoint: `http://[::1]:${port}/token`, api_url: `http://localhost.:${port}/` }
    const added = await add({ ...values, config: ours })
    assert.deepEqual(
      [added.status, Object.keys(added.body.error.fields).sort()],
      [422, ['config.api_url', 'config.token_endpoint']],
    )
    const { id } = (await add({ ...values, config: { token_endpoint: 'https://accounts.example/token' } })).body.data
    const moved = await change(id, { config: ours, credentials: client })
    assert.deepEqual([moved.status, Object.keys(moved.body.error.fields).length], [422, 2])
  })

  test('mail goes through the provider of the platform; inactive, it goes by default', async () => {
    const { id } = (await add()).body.data
    const mail = await core.queue({})
    await sendDueMails(core.worker)
    assert.deepEqual([(await core.rowOf(mail))?.status, (await core.rowOf(mail))?.provider], ['sent', 'ses'])
    assert.ok((await sent()).emails.some(({ from }) => from.includes('mail@platform.example')))
    await change(id, { status: 'inactive' })
    const cached = await core.queue({})
    await sendDueMails(core.worker)
    assert.equal((await core.rowOf(cached))?.provider, 'ses', 'another process follows within five minutes')
    core.clock.now = new Date(Date.now() + 5 * 60_000)
    const later = createPlatformProviders(core.worker.db, core.worker.box, core.worker.now)
    assert.equal(await later.of('email'), undefined)
    core.worker.platformProviders.forget()
    const plain = await core.queue({})
    await sendDueMails(core.worker)
    assert.equal((await core.rowOf(plain))?.provider, 'smtp')
  })

  test('the cache lasts five minutes, loads once for many callers, and is emptied by a change', async () => {
    const { id } = (await add()).body.data
    const clock = { now: new Date() }
    let loads = 0
    const { db } = core.worker
    const counting: Pick<typeof db, 'tenant'> = {
      tenant(context, work, options) {
        loads += 1
        return db.tenant(context, work, options)
      },
    }
    const cache = createPlatformProviders(counting, core.worker.box, () => clock.now)
    const regions = async () =>
      (await Promise.all([1, 2, 3].map(() => cache.of('email')))).map((row) => row?.config.region)
    assert.deepEqual(await regions(), ['eu-central-1', 'eu-central-1', 'eu-central-1'])
    await change(id, { config: { ...config(), region: 'eu-west-1' } })
    clock.now = new Date(clock.now.getTime() + 5 * 60_000 - 1)
    assert.deepEqual([(await cache.of('email'))?.config.region, loads], ['eu-central-1', 1])
    clock.now = new Date(clock.now.getTime() + 1)
    assert.deepEqual([(await cache.of('email'))?.config.region, loads], ['eu-west-1', 2])
    cache.forget()
    await cache.of('email')
    assert.equal(loads, 3)
    assert.equal(
      (await core.services.platformProviders.of('email'))?.config.region,
      'eu-west-1',
      'this process at once',
    )
  })

  test('a health check finds what is broken, and success makes it active again', async () => {
    const { id } = (await add({ config: { ...config(), endpoint_url: 'http://127.0.0.1:1' } })).body.data
    const check = async () => {
      await platformServiceProviderJobs[0]?.run({}, jobTools(core.worker))
      return (await core.get(`${PATH}/${id}`, { as: operator })).body.data
    }
    const broken = await check()
    assert.deepEqual([broken.status, broken.last_error], ['error', 'refused'])
    const test = await core.post(`${PATH}/${id}/test`, { as: operator })
    assert.deepEqual([test.body.data.ok, test.body.data.error_code], [false, 'refused'])
    await change(id, { config: config() })
    assert.equal((await check()).status, 'error', 'not yet due')
    core.clock.now = new Date(Date.now() + 5 * 60_000)
    const mended = await check()
    assert.equal(mended.status, 'active', mended.last_error)
    const { data } = (await core.get(PATH, { as: operator })).body
    assert.ok(
      data.some(({ capability }: { capability: string }) => capability === 'auth'),
      'the issuer is shown',
    )
    const auth = data.find(({ capability }: { capability: string }) => capability === 'auth')
    assert.deepEqual(codeOf(await change(auth.id, { config: {} })), [422, 'provider_not_allowed'])
  })

  test('the provider of a clinic comes first, and a broken one fails without a way around it', async () => {
    await add()
    const clinic = await core.organization()
    const path = `/v1/organizations/${clinic.id}/integrations`
    const body = {
      service_slug: 'smtp',
      title: 'Mail',
      config: { host: '127.0.0.1', port: core.smtp.port, security: 'none', from_address: 'clinic@mladita.example' },
      credentials: { username: 'clinic', password: 'x' },
    }
    const connected = await core.post(path, { as: clinic.admin, body })
    assert.equal(connected.status, 201, connected.text)
    const { id } = connected.body.data
    const first = await core.queue({ organization_id: clinic.id })
    await sendDueMails(core.worker)
    assert.deepEqual([(await core.rowOf(first))?.status, (await core.rowOf(first))?.provider], ['sent', 'smtp'])
    assert.equal(core.smtp.mails.at(-1)?.from?.value[0]?.address, 'clinic@mladita.example')
    await core.database.query(
      `update organization_integrations set config = config || '{"port": 1}', version = version + 1 where id = $1`,
      [id],
    )
    const before = (await sent()).emails.length
    const mail = await core.queue({ organization_id: clinic.id, template: 'member_invited', kind: 'account' })
    await sendDueMails(core.worker)
    assert.deepEqual([(await core.rowOf(mail))?.status, (await core.rowOf(mail))?.last_error], ['queued', 'refused'])
    const answer = await core.post(`/v1/organizations/${clinic.id}/mails/${mail}/resend`, { as: clinic.admin })
    assert.deepEqual(codeOf(answer), [502, 'provider_failure'])
    await core.database.query(`update organization_integrations set status = 'error' where id = $1`, [id])
    const second = await core.queue({ organization_id: clinic.id })
    await sendDueMails(core.worker)
    assert.deepEqual(
      [(await core.rowOf(second))?.status, (await core.rowOf(second))?.last_error],
      ['failed', 'integration_error'],
    )
    assert.equal((await sent()).emails.length, before)
    assert.equal((await core.delete(`${path}/${id}`, { as: clinic.admin })).status, 204)
    const third = await core.queue({ organization_id: clinic.id })
    await sendDueMails(core.worker)
    assert.equal((await core.rowOf(third))?.provider, 'ses')
  })
})
