import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { complaintOf } from '@tendon/process'
import { freePort, processEnv, START_MS } from '@tendon/testing'

/** A real server process, for what only a process can show: signals, crashes, logs. */
interface ServerProcess {
  url: string
  child: ChildProcess
  exited: Promise<number | null>
  output(): string
}

export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../server.ts')],
    {
      env: { ...processEnv(), CORE_PORT: String(port), CORE_METRICS_PORT: String(metricsPort), ...env },
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
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    if (answer?.ok) return { url, child, exited, output: () => output }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  child.kill('SIGKILL')
  throw new Error(`the server did not start:\n${output}`)
}

/** The terminal output of a failed start, without a process. */
export async function complaintAbout(start: Promise<unknown>): Promise<string> {
  const complaint = await start.then(() => undefined, complaintOf)
  if (complaint === undefined) throw new Error('it started')
  return complaint
}
