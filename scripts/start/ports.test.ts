import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort, portOf } from '@tendon/testing'
import { problemOfPorts } from './ports.ts'

const HOST = '127.0.0.1'

test('free ports, and any number of 0, are accepted', async () => {
  assert.equal(
    await problemOfPorts(HOST, [
      ['A_PORT', await freePort()],
      ['B_PORT', 0],
      ['C_PORT', 0],
    ]),
    undefined,
  )
})

async function listen() {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  return { server, port: portOf(server) }
}

test('every port in use is named with its setting', async () => {
  const [one, two] = [await listen(), await listen()]
  const single = await problemOfPorts(HOST, [
    ['A_PORT', 0],
    ['B_PORT', one.port],
  ])
  const both = await problemOfPorts(HOST, [
    ['A_PORT', one.port],
    ['B_PORT', two.port],
  ])
  for (const { server } of [one, two]) server.close()
  assert.match(single ?? '', new RegExp(`^Port ${one.port} is in use, .* B_PORT=… npm start$`))
  assert.match(both ?? '', new RegExp(`^Ports ${one.port}, ${two.port} are in use, .* A_PORT=… B_PORT=… npm start$`))
})

test('one port for two settings names both', async () => {
  const problem = await problemOfPorts(HOST, [
    ['A_PORT', 4000],
    ['B_PORT', 4000],
  ])
  assert.equal(problem, 'A_PORT and B_PORT are both 4000. Give each a port of its own: B_PORT=… npm start')
})
