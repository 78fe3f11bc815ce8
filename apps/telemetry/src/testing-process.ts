import {
  type ChildProcess,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
  spawn,
} from 'node:child_process'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort, processEnv, START_MS } from '@tendon/testing'
import { type Answer, readAnswer, type send } from './testing.ts'

/** A real telemetry process, for tests of signals and crashes. */
export interface ServiceProcess {
  url: string
  metricsUrl: string
  child: ChildProcess
  exited: Promise<number | null>
  output(): string
}

/** `openFilesMax`: limit of open files of the process, ours by default. */
export async function startServiceProcess(env: Record<string, string>, openFilesMax?: number): Promise<ServiceProcess> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'server.ts')]
  const options: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe> = {
    env: {
      ...processEnv(),
      TELEMETRY_PORT: String(port),
      TELEMETRY_METRICS_PORT: String(metricsPort),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }
  const child =
    openFilesMax === undefined
      ? spawn(process.execPath, args, options)
      : spawn('/bin/sh', ['-c', `ulimit -n ${openFilesMax} && exec "$0" "$@"`, process.execPath, ...args], options)
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
    const answer = await fetch(`${url}/v1/readyz`).catch(() => undefined)
    if (answer?.ok) {
      return { url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, child, exited, output: () => output }
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGKILL')
  throw new Error(`the service did not start:\n${output}`)
}

/** Sends half of each body, and the rest on request. */
export function holdingBack() {
  const rest = Promise.withResolvers<void>()
  /** How many the service has started to read: it answers 100 before it waits for the rest. */
  let held = 0
  const answers: Answer[] = []
  const half: typeof send = (url, method, path, headers, body = '') => {
    const bytes = Buffer.from(body)
    const middle = bytes.length >> 1
    const length = { 'content-length': bytes.length, expect: '100-continue' }
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, path, headers: { ...headers, ...length } }, (response) =>
        readAnswer(response, (answer) => {
          answers.push(answer)
          resolve(answer)
        }),
      )
      sent.on('error', reject).once('continue', () => void (held += 1))
      sent.write(bytes.subarray(0, middle)) // in one piece with the headers
      void rest.promise.then(() => sent.end(bytes.subarray(middle)))
    })
  }
  return { send: half, held: () => held, answers, sendRest: () => rest.resolve() }
}

/** Whether a new connection is refused. */
export function refuses(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}
