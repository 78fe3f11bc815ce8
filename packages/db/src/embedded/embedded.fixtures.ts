import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '@tendon/testing'
import { Client } from 'pg'
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts'

/** A test, or `{ after }` of a suite: resources are removed when it ends. */
export type Context = { after(work: () => unknown): void }

/** Removed at the end of the test that asks for it. */
export async function newFolder(context: Context, mode = 0o755): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')))
  await chmod(folder, mode)
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

let prepared: Promise<{ folder: string; answer: unknown[] }> | undefined

/** A folder in which the server has run before: a copy, since to create a cluster takes half a second. */
export async function usedFolder(context: Context): Promise<string> {
  const folder = await newFolder(context)
  const { folder: used } = await afterFirstStartKilled()
  await promisify(execFile)('cp', ['-a', join(used, 'postgres'), join(used, 'postgres.password'), folder])
  return folder
}

/** A folder whose first start was killed while it created the cluster, and what the server of the next start answered. */
export function afterFirstStartKilled(): Promise<{ folder: string; answer: unknown[] }> {
  prepared ??= prepare()
  return prepared
}

async function prepare(): Promise<{ folder: string; answer: unknown[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const child = startInChild({ after: (work) => process.once('exit', work) }, folder)
  await until(async () => (await readdir(folder)).some((name) => name.startsWith('postgres.initdb-')))
  await kill9(child)
  const server = await startEmbeddedPostgres({ dataDir: folder, port: 0, durable: false })
  const answer = await query(server.url, 'select 1 as it')
  await server.stop()
  return { folder, answer }
}

export async function start(
  context: Context,
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

/** Every process of a server has the folder of its cluster as working directory. */
export async function serversIn(cluster: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => places[index] === cluster)
}

/** Another Node process that starts the server in this folder, prints its address and stays. */
export function startInChild(context: Context, dataDir: string): ChildProcess {
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
