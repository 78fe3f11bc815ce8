import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { canReach, serviceAccount, spawnOptions } from './account.ts'
import { packagedBinaries, usableBinaries } from './binaries.ts'
import {
  afterFirstStartKilled,
  type Context,
  firstLine,
  kill9,
  newFolder,
  query,
  serversIn,
  start,
  startInChild,
  usedFolder,
} from './embedded.fixtures.ts'
import type { EmbeddedPostgres } from './index.ts'

const NOT_ROOT = process.getuid?.() !== 0 && 'only root hands the database to another user'

/** To be called in a suite: an \`after\` that is called in a hook may belong to the suite of another file. */
function cleanedAfter(): Context {
  const cleanups: (() => unknown)[] = []
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean()
  })
  return { after: (work) => cleanups.push(work) }
}

describe('embedded PostgreSQL', { concurrency: 4 }, () => {
  test('a restart keeps the data and the password', async (t) => {
    const dataDir = await usedFolder(t)
    const first = await start(t, dataDir)
    await query(first.url, 'create table kept as select 42 as it')
    await first.stop()
    const second = await start(t, dataDir)
    assert.deepEqual(await query(second.url, 'select it from kept'), [42])
    assert.equal(new URL(second.url).password, new URL(first.url).password)
    assert.equal((await stat(join(dataDir, 'postgres.password'))).mode & 0o777, 0o600)
    await second.stop()
  })

  describe('one server', { concurrency: 1 }, () => {
    let dataDir: string
    let server: EmbeddedPostgres
    const suite = cleanedAfter()
    before(async () => {
      dataDir = await usedFolder(suite)
      server = await start(suite, dataDir, { maxConnections: 37, settings: { work_mem: '7MB' } })
    })

    test('the server is UTF-8, UTC, sorts by code point and listens on 127.0.0.1 only', async () => {
      const show = async (name: string) => (await query(server.url, `select current_setting('${name}') as it`))[0]
      assert.equal(await show('TimeZone'), 'UTC')
      assert.equal(await show('server_encoding'), 'UTF8')
      assert.equal(await show('listen_addresses'), '127.0.0.1')
      assert.equal(await show('unix_socket_directories'), '')
      assert.equal(await show('fsync'), 'off')
      assert.equal(await show('max_connections'), '37')
      assert.equal(await show('work_mem'), '7MB')
      assert.deepEqual(await query(server.url, `select upper('ș') || ('Z' < 'a') as it`), ['Ștrue'])
    })

    test('a connection without the password is refused', async () => {
      await assert.rejects(query(`postgres://postgres:wrong@127.0.0.1:${server.port}/postgres`, 'select 1'), {
        code: '28P01',
      })
      await assert.rejects(query(`postgres://postgres@127.0.0.1:${server.port}/postgres`, 'select 1'), /password/)
    })

    test('stop ends every process, also with clients connected', async () => {
      const client = new Client({ connectionString: server.url })
      client.on('error', () => undefined)
      await client.connect()
      assert.notEqual((await serversIn(join(dataDir, 'postgres'))).length, 0)
      await Promise.all([server.stop(), server.stop()])
      assert.deepEqual(await serversIn(join(dataDir, 'postgres')), [])
    })
  })

  describe('a server of another process', { concurrency: 1 }, () => {
    let dataDir: string
    let child: ChildProcess
    let url: string
    const suite = cleanedAfter()
    before(async () => {
      dataDir = await usedFolder(suite)
      child = startInChild(suite, dataDir)
      url = await firstLine(child)
    })

    test('a start in a folder whose server belongs to another living process is refused', async (t) => {
      await assert.rejects(start(t, dataDir), { code: 'ALREADY_RUNNING' })
      assert.deepEqual(await query(url, 'select 1 as it'), [1])
    })

    test('a server whose parent died by kill -9 is taken over with its data', async (t) => {
      await query(url, 'create table kept as select 42 as it')
      await kill9(child)
      assert.notEqual((await serversIn(join(dataDir, 'postgres'))).length, 0, 'the server was orphaned')
      const server = await start(t, dataDir, { port: Number(new URL(url).port) })
      assert.deepEqual(await query(server.url, 'select it from kept'), [42])
      await server.stop()
      assert.deepEqual(await serversIn(join(dataDir, 'postgres')), [])
    })
  })

  test('a first start killed half-way leaves nothing broken', async () => {
    assert.deepEqual((await afterFirstStartKilled()).answer, [1])
  })

  test('a stale postmaster.pid never ends the process that has the number now', async (t) => {
    const dataDir = await usedFolder(t)
    // The same user as the server: without our check PostgreSQL would refuse to start.
    const bystander = spawn('/bin/sleep', ['600'], { ...spawnOptions(await serviceAccount()), stdio: 'ignore' })
    await once(bystander, 'spawn')
    const record = `${bystander.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), record)
    await (await start(t, dataDir)).stop()
    assert.equal(bystander.exitCode ?? bystander.signalCode, null)
    bystander.kill()
  })

  test('a port in use is named in the refusal', async (t) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    assert.ok(address && typeof address === 'object')
    const message = `Port ${address.port} is in use by another program. Stop it or set another port for the database.`
    await assert.rejects(start(t, await usedFolder(t), { port: address.port }), { code: 'PORT_IN_USE', message })
    other.close()
  })

  test('of two starts at once in one folder the second is refused and the first keeps running', async (t) => {
    const dataDir = await usedFolder(t)
    const both = await Promise.allSettled([start(t, dataDir), start(t, dataDir)])
    const [server, ...more] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [refusal] = both.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
    assert.ok(server && more.length === 0 && refusal instanceof Error)
    assert.match(refusal.message, /already in use by a running process/)
    assert.deepEqual(await query(server.url, 'select 1 as it'), [1])
    await server.stop()
  })

  test('a server that does not come up is reported with the end of its log', async (t) => {
    const dataDir = await usedFolder(t)
    await assert.rejects(
      start(t, dataDir, { settings: { shared_buffers: 'plenty' } }),
      /did not start[^]*shared_buffers/,
    )
    await (await start(t, dataDir)).stop()
  })

  test('below a folder closed to others the database still works and is kept', { skip: NOT_ROOT }, async (t) => {
    const dataDir = join(await newFolder(t, 0o700), 'data')
    const lines: string[] = []
    const first = await start(t, dataDir, { onProgress: (line) => lines.push(line) })
    await query(first.url, 'create table kept as select 42 as it')
    await first.stop()
    const cluster = (await readFile(join(dataDir, 'postgres.location'), 'utf8')).trim()
    assert.ok(lines.some((line) => line.includes(cluster)))
    const second = await start(t, dataDir)
    assert.deepEqual(await query(second.url, 'select it from kept'), [42])
    await second.stop()
    for (const path of [cluster, `${cluster}.lock`]) await rm(path, { recursive: true })
  })

  test('binaries that the database user cannot access are copied once, with their links', {
    skip: NOT_ROOT,
  }, async (t) => {
    const closed = await newFolder(t, 0o700)
    const copies = await newFolder(t)
    const account = await serviceAccount()
    const native = join(closed, 'native')
    // Without the thousand small files that only a running server reads.
    const wanted = async (path: string) => basename(path) !== 'share' && !(await isLink(path))
    await cp(packagedBinaries(), native, { recursive: true, filter: wanted })
    await cp(join(packagedBinaries(), '..', 'package.json'), join(closed, 'package.json'))
    assert.equal(await canReach(account, closed), false)
    const lines: string[] = []
    const find = () =>
      usableBinaries(
        native,
        account,
        async () => copies,
        (line) => lines.push(line),
      )
    assert.equal(await find(), await find())
    assert.equal(lines.length, 1)
    assert.equal((await readdir(copies)).length, 1)
  })
})

const isLink = (path: string): Promise<boolean> =>
  readlink(path).then(
    () => true,
    () => false,
  )
