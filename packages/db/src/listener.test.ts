import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, portOf, type TestDatabase, until } from '@tendon/testing'
import { createListener } from './listener.ts'

const HEARTBEAT_MS = 500

describe('listeners', () => {
  let database: TestDatabase
  let proxy: Server
  let url: URL
  /** While it is silent, connections stay open, and nothing is passed on. */
  let isSilent = false
  const sockets = new Set<Socket>()
  before(async () => {
    database = await createTestDatabase()
    const { hostname, port } = new URL(database.url)
    proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname)
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => other.destroy())
        socket.on('data', (sent) => isSilent || other.write(sent))
      }
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    url = new URL(database.url)
    url.host = `127.0.0.1:${portOf(proxy)}`
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await database.drop()
  })

  test('a listener knows whether it is listening, and calls back for notices and after each loss of its connection', async () => {
    const listener = createListener(database.url, 'things', 60_000)
    const heard: (string | null)[] = []
    assert.equal(listener.isListening, false)
    listener.subscribe((payload) => {
      assert.equal(listener.isListening, true)
      heard.push(payload)
    })
    await until(() => listener.isListening)
    await database.query(`select pg_notify('things', 'one')`)
    await until(() => heard.length === 2)
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'listen things' and datname = current_database()`)
    await until(() => !listener.isListening)
    await until(() => listener.isListening)
    assert.deepEqual(heard, [null, 'one', null])
    await listener.close()
    assert.equal(listener.isListening, false)
  })

  test('a listener detects that the other end of its connection has vanished', async () => {
    const listener = createListener(url.href, 'things', HEARTBEAT_MS)
    const heard: (string | null)[] = []
    listener.subscribe((payload) => heard.push(payload))
    await until(() => listener.isListening)
    isSilent = true
    await until(() => !listener.isListening)
    isSilent = false
    await until(() => listener.isListening)
    await until(async () => {
      await database.query(`select pg_notify('things', 'two')`)
      return heard.at(-1) === 'two'
    })
    await listener.close()
  })
})
