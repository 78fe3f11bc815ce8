import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort, portOf, processEnv } from '@tendon/testing'
import { decodeJwt } from 'jose'
import { readEnvironment } from './environment.ts'
import { complaintOf } from './refusals.ts'

describe('the commands of the local identity provider', () => {
  let dataDir: string

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'identity-'))
  })

  after(() => rm(dataDir, { recursive: true }))

  function start(script: string, args: string[] = [], variables: Record<string, string> = {}) {
    const path = fileURLToPath(new URL(script, import.meta.url))
    const env = { ...processEnv(), DATA_DIR: dataDir, ...variables }
    return spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async function run(...command: Parameters<typeof start>) {
    const child = start(...command)
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code, out, err }
  }

  test('neither command runs in production, and both say why in one line', async () => {
    for (const script of ['server.ts', 'token.ts']) {
      const { code, out, err } = await run(script, ['a@b.example'], { NODE_ENV: 'production' })
      assert.equal(code, 1)
      assert.equal(out, '')
      assert.match(err, /^[^\n]*does not run with NODE_ENV=production[^\n]*\n$/)
    }
  })

  test('a port in use is one sentence and exit code 1', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = portOf(server)
    const { code, err } = await run('server.ts', [], { IDENTITY_PORT: String(port) })
    server.close()
    assert.equal(code, 1)
    assert.match(err, new RegExp(`^Port ${port} on 127.0.0.1 is already in use;[^\n]*\n$`))
  })

  test('a wrong setting is named without a stack', async () => {
    for (const [name, value] of Object.entries({
      IDENTITY_PORT: 'abc',
      AUTH_ISSUER: 'example',
      WEB_ORIGINS: 'localhost',
    })) {
      assert.throws(
        () => readEnvironment({ [name]: value }),
        (error) => new RegExp(`^The configuration is invalid:\n  - ${name} must be [^\n]*$`).test(complaintOf(error)),
      )
    }
    const { code, err } = await run('token.ts', ['a@b.example'], { WEB_ORIGINS: 'localhost' })
    assert.equal(code, 1)
    assert.match(err, /^The configuration is invalid:\n {2}- WEB_ORIGINS must be [^\n]*\n$/)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`the server says where it is, warns of nothing, and stops cleanly on ${signal}`, async () => {
      const port = await freePort()
      const child = start('server.ts', [], { IDENTITY_PORT: String(port) })
      const err = text(child.stderr)
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
      assert.equal(line, `Identity provider for local use: http://127.0.0.1:${port}\n`)
      assert.equal((await fetch(`http://127.0.0.1:${port}/jwks`)).status, 200)
      child.kill(signal)
      assert.deepEqual(await once(child, 'exit'), [0, null])
      assert.equal(await err, '')
    })
  }

  test('the token command prints the token alone', async () => {
    const { code, out, err } = await run('token.ts', ['Ana.Ionescu@mladita.example'])
    assert.equal(code, 0)
    assert.equal(err, '')
    assert.match(out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const claims = decodeJwt(out.trim())
    assert.equal(claims.name, 'Ana Ionescu')
    assert.equal(claims.iss, 'http://127.0.0.1:3001')
    assert.equal(claims.aud, 'tendon-api')
  })

  test('the token command without a proper e-mail explains itself on stderr', async () => {
    for (const [args, hint] of [
      [[], /Usage: npm run token/],
      [['nobody'], /"nobody" is not an e-mail address/],
    ] as const) {
      const { code, out, err } = await run('token.ts', [...args])
      assert.equal(code, 1)
      assert.equal(out, '')
      assert.match(err, hint)
    }
  })
})
