import type { BodyChecker } from '../inflate/checker.ts'
import type { RunLog } from '../log/run-log.ts'
import type { RunIdentity } from '../runs/recording.ts'
import { Buckets, type Rate } from './buckets.ts'
import type { OrganizationQuotas } from './organization-quotas.ts'
import { WaitQueue } from './wait-queue.ts'

// Admission control, decided before a body is read. Under load pose batches are shed first: they may be lost, the end
// of a session may not. A few requests per run that could be the end of its session are admitted whatever the quotas
// say.

/**
 * "about 5 batches per second per session for reconnect and flush", while "about 1 batch per second" is the average: what was
 * not sent in the last two minutes may be sent later.
 */
const RUN_POSE = { perSecond: 5, burst: 5, maxInProgress: 5, allowance: { perSecond: 1, burst: 120 } }
/**
 * The specification gives no figure. A session sends about one event in nine seconds, and dozens when it reconnects.
 */
const RUN_MEDIA = { perSecond: 5, burst: 50, maxInProgress: 50 }
/** The rate comes with each call. */
const ORGANIZATION = { perSecond: 0, burst: 0, max: 10_000 }
/** Pose batches are shed when the oldest append has waited longer. */
const MAX_POSE_WAIT_MS = 50
/** Bodies being read or stored at once: one group of the log and the next. */
const POSE_SLOTS = 600
/** Requests without a slot wait for one. Their bodies are not read, but Node buffers the first 64 KB of each. */
const POSE_QUEUE = { timeoutMs: 500, max: 5_000, maxBytes: 128 * 1024 * 1024 }
const MEDIA_SLOTS = 2_000
const RESERVED_SLOTS = 1_000
/** A closing page sends its last events at once, over up to six connections. */
const RUN_RESERVED_SLOTS = 8

type PoseDenial = 'shed' | 'rate_limited' | 'unavailable'
type MediaDenial = 'rate_limited' | 'unavailable'

interface PoseSender {
  /** Size of the body. */
  bytes: number
  /** The client has disconnected: no answer is needed. */
  isDisconnected: () => boolean
}

interface AdmissionOptions {
  log: Pick<RunLog, 'refusal' | 'oldestWaitMs'>
  checker: Pick<BodyChecker, 'hasRoom'>
  now: () => number
  quotas: OrganizationQuotas
}

export class Admission {
  readonly #options: AdmissionOptions
  readonly #runPose = new Buckets(RUN_POSE)
  readonly #runMedia = new Buckets(RUN_MEDIA)
  readonly #organizationPose = new Buckets(ORGANIZATION)
  readonly #organizationMedia = new Buckets(ORGANIZATION)
  /** Run → number of its requests in reserved slots. */
  readonly #reservedOf = new Map<string, number>()
  readonly #waiting = new WaitQueue(POSE_QUEUE)
  #pose = 0
  #media = 0
  #reserved = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  /**
   * Calls `done` with the reason for a refusal, immediately or, when there is no slot, after a short wait. `undefined`
   * means admitted: release the slot with `leavePose`. Quotas are checked first, so that one sender cannot fill the
   * queue.
   */
  enterPose(identity: RunIdentity, sender: PoseSender, done: (denial: PoseDenial | undefined) => void): void {
    if (!this.#takePoseQuota(identity)) return done('rate_limited')
    const enter = () => {
      const denial = this.#tryPose(identity.runId)
      if (denial !== 'shed') done(denial)
      return denial !== 'shed'
    }
    const onTimeout = () => {
      this.#returnPoseQuota(identity)
      done('shed')
    }
    this.#waiting.next()
    if (this.#waiting.size > 0 || !enter())
      this.#waiting.wait({ bytes: sender.bytes, enter: () => sender.isDisconnected() || enter(), onTimeout })
  }

  leavePose({ runId }: RunIdentity): void {
    this.#runPose.leave(runId)
    this.#pose -= 1
    this.#waiting.next()
  }

  #takePoseQuota(identity: RunIdentity): boolean {
    const { runId, organizationId } = identity
    const at = this.#options.now()
    const rate = rateOf(this.#options.quotas.of(identity).pose)
    if (!this.#organizationPose.has(organizationId, at, rate) || !this.#runPose.take(runId, at)) return false
    return this.#organizationPose.take(organizationId, at, rate)
  }

  /** A shed batch does not count against the quota. */
  #returnPoseQuota({ runId, organizationId }: RunIdentity): void {
    this.#runPose.refund(runId)
    this.#organizationPose.refund(organizationId)
  }

  #tryPose(runId: string): 'shed' | 'unavailable' | undefined {
    const { log, checker } = this.#options
    const refusal = log.refusal('bulk')
    if (refusal === 'failed') return 'unavailable'
    if (refusal === 'full' || this.#pose >= POSE_SLOTS || !checker.hasRoom()) return 'shed'
    if (log.oldestWaitMs('bulk') > MAX_POSE_WAIT_MS) return 'shed'
    this.#runPose.enter(runId)
    this.#pose += 1
    return undefined
  }

  /** Returns a refusal or an entry. `mayEnd`: the run's session has not ended, so this request may end it. */
  enterMedia(identity: RunIdentity, mayEnd: boolean): MediaEntry | MediaDenial {
    if (this.#options.log.refusal('control')) return 'unavailable'
    const hasQuota = this.#takeMediaQuota(identity)
    if (hasQuota && this.#media < MEDIA_SLOTS) return this.#enterMedia(identity)
    if (hasQuota) this.#returnMediaQuota(identity)
    const denial = hasQuota ? 'unavailable' : 'rate_limited'
    return (mayEnd && this.#enterReserved(identity, denial)) || denial
  }

  #enterMedia(identity: RunIdentity): MediaEntry {
    this.#runMedia.enter(identity.runId)
    this.#media += 1
    return {
      returnQuota: () => this.#returnMediaQuota(identity),
      leave: () => {
        this.#runMedia.leave(identity.runId)
        this.#media -= 1
      },
    }
  }

  #enterReserved({ runId }: RunIdentity, denial: MediaDenial): MediaEntry | undefined {
    const others = this.#reservedOf.get(runId) ?? 0
    if (others >= RUN_RESERVED_SLOTS || this.#reserved >= RESERVED_SLOTS) return undefined
    this.#reservedOf.set(runId, others + 1)
    this.#reserved += 1
    return {
      denial,
      returnQuota: () => {},
      leave: () => {
        const left = (this.#reservedOf.get(runId) ?? 1) - 1
        if (left > 0) this.#reservedOf.set(runId, left)
        else this.#reservedOf.delete(runId)
        this.#reserved -= 1
      },
    }
  }

  #takeMediaQuota(identity: RunIdentity): boolean {
    const { runId, organizationId } = identity
    const at = this.#options.now()
    const rate = rateOf(this.#options.quotas.of(identity).media)
    if (!this.#organizationMedia.has(organizationId, at, rate) || !this.#runMedia.take(runId, at)) return false
    return this.#organizationMedia.take(organizationId, at, rate)
  }

  #returnMediaQuota({ runId, organizationId }: RunIdentity): void {
    this.#runMedia.refund(runId)
    this.#organizationMedia.refund(organizationId)
  }
}

const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond })

interface MediaEntry {
  /**
   * Set when the request was admitted only because it may be the end of a session; any other event is refused with
   * this.
   */
  denial?: MediaDenial
  /** The first end of a session does not count against the quota. */
  returnQuota: () => void
  leave: () => void
}
