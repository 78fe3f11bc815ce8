import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type AuditLog, systemContext } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import type { Logger } from 'pino'
import { listBundleFiles } from '../features/bundles/queries.ts'
import { buildTimeline } from '../features/compositions/timeline-rules.ts'
import { settleRender } from '../features/renders/settle.ts'
import type { RenderMetrics } from '../metrics.ts'
import type { Cache } from '../rendering/cache.ts'
import { BadClip, type SourceFile } from '../rendering/clips.ts'
import { bytesOf, type Rendered, render, type Stage } from '../rendering/render.ts'
import type { Services } from '../services.ts'
import {
  abandonReference,
  beat,
  beginTranscoding,
  beginUpload,
  type Claimed,
  claimRender,
  queueAgain,
  type RenderWork,
  readWork,
  saveReference,
} from './queries.ts'
import { failureOf, waitAfter } from './retry-rules.ts'

export interface AttemptTools {
  services: Services
  cache: Cache
  auditLog: AuditLog
  log: Logger
  metrics: RenderMetrics
  /** Aborted when the worker stops. */
  stopping: AbortSignal
}

export const RENDERS_PER_ORGANIZATION = 2
const HEARTBEAT_MS = 5_000
/** For a render whose attempts crash the worker. */
const MAX_ATTEMPTS = 12
const SHARE: Record<Stage, { from: number; to: number }> = {
  normalising: { from: 0, to: 70 },
  joining: { from: 70, to: 80 },
  checking: { from: 80, to: 85 },
}

/** The render was cancelled, or another worker has taken it over. */
class Lost extends Error {
  override name = 'Lost'
}

/** Runs one attempt of the next render. False when there is none. */
export async function attemptNext(tools: AttemptTools): Promise<boolean> {
  const { db, now } = tools.services
  const workerId = randomUUID()
  const claimed = await claimRender(db, workerId, now(), RENDERS_PER_ORGANIZATION)
  if (!claimed) return false
  await new Attempt(tools, claimed, workerId).run()
  return true
}

class Attempt {
  readonly #tools: AttemptTools
  readonly #render: Claimed
  readonly #workerId: string
  readonly #lost = new AbortController()
  #progress = 0
  #stage: Stage = 'normalising'
  /** The reference of the video at the host, set before the upload starts. */
  #reference: string | undefined

  constructor(tools: AttemptTools, render: Claimed, workerId: string) {
    this.#tools = tools
    this.#render = render
    this.#workerId = workerId
  }

