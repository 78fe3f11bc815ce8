import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startDnsServer, type TestDnsServer } from '@tendon/testing'
import { createDnsResolver } from '../../../platform/dns.ts'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

interface Clinic {
  id: string
  admin: Person
}

const freshName = () => `portal.clinic-${randomUUID().slice(0, 8)}.example`
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

describe('domains', () => {
  let dns: TestDnsServer
  let core: TestCore
  before(async () => {
    dns = await startDnsServer()
    core = await sharedCore({ env: { DNS_SERVERS: dns.address } })
  })
  after(async () => {
    await core.close()
    await dns.close()
  })

  const add = (clinic: Clinic, domain: string, headers = {}) =>
    core.post(`/v1/organizations/${clinic.id}/domains`, { as: clinic.admin, body: { domain }, headers })
  const verify = (clinic: Clinic, id: string) =>
    core.post(`/v1/organizations/${clinic.id}/domains/${id}/verify`, { as: clinic.admin })
  const remove = (clinic: Clinic, id: string) =>
    core.delete(`/v1/organizations/${clinic.id}/domains/${id}`, { as: clinic.admin })
  const resolve = (domain: string) => core.get(`/v1/public/organizations/resolve?domain=${encodeURIComponent(domain)}`)

  async function added(clinic: Clinic, domain = freshName()) {
    const { status, body, text } = await add(clinic, domain)
    assert.equal(status, 201, text)
    return body.data
  }
  async function verified(clinic: Clinic, domain = freshName()) {
    const { id, txt_record } = await added(clinic, domain)
    dns.setTxt(txt_record.name, txt_record.value)
    const { body, text } = await verify(clinic, id)
    assert.equal(body.data?.status, 'verified', text)
    return body.data
  }

  test('adding a domain gives the TXT record to publish; the list shows it too', async () => {
    const clinic = await core.organization()
    const { status, body } = await add(clinic, ' Portal.MLĂDIȚA.Example. ')
    assert.equal(status, 201)
    const { id, created_at, updated_at, txt_record, ...rest } = body.data
    assert.deepEqual(rest, {
      domain: 'portal.xn--mldia-swa67q.example',
      status: 'pending',
      verified_at: null,
      last_checked_at: null,
      record_missing_since: null,
    })
    assert.equal(txt_record.name, '_tendon-challenge.portal.xn--mldia-swa67q.example')
    assert.equal(txt_record.type, 'TXT')
    assert.match(txt_record.value, /^tendon-verify=[0-9a-f]{32}$/)
    const list = await core.get(`/v1/organizations/${clinic.id}/domains`, { as: clinic.admin })
    assert.deepEqual(list.body, { data: [body.data], pagination: { page: 1, limit: 50, total: 1 } })
    assert.ok(id && created_at && updated_at)
  })

  test('the list filters by status, searches and sorts', async () => {
    const clinic = await core.organization()
    const mark = randomUUID().slice(0, 8)
    await added(clinic, `b.${mark}.example`)
    await added(clinic, `a.${mark}.example`)
    await verified(clinic, `c.${mark}.example`)
    const list = async (query: string) => {
      const { body } = await core.get(`/v1/organizations/${clinic.id}/domains?${query}`, { as: clinic.admin })
      return body.data?.map(({ domain }: { domain: string }) => domain[0]).join('') ?? body.error.fields
    }
    assert.equal(await list(''), 'cab')
    assert.equal(await list('sort=domain'), 'abc')
    assert.equal(await list('sort=-domain'), 'cba')
    assert.equal(await list('status=verified'), 'c')
    assert.equal(await list('status=pending,nonsense&sort=created_at'), 'ba')
    assert.equal(await list(`q=A.${mark}`), 'a')
    assert.deepEqual(Object.keys(await list('sort=challenge')), ['sort'])
  })

  test('anything but a public domain name is refused with the reason (422)', async () => {
    const clinic = await core.organization()
    for (const domain of [
      '192.0.2.1',
      'clinic',
      'https://clinic.example',
      '*.clinic.example',
      `${'a'.repeat(64)}.example`,
    ]) {
      const { status, body } = await add(clinic, domain)
      assert.equal(status, 422, domain)
      assert.deepEqual(Object.keys(body.error.fields), ['domain'])
    }
    for (const body of [{}, { domain: 7 }, { domain: 'a.example', status: 'verified' }, { domain: 'x'.repeat(1001) }]) {
      const answer = await core.post(`/v1/organizations/${clinic.id}/domains`, { as: clinic.admin, body })
      assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 60))
    }
  })

  test('the same domain twice is 409, in any spelling, also in parallel requests', async () => {
    const clinic = await core.organization()
    const domain = freshName()
    const answers = await Promise.all([domain, domain.toUpperCase(), `${domain}.`].map((one) => add(clinic, one)))
    assert.deepEqual(statusesOf(answers), [201, 409, 409])
    assert.equal((await add(clinic, domain)).body.error.code, 'domain_exists')
  })

  test('a repeated Idempotency-Key returns the same domain', async () => {
    const clinic = await core.organization()
    const domain = freshName()
    const [one, two] = [
      await add(clinic, domain, { 'idempotency-key': 'key-1' }),
      await add(clinic, domain, { 'idempotency-key': 'key-1' }),
    ]
    assert.equal(two.status, 201)
    assert.equal(two.text, one.text)
    assert.equal(two.headers.get('idempotency-replayed'), 'true')
  })

  test('verifying before the record is published fails and says what to do; afterwards it succeeds and resolves', async () => {
    const clinic = await core.organization()
    const { id, domain, txt_record } = await added(clinic)
    const early = await verify(clinic, id)
    assert.equal(early.status, 200, early.text)
    assert.equal(early.body.data.status, 'failed')
    assert.equal(early.body.data.verified_at, null)
    assert.ok(early.body.data.last_checked_at)
    assert.match(early.body.data.problem, /There is no TXT record/)
    assert.ok(early.body.data.problem.includes(`named ${txt_record.name} with the value ${txt_record.value}`))
    assert.match(early.body.data.problem, /an hour/)
    assert.equal((await resolve(domain)).status, 404)

    dns.setTxt(txt_record.name, 'tendon-verify=of-yesterday', 'v=spf1 -all')
    const wrong = await verify(clinic, id)
    assert.match(wrong.body.data.problem, /another value: "tendon-verify=of-yesterday", "v=spf1 -all"\./)

    dns.setTxt(txt_record.name, txt_record.value)
    const right = await verify(clinic, id)
    assert.equal(right.body.data.status, 'verified')
    assert.equal(right.body.data.problem, null)
    assert.equal(right.body.data.verified_at, right.body.data.last_checked_at)
    assert.equal((await resolve(domain)).body.data.id, clinic.id)
  })

  test('the record counts in chunks, among other records, behind an alias and under a name in another case', async () => {
    const clinic = await core.organization()
    const publish: ((name: string, value: string) => void)[] = [
      (name, value) => dns.setTxt(name, [value.slice(0, 5), value.slice(5, 20), value.slice(20)]),
      (name, value) => dns.setTxt(name, 'v=spf1 -all', ['a', 'b'], value),
      (name, value) => dns.setTxt(name.toUpperCase(), value),
      (name, value) => {
        dns.setAlias(name, `txt.${name}`)
        dns.setTxt(`txt.${name}`, value)
      },
    ]
    for (const [index, one] of publish.entries()) {
      const { id, txt_record } = await added(clinic)
      one(txt_record.name, txt_record.value)
      assert.equal((await verify(clinic, id)).body.data.status, 'verified', `way ${index}`)
    }
  })

  test('a verified domain resolves in any spelling; nothing else does', async () => {
    const clinic = await core.organization()
    await verified(clinic, 'CLINICĂ-unu.Example')
    for (const spelling of [
      'clinică-unu.example',
      'CLINICĂ-Unu.EXAMPLE',
      'xn--clinic-unu-mgb.example.',
      ' XN--CLINIC-UNU-MGB.example',
    ]) {
      assert.equal((await resolve(spelling)).body.data?.id, clinic.id, spelling)
    }
    for (const other of ['example', 'unu.example', '%', '_', 'https://clinică-unu.example', 'clinică-unu.example/']) {
      const { status, body } = await resolve(other)
      assert.deepEqual([status, body.error.code], [404, 'organization_not_found'], other)
    }
  })

  test('verifying again re-checks; a verified domain stays verified when its record is gone, with a message', async () => {
    const clinic = await core.organization()
    const { id, domain, txt_record, verified_at } = await verified(clinic)
    dns.setTxt(txt_record.name)
    const again = await verify(clinic, id)
    assert.equal(again.body.data.status, 'verified')
    assert.equal(again.body.data.verified_at, verified_at)
    assert.ok(again.body.data.last_checked_at >= verified_at)
    assert.match(again.body.data.problem, /There is no TXT record/)
    assert.equal((await resolve(domain)).status, 200)
  })

  test('when the DNS does not answer, the answer is 503 with Retry-After and nothing changes', async (t) => {
    const clinic = await core.organization()
    const { id, txt_record } = await added(clinic)
    dns.setTxt(txt_record.name, txt_record.value)
    const impatient = await sharedCore({
      services: { dns: createDnsResolver([dns.address], { timeoutMs: 100, tries: 1 }) },
    })
    t.after(() => impatient.close())
    const elsewhere = await impatient.organization()
    const path = `/v1/organizations/${elsewhere.id}/domains`
    const there = await impatient.post(path, { as: elsewhere.admin, body: { domain: freshName() } })
    try {
      dns.mood = 'fails'
      const failed = await verify(clinic, id)
      dns.mood = 'silent'
      const silent = await impatient.post(`${path}/${there.body.data.id}/verify`, { as: elsewhere.admin })
      for (const answer of [failed, silent]) {
        assert.equal(answer.status, 503, answer.text)
        assert.equal(answer.body.error.code, 'unavailable')
        assert.equal(answer.headers.get('retry-after'), '30')
      }
    } finally {
      dns.mood = 'answers'
    }
    const list = await core.get(`/v1/organizations/${clinic.id}/domains`, { as: clinic.admin })
    assert.equal(list.body.data[0].status, 'pending')
    assert.equal(list.body.data[0].last_checked_at, null)
    assert.equal((await verify(clinic, id)).body.data.status, 'verified')
  })

  test('a domain verified elsewhere can be added but not verified (409), and only its owner learns why', async () => {
    const [owner, other] = [await core.organization(), await core.organization()]
    const { domain } = await verified(owner)
    const theirs = await added(other, domain)
    assert.equal(theirs.status, 'pending')
    assert.equal((await verify(other, theirs.id)).body.data.status, 'failed')
    dns.setTxt(theirs.txt_record.name, theirs.txt_record.value)
    const refused = await verify(other, theirs.id)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body, {
      error: {
        code: 'domain_unavailable',
        message: 'This domain cannot be verified for your organization. If it is yours, contact support.',
      },
    })
    assert.equal((await resolve(domain)).body.data.id, owner.id)
  })

  test('of two organizations that verify at once exactly one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const clinics = [await core.organization(), await core.organization()]
      const domain = freshName()
      const mine = await Promise.all(clinics.map((clinic) => added(clinic, domain)))
      dns.setTxt(mine[0].txt_record.name, ...mine.map(({ txt_record }) => txt_record.value))
      const answers = await Promise.all(clinics.map((clinic, index) => verify(clinic, mine[index].id)))
      assert.deepEqual(statusesOf(answers), [200, 409])
      const winner = answers.findIndex(({ status }) => status === 200)
      assert.equal((await resolve(domain)).body.data.id, clinics[winner]?.id)
    }
  })

  test('a domain deleted during the DNS lookup is not found, and stays deleted', async (t) => {
    const name = freshName()
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>()
    const { promise: records, resolve: answer } = Promise.withResolvers<string[]>()
    const slow = await sharedCore({
      services: {
        dns: {
          txtRecords: () => {
            wasAsked()
            return records
          },
        },
      },
    })
    t.after(() => slow.close())
    const clinic = await slow.organization()
    const path = `/v1/organizations/${clinic.id}/domains`
    const { body } = await slow.post(path, { as: clinic.admin, body: { domain: name } })
    const verifying = slow.post(`${path}/${body.data.id}/verify`, { as: clinic.admin })
    await asked
    assert.equal(slow.services.db.metrics().acquired_conns, 0)
    assert.equal((await slow.delete(`${path}/${body.data.id}`, { as: clinic.admin })).status, 204)
    answer([body.data.txt_record.value])
    assert.equal((await verifying).body.error.code, 'domain_not_found')
    assert.equal((await slow.get(path, { as: clinic.admin })).body.pagination.total, 0)
  })

  test('a deleted domain is gone, no longer resolves, and is free for others', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id, domain } = await verified(clinic)
    const answers = await Promise.all([remove(clinic, id), remove(clinic, id)])
    assert.deepEqual(statusesOf(answers), [204, 404])
    assert.equal(answers.find(({ status }) => status === 204)?.text, '')
    assert.equal((await verify(clinic, id)).body.error.code, 'domain_not_found')
    assert.equal((await resolve(domain)).status, 404)
    await verified(other, domain)
    assert.equal((await resolve(domain)).body.data.id, other.id)
  })

  test("another organization's domain is not found, and its URL is not the caller's", async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id, txt_record } = await added(other)
    for (const unknown of [id, randomUUID(), 'not-an-id']) {
      for (const answer of [await verify(clinic, unknown), await remove(clinic, unknown)]) {
        assert.equal(answer.status, 404, answer.text)
      }
    }
    const foreign = await core.get(`/v1/organizations/${other.id}/domains`, { as: clinic.admin })
    assert.equal(foreign.body.error.code, 'organization_mismatch')
    const header = await core.get(`/v1/organizations/${other.id}/domains`, {
      as: clinic.admin,
      headers: { 'x-organization-id': other.id },
    })
    assert.equal(header.status, 403)
    assert.ok(!dns.asked.includes(txt_record.name))
    assert.equal((await verify(other, id)).status, 200)
    assert.ok(dns.asked.includes(txt_record.name))
  })

  test('without the permission every route is forbidden (403) and names it', async () => {
    const clinic = await core.organization()
    const { id } = await added(clinic)
    const as = await core.memberWith(clinic, ['organizations.update', 'organizations.manage_members'])
    const path = `/v1/organizations/${clinic.id}/domains`
    for (const answer of [
      await core.get(path, { as }),
      await core.post(path, { as, body: { domain: freshName() } }),
      await core.delete(`${path}/${id}`, { as }),
      await core.post(`${path}/${id}/verify`, { as }),
    ]) {
      assert.equal(answer.status, 403)
      assert.equal(answer.body.error.required, 'organizations.manage_domains')
    }
    const manager = await core.memberWith(clinic, ['organizations.manage_domains'])
    assert.equal((await core.get(path, { as: manager })).body.pagination.total, 1)
    assert.equal((await core.get(path, { as: await core.superadmin() })).body.pagination.total, 1)
  })

  test('every step leaves an audit row and an event', async () => {
    const clinic = await core.organization()
    const { id, txt_record } = await added(clinic)
    await verify(clinic, id)
    dns.setTxt(txt_record.name, txt_record.value)
    await verify(clinic, id)
    await remove(clinic, id)
    const entries = await core.database.query(
      `select action, crud, outcome, target_type, target_id from audit_log
       where organization_id = $1 and action like 'domains.%' order by occurred_at`,
      [clinic.id],
    )
    const entry = (action: string, crud: string, outcome = 'success') => ({
      action,
      crud,
      outcome,
      target_type: 'domain',
      target_id: id,
    })
    assert.deepEqual(entries, [
      entry('domains.create', 'C'),
      entry('domains.verify', 'U', 'failure'),
      entry('domains.verify', 'U'),
      entry('domains.delete', 'D'),
    ])
    const events = await core.database.query<{ type: string }>(
      `select type from outbox_events where organization_id = $1 and type like 'domain.%' order by occurred_at`,
      [clinic.id],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['domain.created', 'domain.failed', 'domain.verified', 'domain.deleted'],
    )
  })
})
