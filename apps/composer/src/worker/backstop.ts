import { systemContext } from '@tendon/access'
import { HostError } from '@tendon/video-host'
import { type Ending, settleRender } from '../features/renders/settle.ts'
import type { AttemptTools } from './attempt.ts'
import { type Claimed, claimPolls, pollAgain, readPolled, rebuild } from './queries.ts'

const MAX_PARALLEL_POLLS = 20
const MAX_REBUILDS = 2
const MAX_TRANSCODING_MS = 4 * 60 * 60 * 1000
const ASK_AGAIN_AFTER_ERROR_MS = 60_000

const FAILURES = {
  failed: { code: 'transcoding_failed', message: 'The video host could not transcode the video.' },
  lost: { code: 'host_lost_video', message: 'The video host lost the video repeatedly.' },
  late: { code: 'transcoding_timeout', message: 'The video host did not finish within four hours.' },
}

/** Asks the host about renders whose webhook did not arrive. True when there may be more. */
export async function pollHost(tools: AttemptTools): Promise<boolean> {
  const { db, now, config } = tools.services
  const againAt = new Date(now().getTime() + config.VIDEO_HOST_BACKSTOP_SECONDS * 1000)
  const due = await claimPolls(db, now(), againAt, MAX_PARALLEL_POLLS)
  for (const render of due) tools.metrics.backstop.inc({ outcome: await pollOne(tools, render) })
  return due.length === MAX_PARALLEL_POLLS
}

async function pollOne({ services, auditLog, metrics }: AttemptTools, render: Claimed): Promise<string> {
  const { db, host, now } = services
  const tenant = <Result>(work: Parameters<typeof db.tenant<Result>>[1]) =>
    db.tenant(systemContext(render.organizationId), work)
  const polled = await tenant((tx) => readPolled(tx, render.id))
  if (!polled) return 'settled'
  const end = async (outcome: string, ending: Omit<Ending, 'from'>) => {
    await tenant((tx) => settleRender(tx, auditLog, render, { ...ending, from: ['transcoding'] }))
    metrics.ended.inc({ outcome })
    return outcome
  }
  const isLate = now().getTime() - new Date(polled.transcoding_at).getTime() > MAX_TRANSCODING_MS
  const endLate = () => end('late', { status: 'failed', error: FAILURES.late })
  try {
    const status = polled.host_reference === null ? 'missing' : await host.status(polled.host_reference)
    if (status === 'ready') return await end('ready', { status: 'ready' })
    if (status === 'failed') return await end('failed', { status: 'failed', error: FAILURES.failed })
    if (status === 'working') return isLate ? await endLate() : 'working'
    if (polled.rebuilds >= MAX_REBUILDS) return await end('lost', { status: 'failed', error: FAILURES.lost })
    await tenant((tx) => rebuild(tx, render.id, now()))
    return 'rebuilt'
  } catch (error) {
    metrics.countHostError(error)
    if (isLate) return await endLate()
    const asked = error instanceof HostError ? (error.retryAfterMs ?? 0) : 0
    const at = new Date(now().getTime() + Math.max(ASK_AGAIN_AFTER_ERROR_MS, asked))
    await tenant((tx) => pollAgain(tx, render.id, at))
    return 'host_error'
  }
}
