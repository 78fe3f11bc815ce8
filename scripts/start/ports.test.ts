import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { problemOfPorts } from './ports.ts'

const HOST = '127.0.0.1'

test('free ports, and any number of 0, are accepted', async () => {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  assert.equal(
    await problemOfPorts(HOST, [
      ['A_PORT', port],
      ['B_PORT', 0],
      ['C_PORT', 0],
    ]),
    undefined,
  )
})

test('a port in use is named with its setting', async () => {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const problem = await problemOfPorts(HOST, [
    ['A_PORT', 0],
    ['B_PORT', port],
  ])
  server.close()
  assert.match(problem ?? '', new RegExp(`^Port ${port} is in use .* B_PORT=… npm start$`))
})

test('one port for two settings names both', async () => {
  const problem = await problemOfPorts(HOST, [
    ['A_PORT', 4000],
    ['B_PORT', 4000],
  ])
  assert.equal(problem, 'A_PORT and B_PORT are both 4000. Give each a port of its own: B_PORT=… npm start')
})