  #tenant<Result>(work: (tx: TenantTx) => Promise<Result>): Promise<Result> {
    return this.#tools.services.db.tenant(systemContext(this.#render.organizationId), work)
  }

  async run(): Promise<void> {
    const { log, stopping, services, metrics } = this.#tools
    const beating = setInterval(() => void this.#beat(), HEARTBEAT_MS)
    let folder: string | undefined
    const signal = AbortSignal.any([this.#lost.signal, stopping])
    let attempts = 0
    let requestedAt = services.now()
    try {
      const work = await this.#tenant((tx) => readWork(tx, this.#render.id, this.#workerId))
      if (!work) throw new Lost()
      attempts = work.attempts
      requestedAt = new Date(work.requested_at)
      if (attempts > MAX_ATTEMPTS) throw new Error('every attempt ended its worker')
      await this.#tools.cache.assertRoom()
      folder = await this.#tools.cache.workFolder()
      await this.#publish(await this.#make(work, folder, signal), signal)
    } catch (error) {
      if (error instanceof Lost || this.#lost.signal.aborted) return await this.#leave()
      if (stopping.aborted) {
        const now = services.now()
        await this.#tenant((tx) =>
          queueAgain(tx, this.#render.id, this.#workerId, { at: now, counts: false, for: null }),
        )
        return
      }
      metrics.countHostError(error)
      log.error({ err: error, render: this.#render.id, attempt: attempts }, 'render attempt failed')
      await this.#failOrRetry(error, attempts, requestedAt)
    } finally {
      clearInterval(beating)
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    }
  }

  /** The render was cancelled, and its video perhaps deleted, while this attempt was still sending it. */
  async #leave(): Promise<void> {
    const reference = this.#reference
    if (reference !== undefined) await this.#tenant((tx) => abandonReference(tx, this.#render.id, reference))
  }

  async #beat(): Promise<void> {
    const facts = { now: this.#tools.services.now(), progress: this.#progress, stage: this.#stage }
    const mine = await this.#tenant((tx) => beat(tx, this.#render.id, this.#workerId, facts)).catch(
      () => true, // The next beat tells.
    )
    if (!mine) this.#lost.abort(new Lost())
  }

  async #make(work: RenderWork, folder: string, signal: AbortSignal): Promise<Rendered> {
    const { services, cache, metrics } = this.#tools
    const { ffmpeg, objects, host } = services
    if (!ffmpeg) throw new Error('FFMPEG_PATH is none')
    const stored = await this.#tenant((tx) => listBundleFiles(tx, work.exercise_id, work.asset_version))
    const { manifest, language, sets } = work
    const names = stored.map(({ name }) => name)
    const timeline = buildTimeline({ manifest, names, language, sets, seed: work.seed })
    if (timeline.missing.length > 0) throw new BadClip(timeline.missing.join(', '), 'it is missing')
    const first = stored.find(({ name }) => name === timeline.items[0]?.video)
    const read = async ({ key }: SourceFile) => {
      const object = await objects.get(key)
      if (!object) throw new Error('a file of the bundle is missing in the object store')
      return object.body
    }
    const files = new Map(
      stored.map(({ name, sha256, object_key: key, organization_id }) => {
        const owner = organization_id ?? 'platform'
        return [name, { name, sha256, key, owner }]
      }),
    )
    const size = { width: first?.width ?? 1280, height: first?.height ?? 720 }
    const plan = { timeline, language, files, ...size, form: host.takes }
    let began = performance.now()
    const onProgress = (stage: Stage, share: number) => {
      const { from, to } = SHARE[stage]
      this.#progress = Math.round(from + (to - from) * share)
      if (stage === this.#stage) return
      metrics.stageEnded(this.#stage, performance.now() - began)
      began = performance.now()
      this.#stage = stage
      void this.#beat()
    }
    const made = await render(plan, { ffmpeg, cache, read, folder, signal, onProgress })
    metrics.stageEnded(this.#stage, performance.now() - began)
    metrics.bytes.observe(await bytesOf(made.folder, made.names))
    return made
  }

  async #publish(made: Rendered, signal: AbortSignal): Promise<void> {
    const { services, auditLog, metrics } = this.#tools
    const { host, config, now } = services
    const { id } = this.#render
    const captions = made.captions.map(({ language }) => language)
    const facts = { provider: host.provider, seconds: made.seconds, captions }
    if (!(await this.#tenant((tx) => beginUpload(tx, id, this.#workerId, facts)))) throw new Lost()
    const reference = await host.create(id)
    if (!(await this.#tenant((tx) => saveReference(tx, id, this.#workerId, reference)))) {
      // Cancelled meanwhile: nobody else knows of the video at the host.
      await host.delete(reference)
      throw new Lost()
    }
    this.#reference = reference
    await metrics.timed('uploading', () => host.upload(reference, made, signal))
    const pollAt = new Date(now().getTime() + config.VIDEO_HOST_BACKSTOP_SECONDS * 1000)
    const reported = await this.#tenant((tx) => beginTranscoding(tx, id, this.#workerId, now(), pollAt))
    if (reported === undefined) throw new Lost()
    // From here on the webhook or the backstop ends it; a host that is ready at once is asked now.
    const ready = reported || (await host.status(reference).catch(metrics.countHostError)) === 'ready'
    if (!ready) return
    const ending = { status: 'ready', from: ['transcoding'] } as const
    if (await this.#tenant((tx) => settleRender(tx, auditLog, this.#render, ending)))
      metrics.ended.inc({ outcome: 'ready' })
  }

  async #failOrRetry(error: unknown, attempts: number, requestedAt: Date): Promise<void> {
    const { services, auditLog, metrics } = this.#tools
    const { id } = this.#render
    const now = services.now().getTime()
    const wait = waitAfter(error, attempts, now - requestedAt.getTime())
    if (wait) {
      if (wait.for !== null) metrics.waits.inc({ for: wait.for })
      const next = { at: new Date(now + wait.ms), counts: wait.counts, for: wait.for }
      await this.#tenant((tx) => queueAgain(tx, id, this.#workerId, next))
      return
    }
    const reason = failureOf(error)
    const from = ['rendering', 'uploading'] as const
    await this.#tenant((tx) => settleRender(tx, auditLog, this.#render, { status: 'failed', from, error: reason }))
    metrics.ended.inc({ outcome: reason.code })
  }
}
