import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createOwnHosts, normaliseHost } from './index.ts'

describe('hosts', () => {
  for (const [given, normal] of [
    ['API.Tendon.Example', 'api.tendon.example'],
    ['api.tendon.example.', 'api.tendon.example'],
    ['api。tendon．example', 'api.tendon.example'],
    ['mlădița.example', 'xn--mldia-swa67q.example'],
    ['XN--MLDIA-SWA67Q.example.', 'xn--mldia-swa67q.example'],
    ['198.41.0.4', '198.41.0.4'],
    ['3324575748', '198.41.0.4'],
    ['0xc6290004', '198.41.0.4'],
    ['0xc6.41.0x0.4', '198.41.0.4'],
    ['0306.051.0.04', '198.41.0.4'],
    ['198.41.0.4.', '198.41.0.4'],
    ['[::ffff:198.41.0.4]', '198.41.0.4'],
    ['::ffff:c629:4', '198.41.0.4'],
    ['[2001:DB8:0::7]', '2001:db8::7'],
    ['[::1]', 'localhost'],
    ['::1', 'localhost'],
    ['[::]', 'localhost'],
    ['0', 'localhost'],
    ['127.0.0.1', 'localhost'],
    ['127.1', 'localhost'],
    ['2130706433', 'localhost'],
    ['[::ffff:127.0.0.1]', 'localhost'],
    ['LOCALHOST.', 'localhost'],
    ['api.localhost', 'localhost'],
    ['', undefined],
    ['.', undefined],
    ['a b', undefined],
    ['host/path', undefined],
    ['user@host', undefined],
    ['host:25', undefined],
    ['host?x', undefined],
    ['[::1', undefined],
  ] as const) {
    test(`${given || 'an empty text'} is ${normal ?? 'no host'}`, () => assert.equal(normaliseHost(given), normal))
  }

  test('a host has one normal form, and it is its own normal form', () => {
    const hosts = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6())
    fc.assert(
      fc.property(hosts, (host) => {
        const normal = normaliseHost(host)
        assert.ok(normal !== undefined)
        assert.equal(normaliseHost(normal), normal)
        assert.equal(normaliseHost(host.toUpperCase()), normal)
        if (!host.includes(':')) assert.equal(normaliseHost(`${host}.`), normal)
      }),
    )
  })

  test('a host is ours on every port; a local machine only on our port, because other services share it', () => {
    const isOwn = createOwnHosts(['https://api.tendon.example', 'http://127.0.0.1:3000', 'https://198.41.0.4:8443/x'])
    for (const url of [
      'https://api.tendon.example/v1',
      'https://API.tendon.example.:8443/',
      'http://localhost:3000',
      'http://[::1]:3000/',
      'http://0x7f000001:3000/',
      'https://[::ffff:198.41.0.4]/',
      'https://3324575748/',
    ]) {
      assert.equal(isOwn(new URL(url)), true, url)
    }
    for (const url of [
      'https://tendon.example',
      'https://a.api.tendon.example',
      'http://127.0.0.1:3001',
      'http://localhost',
    ]) {
      assert.equal(isOwn(new URL(url)), false, url)
    }
    const isLocal = createOwnHosts(['http://192.168.1.5:3000', 'http://box:3000'])
    for (const host of ['192.168.1.5', '[::ffff:c0a8:105]', 'BOX.']) {
      assert.equal(isLocal(new URL(`http://${host}:3000/`)), true, host)
      assert.equal(isLocal(new URL(`http://${host}:3001/`)), false, host)
    }
    assert.equal(isOwn({ hostname: 'API.tendon.example.', port: 587 }), true)
    assert.equal(isOwn({ hostname: '::1', port: 587 }), false)
    assert.equal(isOwn({ hostname: '::1', port: 3000 }), true)
  })
})
