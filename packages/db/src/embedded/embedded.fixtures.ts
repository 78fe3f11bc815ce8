import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts'

/** Removed at the end of the test that asks for it. */
export async function newFolder(context: TestContext, mode = 0o755): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')))
  await chmod(folder, mode)
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

let prepared: Promise<string> | undefined

/** A folder in which the server has run before: a copy, since to create a cluster takes a second. */
export async function usedFolder(context: TestContext): Promise<string> {
  prepared ??= prepare()
  const folder = await newFolder(context)
  await promisify(execFile)('cp', ['-a', `${await prepared}/.`, folder])
  return folder
}

async function prepare(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  await (await startEmbeddedPostgres({ dataDir: folder, port: 0, durable: false })).stop()
  return folder
}

export async function start(
  context: TestContext,
  dataDir: string,
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, port: 0, durable: false, ...options })
  context.after(() => server.stop())
  return server
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ it: unknown }>(sql)).rows.map((row) => row.it)
  } finally {
    await client.end()
  }
}

/** Every process of a server stands in the folder of its cluster. */
export async function serversIn(cluster: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => places[index] === cluster)
}

export async function until(fact: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!(await fact())) {
    assert.ok(performance.now() < deadline, 'waited too long')
    await delay(5)
  }
}

/** Another Node process that starts the server in this folder, prints its address and stays. */
export function startInChild(context: TestContext, dataDir: string): ChildProcess {
  const options = JSON.stringify({ dataDir, port: 0, durable: false })
  const code = `import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./index.ts'))}
    console.log((await startEmbeddedPostgres(${options})).url)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  context.after(() => child.kill('SIGKILL'))
  return child
}

export async function kill9(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return chunk.toString().trim()
}
