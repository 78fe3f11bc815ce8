import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { processEnv } from '@tendon/testing'

/** A real telemetry process, for what only a process can show: signals, crashes. */
export interface ServiceProcess {
  url: string
  metricsUrl: string
  child: ChildProcess
  exited: Promise<number | null>
  output(): string
}

const READY_TIMEOUT_MS = 20_000

export async function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'server.ts')],
    {
      env: {
        ...processEnv(),
        TELEMETRY_PORT: String(port),
        TELEMETRY_METRICS_PORT: String(metricsPort),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/v1/readyz`).catch(() => undefined)
    if (answer?.ok) {
      return { url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, child, exited, output: () => output }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGKILL')
  throw new Error(`the service did not start:\n${output}`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
