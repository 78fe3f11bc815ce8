import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'

const BASE = '/v1/webhook-subscriptions'

describe('webhooks to the platform itself', () => {
  let core: TestCore
  let port: string
  before(async () => {
    core = await sharedCore({
      env: {
        OUTBOUND_ALLOW_PRIVATE: 'true',
        WEB_HOSTS: 'console=app.tendon.example,portal=my.tendon.example',
        TELEMETRY_URL: 'https://telemetry.tendon.example',
      },
    })
    port = new URL(core.config.publicUrl).port
  })
  after(() => core.close())

  const refused = ({ status, body }: Answer) => [status, body.error?.fields?.url]
  const OURS = [422, 'must not be a URL of this platform']
  async function subscribe(url: string, clinic?: Awaited<ReturnType<TestCore['organization']>>) {
    const { admin } = clinic ?? (await core.organization())
    return core.post(BASE, { as: admin, body: { url, events: ['*'] } })
  }

  test('every spelling of a host of the platform is refused (422), another port of the loopback is not', async () => {
    const clinic = await core.organization()
    for (const url of [
      `${core.config.publicUrl}/v1/public/inbound/token`,
      `http://localhost:${port}/`,
      `http://LOCALHOST.:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f000001:${port}/`,
      `http://0:${port}/`,
      'https://app.tendon.example/',
      'https://MY.Tendon.Example./portal/',
      'https://my.tendon.example:8443/',
      'https://my。tendon.example/',
      'https://telemetry.tendon.example/',
      core.config.issuer,
    ]) {
      assert.deepEqual(refused(await subscribe(url, clinic)), OURS, url)
    }
    const created = await subscribe(`http://127.0.0.1:${Number(port) + 1}/`, clinic)
    assert.equal(created.status, 201, created.text)
    const moved = await core.patch(`${BASE}/${created.body.data.uid}`, {
      as: clinic.admin,
      body: { url: `http://[::1]:${port}/` },
    })
    assert.deepEqual(refused(moved), OURS)
  })

  test('a custom domain of the clinic, verified or not, and a verified one of another clinic are refused (422)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const name = () => `d${randomUUID().slice(0, 8)}.clinic.example`
    const [pending, verified, theirs, unproven] = [name(), name(), name(), name()]
    for (const [owner, domain] of [
      [clinic, pending],
      [clinic, verified],
      [other, theirs],
      [other, unproven],
    ] as const) {
      const path = `/v1/organizations/${owner.id}/domains`
      assert.equal((await core.post(path, { as: owner.admin, body: { domain } })).status, 201)
    }
    await core.database.query(
      `update organization_domains set status = 'verified', verified_at = now() where domain = any ($1)`,
      [[verified, theirs]],
    )
    for (const domain of [pending, verified, theirs]) {
      for (const host of [domain, `${domain.toUpperCase()}.`, `${domain}:8443`]) {
        assert.deepEqual(refused(await subscribe(`https://${host}/hook`, clinic)), OURS, host)
      }
    }
    // Nobody proved that it is theirs: entering a domain must not stop another clinic from using it.
    assert.equal((await subscribe(`https://${unproven}/hook`, clinic)).status, 201)
    assert.equal((await subscribe(`https://sub.${verified}/hook`, clinic)).status, 201)
    // A member who may not see the domains gets the same answer.
    const as = await core.memberWith(clinic, ['webhooks.view_org', 'webhooks.manage'])
    const body = { url: `https://${pending}./hook`, events: ['*'] }
    assert.deepEqual(refused(await core.post(BASE, { as, body })), OURS)
  })
})
