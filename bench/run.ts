// `npm run bench`: speed as ratios against yardsticks in the same run. Figures of different runs do not compare.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { prepareTemplate, startIssuer, startTemporaryPostgres } from '@tendon/testing'
import { benchCore } from './core.ts'

const postgres = await startTemporaryPostgres({ durable: true })
const issuer = await startIssuer()
const children: ChildProcess[] = []

export interface BenchServer {
  port: number
  /** Processor time that its process has used. */
  cpuSeconds(): Promise<number>
}

interface Message {
  port: number
  cpuSeconds: number
}

/** Starts bench/servers.ts. */
async function startServer(kind: 'core' | 'bare', payload: string, env: Record<string, string>): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'servers.ts'), [kind, payload], { env: { ...process.env, ...env } })
  children.push(child)
  const message = () =>
    new Promise<Message>((resolve, reject) => {
      child.once('message', (given) => resolve(given as Message))
      child.once('exit', (code) => reject(new Error(`the ${kind} server ended with code ${code}`)))
    })
  const { port } = await message()
  return {
    port,
    async cpuSeconds() {
      child.send('cpu')
      return (await message()).cpuSeconds
    },
  }
}

try {
  process.env.TEST_DATABASE_URL = postgres.url
  await prepareTemplate()
  await benchCore({ startServer, issuer, dataDir: postgres.dataDir, seconds: Number(process.env.BENCH_SECONDS ?? 5) })
} finally {
  for (const child of children) child.kill('SIGKILL')
  await issuer.close()
  await postgres.remove()
}
