import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { portOf, startDnsServer, type TestDnsServer } from '@tendon/testing'
import { createOutbound, isPublicAddress, type Outbound, OutboundError } from './index.ts'

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'reached',
    (error: unknown) => (error instanceof OutboundError ? error.failure : String(error)),
  )

describe('hostile targets', () => {
  let dns: TestDnsServer
  let port: number
  let reached = 0
  const server = createServer((_, reply) => {
    reached += 1
    reply.end('inside')
  })
  const clients: Outbound[] = []

  /** As in production, but for http, which needs no certificate, and, where a test says so, one address. */
  function client(isAllowed = isPublicAddress): Outbound {
    const made = createOutbound({ dnsServers: [dns.address], allowPrivate: true, isAllowed, timeoutMs: 3_000 })
    clients.push(made)
    return made
  }
  const loopbackIsPublic = (address: string) => address === '127.0.0.1' || isPublicAddress(address)

  before(async () => {
    dns = await startDnsServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = portOf(server)
  })
  beforeEach(() => {
    reached = 0
  })
  after(async () => {
    for (const made of clients) await made.close()
    server.closeAllConnections()
    server.close()
    await dns.close()
  })

  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '255.255.255.255',
    '１２７.０.０.１',
    '①②⑦.0.0.1',
  ]) {
    test(`the literal ${host} is refused`, async () => {
      assert.equal(await failureOf(client().request(`http://${host}:${port}/`)), 'address_refused')
      assert.equal(reached, 0)
    })
  }

  test('a name that resolves to any such address is refused', async () => {
    for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1']) {
      dns.setAddresses('inside.example', [address])
      const attempt = client().request(`http://inside.example:${port}/`)
      assert.equal(await failureOf(attempt), 'address_refused', address)
    }
    assert.equal(reached, 0)
  })

  test('one private address among public ones refuses all, in either family and order', async () => {
    for (const mixed of [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '::1'],
    ]) {
      dns.setAddresses('mixed.example', mixed)
      const attempt = client(loopbackIsPublic).request(`http://mixed.example:${port}/`)
      assert.equal(await failureOf(attempt), 'address_refused', mixed.join())
    }
    assert.equal(reached, 0)
  })

  test('the address that was checked is the one that is connected to: one look-up, no rebinding', async () => {
    dns.setAddresses('rebind.example', ['127.0.0.1'], ['10.0.0.1'])
    dns.asked.length = 0
    const outbound = client(loopbackIsPublic)
    const { status } = await outbound.request(`http://rebind.example:${port}/`, { headers: { connection: 'close' } })
    assert.equal(status, 200)
    assert.deepEqual(dns.asked, ['rebind.example', 'rebind.example'], 'A and AAAA, once each')
    assert.equal(await failureOf(outbound.request(`http://rebind.example:${port}/`)), 'address_refused')
    assert.equal(reached, 1)
  })

  test('an alias to a private name is refused', async () => {
    dns.setAlias('alias.example', 'inside.example')
    dns.setAddresses('inside.example', ['127.0.0.1'])
    assert.equal(await failureOf(client().request(`http://alias.example:${port}/`)), 'address_refused')
  })

  test('hosts of other protocols are resolved and checked by the same function', async () => {
    dns.setAddresses('smtp.example', ['10.0.0.1'])
    assert.equal(await failureOf(client().addressesOf('smtp.example')), 'address_refused')
    assert.equal(await failureOf(client().addressesOf('127.0.0.1')), 'address_refused')
    dns.setAddresses('smtp.example', ['2606:4700::1111', '1.1.1.1'])
    assert.deepEqual(await client().addressesOf('smtp.example'), [
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
  })

  test('the variables for proxies are not read', async () => {
    const before = { ...process.env }
    process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${port}`
    process.env.ALL_PROXY = process.env.NODE_USE_ENV_PROXY = '1'
    try {
      dns.setAddresses('public.example', ['10.0.0.1'])
      assert.equal(await failureOf(client().request('http://public.example/')), 'address_refused')
      assert.equal(reached, 0)
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
        if (before[name] === undefined) delete process.env[name]
        else process.env[name] = before[name]
      }
    }
  })
})
