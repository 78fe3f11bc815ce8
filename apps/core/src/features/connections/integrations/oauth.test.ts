import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createServices } from '../../../create-services.ts'
import type { Services } from '../../../services.ts'
import { type Answer, startCore, type TestCore } from '../../../testing/core.ts'
import { dumpDatabase, isIn } from '../../../testing/dump.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { jobTools } from '../job.testing.ts'
import { ConnectorFailure, readBusyTimes } from './index.ts'
import { integrationJobs } from './jobs.ts'
import { resultPath } from './rules.ts'
import { startThirdParty, type ThirdParty } from './third-party.testing.ts'
import { freshConnection, refreshTokens } from './tokens.ts'

const PUBLIC_URL = 'http://127.0.0.1:3999'
const path = (clinic: { id: string }, rest = '') => `/v1/organizations/${clinic.id}/integrations${rest}`
const locationOf = (answer: Answer) => answer.headers.get('location')
const HOUR_MS = 3_600_000

describe('connecting a service by signing in', () => {
  let core: TestCore
  let party: ThirdParty
  let worker: Services
  let closeWorker: () => Promise<void>
  const clock = { now: new Date() }
  let clinic: TestOrganization
  let specialist: string

  before(async () => {
    party = await startThirdParty(`${PUBLIC_URL}/oauth/callback/google`)
    core = await startCore({
      env: { OUTBOUND_ALLOW_PRIVATE: 'true', PUBLIC_URL },
      services: { now: () => clock.now },
    })
    const made = createServices(core.config, 'tendon_worker', core.database.url)
    worker = { ...made, now: () => clock.now }
    closeWorker = () => made.close()
    const operator = await core.superadmin()
    const body = { capability: 'oauth_client_google', provider: 'oauth2', ...party.row }
    const added = await core.post('/v1/admin/platform-service-providers', { as: operator, body })
    assert.equal(added.status, 201, added.text)
    clinic = await core.organization()
    const [row] = await core.database.query<{ id: string }>(
      `insert into specialists (organization_id, name, slug, scheduling_timezone) values ($1, 'Ana', 'ana', 'Europe/Bucharest') returning id`,
      [clinic.id],
    )
    specialist = row?.id ?? ''
  })
  after(async () => {
    await closeWorker()
    await core.close()
    await party.close()
  })
  beforeEach(() => {
    clock.now = new Date()
    party.state.refuses = false
    party.state.tokenStatus = undefined
  })

  let count = 0
  async function authorize(as = clinic.admin) {
    count += 1
    const body = {
      service_slug: 'google_calendar',
      title: `Calendar ${count}`,
      config: { specialist_id: specialist },
      return_path: '/console/integrations?tab=1',
    }
    const answer = await core.post(path(clinic, '/authorize'), { as, body })
    assert.equal(answer.status, 200, answer.text)
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    return { cookie, url: answer.body.data.authorization_url as string, id: answer.body.data.integration_id as string }
  }
  const comeBack = (callback: URL, cookie: string) =>
    core.get(`${callback.pathname}${callback.search}`, { headers: { cookie } })
  async function connect() {
    const started = await authorize()
    const callback = await party.browse(started.url)
    const answer = await comeBack(callback, started.cookie)
    assert.equal(locationOf(answer), '/console/integrations?tab=1&status=connected', answer.text)
    return { ...started, callback, place: { id: started.id, organization_id: clinic.id } }
  }
  const statusOf = async (id: string) =>
    (await core.get(path(clinic, `/${id}`), { as: clinic.admin })).body.data?.status as string | undefined
  const tokensOf = async (id: string) => {
    const [row] = await core.database.query<{ credentials_encrypted: Buffer }>(
      'select credentials_encrypted from organization_integrations where id = $1',
      [id],
    )
    const place = {
      table: 'organization_integrations',
      column: 'credentials_encrypted',
      organization_id: clinic.id,
      row: id,
    }
    return JSON.parse(core.services.box.open(row?.credentials_encrypted ?? Buffer.of(), place).toString())
  }
  const run = (name: string) => {
    const job = integrationJobs.find((one) => one.name === name)
    assert.ok(job)
    return job.run({}, jobTools(worker))
  }

  test('the round trip with PKCE stores tokens sealed, with the account and the history', async () => {
    const { id, url, cookie } = await connect()
    const parameters = new URL(url).searchParams
    assert.equal(parameters.get('code_challenge_method'), 'S256')
    assert.match(cookie, /^oauth_state=/)
    const { body, text } = await core.get(path(clinic, `/${id}`), { as: clinic.admin })
    assert.deepEqual(
      [body.data.status, body.data.external_account, body.data.has_credentials],
      ['connected', { id: 'ana', label: 'ana@mail.example' }, true],
    )
    const { access_token, refresh_token } = await tokensOf(id)
    assert.ok(access_token && refresh_token)
    const everything = `${text}${await dumpDatabase(core.database)}${core.log.join('')}`
    for (const secret of [access_token, refresh_token, 'canary-client-secret']) assert.ok(!isIn(everything, secret))
    const events = await core.get(path(clinic, `/${id}/events`), { as: clinic.admin })
    assert.deepEqual(
      events.body.data.map(
        (event: Record<string, string>) => `${event.to_status} ${event.reason} ${event.actor_principal_id}`,
      ),
      [`connected authorized ${clinic.admin.id}`, `pending authorization_started ${clinic.admin.id}`],
    )
  })

  test('a state is used once, with its own cookie, within ten minutes (400)', async () => {
    const { callback, cookie } = await connect()
    const refused = async (answer: Promise<Answer>) => {
      const { status, body } = await answer
      assert.deepEqual([status, body.error?.code], [400, 'oauth_state_invalid'])
    }
    await refused(comeBack(callback, cookie))
    const foreign = await authorize()
    const theirs = await party.browse(foreign.url)
    await refused(comeBack(theirs, (await authorize()).cookie))
    await refused(comeBack(theirs, ''))
    await refused(core.get('/oauth/callback/google?code=x&state=x'))
    const late = await authorize()
    const lateCallback = await party.browse(late.url)
    clock.now = new Date(clock.now.getTime() + 10 * 60_000 + 1)
    await refused(comeBack(lateCallback, late.cookie))
    assert.equal(await statusOf(late.id), 'pending')
  })

  test('of ten parallel returns exactly one connects', async () => {
    const { url, cookie } = await authorize()
    const callback = await party.browse(url)
    const answers = await Promise.all(Array.from({ length: 10 }, () => comeBack(callback, cookie)))
    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  })

  test('a caller who has lost the permission cannot connect', async () => {
    const member = await core.memberWith(clinic, ['organizations.manage_integrations', 'specialists.view_org'])
    const { url, cookie, id } = await authorize(member)
    const callback = await party.browse(url)
    await core.database.query('delete from organization_memberships where principal_id = $1', [member.id])
    assert.match(locationOf(await comeBack(callback, cookie)) ?? '', /error=permission_lost/)
    assert.equal(await statusOf(id), 'pending')
  })

  test('a refusal at the provider, a wrong provider and a failing one come back as an error', async () => {
    const denied = await authorize()
    const state = new URL(denied.url).searchParams.get('state')
    const answer = await core.get(`/oauth/callback/google?error=access_denied&state=${state}`, {
      headers: { cookie: denied.cookie },
    })
    assert.match(locationOf(answer) ?? '', /error=access_denied/)
    const other = await authorize()
    const callback = await party.browse(other.url)
    callback.pathname = '/oauth/callback/other'
    assert.match(locationOf(await comeBack(callback, other.cookie)) ?? '', /error=oauth_state_invalid/)
    const failing = await authorize()
    const back = await party.browse(failing.url)
    party.state.tokenStatus = 503
    assert.match(locationOf(await comeBack(back, failing.cookie)) ?? '', /error=provider_failure/)
  })

  test('the hosts of a provider are fixed by the platform: a clinic cannot name others (400)', async () => {
    const hosts = [
      'issuer',
      'authorization_endpoint',
      'token_endpoint',
      'revocation_endpoint',
      'api_url',
      'redirect_uri',
    ]
    for (const field of hosts) {
      const config = { specialist_id: specialist, [field]: 'https://evil.example/' }
      const body = { service_slug: 'google_calendar', title: 'X', config }
      const { status, body: refused } = await core.post(path(clinic, '/authorize'), { as: clinic.admin, body })
      assert.deepEqual([status, refused.error.code], [400, 'invalid_config'], field)
    }
    const { id, url } = await authorize()
    assert.equal(new URL(url).origin, party.base)
    const config = { specialist_id: specialist, token_endpoint: 'https://evil.example/' }
    const changed = await core.patch(path(clinic, `/${id}`), { as: clinic.admin, body: { config } })
    assert.equal(changed.body.error.code, 'invalid_config')
  })

  test('the provider redirects to our configured host, independent of the Host header', async () => {
    const body = { service_slug: 'google_calendar', title: 'Elsewhere', config: { specialist_id: specialist } }
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const answer = await core.post(path(clinic, '/authorize'), { as: clinic.admin, body, headers })
    const redirect = new URL(answer.body.data.authorization_url).searchParams.get('redirect_uri')
    assert.equal(redirect, `${PUBLIC_URL}/oauth/callback/google`)
    const cookie = answer.headers.get('set-cookie') ?? ''
    assert.match(cookie, /HttpOnly/)
    assert.ok(!/domain=/i.test(cookie), 'only this host gets the cookie')
  })

  test('only services that sign in are authorized, and return paths stay on this site', async () => {
    const post = (body: object) =>
      core.post(path(clinic, '/authorize'), {
        as: clinic.admin,
        body: { service_slug: 'google_calendar', title: 'X', config: { specialist_id: specialist }, ...body },
      })
    assert.equal((await post({ service_slug: 'smtp' })).body.error.code, 'not_an_oauth_service')
    assert.equal((await post({ config: { specialist_id: clinic.id } })).body.error.code, 'invalid_config')
    const elsewhere = [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
    ]
    for (const return_path of [...elsewhere, 'console']) {
      assert.equal((await post({ return_path })).status, 422, return_path)
      assert.match(resultPath(return_path, { status: 'connected' }), /^\/(?!\/)/, return_path)
    }
  })

  test('a pending integration is removed after 30 minutes; a connected one stays', async () => {
    const [pending, done] = [await authorize(), await connect()]
    await run('delete_expired_integration_rows')
    assert.equal(await statusOf(pending.id), 'pending')
    clock.now = new Date(Date.now() + 31 * 60_000)
    await run('delete_expired_integration_rows')
    assert.equal(await statusOf(pending.id), undefined)
    assert.equal(await statusOf(done.id), 'connected')
  })

  test('tokens are renewed before they end; twenty at once use a refresh token once', async () => {
    const { id, place } = await connect()
    const before = await tokensOf(id)
    assert.deepEqual((await freshConnection(worker, place))?.credentials.access_token, before.access_token)
    clock.now = new Date(Date.now() + HOUR_MS)
    const asked = () => party.state.asked.filter((line) => line === 'POST /token').length
    const start = asked()
    const connections = await Promise.all(Array.from({ length: 20 }, () => freshConnection(worker, place)))
    assert.equal(asked() - start, 1)
    const after = await tokensOf(id)
    assert.notEqual(after.refresh_token, before.refresh_token)
    assert.deepEqual(
      connections.map((connection) => connection?.credentials.access_token),
      Array.from({ length: 20 }, () => after.access_token),
    )
    assert.equal(await refreshTokens(worker, place, clock.now), undefined)
    assert.equal(asked() - start, 1)
    assert.equal(await statusOf(id), 'connected')
  })

  /** The worker, with something that happens while the provider answers. */
  const workerWith = (meanwhile: () => Promise<unknown>): Services => ({
    ...worker,
    outbound: {
      ...worker.outbound,
      async fetch(...given) {
        const answer = await worker.outbound.fetch(...given)
        await meanwhile()
        return answer
      },
    },
  })

  test('a renewal keeps its tokens when the stored credentials were moved to another key meanwhile', async () => {
    const { id, place } = await connect()
    clock.now = new Date(Date.now() + HOUR_MS)
    const before = await tokensOf(id)
    const rewrap = async () => {
      const of = {
        table: 'organization_integrations',
        column: 'credentials_encrypted',
        organization_id: clinic.id,
        row: id,
      }
      const [row] = await core.database.query<{ sealed: Buffer }>(
        'select credentials_encrypted as sealed from organization_integrations where id = $1',
        [id],
      )
      assert.ok(row)
      await core.database.query('update organization_integrations set credentials_encrypted = $2 where id = $1', [
        id,
        worker.box.rewrap(row.sealed, of),
      ])
    }
    await refreshTokens(workerWith(rewrap), place, new Date(clock.now.getTime() + 2 * HOUR_MS))
    assert.notDeepEqual(await tokensOf(id), before)
  })

  test('a renewal that ends after the service was connected again or disconnected changes nothing', async () => {
    const { id, place } = await connect()
    clock.now = new Date(Date.now() + HOUR_MS)
    const connectAgain = async () => {
      const again = await core.post(path(clinic, `/${id}/authorize`), { as: clinic.admin, body: {} })
      const [cookie = ''] = (again.headers.get('set-cookie') ?? '').split(';')
      await comeBack(await party.browse(again.body.data.authorization_url), cookie)
      return tokensOf(id)
    }
    const newest = {}
    const soon = () => new Date(clock.now.getTime() + 2 * HOUR_MS)
    await refreshTokens(
      workerWith(async () => Object.assign(newest, await connectAgain())),
      place,
      soon(),
    )
    assert.deepEqual(await tokensOf(id), newest)
    clock.now = new Date(clock.now.getTime() + HOUR_MS)
    await refreshTokens(
      workerWith(() => core.delete(path(clinic, `/${id}`), { as: clinic.admin })),
      place,
      soon(),
    )
    const [row] = await core.database.query<{ has: boolean }>(
      'select credentials_encrypted is not null as has from organization_integrations where id = $1',
      [id],
    )
    assert.deepEqual([row?.has, await statusOf(id)], [false, 'revoked'])
  })

  test('a rejected refresh makes it expired; authorizing again connects it', async () => {
    const { id, place } = await connect()
    const { refresh_token } = await tokensOf(id)
    await (await party.provider.RefreshToken.find(refresh_token))?.destroy()
    clock.now = new Date(Date.now() + HOUR_MS)
    await run('refresh_oauth_tokens')
    assert.equal(await statusOf(id), 'expired')
    assert.equal(await freshConnection(worker, place), undefined)
    clock.now = new Date()
    const again = await core.post(path(clinic, `/${id}/authorize`), { as: clinic.admin, body: {} })
    const [cookie = ''] = (again.headers.get('set-cookie') ?? '').split(';')
    const answer = await comeBack(await party.browse(again.body.data.authorization_url), cookie)
    assert.equal(locationOf(answer), '/?status=connected')
    assert.equal(await statusOf(id), 'connected')
  })

  test('busy times are read with the token; a refusal is noted at the integration', async () => {
    const { id, place } = await connect()
    party.state.busy = [{ start: '2026-11-17T08:00:00Z', end: '2026-11-17T09:00:00Z' }]
    const read = () => readBusyTimes(worker, place, new Date('2026-11-17'), new Date('2026-11-18'))
    assert.deepEqual(await read(), party.state.busy)
    party.state.refuses = true
    for (let attempt = 0; attempt < 3; attempt += 1) await assert.rejects(read(), ConnectorFailure)
    assert.equal(await statusOf(id), 'error')
    party.state.refuses = false
    clock.now = new Date(Date.now() + HOUR_MS * 2)
    await run('check_integrations')
    assert.equal(await statusOf(id), 'connected')
  })

  for (const status of [401, 403]) {
    test(`a calendar that answers ${status} does not work, although the token is renewed; a success ends that`, async () => {
      const { id } = await connect()
      const tested = async () =>
        (await core.post(path(clinic, `/${id}/test`), { as: clinic.admin })).body.data.error_code as string | null
      const hour = async () => {
        clock.now = new Date(clock.now.getTime() + HOUR_MS + 1_000)
        await run('refresh_oauth_tokens')
        await run('check_integrations')
        const { data } = (await core.get(path(clinic, `/${id}`), { as: clinic.admin })).body
        return [data.status, data.failure_count]
      }
      clock.now = new Date()
      Object.assign(party.state, { refuses: true, calendarStatus: status })
      for (const expected of [
        ['connected', 1],
        ['connected', 2],
        ['error', 3],
      ]) {
        assert.deepEqual(await hour(), expected)
      }
      assert.equal(await tested(), 'authentication')
      party.state.refuses = false
      assert.deepEqual(await hour(), ['connected', 0])
      assert.equal(await tested(), null)
    })

    test(`a provider that answers ${status} to a renewal refuses the credentials`, async () => {
      const { id } = await connect()
      party.state.tokenStatus = status
      for (let hours = 1; hours <= 3; hours += 1) {
        clock.now = new Date(Date.now() + hours * HOUR_MS * 2)
        await run('check_integrations')
      }
      const { data } = (await core.get(path(clinic, `/${id}`), { as: clinic.admin })).body
      assert.deepEqual([data.status, data.last_error_code], ['error', 'authentication'])
    })
  }

  test('the integration stays connected when the provider does not answer', async () => {
    const { id } = await connect()
    party.state.tokenStatus = 503
    for (let hours = 1; hours <= 4; hours += 1) {
      clock.now = new Date(Date.now() + hours * HOUR_MS * 2)
      await run('check_integrations')
    }
    const { data } = (await core.get(path(clinic, `/${id}`), { as: clinic.admin })).body
    assert.deepEqual([data.status, data.last_error_code, data.failure_count], ['connected', 'provider_failure', 0])
  })

  test('disconnecting deletes the tokens and revokes them at the provider', async () => {
    const { id } = await connect()
    const { refresh_token } = await tokensOf(id)
    assert.equal((await core.delete(path(clinic, `/${id}`), { as: clinic.admin })).status, 204)
    const [job] = await core.database.query<{ payload: { payload: Record<string, unknown> } }>(
      `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'revoke_oauth_token' and j.payload -> 'payload' ->> 'integration_id' = $1`,
      [id],
    )
    assert.ok(job && !JSON.stringify(job).includes(refresh_token))
    const revoke = integrationJobs.find((one) => one.name === 'revoke_oauth_token')
    await revoke?.run(job.payload.payload, jobTools(worker, clinic.id))
    assert.equal(await party.provider.RefreshToken.find(refresh_token), undefined)
  })
})
