// `npm run bench`: speed as ratios against yardsticks in the same run. Figures of different runs do not compare.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { prepareTemplate, startIssuer, startTemporaryPostgres } from '@tendon/testing'
import { SERVICE_FLAGS } from '../scripts/service-flags.ts'
import { benchAnswers } from './answers.ts'
import { benchAutomations } from './automations.ts'
import type { BenchServer } from './bench.ts'
import { benchComposer } from './composer.ts'
import { benchCore } from './core.ts'
import { benchDocuments } from './documents.ts'
import { benchExercises } from './exercises.ts'
import { benchForms } from './forms.ts'
import { benchLatency } from './latency.ts'
import { benchMail } from './mail.ts'
import { benchPeers } from './peers.ts'
import { benchScheduling } from './scheduling.ts'
import { benchSegments } from './segments.ts'
import { benchTelemetry } from './telemetry.ts'
import { benchWebhooks } from './webhooks.ts'

const postgres = await startTemporaryPostgres({ durable: true })
const issuer = await startIssuer()
const children: ChildProcess[] = []

interface Message {
  port: number
  cpuSeconds: number
  bytes: number
}

/** Starts bench/servers.ts. */
async function startServer(
  kind: 'core' | 'worker' | 'bare' | 'plain',
  payload: string,
  env: Record<string, string>,
): Promise<BenchServer> {
  const child = fork(join(import.meta.dirname, 'servers.ts'), [kind, payload], {
    env: { ...process.env, ...env },
    execArgv: [...SERVICE_FLAGS],
  })
  children.push(child)
  const message = () =>
    new Promise<Message>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`the ${kind} server ended with code ${code}`))
      child.once('exit', ended)
      child.once('message', (given) => {
        child.off('exit', ended)
        resolve(given as Message)
      })
    })
  const { port } = await message()
  const used = async () => {
    child.send('used')
    return message()
  }
  return {
    port,
    cpuSeconds: async () => (await used()).cpuSeconds,
    bytes: async () => (await used()).bytes,
  }
}

try {
  process.env.TEST_DATABASE_URL = postgres.url
  await prepareTemplate(postgres.url)
  const options = { startServer, issuer, dataDir: postgres.dataDir, seconds: Number(process.env.BENCH_SECONDS ?? 5) }
  // All benches, or the named ones: npm run bench -- segments
  const benches = {
    core: benchCore,
    answers: benchAnswers,
    automations: benchAutomations,
    latency: benchLatency,
    composer: benchComposer,
    documents: benchDocuments,
    exercises: benchExercises,
    forms: benchForms,
    mail: benchMail,
    peers: benchPeers,
    scheduling: benchScheduling,
    segments: benchSegments,
    telemetry: benchTelemetry,
    webhooks: benchWebhooks,
  }
  const named = process.argv.slice(2)
  for (const [name, bench] of Object.entries(benches)) {
    if (named.length === 0 || named.includes(name)) await bench(options)
  }
} finally {
  for (const child of children) child.kill('SIGKILL')
  await issuer.close()
  await postgres.remove()
}
