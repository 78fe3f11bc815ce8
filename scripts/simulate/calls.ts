import { setTimeout as sleep } from 'node:timers/promises'
import { countIn, type Service, type Tally } from './tally.ts'

const MAX_ATTEMPTS = 30
const RECONNECT_MS = 1_000
/** The consent gate asks for consents: not counted as a refusal. */
const GATE = 412

export interface CallOptions {
  /** Whether to wait and retry when asked to, or when the connection broke. Pose batches are not retried. */
  again: boolean
}

/** `fetch` with timing and counting. Every body can be sent twice. */
export function countedFetch(tally: Tally, service: Service, { again }: CallOptions): typeof fetch {
  return async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const started = performance.now()
      const response = await fetch(input, init).catch((error: Error) => {
        countIn(tally.refusals, `${service}: no connection`)
        if (!again || attempt >= MAX_ATTEMPTS) throw error
      })
      if (!response) {
        await sleep(RECONNECT_MS)
        continue
      }
      tally.milliseconds[service].push(performance.now() - started)
      if (response.ok || response.status === GATE) return response
      countIn(tally.refusals, `${service}: ${response.status} ${await codeOf(response.clone())}`)
      if (!again || attempt >= MAX_ATTEMPTS || (response.status !== 429 && response.status !== 503)) return response
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    }
  }
}

async function codeOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => undefined)) as { error?: { code?: string } } | undefined
  return body?.error?.code ?? 'without a code'
}
